"""How many of the judged reasons hold, by sample and kind: ``python -m benchmarks.reasons``."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

JUDGEMENTS = Path(__file__).parent / "reasons"


def table(folder: Path = JUDGEMENTS) -> str:
    """The share of reasons that hold, by sample and kind, in Markdown. Kinds are not added up: some
    are true by what they say."""
    lines = ["| sample | kind | n | hold | share |", "|---|---|--:|--:|--:|"]
    for path in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        of_kind, holding = Counter[str](), Counter[str]()
        for row in rows:
            of_kind[row["kind"]] += 1
            holding[row["kind"]] += row["holds"]
        for name, n in of_kind.most_common():
            share = holding[name] / n
            lines.append(f"| {path.stem} | {name} | {n} | {holding[name]} | {share:.0%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
