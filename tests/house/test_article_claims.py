"""The claims of the two articles the corpus grew from: each is present with its stance, and the harmful ones are put right."""

import tomllib
from functools import cache
from pathlib import Path

import pytest

from kb.api import KnowledgeBase
from kb.ingest.articles import read_article
from kb.ingest.sources import read_sources
from kb.types.document import Document

ROOT = Path(__file__).parents[2]
CLAIMS = tomllib.loads(Path(__file__).with_name("article_claims.toml").read_text(encoding="utf-8"))


@cache
def article(topic: str, language: str) -> Document:
    corpus = ROOT / "corpus"
    return read_article(corpus / "articles" / topic / f"{language}.md", read_sources(corpus / "sources.toml"))


def test_all_claims_are_listed() -> None:
    assert list(CLAIMS) == [f"A{n}" for n in range(1, 21)] + [f"B{n}" for n in range(1, 36)]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("id", CLAIMS)
def test_a_claim_is_present_with_its_stance(id: str, language: str) -> None:
    wanted = CLAIMS[id]
    document = article(wanted["topic"], language)
    said = [
        c for c in document.claims if c.source.id == wanted["source"] and wanted[language] in document.text[c.start : c.end]
    ]
    assert [c.stance or "" for c in said] == [wanted["stance"]]


HARMFUL = {  # question -> the source that claims it, and what puts it right
    "64 GB of RAM, and 128 GB for very large models, are enough to train: right?": ("guide-51huadong", "640 GB"),
    "训练大模型 64 GB 内存够不够，特别大的模型 128 GB 够吗？": ("guide-51huadong", "640 GB"),
    "10 GbE is enough for distributed training, right?": ("guide-51huadong", "1.25 GB/s"),
    "分布式训练用万兆网卡带宽够吗？": ("guide-51huadong", "1.25 GB/s"),
    "Is too much VRAM a waste?": ("guide-training-server", "larger batch"),
    "显存太多是不是浪费？": ("guide-training-server", "更大的批量"),
    "Does video memory only cache graphics data?": ("guide-training-server", "weights"),
    "显存用来缓存图形数据吗？": ("guide-training-server", "权重"),
    "Does training need disk for feature maps and gradient accumulation?": ("guide-training-server", "GPU memory"),
    "训练时特征图和梯度累积要占硬盘吗？": ("guide-training-server", "显存"),
}


@pytest.mark.parametrize("question", HARMFUL)
def test_a_harmful_claim_is_reported_and_put_right_with_both_sources(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    claimant, correction = HARMFUL[question]
    reported = [n for n, c in enumerate(answer.citations) if c.source.stance and claimant in {s.id for s in c.references}]
    right = [n for n, c in enumerate(answer.citations) if not c.source.stance and correction in c.quote]
    assert reported and right  # our own advice may come first
    assert all(answer.citations[n].references for n in right)
