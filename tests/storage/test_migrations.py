"""Migrations of a database that holds something: no row is lost, upwards or downwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from alembic import command
from sqlalchemy import Connection, create_engine, event, inspect, text

from provenance_core import Parameters, assemble
from provenance_core.files.types import BatchRow, RejectedRow
from provenance_core.review.types import (
    ChunkMark,
    FindingType,
    JudgedChunk,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
)
from provenance_core.types import MissingDetail, PairScores
from storage import AuditStore, NewRun, ReviewStore, RunStore
from storage.copies import TEXT_INDEX
from storage.engine import _begin_sqlite, _set_up_sqlite, alembic_config, get_engine
from storage.models import Base
from tests.conftest import hand_evidence

AUDIT_PARTS = (
    "context_items", "chunks", "claims", "sentences", "score_matrices", "evidence_sentences",
    "missing_details",
)  # fmt: skip
# Made anew: what later audits can do without.
# And what is kept of deleted rows, of which there are none.
CACHES = {"pair_logits", "supports", "request_keys", "last_numbers"}
# Kept by triggers, and made of the audits by a migration.
OF_AUDITS = {"answers", "candidate_sources"}
# Not in the oldest versions, and empty here: tests of their own fill them.
EMPTY = {"presets", "fitted_profiles", "former_run_names"}
RUN_PARTS = ("runs", "run_rows", "run_rejects")


@pytest.fixture
def url(tmp_path) -> str:
    return f"sqlite:///{tmp_path / 'p.db'}"


def fill(url: str) -> None:
    """Two audits with a row in every table that they own, of a run; one of them reviewed."""
    evidence = hand_evidence([1.0, 0.0], [[0.9, 0.1], [0.2, 0.3]])
    detail = MissingDetail("number", "number", 6, 12)
    audit = assemble(replace(evidence, missing_details=(detail,)), Parameters())
    runs, reviews = RunStore.open(url), ReviewStore.open(url)
    run = runs.create(
        NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters()),
        [BatchRow(n, "", ("Chunk number 0.",), f"Answer {n}.", label=n % 2) for n in (1, 2)],
        [RejectedRow(3, "no answer", "{}")],
    )
    assert runs.take(run, "worker")
    while row := runs.next_row(run):
        assert runs.finish(row.id, "worker", audit)
    judgement = Judgement(
        JudgedVerdict.HALLUCINATED,
        sentences=(JudgedSentence(0, JudgedVerdict.HALLUCINATED, FindingType.EVIDENT_CONFLICT),),
        chunks=(JudgedChunk(0, ChunkMark.SUPPORTS),),
        spans=(JudgedSpan(0, 5, FindingType.EVIDENT_CONFLICT),),
    )
    reviews.save(1, "reviewer", judgement)
    assert reviews.renew(2, "reviewer")


def rows(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, the number of the migration left out."""
    return {
        name: sorted(map(tuple, connection.execute(text(f'SELECT * FROM "{name}"'))), key=repr)
        for name in inspect(connection).get_table_names()
        # The index of the texts is made of other rows.
        if name != "alembic_version" and not name.startswith(TEXT_INDEX)
    }


def cells(found: dict[str, list[tuple[object, ...]]]) -> list[tuple[object, ...]]:
    """The cells of the matrices among ``rows``, as the rows that they were before."""
    chunks = Counter(audit for audit, *_ in found["chunks"])
    return [
        (audit, kind, i, j, *cell)
        for audit, kind, scores in found["score_matrices"]
        for i, line in enumerate(np.frombuffer(scores).reshape(-1, chunks[audit], 3).tolist())
        for j, cell in enumerate(line)
    ]


def migrate(url: str, revision: str, *, down: bool = False) -> dict[str, list[tuple[object, ...]]]:
    """Every row after a migration on a connection as the storage opens it."""
    engine = create_engine(url)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    with engine.begin() as connection:
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        go = command.downgrade if down else command.upgrade
        go(alembic_config(connection), revision)
    with engine.begin() as connection:
        found = rows(connection)
        assert not connection.execute(text("PRAGMA foreign_key_check")).all()
    engine.dispose()
    return found


@pytest.mark.parametrize("oldest", ["0002", "0001"])
def test_going_back_and_forth_keeps_every_row_that_both_can_hold(url, oldest):
    fill(url)
    with get_engine(url).begin() as connection:
        full = rows(connection)
    get_engine(url).dispose()
    assert all(full[name] for name in full if name not in EMPTY | CACHES)
    assert set(full) == set(Base.metadata.tables)

    kept = [*AUDIT_PARTS, *(RUN_PARTS if oldest == "0002" else ())]
    before = migrate(url, oldest, down=True)
    # Before, the scores of sentences were there beside those of the claims that they are.
    doubled = {(audit, "sentence", *cell) for audit, _, *cell in cells(full)}
    assert set(before["pair_scores"]) == {*cells(full), *doubled}
    same = [name for name in kept if name != "score_matrices"]
    assert {name: before[name] for name in same} == {name: full[name] for name in same}
    assert len(before["audits"]) == 2
    assert set(before) == {"audits", "pair_scores", *same}

    after = migrate(url, "head")
    assert {name: after[name] for name in kept} == {name: full[name] for name in kept}
    store = AuditStore.open(url)
    loaded = [store.load(number).audit for number in (1, 2)]
    assert all(audit.evidence.missing_details for audit in loaded)
    # The digests of the texts are made again.
    with get_engine(url).begin() as connection:
        made = connection.execute(text("SELECT source_digest, text_digest FROM audits")).all()
    assert all(source and texts for source, texts in made)


