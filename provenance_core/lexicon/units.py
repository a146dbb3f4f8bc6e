"""Units of measure: what each measures, and how large it is."""

from __future__ import annotations

import re

# Unit: dimension and size in its base unit. Money converts into no other money.
UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _size, _names in (
    ("length", 1e-3, "mm millimetre millimeter"),
    ("length", 1e-2, "cm centimetre centimeter"),
    ("length", 1.0, "m metre meter"),
    ("length", 1e3, "km kilometre kilometer kms"),
    ("length", 0.0254, "inch inches"),
    ("length", 0.3048, "ft foot feet"),
    ("length", 0.9144, "yd yard"),
    ("length", 1609.344, "mi mile"),
    ("mass", 1e-3, "mg milligram"),
    ("mass", 1.0, "g gram gramme"),
    ("mass", 1e3, "kg kilo kilogram kilogramme"),
    ("mass", 28.3495, "oz ounce"),
    ("mass", 453.592, "lb lbs pound_mass"),
    ("mass", 1e6, "ton tonne t"),
    ("volume", 1e-3, "ml millilitre milliliter"),
    ("volume", 1.0, "l litre liter"),
    ("volume", 3.78541, "gallon"),
    ("volume", 0.2366, "cup"),
    ("volume", 0.0147868, "tablespoon tbsp"),
    ("volume", 0.00492892, "teaspoon tsp"),
    ("volume", 1e3, "m³"),
    ("area", 1e-4, "cm²"),
    ("area", 1.0, "m²"),
    ("area", 0.092903, "ft²"),
    ("area", 1e6, "km²"),
    ("area", 2589988.0, "mi²"),
    ("area", 1e4, "hectare ha"),
    ("area", 4046.86, "acre"),
    ("duration", 1.0, "s sec second"),
    ("duration", 60.0, "min minute"),
    ("duration", 3600.0, "h hr hour"),
    ("duration", 86400.0, "day"),
    ("duration", 604800.0, "week"),
    ("duration", 2629800.0, "month"),
    ("duration", 31557600.0, "yr year"),
    ("duration", 315576000.0, "decade"),
    ("power", 1.0, "w watt"),
    ("power", 1e3, "kw kilowatt"),
    ("power", 1e6, "mw megawatt"),
    ("power", 1e9, "gw gigawatt"),
    ("data", 1.0, "mb megabyte"),
    ("data", 1e3, "gb gigabyte"),
    ("data", 1e6, "tb terabyte"),
    ("energy", 1.0, "wh"),
    ("energy", 1e3, "kwh"),
    ("energy", 1e6, "mwh"),
    ("energy", 1e9, "gwh"),
    ("frequency", 1.0, "hz hertz"),
    ("frequency", 1e3, "khz kilohertz"),
    ("frequency", 1e6, "mhz megahertz"),
    ("frequency", 1e9, "ghz gigahertz"),
    ("loudness", 1.0, "db decibel"),
    ("speed", 1.0, "kmh kph km/h"),
    ("speed", 1.852, "knot"),
    ("speed", 1.609344, "mph"),
    ("money $", 1.0, "$ usd dollar"),
    ("money €", 1.0, "€ eur euro"),
    ("money £", 1.0, "£ gbp pound"),
    ("money ¢", 1.0, "cent ¢ pence penny"),
    ("money ¥", 1.0, "¥ yen"),
    ("money francs", 1.0, "chf franc"),
    ("share", 1.0, "% percent percentage"),
    ("temperature c", 1.0, "°c celsius"),
    ("temperature f", 1.0, "°f fahrenheit"),
    ("angle", 1.0, "° degree"),
):
    for _name in _names.split():
        UNITS[_name] = (_dimension, _size)


def dimension(unit: str) -> str:
    """What a unit measures. For example "length", "money $" or "share"; "" for none of the known
    units.

    >>> dimension("km"), dimension("crate")
    ('length', '')
    """
    found = UNITS.get(unit)
    return found[0] if found else ""


def in_base_unit(value: float, unit: str) -> float:
    """Convert a value to the base unit of its dimension. In the unit whose size is 1. Raises
    KeyError where the unit is unknown.

    >>> in_base_unit(2.0, "week") == in_base_unit(14.0, "day")
    True
    """
    return value * UNITS[unit][1]


# Whole or short, without the dot of a short one.
MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
WEEKDAY = re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")
