"""``python -m provenance_core preset``: presets as a list and as files."""

from __future__ import annotations

import json

import pytest

from storage import PresetStore
from tests.commands import run_command
from tests.storage.test_presets import EVIDENCE, PARAMETERS


@pytest.fixture
def presets(url) -> PresetStore:
    return PresetStore.open(url)


def test_presets_are_listed(presets):
    assert run_command("preset", "--list").stdout == "There are no presets.\n"
    number = presets.save("desk\x1b[31m", "embedded", PARAMETERS, EVIDENCE)
    presets.set_default(number)
    (line,) = run_command("preset", "--list").stdout.splitlines()
    assert "\x1b" not in line and line.startswith("desk")
    assert "for embedded  two-stage  threshold 0.473" in line and line.endswith("the default")


def test_a_preset_goes_out_and_comes_in_as_a_file(presets, tmp_path):
    number = presets.save("desk", "embedded", PARAMETERS, EVIDENCE, "ann")
    file = tmp_path / "desk.json"
    assert run_command("preset", "--export", "desk", "--out", file).returncode == 0
    assert file.read_text(encoding="utf-8") == presets.export(number)
    assert run_command("preset", "--export", "desk").stdout == presets.export(number)
    again = run_command("preset", "--import", file)
    assert (again.returncode, presets.get(number).name) == (0, "desk")
    assert f"{file}: nothing to keep, since it is here already as desk" in again.stdout
    presets.delete(number)
    assert f"{file}: kept as the preset desk" in run_command("preset", "--import", file).stdout
    (kept,) = presets.listed().readable
    assert (kept.parameters, kept.evidence, kept.created_by) == (PARAMETERS, EVIDENCE, "ann")


def test_another_preset_of_the_name_stays_and_the_message_names_the_file(presets, tmp_path):
    number = presets.save("desk", "embedded", PARAMETERS, EVIDENCE)
    raw = json.loads(presets.export(number))
    raw["parameters"]["threshold"] = 0.9
    file = tmp_path / "desk.json"
    file.write_text(json.dumps(raw), encoding="utf-8")
    refused = run_command("preset", "--import", file)
    assert refused.returncode == 1
    assert f"{file}: There is a preset called 'desk' already, with another" in refused.stderr
    assert presets.get(number).parameters == PARAMETERS
    assert run_command("preset", "--import", file, "--name", "desk 2").returncode == 0
    assert presets.named("desk 2").parameters.threshold == 0.9


def test_what_cannot_be_done_says_why(presets, tmp_path):
    presets.save("desk", "embedded", PARAMETERS, EVIDENCE)
    picture = tmp_path / "picture.json"
    picture.write_bytes(b"\x89PNG\r\n")
    damaged = tmp_path / "damaged.json"
    damaged.write_text('{"schema": "provenance-preset/1", "name": 1}', encoding="utf-8")
    absent = tmp_path / "absent.json"
    for status, said, *given in (
        (2, f"{picture}: this is a PNG image, not a text file. Give", "--import", picture),
        (2, f"{damaged}: The preset cannot be read: the field", "--import", damaged),
        (2, f"{absent} cannot be read: No such file", "--import", absent),
        (2, f"{damaged} is there already", "--export", "desk", "--out", damaged),
        (1, "no preset 'none'. There are: 'desk'", "--export", "none"),
        (2, "--out goes with --export", "--list", "--out", absent),
        (2, "--name goes with --import", "--list", "--name", "x"),
        (2, "one of --list, --export, --import is needed"),
    ):
        done = run_command("preset", *given)
        assert (done.returncode, said in done.stderr) == (status, True), done.stderr
