"""What is wrong with an answer, in words and beside its evidence."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dashboard.audit.examples import CONTRADICTED, SUPPORTED, UNSUPPORTED
from provenance_core import Audit, Parameters, default_parameters, recompute
from provenance_core.audit.assembly import assemble
from provenance_core.explain.numbers import numbers_text
from provenance_core.explain.quotes import quoted
from provenance_core.explain.sentences import foreign_sentences, reason_texts, sentence_reasons
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.findings.answers import whole_amount
from provenance_core.types import SentenceLabel, SetAside, Verdict, VerdictState
from reports.audit_report import audit_report
from reports.formulas import formula_lines
from reports.markup import answer_markup, badges
from reports.score_steps import sentence_steps, sentence_text
from reports.side_by_side import first_changed, opened_first, side_by_side
from tests.conftest import hand_evidence


@pytest.fixture(scope="module")
def bridge(provenance) -> Audit:
    example = CONTRADICTED
    return provenance.audit(
        query=example.query, answer=example.answer, context=list(example.context)
    )


def test_the_verdict_names_the_wrong_words_and_what_the_context_says(bridge):
    # Another processor gives another third decimal.
    said = verdict_sentence(bridge)
    numbers = [float(number) for number in re.findall(r"0\.\d{3}", said)]
    assert numbers == pytest.approx([0.180, 0.5, 0.970], abs=0.02)
    assert re.sub(r"0\.\d{3}", "…", said) == (
        "2 of 3 sentences are not supported: “16 kilometres” is not in the context; C2 has "
        "“8 kilometres”; “It carries no railway” has the support …, under the threshold …, "
        "and the model reads a contradiction in C1 (…)."
    )
    first, second = sentence_reasons(bridge)
    (words,) = first.wrong
    assert bridge.evidence.answer[words.start : words.end] == "16 kilometres"
    chunk = bridge.evidence.chunks[words.chunk].text
    assert chunk[words.chunk_start :].startswith("8 kilometres (5 miles)")
    assert second.wrong == () and second.traced.sentence.index == 2


def test_a_number_with_the_other_sign_is_named_with_the_words_that_say_it(provenance):
    context = ["In 2023 sales in East fell by 5.3 %."]
    audit = provenance.audit(query="", answer="Sales in East grew by 5.3 %.", context=context)
    assert verdict_sentence(audit).endswith(
        "“grew by 5.3 %” is not in the context; C1 has “fell by 5.3 %”."
    )


@pytest.mark.parametrize(
    ("context", "answer", "wrong", "instead"),
    [
        ("Revenue rose to 14.2 M€ in 2024.", "Revenue rose to 14.8 M€.", "14.8 M€", "14.2 M€"),
        ("Travel costs CHF 12'500.", "Travel costs CHF 12'700.", "CHF 12'700", "CHF 12'500"),
        ("The rent is 1.200.000 €.", "The rent is 1.300.000 €.", "1.300.000 €", "1.200.000 €"),
        ("The margin is 18,4 %.", "The margin is 18,9 %.", "18,9 %", "18,4 %"),
        ("The margin is 18.4 %.", "The margin is 18.9 %.", "18.9 %", "18.4 %"),
        ("R&D gets 3.4 bn SEK.", "R&D gets 3.5 bn SEK.", "3.5 bn SEK", "3.4 bn SEK"),
    ],
)
def test_an_amount_is_framed_and_quoted_whole(provenance, context, answer, wrong, instead):
    audit = provenance.audit(query="", answer=answer, context=[context])
    (reason,) = sentence_reasons(audit)
    (words,) = reason.wrong
    assert answer[words.start : words.end] == wrong
    assert words.instead == instead
    if instead:
        assert reason.said == f"“{wrong}” is not in the context; C1 has “{instead}”"


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("Growth is 4–7 % a year", "7 %", "4–7 %"),
        ("The bonus is 3,7 Mio. € in all", "7", "3,7 Mio. €"),
        ("The bonus is 3,7 Mio.", "7", "3,7 Mio"),
        ("It costs $39/month", "$39", "$39"),
        ("In 2024 100 people came", "100", "100"),
        ("about 16 kilometres long", "16 kilometres", "16 kilometres"),
        ("sold 117, then 300", "117", "117"),
    ],
)
def test_what_belongs_to_an_amount(text, part, whole):
    start = text.rindex(part)
    assert text[slice(*whole_amount(text, start, start + len(part)))] == whole


def test_a_long_sentence_is_quoted_where_it_says_what_the_context_does_not(provenance):
    context = ["Flight LH 1402 from Frankfurt to Oslo was delayed by 2 hours and 40 minutes."]
    answer = "Flight LH 1402 was delayed by 2 hours and 40 minutes because of heavy snow in Oslo."
    audit = provenance.audit(query="", answer=answer, context=context)
    (traced,) = audit.sentences
    assert traced.support == pytest.approx(0.413, abs=0.02)
    assert verdict_sentence(audit) == (
        "The one sentence is not supported: “… 2 hours and 40 minutes because of heavy snow …” has "
        f"the support {traced.support:.3f}, under the threshold 0.500 (nearest: C1)."
    )


def test_what_only_a_dropped_chunk_supports_is_not_called_contradicted():
    evidence = hand_evidence([2.0, -3.0], [[0.9, 0.1], [0.1, 0.9]], [[0.0, 0.0], [0.8, 0.0]])
    audit = assemble(evidence, Parameters(top_k=1))
    shown = side_by_side(audit, sentence_reasons(audit))
    assert "? S2" in shown and "✗" not in shown.split('<p class="pv-legend"')[0]
    assert "Supported only by</span> C2 (dropped by selection)" in shown
    assert "It counts as soon as more sources are kept." in shown
    (badge,) = re.findall("⚠ (.*?)</span>", badges(audit, audit.sentences[1]))
    assert badge == "<bdi>supported only by a chunk that was not selected</bdi>"
    assert badge not in shown, "it is said in the line above"
    assert "contradicts" not in sentence_text(audit, sentence_steps(audit, 1))


def test_the_legend_names_the_marks_that_are_there(provenance):
    context = ["The bridge opened in 1932."]
    right = provenance.audit(query="", answer="The bridge opened in 1932.", context=context)
    wrong = provenance.audit(query="", answer="The bridge opened in 1933.", context=context)
    for audit, framed in ((right, False), (wrong, True)):
        beside, alone = side_by_side(audit, sentence_reasons(audit)), answer_markup(audit)
        assert ('<mark class="pv-wrong"' in beside) is framed
        for shown in (beside, alone):
            assert ("bold in a frame: not what the context says" in shown) is framed
        # Only where a sentence can be chosen has the chosen one a line around it.
        assert "outlined: the sentence whose evidence is shown" in beside
        assert "outlined" not in alone.split("</style>")[-1]


LOW = "It has 412 seats."


@pytest.mark.parametrize(
    ("context", "said"),
    [("The hall is large.", "“412” is not in the context"), ("The hall has 412 seats.", "")],
)
def test_a_low_threshold_does_not_take_away_that_a_number_is_not_in_the_context(
    provenance, context, said
):
    audit = provenance.audit(query="How large is the hall?", answer=LOW, context=[context])
    shown = recompute(audit, threshold=0.0)
    (traced,) = shown.sentences
    assert traced.label is (SentenceLabel.NOT_FOUND if said else SentenceLabel.SUPPORTED)
    assert reason_texts(shown) == (said,)
    framed = '<mark class="pv-wrong"' in side_by_side(shown, sentence_reasons(shown))
    assert framed is bool(said)


def test_a_supported_answer_is_said_to_be(provenance):
    audit = provenance.audit(
        query=SUPPORTED.query, answer=SUPPORTED.answer, context=list(SUPPORTED.context)
    )
    assert verdict_sentence(audit) == "All 3 sentences are supported by the context."
    assert sentence_reasons(audit) == ()


def test_the_reason_of_equal_sentences_is_said_once(provenance):
    audit = provenance.audit(
        query="",
        answer="Penguins juggle lemons. The tower is 330 metres tall. Penguins juggle lemons.",
        context=["The tower is 330 metres tall."],
    )
    assert verdict_sentence(audit) == (
        "2 of 3 sentences are not supported: no single passage of the context was found to state "
        "“Penguins juggle lemons”; none has more than a tenth of its content words (2 sentences)."
    )


def test_where_most_of_a_sentence_is_missing_no_single_word_is_named(provenance):
    example = UNSUPPORTED
    audit = provenance.audit(
        query=example.query, answer=example.answer, context=list(example.context)
    )
    assert verdict_sentence(audit) == (
        "2 of 3 sentences are not supported: no single passage of the context was found to state "
        "“A pair of Eurasian bitterns raised three chicks for …” (nearest: C3); no single passage "
        "of the context was found to state “The recovery was paid for with a grant from …”; none "
        "has more than a tenth of its content words."
    )
    assert [reason.wrong for reason in sentence_reasons(audit)] == [(), ()]


def test_a_name_is_named_where_the_rest_of_its_sentence_is_stated(provenance):
    context = ["The survey was paid for with a grant from the county."]
    answer = "The survey was paid for with a grant from Hartwell."
    audit = provenance.audit(query="Who paid?", answer=answer, context=context)
    (reason,) = sentence_reasons(audit)
    (words,) = reason.wrong
    assert answer[words.start : words.end] == "Hartwell"


def test_what_nothing_in_the_context_is_about_has_no_evidence(provenance):
    audit = provenance.audit(
        query="", answer="Penguins juggle lemons.", context=["The tower is 330 metres tall."]
    )
    (reason,) = sentence_reasons(audit)
    assert not reason.about_it
    assert verdict_sentence(audit) == (
        "The one sentence is not supported: no single passage of the context was found to state "
        "“Penguins juggle lemons”; none has more than a tenth of its content words."
    )
    shown = side_by_side(audit, (reason,))
    assert "No passage has more than a tenth of its content words." in shown
    assert "330 metres" not in shown


@pytest.mark.parametrize(
    ("query", "answer", "said"),
    [
        (
            "Was the west stand rebuilt after the fire?",
            "The west stand was rebuilt after the fire.",
            "“rebuilt” is the opposite of the context, which says “The west stand was not rebuilt "
            "after the fire”",
        ),
        (
            "Was the west stand rebuilt after the fire?",
            "Yes.",
            "“Yes” is the opposite of the context, which says “The west stand was not rebuilt "
            "after the fire”",
        ),
        ("Does a ticket cost 20 euros?", "Yes.", "“20 euros” is not in the context; C2 has"),
    ],
)
def test_what_the_context_denies_is_said(provenance, query, answer, said):
    context = ["The west stand was not rebuilt after the fire.", "A ticket costs 12 euros."]
    audit = provenance.audit(query=query, answer=answer, context=context)
    (reason,) = sentence_reasons(audit)
    assert said in verdict_sentence(audit)
    assert answer[reason.wrong[0].start : reason.wrong[0].end] in answer
    assert audit.verdict == "hallucinated"


def test_a_wrong_value_that_the_query_names_is_named_too(provenance):
    for answer in ("In 1932.", "It opened in 1932.", "The bridge opened in 1932."):
        audit = provenance.audit(
            query="Did the bridge open in 1932?",
            answer=answer,
            context=["The old bridge over the Tamar opened in 1934."],
        )
        (reason,) = sentence_reasons(audit)
        assert reason.said == "“1932” is not in the context; C1 has “1934”"
        shown = side_by_side(audit, (reason,))
        assert '<mark class="pv-instead">1934</mark>' in shown


@pytest.mark.parametrize(
    ("query", "answer", "read"),
    [
        ("Did the <b> open in 1932?", "Yes.", "The &lt;b&gt; did open in 1932."),
        ("When did it open?", "In 1932.", "The answer to question When did it open? is In 1932."),
        ("", "The bridge opened in 1932.", ""),
    ],
)
def test_the_evidence_says_what_was_read_in_place_of_a_short_reply(provenance, query, answer, read):
    audit = provenance.audit(query=query, answer=answer, context=["The bridge opened in 1934."])
    shown = side_by_side(audit, sentence_reasons(audit))
    assert (f"Read as “{read}”" in shown) if read else ("Read as" not in shown)


def test_an_answer_may_be_supported_with_a_sentence_that_is_not():
    evidence = hand_evidence([0.0, 0.0], [[0.9, 0.1], [0.2, 0.4]])
    audit = assemble(evidence, Parameters(detector="summac", threshold=0.5))
    assert audit.flagged == 1 and audit.verdict == "supported"
    assert verdict_sentence(audit).startswith(
        "The score reaches the threshold, but 1 of 2 sentences is not supported: "
    )
    high = recompute(assemble(hand_evidence([0.0], [[0.9], [0.8]]), audit.parameters))
    assert verdict_sentence(high) == "Both sentences are supported by the context."


def test_an_answer_that_is_only_a_greeting_is_said_to_be(provenance):
    audit = provenance.audit(
        answer="Hello! Thanks for asking. I hope this helps!", context=["The shop opens at nine."]
    )
    for threshold in (0.0, 1.0):
        found = recompute(audit, threshold=threshold)
        assert verdict_sentence(found) == "The answer states nothing to check."
    assert any("is a greeting" in notice.message for notice in audit.evidence.notices)
    more = provenance.audit(
        answer="Hello! The shop opens at nine.", context=["The shop opens at nine."]
    )
    assert not any("is a greeting" in notice.message for notice in more.evidence.notices)


def test_many_reasons_are_counted():
    evidence = hand_evidence([0.0], [[0.1]] * 6)
    said = verdict_sentence(assemble(evidence, Parameters()))
    assert said.startswith("6 of 6 sentences are not supported: ")
    assert said.endswith("and 3 more.")


def test_what_is_contradicted_is_named_before_what_is_not_found():
    against = [[0.0]] * 5 + [[0.9]]
    evidence = hand_evidence([0.0], [[0.05]] * 6, against)
    said = verdict_sentence(assemble(evidence, Parameters()))
    assert "“5” is not in the context; and 3 more." in said


def test_each_sentence_has_its_evidence_and_the_first_wrong_one_is_chosen(bridge):
    shown = side_by_side(bridge, sentence_reasons(bridge))
    assert shown.count('type="radio"') == shown.count('role="region"') == 3
    assert 'id="pv-s1" checked' in shown and shown.count(" checked>") == 1
    assert '<mark class="pv-instead">8 kilometres</mark>' in shown
    assert 'title="not in the context; C2 has “8 kilometres”">16 kilometres</mark>' in shown


def test_why_a_sentence_is_flagged_stands_above_its_passage(bridge):
    shown = side_by_side(bridge, sentence_reasons(bridge))
    panel = shown.split('aria-label="Evidence for S2"')[1].split("</div></div>")[0]
    assert panel.index("16 kilometres” is not in the context") < panel.index("The bridge runs")
    assert panel.index("The bridge runs") < panel.index("support is 0.")


def test_the_room_of_the_panel_follows_what_it_holds():
    evidence = hand_evidence([0.0], [[0.9]])

    def heights(passage: str) -> tuple[float, float]:
        chunk = replace(evidence.chunks[0], text=passage, end=len(passage))
        item = replace(evidence.context[0], text=passage)
        audit = assemble(replace(evidence, chunks=(chunk,), context=(item,)), Parameters())
        shown = side_by_side(audit, sentence_reasons(audit))
        closed, opened = (shown.split(f"--pv-{way}:")[1] for way in ("height", "opened"))
        return float(closed.split("rem")[0]), float(opened.split("rem")[0])

    (short, least), (longer, more), (long, most) = (
        heights("A tower stands here. " * n) for n in (1, 20, 400)
    )
    assert short < longer == long < 26, "as high as a window of 800 pixels has room for"
    assert least <= short and longer < more < most


def test_a_passage_of_one_line_leaves_room_for_the_figures_below_it():
    """Heading, why, the passage's least height of two lines, and the figures: five lines."""
    audit = assemble(hand_evidence([0.0], [[0.1]]), Parameters())
    shown = side_by_side(audit, sentence_reasons(audit))
    assert float(shown.split("--pv-height:")[1].split("rem")[0]) >= 5 * 1.6 + 2.8


