"""The two invariants of an answer, and its spans, over the questions of the evaluation sets and some of every kind."""

import json
import re
from pathlib import Path

import pytest

from kb.answering.verify import unsupported
from kb.api import KnowledgeBase
from kb.types.answer import Answer
from kb.types.plain import plain
from kb.types.source import ArticleLocator, CellLocator

QUESTIONS = [
    "训练大模型为什么要用 NVMe 固态硬盘？",
    "H20 的显存带宽是多少？",
    "How many A100 80GB do I need to fully fine-tune a 13B model?",
    "What is the NVLink bandwidth of the H800?",
    "70B 用 QLoRA 微调，一张 A100 80G 够吗？",
    "今天天气怎么样？",
    "is 64GB of RAM enough to train a large model?",
    "万兆网够不够做分布式训练？",
    "compare the H100 PCIe with the H100 SXM",
    "A100 和 H100 哪个显存带宽大",
    "which GPUs have at least 80 GB and NVLink?",
    "顯存不夠怎麼辦？",
    "請問 RTX 5090 的顯示記憶體有多大？",
    "Qwen2.5-72B 单条 32k 上下文的 KV cache 多大",
    "7B 模型要多少显存",
    "how long to pretrain a 7B on 1T tokens with 64 H100?",
    "RTX 4090 的 NVLink 带宽是多少？",
    "GPT-5 用了多少张卡训练？",
    "H100 SXM memory? and who won the last world cup?",
    "0 GPUs for a 7B, how long?",
    "DeepSeek-V3 推理需要几张H20？",
    "how many B200 to serve DeepSeek-V3?",
    "1T 模型用 RTX 3060 推理行吗",
    "8 H100 for 48h at 2.50 per gpu hour",
]
SETS = Path(__file__).parent.parent.parent.parent / "eval" / "sets"
EVERY = QUESTIONS + [
    json.loads(line)["question"]
    for file in sorted(SETS.glob("*/dev.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]
MARK = re.compile(r"\[(\d+)\]")


@pytest.fixture(params=EVERY)
def answer(request: pytest.FixtureRequest, knowledge: KnowledgeBase) -> Answer:
    return knowledge.ask(request.param)


@pytest.mark.parametrize("question", EVERY)
def test_no_sentence_has_to_be_left_out(question: str, knowledge: KnowledgeBase, caplog: pytest.LogCaptureFixture) -> None:
    knowledge.ask(question)
    assert caplog.messages == []


def test_every_number_is_accounted_for(answer: Answer) -> None:
    told = plain(answer)
    standing = [c["quote"] for c in told["citations"]]
    standing += [" ".join(str(c["source"].get(k, "")) for k in ("title", "published", "retrieved")) for c in told["citations"]]
    standing += [str(told["values"]), str(told["derivation"]), str(told["assumptions"]), answer.question]
    assert not unsupported(answer.text, standing)


def test_every_mark_has_its_citation_and_every_citation_its_mark(answer: Answer) -> None:
    assert {int(n) for n in MARK.findall(answer.text)} == {c.n for c in answer.citations}


def test_answers_that_claim_are_cited(answer: Answer) -> None:
    assert answer.citations or answer.kind in ("declined", "clarification")


def test_every_sentence_with_a_figure_carries_a_mark(answer: Answer) -> None:
    if answer.kind in ("declined", "clarification"):
        return
    pieces = re.split(r"(?<=[。！？!?；])(?!\s*\[\d)|(?<=\.)\s+(?!\[\d)|\n", answer.text)
    bare = [p for p in pieces if re.search(r"(?<![A-Za-z0-9_.-])\d", MARK.sub(" ", p)) and not MARK.search(p)]
    assert not bare


def test_spans_and_quotes_hold_at_both_ends(answer: Answer, knowledge: KnowledgeBase) -> None:
    for citation in answer.citations:
        assert citation.quote and citation.answer_spans
        for span in citation.answer_spans:
            assert 0 <= span.start < span.end <= len(answer.text)
        match citation.locator:
            case ArticleLocator(_, start, end):
                assert knowledge.source(citation.source.id).text[start:end] == citation.quote
            case CellLocator(table, row, column):
                found = knowledge.specs.row(table, row)
                cell = found.cells[column] if found else None
                dispute = cell.disagreement if cell else None
                printed = [dispute.quote(o) for o in dispute.others] if dispute else []
                assert cell and citation.quote in (cell.quote, *printed)


@pytest.mark.parametrize("question", QUESTIONS[:8])
def test_the_same_question_gets_the_same_answer(knowledge: KnowledgeBase, question: str) -> None:
    ours = {"id", "conversation_id", "timings_ms"}
    first, second = (plain(knowledge.ask(question)) for _ in range(2))
    assert {k: v for k, v in first.items() if k not in ours} == {k: v for k, v in second.items() if k not in ours}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        (QUESTIONS[0], "passages"),
        (QUESTIONS[1], "spec"),
        (QUESTIONS[2], "sizing"),
        (QUESTIONS[3], "spec"),
        (QUESTIONS[4], "sizing"),
        (QUESTIONS[5], "declined"),
    ],
)
def test_questions_get_the_kind_of_answer_they_ask_for(knowledge: KnowledgeBase, question: str, kind: str) -> None:
    assert knowledge.ask(question).kind == kind


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_in_the_language_of_the_question(knowledge: KnowledgeBase, question: str) -> None:
    words = re.sub(r"[\s\W\d_]", "", knowledge.ask(question).text)
    share = sum("\u4e00" <= c <= "\u9fff" for c in words) / max(1, len(words))
    assert share > 0.15 if re.search(r"[\u4e00-\u9fff]", question) else share < 0.05


@pytest.mark.parametrize(
    "question",
    [
        "100 Gb/s between 2 nodes of 8 H100, enough for ZeRO-3 13B?",
        "70B 用 25G 网络跨机训练可以吗",
        "Is 10 GbE sufficient for multi-node training of a 70B?",
        "8 张 A100 训练，64GB 内存够吗？",
        "is 64 GB of RAM enough for full fine-tuning of a 13B model on 4 A100?",
    ],
)
def test_a_link_or_ram_is_never_found_enough_by_looking_at_gpu_memory(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict in (None, "does_not_fit")
    assert not any(v.name == "memory_available_per_gpu" for v in answer.values) or "host_ram" in {v.name for v in answer.values}


def test_lines_of_several_calculations_have_ids_of_their_own(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("ZeRO 论文里 7.5B、64 卡，stage1/2/3 每卡分别多少？")
    ids = [line.id for line in answer.derivation]
    assert len(ids) == len(set(ids)) > 3
    assert {i.from_ for line in answer.derivation for i in line.inputs.values() if i.from_[1:2].isdigit()} & set(ids)
