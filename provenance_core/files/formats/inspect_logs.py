"""Inspect: the samples of a log, with their sources in the metadata."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._values import correct_score, last_question
from provenance_core.files.traces import ANSWER_KEYS, text_under


def _said(value: object) -> object:
    """The text of an output, or of its first choice."""
    return text_under(value[:1], ANSWER_KEYS) if isinstance(value, list) else value


_SOURCES = ("sources", "context", "contexts", "documents", "retrieved_contexts", "passages")

FORMAT = Format(
    name="inspect",
    title="Inspect logs",
    files="a log as .eval or .json: the sources that an answer was made from stand in the sample's "
    f"metadata under {', '.join(_SOURCES)}; the first score is kept to compare with",
    keys=(keys("samples", "eval"), keys("input", "output", "target", "epoch")),
    columns=(
        column("query", "input", value=last_question),
        column("context", *(f"metadata.{name}" for name in _SOURCES)),
        column("answer", "output.completion", "output.choices", value=_said),
        column("id", "id"),
        column("source_model", "output.model"),
        column("passed", "scores", value=correct_score),
    ),
    inside=("samples",),
    versions="inspect_ai 0.3.285 (log format 2)",
    source="`inspect_ai.log.EvalSample`",
)
