"""Request fields that have no quantity of their own: parallel degrees, users, ranks, shares, engines, shapes of a model."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.names.cards import PORTABLE
from kb.understanding.numbers.numerals import scan
from kb.understanding.slots.people import read_people
from kb.understanding.slots.running import read_running
from kb.understanding.slots.uncounted import uncounted

INT = r"(\d{1,7})"
DEGREES = {
    "tensor_parallel": r"tp|tensor[ _-]?parallel(?:ism)?(?:[ _-]?size)?|张量并行(?:度)?",
    "pipeline_parallel": r"pp|pipeline[ _-]?parallel(?:ism)?|流水线?并行(?:度)?",
    "context_parallel": r"cp|context[ _-]?parallel(?:ism)?|上下文并行",
    "expert_parallel": r"ep|expert[ _-]?parallel(?:ism)?|专家并行",
    "data_parallel": r"dp|data[ _-]?parallel(?:ism)?|数据并行",
}
RANKS = re.compile(
    r"(?<![\d.])(\d{1,6})\s?(?:dp|data[ -]parallel|数据并行)\s?(?:ranks?|replicas?|groups?|ways?|副本|路|组|rank)?(?![a-z\d])"
)
DEGREE = {
    slot: re.compile(rf"(?<![a-z])(?:{names})\s?(?:=|of|开到?|设为?|size)?\s?=?\s?(\d{{1,4}})(?!\d|\.\d|\s?[张卡个台b%])")
    for slot, names in DEGREES.items()
}
NUMBERS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern))
    for slot, pattern in (
        (
            "lora_rank",
            rf"(?<![a-z])(?:r|rank|lora[ _]rank|秩)\s?(?:=|of|为|是)\s?{INT}(?![\d.])|(?<![a-z])(?:rank"
            rf"|秩)[ -]?{INT}(?![\d.])",
        ),
        (  # of so many people those at once come first
            "concurrency",
            rf"{INT}\s?(?:(?:of (?:them|these|us)|people|users|students|will|might|are|use|uses|using|work|on|it|active) ){{0,4}}"
            r"(?:at the same time|at once|at a time|concurrently|simultaneously)"
            rf"|{INT} (?:of (?:them|these|us) )?(?:are )?(?:simultaneous|concurrent|active)(?=\s?(?:[,.;?!)]|$))"
            rf"|(?:同时|高峰期?|峰值)(?:在线|使用|用|有)?(?:大概|约|大约)?\s?{INT}(?=\s?(?:个|路|人|名|用户))",
        ),
        (
            "concurrency",
            rf"{INT}\s?(?:个|位|名)?(?:路)?(?:并发|(?:在线|活跃)?(?:用户|访客|访问者|终端)(?:同时)?|人(?:同时|一起|并发|用)|concurrent|(?:parallel"
            rf"|simultaneous|concurrent)[ -](?:requests?|users?|sessions?|chats?|streams?|sequences?)|(?:users?|sessions?)(?![a-z])"
            rf"|(?:requests?|chats?|sessions?|streams?|sequences?|conversations?|prompts?|queries)"
            rf" (?:at once|in flight|in parallel|at (?:the same|a) time|concurrently|simultaneously)|路请求|个请求(?:并行|同时))",
        ),
        (
            "concurrency",
            rf"(?<!\d)(?<!\d )(?:users?|用户数?)\s?(?:[=:为是]\s?{INT}|{INT}(?=\s?(?:[,，;；)]|$)))",
        ),
        (
            "concurrency",
            rf"(?:并发(?:数|量)?|concurrency|同时(?:有)?|parallel requests)(?:\s?(?:为|是|of|=|:"
            rf"|到))?\s?{INT}(?![\d.]*\s?(?:rps|qps|tok))",
        ),
        (  # each of which is then described
            "concurrency",
            rf"{INT} (?:requests|chats|sessions|streams|sequences|conversations|prompts|queries)"
            r"(?= (?:of|with|at|@|each)(?![a-z])[^?;]{0,24}\d)"
            rf"|{INT}\s?(?:个|条|路)\s?(?:请求|会话|对话|聊天)(?=[^?;。\d]{{0,6}}每)"
            rf"|每(?:个|条|路)?(?:请求|会话|对话)[^?;。]{{1,20}}?[,，]\s?{INT}\s?(?:个|条|路)",
        ),
        (  # counted by the short form, or alone: 24seqs, 40 requests
            "concurrency",
            rf"(?<![a-z-])(?<!batch of )(?<!batch size of ){INT}\s?(?:concurrent )?(?:reqs?|requests|seqs|sequences)"
            r"(?![a-z_=]|\s?(?:/|an? |each |every |per |length|len(?![a-z])|in (?:total|all)(?![a-z])|of training))",
        ),
        (
            "requests_per_second",
            r"每秒钟?(?:约|大约|大概|平均)?\s?(\d{1,6}(?:\.\d{1,3})?)\s?(?:个|次|条)?(?:请求|提问|调用|查询)"
            r"|(\d{1,6}(?:\.\d{1,9})?)\s?(?:(?:个|次|条)?(?:请求|提问|调用|查询)\s?(?:/|每)\s?秒"
            r"|rps|qps|req(?:uest)?s?/s|requests? per second|次/秒)"
            r"|(?<![a-z])(?:qps|rps)\s?(?:=|:|为|是|of)?\s?(\d{1,6}(?:\.\d{1,3})?)",
        ),
        ("layers", rf"(?<!\d)(?=\d{{1,3}}(?!\d)){INT}[ -]?(?:layers?(?![a-z])|层(?!级))|(?:layers?|层数)\s?[=:为]\s?{INT}"),
        (
            "hidden",
            rf"(?:hidden(?:[ _]?(?:size|dim))?|d_model|隐藏(?:层)?(?:的)?(?:维度?|大小|尺寸)?|隐层|隐维)\s?[=:为]?\s?{INT}",
        ),
        (
            "heads",
            rf"(?<![kv_-])(?<!kv ){INT} (?:attention )?heads?(?![a-z])|(?:heads|注意力头数?|头数)\s?[=:为]?\s?{INT}"
            rf"|{INT}\s?个?(?:注意力)?头",
        ),
        ("kv_heads", rf"{INT}\s?(?:个\s?)?kv[ -]?(?:heads?|头)|kv[ _-]?(?:heads?|头数?)\s?(?:[=:为是有]\s?)?{INT}"),
        ("head_dim", rf"head[ _-]?dim(?:ension)?\s?[=:]?\s?{INT}"),
        ("vocab", rf"vocab(?:ulary)?(?:[ _]size)?\s?[=:]?\s?{INT}|词表(?:大小)?\s?[=:为]?\s?{INT}"),
        (
            "trainable_parameters_m",
            r"(\d{1,5}(?:\.\d{1,9})?)\s?m (?:trainable|trained)|可训练(?:参数)?\s?(\d{1,5}(?:\.\d{1,9})?)\s?m",
        ),
        (
            "micro_batches",
            rf"{INT}\s?(?:micro[- ]?batches|(?:个|份)\s?(?:micro[- ]?batch(?:es)?|微批次?))"
            rf"|(?:micro[- ]?batches|微批次?数量?|num[_ ]microbatches|微批次?\s?个数)\s?(?:=|:|为|是)?\s?{INT}",
        ),
        ("host_ram_gb", r"(?:limits?(?: is| of| at|:|=)?|限制(?:是|为|到|:)?)\s?(\d{1,4})\s?gi(?![a-z])"),
        ("memory_channels", rf"{INT}[ -]?(?:channels?|ch(?![a-z]))|{INT}\s?(?:个)?(?:内存)?通道"),
        (
            "memory_mt_s",
            r"ddr[45][ -]?(\d{4,5})|(\d{4,5})\s?mt/s"
            r"|(?:channels?|通道)[ ,，]{0,2}(?:的)?\s?(?:ddr[45][ -]?)?(\d{4})(?!\d)",
        ),
        (
            "virtual_stages",
            rf"{INT}\s?(?:个)?\s?(?:virtual (?:pipeline )?(?:stages?|chunks?)|model chunks|虚拟(?:阶段|流水线|段))"
            rf"|虚拟(?:阶段|流水线|段)(?:数|个数)?\s?[=:为是]?\s?{INT}"
            rf"|(?:interleav\w*|交错)[^,，。;?\d]{{0,16}}?(?<![a-z\d])(?:v(?:p|pp)?\s?=?\s?)?{INT}(?!\d)",
        ),
        ("samples_per_second", r"(\d{1,6}(?:\.\d{1,9})?)\s?(?:samples?|it|条|个样本)(?:/s|/秒| per second)"),
        (
            "copies",
            rf"(?:留|存|保留|keep(?:ing|s)?|last|latest)\s?(?:最近|最新|the )?(?:的|last |latest )?\s?{INT}"
            rf"\s?(?:(?:full|complete|whole|training) )?"
            rf"(?:个|份|checkpoints?|ckpts?)"
            rf"|(?<![a-z\d.]){INT} (?:(?:full|complete|whole|such|training|model|of (?:them|these|those)) ){{0,3}}"
            r"(?:checkpoints|ckpts)(?![a-z])"
            rf"|(?<![\d.]){INT}\s?(?:个|份)\s?(?:完整(?:的)?|全量(?:的)?)?\s?(?:checkpoint|ckpt|检查点|存档)"
            rf"|(?<![a-z])(?:keep|retain|sav)(?:e|ing|s)?(?: only)? (?:the )?(?:last|latest|newest) {INT}"
            r"(?!\d|\.\d|\s?(?!only|ckpt|check)[a-z%])"
            rf"|(?:留|存|保留)(?:最近|最新|最后)的?\s?{INT}(?!\d|\.\d|\s?[a-z%天小年月周步])|save_total_limit\s?[=:]?\s?{INT}",
        ),
    )
)
HAN = r"([一二两三四五六七八九十百千万]{1,6}|\d{1,4}(?:\.\d)?\s?[千万百])"
PEOPLE = re.compile(
    rf"{HAN}\s?(?:个|路|名|位)?\s?(?:并发|(?:用户|访客|访问者|终端|人|员工|请求|路)(?:数)?(?:同时|一起|并发|在线|用)|concurrent)"
    rf"|{HAN}\s?(?:个|名|位)\s?(?:在线|活跃)?(?:用户|访客|访问者)(?!量|数)"
    rf"|(?:并发(?:数|量)?(?:为|是|到)?|同时(?:有|支持)?)\s?{HAN}(?=\s?(?:个|路|人|名|用户|[,，。?\s]|$))"
)
WITHOUT = (
    r"(?:没有?|无|不(?:用|开|带|使用)|关(?:掉|闭)?"
    r"|(?<![a-z])(?:no|without|w/o|disabled?|not using|(?:not|never|[a-z]{2,4}n't) (?:use|have|enabled?)))"
)
FUSED = r"(?:liger|(?:fused|chunked|cut)[ -](?:linear[ -])?(?:cross[ -]entropy|loss)|(?:融合|分块)的?(?:交叉熵|损失))"
SHARES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("mfu", re.compile(
        r"mfu[^\d,，。;；?？]{0,10}(\d{1,2}(?:\.\d{1,9})?)\s?%"
        r"|(\d{1,2}(?:\.\d{1,9})?)\s?%\s?(?:的)?mfu|mfu[^\d,，。;；?？.]{0,6}(0?\.\d{1,3})")),
    ("utilization", re.compile(
        r"(?<!算力)(?<!memory )利用率(?:只有|按|为|是|大概|约)?\s?(\d{1,3}(?:\.\d{1,9})?)\s?%"
        r"|(\d{1,3})\s?% (?:utili[sz]ation|utili[sz]ed|util(?![a-z])|duty|busy|usage|use(?![a-z])|of the time)"
        r"|(?<![a-z])(?:busy|in use|used|utili[sz]ed) (?:only |about |just )?(\d{1,3})\s?%|utili[sz]ation (?:of |at "
        r"|is )?(\d{1,3})\s?%|(?<![a-z])at (?:only |about |just )?(\d{1,3})\s?% (?:of )?(?:the )?load(?![a-z])"
        r"|负载率?(?:只有|按|为|是|大概|约)?\s?(\d{1,3})\s?%")),
    ("gpu_memory_utilization", re.compile(
        r"(?:gpu[ _-]memory[ _-]utili[sz]ation|显存利用率)\s?(?:=|of|设为?|为|是)?\s?(0?\.\d{1,3})|(?:at|用"
        r"|设)?\s?(0?\.\d{1,2})\s?util")),
)  # fmt: skip
TENTHS = re.compile(r"利用率(?:只有|按|为|是)?\s?([一二两三四五六七八九1-9])成")
ALONE = re.compile(
    r"(?<![a-z])(?:single|one|1)[ -](?:user|request|stream|sequence|chat)(?![a-z]|s)|单(?:个)?(?:用户|并发|路|请求)|一条请求|单条请求"
    r"|(?:就|只有)?(?:我)?(?:一个|1个)人(?:自己)?(?:用|聊)"
)
REACHED = re.compile(  # arithmetic that a card does, as measured or hoped for, not what it is rated at
    r"(?:按|实际|实测|达到|能到|跑到|at|reach(?:ing|es)?|achiev(?:ing|es?|ed)|getting|sustain\w*)\s?(?:每(?:张)?卡"
    r"|单卡)?\s?(?:约|about|~)?\s?"
    r"(\d{1,4}(?:\.\d{1,2})?)\s?t(?:era)?flop/?s?(?:\s?(?:/|per |每)\s?(?:gpu|card|卡|s))?(?![a-z])"
)
EVERY = re.compile(
    r"(?:每隔?|every )\s?(\d{1,4}(?:\.\d)?|an?|半)?\s?(?:个)?(?:(?P<h>小时|hours?|hrs?|h(?![a-z]))|(?P<m>分钟|minutes?|mins?)"
    r"|(?P<d>天|days?))"
    r"(?!\s?\d|[^,，。;?]{0,6}(?:元|块|美元|刀|开|用))|(?<![a-z])(?P<hourly>hourly)(?![a-z])"
)
SAVES = re.compile(r"checkpoint|ckpt|检查点|存档|存一|保存|(?<![a-z])saves?(?![a-z])")
TOKENIZED = re.compile(r"token|语料|corpus|data ?set|数据")
TOKEN_BYTES = re.compile(r"(?<![a-z])u?int(16|32)(?!\d)")
MTBF = re.compile(
    r"(?:mtbf|平均(?:无)?故障(?:间隔)?(?:时间)?)[^\d]{0,24}(\d[\d,]{0,11}(?:\.\d{1,3})?)\s?(k|万)?\s?(?:个)?(?:h(?:ou)?rs?|h"
    r"|小时)(?![a-z])"
)
TOGETHER = re.compile(r"(?:集群|整个|全部|系统|(?<![a-z])(?:cluster|system|whole|overall|job|run))[^,，。;]{0,12}$")
BOOLEANS: tuple[tuple[str, Any, re.Pattern[str]], ...] = (
    ("nvlink", False, re.compile(r"(?:没有?|无|不带|不支持|缺|no|without|lacks?) ?nv-?link|nv-?link ?(?:没有|也没)")),
    ("nvlink", True, re.compile(r"(?<!没有)(?<!没)(?<!无)(?<!no )(?<!without )(?<!without)nv-?link(?!没)(?:'?e?d)?|nvlink桥")),
    (
        "weights_only",
        True,
        re.compile(
            r"weights?[- ]only|save_only_model(?!\s?[:=]?\s?false)|(?:仅|只)(?:保?存|留)(?:了)?模型|仅(?:存|保存|留)?(?:模型)?权重"
            r"|(?<![a-z])(?:only|just) (?:the )?(?:model )?weights|只(?:留|存|有|保存)(?:了)?(?:bf16|fp16|模型)?的?权重"
            r"|只要权重|(?:不(?:含|带|要|保?存)|跳过|去掉)优化器"
            r"|no optimizer states|(?<![a-z])(?:without|skip|drop|(?:don'?t|do not|not) (?:save|keep|store)) (?:the )?optimizer"
        ),
    ),
    (
        "with_optimizer",
        True,
        re.compile(
            r"(?<!不)(?:带|含|连同|包括)(?:着)?优化器|(?:全量|完整)(?:的)?\s?(?:训练)?\s?(?:checkpoint|ckpt|检查点|存档)"
            r"|full (?:training )?(?:checkpoint|ckpt)(?!ing)|with (?:the )?optimizer|including optimizer|optimizer included"
        ),
    ),
    ("flash_attention", False, re.compile(rf"{WITHOUT}\s?(?:flash[ -]?att(?:ention|n)?(?:[ -]?2)?|fa2?(?![a-z]))")),
    ("fused_loss", False, re.compile(rf"{WITHOUT}\s?(?:用|开|装|过)?\s?{FUSED}")),
    ("fused_loss", True, re.compile(rf"(?<!不用)(?<!不开)(?<!没开)(?<!without )(?<!no ){FUSED}")),
    (
        "ema",
        True,
        re.compile(
            r"(?<!no )(?<!without )(?<!不用)(?<!没有)(?<![a-z])ema(?![a-z])(?! ?(?:decay|模型是什么))"
            r"|exponential moving average|指数(?:滑动|移动)平均|(?:滑动|移动)平均(?:的)?(?:权重|副本|模型)"
        ),
    ),
    (
        "activation_offload",
        True,
        re.compile(r"activations? offload|offload\w* (?:the |all )?activations?|激活值?(?:的)?\s?(?:卸载|offload)|卸载激活"),
    ),
    (
        "laptop",
        True,
        PORTABLE,
    ),
    ("sockets", 2, re.compile(r"双路|两路|(?<![a-z])(?:dual|2|two)[ -](?:socket|epyc|xeon|cpu)s?(?![a-z])")),
    ("memory_channels", 2, re.compile(r"双通道|(?<![a-z])dual[ -]ch(?:annels?|an)?(?![a-z])")),
    ("memory_channels", 4, re.compile(r"(?<![a-z])quad[ -]ch(?:annels?|an)?(?![a-z])")),
    *(("memory_kind", kind, re.compile(rf"(?<![a-z]){kind}(?![ -]?\d{{3}})")) for kind in ("ddr5", "ddr4")),
    ("unified_memory", True, re.compile(r"统一内存|统一记忆体|unified memory")),
    (
        "compute_optimal",
        True,
        re.compile(
            r"chinchilla[- ]?(?:optimal|laws?|scaling|ratio|rule|最优|定律|法则|比例)"
            r"|按照?\s?chinchilla|compute[- ]optimal|(?:算力|计算量?)最优"
        ),
    ),
    *(
        ("time_unit", unit, re.compile(pattern))
        for unit, pattern in (
            ("h", r"(?<![a-z])(?:in|how many) hours(?![a-z])|(?:几个?|多少个?)小时(?!电)"),
            ("week", r"(?<![a-z])(?:in|how many) weeks(?![a-z])|(?:几个?|多少个?)(?:周|星期)"),
            ("month", r"(?<![a-z])how many months(?![a-z])|(?:几|多少)个月"),
            ("minute", r"(?<![a-z])(?:in|how many) minutes(?![a-z])|(?:几|多少)分钟"),
        )
    ),
    (
        "per_gpu_hour",
        True,
        re.compile(
            r"每(?:张)?卡每?个?(?:小时|卡?时)|每卡时|一卡时|卡时成本|每个?小时|(?<![a-z])hourly(?![a-z])"
            r"|(?:per|an?|one|each|/|\$) ?(?:(?:gpu|card)s?[ -]?)?(?:hours?|hrs?|h)(?![a-z])|gpu[- ]?(?:hours?|hrs?) (?:cost|price)"
        ),
    ),
    (
        "checkpoint_why",
        True,
        re.compile(
            r"(?:checkpoints?|ckpts?|检查点|存档)[^。?]{0,60}\d\s?[gt]b?[^。?]{0,12}(?:(?<![a-z])why|为什么|为啥|咋|怎么这么)"
            r"|(?:(?<![a-z])why|为什么|为啥|咋|怎么)[^。?]{0,24}(?:checkpoints?|ckpts?|检查点"
            r"|存档)[^。?]{0,40}(?:\d\s?[gt]|large|big|huge|大)"
            r"|(?:checkpoints?|ckpts?|检查点|存档)[^。?]{0,16}(?:为什么|为啥|咋|怎么)[^。?]{0,8}(?:\d|大)"
        ),
    ),
    ("whole_server", True, re.compile(r"整机|整台|(?<![a-z])(?:whole|complete|entire) (?:machine|server|box|node)(?![a-z])")),
    ("of_electricity", False, re.compile(r"租|(?<![a-z])(?:rent\w*|cloud)(?![a-z])")),
    (
        "of_electricity",
        True,
        re.compile(r"电费|电钱|(?<![a-z])(?:electricity|electric bill|power bill|energy (?:bill|cost)|kwh)(?![a-z])"),
    ),
    ("always_on", True, re.compile(r"24/7|24x7|7x24|全年无休|跑满(?!血)|满负荷|不停机|24 小时")),
)


TOKENS = (
    r"(\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d)?\s?k?)"
    r"(?![\d.]*\s?(?:b|g|gb|层|%|[万千百亿]?\s?个?(?:汉|中文)?字|words?|char\w*|[万千百亿])(?![a-z]))"
)
# A rate is no length: 20k output tokens per second.
NO_RATE = (
    r"(?!(?:\s?tok(?:en)?s?)?\s?"
    r"(?:/\s?s|(?:per|a|each|every|/|每)\s?(?:s(?:ec(?:ond)?)?|min(?:ute)?|hour|day|秒|分钟|小时|天)(?![a-z])))"
)
IN = r"(?:input|prompt|in|isl|输入|进|提示词?|prefill)"
OUT = r"(?:output|completion|generat\w+|new|out|osl|decode|输出|出|生成|回复|回答)"
SAY = r"(?:\s?(?:长度|tokens?|length|len|of|是|为|约|大约|有|:|=|about|~)){0,3}\s?"
EXCHANGES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![a-z\d.]){TOKENS}\s?(?:个)?(?:tokens?\s?)?(?:的)?{IN}(?![a-z])[^\d。]{{0,12}}?(?<![\d.]){TOKENS}\s?(?:个)?(?:tokens?\s?)?(?:的)?{OUT}(?![a-z])",
        rf"(?<![a-z]){IN}{SAY}{TOKENS}[^\d。]{{0,16}}?(?<![a-z]){OUT}{SAY}{TOKENS}",
    )
)
ONE_WAY = (
    (
        "prompt_tokens",
        re.compile(rf"(?<![a-z\d.]){TOKENS}[\s-]?(?:个)?\s?(?:tokens?[ -]?)?(?:input|prompt)(?:s? tokens?)?(?![a-z]){NO_RATE}"),
    ),
    ("prompt_tokens", re.compile(rf"(?<![a-z])(?:prompt|输入|提示词?|input){SAY}{TOKENS}")),
    (
        "output_tokens",
        re.compile(
            rf"(?<![a-z\d.]){TOKENS}\s?(?:个)?\s?(?:token )?(?:output|generated|new"
            rf"|completion)(?: tokens?)?(?![a-z]){NO_RATE}"
        ),
    ),
    (
        "output_tokens",
        re.compile(
            rf"(?<![a-z])(?:输出|生成|output|generat(?:e|es"
            rf"|ing)){SAY}{TOKENS}\s?(?:个)?(?:tokens?|词元|[,，。\s]|$){NO_RATE}"
        ),
    ),
)


def _exchange(low: str) -> dict[str, Any]:
    """Tokens of a request and of its reply: `500 in 200 out`, `输入 1k 输出 512`."""
    for pattern in EXCHANGES:
        if both := pattern.search(low):
            return {"prompt_tokens": _tokens(both[1]), "output_tokens": _tokens(both[2])}
    return {slot: _tokens(m[1]) for slot, pattern in reversed(ONE_WAY) if (m := pattern.search(low))}


def _tokens(text: str) -> int:
    kilo = text.strip().endswith("k")
    value = float(text.strip().rstrip("k").replace(",", ""))
    two = kilo and value.is_integer() and int(value) & (int(value) - 1) == 0
    return int(value * (1024 if two else 1000 if kilo else 1))


# The letters of the published formula for activations: 32 layers, s 4096, b 2, h 4096.
SYMBOLS = {"s": "seq_len", "b": "micro_batch", "h": "hidden", "a": "heads", "l": "layers", "v": "vocab"}
SYMBOL = re.compile(r"(?<![a-z\d])([sbhalv])(?:\s?[=:]\s?|\s)(\d{1,7})(?![\d.]*[a-z%])")
OF_ACTIVATIONS = re.compile(r"激活|(?<![a-z])activations?(?![a-z])")


def _symbols(low: str) -> dict[str, Any]:
    """Two or more of the formula's letters, each with its number."""
    found = {SYMBOLS[m[1]]: int(m[2]) for m in SYMBOL.finditer(low)}
    return found if len(found) > 1 else {}


