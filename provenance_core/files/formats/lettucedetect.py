"""LettuceDetect: the samples that it trains on, and answers with the spans that it predicts."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

_COLUMNS = (
    column("query", "question"),
    column("context", "context", "contexts", "prompt"),
    column("answer", "answer"),
    column("subset", "split"),
    column("task", "task_type"),
)

SAMPLES = Format(
    name="lettucedetect",
    title="LettuceDetect",
    files="the samples that it trains on, as .json or .jsonl, or question, contexts and answer "
    "with labels; a prompt without a context of its own is the context, with the instruction in it",
    keys=tuple(keys(context, "answer", "labels") for context in ("context", "contexts", "prompt")),
    columns=(*_COLUMNS, column("label", "labels")),
    versions="shape from the documentation (LettuceDetect 0.1.8)",
    source="`HallucinationSample`",
)

PREDICTIONS = Format(
    name="lettucedetect_predictions",
    title="LettuceDetect predictions",
    files="answers with the spans of `predict(..., output_format='spans')` under predictions; no "
    "span means that it found nothing",
    keys=tuple(
        keys(context, "answer", "predictions") for context in ("context", "contexts", "prompt")
    ),
    columns=(*_COLUMNS, column("passed", "predictions", value=lambda found: int(not found))),
    versions="shape from the documentation (LettuceDetect 0.1.8)",
    source="the spans of `HallucinationDetector.predict`",
)
