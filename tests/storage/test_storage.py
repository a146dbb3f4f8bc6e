"""Storage: exact round trips, SQL paging and filters, concurrent writers, migrations."""

from __future__ import annotations

import hashlib
import math
import sqlite3
import threading
import zlib
from contextlib import closing
from dataclasses import replace
from datetime import date

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, event, func, select, text
from sqlalchemy.dialects import postgresql

from provenance_core import Parameters, Verdict, assemble
from provenance_core.types import MissingDetail, Notice
from storage import SEARCH_LIMIT, AuditFilter, AuditNotFound, AuditStore, StorageError
from storage.copies import TEXT_INDEX
from storage.documents import DICTIONARY, pack_document, unpack_document
from storage.engine import get_engine
from storage.filters import filtered
from storage.models import Base
from tests.conftest import hand_evidence


@pytest.fixture
def store(url) -> AuditStore:
    return AuditStore.open(url)


def an_audit(created_at="2026-01-02T03:04:05.678+00:00", answer=None, **parameters):
    evidence = hand_evidence(
        [0.1, -2 / 3, math.pi], [[0.9, 1 / 3, 0.1], [0.2, 0.3, 0.4]], [[0.05] * 3, [0.5] * 3]
    )
    evidence = replace(
        evidence,
        query="100% of <b>what</b>? \U0001f600 שלום",
        notices=(Notice("no_query", "said"),),
        missing_details=(MissingDetail("number", "17", 6, 8),),
    )
    if answer is not None:
        evidence = replace(evidence, query=answer)
    return assemble(evidence, Parameters(**parameters), created_at)


def test_round_trip_is_exact(store):
    audit = an_audit(aggregation="weighted_average", threshold=1 / 7, selection="top_k", top_k=2)
    saved = store.load(store.save(audit))
    assert saved.audit == audit


def test_round_trip_of_a_real_audit(store, provenance):
    audit = provenance.audit(
        query="Who?", answer="Ann, 42, left. Bob\nstayed. ", context=["Ann left.", "", "Bob slept."]
    )
    assert store.load(store.save(audit)).audit == audit


def test_unknown_audit(store):
    with pytest.raises(AuditNotFound, match="no audit 7"):
        store.load(7)
    with pytest.raises(AuditNotFound):
        store.delete(7)


def test_pages_are_newest_first_and_tile_the_list(store):
    ids = [store.save(an_audit(f"2026-01-0{1 + i % 3}T00:00:00.000+00:00")) for i in range(7)]
    pages = [store.page(AuditFilter(), offset, 3) for offset in (0, 3, 6)]
    assert [len(p.rows) for p in pages] == [3, 3, 1]
    assert {p.total for p in pages} == {7}
    listed = [row for page in pages for row in page.rows]
    assert sorted(row.id for row in listed) == ids
    keys = [(row.created_at, row.id) for row in listed]
    assert keys == sorted(keys, reverse=True)


def test_filters(store):
    old = store.save(an_audit("2026-01-01T23:59:59.999+00:00", "50% off", threshold=0.0))
    new = store.save(an_audit("2026-01-02T00:00:00.000+00:00", "505 off", threshold=1.0))

    def found(**chosen):
        return [row.id for row in store.page(AuditFilter(**chosen)).rows]

    assert found(verdict=Verdict.SUPPORTED) == [old]
    assert found(verdict=Verdict.HALLUCINATED) == [new]
    assert found(text="50%") == [old]
    assert found(text="OFF") == [new, old]
    assert found(text="chunk NUMBER 2") == [new, old]
    assert found(text="nowhere") == []
    assert found(until=date(2026, 1, 1)) == [old]
    assert found(since=date(2026, 1, 2)) == [new]


# An audit that was only saved has no row there.
WITHOUT_ROWS = (
    "run_rows",
    "reviews",
    "reservations",
    "gold_labels",
    "review_shares",
    "seen_audits",
    "typed_corrections",
)


def test_delete_leaves_no_row_behind(store, url):
    kept, gone = store.save(an_audit()), store.save(an_audit())
    store.delete(gone)
    with get_engine(url).connect() as connection:
        for table in Base.metadata.sorted_tables:
            if table.name in WITHOUT_ROWS:
                continue
            if table.name != "audits" and "audit_id" not in table.c:
                continue
            key = table.c.id if table.name == "audits" else table.c.audit_id
            assert connection.scalar(select(func.count()).where(key == gone)) == 0
            assert connection.scalar(select(func.count()).where(key == kept)) > 0
    assert store.count() == 1


def test_sqlite_is_set_up_on_every_connection(url):
    with get_engine(url).connect() as connection:
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA busy_timeout")) == 20_000


