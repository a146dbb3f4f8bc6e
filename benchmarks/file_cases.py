"""What files that people have give: rows read, refused and in doubt, labels, and verdicts.

    python -m benchmarks.file_cases FOLDER [--without NAME ...] [--output FILE]

``FOLDER`` has a folder of files for each case, made after public bug reports of other tools. Where
``expect.json`` is among the files, it has the right verdicts of its rows by id: S supported, H
hallucinated, N nothing to check, or several letters. The texts are not in this repository;
``FILE_CASES.md`` has what they gave.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from docs.markdown import table
from provenance_core import Auditor
from provenance_core.errors import InputError
from provenance_core.files.batch import BatchFile, read_batch_file
from provenance_core.files.batch.summary import summarise
from provenance_core.types import Verdict

TABLE = Path(__file__).parent / "FILE_CASES.md"
_LETTERS = {Verdict.SUPPORTED: "S", Verdict.HALLUCINATED: "H", Verdict.NOTHING_TO_CHECK: "N"}
_ENDINGS = (".csv", ".json", ".jsonl", ".parquet", ".xlsx")
_EXPECTED = "expect.json"
_HEADER = ("case", "file", "rows", "labels 1 / 0 / none", "verdicts", "what is said")
_ABOUT = """# Files that people have

Cases after public bug reports of other tools, as `python -m benchmarks.file_cases FOLDER` read
and audited them. S supported, H hallucinated, N nothing to check, with the score. "As expected"
counts the verdicts that the case calls right.
"""


def cases_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Name of a case and a file of it, of each file in each folder."""
    for case in sorted(each for each in folder.iterdir() if each.is_dir()):
        for path in sorted(case.iterdir()):
            if path.suffix in _ENDINGS and path.name != _EXPECTED:
                yield case.name, path


def row_of(case: str, path: Path, auditor: Auditor) -> tuple[str, ...]:
    """The line of the table of a file."""
    try:
        file = read_batch_file(path)
    except InputError as error:
        return case, path.name, "refused", "-", "-", str(error).replace(f"{path}: ", "")
    summary = summarise(file)
    rows = f"{summary.read} read, {summary.rows} audited, {summary.read - summary.rows} refused"
    labels = [row.label for row in file.rows]
    counts = " / ".join(str(labels.count(each)) for each in (1, 0, None))
    said = [*summary.warnings, *summary.sentences()[1:]]
    expected = path.with_name(_EXPECTED)
    right = json.loads(expected.read_text(encoding="utf-8")) if expected.exists() else {}
    return case, path.name, rows, counts, _verdicts(file, right, auditor), "; ".join(said)


def _verdicts(file: BatchFile, right: Mapping[str, str], auditor: Auditor) -> str:
    given = [
        {"answer": row.answer, "context": row.context, "query": row.query} for row in file.rows
    ]
    found = [
        (row.id or f"{file.unit} {row.line}", _LETTERS[result.verdict], result.score)
        for row, result in zip(file.rows, auditor.check_many(given), strict=True)
    ]
    if not right:
        return ", ".join(f"{name} {letter} {score:.2f}" for name, letter, score in found)
    wrong = [each for each in found if each[1] not in right.get(each[0], "")]
    others = ", ".join(f"{name} {letter} {score:.2f}" for name, letter, score in wrong)
    count = f"{len(found) - len(wrong)} of {len(found)} as expected"
    return f"{count}; not: {others}" if wrong else count


def write(folder: Path, without: Sequence[str], output: Path) -> None:
    """Writes the table, case by case, so that a run that is stopped leaves what it has."""
    auditor = Auditor()
    rows: list[tuple[str, ...]] = []
    for case, path in cases_in(folder):
        if not any(case.startswith(each) for each in without):
            rows.append(row_of(case, path, auditor))
            print(*rows[-1], sep=" | ", flush=True)
            page = f"{_ABOUT}\n{_counted(rows)}\n\n{table(_HEADER, rows)}\n"
            output.write_text(page, encoding="utf-8")


def _counted(rows: Sequence[tuple[str, ...]]) -> str:
    return f"Cases: {len({case for case, *_ in rows})}; files: {len(rows)}."


def main() -> None:
    """Runs the command that the module describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", nargs="*", default=[], help="cases that are left out")
    parser.add_argument("--output", type=Path, default=TABLE)
    given = parser.parse_args()
    write(given.folder, given.without, given.output)


if __name__ == "__main__":
    main()
