"""Spans of OpenInference (Phoenix), of OpenTelemetry's GenAI conventions, OTLP as JSON, and tables
of Phoenix's evaluations."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._traces import COLUMNS, open_spans, traces

OPENINFERENCE = Format(
    name="openinference",
    title="OpenInference spans",
    files="one span a record, flat or nested, as .jsonl, .json, .csv or .parquet: also those of "
    "Phoenix's get_spans_dataframe",
    keys=(
        keys("attributes.input.value"),
        keys("attributes.output.value"),
        keys("input.value", "output.value"),
        keys("attributes.openinference.span.kind"),
    ),
    columns=COLUMNS,
    step=traces(open_spans),
    versions="arize-phoenix 20.26.1, arize-phoenix-client 3.5.0",
    source="`openinference.semconv.trace`; around the attributes, `Span` of Phoenix's client",
    returns="span annotations of people, by `import`; verdicts as span annotations, by `export "
    "--format phoenix`",
)

OPENTELEMETRY = Format(
    name="opentelemetry",
    title="OpenTelemetry traces (OTLP as JSON, GenAI spans)",
    files="OTLP as JSON (resourceSpans), a document or one a line, as the file exporter of a "
    "collector writes it; or one span a record with gen_ai.* attributes, as .jsonl, .json, .csv "
    "or .parquet",
    keys=(
        keys("resourceSpans"),
        keys("attributes.gen_ai.operation.name"),
        keys("gen_ai.operation.name"),
        keys("attributes.gen_ai.completion.0.content"),
    ),
    columns=COLUMNS,
    step=traces(open_spans),
    versions="opentelemetry-sdk 1.45.2, opentelemetry-proto 1.45.2, "
    "openinference-semantic-conventions 0.1.42; the GenAI conventions 1.37: "
    "shape from the documentation",
    source="`gen_ai.operation.name`, `gen_ai.input.messages`, `gen_ai.output.messages`, "
    "`gen_ai.retrieval.query.text` and `gen_ai.retrieval.documents` of the GenAI conventions; "
    "OpenInference attributes within OTLP",
)

EVALUATIONS = Format(
    name="phoenix_evals",
    title="Phoenix evaluations",
    files="the table of a hallucination evaluation (llm_classify, run_evals): input, reference and "
    "output with label and explanation, as .csv, .jsonl or .parquet; its score, of which 1 means "
    "hallucinated, is not read; and the table of get_qa_with_reference",
    keys=(
        keys("input", "output", "reference", "label", "score"),
        keys("input", "output", "reference", "label", "explanation"),
        keys("context.span_id", "input", "output", "reference"),
    ),
    columns=(
        column("query", "input"),
        column("context", "reference"),
        column("answer", "output"),
        column("label", "label"),
        column("id", "context.span_id"),
    ),
    versions="shape from the documentation (arize-phoenix-evals 2)",
    source="`HALLUCINATION_PROMPT_TEMPLATE` and the columns of `llm_classify`",
)
