"""How lists, figures and the review say that a label was given in another audit of the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from reports.review_wording import JUDGED
from storage import Opinion

_MOST_NAMED = 5
VERDICT_ALONE = (
    "Only the verdict counts here too: marks of sentences, chunks and spans stay with the audit in "
    "which they were made."
)


def judged_in_text(audits: Iterable[int]) -> str:
    """ "judged in audit 12", or "judged in audits 12 and 15"."""
    numbers = sorted(set(audits))
    if len(numbers) == 1:
        return f"judged in audit {numbers[0]}"
    first = ", ".join(map(str, numbers[:-1]))
    return f"judged in audits {first} and {numbers[-1]}"


def opinions_text(opinions: Sequence[Opinion], audit_id: int) -> str:
    """What reviewers say of an answer, those of other audits last, as "✓ Ann, Bob; ✗ Cy (judged in
    audit 12)"; "" without any."""
    return _here_and_elsewhere(opinions, audit_id, _names)


def counts_text(opinions: Iterable[Opinion]) -> str:
    """How many reviewers say what of an answer, as "✓ 2 ✗ 1"; "" without any."""
    given = Counter(each.verdict for each in opinions)
    return " ".join(
        f"{JUDGED[verdict][0]} {given[verdict]}" for verdict in JUDGED if given[verdict]
    )


def counts_where_text(opinions: Sequence[Opinion], audit_id: int) -> str:
    """As :func:`opinions_text`, with numbers in place of names: "✓ 2; ✗ 1 (judged in audit 12)"."""
    return _here_and_elsewhere(opinions, audit_id, counts_text)


def verdicts_text(said: Sequence[Opinion]) -> str:
    """What reviewers said in other audits of an answer, as "✓ Ann, Bob (judged in audit 12)"; ""
    without any."""
    return _elsewhere(said, _names)


def _elsewhere(said: Sequence[Opinion], told: Callable[[Sequence[Opinion]], str]) -> str:
    """What is ``told`` of them, and in which audits it was said; "" without any."""
    if not said:
        return ""
    return f"{told(said)} ({judged_in_text(each.audit_id for each in said)})"


def _here_and_elsewhere(
    opinions: Sequence[Opinion], audit_id: int, told: Callable[[Sequence[Opinion]], str]
) -> str:
    """What is ``told`` of those of this audit, then of the others, with where these were said."""
    here = [each for each in opinions if each.audit_id == audit_id]
    others = [each for each in opinions if each.audit_id != audit_id]
    return "; ".join(part for part in (told(here), _elsewhere(others, told)) if part)


def _names(said: Sequence[Opinion]) -> str:
    by_verdict = {v: [each.reviewer for each in said if each.verdict is v] for v in JUDGED}
    return " · ".join(
        f"{JUDGED[verdict][0]} {', '.join(given)}" for verdict, given in by_verdict.items() if given
    )


def brought_text(audits: Sequence[int], repeated: int = 0) -> str:
    """How many labels count judgements of other audits, and of which; "" without any."""
    said = []
    if audits:
        numbers = sorted(set(audits))
        if len(numbers) <= _MOST_NAMED:
            where = f" ({judged_in_text(numbers)})"
        else:
            where = f" (audits {numbers[0]} to {numbers[-1]})"
        one = len(audits) == 1
        said.append(
            f"{len(audits):,} of these labels {'counts' if one else 'count'} what was said of the "
            f"same answer in another audit{where}."
        )
    if repeated:
        one = repeated == 1
        said.append(
            f"{repeated:,} more {'audit is' if one else 'audits are'} of an answer that counts "
            "here already: an opinion counts once."
        )
    return " ".join(said)
