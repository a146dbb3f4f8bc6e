"""The documents say what the code does: commands, settings, requirements, docstrings."""

from __future__ import annotations

import argparse
import ast
import os
import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from command_line.arguments import build_parser
from command_line.exit_codes import ExitCode
from provenance_core.detectors import DETECTORS
from provenance_core.models.profile_text import profile_table
from provenance_core.models.settings import MODEL_SETTINGS
from provenance_core.types import Parameters

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
PACKAGES = ("provenance_core", "storage", "dashboard", "benchmarks")


def fenced_after(marker: str) -> str:
    """The code block that follows an HTML comment of the README."""
    found = re.search(rf"<!-- {marker} -->\n```\n(.*?)\n```", README, re.DOTALL)
    assert found, f"README.md has no block after <!-- {marker} -->"
    return found.group(1)


def test_start_command_installs_everything_and_opens_the_app():
    command = fenced_after("start-command")
    assert "\n" not in command
    assert "pip install -r requirements.txt" in command
    assert command.endswith("streamlit run app.py")


def test_ci_runs_the_test_command_of_the_readme():
    assert fenced_after("test-command").startswith(". .venv/bin/activate && python -m pytest")
    script = (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
    assert os.access(REPOSITORY / ".ci" / "run", os.X_OK)
    assert "<!-- test-command -->" in script
    assert "pytest" not in script


def test_parameters_table_matches_the_code():
    section = README.split("## Parameters\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S.*?) \|", section, re.MULTILINE))
    assert list(rows) == [field.name for field in fields(Parameters)]
    defaults = Parameters()
    for name, shown in rows.items():
        if name != "threshold":  # the detector has it
            value = getattr(defaults, name)
            assert shown == ("empty" if value == "" else f"`{value}`"), name


def test_detectors_of_the_readme_are_those_of_the_registry():
    section = README.split("## Detectors\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([\w-]+)` \| (.+?) \| (.+?) \|$", section, re.MULTILINE)
    assert rows == [(each.name, each.explanation, each.source) for each in DETECTORS.values()]
    explained = {*re.findall(r"^- \*\*([\w-]+)\*\*", section, re.MULTILINE), "summac"}
    assert explained == set(DETECTORS)


def test_profiles_and_their_settings_in_the_readme_are_the_codes():
    assert f"\n{profile_table()}\n" in README
    for setting in MODEL_SETTINGS:
        default = f"`{setting.default}`" if setting.default else "-"
        assert f"| `{setting.variable}` | {setting.meaning} | {default} |" in README


def subcommands() -> dict[str, argparse.ArgumentParser]:
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError("no subcommands")


@pytest.mark.parametrize("name", ["audit", "evaluate"])
def test_every_parameter_is_an_option(name):
    options = {o for action in subcommands()[name]._actions for o in action.option_strings}
    for field in fields(Parameters):
        option = {"detector": "method"}.get(field.name, field.name.replace("_", "-"))
        assert f"--{option}" in options


def test_every_option_in_the_readme_exists():
    known = {"--data"}  # benchmarks/speed.py
    for command in subcommands().values():
        known |= {option for action in command._actions for option in action.option_strings}
    assert '"--data"' in (REPOSITORY / "benchmarks" / "speed.py").read_text(encoding="utf-8")
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) - known == set()


def commands_of_the_readme() -> list[str]:
    """Every command of this package in a code block or in the text, without its comment."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    found = re.findall(r"python -m provenance_core (.+)", "\n".join(blocks))
    inline = re.findall(r"`python -m provenance_core\s([^`]+)`", README)
    return [command.split(" #")[0].strip() for command in (*found, *inline)]


def test_commands_in_the_readme_can_be_given():
    commands = commands_of_the_readme()
    for command in commands:
        build_parser().parse_args(shlex.split(command))
    assert {command.split()[0] for command in commands} == set(subcommands())


def test_the_readme_says_how_the_tables_are_written():
    options = [build_parser().parse_args(shlex.split(c)) for c in commands_of_the_readme()]
    assert Path("benchmarks") in [getattr(given, "report", None) for given in options]


def test_exit_statuses_in_the_readme():
    stated = README[README.index("Exit status:") :][:250]
    for code in ExitCode:
        assert re.search(rf"\b{int(code)}\b", stated), code


def test_commands_in_the_readme_name_files_that_exist():
    for name in re.findall(r"(?:python|-r|run) ((?:[\w-]+/)*[\w-]+\.(?:py|txt))\b", README):
        assert (REPOSITORY / name).is_file(), name


def test_links_and_pictures_of_the_readme_exist():
    targets = re.findall(r"\]\(([^)#:]+)\)", README) + re.findall(r'src(?:set)?="([^"]+)"', README)
    assert targets
    for target in targets:
        assert (REPOSITORY / target).is_file(), target


def test_requirements_are_pinned():
    for file in ("requirements.txt", "benchmarks/requirements.txt"):
        for line in (REPOSITORY / file).read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                assert re.fullmatch(r"[\w.-]+(\[\w+\])?==[\d.]+", line), f"{file}: {line}"


def test_licence_is_apache():
    text = (REPOSITORY / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0" in text


def modules() -> list[Path]:
    return sorted(
        path
        for package in PACKAGES
        for path in (REPOSITORY / package).rglob("*.py")
        if "versions" not in path.parts
    )


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_public_names_have_docstrings(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    missing = [] if not tree.body or ast.get_docstring(tree) else ["the module"]
    enums = ("Enum", "StrEnum", "IntEnum")
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            bases = [getattr(base, "id", "") for base in getattr(node, "bases", [])]
            # The members of an enumeration with plain names say what it is.
            if not ast.get_docstring(node) and not set(bases) & set(enums):
                missing.append(node.name)
    assert not missing, f"{path.name}: no docstring on {', '.join(missing)}"
