"""Phrases that say more closely what is wanted than the words in them do: one GPU's share, the time until a run is done."""

from __future__ import annotations

import re

OF_ONE = r"每(?:一)?(?:张|块)?卡(?:上)?|单卡|per[- ](?:gpu|card)|(?:on )?each (?:gpu|card)"
STATES = r"模型状态|(?:参数|权重)、?梯度、?(?:和|与)?优化器(?:状态)?|(?<![a-z])(?:model )?states"
PARAMETERS = r"(?:参数|权重|(?<![a-z])(?:weights?|param(?:eter)?s)(?![a-z]))"
GRADIENTS = r"(?:梯度|(?<![a-z])grad(?:ient)?s?(?![a-z]))"
OPTIMIZER = r"(?:优化器(?:状态)?|(?<![a-z])(?:adamw?(?:'s)? )?optimi[sz]ers?(?:'s)?(?: states?)?(?![a-z]))"
AMOUNT = (
    r"(?:各|分别|单独|多少|多大|加起来|一共|总共|占"
    r"|(?<![a-z])(?:each|separate\w*|how (?:much|big|large)|together|in total|size|takes?|memory|vram|gi?b)(?![a-z]))"
)
SPLIT = r"[ ,、/+&和与以及跟]{1,3}(?:and |the ){0,2}"
ALL_THREE = rf"{PARAMETERS}{SPLIT}{GRADIENTS}{SPLIT}(?:优化器|optimi)"  # which are the model states
FINISHED = r"(?:能|可以|才能?)?(?:训|跑|练|微调)(?:得)?(?:完|好|出来)"
# (a pattern, the values it asks for, those its words seem to ask for)
OVERRIDES: tuple[tuple[re.Pattern[str], tuple[str, ...], frozenset[str]], ...] = tuple(
    (re.compile(pattern), names, frozenset(instead))
    for pattern, names, instead in (
        (
            rf"(?:{OF_ONE})[^,。;?]{{0,10}}(?:{STATES})|(?:{STATES}) (?:{OF_ONE})|(?:{STATES})[^,。;?]{{0,6}}(?:{OF_ONE})",
            ("model_states_per_gpu",),
            ("model_states", "memory_per_gpu", "memory_total"),
        ),
        *(
            (
                rf"^(?!.*{ALL_THREE}).*?(?:(?:{one}{SPLIT}{other}|{other}{SPLIT}{one})[^。;?]{{0,24}}{AMOUNT}"
                rf"|{AMOUNT}[^。;?]{{0,24}}(?:{one}{SPLIT}{other}|{other}{SPLIT}{one}))",
                names,
                ("memory_total", "memory_per_gpu"),
            )
            for one, other, names in (
                (GRADIENTS, OPTIMIZER, ("gradients", "optimizer_states")),
                (PARAMETERS, GRADIENTS, ("weights", "gradients")),
            )
        ),
        (
            rf"{ALL_THREE}[^。;?]{{0,18}}"
            rf"(?:各|分别|单独|多少|多大|each|separate|how (?:much|big))"
            rf"|(?:split|broken? (?:down|out)|separately|each of)[^。;?]{{0,24}}{ALL_THREE}",
            ("weights", "gradients", "optimizer_states", "model_states"),
            ("memory_total", "memory_per_gpu"),
        ),
        (
            rf"{PARAMETERS}{SPLIT}kv|(?<![a-z])kv(?:[ _-]?cache|缓存)?{SPLIT}{PARAMETERS}",
            ("weights", "kv_cache"),
            ("memory_total", "memory_per_gpu"),
        ),
        (
            r"(?<![a-z])activations (?:for|of|at|take|need|with|in)(?![a-z])"
            r"|(?:size of|how (?:big|large|much) (?:are|is)) (?:the )?activations"
            r"|激活(?:值)?(?:大概|大约)?(?:要|占|是|有|需)?多[少大]",
            ("activations",),
            ("memory_total", "memory_per_gpu"),
        ),
        (
            r"(?:不算|不含|不包括|不考虑|去掉|除去|扣掉)激活|(?:只算|光|仅|纯)(?:模型)?状态|状态(?:一共|总共|合计|总计)?(?:要|占|是|有)?多[少大]"
            r"|(?<![a-z])(?:just|only|alone) (?:for )?(?:the )?(?:model )?states|states (?:only|alone)"
            r"|(?:without|excluding|ignoring|not counting|before|minus) (?:the )?activations",
            ("model_states",),
            ("memory_total", "memory_per_gpu", "activations"),
        ),
        (
            rf"(?:几|多少)个?(?:小时|天|周|星期|月){FINISHED}|(?:多久|多长时间|什么时候){FINISHED}|{FINISHED}要(?:几|多)",
            ("training_time",),
            ("memory_total",),
        ),
        (
            r"(?:放|开|跑|撑|存|装|留|支持)(?:得)?(?:下|到|住|出)?(?:多长|多大|多少)的?(?:上下文|context|序列)|多长的?(?:上下文|context)"
            r"|(?<![a-z])how (?:long|much|big|large) (?:of )?(?:an? ?)?context"
            r"|(?:what|which|how long) (?:a )?context (?:length |size |window )?(?:fits|can|will|could|is possible|do(?![a-z]))",
            ("max_context_len",),
            ("weights", "kv_cache", "memory_total", "memory_per_gpu", "training_time"),
        ),
        (
            r"写(?:到|入|进)[^,。;?]{0,20}(?:多久|多长时间|几秒|几分钟|多少(?:秒|分钟))",
            ("checkpoint_size", "write_time"),
            ("memory_total", "training_time"),
        ),
        (
            r"(?<![\d.a-z])\d{1,4} (?:\w{1,12} ){0,2}(?:checkpoints|ckpts)[^?]{0,60}how (?:many|much|big|large)"
            r"|how (?:many|much|big|large)[^?]{0,32}(?<![\d.a-z])\d{1,4} (?:\w{1,12} ){0,2}(?:checkpoints|ckpts)",
            ("checkpoint_size",),
            ("memory_total", "model_states", "storage"),
        ),
        (  # one of the two silences the other, unless both are asked for
            r"(?<![a-z])kv(?: ?cache)?(?![a-z])[^.;?]{0,48}(?:(?:and|plus|,) (?:[a-z]{1,5} ){0,4}total|total (?:gpu )?(?:memory|vram))"
            r"|(?:kv|缓存)[^。;?]{0,16}[和与及,，、][^。;?]{0,8}(?:总显存|显存总|总共|一共|合计|总的?(?:是|要)?多少)",
            ("memory_total",),
            (),
        ),
        (r"(?<![a-z])ram (?:bill|budget|footprint|costs?)(?![a-z])", ("host_ram",), ("cost", "memory_total")),
        (
            r"how few(?: of (?:them|those|these))?(?: (?:gpus?|cards?))?(?: (?:can|could|do|would|will))|fewest (?:gpus?|cards?)",
            ("gpu_count",),
            (),
        ),
        (
            r"(?:what'?s|what is) (?:the |my )?dp(?![a-z])|(?<![a-z])dp\s?(?:应该|该)?(?:是|为|等于|取|设)(?:多少|几)",
            ("dp_size",),
            (),
        ),
        (
            r"(?:vram|(?<![a-z])memory|显存)[^,。;?]{0,32}(?<![a-z])costs?(?![a-z])|(?<![a-z])costs?(?![a-z])[^,。;?]{0,12}(?:vram|memory|显存)",
            ("memory_total",),
            ("cost",),
        ),
    )
)


def overridden(wanted: list[str], clause: str) -> list[str]:
    """The values asked for, where the clause says more closely which."""
    for pattern, names, instead in OVERRIDES:
        if pattern.search(clause):
            wanted = [*(n for n in wanted if n not in instead and n not in names), *names]
    return wanted
