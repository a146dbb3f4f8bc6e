"""Details of a claim: what a premise states in another writing, contradicts, or lacks."""

import pytest

from provenance_core.findings.details import (
    DetailStatus,
    compare_details,
    conflicts,
    find_missing_details,
    in_same_words,
    other_writings,
    read_premises,
)
from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.quantities import find_quantities
from provenance_core.findings.same_writing import as_context_writes
from provenance_core.types import Sentence


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Profits fell 12%.", "Profits fell 12 percent."),
        ("Profits fell 12 per cent.", "Profits fell 12%."),
        ("They sold 1,200 tickets.", "They sold 1200 tickets."),
        ("It has twelve rooms.", "There are 12 rooms."),
        ("It has 25 rooms.", "There are twenty-five rooms."),
        ("It is 8 km long.", "It is 8 kilometres long."),
        ("It is 8 km long.", "It is 8,000 metres long."),
        ("It is 5 miles long.", "It is 8 km long."),
        ("It opened on 3 May 1990.", "It opened on May 3, 1990."),
        ("It opened on 3 May 1990.", "It opened on 1990-05-03."),
        ("It opened in May 1990.", "It opened on 3 May 1990."),
        ("It opened in 1990.", "it opened on may 3rd, 1990."),
        ("He earned $5 million.", "He earned 5,000,000 dollars."),
        ("It cost 12,99 dollars.", "It cost $12.99."),
        ("It got CHF 2'000'000.", "It got 2 million Swiss francs."),
        ("It made 330 million.", "It made 330m."),
        ("About 300 people came.", "312 people came."),
        ("It opens at 9 am.", "Monday is 9:0-17:0."),
        ("It closes at 5 p.m.", "Monday is 9:0-17:0."),
        ("It was in the 1990s.", "It was in 1994."),
        ("It was in the 19th century.", "It was in 1870."),
        ("Two thirds voted.", "67% voted."),
        ("It is the 3rd floor.", "It is the third floor."),
        ("It lasts 5½ hours.", "It lasts 5-1/2 hours."),
        ("The rope is 5 to 8 m.", "The rope is between 5 m and 8 m."),
        ("They go at 30 kilometres per hour.", "Cars go at 30 km/h."),
        ("They go at 30 miles an hour.", "Cars go at 30 mph."),
        ("The lake covers 38 km².", "The lake covers 38 square kilometres."),
        ("The flat has 60 sq. m.", "The flat has 60 m²."),
        ("The tank holds 3 cubic metres.", "The tank holds 3000 litres."),
        ("It closes at half past five.", "It closes at 17:30."),
        ("It opens at a quarter to nine.", "It opens at 8:45."),
        ("One in five left.", "20 % left."),
        ("It happens to 1 % of patients.", "It happens to fewer than 1 in 100 patients."),
        ("Three in ten said no.", "3 out of 10 said no."),
        ("It was out by noon.", "It was out by midday."),
        ("It began just after four on Wednesday morning.", "On Wednesday it began at 4 a.m."),
        ("It closes at five in the afternoon.", "It closes at 17:00."),
        ("It closes at 8 o'clock in the evening.", "It closes at 20:00."),
        ("It closes at eight o'clock.", "It closes at 8 p.m."),
        ("A tour takes an hour and a half.", "A tour takes 90 minutes."),
        ("It takes two and a half hours.", "It takes 150 minutes."),
        ("It takes half an hour.", "It takes 30 minutes."),
        ("The WHO said so.", "The World Health Organization said so."),
        ("Then the World Health Organization left.", "The WHO left."),
        ("She met Åsa’s brother.", "She met the brother of Asa."),
    ],
)
def test_another_writing_states_the_same(claim, premise):
    found = compare_details(claim, [premise])
    assert found
    assert {each.status for each in found} == {DetailStatus.STATED}


