"""What stands behind computed values: their rules and cells as evidence, and how a model, a size and a card are named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kb.answering.draft import Tools
from kb.answering.render import amount, number, size_name
from kb.answering.tables.specs import cell_evidence
from kb.answering.wording import Wording
from kb.types.answer import Value
from kb.types.derivation import Assumption, Fact, Step
from kb.types.sizing import SizingResult
from kb.types.source import CellLocator, Evidence

OWN_SIZE = re.compile(r"\s?\d+\s?GB$")  # with which the name of a row ends


def standing(result: SizingResult, *names: str, tools: Tools) -> list[Evidence]:
    """What stands behind values: their rules, and the cells that went into these rules."""
    out: list[Evidence] = []
    for name in names:
        node = result.steps.get(name)
        if isinstance(node, Step):
            out.append(entitled(node.evidence, result, tools))
            out += [entitled(n.evidence, result, tools) for _, n in node.inputs if isinstance(n, Fact)]
        elif isinstance(node, Fact | Assumption) and node.evidence:
            out.append(entitled(node.evidence, result, tools))
    return list(dict.fromkeys(out))


def entitled(evidence: Evidence, result: SizingResult, tools: Tools) -> Evidence:
    """Evidence with its full source: a cell under its row's name, a rule under the work it comes from."""
    if isinstance(evidence.locator, CellLocator):
        row = tools.book.row(evidence.locator.table, evidence.locator.row)
        return cell_evidence(row, evidence.locator.column) if row else evidence
    for citation in result.citations:
        if citation.locator == evidence.locator:
            return Evidence(citation.source, citation.locator, citation.quote, citation.references)
    return evidence


def named(slots: Mapping[str, Any], tools: Tools) -> list[Evidence]:
    """The size of a model that was named, so that its name stands on its row."""
    row = tools.book.row("models", str(slots.get("model") or ""))
    return [cell_evidence(row, "params_total")] if row else []


def model_name(slots: Mapping[str, Any], tools: Tools) -> str:
    if row := tools.book.row("models", str(slots.get("model") or "")):
        return row.name
    count = slots.get("parameters")
    return size_name(float(count)) if count else ""


def what_of(model: str, workload: str | None, w: Wording, method: str | None = None) -> str:
    """A job as an answer names it: what is done with a model, by name or size, by the method of post-training where it is one; without
    a model what is done alone."""
    done = w.name(workload) if workload else ""
    done = w("post_trained", method=w.name(method), workload=done) if method else done
    return w("what", model=model, workload=done).strip() if model else done


def gpu_name(result: SizingResult, tools: Tools, w: Wording) -> str:
    gpu = result.request.gpu
    row = tools.book.row("accelerators", gpu) if isinstance(gpu, str) else None
    if row and result.request.gpu_memory_gb is not None:  # of another size than the one that its name tells
        return f"{OWN_SIZE.sub('', row.name)} {amount(result.request.gpu_memory_gb, 'GB', w)}"
    if row:
        return row.name
    return amount(gpu.memory_gb, "GB", w) + " GPU" if gpu is not None and not isinstance(gpu, str) and gpu.memory_gb else ""


def apart(gpu: object, tools: Tools) -> bool:
    """Whether libraries for other chips (fused losses, 8-bit optimizers, offloading) do not run on the chip of a request."""
    row = tools.book.row("accelerators", gpu) if isinstance(gpu, str) else None
    return row is not None and tools.constant(f"apart.{(row.text('vendor') or '').lower()}") is not None


def in_one_piece(result: SizingResult, tools: Tools) -> bool:
    """Whether what was sized is one computer whose chip is no card: it shares its memory with the processor."""
    gpu = result.request.gpu
    row = tools.book.row("accelerators", gpu) if isinstance(gpu, str) else None
    return row is not None and "unified" in (row.text("memory_type") or "") and (result.request.gpu_count or 1) == 1


def plainly(value: Any, w: Wording) -> str:
    if isinstance(value, bool):
        return w("switched_on" if value else "switched_off")
    return number(float(value)) if isinstance(value, int | float) else str(value)


def name_of(name: str, values: Mapping[str, Value], slots: Mapping[str, Any]) -> str:
    """What a value is called, given what it is of: a checkpoint that is nothing but weights, the speed of one request."""
    if name == "decode_tokens_per_second" and (slots.get("concurrency") or 1) == 1:
        return "decode_speed"
    if name == "training_time" and slots.get("tokens_per_second") and slots.get("workload", "inference") == "inference":
        return "time_of_tokens" if slots.get("task") is None else name
    bare = name == "checkpoint_size" and "weights" in values and values[name].value == values["weights"].value
    return "weights_file" if bare else name
