"""Traditional answers: characters with two traditional forms take the one this field means."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answering.script import Script

ARTICLES = Path(__file__).parents[3] / "corpus" / "articles"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("现有只有 2816 W", "現有只有 2816 W"),
        ("最大只到 65504", "最大只到 65504"),
        ("token 被发到所选专家", "token 被發到所選專家"),
        ("昇腾 910B", "昇騰 910B"),
    ],
)
def test_of_two_forms_the_one_meant(text: str, written: str) -> None:
    assert Script("zh-Hant").write(text) == written


def test_no_article_speaks_of_animals_or_hair() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in ARTICLES.glob("*/zh.md"))
    assert not set("隻髮") & set(Script("zh-Hant").write(text))