@pytest.mark.parametrize(
    ("claim", "premise", "text", "other"),
    [
        (
            "It is about 16 kilometres.",
            "It is nearly 8 kilometres.",
            "16 kilometres",
            "8 kilometres",
        ),
        ("The dog weighs 32 kg.", "At birth the dog weighs 23kg.", "32 kg", "23kg"),
        ("It is 8 km long.", "It is 8 miles long.", "8 km", "8 miles"),
        ("Profits fell 14%.", "Profits fell 12 percent.", "14%", "12 percent"),
        ("It opened on 3 May 1990.", "It opened on 4 May 1990.", "3 May 1990", "4 May 1990"),
        ("It opened in 1932.", "It opened in 1923.", "1932", "1923"),
        ("The shop closes on Tuesday.", "The shop closes on Sunday.", "Tuesday", "Sunday"),
        ("It is the second-largest city.", "It is the third-largest city.", "second", "third"),
        ("It has twelve rooms.", "It has 14 rooms with 12 windows.", "twelve", "14"),
        ("It costs €20.", "It costs 25 euros.", "€20", "25 euros"),
        ("It earned $5 million.", "It earned 5 million euros.", "$5 million", "5 million euros"),
        ("It was designed by Anna Berg.", "It was designed by Tom Hill.", "Anna Berg", "Tom Hill"),
        ("They met John Smith there.", "They met James Smith there.", "John Smith", "James Smith"),
        ("The Vesper tower is 74 feet tall.", "It stands 74 metres.", "74 feet", "74 metres"),
        ("Drivers must keep to 30 mph.", "Cars may cross at 30 km/h.", "30 mph", "30 km/h"),
        (
            "It will cost 2.6 billion.",
            "The repair costs 2.6 million.",
            "2.6 billion",
            "2.6 million",
        ),
    ],
)
def test_another_value_for_the_same_thing_is_a_conflict(claim, premise, text, other):
    premises = ["Nothing is said here.", premise]
    (found,) = conflicts(claim, premises)
    assert (found.text, found.other, found.premise) == (text, other, 1)
    assert claim[found.start : found.end] == text
    assert premises[1][found.other_start : found.other_end] == other


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Paris has 2 million people.", "Cats sleep 16 hours a day."),
        ("It opened in 1932.", "The war began in 1914 in the north of the country."),
        ("It opened in 1932 and closed in 1977.", "It opened in 1932."),
        ("She paid $40 for the ticket.", "The museum has 300 rooms and 12 halls."),
        ("It lasts 12 months.", "She was 12 years old."),
        ("It is 5 km away.", "The wall is 5 metres high."),
    ],
)
def test_what_is_about_something_else_is_no_conflict(claim, premise):
    found = compare_details(claim, [premise])
    assert DetailStatus.CONFLICTING not in {each.status for each in found}
    assert DetailStatus.MISSING in {each.status for each in found}


def test_a_value_that_any_premise_states_is_no_conflict():
    assert conflicts("The trail is 16 km.", ["The trail is 8 km.", "The trail is 16 km."]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "See [2] and [3, 4].",
        "Passage 3 says so, and so do documents 1 and 2.",
        "1) rinse it, 2) dry it",
        "One of them is the first of all.",
        "COVID-19 is a disease.",
        "The third passage says so.",
        "According to 1, it is old.",
        "It is old, according to 1 and 3.",
    ],
)
def test_pointers_and_common_words_are_no_details_to_miss(text):
    assert [each for each in compare_details(text, ["Nothing."]) if each.kind != "name"] == []


