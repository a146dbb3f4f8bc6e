"""A value that the context states is read as the context writes it; another value is left alone."""

from __future__ import annotations

import pytest

from provenance_core import Provenance
from provenance_core.findings.same_writing import as_context_writes


@pytest.mark.parametrize(
    ("claim", "context", "read"),
    [
        ("It had 1240 patients.", "A trial with 1,240 patients.", "It had 1,240 patients."),
        ("It holds fifteen thousand people.", "15,000 people fit in.", "It holds 15,000 people."),
        ("It cost $3,000,000.", "The cost was $3 million.", "It cost $3 million."),
        ("It costs \u00a350, 000.", "It costs \u00a350,000.", "It costs \u00a350,000."),
        ("It takes 720 minutes.", "It takes twelve hours.", "It takes twelve hours."),
        ("It is 8,000 metres long.", "It is 8 km long.", "It is 8 km long."),
        ("It is about 5 miles long.", "It is 8 km long.", "It is about 8 km long."),
        ("It holds about 1,300 objects.", "It holds 1,274 objects.", "It holds 1,274 objects."),
        ("It holds nearly 1,300 objects.", "It holds 1,274 objects.", "It holds 1,274 objects."),
        ("About 1,300 objects.", "It holds 1,274 objects.", "1,274 objects."),
        ("It is nearly 8 km long.", "It is about 8 km long.", "It is about 8 km long."),
        ("Born on 1990-05-03.", "She was born on 3 May 1990.", "Born on 3 May 1990."),
        ("It opens at 18:30.", "It opens at 6:30 pm.", "It opens at 6:30 pm."),
        ("It was signed in March 1999.", "Signed on 1999-03-14.", "It was signed on 1999-03-14."),
        ("In March 1999 it was signed.", "Signed: 14.03.1999.", "On 14.03.1999 it was signed."),
    ],
)
def test_the_same_value_is_read_as_the_context_writes_it(
    claim: str, context: str, read: str
) -> None:
    assert as_context_writes(claim, [context]) == read


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("It had 1250 patients.", "A trial with 1,240 patients."),
        ("It costs \u00a350, 000 a year.", "It costs \u00a350.00 a year."),
        ("It had nearly 1,200 patients.", "A trial with 1,240 patients."),  # it had more
        ("It holds over 1,300 objects.", "It holds 1,274 objects."),
        ("It is nearly 8 km long.", "It is 16 km long."),
        ("Born in 1990.", "She was born on 3 May 1990."),  # a part of it
        ("It was signed in May 1999.", "It was signed on 1999-03-14."),
        ("It was signed in May 1999.", "It was signed on 05/11/1999."),  # or in November
        ("It was signed in March 1999.", "It was signed on 14 March 1999."),  # any model reads it
        ("It opens at 6:30.", "It opens at 18:30."),  # morning or evening?
        ("It is 5 to 8 km long.", "It is 8,000 metres long."),  # the unit is that of both
        ("It has 12 rooms.", "It has 14 rooms with twelve windows."),  # counts something else
        ("It was 30 °C.", "The road turns by 30 degrees."),
        ("A 12-hour walk.", "It takes twelve hours."),
        ("Half of them came.", "50 percent of them came."),
    ],
)
def test_what_is_not_just_the_same_value_is_left_alone(claim: str, context: str) -> None:
    assert as_context_writes(claim, [context]) == claim


def test_of_several_places_the_closest_says_how_it_is_written() -> None:
    context = ["The fee is 1.5 million euros.", "The trial had 1,500,000 patients in all."]
    assert as_context_writes("The trial had 1.5 million patients.", context) == (
        "The trial had 1,500,000 patients."
    )


def test_an_audit_reads_the_claim_so_and_shows_the_answer_as_it_was_given(
    provenance: Provenance,
) -> None:
    answer = "The trial had 1240 patients. It ended in May."
    context = ["The trial had 1,240 patients and ended in May."]
    audit = provenance.audit(answer=answer, context=context)
    assert audit.evidence.claims[0].text == "The trial had 1,240 patients."
    assert audit.sentences[0].sentence.text.strip() == "The trial had 1240 patients."
    as_written = provenance.audit(answer=answer.replace("1240", "1,240"), context=context)
    assert audit.evidence.claim_scores == as_written.evidence.claim_scores
