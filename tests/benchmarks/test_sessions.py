"""Many sessions at once: what counts as lost or leaked, and a short run of the real thing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.served_app import ServedApp, served_app
from benchmarks.sessions.batches import batches_together
from benchmarks.sessions.beside import pages_beside_long_audit
from benchmarks.sessions.measured import Action, times_table
from benchmarks.sessions.texts import long_texts, of_others, own_word, owned_texts
from benchmarks.sessions.together import Visit, kept_wrong, logged, visit_together, warm_up
from benchmarks.sessions.visitor import VisitFailed, Visitor
from storage import AuditStore
from tests.storage.test_storage import an_audit


def test_no_word_of_an_owner_is_part_of_another() -> None:
    words = [own_word(owner, "at") for owner in range(300)]
    assert not [(a, b) for a in words for b in words if a != b and a in b]
    assert of_others(words[:3], 1) == {words[0], words[2]}
    assert all(words[5] in text for text in owned_texts(words[5], 2).context)
    assert len(long_texts(words[0], 7, 3).context) == 7


def test_what_the_database_lacks_or_has_beside_is_named(url: str) -> None:
    store = AuditStore.open(url)
    audit = an_audit()
    answer = audit.evidence.answer
    first, second = store.save(audit), store.save(audit)
    assert kept_wrong(url, [Visit("a", audits={first: answer, second: answer})], 0) == []
    (beside,) = kept_wrong(url, [Visit("a", audits={first: answer})], 0)
    assert "2 new audits, but 1" in beside
    of_one = [Visit("a", audits={first: answer, 99: answer}, reviews={first: "well said"})]
    lost, unsaid = kept_wrong(url, of_one, 0)
    assert "audit 99 of a is lost" in lost
    assert "judgement of a on audit 1 is lost" in unsaid
    of_two = [Visit("a", audits={first: "another"}), Visit("b", audits={first: answer})]
    assert any("given to 2 sessions" in each for each in kept_wrong(url, of_two, 1))
    assert any("has another answer" in each for each in kept_wrong(url, of_two, 1))


def test_a_line_of_the_log_that_tells_of_a_fault_counts(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("started\nsqlite3.OperationalError: database is locked\n", encoding="utf-8")
    (found,) = logged(ServedApp("http://127.0.0.1:1", 0, log))
    assert "database is locked" in found


def test_the_table_has_percentiles() -> None:
    _, line = times_table(Action("audit", float(n)) for n in range(101))
    assert line.split() == ["audit", "101", "50.00", "95.00", "100.00"]


@pytest.mark.slow
def test_sessions_at_once_lose_and_leak_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'sessions.db'}"
    with served_app(url, tmp_path) as app:
        asyncio.run(warm_up(app))
        finding = visit_together(app, url, sessions=4, rounds=1)
        assert finding.problems == ()
        assert "4 audits" in finding.title
        asyncio.run(_a_leak_and_a_missing_button_are_seen(app))
        beside = pages_beside_long_audit(app, visitors=2, openings=2, chunks=12, sentences=4)
        assert beside.problems == ()


async def _a_leak_and_a_missing_button_are_seen(app: ServedApp) -> None:
    async with Visitor(app.base, "curious") as visitor:
        visitor.strangers = frozenset({own_word(2, "at"), "of no audit"})
        await visitor.open("history")
        assert set(visitor.leaks) == {own_word(2, "at")}
        with pytest.raises(VisitFailed, match="there is no button 'Nothing'"):
            await visitor.press("Nothing")
        with pytest.raises(VisitFailed, match="The audit cannot be shown"):
            await visitor.open("", "audit=12345")


@pytest.mark.slow
def test_batches_at_once_keep_every_row_once(tmp_path: Path) -> None:
    finding = batches_together(f"sqlite:///{tmp_path / 'new.db'}", tmp_path, batches=4, rows=3)
    assert finding.problems == ()
