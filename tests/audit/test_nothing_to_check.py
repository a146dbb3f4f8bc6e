import csv
import io
import json
from dataclasses import replace

import pytest

from dashboard.compare.tables import unchecked_rows_text
from provenance_core import Verdict, default_parameters, recompute
from provenance_core.audit.assembly import assemble
from provenance_core.audit.serialization import audit_from_json, audit_to_json, to_plain
from provenance_core.cli.audit_text import audit_text
from provenance_core.detectors import DETECTORS
from provenance_core.explain.summary import audit_summary
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.files.types import BatchRow
from provenance_core.integrations.outcome import passes
from provenance_core.review.types import JudgedVerdict, Judgement
from provenance_core.statistics.agreement import agreement_report
from provenance_core.statistics.comparison import (
    ComparedRow,
    FlipOutcome,
    RunRows,
    compare,
    flips,
    match_runs,
)
from provenance_core.testing import assert_supported
from provenance_core.types import RelevanceMethod, SentenceLabel, VerdictState
from reports.audit_report import audit_report
from reports.formulas import formula_lines
from reports.items_report import build_items_report, items_report
from reports.listed_audits import listed
from reports.markup import verdict_banner
from reports.score_steps import answer_text, sentence_steps, sentence_text
from storage import (
    AuditFilter,
    AuditStore,
    BulkScoreStore,
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    ReviewStore,
    RunStore,
    scores_under,
)
from storage.exports import ExportFormat
from storage.items import Reviewed
from tests.app_page import open_page
from tests.commands import run_command
from tests.exports_data import an_audit, exported

HELLO = "Hello! How can I help you today?"
CONTEXT = ["The shop opens at nine."]


@pytest.fixture(scope="module")
def hello(provenance):
    return provenance.audit(answer=HELLO, context=CONTEXT, query="Hi")


def test_a_greeting_is_neither_supported_nor_hallucinated(hello):
    assert hello.verdict is Verdict.NOTHING_TO_CHECK
    assert hello.state is VerdictState.NOTHING_TO_CHECK
    assert {each.label for each in hello.sentences} == {SentenceLabel.SET_ASIDE}
    assert (hello.flagged, hello.checked) == (0, 0)
    assert len(hello.evidence.set_aside) == len(hello.sentences)
    for threshold in (0.0, 1.0):
        assert recompute(hello, threshold=threshold).verdict is Verdict.NOTHING_TO_CHECK
    # Its score stays that of its words, and is the verdict's again where they are counted.
    counted = recompute(hello, count_set_aside=True)
    assert counted.score == hello.score
    assert counted.verdict is Verdict.HALLUCINATED
    assert audit_from_json(audit_to_json(hello)) == hello


# What can be asked without a server.
METHODS = [name for name, each in DETECTORS.items() if not each.traits.sends_texts]


@pytest.mark.parametrize("answer", [HELLO, "You are welcome!", "Shall I go on?"])
@pytest.mark.parametrize("detector", METHODS)
def test_every_method_calls_it_so(provenance, detector, answer):
    parameters = default_parameters(detector=detector)
    audit = provenance.audit(answer=answer, context=CONTEXT, parameters=parameters)
    assert audit.verdict is Verdict.NOTHING_TO_CHECK
    assert recompute(audit, count_set_aside=True).verdict is not Verdict.NOTHING_TO_CHECK
    # Where it is not 1 by definition, the score is that of the words.
    by_definition = audit.score == 1.0
    assert ("not counted" in "\n".join(formula_lines(audit))) is by_definition


@pytest.mark.parametrize("detector", METHODS)
def test_every_method_scores_what_is_beside_a_claim_as_nothing(provenance, detector):
    parameters = default_parameters(detector=detector)
    alone, beside = (
        provenance.audit(answer=answer, context=CONTEXT, parameters=parameters)
        for answer in ("The shop opens at nine.", "The shop opens at nine. Shall I go on?")
    )
    (claim, question) = beside.sentences
    assert (claim.label, question.label) == (SentenceLabel.SUPPORTED, SentenceLabel.SET_ASIDE)
    assert (beside.flagged, beside.checked, beside.verdict) == (0, 1, Verdict.SUPPORTED)
    assert beside.score == pytest.approx(alone.score, abs=0.02)
    lines = formula_lines(beside)
    assert any("(set aside, not counted)" in line for line in lines) or detector == "spans"


def test_dense_retrieval_sets_aside_too(provenance):
    parameters = replace(default_parameters(), relevance_method=RelevanceMethod.COSINE)
    audit = provenance.audit(
        answer="The shop opens at nine. Shall I go on?", context=CONTEXT, parameters=parameters
    )
    assert [each.label for each in audit.sentences] == [
        SentenceLabel.SUPPORTED,
        SentenceLabel.SET_ASIDE,
    ]
    assert audit.score == audit.claims[0].score


def test_audits_of_before_are_called_so_too(hello):
    old = assemble(replace(hello.evidence, set_aside=()), hello.parameters)
    assert old.verdict is Verdict.NOTHING_TO_CHECK


def test_nothing_that_is_said_of_it_names_another_verdict(hello):
    steps = sentence_steps(hello, 0)
    texts = [
        verdict_banner(hello, verdict_sentence(hello)).split("</style>")[1],
        audit_report(hello).split("</style>")[-1],
        audit_text(hello),
        "\n".join(formula_lines(hello)),
        answer_text(hello),
        sentence_text(hello, steps),
    ]
    for text in texts:
        assert "hallucinated" not in text.lower().replace("hallucinated span", ""), text
        assert (
            "under the threshold" not in text and "not found" not in text.split("framed")[0][-80:]
        )
    assert "<b>– Nothing to check</b>" in texts[0] and "score" not in texts[0]
    assert texts[2].startswith("NOTHING TO CHECK\nThe answer states nothing to check.\n")
    assert "not counted" not in texts[3], "the score is made of these claims"
    assert texts[3].endswith("every sentence is set aside → nothing to check")


