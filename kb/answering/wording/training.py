"""What runs of training, and jobs that are sized beside their host, are told by, in both languages."""

from __future__ import annotations

EN = {
    "mfu_of_run": "MFU: {inside} inside a step, {whole} over the whole run, of whose time restarts, evaluation and checkpoints take {share}.",
    "mfu_of_run:pause": "MFU: {inside} inside a step, {whole} over the whole run, whose time includes {pause} between steps (data, logging, "
    "synchronization) and {share} for restarts, evaluation and checkpoints.",
}

ZH = {
    "mfu_of_run": "MFU：步内 {inside}，按整段训练折算 {whole}：训练时间的 {share} 用于重启、评测与检查点。",
    "mfu_of_run:pause": "MFU：步内 {inside}，按整段训练折算 {whole}：训练时间还包括每步之间 {pause} 的停顿（读数据、记录、同步），"
    "以及占 {share} 的重启、评测与检查点。",
}
