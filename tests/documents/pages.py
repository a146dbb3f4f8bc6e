"""The documents as texts, for the tests of this folder."""

from __future__ import annotations

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
# What a reader is told, by the path of its page.
PAGES = {
    path.relative_to(REPOSITORY).as_posix(): path.read_text(encoding="utf-8")
    for path in (
        *sorted(REPOSITORY.glob("*.md")),
        *sorted((REPOSITORY / "docs").rglob("*.md")),
    )
    if "_build" not in path.parts
}


def code_blocks(text: str) -> list[str]:
    """The fenced blocks of a page, without those that a directive fills."""
    return re.findall(r"^```(?!\{)\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(text: str) -> list[str]:
    """Every command of this package in a code block or in the text, without its comment."""
    found = re.findall(r"python -m provenance_core (.+)", "\n".join(code_blocks(text)))
    inline = re.findall(r"`python -m provenance_core\s([^`]+)`", text)
    return [
        command.split(" #")[0].strip()
        for command in (*found, *inline)
        if not command.startswith("COMMAND")
    ]
