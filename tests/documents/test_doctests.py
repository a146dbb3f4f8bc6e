"""The examples in docstrings run, and public functions of the library say what they take, give and
raise, in sections. The storage, which no package installs, says it in sentences
(tests/documents/test_sections.py)."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import provenance_core
from tests.documents.pages import REPOSITORY

LIBRARY = ("provenance_core", "storage", "reports")
# numpydoc's codes: summary, parameters (each described, none missing or invented), returns, order.
CHECKED = {
    *("GL01", "GL02", "GL03", "GL05", "GL06", "GL07", "GL08", "SS01", "SS02", "SS03", "SS04"),
    *("PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR08", "PR09", "PR10"),
    *("RT01", "RT02", "RT03", "RT04", "RT05", "YD01"),
}
# A docstring begins on its first line here, as ruff formats it.
UNUSED = {"GL01"}


def with_examples() -> list[str]:
    """Names of the modules of the library whose docstrings have examples."""
    return [
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__")
        for package in LIBRARY
        for path in sorted((REPOSITORY / package).rglob("*.py"))
        if ">>> " in path.read_text(encoding="utf-8")
    ]


def public_functions() -> list[str]:
    """Functions that the library names as public, public methods of classes that it names so, and
    what plug-ins call."""
    found = ["provenance_core.detectors.register", "provenance_core.detectors.get_detector"]
    for name in provenance_core.__all__:
        value = getattr(provenance_core, name)
        if inspect.isfunction(value):
            found.append(f"provenance_core.{name}")
        if inspect.isclass(value):
            found += [
                f"provenance_core.{name}.{method}"
                for owner in value.__mro__
                if owner.__module__.split(".")[0] == "provenance_core"
                for method, member in vars(owner).items()
                if not method.startswith("_")
                and (inspect.isfunction(member) or isinstance(member, classmethod))
            ]
    return found


def test_there_are_examples_and_public_functions():
    assert "provenance_core.audit.pipeline" in with_examples()
    assert "provenance_core.Provenance.audit" in public_functions()


@pytest.mark.parametrize("name", with_examples())
def test_examples_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loaded_once: None
):
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", f"sqlite:///{tmp_path / 'examples.db'}")
    module: ModuleType = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize("name", public_functions())
def test_public_functions_have_their_sections(name: str):
    found = validate(name)
    # What another method says, one in a thread of its own need not say again.
    there = {"PR01", "RT01", "YD01"} if found["docstring"].startswith("As :meth:") else set()
    errors = [error for error in found["errors"] if error[0] in CHECKED - UNUSED - there]
    assert not errors, errors


@pytest.mark.parametrize("name", public_functions())
def test_what_a_function_raises_itself_is_said(name: str):
    package, *path = name.split(".")
    value = importlib.import_module(package)
    for part in path:
        value = getattr(value, part)
    source = inspect.getsource(value)
    raised = set(re.findall(r"^\s+raise ([A-Z]\w+)\(", source, re.MULTILINE))
    said = {each.type for each in NumpyDocString(inspect.getdoc(value) or "")["Raises"]}
    assert raised <= said


@pytest.mark.parametrize(
    "name", [n for n in public_functions() if n.startswith("provenance_core.")]
)
def test_functions_of_the_core_have_examples(name: str):
    value: object = provenance_core
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    assert NumpyDocString(inspect.getdoc(value) or "")["Examples"], name
