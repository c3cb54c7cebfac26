"""Rankings: which column is to be greatest or least, and how many rows are asked for (`top 3`, `显存最大的三张卡`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.understanding.asks.columns import COLUMNS, COMPUTE, FAST_MEMORY, FORMAT_COLUMNS, MODEL_COLUMNS, ratio_of
from kb.understanding.numbers.numerals import scan

MOST = re.compile(
    r"最(?:大|高|多|快|强|长|新|贵|耗电|费电)|(?<![a-z])(?<!at )(?<!at the )(?:largest|biggest|highest|most|max(?:imum)?"
    r"|fastest|greatest|longest|newest|latest"
    r"|strongest|dearest|top|best)(?![a-z])|前\s?(?:\d{1,2}|[一二两三四五六七八九十]{1,2})(?![\d.]|\s?(?:天"
    r"|年|月|周|小时|层|轮))"
)
LEAST = re.compile(
    r"最(?:小|低|少|省电|便宜|慢|短|老|旧)|(?<![a-z])(?<!at )(?<!at the )(?:smallest|lowest|least|fewest|cheapest|slowest"
    r"|shortest|oldest)(?![a-z])"
)
SORT = re.compile(
    r"排序|排个序|排名|排行|排一?[下列]|(?:高|大|多|快|低|小|少|慢)到(?:低|小|少|慢|高|大|多|快)(?:排|列)?"
    r"|(?<![a-z])(?:rank(?:ed|ing)?(?! ?(?:of |[=:]) ?\d| ?\d)|sort(?:ed)?)(?![a-z])"
)
RISING = re.compile(r"(?:低到高|小到大|少到多|慢到快)|升序|(?<![a-z])ascending|(?:lowest|smallest|least) (?:first|to)")
CARDS = r"卡|显卡|加速卡|gpus?(?![a-z])|cards?(?![a-z])|accelerators?|芯片|chips?(?![a-z])|npus?(?![a-z])|型号"
MODELS = r"模型|models?(?![a-z])|llms?(?![a-z])"
OF_CARDS, OF_MODELS = (
    re.compile(
        rf"(?:最[^\s,，。?]{{1,3}}|前\s?[\d一二两三四五六七八九十]{{1,2}}\s?[名款张个块种]?)[^,，。?]{{0,16}}(?:{noun})"
        rf"|(?:largest|biggest|highest|most|fastest|greatest|longest|newest|latest|strongest|top|best"
        rf"|smallest|lowest|least|fewest"
        rf"|cheapest|slowest|shortest|oldest)[^,.?]{{0,40}}?(?<![a-z])(?:{noun})"
        rf"|(?:哪|什么|(?<![a-z])(?:which|what)(?![a-z]))[^,，。?]{{0,24}}(?:{noun})|(?:{noun})[^,，。?]{{0,12}}(?:哪|which)"
    )
    for noun in (CARDS, MODELS)
)
ABOUT_CARDS = re.compile(rf"(?:{CARDS})[^,，。?]{{0,20}}(?:最|前\s?[\d一二两三四五六七八九十])")
USED = re.compile(
    r"跑|训|微调|部署|放|装|塞|炼|能|(?<![a-z])(?:run|train|fine-?tune|serve|fit|fits|host|load|can|could)(?![a-z])"
)
MANY = re.compile(
    r"(?:top|前|best)\s?(\d{1,2}|[一二两三四五六七八九十]{1,2}|two|three|four|five|six|seven|eight|nine|ten)(?![\d.])"
    r"|最[^\s,，。?]{1,3}的\s?(\d{1,2}|[两三四五六七八九十]{1,2})\s?[张款个块种名]"
    r"|(?<![a-z\d.])(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?:[a-z]+ )?(?:largest|biggest"
    r"|highest|most|fastest|greatest"
    r"|longest|newest|latest|strongest|best|smallest|lowest|least|fewest|cheapest|slowest|oldest)(?![a-z])"
)
# A superlative that names its column itself.
IMPLIED = (
    (
        "memory_gb",
        re.compile(
            r"(?<![a-z])(?:smallest|biggest|largest) (?:gpu|card|accelerator)s?(?![a-z])|最[小大]的?(?:卡|显卡|gpu|加速卡)"
        ),
    ),
    ("msrp_usd", re.compile(r"便宜|cheapest|最贵|dearest|most expensive|按?(?:首发)?价格?(?:从|由|排)|by (?:launch )?price")),
    ("tdp_w", re.compile(r"省电|耗电|费电|power[- ]hungry|(?:least|lowest|highest|most) power(?!ful)")),
    ("release_year", re.compile(r"最新|最老|最旧|newest|latest|oldest")),
    ("bf16_dense_tflops", re.compile(r"最(?:快|强|慢)|fastest|strongest|slowest|most powerful")),
)
# What a superlative of no meaning of its own stands before: the words of its column.
SUPERLATIVE = re.compile(
    r"(?<![a-z])(?:lowest|highest|least|most|largest|smallest|biggest|greatest|fewest)"
    r"((?: [a-z-]+?){1,3}?)(?=[),.;:?]| with| among| of| in|$)"
)
FORMAT = re.compile(r"(?<![a-z0-9])(fp64|fp32|tf32|fp16|bf16|fp8|int8|fp4)(?![0-9])")


@dataclass(frozen=True, slots=True)
class Ranking:
    """The `count` rows with the most (`top`) or least (`bottom`) of a column of a table, or all in an order (`falling`, `rising`)."""

    table: str
    column: str
    order: str
    count: int


def ranking_of(clause: str, named: bool = False) -> Ranking | None:
    """The ranking a clause asks for; None when it asks for none. `named`: it names the cards to be put in order."""
    sort, most, least = SORT.search(clause), MOST.search(clause), LEAST.search(clause)
    if not (sort or most or least):
        return None
    if sort and (named or re.search(CARDS, clause)) and not re.search(MODELS, clause):
        column, rising = card_column(clause), RISING.search(clause) is not None
        if column and MANY.search(clause):
            return Ranking("accelerators", column, "bottom" if rising else "top", _count(clause))
        return Ranking("accelerators", column, "rising" if rising else "falling", 0) if column else None
    used = USED.search(clause) is not None
    cards = OF_CARDS.search(clause) is not None
    cards = cards or (not used and not re.search(MODELS, clause) and ABOUT_CARDS.search(clause) is not None)
    if not cards and (used or not OF_MODELS.search(clause)):
        return None
    column = card_column(clause) if cards else _model_column(clause)
    if column is None:
        return None
    falling = least is None or (most is not None and most.group() not in ("top", "best") and most.start() < least.start())
    if "/" in column and column.startswith("msrp_usd"):
        falling = False
    table = "accelerators" if cards else "models"
    return Ranking(table, column, "top" if falling else "bottom", _count(clause))


def ranking_among(clause: str) -> Ranking | None:
    """The order in which a turn puts cards that were listed before it: it need not say again what of; a column alone sorts them."""
    column, most, least = card_column(clause), MOST.search(clause), LEAST.search(clause)
    if column is None:
        return None
    if SORT.search(clause) or not (most or least):
        return Ranking("accelerators", column, "rising" if RISING.search(clause) else "falling", 0)
    return Ranking("accelerators", column, "top" if most else "bottom", _count(clause))


def card_column(clause: str) -> str | None:
    """The column of cards that a text speaks of."""
    written = FORMAT.search(clause)
    if ratio := ratio_of(clause, ()):
        return f"{FORMAT_COLUMNS[written[1]]}/{ratio.partition('/')[2]}" if written else ratio
    beside = SUPERLATIVE.search(clause)
    if beside and (said := _column_in(beside[1])):
        return said
    if FAST_MEMORY.search(clause):
        return "memory_bandwidth_gb_s"
    implied = next((column for column, pattern in IMPLIED[:-1] if pattern.search(clause)), None)
    if implied:
        return implied
    if COMPUTE.search(clause) or (written and IMPLIED[-1][1].search(clause)):
        return FORMAT_COLUMNS[written[1]] if written else "bf16_dense_tflops"
    return _column_in(clause) or (IMPLIED[-1][0] if IMPLIED[-1][1].search(clause) else None)


def _column_in(text: str) -> str | None:
    return next((column for column, pattern in COLUMNS if column not in TEXTS and pattern.search(text)), None)


def _model_column(clause: str) -> str | None:
    named = next((column for column, pattern in MODEL_WORDS if pattern.search(clause)), None)
    return named or next(
        (column for column, pattern in MODEL_COLUMNS if column != "attention" and pattern.search(clause)), None
    )


def _count(clause: str) -> int:
    found = MANY.search(clause)
    numerals = scan(next(g for g in found.groups() if g)) if found else []
    return max(1, min(25, int(numerals[0].value))) if numerals and numerals[0].value else 1


TEXTS = frozenset({"interconnect_name", "memory_type", "form_factor", "family_architecture"})
MODEL_WORDS = (
    ("params_active", re.compile(r"激活|active param")),
    (
        "params_total",
        re.compile(
            r"参数|param|最大的?(?:开源)?模型|(?:largest|biggest|smallest) (?:\w+ )?(?:model|llm)"
            r"|最小的?(?:开源)?模型"
        ),
    ),
    ("context", re.compile(r"上下文|context")),
    ("layers", re.compile(r"层|layers?")),
    ("release_year", re.compile(r"最新|newest|latest")),
)