@pytest.mark.parametrize(
    "text",
    [
        "It is old (Passage 1).",
        "It is old (Passages 1 and 2)",
        "As Passage ID 2 says, it is old.",
        "It is old, says Source 5.",
        "It is old (Meyer et al., 2019).",
    ],
)
def test_a_pointer_holds_no_name_and_no_number(text):
    assert compare_details(text, ["Nothing."]) == ()


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("It pays 40\u201355 thousand euros.", "It pays between 40,000 and 55,000 euros."),
        ("It pays 40-55k euros.", "It pays between 40,000 and 55,000 euros."),
        ("It costs 3 to 4 million euros.", "It costs between 3,000,000 and 4,000,000 euros."),
        ("It costs 3,000,000 to 4,000,000 euros.", "It costs 3 to 4 million euros."),
        ("It has 900 to 1 million users.", "It has 900 users, later 1,000,000 users."),
        ("Es kostet 1,25 Millionen Euro.", "Es kostet 1.250.000 Euro."),
        ("Es sind 2 Milliarden Euro.", "Es sind 2.000.000.000 Euro."),
        ("Er ist 3,5 Kilometer lang.", "Er ist 3,5 km lang."),
        ("Cela co\u00fbte 1,5 milliards.", "Cela co\u00fbte 1 500 000 000."),
    ],
)
def test_the_same_value_is_stated_however_it_is_written(claim, premise):
    found = [each for each in compare_details(claim, [premise]) if each.kind != "name"]
    assert found and {each.status for each in found} == {DetailStatus.STATED}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The mill (about 12) is old.", ["12"]),
        ("The bridge met it (0.42) and held.", ["0.42"]),
        ("The list (arrival 07:15) is new.", ["07:15"]),
        ("It cools (down to -18) at night.", ["-18"]),
        ("1) rinse the 14 cups (twice), 2) dry them", ["14 cups"]),
    ],
)
def test_a_number_before_a_closing_bracket_counts(text, numbers):
    found = compare_details(text, ["Nothing."])
    assert [each.text for each in found if each.kind != "name"] == numbers


def test_details_of_each_kind_are_compared():
    claim = "In 1932 Anna Berg sold 12 boats to Rome."
    found = compare_details(claim, ["In 1933 Berg sold 14 boats to Rome."])
    assert [(each.kind.value, each.status.value) for each in found] == [
        ("date", "conflicting"),
        ("name", "missing"),
        ("number", "conflicting"),
        ("name", "stated"),
    ]


def test_missing_details_include_what_is_in_conflict_and_skip_the_marker():
    text = "6. Rinse it for 5 minutes at 40 °C."
    found = find_missing_details(
        [Sentence(0, 10, 10 + len(text), text)], ["Rinse it for 3 minutes."]
    )
    assert [(each.kind, each.text) for each in found] == [
        ("number", "5 minutes"),
        ("number", "40 °C"),
    ]
    assert all(text[each.start - 10 : each.end - 10] == each.text for each in found)


def test_values_do_not_overlap_and_have_their_places():
    text = "From 1914–18 it made $1.2m, or two thirds, by 5 p.m. on the 3rd of May, 1990."
    found = find_quantities(text)
    assert [text[q.start : q.end] for q in found] == [
        "1914",
        "18",
        "$1.2m",
        "two thirds",
        "5 p.m.",
        "3rd of May, 1990",
    ]
    assert found[2].value == 1.2e6


@pytest.mark.parametrize(
    ("claim", "premise", "writing"),
    [
        ("More than half of them cycle.", "62 % of them cycle.", "62 % of them cycle."),
        ("It is over 60 km long.", "It is 62 km long.", "It is 62 km long."),
        ("It is 60 km or more.", "It is 62 km long.", "It is 62 km."),
        ("At least 600 people came.", "640 people came.", "640 people came."),
        ("It cost less than $3 million.", "It cost $2.4 million.", "It cost $2.4 million."),
        ("It opened before 1920.", "It opened in 1911.", "It opened in 1911."),
        ("It began before April 2014.", "It began on 3 March 2014.", "It began on 3 March 2014."),
        ("It opened in the early 20th century.", "It opened in 1911.", "It opened in 1911."),
        ("It was built in the first half of the 14th century.", "It was built in 1347.",
         "It was built in 1347."),
        ("It opened in the 1910s.", "It opened in 1911.", "It opened in 1911."),
        ("No fewer than 600 people came.", "640 people came.", "640 people came."),
        ("It weighs not less than 8 kg.", "It weighs 9 kg.", "It weighs 9 kg."),
        ("It costs never more than five euros.", "It costs at most five euros.",
         "It costs at most five euros."),
        ("No more than 40 visitors may come.", "Up to 40 visitors may come.",
         "Up to 40 visitors may come."),
    ],
)  # fmt: skip
def test_an_edge_or_a_period_holds_the_exact_value(claim, premise, writing):
    assert not conflicts(claim, [premise])
    assert as_context_writes(claim, [premise]) == writing


