"""Numbers of the answer that no source states but that follow from those of the context."""

from __future__ import annotations

from collections.abc import Mapping

from provenance_core import Audit
from provenance_core.explain.quotes import quoted
from provenance_core.explain.sentences import computed_details
from provenance_core.text.derived import Derivation
from provenance_core.text.details import DetailFinding
from provenance_core.types import Sentence

_HOW: Mapping[Derivation, str] = {
    Derivation.DIFFERENCE: "the difference of",
    Derivation.SUM: "the sum of",
    Derivation.PRODUCT: "the product of",
    Derivation.SHARE: "the share of",
    Derivation.GROWTH: "the change in percent between",
    Derivation.REST: "what is left of 100 % by",
}


def computed_numbers(audit: Audit, sentence: Sentence) -> str:
    """Which numbers of a sentence can be computed, and from which of the context.

    Whole sentences; "" where there is no such number.
    """
    texts = [item.text for item in audit.evidence.context]
    return " ".join(_said(each, sentence.text, texts) for each in computed_details(audit, sentence))


def _said(found: DetailFinding, sentence: str, texts: list[str]) -> str:
    if found.derived is None:
        return ""
    names = [
        quoted((sentence if each.premise is None else texts[each.premise])[each.start : each.end])
        for each in found.derived.operands
    ]
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return (
        f"No source states {quoted(found.text)}: it is {_HOW[found.derived.how]} {listed}, and the "
        "models read “some” in the place of the number."
    )
