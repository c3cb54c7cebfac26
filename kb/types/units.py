"""Units of the sizing engine: annotated floats, so that a signature states what it takes and gives.

Inside the engine everything is in these base units; `kb.ingest` and the edge of `kb.sizing` are the only places that convert.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of an annotated float, by its symbol."""

    symbol: str


Byte = Annotated[float, Unit("B")]
BytePerSecond = Annotated[float, Unit("B/s")]
Flop = Annotated[float, Unit("FLOP")]
FlopPerSecond = Annotated[float, Unit("FLOP/s")]
FlopPerJoule = Annotated[float, Unit("FLOP/J")]
FlopPerToken = Annotated[float, Unit("FLOP/token")]
Second = Annotated[float, Unit("s")]
Token = Annotated[float, Unit("token")]
TokenPerSecond = Annotated[float, Unit("token/s")]
Ampere = Annotated[float, Unit("A")]
Volt = Annotated[float, Unit("V")]
Watt = Annotated[float, Unit("W")]
VoltAmpere = Annotated[float, Unit("VA")]
Joule = Annotated[float, Unit("J")]
GpuSecond = Annotated[float, Unit("GPU*s")]
BtuPerHour = Annotated[float, Unit("BTU/h")]
BtuPerHourPerWatt = Annotated[float, Unit("BTU/h/W")]
TransferPerSecond = Annotated[float, Unit("transfer/s")]
AirFlow = Annotated[float, Unit("m**3/s")]
Kelvin = Annotated[float, Unit("K")]
HeatOfAir = Annotated[float, Unit("J/m**3/K")]
ItemPerSecond = Annotated[float, Unit("item/s")]
Money = Annotated[float, Unit("money")]
MoneyPerSecond = Annotated[float, Unit("money/s")]
MoneyPerToken = Annotated[float, Unit("money/token")]
MoneyPerByteSecond = Annotated[float, Unit("money/B/s")]
MoneyPerJoule = Annotated[float, Unit("money/J")]
Ratio = Annotated[float, Unit("1")]

# What a symbol of a table or an answer is worth in the base unit.
SCALE: dict[str, tuple[float, str]] = {
    "B": (1, "B"), "kB": (1e3, "B"), "MB": (1e6, "B"), "GB": (1e9, "B"), "TB": (1e12, "B"), "PB": (1e15, "B"),
    "KiB": (2**10, "B"), "MiB": (2**20, "B"), "GiB": (2**30, "B"), "TiB": (2**40, "B"),
    "GB/s": (1e9, "B/s"), "TB/s": (1e12, "B/s"), "MB/s": (1e6, "B/s"),
    "Gbit/s": (1e9 / 8, "B/s"), "Mbit/s": (1e6 / 8, "B/s"), "Tbit/s": (1e12 / 8, "B/s"),
    "TFLOP/s": (1e12, "FLOP/s"), "PFLOP/s": (1e15, "FLOP/s"), "TOP/s": (1e12, "FLOP/s"), "FLOP": (1, "FLOP"),
    "s": (1, "s"), "ms": (1e-3, "s"), "minute": (60, "s"), "h": (3600, "s"), "day": (86400, "s"),
    "A": (1, "A"), "V": (1, "V"),
    "VA": (1, "VA"), "kVA": (1e3, "VA"), "W": (1, "W"), "kW": (1e3, "W"), "kWh": (3.6e6, "J"), "GPU-h": (3600, "GPU*s"),
    "MT/s": (1e6, "transfer/s"), "BTU/h": (1, "BTU/h"), "BTU/h/W": (1, "BTU/h/W"),
    "m³/h": (1 / 3600, "m**3/s"), "CFM": (4.719474e-4, "m**3/s"), "K": (1, "K"), "J/m³/K": (1, "J/m**3/K"), "item/s": (1, "item/s"),
    "1": (1, "1"), "token": (1, "token"), "1/s": (1, "token/s"), "token/day": (1 / 86400, "token/s"),
}  # fmt: skip


def base_of(unit: str) -> str:
    """The base unit of a symbol; raises KeyError for a symbol not in SCALE."""
    return SCALE[unit][1]


def to_base(value: float, unit: str) -> float:
    """`value` in the base unit of its symbol; raises KeyError for a symbol not in SCALE."""
    return value * SCALE[unit][0]


def from_base(value: float, unit: str) -> float:
    """A base-unit `value` in `unit`; raises KeyError for a symbol not in SCALE."""
    return value / SCALE[unit][0]
