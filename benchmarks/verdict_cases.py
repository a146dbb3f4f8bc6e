"""Right verdicts on hand-made cases, by family: mistakes that people saw, thirty or more a family.

    python -m benchmarks.verdict_cases [--profile NAME ...] [--cases FOLDER] [--output FILE]

``verdict_cases/FAMILY.jsonl``: ``family``, ``query``, ``context`` (list of texts), ``answer``,
``label`` (1: the context supports the answer), ``note``. The texts are made for the purpose and
about things that do not exist; none is from a data set. They are a check of kinds of mistakes and
no sample of real answers: no weight and no threshold is fitted to them. Rules were written after
mistakes in them, so that new cases are judged less often right.

``--cases benchmarks/fresh_cases`` reads other cases: replies, summaries and chat in words of their
own, written before anybody read a rule. Some rules of 26 November 2026 were written after mistakes
in them (training/EXPERIMENTS.md). ``--cases benchmarks/unread_cases`` reads 160 cases of the same
kinds that somebody wrote afterwards who knew no rule: write none after them, and train on none of
them, so that they tell how a stranger's cases are judged. These tables are printed and not kept.

A verdict is right when it is the label's. Besides, an answer of the family ``verbatim``, which
stands in the context word for word, must have no flagged sentence, and one of ``unrelated`` none
that is contradicted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from provenance_core import Provenance
from provenance_core.errors import ProvenanceError
from provenance_core.types import UNSUPPORTED_LABELS, Audit, SentenceLabel, Verdict

FOLDER = Path(__file__).parent / "verdict_cases"
TABLE = Path(__file__).parent / "VERDICT_CASES.md"
ALWAYS_RIGHT = "verbatim"
NEVER_CONTRADICTED = "unrelated"


@dataclass(frozen=True, slots=True)
class Case:
    """An answer with its query and context. ``label``: 1 supported, 0 not. ``note``: what is wrong
    with a wrong one."""

    family: str
    query: str
    context: tuple[str, ...]
    answer: str
    label: int
    note: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A case and what a profile said of it."""

    case: Case
    right: bool
    score: float
    flagged: int  # sentences that are contradicted or not found


def read_cases(folder: Path = FOLDER) -> tuple[Case, ...]:
    """The cases of every file, families in the order of their names. ValueError names a line that
    is none."""
    cases: list[Case] = []
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                case = Case(
                    row["family"],
                    row["query"],
                    tuple(row["context"]),
                    row["answer"],
                    int(row["label"]),
                    row["note"],
                )
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path.name}, line {number}: no case ({error})") from error
            if case.family != path.stem or case.label not in (0, 1):
                raise ValueError(f"{path.name}, line {number}: family or label is wrong")
            cases.append(case)
    return tuple(cases)


def judged(case: Case, audit: Audit) -> Judged:
    """Whether ``audit`` is right about ``case``."""
    labels = [sentence.label for sentence in audit.sentences]
    flagged = sum(label in UNSUPPORTED_LABELS for label in labels)
    right = (audit.verdict is Verdict.SUPPORTED) == bool(case.label)
    if case.family == ALWAYS_RIGHT:
        right = right and not flagged
    if case.family == NEVER_CONTRADICTED:
        right = right and SentenceLabel.CONTRADICTED not in labels
    return Judged(case, right, audit.score, flagged)


def judge(provenance: Provenance, cases: Sequence[Case]) -> tuple[Judged, ...]:
    """Each of ``cases`` under the default parameters of the profile."""
    found: list[Judged] = []
    for number, case in enumerate(cases, 1):
        audit = provenance.audit(query=case.query, answer=case.answer, context=case.context)
        found.append(judged(case, audit))
        if number % 30 == 0:
            print(f"{provenance.profile}: {number} of {len(cases)}", file=sys.stderr)
    return tuple(found)


def table(by_profile: dict[str, tuple[Judged, ...]]) -> str:
    """A Markdown table: a row a family; for each profile the right verdicts, and of the supported
    and the unsupported answers each."""
    profiles = list(by_profile)
    lines = [
        "| family | n |"
        + "".join(f" {name} | of the supported | of the unsupported |" for name in profiles),
        "|---|---|" + "---|---|---|" * len(profiles),
    ]
    families = list(dict.fromkeys(each.case.family for each in by_profile[profiles[0]]))
    for family in [*families, None]:
        cells: list[str] = []
        for name in profiles:
            rows = [each for each in by_profile[name] if family in (None, each.case.family)]
            cells.append(f"**{_right(rows)} of {len(rows)}**")
            for label in (1, 0):
                part = [each for each in rows if each.case.label == label]
                cells.append(f"{_right(part)} of {len(part)}" if part else "-")
        n = sum(family in (None, each.case.family) for each in by_profile[profiles[0]])
        lines.append(f"| {family or 'all'} | {n} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _right(rows: Sequence[Judged]) -> int:
    return sum(each.right for each in rows)


def document(by_profile: dict[str, tuple[Judged, ...]]) -> str:
    """The page that is kept beside this program."""
    rows_of_one = next(iter(by_profile.values()))
    sizes = Counter(each.case.family for each in rows_of_one).values()
    flagged = [
        f"With `{name}`, {_flagged(rows, 1)} of the supported and {_flagged(rows, 0)} of the "
        "unsupported answers have a flagged sentence."
        for name, rows in by_profile.items()
    ]
    return "\n".join(
        [
            "# Right verdicts by kind of mistake",
            "",
            "Printed by `python -m benchmarks.verdict_cases"
            + "".join(f" --profile {name}" for name in by_profile)
            + "`, each profile with its default parameters.",
            "The cases are made by hand, about things that do not exist, half of each family "
            "supported and half not. They check kinds of mistakes and are no sample of real "
            "answers. No weight and no threshold is fitted to them, but rules were written after "
            "mistakes in them: expect fewer right verdicts on new cases. With "
            f"{min(sizes)} to {max(sizes)} cases a family, a figure has an interval of about 15 "
            "points to either side.",
            "",
            table(by_profile),
            "",
            *flagged,
            "",
        ]
    )


def _flagged(rows: Sequence[Judged], label: int) -> str:
    part = [each for each in rows if each.case.label == label]
    return f"{sum(each.flagged > 0 for each in part)} of {len(part)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table and writes the page; 1 where a profile cannot be loaded."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--profile", action="append", help="repeat for several; embedded")
    parser.add_argument("--cases", type=Path, default=FOLDER, help="folder of other cases")
    parser.add_argument("--output", type=Path, help="where the page of our own cases is written")
    parser.add_argument("--wrong", action="store_true", help="print every wrong verdict")
    given = parser.parse_args(arguments)
    cases = read_cases(given.cases)
    by_profile: dict[str, tuple[Judged, ...]] = {}
    for name in given.profile or ["embedded"]:
        try:
            by_profile[name] = judge(Provenance.load(name), cases)
        except ProvenanceError as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        if given.wrong:
            for each in by_profile[name]:
                if not each.right:
                    print(each.case.family, each.case.label, f"{each.score:.2f}", each.case.answer)
    if given.cases == FOLDER:
        (given.output or TABLE).write_text(document(by_profile), encoding="utf-8")
    print(table(by_profile))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
