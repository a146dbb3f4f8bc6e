"""Lists of audits: what is shown of a row, on pages and in reports, and a filter in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from provenance_core import Verdict
from provenance_core.explain.names import detector_title
from provenance_core.types import VerdictState, verdict_state
from reports.judged_elsewhere import counts_text, counts_where_text, judged_in_text, opinions_text
from reports.review_wording import JUDGED
from reports.wording import STATES, VERDICTS
from storage import AuditRow, Item, ItemDetails, ItemFilter, ItemStore, Opinion, Reviewed

LABELS = {1: "supported", 0: "hallucinated", None: ""}


class Mistake(StrEnum):
    """How a verdict of the machine is wrong by the label of the data set."""

    MISS = "miss"
    FALSE_ALARM = "false alarm"


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """Another verdict on the row's answer, or on the answer of another system: by another run, or
    under another threshold. ``score``: in [0, 1]; None where it is the same. ``audit_id``: of the
    other audit, None where it is the same. ``said``: what the change means, in words. ``answer``:
    which it is on, "" where it is the same. ``unread``: whether that is in a language that the
    models do not read."""

    state: VerdictState
    score: float | None
    audit_id: int | None
    said: str
    answer: str = ""
    unread: bool = False


@dataclass(frozen=True, slots=True)
class ListedAudit:
    """An item with what a list says of it. ``change``: another verdict, where verdicts are
    compared. ``others``: other audits of the same answer to the same query and context, where a
    list has one row for all of them. ``why``: the verdict in a sentence; "" where a list does not
    give it."""

    item: Item
    details: ItemDetails
    state: VerdictState
    change: VerdictChange | None = None
    others: tuple[AuditRow, ...] = ()
    why: str = ""

    @property
    def unread(self) -> bool:
        """Whether answer or context is in a language that the models do not read."""
        return bool(self.details.unread_language)

    @property
    def verdict(self) -> str:
        """Symbol and words of the verdict."""
        return state_text(self.state)

    @property
    def flagged(self) -> str:
        """How many checked sentences are not supported, as "1 of 3"; "" where none is to be checked
        or the audit did not count them."""
        count = self.item.unsupported_sentences
        if count is None or self.state is VerdictState.NOTHING_TO_CHECK:
            return ""
        return f"{count} of {self.details.checked}"

    @property
    def shown_score(self) -> float | None:
        """The score that the verdict follows from, in [0, 1]; None where there is nothing to
        check."""
        return None if self.state is VerdictState.NOTHING_TO_CHECK else self.item.score

    @property
    def label(self) -> str:
        """What the data set says; "" where it says nothing."""
        return LABELS[self.item.label]

    @property
    def mistake(self) -> Mistake | None:
        """How the verdict differs from the label; None where they agree, there is no label or
        there is nothing to check."""
        supported = self.item.verdict is Verdict.SUPPORTED
        if self.item.label is None or supported == bool(self.item.label):
            return None
        if self.item.verdict is Verdict.NOTHING_TO_CHECK:
            return None
        return Mistake.MISS if supported else Mistake.FALSE_ALARM

    @property
    def also_by(self) -> str:
        """The detectors of the other audits, each with the symbol of its verdict."""
        return ", ".join(
            f"{detector_title(each.detector)} {STATES[_state_of(each)][0]}" for each in self.others
        )

    @property
    def reviewers(self) -> str:
        """What the reviewers say: the symbol of each verdict with who gave it, as
        "✓ Ann, Bob · ✗ Cy"; where they judged the answer in another audit, with its number."""
        return opinions_text(self.details.opinions, self.item.audit_id)

    @property
    def reviewer_counts(self) -> str:
        """How many reviewers say what, as "✓ 2 ✗ 1"."""
        return counts_text(self.details.opinions)

    @property
    def reviewer_counts_where(self) -> str:
        """As :attr:`reviewers`, with numbers in place of names."""
        return counts_where_text(self.details.opinions, self.item.audit_id)

    @property
    def date(self) -> str:
        """When it was audited, to the minute, in UTC."""
        return self.item.created_at[:16].replace("T", " ")


def other_text(other: AuditRow) -> str:
    """Name another audit of an answer: detector, symbol of the verdict, and score or nothing to
    check."""
    state = _state_of(other)
    said = f"{detector_title(other.detector)}: {STATES[state][0]}"
    if state is VerdictState.NOTHING_TO_CHECK:
        return f"{said} {STATES[state][1].lower()}"
    return f"{said} {other.score:.3f}"


def _state_of(row: AuditRow) -> VerdictState:
    return verdict_state(row.verdict, row.unsupported_sentences)


def state_text(state: VerdictState) -> str:
    """Say a verdict."""
    symbol, name = STATES[state]
    return f"{symbol} {name}"


def opinion_text(said: Opinion, audit_id: int) -> str:
    """What a reviewer says of an answer, and in which audit where that is another."""
    symbol, name = JUDGED[said.verdict]
    where = "" if said.audit_id == audit_id else f" ({judged_in_text([said.audit_id])})"
    return f"{said.reviewer}: {symbol} {name.lower()}{where}"


def listed(items: Sequence[Item], url: str | None = None) -> tuple[ListedAudit, ...]:
    """Make the rows of a list of audits. Raises StorageError where their details cannot be read."""
    details = ItemStore.open(url).details({item.audit_id for item in items})
    # One that was deleted since the items were read has none.
    return tuple(
        ListedAudit(
            item,
            details[item.audit_id],
            verdict_state(item.verdict, item.unsupported_sentences),
        )
        for item in items
        if item.audit_id in details
    )


_REVIEWED = {
    Reviewed.UNREVIEWED: "that nobody has judged",
    Reviewed.REVIEWED: "that somebody has judged",
    Reviewed.DISPUTED: "that reviewers disagree about",
    Reviewed.UNSETTLED: "that reviewers disagree about and no gold label settles",
    Reviewed.SETTLED: "that a gold label settles",
    Reviewed.OVERRULED: "that a reviewer judged differently from the machine",
}


def filter_lines(chosen: ItemFilter, run_names: Sequence[str]) -> list[str]:
    """What a filter lets pass. A line for each condition, or one that says that there is none."""
    audits = chosen.audits
    lines = [f"items of the run {name}" for name in run_names]
    if audits.text.strip():
        lines.append(f"query, answer or context contains: {audits.text.strip()}")
    if audits.verdict is not None:
        lines.append(f"the machine's verdict is {VERDICTS[audits.verdict][1].lower()}")
    if audits.flagged is not None:
        lines.append(
            "at least one sentence is not supported"
            if audits.flagged
            else "every sentence that was checked is supported"
        )
    if audits.detector is not None:
        lines.append(f"scored by the detector {detector_title(audits.detector)}")
    if audits.since is not None:
        lines.append(f"audited on {audits.since.isoformat()} (UTC) or later")
    if audits.until is not None:
        lines.append(f"audited on {audits.until.isoformat()} (UTC) or earlier")
    if chosen.label is not None:
        lines.append(f"labelled {LABELS[chosen.label]}")
    if chosen.labelled:
        lines.append("that have a label")
    for name, wanted in (
        ("subset", chosen.subset),
        ("task", chosen.task),
        ("model that answered", chosen.source_model),
    ):
        if wanted:
            lines.append(f"{name}: {wanted}")
    if chosen.score_from is not None:
        lines.append(f"score at least {chosen.score_from:.3f}")
    if chosen.score_to is not None:
        lines.append(f"score at most {chosen.score_to:.3f}")
    if chosen.reviewed is not Reviewed.ANY:
        lines.append(_REVIEWED[chosen.reviewed])
    if chosen.share_of:
        lines.append(f"in the share of {chosen.share_of}")
    return lines or ["every saved audit"]
