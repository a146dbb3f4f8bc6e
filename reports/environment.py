"""The templates of HTML files, and of the pieces that pages draw too. Every text is escaped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parent / "templates"
ENVIRONMENT = Environment(
    loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
)


def piece(name: str, /, **values: Any) -> str:
    """HTML by the macro of that name in ``pieces.html``."""
    return str(getattr(ENVIRONMENT.get_template("pieces.html").module, name)(**values))
