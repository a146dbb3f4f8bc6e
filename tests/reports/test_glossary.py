"""One table explains every term: the tooltips, the Glossary page and the documents take it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from docs.reference import glossary
from reports.glossary import GLOSSARY, TOPICS, terms_of
from tests.app_page import open_page
from tests.conftest import shown_html

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "dashboard").rglob("*.py"))
# What a reviewer would have to look up.
FOREIGN = ("logit", "kin", "box an item", "softmax")


def calls(path: Path) -> list[ast.Call]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def test_each_tooltip_names_a_term_of_the_glossary():
    named = [
        argument.value
        for path in PAGES
        for node in calls(path)
        if called(node) == "tooltip"
        for argument in node.args
        if isinstance(argument, ast.Constant)
    ]
    assert len(named) > 10
    assert set(named) <= set(GLOSSARY)


def test_no_figure_of_a_page_explains_its_term_itself():
    """The help of a figure is that of a term, so that no page explains one otherwise."""
    for path in PAGES:
        for node in calls(path):
            helps = [each.value for each in node.keywords if each.arg == "help"]
            if called(node) == "metric" and helps:
                assert not isinstance(helps[0], ast.Constant | ast.JoinedStr), path


def test_each_term_is_on_the_page_and_in_the_documents(url):
    app = open_page("glossary")
    page, document = shown_html(app), glossary()
    for term in GLOSSARY.values():
        assert f"<b>{term.name}</b>" in page
        assert f"**{term.name}**" in document
    assert sum(len(terms_of(topic)) for topic in TOPICS) == len(GLOSSARY)


@pytest.mark.parametrize("path", [*PAGES, *sorted((ROOT / "reports").rglob("*.py"))], ids=str)
def test_no_page_uses_a_word_that_a_reviewer_would_look_up(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    shown = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]
    documented = {
        ast.get_docstring(node, clean=False)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
    }
    for text in shown:
        if text not in documented:
            words = f" {text.casefold()} "
            assert not any(f" {word} " in words for word in FOREIGN), text
