"""Whether a question is about what somebody else says: a guide, an article, a rumour."""

from __future__ import annotations

import re

HEARD = re.compile(
    r"文章|一文|指南|教程|博客|帖子|攻略|听说|聽說|据说|據說|人说|人說|都说|都說|网上|網上|说法|說法|资料[里上]|[说說]得?[对對错錯]"
    r"|(?<![a-z])(?:guides?|articles?|blogs?|posts?|tutorials?|rumou?rs?|they say|people say|heard|says|said|claim(?:s|ed)?|told)(?![a-z])",
    re.IGNORECASE,
)


def heard(question: str) -> bool:
    """Whether a question names a text, or what is said, and asks about it."""
    return HEARD.search(question) is not None
