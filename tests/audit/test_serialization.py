"""What is read from JSON is of the types that it says, or is refused with its place."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from provenance_core import InputError
from provenance_core.audit.serialization import from_plain, to_plain
from provenance_core.types import ADDED_LATER, FindingType, Sentence


@dataclass(frozen=True, slots=True)
class Several:
    """A tuple of several types, sentences, an enum or None, and a field that came later."""

    mixed: tuple[int, str, float]
    sentences: tuple[Sentence, ...]
    type: FindingType | None
    certain: bool = False
    later: int = field(default=3, metadata=ADDED_LATER)


GIVEN = {
    "mixed": [1, "x", 2],
    "sentences": [{"index": 0, "start": 0, "end": 1, "text": "a"}],
    "type": "abstention",
    "certain": True,
}


def test_every_element_of_a_tuple_is_read_by_its_own_type():
    found = from_plain(Several, GIVEN)
    assert found == Several((1, "x", 2.0), (Sentence(0, 0, 1, "a"),), FindingType.ABSTENTION, True)
    assert type(found.mixed[2]) is float
    assert to_plain(found) == {**GIVEN, "mixed": [1, "x", 2.0], "later": 3}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("mixed", [1, 2, 3.0], r"Several.mixed\[1\]: str expected, not int."),
        ("mixed", [1, "x"], "Several.mixed: Not enough values"),
        ("mixed", "abc", "Several.mixed: a list was expected, not str."),
        ("sentences", [{"index": 0}], r"Several.sentences\[0\]: the field 'start' is missing."),
        ("sentences", [[]], r"Several.sentences\[0\]: an object was expected, not list."),
        (
            "sentences",
            [{**GIVEN["sentences"][0], "start": True}],
            r"Several.sentences\[0\].start: int expected, not bool.",
        ),
        ("type", "other", "Several.type: 'other' is not a valid FindingType."),
        ("certain", 1, "Several.certain: bool expected, not int."),
    ],
)
def test_another_type_is_refused_with_its_place(name, value, said):
    with pytest.raises(InputError, match=said):
        from_plain(Several, {**GIVEN, name: value})


def test_a_field_with_a_default_may_be_missing_only_where_it_came_later():
    without = {name: value for name, value in GIVEN.items() if name != "certain"}
    with pytest.raises(InputError, match=r"Several: the field 'certain' is missing\."):
        from_plain(Several, without)
