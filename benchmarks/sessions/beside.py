"""Pages of other sessions while one session has a long audit."""

from __future__ import annotations

import asyncio
import time

from benchmarks.served_app import ServedApp
from benchmarks.sessions.measured import Action, Finding, times_table
from benchmarks.sessions.texts import long_texts, own_word
from benchmarks.sessions.visitor import VisitFailed, Visitor

_PAGES = (("Audit", ""), ("History", "history"), ("Review", "review"), ("Thresholds", "thresholds"))
# Of a visitor who reads before going on.
_SECONDS_BETWEEN = 0.5
_SECONDS_OF_AUDIT = 3_600


def pages_beside_long_audit(
    app: ServedApp, visitors: int, openings: int, chunks: int, sentences: int
) -> Finding:
    """``visitors`` who each open ``openings`` pages, first alone and then beside an audit of
    ``chunks`` by ``sentences``. Openings after the audit's end are not counted."""
    return asyncio.run(_measure(app.base, visitors, openings, chunks, sentences))


async def _measure(base: str, visitors: int, openings: int, chunks: int, sentences: int) -> Finding:
    problems: list[str] = []
    alone = await _open_pages(base, visitors, openings, "alone", asyncio.Event(), problems)
    ended = asyncio.Event()
    audit = asyncio.create_task(_long_audit(base, chunks, sentences, ended))
    await asyncio.sleep(1)  # The audit has begun.
    beside = await _open_pages(base, visitors, openings, "beside it", ended, problems)
    try:
        seconds = await audit
    except VisitFailed as failure:
        problems.append(str(failure))
        seconds = 0.0
    return Finding(
        f"{visitors} visitors open pages while one audits {chunks} chunks x {sentences} sentences "
        f"({seconds:.0f} s)",
        tuple(times_table([*alone, *beside])),
        tuple(problems),
    )


async def _long_audit(base: str, chunks: int, sentences: int, ended: asyncio.Event) -> float:
    texts = long_texts(own_word(0, "long"), chunks, sentences)
    try:
        async with Visitor(base, "the long audit", _SECONDS_OF_AUDIT) as visitor:
            await visitor.open("")
            visitor.fill("query", texts.query)
            visitor.fill("answer", texts.answer)
            visitor.fill("context_text", "\n\n".join(texts.context))
            start = time.perf_counter()
            await visitor.press("Audit")
            if not visitor.parameter("audit"):
                raise VisitFailed(f"The long audit was not saved. {visitor.said()}")
            return time.perf_counter() - start
    finally:
        ended.set()


async def _open_pages(
    base: str,
    visitors: int,
    openings: int,
    when: str,
    ended: asyncio.Event,
    problems: list[str],
) -> list[Action]:
    actions: list[Action] = []

    async def visit(number: int) -> None:
        async with Visitor(base, f"visitor {number}") as visitor:
            for opening in range(openings):
                title, page = _PAGES[(number + opening) % len(_PAGES)]
                try:
                    seconds = await visitor.open(page)
                except VisitFailed as failure:
                    problems.append(str(failure))
                    continue
                if ended.is_set():
                    return
                actions.append(Action(f"open {title}, {when}", seconds))
                await asyncio.sleep(_SECONDS_BETWEEN)

    await asyncio.gather(*(visit(number) for number in range(visitors)))
    return sorted(actions, key=lambda action: action.name)
