"""Whether a judgement fits the audit that it is of."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from unicodedata import normalize

from provenance_core.errors import InputError
from provenance_core.review.types import Judgement
from provenance_core.types import Evidence

MOST_NAME_CHARACTERS = 80
MOST_COMMENT_CHARACTERS = 10_000
MOST_LABEL_CHARACTERS = 40
# Keys that a label of the team's own may have: nothing else on the Review page has them, and
# Streamlit keeps C and R to itself.
LABEL_KEYS = ("4", "5", "6", "7", "8", "9", "0", "B", "F", "G", "I", "O", "U", "Y", "Z")


def folded_name(name: str) -> str:
    """What two spellings of a name have in common, whatever their case and Unicode form."""
    return normalize("NFKC", normalize("NFKC", name).casefold()).strip()


def composed_name(name: str) -> str:
    """The name in composed characters, without white space around it."""
    return normalize("NFC", name).strip()


def reviewer_name(given: str) -> str:
    """The name of a reviewer as :func:`composed_name` has it. Raises InputError if it is empty, or
    over 80 characters long."""
    name = composed_name(given)
    if not name:
        raise InputError("The reviewer's name is empty. Enter who judges.")
    if len(name) > MOST_NAME_CHARACTERS:
        raise InputError(
            f"The reviewer's name has {len(name):,} characters; the most is "
            f"{MOST_NAME_CHARACTERS}. Shorten it."
        )
    return name


def label_key(given: str) -> str:
    """The key of a label of the team's own set, a capital letter or a digit. Raises InputError
    where it is none of :data:`LABEL_KEYS`."""
    key = given.upper()
    if key not in LABEL_KEYS:
        raise InputError(
            f"The key {given!r} gives no label. Choose one of {', '.join(LABEL_KEYS)}; the Review "
            "page has the others."
        )
    return key


def label_name(given: str) -> str:
    """The name of a label of the team's own set, without white space around it. Raises InputError
    where it is empty, too long, or has a separator of the exports."""
    name = composed_name(given)
    if not name:
        raise InputError("The label's name is empty. Enter what the label says.")
    if len(name) > MOST_LABEL_CHARACTERS:
        raise InputError(
            f"The label's name has {len(name):,} characters; the most is {MOST_LABEL_CHARACTERS}. "
            "Shorten it."
        )
    if any(sign in name for sign in ";|\n"):
        raise InputError(
            "A label's name cannot contain “;”, “|” or a line break, which separate labels in the "
            "exports."
        )
    return name


def check_comment(comment: str) -> None:
    """Raise InputError where a comment is too long to be kept."""
    if len(comment) > MOST_COMMENT_CHARACTERS:
        raise InputError(
            f"The comment has {len(comment):,} characters; the most is "
            f"{MOST_COMMENT_CHARACTERS:,}. Shorten it."
        )


def check_judgement(judgement: Judgement, evidence: Evidence) -> None:
    """Check that a judgement speaks of an audit's own sentences, chunks and spans, and of each
    once. Raises InputError where it speaks of another one, or twice of the same; the message says
    which."""
    check_comment(judgement.comment)
    if any(label_name(label) != label for label in judgement.labels):
        raise InputError("A label has white space around its name. Remove it.")
    if len({*judgement.labels}) < len(judgement.labels):
        raise InputError("A label is given twice. Give each once.")
    _check_indices("sentence", (s.index for s in judgement.sentences), len(evidence.sentences))
    _check_indices("chunk", (c.index for c in judgement.chunks), len(evidence.chunks))
    length = len(evidence.answer)
    for span in judgement.spans:
        if not 0 <= span.start < span.end <= length:
            raise InputError(
                f"The span from character {span.start} to {span.end} is not a part of the answer, "
                f"which has the characters 0 to {length}."
            )
    for one, other in pairwise(sorted((s.start, s.end, str(s.type)) for s in judgement.spans)):
        if one == other:
            raise InputError(
                f"The span from character {one[0]} to {one[1]} is marked twice as {one[2]}. "
                "Remove one of the two."
            )


def _check_indices(what: str, given: Iterable[int], count: int) -> None:
    seen: set[int] = set()
    for index in given:
        if not 0 <= index < count:
            raise InputError(
                f"There is no {what} {index + 1}: the audit has {count} {what}"
                f"{'' if count == 1 else 's'}."
            )
        if index in seen:
            raise InputError(f"{what.capitalize()} {index + 1} is judged twice.")
        seen.add(index)
