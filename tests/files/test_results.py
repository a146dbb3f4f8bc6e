"""Results as Parquet: whole or not there, each row once, of one origin."""

from __future__ import annotations

from dataclasses import replace

import fsspec
import pyarrow.parquet
import pytest

from provenance_core import InputError, Parameters
from provenance_core.files.results import (
    Origin,
    RowOutcome,
    failed_row,
    has_results,
    rejected_row,
    result_files,
    result_records,
    results_at,
    writing,
)
from provenance_core.files.types import BatchRow, RejectedRow

ORIGIN = Origin("rows.jsonl", "ab", "rows", (("answer", "a"),), "embedded", Parameters(), "1")


def row(number: int):
    return failed_row(number, BatchRow(number, "q", ("c",), "a", label=1, id=f"r{number}"), "why",
                      ORIGIN)  # fmt: skip


@pytest.fixture(params=["path", "memory"])
def place(request, tmp_path):
    """A folder of this machine, and one at an address."""
    if request.param == "path":
        yield str(tmp_path / "deep" / "results")
        return
    system = fsspec.filesystem("memory")
    yield "memory://deep/results"
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def rows_at(place: str) -> list[int]:
    system, path = fsspec.core.url_to_fs(place)
    found = []
    for part in sorted(system.find(path)):
        assert part.endswith(".parquet"), part
        with system.open(part, "rb") as file:
            found += pyarrow.parquet.read_table(file)["row"].to_pylist()
    return found


def test_a_folder_gets_whole_files_as_the_rows_come(place, monkeypatch):
    monkeypatch.setattr(writing, "_ROWS", 2)
    with results_at(place, ORIGIN) as results:
        for number in (3, 1, 2):
            results.add(row(number))
        assert rows_at(place) == [3, 1]
    assert rows_at(place) == [3, 1, 2]
    assert [each.rpartition("/")[2] for each in result_files(place)] == [
        "part-00000.parquet",
        "part-00001.parquet",
    ]


def test_what_the_tool_said_of_the_answer_stays(place):
    said = BatchRow(1, "q", ("c",), "a", passed=0)
    with results_at(place, ORIGIN) as results:
        results.add(failed_row(1, said, "why", ORIGIN))
    system, path = fsspec.core.url_to_fs(place)
    with system.open(system.find(path)[0], "rb") as file:
        kept = pyarrow.parquet.read_table(file)
    assert (kept["passed"].to_pylist(), kept["label"].to_pylist()) == ([0], [None])


def test_rows_do_not_wait_for_long(place, monkeypatch):
    monkeypatch.setattr(writing, "_SECONDS", 0.0)
    with results_at(place, ORIGIN) as results:
        results.add(row(1))
        assert rows_at(place) == [1]


def test_what_was_taken_before_an_error_is_kept_and_gone_on_with(place):
    with pytest.raises(KeyboardInterrupt), results_at(place, ORIGIN) as results:
        results.add(rejected_row(RejectedRow(9, "no answer", "{}"), ORIGIN))
        results.add(row(2))
        raise KeyboardInterrupt
    with (
        pytest.raises(InputError, match="holds results already; add --resume"),
        results_at(place, ORIGIN),
    ):
        pass
    with results_at(place, ORIGIN, resume=True) as results:
        assert results.begun and results.done == {2}
        assert results.counts == {RowOutcome.REJECTED: 1, RowOutcome.FAILED: 1}
        results.add(row(1))
    assert rows_at(place) == [None, 2, 1]


def test_a_folder_that_is_not_there_yet_can_be_gone_on_with(place):
    with results_at(place, ORIGIN, resume=True) as results:
        assert not results.begun and not results.done


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sha256": "cd"}, "differ in what the file holds"),
        ({"profile": "cascade"}, "differ in the profile"),
        ({"version": "2"}, "differ in the version of this program"),
        ({"parameters": Parameters(top_k=3)}, "differ in top_k"),
    ],
)
def test_results_of_another_origin_are_not_mixed(place, changed, said):
    with results_at(place, ORIGIN) as results:
        results.add(row(1))
    with (
        pytest.raises(InputError, match=said),
        results_at(place, replace(ORIGIN, **changed), resume=True),
    ):
        pass
    assert rows_at(place) == [1]


def test_a_second_writer_is_refused_before_it_doubles_a_row(place):
    with (
        pytest.raises(InputError, match="another process writes into this folder"),
        results_at(place, ORIGIN, resume=True) as first,
        results_at(place, ORIGIN, resume=True) as second,
    ):
        second.add(row(1))
        second.flush()
        first.add(row(1))
    assert rows_at(place) == [1]


def test_a_damaged_part_is_named_with_its_cure(place):
    system, path = fsspec.core.url_to_fs(place)
    system.makedirs(path)
    system.pipe_file(f"{path}/part-00000.parquet", b"PAR1 cut")
    with (
        pytest.raises(InputError, match=r"part-00000\.parquet: not a whole Parquet file"),
        results_at(place, ORIGIN, resume=True),
    ):
        pass


def test_another_programs_parquet_is_not_gone_on_with(place):
    system, path = fsspec.core.url_to_fs(place)
    system.makedirs(path)
    table = pyarrow.table({"row": [1], "outcome": ["failed"]})
    with system.open(f"{path}/part-00000.parquet", "wb") as file:
        pyarrow.parquet.write_table(table, file)
    with (
        pytest.raises(InputError, match="no results of this program"),
        results_at(place, ORIGIN, resume=True),
    ):
        pass


def test_one_file_is_there_at_the_end_or_not_at_all(place):
    one = f"{place}/all.parquet"
    with pytest.raises(KeyboardInterrupt), results_at(one, ORIGIN) as results:
        results.add(row(1))
        raise KeyboardInterrupt
    system, path = fsspec.core.url_to_fs(place)
    assert not system.find(path)
    with results_at(one, ORIGIN) as results:
        results.add(row(1))
    assert rows_at(place) == [1]
    with pytest.raises(InputError, match="is there already"), results_at(one, ORIGIN):
        pass
    with (
        pytest.raises(InputError, match="nothing to go on with"),
        results_at(one, ORIGIN, resume=True),
    ):
        pass


def test_the_columns_are_typed_and_read_back(tmp_path):
    one = tmp_path / "all.parquet"
    with results_at(str(one), ORIGIN) as results:
        results.add(rejected_row(RejectedRow(2, "no answer", '{"a": ""}'), ORIGIN))
        results.add(row(1))
    schema = pyarrow.parquet.read_schema(one)
    assert {str(schema.field(name).type) for name in ("row", "line")} == {"int64"}
    assert str(schema.field("label").type) == "int8"
    rejected, failed = result_records(one)
    assert (rejected["row"], rejected["line"], rejected["raw"]) == (None, 2, '{"a": ""}')
    assert (failed["id"], failed["label"], failed["reason"]) == ("r1", 1, "why")
    assert (failed["audit"], failed["score"], failed["models"]) == (None, None, [])
    assert has_results(one) and not has_results(tmp_path / "none.parquet")