def test_engine_is_cached(url):
    assert get_engine(url) is get_engine(url)


def test_concurrent_writers_lose_nothing(store):
    errors: list[Exception] = []

    def write() -> None:
        try:
            for _ in range(5):
                store.save(an_audit())
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=write) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert store.count() == 30


def test_migrations_make_exactly_the_models(url, store):
    engine = get_engine(url)
    sqlite = engine.dialect.name == "sqlite"

    def compared(_object, name, kind, _reflected, _other):
        # What SQLite does on deletion is not read where the column itself says so, and the index
        # of the texts is no part of the models.
        of_index = kind == "index" and (name or "").endswith("_text")
        of_index |= kind == "table" and name.startswith(TEXT_INDEX)
        return not of_index and not (sqlite and kind == "foreign_key_constraint")

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_object": compared})
        assert compare_metadata(context, Base.metadata) == []
        for table in Base.metadata.tables.values() if sqlite else ():
            there = connection.execute(text(f'PRAGMA foreign_key_list("{table.name}")')).all()
            assert {(key[2], key[3], key[4], key.on_delete) for key in there} == {
                (key.column.table.name, key.parent.name, key.column.name, key.ondelete)
                for key in table.foreign_keys
            }


def test_the_number_of_a_deleted_audit_is_never_given_again(store):
    numbers = [store.save(an_audit()) for _ in range(2)]
    store.delete(numbers[1])
    assert store.save(an_audit()) > numbers[1]
    with pytest.raises(AuditNotFound):
        store.load(numbers[1])


def test_a_failed_save_leaves_nothing(store):
    audit = an_audit()
    broken = replace(audit, evidence=replace(audit.evidence, query="half \ud800"))
    with pytest.raises(StorageError, match=r"not saved: .* half of a character"):
        store.save(broken)
    assert store.count() == 0


def test_a_database_that_cannot_be_opened_says_what_to_set(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StorageError, match="PROVENANCE_DATABASE_URL"):
        AuditStore.open(f"sqlite:///{tmp_path / 'file' / 'a.db'}")
    (tmp_path / "bad.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(StorageError, match="not a database"):
        AuditStore.open(f"sqlite:///{tmp_path / 'bad.db'}")


def test_a_score_of_another_version_is_said(store, url):
    number = store.save(an_audit())
    with create_engine(url).begin() as connection:
        connection.execute(text("UPDATE audits SET score = 0.123 WHERE id = :id"), {"id": number})
    codes = [n.code for n in store.load(number).audit.evidence.notices]
    assert codes == ["no_query", "score_differs"]


def file_of(store) -> str:
    return store._engine.url.database


def change(store, statement: str, *values: object) -> None:
    """Damage the database behind the store's back."""
    with closing(sqlite3.connect(file_of(store))) as connection, connection:
        connection.execute(statement, values)


@pytest.fixture
def locked(url, monkeypatch):
    """A store whose database another program is writing to."""
    monkeypatch.setattr("storage.engine._BUSY_TIMEOUT_MS", 20)
    store = AuditStore.open(url)
    store.save(an_audit())
    with closing(sqlite3.connect(file_of(store), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield store


@pytest.mark.parametrize("number", [2**63, 99999999999999999999, -(10**20)])
def test_a_number_that_no_database_holds_is_an_unknown_audit(store, number):
    with pytest.raises(AuditNotFound, match=f"no audit {number}"):
        store.load(number)
    with pytest.raises(AuditNotFound, match=f"no audit {number}"):
        store.delete(number)


def test_a_locked_database_says_to_try_again(locked):
    with pytest.raises(StorageError, match=r"^Audit 1 was not deleted: .*locked.* try again"):
        locked.delete(1)
    with pytest.raises(StorageError, match=r"^The audit was not saved: .*locked.* try again"):
        locked.save(an_audit())
    assert locked.count() == 1


def test_a_read_only_database_says_what_to_do_and_not_what_was_in_the_audit(store, url):
    # For any user: root may write to files whatever their mode.
    @event.listens_for(get_engine(url), "begin")
    def refuse_writes(connection):
        connection.exec_driver_sql("PRAGMA query_only = ON")

    with pytest.raises(StorageError, match=r"not saved: .*readonly.* writable") as caught:
        store.save(an_audit(answer="a private question"))
    assert "private" not in str(caught.value)


def test_tables_that_are_gone_are_said(store):
    number = store.save(an_audit())
    for table in ("audits", "context_items"):
        change(store, f"DROP TABLE {table}")
    for action in (store.page, lambda _: store.load(number), lambda _: store.delete(number)):
        with pytest.raises(StorageError, match=r"no such table: audits\. Check the database named"):
            action(AuditFilter())


def test_offsets_beyond_the_database_are_said(store):
    with pytest.raises(StorageError, match="cannot be listed"):
        store.page(AuditFilter(), offset=10**20)


def test_the_last_day_of_all_filters_nothing(store):
    number = store.save(an_audit())
    assert [row.id for row in store.page(AuditFilter(until=date.max)).rows] == [number]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda plain: plain["parameters"].pop("threshold"), "field 'threshold' is missing"),
        (lambda plain: plain["evidence"]["nli_model"].pop("sha256"), "field 'sha256' is missing"),
        (lambda plain: plain["evidence"].update(tokens=[1]), "an object was expected, not list"),
        (lambda plain: plain["evidence"].update(notices=None), "NoneType"),
        (lambda plain: plain.update(schema="provenance-audit/99"), "its schema must be"),
    ],
)
def test_a_damaged_document_is_said_and_its_audit_can_be_deleted(store, damage, said):
    number = store.save(an_audit())
    plain = unpack_document(document_of(store))
    damage(plain)
    change(store, "UPDATE audits SET document = ?", pack_document(plain))
    with pytest.raises(StorageError, match=f"Audit {number} cannot be read: .*{said}.*Delete it"):
        store.load(number)
    store.delete(number)
    assert store.count() == 0


