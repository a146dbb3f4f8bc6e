"""What the values of a label column mean: 1 (supported), 0 (hallucinated) or None (nobody said)."""

from __future__ import annotations

import re

from provenance_core.errors import InputError
from provenance_core.files.field_names import plain_name
from provenance_core.files.options_named import ALL_WORDS
from provenance_core.files.values.fields import short
from provenance_core.files.values.nothing import says_no_label
from provenance_core.files.values.scalars import scalar_text

SUPPORTED = (
    "supported", "supports", "support", "fully supported", "faithful", "pass", "passed",
    "consistent", "grounded", "factual", "entailed", "entailment", "entails", "attributable",
    "correct", "not hallucinated", "non hallucinated", "no hallucination", "hallucination free",
)  # fmt: skip
HALLUCINATED = (
    "hallucinated", "hallucination", "unfaithful", "not faithful", "fail", "failed",
    "inconsistent", "not consistent", "ungrounded", "not grounded", "unsupported",
    "not supported", "nonfactual", "non factual", "not factual", "not entailment",
    "not entailed", "neutral", "contradiction", "contradicted", "contradicts", "refuted",
    "refutes", "baseless", "fabricated", "not enough info", "not enough information",
    "not attributable", "incorrect",
)  # fmt: skip
YES = (
    "1", "1.0", "1,0", "100%", "true", "yes", "y", "✓", "✔", "✅", "☑", "ja", "wahr", "oui", "vrai",
    "sí", "verdadero", "sì", "vero", "sim",
)  # fmt: skip
NO = (
    "0", "0.0", "0,0", "0%", "false", "no", "n", "✗", "✘", "❌", "☒", "nein", "falsch", "non",
    "faux", "falso", "não",
)  # fmt: skip
_NAMES_HALLUCINATIONS = re.compile(
    r"hallu[cz]in|al+ucina|unfaithful|unsupported|not_supported|ungrounded|inconsisten|non_?factual"
    r"|incorrect"
)
_DENIES_THEM = re.compile(
    r"(?:^|_)(?:no|not|non|without|keine?|ohne|nicht|sans|sin|senza|sem)_?"
    r"(?:hallu[cz]in|al+ucina|unfaithful|unsupported|ungrounded|inconsisten)"
    r"|hallucinations?_?free"
)


def names_hallucinations(key: str) -> bool:
    """Whether a yes under a key means hallucinated; not where the name denies them.

    >>> names_hallucinations("is_hallucination"), names_hallucinations("no_hallucination")
    (True, False)
    """
    name = plain_name(key.rsplit(".", 1)[-1])
    return _NAMES_HALLUCINATIONS.search(name) is not None and _DENIES_THEM.search(name) is None


def read_label(value: object, key: str) -> int | None:
    """Read a label that is a number, a truth value or a word; ``docs/how-to/own-data.md`` lists
    the words.

    1 = supported, 0 = hallucinated; None where it says that nobody has judged. Raises InputError
    where it is any other value.

    >>> read_label("yes", "is_hallucination"), read_label("[PASS]", "label")
    (0, 1)
    """
    text = scalar_text(value)
    word = _word(text or "")
    if text is not None and says_no_label(word):
        return None
    if word in SUPPORTED:
        return 1
    if word in HALLUCINATED:
        return 0
    if word in (*YES, *NO):
        return int((word in YES) is not names_hallucinations(key))
    yes, no = (NO, YES) if names_hallucinations(key) else (YES, NO)
    raise InputError(
        f"{key} is {short(value)}, which is not a known label; write supported or {yes[0]} for a "
        f"supported answer, hallucinated or {no[0]} for a hallucinated one, or leave it empty "
        f"where nobody has judged{ALL_WORDS}"
    )


def is_label(value: object, key: str) -> bool:
    """Whether a value says what a label can say."""
    try:
        return read_label(value, key) is not None
    except InputError:
        return False


def _word(text: str) -> str:
    """A label in small letters, without the brackets around it ([PASS])."""
    word = text.strip().casefold().removesuffix("\ufe0f")
    while word[:1] + word[-1:] in ("[]", "()", '""', "''"):
        word = word[1:-1].strip()
    # Between letters only: -1 is not 1.
    return re.sub(r"(?<=[^\W\d_])[\s_-]+(?=[^\W\d_])", " ", word)
