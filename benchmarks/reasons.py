"""Whether the reasons that a page shows are true: a sample for a careful reader, and the reader's
judgements.

    python -m benchmarks.reasons audit --data FOLDER --kept AUDITS.jsonl
    python -m benchmarks.reasons read --kept AUDITS.jsonl --part N
    python -m benchmarks.reasons words --data FOLDER
    python -m benchmarks.reasons table

``audit`` audits real answers with the default profile, at most three flagged sentences of an
answer, until each set of each part has enough; the parts share no context, and no context of which
a reason was judged before is among them. ``read`` labels the
sentences by the rules of today and prints each flagged one with its reason and the passages, for a
reader. ``words`` finds denials and opposites in all answers of the judged and development sets,
without a model. ``table`` counts the judgements in ``reasons/*.jsonl`` by kind.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from provenance_core import Provenance
from provenance_core.audit.assembly import assemble
from provenance_core.audit.serialization import audit_from_plain, audit_to_plain
from provenance_core.detectors import chunk_name
from provenance_core.explain import SentenceReason, sentence_reasons
from provenance_core.findings.answers import find_mismatches
from provenance_core.scoring.label_rules import LABELLED_BY
from provenance_core.text.splitting import sentence_bounds
from provenance_core.types import UNSUPPORTED_LABELS, Audit
from training.command import kept as kept_rows
from training.command import read, rows_of

JUDGEMENTS = Path(__file__).parent / "reasons"
SEED = 42
PARTS = 2
PER_ANSWER = 3
# Words of a reason that names no words of the sentence, and what it is of; the first that fits.
KINDS = {
    "the model reads a contradiction": "contradiction that the model reads",
    "no single passage": "not stated",
    "under the threshold": "support under the threshold",
    "reaches the threshold": "passage that was not selected",
}
# Flagged sentences of each set in each part, and the longest context that is read, in words.
SETS = {
    "judged/lfqa_answer": (25, 400),
    "judged/attributionbench": (27, 400),
    "judged/expertqa": (24, 400),
    "judged/factcheckgpt_stance": (18, 400),
    "dev/tofueval_partial_sentences": (6, 1000),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a set with its query and context."""

    dataset: str
    id: str
    query: str
    context: tuple[str, ...]
    answer: str


def all_answers(folder: Path, name: str) -> list[Answer]:
    """The answers of a set. The sentences of one summary, which TofuEval has a row each, are one
    answer."""
    joined: dict[str, Answer] = {}
    for row in rows_of(folder / f"{name}.jsonl.gz"):
        key = re.sub(r"-\d+$", "", row["id"]) if "sentences" in name else row["id"]
        found = Answer(name, key, row["query"], tuple(row["context"]), row["answer"])
        if key in joined:
            found = replace(found, answer=f"{joined[key].answer} {row['answer']}")
        joined[key] = found
    return list(joined.values())


def answers(of_set: Sequence[Answer], part: int) -> list[Answer]:
    """Those of a set whose contexts belong to a part, one a context, in a fixed random
    order."""
    found: dict[tuple[str, ...], list[Answer]] = {}
    for each in of_set:
        if _part(each.context) == part and _words(each.context) <= SETS[each.dataset][1]:
            found.setdefault(each.context, []).append(each)
    chance = random.Random(SEED)
    chosen = [chance.choice(of_one) for of_one in found.values()]
    chance.shuffle(chosen)
    return chosen


def _part(context: tuple[str, ...]) -> int:
    digest = hashlib.sha256("\n".join(context).encode()).digest()
    return digest[0] % PARTS + 1


def _words(context: tuple[str, ...]) -> int:
    return sum(len(text.split()) for text in context)


def flagged(audit: Audit) -> int:
    """How many sentences of an audit count for the sample."""
    labels = [each.label for each in audit.sentences]
    return min(PER_ANSWER, sum(label in UNSUPPORTED_LABELS for label in labels))


def keep_audits(folder: Path, kept: Path) -> None:
    """Audit answers of every set until enough of their sentences are flagged in each part, and keep
    the audits, a line each. No context is audited of which a reason was judged before.

    The sets grow side by side, so that an interrupted run has some of each. A later call goes on
    after the answers that are kept already."""
    every = {name: all_answers(folder, name) for name in SETS}
    known = judged_contexts(chain.from_iterable(every.values()))
    waiting = {
        (name, part): [e for e in answers(of_set, part) if _words_of(e.context) not in known]
        for name, of_set in every.items()
        for part in range(1, PARTS + 1)
    }
    found = dict.fromkeys(waiting, 0)
    for row in kept_rows(kept):
        audit = audit_from_plain(row["audit"])
        key = row["dataset"], _part(tuple(item.text for item in audit.evidence.context))
        waiting[key] = [each for each in waiting[key] if each.id != row["id"]]
        found[key] += flagged(audit)
    provenance = Provenance.load()
    with kept.open("a", encoding="utf-8") as out:
        while open_sets := [
            key for key, left in waiting.items() if left and found[key] < SETS[key[0]][0]
        ]:
            key = min(open_sets, key=lambda key: found[key] / SETS[key[0]][0])
            each = waiting[key].pop(0)
            audit = provenance.audit(query=each.query, answer=each.answer, context=each.context)
            found[key] += flagged(audit)
            line = {"dataset": key[0], "id": each.id, "audit": audit_to_plain(audit)}
            out.write(json.dumps(line) + "\n")
            out.flush()
            print(f"{sum(found.values())} flagged sentences", flush=True)
    for (name, part), count in found.items():
        print(f"{name}, part {part}: {count} flagged sentences")


