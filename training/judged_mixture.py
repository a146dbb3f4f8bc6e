"""One shuffled mixture of what people judged, written RAG answers, and pairs:
``python -m training.judged_mixture --base FOLDER`` writes ``judged_mixture_train.jsonl``.

One kind after the other makes a model forget the first (EXPERIMENTS.md), so that all kinds stand
in one shuffled file. Nothing of a held-out document is in it (:mod:`training.held_out`).
"""

from __future__ import annotations

import json
import random
from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from tokenizers import Tokenizer

from training import written_pairs
from training.command import SEED, Row, options, rows_of, tokenizer_of, write
from training.contamination import Evaluated
from training.held_out import Seen, is_held_out
from training.judged_units import LENGTHS, SPECIAL, Counter, Judged, Unit, balanced, unit, units

FILE = "judged_mixture_train.jsonl"
FRESH = "fresh_rag"  # for choices alone
# How often a set is met, by the share of rows that are read; sets that are not named take 250.
# RAG answers and dialogue first; those that a language model labelled, or whose label shows in
# their style, last.
ROWS = {
    "lfqa_sentence": 800,
    "lfqa_answer": 200,
    "attributionbench": 700,
    "expertqa": 450,
    "factcheckgpt_stance": 400,
    "dialfact_true": 900,
    "faithdial_audit": 600,
    "begin_dev": 230,
    "frank_test": 600,
    "summac_cogensumm": 600,
    "refmatters": 500,
    "summedits": 600,
    "cliff": 250,
    "fib_xsum": 300,
    "entfa": 300,
    "mnbm": 240,
    "healthver": 300,
    "covidfact": 100,
    "xsum_mistral_gpt": 80,
    "refmatters_corrected": 80,
}
USUAL = 250
# Every row of this set is supported; the wrong summaries that it mends are in the other.
BESIDE = {"refmatters_corrected": "refmatters"}
RAG_FILE = "train/rag/written_rag.jsonl.gz"
WRITTEN_RAG_HELD_IN = 10
# Pairs with a premise of one or a few sentences. Minimal edits fell in the first trial: hence many.
PAIRS = {
    "vitaminc_real.test": 1500,
    "paws_ni.train": 900,
    "fever_covidfact.dev": 700,
    "foolmetwice.dev": 350,
    "foolmetwice.test": 350,
    "lingnli.train": 350,
    "mnli_ni.train": 350,
    "cad_snli.train": 200,
    "negnli_mnli.full": 150,
    "climatefever.full": 150,
    "checkcovid.full": 150,
    "factcg_cg2c_doc.train": 150,
    "rte.train": 150,
    "control.dev": 100,
    "nli4ct.train": 100,
}
WRITTEN = 1000
# A pair's premise stands among sentences of other premises of its set, this often, up to ...
AMONG = 0.3
# ... one of these numbers of words.
AMONG_WORDS = (60, 120, 200)
MOST_TOKENS = LENGTHS[-1]
# Shares of the tokens of a run.
SHARES = {"judged": 0.42, "rag": 0.26, "pairs": 0.24, "written": 0.08}


def judged_rows(folders: Iterable[Path]) -> dict[str, list[Judged]]:
    """The rows by set, without those that are for choices alone."""
    found: dict[str, list[Judged]] = defaultdict(list)
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl.gz")):
            for row in rows_of(path):
                if row["dataset"] != FRESH:
                    found[row["dataset"]].append(Judged.of(row))
    return found


def held_out_runs(rows: dict[str, list[Judged]]) -> Seen:
    """What the held-out documents of all sets say."""
    seen = Seen()
    for context in {row.context for some in rows.values() for row in some}:
        if is_held_out(context):
            seen.add(" ".join(context))
    return seen


