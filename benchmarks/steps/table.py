"""``benchmarks/STEPS.md``: the counts of each task, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.steps.counted_page import Counts

_INTRODUCTION = """# Steps

What five tasks take a person who knows the pages, counted in Chromium on the real app. A click
counts one; so does a key, a chord such as Ctrl+Enter, and a paste; a typed word has a key for
each letter. Seconds are waited for the program, from a click or key until the page shows what was
asked for; the time in which a person reads and points does not count. Pixels are scrolled, as few
as bring into view what is read or clicked next. Each task begins on the page that the app opens
with, its models loaded; (d) begins on an audit."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one version of the app: by the size of the window, then by the title of the
    task; None for one that its pages cannot do."""

    version: str
    windows: Mapping[str, Mapping[str, Counts | None]]


def page_text(
    command: str, made_on: str, machine: Sequence[str], versions: Sequence[Counted]
) -> str:
    """The whole page. ``versions``: the newest last; those before it stand left of an arrow."""
    parts = [_INTRODUCTION, f"```\n{command}\n```", made_on]
    if len(versions) > 1:
        before = ", ".join(each.version for each in versions[:-1])
        parts.append(f"Left of the arrow: version {before}; right of it: {versions[-1].version}.")
    parts.append("\n".join(("```", *machine, "```")))
    for window in versions[-1].windows:
        parts += [f"## Window of {window}", table(window, versions)]
    return "\n\n".join(parts) + "\n"


def table(window: str, versions: Sequence[Counted]) -> str:
    """The counts in a window of that size as a table of Markdown."""
    lines = ["| task | clicks | keys | seconds | pixels |", "|---|---|---|---|---|"]
    for task in versions[-1].windows[window]:
        found = [each.windows[window].get(task) for each in versions]
        cells = (
            " → ".join(_cell(counts, name) for counts in found)
            for name in ("clicks", "keys", "seconds", "pixels")
        )
        lines.append(f"| {task} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(counts: Counts | None, name: str) -> str:
    if counts is None:
        return "–"
    value = getattr(counts, name)
    return f"{value:.1f}" if name == "seconds" else f"{value:,}"