def _words_of(context: Sequence[str]) -> str:
    return " ".join(" ".join(context).split())


def judged_contexts(given: Iterable[Answer]) -> set[str]:
    """The contexts of those answers of which a reason was judged, by their words."""
    ids = {
        re.sub(r" S\d+$", "", row["id"])
        for path in JUDGEMENTS.glob("*.jsonl")
        for row in rows_of(path)
    }
    return {_words_of(each.context) for each in given if each.id in ids}


def kept_audits(kept: Path, part: int) -> Iterator[tuple[str, Audit]]:
    """Each kept audit of a part with the id of its answer, its findings found again and its
    sentences labelled by the rules of today."""
    for row in rows_of(kept):
        audit = audit_from_plain(row["audit"])
        if _part(tuple(item.text for item in audit.evidence.context)) == part:
            evidence = replace(audit.evidence, findings=(), words=None, labelled_by=LABELLED_BY)
            yield row["id"], assemble(evidence, audit.parameters)


def print_reasons(kept: Path, part: int) -> None:
    """Print each flagged sentence of a part with its reason, its kind and the context."""
    for name, audit in kept_audits(kept, part):
        reasons = sentence_reasons(audit)[:PER_ANSWER]
        if not reasons:
            continue
        print(f"\n=== {name}\nquery: {audit.evidence.query}\nanswer: {audit.evidence.answer}")
        for chunk in audit.evidence.chunks:
            print(f"  [{chunk_name(chunk.index)}] {' '.join(chunk.text.split())}")
        for reason in reasons:
            print(f"--- {name} S{reason.traced.sentence.index + 1} {kind(reason)}")
            print(f"sentence: {reason.traced.sentence.text}\nreason: {reason.said}")
            chunk = audit.evidence.chunks[reason.traced.evidence_chunk]
            text = audit.evidence.context[chunk.item].text
            shown = text[reason.traced.evidence_start : reason.traced.evidence_end]
            print(f"evidence ({chunk_name(chunk.index)}): {' '.join(shown.split())}")


def print_mismatches(folder: Path) -> None:
    """Print each denial and opposite that the words of an answer show against its context."""
    for path in sorted([*folder.glob("judged/*.jsonl.gz"), *folder.glob("dev/*.jsonl.gz")]):
        for row in rows_of(path):
            for start, end in sentence_bounds(row["answer"]):
                sentence = row["answer"][start:end].strip()
                for found in find_mismatches(sentence, row["context"]):
                    there = row["context"][found.premise]
                    print(
                        f"{row['id']} {found.kind} “{sentence[found.start : found.end]}” "
                        f"against “{there[found.other_start : found.other_end]}”: {sentence}"
                    )


def kind(reason: SentenceReason) -> str:
    """What a reason is of, for the table."""
    named = [each for each in reason.wrong if f"“{each.words}" in reason.said]
    kinds = sorted({each.detail or str(each.kind) for each in named})
    if kinds:
        return " + ".join(kinds)
    return next((name for words, name in KINDS.items() if words in reason.said), "other")


def table(folder: Path = JUDGEMENTS) -> str:
    """The share of reasons that hold, by sample and kind, in Markdown. Kinds are not added up: some
    are true by what they say."""
    lines = ["| sample | kind | n | hold | share |", "|---|---|--:|--:|--:|"]
    for path in sorted(folder.glob("*.jsonl")):
        rows = read(path)
        of_kind, holding = Counter[str](), Counter[str]()
        for row in rows:
            of_kind[row["kind"]] += 1
            holding[row["kind"]] += row["holds"]
        for name, n in of_kind.most_common():
            share = holding[name] / n
            lines.append(f"| {path.stem} | {name} | {n} | {holding[name]} | {share:.0%} |")
    return "\n".join(lines)


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("audit", "read", "words", "table"))
    parser.add_argument("--data", type=Path, help="folder with the judged sets")
    parser.add_argument("--part", type=int, default=1, choices=range(1, PARTS + 1))
    parser.add_argument("--kept", type=Path, help="file of audits, JSON lines")
    given = parser.parse_args()
    if given.what == "table":
        print(table())
    elif given.what == "words" and given.data is not None:
        print_mismatches(given.data)
    elif given.kept is None or (given.what == "audit" and given.data is None):
        parser.error("audit needs --data and --kept, read needs --kept, words needs --data")
    elif given.what == "audit":
        keep_audits(given.data, given.kept)
    else:
        print_reasons(given.kept, given.part)


if __name__ == "__main__":
    main()