# A second model beside the one that is sized, of a kind that no rule knows.
OTHER_MODEL = re.compile(
    r"(?:[a-z][a-z0-9.-]{1,20}\s?)?(?:(?<![a-z])(?:embedding(?: model)?|embedder|reranker|rerank model)s?(?![a-z])"
    r"|(?:嵌入|向量|重排)模型)(?:模型)?"
)


def read_details(low: str) -> dict[str, Any]:
    """Slots from phrases; the first of each kind wins."""
    numbered = any(c.isdecimal() for c in low)
    slots: dict[str, Any] = _exchange(low) if numbered else {}
    if ALONE.search(low):
        slots["concurrency"] = 1
    if numbered and OF_ACTIVATIONS.search(low):
        slots |= _symbols(low)
    if numbered and (reached := REACHED.search(low)):
        slots["tflops_per_gpu"] = float(reached[1])
    people = PEOPLE.search(low)
    if people and (n := scan(next(filter(None, people.groups())))) and n[0].value:
        slots["concurrency"] = int(n[0].value)
    for slot, pattern in (*DEGREE.items(), *NUMBERS) if numbered else ():
        m = pattern.search(low)
        if m and slot not in slots:
            text = next(g for g in m.groups() if g)
            slots[slot] = float(text) if "." in text else int(text)
    for slot, pattern in SHARES if numbered else ():
        m = pattern.search(low)
        if m:
            share = float(next(g for g in m.groups() if g))
            slots[slot] = share / 100 if share > 1 else share
    tenths = TENTHS.search(low)
    if tenths:
        slots["utilization"] = (
            "一二三四五六七八九".find(tenths[1].replace("两", "二")) + 1 or int(tenths[1] if tenths[1].isdigit() else 0)
        ) / 10
    if (every := EVERY.search(low)) and SAVES.search(low):
        count = {"半": 0.5, "a": 1.0, "an": 1.0}.get(every[1] or "a") or float(every[1])
        slots["every_hours"] = count * (24 if every["d"] else 1 / 60 if every["m"] else 1)
    if TOKENIZED.search(low) and (width := TOKEN_BYTES.search(low)):
        slots["token_bytes"] = int(width[1]) // 8
    if failures := MTBF.search(low):
        if TOGETHER.search(low, 0, failures.start()):
            slots["mtbf_of_all"] = True
        slots["mtbf_hours"] = float(failures[1].replace(",", "")) * {"k": 1e3, "万": 1e4}.get(failures[2] or "", 1.0)
    if numbered and "data_parallel" not in slots and (ranks := RANKS.search(low)):
        slots["data_parallel"] = int(ranks[1])
    slots |= read_running(low)
    if phrases := uncounted(low):
        slots["uncounted"] = phrases
    other = OTHER_MODEL.search(low)
    if other and re.match(r"[-_]\d", low[other.end() : other.end() + 2]):
        slots["workload"] = "inference"  # the very model that is asked about: Qwen3-Embedding-8B
    elif other:
        slots["other_model"] = other.group().strip()
    if "concurrency" not in slots:
        slots |= read_people(low)
    if "mtbf_of_all" in slots:
        slots.pop("every_hours", None)  # in which it fails, not in which it is saved
    for slot, value, pattern in BOOLEANS:
        if slot not in slots and pattern.search(low):
            slots[slot] = value
    return slots