def test_deleting_an_audit_of_an_upgraded_database_deletes_its_rows(url):
    """The foreign keys still point to the table that the audits are in."""
    fill(url)
    get_engine(url).dispose()
    migrate(url, "0001", down=True)
    migrate(url, "head")
    store = AuditStore.open(url)
    store.delete(1)
    with get_engine(url).begin() as connection:
        assert all(rows(connection)[name] for name in AUDIT_PARTS)
    store.delete(2)
    with get_engine(url).begin() as connection:
        assert not any(rows(connection)[name] for name in AUDIT_PARTS)


def test_an_upgraded_database_counts_the_answers_of_before_and_after(url):
    fill(url)
    audit = AuditStore.open(url).load(1).audit
    get_engine(url).dispose()
    with create_engine(url).begin() as connection:
        connection.execute(text("UPDATE audits SET text_digest = 'other' WHERE id = 2"))
    before = migrate(url, "0015", down=True)
    assert not OF_AUDITS & set(before)
    after = migrate(url, "head")
    source = after["answers"][0][0]
    assert [audits for *_, audits in after["answers"]] == [1, 1]
    assert after["candidate_sources"] == [(source, "provenance", 2, 1)]
    store = AuditStore.open(url)
    store.save(audit)
    store.delete(2)
    with get_engine(url).begin() as connection:
        kept = rows(connection)
    assert [audits for *_, audits in kept["answers"]] == [2]
    assert kept["candidate_sources"] == [(source, "provenance", 3, 0)]


def test_an_upgraded_database_gives_no_number_again(url):
    fill(url)
    get_engine(url).dispose()
    migrate(url, "0013", down=True)
    migrate(url, "head")
    audits, runs = AuditStore.open(url), RunStore.open(url)
    audit = audits.load(2).audit
    with get_engine(url).begin() as connection:
        # Also what is deleted past the storage counts.
        connection.execute(text("DELETE FROM audits"))
        connection.execute(text("DELETE FROM runs"))
    assert audits.save(audit) == 3
    new = NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters())
    assert runs.create(new, [], []) == 2


def test_audits_and_judgements_of_before_there_were_detectors_are_kept(url):
    """Up from the release before, with data: the new columns are empty, all else is as it was."""
    fill(url)
    get_engine(url).dispose()
    before = migrate(url, "0003", down=True)
    before["reservations"] = before.pop("review_claims")
    later = {*CACHES, *OF_AUDITS, "score_matrices", "fitted_profiles", "former_run_names"}
    assert set(before) - {"pair_scores"} == set(Base.metadata.tables) - later
    assert all(before[name] for name in before if name not in EMPTY | CACHES)
    after = migrate(url, "head")
    with get_engine(url).begin() as connection:
        digests = "SELECT {0}.source_digest, {0}.text_digest FROM audits, reviews"
        of = [
            connection.execute(text(f"{digests.format(name)} WHERE audits.id = audit_id")).all()
            for name in ("audits", "reviews")
        ]
    assert of[0] == of[1]
    assert all(all(each) for each in of[0])
    get_engine(url).dispose()
    # A judgement has the digests of its audit at its end.
    after["reviews"] = [row[:-2] for row in after["reviews"]]
    changed = ("audits", "pair_scores", "score_matrices")
    assert {n: r for n, r in after.items() if n not in (*changed, *later)} == {
        n: r for n, r in before.items() if n not in changed
    }
    assert len(before["pair_scores"]) == 2 * len(cells(after))
    with get_engine(url).begin() as connection:
        new = connection.execute(
            text("SELECT detector, detector_evidence, corrected_from FROM audits")
        ).all()
    assert new == [("provenance", None, None)] * 2
    # A link can be kept now, and is let go with the original alone.
    store = AuditStore.open(url)
    number = store.save(store.load(1).audit, corrected_from=1)
    assert [row.id for row in store.corrections(1).corrected] == [number]
    get_engine(url).dispose()
    assert len(migrate(url, "0003", down=True)["audits"]) == 3
    migrate(url, "head")
    store.delete(1)
    assert store.load(number).audit == store.load(2).audit


def test_scores_of_sentences_that_are_no_claims_are_kept_beside_them(url):
    """The claim prompt is one claim of two sentences: nothing of it is there twice."""
    evidence = hand_evidence([1.0, 0.0], [[0.9, 0.1], [0.2, 0.3]])
    whole = replace(
        evidence,
        claims=evidence.claims[:1],
        claim_scores=PairScores(evidence.claim_scores.values[:1]),
    )
    store = AuditStore.open(url)
    kept = [store.save(assemble(each, Parameters())) for each in (whole, evidence)]
    assert [store.load(number).audit.evidence for number in kept] == [whole, evidence]
    get_engine(url).dispose()
    migrate(url, "0006", down=True)
    after = migrate(url, "head")
    kinds = [(audit, kind) for audit, kind, *_ in after["score_matrices"]]
    assert sorted(set(kinds)) == [(1, "claim"), (1, "sentence"), (2, "claim")]
    assert [AuditStore.open(url).load(number).audit.evidence for number in kept] == [
        whole, evidence,
    ]  # fmt: skip
