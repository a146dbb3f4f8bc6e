"""Databases of every earlier version are opened by this one, and no row of theirs is lost."""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from provenance_core import Parameters, assemble
from provenance_core.files.batch.summary import FileSummary, RowGroup
from provenance_core.files.types import BatchRow, RejectedRow, Unit
from provenance_core.review.types import (
    ChunkMark,
    FindingType,
    JudgedChunk,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
)
from provenance_core.types import ClaimAggregation, MissingDetail
from storage import (
    AuditFilter,
    AuditStore,
    BulkScoreStore,
    ComparisonStore,
    ItemFilter,
    NewRun,
    ReviewStore,
    RunStore,
)
from storage.backups import check
from storage.copies import health_of, migration_scripts
from storage.documents import unpack_document
from storage.engine import dispose_engine, get_engine
from storage.errors import StorageError
from tests.conftest import hand_evidence

FOLDER = Path(__file__).parent / "databases"
EARLIER = sorted(file.name.removesuffix(".sql.gz") for file in FOLDER.glob("*.sql.gz"))
HEAD = migration_scripts().get_current_head()
# Tables whose rows are in the documents now.
IN_DOCUMENTS = {
    "chunks", "claims", "sentences", "evidence_sentences", "missing_details", "pair_scores",
    "score_matrices",
}  # fmt: skip
RENAMED = {"review_claims": "reservations"}
# The audit that the earlier databases hold, under the default of their versions.
AUDIT = assemble(
    hand_evidence([1.0, 0.0], [[0.9, 0.1], [0.2, 0.3]]),
    Parameters(claim_aggregation=ClaimAggregation.HARMONIC_MEAN),
)


def fill(url: str) -> None:
    """Two audits of a run of a file with its summary, of which the tool that wrote it passed one;
    a detail is missing, one audit is reviewed and one reserved."""
    detail = MissingDetail("number", "number", 6, 12)
    audit = assemble(replace(AUDIT.evidence, missing_details=(detail,)), Parameters())
    runs, reviews = RunStore.open(url), ReviewStore.open(url)
    rows = [
        BatchRow(n, "", ("Chunk number 0.",), f"Answer {n}.", label=n % 2, passed=int(n == 1))
        for n in (1, 2)
    ]
    refused = (RowGroup("no answer", (3,), "{}"),)
    summary = FileSummary(3, 2, refused, (), 0, (), (), 1, 1, Unit.LINE, ())
    run = runs.create(
        NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters(), summary),
        rows,
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


def put(name: str, file: Path) -> None:
    """A database as an earlier version left it."""
    script = gzip.decompress((FOLDER / f"{name}.sql.gz").read_bytes()).decode()
    with closing(sqlite3.connect(file)) as made:
        made.executescript(script)


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement)


def document_digests(url: str) -> list[str]:
    """Of what the document of each audit says, whatever its compression."""
    with get_engine(url).connect() as connection:
        documents = connection.scalars(text("SELECT document FROM audits ORDER BY id")).all()
    plain = (json.dumps(unpack_document(each), sort_keys=True) for each in documents)
    return [hashlib.sha256(each.encode()).hexdigest() for each in plain]


def answers_of(url: str, *audits: int) -> set[tuple[str, str]]:
    """The digests that tell the sources and the answers of ``audits`` apart."""
    with get_engine(url).connect() as connection:
        rows = connection.execute(text("SELECT id, source_digest, text_digest FROM audits")).all()
    return {(source, texts) for number, source, texts in rows if number in audits}


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "p.db"


@pytest.fixture
def url(file, monkeypatch) -> str:
    address = f"sqlite:///{file}"
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", address)
    return address


@pytest.mark.parametrize("name", EARLIER)
def test_databases_of_every_version_are_upgraded_with_their_rows(url, file, name):
    put(name, file)
    before = dict(health_of(file).rows)
    store = AuditStore.open(url)
    after = dict(health_of(file).rows)
    for table, count in before.items():
        assert table in IN_DOCUMENTS or after[RENAMED.get(table, table)] == count, table
    assert not IN_DOCUMENTS & set(after)
    assert health_of(file).revision == HEAD
    assert not check().problems
    # What the versions before wrote themselves, read by the last of them.
    expected = json.loads((FOLDER / "documents.json").read_text(encoding="utf-8"))[name]
    assert document_digests(url) == expected
    rows = store.page(AuditFilter()).rows
    assert len(rows) == before["audits"] == len(expected)
    for row in rows:
        audit = store.load(row.id).audit
        assert (audit.score, audit.verdict, audit.evidence.query) == (
            pytest.approx(row.score, abs=1e-9), row.verdict, row.query,
        )  # fmt: skip
    assert len(BulkScoreStore.open(url).measured([row.id for row in rows])) == len(rows)
    copies = list(file.parent.glob("p.before-upgrade-from-*.db"))
    assert len(copies) == (name != HEAD)
    for copy in copies:
        assert health_of(copy).revision == name[:4]
        assert dict(health_of(copy).rows) == before


