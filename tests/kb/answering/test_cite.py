"""Marks, spans and refusals of the composer."""

import re

import pytest

from kb.answering.cite import Composer
from kb.answering.script import Script
from kb.api import KnowledgeBase
from kb.types.source import CellLocator, Evidence, Source

SOURCE = Source("sheet", "spec", "H20 · data sheet", "https://example.org", retrieved="2026-11-30")


def cell(column: str, quote: str) -> Evidence:
    return Evidence(SOURCE, CellLocator("accelerators", "h20", column), quote)


def test_marks_stand_before_the_closing_punctuation_and_repeat_for_the_same_cell() -> None:
    composer = Composer("zh")
    composer.say("显存为 96 GB。", cell("memory_gb", "96 GB"))
    composer.say("带宽为 4000 GB/s。", cell("memory_bandwidth_gb_s", "4000 GB/s"), cell("memory_gb", "96 GB"))
    text, citations = composer.finish()
    assert text == "显存为 96 GB[1]。带宽为 4000 GB/s[2][1]。"
    assert [c.n for c in citations] == [1, 2]
    assert [text[s.start : s.end] for s in citations[0].answer_spans] == ["显存为 96 GB", "带宽为 4000 GB/s"]


def test_a_sentence_with_an_unsupported_number_does_not_leave() -> None:
    composer = Composer("en")
    composer.say("It has 128 GB.", cell("memory_gb", "96 GB"))
    composer.say("It has 96 GB.", cell("memory_gb", "96 GB"))
    assert composer.finish()[0] == "It has 96 GB [1]."
    assert composer.dropped == ["It has 128 GB."]


def test_a_claim_without_evidence_does_not_leave() -> None:
    composer = Composer("en")
    composer.say("It is the best.")
    assert composer.finish() == ("", ())


@pytest.mark.parametrize(
    ("said", "written"), [("weights: 96 GB.", "Weights: 96 GB [1]."), ("vLLM takes 96 GB.", "vLLM takes 96 GB [1].")]
)
def test_english_sentences_begin_with_a_capital_and_names_stay(said: str, written: str) -> None:
    composer = Composer("en")
    composer.say(said, cell("memory_gb", "96 GB"))
    assert composer.finish()[0] == written


def test_every_row_of_a_table_carries_its_marks() -> None:
    composer = Composer("en")
    composer.tabulate(["Item", "Memory"], [(["H20", "96 GB"], [cell("memory_gb", "96 GB")])], "Source")
    text, _ = composer.finish()
    assert text.splitlines()[-1] == "| H20 | 96 GB | [1] |"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("显存为 96 GB。", "顯示記憶體為 96 GB[1]。"),
        ("显存带宽：96 GB/s，默认不用内存和硬盘。", "記憶體頻寬：96 GB/s，預設不用記憶體和硬碟[1]。"),
        ("适配器直接合并进权重，占 96 个字节，并发数不变。", "適配器直接合併進權重，佔 96 個位元組，並行請求數不變[1]。"),
        ("服务器的网络支持推理，推理模型占 96 GB。", "伺服器的網路支援推論，推理模型佔 96 GB[1]。"),
    ],
)
def test_answers_for_taiwan_are_in_its_characters_and_words(said: str, written: str) -> None:
    composer = Composer("zh-Hant")
    composer.say(said, cell("memory_gb", "96 GB"))
    text, citations = composer.finish()
    assert text == written
    assert [text[s.start : s.end] for s in citations[0].answer_spans] == [text.removesuffix("[1]。")]


def test_everything_around_a_traditional_answer_is_in_its_script(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("13B 模型全參微調，一張 A100 80G 夠嗎？請說明")
    shown = [
        *answer.follow_ups,
        *answer.warnings,
        *(line.text for line in answer.derivation),
        *(a.reason for a in answer.assumptions),
    ]
    shown += [cell for row in answer.table.rows for cell in row] if answer.table else []
    assert answer.follow_ups and not [s for s in shown if Script("zh-Hant").write(s) != s]
    assert not re.search("[张显数计训权态]", "".join(shown))
