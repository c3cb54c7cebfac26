"""Time of steps and idle time of pipelines."""

from __future__ import annotations

import re

from kb.understanding.sums.figures import NUM, SEC, Slots, Sum, first

STEP = r"(?:optimi[sz]er |training |gradient )?(?:steps?|iterations?|iters?)(?![a-z])"
EACH_STEP = re.compile(
    rf"(?<![a-z])(?:step|iteration) (?:time|duration|takes?)(?: of| is|:| about)*\s?{NUM}\s?{SEC}|"
    rf"(?<![\d.a-z]){NUM}\s?{SEC}\s?(?:/|per |an? |each |every )\s?(?:step|it(?:er(?:ation)?)?)(?![a-z])"
    rf"|(?:each|every|one|a|per) (?:step|iteration|iter)(?: takes?| needs?| is|:|,| of)*(?: about| around| roughly)? {NUM}\s?{SEC}"
    rf"|(?<![a-z]){STEP},? (?:a|at|of|with|taking|@|x|×|each|,)(?: (?:a|at|about|each))? ?{NUM}\s?{SEC}"
    rf"|(?:每一?步|单步|一步)(?:耗时|用时|要|需要?|大概|大约|约|时间|是|花)*\s?{NUM}\s?(?:秒|s(?![a-z]))"
    rf"|{NUM}\s?(?:秒|s)\s?(?:/|每|一)\s?步"
)
STEPS_A_SECOND = re.compile(
    rf"(?<![\d.a-z]){NUM}\s?(?:it|iters?|iterations?|steps?)\s?(?:/|per )\s?{SEC}|每秒\s?{NUM}\s?步|{NUM}\s?步\s?(?:/|每)\s?秒"
)
STEPS = re.compile(
    rf"(?<![\d.a-z/]){NUM}\s?(?:more |total )?{STEP}(?!\s?(?:/|per) ?s(?:ec|[^a-z]|$))|(?:max[_ ]steps|steps)\s?[=:]\s?{NUM}"
    rf"|{NUM}\s?(?:个)?步(?!\s?[/每])"
)
DONE = re.compile(  # of so many steps: step 1200/20000, 第 1200/20000 步
    rf"(?:{STEP}|(?<![a-z])(?:global_)?steps?|第)[ :#]{{0,2}}(?P<done>\d{{1,7}})\s?(?:/|of|out of)\s?(?P<all>\d{{2,8}})(?![\d.])"
    rf"|(?<![\d./])(?P<done2>\d{{1,7}})\s?/\s?(?P<all2>\d{{2,8}})(?![\d./])"
    rf"(?=[^;?。]{{0,40}}(?:{SEC}\s?/\s?(?:it|step)|秒\s?/\s?步))"
)
SAMPLES = re.compile(
    rf"(?<![\d.a-z]){NUM}\s?(?:training |sft |instruction )?(?:samples|examples|rows|sequences|conversations|pairs|prompts)(?![a-z])"
    rf"|{NUM}\s?(?:条|个|组)\s?(?:训练)?(?:样本|数据|对话|问答)"
)
EPOCHS = re.compile(rf"(?<![\d.a-z]){NUM}\s?(?:个\s?)?(?:epochs?(?![a-z])|轮|遍)|epochs?\s?[=:]?\s?{NUM}")
BATCH = re.compile(
    rf"(?:global[ _-]?batch(?:[ _-]?size)?|effective batch(?: size)?|total batch(?: size)?|(?<![a-z])gbs|全局批(?:次|量|大小)?"
    rf"|总批(?:次|大小)?)(?: of| is|是|为|[=:])?\s?{NUM}"
)
PLAIN_BATCH = re.compile(
    rf"(?<![a-z])(?:micro[ _-]?)?(?:batch(?:[ _-]size)?|bsz?|mbs)(?: of| is|[=: ])?\s?{NUM}|批(?:次)?(?:大小)?(?:是|为|[=:])?\s?{NUM}"
)
ACCUMULATED = re.compile(
    rf"(?:grad(?:ient)?[ _-]?accum\w*(?:[ _-]steps)?|(?<![a-z])ga|梯度累[积加](?:步数)?)(?: of| is|是|为|[=: x×])*\s?{NUM}"
)
INSTEAD = re.compile(
    r"(?P<new>\d{1,5})\s?(?:x )?(?:nodes?|gpus?|cards?|servers?|machines?)? ?(?:instead of|rather than|not) (?:just )?(?P<old>\d{1,5})"
    r"|(?:从|由)\s?(?P<old2>\d{1,5})\s?(?:台|张|卡|个?节点)\S{0,4}?(?:换成|改成|改为|加到|增加到|到)\s?(?P<new2>\d{1,5})\s?(?:台|张|卡|个?节点)"
)


def _batch(low: str, slots: Slots) -> float | None:
    """Sequences of a step: as said of all, or of a device, so often gathered, on every GPU."""
    if whole := first(BATCH, low) or slots.get("global_batch"):
        return float(whole)
    one, gathered = first(PLAIN_BATCH, ACCUMULATED.sub(" ", low)), first(ACCUMULATED, low) or slots.get("gradient_accumulation")
    if one is None or not gathered:
        return one
    return one * float(gathered) * (slots.get("data_parallel") or slots.get("gpu_count") or 1)


