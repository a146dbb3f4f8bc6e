"""``/runs``: start a run, follow it, stop it, read what came of it."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, fields
from http import HTTPStatus
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent

from api.audits import OF_A_KEY, IdempotencyKey, Limit, Number, Offset, once
from api.bodies import RunBody, RunChangeBody
from api.guard import Reviewer, Viewer, record, refusals
from api.problems import Refused, Wrong, at
from api.request_json import JsonRoute
from api.scoring import chosen_settings, limits_of
from api.settings import ROWS
from provenance_core import InputError
from provenance_core.files.batch import BatchFile, read_batch_file
from provenance_core.files.batch.summary import FileSummary, summarise
from provenance_core.files.types import RejectedRow
from storage import (
    Item,
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    RequestKey,
    RequestKeyStore,
    RowStatus,
    Run,
    RunPage,
    RunRowPage,
    RunStatus,
    RunStore,
)
from storage.runs import mapping_pairs
from storage.worker.process import dead_worker, is_active, start_worker

router = APIRouter(prefix="/runs", tags=["runs"], route_class=JsonRoute)
_FILE = "request.jsonl"
_LOOK_AGAIN = 1.0  # seconds between two looks at a run


@dataclass(frozen=True, slots=True)
class RejectedRows:
    """The rows that could not be used, by their place in the request, counted from 1."""

    rows: tuple[RejectedRow, ...]


@dataclass(frozen=True, slots=True)
class RunResult(Item):
    """A row that was audited. ``unread_language``: of the answer, else of the context, where the
    models do not read it, so that the score says little; else ""."""

    unread_language: str = ""


@dataclass(frozen=True, slots=True)
class RunResultPage:
    """One page of results and how many there are."""

    items: tuple[RunResult, ...]
    total: int


@router.post("", status_code=HTTPStatus.ACCEPTED, responses=refusals(*OF_A_KEY))
def start_a_run(
    body: RunBody,
    request: Request,
    response: Response,
    visitor: Reviewer,
    idempotency_key: IdempotencyKey = None,
) -> Run:
    """Keep the rows as a run and start a process that audits them. Rows that cannot be used are
    told apart from the others, and listed under ``rejected``."""
    most = limits_of(request).rows
    if len(body.rows) > most:
        message = (
            f"The request has {len(body.rows):,} rows; the most is {most:,} ({ROWS.variable}). "
            "Send fewer, or start the run by the Batch page or the command line."
        )
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, [Wrong("body.rows", message)])
    runs, keys = RunStore.open(), RequestKeyStore.open()

    def make(key: RequestKey | None) -> tuple[int, ...]:
        with at("body.name"):
            name = runs.free_name(body.name)
        settings = chosen_settings(body)
        with at("body.rows"):
            file = _read(body)
        new = NewRun(
            name,
            _FILE,
            file.format,
            mapping_pairs(file.mapping),
            settings.profile,
            settings.parameters,
            summarise(file),
        )
        number = runs.create(new, file.rows, file.rejected)
        if key is not None:
            keys.keep(key, [number])
        record(visitor, "start a run", [number])
        start_worker(number)
        return (number,)

    text = body.model_dump_json()
    (number,) = once(keys, visitor, idempotency_key, request.url.path, text, make)
    response.headers["Location"] = str(request.url_for("read_a_run", number=number))
    return runs.get(number)


def _read(body: RunBody) -> BatchFile:
    """The rows as the Batch page reads them from a file. InputError when none can be used."""
    with tempfile.TemporaryDirectory() as folder:
        file = FilePath(folder) / _FILE
        lines = (json.dumps(row) + "\n" for row in body.rows)
        file.write_text("".join(lines), encoding="utf-8")
        try:
            found = read_batch_file(file, body.format, body.mapping)
        except InputError as error:
            raise InputError(str(error).replace(f"{file}: ", "")) from error
    if not found.rows:
        reasons = "; ".join(f"row {row.line}: {row.reason}" for row in found.rejected[:3])
        raise InputError(f"No row can be audited ({reasons}). Fix the rows.")
    return found


@router.get("", responses=refusals())
def list_runs(visitor: Viewer, offset: Offset = 0, limit: Limit = 20) -> RunPage:
    """List runs, the newest first."""
    return RunStore.open().page(offset, limit)


def _found(number: Number) -> Run:
    return RunStore.open().get(number)


Found = Annotated[Run, Depends(_found)]


@router.get("/{number}", responses=refusals(HTTPStatus.NOT_FOUND))
def read_a_run(visitor: Viewer, run: Found) -> Run:
    """Read a run and how far it is."""
    return run


@router.patch("/{number}", responses=refusals(HTTPStatus.NOT_FOUND))
def rename_a_run(body: RunChangeBody, visitor: Reviewer, run: Found) -> Run:
    """Give a run another name. Its number, its rows and links to it stay, and files that were
    exported under the old name still find it."""
    runs = RunStore.open()
    with at("body.name"):
        runs.rename(run.id, body.name)
    record(visitor, "rename a run", [run.id])
    return runs.get(run.id)


@router.get(
    "/{number}/events", response_class=EventSourceResponse, responses=refusals(HTTPStatus.NOT_FOUND)
)
async def follow_a_run(visitor: Viewer, run: Found) -> AsyncIterator[ServerSentEvent]:
    """Follow a run: an event ``progress`` with the run whenever something has changed, and an
    event ``end`` when nobody works on it any more."""
    runs, last = RunStore.open(), None
    while True:
        if run != last:
            active = await run_in_threadpool(is_active, run)
            yield ServerSentEvent(event="progress" if active else "end", data=run)
            if not active:
                return
        last = run
        await asyncio.sleep(_LOOK_AGAIN)
        run = await run_in_threadpool(runs.get, run.id)


@router.post("/{number}/cancel", responses=refusals(HTTPStatus.NOT_FOUND))
def cancel_a_run(visitor: Reviewer, run: Found) -> Run:
    """Stop a run after the row that is being audited. What is done stays."""
    runs = RunStore.open()
    runs.cancel(run.id)
    record(visitor, "cancel a run", [run.id])
    return runs.get(run.id)


@router.post("/{number}/resume", responses=refusals(HTTPStatus.NOT_FOUND))
def resume_a_run(visitor: Reviewer, run: Found) -> Run:
    """Go on with a run that was cancelled or stopped, or whose worker has died; else nothing
    changes."""
    runs = RunStore.open()
    if run.status is not RunStatus.DONE and not is_active(run):
        runs.resume(run.id, dead_worker(run))
        record(visitor, "resume a run", [run.id])
        start_worker(run.id)
    return runs.get(run.id)


@router.get("/{number}/results", responses=refusals(HTTPStatus.NOT_FOUND))
def list_results(
    visitor: Viewer,
    run: Found,
    order: Annotated[ItemOrder, Query(description="which comes first")] = ItemOrder.FILE,
    offset: Offset = 0,
    limit: Limit = 20,
) -> RunResultPage:
    """List the rows that were audited, with score, verdict, label and reviews."""
    store = ItemStore.open()
    found = store.page(ItemFilter(runs=(run.id,)), order, offset, limit)
    unread = store.unread_languages([item.audit_id for item in found.items])
    results = [_result(item, unread.get(item.audit_id, "")) for item in found.items]
    return RunResultPage(tuple(results), found.total)


def _result(item: Item, unread: str) -> RunResult:
    values = {field.name: getattr(item, field.name) for field in fields(Item)}
    return RunResult(**values, unread_language=unread)


@router.get("/{number}/failed", responses=refusals(HTTPStatus.NOT_FOUND))
def list_failed_rows(
    visitor: Viewer, run: Found, offset: Offset = 0, limit: Limit = 20
) -> RunRowPage:
    """List the rows that could not be audited, each with its reason."""
    return RunStore.open().rows_without_audit(run.id, RowStatus.FAILED, offset=offset, limit=limit)


@router.get("/{number}/rejected", responses=refusals(HTTPStatus.NOT_FOUND))
def list_rejected_rows(visitor: Viewer, run: Found) -> RejectedRows:
    """List the rows that could not be used at the start, each with its reason."""
    return RejectedRows(RunStore.open().rejects(run.id))


@router.get("/{number}/file", responses=refusals(HTTPStatus.NOT_FOUND))
def summarise_the_file(visitor: Viewer, run: Found) -> FileSummary | None:
    """Read what became of the rows of the run's file: refused (by reason), without context, without
    a label, in doubt, in another language. The same as the command line and the page show; null for
    a run that was started before this was kept."""
    return RunStore.open().file_summary(run.id)
