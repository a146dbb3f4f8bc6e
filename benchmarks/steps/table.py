"""``benchmarks/STEPS.md``: the counts of each task, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.steps.counted_page import Counts

_INTRODUCTION = """# Steps

What ten tasks take a person who knows the pages, counted in Chromium on the real app. A click
counts one; so does a key, a chord such as Ctrl+Enter, and a paste; a typed word has a key for
each letter. Seconds are waited for the program, from a click or key until the page shows what was
asked for; the time in which a person reads and points does not count. Pixels are scrolled, as few
as bring into view what is read or clicked next. Each task begins on the page that the app opens
with, its models loaded; (d) begins on an audit, (f) and (g) on an answer that is open for review,
(h) and (j) on the page of a run, (i) on the section Adjudication."""


def page_text(
    command: str, made_on: str, machine: Sequence[str], windows: Mapping[str, Mapping[str, Counts]]
) -> str:
    """The whole page. ``windows``: counts by the size of the window, then by the task's title."""
    parts = [_INTRODUCTION, f"```\n{command}\n```", made_on, "\n".join(("```", *machine, "```"))]
    for window, tasks in windows.items():
        parts += [f"## Window of {window}", table(tasks)]
    return "\n\n".join(parts) + "\n"


def table(tasks: Mapping[str, Counts]) -> str:
    """The counts in one window as a table of Markdown."""
    lines = ["| task | clicks | keys | seconds | pixels |", "|---|---|---|---|---|"]
    lines += [
        f"| {task} | {of.clicks:,} | {of.keys:,} | {of.seconds:.1f} | {of.pixels:,} |"
        for task, of in tasks.items()
    ]
    return "\n".join(lines)
