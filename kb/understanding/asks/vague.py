"""Questions that leave open what is to run, or point at a card without naming it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.types.question import Mention
from kb.understanding.asks.manner import DEFINES
from kb.understanding.names.cards import PORTABLE
from kb.understanding.text.fold import level

# A card that is pointed at, and what is thought of it.
POINTED = re.compile(
    r"(?:这|那|我|咱们?)(?:的|这|那|台)?(?:一?[张块个款片])?(?:显卡|卡(?!间|时|死|住)|gpu)"
    r"|(?<![a-z])(?:my|this|that) (?:gpu|card|graphics card)(?![a-z])"
    r"|(?<![a-z])the \d{2} or (?:the )?\d{2}(?![\d.a-z]|\s?(?:gb|gpus?|cards?|nodes?|users?|layers?))"
    r"|(?<![\d.])\d{2}\s?的(?:还是|和|跟|或)\s?\d{2}\s?的?(?!\d)"
)
TO_RUN = re.compile(  # something on it, which is not named either
    r"跑得?[动了]|能跑|带得?动|够不够|够[吗用]|(?<![a-z])(?:run|runs|handle|enough|fits?|train|fine-?tune|load)(?![a-z])"
)
OPINION = re.compile(
    r"(?:咋样|怎么样|怎样|好不好|好用|如何|值不值|值得买|还行)\s*(?:吗|么)?\s*[?。!]?\s*$"
    r"|哪个(?:更|比较)?(?:好|强|合适|划算)|(?<![a-z])(?:what'?s|which(?: one)?(?: is)?|is) (?:the )?better(?![a-z])"
    r"|(?<![a-z])(?:any good|how good|good enough|worth (?:it|buying|having))(?![a-z])"
)
# Words of which a question may consist that names neither model nor card nor purpose.
BARE = (
    r"(?:放|装|塞|跑)得?(?:下|动|起来)|[这那]个?|大?模型|机器|电脑|主机|能不能|能|跑|不|一下|推荐|建议|部署|方案|配置|硬件|显卡|显存|服务器|[一二两三四五六七八九十几]|够不够|够用|够|行不行|可以|请问|请|帮忙|帮我|麻烦|给我|给"
    r"|[张块个台套卡的了吗么吧呢嘛我想要用选就]|什么|哪个|啥"
    r"|智能|客服|知识库|问答|助手|聊天|机器人|系统|平台|企业|公司|单位|内部|私有化|本地|搭建|搭|建|需要?|怎样|怎么|样|如何|买|采购|配",
    r"(?<![a-z])(?:an?|the|is|are|will|would|be|do|does|it|i|me|my|for|this|that|some|any|good|please|can|you|one|two|three|four|eight"
    r"|gb|gigs?|g|of|vram|gpus?|cards?|memory|models?|llms?|machine|computer|pc|laptop|run|handle|can|hardware|enough|sufficient|recommend|suggest|setup|deployment|build|config|ok|okay|fine"
    r"|what|which|should|buy|get|use|need|to|fits?|does|work|faster|slower|quicker|with|another|second|more|adding|on"
    r"|servers?|box|rig|workstation|spec|we|our|my|us|chatbots?|customer|support|service|knowledge|base|company|internal|assistant"
    r"|system|platform|private|local|ai|kind)(?![a-z])",
)

# Who wants a machine spoken of has no card yet: how many are to use it is what decides.
MACHINE = re.compile(
    r"服务器|机器|主机|电脑|配置|方案|(?<![a-z])(?:servers?|box|rig|machine|workstation|computer|pc|setup|build|hardware)(?![a-z])"
)


def open_ended(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether nothing is said but a number or a card: is it enough, recommend something. No text answers that."""
    rest = level(text)
    if DEFINES.search(rest):
        return False
    for mention in mentions:
        if mention.quantity == "gpu":
            rest = rest.replace(level(mention.text), " ")
    rest = PORTABLE.sub(" ", rest)
    for words in BARE:
        rest = re.sub(words, " ", rest)
    return not any(c.isalpha() for c in rest)
