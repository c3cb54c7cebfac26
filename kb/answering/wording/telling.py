"""What is said of one sizing beside its figures, in both languages."""

from __future__ import annotations

EN = {
    "adapter_file": "The adapter file takes {half} in BF16 or {single} in FP32, as PEFT writes it by default: rank {rank} on {where}, "
    "{count} parameters.",
    "own_bytes": "Model states per GPU by the bytes of the question: {low}, that is {first}.",
    "own_bytes:range": "Model states per GPU by the bytes of the question: {low} to {high}, that is {first} to {last}.",
    "own_bytes:sum": "{count} × ({whole} B + {shared} B / {shards})",
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