@pytest.mark.parametrize(
    ("claim", "premise", "other"),
    [
        ("It is less than 60 km long.", "It is 62 km long.", "62 km"),
        ("It is over 70 km long.", "It is 62 km long.", "62 km"),
        ("It cost less than 2 million euros.", "It cost 2.4 million euros.", "2.4 million euros"),
        ("It opened after 1920.", "It opened in 1911.", "1911"),
        ("It began after April 2014.", "It began on 3 March 2014.", "3 March 2014"),
        ("Bags under 40 kg are free.", "Bags under 32 kg are free.", "32 kg"),
        ("Up to 50 visitors may come.", "15 visitors may come.", "15"),
        ("It weighs not less than 10 kg.", "It weighs 9 kg.", "9 kg"),
        ("It costs no more than five euros.", "It costs at most nine euros.", "nine euros"),
    ],
)
def test_an_edge_that_does_not_hold_the_exact_value_is_in_conflict(claim, premise, other):
    (found,) = conflicts(claim, [premise])
    assert found.other == other
    assert as_context_writes(claim, [premise]) == claim


def test_a_part_of_a_century_that_does_not_hold_the_year_is_read_as_written():
    claim = "It opened in the late 20th century."
    assert as_context_writes(claim, ["It opened in 1911."]) == claim


@pytest.mark.parametrize(
    "text", ["Children of 12 may use the spa.", "In the second quarter of the year it rose."]
)
def test_a_verb_is_no_month_and_a_period_no_share(text):
    assert {each.unit for each in find_quantities(text)} <= {"", "ordinal"}


def test_the_value_in_the_same_place_of_its_clause_is_the_other_one():
    context = "Check-in is from 3 p.m., check-out is until 11 a.m. Late check-out costs 20 euros."
    (found,) = conflicts("Check-out is until noon.", [context])
    assert found.other.startswith("11 a.m")
    (found,) = conflicts("Check-in is from 2 p.m.", [context])
    assert found.other.startswith("3 p.m")


def test_however_many_claims_there_are_each_premise_is_read_once(monkeypatch):
    read = []

    def counted(text):
        read.append(text)
        return find_quantities(text)

    monkeypatch.setattr("provenance_core.findings.read_texts.find_quantities", counted)
    # More than any cache holds.
    given = [f"Of the {n:,} mills of the town, some closed." for n in range(1_000, 8_000)]
    premises = read_premises(given)
    for number in (1_500, 2_500, 7_999):
        claim = f"The town had {number} mills."
        (found,) = other_writings(claim, premises)
        assert (found.text, found.other) == (str(number), f"{number:,}")
        assert other_writings(claim, premises) == (found,)
    assert sum(text.startswith("Of the") for text in read) == len(given)


_PRICES = [
    "€15",
    "15 euros",
    "15 €",
    "15€",
    "15 EUR",
    "EUR 15",
    "fifteen euros",
    "€15.00",
    "15,00 €",
]


