"""What is said of one sizing beside its figures, in both languages."""

from __future__ import annotations

EN = {
    "adapter_file": "The adapter file takes {half} in BF16 or {single} in FP32, as PEFT writes it by default: rank {rank} on {where}, "
    "{count} parameters.",
    "own_bytes": "Model states per GPU by the bytes of the question: {low}, that is {first}.",
    "own_bytes:range": "Model states per GPU by the bytes of the question: {low} to {high}, that is {first} to {last}.",
    "own_bytes:sum": "{count} × ({whole} B + {shared} B / {shards})",
    "class:asked": "A card of {size}: {what} takes about {need} on one card, and the upper end of that fits in the {have} usable there.",
    "class:then": "So a card of {size}: the upper end of that fits in the {have} usable there.",
    "class:none": "{what} takes about {need}: no single card holds the upper end of that.",
    "class:smaller": "One of {size} holds the estimate itself, but not the upper end.",
    "class:priced": "{name} ({price})",
    "class:cards": "On file of that size, by launch price: {list}.",
    "class:names": "On file of that size: {list}.",
    "class:cheapest": "The cheapest on file that hold it, by launch price: {list}.",
    "no_bf16": "{gpu} has no BF16, so FP16 is taken, of the same size.",
    "no_bf16:said": "{gpu} has no BF16: use FP16, of the same size.",
    "only_stored": "{gpu} has no {format} units: an engine can only keep the weights in {format} and compute in half precision, or they are "
    "converted, {weights} in all.",
    "condition_left": "On condition that nothing else takes memory there ({share} % of what is usable is taken): {left} per GPU are left, room "
    "for about {tokens} more tokens of KV cache, context times requests.",
    "takes_times:many": "{label}: {ratio} times as much with {rich} as with {lean}.",
    "largest": "{how}{cards}: models of up to about {value} parameters.",
    "largest:in": "{what} in {format}",
    "largest:on": " on {count} × {gpu}",
    "claimed:too_low:seen": "You are right, the {figure} of the question is too low: {what} takes about {need}.",
    "claimed:too_high:seen": "You are right, the {figure} of the question is more than is needed: {what} takes about {need}.",
    "targets:all": "all linear layers",
    "targets:attention": "all attention projections",
    "targets:mlp": "the feed-forward block",
    "targets:modules": "{list}",
}

ZH = {
    "adapter_file": "适配器文件按 BF16 为 {half}，按 FP32（PEFT 默认这样保存）为 {single}：秩 {rank}，加在{where}上，共 {count} 个参数。",
    "own_bytes": "按题中的字节数，每卡模型状态为 {low}，即 {first}。",
    "own_bytes:range": "按题中的字节数，每卡模型状态为 {low} 至 {high}，即 {first} 至 {last}。",
    "own_bytes:sum": "{count} × ({whole} B + {shared} B / {shards})",
    "class:asked": "要 {size} 的卡：{what}单卡约需 {need}，区间上限也放得进这种卡可用的 {have}。",
    "class:then": "因此要 {size} 的卡：区间上限也放得进这种卡可用的 {have}。",
    "class:none": "{what}约需 {need}，区间上限没有一张卡放得下。",
    "class:smaller": "{size} 的卡放得下估计值本身，放不下区间上限。",
    "class:priced": "{name}（{price}）",
    "class:cards": "在案的这种卡，按首发价：{list}。",
    "class:names": "在案的这种卡：{list}。",
    "class:cheapest": "在案放得下的卡中首发价最低的：{list}。",
    "no_bf16": "{gpu} 不支持 BF16，因此按大小相同的 FP16 计。",
    "no_bf16:said": "{gpu} 不支持 BF16，请改用大小相同的 FP16。",
    "only_stored": "{gpu} 不支持 {format} 计算：引擎只能以 {format} 存放权重、按半精度计算，或者先转成半精度权重，共 {weights}。",
    "condition_left": "条件：卡上没有其他占用（已占可用显存的 {share} %）；每卡还剩 {left}，约可再放 {tokens} 个 token 的 KV 缓存（上下文乘以并发）。",
    "takes_times:many": "{label}：{rich} 是 {lean} 的 {ratio} 倍。",
    "largest": "{cards}{how}：最大约 {value} 参数的模型。",
    "largest:in": "用 {format} {what}",
    "largest:on": "{count} 张 {gpu} 上",
    "claimed:too_low:seen": "您是对的，题中的 {figure} 偏低：{what}约需 {need}。",
    "claimed:too_high:seen": "您是对的，题中的 {figure} 偏高：{what}约需 {need}。",
    "targets:all": "所有线性层",
    "targets:attention": "注意力各投影",
    "targets:mlp": "前馈网络",
    "targets:modules": " {list} ",
}
