"""The fit to labels: what it needs, that it learns, and that nothing leaks between folds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from provenance_core import Parameters, assemble, default_parameters
from provenance_core.errors import InputError
from provenance_core.models.catalogue.fitted_maps import FittedMap
from provenance_core.models.catalogue.profiles import SupportMaps, get_profile, support_maps
from provenance_core.progress import Progress
from provenance_core.scoring.features import MapInput, measured_support
from provenance_core.statistics.own_fit import fit as fitting
from provenance_core.statistics.own_fit.answers import LabelledAudit, fit_sample, source_documents
from provenance_core.statistics.own_fit.figures import Scored, UnseenRows
from provenance_core.statistics.own_fit.fit import (
    LEAST_ANSWERS,
    LEAST_DOCUMENTS,
    LEAST_OF_A_LABEL,
    fit_to_labels,
    shortage,
)
from provenance_core.statistics.own_fit.types import FitAnswer, FitFigure, KindCount
from provenance_core.types import AnswerKind, Audit, SupportMap, SupportTerm, SupportWeight
from reports.fit_wording import kinds_text

TERMS = (SupportTerm.ENTAILMENT, SupportTerm.MISSING_WORDS)
BUILT_IN = SupportMap(0.0, (SupportWeight(TERMS[0], 1.0), SupportWeight(TERMS[1], 0.1)))
MAPS = SupportMaps(BUILT_IN, None, ("sha",))
PARAMETERS = Parameters(threshold=0.5)


def made_answers(count: int, intercept: float, weights: tuple[float, float], seed: int = 1):
    """Answers of one sentence and one chunk, two a source document, labelled as a map says."""
    generator = np.random.default_rng(seed)
    found = []
    for number in range(count):
        values = generator.normal(size=2) * (2, 3)
        odds = intercept + float(values @ weights)
        label = int(generator.random() < 1 / (1 + np.exp(-odds)))
        terms = {name: np.array([[value]]) for name, value in zip(TERMS, values, strict=True)}
        given = MapInput(AnswerKind.CLAIM, terms, None, np.array([[False]]))
        yes = np.array([[True]])
        found.append(FitAnswer(label, f"d{number // 2}", given, yes, np.ones(1), yes[0]))
    return found


def test_labels_that_need_another_map_get_it():
    # What the built-in map hardly weighs decides here, and most answers are supported.
    answers = made_answers(160, 1.0, (0.2, 2.0))
    told: list[float] = []
    progress = Progress(lambda stage, share: told.append(share))
    found = fit_to_labels(answers, "embedded", MAPS, PARAMETERS, progress=progress)
    weights = {each.term: each.weight for each in found.support.weights}
    assert weights[TERMS[1]] > 1.0 > weights[TERMS[0]]
    assert found.strength is not None and found.better
    auc = found.of(FitFigure.AUC)
    assert auc.better and auc.after.value > auc.before.value + 0.1
    assert (found.n, found.documents) == (160, 80)
    assert told == sorted(told) and told[-1] == 1.0


def test_labels_that_agree_with_the_built_in_map_leave_it_the_suggested_one():
    found = fit_to_labels(made_answers(160, 0.0, (1.0, 0.1)), "embedded", MAPS, PARAMETERS)
    assert not found.better
    assert abs(found.threshold - 0.5) < 0.25


def test_a_fit_counts_its_labels_of_each_kind_of_answer():
    answers = made_answers(80, 0.0, (1.0, 0.1))
    replies = [
        replace(each, given=replace(each.given, kind=AnswerKind.REPLY)) for each in answers[:20]
    ]
    found = fit_to_labels([*replies, *answers[20:]], "embedded", MAPS, PARAMETERS)
    counted = {each.kind: (each.n, each.supported) for each in found.kinds}
    of_replies = sum(each.label for each in replies)
    assert counted == {
        AnswerKind.CLAIM: (60, found.supported - of_replies),
        AnswerKind.REPLY: (20, of_replies),
        AnswerKind.SUMMARY: (0, 0),
    }


def test_kinds_with_too_few_labels_are_called_untested():
    enough = [KindCount(kind, 60, 15) for kind in AnswerKind]
    assert kinds_text(enough) == (
        "The figures hold for answers like the labelled ones: claims 60, replies to a query 60, "
        "summaries 60."
    )
    assert "For claims the fit is untested" in kinds_text(
        [KindCount(AnswerKind.CLAIM, 60, 14), *enough[1:]]
    )
    few = kinds_text([enough[0], KindCount(AnswerKind.REPLY, 59, 30), enough[2]])
    assert "For replies to a query the fit is untested: that needs 60 labels of the kind, " in few
    assert kinds_text([]) == ""


def test_the_figures_are_of_rows_that_the_map_has_not_seen(monkeypatch):
    """Labels of pure chance: a figure on rows that were seen would be above one half."""
    answers = made_answers(120, 0.0, (0.0, 0.0), seed=5)
    seen: list[tuple[set[str], set[str]]] = []
    folds = fitting._folds

    def watched(work, among):
        parts = folds(work, among)
        seen.extend((set(work.groups[a]), set(work.groups[b])) for a, b in parts)
        return parts

    monkeypatch.setattr(fitting, "_folds", watched)
    found = fit_to_labels(answers, "embedded", MAPS, PARAMETERS)
    assert len(seen) == 5 + 6 * 5
    assert all(train.isdisjoint(unseen) for train, unseen in seen)
    auc = found.of(FitFigure.AUC)
    assert not auc.better and auc.after.value < 0.62


def test_too_few_labels_are_refused_with_how_many_are_missing():
    few = made_answers(40, 3.0, (0.2, 0.2))
    with pytest.raises(InputError) as raised:
        fit_to_labels(few, "embedded", MAPS, PARAMETERS)
    supported = sum(each.label for each in few)
    more = max(LEAST_ANSWERS - 40, LEAST_OF_A_LABEL - (40 - supported))
    assert f"Label {more} more" in str(raised.value)
    assert "hallucinated among them" in str(raised.value)


def test_what_a_fit_needs_is_said_exactly():
    enough = [0] * LEAST_OF_A_LABEL + [1] * (LEAST_ANSWERS - LEAST_OF_A_LABEL)
    groups = [str(at % LEAST_DOCUMENTS) for at in range(LEAST_ANSWERS)]
    assert shortage(enough, groups) == ""
    assert "1 more, at least 1 hallucinated" in shortage(enough[1:], groups[1:])
    assert "1 more source document." in shortage(enough, ["0" if g == "9" else g for g in groups])


def test_answers_that_share_a_name_or_a_context_are_of_one_document():
    found = source_documents(["a", "", "a", "b", ""], ["x", "x", "y", "z", "w"])
    assert found[0] == found[1] == found[2]
    assert len(set(found)) == 3


def test_the_gain_has_the_sign_of_better_and_is_drawn_together():
    labels = np.array([0, 1] * 30)
    good, bad = np.where(labels, 0.9, 0.1), np.where(labels, 0.4, 0.6)
    rows = UnseenRows(labels, [str(i) for i in range(60)], np.arange(60) // 12)
    found = rows.compared(Scored(bad, bad >= 0.5), Scored(good, good >= 0.5))
    assert all(each.better and not each.worse for each in found)
    assert [round(each.gain.value, 3) for each in found] == [1.0, 1.0, 0.5]
    back = rows.compared(Scored(good, good >= 0.5), Scored(bad, bad >= 0.5))
    assert all(each.worse for each in back)


QUERY = "When was the bridge opened?"
CONTEXT = ["The bridge was opened on 19 March 1932. It has 16 lanes and no railway."]
ANSWER = "It was opened in 1932. It has 12 lanes."


def fitted_for(base: str) -> FittedMap:
    maps = support_maps(get_profile(base))
    # Of the kind of the answer below: what is read depends on what a map weighs.
    replies = maps.decisive.of_kind(AnswerKind.REPLY)
    half = tuple(replace(each, weight=each.weight / 2) for each in replies.weights)
    other = SupportMap(replies.intercept + 0.7, half)
    return FittedMap("a test's", base, maps.weights, other, 0.61, 60)


def under_fitted_map(audit: Audit, fitted: FittedMap) -> Audit:
    """The audit scored again under a fitted map, from what was measured."""
    evidence = audit.evidence
    if evidence.second is None:
        nli = replace(evidence.nli_model, support=fitted.support)
        mapped = replace(evidence, nli_model=nli)
    else:
        mapped = replace(evidence, second=replace(evidence.second, support=fitted.support))
    mapped = replace(mapped, support=measured_support(mapped), profile=fitted.name)
    return assemble(mapped, replace(audit.parameters, threshold=fitted.threshold), audit.created_at)


def assert_as_a_fresh_audit(base: str, load) -> None:
    """The audit by the profile of the fit is the old audit under the fitted map."""
    fitted = fitted_for(base)
    old = load(base).audit(query=QUERY, answer=ANSWER, context=CONTEXT)
    before = repr(old)
    fresh = load(replace(get_profile(base), name=fitted.name, fitted=fitted)).audit(
        query=QUERY,
        answer=ANSWER,
        context=CONTEXT,
        parameters=replace(default_parameters(base), threshold=fitted.threshold),
    )
    again = under_fitted_map(old, fitted)
    assert repr(old) == before
    assert again.score == fresh.score != old.score
    same = replace(again.evidence, timings=fresh.evidence.timings)
    assert same == fresh.evidence
    assert again == replace(fresh, evidence=again.evidence, created_at=again.created_at)


@pytest.mark.models
def test_a_saved_audit_under_a_fitted_map_is_what_a_fresh_one_would_be():
    from provenance_core import Provenance

    assert_as_a_fresh_audit("embedded", Provenance.load)


@pytest.mark.slow
def test_so_it_is_with_a_second_reading():
    from provenance_core import Provenance

    assert_as_a_fresh_audit("cascade", Provenance.load)


def test_what_a_map_does_not_enter_is_left_out_with_the_reason(provenance):
    maps = support_maps(get_profile("embedded"))
    audit = provenance.audit(query=QUERY, answer=ANSWER, context=CONTEXT)
    other = assemble(audit.evidence, replace(audit.parameters, detector="summac"))
    greeting = provenance.audit(query=QUERY, answer="Hello!", context=CONTEXT)
    given = [LabelledAudit(audit, 1), LabelledAudit(other, 0), LabelledAudit(greeting, 1)]
    found = fit_sample(given, maps, audit.parameters)
    assert len(found.answers) == 1
    assert [(each.rows, each.reason) for each in found.left_out] == [
        (1, "scored by another detector than the two-stage one"),
        (1, "no sentence of the answer is to be checked"),
    ]
    assert found.answers[0].counted.tolist() == [True, True]