@pytest.mark.parametrize("time", ["at 15:00", "at 6 pm", "6–7 pm", "at six o'clock", "pm"])
@pytest.mark.parametrize("claim", _PRICES)
@pytest.mark.parametrize("premise", _PRICES)
def test_a_price_beside_a_time_is_the_same_in_every_writing(claim, premise, time):
    stated = f"Entry is {premise} {time}, and the tour {time} is {premise} for a guest."
    for text in (f"Entry is {claim}.", f"Entry is {claim} {time}.", f"The tour {time} is {claim}."):
        found = [each for each in compare_details(text, [stated]) if each.kind != "name"]
        assert {each.status for each in found} == {DetailStatus.STATED}


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("It is $15.", "It is USD 15 at 15:00."),
        ("It is US$15.", "It is 15 dollars at 6 pm."),
        ("It is 15 pounds.", "It is GBP 15 at 6 pm."),
        ("It is €0.50.", "It is 50 cents."),
        ("It cost 1.5m euros.", "It cost €1.5 million."),
        ("1.5m people came.", "1.5 million people came."),
        ("It takes 2 h.", "It takes two hours."),
        ("It is 5km long.", "It is 5 kilometres long."),
        ("It is 10 %.", "It is 10 per cent."),
        ("It is 10 percent.", "It is 10 per cent."),
        ("Es sind 1.240 Euro.", "Es sind 1240 €."),
        ("It has 1 240 seats.", "It has 1,240 seats."),
        ("Es sind 1.240,50 €.", "It is 1,240.50 euros."),
        ("It was €3.7 million.", "Es waren 3,7 Mio. € im Jahr."),
    ],
)
def test_a_currency_a_unit_and_a_number_are_the_same_in_every_writing(claim, premise):
    for one, other in ((claim, premise), (premise, claim)):
        found = [each for each in compare_details(one, [other]) if each.kind == "number"]
        assert found
        assert {each.status for each in found} == {DetailStatus.STATED}


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Entry is 16 euros at 6 pm.", "Entry is €15 at 6 pm."),
        ("Entry is 15 dollars at 6 pm.", "Entry is 15 € at 6 pm."),
        ("Entry is 1.250 € here.", "Entry is 1,240 euros here."),
    ],
)
def test_another_price_beside_a_time_is_in_conflict(claim, premise):
    assert len(conflicts(claim, [premise])) == 1


@pytest.mark.parametrize(
    ("claim", "premise", "status"),
    [
        # Seconds, and no decade.
        ("Soak it for 30 seconds.", "Soak it for 30 s.", "stated"),
        ("Soak it for 30 minutes.", "Soak it for 30 s.", "conflicting"),
        ("It was built in the 1990s.", "It was built in the 1990 s.", "missing"),
        ("It stores 40 kWh.", "It stores 40,000 Wh.", "stated"),
        ("It stores 40 MWh.", "It stores 40 kWh.", "conflicting"),
        ("It runs at 2.4 GHz.", "It runs at 2,400 MHz.", "stated"),
        # Days in digits: in either order, unless another date of the text shows which.
        ("It closed on 5 November 2023.", "It closed on 05/11/2023.", "stated"),
        ("It closed on 11 May 2023.", "It closed on 05/11/2023.", "stated"),
        ("It closed on 5 March 2023.", "It closed on 05/11/2023.", "conflicting"),
        (
            "It closed on 11 May 2023.",
            "It closed on 05/11/2023, not 5/30/2023.",
            "stated",
        ),
        ("It closed 5 November 2023.", "It closed on 05/11/2023, not 5/30/2023.", "conflicting"),
        ("It closed on 5 November 2023.", "It closed on 05-11-2023.", "stated"),
        ("It closed on 11 May 2023.", "It closed on 05.11.2023.", "conflicting"),
        ("It closed on 14 March 1999.", "It closed on 1999-03-14T10:00.", "stated"),
        ("It closed on 14 March 1999.", "It closed on 1999/03/14.", "stated"),
        # Stretches of years.
        ("It was built in the 1800s.", "It was built in 1874.", "stated"),
        ("It was built in the 1990s.", "It was built in 1974.", "conflicting"),
        ("It was built in the 19th century.", "It was built in the 1870s.", "stated"),
        ("It was built in the 18th century.", "It was built in 1874.", "conflicting"),
        ("It was built in the 19th century.", "It was built in 1874.", "stated"),
    ],
)
def test_units_and_dates_are_read_as_they_are_written(claim, premise, status):
    found = [each for each in compare_details(claim, [premise]) if each.kind is not DetailKind.NAME]
    assert [each.status.value for each in found] == [status]


