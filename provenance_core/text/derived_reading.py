"""A claim as a model reads it that cannot calculate."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provenance_core.text.detail_reading import ReadPremises
from provenance_core.text.details import compare_details
from provenance_core.text.stems import singular
from provenance_core.text.units import UNITS

_LAST_WORD = re.compile(r"[^\W\d_]+$")
_OF = re.compile(r"\s+of\b")
_MONEY = re.compile(r"[^\w\s.,]")


def without_derived_numbers(claim: str, context: Sequence[str] | ReadPremises) -> str:
    """Put "some" for every number of a claim that follows from those of the context.

    That such a number is right is told by arithmetic. To a model it is one that the context lacks.

    The claim as a model is to read it; unchanged where no number follows.

    Examples
    --------
    >>> without_derived_numbers("It sold 465 crates.", ["It sold 320 crates and 145 small crates."])
    'It sold some crates.'
    """
    for each in reversed(compare_details(claim, context)):
        if each.derived is not None:
            some = _some(each.text, claim[each.end :])
            if not claim[: each.start].strip():
                some = some.capitalize()
            claim = claim[: each.start] + some + claim[each.end :]
    return claim


def _some(written: str, behind: str) -> str:
    """ "Some" with the unit of a number as it is written, but for "thirty percent of"."""
    unit = _LAST_WORD.search(written)
    word = unit.group() if unit and written[: unit.start()].strip() else ""
    if "%" in written or word.casefold().startswith("percent"):
        return "some" if _OF.match(behind) else "some percent"
    if _MONEY.search(written) and word.casefold() not in UNITS:
        return "some money"
    return f"some {word}" if singular(word) in UNITS else "some"
