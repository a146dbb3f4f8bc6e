"""``/audits``: audit answers, read and list what was audited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request, Response

from api.access.roles import Visitor
from api.bodies import LARGEST_NUMBER, AuditBody, AuditsBody
from api.guard import Reviewer, Viewer, record, refusals
from api.problems import Refused, Wrong
from api.request_json import JsonRoute
from api.scoring import audited, checked_tasks, limits_of, queue_of
from api.settings import AUDITS
from provenance_core import Verdict
from provenance_core.explain.summary import AuditSummary, audit_summary
from provenance_core.text.structured_context import given_context
from provenance_core.types import ContextItem
from storage import AuditFilter, AuditPage, AuditStore, RequestKey, RequestKeyStore, SavedAudit

router = APIRouter(prefix="/audits", tags=["audits"], route_class=JsonRoute)
# A key may stand for what was deleted since, or is still made.
OF_A_KEY = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
Number = Annotated[int, Path(ge=1, le=LARGEST_NUMBER)]
Offset = Annotated[int, Query(ge=0, le=LARGEST_NUMBER, description="how many to pass over")]
Limit = Annotated[int, Query(ge=1, le=100, description="at most how many to return")]
IdempotencyKey = Annotated[
    str | None,
    Header(
        description="a random text of the caller's, such as a UUID: the same request with the "
        "same key, within a day, gets what the first one made"
    ),
]


@dataclass(frozen=True, slots=True)
class KeptAudit:
    """A saved audit: its number, what was audited, and what came of it."""

    id: int
    query: str
    answer: str
    context: tuple[ContextItem, ...]
    audit: AuditSummary


@dataclass(frozen=True, slots=True)
class KeptAudits:
    """Saved audits, in the order of the request."""

    audits: tuple[KeptAudit, ...]


def kept_audit(saved: SavedAudit) -> KeptAudit:
    """What a program reads of a saved audit."""
    evidence = saved.audit.evidence
    context = tuple(given_context(evidence))
    return KeptAudit(saved.id, evidence.query, evidence.answer, context, audit_summary(saved.audit))


@router.post("", status_code=HTTPStatus.CREATED, responses=refusals(*OF_A_KEY))
def audit_an_answer(
    body: AuditBody,
    request: Request,
    response: Response,
    visitor: Reviewer,
    idempotency_key: IdempotencyKey = None,
) -> KeptAudit:
    """Audit one answer and keep the audit. The reply comes when it is done."""
    (number,) = _kept(request, visitor, idempotency_key, body.model_dump_json(), [body], ["body"])
    response.headers["Location"] = str(request.url_for("read_an_audit", number=number))
    return kept_audit(AuditStore.open().load(number))


@router.post("/batch", status_code=HTTPStatus.CREATED, responses=refusals(*OF_A_KEY))
def audit_several_answers(
    body: AuditsBody, request: Request, visitor: Reviewer, idempotency_key: IdempotencyKey = None
) -> KeptAudits:
    """Audit several answers and keep all audits, or none when one of them cannot be made. For
    more, start a run."""
    most = limits_of(request).audits
    if len(body.audits) > most:
        message = (
            f"The request has {len(body.audits):,} answers; the most is {most:,} "
            f"({AUDITS.variable}). Send fewer, or start a run."
        )
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, [Wrong("body.audits", message)])
    places = [f"body.audits.{index}" for index in range(len(body.audits))]
    text = body.model_dump_json()
    numbers = _kept(request, visitor, idempotency_key, text, body.audits, places)
    store = AuditStore.open()
    return KeptAudits(tuple(kept_audit(store.load(number)) for number in numbers))


def _kept(
    request: Request,
    visitor: Visitor,
    given_key: str | None,
    text: str,
    bodies: Sequence[AuditBody],
    places: Sequence[str],
) -> tuple[int, ...]:
    """The numbers of the audits that the request asks for, made now or by its first try."""
    store = RequestKeyStore.open()

    def make(key: RequestKey | None) -> tuple[int, ...]:
        audits = audited(checked_tasks(bodies, places), queue_of(request))
        numbers = store.save_audits(audits, key)
        record(visitor, "save an audit", numbers)
        return numbers

    return once(store, visitor, given_key, request.url.path, text, make)


def once(
    store: RequestKeyStore,
    visitor: Visitor,
    given_key: str | None,
    action: str,
    text: str,
    make: Callable[[RequestKey | None], tuple[int, ...]],
) -> tuple[int, ...]:
    """Make something; under a key, make it once: later tries get what the first one made. Raises
    InputError where the key is unfit, or came with another body before, and RequestBusy while the
    first try is still worked on."""
    if given_key is None:
        return make(None)
    key = RequestKey.of(given_key, visitor.id, action, text)
    made = store.reserve(key)
    if made is not None:
        return made
    try:
        return make(key)
    except BaseException:
        store.release(key)
        raise


@router.get("/{number}", responses=refusals(HTTPStatus.NOT_FOUND))
def read_an_audit(number: Number, visitor: Viewer) -> KeptAudit:
    """Read a saved audit. No model runs."""
    return kept_audit(AuditStore.open().load(number))


@router.get("", responses=refusals())
def list_audits(
    visitor: Viewer,
    text: Annotated[str, Query(description="searched in query, answer and context")] = "",
    verdict: Verdict | None = None,
    since: Annotated[date | None, Query(description="first day, UTC")] = None,
    until: Annotated[date | None, Query(description="last day, UTC")] = None,
    detector: str | None = None,
    flagged: Annotated[bool | None, Query(description="with sentences not supported")] = None,
    offset: Offset = 0,
    limit: Limit = 20,
) -> AuditPage:
    """List saved audits, the newest first."""
    chosen = AuditFilter(text, verdict, since, until, detector, flagged)
    return AuditStore.open().page(chosen, offset, limit)