@pytest.mark.parametrize(("year", "said"), [("1921", True), ("1911", False)])
def test_what_a_supported_sentence_says_otherwise_than_its_evidence_is_said(year, said):
    evidence = hand_evidence([0.0], [[0.9]])
    answer, passage = f"The tramway opened in {year}.", "The tramway opened in 1911."
    changed = replace(
        evidence,
        answer=answer,
        sentences=(replace(evidence.sentences[0], text=answer, end=len(answer)),),
        claims=(replace(evidence.claims[0], text=answer, end=len(answer)),),
        chunks=(replace(evidence.chunks[0], text=passage, end=len(passage)),),
        context=(replace(evidence.context[0], text=passage),),
    )
    audit = assemble(changed, Parameters())
    assert sentence_reasons(audit) == (), "it is supported"
    shown = side_by_side(audit, ())
    assert ("“1921” is not in the context; C1 has “1911”." in shown) is said


def test_texts_of_the_user_are_escaped(provenance):
    script = "<script>alert(1)</script>"
    audit = provenance.audit(
        query=script, answer=f"It is 16 km {script} long.", context=[f"It is 8 km {script} long."]
    )
    reasons = sentence_reasons(audit)
    assert script not in side_by_side(audit, reasons)
    assert script not in audit_report(audit)


