"""What plug-ins use has the sections of numpydoc; every public function names what it raises.

The sources are read, not imported: DeepEval, LangChain, LlamaIndex and Ragas need not be here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from numpydoc.hooks.validate_docstrings import AstValidator
from numpydoc.validate import validate

from tests.documents.pages import REPOSITORY
from tests.documents.test_doctests import CHECKED, UNUSED

PACKAGES = ("api", "provenance_core", "reports", "storage")
# Whoever writes a detector, a test or an integration reads these; the documentation prints what
# the packages name as public (tests/documents/test_doctests.py).
WITH_SECTIONS = ("provenance_core/detectors/_interface.py", "provenance_core/testing.py")
WITH_SECTIONS_FOLDER = "provenance_core/integrations"
# What is documented elsewhere: routes have the description of the interface for their parameters,
# and LangChain says what it hands to a callback.
_INTERFACE = REPOSITORY / "provenance_core" / "detectors" / "_interface.py"
_ROUTE, _CALLBACK = "router.", "on_"
# What is said of a method once, others that do the same refer to: "As :meth:`Engine.run`."
_REFERRED_TO = tuple(
    REPOSITORY / "provenance_core" / name
    for name in (
        "models/protocol.py",
        "models/onnx_models/engines.py",
        "audit/pipeline.py",
        "integrations/deepeval_metric.py",
    )
)
_AS_THERE = re.compile(r"As :meth:`(\w+\.\w+)`")
_SAID_THERE = {"PR01", "RT01"}  # parameters and what is returned
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Documented:
    """A public function or method. ``above``: the module and the classes around it."""

    node: Function
    above: tuple[ast.Module | ast.ClassDef, ...]

    @property
    def name(self) -> str:
        classes = [each.name for each in self.above if isinstance(each, ast.ClassDef)]
        return ".".join((*classes, self.node.name))

    @property
    def referred(self) -> Documented | None:
        """The method that its docstring refers to, where it takes the same."""
        referred = _AS_THERE.match(ast.get_docstring(self.node) or "")
        found = _referred_methods().get(referred[1]) if referred else None
        return found if found is not None and _takes(found.node) == _takes(self.node) else None

    def sections(self, path: Path) -> list[str]:
        """What is wrong with its docstring."""
        said = UNUSED if self.referred is None else UNUSED | _SAID_THERE
        found = validate(
            self.name,
            AstValidator,
            ast_node=self.node,
            filename=path,
            ancestry=list(self.above),
        )["errors"]
        return [f"{code}: {text}" for code, text in found if code in CHECKED - said]

    def unsaid(self) -> set[str]:
        """The errors that it raises itself and does not name. The docstring of a command is its
        help, which names exit statuses instead."""
        if any(".command(" in ast.unparse(each) for each in self.node.decorator_list):
            return set()
        unsaid = set(_raised(self.node)) - self._said()
        return unsaid if self.referred is None else unsaid - self.referred._said()

    def _said(self) -> set[str]:
        return set(re.findall(r"\w+", ast.get_docstring(self.node) or ""))


@cache
def _referred_methods() -> dict[str, Documented]:
    return {each.name: each for path in _REFERRED_TO for each in public_functions(path)}


def _takes(node: Function) -> list[str]:
    arguments = node.args
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _raised(node: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.Lambda):
            continue
        if isinstance(child, ast.Raise) and isinstance(child.exc, ast.Call):
            name = ast.unparse(child.exc.func)
            if name[0].isupper():  # else a function of ours makes the error
                yield name
        yield from _raised(child)


def public_modules() -> list[str]:
    return [
        str(path.relative_to(REPOSITORY))
        for package in PACKAGES
        for path in sorted((REPOSITORY / package).rglob("*.py"))
        if not path.name.startswith("_") and "versions" not in path.parts  # migrations
    ]


def modules_with_sections() -> list[str]:
    folder = sorted((REPOSITORY / WITH_SECTIONS_FOLDER).glob("*.py"))
    return [*WITH_SECTIONS, *(str(path.relative_to(REPOSITORY)) for path in folder)]


def public_functions(path: Path) -> list[Documented]:
    """The functions of a module and the methods of its classes whose names are public."""

    def below(*above: ast.Module | ast.ClassDef) -> Iterator[Documented]:
        for node in above[-1].body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield from below(*above, node)
            if (
                isinstance(node, Function)
                and not node.name.startswith("_")
                and not _is_elsewhere(node)
                and not _is_inherited(node, above)
            ):
                yield Documented(node, above)

    return list(below(ast.parse(path.read_text(encoding="utf-8"))))


def _is_elsewhere(node: Function) -> bool:
    decorators = [ast.unparse(each) for each in node.decorator_list]
    return (
        not {"property", "cached_property"}.isdisjoint(decorators)
        or any(each.startswith(_ROUTE) for each in decorators)
        or node.name.startswith(_CALLBACK)
    )


def _is_inherited(node: Function, above: tuple[ast.Module | ast.ClassDef, ...]) -> bool:
    """Whether a method of a detector has no docstring, takes what ``Detector``'s own takes and so
    has the docstring of that."""
    if ast.get_docstring(node) is not None or not isinstance(owner := above[-1], ast.ClassDef):
        return False
    if "Detector" not in map(ast.unparse, owner.bases):
        return False
    base = next(
        (
            each.node
            for each in public_functions(_INTERFACE)
            if each.name == f"Detector.{node.name}"
        ),
        None,
    )
    return base is not None and ast.unparse(base.args) == ast.unparse(node.args)


def test_a_detector_inherits_the_docstring_of_what_it_does_in_the_same_way(tmp_path: Path):
    path = tmp_path / "own.py"
    path.write_text(
        "class OwnDetector(Detector):\n"
        "    def threshold(self, profile: str) -> float:\n        return 0.5\n"
        "    def unfit(self, other: int) -> str:\n        return str(other)\n"
        "    def half(self, number: int) -> int:\n        return number // 2\n"
    )
    assert [each.name for each in public_functions(path)] == [
        "OwnDetector.unfit",
        "OwnDetector.half",
    ]


def test_a_method_may_refer_to_that_of_its_protocol(tmp_path: Path):
    path = tmp_path / "own.py"
    path.write_text(
        "class OwnEngine:\n"
        "    def run(self, output, feed):\n"
        '        """As :meth:`Engine.run`."""\n'
        '        raise ModelError("broken")\n'
        "class OtherEngine:\n"
        "    def run(self, output, feed, flag):\n"
        '        """As :meth:`Engine.run`."""\n        return feed[output]\n'
        "    def walk(self, output, feed):\n"
        '        """As :meth:`Engine.walk`."""\n        return feed[output]\n'
    )
    same, longer, unknown = public_functions(path)
    assert not same.sections(path)
    assert same.unsaid() == {"ModelError"}
    assert {error[:4] for error in longer.sections(path)} == {"PR01", "RT01"}
    assert {error[:4] for error in unknown.sections(path)} == {"PR01", "RT01"}


def test_functions_are_found():
    found = public_functions(REPOSITORY / "provenance_core" / "audit" / "shared_models.py")
    assert {"shared_models", "SharedModels.audit"} <= {each.name for each in found}


def test_a_missing_section_and_an_unsaid_error_are_found(tmp_path: Path):
    path = tmp_path / "sample.py"
    path.write_text(
        'def half(number: int) -> int:\n    """Halve."""\n'
        '    if number % 2:\n        raise ValueError("odd")\n    return number // 2\n'
    )
    (found,) = public_functions(path)
    assert {error[:4] for error in found.sections(path)} == {"PR01", "RT01"}
    assert found.unsaid() == {"ValueError"}


@pytest.mark.parametrize("name", modules_with_sections())
def test_public_functions_have_their_sections(name: str):
    path = REPOSITORY / name
    errors = {each.name: found for each in public_functions(path) if (found := each.sections(path))}
    assert not errors, errors


@pytest.mark.parametrize("name", public_modules())
def test_what_a_function_raises_itself_is_said(name: str):
    unsaid = {
        each.name: found for each in public_functions(REPOSITORY / name) if (found := each.unsaid())
    }
    assert not unsaid, unsaid
