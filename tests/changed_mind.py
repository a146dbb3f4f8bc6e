"""One made-up case for every list: two audits of an answer, three reviewers, one changes her mind.

By the rule the answer is supported. Each audit by its own judgements would have no majority, and
the first judgement of each reviewer would make the answer hallucinated.
"""

from __future__ import annotations

from dataclasses import replace

from provenance_core import Parameters, assemble
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedSentence, JudgedVerdict, Judgement
from storage import NewRun, ReviewStore, RunStore
from tests.conftest import hand_evidence

FIRST, SECOND = 1, 3  # the audits of the answer; 2 and 4 are of another, which nobody judged
SUPPORTED = Judgement(JudgedVerdict.SUPPORTED)
HALLUCINATED = Judgement(
    JudgedVerdict.HALLUCINATED, sentences=(JudgedSentence(0, JudgedVerdict.HALLUCINATED),)
)
# Who counts, the oldest first, and in which audit that was said.
OPINIONS = [
    (FIRST, "bob", JudgedVerdict.SUPPORTED),
    (SECOND, "cid", JudgedVerdict.HALLUCINATED),
    (SECOND, "ann", JudgedVerdict.SUPPORTED),
]


def judged_twice(url: str) -> None:
    """Two runs of one file of two rows without labels, each by another detector, and judgements."""
    runs, reviews = RunStore.open(url), ReviewStore.open(url)
    for detector, entailment in (("two-stage", 0.9), ("summac", 0.3)):
        run = runs.create(
            NewRun(detector, "rows.jsonl", "rows", (), "embedded", Parameters()),
            [BatchRow(line, query, ("a",), "b", id=query) for line, query in enumerate("qr", 1)],
            [],
        )
        assert runs.take(run, "worker")
        for query in "qr":
            evidence = replace(hand_evidence([0.1], [[entailment]]), query=query)
            audit = assemble(evidence, Parameters(threshold=0.5, detector=detector))
            assert runs.finish(runs.next_row(run).id, "worker", audit)
        runs.end(run, "worker")
    reviews.save(FIRST, "ann", HALLUCINATED)
    reviews.save(FIRST, "bob", SUPPORTED)
    reviews.save(SECOND, "cid", HALLUCINATED)
    reviews.save(SECOND, "ann", SUPPORTED)
