"""Fit the span head of the NLI model: ``python -m training.span_head``.

A linear layer on the trained encoder's last hidden states says of every token of a claim whether
it is what makes the claim wrong. Its labels need no annotator: a minimal pair is made by changing
a few words, so they are known. The encoder stays as it is. Prints token-level figures on held-out
passages beside the trivial baseline (a word that the premise lacks), and writes
``span_head.safetensors`` beside the weights, which ``training.export`` puts into the graph.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_recall_fscore_support, roc_auc_score
from transformers import BertModel

from provenance_core.lexicon.words import words
from training.answer_styles import detail_pairs
from training.command import RUNS, SEED, options, tokenizer_of
from training.loop import base_folder, collate
from training.minimal_pairs import NEUTRAL, inside, names_in, sentences_of, swapped, window
from training.nli_data import held_out, passage_rows
from training.rewrites import shortened

FILE = "span_head.safetensors"
PASSAGES = {
    "squadshifts_new_wiki.full": 1500,
    "squadshifts_reddit.full": 900,
    "nq_qed.dev": 900,
    "squad2_train_subset.train": 700,
}
WINDOW = 256
THRESHOLDS = (0.3, 0.4, 0.5)


@dataclass(frozen=True, slots=True)
class Changed:
    """A claim and the ``[start, end)`` of what was changed in it, None where nothing was."""

    premise: str
    claim: str
    span: tuple[int, int] | None
    held: bool


def changed_span(right: str, wrong: str) -> tuple[int, int] | None:
    """Where ``wrong`` differs from ``right``, widened to whole words; None when it only lacks
    something.

    >>> changed_span("It has 12 rooms.", "It has 15 rooms.")
    (7, 9)
    """
    parts = SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes()
    spans = [(j1, j2) for kind, _, _, j1, j2 in parts if kind != "equal" and j2 > j1]
    if not spans:
        return None
    return whole_words(wrong, min(a for a, _ in spans), max(b for _, b in spans))


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """``[start, end)`` widened to the words that it cuts."""
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end


def changed_claims(data: Path, rng: random.Random) -> Iterator[Changed]:
    """Claims with an exchanged number or name or a foreign detail, and some without."""
    for name, most in PASSAGES.items():
        loaded, _ = passage_rows(data, name, rng)
        names = sorted(names_in(" ".join(row["passage"] for row in loaded[:400])))
        for index, row in enumerate(loaded):
            passage = " ".join(row["passage"].split()[:220])
            # The encoder never saw these passages, and the head does not either.
            held = held_out(passage, 20)
            if index >= most and not held:
                continue
            sentences = sentences_of(passage)
            short = [i for i, s in enumerate(sentences) if 6 <= len(s.split()) <= 40]
            if not short:
                continue
            at = rng.choice(short)
            premise = window(sentences, at, at + 1, rng, rng.choice((20, 60, 110)))
            right = shortened(sentences[at], rng)
            wrong = swapped(right, passage, rng, names)
            if wrong and not inside(wrong, premise) and (span := changed_span(right, wrong)):
                yield Changed(premise, wrong, span, held)
            if rng.random() < 0.4:
                yield Changed(premise, right, None, held)
            for more in detail_pairs(passage, loaded[index - 1]["passage"], rng):
                if more.label != NEUTRAL:
                    continue
                plain = min(sentences, key=lambda s: -_shared(s, more.hypothesis))
                if span := changed_span(plain, more.hypothesis):
                    yield Changed(more.premise, more.hypothesis, span, held)


def _shared(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of claims: hidden states (N, H), whether changed, whether their word is in the
    premise, whether held out. All but the first of shape (N,)."""

    states: np.ndarray
    changed: np.ndarray
    known: np.ndarray
    held: np.ndarray


def token_states(encoder: BertModel, claims: list[Changed]) -> Tokens:
    """The tokens of every claim that fits the window beside its premise."""
    tokenizer = tokenizer_of(base_folder())
    states, changed, known, held = [], [], [], []
    ordered = sorted(claims, key=lambda c: len(c.premise))
    with torch.no_grad():
        for first in range(0, len(ordered), 24):
            batch = [(c, tokenizer.encode(c.premise, c.claim)) for c in ordered[first : first + 24]]
            batch = [(c, e) for c, e in batch if len(e.ids) <= WINDOW]
            if not batch:
                continue
            hidden = encoder(**collate([e for _, e in batch])).last_hidden_state
            for row, (claim, encoding) in enumerate(batch):
                here = words(claim.premise)
                for at, (start, end) in enumerate(encoding.offsets):
                    if encoding.type_ids[at] != 1 or encoding.special_tokens_mask[at]:
                        continue
                    span = claim.span
                    states.append(hidden[row, at].numpy().copy())
                    changed.append(bool(span and start < span[1] and end > span[0]))
                    first_letter, stop = whole_words(claim.claim, start, end)
                    known.append(words(claim.claim[first_letter:stop]) <= here)
                    held.append(claim.held)
    return Tokens(np.array(states), np.array(changed), np.array(known), np.array(held))


def main() -> None:
    """Runs the command that the module describes."""
    parser = options(__doc__, "data", "threads")
    parser.add_argument("--source", type=Path, default=RUNS / "distil_average/final")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    claims = list(changed_claims(arguments.data, random.Random(SEED + 4)))
    encoder = BertModel.from_pretrained(arguments.source, attn_implementation="sdpa").eval()
    tokens = token_states(encoder, claims)
    train = ~tokens.held
    model = LogisticRegression(C=0.05, max_iter=400).fit(
        tokens.states[train], tokens.changed[train]
    )
    p = model.predict_proba(tokens.states[tokens.held])[:, 1]
    y = tokens.changed[tokens.held]
    print(
        f"{len(claims)} claims, {len(y)} held-out tokens, {100 * y.mean():.1f} % changed; "
        f"AUC {100 * roc_auc_score(y, p):.1f}"
    )
    rows = [(f"head at {t}", p >= t) for t in THRESHOLDS]
    rows.append(("word not in the premise", ~tokens.known[tokens.held]))
    for name, said in rows:
        precision, recall, f1, _ = precision_recall_fscore_support(
            y, said, average="binary", zero_division=0.0
        )
        print(f"{name:24} precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}")
    save_file(
        {
            "weight": torch.tensor(model.coef_, dtype=torch.float32),
            "bias": torch.tensor(model.intercept_, dtype=torch.float32),
        },
        arguments.source / FILE,
    )


if __name__ == "__main__":
    main()
