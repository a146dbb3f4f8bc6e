"""Builds the fourth stage's NLI file: documents again, as the app chunks them, and doubtful pairs
left out.

The rewrites of the third stage are right nearly always; what a reading of them found wrong is
recognised here and dropped. The dev rows, the calibration rows and the held-out documents stay
unseen.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from provenance_core.text_splitting import sentence_bounds
from provenance_core.word_coverage import content_words
from training.contamination import Evaluated
from training.minimal_pairs import ENTAILMENT, Pair
from training.nli_data import SEED
from training.nli_second import (
    LONG_SETS,
    documents,
    made_pairs,
    public_pairs,
    unseen_premises,
    write_clean,
)
from training.nli_third import rewritten_pairs, statements

NLI_SETS = {
    "vitaminc_real.test": 14000,
    "vitaminc_synthetic.test": 4000,
    "fever_covidfact.dev": 4000,
    "mnli_ni.train": 4000,
    "taxinli_mnli.dev": 3000,
    "lingnli.train": 4000,
    "paws_ni.train": None,
    "foolmetwice.dev": None,
    "foolmetwice.test": None,
    "rte.train": None,
    "attributionbench.dev": None,
    "attributionbench.test": None,
    "healthver.dev": None,
    "climatefever.full": 1500,
    "checkcovid.full": None,
    "scifact_covidfact.train": None,
    "factcg_cg2c_doc.train": None,
    "negnli_mnli.full": 800,
}
REWRITTEN = 30000
STATEMENTS = 8000
# Words of a chunk of the app (128 tokens), and of a claim that a chunk must have to be taken for
# its evidence where the set only says that the document supports it.
CHUNK_WORDS = (60, 95, 130)
COVERED = 0.7

# A clause that begins so and is not set off by a comma says which one is meant: without it the
# sentence claims more.
_RESTRICTIVE = re.compile(r"[^,\s] (?:who|which|where|whose|with|so that|unless|until|if) ")
_LIMITS = frozenset(
    """not no never only first last most least almost nearly about unless without until before
    after if may might could would least under over than some few half""".split()  # noqa: SIM905
)
_SHORTENED = frozenset({"short", "summary", "reply", "reordered"})
_WORD = re.compile(r"[\w'%]+")
_LIST = re.compile(r"^[\w\s,&.'-]*$")


def chunks_of(document: str, words: int) -> list[str]:
    """``document`` cut at sentence ends into parts of about ``words`` words."""
    parts: list[str] = []
    held: list[str] = []
    for start, end in sentence_bounds(document):
        sentence = document[start:end].strip()
        if held and len(" ".join([*held, sentence]).split()) > words:
            parts.append(" ".join(held))
            held = held[-1:]
        held.append(sentence)
    return [*parts, " ".join(held)] if held else parts


def chunk_pairs(data: Path, name: str, rng: random.Random) -> Iterator[Pair]:
    """Documents over the window: the chunk nearest to the claim when that covers it, or nothing
    of the document does support it; and for the latter one chunk more."""
    for pair in documents(data, name, held=False):
        parts = chunks_of(pair.premise, rng.choice(CHUNK_WORDS))
        wanted = content_words(pair.hypothesis)
        if not wanted or not parts:
            continue
        parts.sort(key=lambda part: -len(wanted & content_words(part)))
        refuted = pair.label == "not_supported"
        if refuted or len(wanted & content_words(parts[0])) >= COVERED * len(wanted):
            yield replace(pair, premise=parts[0], kind=f"{name} (chunk)")
        if refuted and len(parts) > 1:
            yield replace(pair, premise=parts[1], kind=f"{name} (chunk)")


def doubtful(pair: Pair) -> bool:
    """Whether a rewritten pair may have the wrong label."""
    if pair.label == ENTAILMENT and pair.kind in _SHORTENED:
        return _claims_more(pair)
    return pair.kind == "roles" and _within_a_list(pair)


def _claims_more(pair: Pair) -> bool:
    """Whether what the claim left out of the sentences that it was made of limited them."""
    claim = set(_WORD.findall(pair.hypothesis.lower()))
    for start, end in sentence_bounds(pair.premise):
        sentence = pair.premise[start:end]
        words = set(_WORD.findall(sentence.lower()))
        if len(claim & words) < 0.5 * len(words):
            continue
        if (words & _LIMITS) - claim or "respectively" in words:
            return True
        if any(m.group()[1:].strip() not in claim for m in _RESTRICTIVE.finditer(sentence)):
            return True
    return False


def _within_a_list(pair: Pair) -> bool:
    """Whether only commas and other names stand between what was exchanged."""
    claim = pair.hypothesis.split()
    for start, end in sentence_bounds(pair.premise):
        sentence = pair.premise[start:end].split()
        if sorted(sentence) != sorted(claim) or sentence == claim:
            continue
        at = [i for i, (a, b) in enumerate(zip(sentence, claim, strict=True)) if a != b]
        between = sentence[at[0] : at[-1] + 1]
        small = [w for w in between if w[0].islower() and w not in ("and", "or", "the", "of")]
        return not small and _LIST.match(" ".join(between)) is not None
    return False


def build(data: Path, out: Path) -> None:
    """Write ``out/nli_fourth_train.jsonl``; needs the files of the first two stages."""
    rng = random.Random(SEED + 5)
    rewritten = made_pairs(data, rng, rewritten_pairs, REWRITTEN)
    kept = [pair for pair in rewritten if not doubtful(pair)]
    print(f"{len(rewritten) - len(kept)} of {len(rewritten)} rewritten pairs left out as doubtful")
    pairs = chain(
        public_pairs(data, rng, unseen_premises(out), NLI_SETS),
        chain.from_iterable(chunk_pairs(data, name, rng) for name in LONG_SETS),
        kept,
        statements(data, rng)[:STATEMENTS],
    )
    write_clean(out / "nli_fourth_train.jsonl", pairs, Evaluated.read(data / "eval"), rng)