def test_the_same_number_in_another_unit_is_a_sure_conflict():
    premises = ["The lake is 85 metres deep."]
    first, second = "It has a depth of 85 feet.", "It has a depth of 80 feet."
    (found,) = in_same_words(first, conflicts(first, premises), premises)
    assert found.other == "85 metres"
    assert not in_same_words(second, conflicts(second, premises), premises)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The train takes 2 h 5 min.", "The train takes 125 minutes."),
        ("The train takes 125 minutes.", "The train takes 2 hours and 5 minutes."),
        ("The wall is 5 feet 6 inches high.", "The wall is 66 inches high."),
        ("Sales rose in Q3 2023.", "Sales rose in the third quarter of 2023."),
        ("Sales rose in the third quarter.", "Sales rose in Q3."),
        ("It cost 1.234.567,89 euros.", "It cost 1,234,567.89 euros."),
        ("The trail is 5\u20138 km long.", "The trail is between 5 and 8 km long."),
        ("The hall seats about 5,000 people.", "The hall seats 4,987 people."),
        ("Two in three members voted.", "67 % of the members voted."),
        ("The bell weighs 1.5 t.", "The bell weighs 1,500 kg."),
    ],
)
def test_one_value_in_other_words_is_stated(claim, premise):
    assert {each.status for each in compare_details(claim, [premise])} == {DetailStatus.STATED}


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("In total 20 people came.", "12 adults and 8 children came."),  # their sum
        ("Twenty people visited the mill.", "12 adults and 8 children visited the mill."),
        ("The trail is 6 km long.", "The trail is 5 to 8 km long."),  # within the range
        ("The pump costs about €50,000.", "The pump costs between €40,000 and €55,000, as built."),
        ("It costs 5 euros more than before.", "It cost 10 euros, and it costs 15 euros now."),
        ("The class has 3 girls more than boys.", "The class has 12 girls and 9 boys."),
        ("He was 45 when he died in 1950.", "He was born in 1905 and died in 1950."),
    ],
)
def test_a_number_without_an_exact_partner_is_unknown(claim, premise):
    statuses = {each.status for each in compare_details(claim, [premise])}
    assert DetailStatus.MISSING in statuses
    assert DetailStatus.CONFLICTING not in statuses


@pytest.mark.parametrize(
    ("claim", "premise", "instead"),
    [
        ("In total 21 people came.", "12 adults and 8 children came.", "8"),
        ("The trail is 9 km long.", "The trail is 5 to 8 km long.", "5"),
        ("Sales rose in Q2.", "Sales rose in Q3.", "Q3"),
        ("The train takes 2 h 15 min.", "The train takes 125 minutes.", "125 minutes"),
        (
            "The train takes 135 minutes.",
            "It takes 2 hours and 5 minutes.",
            "2 hours and 5 minutes",
        ),
        ("The fee is 60 % of the price.", "The fee is half of the price.", "half"),
        ("It closes at 7 pm.", "It closes at 18:00.", "18:00"),
    ],
)
def test_another_value_is_still_found(claim, premise, instead):
    assert [each.other for each in conflicts(claim, [premise])] == [instead]


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("He loses his friend in Book 23.", "Homer: The Iliad Book XXIII"),
        ("They tested it in Phase 3.", "They tested it in phase III."),
        ("He wept in Homer's Iliad.", "Homer: The IliadBook XXIII"),
        ("Copper (Cu) displaces iron.", "Copper can be displaced by iron."),
    ],
)
def test_what_the_premise_writes_in_another_way_is_not_missing(claim, premise):
    assert {each.status for each in compare_details(claim, [premise])} <= {DetailStatus.STATED}


@pytest.mark.parametrize(
    ("claim", "premise", "missing"),
    [
        ("They tested it in Phase 3.", "World War III ended.", "3"),
        ("It has 23 rooms.", "The Iliad, Book XXIII", "23"),
        ("It is Silver (Ag).", "Copper can be displaced by iron.", "Ag"),
    ],
)
def test_a_roman_number_and_a_sign_are_those_of_something(claim, premise, missing):
    found = compare_details(claim, [premise])
    assert missing in [each.text for each in found if each.status is DetailStatus.MISSING]


def test_a_name_ends_before_its_quotation_mark():
    (found,) = compare_details("They sell 'Ein Gedi' now.", ["They sell water."])
    assert found.text == "Ein Gedi"


def test_a_name_at_the_head_of_a_sentence_is_named_whole():
    (found,) = compare_details("South Carolina grows peaches.", ["California grows peaches."])
    assert found.text == "South Carolina"
