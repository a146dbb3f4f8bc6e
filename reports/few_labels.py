"""How many labelled answers a figure needs before anybody relies on it: one rule for pages and
reports."""

from __future__ import annotations

FEW_LABELS = 50


def few_labels_text(n: int) -> str:
    """Say that a figure is of too few labelled answers.

    Two sentences; "" from ``FEW_LABELS`` on.

    Examples
    --------
    >>> few_labels_text(50)
    ''
    """
    if n >= FEW_LABELS:
        return ""
    return (
        f"Only {n} labelled answer{'' if n == 1 else 's'}: with fewer than {FEW_LABELS} the "
        "intervals are uncertain: often wide, or of no width where no answer is ranked wrong. "
        "Label more before you rely on these figures."
    )


def few_labels_note(n: int) -> str:
    """Say the same beside a figure, where there is no room for sentences.

    A clause; "" from ``FEW_LABELS`` on.

    Examples
    --------
    >>> few_labels_note(3)
    'only 3 labelled answers, fewer than 50: do not rely on this figure'
    """
    if n >= FEW_LABELS:
        return ""
    return (
        f"only {n} labelled answer{'' if n == 1 else 's'}, fewer than {FEW_LABELS}: do not rely on "
        "this figure"
    )
