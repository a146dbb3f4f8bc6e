"""Traces after the OpenInference and GenAI conventions: the spans that answer, and from what."""

from provenance_core.files.traces.answers import answers_of
from provenance_core.files.traces.attributes import (
    ANSWER_KEYS,
    QUESTION_KEYS,
    read_span,
    text_under,
)
from provenance_core.files.traces.types import TracedAnswer, TraceSpan

__all__ = [
    "ANSWER_KEYS",
    "QUESTION_KEYS",
    "TraceSpan",
    "TracedAnswer",
    "answers_of",
    "read_span",
    "text_under",
]
