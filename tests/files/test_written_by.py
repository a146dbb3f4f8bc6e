"""Files that the real libraries wrote (``written_by/write.py``): each gives its two rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provenance_core.files.batch import read_batch_file
from provenance_core.files.formats.registry import BATCH_FORMATS
from tests.files.written_by.write import ANSWERS, CONTEXT, QUERY

FOLDER = Path(__file__).parent / "written_by"
VERSIONS = json.loads((FOLDER / "versions.json").read_text(encoding="utf-8"))
FROM_THE_DOCUMENTATION = "shape from the documentation"
FILES = sorted(path.name for path in FOLDER.iterdir() if path.name.split(".")[0] in VERSIONS)
# They say themselves what passed; one provider of promptfoo fails.
JUDGING = ("promptfoo.json", "promptfoo.jsonl", "promptfoo_table.csv", "azure.json")
ONE_TEXT = (*JUDGING, "conversations.ragas.jsonl")
# DeepEval joins the items with | and escapes none, so that the first is in doubt.
DOUBTFUL = ("deepeval.csv", "deepeval.jsonl")


@pytest.mark.parametrize("name", FILES)
def test_each_file_of_a_library_gives_its_rows(name: str) -> None:
    file = read_batch_file(FOLDER / name)
    assert file.format == name.partition(".")[0]
    failed = [each.reason for each in file.rejected]
    assert len(failed) == name.startswith("promptfoo") and all(
        "the provider failed" in f for f in failed
    )
    # Some write them in the order in which they were ready.
    found = sorted((row.query, row.answer) for row in file.rows)
    assert found == [(QUERY, each) for each in ANSWERS]
    assert {row.label for row in file.rows} == {None}
    if file.format == "openinference":
        assert {row.source_model for row in file.rows} == {"a-model"}
    for row in file.rows:
        if name in JUDGING:
            assert row.passed == (row.answer == ANSWERS[0])
        if name in ONE_TEXT:
            assert "\n".join(row.context) == "\n".join(CONTEXT)
        elif name in DOUBTFUL:
            assert "|".join(row.context) == "|".join(CONTEXT)
        else:
            assert row.context == tuple(CONTEXT)


def test_every_library_has_its_files() -> None:
    assert {name.partition(".")[0] for name in FILES} == set(VERSIONS)


def test_the_table_of_formats_names_the_versions_that_wrote_a_file_and_no_other_as_tried() -> None:
    for each in BATCH_FORMATS.values():
        if each.name in VERSIONS:
            assert all(number in each.versions for number in VERSIONS[each.name].values())
        elif each.versions:
            assert each.versions.startswith(FROM_THE_DOCUMENTATION), each.name
