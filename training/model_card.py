"""Writes the MODEL_CARD.md of both models: ``python -m training.model_card``.

The texts are in ``training/cards``. Counts come from the built files, the recipe from the logs,
origins and licences from the data's README. The results are what ``training.calibrate`` printed
last (``training/logs``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from training.command import MODELS, options, read
from training.export import REVISIONS
from training.nli import SECOND_SHARE
from training.nli_data import PASSAGE_SETS
from training.nli_later import QUESTION_SETS
from training.relevance import TEACHER_MIDDLE, TEACHER_SHARE, TEACHER_SLOPE

LOGS = Path("training/logs")
CARDS = Path("training/cards")
STAGES = {
    "nli": ("nli", "nli_second", "nli_third", "nli_distil"),
    "relevance": ("relevance", "relevance_second", "relevance_third", "relevance_fourth"),
}
# The fourth stage of the relevance model reads the files of the two before it.
WITHOUT_FILE = ("relevance_fourth",)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a set was found, and the licence found there."""

    place: str
    licence: str


def card(task: str) -> str:
    """The text of a card, with a place for each figure."""
    return (CARDS / f"{task}.md").read_text(encoding="utf-8")


def origins(data: Path) -> dict[str, Origin]:
    """Every training set of the data's README."""
    found = {}
    for line in (data / "README.md").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"\| train/(?:nli|relevance)/(\S+) \|", line):
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            found[match[1]] = Origin(cells[3], cells[4])
    return found


def kinds(path: Path) -> Counter[str]:
    """Rows of each kind in a built file; documents count to their set."""
    return Counter(row["kind"].removesuffix(" (long)") for row in read(path))


def stage_line(name: str) -> str:
    """Steps and tokens of a stage, from its log; tokens are counted anew after a resume."""
    entries = read(LOGS / f"{name}.jsonl")
    pairs = zip(entries, [*entries[1:], {"tokens": 0}], strict=True)
    tokens = sum(one["tokens"] for one, after in pairs if after["tokens"] < one["tokens"])
    return f"`{name}`: {entries[-1]['step']} steps, {tokens / 1e6:.1f}M tokens"


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def made(counts: Counter[str]) -> str:
    """The made pairs among ``counts``, by kind: public sets have a dot in their name."""
    kinds = sorted(kind for kind in counts if "." not in kind)
    return ", ".join(f"{kind} {counts[kind]}" for kind in kinds)


def sets_table(task: str, runs: Path, data: Path) -> str:
    """Rows of each public set in each stage, with origin and licence."""
    stages = [stage for stage in STAGES[task] if stage not in WITHOUT_FILE]
    counts = [kinds(runs / f"{stage}_train.jsonl") for stage in stages]
    found = origins(data)
    names = sorted({kind for count in counts for kind in count if "." in kind})
    return table(
        ("set", *stages, "from (public repository: path)", "licence found"),
        ((n, *(c[n] for c in counts), found[n].place, found[n].licence) for n in names),
    )


def nli_card(runs: Path, data: Path) -> str:
    """The NLI model's card."""
    counts = {stage: kinds(runs / f"{stage}_train.jsonl") for stage in STAGES["nli"]}
    found = origins(data)
    passages = sorted({*PASSAGE_SETS, *QUESTION_SETS})
    totals = "\n".join(
        f"- `{stage}`: {count.total():,} pairs, of them made from passages: {made(count)}."
        for stage, count in counts.items()
    )
    return card("nli").format(
        revision=REVISIONS["nli"],
        totals=totals,
        sets=sets_table("nli", runs, data),
        passages=table(
            ("set", "from (public repository: path)", "licence found"),
            ((n, found[n].place, found[n].licence) for n in passages),
        ),
        stages="; ".join(map(stage_line, STAGES["nli"])),
        share=f"{100 * (1 - SECOND_SHARE):.0f} % second stage, {100 * SECOND_SHARE:.0f} % third",
        calibration=", ".join(f"{n} ({found[n].licence})" for n in ("healthver.test",)),
        results=(LOGS / "nli_results.txt").read_text(encoding="utf-8").strip(),
    )


def relevance_card(runs: Path, data: Path) -> str:
    """The relevance model's card."""
    return card("relevance").format(
        revision=REVISIONS["relevance"],
        slope=TEACHER_SLOPE,
        middle=TEACHER_MIDDLE,
        teacher=", ".join(f"{100 * share:.0f} % in the {s}" for s, share in TEACHER_SHARE.items()),
        sets=sets_table("relevance", runs, data),
        stages="; ".join(map(stage_line, STAGES["relevance"])),
        results=(LOGS / "relevance_results.txt").read_text(encoding="utf-8").strip(),
    )


def main() -> None:
    """Runs the command that the module describes."""
    arguments = options(__doc__, "data", "runs").parse_args()
    for task, write in (("nli", nli_card), ("relevance", relevance_card)):
        text = write(arguments.runs, arguments.data)
        (MODELS / task / "MODEL_CARD.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
