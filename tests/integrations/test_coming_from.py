"""The pages "Coming from ...": what stands on them runs in its order, with the real libraries.

A file that another tool writes outside the page is written here in that tool's form.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from provenance_core.cli.main import main
from storage import ItemFilter, ItemStore, ReviewStore

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
QUERY, ANSWER = "When was the bridge opened?", "It was opened in 1923."
FACT = "The bridge was opened on 19 March 1932."


def blocks(page: str) -> list[tuple[str, str]]:
    """What each block of code that runs needs ("" for commands), and the block."""
    text = (HOW_TO / f"coming-from-{page}.md").read_text(encoding="utf-8")
    found = re.findall(
        r"<!-- runs(?:-with: ([\w.]+))? -->\n```(?:python)?\n(.*?)^```", text, re.DOTALL | re.M
    )
    assert found
    return found


def run(page: str, library: str) -> None:
    """Run a page's blocks in their order; those of other libraries are left out."""
    names: dict[str, object] = {"__name__": "example"}
    for needed, block in blocks(page):
        if not needed:
            for line in block.splitlines():
                run_line(line)
        elif needed in (library, "provenance_core"):
            exec(compile(block, page, "exec"), names)


def run_line(line: str) -> None:
    python, dash, package, *arguments = shlex.split(line)
    assert (python, dash, package) == ("python", "-m", "provenance_core")
    for name in arguments:
        if name in MADE and not Path(name).exists():
            MADE[name]()
    assert main(arguments) == 0, line


def write_events() -> None:
    """As ``TruSession.get_events`` gives them (tests.files.test_tool_formats)."""
    at = "ai.observability"
    root = {
        f"{at}.span_type": "record_root", f"{at}.record_id": "r",
        f"{at}.record_root.input": QUERY, f"{at}.record_root.output": ANSWER,
    }  # fmt: skip
    retrieval = {
        f"{at}.span_type": "retrieval", f"{at}.record_id": "r",
        f"{at}.retrieval.query_text": QUERY, f"{at}.retrieval.retrieved_contexts": [FACT],
    }  # fmt: skip
    events = [
        {"event_id": f"s{n}", "record_attributes": given,
         "start_timestamp": f"2026-01-01T10:0{n}:00", "timestamp": f"2026-01-01T10:{20 - n}:00",
         "trace": {"trace_id": "t", "span_id": f"s{n}", "parent_id": "s0" if n else ""}}
        for n, given in enumerate((root, retrieval))
    ]  # fmt: skip
    Path("events.jsonl").write_text("".join(json.dumps(each) + "\n" for each in events))


def label_tasks() -> None:
    """As Label Studio exports the tasks, with a person's region and verdict."""
    tasks = json.loads(Path("tasks.json").read_text(encoding="utf-8"))
    start = ANSWER.index("1923")
    place = {"start": start, "end": start + 4, "text": "1923", "labels": ["contradicted"]}
    verdict = {"choices": ["hallucinated"]}
    result = [
        {"id": "1", "from_name": "label", "to_name": "answer", "type": "labels", "value": place},
        {"id": "2", "from_name": "verdict", "to_name": "answer", "type": "choices",
         "value": verdict},
    ]  # fmt: skip
    time = "2026-11-20T10:11:12.123456+00:00"
    for number, task in enumerate(tasks, 1):
        task["id"] = number
        task["annotations"] = [
            {"id": number, "completed_by": {"id": 1, "email": "ann@example.org"},
             "was_cancelled": False, "created_at": time, "updated_at": time, "result": result}
        ]  # fmt: skip
    Path("labelled.json").write_text(json.dumps(tasks), encoding="utf-8")


MADE: dict[str, Callable[[], None]] = {"events.jsonl": write_events, "labelled.json": label_tasks}
# The library of a page without which it cannot run: others' halves are in a test of their own.
PAGES = {
    "lettucedetect": "", "trulens": "", "label-studio": "",
    "ragas": "ragas", "inspect": "inspect_ai",
}  # fmt: skip


def test_each_page_is_tested():
    assert {path.stem.removeprefix("coming-from-") for path in HOW_TO.glob("coming-from-*")} == {
        *PAGES
    }


@pytest.mark.parametrize("page", PAGES)
def test_what_stands_on_the_page_runs(page, url, capsys, no_network):
    library = PAGES[page]
    if library and find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    run(page, library)
    printed = capsys.readouterr().out
    audited = ItemStore.open(url).page(ItemFilter()).items
    assert len(audited) == 1
    assert no_network == []
    if page == "lettucedetect":
        assert "hallucinated\n60 70 69 million 0." in printed
        assert "not_found The population of France is 69 million." in printed
    elif page == "inspect":
        assert "hallucinated" in printed
    elif page == "label-studio":
        (review,) = ReviewStore.open(url).of(audited[0].audit_id)
        assert (review.reviewer, str(review.judgement.verdict)) == (
            "ann@example.org",
            "hallucinated",
        )
    else:
        assert "“1923” is not in the context" in printed


def test_trulens_takes_the_function_of_the_page(no_network):
    pytest.importorskip("trulens.core", reason="trulens-core is not installed")
    # TruLens asks for the module of the function.
    names: dict[str, object] = {"__name__": "__main__"}
    for needed, block in blocks("trulens"):
        if needed:
            exec(compile(block, "trulens", "exec"), names)
    score, why = names["metric"](source=[FACT], statement=ANSWER)
    assert score < 0.5
    assert "1923" in why["reason"]
    assert no_network == []
