"""What all requests of a program share."""

from __future__ import annotations

from fastapi import Request

from api.scoring import Queue
from api.settings import ApiLimits


def limits_of(request: Request) -> ApiLimits:
    """The limits of one request."""
    found: ApiLimits = request.app.state.limits
    return found


def queue_of(request: Request) -> Queue:
    """Those who wait for the models."""
    found: Queue = request.app.state.queue
    return found
