"""How pages say what a gold label is."""

from __future__ import annotations

from provenance_core.review.types import GoldLabel
from reports.review_wording import JUDGED


def gold_text(gold: GoldLabel) -> str:
    """The verdict, who decided when, and what each reviewer had said, on one line. As "✗
    Hallucinated, decided by Cy on 2026-01-02 (Ann ✓, Bob ✗): page 2"."""
    symbol, name = JUDGED[gold.verdict]
    settled = ", ".join(f"{each.reviewer} {JUDGED[each.verdict][0]}" for each in gold.settled)
    said = f"{symbol} {name}, decided by {gold.decided_by} on {gold.created_at[:10]}"
    said += f" ({settled})" if settled else ""
    return f"{said}: {gold.comment}" if gold.comment else said
