"""Conditions of a filter question: (column, operator, value) over a spec table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.types.spec_query import meets
from kb.types.specs import SpecBook
from kb.understanding.asks.bounds import bound_of
from kb.understanding.asks.columns import FORMAT_COLUMNS, SHAPES
from kb.understanding.asks.ranking import MODELS, ranking_of
from kb.understanding.asks.rates import rates_of
from kb.understanding.found import Found
from kb.understanding.numbers.cues import NOT_LESS, NOT_MORE
from kb.understanding.numbers.units import nominal_gb
from kb.understanding.slots.known import tells_model
from kb.understanding.text.fold import level

Condition = tuple[str, str, Any]
OPERATOR_BEFORE = (
    ("<=", NOT_MORE),
    (">=", NOT_LESS),
    (">=", re.compile(r"(?:at least|不低于|不少于|至少|(?:大|高|多)于(?:或|或者)?等于|起码|>=|≥|min(?:imum)?)\s?$")),
    ("<=", re.compile(r"(?:小|低|少)于(?:或|或者)?等于\s?$")),
    ("==", re.compile(r"(?:exactly|precisely|(?:正好|刚好|恰好|正正好|就|只)是?|等于|==)\s?$")),
    (">", re.compile(r"(?:more than|over|above|exceed(?:s|ing)?|(?<!不)(?:超过?了?|大于|高于|多于)|>)\s?$")),
    ("<=", re.compile(r"(?:at most|不超过|不高于|最多|<=|≤|up to|max(?:imum)?)\s?$")),
    ("<", re.compile(r"(?:less than|under|below|(?<!不)(?:低于|小于|少于)|不到|<)\s?$")),
)  # fmt: skip
OPERATOR_AFTER = (
    (">=", re.compile(r"\s?(?:及?以上|起步|起|or more|or above|\+|plus)")),
    ("<=", re.compile(r"\s?(?:及?以下|以内|之内|or less|or below)")),
)
BANDWIDTH = {"GB/s": 1.0, "TB/s": 1000.0, "MB/s": 1e-3, "Gb/s": 0.125, "Tb/s": 125.0}
LINK = re.compile(r"nv-?link|互联|互连|interconnect|卡间|infinity fabric")
EXPORT = re.compile(
    r"出口(?:合规|管制|版|型|卡)|特供|阉割|合规(?:版|卡|型)|export[- ](?:compliant|control(?:led)?|variant|version|restricted|model|sku)"
    r"|china[- ](?:specific|only|market|compliant|version|sku)|cut[- ]down (?:version|variant)"
)
NOT = r"(?:不带|不支持|没有|没|不能用?|无|(?<![a-z])(?:without|no|not|lacks?|lacking|(?:do|does|did)(?:n'?t| not) (?:have|support|do)))"
NEGATED = re.compile(rf"{NOT} ?(?:any )?$")
# A card that lives on what its slot gives, which is so many watts.
UNPLUGGED = re.compile(
    r"(?:不|无需|免|没有|不用|不需要)(?:插|接|需要?|要|用)?(?:任何)?(?:额外|外接|外部|独立)?的?(?:供电|电源线|辅助供电|6pin|8pin)"
    r"|(?<![a-z])(?:no|without|needs? no|not? need(?:ing)?|don'?t need)(?: an?| any| extra| external| additional| aux\w*)*"
    r" (?:power (?:plugs?|connectors?|cables?|leads?)|6[ -]?pin|8[ -]?pin)(?![a-z])"
    r"|(?<![a-z])(?:slot|bus)[ -]powered(?![a-z])"
)
SLOT_W = 75.0
WHOLE = re.compile(
    r"全部|所有|一个不[漏落少]|完整|都有哪些|(?<![a-z])(?:all|every|complete|full list|entire)(?![a-z])"
)  # of a list
WANTS_LINK = re.compile(r"nv-?link")
WITHOUT_LINK = re.compile(rf"{NOT} ?(?:any )?nv-?link")
GPUS = ("data centre GPU", "workstation GPU", "consumer GPU", "laptop GPU")
CARDS = (*GPUS, "AI accelerator card")
TOO = re.compile(  # of a kind that is named: it counts as well
    r"\s?(?:的|卡|显卡|cards?|gpus?|ones?)*\s?(?:也(?:算|行|可以?|要|包括|包含)"
    r"|(?:count|included|are fine|are ok|too|as well|also)(?![a-z]))"
)
A_GPU = re.compile(r"显卡|(?<![a-z])(?:gpus?|graphics cards?)(?![a-z])")
A_CARD = re.compile(r"卡|(?<![a-z])cards?(?![a-z])")
ANY_CHIP = re.compile(r"加速器|芯片|(?<![a-z])(?:accelerators?|chips?|[nt]pus?|socs?)(?![a-z])")
SIZED_CARD = re.compile(r"\s?(?:的)?(?:显存)?(?:的)?(?:显?卡|(?:gpus?|cards?|ones?)(?![a-z]))")
OF_MODELS = re.compile(
    rf"(?:哪|有什么|列出|列一下|(?<![a-z])(?:list|which|what|any)(?![a-z]))[^,，。?]{{0,24}}(?:{MODELS})|(?:{MODELS})[^,，。?]{{0,10}}哪"
)
ACTIVE, TOTAL = re.compile(r"激活|(?<![a-z])activ(?:e|at)"), re.compile(r"总|(?<![a-z])total")
SIZES = ((ACTIVE, "params_active"), (TOTAL, "params_total"))
MIXTURE = re.compile(r"(?<![a-z])moe(?![a-z])|混合专家|mixture[- ]of[- ]experts")
PCIE_FORM = re.compile(
    r"pcie\s?(?:形态|版|接口的?卡|form|cards?|插卡|插?槽)|(?:不要|非|not|no|except) ?sxm"
    r"|(?<![a-z])(?:in|into|for|fits?) (?:an? |the |my |any )?(?:[a-z]+ )?pcie(?: x16| ?\d(?:\.0)?){0,2} slots?(?![a-z])"
)
MEMORY_TYPE = re.compile(
    r"(?<![a-z])(hbm|gddr|lpddr)(\d[ex]?)?(?![a-z\d])(?! ?(?:bandwidth|bw|size|capacity|带宽|容量|多大|多少))"
)
SXM_FORM = re.compile(r"sxm\s?(?:形态|版|form)|(?<!不要)(?<!不要 )(?<!非)sxm(?=.{0,6}卡)")
YEAR = re.compile(r"(20[12]\d)\s?年?\s?(?:以后|之后|后|及以后|or later|onwards?)|(?:since|after|from)\s(20[12]\d)")
BY_TEXT = ("vendor", "family_architecture", "memory_type")
BYTES = {"fp32": 4.0, "fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "nf4": 0.5, "fp4": 0.5}

# What asks for a list.
NEEDED = re.compile(
    r"(?<![a-z])(?:need(?:s|ed)?|requir(?:e|es|ed|ing)|for|hold|holds|fits?)(?![a-z])|需要|要求|至少|起码|放得下|装得下|够"
)
LIST = re.compile(
    r"(?:卡|显卡|gpu)(?:里|中|当中)(?:面)?(?:谁|哪)|(?:都)?有(?:谁|啥|什么)(?:[?。]|\s*$)"
    r"|(?<![a-z])any(?:thing|one)? (?:over|under|above|below|with|cheaper|faster|that)(?![a-z])"
    r"|^\W*(?:just|only) (?:[a-z]+ ){1,3}with(?![a-z])|^\W*(?:[a-z]+ ){1,3}with (?:at least |more than |over )?\d+ ?(?:gb?|tb/s)(?![a-z])"
    r"|哪些(?!开关|费用|钱|因素|投入|地方|参数|配置|指标|步骤"
    r"|问题|坑|东西|选项|方法|开销|成本|方面|缺点|优点|优势|优缺|劣势|不足|风险|区别|差[别异]|不同|要点|事项|限制|条件|误区|好处|坏处|原因|办法|技巧"
    r"|软件|工具|框架)|哪几(?:款"
    r"|张|个|种)|哪(?:张|款|个)(?=.{0,12}(?:卡|显卡|gpu))|列一下|列出|(?<![a-z])list(?:ing|ed|s)?(?![a-z])"
    r"|(?<![a-z])which (?:[\w-]+ ){0,3}(?:cards?|gpus?|accelerators?|chips?|ones?|servers?|models?"
    r"|instances?)|what (?:[\w-]+ ){0,3}(?:cards?|gpus?|accelerators?)(?! (?:do i|should i|to))"
    r"|(?<![a-z])(?:every|all(?: of)?(?: the)?) (?:[a-z]+ ){0,2}(?:cards?|gpus?|accelerators?|chips?)"
    r" (?:you|on file|with|that|which|over|under)"
    r"|(?:所有|全部)(?!的?参数|\s?\d)[^,。?]{0,40}的(?:显?卡|gpu|加速器)(?![时间])"
    r"|(?<!\d )(?:cards|gpus|accelerators) (?:with(?!out)|that"
    r"|having|which)|capable .{0,40}cards?|cards? list|的(?:卡|显卡|gpu|加速卡)(?:有|都)?(?:哪些|list"
    r"|是哪)|(?:推荐|找).{0,6}(?:卡|显卡)|single accelerators|什么卡(?:能|有|支持)|(?<![a-z])any (?:cards?|gpus?)"
    r"|(?<!张)的[^,。?的]{0,8}(?:显?卡|gpu)\s?(?:有吗|有没有|有哪些|呢)?\s?[?。]?$"
)

# A card that is looked for, whatever it is to run.
SOUGHT = re.compile(
    r"(?<![a-z])(?:want|need|looking for|after|find me|show me) (?:an?|some) (?:[a-z]+ ){0,2}(?:cards?|gpus?|accelerators?)"
    r" (?:with|that|which|of|under|below|over)(?![a-z])"
)
SHAPED_CARDS = re.compile(
    rf"^\W*(?:{'|'.join(p for _, p in SHAPES)})[^,.?]{{0,12}}(?:cards|gpus)(?![a-z])"
    rf"|有(?:木有|没有|啥|什么)?[^,，。?]{{0,6}}(?:{'|'.join(p for _, p in SHAPES)})[^,，。?]{{0,8}}的?(?:显?卡|gpu)"
)
# `which of A, B and C support FP8?`: those that do are asked for, not who has the most.
SUPPORTING = re.compile(r"(?<![a-z])which (?:one )?(?:of )?[^?;.]{4,90}(?<![a-z])(?:supports?|supporting)(?![a-z])")
# `cards w >3TB/s bw`: a threshold behind the plural asks for those that meet it.
SHORT_LIST = re.compile(
    r"^\W*(?!how|what|why)(?:[a-z]+ ){0,3}?(?:cards|gpus|accelerators|chips) (?:with |w/? ?)?(?:[a-z0-9]+ ){0,3}?"
    r"(?:over|above|under|below|beyond|more than|less than|at least|up to|[<>≥≤]=?) ?\d"
)


def conditions_of(
    low: str, start: int, end: int, found: Sequence[Found], slots: Mapping[str, Any],
    words: Mapping[str, Sequence[str]], book: SpecBook,
) -> tuple[Condition, ...]:  # fmt: skip
    """Conditions said in low[start:end]; `words` are the lexicon's lists. A ranking is a condition whose operator is an order."""
    clause = low[start:end]
    named = sum(f.quantity == "gpu" for f in found if start <= f.start < end)
    ranking = ranking_of(clause, named > 1)
    if ranking and ranking.table == "models":
        return ((ranking.column, ranking.order, ranking.count),)
    if OF_MODELS.search(clause) and (of_models := _of_models(low, start, end, found)):
        return of_models
    least = not ranking and (tells_model(slots) or NEEDED.search(clause))
    size = ">=" if least else "=="  # "a 24 GB card" has 24 GB, unless that is what something needs
    bound = bound_of(low, start, end, found, book)
    out: list[Condition] = [bound] if bound else []
    rates = rates_of(low, start, end, found)
    for rate in rates:
        op = _operator(None, low[max(start, rate.start - 28) : rate.start], low[rate.end : rate.end + 12])
        out.append((rate.column, op or ">=", rate.value))
    for f in found:
        if not (start <= f.start < end) or f.value is None or any(r.start < f.end and f.start < r.end for r in rates):
            continue
        before = low[max(start, f.start - 28) : f.start]
        op = _operator(f, before, low[f.end : f.end + 12])
        if f.quantity == "memory" and f.extra.get("role") not in ("ram", "disk", "cache"):
            sized = "==" if SIZED_CARD.match(low, f.end) else size  # the 24 GB of "24 GB cards" are no least
            out.append(("memory_gb", op or sized, nominal_gb(f.value, f.unit)))
        elif f.quantity == "bandwidth" and f.unit in BANDWIDTH:
            column = "interconnect_gb_s" if LINK.search(before) else "memory_bandwidth_gb_s"
            out.append((column, op or ">=", f.value * BANDWIDTH[f.unit]))
        elif f.quantity == "power":
            out.append(("tdp_w", op or "<=", f.value * {"kW": 1e3, "MW": 1e6}.get(f.unit or "", 1.0)))
        elif f.quantity == "precision" and FORMAT_COLUMNS.get(str(f.value)) in {r.column for r in rates}:
            pass  # of which so much is asked for
        elif f.quantity == "precision" and f.value in FORMAT_COLUMNS and not tells_model(slots):
            out.append((FORMAT_COLUMNS[f.value], "lacks" if NEGATED.search(before) else "has", None))
    if UNPLUGGED.search(clause) and not any(c == "tdp_w" for c, _, _ in out):
        out.append(("tdp_w", "<=", SLOT_W))
    if WITHOUT_LINK.search(clause):
        out.append(("interconnect_gb_s", "lacks", None))
    elif WANTS_LINK.search(clause):
        out.append(("interconnect_name", "in", ["NVLink"]))
    shapes = [shape for shape, pattern in SHAPES if re.search(pattern, clause)]
    if shapes:
        out.append(("form_factor", "in", shapes))
    elif PCIE_FORM.search(clause):
        out.append(("form_factor", "in", ["PCIe"]))
    elif SXM_FORM.search(clause):
        out.append(("form_factor", "in", ["SXM"]))
    nameless = clause
    for f in found:
        if f.quantity == "gpu" and start <= f.start < end:
            nameless = nameless[: f.start - start] + " " * (f.end - f.start) + nameless[f.end - start :]
    out += _made_of(nameless, words, book)
    if EXPORT.search(clause):
        out.append(("derived_from", "has", None))
    year = YEAR.search(clause)
    if year:
        out.append(("release_year", ">=", float(year[1] or year[2])))
    if bound:
        clause = nameless  # whose maker is no condition on the others
    out += _brand(clause, words, book)
    model = book.row("models", str(slots.get("model", "")))
    parameters = (model.number("params_total") if model else None) or slots.get("parameters")
    if parameters and not any(c == "memory_gb" for c, _, _ in out):
        own = (model.text("published_precision") if model else None) or "bf16"
        width = BYTES.get(str(slots.get("quantization") or slots.get("precision") or own).removeprefix("mx"), 2.0)
        out.append(("memory_gb", ">=", round(float(parameters) * width / 1e9, 1)))
    if bound or not named:
        out += _kind(clause, out, words, book, told=bool(out or ranking))
    if ranking:
        out = [(c, o, v) for c, o, v in out if c not in ranking.column.split("/") or o != "has"]
        out.append((ranking.column, ranking.order, ranking.count))
    return tuple(dict.fromkeys((c, o, tuple(v) if isinstance(v, list) else v) for c, o, v in out))


