"""What a yes or no to a question would say: whether it asks that something is so, is not so, or has to be so."""

from __future__ import annotations

import re

CLAUSE = re.compile(r"[^?？.。;；!！\n,，]+[?？]?")
OPEN = re.compile(
    r"什么|怎|咋|啥|为何|哪|谁|几|多(?:少|大|久|快|长|高)|(?<![a-z])(?:what|how|why|which|where|when|who)(?![a-z])"
)
CLOSED = re.compile(
    r"[?？]\s*$|[吗么嘛吧]\W*$|(.)不\1|有没有|是否|能否|可否"
    r"|^\W*(?:(?:so|and|but|or|then|ok|hey|wait|also) )*"
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|must|has|have|am|may)(?![a-z])"
)
OFFERING = re.compile(r"(.)不\1|有没有")  # both answers at once
NEGATED = re.compile(
    r"[不没无]|太|过于|(?<![a-z])(?:not|no|never|cannot|without|too|fails?|impossible|slow|bottleneck)(?![a-z])|n['’]t(?![a-z])|瓶颈|拖慢"
)
NECESSARY = re.compile(r"需|必[须要]|要(?!么)|(?<![a-z])(?:need(?:s|ed)?|must|ha(?:ve|s) to|required?|necessary)(?![a-z])")
EITHER = re.compile(r", or (?!newer|more|less)|, and (?:is|does|how)|还是|吗[，,]|[吗？?].+[吗么]")
ONLY = re.compile(r"只|仅|(?<![a-z])(?:only|just)(?![a-z])")  # what is needed and no more is what is enough


def sense(clause: str) -> tuple[bool, bool]:
    """Whether a clause is negated, and whether it asks what has to be: what is enough need not be needed."""
    low = clause.lower()
    return NEGATED.search(OFFERING.sub("", low)) is not None, bool(NECESSARY.search(low) and not ONLY.search(low))


def senses(question: str) -> frozenset[tuple[bool, bool]]:
    """The sense of each clause that can be answered with yes or no."""
    asked = [c.group().lower() for c in CLAUSE.finditer(question)]
    return frozenset(sense(c) for c in asked if CLOSED.search(c) and not OPEN.search(c))


def asks_two(question: str) -> bool:
    """Whether a question offers two things, of which a yes would choose neither."""
    return EITHER.search(question) is not None
