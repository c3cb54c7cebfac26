"""Turns: whether a question continues the one before, what it keeps of it, and how it reads on its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from kb.types.question import Mention, Part, Understanding
from kb.understanding.found import Found
from kb.understanding.names.cards import Variants

FORM = r"(?<![a-z])(sxm\d?|pcie|nvl|oam)"
OF_FORM = re.compile(
    rf"{FORM} ?(?:one|ones|version|variant|edition|card|版本?|那(?:个|款|张)|的?\s?(?:呢|吧)?\s*[?。]?\s*$)"
    rf"|(?:the|i meant|换成|改成|改为|说的是|不是.{{0,8}}是) ?{FORM}(?![a-z\d]| ?\d)"
)
PRICES = (
    ("price_per_gpu_hour", "gpu_hour"),
    ("price_per_hour", "hour"),
    ("price_per_month", "month"),
    ("electricity_price", "kwh"),
    ("price_per_gb_month", "gb_month"),
    ("price_per_million_tokens", "million_tokens"),
)
BARE_PRICE = re.compile(
    r"(?:(?<![a-z])(?:at|@|for|to|is|were|costs?|price[ds]?(?: at| of| is)?)(?![a-z])"
    r"|按|降到|降为|涨到|涨为|换成|改成|变成|只要|单价|价格|如果是|要是)"
    r"\s?(?:only |just )?(\d{1,6}(?:\.\d{1,4})?)\s?(?:instead|呢|的话|吧)?\s*(?:[?,。;]|\.(?!\d)|$)"
)
# Another sum where a budget was said: `and with 10k?`, `预算改成10万呢`, `要是有20万`.
ANOTHER_SUM = re.compile(
    r"(?:(?<![a-z])(?:with|at|to|is|had|have|for|only|about|of)|预算|budget|改成|改为|换成|[提涨升增加][高加长到]+|[降减砍缩]到|[降减砍缩][低少]到|只有|有|要是|如果|那)"
    r"\s?(?:只有|是|为|about |around |约)?\s?(\d{1,6}(?:\.\d{1,2})?)\s?(k|w|万|千)?\s?(?:instead|左右|预算|呢|的话|吧)*\s*(?:[?,.。;]|$)"
    r"|^\W*(\d{1,6}(?:\.\d{1,2})?)\s?(k|w|万|千)\s?(?:instead|左右|预算|呢|的话|吧)*\s*[?。]?\s*$"
)
SOME = re.compile(
    r"^\W*(?:那|要是|如果)?[一两二三四五六七八九十\d]{1,2}块(?:呢|的话|吧)?\W*$"
)  # cards, where no price was spoken of
SUMS = {"k": 1e3, "千": 1e3, "w": 1e4, "万": 1e4}
LEAST_SUM = 100.0  # that a bare number may be

OTHER_MONEY = re.compile(r"预算|budget|买|采购|售价|报价|buy|bought|quote")
OF_OTHER_MEMORY = re.compile(
    r"显存|内存|硬盘|存储|磁盘|权重|(?<![a-z])(?:vram|ram|disk|ssd|nvme|storage|weights?|cache)(?![a-z])"
)
MARKERS = re.compile(
    r"^\s*(?:那|那么|如果|要是|假如|换|改|再|也|还有|同样|其他|其中|这些|里面|说错|不对|不是|抱歉|只[有要看]|仅|就|开|加|用|存"
    r"|后续|电价|而|但|且)|呢\s*[?？。]?\s*$|换成|改成|改为|说错了|同一台|这台|这张|它|上面|刚才|前面|之前"
    r"|^\s*(?:and|but|so|ok|okay|what about|how about|what if|if|sorry|actually|now|then|also|instead|make"
    r"|add|only|just|same|already|or|with|without|no,|i meant|switch|use|per)(?![a-z])"
    r"|(?<![a-z])(?:instead|i meant|same (?:model|gpu|box|setup|machine|card)|that same|those|them|it|its|each|too|as well)(?![a-z])"
)
BOTH = re.compile(
    r"两个(?!节点|机)|两者|二者|[它他这那]俩|俩(?!月|小时|天)|两款|[这那](?:两|几)[张个款块种]|(?<![a-z])(?:both|(?:the|those|these) two"
    r"|between them|they)(?![a-z])"
)
WHICH = re.compile(
    r"哪(?:个|张|款|块)|谁|(?<![a-z])which(?: one| of (?:them|the two))? (?:is|has|would|should|do|does|will)(?![a-z])"
)
ANOTHER_KIND = frozenset({"method", "model", "row", "optimizer"})  # of these a turn may ask which one, too
OF_ONE_TURN = frozenset(
    {
        "workloads",
        "formats",
        "each",
        "models",
        "gpu_counts",
        "of_each",
        "parameters_list",
        "copies",
        "time_unit",
        "together",
        "way_out",
        "tried",
        "retold",
        "slots_asked",
        "currency_open",
    }
)
RENTED = re.compile(r"租|(?<![a-z])(?:rent\w*|lease|cloud)(?![a-z])")
A_CARD = re.compile(r"\s?(?:钱)?\s?(?:一|每|/|per |a |each )\s?(?:张卡?|卡|块卡|gpu|card)")
RECENT = 4  # names that a conversation remembers for "both"


def speaks_of_both(clause: str, here: Sequence[Found]) -> bool:
    """Whether a clause that names no card speaks of two that were named: by a pronoun, or by asking which."""
    return bool(
        BOTH.search(clause)
        or (WHICH.search(clause) and not any(f.quantity in ANOTHER_KIND and f.value != "inference" for f in here))
    )


def remembered(before: Understanding | None, named: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """What was named last in a conversation, the latest last."""
    earlier = before.recent if before is not None else ()
    return (*(e for e in earlier if e not in named), *named)[-RECENT:]


def continues(low: str, slots: Mapping[str, Any], parts: Sequence[Part], asked: bool, before: Understanding | None) -> bool:
    """Whether the turn builds on the one before: a marker, or no wish, or no subject of its own."""
    if before is None or before.off_topic:
        return False
    told = not any(k in before.slots for k in ("model", "parameters")) and not any(p.wanted for p in parts)
    if told and before.parts and before.parts[-1].intent == "troubleshoot" and any(p.intent == "size" for p in parts):
        return True  # what ran out of memory is told
    subject = any(k in slots for k in ("model", "parameters", "gpu", "model_family", "gpu_name", "system"))
    whole = (
        asked
        and subject
        and any(k in slots for k in ("model", "parameters")) == any(k in before.slots for k in ("model", "parameters"))
    )
    if MARKERS.search(low) or (len(before.recent) > 1 and "gpu" not in slots and BOTH.search(low)):
        return True
    listed = [p for p in before.parts if p.intent == "filter"]
    if parts and not listed and all(p.intent == "filter" and any(c[0] != "kind" for c in p.conditions) for p in parts):
        return False  # a list of its own
    if not asked or not subject:
        return True
    if all(p.intent in ("lookup", "compare", "filter") for p in parts):
        return False
    return not whole and len(low) < 24


def kept(before: Understanding | None, reading: Understanding) -> Understanding:
    """What a conversation remembers after a turn: an aside that is of another field, or empty, does not make it forget."""
    aside = reading.off_topic or reading.problem == ("question", "empty")
    return before if aside and before is not None else reading


def reread(found: Sequence[Found], low: str, before: Understanding, variants: Variants) -> tuple[Found, ...]:
    """Bare figures of a follow-up as what the conversation speaks of: a price of the same kind, tokens, a card by its memory; and the
    form of a card (`the NVL one`) as that card."""
    said = before.slots
    named = any(f.quantity == "gpu" for f in found)
    out = [_reread(f, low, said, None if named else variants) for f in found]
    if not found or all(f.quantity in ("time", "seq_len") for f in found):
        priced = _priced(low, said)
        out = [f for f in out if not any(p.start <= f.start < p.end for p in priced)] + priced  # 2k that is a sum, no length
    form = OF_FORM.search(low) if said.get("gpu") and not named else None
    if form and (row := variants.of_form(str(said["gpu"]), (form[1] or form[2])[:4].rstrip("0123456789"))):
        start, end = form.span(1 if form[1] else 2)
        out.append(Found(start, end, "gpu", row[0], None, {"row": row[1]}))
    return tuple(sorted(out, key=lambda f: f.start))


def _priced(low: str, said: Mapping[str, Any]) -> list[Found]:
    """A bare figure that follows upon a price is another price of the same kind: `at 2.4?`, `降到 1.8 呢`; upon a budget another sum."""
    if "budget" in said and not said.keys() & {"seq_len", "context_len"} and (sum_ := ANOTHER_SUM.search(low)):
        group = 1 if sum_[1] else 3
        value = float(sum_[group]) * SUMS.get(sum_[group + 1] or "", 1.0)
        known = [Found(sum_.start(group), sum_.end(group), "money", value, str(said.get("currency", "USD")))]
        return known if value >= LEAST_SUM else []
    per, bare = next((p for slot, p in PRICES if slot in said), None), BARE_PRICE.search(low)
    if per is None or bare is None:
        return []
    return [Found(*bare.span(1), "money", float(bare[1]), str(said.get("currency", "USD")), {"per": per})]


def _reread(f: Found, low: str, said: Mapping[str, Any], variants: Variants | None) -> Found:
    around = low[max(0, f.start - 10) : f.end + 10]
    if f.quantity == "money" and f.value and said.get("gpu") and not said.get("currency") and SOME.match(low):
        return Found(f.start, f.end, "gpu_count", f.value)
    if f.quantity == "money" and "per" not in f.extra and "budget" not in said and not OTHER_MONEY.search(around):
        rented = RENTED.search(low[max(0, f.start - 16) : f.start]) and A_CARD.match(low, f.end)
        per = "gpu_hour" if rented else next((p for slot, p in PRICES if slot in said), None)
        return replace(f, extra={**f.extra, "per": per}) if per else f
    if f.quantity != "memory" or f.value is None or f.extra.get("role") != "unspecified" or OF_OTHER_MEMORY.search(around):
        return f
    if f.unit == "TB" and "tokens" in said:
        return Found(f.start, f.end, "tokens", f.value * 1e12, "tokens")
    row = variants.of_memory(str(said["gpu"]), f.value) if variants and said.get("gpu") and f.unit == "GB" else None
    if row:
        return Found(f.start, f.end, "gpu", row[0], None, {"mem_gb": f.value, "row": row[1]})
    card = f.unit == "GB" and variants is not None and (said.get("gpu") or said.get("memory_gb")) and len(low) < 60
    return replace(f, extra={**f.extra, "card": True}) if card else f


def carried(before: Understanding) -> dict[str, Any]:
    """The slots that survive into a follow-up."""
    stored = any("storage_cost" in p.wanted for p in before.parts)  # so many copies, at whatever price
    return {k: v for k, v in before.slots.items() if k not in OF_ONE_TURN or (k == "copies" and stored)}


def rewritten(question: str, earlier: Sequence[Mention], now: Sequence[Mention]) -> str | None:
    """`question` with each mention of `now` in the place of its only one of that quantity; None when one has no such place."""
    edits = []
    for mention in now:
        places = [m for m in earlier if m.quantity == mention.quantity]
        if len(places) != 1 or any(m is not mention and m.quantity == mention.quantity for m in now):
            return None
        edits.append((places[0].start, places[0].end, _named(mention)))
    if not edits:
        return None
    edits.sort()
    if any(a[1] > b[0] for a, b in pairwise(edits)):
        return None
    for start, end, text in reversed(edits):
        question = question[:start] + text + question[end:]
    return question


def _named(mention: Mention) -> str:
    """A mention as it stands on its own: a card named by its memory alone with its name."""
    if mention.quantity == "gpu" and mention.text[:1].isdigit() and "mem_gb" in mention.extra and len(mention.text) < 8:
        return f"{mention.value} {mention.text}"
    return mention.text


def standalone(question: str, language: str, before: Understanding | None, follows: bool) -> str:
    """The question with what it builds on, at most 600 characters of it."""
    question = question.strip()
    if not follows or before is None or not before.question:
        return question
    return before.question[-600:] + ("；" if language.startswith("zh") else "; ") + question
