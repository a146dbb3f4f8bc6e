"""What triggers keep of answers is what a recount of the audits gives, whoever writes them."""

from __future__ import annotations

import random
import threading
from dataclasses import replace

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.orm import Session

from provenance_core import Audit, Parameters, assemble
from storage import AuditFilter, AuditStore, ComparisonStore, ItemFilter, ItemStore
from storage.audits import insert_audits
from storage.engine import get_engine, write_turn
from storage.models import AnswerRecord, AuditRecord, CandidateSourceRecord
from tests.conftest import hand_evidence

DETECTORS = ("two-stage", "nli-matrix")
QUERIES, ANSWERS = 3, 3
WRITERS = 5


def an_audit(query: int, answer: int, detector: str = DETECTORS[0]) -> Audit:
    """One of the audits of a few answers to a few queries."""
    evidence = replace(hand_evidence([1.0], [[0.9]]), query=f"Query {query}?")
    text = evidence.answer.replace("0", str(answer))
    assert answer == 0 or text != evidence.answer
    return assemble(replace(evidence, answer=text), Parameters(detector=detector))


def any_audit(drawn: random.Random) -> Audit:
    return an_audit(drawn.randrange(QUERIES), drawn.randrange(ANSWERS), drawn.choice(DETECTORS))


def kept(url: str) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """What the triggers keep."""
    answers, sources = AnswerRecord.__table__.c, CandidateSourceRecord.__table__.c
    with Session(get_engine(url)) as session:
        return (
            sorted(map(tuple, session.execute(select(*answers)))),
            sorted(map(tuple, session.execute(select(*sources)))),
        )