def _scaled(low: str, slots: Slots) -> Sum | None:
    """A step that was told before, on another number of the machines."""
    changed = INSTEAD.search(low)
    if not changed or not slots.get("step_seconds"):
        return None
    new, old = (float(changed[f"{n}"] or changed[f"{n}2"]) for n in ("new", "old"))
    if not new or not old:
        return None
    each = float(slots["step_seconds"]) * old / new
    return Sum(("training_time",), {"step_seconds": each, "scaled": f"{new / old:g}"}, frozenset({"nodes", "gpu_count"}))


def of_steps(low: str, slots: Slots) -> Sum | None:
    if scaled := _scaled(low, slots):
        return scaled
    each, rate = first(EACH_STEP, low), first(STEPS_A_SECOND, low)
    if each is None and rate:
        each = 1 / rate
    if not each:
        return None
    rest = EACH_STEP.sub(lambda m: "steps" if STEPS.search(m.group()) is None else m.group(), low)
    said = {"step_seconds": each}
    steps, samples, batch = first(STEPS, STEPS_A_SECOND.sub(" ", rest)), first(SAMPLES, low), _batch(low, slots)
    if done := DONE.search(low):
        left = float(done["all"] or done["all2"]) - float(done["done"] or done["done2"])
        steps = left if left > 1 else steps
    if steps and steps > 1:
        said["steps"] = steps
    elif samples and batch:
        said |= {"samples": samples, "global_batch": int(batch), "epochs": first(EPOCHS, low) or 1.0}
    elif tokens := slots.get("global_batch_tokens"):
        return Sum((), {"tokens_per_second": tokens / each}, frozenset({"seconds"}))  # how fast it is, by a step
    else:
        return None
    unread = {
        "tokens",
        "seconds",
        "seq_len",
        "micro_batch",
        "samples_per_second",
        "every_steps",
        "copies",
        "context_len",
        "tokens_per_second",
    }
    unread |= {"concurrency", "workloads", "gradient_accumulation", "days", "hours"} | (
        {"global_batch"} if "steps" in said else set()
    )
    return Sum(("training_time", *(("optimizer_steps",) if samples and "steps" not in said else ())), said, frozenset(unread))


BUBBLE = re.compile(r"(?<![a-z])bubbles?(?![a-z])|气泡|空泡")
STAGES = re.compile(
    rf"(?<![\d.a-z]){NUM}[ -]?(?:pipeline |pp )?stages?(?![a-z])|(?<![a-z])(?:pp|p"
    rf"|pipeline[ _-]?parallel(?:ism)?(?: size)?)\s?[=: ]\s?{NUM}"
    rf"|{NUM}\s?(?:级|段|个阶段|阶段)(?!虚拟)|(?<![a-z]){NUM}[ -]?way pp"
)
NAMED_MICRO = re.compile(rf"(?:num[_ ])?micro[ _-]?batch(?:es)?\s?[=:]\s?{NUM}|(?<![a-z])m\s?=\s?{NUM}")
MICRO = re.compile(
    rf"(?<![\d.a-z=]){NUM}\s?(?:个|份)?\s?(?:micro[ _-]?batch(?:es)?|微批次?)"
    rf"|(?:num[_ ])?micro[ _-]?batch(?:es)?(?: 数(?:量)?)?\s?(?:of|is|are|[=:为是])?\s?{NUM}"
    rf"|(?<![a-z])m\s?=\s?{NUM}|微批次?(?:数量?|个数)?\s?[=:为是]?\s?{NUM}"
)
CHUNKS = re.compile(
    rf"(?:(?<![a-z])(?:interleav\w*(?: (?:factor|degree|of|by|with))?|v|vpp|virtual(?: pipeline)?(?: (?:stages?|size|degree))?"
    rf"|model chunks))\s?[=: ]\s?{NUM}"
    rf"|(?<![\d.a-z]){NUM}\s?(?:virtual (?:pipeline )?(?:stages?|chunks?)|(?:model )?chunks|[x×] interleav\w*)"
    rf"|{NUM}\s?个?(?:虚拟(?:阶段|流水线|段|级)?|模型块)|虚拟(?:阶段|流水线|段|级)(?:数)?\s?[=:为是]?\s?{NUM}|交错(?:度|数)?\s?[=:为是]?\s?{NUM}"
)


def of_a_bubble(low: str, slots: Slots) -> Sum | None:
    chunks = first(CHUNKS, low)
    if not BUBBLE.search(low) and not (chunks and slots.get("micro_batches")):
        return None
    rest = CHUNKS.sub(" ", low)
    micro = first(NAMED_MICRO, rest) or first(MICRO, rest) or slots.get("micro_batches")
    stages = first(STAGES, MICRO.sub(" ", NAMED_MICRO.sub(" ", rest))) or slots.get("pipeline_parallel")
    if not stages or not micro:
        return None
    said = {"pipeline_parallel": int(stages), "micro_batches": int(micro)} | ({"virtual_stages": int(chunks)} if chunks else {})
    return Sum(("pipeline_bubble",), said, frozenset({"micro_batch", "virtual_stages"}))