def test_what_became_of_a_file_is_still_read(url, file):
    put("0020", file)
    summary = RunStore.open(url).file_summary(1)
    assert (summary.read, summary.rows, summary.passed, summary.failed) == (3, 2, 1, 1)
    assert summary.sentences()[0] == "3 rows read, 2 to audit, 1 refused"


@pytest.mark.parametrize("name", ["0001", "0005", "0014", "0017"])
def test_an_upgraded_database_works_as_a_new_one(url, file, name):
    put(name, file)
    store, runs = AuditStore.open(url), RunStore.open(url)
    audit = store.load(1).audit
    # Deleting an audit deletes its rows, and its number is not given again.
    store.delete(2)
    assert store.save(audit) == 3
    store.delete(1)
    store.delete(3)
    after = dict(health_of(file).rows)
    of_audits = ("audits", "context_items", "supports", "answers", "candidate_sources", "reviews")
    assert [after[table] for table in of_audits] == [0] * 6
    assert after["run_rows"] == (2 if name > "0001" else 0)
    # Answers and sources are counted, and their texts are found.
    other = assemble(replace(audit.evidence, answer=audit.evidence.answer + " "), Parameters())
    assert [store.save(each) for each in (audit, audit, other)] == [4, 5, 6]
    with get_engine(url).connect() as connection:
        assert connection.scalars(text("SELECT audits FROM answers ORDER BY audits")).all() == [
            1,
            2,
        ]
        assert connection.execute(text("SELECT last, several FROM candidate_sources")).all() == [
            (6, 1)
        ]
    assert [row.id for row in store.page(AuditFilter("claim number")).rows] == [6, 5, 4]
    # A correction is linked, and let go with its original.
    corrected = store.save(audit, corrected_from=4)
    assert [row.id for row in store.corrections(4).corrected] == [corrected]
    store.delete(4)
    assert store.corrections(corrected).original is None
    made = runs.create(NewRun("new", "rows.jsonl", "rows", (), "embedded", Parameters()), [], [])
    assert made == (2 if name > "0001" else 1)


@pytest.mark.parametrize("name", ["0001", "0002"])
def test_audits_without_digests_are_given_theirs(url, file, name):
    put(name, file)
    change(file, "UPDATE audits SET answer = replace(answer, '1.', '2.') WHERE id = 2")
    audits, comparison = AuditStore.open(url), ComparisonStore.open(url)
    (before,) = comparison.candidates(ItemFilter()).groups
    assert {item.audit_id for item in before.items} == {1, 2}
    assert [item.unsupported_sentences for item in before.items] == [None, None]
    again = [audits.save(audits.load(number).audit) for number in (1, 2)]
    # New audits of the same texts take the places of the older ones.
    (after,) = comparison.candidates(ItemFilter()).groups
    assert {item.audit_id for item in after.items} == set(again)
    for older, newer in zip((1, 2), again, strict=True):
        assert len(answers_of(url, older, newer)) == 1
    assert len(answers_of(url, *again)) == 2


def test_judgements_speak_of_the_answers_of_their_audits(url, file):
    put("0003", file)
    AuditStore.open(url)
    with get_engine(url).connect() as connection:
        pairs = connection.execute(
            text(
                "SELECT a.source_digest, a.text_digest, r.source_digest, r.text_digest "
                "FROM reviews r JOIN audits a ON a.id = r.audit_id"
            )
        ).all()
    assert pairs
    for source, texts, of_review_source, of_review_texts in pairs:
        assert source
        assert texts
        assert (of_review_source, of_review_texts) == (source, texts)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE audits SET parameters = '{' WHERE id = 1",
        "UPDATE audits SET nli_model = '[' WHERE id = 1",
        "DELETE FROM chunks WHERE audit_id = 1 AND position = 0",
        "UPDATE score_matrices SET scores = substr(scores, 9) WHERE audit_id = 1",
        "UPDATE chunks SET item = 9 WHERE audit_id = 1",
    ],
)
def test_a_damaged_audit_keeps_its_texts_and_ends_no_upgrade(url, file, damage, caplog):
    put("0017", file)
    change(file, damage)
    store = AuditStore.open(url)
    assert "event=audit_not_converted audit=1" in caplog.text
    rows = store.page(AuditFilter()).rows
    assert {(row.id, row.score) for row in rows} == {(1, AUDIT.score), (2, AUDIT.score)}
    assert len({row.answer for row in rows}) == 1
    with pytest.raises(StorageError, match=r"Audit 1 cannot be read.*its document is missing"):
        store.load(1)
    assert store.load(2).audit.score == AUDIT.score
    assert len(ReviewStore.open(url).of(1)) == 1


def test_an_upgrade_that_fails_leaves_the_database_as_it_was(url, file, monkeypatch):
    put("0010", file)
    before = health_of(file)

    def stop(*_: object) -> None:
        raise OSError("the machine stops here")

    with monkeypatch.context() as patched:
        patched.setattr("storage.migrations.earlier.create_triggers", stop)
        with pytest.raises(StorageError, match="the machine stops here"):
            AuditStore.open(url)
    assert health_of(file) == before
    dispose_engine(url)
    assert AuditStore.open(url).load(1).audit.score == AUDIT.score