def recounted(url: str) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The same, of the audits."""
    source, texts = AuditRecord.source_digest, AuditRecord.text_digest
    known = source.is_not(None)
    of_answers = select(source, texts, func.count()).where(known).group_by(source, texts)
    several = func.count(texts.distinct()) > 1
    of_sources = (
        select(source, AuditRecord.detector, func.max(AuditRecord.id), several)
        .where(known)
        .group_by(source, AuditRecord.detector)
    )
    with Session(get_engine(url)) as session:
        return (
            sorted(map(tuple, session.execute(of_answers))),
            sorted(map(tuple, session.execute(of_sources))),
        )


def writing(url: str) -> Session:
    return Session(get_engine(url).execution_options(provenance_write=True))


def any_write(url: str, drawn: random.Random) -> None:
    """One of the ways in which audits come, go and change."""
    store = AuditStore.open(url)
    numbers = store.numbers(AuditFilter())
    some = [number for number in numbers if drawn.random() < 0.3]
    digests = {"source_digest": None, "text_digest": None}
    match drawn.choice(["save", "save", "delete", "many", "purge", "undo", "change", "forget"]):
        case "save":
            store.save(any_audit(drawn))
        case "delete" if numbers:
            store.delete(drawn.choice(numbers))
        case "many":
            with writing(url) as session, session.begin():
                insert_audits(session, [any_audit(drawn) for _ in range(drawn.randrange(1, 6))])
        case "purge":
            with writing(url) as session, session.begin():
                made = insert_audits(session, [any_audit(drawn) for _ in range(3)])
                session.execute(delete(AuditRecord).where(AuditRecord.id.in_([*made[1:], *some])))
        case "undo":
            with writing(url) as session:
                insert_audits(session, [any_audit(drawn)])
                session.execute(delete(AuditRecord).where(AuditRecord.id.in_(some)))
                session.rollback()
        case "change" if numbers:
            changed = update(AuditRecord).where(AuditRecord.id.in_(some))
            other = aliased_values(url, drawn.choice(numbers))
            with writing(url) as session, session.begin():
                session.execute(changed.values(**other))
        case "forget":
            with writing(url) as session, session.begin():
                older = update(AuditRecord).where(AuditRecord.id.in_(some[:1]))
                session.execute(older.values(**digests))


def aliased_values(url: str, number: int) -> dict[str, object]:
    """What makes another audit one of the answer and the detector of ``number``."""
    columns = (AuditRecord.source_digest, AuditRecord.text_digest, AuditRecord.detector)
    with Session(get_engine(url)) as session:
        row = session.execute(select(*columns).where(AuditRecord.id == number)).one()
    return dict(row._mapping)


def test_after_any_writes_what_is_kept_is_what_a_recount_gives(url):
    drawn = random.Random(7)
    seen = set()
    for at in range(150):
        any_write(url, drawn)
        assert kept(url) == recounted(url), f"after write {at}"
        seen.add(len(kept(url)[0]))
    assert len(seen) > 3, "answers came and went"
    with writing(url) as session, session.begin():
        session.execute(delete(AuditRecord))
    assert kept(url) == ([], [])


def test_nothing_is_lost_between_writers_at_once(url):
    store, failed = AuditStore.open(url), []
    store.save(an_audit(0, 0))

    def write(seed: int) -> None:
        drawn = random.Random(seed)
        try:
            for _ in range(12):
                # In any order, so that writers wait for each other's answers.
                with write_turn(get_engine(url)), writing(url) as session, session.begin():
                    insert_audits(session, [any_audit(drawn) for _ in range(4)])
                # Of each audit one writer alone: it is not asked who comes second.
                own = [n for n in store.numbers(AuditFilter()) if n % WRITERS == seed]
                for number in drawn.sample(own, min(len(own), 3)):
                    store.delete(number)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(seed,)) for seed in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, repr(failed)
    assert kept(url) == recounted(url)
    assert kept(url)[0], "some are left"


def test_lists_count_answers_and_sources_as_a_filter_that_all_pass_does(url):
    """A filter is answered by the audits themselves."""
    drawn = random.Random(3)
    audits, compared, items = (s.open(url) for s in (AuditStore, ComparisonStore, ItemStore))
    for _ in range(40):
        any_write(url, drawn)
        by_answer = audits.page(AuditFilter(), by_answer=True)
        assert by_answer.total == len(audits.numbers(AuditFilter(), by_answer=True))
        every, found = ItemFilter(), ItemFilter(score_from=0.0)
        assert compared.candidates(every) == compared.candidates(found)
        for detector in DETECTORS:
            by = AuditFilter(detector=detector)
            assert compared.candidates(ItemFilter(audits=by)) == compared.candidates(
                ItemFilter(audits=by, score_from=0.0)
            )
        assert items.detectors(every) == items.detectors(found)
    assert compared.candidates(every).total > 1
    assert len(items.detectors(every)) == 2


def test_only_answers_that_pass_compete(url):
    store, compared = AuditStore.open(url), ComparisonStore.open(url)
    for answer in range(3):
        store.save(an_audit(0, answer))
    with writing(url) as session, session.begin():
        session.execute(text("UPDATE audits SET score = 0.25 * id"))
    found = [
        compared.candidates(ItemFilter(score_from=least)).groups for least in (0.2, 0.5, 0.7, 0.8)
    ]
    assert [[len(group.items) for group in groups] for groups in found] == [[3], [2], [], []]


def test_a_page_past_the_end_has_no_sources_and_says_how_many_there_are(url):
    store = AuditStore.open(url)
    for answer in range(2):
        store.save(an_audit(0, answer))
    page = ComparisonStore.open(url).candidates(ItemFilter(), offset=5)
    assert (page.groups, page.total) == ((), 1)


def test_an_audit_without_digests_counts_as_an_answer_of_its_own(url):
    store = AuditStore.open(url)
    store.save(an_audit(0, 0))
    store.save(an_audit(0, 0))
    assert store.page(AuditFilter(), by_answer=True).total == 1
    with writing(url) as session, session.begin():
        session.execute(text("UPDATE audits SET source_digest = NULL, text_digest = NULL"))
    assert store.page(AuditFilter(), by_answer=True).total == 2
