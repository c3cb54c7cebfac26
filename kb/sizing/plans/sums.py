"""One line of arithmetic over figures that are said: time of steps, parts of the memory, files and rates, air, what fits beside."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kb.sizing.case import Case
from kb.sizing.defaults import laid_out
from kb.sizing.plans.offered import usable
from kb.sizing.plans.serving import footprint
from kb.sizing.plans.stated import format_of, stated
from kb.sizing.plans.training import adapter_parameters
from kb.sizing.rules import activations, cluster, memory, serving, step, storage
from kb.types.derivation import Given, Node

Steps = Mapping[str, Node]
WIDE = "fp32"


def steps_time(case: Case) -> dict[str, Node]:
    """What the optimizer steps take that are said, or that samples, epochs and a batch come to, at the time of one that was measured."""
    r = case.request
    if r.step_seconds is None:
        return {}
    steps = _steps(case)
    if steps is None:
        return {}
    return {"optimizer_steps": steps, "training_time": step.time_of_steps(steps=steps, each=case.field("step_seconds"))}


def _steps(case: Case) -> Node | None:
    r = case.request
    if r.steps is not None:
        return case.field("steps")
    if r.samples is None or r.global_batch is None:
        return None
    epochs = case.field("epochs") if r.epochs is not None else Given("epochs", 1.0, "1")
    return step.steps_of_samples(samples=case.field("samples"), epochs=epochs, batch=case.field("global_batch"))


def _trained(case: Case) -> Node | None:
    return case.shape["parameters"] if case.shape is not None and case.shape.known("parameters") else None


def _moments(case: Case, steps: Steps) -> dict[str, Node]:
    trained, optimizer = _trained(case), case.request.optimizer or "adamw"
    if trained is None:
        return {}
    kind = "adamw_8bit" if optimizer == "adamw_8bit" else "pure_bf16" if case.request.precision == "pure_bf16" else "wide"
    element = case.constant(f"moment_element.{kind}")
    return {"moments": memory.moments(trained=trained, moments=case.constant(f"moments.{optimizer}"), element=element)}


def _master(case: Case, steps: Steps) -> dict[str, Node]:
    trained = _trained(case)
    return {"master_weights": memory.master(trained=trained, element=case.constant("master.bf16"))} if trained else {}


def _embedding(case: Case, steps: Steps) -> dict[str, Node]:
    """The table that turns tokens into vectors, alone: the output layer is another of the same size unless they are tied."""
    if case.shape is None or not case.shape.known("vocab", "hidden"):
        return {}
    element = case.constant(f"weight_element.{format_of(case) or 'bf16'}")
    return {"embedding_table": memory.weights(parameters=case.shape["input_embedding"], element=element)}


def _logits(case: Case, steps: Steps) -> dict[str, Node]:
    """One copy in the format that is said, else in 32 bits, and what a plain loss keeps of them at its peak, or a fused one."""
    r = case.request
    length, said = r.seq_len or r.context_len, format_of(case)
    vocab: Node | None = case.shape["vocab"] if case.shape is not None and case.shape.known("vocab") else None
    if r.vocabulary is not None:
        vocab = case.field("vocabulary")
    if vocab is None or length is None:
        return {}
    sequences = Given("micro_batch", float(r.micro_batch or r.concurrency or 1), "1")
    tokens = activations.tokens(sequences=sequences, length=Given("seq_len", float(length), "1"))
    one = Given("tensor_parallel", 1.0, "1")
    element = case.constant(f"weight_element.{said if said in ('bf16', 'fp16', WIDE) else WIDE}")
    out: dict[str, Node] = {"logits_once": activations.logits_once(tokens=tokens, vocab=vocab, element=element)}
    for name, loss in (("logits_in_all", "plain"), ("logits_fused", "fused")):
        kept = case.constant(f"logits_kept.{loss}")
        out[name] = activations.logits(tokens=tokens, vocab=vocab, kept=kept, tensor_parallel=one, context_parallel=one)
    return out


def _adapters(case: Case, steps: Steps) -> dict[str, Node]:
    """LoRA adapters, in 16 bits, beside a model that runs and the cache of its requests."""
    if case.shape is None or case.training or "adapter" in steps:
        return {}
    placed = case if case.request.tensor_parallel else laid_out(case, case.gpu_count)
    rank, targets = case.request.lora_rank, case.request.lora_targets
    usual = case.assumptions.choices["default.lora_targets_moe" if case.shape.is_moe else "default.lora_targets"].value
    rank = rank or int(case.constant("default.lora_rank").value)
    available, found = usable(placed), footprint(placed)
    if available is None:
        return {}
    sized = placed.but(lora_rank=rank, lora_targets=targets or usual)
    adapter = memory.weights(parameters=adapter_parameters(sized), element=case.constant("weight_element.bf16"))
    free = serving.free(
        available=available,
        weights=found.parts["weights"],
        activations=found.parts["activations"],
        overhead=found.parts["overhead"],
    )
    many = serving.adapters_beside(free=free, kv_cache=found.parts["kv_cache"], adapter=adapter)
    return {"adapter": adapter, "max_adapters": many} if many.value >= 0 else {}


def _host_cache(case: Case, steps: Steps) -> dict[str, Node]:
    per_token = steps.get("kv_cache_per_token")
    if per_token is None or case.request.host_ram_gb is None:
        return {}
    tokens = serving.tokens_on_host(memory=case.field("host_ram_gb"), kv_per_token=per_token)
    return {"host_cache_tokens": tokens, "kv_cache_per_token": per_token}


def _files(case: Case, steps: Steps) -> dict[str, Node]:
    """What so many files of one size take on disk."""
    if case.request.items is None or case.request.size_gb is None:
        return {}
    return {"dataset_size": storage.files(size=case.field("size_gb"), count=case.field("items"))}


def _read(case: Case, steps: Steps) -> dict[str, Node]:
    if case.request.items_per_second is None or case.request.size_gb is None:
        return {}
    count = Given("gpu_count", float(case.asked.gpu_count or 1), "1")
    rate = storage.read_rate(each=case.field("items_per_second"), size=case.field("size_gb"), gpu_count=count)
    return {"read_bandwidth": rate}


def _air(case: Case, steps: Steps) -> dict[str, Node]:
    power = stated(case, "rack_w", "power_kw", "power_w") or steps.get("power")
    if power is None or case.request.temperature_rise is None:
        return {}
    flow = cluster.airflow(power=power, heat=case.constant("air_heat"), rise=case.field("temperature_rise"))
    return {"airflow": flow, "airflow_cfm": flow}


RECIPES: dict[str, Callable[[Case, Steps], dict[str, Node]]] = {
    "moments": _moments,
    "master_weights": _master,
    "embedding_table": _embedding,
    "logits_once": _logits,
    "max_adapters": _adapters,
    "host_cache_tokens": _host_cache,
    "dataset_size": _files,
    "read_bandwidth": _read,
    "airflow": _air,
}
