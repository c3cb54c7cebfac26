"""What runs of training, and jobs that are sized beside their host, are told by, in both languages."""

from __future__ import annotations

EN = {
    "reference:base": "none of its own (the frozen base without the adapters is the reference)",
    "block_of_logits:twice": "The block of {asked} is most probably the logits, in FP32 with a copy of them or their gradient: {tokens} tokens × "
    "{vocabulary} entries of the vocabulary × {width} bytes = {size} (or twice the tokens with one copy); a fused or chunked cross-entropy "
    "does not make it, and shorter sequences shrink it.",
    "block_of_logits:nearly": "The block of {asked} is most probably the logits, of about {tokens} tokens where {said} were said: at {width} bytes "
    "for each of the {vocabulary} entries of the vocabulary; a fused or chunked cross-entropy does not make it, and shorter sequences shrink it.",
    "offloaded:fits": "Yes, with offloading: {moved} go to host memory, where they take {states}, {share} of the {there} of RAM; {what} then "
    "needs about {need} per GPU, and {gpu} offers {have}; without offloading it would be {plain}.",
    "offloaded:drives": "Yes, with offloading to NVMe: {moved} go on to the drives, where they take {states} of {there}; {what} then needs "
    "about {need} per GPU, and {gpu} offers {have}; without offloading it would be {plain}; drives are slower still than RAM.",
    "offloaded:short": "No: without offloading {what} needs {plain} per GPU, and {gpu} offers {have}; with offloading it needs only {need} "
    "there, but {moved} take {states} of host memory, and only {there} are there.",
    "offloaded:wants": "With about {buffers} of RAM, DeepSpeed's estimate with buffers, it would run so, considerably slower.",
    "offloaded:crowded": "No: even with {moved} offloaded, {what} needs about {need} per GPU, and {gpu} offers {have}; without "
    "offloading it would be {plain}.",
    "offloaded:slow": "It runs considerably slower: every step passes over PCIe and is updated by the CPU.",
    "offloaded:buffers": "With its buffers DeepSpeed wants about {buffers} of RAM, more than is there, and it runs considerably slower: every "
    "step passes over PCIe and is updated by the CPU.",
    "moved:states": "gradients and optimizer states",
    "moved:all": "weights, gradients and optimizer states",
    "moved:frozen": "the frozen weights and the adapters",
    "count_split": "Each sequence has to be split over {ranks} of them (context or sequence parallelism): sharding over more cards alone "
    "does not help, since one sequence does not fit on one card.",
    "count_or_split": "With each sequence split over {ranks} cards (context or sequence parallelism) {count} hold it.",
    "by_experience": "Your job of before needed {then} where the same calculation gives {computed}; if memory was why, plan for {count}.",
    "count_none": "No number of {gpu} holds it: what every card needs for itself, {fixed}, is more than the {have} it offers, "
    "and further cards do not take any of that.",
    "host:enough": "{there} of RAM are enough as well: nothing need be offloaded, and as much as the cards have, {usual}, will do.",
    "host:less": "{there} of RAM are less than the {usual} that are usual, as much as the cards have; nothing need be offloaded.",
    "mfu_of_run": "MFU: {inside} inside a step, {whole} over the whole run, of whose time restarts, evaluation and checkpoints take {share}.",
    "mfu_of_run:pause": "MFU: {inside} inside a step, {whole} over the whole run, whose time includes {pause} between steps (data, logging, "
    "synchronization) and {share} for restarts, evaluation and checkpoints.",
}

ZH = {
    "reference:base": "无需单独一份（不加适配器的冻结基座就是参考模型）",
    "block_of_logits:twice": "那块 {asked} 多半是 FP32 的 logits 连同一份副本或梯度：{tokens} 个 token × 词表 {vocabulary} 项 × {width} 字节 = {size}"
    "（或者只有一份而 token 数多一倍），融合或分块的交叉熵不会生成这块，缩短序列可按比例减小。",
    "block_of_logits:nearly": "那块 {asked} 多半是 logits，约 {tokens} 个 token（题中为 {said} 个）：按词表 {vocabulary} 项、每项 {width} 字节计，"
    "融合或分块的交叉熵不会生成这块，缩短序列可按比例减小。",
    "offloaded:fits": "可以，但要卸载：把{moved}放到内存，占 {states}，为 {there} 内存的 {share}，此时{what}每卡约需 {need}，{gpu} 每卡可用 {have}，"
    "不卸载则每卡要 {plain}。",
    "offloaded:drives": "可以，但要卸载到 NVMe：把{moved}放到 NVMe，占 {states}，现有 {there}，此时{what}每卡约需 {need}，{gpu} 每卡可用 {have}，"
    "不卸载则每卡要 {plain}，比卸载到内存更慢。",
    "offloaded:short": "不够：不卸载时{what}每卡要 {plain}，{gpu} 每卡可用 {have}，卸载后每卡只要 {need}，但{moved}要占内存 {states}，而内存只有 {there}。",
    "offloaded:wants": "内存加到约 {buffers}（DeepSpeed 的估算，含缓冲）就可以这样训练，但明显更慢。",
    "offloaded:crowded": "不够：即使把{moved}卸载到内存，{what}每卡仍约需 {need}，{gpu} 每卡可用 {have}，不卸载则每卡要 {plain}。",
    "offloaded:slow": "训练会明显变慢：每步都要经 PCIe 传输并由 CPU 更新。",
    "offloaded:buffers": "内存连同缓冲约要 {buffers}（DeepSpeed 的估算），比现有的多，训练会明显变慢：每步都要经 PCIe 传输并由 CPU 更新。",
    "moved:states": "梯度和优化器状态",
    "moved:all": "权重、梯度和优化器状态",
    "moved:frozen": "冻结的权重和适配器",
    "count_split": "每条序列要分到其中 {ranks} 张卡上（上下文并行、序列并行）：单卡放不下一条序列，只靠分片加卡没有用。",
    "count_or_split": "把每条序列分到 {ranks} 张卡上（上下文并行、序列并行），则 {count} 张就放得下。",
    "by_experience": "您之前的任务需要 {then} 张，而同样的算法只要 {computed} 张，如果那是显存所需，按此比例应准备 {count} 张。",
    "count_none": "{gpu} 多少张都放不下：每张卡自身就要 {fixed}（激活等），超过每卡可用的 {have}，加卡分不走这部分。",
    "host:enough": "{there} 内存也够：用不着卸载，内存不小于显存合计（{usual}）即可。",
    "host:less": "{there} 内存偏小：通常不小于显存合计（{usual}），不过用不着卸载。",
    "mfu_of_run": "MFU：步内 {inside}，按整段训练折算 {whole}：训练时间的 {share} 用于重启、评测与检查点。",
    "mfu_of_run:pause": "MFU：步内 {inside}，按整段训练折算 {whole}：训练时间还包括每步之间 {pause} 的停顿（读数据、记录、同步），"
    "以及占 {share} 的重启、评测与检查点。",
}
