"""Downloads of an audit: the HTML report and the CSV."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from inline_snapshot import snapshot

from provenance_core import Audit, ClaimForm, Parameters, assemble
from provenance_core.scoring.tracing import sentence_matrix
from provenance_core.types import ContextItem, SentenceLabel
from reports.audit_report import audit_report
from reports.charts import heatmap, shown_part
from reports.colours import HALLUCINATED, INKS, NOTHING, SUPPORTED, contrast, ink_on, mixed, rgb_of
from reports.formulas import formula_lines
from reports.markup import answer_markup, claims_markup
from reports.quantities import Quantity, cell_tones
from reports.tables import audit_csv, sources_table
from storage.exports.spreadsheet_cells import neutral_cell
from tests.conftest import cell_texts, hand_evidence
from tests.wording import assert_shows

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def audit() -> Audit:
    evidence = hand_evidence([2.0, 1.0, -3.0], [[0.9, 0.2, 0.1], [0.2, 0.3, 0.1]])
    context = (ContextItem(0, f"{SCRIPT} text of item 0."), *evidence.context[1:])
    chunk = replace(evidence.chunks[0], text=context[0].text, end=len(context[0].text))
    return assemble(
        replace(evidence, context=context, chunks=(chunk, *evidence.chunks[1:]), query=SCRIPT),
        Parameters(),
    )


class Collector(HTMLParser):
    """Tags opened and attributes seen."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]


def test_the_report_is_one_file_without_script_or_network(audit):
    report = audit_report(audit)
    seen = Collector()
    seen.feed(report)
    assert "script" not in seen.tags
    assert seen.links == []
    assert "&lt;script&gt;alert(1)" in report
    assert f"{audit.score:.3f}" in report
    assert audit.evidence.nli_model.sha256 in report


def test_the_report_names_the_original_of_a_correction(audit):
    assert_shows(audit_report(audit, (), 7), snapshot("A correction of the answer of audit 7,"))
    assert "A correction of" not in audit_report(audit)


def test_csv_has_a_row_a_cell_and_runs_no_formula(audit):
    rows = list(csv.DictReader(io.StringIO(audit_csv(audit).decode("utf-8-sig"))))
    assert len(rows) == 2 * 3
    assert float(rows[0]["support"]) == pytest.approx(0.9, abs=1e-6)
    assert {row["verdict"] for row in rows} == {str(audit.state)}
    assert {float(row["score"]) for row in rows} == {audit.score}
    assert {(row["flagged"], row["checked"]) for row in rows} == {
        (str(audit.flagged), str(audit.checked))
    }
    asked = replace(audit, evidence=replace(audit.evidence, query="=cmd()"))
    assert "'=cmd()" in audit_csv(asked).decode("utf-8")
    assert neutral_cell("=1+1") == "'=1+1"
    assert neutral_cell("1+1") == "1+1"


def test_the_csv_says_what_the_page_says_of_a_cell_and_names_what_is_of_the_whole_chunk(provenance):
    made = provenance.audit(
        answer="The bridge carries no railway.",
        context=["The bridge opened in 2000. A railway runs on its lower deck. Ferries sail on."],
    )
    (row,) = csv.DictReader(io.StringIO(audit_csv(made).decode("utf-8-sig")))
    _, against = sentence_matrix(made.evidence)
    whole = made.evidence.sentence_scores.cell(0, 0)
    assert float(row["contradiction"]) == pytest.approx(against[0, 0])
    assert float(row["contradiction"]) == pytest.approx(made.sentences[0].contradiction)
    assert float(row["chunk_contradiction"]) == pytest.approx(whole.contradiction)
    assert against[0, 0] != pytest.approx(whole.contradiction)


def test_sources_table_is_ordered_by_weight(audit):
    table = sources_table(audit)
    assert list(table["chunk"]) == ["C1", "C2", "C3"]
    assert table["weight"].sum() == pytest.approx(1)


def test_the_formula_has_the_numbers_of_the_audit(audit):
    lines = formula_lines(audit)
    assert lines[0].endswith(f"= {audit.claims[0].score:.3f}")
    assert lines[-1].startswith(f"{audit.score:.3f} ")
    many = assemble(hand_evidence([0.0] * 40, [[0.5] * 40] * 30), Parameters(top_k=40))
    assert "28 more" in formula_lines(many)[0]
    assert "18 more claims" in "\n".join(formula_lines(many))


def test_every_cell_can_be_clicked(audit):
    figure = heatmap(audit, shown_part(audit), Quantity.SUPPORT)
    assert cell_texts(figure)[0][0] == "0.90"
    assert [list(point)[:2] for point in figure.data[1].customdata] == [
        [s, c] for s in range(2) for c in range(3)
    ]


def test_the_heatmap_says_what_its_rows_and_columns_stand_for(audit):
    figure = heatmap(audit, shown_part(audit), Quantity.SUPPORT, chosen=(1, 2))
    assert next(iter(figure.layout.yaxis.ticktext)).endswith("S1 Claim number 0.")
    assert figure.layout.xaxis.ticktext[0].startswith("C1<br>&lt;script&gt;")
    assert list(figure.data[1].customdata[5])[:3] == [1, 2, "Claim number 1."]
    support, _ = sentence_matrix(audit.evidence)
    assert cell_texts(figure)[1][2] == f"{support[1, 2]:.2f}"
    frames = figure.layout.shapes
    assert {(s.x0 + s.x1, s.y0 + s.y1) for s in frames} == {(4.0, 2.0)}


