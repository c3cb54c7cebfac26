"""The rules as the outside sees them: formula, inputs, units, sources, and a worked example."""

from __future__ import annotations

from typing import Any

from kb.sizing.examples import worked
from kb.sizing.rule import Rule, rules
from kb.sizing.show import amount, shown
from kb.sizing.trace import resolve
from kb.types.assumptions import Assumptions
from kb.types.derivation import Step
from kb.types.plain import plain

CURRENCY = "USD"  # of the examples
# A usual figure of each unit, for a rule that no worked case reaches.
USUAL = {
    "1": 8.0,
    "B": 2.0**34,
    "B/s": 450e9,
    "FLOP": 1e23,
    "FLOP/s": 989e12,
    "FLOP/token": 48e9,
    "s": 3600.0,
    "A": 16.0,
    "V": 230.0,
    "VA": 2000.0,
    "transfer/s": 4.8e9,
    "GPU*s": 3.6e6,
    "BTU/h": 12_000.0,
    "BTU/h/W": 3.412,
    "token": 4096.0,
    "token/s": 1000.0,
    "W": 700.0,
    "J": 3.6e9,
    "money": 20000.0,
    "money/s": 2.5 / 3600,
    "money/J": 0.12 / 3.6e6,
}


def rules_as_plain(assumptions: Assumptions) -> list[dict[str, Any]]:
    """Every rule: id, label, formula, inputs, unit, what it means, sources, example."""
    steps = worked(assumptions)
    return [_plain(rule, steps.get(rule.id), assumptions) for rule in rules()]


def figures(rule: Rule, step: Step | None) -> dict[str, float]:
    """Inputs of an example, in base units: those of a worked step, usual ones without it."""
    return {name: node.value for name, node in step.inputs} if step else {n: USUAL[u] for n, u in rule.inputs.items()}


def _plain(rule: Rule, step: Step | None, assumptions: Assumptions) -> dict[str, Any]:
    cited = resolve(rule.evidence, assumptions)
    values = figures(rule, step)
    inputs = {name: shown(values[name], unit, CURRENCY) for name, unit in rule.inputs.items()}
    value, unit = shown(step.value if step else rule.function(**values), rule.unit, CURRENCY)
    calculation = rule.body.text({name: amount(*pair) for name, pair in inputs.items()})
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
            "inputs": {name: {"value": value, "unit": unit} for name, (value, unit) in inputs.items()},
            "result": {"value": value, "unit": unit},
            "text": f"{calculation} = {amount(value, unit)}",
        },
    }
