"""The verdicts that differ from their labels, in a sentence."""

from __future__ import annotations


def mistakes_text(misses: int, false_alarms: int, hallucinated: int, supported: int) -> str:
    """How many labelled answers have the right verdict and how many a wrong one of each kind.

    One sentence.
    """
    if not misses + false_alarms:
        return f"Every verdict agrees with its label ({hallucinated + supported:,} labelled)."
    said = []
    if hallucinated:
        said.append(
            f"{hallucinated - misses:,} of {hallucinated:,} hallucinated answers are caught"
            + (f", {misses:,} missed (called supported)" if misses else "")
        )
    if supported:
        alarms = "is a false alarm" if false_alarms == 1 else "are false alarms"
        said.append(
            f"{false_alarms:,} of {supported:,} supported answers {alarms} (called hallucinated)"
        )
    return f"By the labels, {'; '.join(said)}."


def unchecked_text(labelled: int) -> str:
    """Say that labelled answers with nothing to check count in no figure.

    One sentence.
    """
    if labelled == 1:
        return "1 labelled answer has nothing to check and does not count in these figures."
    return f"{labelled:,} labelled answers have nothing to check and do not count in these figures."
