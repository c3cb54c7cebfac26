"""PCIe lanes that are needed, against those of the processors that are named, or of those on file."""

from __future__ import annotations

from collections.abc import Mapping

from kb.answering.draft import Draft, Tools
from kb.answering.render import number
from kb.answering.sizing.grounds import standing
from kb.answering.tables.specs import cell_evidence
from kb.types.answer import Value, Verdict
from kb.types.question import Part
from kb.types.sizing import SizingResult
from kb.types.specs import Row

MOST = 6  # processors that are named as having so many


def told(part: Part, values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """Say what is needed and who has it; the names of the values said."""
    if "pcie_lanes" not in part.wanted or "pcie_lanes" not in values:
        return ()
    w, composer, need = draft.wording, draft.composer, float(values["pcie_lanes"].value or 0)
    words = w("value", label=w.name("pcie_lanes"), value=values["pcie_lanes"].text)
    composer.say(words, *standing(result, "pcie_lanes", tools=tools))
    rows = tuple(tools.book.rows("cpus"))
    desktop = tools.constant("desktop_lanes") if part.slots.get("desktop") else None
    if desktop and desktop.evidence:
        most = number(desktop.value)
        composer.values.append(Value("pcie_lanes", desktop.value, "1", most, scope="desktop"))
        composer.say(w("lanes:desktop" if need <= desktop.value else "lanes:desktop_short", most=most), desktop.evidence)
        draft.verdict = draft.verdict or ("fits_with_conditions" if need <= desktop.value else "does_not_fit")
    asked = [row for row in rows if ("cpus", row.id) in part.entities or row.id == part.slots.get("processor")]
    composer.known += [row.name for row in rows]
    for row in asked:
        have = _lanes(row)
        key = "lanes:enough" if have > need else "lanes:full" if have == need else "lanes:short"
        composer.say(w(key, name=row.name, have=number(have)), cell_evidence(row, "pcie_lanes"))
    enough = [row for row in asked or rows if _lanes(row) >= need]
    if asked:
        some: Verdict = "fits_with_conditions" if enough else "does_not_fit"
        draft.verdict = draft.verdict or ("fits" if len(enough) == len(asked) else some)
    elif not enough:
        composer.say(w("lanes:none_on_file"), *standing(result, "pcie_lanes", tools=tools))
    else:
        words = w("lanes:on_file", list=w.join([row.name for row in enough[:MOST]]))
        composer.say(words, *(cell_evidence(row, "pcie_lanes") for row in enough[:MOST]))
    return ("pcie_lanes",)


def _lanes(row: Row) -> float:
    return float(row.number("pcie_lanes") or 0)