def document_of(store) -> bytes:
    with store._engine.connect() as connection:
        return connection.scalar(text("SELECT document FROM audits"))


def test_the_dictionary_of_documents_is_never_changed():
    """Documents that were written with it cannot be read without it."""
    assert hashlib.sha256(DICTIONARY).hexdigest() == (
        "fb1412608c97c0a706e1f11bb0c6a02a20ff43da6124e95e5e0899b46afcc9d8"
    )


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda document: None, "its document is missing"),
        (lambda document: b"", "its document is missing"),
        (lambda document: document[:-9], "its document is damaged"),
        (lambda document: b"\3" + document[1:], "format 3, this version reads 1 to 2"),
        (lambda document: b"\1" + document[1:], "its document is damaged"),
        (lambda document: b"\1" + zlib.compress(b"{"), "Expecting"),
    ],
)
def test_damaged_bytes_are_said_and_their_audit_can_be_deleted(store, damage, said):
    number = store.save(an_audit())
    change(store, "UPDATE audits SET document = ?", damage(document_of(store)))
    with pytest.raises(StorageError, match=f"Audit {number} cannot be read: .*{said}.*Delete it"):
        store.load(number)
    store.delete(number)
    assert store.count() == 0


def test_a_verdict_of_another_version_is_said(store):
    number = store.save(an_audit())
    change(store, "UPDATE audits SET verdict = 'unsure'")
    with pytest.raises(StorageError, match=f"Audit {number} has the verdict 'unsure'"):
        store.page(AuditFilter())


def test_a_database_of_a_newer_version_is_said(store, tmp_path):
    change(store, "UPDATE alembic_version SET version_num = '9999'")
    same_file = f"sqlite:///{tmp_path / '.' / 'app.db'}?timeout=5"
    with pytest.raises(StorageError, match=r"newer version of Provenance .*9999"):
        AuditStore.open(same_file)


def test_a_text_longer_than_the_limit_is_refused_and_one_at_the_limit_is_found(store):
    longest = "%" * SEARCH_LIMIT
    number = store.save(an_audit(answer=f"a{longest}b"))
    assert [row.id for row in store.page(AuditFilter(longest)).rows] == [number]
    with pytest.raises(StorageError, match=f"the most is {SEARCH_LIMIT:,}"):
        store.page(AuditFilter("x" * (SEARCH_LIMIT + 1)))


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("The Øresund bridge", "øresund"),
        ("the øresund bridge", "ØRESUND"),
        ("Die Straße", "STRASSE"),
        ("ΟΔΟΣ", "οδος"),
        ("МОСКВА", "москва"),
        ("before\0AFTER", "after"),
    ],
)
def test_the_text_filter_ignores_the_case_of_every_alphabet(store, written, wanted):
    number = store.save(an_audit(answer=written))
    store.save(an_audit(answer="something else"))
    assert [row.id for row in store.page(AuditFilter(wanted)).rows] == [number]


def test_the_text_filter_takes_its_characters_literally(store):
    marked = store.save(an_audit(answer="ÆBLE 5%_off \\ 'now'"))
    store.save(an_audit(answer="æble 5xyoff / now"))
    for wanted in ("æble 5%_", "5%", "%_O", "\\", "'NOW'"):
        assert [row.id for row in store.page(AuditFilter(wanted)).rows] == [marked], wanted


