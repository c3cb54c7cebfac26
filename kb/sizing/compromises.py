"""What is left to a machine that takes no more cards, where no change that keeps the job makes it fit: fewer bits, shorter sequences,
host memory, a larger card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kb.sizing import changes as changing
from kb.sizing.case import Case
from kb.sizing.defaults import per_node
from kb.sizing.fit import Fit
from kb.sizing.plans import host, serving
from kb.sizing.show import amount, shown
from kb.types.specs import Bilingual
from kb.types.units import from_base

FARTHEST = 32  # times the GPUs that there are: more of them are no advice
SHORTEST = 512  # tokens of a sequence that is still worth training on
MOST_RAM = 256e9  # bytes of host memory that are advised
SPARED: dict[str, Any] = {"micro_batch": 1, "recompute": "full"}
QLORA: dict[str, Any] = {"workload": "qlora", "quantization": None}
GGUF_STEPS = ("q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k")
GGUF, GGUF_USUAL = ("q", "iq"), "q4_k_m"  # formats of the engine that splits layers with the host
FEWER_BITS = (
    ("q3_k_m", Bilingual("3-bit weights in GGUF (Q3_K_M)", "权重用 3 位 GGUF（Q3_K_M）")),
    (
        "q2_k",
        Bilingual("2-bit weights in GGUF (Q2_K), at a clear loss of quality,", "权重用 2 位 GGUF（Q2_K，质量明显下降）"),
    ),
)


def most_cards(case: Case) -> int:
    """GPUs of the kind that may be advised: what one machine takes of cards that desktops have, else many times those there are."""
    return max(case.gpu_count, per_node(case)) if case.chip and case.chip.personal else FARTHEST * case.gpu_count


def compromises(tried: Fit, sizes: Callable[[], Sequence[float]]) -> Iterator[Bilingual]:
    """What may be done instead; `sizes` are memory sizes, in bytes, of the cards there are."""
    yield from _shorter(tried) if tried.case.training else _fewer_bits(tried)
    yield from _states_on_host(tried) if tried.case.training else _layers_on_host(tried)
    yield from _larger(tried, sizes())


def fewer_bits(tried: Fit) -> Iterator[Bilingual]:
    """The most bits a weight with which GPUs and the host's memory together hold a running model, with room to spare."""
    case = tried.case
    assert tried.available is not None
    available, room = tried.available, case.field("host_ram_gb").value * case.constant("fits.below").value
    for format in GGUF_STEPS:
        after = changing.changed(tried, {"quantization": format})
        if after is None or after.available is None or after.found.whole["weights"].value >= tried.found.whole["weights"].value:
            continue
        left = (after.found.per_gpu.value - after.available.value) * case.gpu_count
        if left <= room:
            weights, on_host = (amount(*shown(v, "B")) for v in (after.found.whole["weights"].value, max(left, 0.0)))
            yield Bilingual(
                f"With {format.upper()} weights, {weights}, GPUs and host memory hold it together: {on_host} are left to host memory.",
                f"权重改用 {format.upper()}（{weights}）后，显卡与内存合起来放得下：其中 {on_host} 放在内存里。",
            )
            return
    held = amount(
        *shown((tried.found.per_gpu.value - available.value) * case.gpu_count / case.constant("fits.below").value, "B")
    )
    yield Bilingual(f"Beside the GPUs it takes about {held} of RAM.", f"除显卡外约需 {held} 内存。")


def _fewer_bits(tried: Fit) -> Iterator[Bilingual]:
    for quantization, words in FEWER_BITS:
        after = changing.changed(tried, {"quantization": quantization})
        if after and after.ratio <= 1:
            yield changing.option(words, after)
            return


