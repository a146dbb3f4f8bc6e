"""The notice of an audit whose texts are not English: of the embedded models alone."""

from __future__ import annotations

import csv
import io

import numpy as np

from provenance_core import Provenance, default_parameters
from provenance_core.auditor.result import Result
from provenance_core.cli.audit_text import audit_text
from provenance_core.explain.language import UNREAD_NOTE, language_note
from provenance_core.files.results import Origin, audited_row
from provenance_core.files.types import BatchRow
from storage import AuditStore, ItemFilter
from storage.exports import Exporter, ExportFormat

ANSWER = "Kein ärztliches Attest ist für den Antrag erforderlich."
CONTEXT = ["Für den Antrag braucht man kein ärztliches Attest und auch keine Gebühr."]


def _codes(audit):
    return [notice.code for notice in audit.evidence.notices]


def _of_other_models(models: Provenance) -> Provenance:
    return Provenance(models.relevance, models.nli, models.profile, models.spans, models.second,
                      models.second_support, models.support)  # fmt: skip


def test_a_german_audit_says_so_and_an_english_one_does_not(provenance):
    german = provenance.audit(answer=ANSWER, context=CONTEXT)
    english = provenance.audit(
        answer="No medical certificate is needed.",
        context=["A medical certificate is not needed for the application."],
    )
    assert _codes(german).count("not_english") == 1
    assert "not_english" not in _codes(english)


def test_the_notice_changes_no_figure_and_other_models_do_not_get_it(provenance):
    given = provenance.audit(answer=ANSWER, context=CONTEXT)
    other = _of_other_models(provenance).audit(answer=ANSWER, context=CONTEXT)
    assert "not_english" not in _codes(other)
    assert (given.score, given.verdict) == (other.score, other.verdict)
    assert np.array_equal(given.evidence.claim_scores.entailment,
                          other.evidence.claim_scores.entailment)  # fmt: skip
    assert [code for code in _codes(given) if code != "not_english"] == _codes(other)


def test_the_note_stands_with_the_verdict_in_text_results_and_exports(provenance, tmp_path):
    audit = provenance.audit(answer=ANSWER, context=CONTEXT)
    assert UNREAD_NOTE in audit_text(audit).splitlines()[0]
    assert UNREAD_NOTE in Result(audit)._repr_html_()
    origin = Origin("a.jsonl", "", "rows", (), "embedded", audit.parameters, "1")
    row = audited_row(1, BatchRow(1, "", tuple(CONTEXT), ANSWER), audit, origin)
    note = language_note(audit.evidence.notices)
    assert "in German" in note and note in row.notices
    url = f"sqlite:///{tmp_path / 'german.db'}"
    AuditStore.open(url).save(audit)
    written = {}
    for wanted in ExportFormat:
        file = io.BytesIO()
        Exporter.open(url).write(ItemFilter(), wanted, file)
        written[wanted] = file.getvalue().decode()
    (line,) = csv.DictReader(io.StringIO(written[ExportFormat.CSV]))
    assert line["unread_language"] == "German"
    for wanted in (ExportFormat.JSONL, ExportFormat.PHOENIX, ExportFormat.LANGFUSE,
                   ExportFormat.LABEL_STUDIO):  # fmt: skip
        assert note in written[wanted]


def test_every_embedded_detector_says_it_and_data_are_read_as_given(provenance):
    for detector in ("two-stage", "nli-matrix"):
        parameters = default_parameters(detector=detector)
        audit = provenance.audit(answer=ANSWER, context=CONTEXT, parameters=parameters)
        assert "not_english" in _codes(audit)
    data = ['{"name": "Kesten Bridge", "opened": 1932, "length": 412, "lamps": 48}']
    assert "not_english" not in _codes(provenance.audit(answer="It has 48 lamps.", context=data))
