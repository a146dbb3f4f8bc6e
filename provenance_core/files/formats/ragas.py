"""ragas: data sets of samples and results, of every version."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

FORMAT = Format(
    name="ragas",
    title="ragas",
    files="a data set or the results of single-turn samples, as .jsonl, .json, .csv or .parquet",
    keys=(
        keys("user_input", "retrieved_contexts", "response"),
        keys("question", "contexts", "answer"),
    ),
    columns=(
        column("query", "user_input", "question"),
        column("context", "retrieved_contexts", "contexts"),
        column("answer", "response", "answer"),
    ),
    versions="ragas 0.4.3; 0.1 to 0.3: shape from the documentation",
    source="the fields of `SingleTurnSample`, and the older names of `REQUIRED_COLS_v1` "
    "(ragas 0.4.3)",
)
