"""A derivation as lines to read and sources to cite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kb.sizing.rule import Rule, registered
from kb.sizing.show import amount, shown
from kb.types.answer import Citation, DerivationLine, Input, Quantity
from kb.types.assumptions import Assumptions
from kb.types.derivation import Assumption, Fact, Node, Step
from kb.types.source import CellLocator, Evidence, Locator

RATE = "B/s"  # of which data sheets count in powers of ten, so that bytes beside it are, too


@dataclass
class Trace:
    """Lines and citations of a derivation, numbered as they come."""

    assumptions: Assumptions
    language: str
    currency: str
    lines: list[DerivationLine] = field(default_factory=list)
    citations: dict[Locator, Citation] = field(default_factory=dict)
    _shown: dict[tuple[int, bool], tuple[float, str, str]] = field(default_factory=dict)  # by node, as beside a rate or not
    _numbers: dict[int, int] = field(default_factory=dict)  # of citations, by evidence

    def record(self, nodes: Iterable[Node]) -> None:
        """All steps among the nodes, of which inputs come before their users, and everything they rest on."""
        ids: dict[int, str] = {}
        for node in nodes:
            if isinstance(node, Step):
                ids[id(node)] = f"s{len(ids) + 1}"
                self.lines.append(self._line(node, ids, registered[node.rule]))
            elif isinstance(node, Fact | Assumption) and node.evidence:
                self._cite(node.evidence)

    def _line(self, step: Step, ids: Mapping[int, str], rule: Rule) -> DerivationLine:
        inputs, written = {}, {}
        rated = step.unit == RATE or RATE in [node.unit for _, node in step.inputs]
        for name, node in step.inputs:
            value, unit, written[name] = self._as_shown(node, rated)
            inputs[name] = Input(value, unit, _origin(node, ids))
        value, unit, result = self._as_shown(step, rated)
        calculation = rule.body.text(written)
        text = f"{step.label.of(self.language)} = {calculation} = {result}"
        return DerivationLine(
            ids[id(step)], step.rule, step.formula, inputs, Quantity(value, unit), self._cite(step.evidence), text
        )

    def _as_shown(self, node: Node, rated: bool) -> tuple[float, str, str]:
        key = id(node), rated
        found = self._shown.get(key)
        if found is None:
            value, unit = shown(node.value, node.unit, self.currency, decimal=rated)
            found = self._shown[key] = (value, unit, amount(value, unit))
        return found

    def _cite(self, evidence: Evidence) -> int:
        number = self._numbers.get(id(evidence))
        if number is None:
            number = self._numbers[id(evidence)] = self._numbered(evidence)
        return number

    def _numbered(self, evidence: Evidence) -> int:
        found = self.citations.get(evidence.locator)
        if found is None:
            resolved = resolve(evidence, self.assumptions)
            found = Citation(
                len(self.citations) + 1, resolved.source, resolved.locator, (), resolved.quote, resolved.references
            )
            self.citations[evidence.locator] = found
        return found.n


def resolve(evidence: Evidence, assumptions: Assumptions) -> Evidence:
    """Evidence of a rule with the works it cites instead of their keys; other evidence as it is."""
    if evidence.source.url or isinstance(evidence.locator, CellLocator):
        return evidence
    source = assumptions.cited(evidence.source.id)
    return Evidence(source, evidence.locator, evidence.quote, tuple(assumptions.cited(s.id) for s in evidence.references))


def _origin(node: Node, ids: Mapping[int, str]) -> str:
    if isinstance(node, Step):
        return ids[id(node)]
    if isinstance(node, Fact) and isinstance(at := node.evidence.locator, CellLocator):
        return f"{at.table}/{at.row}/{at.column}"
    return "assumption" if isinstance(node, Assumption) else "given"
