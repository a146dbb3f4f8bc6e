"""The built-in examples: a query, an answer and a short context each. Their texts stand in
``examples.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """``name`` is what the button says; ``about`` says in a sentence what to expect."""

    name: str
    about: str
    query: str
    answer: str
    context: tuple[str, ...]


_TEXTS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
EXAMPLES = SUPPORTED, CONTRADICTED, UNSUPPORTED = tuple(
    Example(**{**each, "context": tuple(each["context"])}) for each in _TEXTS.values()
)
