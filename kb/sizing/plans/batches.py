"""How a global batch falls into micro-batches."""

from __future__ import annotations

from kb.sizing.case import Case
from kb.sizing.rules import step
from kb.types.derivation import Given, Node


def accumulation(case: Case) -> dict[str, Node]:
    """Micro-batches that every replica gathers before a step; nothing where the batch or the replicas are not said."""
    r, asked = case.request, case.asked
    if asked.data_parallel is not None:
        replicas: Node = Given("replicas", float(asked.data_parallel), "1")
    elif asked.gpu_count is not None and case.gpu_count % case.model_parallel == 0:
        replicas = case.replicas
    else:
        return {}
    each = {"micro_batch": Given("micro_batch", float(asked.micro_batch or 1), "1"), "replicas": replicas}
    if asked.global_batch is not None:
        return {"gradient_accumulation": step.accumulation_of_sequences(batch=case.field("global_batch"), **each)}
    if asked.global_batch_tokens is None or r.seq_len is None:
        return {}
    length = case.field("seq_len", "token")
    return {"gradient_accumulation": step.accumulation(batch=case.field("global_batch_tokens"), length=length, **each)}
