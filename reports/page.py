"""Standalone HTML pages from templates: no network, open from disk, light and dark, printable."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

from provenance_core import __version__
from reports import markup
from reports.environment import ENVIRONMENT


def render_page(template: str, *, scripts: Sequence[str] = (), **values: Any) -> str:
    """Write one HTML document. The template escapes every text that it is not told is safe. A
    browser runs nothing in it but ``scripts``, known by their hashes, and loads nothing."""
    return ENVIRONMENT.get_template(template).render(
        policy=_policy(scripts), style=markup.STYLE, version=__version__, **values
    )


def _policy(scripts: Sequence[str]) -> str:
    """The Content-Security-Policy of a page."""
    rules = ["default-src 'none'", "style-src 'unsafe-inline'"]
    if scripts:
        hashes = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
        rules += ["script-src " + " ".join(f"'sha256-{h}'" for h in hashes), "img-src data: blob:"]
    return "; ".join(rules)
