"""How well is a claim told from what states nothing to check? ``python -m training.claim_filter``

Prints, for each source of the labelled sentences, precision and recall of setting aside (with 95 %
Wilson intervals), the share of the reasons that are right, and what was decided wrongly.

``claim_filter_sentences.jsonl``: ``text``, ``next`` (the line below it, for titles), ``reason``
(null for a claim) and ``source``: sentences of the training-side sets that the sources name, drawn
at random and by words that occur in hedges and abstentions, or "written" for the purpose (answers
in the style of language models, and claims that look like such sentences). One person labelled
them, who also wrote the rules and, having seen these, mended them: the figures are those of a
development set. As first written the rules had precision 77/86 and recall 77/100 on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scipy.stats import binomtest

from provenance_core.text.set_aside import find_set_aside
from provenance_core.types import Sentence
from training.command import read

SENTENCES = Path(__file__).parent / "claim_filter_sentences.jsonl"


@dataclass(frozen=True, slots=True)
class Decided:
    """A labelled sentence and the filter's decision; None: a claim."""

    text: str
    source: str
    wanted: str | None
    found: str | None


@dataclass(frozen=True, slots=True)
class Share:
    """``part`` of ``whole``, with the Wilson interval of the share in words."""

    part: int
    whole: int

    def __str__(self) -> str:
        if not self.whole:
            return "none"
        found = binomtest(self.part, self.whole).proportion_ci(method="wilson")
        interval = f"[{found.low:.3f}, {found.high:.3f}]"
        return f"{self.part}/{self.whole} = {self.part / self.whole:.3f} {interval}"


def decide() -> tuple[Decided, ...]:
    """The filter's decision on every labelled sentence."""
    decided = []
    for row in read(SENTENCES):
        parts = [row["text"] + "\n", row["next"]] if "next" in row else [row["text"]]
        start, sentences = 0, []
        for index, part in enumerate(parts):
            sentences.append(Sentence(index, start, start + len(part), part))
            start += len(part)
        found = {each.sentence: each.reason for each in find_set_aside("".join(parts), sentences)}
        decided.append(Decided(row["text"], row["source"], row["reason"], found.get(0)))
    return tuple(decided)


def precision(rows: Sequence[Decided]) -> Share:
    """Of what was set aside, what states nothing to check."""
    aside = [row for row in rows if row.found]
    return Share(sum(row.wanted is not None for row in aside), len(aside))


def recall(rows: Sequence[Decided]) -> Share:
    """Of what states nothing to check, what was set aside."""
    wanted = [row for row in rows if row.wanted]
    return Share(sum(row.found is not None for row in wanted), len(wanted))


def main() -> None:
    """Runs the command that the module describes."""
    rows = decide()
    for source in ["all", *dict.fromkeys(row.source for row in rows)]:
        these = [row for row in rows if source in ("all", row.source)]
        both = [row for row in these if row.wanted and row.found]
        right = Share(sum(row.wanted == row.found for row in both), len(both))
        print(f"{source}: n = {len(these)}")
        print(f"  precision {precision(these)}\n  recall    {recall(these)}\n  reason    {right}")
    print("decided wrongly (wanted, found):")
    for row in rows:
        if bool(row.wanted) != bool(row.found):
            print(f"  {row.wanted or 'a claim'}, {row.found or 'a claim'}: {row.text}")


if __name__ == "__main__":
    main()
