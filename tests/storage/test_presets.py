"""Presets: kept with their evidence, one default at most, and refused with reasons."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import text

from provenance_core import Aggregation, Parameters
from storage import (
    PresetEvidence,
    PresetFigure,
    PresetNotFound,
    PresetStore,
    StorageError,
)
from storage.engine import get_engine

EVIDENCE = PresetEvidence(
    filter="runs: first",
    url="runs=first&chosen_threshold=0.473",
    labels_from="data set",
    n=120,
    base_rate=0.4,
    objective="F1",
    figures=(
        PresetFigure("F1", 0.71, 0.64, 0.78),
        PresetFigure("precision", None, None, None, "No answer is called hallucinated."),
    ),
)
PARAMETERS = Parameters(threshold=0.473, aggregation=Aggregation.MIN, top_p=0.75)


@pytest.fixture
def presets(url) -> PresetStore:
    return PresetStore.open(url)


def test_a_preset_comes_back_as_it_was_saved(presets):
    number = presets.save("  summaries ", "embedded", PARAMETERS, EVIDENCE, "ann")
    found = presets.get(number)
    assert (found.name, found.created_by, found.profile) == ("summaries", "ann", "embedded")
    assert found.parameters == PARAMETERS
    assert found.evidence == EVIDENCE
    assert found.created_at.endswith("+00:00")
    assert not found.is_default
    assert presets.listed().readable == (found,)


def test_presets_are_listed_by_name(presets):
    for name in ("b", "a", "c"):
        presets.save(name, "embedded", PARAMETERS, EVIDENCE)
    assert [p.name for p in presets.listed().readable] == ["a", "b", "c"]


def test_one_default_at_most(presets):
    first, second = (presets.save(n, "embedded", PARAMETERS, EVIDENCE) for n in "ab")
    assert presets.default() is None
    presets.set_default(first)
    presets.set_default(first)
    assert presets.default().id == first
    presets.set_default(second)
    assert [p.is_default for p in presets.listed().readable] == [False, True]
    with pytest.raises(PresetNotFound):
        presets.set_default(99)
    assert presets.default().id == second, "a refusal changes nothing"
    presets.clear_default()
    assert presets.default() is None


def test_deleting_the_default_leaves_none(presets):
    number = presets.save("a", "embedded", PARAMETERS, EVIDENCE)
    presets.set_default(number)
    presets.delete(number)
    assert presets.default() is None and presets.listed().readable == ()
    for refused in (presets.get, presets.delete):
        with pytest.raises(PresetNotFound, match=f"no preset {number}"):
            refused(number)


@pytest.mark.parametrize(
    ("name", "by", "message"),
    [
        ("  ", "", "has no name"),
        ("x" * 201, "", "201 characters; the most is 200"),
        ("x", "y" * 81, "81 characters; the most is 80"),
        ("taken", "", "already"),
    ],
)
def test_a_preset_that_cannot_be_saved_says_why(presets, name, by, message):
    presets.save("taken", "embedded", PARAMETERS, EVIDENCE)
    with pytest.raises(StorageError, match=message):
        presets.save(name, "embedded", PARAMETERS, EVIDENCE, by)
    assert len(presets.listed().readable) == 1


def test_a_preset_of_another_version_is_named_and_hides_no_other(presets, url):
    number = presets.save("old", "embedded", PARAMETERS, EVIDENCE)
    presets.save("new", "embedded", PARAMETERS, EVIDENCE)
    with get_engine(url).begin() as connection:
        connection.execute(text("UPDATE presets SET parameters = '{}' WHERE name = 'old'"))
    why = r"'old' cannot be read.*field 'selection' is missing"
    with pytest.raises(StorageError, match=why):
        presets.get(number)
    listed = presets.listed()
    assert [preset.name for preset in listed.readable] == ["new"]
    (unreadable,) = listed.unreadable
    assert (unreadable.id, unreadable.name) == (number, "old")
    assert re.search(why, unreadable.problem)
    presets.delete(number)
    assert presets.listed().unreadable == ()
