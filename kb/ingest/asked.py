"""How people ask what a section answers: `asked.toml` beside the translations of an article.

    ["Which cards have NVLink?"]         # the English heading of the section
    en = ["does the A30 do nvlink", "is there nvlink on a 4090"]
    zh = ["3090 能插桥吗", "哪些卡支持 NVLink"]

Search holds a question against these wordings as against the heading; nothing of them is ever quoted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from kb.types.document import PassageLanguage

Asked = Mapping[str, tuple[str, ...]]  # wordings by the heading of their section


def read_asked(path: Path, headings: Mapping[PassageLanguage, Sequence[str]]) -> tuple[dict[PassageLanguage, Asked], list[str]]:
    """(wordings by language and heading of that language, faults); `headings` of the sections, in the same order in every language."""
    found: dict[PassageLanguage, dict[str, tuple[str, ...]]] = {language: {} for language in get_args(PassageLanguage)}
    if not path.exists():
        return dict(found), []
    name = f"{path.parent.name}/{path.name}"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        return dict(found), [f"{name}: {error}"]
    faults, seen = list[str](), dict[str, str]()
    for heading, wordings in table.items():
        if heading not in headings["en"]:
            faults.append(f"{name}: there is no section {heading!r} in en.md")
            continue
        if not isinstance(wordings, dict) or not wordings.keys() <= found.keys():
            faults.append(f"{name}: {heading!r} must hold lists named en and zh")
            continue
        at = headings["en"].index(heading)
        for language in get_args(PassageLanguage):
            texts = wordings.get(language, [])
            if not isinstance(texts, list) or not all(isinstance(t, str) and t.strip() for t in texts):
                faults.append(f"{name}: {heading!r}: {language} must be a list of questions")
                continue
            faults += [
                f"{name}: {t!r} stands under {seen[t]!r} and {heading!r}" for t in texts if seen.get(t, heading) != heading
            ]
            seen |= dict.fromkeys(texts, heading)
            found[language][headings[language][at]] = tuple(texts)
    return dict(found), faults
