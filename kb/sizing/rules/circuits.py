"""What an outlet or the feed of a rack carries, and what a machine takes from it."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Ampere, Ratio, Volt, Watt


@rule("circuits.continuous", cites=("nec-210",), label=Bilingual("power of the circuit over hours", "线路可持续功率"))
def continuous(*, current: Ampere, voltage: Volt, share: Ratio) -> Watt:
    """Current times voltage, of which a load that runs for hours may take a share."""
    return current * voltage * share


@rule("circuits.at_the_wall", cites=("multi-gpu-power-2026", "80plus"), label=Bilingual("power at the wall", "墙上取电功率"))
def at_the_wall(*, gpu_count: Ratio, tdp: Watt, processor: Watt, rest: Watt, efficiency: Ratio) -> Watt:
    """Boards and host, and what the supply loses."""
    return (gpu_count * tdp + processor + rest) / efficiency