def test_half_a_character_in_the_filter_is_said(store):
    with pytest.raises(StorageError, match="half of a character"):
        store.page(AuditFilter("half \ud800"))


def test_other_databases_get_the_filter_without_functions_of_our_own(store, monkeypatch):
    monkeypatch.setattr(store._engine, "dialect", postgresql.dialect())
    statement = filtered(select(func.count()), AuditFilter("5%"), store._engine)
    compiled = str(statement.compile(dialect=postgresql.dialect()))
    assert "ILIKE" in compiled
    assert "casefold" not in compiled


def test_the_audits_of_one_answer_are_one_row_by_the_default_detector(store):
    first = store.save(an_audit())
    matrix = store.save(an_audit(detector="nli-matrix"))
    other = store.save(an_audit(answer="another query"))
    again = store.save(an_audit(detector="summac"))

    def listed(**chosen):
        page = store.page(AuditFilter(**chosen), by_answer=True)
        assert page.total == len(page.rows)
        assert store.numbers(AuditFilter(**chosen), by_answer=True) == tuple(
            row.id for row in page.rows
        )
        return [row.id for row in page.rows]

    assert listed() == [other, first]
    assert listed(detector="nli-matrix") == [matrix]
    assert listed(text="100%") == [first]
    assert store.page(AuditFilter()).total == 4
    found = store.others_of_answers([first, other])
    assert {number: [row.id for row in rows] for number, rows in found.items()} == {
        first: [matrix, again]
    }
    store.delete(first)
    assert listed() == [again, other]


@pytest.mark.parametrize("by_answer", [False, True])
@pytest.mark.parametrize("few", [1, 100])
def test_the_newest_that_hold_a_text_are_the_first_of_all(store, monkeypatch, few, by_answer):
    monkeypatch.setattr("storage.text_search._FEW", few)
    days = (3, 1, 4, 2, 5)
    numbers = {
        day: store.save(an_audit(f"2026-01-0{day}T00:00:00.000+00:00", f"bridge {day}"))
        for day in days
    }
    store.save(an_audit("2026-01-09T00:00:00.000+00:00", "a tunnel"))
    for wanted in ("bridge", "br"):
        found = [store.numbers(AuditFilter(wanted), by_answer=by_answer, most=n) for n in (2, 9)]
        newest = tuple(numbers[day] for day in (5, 4, 3, 2, 1))
        assert found == [newest[:2], newest]


@pytest.mark.parametrize("by_answer", [False, True])
def test_no_more_that_hold_a_text_are_counted_than_are_asked_for(store, monkeypatch, by_answer):
    monkeypatch.setattr("storage.audits.MOST_FOUND", 3)
    numbers = [store.save(an_audit(answer=f"bridge {n}")) for n in range(6)]

    def page(*place):
        found = store.page(AuditFilter("bridge"), *place, by_answer=by_answer)
        return [row.id for row in found.rows], found.total, found.more

    newest = numbers[::-1]
    assert page(0, 2) == (newest[:2], 3, True)
    # A page beyond that is listed too, to the last of all.
    assert page(2, 2) == (newest[2:4], 4, True)
    assert page(4, 2) == (newest[4:], 6, False)
    assert page(8, 2) == ([], 6, False)
    assert page(0, 0) == ([], 3, True)


def test_the_answers_that_pass_are_counted_as_they_are_listed(store):
    days = ("2026-01-01", "2026-01-02", "2026-01-03")
    for day, answer in zip(days, ("one", "one", "two"), strict=True):
        store.save(an_audit(f"{day}T00:00:00.000+00:00", answer))
    store.save(an_audit("2026-01-03T00:00:00.000+00:00", "one", detector="summac"))
    with store._engine.begin() as connection:
        # An audit of before there were digests is an answer of its own.
        older = "UPDATE audits SET source_digest = NULL, text_digest = NULL WHERE id = 2"
        connection.execute(text(older))
        connection.execute(text("UPDATE audits SET unsupported_sentences = id - 1"))
    for chosen, total in (
        (AuditFilter(), 3),
        (AuditFilter(detector="summac"), 1),
        (AuditFilter(until=date(2026, 1, 2)), 2),
        (AuditFilter(since=date(2026, 1, 3)), 2),
        (AuditFilter(flagged=True), 3),
        (AuditFilter(flagged=False), 1),
    ):
        page = store.page(chosen, by_answer=True)
        assert (page.total, len(page.rows)) == (total, total), chosen