def test_a_long_chunk_is_shown_around_its_evidence(bridge):
    evidence = bridge.evidence
    filler = "Ferries cross the strait. " * 200
    words = {"Ferries", "cross", "the", "strait", *re.findall(r"\w+", evidence.context[1].text)}
    item = evidence.context[1]
    longer = replace(item, text=filler + item.text + filler)
    (at,) = [c.index for c in evidence.chunks if c.item == 1]
    chunk = replace(
        evidence.chunks[at], start=0, end=len(longer.text), text=longer.text, tokens=9_999
    )
    changed = replace(
        evidence,
        context=tuple(longer if c.index == 1 else c for c in evidence.context),
        chunks=tuple(chunk if c.index == at else c for c in evidence.chunks),
        evidence_sentences=tuple(
            replace(e, start=e.start + len(filler), end=e.end + len(filler)) if e.chunk == at else e
            for e in evidence.evidence_sentences
        ),
        findings=(),
        words=None,
    )
    audit = assemble(changed, bridge.parameters)
    shown = side_by_side(audit, sentence_reasons(audit))
    around = next(p for p in shown.split('<div class="pv-text">') if "8 kilometres</mark>" in p)
    around = around.split("</div>")[0]
    hidden = re.findall(r'<span class="pv-rest">(.*?)</span>', around)
    assert around.startswith("… ") and around.endswith(" …") and len(hidden) == 2
    assert "<summary>More of C" in shown and shown.count("Ferries cross the strait.") < 150
    # What is marked is in view: little stands beside it, and no word is cut.
    view = re.sub(r'<span class="pv-(?:rest|dots)">.*?</span>', "", around)
    for beside in (view.split("<mark")[0], view.rpartition("</mark>")[2]):
        assert 0 < len(beside) <= 130 and set(re.findall(r"\w+", beside)) <= words


