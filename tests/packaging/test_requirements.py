"""What pyproject.toml declares and requirements.txt pins belong together."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# benchmarks/requirements.txt adds what only they need.
PIN_FILES = (
    "requirements.txt", "benchmarks/requirements.txt", "requirements-cluster.txt",
    "requirements-integrations.txt",
)  # fmt: skip


def pins() -> dict[str, Version]:
    """The version of each package, by its name."""
    found = {}
    for file in PIN_FILES:
        for line in (REPOSITORY / file).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith(("#", "-e ")):
                pinned = Requirement(line)
                (given,) = pinned.specifier
                name, version = canonicalize_name(pinned.name), Version(given.version)
                assert found.setdefault(name, version) == version, f"{file} pins another {name}"
    return found


def declared() -> list[Requirement]:
    lines = [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    return [each for line in lines if (each := Requirement(line)).name != PROJECT["name"]]


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_the_pin_of_a_dependency_is_in_its_declared_range(requirement):
    assert pins()[canonicalize_name(requirement.name)] in requirement.specifier


def test_every_pin_is_of_a_declared_dependency():
    names = {canonicalize_name(each.name) for each in declared()}
    # The library that the speed table compares with, and what only tests of integrations need.
    others = {
        "sentence-transformers",
        "arize-phoenix-client",
        "langfuse",
        "openinference-instrumentation-langchain",
        "openinference-instrumentation-llama-index",
        "trulens-core",
    }
    assert set(pins()) - names == others


def test_what_the_speed_was_measured_with_is_pinned():
    said = (REPOSITORY / "benchmarks" / "SPEED.md").read_text(encoding="utf-8")
    measured = dict(re.findall(r"(sentence-transformers|transformers) (\d+\.\d+\.\d+)", said))
    assert pins()["sentence-transformers"] == Version(measured["sentence-transformers"])
    # Its environment has another transformers than the app: the module says how to make it.
    module = (REPOSITORY / "benchmarks" / "speed" / "__main__.py").read_text(encoding="utf-8")
    for name, version in measured.items():
        assert re.search(rf"{name}(\[[a-z,]+\])?=={re.escape(version)}", module)


def test_the_library_needs_neither_torch_nor_streamlit():
    names = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    assert not names & {"torch", "transformers", "streamlit", "openai", "sentence-transformers"}


@pytest.mark.parametrize("folder", ["docs", "provenance_core", "storage", "api"])
def test_every_install_command_names_this_package_and_extras_that_it_has(folder):
    files = [*(REPOSITORY / folder).rglob("*.md"), *(REPOSITORY / folder).rglob("*.py")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    named = [each for text in texts for each in re.findall(r"pip install '([^'{]+)'", text)]
    asked = [re.fullmatch(rf"(?:\.|{PROJECT['name']})\[([\w,]+)\]", each) for each in named]
    assert all(asked), named
    assert {extra for each in asked if each for extra in each[1].split(",")} <= set(EXTRAS)


def test_the_extras_are_those_that_the_documents_name():
    assert set(EXTRAS) == {
        "api", "app", "models", "judge", "cluster", "opentelemetry", "langchain", "llamaindex",
        "deepeval", "ragas", "inspect", "files", "dev",
    }  # fmt: skip
