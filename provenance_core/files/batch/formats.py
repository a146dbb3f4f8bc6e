"""Every format that a batch file can have: by which keys it is recognised and how it is read.

Those of :mod:`provenance_core.files.formats.registry` with labels left optional, and those of
other programs. Each of these says where its keys come from. Those of LettuceDetect's samples and of
open-rag-eval were compared with their source; tests write files with the classes of ragas, DeepEval
and Phoenix themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from provenance_core.errors import InputError
from provenance_core.files.batch.passage_rows import read_passages
from provenance_core.files.batch.trace_rows import read_traces
from provenance_core.files.batch.types import BatchOptions, FieldMapping
from provenance_core.files.formats import _ragtruth
from provenance_core.files.formats._format import DatasetFormat, Reader, keys
from provenance_core.files.formats.registry import FORMATS

ReaderWith: TypeAlias = Callable[[BatchOptions], Reader]


@dataclass(frozen=True, slots=True)
class Variant:
    """A set of keys that a record of a format has, and where the fields of its row are; None
    where the format's reader says so."""

    keys: frozenset[str]
    mapping: FieldMapping | None = None


@dataclass(frozen=True, slots=True)
class BatchFormat:
    """A format of batch files.

    ``files`` says in words which files these are. ``reader`` is None where one record is one row,
    read by the mapping of its variant. ``optional``: keys that a record may lack. ``task``: of
    every row. ``spans_key``: where the hallucinated spans of the answer are. ``parted``: what
    stands between the context items where they are written as one text, "" where that is one
    item. ``source``: where the keys come from. ``owner``: the data set of which these are the
    files.
    """

    name: str
    title: str
    files: str
    variants: tuple[Variant, ...]
    reader: ReaderWith | None = None
    optional: frozenset[str] = frozenset()
    task: str = ""
    spans_key: str = ""
    parted: str = ""
    source: str = ""
    owner: DatasetFormat | None = None

    def variant(self, path: Path, held: Set[str]) -> Variant | None:
        """Choose the variant that a file is taken for.

        None where it is not of this format.
        """
        if self.owner is not None and not self.owner.named_so(path):
            return None
        return self.fitting(held)

    def fitting(self, held: Set[str]) -> Variant | None:
        """Choose the first variant that a record can be one of.

        None where it has not the keys of any.
        """
        return next((v for v in self.variants if held >= v.keys), None)


def _of_owner(known: DatasetFormat) -> BatchFormat:
    extra = _MORE_KEYS.get(known.name, ())
    return BatchFormat(
        known.name,
        known.title,
        known.files,
        tuple(Variant(wanted, known.mapping) for wanted in (*known.key_sets, *extra)),
        reader=None if known.mapping else _reader_of(known),
        optional=keys(known.mapping.label) if known.mapping else _OPTIONAL.get(known.name, keys()),
        task=known.task,
        spans_key="spans" if known.name == "rows" else "",
        owner=known,
    )


def _reader_of(known: DatasetFormat) -> ReaderWith:
    if known.name == _ragtruth.FORMAT.name:
        return lambda options: _ragtruth.reader(
            implicit_true=options.implicit_true, due_to_null=options.due_to_null
        )
    return lambda _options: known.read


_MORE_KEYS = {"llm_aggrefact": (keys("doc", "claim", "label"),)}
_OPTIONAL = {"ragtruth": keys("labels")}


def _lettucedetect(context: str) -> Variant:
    return Variant(
        keys(context, "answer", "labels"),
        FieldMapping(
            query="question",
            context=context,
            answer="answer",
            label="labels",
            subset="split",
            task="task_type",
        ),
    )


_OTHERS = (
    BatchFormat(
        "lettucedetect",
        "LettuceDetect",
        "the samples that it trains on, as .json or .jsonl, or question, contexts and answer with "
        "labels; a prompt without a context of its own is the context, with the instruction in it",
        tuple(map(_lettucedetect, ("context", "contexts", "prompt"))),
    ),
    BatchFormat(
        "ragas",
        "ragas",
        "a data set of single-turn samples, as .jsonl, .json or .csv",
        (
            Variant(
                keys("user_input", "retrieved_contexts", "response"),
                FieldMapping(query="user_input", context="retrieved_contexts", answer="response"),
            ),
            Variant(
                keys("question", "contexts", "answer"),
                FieldMapping(query="question", context="contexts", answer="answer"),
            ),
        ),
        source="the fields of `SingleTurnSample`, and the older names of `REQUIRED_COLS_v1` "
        "(ragas 0.4.3)",
    ),
    BatchFormat(
        "deepeval",
        "DeepEval",
        "test cases or goldens with a retrieval context, as EvaluationDataset.save_as writes them "
        "(.json, .jsonl or .csv), or the test cases of a saved test run (.json); | parts the items "
        "of a retrieval context that is one text",
        (
            Variant(
                keys("input", "actual_output", "retrieval_context"),
                FieldMapping(query="input", context="retrieval_context", answer="actual_output"),
            ),
            Variant(
                keys("input", "actualOutput", "retrievalContext"),
                FieldMapping(query="input", context="retrievalContext", answer="actualOutput"),
            ),
        ),
        parted="|",
        source="the fields of `LLMTestCase` and their aliases, and `EvaluationDataset.save_as` "
        "(DeepEval 4.3.1)",
    ),
    BatchFormat(
        "open_rag_eval",
        "open-rag-eval",
        "its .csv file of generated answers, one passage a row",
        (
            Variant(keys("query_id", "query", "passage", "generated_answer")),
            Variant(keys("query", "passage_id", "passage", "generated_answer")),
        ),
        reader=lambda _options: read_passages,
    ),
    BatchFormat(
        "openinference",
        "OpenInference spans",
        "one span a record, flat or nested, as .jsonl, .json, .csv or .parquet",
        (
            Variant(keys("attributes.input.value")),
            Variant(keys("attributes.output.value")),
            Variant(keys("input.value", "output.value")),
        ),
        reader=lambda _options: read_traces,
        source="`openinference.semconv.trace` (openinference-semantic-conventions 0.1.42); around "
        "the attributes, `Span` of Phoenix's client (arize-phoenix-client 3.5.0)",
    ),
)

COLUMNS = BatchFormat(
    "columns",
    "Columns of any names",
    "any .jsonl, .json, .csv, .tsv, .parquet or .xlsx file with one answer a record",
    (Variant(frozenset(), FieldMapping()),),
)

# In this order they are tried.
BATCH_FORMATS: dict[str, BatchFormat] = {
    known.name: known for known in (*map(_of_owner, FORMATS.values()), *_OTHERS, COLUMNS)
}


def named_batch_format(name: str) -> BatchFormat:
    """Find a format by its name.

    The format. Raises InputError There is none; the message has all names.
    """
    if name not in BATCH_FORMATS:
        raise InputError(
            f"no format of batch files is called {name!r}; the formats: {', '.join(BATCH_FORMATS)}"
        )
    return BATCH_FORMATS[name]


def recognise(path: Path, records: Iterable[Set[str]]) -> tuple[BatchFormat, Variant]:
    """Recognise the format of a file.

    Keys that a format can lack are taken as given only when no format fits without.

    The format and its variant.
    """
    held = list(records)
    for lacking in (False, True):
        for known in BATCH_FORMATS.values():
            if known is COLUMNS:
                continue
            for found in held:
                variant = known.variant(path, found | known.optional if lacking else found)
                if variant is not None:
                    return known, variant
    return COLUMNS, COLUMNS.variants[0]
