"""The index of the texts finds what a look at every text finds, and forgets what is deleted."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, text

from provenance_core import Parameters, assemble
from provenance_core.types import ContextItem
from storage import AuditFilter, AuditStore, ItemFilter, ItemStore, StorageError
from storage.backups import compact
from storage.engine import dispose_engine, get_engine
from storage.retention import RetentionStore
from storage.text_search import index_query
from tests.commands import run_command
from tests.conftest import hand_evidence
from tests.storage.make_databases import FOLDER

EVIDENCE = hand_evidence([1.0, 0.0], [[0.9, 0.1], [0.2, 0.3]])


def an_audit(answer: str, *context: str):
    items = tuple(ContextItem(at, each) for at, each in enumerate(context)) or EVIDENCE.context
    return assemble(replace(EVIDENCE, answer=answer, context=items), Parameters())


def found(url: str, wanted: str) -> list[int]:
    return [row.id for row in AuditStore.open(url).page(AuditFilter(wanted)).rows]


def index_bytes(file: Path) -> bytes:
    """What SQLite keeps the index in. A group of three characters stands there as it is, but for
    letters that it shares with the group before it in the order of the alphabet."""
    with closing(sqlite3.connect(file)) as database:
        return b"".join(row[0] for row in database.execute("SELECT block FROM text_index_data"))


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("a bridge over water", "idge ov"),
        ("a Bridge", "bRIDGE"),
        ("Die Straße", "STRASSE"),
        ("Die STRASSE", "straße"),
        ("an oﬀice", "office"),
        ("ΟΔΟΣ", "οδος"),
        ("比较长的中文句子", "中文句"),
        ("中文", "中文"),
        ("before\0AFTER", "after"),
        ('say "no" AND 5%', '"no" and 5%'),
        ("x" * 900, "x" * 800),
    ],
)
def test_a_part_of_a_word_is_found_in_answer_and_context_in_any_script(url, written, wanted):
    store = AuditStore.open(url)
    answer = store.save(an_audit(written))
    context = store.save(an_audit("other", "first", written))
    store.save(an_audit("other", "first", "second"))
    assert found(url, wanted) == [context, answer]


def test_what_has_all_parts_of_the_text_but_not_the_text_is_not_found(url):
    store = AuditStore.open(url)
    store.save(an_audit("abcd xbcde"))
    whole = store.save(an_audit("abcde"))
    # "abc", "bcd" and "cde" stand in the first too.
    assert found(url, "abcde") == [whole]
    # Neither is a text that begins in one item and ends in the next.
    store.save(an_audit("other", "wxyz", "vut"))
    assert found(url, "yzv") == []


def test_the_index_narrows_what_is_looked_at(url):
    store = AuditStore.open(url)
    for n in range(30):
        store.save(an_audit(f"number {n}"))
    plans = []
    engine = get_engine(url)

    def explain(_connection, cursor, statement, values, *_):
        if "text_index" in statement:
            steps = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
            plans.append([row[3] for row in steps])

    event.listen(engine, "before_cursor_execute", explain)
    store.page(AuditFilter("ber 17"))
    ItemStore.open(url).page(ItemFilter(audits=AuditFilter("ber 17")))
    event.remove(engine, "before_cursor_execute", explain)
    assert plans
    for steps in plans:
        assert any("text_index VIRTUAL TABLE INDEX" in step for step in steps), steps
        # Audits and contexts are reached by their numbers, not by going through all.
        for name in ("audits", "context_items"):
            assert not any(step.startswith(f"SCAN {name}") for step in steps), steps


def test_texts_of_fewer_than_three_characters_ask_no_index():
    assert index_query("ab") == index_query("a\0b") == ""
    assert '"abc"' in index_query("abc")


def test_a_deleted_audit_and_an_exchanged_text_are_out_of_the_index(url):
    store = AuditStore.open(url)
    gone = store.save(an_audit("zqxjkv", "wvuqzx"))
    kept = store.save(an_audit("kept"))
    store.delete(gone)
    with get_engine(url).begin() as connection:
        connection.execute(text("UPDATE audits SET answer = 'pqzzqp'"))
        connection.execute(text("UPDATE context_items SET text = 'mjjmvv' WHERE position = 0"))
        connection.execute(text("INSERT INTO text_index (text_index) VALUES ('integrity-check')"))
    assert [found(url, each) for each in ("pqzzqp", "mjjmvv")] == [[kept], [kept]]
    assert found(url, "kept") == []


def test_after_compacting_nothing_of_a_deleted_text_is_left(url, tmp_path):
    file = tmp_path / "app.db"
    store, secret = AuditStore.open(url), "zqxjkvwq"
    kept = store.save(an_audit("kept"))
    store.delete(store.save(an_audit(secret, f"{secret} again")))
    assert b"zqx" in index_bytes(file)
    run_command("compact")
    assert not any(secret.encode() in part.read_bytes() for part in tmp_path.glob("app.db*"))
    assert not any(b"zqx" in part.read_bytes() for part in tmp_path.glob("app.db*"))
    assert found(url, "kept") == [kept]


def test_deleting_by_age_merges_the_index(url, tmp_path):
    store = AuditStore.open(url)
    for n in range(10):
        store.save(replace(an_audit(f"zqxjkvwq {n}"), created_at="2020-01-01T00:00:00.000+00:00"))
    kept = store.save(an_audit("kept"))
    assert len(RetentionStore.open(url).delete_expired(30).audits) == 10
    assert b"zqx" not in index_bytes(tmp_path / "app.db")
    assert found(url, "kept") == [kept]


def test_a_reader_that_holds_the_log_is_said(url, monkeypatch):
    monkeypatch.setattr("storage.engine._BUSY_TIMEOUT_MS", 20)
    AuditStore.open(url).save(an_audit("one"))
    with closing(sqlite3.connect(get_engine(url).url.database or "")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM audits").fetchone()
        with pytest.raises(StorageError, match=r"locked|others read its log"):
            compact(url)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("????.sql.gz")), ids=lambda file: file.stem[:4])
def test_the_texts_of_an_upgraded_database_are_found(url, tmp_path, file):
    (tmp_path / "app.db").unlink()
    with closing(sqlite3.connect(tmp_path / "app.db")) as database:
        database.executescript(gzip.decompress(file.read_bytes()).decode())
    dispose_engine(url)
    store = AuditStore.open(url)
    everything = [row.id for row in store.page(AuditFilter()).rows]
    assert everything
    assert found(url, "NUMBER 0") == everything
    store.delete(everything[0])
    assert found(url, "NUMBER 0") == everything[1:]
