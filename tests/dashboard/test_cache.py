"""What pages keep of the database: it is read again when the database changes, and only then."""

from __future__ import annotations

import threading

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.shared import cache
from dashboard.shared.cache import audit_page, database_key, item_total
from dashboard.shared.warm_up import import_ahead
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import AuditFilter, AuditStore, ItemFilter, ReviewStore, RunStore
from tests.app_page import open_page
from tests.statistics.test_comparison import a_run, an_audit
from tests.wording import assert_shows

ROWS = [
    ("1", "q", "one", "c", 0.9, 1),
    ("2", "q", "two", "c", 0.2, 0),
    ("3", "p", "three", "d", 0.8, 0),
    ("4", "p", "four", "d", 0.7, 1),
]


def page(name: str, **query) -> AppTest:
    app = open_page(name, **query)
    assert not app.error
    return app


def shown(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.text, *app.caption, *app.info, *app.metric))


def test_a_key_lasts_until_an_audit_a_row_or_a_review_comes_or_goes(url):
    audits = AuditStore.open(url)
    keys = [database_key()]
    number = audits.save(an_audit("q", "one", "c", 0.9))
    keys.append(database_key())
    assert database_key() == keys[-1]
    ReviewStore.open(url).save(number, "ann", Judgement(JudgedVerdict.SUPPORTED))
    keys.append(database_key())
    a_run(url, "low", ROWS)
    keys.append(database_key())
    audits.delete(number)
    keys.append(database_key())
    assert len(set(keys)) == len(keys)
    assert database_key(ItemFilter()) != database_key(ItemFilter(label=1))


def test_databases_do_not_share_what_is_kept(url, tmp_path, monkeypatch):
    AuditStore.open(url)
    here = database_key()
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", f"sqlite:///{tmp_path / 'other.db'}")
    assert database_key() != here


def test_a_text_is_searched_once_for_all_pages_until_an_audit_comes(url, monkeypatch):
    audits = AuditStore.open(url)
    for answer in ("a word", "another", "word again", "the last word"):
        audits.save(an_audit("q", answer, "c", 0.9))
    searched = []

    class Counting(AuditStore):
        def numbers(self, chosen, **options):
            searched.append(chosen.text)
            return super().numbers(chosen, **options)

    monkeypatch.setattr(cache, "AuditStore", Counting)
    chosen = AuditFilter("word")
    first, second = (audit_page(chosen, offset, 2) for offset in (0, 2))
    assert [row.id for row in (*first.rows, *second.rows)] == [4, 3, 1]
    assert first.total == second.total == 3
    assert first == audits.page(chosen, 0, 2)
    assert searched == ["word"]
    audits.save(an_audit("q", "one more word", "c", 0.9))
    assert audit_page(chosen, 0, 2).total == 4
    audits.delete(1)
    assert audit_page(chosen, 0, 9).total == 3
    assert searched == ["word"] * 3


def test_a_count_is_taken_again_when_an_audit_comes(url):
    a_run(url, "low", ROWS)
    assert item_total(ItemFilter()) == 4
    AuditStore.open(url).save(an_audit("q", "five", "c", 0.9))
    assert item_total(ItemFilter()) == 5
    assert item_total(ItemFilter(labelled=True)) == 4


def test_the_agreement_counts_a_judgement_that_came_since(url):
    a_run(url, "low", ROWS)
    reviews = ReviewStore.open(url)
    reviews.save(1, "ann", Judgement(JudgedVerdict.SUPPORTED))
    app = page("review", section="Agreement")
    assert_shows(shown(app), snapshot("Judgements: 1 · answers: 1"))
    reviews.save(2, "ann", Judgement(JudgedVerdict.HALLUCINATED))
    app.run()
    assert_shows(shown(app), snapshot("Judgements: 2 · answers: 2"))


def test_runs_are_compared_again_when_an_audit_goes(url):
    a_run(url, "low", ROWS)
    a_run(url, "high", [(*r[:4], 1 - r[4], r[5]) for r in ROWS])
    app = page("compare", runs=["low", "high"])
    assert_shows(shown(app), snapshot("4 of 4 matched rows"))
    AuditStore.open(url).delete(1)
    app.run()
    assert_shows(shown(app), snapshot("3 of 3 matched rows"))


def test_candidate_answers_are_read_again_when_one_comes(url):
    a_run(url, "low", ROWS)
    app = page("compare", tab="Candidate answers")
    assert_shows(shown(app), snapshot("2 queries with several answers"))
    assert_shows(shown(app), snapshot("2 queries with 4 labelled answers"))
    a_run(url, "more", [("1", "r", "five", "e", 0.9, 1), ("2", "r", "six", "e", 0.1, 0)])
    app.run()
    assert_shows(shown(app), snapshot("3 queries with several answers"))
    assert_shows(shown(app), snapshot("3 queries with 6 labelled answers"))


def test_a_run_is_summarised_again_when_an_audit_goes(url):
    a_run(url, "low", ROWS)
    app = page("batch", run=str(RunStore.open(url).named("low").id))
    assert "4 labelled rows" in shown(app)
    AuditStore.open(url).delete(1)
    app.run()
    assert "3 labelled rows" in shown(app)


@pytest.mark.usefixtures("url")
def test_libraries_are_imported_by_one_thread_that_ends_with_the_process():
    page("history")
    page("history")
    thread = import_ahead()
    thread.join()
    assert thread.daemon
    assert "import-ahead" not in [each.name for each in threading.enumerate()]
