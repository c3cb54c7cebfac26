"""The rules as the outside sees them: formula, inputs, units, sources, and an example computed from typical figures."""

from __future__ import annotations

from typing import Any

from kb.sizing import rules as _rules  # noqa: F401  registers them
from kb.sizing.rule import Rule, rules
from kb.sizing.show import amount, shown
from kb.sizing.trace import resolve
from kb.types.assumptions import Assumptions
from kb.types.plain import plain

# Figures for worked examples: by name of the input, else by its unit.
EXAMPLE: dict[str, float] = {
    "layers": 32,
    "hidden": 4096,
    "heads": 32,
    "kv_heads": 8,
    "head_dim": 128,
    "width": 14336,
    "vocab": 128256,
    "parameters": 8030261248,
    "active": 8030261248,
    "multiplied": 7504924672,
    "embedding": 1050673152,
    "input_embedding": 525336576,
    "kept": 1050673152,
    "trained": 8030261248,
    "dense_layers": 3,
    "experts": 0.9,
    "routed": 8,
    "shared": 1,
    "shared_width": 2048,
    "key_width": 2048,
    "value_width": 4096,
    "full": 41943040,
    "linear": 67108864,
    "first": 3,
    "step": 2,
    "positions": 2048,
    "router": 64,
    "matrices": 3,
    "maps": 4,
    "copies": 2,
    "attention": 41943040,
    "feed_forward": 176160768,
    "rank": 16,
    "kv_rank": 512,
    "rope_dim": 64,
    "nope_dim": 128,
    "value_dim": 128,
    "query": 37748736,
    "gpu_count": 64,
    "gpus_per_node": 8,
    "tensor_parallel": 8,
    "pipeline_parallel": 1,
    "context_parallel": 1,
    "expert_parallel": 8,
    "shards": 8,
    "sequences": 1,
    "length": 4096,
    "tokens": 4096,
    "context": 4096,
    "concurrency": 16,
    "window": 1024,
    "windowed": 0.5,
    "undivided": 0.294,
    "fraction": 0.9,
    "slack": 0.08,
    "visible": 1.068,
    "mfu": 0.4,
    "gain": 1.3,
    "recomputation": 4 / 3,
    "reached": 0.7,
    "host": 1.3,
    "pue": 1.2,
    "utilization": 0.5,
    "moments": 2,
    "live": 2,
    "ratio": 3.5,
    "block": 12,
    "width_per_layer": 128,
    "full_layers": 8,
    "group": 8,
    "least": 18,
    "stages": 8,
    "micro_batches": 64,
    "virtual": 1,
    "ranks": 8,
    "per_gpu": 3,
    "system": 4,
    "gpus": 8,
    "replicas": 8,
    "top_k": 2,
    "requests": 5,
    "element": 2,
    "moment": 4,
    "master": 4,
    "kept_element": 2,
    "capacity": 80e9,
    "overhead": 2**30,
    "work": 6,
    "fixed": 2.0**32,
    "available": 72 * 2.0**30,
    "price": 2.5 / 3600,
    "running": 0.1 / 3600,
}
BY_UNIT = {
    "1": 8.0,
    "B": 2.0**34,
    "B/s": 3.35e12,
    "FLOP": 1e23,
    "FLOP/s": 989e12,
    "FLOP/token": 48e9,
    "s": 86400.0,
    "token": 4096.0,
    "token/s": 1000.0,
    "W": 700.0,
    "J": 3.6e9,
    "money": 20000.0,
    "money/s": 2.5 / 3600,
    "money/J": 0.12 / 3.6e6,
}
OWN_UNIT = {
    ("gpu_count", "1"),
    ("price", "money/s"),
    ("running", "money/s"),
    ("work", "FLOP/token"),
    ("capacity", "B"),
    ("overhead", "B"),
}
BYTES_SMALL = ("element", "moment", "master", "kept_element", "fixed", "available")


def rules_as_plain(assumptions: Assumptions) -> list[dict[str, Any]]:
    """Every rule: id, label, formula, inputs, unit, what it means, sources, example."""
    return [_plain(rule, assumptions) for rule in rules()]


def _plain(rule: Rule, assumptions: Assumptions) -> dict[str, Any]:
    cited = resolve(rule.evidence, assumptions)
    values = {name: _example(name, unit) for name, unit in rule.inputs.items()}
    result = rule.function(**values)
    written = {name: amount(*shown(values[name], unit)) for name, unit in rule.inputs.items()}
    value, unit = shown(result, rule.unit)
    return {
        "id": rule.id,
        "label": plain(rule.label),
        "formula": rule.evidence.quote,
        "meaning": " ".join((rule.function.__doc__ or "").split()),
        "inputs": [{"name": name, "unit": unit} for name, unit in rule.inputs.items()],
        "unit": rule.unit,
        "citation": plain(cited.source),
        "references": [plain(s) for s in cited.references],
        "example": {
            "inputs": {name: {"value": values[name], "unit": unit} for name, unit in rule.inputs.items()},
            "result": {"value": value, "unit": unit},
            "text": f"{rule.body.text(written)} = {amount(value, unit)}",
        },
    }


def _example(name: str, unit: str) -> float:
    """A plausible figure for an input: its own where one fits the unit, else a usual one of that unit."""
    small_bytes = unit == "B" and name in BYTES_SMALL
    if name in EXAMPLE and (unit == "1" or small_bytes or (name, unit) in OWN_UNIT):
        return EXAMPLE[name]
    return BY_UNIT[unit]
