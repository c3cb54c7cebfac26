"""What a question has in mind that asks how much a job takes: the cheapest card for it, or the smallest that surely will do."""

from __future__ import annotations

import re

CHEAPEST = re.compile(r"便宜|省钱|(?<![a-z])(?:cheap\w*|lowest price|least expensive)(?![a-z])")
LEAST = re.compile(
    r"最[小低少]|至少|起码|多[大少]?\s?(?:显存|内存|g|gb|vram)?\s?的?(?:显?卡|gpu)|小卡|[才较更]稳|稳[妥定]?(?:吗|\W*$)|保险"
    r"|(?<![a-z])(?:what size|how big an?)(?![a-z])[^,.;?]{0,24}(?<![a-z])(?:gpus?|cards?)(?![a-z])"
    r"|(?<![a-z])(?:smallest|least|min(?:imum)?|lowest|at least|to be safe|safely|comfortabl[ey])(?![a-z])"
)
MINIMUM = re.compile(  # what would do, where it is asked beside whether something does
    r"(?:最低|最少|至少|起码)[^,。;?\d几]{0,6}(?:多少|多大|什么|啥|要求|配置)(?!张|块|卡|台)"
    r"|(?:不够|不行|否则|不然|放不下|装不下)[^。?]{0,6}(?:最低|最少|至少|起码)(?![^,。?]{0,6}[几\d])"
    r"|(?<![a-z])(?:what(?:'?s| is| are| would be)?|the|if not|otherwise|else)[, ]+(?:the )?(?:bare |absolute )?min(?:imum)?(?![a-z])"
    r"(?! (?:number|count|gpus|cards))"
    r"|(?<![a-z])min(?:imum)?(?:,? (?:otherwise|else|needed|required|requirements?|then|instead|vram|memory))"
    r"|(?<![a-z])(?:need|take|get|want)[^,.;?]{0,12}at (?:the )?least\s*\?|at (?:the )?least (?:do|would) (?:i|we) need"
)
FASTER = re.compile(r"快|慢|速度|(?<![a-z])(?:fast\w*|slow\w*|speeds?|tok(?:en)?s?/s|quicker)(?![a-z])")
