"""A button that copies a link to what the page shows."""

from __future__ import annotations

from dashboard.shared.components import component


def draw_copy_link(query: str, key: str, label: str = "Copy link") -> None:
    """A button that copies the address of this page with ``query``, as ``audit=3``, in place of
    what stands behind its question mark."""
    component(__file__, "copy_link")(
        data={"query": query, "label": label}, key=key, width="content", height="content"
    )