def test_the_report_says_it_too(bridge):
    report = audit_report(bridge)
    assert "C2 has “8 kilometres”" in report
    assert "16 kilometres</mark>" in report


def test_the_first_sentence_that_a_correction_changed_is_found():
    evidence = hand_evidence([1.0], [[0.9], [0.8]])
    audit = assemble(evidence, Parameters())
    one, two = (sentence.text.strip() for sentence in audit.evidence.sentences)
    assert first_changed(f"{one} Something else.", audit) == 1
    assert first_changed(f"Something else. {two}", audit) == 0
    assert first_changed(f"{one} {two}", audit) is None


def test_only_the_threshold_is_against_a_sentence_that_is_likely_supported():
    audit = assemble(hand_evidence([0.0], [[0.8]], [[0.0]]), Parameters(threshold=0.85))
    (reason,) = sentence_reasons(audit)
    support = f"{audit.sentences[0].support:.3f}"
    assert f"has the support {support}, under the threshold 0.850" in reason.said
    assert reason.about_it and "not stated" not in verdict_sentence(audit)


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("Available: https://example.org/wiki/Puerto_Rico.", "Puerto Ricans vote."),
        ("Available: https://example.org/wiki/Stream_permanence.", "Rivers receive streams."),
    ],
)
def test_a_word_of_an_address_is_not_said_to_be_in_no_passage(provenance, answer, context):
    (reason,) = sentence_reasons(provenance.audit(query="", answer=answer, context=[context]))
    assert reason.about_it and "tenth" not in reason.said


