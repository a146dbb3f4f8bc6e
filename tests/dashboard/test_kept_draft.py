"""What the browser kept of a judgement is read with care: it may be anything."""

import pytest

from dashboard.review.draft import Draft
from dashboard.review.kept_draft import read_draft
from provenance_core.audit.serialization import to_plain
from provenance_core.review.types import (
    ChunkMark,
    FindingType,
    JudgedChunk,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
)

DRAFT = Draft(
    JudgedVerdict.HALLUCINATED,
    FindingType.EVIDENT_CONFLICT,
    "Look <b>again</b>.",
    (JudgedSentence(0, JudgedVerdict.SUPPORTED, None),),
    (JudgedChunk(1, ChunkMark.SUPPORTS),),
    (JudgedSpan(3, 9, FindingType.EVIDENT_CONFLICT),),
)
PLAIN = to_plain(DRAFT)


@pytest.mark.parametrize("draft", [DRAFT, Draft(), Draft(comment="only words")])
def test_a_draft_comes_back_as_it_was(draft):
    assert read_draft(to_plain(draft)) == draft


@pytest.mark.parametrize(
    "found",
    [
        None,
        "draft",
        {},
        {**PLAIN, "verdict": "fine"},
        {**PLAIN, "comment": 3},
        {**PLAIN, "sentences": [{"index": "first", "verdict": "supported", "type": None}]},
        {**PLAIN, "spans": [3]},
    ],
)
def test_what_is_no_draft_is_not_read(found):
    assert read_draft(found) is None
