"""The words that pandas, SQL, JSON and people write where there is nothing."""

from __future__ import annotations

_NOTHING = frozenset(
    (
        "", "nan", "nat", "none", "null", "nil", "undefined", "n/a", "na", "n.a.", "<na>", "#n/a",
        "[]", "{}", "()", "[nan]", "[none]", "[null]", '[""]', "['']", "-", "--", "---", "–", "—",
    )
)  # fmt: skip
# Nobody has judged: a label may say so in words of its own.
_NO_LABEL = frozenset(
    (
        "?", "??", "tbd", "todo", "unknown", "unlabelled", "unlabeled", "not annotated",
        "not judged", "unjudged", "skip", "skipped", "unsure", "unclear", "undecided",
        "cannot tell", "can't tell",
    )
)  # fmt: skip
# What a program writes for an answer that is not there; a person may answer "None" or "-".
_NO_ANSWER = frozenset(("", "nan", "nat", "null", "undefined", "<na>", "#n/a"))


def says_nothing(text: str) -> bool:
    """Whether a text stands for no text at all.

    >>> says_nothing(" NaN "), says_nothing("[]"), says_nothing("None of them")
    (True, True, False)
    """
    return len(text) < 20 and text.strip().casefold() in _NOTHING


def says_no_label(text: str) -> bool:
    """Whether a label says that nobody has judged."""
    return says_nothing(text) or text.strip().casefold() in _NO_LABEL


def says_no_answer(text: str) -> bool:
    """Whether a program wrote the text for an answer that is not there."""
    return text.strip().casefold() in _NO_ANSWER if len(text) < 20 else not text.strip()