def test_a_bare_no_is_about_what_the_query_asks(provenance):
    audit = provenance.audit(
        query="Is the museum open on Mondays?",
        answer="Yes.",
        context=["The museum is closed on Mondays.", "Tickets cost 9 euros."],
    )
    (reason,) = sentence_reasons(audit)
    assert reason.about_it
    shown = side_by_side(audit, (reason,))
    assert "No passage has more than a tenth of its content words." not in shown
    assert "<mark> on Mondays.</mark>" in shown


def test_quotes_keep_what_belongs_to_them():
    assert quoted("- Rinse well.") == "“Rinse well”"
    assert quoted("3 p.m.") == "“3 p.m.”"


@pytest.mark.parametrize(
    ("supports", "aside", "said"),
    [
        ([0.9, 0.9, 0.9], [0, 2], "The one sentence that states something is supported by the "
         "context; 2 of 3 are set aside."),
        ([0.9, 0.9, 0.9], [0], "Both sentences that state something are supported by the context; "
         "1 of 3 is set aside."),
        ([0.9, 0.9], [], "Both sentences are supported by the context."),
        ([0.9, 0.1], [0], "The one sentence that states something is not supported: "),
        ([0.9, 0.1, 0.1], [0], "2 of 2 sentences that state something are not supported: "),
    ],
)  # fmt: skip
def test_the_verdict_counts_the_sentences_that_state_something(supports, aside, said):
    evidence = hand_evidence([1.0], [[each] for each in supports])
    evidence = replace(evidence, set_aside=tuple(SetAside(at, "a greeting") for at in aside))
    audit = assemble(evidence, default_parameters("embedded"))
    assert verdict_sentence(audit).startswith(said)
    first = min(set(range(len(supports))) - set(aside))
    assert opened_first(audit, ()) == first
    assert f'id="pv-s{first}" checked' in side_by_side(audit, ())


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("When was the mill opened?", "abstains, but the context may answer the query: C2 has "
         "\u201cThe mill was opened in 1963\u201d"),
        ("Who opened the mill?", "(nearest: C2 and C1)"),
    ],
)  # fmt: skip
def test_an_abstention_that_the_context_disproves_names_the_passage(query, said):
    text = "The documents do not say when the mill opened."
    evidence = hand_evidence([0.0, 0.0], [[0.1, 0.2]])
    first, second = evidence.context
    answering = replace(second, text="The mill was opened in 1963.")
    evidence = replace(
        evidence,
        query=query,
        answer=text,
        sentences=(replace(evidence.sentences[0], text=text, end=len(text)),),
        context=(first, answering),
        chunks=(
            evidence.chunks[0],
            replace(evidence.chunks[1], text=answering.text, end=len(answering.text)),
        ),
    )
    (reason,) = sentence_reasons(assemble(evidence, default_parameters("embedded")))
    assert reason.said.endswith(said)


