"""The terms of the pages, each explained once: for tooltips, page and documents. The texts stand in
``glossary.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from provenance_core.parameters import PARAMETERS


@dataclass(frozen=True, slots=True)
class Term:
    """A term and what it means, in sentences. ``topic``: what it is listed under."""

    name: str
    meaning: str
    topic: str


_TEXTS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
TOPICS = tuple(_TEXTS)
# Every term by its name.
GLOSSARY: Mapping[str, Term] = MappingProxyType(
    {
        name: Term(name, meaning or PARAMETERS[name].help, topic)
        for topic, meanings in _TEXTS.items()
        for name, meaning in meanings.items()
    }
)


def tooltip(name: str) -> str:
    """What a term means, in one or two sentences. Raises KeyError where the glossary has no such
    term."""
    return GLOSSARY[name].meaning


def terms_of(topic: str) -> tuple[Term, ...]:
    """List the terms of a topic by the alphabet."""
    found = (term for term in GLOSSARY.values() if term.topic == topic)
    return tuple(sorted(found, key=lambda term: term.name.casefold()))
