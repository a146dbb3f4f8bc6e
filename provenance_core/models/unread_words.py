"""Finds text whose words a model's vocabulary lacks, so that a score would say nothing."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.errors import InputError
from provenance_core.models.protocol import TextPairs
from provenance_core.types import Notice, Sentence


def check_known_words(sentences: Sequence[Sentence], model: TextPairs) -> tuple[Notice, ...]:
    """Names in a notice the sentences of which ``model`` does not know at least half of the tokens.

    InputError when all sentences are like that: they look alike to the model, and its score would
    be meaningless.
    """
    texts = [sentence.text for sentence in sentences]
    counts = zip(model.unknown_tokens(texts), model.count_tokens(texts), strict=True)
    unread = [
        sentence
        for sentence, (unknown, tokens) in zip(sentences, counts, strict=True)
        if tokens and 2 * unknown >= tokens
    ]
    if not unread:
        return ()
    name = model.info.model_id
    if len(unread) == len(sentences):
        raise InputError(
            f"The NLI model {name} does not know the words of the answer, so no score of it would "
            "mean anything. The embedded models read English; for another language choose a "
            "profile that was trained on it."
        )
    named = ", ".join(f"S{sentence.index + 1}" for sentence in unread)
    return (
        Notice(
            "unread_sentence",
            f"The NLI model {name} does not know most of the words of {named}: what it says of "
            f"{'it' if len(unread) == 1 else 'them'} means little.",
        ),
    )
