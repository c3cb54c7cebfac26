"""How many cards, in how many machines: counts and layouts, on a text in which names are masked.

Card names are runs of CARD, systems (boxes of several cards) runs of BOX, model names runs of MODEL; masks keep the length.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb.understanding.numbers.numerals import ANY_WORD, scan

CARD, BOX, MODEL, OTHER = "\ue000", "\ue001", "\ue002", "\ue003"
N = (
    r"(?:(?<![\d.])\d{1,3}(?:,\d{3}){1,3}|\d{1,7}(?:\.\d{1,2})?(?: ?[万千]|k(?![a-z]))?|[一二两俩三仨四五六七八九十百千万廿几数双单]{1,6}"
    rf"|(?:a )?(?:{ANY_WORD})(?: of| dozen)?|(?:half a |a )?dozen)"
)
NODE = (
    r"(?:nodes?|machines?|servers?|box(?:es)?|hosts?|(?:pc|computer|desktop|workstation|rig)s?(?![a-z])"
    r"|台(?!币)(?:机器|服务器|机|电脑|主机|工作站|pc)?|个?节点|机(?!柜|械|时|架|房|型))"
)
KIND = r"(?:(?:desktop|gaming|tower|home|office|old|used|identical|separate|different|similar|normal|linux|windows) ){0,2}"
ONE = r"(?:an? |the )?single|an?"
# After a decimal, or before other than three digits, a comma ends the number.
START = r"(?<![\d.a-z#@=/$¥€£\-])(?:(?<!\d,)|(?<=\.\d,)|(?<=\.\d\d,)|(?!\d{3}(?!\d)))(?<!第)(?<!第 )"
ADJECTIVE = (
    r"(?:(?:old|new|used|spare|idle|leftover|left-over|modded|desktop|大|新|旧|魔改的?|二手|闲置的?|多余的?"
    r"|(?:x )?\d{2,3}\s?g(?:b|ig)?|of those|of the) ?){0,2}"
)
PATTERNS = [
    (kind, re.compile(pattern))
    for kind, pattern in (
        # nodes, cards in each
        ("each",
            rf"{START}(?P<nodes>{N}) ?(?:x ?)?{KIND}{NODE}[ ,，]{{0,2}}(?:of|with|w/|x|\*|that have|having"
            rf"|(?:each|every one)(?: of them)? (?:with|w/|has|have|having|holds|holding|of)|每台|每节点|每机"
            rf"|各)(?:自|有|插|装)?[ ]?(?P<each>{N}|{ONE}(?= )) ?(?:x ?|\* ?)?(?:张|块|卡|gpus?|cards?"
            rf"|(?:nvidia |geforce )?(?:rtx |gtx )?{CARD}+s?)"),
        ("each", rf"{START}(?P<nodes>{N}) ?(?:nodes?|machines?|servers?) x (?P<each>\d{{1,2}})(?![\d.a-z])"),
        ("each", rf"{START}(?P<nodes>\d{{1,4}}) ?[x*] ?(?P<each>\d{{1,2}}) ?(?:x ?)?(?={CARD})"),
        ("single", rf"单(?:机|节点|台)(?P<each>{N}) ?(?:卡|张|块)(?: ?[x*] ?(?P<nodes>{N}) ?(?:机|台|节点))?"),
        ("mixed", rf"{START}(?P<nodes>{N}) ?(?P<unit>机|台(?!币)|个?节点|nodes?,?)"
            rf" ?(?P<each>{N}) ?(?:卡(?!时)|张|块|gpus?)(?:服务器|机器?|的)?"),
        ("each",
            rf"{START}(?P<each>{N}) ?卡 ?(?:{CARD}+)? ?(?:机器?|服务器|节点)? ?[x*]? ?(?P<nodes>{N})"
            r" ?(?P<unit>台|个?节点|机(?!房|柜|架|型))"),
        ("each",
            rf"{START}(?:(?P<nodes>{N}) )?(?P<each>\d{{1,2}}) ?[x*-] ?(?:{CARD}+|gpu)(?: ?\d+ ?gb?)? (?:nodes?"
            rf"|box(?:es)?|machines?|servers?)(?![a-z])"),
        ("each",
            rf"每(?:台|机|个?节点)(?:机器)? ?(?P<each>{N}) ?(?:张|块|卡)卡? ?(?:{CARD}+)?,? ?(?:一)?(?:共|总共"
            rf"|合计) ?(?P<nodes>{N}) ?(?:台|个?节点|机)"),
        ("box", rf"(?:{START}(?P<nodes>{N}) ?(?:x |\* ?|台|个|套)? ?)?(?P<box>{BOX}+)(?: ?[x*] ?(?P<after>{N})(?![\d.a-z]))?"),
        # machines named by their cards
        ("nodes", rf"{START}(?P<n>{N}) ?(?:台 ?)?(?={CARD}+ ?(?:gpu )?(?:servers|nodes|boxes|machines|服务器|整机|一体机)(?![a-z]))"),
        # cards
        ("cards", rf"(?P<n>一对|一双) ?(?=的? ?(?:{CARD}|显?卡|gpu))"),
        ("cards", rf"{START}(?P<n>{N}) ?路 ?(?=(?:的)? ?(?:{CARD}|显卡|gpu))"),
        ("cards", rf"(?<={CARD}) ?(?P<n>{N}) ?路(?!并发|请求|视频|用户|人)"),
        ("cards", rf"{START}(?P<n>{N}) ?[x*] ?(?={CARD})"),
        ("cards", rf"{CARD}+s? ?[x*] ?(?P<n>{N})(?![\d.a-z])"),
        ("cards", rf"(?:(?<=/hr)|(?<=/h)|(?<= hour)) ?[x*] ?(?P<n>{N})(?![\d.a-z]| ?(?:h|d|w|m))"),  # 0.89/hr x4
        ("cards", rf"{START}(?P<n>{N}) ?(?:张|片|颗|枚|卡(?!时|小时|/))(?:卡|显卡|gpu)?"),
        ("cards", rf"{START}(?P<n>{N}) ?[块个台](?= ?(?:的|大|新|魔改)?(?:{CARD}|显卡|计算卡|加速卡|gpu|卡(?!时)|\d{{2,3}} ?g(?![a-z])))"),
        ("cards", rf"(?<={CARD}) ?(?:要|买|来|上|用)?(?P<n>{N}) ?块(?!钱)"),
        ("cards",
            rf"{START}(?P<n>{N})[ -]?(?:x ?)?(?:more |of )?(?:gpus?|cards?|accelerators?|tpus?|npus?|显卡)(?![a-z]"
            rf"|[ -]?hours?|[ -]?h\b)"),
        ("beside", rf"{START}(?P<n>{N}) ?{ADJECTIVE}(?={CARD})(?!{CARD}+s?[ -]?(?:gpu[ -]?)?(?:hours?|h\b|小时|卡时))"),
        ("nodes", rf"{START}(?P<n>{N}) ?(?:台(?!式|币)(?:机器|服务器|主机|机)?|个?节点"
            rf"|nodes?(?![a-z])|machines?(?![a-z])|servers?(?![a-z]))"),
    )
]  # fmt: skip
# A number behind an option is that option's: `--max-model-len 32768 GPU ...`.
OPTION = re.compile(r"(?:(?<!\S)--?[a-z][\w.-]{1,40}|(?<![\w-])[a-z]{1,20}(?:_[a-z]{1,20}){1,5})[\"']?\s?[ :=]\s?[\"']?$")
# A word that claims the number behind it, so that this is no count of the cards that follow (`batch 32 4090`, 并发20 4090), unless the
# word has a number of its own before it (`3 epochs 8 4090`).
CLAIMS = re.compile(
    r"(?:(?P<length>上下文(?:长度|窗口)?|序列(?:长度)?|长度|窗口|输入|输出|最长|max[ _-]?(?:model[ _-]?|seq[ _-]?)?len(?:gth)?"
    r"|(?<![a-z])(?:context|ctx|seq(?:uence|[ _-]?len)?|len(?:gth)?|cutoff|input|output|prompt|[io]sl))"
    r"|批(?:次|量)?(?:大小)?|秩|并发(?:数|量)?|轮数|步数|预算|经费|排名前"
    r"|(?<![a-z])(?:top|budget|batch(?:[ _-]?size)?|m?bsz?|gbs|rank|alpha|concurren(?:t|cy)|[qr]ps|epochs?|steps|stage|zero|cuda|[tpced]p))"
    r"(?:[ _-]?(?:size|length|window|of|is|at|=|:|为|是|到|设为?|开到?)){0,2}\s?$"
)
OWN = re.compile(r"(?<![\d.])(?:\d[\d.,]{0,9}|[一二三四五六七八九十百千]{1,4})[ -]?[kw万个条]?[ -]?$")
LENGTHS = frozenset(float(2**i) for i in range(11, 21))
# Of so many cards only a cluster is spoken of, or what is pretrained on it; else `16k A800` is a card and a length.
CLUSTER = re.compile(
    rf"{CARD}+ ?(?:s(?![a-z])|gpus?|cards?|卡|集群)|集群|万卡|机房|数据中心|训练|训(?=\d|{MODEL})|功耗|耗电|电费"
    r"|交换机|网络|组网|成本|多少钱|故障|(?<![a-z])(?:clusters?|(?:pre-?)?train\w*|data ?cent\w+|power|megawatts?|switch(?:es)?"
    r"|networks?|fabric|costs?|fail\w*|mtbf|mfu)(?![a-z])"
)
TUNED = re.compile(r"微调|精调|(?<![a-z])(?:fine-?tun\w*|[qd]?lora|sft)(?![a-z])")
ACROSS = re.compile(r"(?<![a-z])(?:on|of|using|across|over|have|has)(?: about| around| some)? ?$")
A_MODEL = re.compile(rf"{MODEL}|(?<![\d.])\d{{1,4}}(?:\.\d)?b(?![a-z0-9])")
NO_CARDS = re.compile(
    r"[ ]?(?:的)?(?:\d+ ?[gkp]\w{0,4} ?(?:分辨率)?(?:的)?)?(?:图(?![一-鿿]形)|网卡|网口|光模块|硬盘|固态|内存"
    r"|nic|ssd|nvme|hdd|图片?|照片|纸|专辑)"
)


@dataclass(frozen=True, slots=True)
class Count:
    """Cards (`value`) or, with kind `nodes`, machines, at low[start:end]."""

    start: int
    end: int
    kind: str
    value: float | None
    nodes: float | None = None
    each: float | None = None
    approx: bool = False
    range: tuple[float, float] | None = None
    box: int | None = None


def number(text: str) -> tuple[float | None, bool, tuple[float, float] | None]:
    """(value, whether it is an order of magnitude, range) of a count word."""
    if text in ("一对", "一双"):
        return 2.0, False, None
    if text in ("单", "半"):
        return (1.0, False, None) if text == "单" else (None, False, None)
    if text.startswith("单"):
        return None, False, None
    if text.endswith("k"):
        return float(text[:-1]) * 1000, False, None
    found = scan(text)
    if len(found) == 1:
        return found[0].value, found[0].approx, found[0].range
    return None, False, None


def read_counts(masked: str) -> list[Count]:
    """Counts of cards and machines in order, none overlapping; earlier patterns win."""
    found: list[Count] = []
    covered = bytearray(len(masked))
    for kind, pattern in PATTERNS:
        for m in pattern.finditer(masked):
            if any(covered[m.start() : m.end()]) or NO_CARDS.match(masked, m.end()) or OPTION.search(masked, 0, m.start()):
                continue
            if kind == "beside" and not _of_cards(masked, m, [c for c in found if c.kind == "cards"]):
                continue
            count = _count(kind, m)
            if count:
                found.append(count)
                covered[count.start : count.end] = b"\x01" * (count.end - count.start)
    trimmed = [replace(c, end=c.end - len(t) + len(t.rstrip())) if (t := masked[c.start : c.end]) else c for c in found]
    return sorted(trimmed, key=lambda c: c.start)


def _of_cards(masked: str, m: re.Match[str], counts: Sequence[Count]) -> bool:
    """Whether a bare number beside a card counts it: no word before claims it, the card has no count behind it, it is no length."""
    if _is_claimed(masked, m.start(), number(m["n"])[0] or 0.0):
        return False
    if any(re.fullmatch(rf"{CARD}+ ?", masked[m.end() : c.start]) for c in counts if c.start >= m.end()):
        return False
    return not is_length(masked, m["n"], m.start())


def _is_claimed(masked: str, start: int, many: float) -> bool:
    claim = CLAIMS.search(masked, max(0, start - 40), start)
    if claim is None or (claim["length"] and many < 128):
        return False
    own = OWN.search(masked, 0, claim.start())
    return own is None or _is_claimed(masked, own.start(), 128)  # 输入2000 输出500 4090


def is_length(masked: str, text: str, start: int) -> bool:
    """Whether a bare number before a card is more likely a length in tokens: `qwen3-32b 16k A800`, `bs4 4096 A100 7B`."""
    kilo = text.endswith("k")
    if ACROSS.search(masked, 0, start) or (CLUSTER.search(masked) and not TUNED.search(masked)):
        return False
    return kilo or ((number(text)[0] or 0.0) in LENGTHS and A_MODEL.search(masked) is not None)


def _count(kind: str, m: re.Match[str]) -> Count | None:
    groups = m.groupdict()
    if kind in ("cards", "beside", "nodes"):
        value, approx, range_ = number(m["n"])
        if (value is None and range_ is None) or (value is not None and value != int(value)):
            return None
        if kind == "nodes":
            return Count(m.start(), m.end(), "nodes", value, approx=approx, range=range_)
        return Count(m.start(), m.end(), "cards", value, approx=approx, range=range_)
    if kind == "box":
        nodes = number(groups["nodes"] or groups["after"] or "1")[0]
        end = m.end() if groups["after"] else m.start("box")
        return Count(m.start(), max(end, m.start()), "box", None, nodes=nodes, box=m.start("box"))
    each = 1.0 if re.fullmatch(ONE, groups["each"]) else number(groups["each"])[0]
    nodes = number(groups["nodes"])[0] if groups.get("nodes") else 1.0
    if not each or not nodes:
        return None
    if kind == "each" and groups.get("unit") not in (None, "台") and each > 8 and each % nodes == 0:
        return Count(m.start(), m.end(), "cards", each, nodes, each / nodes)
    if kind == "mixed":
        total = each if each > 8 and each >= nodes and (groups["unit"] or "")[:1] in "机个节n" else each * nodes
        return Count(m.start(), m.end(), "cards", total, nodes, total / nodes)
    return Count(m.start(), m.end(), "cards", each * nodes, nodes, each)
