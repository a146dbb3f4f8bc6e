"""Reviews and reservations in the database."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from dataclasses import replace

import pytest

from provenance_core import InputError, Parameters, Verdict, assemble
from provenance_core.review.types import (
    ChunkMark,
    FindingType,
    JudgedChunk,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
)
from provenance_core.types import DEFAULT_DETECTOR, ClaimAggregation, SentenceLabel
from storage import (
    AuditFilter,
    AuditNotFound,
    AuditStore,
    ItemFilter,
    ItemOrder,
    Reviewed,
    ReviewStore,
    StorageError,
)
from tests.conftest import hand_evidence

SUPPORTED = Judgement(JudgedVerdict.SUPPORTED)
HALLUCINATED = Judgement(JudgedVerdict.HALLUCINATED)
CONFLICT = FindingType.EVIDENT_CONFLICT
FULL = Judgement(
    JudgedVerdict.HALLUCINATED,
    CONFLICT,
    "Not so. <b>&",
    (
        JudgedSentence(0, JudgedVerdict.SUPPORTED),
        JudgedSentence(1, JudgedVerdict.HALLUCINATED, CONFLICT),
    ),
    (JudgedChunk(0, ChunkMark.SUPPORTS), JudgedChunk(1, ChunkMark.IRRELEVANT)),
    (JudgedSpan(3, 8, CONFLICT), JudgedSpan(3, 8, FindingType.SUBTLE_CONFLICT)),
    blind=True,
)
ALL, ORDER = ItemFilter(), ItemOrder.LOWEST_SCORE
# The score rises with the entailment of a claim, which the inverse square mean does not promise.
RISING = Parameters(threshold=0.5, claim_aggregation=ClaimAggregation.HARMONIC_MEAN)


def an_audit(entailment: float = 0.9):
    scores = [[entailment, 0.1], [0.1, 0.2]]
    return assemble(hand_evidence([0.1, 0.0], scores), RISING)


@pytest.fixture
def audits(url) -> AuditStore:
    """Three audits with rising scores."""
    store = AuditStore.open(url)
    for entailment in (0.2, 0.5, 0.9):
        store.save(an_audit(entailment))
    return store


@pytest.fixture
def reviews(audits, url) -> ReviewStore:
    return ReviewStore.open(url)


def test_a_judgement_comes_back_as_given_beside_what_the_machine_said(reviews, audits):
    saved = reviews.save(1, " ann ", FULL)
    assert saved.judgement == FULL
    assert (saved.audit_id, saved.reviewer, saved.version) == (1, "ann", 1)
    audit = audits.load(1).audit
    assert (saved.machine_score, saved.machine_threshold) == (audit.score, 0.5)
    assert saved.machine_verdict is audit.verdict
    assert saved.machine_labels == tuple(t.label for t in audit.sentences)
    assert SentenceLabel.SUPPORTED not in saved.machine_labels
    assert reviews.of(1) == reviews.latest(1) == (saved,)
    assert reviews.mine(1, "ann") == saved
    assert audits.load(1).audit == audit, "the machine's score stays"


def test_every_version_stays_and_the_last_is_in_force(reviews):
    first = reviews.save(1, "ann", SUPPORTED)
    other = reviews.save(1, "bob", SUPPORTED)
    second = reviews.save(1, "ann", FULL)
    assert [r.version for r in reviews.of(1)] == [1, 1, 2]
    assert reviews.of(1) == (first, other, second)
    assert reviews.latest(1) == (other, second)
    assert reviews.mine(1, "ann") == second
    assert reviews.mine(1, "cid") is None
    assert (reviews.count(1).reviews, reviews.count(1).versions) == (2, 3)
    assert (reviews.count(2).reviews, reviews.count(2).versions) == (0, 0)


@pytest.mark.parametrize(
    ("reviewer", "judgement", "message"),
    [
        ("  ", SUPPORTED, "name is empty"),
        ("x" * 81, SUPPORTED, "81 characters"),
        ("a", Judgement(JudgedVerdict.SUPPORTED, comment="x" * 10_001), "10,001 characters"),
        ("a", Judgement(JudgedVerdict.SUPPORTED, sentences=(FULL.sentences[0],) * 2), "twice"),
        (
            "a",
            Judgement(
                JudgedVerdict.SUPPORTED, sentences=(JudgedSentence(2, JudgedVerdict.SUPPORTED),)
            ),
            "no sentence 3: the audit has 2 sentences",
        ),
        (
            "a",
            Judgement(JudgedVerdict.SUPPORTED, chunks=(JudgedChunk(-1, ChunkMark.SUPPORTS),)),
            "no chunk 0: the audit has 2 chunks",
        ),
        *[
            (
                "a",
                Judgement(JudgedVerdict.SUPPORTED, spans=(JudgedSpan(start, end, CONFLICT),)),
                f"from character {start} to {end} is not a part",
            )
            for start, end in ((-1, 2), (4, 4), (5, 4), (0, 9_999))
        ],
        ("a", Judgement(JudgedVerdict.SUPPORTED, spans=(FULL.spans[0],) * 2), "marked twice"),
    ],
)
def test_a_judgement_that_cannot_be_is_refused_with_the_reason(
    reviews, reviewer, judgement, message
):
    with pytest.raises(InputError, match=message):
        reviews.save(1, reviewer, judgement)
    assert reviews.of(1) == ()


def test_a_judgement_that_cannot_be_written_leaves_the_one_before_in_force(reviews, url):
    before = reviews.save(1, "ann", SUPPORTED)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("DROP TABLE review_spans")
        connection.execute("CREATE TABLE review_spans (review_id INTEGER)")
    with pytest.raises(StorageError, match="was not saved"):
        reviews.save(1, "ann", FULL)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        rows = connection.execute("SELECT id, latest FROM reviews").fetchall()
    assert rows == [(before.id, 1)]


def test_no_judgement_of_an_audit_that_is_not_there(reviews):
    with pytest.raises(AuditNotFound):
        reviews.save(99, "ann", SUPPORTED)


def test_a_record_of_a_newer_version_is_a_message(reviews, url):
    reviews.save(1, "ann", SUPPORTED)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("UPDATE reviews SET verdict = 'new'")
    with pytest.raises(StorageError, match="cannot be read"):
        reviews.of(1)


def test_deleting_an_audit_deletes_its_judgements_and_reservations(reviews, audits, url):
    reviews.save(1, "ann", FULL)
    assert reviews.reserve_next(ALL, ORDER, "bob", opinions=2).audit_id == 1
    audits.delete(1)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        for table in (
            "reviews", "review_sentences", "review_chunks", "review_spans", "reservations",
        ):  # fmt: skip
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_reviewers_are_given_different_items_in_order(reviews):
    def given(reviewer: str, **more):
        item = reviews.reserve_next(ALL, ORDER, reviewer, **more)
        return item and item.audit_id

    assert given("ann") == 1
    assert given("ann") == 1, "an open item is given again to who has it"
    assert given("bob") == 2
    assert given("bob", without={2}) == 3
    reviews.save(1, "ann", SUPPORTED)
    assert given("ann") is None
    reviews.release(2, "bob")
    assert given("ann") == 2
    assert reviews.reserve_next(ItemFilter(score_from=2.0), ORDER, "cid") is None
    assert given("cid", opinions=2) == 1
    with pytest.raises(InputError):
        given(" ")
    with pytest.raises(ValueError, match="at least 1"):
        given("ann", opinions=0)


def test_as_many_opinions_as_are_wanted(reviews):
    one = ItemFilter(audits=AuditFilter(verdict=Verdict.HALLUCINATED), score_to=0.25)
    assert reviews.progress(one).total == 1
    reviews.save(1, "ann", SUPPORTED)
    assert reviews.reserve_next(one, ORDER, "bob") is None
    assert reviews.reserve_next(one, ORDER, "bob", opinions=2).audit_id == 1
    assert reviews.reserve_next(one, ORDER, "cid", opinions=2) is None
    assert reviews.reserve_next(one, ORDER, "cid", opinions=3).audit_id == 1
    assert reviews.reserve_next(one, ORDER, "ann", opinions=3) is None, "it is judged by ann"
    reviews.save(1, "bob", SUPPORTED)
    assert reviews.reserve_next(one, ORDER, "dan", opinions=3) is None


def test_a_reservation_that_ran_out_is_given_to_another_and_renewed_only_before(reviews):
    assert reviews.reserve_next(ALL, ORDER, "ann", minutes=-1).audit_id == 1
    assert reviews.renew(1, "ann", minutes=-1), "no one else was given it"
    assert reviews.reserve_next(ALL, ORDER, "bob").audit_id == 1
    assert not reviews.renew(1, "ann")
    assert reviews.renew(1, "bob")
    assert reviews.renew(2, "ann"), "it is free"
    assert reviews.reserve_next(ALL, ORDER, "cid").audit_id == 3, "so that it is ann's now"
    assert reviews.renew(3, "ann", opinions=2)
    assert not reviews.renew(99, "ann"), "there is no such audit"
    reviews.save(1, "ann", SUPPORTED)
    reviews.save(1, "bob", HALLUCINATED)
    assert len(reviews.latest(1)) == 2, "both opinions are kept"
    assert not reviews.renew(1, "bob"), (
        "a reservation ends with the judgement, and ann has judged too"
    )


def test_several_reviewers_at_once_are_never_given_the_same_item(audits, url):
    for _ in range(9):
        audits.save(an_audit())
    start = threading.Barrier(4)
    given: list[tuple[str, int]] = []
    problems: list[Exception] = []

    def work(reviewer: str) -> None:
        try:
            store = ReviewStore.open(url)
            start.wait()
            for turn in range(12):
                item = store.reserve_next(ALL, ItemOrder.FILE, reviewer, without=mine[reviewer])
                if item is None:
                    return
                mine[reviewer].add(item.audit_id)
                given.append((reviewer, item.audit_id))
                if turn % 2:
                    store.save(item.audit_id, reviewer, SUPPORTED)
        except Exception as error:
            problems.append(error)

    names = ["ann", "bob", "cid", "dan"]
    mine: dict[str, set[int]] = {name: set() for name in names}
    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert sorted(number for _, number in given) == list(range(1, 13))


def test_progress_counts_what_has_opinions_enough(reviews):
    reviews.save(1, "ann", SUPPORTED)
    reviews.save(1, "bob", HALLUCINATED)
    reviews.save(2, "ann", SUPPORTED)
    reviews.save(2, "ann", HALLUCINATED)
    done = reviews.progress(ALL)
    assert (done.total, done.judged) == (3, 2)
    assert [done.lacking(opinions) for opinions in (1, 2, 3)] == [1, 2, 3]
    assert [(r.reviewer, r.judged) for r in done.reviewers] == [("ann", 2), ("bob", 1)]
    assert reviews.progress(ALL, opinions=2).judged == 1
    assert reviews.progress(ItemFilter(reviewed=Reviewed.UNREVIEWED)) == done
    # All three audits are of one answer, of which both now say the same.
    assert reviews.progress(ItemFilter(reviewed=Reviewed.DISPUTED)).total == 0


def an_answer(texts: str, detector: str = DEFAULT_DETECTOR, entailment: float = 0.9):
    audit = an_audit(entailment)
    evidence = replace(audit.evidence, query=texts)
    return assemble(evidence, replace(audit.parameters, detector=detector))


@pytest.fixture
def answers(url) -> ReviewStore:
    """Of the answer to one: audits 1 by default, 2 and 4 by another; to two: 3."""
    store = AuditStore.open(url)
    for audit in (
        an_answer("one"),
        an_answer("one", "nli-matrix", 0.2),
        an_answer("two", entailment=0.8),
        an_answer("one", "nli-matrix", 0.3),
    ):
        store.save(audit)
    return ReviewStore.open(url)


@pytest.mark.parametrize("order", ItemOrder)
def test_an_answer_is_given_once_whichever_audit_comes_first(answers, order):
    def given(reviewer: str, **more):
        item = answers.reserve_next(ALL, order, reviewer, by_answer=True, **more)
        return item and item.audit_id

    first = given("ann")
    assert first in (1, 3), "by the audit of the default detector"
    assert given("ann") == first
    other = given("bob")
    assert {first, other} == {1, 3}
    assert given("cid") is None, "each is open elsewhere"
    answers.save(first, "ann", SUPPORTED)
    answers.save(other, "bob", SUPPORTED)
    assert [given(name) for name in ("ann", "bob", "cid")] == [None] * 3
    assert given("bob", opinions=2) == first
    answers.release(first, "bob")
    assert given("bob", opinions=2, without={first}) is None


def test_a_judgement_of_any_audit_of_an_answer_counts_for_it(answers):
    newest = ItemOrder.NEWEST
    answers.save(2, "ann", SUPPORTED)
    assert answers.reserve_next(ALL, newest, "ann", by_answer=True).audit_id == 3
    assert answers.reserve_next(ALL, newest, "ann").audit_id == 4, "audit by audit"
    second = answers.reserve_next(ALL, newest, "bob", opinions=2, by_answer=True)
    assert second.audit_id == 2, "the one that ann judged, so that they can be compared"
    # What was judged in an audit of another detector is given again only to who asks for it.
    default = ItemFilter(audits=AuditFilter(detector=DEFAULT_DETECTOR))
    assert answers.reserve_next(default, newest, "cid", by_answer=True) is None
    again = answers.reserve_next(default, newest, "cid", by_answer=True, again=True)
    assert again.audit_id == 1
    unreviewed = ItemFilter(reviewed=Reviewed.UNREVIEWED)
    given = answers.reserve_next(unreviewed, newest, "dan", opinions=4, by_answer=True)
    assert given.audit_id == 3, "the answer to one was judged, if not in every audit of it"


def test_the_next_answer_is_found_behind_many_that_are_judged(answers, monkeypatch):
    monkeypatch.setattr("storage.judged_answers._FIRST_READ", 1)
    monkeypatch.setattr("storage.judged_answers._TIMES_MORE", 2)
    # Audits 4 and 2 come first and are of the answer that ann has judged by audit 1.
    answers.save(1, "ann", SUPPORTED)
    given = answers.reserve_next(
        ALL, ItemOrder.NEWEST, "ann", opinions=2, without={3}, by_answer=True
    )
    assert given is None
    store = AuditStore(answers._engine)
    last = store.save(an_answer("three"))
    for _ in range(3):
        store.save(an_answer("one", "nli-matrix", 0.4))
    given = answers.reserve_next(
        ALL, ItemOrder.NEWEST, "ann", opinions=2, without={3}, by_answer=True
    )
    assert given.audit_id == last


def test_progress_by_answer(answers):
    assert answers.progress(ALL, by_answer=True).total == 2
    matrix = ItemFilter(audits=AuditFilter(detector="nli-matrix"))
    assert answers.progress(matrix, by_answer=True).total == 1
    assert answers.progress(ItemFilter(score_to=2.0), by_answer=True).total == 2
    answers.save(2, "ann", SUPPORTED)
    answers.save(4, "ann", SUPPORTED)
    answers.save(1, "bob", SUPPORTED)
    done = answers.progress(ALL, 2, by_answer=True)
    assert done.judged == 1
    assert [(each.reviewer, each.judged) for each in done.reviewers] == [("ann", 1), ("bob", 1)]
    assert answers.progress(matrix, 2, by_answer=True).judged == 1, "also where bob judged it"
    assert answers.progress(matrix, 2, by_answer=True, again=True).judged == 0


def test_each_is_the_judgements_in_force_of_a_filter(reviews):
    reviews.save(2, "ann", SUPPORTED)
    for verdict in (SUPPORTED, FULL):
        reviews.save(1, "ann", verdict)
    reviews.save(1, "bob", SUPPORTED)
    found = [(r.audit_id, r.reviewer, r.judgement) for r in reviews.each(ALL)]
    assert found == [(1, "ann", FULL), (1, "bob", SUPPORTED), (2, "ann", SUPPORTED)]
    assert [r.audit_id for r in reviews.each(ItemFilter(score_from=0.3))] == []


@pytest.mark.parametrize(
    ("first", "again"),
    [("Åsa@Example.org", "åsa@example.ORG"), ("Zoë", "Zoe\u0308"), ("Straße", "STRASSE")],
)
def test_a_reviewer_is_the_same_in_every_case_and_unicode_form(saved_reviewer, first, again):
    """The name stays as the first judgement has it."""
    store, number = saved_reviewer
    store.save(number, first, Judgement(JudgedVerdict.SUPPORTED))
    assert store.mine(number, again) is not None
    assert store.reserve_next(ALL, ORDER, again) is None
    kept = store.save(number, again, Judgement(JudgedVerdict.HALLUCINATED))
    assert (kept.reviewer, kept.version) == (first, 2)
    assert [review.reviewer for review in store.latest(number)] == [first]
    other = store.save(number, f"{again}2", Judgement(JudgedVerdict.SUPPORTED))
    assert other.version == 1


@pytest.fixture
def saved_reviewer(url):
    number = AuditStore.open(url).save(an_audit())
    return ReviewStore.open(url), number
