"""Sentences and passages: exact, ordered, complete, in both languages."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.ingest.chunk import chunk, leans, sentences
from kb.ingest.structure import blocks
from kb.types.document import Document
from kb.types.source import DocumentId

FRAGMENTS = [
    "# 标题",
    "## Title\n",
    "- item. Next",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "显存。内存！",
    "3.5 GB e.g. this. Then",
    "\n\n",
    "\n",
]
FRAGMENTS += [
    "\r\n",
    "\u3000",
    "```\ncode. x\n```",
    "> quote",
    "1. one\n   2. two",
    "a" * 50,
    "。",
    "; ",
    "https://x.y/z?a=1.b ",
]
TEXTS = st.one_of(st.text(), st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=5))).map("".join))
LANGUAGES = st.sampled_from(["zh", "en"])


def document(text: str, language: str = "en", entity: tuple[str, str] | None = None) -> Document:
    return Document(DocumentId("d"), "article", "The title", "", language, text, entity=entity)  # type: ignore[arg-type]


def cut(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


def covers(text: str, spans: list[tuple[int, int]]) -> bool:
    inside = [False] * len(text)
    for start, end in spans:
        inside[start:end] = [True] * (end - start)
    return all(character.isspace() or within for character, within in zip(text, inside, strict=True))


@given(TEXTS, LANGUAGES)
def test_sentences_are_ordered_trimmed_and_cover_all_that_is_not_blank(text: str, language: str) -> None:
    spans = sentences(text, language)
    assert all(text[s:e] == text[s:e].strip() != "" for s, e in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert covers(text, list(spans))


@given(TEXTS)
def test_blocks_cover_all_that_is_not_blank(text: str) -> None:
    assert covers(text, [(block.start, block.end) for block in blocks(text)])


@given(TEXTS, LANGUAGES)
def test_passages_are_exact_ordered_spans_of_the_document(text: str, language: str) -> None:
    passages = chunk(document(text, language))
    assert all(text[p.start : p.end] == p.text == p.text.strip() != "" for p in passages)
    assert all(a.end <= b.start for a, b in pairwise(passages))
    assert all(p.id == f"d#{p.start}" and p.heading_path[0] == "The title" for p in passages)
    if not any(block.kind == "heading" for block in blocks(text)):
        assert covers(text, [(p.start, p.end) for p in passages])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It needs 3.5 GB, e.g. on an A100. See https://a.io/b.c?d=1 first! Done", 3),
        ("Plan with 80 % (cf. the table). Then measure.", 2),
        ("1. Install the driver. 2. Reboot.", 2),
        ("v1.2 works, v1.3 does not", 1),
        ("a line that is wrapped\nin the middle of a sentence.", 1),
        ("One line\nAnother line", 2),
        ("It fits; a clause goes on. J. Smith divides it by v. Then ends; Next", 4),
    ],
)
def test_english_sentences_end_at_full_stops_that_are_not_decimals_abbreviations_or_addresses(text: str, expected: int) -> None:
    assert len(cut(text)) == expected


def test_chinese_sentences_end_at_chinese_marks_and_keep_closing_quotes() -> None:
    assert cut("他说“够了。”其实不够！要 3.5 GB；为什么？", "zh") == ["他说“够了。”", "其实不够！", "要 3.5 GB；", "为什么？"]


def test_a_table_row_is_one_sentence_and_the_head_keeps_its_rule() -> None:
    assert cut("| a | b |\n|---|---|\n| 1. x | 2 |") == ["| a | b |\n|---|---|", "| 1. x | 2 |"]


def test_sections_become_passages_with_their_headings_as_path() -> None:
    passages = chunk(document("intro\n\n## A\n\ntext a\n\n### B\n\ntext b\n\n## C\n\ntext c"))
    assert [(p.heading_path, p.text) for p in passages] == [
        (("The title",), "intro"),
        (("The title", "A"), "text a"),
        (("The title", "A", "B"), "text b"),
        (("The title", "C"), "text c"),
    ]


def test_a_heading_that_repeats_the_title_is_not_repeated_in_the_path() -> None:
    assert chunk(document("# The title\n\ntext"))[0].heading_path == ("The title",)


def test_a_heading_without_text_is_not_lost() -> None:
    assert [p.text for p in chunk(document("# A\n\n# B\n\ntext\n\n# C"))] == ["# A", "text", "# C"]


def test_long_sections_are_cut_at_sentence_borders() -> None:
    text = " ".join(f"Sentence number {n} says something about memory." for n in range(100))
    passages = chunk(document(text))
    assert len(passages) > 3
    assert all(p.text.endswith(".") and len(p.text) <= 900 * 1.25 for p in passages)


def test_table_rows_are_never_cut() -> None:
    row = "| " + "cell " * 300 + "|"
    passages = chunk(document(f"| a |\n|---|\n{row}\n{row}"))
    assert [p.text for p in passages if "cell" in p.text] == [row, row]


def test_one_huge_line_is_cut_too() -> None:
    passages = chunk(document("显存" * 5000, "zh"))
    assert "".join(p.text for p in passages) == "显存" * 5000
    assert max(len(p.text) for p in passages) <= 320 * 1.25


def test_blank_text_has_no_passages() -> None:
    assert chunk(document(" \n\u3000\n")) == ()


def test_a_rendered_row_is_one_passage() -> None:
    text = "Row. " * 500
    assert [p.text for p in chunk(document(text, entity=("t", "r")))] == [text.strip()]


def test_a_name_in_small_letters_begins_a_sentence() -> None:
    text = "A context of 2K is allocated as 8K. llama.cpp has slots. vLLM too, e.g. vLLM 0.6."
    assert [text[a:b] for a, b in sentences(text, "en")] == [
        "A context of 2K is allocated as 8K.",
        "llama.cpp has slots.",
        "vLLM too, e.g. vLLM 0.6.",
    ]


def test_a_unit_of_one_letter_ends_a_sentence_and_an_initial_does_not() -> None:
    text = "It draws 350 W. The next draws more. J. Smith measured it."
    assert [text[a:b] for a, b in sentences(text, "en")] == ["It draws 350 W.", "The next draws more.", "J. Smith measured it."]


@pytest.mark.parametrize("text", ["So it fails.", "所以加卡没有用。", "It adds capacity."])
def test_a_sentence_that_points_back_leans(text: str) -> None:
    assert leans(text) and not leans("Memory decides.")
