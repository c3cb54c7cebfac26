"""What a model's name says beyond the row it is computed with: an edition, a model that sees, hears or embeds, a family nobody listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kb.types.specs import SpecBook
from kb.understanding.names.entities import Entities

SEES = re.compile(
    r"(?<![a-z])(?:[a-z]{0,8}vl\d?(?![a-z])|vision|omni|llava[a-z-]*|multi-?modal|pixtral|minicpm-?[vo](?![a-z]))|视觉|多模态"
)
HEARS = re.compile(r"(?<![a-z])(?:audio|speech)(?![a-z])")
EMBEDS = re.compile(r"[a-z0-9.]{2,12}[ _-]?(?<![a-z])(?:embed(?:ding|der)?s?|re-?rank(?:er|ing)?)(?![a-z])")
LATER = re.compile(r"[ \-_](?P<edition>thinking|0[1-9][0-3]\d|2[4-6](?:0[1-9]|1[0-2])|next|turbo)(?![a-z0-9.])")
PICTURES = re.compile(
    r"图片|图像(?!生成)|照片|截图|视频|[张幅][^,，。;?\d]{0,4}\d{0,4}[kp]?图"
    r"|(?<![a-z])(?:images?(?! generation)|photos?|pictures?|screenshots?|videos?)(?![a-z])"
)
BY_SIZE = re.compile(
    r"(?<![a-z0-9.])(?P<name>[a-z][a-z0-9.]{2,20}(?:[-_][a-z0-9.]{1,12}){0,3}?)[-_](?P<size>\d{1,4}(?:\.\d{1,2})?b)(?![a-z0-9])"
)
PLAIN = frozenset({"dense", "moe", "model", "models", "size", "train", "full", "base", "chat", "params", "sft", "dpo"})
REACH = 16  # characters behind a name in which its edition stands


def is_language_part(name: str, slots: dict[str, Any]) -> bool:
    """Whether a model that sees or hears, and has no row, was read as the row of its language model."""
    return bool(slots.get("model")) and (SEES.search(name) or HEARS.search(name)) is not None


def notes_of(low: str, entities: Entities, slots: dict[str, Any], book: SpecBook) -> Iterator[tuple[str, dict[str, str]]]:
    """(code of the reason, its blanks) of what a name or a question says and the computation leaves out."""
    models = entities.models
    pieces = [low[max(0, m.start - 12) : m.end + REACH] for m in models]
    named = " ".join(pieces)
    row = book.row("models", str(slots.get("model")))
    own = row.name.lower() if row else ""
    unlisted = BY_SIZE.search(entities.low) if not (models or entities.unknown) and slots.get("parameters") else None
    known = unlisted and (
        unlisted["name"] in PLAIN or any(n.start < unlisted.end("name") and unlisted.start() < n.end for n in entities.names)
    )
    if unlisted and not known and "model" not in slots:
        yield "by_size", {"written": unlisted.group()}
        named = unlisted.group()
    for unknown in entities.unknown:
        if row and is_language_part(name := low[unknown.start : unknown.full], slots):
            yield "edition_of", {"written": name, "name": row.name}
    if row and any(EMBEDS.match(low, m.start) for m in models):
        yield "embeds", {"name": row.name}
    elif row:
        later = next(((m.start, e) for m in models if m.row == row.id and (e := LATER.match(low, m.end))), None)
        if later and later[1]["edition"] not in own:
            yield "edition", {"written": low[later[0] : later[1].end()], "name": row.name}
    if SEES.search(named) or (HEARS.search(named) and named) or (PICTURES.search(low) and (models or slots.get("parameters"))):
        yield "hears" if HEARS.search(named) else "sees", {}
