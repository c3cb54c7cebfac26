"""What a question has in mind that asks how much a job takes: the cheapest card for it, or the smallest that surely will do."""

from __future__ import annotations

import re

CHEAPEST = re.compile(r"便宜|省钱|(?<![a-z])(?:cheap\w*|lowest price|least expensive)(?![a-z])")
LEAST = re.compile(
    r"最[小低少]|至少|起码|多[大少]?\s?(?:显存|内存|g|gb|vram)?\s?的?(?:显?卡|gpu)|小卡|[才较更]稳|稳[妥定]?(?:吗|\W*$)|保险"
    r"|(?<![a-z])(?:what size|how big an?)(?![a-z])[^,.;?]{0,24}(?<![a-z])(?:gpus?|cards?)(?![a-z])"
    r"|(?<![a-z])(?:smallest|least|min(?:imum)?|lowest|at least|to be safe|safely|comfortabl[ey])(?![a-z])"
)
THUMB = re.compile(r"经验(?:值|公式|法则|数字)|(?<![a-z])rules? of thumb(?![a-z])|ball ?park")
MINIMUM = re.compile(  # what would do, where it is asked beside whether something does
    r"(?:最低|最少|至少|起码)[^,。;?\d几]{0,6}(?:多少|多大|什么|啥|要求|配置)(?!张|块|卡|台)"
    r"|(?:不够|不行|否则|不然|放不下|装不下)[^。?]{0,6}(?:最低|最少|至少|起码)(?![^,。?]{0,6}[几\d])"
    r"|(?<![a-z])(?:what(?:'?s| is| are| would be)?|the|if not|otherwise|else)[, ]+(?:the )?(?:bare |absolute )?min(?:imum)?(?![a-z])"
    r"(?! (?:number|count|gpus|cards))"
    r"|(?<![a-z])min(?:imum)?(?:,? (?:otherwise|else|needed|required|requirements?|then|instead|vram|memory))"
    r"|(?<![a-z])(?:need|take|get|want)[^,.;?]{0,12}at (?:the )?least\s*\?|at (?:the )?least (?:do|would) (?:i|we) need"
)
FASTER = re.compile(r"快|慢|速度|(?<![a-z])(?:fast\w*|slow\w*|speeds?|tok(?:en)?s?/s|quicker)(?![a-z])")
LINK = (  # how fast a network has to be, whatever link is there now
    r"(?<![a-z])(?:what|which|how (?:fast|much|big|wide)(?: an?)?)(?: (?:network|link|interconnect|nic|ethernet|inter-?node))*"
    r" ?(?:speeds?|bandwidth|links?|networks?|nics?|rates?)? (?:do|does|would|will|should|must|is|are|that)?(?: \w+){0,2}? ?"
    r"(?:need(?:ed|s)?|requires?d?|enough|sufficient|have to be|has to be|buy|get|upgrade)(?![a-z])"
    r"|(?:要|需要?|得|该(?:上|用|换)?|上到?|换成?|应该)(?:用|有|上|换)?(?:多快|多大|多少|什么|几)(?:g|速率|带宽|速度)?(?:的)?(?:网络|网卡|网速|网|链路|带宽|互联)"
    r"|(?:网速|网络(?:速度|带宽)?|网卡|链路|互联带宽)(?:至少|最少|到底)?(?:要|需要?|得)(?:多少|多快|多大|几|到)"
)
NEEDS_LINK = re.compile(LINK)
OF_A_LINK = re.compile(r"(?<![a-z])(?:network|link|interconnect|nics?|ethernet|inter-?node|bandwidth)(?![a-z])|网|链路|互联")

OF_STORAGE = re.compile(r"存储|(?<![a-z])(?:storage|nas|nfs|lustre)(?![a-z])")


def needs_link(text: str) -> bool:
    """Whether a clause asks how fast the network has to be: the link that it names is the one that is there."""
    return not OF_STORAGE.search(text) and any(OF_A_LINK.search(m[0]) for m in NEEDS_LINK.finditer(text))
