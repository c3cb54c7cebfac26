"""The largest model that GPUs hold with the margin of a safe fit: of weights that run, or of all that training keeps."""

from __future__ import annotations

from dataclasses import replace

from kb.sizing.case import Case
from kb.sizing.defaults import filled, laid_out
from kb.sizing.plans import training
from kb.sizing.plans.footprint import Footprint
from kb.sizing.plans.offered import usable
from kb.sizing.rules import memory
from kb.sizing.shape import from_figures
from kb.types.derivation import Given, Node
from kb.types.sizing import ModelShape

LEAST, MOST = 1e6, 1e14  # parameters of the models that are tried
TRIES = 40  # halvings of the span between them, in its logarithm


def largest(case: Case) -> Node | None:
    """Parameters of the largest model; None where the memory of a GPU is not known, a model is, or none of any size fits."""
    available = usable(case)
    if available is None or case.shape is not None:
        return None
    return _trained(case, available) if case.training else _served(case, available)


def _served(case: Case, available: Node) -> Node:
    """Weights alone, of a format that was said or is usual."""
    said = case.asked.quantization or case.asked.precision
    each: Node = case.constant(f"weight_element.{'bf16' if said in (None, 'pure_bf16') else said}")
    return memory.largest(
        available=available, overhead=case.constant("overhead.serving"), margin=case.constant("fits.below"),
        gpu_count=case.field("gpu_count"), each=each if said else replace(case.constant("weight_element.bf16"), slot="quantization"),
    )  # fmt: skip


def _trained(case: Case, available: Node) -> Node | None:
    """Model states that leave room for what a GPU needs beside them, both of a typical shape of that size."""
    room = available.value * case.constant("fits.below").value
    low, high = LEAST, MOST
    if _kept(case, low).per_gpu.value > room:
        return None
    for _ in range(TRIES):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if _kept(case, middle).per_gpu.value <= room else (low, middle)
    found = _kept(case, low)
    states = found.whole["divisible_per_gpu"]
    return memory.largest_trained(
        available=available, margin=case.constant("fits.below"),
        beside=memory.beside_states(needed=found.per_gpu, states=states),
        each=memory.bytes_per_parameter(model_states=states, parameters=Given("parameters", low, "1")),
    )  # fmt: skip


def _kept(case: Case, parameters: float) -> Footprint:
    return training.footprint(trained_on(case, parameters))


def trained_on(case: Case, parameters: float) -> Case:
    """The training of a model of so many parameters, of a typical shape, laid out on the GPUs there are."""
    shape = from_figures(ModelShape(parameters=parameters), case.assumptions)
    return laid_out(filled(replace(case, shape=shape)), case.gpu_count)
