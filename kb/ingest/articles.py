"""Articles: Markdown with front matter and source marks become documents with claims.

    +++
    title = "KV cache"
    sources = ["vllm", "…"]              # ids of sources.toml; the first one's address stands for the article
    explains = ["memory.kv_cache"]       # sizing rules, optional
    updated = 2026-11-30
    +++

A claim ends with its marks: `… 128 KiB per token.[^vllm]`. With a stance (`[^id:outdated]`, `:wrong`, `:vague`) a mark
reports what a source says without endorsing it. Marks are taken out of the text; each becomes a Claim over what stands since
the mark before it.
"""

from __future__ import annotations

import datetime
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

from kb.errors import CorpusFault
from kb.ingest.asked import read_asked
from kb.ingest.structure import Block, blocks, stripped
from kb.types.document import Claim, Document, PassageLanguage
from kb.types.source import DocumentId, Source, Stance

FRONT = re.compile(r"\+\+\+\n(.*?)\n\+\+\+\n(.*)", re.DOTALL)
MARK = re.compile(r"\[\^([^\]:\s]+)(?::([^\]\s]+))?\]")
FIGURE = re.compile(
    r"(?<![\w.])(?<![A-Za-z]-)(\d+(?:,\d{3})*(?:\.\d+)?)(?: ?(thousand|million|billion|千|万|百万|亿))?", re.ASCII
)
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "千": 10**3, "万": 10**4, "百万": 10**6, "亿": 10**8}
LINK = re.compile(r"\]\(|https?://|<\w")
KEYS: dict[str, type | tuple[type, ...]] = {"title": str, "sources": list, "explains": list, "updated": (datetime.date, str)}