def test_programs_read_it_as_a_verdict_of_its_own(hello, tmp_path):
    plain = to_plain(audit_summary(hello))
    assert (plain["verdict"], plain["state"]) == ("nothing_to_check", "nothing_to_check")
    assert not passes(hello) and verdict_sentence(hello) == "The answer states nothing to check."
    with pytest.raises(AssertionError, match="states nothing to check"):
        assert_supported(HELLO, CONTEXT)
    (tmp_path / "context.txt").write_text(CONTEXT[0], encoding="utf-8")
    arguments = ["audit", "--answer", HELLO, "--context", str(tmp_path / "context.txt"), "--json"]
    done = run_command(*arguments, "--fail-below-threshold")
    assert done.returncode == 0
    assert json.loads(done.stdout)["verdict"] == "nothing_to_check"


def test_lists_exports_and_figures_count_it_as_neither(hello, url):
    store = AuditStore.open(url)
    number, other = store.save(hello), store.save(an_audit(0.1))
    assert store.load(number).audit == hello
    nothing = ItemFilter(audits=AuditFilter(verdict=Verdict.NOTHING_TO_CHECK))
    items = ItemStore.open(url)
    assert [each.audit_id for each in items.page(nothing).items] == [number]
    wrong = ItemFilter(audits=AuditFilter(verdict=Verdict.HALLUCINATED))
    assert [each.audit_id for each in items.page(wrong).items] == [other]
    (row,) = listed(items.page(nothing).items, url)
    assert (row.verdict, row.flagged, row.shown_score) == ("– Nothing to check", "", None)
    labelled = replace(row, item=replace(row.item, label=1))
    assert labelled.mistake is None

    ReviewStore.open(url).save(number, "ann", Judgement(JudgedVerdict.SUPPORTED))
    assert items.page(replace(nothing, reviewed=Reviewed.OVERRULED)).total == 0
    assert items.page(ItemFilter(), ItemOrder.CAUGHT).items[0].audit_id == other
    (ann, _) = agreement_report(ReviewStore.open(url).each(nothing)).machine
    assert ann.answers.n == 0

    line = json.loads(exported(url, ExportFormat.JSONL, nothing))
    assert line["verdict"] == line["audit"]["verdict"] == "nothing_to_check"
    table = exported(url, ExportFormat.CSV, nothing).decode("utf-8-sig")
    assert next(csv.DictReader(io.StringIO(table)))["verdict"] == "nothing_to_check"
    report = items_report(build_items_report(nothing, url=url))
    assert "<b>– Nothing to check</b>" in report
    (measured,) = BulkScoreStore.open(url).measured([number])
    assert scores_under([measured], hello.parameters) == (pytest.approx(hello.score),)


def test_a_labelled_row_with_nothing_to_check_counts_in_no_figure_of_its_run(hello, url):
    runs = RunStore.open(url)
    run = runs.create(
        NewRun("run", "rows.jsonl", "rows", (), "embedded", hello.parameters),
        [BatchRow(n, "q", ("c",), "a", id=f"r{n}", label=n // 2) for n in range(3)],
        [],
    )
    runs.take(run, "w")
    missed = an_audit(0.9)
    assert missed.verdict is Verdict.SUPPORTED
    for audit in (hello, missed, missed):
        assert runs.finish(runs.next_row(run).id, "w", audit)
    runs.end(run, "w")
    assert runs.labelled_scores(run).labels == (0, 1)
    counts = build_items_report(ItemFilter(runs=(run,)), url=url).counts
    by_labels = (
        "By the labels, 0 of 1 hallucinated answers are caught, 1 missed (called supported); "
        "0 of 1 supported answers are false alarms (called hallucinated)."
    )
    unchecked = "1 labelled answer has nothing to check and does not count in these figures."
    assert (counts.mistakes, counts.unchecked) == (by_labels, unchecked)
    made = items_report(build_items_report(ItemFilter(runs=(run,)), url=url))
    assert unchecked in made and "n = 2" in made
    app = open_page("batch", run=str(run))
    assert not app.exception
    assert by_labels in "".join(each.value for each in app.markdown)
    assert unchecked in [each.value for each in app.caption]
    assert "2 labelled rows" in "".join(each.value for each in app.text)


def test_a_run_that_finds_nothing_to_check_is_neither_right_nor_wrong():
    rows = [
        [
            ComparedRow(1, 1, "a", "t", "s", "", 1, 0.1, 0.5, verdict),
            ComparedRow(2, 2, "b", "u", "r", "", 0, 0.2, 0.5, Verdict.HALLUCINATED),
        ]
        for verdict in (Verdict.NOTHING_TO_CHECK, Verdict.SUPPORTED)
    ]
    matched = match_runs([RunRows(i, f"run {i}", tuple(each)) for i, each in enumerate(rows)])
    (flip,) = flips(matched, 0, 1)
    assert flip.outcome is FlipOutcome.NOTHING_TO_CHECK
    assert unchecked_rows_text(matched) == (
        "1 labelled row has nothing to check in a run: the AUC takes its score there, and balanced "
        "accuracy, precision, recall and F1 leave it out."
    )
    first, second = compare(matched, resamples=10).runs
    assert first.by_verdict is None or first.by_verdict.balanced_accuracy is None
    assert second.by_verdict is not None and second.by_verdict.balanced_accuracy == 1.0
    assert first.said_hallucinated == 0.5
