"""Answers on which reviewers disagree who judged different audits of them.

A list shows for an audit that was judged itself its own judgements alone, and agreement counts what
each reviewer says of the answer, in whichever audit: so some disagreements are in no row of a list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core import Verdict
from provenance_core.review.types import JudgedVerdict, Review
from provenance_core.statistics.agreement import AgreementReport
from reports.listed_audits import ListedAudit
from storage import Reviewed

_AGAINST = {
    Verdict.SUPPORTED: JudgedVerdict.HALLUCINATED,
    Verdict.HALLUCINATED: JudgedVerdict.SUPPORTED,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """The agreement of the reviewers, one opinion of each for an answer, and the audits that these
    opinions name. ``listed``: the numbers of the judgements that were given in audits of the list,
    whose rows show them."""

    report: AgreementReport
    opinions: tuple[Review, ...]
    audits: tuple[ListedAudit, ...]
    listed: frozenset[int]

    def across(self, kind: Reviewed) -> tuple[int, ...]:
        """The audits whose answer is ``kind`` by all opinions, DISPUTED or OVERRULED, and not by
        what a list shows of them."""
        said: dict[int, list[Review]] = defaultdict(list)
        for review in self.opinions:
            said[review.audit_id].append(review)
        return tuple(
            row.item.audit_id
            for row in self.audits
            if self._disagree(kind, said[row.item.audit_id])
            and not _shows(kind, row.item.verdict, _shown(row))
        )

    def _disagree(self, kind: Reviewed, reviews: Sequence[Review]) -> bool:
        if kind is Reviewed.DISPUTED:
            return len({review.judgement.verdict for review in reviews}) > 1
        return any(
            _AGAINST.get(review.machine_verdict) is review.judgement.verdict
            for review in reviews
            if review.id not in self.listed
        )


def _shown(row: ListedAudit) -> list[JudgedVerdict]:
    """The verdicts in the row's column of the reviewers."""
    own = [verdict for _, verdict in row.details.verdicts]
    return own or [other.verdict for other in row.details.elsewhere]


def _shows(kind: Reviewed, machine: Verdict, verdicts: Sequence[JudgedVerdict]) -> bool:
    if kind is Reviewed.DISPUTED:
        return len(set(verdicts)) > 1
    return _AGAINST.get(machine) in verdicts
