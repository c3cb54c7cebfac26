"""Common beliefs that are wrong, as people state or ask them: each has its section in the corpus, which the answer quotes first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.types.question import Premise
from kb.types.specs import Row
from kb.understanding.asks.sides import offers
from kb.understanding.found import Found

MOST = 2  # beliefs put right in one answer
# Only the active parameters of a mixture of experts need memory.
ACTIVE = re.compile(
    r"(?:只|仅|才|光|就)[^,，。?]{0,10}激活|激活[^。?]{0,8}(?:才|只有)[^。?]{0,24}(?:够|放得下|装得下|跑|能)"
    r"|激活[^。?]{0,16}(?:所以|那么|就够|就能|就行|只要|只需)"
    r"|(?<![a-z])(?:only|just)[^.?]{0,40}(?<![a-z])activ(?:e|ates?|ated)(?![a-z])"
    r"|(?<![a-z])(?:active|activated?|activates)[^.?]{0,40}(?:(?<![a-z])so |fits?|enough|only needs?)"
    r"|(?:memory|vram|ram)[^.?]{0,24}(?:for|of) (?:the )?active"
)
# Which of the two counts is to be planned with.
WHICH_COUNT = re.compile(
    r"按[^,，。?]{0,16}(?:还是|或)[^,，。?]{0,16}算|(?:总|全部)参数?量?(?:算)?还是(?:按)?(?:激活|活跃)|(?:激活"
    r"|活跃)[^,，。?]{0,8}还是(?:按)?(?:总|全部)"
    r"|(?:total|all)(?: params| parameters)? or (?:the |only )?activ|activ[a-z]*(?: params| parameters)? or (?:the )?(?:total|all)"
    r"|(?:count|size|calculate|plan|budget)[^.?]{0,16}\d{2,4}b or \d{1,3}b|as a \d{2,4}b or (?:as )?a \d{1,3}b"
)
# A size that is claimed for what must be held: the active parameters said as such.
CLAIMED = re.compile(
    r"(?:只|仅|才|光|就)(?:需要?|要|用|占|相当于|等于)?[^,，。?\d]{0,6}$|(?:相当于|等于|等同于|当作?)[^,，。?\d]{0,6}$"
    r"|(?<![a-z])(?:only|just|like|as|same as|basically|really)(?: (?:needs?|takes?|an?|the|of|memory|vram|for)){0,4} ?$"
)
OF_MEMORY = re.compile(
    r"显存|内存|够|放|装|跑|塞|卡|(?<![a-z])(?:vram|ram|memory|fits?|enough|run|hold"
    r"|load|serve|needs?|like an?|gpu|card)(?![a-z])|\dg"
)
ASKS_ACTIVE = re.compile(
    r"激活(?:了)?(?:多少|几)|(?:多少|几)(?:个|亿)?(?:参数)?激活"
    r"|how many[^.?]{0,20}activ|活(?:参数|专家)(?:是|有)?(?:多少|几)"
)
MIXTURE = re.compile(r"(?<![a-z])moe(?![a-z])|专家|experts?|\d{1,3}b-a\d|\d{1,2}x\d{1,3}b")
ZERO3 = re.compile(r"(?:zero|stage|z)[ _-]?3|fsdp|full[ _-]?shard")
FOUR_BITS = r"(?:(?<![a-z\d])(?:nv|mx)?(?:int4|fp4)|(?<!\d)4[ -]?bits?|四比特|4 ?位)"
SCRATCH = r"(?:预训练|从头训|从零训|(?<![a-z])pre-?train(?:ing)?(?![a-z])|train(?:ing)? [^.?]{0,16}from scratch)"
FOUR_BIT_TRAINING = re.compile(
    rf"{FOUR_BITS}[^。?,，]{{0,24}}(?:{SCRATCH}|makes? (?:pre-?)?training|训练(?=[^,，。?]{{0,8}}(?:便宜|省|快)))"
    rf"|{SCRATCH}[^。?,，]{{0,24}}{FOUR_BITS}"
)
SAID: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("lora_base", re.compile(
        r"lora[^。?]{0,24}(?:不用|不需要|不占|无需|不必|不用管|不加载|doesn'?t need|does not need|without"
        r"|no need)[^。?]{0,16}"
        r"(?:底座|基座|原模型|完整模型|权重|base|full model|weights)|lora (?:also )?(?:cuts?|halves|shrinks"
        r"|reduces|saves)[^.?]{0,24}(?:base|weights|model)"
        r"|lora[^。?]{0,8}(?:也|能)?(?:减少|降低|省掉?|砍掉?)[^。?]{0,8}(?:底座|基座|权重)"
        r"|lora[^。?]{0,6}只(?:训|训练|放|占|存)[^。?]{0,16}(?:所以|就|那)[^。?]{0,16}(?:够|显存|放|能)")),
    ("scaling", re.compile(
        r"(?<!\d)(\d{1,3})\s?(?:张|块|个|x\s)?\s?(?:\ue000+s?|gpus?|卡"
        r"|cards?)[^。.]{0,28}(?<![\d.])\1\s?(?:x(?![a-z\d])(?!\s?\ue000)|倍|times)"
        r"|(?:gpu|卡|cards?)[^。.?]{0,8}(?:加倍|翻倍|double[ds]?|twice)[^。.?]{0,20}(?:速度|speed|fast|快)"
        r"|(?:第二|另一|加一|多一|两|second|another|2nd|two)\s?(?:张|块)?\s?(?:卡|gpus?|cards?|\ue000+s?)[^。.?]{0,30}"
        r"(?:翻倍|快一倍|twice as fast|double (?:the )?speed|没(?:有|变|怎么)?(?:变)?快|not (?:any )?faster"
        r"|no faster|isn'?t faster|不(?:更|比)[^。?]{0,8}快)"
        r"|(?:\d{1,3}|two|four|eight|several|multiple)\s?(?:x\s)?\s?(?:\ue000+s?|gpus?|cards?)(?:[^。.?]|\.(?=[a-z])){0,48}"
        r"(?:only (?:doubled|a (?:little|bit)|slightly)|barely|hardly|any|no|same)[^。.?]{0,32}(?:than|vs\.?|as) (?:one|a single)(?![a-z])"
        r"|(?:张|块|多|双)\s?(?:\ue000+s?|gpus?|显?卡)?[^。?]{0,30}(?:只比|跟|和|与)(?:一|单)(?:张|块|卡)[^。?]{0,12}(?:快一点|快不了|差不多|一样)")),
    ("threads", re.compile(
        r"(?:threads?|线程)[^。]{0,40}(?:tok|speed|faster|fast|快|速度|每秒|提升)|(?:tok|speed"
        r"|速度)[^。]{0,30}(?:threads|线程)"
        r"|(?:chat|decode|decoding|生成|出字|对话|token)[^。?]{0,30}(?:tflops|算力)[^。?]{0,20}(?:越(?=[高快多大])"
        r"|更[高快多大]|faster|higher)"
        r"|(?:tflops|算力)[^。?]{0,24}(?:faster|越快|更快|higher)[^。?]{0,16}(?:chat|token|生成|出字|decode|对话)")),
    ("reserved", re.compile(
        r"vllm[^。]{0,60}(?:leak|泄漏|泄露|占满|吃满|[占吃](?:了|用)?\s?\d{2}\s?(?:多|几)?\s?g|(?:uses?|takes?"
        r"|eats?|ate|used|using|takes? up|shows?|showing|reports?|holds?|allocates?)"
        r" (?:all|almost|nearly|about |around )?(?:all|almost|nearly|\d{2}))"
        r"|vllm[^。]{0,60}(?:\d{2}(?: ?[-–~到至] ?\d{2})? ?gi?b? (?:is |are )?(?:used|in use|taken|occupied)|(?:占|吃)[^。?，,]{0,6}\d{2})"
        r"|vllm[^。]{0,60}(?:显示|显存)[^。\d]{0,8}\d{2}\s?g")),
    ("fitting_weights", re.compile(
        r"(?:权重|模型|weights?|model)[^。?,，]{0,10}?\d{1,3}(?:\.\d)?\s?g(?:b|ib)?[^。?]{0,16}(?:所以|那就"
        r"|肯定|(?<![a-z])so |therefore|surely)"
        r"[^。?]{0,30}(?:够|能|fits?|run|train|训|跑|enough)")),
    ("ram_for_vram", re.compile(
        r"内存[^。?,，]{0,6}(?:当|代替|顶替?|抵|换|充当)(?:作|成)?显存|(?<!v)(?<!gpu )ram (?:instead of|as"
        r"|replace[sd]?|in place of) (?:vram|gpu memory)"
        r"|(?:add|more|extra)[^.?]{0,12}(?<!v)ram[^.?]{0,30}(?:instead of (?:a )?(?:gpu|vram)"
        r"|replace[^.?]{0,10}(?:vram|gpu))")),
)  # fmt: skip
ACTIVATIONS_CUT = re.compile(
    r"(?:切|分|省|降|减|shard|reduce|save|split|cut|lower|divide)[^。?]{0,14}(?:激活|activation)|(?:激活"
    r"|activation)[^。?]{0,14}(?:切|分|省|降|减|shard|reduce|save|split|cut|lower|divide)"
    r"|(?:加卡|多加|更多卡|卡越多|more (?:gpus|cards)|add(?:ing)? (?:gpus|cards))[^。?]{0,30}(?:更长|越长"
    r"|longer|上下文|context|序列|sequence)"
)
ROCE_TCP = re.compile(r"roce[^。?]{0,16}(?:tcp)|tcp[^。?]{0,12}roce(?:[^。?]{0,4}(?:一样|same))")
KERNEL = re.compile(r"flash[ _-]?att(?:entio)?n[ _-]?(?:v\s?)?([23])(?![\d.])|(?<![a-z])fa[ -]?([23])(?![\da-z.])")
# Whether cards have it, of whatever version: the current one is meant.
ANY_KERNEL = re.compile(
    r"(?:支持|能用|能开|能跑|可以用|可以开)[^,，。?]{0,6}flash[ _-]?att(?:entio)?n(?![ _-]?\d)"
    r"|flash[ _-]?att(?:entio)?n(?![ _-]?\d)[^,，。?]{0,6}(?:支持|能用|能开|能跑|可以)"
    r"|(?<![a-z])(?:does|do|can|is|are|will|supports?|supported)(?![a-z])[^,.?]{0,40}flash[ _-]?att(?:entio)?n(?![ _-]?\d)"
)
DEGREE = re.compile(r"tp ?=? ?\d|tensor.?parallel|张量并行", re.IGNORECASE)  # tensor parallelism, by name


def beliefs_of(
    low: str, masked: str, found: Sequence[Found], slots: Mapping[str, Any], model: Row | None, cards: Sequence[Row]
) -> list[Premise]:
    """Beliefs that a question holds; `cards` and `model` are what it is about. Those about a row name the cell that shows it."""
    out: list[Premise] = []
    text, hidden = low[:4000], masked[:4000]
    sparse = model is not None and (model.number("params_active") or 0) < 0.9 * (model.number("params_total") or 0)
    held = (model.number("params_active") or 0) if model and sparse else 0
    alone = any(
        f.quantity == "parameters" and f.value and abs(f.value - held) < 0.15 * held and CLAIMED.search(text[: f.start])
        for f in found
    )
    active = (
        ACTIVE.search(text) and OF_MEMORY.search(hidden) and not ASKS_ACTIVE.search(text) and (sparse or MIXTURE.search(text))
    )
    if active or (sparse and (WHICH_COUNT.search(text) or (alone and OF_MEMORY.search(hidden)))):
        out.append(_about(model, "params_total", "active") if sparse else _belief("active"))
    kernel = KERNEL.search(text)
    if kernel or ANY_KERNEL.search(text):
        old = [r for r in cards if (cell := r.cells.get("bf16_dense_tflops")) and cell.status == "unsupported"]
        claimed = f"FlashAttention-{(kernel[1] or kernel[2]) if kernel else 2}"
        out += [Premise("kernel", r.table, r.id, "family_architecture", claimed) for r in old]
    if ZERO3.search(text) and ACTIVATIONS_CUT.search(text):
        out.append(_belief("sharded_activations"))
    if FOUR_BIT_TRAINING.search(text):
        out.append(_belief("four_bit_training"))
    if ROCE_TCP.search(text) and not offers(text):
        out.append(_belief("roce"))
    degree = slots.get("tensor_parallel")
    if isinstance(degree, int) and degree > 2 and degree & (degree - 1) and (model is None or not model.number("heads")):
        out.append(_belief("heads"))
    out += [_belief(name) for name, pattern in SAID if pattern.search(hidden)]
    return out[:MOST]


def _belief(name: str) -> Premise:
    return Premise(name, "", "", "", "")


def _about(row: Row | None, column: str, kind: str) -> Premise:
    return Premise(kind, row.table, row.id, column, "") if row else _belief(kind)
