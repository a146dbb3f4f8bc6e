"""Scores of many audits under other parameters, against the audit-by-audit reference."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import event, text

from provenance_core import Parameters, assemble, recompute
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedVerdict, Judgement
from provenance_core.types import Aggregation, ClaimAggregation, SelectionStrategy
from storage import (
    AuditNotFound,
    AuditStore,
    BulkScoreStore,
    GoldLabelStore,
    NewRun,
    ReviewStore,
    RunStore,
    StorageError,
    scores_under,
)
from storage.engine import get_engine
from tests.conftest import hand_evidence

SELECTIONS = [
    (SelectionStrategy.TOP_P, {"top_p": 0.5}),
    (SelectionStrategy.TOP_P, {"top_p": 1.0}),
    (SelectionStrategy.TOP_K, {"top_k": 1}),
    (SelectionStrategy.TOP_K, {"top_k": 3}),
]


def random_audit(seed: int):
    """One to four claims over one to five chunks, with calibration and shared words."""
    generator = np.random.default_rng(seed)
    claims, chunks = int(generator.integers(1, 5)), int(generator.integers(1, 6))
    probabilities = generator.dirichlet([1, 1, 1], size=(claims, chunks))
    evidence = hand_evidence(
        generator.normal(size=chunks).tolist(),
        probabilities[..., 0].tolist(),
        probabilities[..., 2].tolist(),
    )
    return assemble(evidence, Parameters(threshold=0.5))


def with_coverage(audit, slope: float):
    model = replace(
        audit.evidence.nli_model,
        calibration_slope=slope,
        calibration_intercept=-0.3,
        calibration_coverage=1.5,
    )
    return assemble(replace(audit.evidence, nli_model=model), audit.parameters)


@pytest.fixture
def saved(url) -> list[int]:
    store = AuditStore.open(url)
    return [store.save(with_coverage(random_audit(n), 0.5 + n / 10)) for n in range(12)]


@pytest.mark.parametrize("aggregation", Aggregation)
@pytest.mark.parametrize("claims", ClaimAggregation)
@pytest.mark.parametrize(("selection", "how"), SELECTIONS)
def test_scores_are_those_of_recompute(url, saved, aggregation, claims, selection, how):
    parameters = Parameters(
        aggregation=aggregation, claim_aggregation=claims, selection=selection, **how
    )
    found = scores_under(BulkScoreStore.open(url).measured(saved), parameters)
    store = AuditStore.open(url)
    expected = [
        recompute(
            store.load(number).audit,
            aggregation=aggregation,
            claim_aggregation=claims,
            selection=selection,
            **how,
        ).score
        for number in saved
    ]
    assert found == pytest.approx(expected, abs=1e-9)
    assert len(set(found)) > 1


def test_real_scores_are_those_of_the_audits(url, provenance):
    store = AuditStore.open(url)
    numbers = [
        store.save(
            provenance.audit(
                query="How tall is it?",
                answer=answer,
                context=["The tower is 330 metres tall.\n\nIt is in Paris.", "Cats sleep."],
            )
        )
        for answer in ("It is 330 metres tall.", "It is 510 m tall. It is in Paris.", "Cats bark.")
    ]
    for aggregation, claims in itertools.product(Aggregation, ClaimAggregation):
        parameters = Parameters(aggregation=aggregation, claim_aggregation=claims)
        found = scores_under(BulkScoreStore.open(url).measured(numbers), parameters)
        expected = [
            recompute(
                store.load(number).audit, aggregation=aggregation, claim_aggregation=claims
            ).score
            for number in numbers
        ]
        assert found == pytest.approx(expected, abs=1e-9)


def test_order_and_repeats_are_kept_over_several_reads(url, saved, monkeypatch):
    bulk = BulkScoreStore.open(url)
    wanted = [*reversed(saved), saved[0]]
    whole = bulk.measured(wanted)
    monkeypatch.setattr("storage.stored_scores._READ_AT_ONCE", 5)
    parts = bulk.measured(wanted)
    assert [m.id for m in whole] == [m.id for m in parts] == wanted
    assert scores_under(whole, Parameters()) == scores_under(parts, Parameters())


def test_many_audits_take_few_queries(url, saved):
    bulk = BulkScoreStore.open(url)
    seen = []
    event.listen(get_engine(url), "before_cursor_execute", lambda *given: seen.append(given[2]))
    bulk.measured(saved)
    selects = [statement for statement in seen if statement.startswith("SELECT")]
    assert 0 < len(selects) <= 6


def test_same_context_has_the_same_digest(url):
    store = AuditStore.open(url)
    numbers = [
        store.save(assemble(hand_evidence(relevance, [[0.5] * len(relevance)]), Parameters()))
        for relevance in ([0.1, 0.2], [0.3, 0.1], [0.1])
    ]
    first, second, third = (m.context for m in BulkScoreStore.open(url).measured(numbers))
    assert first == second != third


def test_no_audits_and_a_missing_one(url, saved):
    bulk = BulkScoreStore.open(url)
    assert bulk.measured([]) == ()
    with pytest.raises(AuditNotFound, match="no audit 999"):
        bulk.measured([saved[0], 999])


def test_a_damaged_audit_is_named(url, saved):
    with get_engine(url).begin() as connection:
        connection.execute(text("UPDATE audits SET document = substr(document, 9) WHERE id = 3"))
        connection.execute(text("DELETE FROM supports WHERE audit_id = 3"))
    with pytest.raises(StorageError, match="Audit 3 cannot be read"):
        BulkScoreStore.open(url).measured(saved)


def test_supports_that_were_not_kept_are_made_again_and_kept(url, saved):
    """As of audits that another version saved."""
    bulk, engine = BulkScoreStore.open(url), get_engine(url)
    expected = bulk.measured(saved)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM supports WHERE audit_id <= 6"))
    again = bulk.measured([*saved, saved[0]])
    for found, wanted in zip(again, (*expected, expected[0]), strict=True):
        assert (found.id, found.context, found.score) == (wanted.id, wanted.context, wanted.score)
        np.testing.assert_array_equal(found.factuality, wanted.factuality)
        np.testing.assert_array_equal(found.probabilities, wanted.probabilities)
    with engine.begin() as connection:
        assert connection.scalar(text("SELECT count(*) FROM supports")) == len(saved)


def test_state_changes_when_audits_come_and_go(url, saved):
    bulk, store = BulkScoreStore.open(url), AuditStore.open(url)
    before = bulk.state()
    assert bulk.state() == before
    store.delete(saved[-1])
    without = bulk.state()
    assert store.save(random_audit(99)) > saved[-1]
    assert len({before, without, bulk.state()}) == 3


def test_state_changes_when_an_answer_is_settled(url, saved):
    """Else Thresholds and Compare go on with the label of before."""
    bulk = BulkScoreStore.open(url)
    ReviewStore.open(url).save(saved[0], "ann", Judgement(JudgedVerdict.SUPPORTED))
    before = bulk.state()
    GoldLabelStore.open(url).save(saved[0], "cy", JudgedVerdict.HALLUCINATED)
    assert bulk.state() != before


def test_state_changes_when_an_old_audit_follows_a_deleted_one(url, saved):
    bulk, store = BulkScoreStore.open(url), AuditStore.open(url)
    before = bulk.state()
    store.delete(saved[-1])
    old = replace(random_audit(99), created_at="2020-01-01T00:00:00.000+00:00")
    assert store.save(old) > saved[-1]
    assert bulk.state() != before


def test_state_changes_when_a_run_is_made_again_with_other_labels(url):
    number = AuditStore.open(url).save(random_audit(1))
    runs, bulk = RunStore.open(url), BulkScoreStore.open(url)
    states = []
    for count, label in enumerate((0, 1), 1):
        run = runs.create(
            NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters()),
            [BatchRow(1, "", ("context",), "answer", label=label)],
            [],
        )
        assert run == count, "no number is given again"
        runs.take(run, "worker")
        assert runs.share(runs.next_row(run).id, "worker", number)
        states.append(bulk.state())
        runs.delete(run)
        time.sleep(0.002)  # times are kept to the millisecond
    assert states[0] != states[1]


def test_a_row_without_a_group_and_an_audit_of_the_same_context_are_one_group(url):
    audit = random_audit(1)
    number = AuditStore.open(url).save(audit)
    runs = RunStore.open(url)
    context = tuple(item.text for item in audit.evidence.context)
    run = runs.create(
        NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters()),
        [BatchRow(1, "", context, "answer", label=1)],
        [],
    )
    runs.take(run, "worker")
    assert runs.share(runs.next_row(run).id, "worker", number)
    (group,) = runs.labelled_scores(run).groups
    (measured,) = BulkScoreStore.open(url).measured([number])
    assert measured.context == group


def test_rows_of_given_audits_come_in_the_order_given(url, saved):
    store = AuditStore.open(url)
    found = store.rows([saved[4], 999, saved[1]])
    assert [row.id for row in found] == [saved[4], saved[1]]
    assert found[0].score == store.load(saved[4]).audit.score
