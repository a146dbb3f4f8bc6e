"""What the default detector says of answers that people judged: ``python -m
training.judged_verdicts``.

Rows of ``judged/`` and ``dev/`` (never ``fresh_rag``), both labels in equal parts as far as there
are so many, the sets mixed, so that it may stop at any time; a second call goes on. Each audit is
kept, so that the scores by other maps, without the windows of the second reading, and those of
other thresholds need no model. Prints a line for each set, and the share of wrong verdicts on RAG
answers by threshold. ``now``: as the detector scores today; ``no_pairs``: without the term of
copied word pairs; ``no_windows``: without the windows as well; ``pairs``: the share of copied word
pairs alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from provenance_core import InputError, Provenance
from provenance_core.audit.assembly import assemble
from provenance_core.audit.serialization import audit_from_plain, audit_to_plain
from provenance_core.findings.copied import copied_shares
from provenance_core.models.catalogue.profiles import get_profile, support_maps
from provenance_core.scoring.features import NOT_LIFTED_PAIRS, measured_support
from provenance_core.statistics.metrics import at_threshold
from provenance_core.text.splitting import sentence_bounds
from provenance_core.types import Evidence, SupportMap, SupportTerm
from training.areas import by_set, table
from training.command import RUNS, SEED, Row, append, kept, options, rows_of
from training.held_out import document, is_held_out
from training.judged_mixture import FRESH, held_out_written

RAG = ("lfqa_sentence", "lfqa_answer", "attributionbench", "expertqa", "factcheckgpt_stance")
WRITTEN = "written_rag"
# Rows of each set, and the most words of a context: a long one takes minutes.
WANTED: Mapping[str, tuple[int, int]] = {
    "lfqa_sentence": (60, 500),
    "lfqa_answer": (40, 480),
    "attributionbench": (60, 450),
    "expertqa": (40, 400),
    "factcheckgpt_stance": (30, 300),
    "faithdial_audit": (30, 320),
    "begin_dev": (24, 320),
    "frank_test": (50, 620),
    "cliff": (30, 620),
    "polytope": (20, 620),
    "dialsummeval": (20, 300),
    "mnbm_half": (30, 500),
    "fib_xsum": (30, 400),
    "refmatters": (30, 300),
    "ramprasad_dialogue": (30, 300),
    "faceval": (20, 300),
    "covidfact": (10, 200),
    "healthver": (20, 200),
    "dialfact_true": (24, 200),
    "summac_cogensumm_val": (30, 620),
    "summac_factcc_val": (20, 620),
    "summac_polytope_val": (10, 620),
    "summedits_half": (30, 450),
    "tofueval_partial_sentences": (20, 900),
    "goyal21": (10, 500),
    "entfa": (20, 400),
    WRITTEN: (120, 900),
    FRESH: (120, 900),
}
# Answers of more sentences take minutes.
MOST_SENTENCES = 8
COLUMNS = ("now", "no_pairs", "no_windows", "pairs")


def chosen(data: Path) -> list[Row]:
    """The rows, the same ones in the same order each time."""
    placed: list[tuple[float, Row]] = []
    for name, (most, words) in WANTED.items():
        rng = random.Random(f"{SEED} {name}")
        halves: dict[int, list[Row]] = {0: [], 1: []}
        for row in _rows(data, name, rng):
            size = sum(len(item.split()) for item in row["context"])
            short = len(sentence_bounds(row["answer"])) <= MOST_SENTENCES
            if size <= words and short and len(halves[row["label"]]) < most // 2:
                halves[row["label"]].append(row)
        first = rng.random()
        for rows in halves.values():
            placed += [((at + first) / most, row) for at, row in enumerate(rows)]
    return [row for _, row in sorted(placed, key=lambda each: each[0])]


def _rows(data: Path, name: str, rng: random.Random) -> list[Row]:
    """Those of documents that no weights saw, shuffled; all of the set that none may see."""
    if name == WRITTEN:
        rows = held_out_written(data)
    else:
        judged = data / "judged" / f"{name}.jsonl.gz"
        found = rows_of(judged if judged.exists() else data / "dev" / judged.name)
        rows = [row for row in found if name == FRESH or is_held_out(row["context"])]
    rng.shuffle(rows)
    return rows


def audited(provenance: Provenance, row: Row) -> Row:
    """What is kept of a row."""
    found = {
        "set": row["dataset"],
        "id": row["id"],
        "label": row["label"],
        "document": document(row["context"]),
        "pairs": copied_shares(row["answer"], row["context"])[1],
    }
    try:
        audit = provenance.audit(query=row["query"], answer=row["answer"], context=row["context"])
    except InputError as error:
        return found | {"refused": str(error)}
    return found | {"audit": audit_to_plain(audit)}


def without_windows(evidence: Evidence) -> Evidence:
    """What was read without the windows of the second model."""
    if evidence.second is None:
        return evidence
    return replace(evidence, second=replace(evidence.second, together=None))


def without_pairs(support: SupportMap | None) -> SupportMap | None:
    """The map as it was before it weighed copied word pairs."""
    if support is None:
        return None
    weighed = [each for each in support.weights if each.term is SupportTerm.COPIED_PAIRS]
    return replace(
        support,
        intercept=support.intercept + sum(each.weight * NOT_LIFTED_PAIRS for each in weighed),
        weights=tuple(each for each in support.weights if each not in weighed),
        replies=without_pairs(support.replies),
        summaries=without_pairs(support.summaries),
    )


def by_maps(evidence: Evidence, first: SupportMap | None, second: SupportMap | None) -> Evidence:
    """The evidence with the support that these maps give."""
    evidence = replace(evidence, nli_model=replace(evidence.nli_model, support=first))
    if evidence.second is not None and second is not None:
        evidence = replace(evidence, second=replace(evidence.second, support=second))
    return replace(evidence, support=measured_support(evidence))


def scored(path: Path) -> Iterator[Row]:
    """The rows that were audited, with their scores by today's maps."""
    maps = support_maps(get_profile("cascade"))
    earlier = (without_pairs(maps.first), without_pairs(maps.second))
    for row in rows_of(path):
        if "audit" not in row:
            continue
        audit = audit_from_plain(row.pop("audit"))
        read_as = {
            "now": by_maps(audit.evidence, maps.first, maps.second),
            "no_pairs": by_maps(audit.evidence, *earlier),
            "no_windows": by_maps(without_windows(audit.evidence), *earlier),
        }
        yield row | {
            column: assemble(evidence, audit.parameters, audit.created_at).score
            for column, evidence in read_as.items()
        }


