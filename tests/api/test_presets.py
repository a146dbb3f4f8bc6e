"""Presets and files of them."""

from __future__ import annotations

import pytest

from api.bodies import PRESET_FILE
from storage import PresetStore
from tests.storage.test_presets import EVIDENCE, PARAMETERS

ADDRESS = "/api/v1/presets"


@pytest.fixture
def presets(url) -> PresetStore:
    return PresetStore.open(url)


def test_a_preset_goes_from_one_server_to_another_as_a_file(client, presets):
    number = presets.save("desk", "embedded", PARAMETERS, EVIDENCE, "ann")
    file = client.get(f"{ADDRESS}/{number}/file").json()
    assert client.post(ADDRESS, json={"file": file}).status_code == 200, "it is here already"
    presets.delete(number)
    made = client.post(ADDRESS, json={"file": file})
    assert made.status_code == 201
    assert (made.json()["name"], made.json()["new"]) == ("desk", True)
    kept = presets.get(made.json()["id"])
    assert (kept.parameters, kept.evidence, kept.created_by) == (PARAMETERS, EVIDENCE, "ann")
    assert not kept.is_default
    assert client.post(ADDRESS, json={"file": file, "name": "desk 2"}).json()["name"] == "desk 2"
    assert client.get(f"{ADDRESS}/99/file").status_code == 404


def test_another_preset_of_the_name_is_a_conflict(client, presets):
    number = presets.save("desk", "embedded", PARAMETERS, EVIDENCE)
    file = client.get(f"{ADDRESS}/{number}/file").json()
    file["parameters"]["threshold"] = 0.9
    refused = client.post(ADDRESS, json={"file": file})
    assert refused.status_code == 409
    assert "There is a preset called 'desk' already, with another threshold" in refused.text
    assert presets.get(number).parameters == PARAMETERS


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "other"}, "schema"),
        ({"profile": "none-such"}, "none-such"),
        ({"name": "n" * 201}, "201 characters"),
        ({"evidence": {}}, "evidence"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_place(client, presets, change, said):
    refused = client.post(ADDRESS, json={"file": {**PRESET_FILE, **change}})
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert error["where"] == "body.file" and said in error["message"]
    assert not presets.listed().readable


def test_the_example_is_a_preset_that_can_be_kept(client, presets):
    assert client.post(ADDRESS, json={"file": PRESET_FILE}).status_code == 201
    (kept,) = presets.listed().readable
    assert client.get(f"{ADDRESS}/{kept.id}/file").json() == PRESET_FILE