@dataclass(frozen=True, slots=True)
class Mark:
    """A source mark: `at` is where it stood, in code points of the text without marks."""

    at: int
    id: str
    stance: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it, as far as translations must agree: level, figures, marks."""

    level: int
    title: str
    figures: frozenset[str]
    marks: tuple[tuple[str, str | None], ...]


def read_article(path: Path, sources: Mapping[str, Source]) -> Document:
    """One article, `<topic>/<language>.md`; raises CorpusFault with all its faults at once."""
    document, _, faults = _read(path, sources)
    if faults or document is None:
        raise CorpusFault(tuple(faults))
    return document


def read_articles(folder: Path, sources: Mapping[str, Source]) -> tuple[Document, ...]:
    """All articles, by topic and language; raises CorpusFault with all faults of all of them.

    Beyond the faults of one article: a topic without one of its translations, and translations that differ in their sections,
    figures or marks.
    """
    faults: list[str] = []
    documents: list[Document] = []
    for topic in sorted(p for p in folder.iterdir() if p.is_dir()):
        versions: dict[PassageLanguage, list[Section]] = {}
        mine: list[Document] = []
        for language in get_args(PassageLanguage):
            path = topic / f"{language}.md"
            if not path.exists():
                faults.append(f"{topic.name}: there is no {path.name}")
                continue
            document, versions[language], found = _read(path, sources)
            faults += found
            mine += [document] if document is not None else []
        if len(versions) > 1:
            found = list(_differences(topic.name, versions["zh"], versions["en"]))
            if not found:
                titles = {language: [section.title for section in sections] for language, sections in versions.items()}
                asked, found = read_asked(topic / "asked.toml", titles)
                mine = [replace(document, asked=asked[document.language]) for document in mine]
            faults += found
        documents += mine
    if faults:
        raise CorpusFault(tuple(faults))
    return tuple(sorted(documents, key=lambda document: document.id))


def _read(path: Path, sources: Mapping[str, Source]) -> tuple[Document | None, list[Section], list[str]]:
    name = f"{path.parent.name}/{path.name}"
    language: PassageLanguage = "zh" if path.stem == "zh" else "en"
    match = FRONT.fullmatch(unicodedata.normalize("NFC", path.read_text(encoding="utf-8")))
    if match is None:
        return None, [], [f"{name}: does not begin with front matter between +++ lines"]
    try:
        front = tomllib.loads(match[1])
    except tomllib.TOMLDecodeError as error:
        return None, [], [f"{name}: front matter: {error}"]
    text, marks = _without_marks(match[2])
    structure = list(blocks(text))
    faults = [*_front_faults(front, marks), *_mark_faults(marks, sources), *_block_faults(text, structure, marks)]
    sections = _sections(text, structure, marks)
    if faults:
        return None, sections, [f"{name}: {fault}" for fault in faults]
    first = sources[front["sources"][0]]
    document = Document(
        id=DocumentId(f"{path.parent.name}.{language}"),
        kind="article",
        title=front["title"],
        url=first.url,
        language=language,
        text=text,
        claims=tuple(_claims(text, structure, marks, sources)),
        topic=path.parent.name,
        published=str(front["updated"]),
        retrieved=max(sources[id].retrieved or "" for id in front["sources"]) or None,
        explains=tuple(front.get("explains", ())),
    )
    return document, sections, []


def _without_marks(body: str) -> tuple[str, list[Mark]]:
    text, marks, end = "", [], 0
    for match in MARK.finditer(body):
        text += body[end : match.start()]
        marks.append(Mark(len(text), match[1], match[2]))
        end = match.end()
    text += body[end:]
    lead = len(text) - len(text.lstrip("\n"))
    return text[lead:], [Mark(mark.at - lead, mark.id, mark.stance) for mark in marks]


def _claims(text: str, structure: list[Block], marks: list[Mark], sources: Mapping[str, Source]) -> Iterator[Claim]:
    """For every mark a claim from the mark before it, or the start of its block, to where it stood; in a table the row."""
    for block in structure:
        start, end = block.start, block.start
        for mark in (mark for mark in marks if block.start < mark.at <= block.end):
            if text[end : mark.at].strip():
                start, end = end, mark.at
            span = (block.start, block.end) if block.kind == "row" else stripped(text, start, end)
            yield Claim(*span, sources[mark.id], _stance(mark))


def _stance(mark: Mark) -> Stance | None:
    return next((stance for stance in get_args(Stance) if stance == mark.stance), None)


def _front_faults(front: Mapping[str, Any], marks: list[Mark]) -> Iterator[str]:
    for key, kind in KEYS.items():
        if key not in front and key != "explains":
            yield f"front matter lacks {key}"
        elif key in front and not isinstance(front[key], kind):
            yield f"front matter: {key} is of the wrong type"
    for key in front.keys() - KEYS.keys():
        yield f"front matter has an unknown key {key!r}"
    listed, used = set(front.get("sources", ())), {mark.id for mark in marks}
    for id in sorted(used - listed):
        yield f"source {id!r} is cited but not listed in the front matter"
    for id in sorted(listed - used):
        yield f"source {id!r} is listed in the front matter but not cited"
    if not listed:
        yield "cites no source"


def _mark_faults(marks: list[Mark], sources: Mapping[str, Source]) -> Iterator[str]:
    for id in sorted({mark.id for mark in marks} - sources.keys()):
        yield f"source {id!r} is not in sources.toml"
    for stance in sorted({mark.stance for mark in marks if mark.stance is not None and _stance(mark) is None}):
        yield f"stance {stance!r} is none of {', '.join(get_args(Stance))}"


def _block_faults(text: str, structure: list[Block], marks: list[Mark]) -> Iterator[str]:
    """Figures and paragraphs that no mark covers, marks that cover nothing, links, sections without text."""
    for block, follower in pairwise([*structure, None]):
        if block is None:
            continue
        snippet = text[block.start : block.start + 30]
        if block.kind == "heading":
            if follower is None or (follower.kind == "heading" and follower.level <= block.level):
                yield f"section {block.title!r} is empty"
            continue
        ends = [mark.at for mark in marks if block.start <= mark.at <= block.end]
        covered = max(ends, default=block.start)
        if ends and ends[0] == block.start:
            yield f"a mark covers nothing at {snippet!r}"
        if not ends and block.kind == "paragraph":
            yield f"the paragraph has no source mark at {snippet!r}"
        if LINK.search(text[block.start : block.end]):
            yield f"a link or HTML stands in the text at {snippet!r}; its address belongs into sources.toml"
        head = block.kind == "row" and "\n" in text[block.start : block.end]
        loose = "" if head or block.kind == "code" or (block.kind == "row" and ends) else text[covered : block.end]
        if figure := FIGURE.search(re.sub(r"^\s*\d+\.\s", "", loose)):
            yield f"figure {figure[0]} has no source mark at {snippet!r}"


def _sections(text: str, structure: list[Block], marks: list[Mark]) -> list[Section]:
    starts = [block for block in structure if block.kind == "heading"]
    sections = []
    for block, end in zip(starts, [*(block.start for block in starts[1:]), len(text) + 1], strict=False):
        figures = frozenset(_figure(*figure) for figure in FIGURE.findall(text[block.start : end]))
        under = tuple((mark.id, mark.stance) for mark in marks if block.start < mark.at < end)
        sections.append(Section(block.level, block.title, figures, under))
    return sections


def _figure(digits: str, scale: str) -> str:
    """A figure as translations can be compared: without separators, `4190 万` like `41.9 million`."""
    return str((Decimal(digits.replace(",", "")) * SCALES.get(scale, 1)).normalize())


def _differences(topic: str, zh: list[Section], en: list[Section]) -> Iterator[str]:
    if [section.level for section in zh] != [section.level for section in en]:
        yield f"{topic}: the sections of zh ({len(zh)}) and en ({len(en)}) do not match"
        return
    for ours, theirs in zip(zh, en, strict=True):
        place = f"{topic}: {ours.title!r} and {theirs.title!r}"
        if ours.figures != theirs.figures:
            only_zh, only_en = ours.figures - theirs.figures, theirs.figures - ours.figures
            yield f"{place} differ in figures: zh only {sorted(only_zh)}, en only {sorted(only_en)}"
        if sorted(map(str, ours.marks)) != sorted(map(str, theirs.marks)):
            yield f"{place} differ in marks: zh {_listed(ours)}, en {_listed(theirs)}"


def _listed(section: Section) -> str:
    return " ".join(f"{id}:{stance}" if stance else id for id, stance in section.marks) or "none"
