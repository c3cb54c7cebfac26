"""Base units as a reader wants them: GiB, days, TFLOP/s."""

from __future__ import annotations

from kb.types.units import from_base

# For each base unit the units shown, largest first, each from the value (in that unit) at which it is used.
SHOWN: dict[str, tuple[tuple[str, float], ...]] = {
    "B": (("GiB", 0.1), ("MiB", 0.1), ("KiB", 1), ("B", 0)),
    "B/s": (("GB/s", 0),),
    "FLOP/s": (("TFLOP/s", 0),),
    "s": (("day", 1), ("h", 1), ("s", 0.1), ("ms", 0)),
    "transfer/s": (("MT/s", 0),),
    "GPU*s": (("GPU-h", 0),),
    "W": (("kW", 1), ("W", 0)),
    "J": (("kWh", 0),),
    "m**3/s": (("m³/h", 0),),
    "J/m**3/K": (("J/m³/K", 0),),
    "VA": (("kVA", 1), ("VA", 0)),
}
# Beside a rate, which is told in decimal units.
DECIMAL: tuple[tuple[str, float], ...] = (("GB", 0.1), ("MB", 0.1), ("kB", 1), ("B", 0))
MONEY = {
    "money": ("", 1.0),
    "money/s": ("/h", 3600.0),
    "money/J": ("/kWh", 3.6e6),
    "money/token": ("/1M token", 1e6),
    "money/B/s": ("/GB/month", 1e9 * 2_628_000.0),
}


def shown(value: float, unit: str, currency: str = "", decimal: bool = False) -> tuple[float, str]:
    """A base-unit value in the unit that suits its size; bytes in powers of ten where it is `decimal`."""
    if unit in MONEY:
        suffix, factor = MONEY[unit]
        return value * factor, (currency or "money") + suffix
    for name, least in DECIMAL if decimal and unit == "B" else SHOWN.get(unit, ()):
        if abs(scaled := from_base(value, name)) >= least:
            return scaled, name
    return value, unit


def number(value: float) -> str:
    """Four significant digits; large counts with an exponent that is a multiple of three."""
    if value == 0:
        return "0"
    if abs(value) >= 1e6:
        exponent = int(f"{value:.3e}".partition("e")[2]) // 3 * 3
        return f"{float(f'{value / 10**exponent:.4g}'):g}e{exponent}"
    if float(value).is_integer():
        return str(int(value))
    return f"{float(f'{value:.4g}'):.10f}".rstrip("0").rstrip(".") if abs(value) >= 1e-6 else f"{value:.3e}"


def amount(value: float, unit: str) -> str:
    """Number and unit; a pure number has none."""
    return number(value) if unit == "1" else f"{number(value)} {unit}"
