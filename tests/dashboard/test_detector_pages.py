"""The detectors in the app: chosen, drawn, run beside each other, filtered and compared."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.audit.methods import left_to_run
from dashboard.compare.tables import settings_that_differ
from dashboard.shared.sidebar import under_settings
from dashboard.thresholds.data import ScoredBy
from provenance_core import (
    DETECTORS,
    InputError,
    Parameters,
    assemble,
    default_parameters,
    recompute,
)
from provenance_core.files.types import BatchRow
from provenance_core.types import (
    Audit,
    Entailment,
    FindingType,
    HallucinatedSpan,
    JoinedPremise,
    MeasuredSpan,
    PairScores,
    SentenceLabel,
    SetAside,
)
from reports.audit_report import audit_report
from reports.charts import NO_SENTENCE, heatmap, shown_part
from reports.markup import answer_markup, spans_markup
from reports.quantities import CELL_VERDICTS, Quantity
from storage import (
    AuditFilter,
    AuditStore,
    ComparisonStore,
    ItemFilter,
    ItemStore,
    NewRun,
    PresetStore,
    RunStore,
)
from storage.documents import pack_document, unpack_document
from storage.exports import Exporter, ExportFormat
from storage.imports import Importer
from tests.app_page import open_page, tables
from tests.conftest import cell_texts, hand_evidence, press, shown_html
from tests.exports_data import exported
from tests.wording import assert_shows

SCRIPT = "<script>alert(1)</script>"
ENTAILMENT = [[0.8, 0.3], [0.1, 0.7]]
CONTRADICTION = [[0.1, 0.2], [0.6, 0.1]]
CONTEXT_DETECTORS = [n for n, d in DETECTORS.items() if d.traits.context == "context"]


@pytest.fixture
def store(url) -> AuditStore:
    return AuditStore.open(url)


def made(detector: str = "nli-matrix", text: str = "", **parameters) -> Audit:
    evidence = hand_evidence([0.0, 0.0], ENTAILMENT, CONTRADICTION)
    if text:
        evidence = replace(evidence, query=text)
    return assemble(evidence, Parameters(detector=detector, **parameters))


def texts(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.text, *app.caption, *app.info, *app.warning))


def keys(app: AppTest) -> set[str]:
    return {str(w.key) for w in (*app.selectbox, *app.radio, *app.slider)}


# --- the sidebar ---------------------------------------------------------------------------


def test_the_sidebar_has_what_the_detector_reads_and_no_more(store):
    app = open_page()
    assert {"selection", "aggregation", "claim_form"} <= keys(app)
    assert "granularity" not in keys(app)
    for name, detector in DETECTORS.items():
        app.selectbox(key="detector").set_value(name).run()
        assert not app.exception
        assert any(detector.explanation in caption.value for caption in app.caption)
        assert app.slider(key="threshold").value == detector.threshold("embedded")
        for setting in ("selection", "aggregation", "granularity", "contradiction_rule"):
            assert (setting in keys(app)) == (setting in detector.traits.uses), (name, setting)


def test_settings_are_as_they_were_when_a_detector_is_chosen_again(store):
    app = open_page()
    app.selectbox(key="aggregation").set_value("min").run()
    app.selectbox(key="detector").set_value("summac").run()
    app.selectbox(key="granularity").set_value("paragraph").run()
    app.selectbox(key="detector").set_value("two-stage").run()
    assert app.selectbox(key="aggregation").value == "min"
    app.selectbox(key="detector").set_value("summac").run()
    assert app.selectbox(key="granularity").value == "paragraph"


def test_an_answer_is_audited_by_the_chosen_detector(store):
    app = open_page()
    app.selectbox(key="detector").set_value("summac").run()
    app.selectbox(key="granularity").set_value("document").run()
    app.text_area(key="context_text").set_value("Cats sleep. They eat.\n\nDogs bark.")
    app.text_area(key="answer").set_value("Cats sleep.")
    press(app, "Audit")
    audit = store.load(1).audit
    assert audit.parameters == replace(
        default_parameters(detector="summac"), granularity="document"
    )
    assert len(audit.evidence.chunks) == 2
    html = shown_html(app)
    assert "by SummaC" in html and f"score {audit.score:.3f}" in html
    assert "max entailment(" in app.code[0].value
    assert "measures no relevance" in texts(app)


def test_for_the_self_check_the_box_takes_answers_and_keeps_what_was_typed(store):
    app = open_page()
    app.text_area(key="context_text").set_value("One.\n\nTwo.").run()
    app.selectbox(key="detector").set_value("selfcheck").run()
    box = app.text_area(key="context_text")
    assert box.label.startswith("Answers of other systems")
    assert box.value == "One.\n\nTwo."
    app.selectbox(key="detector").set_value("two-stage").run()
    assert app.text_area(key="context_text").label.startswith("Context")
    assert app.text_area(key="context_text").value == "One.\n\nTwo."


# --- a saved audit -------------------------------------------------------------------------


def test_another_detector_in_the_sidebar_does_not_recompute_a_saved_audit(store):
    audit = made()
    number = store.save(audit)
    app = open_page(audit=str(number))
    assert app.selectbox(key="detector").value == "nli-matrix", "a link sets the sidebar"
    app.selectbox(key="detector").set_value("two-stage").run()
    app.slider(key="threshold").set_value(0.01).run()
    assert not app.exception
    html = shown_html(app)
    assert f"score {audit.score:.3f} · threshold {audit.parameters.threshold:.3f}" in html
    assert 'pv-verdict hallucinated"' in html
    assert_shows(
        "\n".join(info.value for info in app.info),
        snapshot("by NLI matrix and is shown as it was made"),
    )
    press(app, "Show the settings of this audit")
    assert app.selectbox(key="detector").value == "nli-matrix"
    assert app.slider(key="threshold").value == audit.parameters.threshold
    assert not app.info


def test_the_rule_of_the_matrix_recomputes_and_both_readings_are_shown(store):
    number = store.save(made(contradiction_rule="any"))
    app = open_page(audit=str(number))
    assert_shows(
        shown_html(app),
        snapshot("only by chunks about the sentence: 0.460, hallucinated"),
    )
    assert_shows(shown_html(app), snapshot("every contradiction: 0.400, hallucinated (this audit)"))
    assert_shows(shown_html(app), snapshot("only where no chunk entails: 0.700, supported"))
    app.selectbox(key="contradiction_rule").set_value("unless_entailed").run()
    assert not app.exception
    assert "score 0.700" in shown_html(app)
    assert any("Recomputed" in info.value for info in app.info)
    assert store.load(number).audit.score == pytest.approx(0.4)


def test_an_audit_with_settings_that_its_detector_does_not_read_is_no_recomputed_one(store):
    # As the command line may save it.
    app = open_page(audit=str(store.save(made(aggregation="min", top_p=0.5))))
    assert not app.info


# --- the matrix, spans and what is set aside -----------------------------------------------


def with_answer_row(audit: Audit) -> Audit:
    whole = PairScores(np.array([[0.2, 0.5, 0.3], [0.1, 0.2, 0.7]]))
    return assemble(replace(audit.evidence, answer_scores=whole), audit.parameters)


def test_the_verdict_of_a_cell_is_its_stance_with_all_three_probabilities():
    audit = with_answer_row(made())
    figure = heatmap(audit, shown_part(audit), Quantity.VERDICT)
    names = [[CELL_VERDICTS[int(z)].name for z in row] for row in figure.data[0].z]
    # Entailment, neutral and contradiction: 0.8 0.1 0.1, 0.3 0.5 0.2; 0.1 0.3 0.6, 0.7 0.2 0.1.
    assert names == [
        ["supports", "neither"],
        ["contradicts", "neither"],
        ["neither", "contradicts"],
    ]
    assert cell_texts(figure)[1][0] == "E 0.10<br>C 0.60<br>N 0.30"
    assert figure.layout.yaxis.ticktext[2] == "answer"
    points = [list(p)[:2] for p in figure.data[1].customdata]
    assert points[-2:] == [[NO_SENTENCE, 0], [NO_SENTENCE, 1]]


@pytest.mark.parametrize("quantity", Quantity)
def test_the_whole_answer_is_a_row_of_every_quantity(quantity):
    audit = with_answer_row(made())
    figure = heatmap(audit, shown_part(audit), quantity)
    assert len(figure.data[0].z) == 3
    assert len(heatmap(made(), shown_part(audit), quantity).data[0].z) == 2


def test_the_page_starts_with_the_quantity_of_the_detector(store):
    number = store.save(with_answer_row(made()))
    app = open_page(audit=str(number))
    shown = next(g for g in app.get("button_group") if "quantity" in str(g.key))
    assert shown.value == Quantity.VERDICT
    assert_shows(texts(app), snapshot("compares the whole answer with each chunk"))
    report = audit_report(store.load(number).audit)
    assert "E 0.10 · C 0.60 · N 0.30" in report
    assert "by NLI matrix" in report and "(1 − max contradiction(" in report


def spanned() -> Audit:
    answer = f"The tower has 69 million visitors. It is <b>old</b>. {SCRIPT}"
    audit = made()
    sentences = (
        replace(audit.evidence.sentences[0], start=0, end=35, text=answer[:35]),
        replace(audit.evidence.sentences[1], start=35, end=len(answer), text=answer[35:]),
    )
    evidence = replace(
        audit.evidence,
        answer=answer,
        sentences=sentences,
        set_aside=(SetAside(1, f"a greeting {SCRIPT}"),),
    )
    spans = (
        HallucinatedSpan(14, 24, FindingType.EVIDENT_CONFLICT, 0.93),
        HallucinatedSpan(25, 40, FindingType.SUBTLE_BASELESS, 0.6),
    )
    found = assemble(evidence, audit.parameters)
    aside = replace(found.sentences[1], label=SentenceLabel.SET_ASIDE)
    return replace(found, sentences=(found.sentences[0], aside), spans=spans)


def test_spans_are_underlined_with_their_types_and_listed():
    audit = spanned()
    html = answer_markup(audit)
    assert 'title="evident conflict">69 million</span>' in html
    # Across a sentence's end: a part in each.
    assert ">visitors. </span>" in html or ">visitors.</span>" in html
    assert 'title="subtle baseless information">It is</span>' in html
    assert html.count('<small class="pv-type">evident conflict</small>') == 1
    listed = spans_markup(audit)
    assert "69 million" in listed and "unsupported 0.930" in listed
    assert_shows(listed, snapshot("characters 14–24 of the answer"))
    assert "<script" not in html + listed + audit_report(audit)
    assert "Hallucinated spans" in audit_report(audit)


def test_sentences_set_aside_are_grey_with_their_reason():
    audit = spanned()
    first, second = audit.sentences
    aside = replace(second, label=SentenceLabel.SET_ASIDE)
    html = answer_markup(replace(audit, sentences=(first, aside)))
    assert_shows(
        html, snapshot('class="pv-s set_aside" title="S2: set aside: a greeting &lt;script&gt;')
    )
    assert_shows(html, snapshot("S2 (a greeting &lt;script&gt;"))
    assert '<small class="pv-type">a greeting &lt;script&gt;' in html
    assert "set_aside" not in answer_markup(made()).split("</style>")[1]


def grounded(**parameters) -> Audit:
    """Two sentences, of which the second is a greeting that nothing entails."""
    audit = made()
    joined = (
        JoinedPremise((0,), Entailment(0.8, 0.1, 0.1)),
        JoinedPremise((0, 1), Entailment(0.1, 0.8, 0.1)),
    )
    evidence = replace(
        audit.evidence,
        joined_scores=joined,
        claim_relevance=((0.5, -1.0), (2.0, 0.25)),
        set_aside=(SetAside(1, "a greeting"),),
    )
    given = default_parameters(detector="grounded-in-context")
    return assemble(evidence, replace(given, **parameters))


def toggles(app: AppTest) -> list[str]:
    return [str(toggle.key) for toggle in app.toggle]


def test_only_a_detector_that_sets_aside_has_the_switch(store):
    app = open_page()
    for name, detector in DETECTORS.items():
        app.selectbox(key="detector").set_value(name).run()
        assert not app.exception
        assert ("count_set_aside" in toggles(app)) == ("count_set_aside" in detector.traits.uses)


def test_the_switch_counts_what_was_set_aside_and_the_answer_shows_it_either_way(store):
    number = store.save(grounded())
    app = open_page(audit=str(number))
    html = shown_html(app)
    assert "score 0.800" in html
    assert_shows(html, snapshot('class="pv-s set_aside" title="S2: set aside: a greeting"'))
    assert_shows([m.value for m in app.markdown], snapshot("**Set aside: 1 of 2 sentences**"))
    assert_shows(texts(app), snapshot("not counted in the score"))
    assert "retrieved for a claim" in texts(app) and "no relevance" not in texts(app)
    app.toggle(key="count_set_aside").set_value(True).run()
    assert not app.exception
    html = shown_html(app)
    # 2 / (1 / 0.8 + 1 / 0.1)
    assert "score 0.178" in html
    assert_shows(html, snapshot('class="pv-s not_found" title="S2: not found: a greeting"'))
    assert '<small class="pv-type">a greeting</small>' in html
    assert_shows(html, snapshot("Counted in the score anyway"))
    assert any("Recomputed" in info.value for info in app.info)
    assert store.load(number).audit.score == pytest.approx(0.8)


def test_an_audit_with_what_was_set_aside_counted_sets_the_switch(store):
    app = open_page(audit=str(store.save(grounded(count_set_aside=True))))
    assert app.toggle(key="count_set_aside").value is True
    assert "score 0.178" in shown_html(app) and not app.info


# --- run all -------------------------------------------------------------------------------


def test_run_all_keeps_an_audit_a_detector_and_draws_them_beside_each_other(store, provenance):
    first = provenance.audit(
        query="How tall is the tower?",
        answer=f"The tower is 510 metres tall. It is in Paris. {SCRIPT}",
        context=["The tower is 330 metres tall.", "The tower is in Paris."],
    )
    number = store.save(first)
    app = open_page(audit=str(number))
    assert "Detectors side by side" not in [s.value for s in app.header]
    press(app, "Run all detectors")
    rows = store.same_inputs(store.load(number))
    detectors = {row.detector for row in rows}
    assert {"two-stage", "nli-matrix", "summac"} <= detectors
    assert "selfcheck" not in detectors, "its context is not answers of other systems"
    assert store.load(number).audit == first
    assert_shows([s.value for s in app.header], snapshot("Detectors side by side"))
    html = shown_html(app)
    for row in rows:
        title = DETECTORS[row.detector].title
        assert f"<th>{title}" in html
        for name, value in (("score", row.score), ("threshold", row.threshold)):
            assert f'<td data-name="{name}">{value:.3f}</td>' in html
        audit = store.load(row.id).audit
        assert audit.parameters == default_parameters(detector=row.detector)
        assert [item.text for item in audit.evidence.context] == [
            item.text for item in first.evidence.context
        ]
    assert "<script>alert" not in html
    # From another of them the same table is there.
    other = next(row.id for row in rows if row.detector == "nli-matrix")
    again = open_page(audit=str(other))
    assert_shows(shown_html(again), snapshot("NLI matrix (this audit, as it was made)"))
    assert "Two-stage</th>" in shown_html(again)


def test_a_detector_that_fails_is_named_and_the_others_are_kept(store, monkeypatch, provenance):
    number = store.save(provenance.audit(query="", answer="Cats sleep.", context=["Cats sleep."]))
    measure = type(provenance).audit_texts

    def refuse(self, texts, parameters, *rest):
        if parameters.detector == "summac":
            raise InputError("No summary can be had.")
        return measure(self, texts, parameters, *rest)

    monkeypatch.setattr("provenance_core.Provenance.audit_texts", refuse)
    app = press(open_page(audit=str(number)), "Run all detectors")
    assert_shows(texts(app), snapshot("SummaC: No summary can be had."))
    detectors = {row.detector for row in store.same_inputs(store.load(number))}
    assert "nli-matrix" in detectors and "summac" not in detectors
    assert any(b.label == "Run the other detectors" for b in app.button)


def test_audits_of_the_same_inputs_are_the_last_of_each_other_detector(store):
    mine, older, newer = (store.save(made(d)) for d in ("two-stage", "summac", "summac"))
    store.save(made("summac", text="Another query"))
    again = store.save(made("two-stage"))
    assert [row.id for row in store.same_inputs(store.load(mine))] == [mine, newer]
    assert [row.id for row in store.same_inputs(store.load(older))] == [older, again]


def test_the_self_check_is_left_out_of_run_all_but_stays_of_its_own_audit():
    assert list(left_to_run(made("two-stage"), ["two-stage"])) == [
        name for name in CONTEXT_DETECTORS if name != "two-stage"
    ]
    # Its context is answers of other systems, which are no evidence for another detector.
    assert left_to_run(made("selfcheck"), ["selfcheck"]) == ()


# --- lists, filters, exports ---------------------------------------------------------------


def test_history_names_the_detector_and_filters_by_it(store):
    store.save(made("two-stage", text="by the paper"))
    store.save(made("nli-matrix", text="by the matrix"))
    app = open_page("history")
    assert list(tables(app)[0].value["detector"]) == ["NLI matrix", "Two-stage"]
    app.selectbox(key="detector_is").set_value("nli-matrix").run()
    assert not app.exception
    assert any("1 answer" in caption.value for caption in app.caption)
    table = tables(app)[0].value
    assert [*table["query"]] == ["by the matrix"] and [*table["detector"]] == ["NLI matrix"]
    app.switch_page("pages/audit.py").run()
    assert app.selectbox(key="detector").value == "two-stage", "a filter is no choice"


def test_items_are_filtered_by_detector_and_counted_by_settings(store):
    store.save(made("two-stage"))
    matrix = store.save(made("nli-matrix"))
    items = ItemStore.open()
    chosen = ItemFilter(audits=AuditFilter(detector="nli-matrix"))
    (item,) = items.page(chosen).items
    assert (item.audit_id, item.detector) == (matrix, "nli-matrix")
    assert items.detectors(ItemFilter()) == ("nli-matrix", "two-stage")
    assert {m.parameters.detector for m in items.made_with(ItemFilter())} == {
        "two-stage",
        "nli-matrix",
    }


def test_audits_of_before_there_were_detectors_are_counted_with_those_since(store):
    store.save(made("two-stage"))
    old = store.save(made("two-stage"))
    later = ("detector", "granularity", "contradiction_rule")
    with store._engine.begin() as connection:
        (raw,) = connection.exec_driver_sql(
            "SELECT document FROM audits WHERE id = ?", (old,)
        ).one()
        plain = unpack_document(raw)
        for name in later:
            del plain["parameters"][name]
        connection.exec_driver_sql(
            "UPDATE audits SET document = ?, settings_digest = 'other' WHERE id = ?",
            (pack_document(plain), old),
        )
    (made_with,) = ItemStore.open().made_with(ItemFilter())
    assert made_with.items == 2


def test_a_rule_that_the_detector_does_not_read_makes_no_other_kind_of_audit(store):
    store.save(made("two-stage"))
    store.save(made("two-stage", contradiction_rule="any"))
    (made_with,) = ItemStore.open().made_with(ItemFilter())
    assert made_with.items == 2


def everything() -> Audit:
    """An audit with all that a detector may measure."""
    audit = with_answer_row(made(contradiction_rule="unless_entailed"))
    evidence = replace(
        audit.evidence,
        claim_relevance=((0.5, -1.0), (2.0, 0.25)),
        spans=(MeasuredSpan(0, 5, 0.75, FindingType.SUBTLE_CONFLICT), MeasuredSpan(6, 9, 0.25)),
        set_aside=(SetAside(1, "a question"),),
    )
    return assemble(evidence, audit.parameters)


def test_a_full_export_brings_back_what_a_detector_measured(store, url, tmp_path):
    audit = everything()
    store.save(audit)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    result = Importer.open(other).read(exported(url).splitlines())
    assert (result.imported, result.rejected) == (1, ())
    back = AuditStore.open(other).load(1).audit
    assert back == audit
    assert back.evidence.spans == audit.evidence.spans
    assert back.parameters.contradiction_rule == "unless_entailed"


def test_the_table_has_the_detector(store):
    store.save(made("summac"))
    file = io.BytesIO()
    Exporter.open().write(ItemFilter(), ExportFormat.CSV, file)
    (row,) = csv.DictReader(io.StringIO(file.getvalue().decode("utf-8-sig"), newline=""))
    assert row["detector"] == "summac"


# --- runs, comparison, thresholds, presets --------------------------------------------------


def run_of(store: AuditStore, name: str, parameters: Parameters, labelled: bool = True) -> int:
    """A finished run of three rows of which the audits are by the detector of ``parameters``."""
    runs = RunStore.open()
    rows = [
        BatchRow(
            line=i + 1, id=f"row{i}", query=f"Query {i}", context=("Chunk number 0.",),
            answer=f"Answer {i}.", label=i % 2 if labelled else None,
        )
        for i in range(3)
    ]  # fmt: skip
    number = runs.create(NewRun(name, "f.jsonl", "jsonl", (), "embedded", parameters), rows, ())
    assert runs.take(number, "w")
    for i in range(3):
        row = runs.next_row(number)
        evidence = hand_evidence([0.0], [[0.2 + 0.3 * i]], [[0.5 - 0.2 * i]])
        audit = assemble(replace(evidence, query=row.query), replace(parameters, threshold=0.5))
        assert runs.finish(row.id, "w", audit)
    runs.end(number, "w")
    return number


def test_runs_that_differ_by_detector_are_named_by_what_each_reads(store):
    runs = RunStore.open()
    for name, parameters in (
        ("paper", Parameters(aggregation="min")),
        ("matrix", Parameters(detector="nli-matrix", threshold=0.4)),
    ):
        runs.create(NewRun(name, "f", "jsonl", (), "embedded", parameters), (), ())
    paper, matrix = (runs.get(number) for number in (1, 2))
    first, second = settings_that_differ([paper, matrix])
    assert "detector Two-stage" in first and "aggregation min" in first
    assert second == snapshot("threshold 0.400, detector NLI matrix")


def test_candidates_of_one_detector_compete_with_each_other_alone(store):
    for detector in ("two-stage", "nli-matrix"):
        for answer in ("Claim one.", "Claim two."):
            audit = made(detector, text="Which?")
            store.save(
                assemble(
                    replace(audit.evidence, answer=answer + audit.evidence.answer[10:]),
                    audit.parameters,
                )
            )
    found = ComparisonStore.open().candidates(ItemFilter())
    assert found.total == 2
    assert {group.detector for group in found.groups} == {"two-stage", "nli-matrix"}
    assert all(len({i.detector for i in group.items}) == 1 for group in found.groups)
    app = open_page("compare", tab="Candidate answers")
    assert_shows(texts(app), snapshot("choose one under “Detector”"))


def test_thresholds_of_another_detector_have_no_aggregation_to_choose(store):
    run_of(store, "matrix", Parameters(detector="nli-matrix", contradiction_rule="unless_entailed"))
    app = open_page("thresholds")
    assert_shows(texts(app), snapshot("belong to the two-stage detector only"))
    assert not {"score_selection", "score_aggregation", "score_claims"} & keys(app)
    assert app.slider(key="chosen_threshold").value == 0.5, "the detector's own"
    app.text_input(key="preset_name").set_value("matrix")
    next(b for b in app.button if b.label.startswith("Save threshold")).click().run()
    assert not app.exception
    (preset,) = PresetStore.open().listed().readable
    assert preset.parameters.detector == "nli-matrix"
    assert preset.parameters.contradiction_rule == "unless_entailed"


def test_thresholds_of_several_detectors_ask_for_one(store):
    run_of(store, "matrix", Parameters(detector="nli-matrix"))
    run_of(store, "paper", Parameters())
    app = open_page("thresholds")
    app.multiselect(key="runs").set_value([]).run()
    app.selectbox(key="detector_is").set_value(None).run()
    assert_shows(texts(app), snapshot("scored by several detectors (Two-stage, NLI matrix)"))
    assert "score_aggregation" in keys(app)
    assert_shows(texts(app), snapshot("A preset is for one detector"))
    app.selectbox(key="detector_is").set_value("two-stage").run()
    assert "scored by several detectors" not in texts(app)


def test_a_page_of_thresholds_starts_with_what_scored_its_answers():
    stored = ScoredBy((Parameters(detector="summac", granularity="document"),))
    start = stored.start(default_parameters(), "embedded")
    assert (start.detector, start.granularity) == ("summac", "document")
    assert start.threshold == DETECTORS["summac"].threshold("embedded")
    assert ScoredBy(()).start(default_parameters(), "embedded") == default_parameters()
    preset = Parameters(detector="nli-matrix", threshold=0.7)
    stored_by = default_parameters()
    assert ScoredBy((stored_by,)).start(preset, "embedded") == stored_by


def test_thresholds_of_dense_retrieval_are_of_the_stored_scores_and_keep_its_settings():
    dense = Parameters(relevance_method="cosine", top_p=0.5)
    scored = ScoredBy((dense,))
    assert scored.as_stored and not scored.mixes_relevance
    start = scored.start(default_parameters(), "embedded")
    assert start == replace(dense, threshold=default_parameters().threshold)
    # A default preset of dense retrieval says nothing of answers that were scored without it.
    assert ScoredBy((Parameters(),)).start(dense, "embedded") == replace(
        dense, relevance_method="cross_encoder"
    )
    both = ScoredBy((Parameters(), dense))
    assert both.mixes_relevance and not both.as_stored
    assert not ScoredBy((dense, Parameters(detector="summac"))).mixes_relevance


def test_an_aggregation_that_the_sidebar_does_not_show_leaves_the_audit_as_it_is():
    audit = assemble(
        hand_evidence([0.0, 0.0], ENTAILMENT, CONTRADICTION), Parameters(aggregation="min")
    )
    assert under_settings(audit, Parameters(relevance_method="cosine")) == audit
    assert under_settings(audit, Parameters()).parameters.aggregation == "max"


def test_a_default_preset_brings_its_detector_into_the_sidebar(store):
    run_of(store, "summac", Parameters(detector="summac"))
    app = open_page("thresholds")
    app.text_input(key="preset_name").set_value("by SummaC")
    app.checkbox(key="preset_default").check()
    next(b for b in app.button if b.label.startswith("Save threshold")).click().run()
    assert not app.exception
    fresh = open_page()
    assert fresh.selectbox(key="detector").value == "summac"
    assert "granularity" in keys(fresh) and "aggregation" not in keys(fresh)
    fresh.selectbox(key="detector").set_value("two-stage").run()
    assert_shows(texts(fresh), snapshot("Changed since the preset was chosen: detector"))


def test_a_batch_is_started_with_the_detector_of_the_sidebar(store, monkeypatch):
    monkeypatch.setattr("dashboard.batch.upload.start_worker", lambda number: None)
    app = open_page("batch")
    app.selectbox(key="detector").set_value("nli-matrix").run()
    row = {"query": "How many?", "context": ["Two cats."], "answer": "Two."}
    data = (json.dumps(row) + "\n").encode()
    app.file_uploader[0].set_value([("rows.jsonl", data, "")])
    app.run()
    press(app, "Start")
    (run,) = RunStore.open().page().runs
    assert run.parameters == default_parameters(detector="nli-matrix")
    assert "NLI matrix, threshold 0.500</small>" in shown_html(app)


def test_recompute_keeps_the_detector():
    audit = made("summac")
    assert recompute(audit, threshold=0.1).score == audit.score
