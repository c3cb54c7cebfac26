"""The widget's files, read and not run: what must never stand in them, and what all languages must say."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path

import pytest

import service.routes.pages as pages
from kb.ingest.assumptions import read_assumptions
from kb.settings import CORPUS
from kb.sizing.rules import memory

SCRIPTS = sorted(pages.FOLDER.glob("*.js"))
PAGES = sorted(pages.FOLDER.glob("*.html"))
STRINGS = json.loads((pages.FOLDER / "strings.json").read_text(encoding="utf-8"))
SINKS = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|setHTML|srcdoc|parseFromString|createContextualFragment|eval|localStorage)\b"
    r"|document\.write|new Function|setTimeout\(['\"`]|setAttribute\(['\"](style|on\w+)['\"]"
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_no_script_turns_text_into_markup_or_code(path: Path) -> None:
    assert not SINKS.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_every_import_is_one_of_our_own_files(path: Path) -> None:
    for target in re.findall(r"from '([^']+)'|import '([^']+)'", path.read_text(encoding="utf-8")):
        name = "".join(target)
        assert name.startswith("./") and (pages.FOLDER / Path(name).name).exists()


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name)
def test_pages_hold_no_inline_script_style_or_foreign_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?://", text)


def test_all_languages_say_the_same_things() -> None:
    assert set(STRINGS) == {"en", "zh", "zh-Hant"}
    for language, texts in STRINGS.items():
        assert set(texts) == set(STRINGS["en"]), language
        for key, text in texts.items():
            assert text.strip() and set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", STRINGS["en"][key])), (
                language,
                key,
            )


def test_every_key_that_is_spoken_exists() -> None:
    for path in SCRIPTS:
        for key in re.findall(r"\bsay\('([\w.]+)'", path.read_text(encoding="utf-8")):
            assert key in STRINGS["en"], (path.name, key)
    for path in PAGES:
        for key in re.findall(r'data-t="([\w.]+)"', path.read_text(encoding="utf-8")):
            assert key in STRINGS["en"], (path.name, key)


def test_what_is_assumed_and_what_takes_memory_has_a_name() -> None:
    assumed = read_assumptions(CORPUS / "assumptions")
    slots = {entry.slot for entry in (*assumed.constants.values(), *assumed.choices.values()) if entry.slot}
    parts = {*memory.sum_training.inputs, *memory.sum_serving.inputs, "fragmentation"}
    assert {f"slot.{s}" for s in slots} | {f"part.{p}" for p in parts} <= STRINGS["en"].keys()


def test_links_of_answers_go_to_the_web_only_and_tell_it_nothing() -> None:
    source = (pages.FOLDER / "dom.js").read_text(encoding="utf-8")
    assert "'http:', 'https:'" in source and "noopener noreferrer nofollow" in source
    others = [
        p.name
        for p in SCRIPTS
        if p.name not in ("dom.js", "docs.js") and re.search(r"el\('a'|\.href\s*=", p.read_text(encoding="utf-8"))
    ]
    assert others == []


def test_the_widget_is_small() -> None:
    loaded = [p for p in pages.FOLDER.iterdir() if p.name not in ("demo.html", "demo.js", "demo.css", "docs.html", "docs.js")]
    assert sum(len(zlib.compress(p.read_bytes(), 9)) for p in loaded) < 30_000
