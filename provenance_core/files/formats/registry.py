"""Every known format of files: of labelled data sets, and of other tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats import (
    azure,
    bedrock,
    cohere,
    conversations,
    deepeval,
    fact_checking,
    faithbench,
    halueval,
    haystack,
    hotpotqa,
    inspect_logs,
    langchain,
    langfuse,
    langsmith,
    lettucedetect,
    llamaindex,
    model_apis,
    msmarco,
    open_rag_eval,
    openinference,
    own_rows,
    promptfoo,
    ragas,
    ragbench,
    ragtruth,
    true,
    trulens,
    truthfulqa,
)
from provenance_core.files.formats._format import Format, keys
from provenance_core.files.types import Counts, LabelledRow

__all__ = [
    "BATCH_FORMATS",
    "COLUMNS",
    "FORMATS",
    "MESSAGES",
    "OWN_ROWS",
    "UNREAD",
    "Format",
    "count_warnings",
    "format_list",
    "named_batch_format",
    "named_format",
    "recognise",
]

OWN_ROWS = own_rows.FORMAT
MESSAGES = conversations.MESSAGES
COLUMNS = Format(
    name="columns",
    title="Columns of any names",
    files="any .jsonl, .json, .csv, .tsv, .parquet or .xlsx file with one answer a record; a "
    "table of text, also of Markdown, may be a .txt or .md file",
    keys=(frozenset(),),
)
# They are tried in this order: a format known by its file name comes before one with its keys.
_ALL = (
    OWN_ROWS,
    ragtruth.FORMAT,
    halueval.QA,
    halueval.DIALOGUE,
    halueval.SUMMARIZATION,
    halueval.GENERAL,
    *true.FORMATS,
    fact_checking.HALUBENCH,
    truthfulqa.FORMAT,
    hotpotqa.FORMAT,
    msmarco.FORMAT,
    fact_checking.SUMMAC,
    fact_checking.AGGREFACT,
    inspect_logs.FORMAT,
    faithbench.FORMAT,
    ragbench.FORMAT,
    lettucedetect.SAMPLES,
    lettucedetect.PREDICTIONS,
    ragas.FORMAT,
    deepeval.FORMAT,
    promptfoo.RESULTS,
    promptfoo.TABLE,
    openinference.OPENINFERENCE,
    openinference.OPENTELEMETRY,
    openinference.EVALUATIONS,
    langfuse.FORMAT,
    langsmith.FORMAT,
    langchain.FORMAT,
    trulens.RECORDS,
    trulens.EVENTS,
    llamaindex.FORMAT,
    azure.FORMAT,
    bedrock.FORMAT,
    cohere.FORMAT,
    haystack.FORMAT,
    open_rag_eval.FORMAT,
    model_apis.RESPONSES,
    model_apis.GEMINI,
    conversations.FORMAT,
    conversations.MESSAGES,
)
FORMATS: dict[str, Format] = {known.name: known for known in _ALL if known.label_rule}
BATCH_FORMATS: dict[str, Format] = {known.name: known for known in (*_ALL, COLUMNS)}


@dataclass(frozen=True, slots=True)
class Unread:
    """A file of another tool that holds no answers to audit: its keys, and what to do."""

    keys: frozenset[str]
    advice: str


_WRITTEN = "write query, context and answer of each as one record"
# What is known and not read: one sentence that names it, and the way on.
UNREAD = (
    Unread(
        keys("data", "annotations"),
        "this is an export of Label Studio; `import` takes its annotations in, the Batch page and "
        "`batch` read the file that was labelled",
    ),
    Unread(
        keys("annotation_id", "annotator"),
        "this is an export of Label Studio; `import` takes its annotations in",
    ),
    Unread(
        keys("annotator_kind"),
        "these are span annotations of Phoenix; `import` takes them in, and the spans that they "
        "are of (get_spans_dataframe) can be audited",
    ),
    Unread(
        keys("dataType", "value", "name"),
        "these are scores of Langfuse; `import` takes them in, and the observations that they are "
        "of can be audited",
    ),
    Unread(
        keys("context.span_id", "document_position"),
        "these are the documents that Phoenix retrieved, without answers; give the table of "
        "get_qa_with_reference, or the spans (get_spans_dataframe)",
    ),
    Unread(
        keys("user_input", "reference_contexts", "reference", "synthesizer_name"),
        "this is a test set of ragas, without answers of your system; run your system over it, and "
        "give user_input, retrieved_contexts and response",
    ),
    Unread(
        keys("input", "expectedOutput", "sourceTraceId"),
        "these are items of a data set of Langfuse, without answers of your system; export the "
        "observations of a run over them",
    ),
    Unread(keys("resourceMetrics"), "this is OTLP with metrics; export the traces (resourceSpans)"),
    Unread(keys("resourceLogs"), "this is OTLP with logs; export the traces (resourceSpans)"),
    Unread(
        keys("traceID", "spans", "processes"),
        "this is a trace as Jaeger shows it; export it as OTLP JSON (resourceSpans)",
    ),
    Unread(
        keys("mapping", "create_time", "current_node"),
        "this is ChatGPT's own export, which keeps no retrieved passages; write query, context and "
        "answer of each turn as one record",
    ),
    Unread(
        keys("custom_id", "response.body.choices"),
        "this is the output of OpenAI's Batch API, which holds answers without their questions and "
        f"passages; join it with its input by custom_id, and {_WRITTEN}",
    ),
    Unread(
        keys("custom_id", "error.code"),
        "these are errors of OpenAI's Batch API, without answers; join its output with its input "
        f"by custom_id, and {_WRITTEN}",
    ),
    Unread(
        keys("custom_id", "method", "url"),
        "these are the requests of OpenAI's Batch API, without answers; join them with its output "
        f"by custom_id, and {_WRITTEN}",
    ),
    Unread(
        keys("choices", "created", "model"),
        "these are responses of OpenAI's chat completions, which hold answers without their "
        f"questions and passages; {_WRITTEN}",
    ),
    Unread(
        keys("info", "data"),
        "this may be an MLflow trace; export its spans as OTLP JSON (resourceSpans)",
    ),
    Unread(
        keys("providers", "prompts", "tests"),
        "this is a configuration of promptfoo; give the results of `promptfoo eval -o "
        "results.json`",
    ),
)


def recognise(path: Path, records: Iterable[Set[str]], *, mapped: bool = False) -> Format:
    """The format of a file by the keys of its first records; keys that a format can lack are taken
    as given only when no format fits without. Raises InputError where it is known and not read,
    but for a person who chose its keys (``mapped``)."""
    held = list(records)
    for lacking in (False, True):
        for known in BATCH_FORMATS.values():
            if known is COLUMNS or not known.named_so(path):
                continue
            if any(known.fits(found, lacking=lacking) for found in held):
                return known
    for unread in () if mapped else UNREAD:
        if any(found >= unread.keys for found in held):
            raise InputError(f"{path}: {unread.advice}")
    return COLUMNS


def named_format(name: str) -> Format:
    """The labelled data set of that name; InputError with all names where there is none."""
    if name not in FORMATS:
        raise InputError(f"no data set format is called {name!r}; the formats: {format_list()}")
    return FORMATS[name]


def named_batch_format(name: str) -> Format:
    """The format of that name; InputError with all names where there is none."""
    if name not in BATCH_FORMATS:
        raise InputError(
            f"no format of batch files is called {name!r}; the formats: {', '.join(BATCH_FORMATS)}"
        )
    return BATCH_FORMATS[name]


def format_list() -> str:
    """All labelled data sets with the keys that their records have, for a message."""
    named: dict[tuple[frozenset[str], ...], list[str]] = {}
    for known in FORMATS.values():
        named.setdefault(known.keys, []).append(known.name)
    return "; ".join(
        f"{', '.join(names)} ({' or '.join(', '.join(sorted(keys)) for keys in key_sets)})"
        for key_sets, names in named.items()
    )


def count_warnings(read_as: Format, dataset: str, rows: Sequence[LabelledRow]) -> list[str]:
    """A sentence for each count of rows that differs from the published one. Our own rows are held
    against the data set of their name, as far as it is one file."""
    known = read_as
    published = read_as.published
    if read_as is OWN_ROWS:
        known = FORMATS.get(dataset, OWN_ROWS)
        published = tuple(entry for entry in known.published if len(known.published) == 1)
    said: list[str] = []
    for subset, expected in published:
        part = [row.label for row in rows if not subset or row.subset == subset]
        found = Counts(hallucinated=part.count(0), supported=part.count(1))
        if found != expected:
            said.append(
                f"{f'{known.title}, {subset}' if subset else known.title}: {expected.supported} "
                f"supported and {expected.hallucinated} hallucinated rows are published, this file "
                f"has {found.supported} and {found.hallucinated}: it may be another version or cut"
            )
    return said
