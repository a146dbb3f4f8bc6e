"""``benchmarks/RELIABILITY.md``: what each part found the last time, with the command that did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1]
PAGE = FOLDER / "RELIABILITY.md"
RESULTS = Path(__file__).parent / "results"
_TITLES = {
    "kills": "Killed at random moments",
    "fuzz": "Generated inputs",
    "payloads": "Hostile texts in a browser",
}
_INTRODUCTION = (
    "# Reliability\n\nEach part is written by the command that stands with it, which prints and "
    "keeps what it counted. The counts are those of that run; each command takes a number for a "
    "longer one."
)


@dataclass(frozen=True, slots=True)
class Part:
    """What a command found. ``figures``: a name and a value each, in the order to be shown;
    ``holds``: whether nothing was lost or let through."""

    name: str
    command: str
    day: str
    machine: str
    figures: tuple[tuple[str, str], ...]
    holds: bool


def keep(part: Part, results: Path = RESULTS, page: Path = PAGE) -> None:
    """Keep what was found beside the other parts, and write the page anew."""
    results.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(part), indent=1, ensure_ascii=False)
    (results / f"{part.name}.json").write_text(f"{text}\n", encoding="utf-8")
    page.write_text(page_text(read_parts(results)), encoding="utf-8")


def read_parts(results: Path = RESULTS) -> list[Part]:
    """The parts that are kept, in the order of the page."""
    found = []
    for name in _TITLES:
        file = results / f"{name}.json"
        if file.is_file():
            given = json.loads(file.read_text(encoding="utf-8"))
            figures = tuple((str(key), str(value)) for key, value in given.pop("figures"))
            found.append(Part(**given, figures=figures))
    return found


def page_text(parts: Sequence[Part]) -> str:
    """The whole page."""
    sections = [_INTRODUCTION]
    for part in parts:
        rows = "\n".join(f"| {name} | {value} |" for name, value in part.figures)
        result = "Everything held." if part.holds else "**Something did not hold.**"
        sections.append(
            f"## {_TITLES[part.name]}\n\n```\n{part.command}\n```\n\n"
            f"{part.day}, {part.machine}. {result}\n\n| what | count |\n|---|---|\n{rows}"
        )
    return "\n\n".join(sections) + "\n"
