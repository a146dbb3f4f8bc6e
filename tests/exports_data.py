"""A small database with a run, reviews and an audit of no run, for the tests of what leaves it."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from provenance_core import Audit, Parameters, Verdict, assemble
from provenance_core.files.types import BatchRow
from provenance_core.review.types import (
    ChunkMark,
    FindingType,
    JudgedChunk,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
    Review,
)
from provenance_core.types import ContextItem, Notice
from storage import AuditStore, ItemFilter, NewRun, RunStore
from storage.engine import get_engine
from storage.exports import Exporter, ExportFormat
from storage.reviews import insert_review
from tests.conftest import hand_evidence

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
QUERY = f"=HYPERLINK(1) {SCRIPT}"
NOW = "2026-01-02T03:04:05.678+00:00"


def an_audit(*entailment: float, query: str = QUERY, contradiction: float = 0.0) -> Audit:
    """An audit of one sentence a number over one chunk, with hostile texts."""
    against = [[contradiction if e < 0.5 else 0.0] for e in entailment]
    evidence = hand_evidence([0.1], [[e] for e in entailment], against)
    context = (ContextItem(0, evidence.context[0].text, SCRIPT), ContextItem(1, SCRIPT, "b"))
    return assemble(
        replace(
            evidence,
            query=query,
            context=context,
            notices=(Notice("hand", SCRIPT),),
            relevance_model=replace(evidence.relevance_model, model_id=SCRIPT),
        ),
        Parameters(threshold=0.5),
        NOW,
    )


def a_review(audit: int, reviewer: str, verdict: str, version: int = 1, **rest: Any) -> Review:
    return Review(
        0, audit, reviewer, version, NOW,
        Judgement(JudgedVerdict(verdict), **rest), 0.9, 0.5, Verdict.SUPPORTED,
    )  # fmt: skip


def fill(url: str) -> None:
    """Audits 1 and 2 are rows 1 and 2 of a run, row 3 shares audit 1, audit 3 is of no run.

    Audit 2 is reviewed by ann (twice) and bob, audit 3 by ann, who cannot tell.
    """
    runs = RunStore.open(url)
    run = runs.create(
        NewRun(f"first {SCRIPT}", f"{SCRIPT}.jsonl", "rows", (), "embedded", Parameters()),
        [
            BatchRow(
                i, QUERY, ("a",), f"answer {i}", id=f"r{i}", label=i % 2, group=f"g{i}", task=SCRIPT
            )
            for i in range(1, 4)
        ],
        [],
    )
    runs.take(run, "w")
    for audit in (an_audit(0.9), an_audit(0.2, 0.9, 0.1, contradiction=0.7)):
        pending = runs.next_row(run)
        assert pending is not None
        assert runs.finish(pending.id, "w", audit)
    pending = runs.next_row(run)
    assert pending is not None
    assert runs.share(pending.id, "w", 1)
    AuditStore.open(url).save(an_audit(0.4, query=""))
    reviews = (
        a_review(2, "ann", "supported", comment="first thought"),
        a_review(
            2, "ann", "hallucinated", 2, type=FindingType.EVIDENT_CONFLICT,
            comment=f"+1 {SCRIPT}", blind=True,
            sentences=(
                JudgedSentence(0, JudgedVerdict.HALLUCINATED, FindingType.SUBTLE_BASELESS),
                JudgedSentence(2, JudgedVerdict.HALLUCINATED),
            ),
            chunks=(JudgedChunk(0, ChunkMark.CONTRADICTS),),
            spans=(JudgedSpan(0, 5, FindingType.EVIDENT_CONFLICT),),
        ),
        a_review(2, "bob", "hallucinated"),
        a_review(3, "ann", "cannot_tell"),
    )  # fmt: skip
    with Session(get_engine(url)) as session, session.begin():
        for review in reviews:
            newest = (review.reviewer, review.version) != ("ann", 1) or review.audit_id != 2
            insert_review(session, review, latest=newest)


def exported(
    url: str,
    wanted: ExportFormat = ExportFormat.JSONL,
    chosen: ItemFilter = ItemFilter(),  # noqa: B008  (frozen)
) -> bytes:
    """The file of the items of ``chosen``, which are all of them by default."""
    file = io.BytesIO()
    Exporter.open(url).write(chosen, wanted, file)
    return file.getvalue()
