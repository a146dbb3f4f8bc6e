"""Every property with its kind of inputs, and its share of them."""

from __future__ import annotations

import functools

from hypothesis import strategies as st

from tests.fuzz import audits, files, texts
from tests.fuzz.generated import format_records, records, repeated_texts, values
from tests.fuzz.generated import texts as some_texts
from tests.fuzz.property import Property

_shares = st.floats(0, 1)
_cells = st.none() | st.booleans() | st.integers() | st.floats() | some_texts
_damage = st.sampled_from([b"", b"<", b">", b'"', b"&x;", b"<!--", b"\x00", b"9" * 40]) | st.binary(
    max_size=12
)
PROPERTIES = (
    Property(
        "sentences tile the text",
        texts.sentences_tile,
        {"text": some_texts | repeated_texts, "limit": st.integers(3, 40)},
        540,
    ),
    Property(
        "structured context",
        texts.structured_context,
        {"value": values, "text": some_texts},
        240,
    ),
    Property(
        "phrases of corrections",
        texts.phrases,
        {"text": some_texts | repeated_texts, "source": some_texts},
        240,
    ),
    Property(
        "uploaded records",
        files.uploaded_records,
        {"rows": st.lists(records, max_size=4), "which": st.integers(0, 2)},
        120,
    ),
    Property(
        "uploaded text of any bytes",
        files.uploaded_anything,
        {
            "kind": st.sampled_from(["txt", "md", "json", "jsonl", "csv"]),
            "data": st.binary(max_size=200) | some_texts,
        },
        120,
    ),
    Property(
        "uploaded PDF and Word",
        files.office_uploads,
        {
            "kind": st.sampled_from(["pdf", "docx"]),
            "paragraphs": st.lists(some_texts, max_size=3),
            "at": _shares,
            "change": _damage,
            "cut": st.integers(0, 40),
        },
        60,
    ),
    Property(
        "places of damage in JSON",
        files.damaged_places,
        {
            "rows": st.lists(records, min_size=1, max_size=3),
            "at": _shares,
            "change": st.sampled_from(list('{}[],:"\\x0')),
            "lines": st.booleans(),
        },
        100,
    ),
    Property(
        "batch and labelled files",
        files.batch_and_labelled_files,
        {"rows": st.lists(records, max_size=5), "which": st.integers(0, 2)},
        120,
    ),
    Property("files of the data sets", files.data_set_files, {"given": format_records()}, 100),
    Property(
        "batch files of any bytes",
        files.files_of_any_bytes,
        {
            "name": st.sampled_from(["a.jsonl", "a.json", "a.csv", "a.tsv", "a.json.gz"]),
            "data": st.binary(max_size=300),
            "packed": st.booleans(),
        },
        70,
    ),
    Property(
        "workbooks",
        files.workbooks,
        {
            "rows": st.lists(st.lists(_cells, max_size=5), max_size=4),
            "at": _shares,
            "change": _damage,
            "cut": st.integers(0, 40),
        },
        40,
    ),
    Property(
        "full exports",
        files.full_exports,
        {
            "place": st.lists(_shares, max_size=7),
            "value": values,
            "whole": st.booleans(),
            "at": _shares,
            "change": _damage,
        },
        40,
    ),
    *(
        Property(
            f"audit by {detector}",
            functools.partial(audits.audit_by, detector),
            {
                "answer": some_texts,
                "context": st.lists(some_texts, max_size=3),
                "query": some_texts,
            },
            210 // len(audits.LOCAL),
        )
        for detector in audits.LOCAL
    ),
)