def report(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each set and column, and the means over the sets with ten rows of each label."""
    areas = by_set(rows, COLUMNS)
    told = {kind for kind, columns in areas.items() if columns["pairs"].rarer >= 10}
    means = {
        "RAG sets": lambda kind: kind in told and kind in RAG,
        "other sets": lambda kind: kind in told and kind not in RAG,
        "sets": lambda kind: kind in told,
    }
    largest_first = sorted(areas, key=lambda kind: -areas[kind]["pairs"].count)
    return table({kind: areas[kind] for kind in largest_first}, means)


def curve(
    rows: Sequence[Row], sets: Sequence[str], columns: Sequence[str] = COLUMNS[:2]
) -> Iterator[str]:
    """Verdicts on answers of some sets by threshold and column: the share of supported answers that
    are called hallucinated, and of hallucinated ones that are found."""
    told = [row for row in rows if row["set"] in sets]
    labels = [int(row["label"]) for row in told]
    yield f"{len(told)} answers of {', '.join(sets)}; {sum(labels)} of them supported"
    yield f"| threshold | {' | '.join(f'{name}: false alarms | found' for name in columns)} |"
    yield "|---|" + "---|---|" * len(columns)
    for threshold in np.arange(0.1, 0.85, 0.05):
        cells = [f"{threshold:.2f}"]
        for column in columns:
            if (
                at := at_threshold(labels, [row[column] for row in told], float(threshold))
            ) is None:
                return
            alarms = 1 + at.recall - 2 * at.balanced_accuracy
            cells += [f"{100 * alarms:.0f}", f"{100 * at.recall:.0f}"]
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Audit what is not audited yet, and print the figures."""
    parser = options(__doc__, "data")
    parser.add_argument("--out", type=Path, default=RUNS / "judged_verdicts.jsonl")
    parser.add_argument("--rows", type=int, default=10_000, help="audit no more than these")
    arguments = parser.parse_args()
    known = {(row["set"], row["id"]) for row in kept(arguments.out)}
    missing = [row for row in chosen(arguments.data) if (row["dataset"], row["id"]) not in known]
    if missing := missing[: max(0, arguments.rows - len(known))]:
        provenance = Provenance.load("cascade")
        append(arguments.out, (audited(provenance, row) for row in missing))
    rows = list(scored(arguments.out))
    # Nothing ranks the rows of ExpertQA, whose evidence is a scrape of a page.
    others = [name for name in RAG if name != "expertqa"]
    print(*report(rows), "", *curve(rows, RAG), "", *curve(rows, others), sep="\n")


if __name__ == "__main__":
    main()
