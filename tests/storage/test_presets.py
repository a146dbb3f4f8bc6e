"""Presets: kept with their evidence, one default at most, and refused with reasons."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from sqlalchemy import text

from provenance_core import Aggregation, InputError, Parameters
from storage import PresetEvidence, PresetFigure, PresetNotFound, PresetStore, StorageError
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


# Files


def changed_file(presets: PresetStore, **changes: object) -> str:
    """The file of a preset with other values at some places, as ``parameters__threshold``."""
    raw = json.loads(presets.export(presets.save("s", "embedded", PARAMETERS, EVIDENCE, "ann")))
    for place, value in changes.items():
        *path, last = place.split("__")
        inner = raw
        for key in path:
            inner = inner[key]
        inner[last] = value
    return json.dumps(raw)


def test_a_file_brings_the_same_preset_to_another_database(presets, tmp_path):
    kept = presets.get(presets.save("größe <b>", "embedded", PARAMETERS, EVIDENCE, "ann"))
    presets.set_default(kept.id)
    text = presets.export(kept.id)
    assert json.loads(text)["schema"] == "provenance-preset/1"
    other = PresetStore.open(f"sqlite:///{tmp_path / 'other.db'}")
    other.save("another", "embedded", PARAMETERS, EVIDENCE)
    found = other.import_text(text)
    assert (found.name, found.new) == ("größe <b>", True)
    assert other.get(found.id) == replace(kept, id=found.id, is_default=False)
    assert other.default() is None, "what a new session starts with is no matter of a file"
    assert other.export(found.id) == text


def test_the_same_preset_is_kept_once(presets):
    number = presets.save("s", "embedded", PARAMETERS, EVIDENCE, "ann")
    found = presets.import_text(presets.export(number))
    assert (found.id, found.name, found.new) == (number, "s", False)
    assert len(presets.listed().readable) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"parameters__threshold": 0.6}, r"another threshold \(0.473 here, 0.6 in the file\)"),
        ({"profile": "paper"}, r"another profile \(embedded here, paper in the file\)"),
        ({"evidence__n": 121}, "another evidence"),
    ],
)
def test_another_preset_of_the_name_is_never_overwritten(presets, changes, said):
    text = changed_file(presets, **changes)
    (kept,) = presets.listed().readable
    with pytest.raises(StorageError, match=rf"'s' already, with {said}.*under another name"):
        presets.import_text(text)
    assert presets.listed().readable == (kept,)
    found = presets.import_text(text, " s of the file ")
    assert (found.name, found.new) == ("s of the file", True)
    assert [each.name for each in presets.listed().readable] == ["s", "s of the file"]


def test_a_preset_that_cannot_be_read_is_not_overwritten_either(presets, url):
    text_of_file = changed_file(presets)
    with get_engine(url).begin() as connection:
        connection.execute(text("UPDATE presets SET parameters = '{}'"))
    with pytest.raises(StorageError, match="'s' cannot be read"):
        presets.import_text(text_of_file)
    assert presets.import_text(text_of_file, "t").new


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": "provenance-fitted-profile/1"}, "field schema must be 'provenance-preset/1'"),
        ({"parameters__threshold": "0.5"}, r"parameters\.threshold: float expected"),
        ({"parameters__threshold": 1.5}, r"parameters: .*threshold must be in \[0, 1\]"),
        ({"parameters__top_k": 21}, r"parameters\.top_k: 21 is not from 1 to 20"),
        ({"parameters__detektor": "summac"}, r"unknown field, parameters\.detektor"),
        ({"parameters__detector": "guess"}, r"parameters\.detector: There is no detector 'guess'"),
        ({"profile": "nowhere"}, "profile: .*no profile 'nowhere'"),
        ({"created_at": "yesterday"}, "created_at: 'yesterday' is not a time"),
        ({"evidence": None}, "evidence: an object was expected"),
        ({"evidence__n": 0}, r"evidence\.n: 0 is not 1 or more"),
        ({"evidence__base_rate": 1.2}, r"evidence\.base_rate: 1\.2 is not in"),
        ({"evidence__url": "Embed=true"}, r"evidence\.url: Embed is no filter"),
        ({"evidence__figures": [{"name": "F1"}]}, r"evidence\.figures.*'value' is missing"),
        ({"evidence__filter": "\ud800"}, "half of a character"),
        ({"evidence__base_rate": float("nan")}, r"evidence\.base_rate: nan"),
        ({"is_default": True}, "unknown field, is_default"),
    ],
)
def test_a_file_that_cannot_be_used_names_the_field(presets, changes, said):
    text = changed_file(presets, **changes)
    with pytest.raises(InputError, match=said):
        presets.import_text(text, "new")
    assert len(presets.listed().readable) == 1


def test_a_figure_that_is_no_number_and_a_missing_field_are_named(presets):
    raw = json.loads(changed_file(presets))
    raw["evidence"]["figures"][0]["surprise"] = 1
    with pytest.raises(InputError, match=r"unknown field, evidence\.figures\[0\]\.surprise"):
        presets.import_text(json.dumps(raw), "new")
    del raw["evidence"]["figures"][0]["surprise"]
    raw["evidence"]["figures"][0]["low"] = float("-inf")
    with pytest.raises(InputError, match="infinite"):
        presets.import_text(json.dumps(raw), "new")
    del raw["profile"]
    with pytest.raises(InputError, match="the field 'profile' is missing"):
        presets.import_text(json.dumps(raw), "new")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{\n nothing", "line 2, column 2: a key must stand here"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "field schema must be"),
    ],
)
def test_text_that_is_no_preset_names_the_place(presets, given, said):
    with pytest.raises(InputError, match=said):
        presets.import_text(given)


def test_a_preset_is_found_by_its_name(presets):
    number = presets.save("a", "embedded", PARAMETERS, EVIDENCE)
    assert presets.named("a").id == number
    with pytest.raises(PresetNotFound, match=r"no preset 'b'\. There are: 'a'"):
        presets.named("b")
