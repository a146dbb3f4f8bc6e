"""A sentence is held against what it cites; the verdict does not depend on it."""

from __future__ import annotations

import pytest

from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.cli.audit_text import audit_text
from provenance_core.explain import audit_summary, citations_text, cited_sentences
from provenance_core.explain.citations import CitationState
from provenance_core.explain.sentences import sentence_reasons
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.types import ContextItem
from reports.markup import answer_markup
from reports.side_by_side import side_by_side

ITEMS = [
    ContextItem(0, "Anna Meyer built the mill in 1911. It has twelve wheels.", "history.pdf"),
    ContextItem(1, "Adults pay 9 euros. Children under six enter free.", "<prices>.md"),
    ContextItem(2, "The museum is closed in January and on Mondays.", "hours.md"),
]


@pytest.fixture(scope="module")
def audit(provenance):
    answer = (
        "The mill was built in 1911 [1]. Adults pay 9 euros [3]. It has twenty wheels [1]. "
        "Children under six enter free [hours.md]. The museum is closed in January (x.pdf)."
    )
    return provenance.audit(answer=answer, context=ITEMS, query="Tell me about the mill museum.")


def test_a_citation_that_does_not_support_its_sentence_is_named_with_the_passage_that_does(audit):
    found = cited_sentences(audit)
    assert [each.state for each in found] == [
        CitationState.SUPPORTED,
        CitationState.ELSEWHERE,
        CitationState.UNSUPPORTED,
        CitationState.ELSEWHERE,
        CitationState.UNCLEAR,
    ]
    assert found[1].said == (
        "Supported, but not by what it cites ([3] is context item 3 \u201chours.md\u201d): C2 of "
        "context item 2 \u201c<prices>.md\u201d supports it, \u201cAdults pay 9 euros\u201d."
    )
    item = ITEMS[audit.evidence.chunks[found[1].chunk].item]
    assert item.text[found[1].start : found[1].end] == "Adults pay 9 euros."
    assert found[4].said == "(x.pdf) was not checked: no context item is called x.pdf."
    assert citations_text(audit) == (
        "5 sentences cite a source: S2, S4 are supported, but not by what is cited there; the "
        "citations of 1 were not checked. The verdict does not depend on it."
    )


def test_the_verdict_is_that_of_the_same_citations_in_other_places(audit, provenance):
    answer = audit.evidence.answer.replace("[3]", "[2]")
    right = provenance.audit(answer=answer, context=ITEMS, query=audit.evidence.query)
    assert (right.verdict, right.score) == (audit.verdict, audit.score)
    assert cited_sentences(right)[1].state is CitationState.SUPPORTED


def test_page_reports_command_line_and_json_say_it(audit):
    html = side_by_side(audit, sentence_reasons(audit))
    assert "item 2 \u201c&lt;prices&gt;.md\u201d supports it" in html and "<prices>" not in html
    assert "S2, S4 are supported, but not by what is cited there" in html
    assert "citation: Supported, but not by what it cites" in " ".join(audit_text(audit).split())
    cited = audit_summary(audit).sentences[1].cited
    assert cited is not None and cited.items == (2,)


def test_a_wrong_citation_stands_in_the_verdict_and_in_the_coloured_answer(audit, provenance):
    answer = "Adults pay 9 euros [1]. The mill was built in 1911 [1][9]. It has twelve wheels [9]."
    found = provenance.audit(answer=answer, context=ITEMS, query=audit.evidence.query)
    assert verdict_sentence(found) == (
        "All 3 sentences are supported by the context. S1 is supported, but not by what is cited "
        "there. S2, S3 cite an item that the context does not have."
    )
    cited = cited_sentences(found)
    assert [each.state for each in cited] == [
        CitationState.ELSEWHERE,
        CitationState.MISSING,
        CitationState.MISSING,
    ]
    assert cited[1].items == (0,)
    assert cited[2].said == "[9] does not exist: the context has no item 9."
    for html in (side_by_side(found, ()), answer_markup(found)):
        assert html.count('<small class="pv-type">wrong citation</small>') == 1
        assert html.count('<small class="pv-type">no such item</small>') == 2
    assert "wrong citation" not in answer_markup(provenance.audit(answer="So.", context=ITEMS))


def test_it_is_stored_and_an_answer_that_cites_nothing_has_none(audit, provenance):
    again = audit_from_json(audit_to_json(audit))
    assert again.evidence.citations == audit.evidence.citations
    assert cited_sentences(again) == cited_sentences(audit)
    plain = provenance.audit(answer="Adults pay 9 euros.", context=ITEMS)
    assert cited_sentences(plain) == () and citations_text(plain) == ""
    assert audit_summary(plain).sentences[0].cited is None
