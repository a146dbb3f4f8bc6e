"""The documents say what the code does: commands, settings, requirements, docstrings."""

from __future__ import annotations

import ast
import os
import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from api.access.addresses import OPEN_TO_NETWORK
from api.settings import API_SETTINGS
from docs.reference import option_name, options_of, subcommands
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.logs import LOG_LEVEL
from provenance_core.detectors.judge.settings import JUDGE_SETTINGS
from provenance_core.files.limits import FILE_SETTINGS
from provenance_core.models.settings import MODEL_SETTINGS
from provenance_core.types import Parameters
from storage.errors import DATABASE_URL_VARIABLE
from storage.pair_scores import PAIR_SCORE_DAYS
from storage.retention import RETENTION_DAYS
from tests.commands import parsed
from tests.documents.pages import PAGES, README, REPOSITORY, commands

PACKAGES = ("provenance_core", "storage", "dashboard", "benchmarks", "docs")


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
    commands = [line for line in script.splitlines() if "pytest" in line]
    assert commands == [
        ".venv-integrations/bin/python -m pytest tests/integrations",
        'python -m pytest -n 2 --dist loadfile -m "slow or browser"',
    ]


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 120


def test_figures_of_the_readme_are_those_of_the_results():
    results = (REPOSITORY / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    stands = results.split("## Where each set stands")[1].split("\n## ")[0]
    published = [line.strip("| ").split(" | ")[:6] for line in stands.splitlines()]
    section = README.split("## What it finds\n")[1].split("\n## ")[0]
    related_sets = results.split("## ROC AUC, sets related")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\w+)( †)? \| (.+) \|$", section, re.MULTILINE)
    shown = [[name, *figures.split(" | ")] for name, _, figures in rows if name != "set"]
    assert len(shown) >= 5
    for row in shown:
        assert row in published
    for name, related, _ in rows:
        assert name == "set" or bool(related) == (f"| {name} |" in related_sets), name


def test_variables_named_in_the_documents_exist():
    known = {
        each.variable
        for each in (
            LOG_LEVEL,
            PAIR_SCORE_DAYS,
            RETENTION_DAYS,
            OPEN_TO_NETWORK,
            *API_SETTINGS,
            *FILE_SETTINGS,
            *MODEL_SETTINGS,
            *JUDGE_SETTINGS,
        )
    }
    known |= {DATABASE_URL_VARIABLE}
    for name, text in PAGES.items():
        assert set(re.findall(r"PROVENANCE_[A-Z_]+", text)) <= known, name


@pytest.mark.parametrize("name", ["audit", "evaluate"])
def test_every_parameter_is_an_option(name):
    options = options_of(subcommands()[name])
    for field in fields(Parameters):
        assert option_name(field.name) in options


OTHER_PROGRAMS = (
    "pip ", "git ", "ruff ", "mypy", "python -m pytest", "cd ", "uv ", "cyclonedx-py ",
    "pip-audit ", "docker ",
)  # fmt: skip
# Of the benchmarks (speed, detector_speed, scale, steps); the shell.
OTHER_OPTIONS = {
    "--data", "--rows", "--audits", "--database", "--quick", "--other", "--seconds", "--time"
}  # fmt: skip
# Of Ray (--head) and Streamlit (--server.address).
FOREIGN_OPTIONS = {"--head", "--server"}


@pytest.mark.parametrize("name", PAGES)
def test_every_option_in_the_documents_exists(name):
    known = OTHER_OPTIONS | FOREIGN_OPTIONS
    for command in subcommands().values():
        for each in (command, *subcommands(command).values()):
            known |= set(options_of(each))
    outside = "\n".join(
        line for line in PAGES[name].splitlines() if not line.lstrip().startswith(OTHER_PROGRAMS)
    )
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", outside)) - known == set()


def test_options_of_the_benchmarks_exist():
    source = "".join(
        (REPOSITORY / "benchmarks" / name).read_text(encoding="utf-8")
        for name in (
            "speed/__main__.py",
            "detector_speed.py",
            "scale.py",
            "steps/__main__.py",
            "long_contexts.py",
        )
    )
    for option in OTHER_OPTIONS:
        assert f'"{option}"' in source


def test_commands_in_the_documents_can_be_given():
    every = [command for text in PAGES.values() for command in commands(text)]
    for command in every:
        if not command.endswith("--help"):
            parsed(*shlex.split(command))
    assert {command.split()[0] for command in every} == set(subcommands())


def test_the_readme_says_how_the_tables_are_written():
    options = [parsed(*shlex.split(c)) for c in commands(README)]
    assert Path("benchmarks") in [given.get("report") for given in options]


def test_exit_statuses_in_the_documents():
    section = PAGES["docs/how-to/command-line.md"].split("## Exit status\n")[1].split("\n## ")[0]
    stated = {int(status) for status in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)}
    assert stated >= {int(code) for code in ExitCode}


@pytest.mark.parametrize("name", PAGES)
def test_commands_in_the_documents_name_files_that_exist(name):
    text = PAGES[name]
    for file in re.findall(r"(?:python|-r|run) ((?:[\w-]+/)*[\w-]+\.(?:py|txt))\b", text):
        assert (REPOSITORY / file).is_file(), file
    for module in re.findall(r"python -m ((?:benchmarks|training|docs)[\w.]+)", text):
        path = REPOSITORY / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


@pytest.mark.parametrize("name", PAGES)
def test_folders_and_modules_named_in_the_documents_exist(name):
    folders = "provenance_core|storage|dashboard|reports|pages|api|training|tests"
    outside = re.sub(r"^```.*?^```", "", PAGES[name], flags=re.DOTALL | re.MULTILINE)
    for path in re.findall(rf"`((?:{folders}|docs|benchmarks)/[\w./-]+)`", outside):
        assert (REPOSITORY / path).exists() or "runs" in path or "EXAMPLE" in path, path


@pytest.mark.parametrize("name", PAGES)
def test_links_and_pictures_of_the_documents_exist(name):
    text = re.sub(r"^```(?!\{).*?^```", "", PAGES[name], flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\(([^)#:]+)\)", text)
    targets += re.findall(r'(?:src(?:set)?|href)="([^":]+)"', text)
    assert targets or name not in ("README.md", "CONTRIBUTING.md")
    for target in targets:
        assert (REPOSITORY / name).parent.joinpath(target).is_file(), target


PICTURES = [
    path for path in sorted((REPOSITORY / "docs").rglob("*.png")) if "_build" not in path.parts
]


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_pictures_are_small_and_shown(path):
    assert path.stat().st_size <= 150_000
    assert any(path.name in text for text in PAGES.values())


def test_the_documents_are_built_in_ci_with_warnings_as_errors():
    script = (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"^python -m sphinx .*-W .*\bdocs docs/_build/html$", script, re.MULTILINE)


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
