"""What all requests of a program share."""

from __future__ import annotations

from fastapi import Request

from api.scoring import ScoringQueue
from api.settings import ApiLimits


def limits_of(request: Request) -> ApiLimits:
    """The limits of one request. Bytes and numbers that one request may have."""
    found: ApiLimits = request.app.state.limits
    return found


def queue_of(request: Request) -> ScoringQueue:
    """Those who wait for the models. The one queue of the program."""
    found: ScoringQueue = request.app.state.queue
    return found
