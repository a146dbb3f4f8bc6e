"""What the values of a label column mean: 1 (supported), 0 (hallucinated) or None (unknown)."""

from __future__ import annotations

import re

from provenance_core.errors import InputError
from provenance_core.files.formats._fields import short
from provenance_core.files.formats._record_keys import plain_name
from provenance_core.files.formats._scalars import scalar_text

SUPPORTED = (
    "supported", "faithful", "pass", "passed", "consistent", "grounded", "factual", "entailed",
    "entailment", "attributable", "correct", "not hallucinated", "no hallucination",
)  # fmt: skip
HALLUCINATED = (
    "hallucinated", "hallucination", "unfaithful", "not faithful", "fail", "failed",
    "inconsistent", "ungrounded", "not grounded", "unsupported", "not supported", "nonfactual",
    "non factual", "not entailment", "neutral", "contradiction", "refuted", "not attributable",
    "incorrect",
)  # fmt: skip
YES = ("1", "1.0", "true", "yes")
NO = ("0", "0.0", "false", "no")
_NAMES_HALLUCINATIONS = re.compile(
    r"hallucin|unfaithful|unsupported|not_supported|ungrounded|inconsisten|non_?factual|incorrect"
)
_DENIES_THEM = re.compile(
    r"(?:^|_)(?:no|not|non|without)_?(?:hallucin|unfaithful|unsupported|ungrounded|inconsisten)"
    r"|hallucinations?_?free"
)


def names_hallucinations(key: str) -> bool:
    """Whether a yes under a key means hallucinated.

    False also where the name denies them.

    Examples
    --------
    >>> names_hallucinations("is_hallucination"), names_hallucinations("no_hallucination")
    (True, False)
    """
    name = plain_name(key.rsplit(".", 1)[-1])
    return _NAMES_HALLUCINATIONS.search(name) is not None and _DENIES_THEM.search(name) is None


def read_label(value: object, key: str) -> int | None:
    """Read a label that is a number, a truth value or a word.

    ``docs/how-to/own-data.md`` lists the words.

    1 = supported, 0 = hallucinated; None when it is empty. Raises InputError It is any other value.

    Examples
    --------
    >>> read_label("yes", "is_hallucination"), read_label("Supported", "label")
    (0, 1)
    """
    text = scalar_text(value)
    # Between letters only: -1 is not 1.
    word = re.sub(r"(?<=[a-z])[\s_-]+(?=[a-z])", " ", (text or "").strip().casefold())
    if text is not None and not word:
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
        "where nobody has judged (docs/how-to/own-data.md lists all words)"
    )
