"""Tokens and BM25 in both languages."""

import pytest

from kb.index.lexical import Lexical, tokens

TEXTS = [
    "H100 的显存带宽是 3350 GB/s",
    "NVMe 固态硬盘适合训练数据",
    "The H20 has 96 GB of memory",
    "InfiniBand links connect nodes",
]


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("H100的显存", "h100"),
        ("Ｈ１００", "h100"),
        ("900GB/s", "900gb/s"),
        ("5.6kW", "5.6kw"),
        ("Q4_K_M", "q4_k_m"),
        ("記憶體頻寬", "频宽"),
        ("固态硬盘", "固态"),
        ("drives", "drive"),
    ],
)
def test_names_figures_and_words_are_tokens(text: str, token: str) -> None:
    assert token in tokens(text)


def test_traditional_and_simplified_share_their_tokens() -> None:
    assert tokens("顯存頻寬") == tokens("显存频宽")


@pytest.mark.parametrize(("query", "best"), [("显存带宽", 0), ("硬盘", 1), ("h20 memory", 2), ("which link between nodes", 3)])
def test_the_passage_with_the_words_scores_best(query: str, best: int) -> None:
    assert int(Lexical.build(TEXTS).scores(tokens(query)).argmax()) == best


def test_unknown_words_score_nothing() -> None:
    assert not Lexical.build(TEXTS).scores(tokens("天气")).any()


def test_rare_words_weigh_more() -> None:
    lexical = Lexical.build([*TEXTS, "H100", "H100 again"])
    assert lexical.weight("h20") > lexical.weight("h100") > 0


def test_an_index_without_passages_answers_with_nothing(tmp_path) -> None:
    Lexical.build([]).save(tmp_path)
    assert not Lexical.load(tmp_path).scores(["h100"]).size


def test_a_saved_index_scores_as_before(tmp_path) -> None:
    built = Lexical.build(TEXTS)
    built.save(tmp_path)
    assert (Lexical.load(tmp_path).scores(tokens("显存")) == built.scores(tokens("显存"))).all()