def _made_of(text: str, words: Mapping[str, Sequence[str]], book: SpecBook) -> list[Condition]:
    """The architecture and the kind of memory that a clause says outside the names of cards: `Hopper cards`, `用 GDDR7 的卡`."""
    families = [
        family or name
        for entry in words.get("architectures", ())
        for name, _, family in [entry.partition("=")]
        if re.search(rf"(?<![a-z\d]){re.escape(level(name))}(?![a-z\d])", text)
    ]
    out: list[Condition] = [("family_architecture", "in", list(dict.fromkeys(families)))] if families else []
    if kind := MEMORY_TYPE.search(text):
        held = {t for r in book.rows("accelerators") if (t := r.text("memory_type"))}
        same = sorted(t for t in held if t.split()[0].casefold() == kind[0]) if kind[2] else []
        out.append(("memory_type", "one of", same) if same else ("memory_type", "in", [kind[0].upper()]))
    return out


def _kind(
    clause: str, out: Sequence[Condition], words: Mapping[str, Sequence[str]], book: SpecBook, told: bool
) -> list[Condition]:
    """The class of cards named, or, beside what else was `told`, what a GPU or a card is; nothing where chips of any kind are meant
    or a maker, an architecture or a kind of memory has no such."""
    said = [(level(name), kind) for entry in words.get("kinds", ()) for name, _, kind in [entry.partition("=")]]
    found = ((kind, m) for name, kind in said if (m := re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", clause)))
    named = next((kind for kind, m in found if not TOO.match(clause, m.end())), None)
    domestic = any(word in clause for word in words.get("domestic", ()))
    if named:
        kinds: tuple[str, ...] = (named,)
    elif not told or ANY_CHIP.search(clause):
        return []
    else:
        kinds = GPUS if A_GPU.search(clause) and not domestic else CARDS if A_CARD.search(clause) or domestic else ()
    texts = [(c, op, v) for c, op, v in out if c in BY_TEXT]
    rows = [r for r in book.rows("accelerators") if all(meets(r, *said) for said in texts)]
    made = {r.text("kind") for r in rows}
    kinds = tuple(k for k in kinds if k in made)
    return [("kind", "one of", kinds)] if kinds else []


def _of_models(low: str, start: int, end: int, found: Sequence[Found]) -> tuple[Condition, ...]:
    """Conditions over the table of models: bounds of parameters and context, mixtures of experts."""
    out: list[Condition] = []
    for f in found:
        if not (start <= f.start < end) or not isinstance(f.value, int | float):
            continue
        before, after = low[max(start, f.start - 28) : f.start], low[f.end : f.end + 12]
        op = _operator(f, before, after)
        if f.quantity == "parameters" and op:
            at = [(max((m.start() for m in p.finditer(before)), default=-1), c) for p, c in SIZES]
            place, column = max(at)
            told = {"active": "params_active", "total": "params_total"}.get(str(f.extra.get("role")))
            out.append((told or (column if place >= 0 else "params_total"), op, float(f.value)))
        elif f.quantity in ("seq_len", "tokens") and op:
            least = min((float(f.value), *f.extra.get("accept", ()))) if op == ">=" else float(f.value)
            out.append(("context", op, least))
    if MIXTURE.search(low, start, end):
        out.append(("moe_experts", "has", None))
    return tuple(dict.fromkeys(out))


def _operator(f: Found | None, before: str, after: str) -> str | None:
    for op, pattern in OPERATOR_BEFORE:
        if pattern.search(before):
            return op
    for op, pattern in OPERATOR_AFTER:
        if pattern.match(after):
            return op
    said = f.extra.get("op") if f else None
    return str(said) if said else None


# AMD 的也行: a maker that may be among those of the list is none that it is kept to.
ALSO_FINE = re.compile(
    r"\s?(?:的|家|牌子?|显?卡)?\s?(?:也|都)(?:行|可以|成|能接受|ok|没问题|算)(?![a-z])"
    r"|\s?(?:cards?|gpus?|ones?)?\s?(?:(?:is|are|would be|works?|count)\s?)?(?:too|also|as well|fine|okay|ok)(?![a-z])"
)


def _brand(clause: str, words: Mapping[str, Sequence[str]], book: SpecBook) -> list[Condition]:
    """A maker or product line that stands in the table, or the makers of a country."""
    table = book.tables.get("accelerators")
    if not table:
        return []
    if home := next((word for word in words.get("domestic", ()) if word in clause), None):
        soft = ALSO_FINE.match(clause, clause.index(home) + len(home))
        return [] if soft else [("vendor", "in", list(words.get("domestic_makers", ())))]
    called = [(level(name), maker) for entry in words.get("makers", ()) for name, _, maker in [entry.partition("=")]]
    makers: list[str] = []
    for word, brand in (*called, *((b.lower(), b) for b in words.get("brands", ()))):
        said = re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", clause)
        if not said:
            continue
        if ALSO_FINE.match(clause, said.end()):
            return []
        columns = [
            c for c in ("vendor", "variant") if any(brand.lower() in (r.text(c) or "").lower() for r in table.rows.values())
        ]
        if columns[:1] == ["vendor"]:
            makers.append(brand)
        elif columns and not makers:
            return [("variant", "in", [brand])]
    return [("vendor", "in", list(dict.fromkeys(makers)))] if makers else []