def _shorter(tried: Fit) -> Iterator[Bilingual]:
    """The longest half, quarter and so on of a sequence that fits, with adapters on four bits where the run may be one of tuning."""
    r = tried.case.request
    method = QLORA if r.workload != "pretrain" or not r.tokens else {}
    length = (r.seq_len or 0) // 2
    while length >= SHORTEST:
        after = changing.changed(tried, {**SPARED, **method, "seq_len": length})
        if after and after.ratio <= 1:
            words = Bilingual(f"sequences of {length} tokens", f"序列缩短到 {length} 个 token")
            with_method = Bilingual(f"QLoRA on {words.en}", f"改用 QLoRA 并把{words.zh}")
            yield changing.option(with_method if method and r.workload != "qlora" else words, after)
            return
        length //= 2


def _may_offload(tried: Fit) -> bool:
    """Whether there is a host memory beside that of the GPU, and nobody said to leave it alone."""
    case = tried.case
    return case.asked.offload != "none" and not (case.chip and case.chip.unified)


def _layers_on_host(tried: Fit) -> Iterator[Bilingual]:
    """Four-bit weights, some layers of which stay in host memory."""
    said = tried.case.request.quantization or ""
    format = said if said.startswith(GGUF) else GGUF_USUAL
    after = changing.changed(tried, {"quantization": format, "offload": "cpu", "engine": None}) if _may_offload(tried) else None
    if after is None or after.available is None or after.case.shape is None:
        return
    found = serving.partial(after.case, after.found, after.available)
    layers, left, every = int(found["gpu_layers"].value), found["host_ram"].value, round(after.case.shape["layers"].value)
    if layers and 0 < left <= MOST_RAM:
        ram, engine = amount(*shown(left, "B")), after.case.request.engine
        yield Bilingual(
            f"With {format.upper()} weights {engine} keeps {layers} of {every} layers on the GPU and the others in {ram} of host memory: "
            "it runs, slowly.",
            f"权重用 {format.upper()} 时，{engine} 可把 {every} 层中的 {layers} 层放在显卡上，其余占主机内存 {ram}：能跑，但慢。",
        )


def _states_on_host(tried: Fit) -> Iterator[Bilingual]:
    """Gradients and optimizer states of a full model in host memory."""
    after = None if tried.case.adapted or not _may_offload(tried) else changing.changed(tried, {**SPARED, "offload": "cpu"})
    if after is None or after.ratio > 1:
        return
    ram = host.offloaded(after.case, after.found.whole["model_states"])["host_ram"].value
    if ram <= MOST_RAM:
        held = amount(*shown(ram, "B"))
        yield changing.option(
            Bilingual(
                f"gradients and optimizer states in {held} of host memory, slowly,",
                f"梯度与优化器状态放进 {held} 主机内存（慢）",
            ),
            after,
        )


def _larger(tried: Fit, sizes: Sequence[float]) -> Iterator[Bilingual]:
    """The least memory of a card that holds the job in four bits, or as it was asked for where it may not be so."""
    r = tried.case.request
    open_method = tried.case.training and r.workload != "qlora" and (r.workload != "pretrain" or not r.tokens)
    four_bits, asked = Bilingual("with 4-bit weights", "并以 4 位权重"), Bilingual("as it is", "则原样")
    after, words = None, asked
    if open_method:
        after, words = changing.changed(tried, {**SPARED, **QLORA}), Bilingual("with QLoRA", "并改用 QLoRA ")
    elif not tried.case.training and r.quantization not in changing.FOUR_BITS:
        after, words = changing.changed(tried, {"quantization": GGUF_USUAL}), four_bits
    after, words = (after, words) if after else (tried, asked)
    capacity = tried.case.chip.get("memory") if tried.case.chip else None
    if capacity is None or after.available is None:
        return
    least = min((s for s in sizes if s * after.available.value / capacity.value >= after.found.per_gpu.value), default=None)
    if least is not None:
        n, memory = tried.case.gpu_count, f"{from_base(least, 'GB'):g} GB"
        cards = Bilingual(f"{n} GPUs with {memory} each", f"{n} 张 {memory} 的显卡")
        cards = cards if n > 1 else Bilingual(f"One GPU with {memory}", f"一张 {memory} 的显卡")
        yield Bilingual(f"{cards.en} would hold it {words.en}.", f"换成{cards.zh}{words.zh}可以放下。")
