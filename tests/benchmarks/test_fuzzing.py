"""Rounds of generated inputs: they go on where they ended, and a failure is tried again."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from benchmarks.reliability.fuzzing import ROUND, Tried, read_counted, try_rounds
from tests.fuzz.property import Property

SEEN: list[int] = []
BROKEN: set[int] = set()


def check(number: int) -> None:
    SEEN.append(number)
    assert number not in BROKEN


PROPERTIES = tuple(
    Property(name, check, {"number": st.integers(0, 10**6)}, ROUND // 100) for name in ("a", "b")
)


def test_a_command_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    said: list[Tried] = []
    first = try_rounds(30, None, said.append, tmp_path, PROPERTIES)
    assert [(each.round, each.property, each.inputs) for each in said] == [
        (1, "a", 20),
        (1, "b", 20),
    ]
    tried = list(SEEN)
    second = try_rounds(60, None, said.append, tmp_path, PROPERTIES)
    assert [(each.round, each.property) for each in said[2:]] == [(2, "a")]
    assert (first.inputs, second.inputs) == (40, 60)
    assert SEEN[40:] != tried[:20], "another round tries other inputs"
    assert (
        try_rounds(60, None, said.append, tmp_path, PROPERTIES) == second == read_counted(tmp_path)
    )
    assert second.holds
    assert not try_rounds(90, 0, said.append, tmp_path / "none", PROPERTIES).holds


def test_a_failure_is_kept_until_it_is_mended(tmp_path: Path) -> None:
    try_rounds(20, None, lambda _: None, tmp_path, PROPERTIES)
    BROKEN.add(SEEN[-1])
    (tmp_path / "rounds.jsonl").unlink()
    said: list[Tried] = []
    found = try_rounds(20, None, said.append, tmp_path, PROPERTIES)
    assert not found.holds
    assert f"'number': {SEEN[-1]}" in found.failed[0].failure
    assert ("rounds that failed", "1") in found.figures()
    BROKEN.clear()
    found = try_rounds(20, None, said.append, tmp_path, PROPERTIES)
    assert [(each.round, each.property) for each in said] == [(1, "a"), (1, "a")]
    assert found.holds
    assert ("rounds that failed once, fixed since", "1") in found.figures()