def test_claims_that_are_set_aside_are_no_part_of_the_formula(provenance):
    audit = provenance.audit(
        answer="Here is what I found:\n\n- The tower is 330 metres tall.\n\nEnjoy your visit!",
        context=["The tower is 330 metres tall."],
    )
    lines = formula_lines(audit)
    assert lines[0].endswith("(set aside, not counted)")
    assert lines[2].endswith("(set aside, not counted)")
    assert "of 1 of 3 claims" in lines[3]
    assert "<SupportTerm" not in audit_report(audit).replace("&lt;", "<")


@pytest.mark.parametrize("detector", ["two-stage", "nli-matrix", "summac", "selfcheck"])
@pytest.mark.parametrize("threshold", [0.05, 0.35, 0.5, 0.65, 0.95])
def test_a_verdict_that_the_one_sentence_does_not_follow_says_why_both_hold(detector, threshold):
    found = 0
    for entailed in (0.05, 0.3, 0.45, 0.6, 0.9):
        for against in (0.02, 0.09, 0.48):
            evidence = hand_evidence([0.0], [[entailed]], [[min(against, 1 - entailed)]])
            model = replace(evidence.nli_model, calibration_intercept=0.8)
            audit = assemble(
                replace(evidence, nli_model=model),
                Parameters(detector=detector, threshold=threshold, contradiction_rule="any"),
            )
            supported = audit.verdict is Verdict.SUPPORTED
            agree = supported == (audit.sentences[0].label is SentenceLabel.SUPPORTED)
            said = verdict_sentence(audit)
            assert ("comes from other numbers" in said) is not agree
            if not agree:
                found += 1
                assert f"score {audit.score:.3f} {'reaches' if supported else 'is under'}" in said
                assert ("it is flagged" in said) is supported
    assert found or detector == "two-stage" or threshold in (0.05, 0.95), "the test tests nothing"


