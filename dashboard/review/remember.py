"""Has the browser keep the reviewer's name from one visit to the next."""

from __future__ import annotations

from dashboard.shared.components import component
from dashboard.shared.remembered_name import COOKIE


def remember(name: str) -> None:
    """Have the browser keep ``name``, and leave the box where it was typed."""
    component(__file__, "remember_reviewer")(
        data={"cookie": COOKIE, "name": name}, key="remember_reviewer", height=1
    )
