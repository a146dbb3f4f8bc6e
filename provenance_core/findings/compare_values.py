"""Two stated values: whether one states the other, lies within it, or may stand in its place."""

from __future__ import annotations

from dataclasses import replace

from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.quantities import Edge, StatedQuantity
from provenance_core.findings.signs import Sign, are_opposed
from provenance_core.lexicon.units import dimension, in_base_unit

# Stretches of years that hold a date.
PERIODS = frozenset(("century", "decade"))
# Values in two systems of units are converted and rounded by whoever writes them.
_CONVERTED = 0.02
_LEAST_LARGE = 1e6
_LAST_HUNDRED = 2000
# A hundredth of any money, whichever it is.
_CENT, _CENTS, _LEAST_PART = "money ¢", 100, 1e-6


def same_value(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether a premise states a claim's value. True also for a rounding and another unit of the
    same kind, and for a part of a date."""
    if claim.kind is DetailKind.DATE or premise.kind is DetailKind.DATE:
        return _dates_agree(claim, premise)
    if "ordinal" in (claim.unit, premise.unit):
        return claim.unit == premise.unit and claim.value == premise.value
    return not are_opposed(claim.sign, premise.sign) and _same_size(claim, premise)


def _same_size(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether two numbers are the same but for their sign, in either reading of "1.240"."""
    if claim.in_thousands is None and premise.in_thousands is None:
        return _same_as_read(claim, premise)
    return any(
        _same_as_read(replace(claim, value=a), replace(premise, value=b))
        for a in _readings(claim)
        for b in _readings(premise)
    )


def _readings(quantity: StatedQuantity) -> tuple[float, ...]:
    if quantity.in_thousands is None:
        return (quantity.value,)
    return quantity.value, quantity.in_thousands


def _same_as_read(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    ours, theirs = dimension(claim.unit), dimension(premise.unit)
    if ours and theirs and _CENT in (ours, theirs) and ours != theirs:
        if not (ours.startswith("money") and theirs.startswith("money")):
            return False
        a = claim.value / (_CENTS if ours == _CENT else 1)
        b = premise.value / (_CENTS if theirs == _CENT else 1)
        return abs(a - b) <= _LEAST_PART * max(a, b)
    if ours == theirs == "share" and not (claim.digits and premise.digits):
        return abs(claim.value - premise.value) <= 1  # "two thirds" is 66 or 67 %
    if ours and ours == theirs and claim.unit != premise.unit:
        a, b = in_base_unit(claim.value, claim.unit), in_base_unit(premise.value, premise.unit)
        if abs(a - b) <= 1e-6 * max(a, b) or _rounded_alike(claim, b / in_base_unit(1, claim.unit)):
            return True
        same_system = ours.startswith(("money", "share", "duration"))
        return not same_system and abs(a - b) <= _CONVERTED * max(a, b)
    if not (claim.value == premise.value or _rounded_alike(claim, premise.value)):
        # "330m" is 330 million as well as 330 metres.
        return any(
            left.unit == "m" and not dimension(right.unit) and left.value * 1e6 == right.value
            for left, right in ((claim, premise), (premise, claim))
        )
    if bool(ours) == bool(theirs):
        return ours == theirs or {ours.split()[0], theirs.split()[0]} <= {"angle", "temperature"}
    # A value without its unit may be meant, a count of something else not.
    return not (premise.things if ours else claim.things)


def comparable(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether one of two values can contradict the other."""
    if claim.kind is not premise.kind:
        return False
    if claim.kind is DetailKind.DATE:
        whole = {claim.unit, premise.unit}
        years = bool(premise.day[0] and claim.day[0])
        period = claim.unit in PERIODS and bool(premise.day[0])
        return len(whole) == 1 or period or (whole == {"year", "date"} and years)
    if claim.unit == "ordinal" or premise.unit == "ordinal":
        return claim.unit == premise.unit and bool(claim.things & premise.things)
    ours, theirs = dimension(claim.unit), dimension(premise.unit)
    if ours and theirs:
        money = ours.startswith("money") and theirs.startswith("money")
        return ours == theirs or money or claim.value == premise.value
    return not ours and not theirs and bool(claim.things & premise.things)


def equal_value(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether two quantities are one value. False for any rounding but that of a conversion, and
    for a part of a date."""
    if premise.weak or not same_value(claim, premise):
        return False
    if claim.kind is not premise.kind:  # four digits that may be a year or a count
        return True
    if dimension(claim.unit) != dimension(premise.unit):
        return False
    if claim.things and premise.things and not claim.things & premise.things:
        return False
    if (claim.sign is Sign.MINUS) != (premise.sign is Sign.MINUS):
        return False  # "fell by 5 %" beside "-5 %"
    if claim.kind is DetailKind.DATE:
        days = set(_days(claim)) & set(_days(premise))
        return claim.unit == premise.unit and bool(days) and claim.value == premise.value
    return claim.value == premise.value or claim.unit != premise.unit


def within(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether an exact value lies where a claim says, or is what it rounds. A value with an edge of
    its own ("bags over 9 kg") may be a limit: that is the claim's only with the same number. The
    edge itself counts for numbers, and does not for dates."""
    if premise.edge is not Edge.NONE:
        return False
    if claim.about:
        return not premise.about and comparable(claim, premise) and same_value(claim, premise)
    if claim.unit in PERIODS and claim.edge is Edge.NONE:
        return (
            premise.kind is DetailKind.DATE and bool(premise.day[0]) and same_value(claim, premise)
        )
    if not comparable(claim, premise) or claim.unit in ("weekday", "month", "ordinal"):
        return False
    if claim.kind is DetailKind.DATE:
        # As far as both say it: year, month, day.
        both = [(a, b) for a, b in zip(claim.day, premise.day, strict=True) if a and b]
        if both and not (claim.day[0] and premise.day[0]):
            return False
        ours, theirs = zip(*both, strict=True) if both else ((claim.value,), (premise.value,))
        return theirs > ours if claim.edge is Edge.ABOVE else theirs < ours
    if {claim.sign, premise.sign} == {Sign.DOWN, Sign.PLUS}:
        return False
    left, right = _signed(premise, claim.sign), _signed(claim, premise.sign)
    if dimension(claim.unit) and dimension(claim.unit) == dimension(premise.unit):
        left, right = in_base_unit(left, premise.unit), in_base_unit(right, claim.unit)
    elif claim.unit != premise.unit:
        return False
    return left >= right if claim.edge is Edge.ABOVE else left <= right


def _signed(quantity: StatedQuantity, beside: Sign) -> float:
    """The value below zero where it has a minus, unless what it is ``beside`` says that in words
    ("fell by more than 5 %")."""
    below = quantity.sign is Sign.MINUS and beside not in (Sign.DOWN, Sign.UNSURE)
    return -quantity.value if below else quantity.value


def differs_in_sign(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether two numbers are the same but for their sign. False for dates."""
    return (
        claim.kind is premise.kind is DetailKind.NUMBER
        and are_opposed(claim.sign, premise.sign)
        and comparable(claim, premise)
        and _same_size(claim, premise)
    )


def differs_in_size(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether two quantities have one number in two units of the same kind. "5 million" beside "5
    billion" counts as well. False for durations."""
    if claim.kind is not premise.kind:
        return False
    ours, theirs = dimension(claim.unit), dimension(premise.unit)
    if ours == "duration":
        return False
    if ours and ours == theirs and claim.unit != premise.unit:
        converts = in_base_unit(1.0, claim.unit) != in_base_unit(1.0, premise.unit)
        return claim.value == premise.value and converts
    sizes = sorted((claim.value, premise.value))
    return (
        claim.unit == premise.unit
        and sizes[0] >= _LEAST_LARGE
        and any(abs(sizes[1] / sizes[0] - step) < 1e-6 for step in (1e3, 1e6))
    )


def _days(date: StatedQuantity) -> tuple[tuple[int, int, int], ...]:
    """What a date may be."""
    return (date.day,) if date.other_day is None else (date.day, date.other_day)


def _rounded_alike(claim: StatedQuantity, value: float) -> bool:
    """Whether ``value`` is what an approximate or a large number of the claim rounds."""
    if claim.edge is not Edge.NONE:
        return False
    if not (claim.about or claim.value >= 1e6) or value <= 0:
        return False
    return float(f"{value:.{max(claim.digits, 1) - 1}e}") == claim.value


def _dates_agree(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    if claim.kind is not premise.kind:
        # Four digits may be a year or a count: the same value is taken to be the same.
        plain = premise if claim.kind is DetailKind.DATE else claim
        dated = claim if plain is premise else premise
        return dated.unit == "year" and not plain.unit and dated.value == plain.value
    if any(claim.day) and any(premise.day):
        return any(
            all(not a or a == b for a, b in zip(ours, theirs, strict=True))
            for ours in _days(claim)
            for theirs in _days(premise)
        )
    if claim.unit == "decade" and premise.day[0]:
        # "In the 1800s" is in any year of the hundred.
        years = 100 if claim.value % 100 == 0 and claim.value < _LAST_HUNDRED else 10
        return premise.day[0] // years * years == claim.value
    if claim.unit == "century" and premise.unit == "decade":
        return premise.value // 100 + 1 == claim.value
    if claim.unit == "century" and premise.day[0]:
        return (premise.day[0] - 1) // 100 + 1 == claim.value
    if claim.unit == premise.unit == "time" and not (claim.digits and premise.digits):
        return claim.value % 720 == premise.value % 720
    return claim.unit == premise.unit and claim.value == premise.value
