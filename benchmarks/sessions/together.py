"""Visitors who audit and review at once: whether each finds only what is theirs, and all of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field

from benchmarks.served_app import ServedApp
from benchmarks.sessions.measured import Action, Finding, times_table
from benchmarks.sessions.texts import of_others, own_word, owned_texts
from benchmarks.sessions.visitor import VisitFailed, Visitor
from dashboard.audit.examples import EXAMPLES
from storage import AuditNotFound, AuditStore, ReviewStore

AUDIT, REVIEW, HISTORY = "", "review", "history"
# What a server prints when something went wrong that a page may have hidden.
_BAD_WORDS = ("locked", "traceback", "error", "exception")


@dataclass(slots=True)
class Visit:
    """What one visitor did. ``audits``: the answer by the number that the page gave it.
    ``reviews``: the comment by the number of the audit. ``found_none``: how often the queue was
    empty."""

    name: str
    actions: list[Action] = field(default_factory=list)
    audits: dict[int, str] = field(default_factory=dict)
    reviews: dict[int, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    found_none: int = 0


async def warm_up(app: ServedApp) -> None:
    """Have the server import what pages need and load the models: the first visitor waits for that.

    It audits an example and deletes nothing: the database has one audit more.
    """
    async with Visitor(app.base, "the first visitor") as visitor:
        for page in (AUDIT, REVIEW, HISTORY, "thresholds"):
            await visitor.open(page)
        await visitor.open(AUDIT)
        await visitor.press(EXAMPLES[0].name)


def visit_together(app: ServedApp, url: str, sessions: int, rounds: int) -> Finding:
    """``sessions`` visitors; each audits, reviews and reads the history ``rounds`` times."""
    before = AuditStore.open(url).count()
    visits = asyncio.run(_all(app.base, sessions, rounds))
    problems = [problem for visit in visits for problem in visit.problems]
    problems += kept_wrong(url, visits, before)
    problems += logged(app)
    audits, reviews = (sum(map(len, found)) for found in zip(
        *((visit.audits, visit.reviews) for visit in visits), strict=True
    ))  # fmt: skip
    empty = sum(visit.found_none for visit in visits)
    return Finding(
        f"{sessions} sessions at once, {rounds} rounds: {audits:,} audits and {reviews:,} "
        f"judgements acknowledged" + (f", {empty} times nothing left to judge" if empty else ""),
        tuple(times_table(action for visit in visits for action in visit.actions)),
        tuple(problems),
    )


async def _all(base: str, sessions: int, rounds: int) -> list[Visit]:
    words = [own_word(n, "at") for n in range(sessions)]
    comments = [own_word(n, "said") for n in range(sessions)]
    start = asyncio.Barrier(sessions)
    return list(
        await asyncio.gather(
            *(_visit(base, n, words, comments, rounds, start) for n in range(sessions))
        )
    )


async def _visit(
    base: str,
    owner: int,
    words: Sequence[str],
    comments: Sequence[str],
    rounds: int,
    start: asyncio.Barrier,
) -> Visit:
    visit = Visit(f"reviewer {own_word(owner, 'name')}")
    strangers, unsaid = of_others(words, owner), of_others(comments, owner)
    async with Visitor(base, visit.name) as visitor:
        await start.wait()
        for number in range(rounds):
            try:
                visitor.strangers = strangers
                await _audit(visitor, visit, words[owner], number)
                # The queue has the answers of everybody; what they say of them is theirs.
                visitor.strangers = unsaid
                await _review(visitor, visit, f"{comments[owner]} in round {number}")
                await _timed(visit, "open History", visitor.open(HISTORY))
            except VisitFailed as failure:
                visit.problems.append(str(failure))
        if visitor.leaks:
            found = ", ".join(sorted(set(visitor.leaks)))
            visit.problems.append(f"{visit.name} was sent what others entered: {found}")
    return visit


async def _timed(visit: Visit, name: str, action: Coroutine[None, None, float]) -> None:
    visit.actions.append(Action(name, await action))


async def _audit(visitor: Visitor, visit: Visit, word: str, number: int) -> None:
    texts = owned_texts(word, number)
    await _timed(visit, "open Audit" if number else "open the app", visitor.open(AUDIT))
    visitor.fill("query", texts.query)
    visitor.fill("answer", texts.answer)
    visitor.fill("context_text", "\n\n".join(texts.context))
    await _timed(visit, "audit", visitor.press("Audit"))
    made = visitor.parameter("audit")
    if not made.isdecimal():
        raise VisitFailed(f"{visit.name}: the audit was not saved. {visitor.said()}")
    visit.audits[int(made)] = texts.answer


async def _review(visitor: Visitor, visit: Visit, comment: str) -> None:
    await _timed(visit, "open Review", visitor.open(REVIEW))
    if not visit.reviews:
        await _timed(visit, "enter a name", visitor.type("reviewer", visit.name))
    if not visitor.shows("review_save_next"):
        visit.found_none += 1
        return
    await _timed(visit, "choose a verdict", visitor.press("review_verdict_supported"))
    box = visitor.box_with("review_comment_")
    visitor.fill(box, comment)
    await _timed(visit, "save a judgement", visitor.press("review_save_next"))
    visit.reviews[int(box.rsplit("_", 1)[1])] = comment


def kept_wrong(url: str, visits: Sequence[Visit], before: int) -> list[str]:
    """What the database ``url``, which had ``before`` audits, lacks or has beside of what the pages
    acknowledged."""
    audits, reviews = AuditStore.open(url), ReviewStore.open(url)
    problems = []
    owners = Counter(number for visit in visits for number in visit.audits)
    problems += [
        f"audit {n} was given to {times} sessions" for n, times in owners.items() if times > 1
    ]
    judged = Counter(number for visit in visits for number in visit.reviews)
    problems += [
        f"audit {n} was given to {times} reviewers, but one judgement is wanted"
        for n, times in judged.items()
        if times > 1
    ]
    for visit in visits:
        for number, answer in visit.audits.items():
            try:
                kept = audits.load(number).audit.evidence.answer
            except AuditNotFound:
                problems.append(f"audit {number} of {visit.name} is lost")
            else:
                if kept != answer:
                    problems.append(f"audit {number} of {visit.name} has another answer: {kept}")
        for number, comment in visit.reviews.items():
            said = [
                review.judgement.comment
                for review in reviews.latest(number)
                if review.reviewer == visit.name
            ]
            if said != [comment]:
                problems.append(f"the judgement of {visit.name} on audit {number} is lost: {said}")
    if (there := audits.count() - before) != len(owners):
        problems.append(f"the database has {there} new audits, but {len(owners)} were acknowledged")
    return problems


def logged(app: ServedApp) -> list[str]:
    """The lines of the server's log that tell of something wrong."""
    lines = app.log.read_text(encoding="utf-8").splitlines()
    return [f"the server says: {line}" for line in lines
            if any(word in line.casefold() for word in _BAD_WORDS)]  # fmt: skip
