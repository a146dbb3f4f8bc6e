"""Where a claim gives one named thing the value of another."""

from __future__ import annotations

from collections import Counter

import pytest

from provenance_core.text.exchanges import find_exchanges
from provenance_core.text.other_subjects import find_other_subject
from provenance_core.text.quantities import find_quantities

PLANS = "Velo Basic has 5 GB for 9 euros. Velo Plus has 20 GB for 19 euros. Velo Max has 60 GB."
MACHINES = "Aqua 5: capacity 7 kg, noise 72 dB.\nAqua 7: capacity 9 kg, noise 66 dB."
DAYS = "Friday, 11 July: Tin Harbour, Low Ledge. Saturday, 12 July: Mara Quill, Brass Union."
TOWNS = "Towns by population: Estrand 84,200; Calder 61,750; Neth 33,900."


@pytest.mark.parametrize(
    ("claim", "premise", "pairs"),
    [
        ("Velo Plus comes with 60 GB of data.", PLANS, [("60 GB", "20 GB")]),
        ("Velo Basic costs 19 euros.", PLANS, [("19 euros", "9 euros")]),
        (
            "The Aqua 7 holds 7 kg and the Aqua 5 holds 9 kg.",
            MACHINES,
            [("7 kg", "9 kg"), ("9 kg", "7 kg")],
        ),
        ("Mara Quill plays on Friday.", DAYS, [("Friday", "Saturday")]),
        # One word at the head of its sentence, and a name behind "is" or a comma.
        (
            "Brenna has 2,310 inhabitants.",
            "Lomma has 2,310 inhabitants. Brenna lies higher and has 412 inhabitants.",
            [("2,310", "412")],
        ),
        (
            "Brenna has 2,310 inhabitants.",
            "The largest, Lomma, has 2,310 inhabitants. The last is Brenna with 412 inhabitants.",
            [("2,310", "412")],
        ),
    ],
)
def test_a_value_of_another_subject(claim, premise, pairs):
    found = find_other_subject(claim, ["It rained.", premise])
    assert {each.premise for each in found} == {1}
    assert [(claim[e.start : e.end], premise[e.other_start : e.other_end]) for e in found] == pairs


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Velo Plus has 20 GB.", PLANS),
        ("Velo Max costs 19 euros more than Velo Basic.", PLANS),
        ("Velo Plus has 25 GB.", PLANS),
        ("Velo Plus 's plan has 20 GB.", PLANS),
        ("It has 60 GB.", PLANS),
        ("The Aqua 7 holds 9 kg and the Aqua 5 holds 7 kg.", MACHINES),
        ("Mara Quill plays on Saturday, 12 July.", DAYS),
        ("Neth has 33,900 inhabitants.", TOWNS),
        # "Admission" may be Brenna's.
        (
            "Brenna charges 5 euros to get in.",
            "Admission is 5 euros. Brenna charges 8 euros to park.",
        ),
        ("Brenna has 412 inhabitants.", "Lomma has 2,310 inhabitants. Brenna has 412 inhabitants."),
        (
            "Brenna has 2,310 inhabitants.",
            "Today has 2,310 inhabitants on record here, today. Brenna had 412 inhabitants.",
        ),
        # The pronoun may stand for another.
        ("It has only 20 GB, whereas Velo Max costs more.", PLANS),
        # What it is compared with.
        ("Velo Plus has far more data instead of 60 GB.", PLANS),
        # The second sentence goes on about the first one's subject.
        ("Velo Plus costs 30 euros.", "Velo Plus cost 20 euros once. The plan is 30 euros now."),
    ],
)
def test_what_is_its_own_or_unclear_is_none(claim, premise):
    assert find_other_subject(claim, ["It rained.", premise]) == ()


class CountedQuantity:
    """A quantity that counts how often its place is asked for."""

    def __init__(self, quantity, asked):
        self._quantity, self._asked = quantity, asked

    def __getattr__(self, name):
        self._asked[name] += 1
        return getattr(self._quantity, name)


@pytest.mark.parametrize("module", ["other_subjects", "parallels"])
def test_the_values_of_a_long_text_are_not_all_looked_at_for_each_sentence(module, monkeypatch):
    asked: Counter[str] = Counter()
    monkeypatch.setattr(
        f"provenance_core.text.{module}.find_quantities",
        lambda text: tuple(CountedQuantity(each, asked) for each in find_quantities(text)),
    )

    def work(sentences):
        asked.clear()
        # In words of its own: readers remember a text.
        text = " ".join(f"Lomma{n} Vale of {module} has {n} mills." for n in range(sentences))
        find_exchanges("Brenna has 2,310 mills.", [text])
        return asked.total()

    assert 0 < work(800) < 3 * work(400)
