"""What an outlet or the feed of a rack carries, and what a machine takes from it."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Ampere, Joule, Ratio, Second, Volt, VoltAmpere, Watt


@rule("circuits.continuous", cites=("nec-210",), label=Bilingual("power of the circuit over hours", "线路可持续功率"))
def continuous(*, current: Ampere, voltage: Volt, share: Ratio) -> Watt:
    """Current times voltage, of which a load that runs for hours may take a share."""
    return current * voltage * share


@rule(
    "circuits.three_phase",
    cites=("nec-210",),
    label=Bilingual("power of the three-phase circuit over hours", "三相线路可持续功率"),
)
def three_phase(*, current: Ampere, voltage: Volt, share: Ratio) -> Watt:
    """Three conductors of which any two have the voltage between them: the square root of three times one."""
    return 3**0.5 * current * voltage * share


@rule("circuits.at_the_wall", cites=("multi-gpu-power-2026", "80plus"), label=Bilingual("power at the wall", "墙上取电功率"))
def at_the_wall(*, gpu_count: Ratio, tdp: Watt, processor: Watt, rest: Watt, efficiency: Ratio) -> Watt:
    """Boards and host, and what the supply loses."""
    return (gpu_count * tdp + processor + rest) / efficiency


@rule("circuits.ups", cites=("ups-sizing",), label=Bilingual("UPS, power", "UPS 功率"))
def ups(*, power: Watt, filled: Ratio) -> Watt:
    """A supply that stands in for the mains is filled to a share of its rating."""
    return power / filled


@rule("circuits.apparent", cites=("ups-sizing",), label=Bilingual("UPS, apparent power", "UPS 视在功率"))
def apparent(*, power: Watt, factor: Ratio) -> VoltAmpere:
    """What it is sold by: volts times amperes."""
    return power / factor


@rule("circuits.bridged", cites=("ups-sizing",), label=Bilingual("energy from the battery", "电池供电量"))
def bridged(*, power: Watt, time: Second) -> Joule:
    """The load over the time that is to be bridged."""
    return power * time
