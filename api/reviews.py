"""``/reviews``: what people say of audits."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query

from api.access.roles import Visitor
from api.audits import Limit, Number, Offset
from api.bodies import LARGEST_NUMBER, GoldLabelBody, ReviewBody, SharesBody
from api.guard import Reviewer, Viewer, record, refusals
from api.problems import Refused, Wrong, at
from api.request_json import JsonRoute
from provenance_core.review.checks import folded_name
from provenance_core.review.types import GoldLabel, OwnLabel, Review
from storage import (
    GoldLabelStore,
    ItemFilter,
    ItemOrder,
    ItemPage,
    ItemStore,
    Opinion,
    OwnLabelStore,
    Reviewed,
    ReviewStore,
    RunStore,
    Share,
    ShareStore,
)

router = APIRouter(tags=["reviews"], route_class=JsonRoute)


@dataclass(frozen=True, slots=True)
class Reviews:
    """Judgements of one audit, the oldest first. ``elsewhere``: of each reviewer whose latest
    judgement of the same query, context and answer is in another audit, that verdict: it counts,
    and those in ``reviews`` do not. Of the other reviewers the highest version counts. ``label``:
    the gold label, else what most of them say, 1 = supported, 0 = hallucinated; null without both.
    ``gold``: every gold label of the answer, the oldest first; the last is in force."""

    reviews: tuple[Review, ...]
    elsewhere: tuple[Opinion, ...] = ()
    label: int | None = None
    gold: tuple[GoldLabel, ...] = ()


@router.get("/reviews", responses=refusals())
def list_reviewed_audits(
    visitor: Viewer,
    reviewed: Annotated[Reviewed, Query(description="by what people have said")] = Reviewed.ANY,
    run: Annotated[int | None, Query(ge=1, le=LARGEST_NUMBER, description="of a run")] = None,
    order: Annotated[ItemOrder, Query(description="which comes first")] = ItemOrder.NEWEST,
    offset: Offset = 0,
    limit: Limit = 20,
) -> ItemPage:
    """List audits with how many reviewers said what: what waits for a review, what is disputed,
    where the machine was overruled."""
    chosen = ItemFilter(runs=() if run is None else (run,), reviewed=reviewed)
    return ItemStore.open().page(chosen, order, offset, limit)


@router.get("/audits/{number}/reviews", responses=refusals(HTTPStatus.NOT_FOUND))
def list_reviews(visitor: Viewer, number: Number) -> Reviews:
    """List every version of every judgement of an audit, and what was said of its answer in other
    audits of it."""
    found = ItemStore.open().of_audits([number])
    if not found:
        message = f"There is no audit {number}. It may have been deleted."
        raise Refused(HTTPStatus.NOT_FOUND, [Wrong("path.number", message)])
    store = ReviewStore.open()
    gold = GoldLabelStore.open().of(number)
    return Reviews(store.of(number), store.elsewhere(number), found[0].opinion, gold)


@router.post(
    "/audits/{number}/reviews",
    status_code=HTTPStatus.CREATED,
    responses=refusals(HTTPStatus.NOT_FOUND),
)
def judge_an_audit(visitor: Reviewer, number: Number, body: ReviewBody) -> Review:
    """Keep a judgement as the reviewer's newest version. The machine's score stays as it is."""
    name = _name_of(visitor, body.reviewer, "reviewer")
    with at("body"):
        review = ReviewStore.open().save(number, name, body.judgement)
    record(visitor, "judge an answer", [number])
    return review


@router.post(
    "/audits/{number}/gold",
    status_code=HTTPStatus.CREATED,
    responses=refusals(HTTPStatus.NOT_FOUND),
)
def settle_an_answer(visitor: Reviewer, number: Number, body: GoldLabelBody) -> GoldLabel:
    """Keep the verdict that settles what reviewers say of an audit's answer. Their judgements stay
    as they are."""
    name = _name_of(visitor, body.decided_by, "decided_by")
    with at("body"):
        gold = GoldLabelStore.open().save(number, name, body.verdict, body.comment)
    record(visitor, "settle an answer", [number])
    return gold


@router.get("/runs/{number}/shares", responses=refusals(HTTPStatus.NOT_FOUND))
def list_shares(visitor: Viewer, number: Number) -> tuple[Share, ...]:
    """List how many answers of a run each reviewer is to judge, and has judged."""
    RunStore.open().get(number)
    return ShareStore.open().of(number)


@router.put("/runs/{number}/shares", responses=refusals(HTTPStatus.NOT_FOUND))
def assign_shares(visitor: Reviewer, number: Number, body: SharesBody) -> tuple[Share, ...]:
    """Deal the audited answers of a run out to reviewers, in place of its earlier shares."""
    RunStore.open().get(number)
    with at("body"):
        ShareStore.open().assign(number, body.reviewers, body.judgements)
    record(visitor, "assign reviewers", [number])
    return ShareStore.open().of(number)


@router.get("/labels", responses=refusals())
def list_labels(visitor: Viewer) -> tuple[OwnLabel, ...]:
    """List the team's own labels, each with its key of the Review page."""
    return OwnLabelStore.open().all()


def _name_of(visitor: Visitor, given: str, field: str) -> str:
    """Who judges: who is signed in, else the name that the body gives."""
    own = folded_name(visitor.name)
    if own and given and folded_name(given) != own:
        message = f"You are signed in as {visitor.name}, and judge as such. Leave the name out."
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, [Wrong(f"body.{field}", message)])
    return visitor.name or given
