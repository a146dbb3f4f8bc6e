"""The verdicts that differ from their labels, in a sentence."""

from __future__ import annotations


def mistakes_text(misses: int, false_alarms: int, labelled: int) -> str:
    """Say how many answers have a wrong verdict, and of which kind.

    Parameters
    ----------
    misses : int
        Hallucinated answers that are called supported.
    false_alarms : int
        Supported answers that are called hallucinated.
    labelled : int
        Answers with a label.

    Returns
    -------
    str
        One sentence.
    """
    if not misses + false_alarms:
        return f"Every verdict agrees with its label ({labelled:,} labelled)."
    kinds = [
        f"{misses:,} {'miss' if misses == 1 else 'misses'} (labelled hallucinated, called "
        "supported)",
        f"{false_alarms:,} {'false alarm' if false_alarms == 1 else 'false alarms'} (labelled "
        "supported, called hallucinated)",
    ]
    return (
        f"{' and '.join(kinds)} among {labelled:,} labelled "
        f"{'answer' if labelled == 1 else 'answers'}."
    )