def judged_units(
    rows: dict[str, list[Judged]], seen: Seen, rng: random.Random, count: Counter, scale: float
) -> list[Unit]:
    """Units of every set, both labels in equal parts within each; ``scale``: of ``ROWS``."""
    found: dict[str, list[Unit]] = defaultdict(list)
    for kind, some in sorted(rows.items()):
        left = {
            context: not seen.shares(" ".join(context)) for context in {r.context for r in some}
        }
        usable = [r for r in some if left[r.context]]
        by_label = [[r for r in usable if r.supported == wanted] for wanted in (True, False)]
        most = round(scale * ROWS.get(kind, USUAL))
        for group in by_label:
            rng.shuffle(group)
            # The rarer label decides how many there are; more rows than that would be thrown away.
            for row in group[: most if kind in BESIDE else most // 2]:
                found[BESIDE.get(kind, kind)] += units(row, rng, count)
        print(f"{kind}: {len(usable)} of {len(some)} rows are not held out", flush=True)
    return [each for kind in sorted(found) for each in balanced(found[kind], rng)]


def held_out_written(data: Path) -> list[Row]:
    """The written RAG answers that no weights see: one context in ten."""
    rows = rows_of(data / RAG_FILE)
    return [row for row in rows if is_held_out(row["context"], WRITTEN_RAG_HELD_IN)]


def rag_units(data: Path, rng: random.Random, count: Counter, scale: float) -> list[Unit]:
    """Units of the written RAG answers, without a tenth of their contexts."""
    rows = [Judged.of(row) for row in rows_of(data / RAG_FILE)]
    usable = [row for row in rows if not is_held_out(row.context, WRITTEN_RAG_HELD_IN)]
    rng.shuffle(usable)
    found: list[Unit] = []
    for row in usable[: round(scale * len(usable))]:
        found += units(row, rng, count)
    return balanced(found, rng)


def among_others(premise: str, others: list[str], words: int, rng: random.Random) -> str:
    """The premise with other premises before and behind it, up to about so many words."""
    parts = [premise]
    while sum(len(part.split()) for part in parts) < words:
        parts.insert(rng.choice((0, len(parts))), rng.choice(others))
    return " ".join(parts)


def pair_units(
    data: Path, seen: Seen, rng: random.Random, count: Counter, scale: float
) -> list[Unit]:
    """Public pairs, a claim with both its true and its false premise where the set has both."""
    found: list[Unit] = []
    for kind, usual in PAIRS.items():
        most = round(scale * usual)
        by_claim: dict[str, list[dict[str, str]]] = defaultdict(list)
        for row in rows_of(data / "train/nli" / f"{kind}.jsonl.gz"):
            if row["premise"].strip() and row["hypothesis"].strip():
                by_claim[row["hypothesis"]].append(row)
        claims = list(by_claim)
        rng.shuffle(claims)
        # Claims that are true of one premise and not of another can only be told by reading it:
        # up to two thirds of the pairs are of them.
        hard = [claim for claim in claims if len({r["label"] for r in by_claim[claim]}) > 1]
        easy = [claim for claim in claims if len({r["label"] for r in by_claim[claim]}) == 1]
        claims = [*hard[: most // 3], *easy, *hard[most // 3 :]]
        chosen = [row for claim in claims for row in by_claim[claim][:2]][: 3 * most]
        others = [row["premise"] for row in chosen]
        kept: list[Unit] = []
        for row in chosen:
            premise = row["premise"].strip()
            if seen.shares(premise) or len(kept) == most:
                continue
            if rng.random() < AMONG:
                premise = among_others(premise, others, rng.choice(AMONG_WORDS), rng)
            elif kind.startswith("paws") and rng.random() < 0.5:
                row = {**row, "premise": row["hypothesis"], "hypothesis": premise}
                premise = row["premise"]
            tokens = sum(count([premise, row["hypothesis"]])) + SPECIAL
            if tokens <= MOST_TOKENS:
                kept.append(Unit(premise, row["hypothesis"], row["label"], kind, tokens))
        found += kept
    rng.shuffle(found)
    return found


def written_units(rng: random.Random, count: Counter, scale: float) -> list[Unit]:
    """A share of :mod:`training.written_pairs`, of all its files alike."""
    pairs = list(written_pairs.training_pairs(written_pairs.read_blocks(), rng))
    rng.shuffle(pairs)
    found = []
    for row in pairs[: round(scale * WRITTEN)]:
        tokens = sum(count([row["premise"], row["hypothesis"]])) + SPECIAL
        if tokens <= MOST_TOKENS:
            found.append(Unit(row["premise"], row["hypothesis"], row["label"], "written", tokens))
    return found


def shared_out(groups: dict[str, list[Unit]], rng: random.Random) -> list[Unit]:
    """All units in an order of which every part holds each group by its share of the tokens, for
    as long as all groups last; what is left of the longer ones is left out."""
    tokens = {name: sum(each.tokens for each in group) for name, group in groups.items()}
    scale = min(tokens[name] / SHARES[name] for name in groups)
    placed: list[tuple[float, Unit]] = []
    for name, group in groups.items():
        passed = 0.0
        for each in group:
            passed += each.tokens
            if passed > SHARES[name] * scale:
                break
            placed.append((passed / (SHARES[name] * scale) + rng.uniform(-0.01, 0.01), each))
    return [each for _, each in sorted(placed, key=lambda pair: pair[0])]


def all_groups(
    data: Path, tokenizer: Tokenizer, scale: float, seed: int = SEED
) -> dict[str, list[Unit]]:
    """The units of each group, shuffled, without any that stands in an evaluation set; ``scale``:
    of the numbers of rows above."""
    rng = random.Random(seed)
    count = Counter(tokenizer)
    rows = judged_rows([data / "judged", data / "dev"])
    seen = held_out_runs(rows)
    groups = {
        "judged": judged_units(rows, seen, rng, count, scale),
        "rag": rag_units(data, rng, count, scale),
        "pairs": pair_units(data, seen, rng, count, scale),
        "written": written_units(rng, count, scale),
    }
    evaluated = Evaluated.read(data / "eval")
    for name, group in groups.items():
        clean = [u for u in group if not evaluated.holds_claim(u.premise, u.hypothesis)]
        rng.shuffle(clean)
        print(
            f"{name}: {len(clean)} units of {sum(u.tokens for u in clean)} tokens, "
            f"{len(group) - len(clean)} more stand in an evaluation set",
            flush=True,
        )
        groups[name] = clean
    return groups


def held_units(data: Path, tokenizer: Tokenizer, most: int) -> list[Unit]:
    """Whole answers of held-out documents, at most ``most`` of each set and of the written RAG
    answers, to measure on."""
    rng = random.Random(SEED)
    count = Counter(tokenizer)
    by_set = judged_rows([data / "judged", data / "dev"])
    kept = {k: [r for r in rows if is_held_out(r.context)] for k, rows in by_set.items()}
    kept["written_rag"] = list(map(Judged.of, held_out_written(data)))
    found: list[Unit] = []
    for _, rows in sorted(kept.items()):
        rng.shuffle(rows)
        made = (unit(row, row.answer.strip(), row.supported, count) for row in rows[:most])
        found += [each for each in made if each is not None]
    return found


def build(data: Path, out: Path, base: Path, scale: float = 1.0) -> None:
    """Write ``out/judged_mixture_train.jsonl`` and print what is in it."""
    mixture = shared_out(all_groups(data, tokenizer_of(base), scale), random.Random(SEED))
    write(out / FILE, map(asdict, mixture))
    kinds = Counts(each.kind for each in mixture)
    labels = Counts(each.label for each in mixture)
    print(json.dumps({"units": len(mixture), "kinds": kinds, "labels": labels}, indent=1))
    print(f"{sum(each.tokens for each in mixture)} tokens")


def main() -> None:
    """Build the mixture."""
    parser = options(__doc__, "data", "runs", "base")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the rows to read")
    arguments = parser.parse_args()
    build(arguments.data, arguments.runs, arguments.base, arguments.scale)


if __name__ == "__main__":
    main()
