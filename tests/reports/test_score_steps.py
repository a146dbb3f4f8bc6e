"""The steps from a source to a sentence's support and to the answer's score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dashboard.audit.examples import CONTRADICTED
from provenance_core import Parameters, default_parameters, recompute
from provenance_core.audit.assembly import assemble
from provenance_core.types import SentenceLabel, VerdictState
from reports.formulas import formula_lines
from reports.score_charts import score_bars, support_waterfall
from reports.score_steps import START, answer_text, has_steps, sentence_steps, sentence_text
from reports.side_by_side import side_by_side
from tests.conftest import hand_evidence

ANSWER = f"{CONTRADICTED.answer} The bridge carries a double-track railway on the lower deck."


@pytest.fixture(scope="module")
def audit(provenance):
    return provenance.audit(
        query=CONTRADICTED.query, answer=ANSWER, context=list(CONTRADICTED.context)
    )


def test_the_steps_of_every_sentence_add_up_to_its_support(audit):
    for traced in audit.sentences:
        steps = sentence_steps(audit, traced.sentence.index)
        total = sum(step.points for step in steps.steps)
        assert 1 / (1 + np.exp(-total)) == pytest.approx(steps.support, abs=1e-6)
        assert sum(step.share for step in steps.steps) == pytest.approx(1.0)
        assert steps.support == audit.claims[traced.sentence.index].score
        assert steps.chunk == audit.claims[traced.sentence.index].decided_by


def test_the_steps_add_up_where_a_second_model_read_again(cascade):
    found = cascade.audit(
        query=CONTRADICTED.query, answer=ANSWER, context=list(CONTRADICTED.context)
    )
    names: set[str] = set()
    for traced in found.sentences:
        steps = sentence_steps(found, traced.sentence.index)
        total = sum(step.points for step in steps.steps)
        assert 1 / (1 + np.exp(-total)) == pytest.approx(steps.support, abs=1e-6)
        names |= {step.name for step in steps.steps}
    assert "entailment, second model" in names


def test_the_steps_of_a_model_without_a_support_map_add_up():
    evidence = hand_evidence([1.0, 0.0], [[0.9, 0.1], [0.2, 0.4]])
    model = replace(
        evidence.nli_model,
        calibration_slope=0.5,
        calibration_intercept=-0.2,
        calibration_coverage=1.5,
    )
    audit = assemble(replace(evidence, nli_model=model), default_parameters())
    steps = sentence_steps(audit, 0)
    assert next(step.name for step in steps.steps) == START
    total = sum(step.points for step in steps.steps)
    assert 1 / (1 + np.exp(-total)) == pytest.approx(steps.support, abs=1e-6)


def test_the_texts_have_the_numbers_of_the_audit(audit):
    steps = sentence_steps(audit, 1)
    said = sentence_text(audit, steps)
    source = audit.sources[steps.chunk]
    for number in (
        f"relevance probability is {source.probability:.2f}",
        f"is {source.weight:.2f}",
        f"entailment is {steps.entailment:.3f}",
        f"support is {steps.support:.3f}, which is under the threshold 0.500: contradicted.",
    ):
        assert number in said
    made = answer_text(audit)
    assert made.startswith(f"The score is the inverse square mean of 4 claims: {audit.score:.3f}.")
    scores = [result.score for result in audit.claims]
    share = 100 * min(scores) ** -2 / sum(score**-2 for score in scores)
    name = f"S{scores.index(min(scores)) + 1}"
    assert f" {name} with {min(scores):.3f} counts most: {share:.0f} %. It is under" in made
    least = recompute(audit, claim_aggregation="min")
    assert answer_text(least).startswith(f"The least supported sentence decides: {name} with ")
    assert "reaches" in answer_text(recompute(audit, threshold=0.001))
    lenient = recompute(audit, threshold=audit.score)
    assert lenient.state is VerdictState.FLAGGED
    said = f"supported, with {lenient.flagged} of 4 sentences flagged."
    assert answer_text(lenient).endswith(said)
    assert formula_lines(lenient)[-1].endswith("→ supported, with flagged sentences")
    flagged = next(each for each in lenient.sentences if each.label is SentenceLabel.CONTRADICTED)
    alone = replace(lenient, claims=lenient.claims[:1], sentences=(flagged,))
    assert answer_text(alone).endswith("supported, with its one sentence flagged.")
    mean = assemble(audit.evidence, replace(audit.parameters, claim_aggregation="mean"))
    assert f"mean of 4 claims: {mean.score:.3f}" in answer_text(mean)


@pytest.mark.parametrize(("entailment", "counts"), [([0.01, 0.08], "C2"), ([0.08, 0.01], "C1")])
def test_a_source_that_contradicts_is_named_where_another_one_counts(entailment, counts):
    evidence = hand_evidence([1.0, 1.0], [entailment], contradiction=[[0.9, 0.05]])
    audit = assemble(evidence, default_parameters())
    said = sentence_text(audit, sentence_steps(audit, 0))
    assert f"S1 is compared with {counts} " in said
    named = "C1 contradicts S1 most (0.900). No source supports S1, and the score counts"
    assert (named in said) == (counts != "C1")


def test_card_and_steps_name_the_passages_that_support_a_sentence_together():
    audit = assemble(hand_evidence([1.0, 1.0, 1.0], [[0.9, 0.4, 0.2]]), default_parameters())
    traced = replace(audit.sentences[0], evidence_chunk=1, together=(0, 1))
    audit = replace(audit, sentences=(traced,))
    card = side_by_side(audit, ())
    assert "C2, context item 2, read together with C1</p>" in card
    assert f"the highest support is {traced.support:.3f}, by C1" in card
    said = sentence_text(audit, sentence_steps(audit, 0))
    assert said.startswith(
        "C2 stands beside S1, because its words are the nearest. These steps are of C1, from which "
        "its support comes: S1 is compared with C1 "
    )
    assert ", read together with C2, whose relevance" in said


def test_the_figures_show_the_steps_and_the_threshold(audit):
    steps = sentence_steps(audit, 0)
    figure = support_waterfall(steps, 0.5)
    names = [name.replace("<br>", " ") for name in figure.data[0].y]
    assert names == [*(step.name for step in steps.steps), "support"]
    # A telephone has room for the bars beside the names.
    assert max(len(line) for name in figure.data[0].y for line in name.split("<br>")) <= 20
    assert list(figure.data[0].x)[:-1] == [step.points for step in steps.steps]
    lines = max(name.count("<br>") + 1 for name in figure.data[0].y)
    assert figure.layout.height / len(figure.data[0].y) > 1.3 * 12 * lines, "names stand apart"
    assert "threshold 0.500" in figure.layout.annotations[0].text
    # The numbers stand over the threshold's line, on the ground of the page, by the bars' ends.
    notes = figure.layout.annotations[1:]
    assert [note.text for note in notes] == list(figure.data[0].text)
    ends = [sum(step.points for step in steps.steps[: i + 1]) for i in range(len(steps.steps))]
    assert [note.x for note in notes] == pytest.approx([*ends, ends[-1]])
    assert {note.bgcolor for note in notes} == {"#ffffff"}
    dark = support_waterfall(steps, 0.5, dark=True)
    assert {note.bgcolor for note in dark.layout.annotations[1:]} == {"#171614"}
    bars = score_bars(audit)
    assert list(bars.data[0].y) == ["S1", "S2", "S3", "S4", "answer"]
    assert list(bars.data[0].x) == [*(c.score for c in audit.claims), audit.score]
    written = [note.text for note in bars.layout.annotations if note.bgcolor]
    assert written == [f"{score:.3f}" for score in bars.data[0].x]


@pytest.mark.parametrize(("points", "drawn"), [(-0.004, 0.0), (0.004, 0.0), (-0.006, -0.006)])
def test_a_step_that_is_written_as_nothing_has_no_bar_with_a_colour(audit, points, drawn):
    steps = sentence_steps(audit, 0)
    first, *others = steps.steps
    changed = replace(steps, steps=(replace(first, points=points), *others))
    assert support_waterfall(changed, 0.5).data[0].x[0] == drawn


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_at_the_end_leaves_the_bars_their_room(audit, threshold):
    steps = sentence_steps(audit, 0)
    figure = support_waterfall(steps, threshold)
    ends = [sum(step.points for step in steps.steps[: i + 1]) for i in range(len(steps.steps))]
    left, right = figure.layout.xaxis.range
    # It stands at the edge: no place beside a number of the axis is its own.
    assert figure.layout.shapes[0].x0 == (right if threshold else left)
    assert max(ends) - min(0.0, *ends) > 0.4 * (right - left)
    assert f"threshold {threshold:.3f}" in figure.layout.annotations[0].text


def test_other_detectors_have_no_steps():
    audit = assemble(hand_evidence([0.0], [[0.9]]), Parameters(detector="summac"))
    assert not has_steps(audit)
    with pytest.raises(ValueError, match="summac"):
        sentence_steps(audit, 0)
    assert answer_text(audit).startswith("The answer has one claim")