def test_an_nli_matrix_that_finds_no_contradiction_says_that_it_looks_for_nothing_else():
    audit = assemble(
        hand_evidence([0.0], [[0.1]], [[0.2]]),
        Parameters(detector="nli-matrix", threshold=0.5, contradiction_rule="any"),
    )
    assert audit.state is VerdictState.FLAGGED
    assert verdict_sentence(audit).startswith(
        "NLI matrix asks only whether a source contradicts the sentence: its score 0.800 reaches "
        "the threshold 0.500. The label of the one sentence comes from other numbers, its support "
        "and its contradiction by the sources, and so it is flagged: "
    )


def test_a_support_by_shared_words_alone_is_said_not_to_count():
    evidence = hand_evidence([0.0], [[0.40]], [[0.44]])
    model = replace(evidence.nli_model, calibration_intercept=2.0)
    audit = assemble(
        replace(evidence, nli_model=model),
        Parameters(detector="nli-matrix", threshold=0.5, contradiction_rule="any"),
    )
    (traced,) = audit.sentences
    assert traced.support >= 0.5 and traced.label is SentenceLabel.NOT_FOUND
    assert "which does not count: the model finds it more contradicted than entailed" in (
        numbers_text(audit, traced)
    )


def test_what_nothing_is_about_is_found_without_the_reasons_of_the_others(provenance, monkeypatch):
    audit = provenance.audit(
        answer="Bees make wine. Zurich hosted parliament.", context=["Bees make honey."]
    )
    reasons = sentence_reasons(audit)
    expected = {each.traced.sentence.index for each in reasons if not each.about_it}
    asked = []
    measure = "provenance_core.explain.sentences.wrong_words"
    monkeypatch.setattr(measure, lambda audit, traced: asked.append(traced) or ())
    assert foreign_sentences(audit) == expected == {1}
    assert [traced.sentence.index for traced in asked] == [1]
