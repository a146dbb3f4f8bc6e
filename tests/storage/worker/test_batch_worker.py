"""The worker of a batch run, with the shipped models on a few short rows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from provenance_core import (
    DETECTORS,
    ContextItem,
    InputError,
    ModelError,
    Parameters,
    Provenance,
    Verdict,
)
from provenance_core.files.types import BatchRow
from storage import ItemFilter, ItemOrder, ItemStore, NewRun, RowStatus, RunStatus, StorageError
from storage.engine import get_engine
from storage.worker.process import has_died, is_gone, this_worker
from storage.worker.rows import Outcome, Stores, work

PARAMETERS = Parameters(threshold=0.5)
SKY = BatchRow(1, "What colour is the sky?", ("The sky is blue.",), "The sky is blue.", label=1)
GRASS = BatchRow(2, "", ("Grass is green.",), "Grass is purple and sings.", label=0)


@pytest.fixture
def stores(url) -> Stores:
    return Stores.open(url)


def a_run(stores: Stores, *rows: BatchRow, name: str = "first", parameters=PARAMETERS) -> int:
    new = NewRun(name, "rows.jsonl", "rows", (), "embedded", parameters)
    return stores.runs.create(new, [replace(r, line=i) for i, r in enumerate(rows, 1)], [])


def items(url: str, run: int):
    return ItemStore.open(url).page(ItemFilter(runs=(run,)), ItemOrder.FILE).items


def test_rows_are_audited_as_one_would_be(stores, url, provenance):
    number = a_run(stores, SKY, GRASS)
    seen = []
    outcome = work(stores, number, "w", load=lambda profile: provenance, on_progress=seen.append)
    assert outcome is Outcome.DONE
    run = stores.runs.get(number)
    assert (run.status, run.worker, run.message) == (RunStatus.DONE, None, "")
    assert [(p.done, p.failed, p.left) for p in seen] == [(1, 0, 1), (2, 0, 0)]
    assert run.progress == seen[-1]
    for item, row in zip(items(url, number), (SKY, GRASS), strict=True):
        alone = provenance.audit(
            query=row.query, answer=row.answer, context=row.context, parameters=PARAMETERS
        )
        assert (item.label, item.answer) == (row.label, row.answer)
        assert item.score == pytest.approx(alone.score, abs=1e-6)
        assert stores.audits.load(item.audit_id).audit.evidence.context == alone.evidence.context
    assert work(stores, number, "w", load=lambda profile: provenance) is Outcome.REFUSED


def test_a_row_that_cannot_be_audited_is_failed_and_the_others_are_done(stores, url, provenance):
    number = a_run(stores, replace(SKY, answer=" "), SKY, replace(GRASS, context=("",)))
    work(stores, number, "w", load=lambda profile: provenance)
    run = stores.runs.get(number)
    assert (run.status, run.progress.done, run.progress.failed) == (RunStatus.DONE, 1, 2)
    failed = stores.runs.rows_without_audit(number, RowStatus.FAILED)
    assert [(row.line, row.reason.split(".")[0]) for row in failed.rows] == [
        (1, "The answer is empty"),
        (3, "The context is empty"),
    ]
    assert stores.runs.rows_without_audit(number, RowStatus.FAILED, "CONTEXT is").total == 1
    assert stores.runs.rows_without_audit(number, RowStatus.DONE).total == 0


class Counting:
    """The shipped models, counting what they are asked."""

    def __init__(self, provenance: Provenance, before=lambda: None) -> None:
        self._provenance, self._before, self.asked = provenance, before, 0
        self.relevance, self.nli = provenance.relevance, provenance.nli
        self.models_of = provenance.models_of

    def audit_texts(self, *given):
        self.asked += 1
        self._before()
        return self._provenance.audit_texts(*given)


def test_an_error_that_nobody_foresaw_fails_its_row_alone(stores, provenance, caplog):
    def fail_once() -> None:
        if models.asked == 1:
            raise KeyError("secret text")

    models = Counting(provenance, fail_once)
    number = a_run(stores, SKY, GRASS)
    assert work(stores, number, "w", load=lambda profile: models) is Outcome.DONE
    assert stores.runs.get(number).progress.failed == 1
    (row,) = stores.runs.rows_without_audit(number, RowStatus.FAILED).rows
    assert row.line == 1
    assert "an error that nobody foresaw (KeyError in test_batch_worker.py" in row.reason
    assert "event=unforeseen error=KeyError" in caplog.text
    assert "secret text" not in caplog.text


def test_rows_of_the_same_text_share_an_audit_also_between_runs(stores, url, provenance):
    models = Counting(provenance)
    # The second differs in what is repaired before it is kept, which makes it the first.
    first = a_run(stores, replace(SKY, answer="Blue\x00."), replace(SKY, answer="Blue\ufffd."))
    work(stores, first, "w", load=lambda profile: models)
    one, two = items(url, first)
    assert (models.asked, one.audit_id == two.audit_id) == (1, True)
    second = a_run(stores, replace(SKY, answer="Blue\x00."), GRASS, name="second")
    work(stores, second, "w", load=lambda profile: models)
    assert models.asked == 2
    assert items(url, second)[0].audit_id == one.audit_id
    assert stores.audits.count() == 2


def test_other_parameters_make_an_audit_of_their_own_without_a_model(stores, url, provenance):
    models = Counting(provenance)
    work(stores, a_run(stores, SKY), "w", load=lambda profile: models)
    strict = replace(PARAMETERS, threshold=1.0)
    number = a_run(stores, SKY, name="strict", parameters=strict)
    work(stores, number, "w", load=lambda profile: models)
    (item,) = items(url, number)
    assert models.asked == 1
    assert (item.threshold, item.verdict) == (1.0, Verdict.HALLUCINATED)
    assert stores.audits.load(item.audit_id).audit.parameters == strict
    shorter = replace(PARAMETERS, chunk_tokens=64)
    work(
        stores, a_run(stores, SKY, name="shorter", parameters=shorter), "w",
        load=lambda profile: models,
    )  # fmt: skip
    assert models.asked == 2, "other chunks are measured anew"


def test_a_cancelled_run_stops_and_goes_on_where_it_was(stores, url, provenance):
    number = a_run(stores, SKY, GRASS)
    models = Counting(provenance, lambda: stores.runs.cancel(number))
    assert work(stores, number, "w", load=lambda profile: models) is Outcome.LOST
    assert stores.runs.get(number).progress.done == 0
    assert stores.audits.count() == 0, "the audit of a cancelled run was kept"
    stores.runs.resume(number)
    assert work(stores, number, "w2", load=lambda profile: provenance) is Outcome.DONE
    assert stores.audits.count() == 2


def test_a_run_deleted_meanwhile_ends_its_worker(stores, provenance):
    number = a_run(stores, SKY, GRASS)
    models = Counting(provenance, lambda: stores.runs.delete(number))
    assert work(stores, number, "w", load=lambda profile: models) is Outcome.LOST
    assert (models.asked, stores.audits.count()) == (1, 0)


def test_a_second_worker_is_refused_and_a_live_one_is_not_replaced(stores, provenance):
    number = a_run(stores, SKY)
    outcomes = []

    def rival() -> None:
        outcomes.append(work(stores, number, this_worker(), load=lambda profile: provenance))

    models = Counting(provenance, rival)
    assert work(stores, number, this_worker(), load=lambda profile: models) is Outcome.DONE
    assert outcomes == [Outcome.REFUSED]
    assert stores.audits.count() == 1


def test_two_workers_on_two_runs_do_not_meet(stores, url, provenance):
    first, second = a_run(stores, SKY), a_run(stores, GRASS, name="second")

    def rival() -> None:
        assert work(stores, second, "two", load=lambda profile: provenance) is Outcome.DONE

    models = Counting(provenance, rival)
    assert work(stores, first, "one", load=lambda profile: models) is Outcome.DONE
    assert [i.answer for i in items(url, first) + items(url, second)] == [SKY.answer, GRASS.answer]


def test_a_dead_worker_is_replaced_at_once(stores, provenance):
    host, pid, _, token = this_worker().split(" ")
    dead = f"{host} {pid} 1.00 {token}"  # this process id, of an earlier process
    assert is_gone(dead)
    assert not is_gone(this_worker())
    assert not is_gone(f"elsewhere {pid} 1.00 {token}")
    assert not is_gone("something else")
    number = a_run(stores, SKY)
    assert stores.runs.take(number, dead)
    assert has_died(stores.runs.get(number))
    assert work(stores, number, this_worker(), load=lambda profile: provenance) is Outcome.DONE
    assert not has_died(stores.runs.get(number))


def test_a_model_that_cannot_be_loaded_is_said_in_the_run(stores, provenance):
    number = a_run(stores, SKY)

    def refuse(profile: str) -> Provenance:
        raise ModelError("The weights do not match their manifest.")

    with pytest.raises(ModelError):
        work(stores, number, "w", load=refuse)
    run = stores.runs.get(number)
    assert (run.status, run.worker) == (RunStatus.STOPPED, None)
    assert run.message == "The weights do not match their manifest."
    stores.runs.resume(number)
    assert work(stores, number, "w", load=lambda profile: provenance) is Outcome.DONE
    assert stores.runs.get(number).message == ""


def refuse_audits(url: str) -> None:
    with get_engine(url).begin() as connection:
        connection.execute(
            text(
                "CREATE TRIGGER full BEFORE INSERT ON audits BEGIN "
                "SELECT RAISE(ABORT, 'no space left'); END"
            )
        )


def allow_audits(url: str) -> None:
    with get_engine(url).begin() as connection:
        connection.execute(text("DROP TRIGGER full"))


def test_a_lasting_fault_of_the_database_stops_the_run_with_its_message(stores, url, provenance):
    number = a_run(stores, SKY)
    refuse_audits(url)
    with pytest.raises(StorageError, match="no space left"):
        work(stores, number, "w", load=lambda profile: provenance, patience=(0.0,))
    run = stores.runs.get(number)
    assert run.status is RunStatus.STOPPED
    assert "no space left" in run.message
    assert (run.progress.done, stores.audits.count()) == (0, 0)


def test_a_passing_fault_of_the_database_is_waited_for(stores, url, provenance, monkeypatch):
    number = a_run(stores, SKY)
    refuse_audits(url)
    waited = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        allow_audits(url)

    monkeypatch.setattr("storage.worker.rows.time.sleep", wait)
    models = Counting(provenance)
    assert work(stores, number, "w", load=lambda profile: models) is Outcome.DONE
    assert (len(waited), models.asked) == (1, 1)


def test_ctrl_c_leaves_a_run_that_can_be_resumed(stores, provenance):
    number = a_run(stores, SKY, GRASS)

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work(stores, number, "w", load=lambda profile: Counting(provenance, interrupt))
    assert stores.runs.get(number).status is RunStatus.CANCELLED
    stores.runs.resume(number)
    assert work(stores, number, "w", load=lambda profile: provenance) is Outcome.DONE


def test_an_audit_deleted_after_its_row_was_done_is_not_hidden(stores, url, provenance):
    number = a_run(stores, SKY)
    work(stores, number, "w", load=lambda profile: provenance)
    stores.audits.delete(items(url, number)[0].audit_id)
    assert items(url, number) == ()
    gone = stores.runs.rows_without_audit(number, RowStatus.DONE)
    assert [row.answer for row in gone.rows] == [""], "its texts are deleted with the audit"


def test_labelled_scores_are_those_of_the_audits(stores, url, provenance):
    unlabelled = replace(SKY, answer="Yes.", label=None)
    number = a_run(stores, SKY, replace(GRASS, group="g"), unlabelled, replace(SKY, answer=""))
    work(stores, number, "w", load=lambda profile: provenance)
    found = stores.runs.labelled_scores(number)
    assert found.labels == (1, 0)
    assert found.scores == tuple(item.score for item in items(url, number)[:2])
    assert found.groups[1] == "g"
    assert found.groups[0], "a row without a group has none of its own"


def test_runs_page_newest_first(stores):
    numbers = [a_run(stores, SKY, name=f"run {i}") for i in range(5)]
    page = stores.runs.page(1, 2)
    assert ([run.id for run in page.runs], page.total) == ([numbers[3], numbers[2]], 5)


@pytest.mark.parametrize(
    ("name", "why"), [(" first ", "already"), (" ", "no name"), ("x" * 201, "201")]
)
def test_a_name_that_cannot_be_given_is_refused_with_the_reason(stores, name, why):
    a_run(stores, SKY)
    assert stores.runs.free_name(" second ") == "second"
    with pytest.raises(InputError, match=why):
        stores.runs.free_name(name)


def test_scores_of_older_measuring_code_are_not_reused(stores, url, provenance, monkeypatch):
    first = a_run(stores, SKY)
    work(stores, first, "w", load=lambda profile: provenance)
    calls = []
    measure = provenance.audit_texts
    monkeypatch.setattr(
        provenance, "audit_texts", lambda *given: calls.append(given) or measure(*given)
    )
    # Another threshold is arithmetic on what was measured.
    same = a_run(stores, SKY, name="same", parameters=replace(PARAMETERS, threshold=0.6))
    work(stores, same, "w", load=lambda profile: provenance)
    assert not calls
    monkeypatch.setattr(type(DETECTORS["two-stage"]), "measured_by", 99)
    newer = a_run(stores, SKY, name="newer", parameters=replace(PARAMETERS, threshold=0.7))
    work(stores, newer, "w", load=lambda profile: provenance)
    assert len(calls) == 1


def test_rows_with_other_titles_share_scores_and_no_audit(stores, url, provenance, monkeypatch):
    def titled(name: str) -> BatchRow:
        context = (ContextItem(0, "The sky is blue.", name), "Grass is green.")
        return replace(SKY, context=context, answer="The sky is blue [sky.md].")

    number = a_run(stores, titled("a.md"), titled("sky.md"), titled("a.md"))
    asked = []
    measure = provenance.audit_texts
    monkeypatch.setattr(provenance, "audit_texts", lambda *a: asked.append(a) or measure(*a))
    work(stores, number, "w", load=lambda profile: provenance)
    numbers = [item.audit_id for item in items(url, number)]
    assert len(asked) == 1 and numbers[0] == numbers[2] != numbers[1]
    found = [stores.audits.load(each).audit.evidence for each in numbers[:2]]
    assert [[i.name for i in e.context] for e in found] == [["a.md", ""], ["sky.md", ""]]
    assert [[c.items for c in e.citations] for e in found] == [[()], [(0,)]]
