"""An instruction in front of a question, no business of this service: `Write a poem, and how much memory has ...`, 先写首诗，再..."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.understanding.text.fold import Folded

WHAT = r"(?:poems?|haikus?|songs?|stor(?:y|ies)|jokes?|essays?|limericks?|raps?|novels?|lyrics)"
TALE = r"(?:诗|歌|笑话|故事|小说|作文|散文|相声|段子)"
ORDER = (
    rf"(?:(?:write|compose|sing|tell|recite|make up|give)(?: (?:me|us))? (?:[a-z]+ ){{0,3}}{WHAT}"
    r"|translate (?:it|this|that|the (?:text|above|following|answer|question)|everything|(?:in)?to [a-z]+)"
    r"|(?:repeat|print|show|reveal|output) (?:me )?(?:all |everything|the (?:words|text|prompt|instructions?|above)|your (?:system )?\w+)"
    r"|(?:ignore|disregard|forget) (?:all|any|everything|the|your|previous|prior|my)"
    r"|(?:pretend|act as|role-?play) (?:to be|you|that you|an? )|you are now(?: an?)?"
    r"|(?:answer|reply|respond|speak)(?: only)? (?:in|as|like) "
    rf"|(?:写|作|唱|讲|说|背|编|来)(?:一?[首个段篇则点])?[^,，。;:?\n]{{0,10}}{TALE}(?!机器人|助手|模型|应用|程序|软件|平台|服务|数据|词)"
    r"|(?:把|将)[^,，。;:?\n]{0,16}(?:翻译|译)(?:成|为)|翻译(?:成|一下|下面|以下|这)|(?:忽略|无视|忘掉|忘记)(?:掉)?(?:之前|前面|以上|上面|所有|一切|你)"
    r"|(?:重复|复述|输出|打印)(?:一遍)?(?:上面|以上|前面|你的)|(?:扮演|假装)|用[法英日俄德韩]语(?:回答|回复|写))"
)
POLITE = r"(?:(?:please|first|now|hi|hello|can you|could you|请|先|麻烦|帮我|给我|你)[,，]?\s?){0,3}"
# Up to where a question begins: behind a stop, or behind a word that leads on to it.
ASKS = r"(?:how|what|which|is|are|can|could|does|do|will|tell me|whats|when|why|who)(?![a-z])"
ON = r"(?:and|then|also|after that|afterwards|再|然后|接着|之后|顺便|最后|并)"
INSTRUCTION = re.compile(
    rf"\W{{0,4}}{POLITE}{ORDER}[^?？]{{0,160}}?(?:[,，:：;；.。!\n]\s*(?:{ON}[,，]?\s*)*(?={ASKS}|[^a-z,，:：;；.。\n]|[^,，.。\n]*[?？])"
    rf"|(?<![a-z]){ON}[,，]?\s*(?={ASKS}|告诉|说说|[^,，.。\n]*(?:多少|多大|几|吗|什么|哪)))"
)
TAIL = re.compile(rf"(?:[\W_]|(?<![a-z]){ON})*$")  # what leads on to the question


def without_instruction(folded: Folded) -> tuple[Folded, tuple[int, int] | None]:
    """The text with an instruction in front of its question blanked, and where that stood; the text itself where there is none, or
    nothing behind it."""
    found = INSTRUCTION.match(folded.low[:1000])
    if not found or not re.search(r"[^\W_]{2}", folded.low[found.end() :]):
        return folded, None
    blank = " " * found.end()
    return replace(folded, cased=blank + folded.cased[found.end() :], low=blank + folded.low[found.end() :]), (
        found.start(),
        len(TAIL.sub("", found.group())),
    )