def test_the_heatmap_shows_the_models_own_probabilities_too(audit):
    cell = audit.evidence.sentence_scores.cell(1, 2)
    for quantity, expected, sign in (
        (Quantity.ENTAILMENT, cell.entailment, 1),
        (Quantity.CONTRADICTION, cell.contradiction, -1),
    ):
        figure = heatmap(audit, shown_part(audit), quantity)
        assert figure.data[0].z[1][2] == pytest.approx(sign * expected)
        assert cell_texts(figure)[1][2] == f"{expected:.2f}"


def test_colours_follow_the_labels_of_the_sentences():
    # Supported by a little, not found, contradicted; each by one chunk.
    evidence = hand_evidence([0.0], [[0.55], [0.3], [0.1]], [[0.2], [0.3], [0.8]])
    audit = assemble(evidence, Parameters(claim_aggregation="mean"))
    tones = cell_tones(audit, Quantity.SUPPORT)[:, 0]
    assert 0.4 <= tones[0] < 0.6 and abs(tones[1]) <= 0.2 and tones[2] <= -0.4
    figure = heatmap(audit, shown_part(audit), Quantity.SUPPORT)
    trace = figure.data[0]
    assert [row[0] for row in trace.z] == pytest.approx(list(tones))
    assert cell_texts(figure)[0][0] == "0.55"


@pytest.mark.parametrize("dark", [False, True])
def test_every_number_can_be_read_on_its_cell(dark):
    for colour in (SUPPORTED, HALLUCINATED):
        for share in range(101):
            ground = mixed(NOTHING[dark], rgb_of(colour), share / 100)
            assert contrast(rgb_of(ink_on(ground)), ground) >= 4.5


def test_every_number_of_the_report_can_be_read_on_its_cell():
    # The grounds of a light and a dark page in Chromium, with their own ink.
    for page, ink in (((255, 255, 255), (0, 0, 0)), ((18, 18, 18), (255, 255, 255))):
        for colour in (SUPPORTED, HALLUCINATED):
            assert contrast(ink, mixed(page, rgb_of(colour), 0.6)) >= 4.5


def test_what_says_nothing_belongs_to_the_ground_of_the_page(audit):
    page = {False: (255, 255, 255), True: (14, 17, 23)}
    for dark in (False, True):
        for quantity in Quantity:
            scale = heatmap(audit, shown_part(audit), quantity, dark=dark).layout.coloraxis
            assert f"rgb{NOTHING[dark]}" in {colour for _, colour in scale.colorscale}
        assert contrast(NOTHING[dark], page[dark]) < 2, "no bright cell on a dark page"


def test_a_number_is_written_once_in_the_ink_of_its_cell():
    evidence = hand_evidence([0.0], [[0.95], [0.1], [0.1]], [[0.0], [0.0], [0.9]])
    audit = assemble(evidence, Parameters())
    for dark in (False, True):
        figure = heatmap(audit, shown_part(audit), Quantity.SUPPORT, dark=dark)
        written = {
            trace.textfont.color: [row[0] for row in trace.text] for trace in figure.data[2:]
        }
        assert sorted(written) == sorted(INKS)
        for place, tone in enumerate(cell_tones(audit, Quantity.SUPPORT)[:, 0]):
            end = rgb_of(SUPPORTED if tone > 0 else HALLUCINATED)
            ink = ink_on(mixed(NOTHING[dark], end, abs(tone)))
            assert written[ink][place]
            assert sum(bool(texts[place]) for texts in written.values()) == 1


def test_what_is_well_under_the_threshold_has_no_colour():
    unrelated = assemble(hand_evidence([0.0], [[0.3]], [[0.0]]), Parameters())
    assert cell_tones(unrelated, Quantity.SUPPORT)[0, 0] == 0.0
    assert cell_tones(unrelated, Quantity.ENTAILMENT)[0, 0] == pytest.approx(0.3)
    assert "rgba(0,114,178,0.00)" in audit_report(unrelated)


def test_a_sentence_that_is_set_aside_has_no_colour_and_no_number(audit):
    first = replace(audit.sentences[0], label=SentenceLabel.SET_ASIDE)
    audit = replace(audit, sentences=(first, *audit.sentences[1:]))
    figure = heatmap(audit, shown_part(audit), Quantity.SUPPORT)
    trace = figure.data[0]
    assert set(trace.z[0]) == {None} and set(cell_texts(figure)[0]) == {""}
    assert None not in trace.z[1]


def test_the_claims_of_the_formula_are_named(audit):
    assert "claim 1 is S1" in claims_markup(audit) and "claim 1 is S1" in audit_report(audit)
    claim = replace(
        audit.claims[0].claim, form=ClaimForm.PROMPT, text="The answer to question <b> is x."
    )
    prompted = replace(audit, claims=(replace(audit.claims[0], claim=claim),))
    assert_shows(claims_markup(prompted), snapshot("The answer to question &lt;b&gt; is x."))


def test_a_large_audit_draws_evidence_first_and_says_so():
    audit = assemble(hand_evidence([float(i) for i in range(200)], [[0.1] * 200]), Parameters())
    shown = shown_part(audit)
    assert len(shown.chunks) == 60 and not shown.complete
    assert audit.sentences[0].evidence_chunk in shown.chunks
    assert "200" in audit_report(audit)


def test_the_answer_is_drawn_whole(audit):
    extras = r'<style>.*?</style>\n?|<p .*?</p>|<span class="pv-m">.*?</span>|<[^>]+>'
    drawn = re.sub(extras, "", answer_markup(audit), flags=re.DOTALL).lstrip("\n")
    assert drawn == audit.evidence.answer
