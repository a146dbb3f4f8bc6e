"""Items exported: what each format says of the same items."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from provenance_core import Parameters, assemble
from provenance_core.files.labelled import read_labelled_file
from provenance_core.types import FindingType, JudgeModel, JudgePrompt, JudgeReply, MeasuredSpan
from storage import AuditFilter, AuditStore, ItemFilter, Reviewed, ReviewStore
from storage.engine import get_engine
from storage.exports import LABELING_CONFIG, Exporter, ExportFormat, ExportSummary
from storage.exports.spreadsheet_cells import neutral_cell
from storage.imports import Importer
from storage.models import AuditRecord
from storage.returned_labels import import_labels
from tests.conftest import hand_evidence
from tests.exports_data import QUERY, SCRIPT, an_audit, fill

RUN = ItemFilter(runs=(1,))
FLAGGED = "supported_flagged"


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('exports') / 'exports.db'}"
    fill(url)
    return url


def export(url: str, wanted: ExportFormat, chosen: ItemFilter = RUN) -> tuple[str, ExportSummary]:
    file = io.BytesIO()
    summary = Exporter.open(url).write(chosen, wanted, file)
    return file.getvalue().decode("utf-8"), summary


def json_rows(url: str, wanted: ExportFormat, chosen: ItemFilter = RUN) -> list[dict]:
    return [json.loads(line) for line in export(url, wanted, chosen)[0].splitlines()]


def test_csv_has_a_line_an_item_and_runs_no_formula(filled):
    text, summary = export(filled, ExportFormat.CSV)
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert summary == ExportSummary(3, ())
    assert [(r["audit_id"], r["line"], r["row_id"], r["label"]) for r in rows] == [
        ("1", "1", "r1", "1"), ("2", "2", "r2", "0"), ("1", "3", "r3", "1"),
    ]  # fmt: skip
    assert rows[0]["query"] == f"'{QUERY}"
    assert rows[1]["reviewers_verdicts"] == "ann: hallucinated | bob: hallucinated"
    assert rows[1]["comments"] == f"ann: +1 {SCRIPT}"
    assert (rows[1]["reviews"], rows[1]["reviewed_label"], rows[0]["reviewed_label"]) == (
        "2", "0", "",
    )  # fmt: skip
    assert float(rows[0]["score"]) == AuditStore.open(filled).load(1).audit.score


def test_csv_names_the_original_of_a_correction(tmp_path):
    url = f"sqlite:///{tmp_path / 'corrected.db'}"
    store = AuditStore.open(url)
    original = store.save(an_audit(0.2))
    store.save(an_audit(0.9), original)
    text, _ = export(url, ExportFormat.CSV, ItemFilter())
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    assert {row["audit_id"]: row["corrected_from"] for row in rows} == {"1": "", "2": "1"}


@pytest.fixture
def corrected(url) -> str:
    """The run of :func:`fill`; audit 4 corrects audit 2 and is corrected in audit 5, by ann."""
    fill(url)
    store = AuditStore.open(url)
    store.save(an_audit(0.8), 2)
    store.save(an_audit(0.9, 0.9), 4, corrected_by="ann")
    return url


def test_a_run_names_the_correction_of_each_answer_without_counting_it(corrected):
    answer = AuditStore.open(corrected).load(5).audit.evidence.answer
    text, summary = export(corrected, ExportFormat.CSV)
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    told = [(r["correction"], r["correction_audit"], r["correction_by"]) for r in rows]
    assert told == [("", "", ""), (answer, "5", "ann"), ("", "", "")]
    _, full, _ = json_rows(corrected, ExportFormat.JSONL)
    assert [(c["id"], c["item"]["answer"], c["corrected_by"]) for c in full["corrections"]] == [
        (4, an_audit(0.8).evidence.answer, ""), (5, answer, "ann"),
    ]  # fmt: skip
    _, task, _ = json.loads(export(corrected, ExportFormat.LABEL_STUDIO)[0])
    keys = ("correction", "correction_audit", "correction_by")
    assert [task["data"][key] for key in keys] == [answer, 5, "ann"]
    assert 'value="$correction"' in LABELING_CONFIG
    notes = json.loads(export(corrected, ExportFormat.PHOENIX)[0])["data"]
    (note,) = [each for each in notes if each["name"] == "correction"]
    assert (note["span_id"], note["result"]["explanation"]) == ("r2", answer)
    assert [note["metadata"][key] for key in ("correction_audit", "corrected_by")] == [5, "ann"]
    scores = json_rows(corrected, ExportFormat.LANGFUSE)
    (score,) = [each for each in scores if each["dataType"] == "CORRECTION"]
    assert (score["traceId"], score["name"], score["value"]) == ("r2", "output", answer)
    assert [score["metadata"][key] for key in ("correction_audit", "reviewer")] == [5, "ann"]
    assert summary.written == 3 and len({note["span_id"] for note in notes}) == 2 + 1


def test_a_corrected_audit_names_its_original_in_every_tool(corrected):
    wanted = ItemFilter(reviewed=Reviewed.UNREVIEWED)
    tasks = json.loads(export(corrected, ExportFormat.LABEL_STUDIO, wanted)[0])
    notes = json.loads(export(corrected, ExportFormat.PHOENIX, wanted)[0])["data"]
    scores = json_rows(corrected, ExportFormat.LANGFUSE, wanted)
    for told in (
        [task["data"] for task in tasks],
        [note["metadata"] for note in notes if note["name"] != "correction"],
        [s["metadata"] for s in scores if s["name"] == "verdict"],
    ):
        found = {t["audit_id"]: (t["corrected_from"], t["corrected_by"] or "") for t in told}
        assert (found[1], found[4], found[5]) == ((None, ""), (2, ""), (4, "ann"))


@pytest.mark.parametrize("chosen", [RUN, ItemFilter()])
def test_corrections_come_back_with_the_run_that_they_are_no_rows_of(corrected, tmp_path, chosen):
    lines = export(corrected, ExportFormat.JSONL, chosen)[0].encode().splitlines()
    other = f"sqlite:///{tmp_path / 'other.db'}"
    result = Importer.open(other).read(lines)
    audits = 4 if chosen == RUN else 5
    assert (result.imported, result.rejected, result.unlinked) == (audits, (), 0)
    assert result.already_there == len(lines) - (2 if chosen == RUN else 5)
    store = AuditStore.open(other)
    found = {row.id: row for row in store.page(AuditFilter()).rows}
    ((last, author),) = store.corrected_by(list(found)).items()
    first = found[last].corrected_from
    assert author == "ann" and found[found[first].corrected_from].corrected_from is None
    assert store.load(last).audit.evidence == AuditStore.open(corrected).load(5).audit.evidence
    again = Importer.open(other).read(lines)
    assert (again.imported, again.already_there) == (0, len(lines))


def test_a_damaged_correction_is_named_and_nothing_of_its_line_kept(corrected, tmp_path):
    line = json_rows(corrected, ExportFormat.JSONL)[1]
    line["corrections"][1]["audit"] = {}
    importer = Importer.open(f"sqlite:///{tmp_path / 'other.db'}")
    (rejected,) = importer.read([json.dumps(line).encode()]).rejected
    assert "corrections[1]: " in rejected.reason


def test_an_answer_with_flagged_sentences_is_no_plain_supported_one(url):
    evidence = hand_evidence([0.1], [[0.95], [0.95], [0.29]])
    AuditStore.open(url).save(assemble(evidence, Parameters(threshold=0.3)))
    text, _ = export(url, ExportFormat.CSV, ItemFilter())
    (row,) = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    assert (row["verdict"], row["flagged"], row["state"]) == ("supported", "1", FLAGGED)
    assert json_rows(url, ExportFormat.JSONL, ItemFilter())[0]["state"] == FLAGGED
    (note,) = json.loads(export(url, ExportFormat.PHOENIX, ItemFilter())[0])["data"]
    scores = json_rows(url, ExportFormat.LANGFUSE, ItemFilter())
    assert {each["metadata"]["state"] for each in (note, *scores)} == {FLAGGED}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＠"])
def test_formulas_are_neutralised(start):
    assert neutral_cell(f"{start}1") == f"'{start}1"
    assert neutral_cell(f"1{start}") == f"1{start}"


def test_a_filter_without_items_gives_a_file_that_can_be_read(filled):
    nothing = ItemFilter(task="no such task")
    assert export(filled, ExportFormat.CSV, nothing)[0].startswith("\ufeffaudit_id,")
    assert export(filled, ExportFormat.JSONL, nothing) == ("", ExportSummary(0, ()))
    assert json.loads(export(filled, ExportFormat.LABEL_STUDIO, nothing)[0]) == []
    assert json.loads(export(filled, ExportFormat.PHOENIX, nothing)[0]) == {"data": []}


def test_full_has_evidence_models_item_and_every_review(filled):
    rows = json_rows(filled, ExportFormat.JSONL, ItemFilter())
    by_audit = {row["item"]["audit_id"]: row for row in rows}
    assert set(by_audit) == {1, 2, 3}
    second = by_audit[2]
    assert second["audit"]["evidence"]["nli_model"]["sha256"] == "0" * 64
    assert second["item"]["label"] == 0 and second["item"]["row_id"] == "r2"
    assert [(r["reviewer"], r["version"]) for r in second["reviews"]] == [
        ("ann", 1), ("ann", 2), ("bob", 1),
    ]  # fmt: skip


def test_ragtruth_has_the_sentences_that_the_machine_does_not_support(filled):
    first, second, _ = json_rows(filled, ExportFormat.RAGTRUTH)
    assert first["labels"] == [] and first["id"] == "r1"
    assert [(m["text"], m["label_type"]) for m in second["labels"]] == [
        ("Claim number 0.", "Conflict"), ("Claim number 2.", "Conflict"),
    ]  # fmt: skip
    for mark in second["labels"]:
        assert second["response"][mark["start"] : mark["end"]] == mark["text"]
    assert {first["labels_from"], second["labels_from"]} == {"machine"}


SPANS = (
    (FindingType.EVIDENT_CONFLICT, "Evident Conflict", 0, 5),
    (FindingType.SUBTLE_CONFLICT, "Subtle Conflict", 6, 12),
    (FindingType.EVIDENT_BASELESS, "Evident Baseless Info", 16, 21),
    (FindingType.SUBTLE_BASELESS, "Subtle Baseless Info", 22, 30),
)


@pytest.fixture
def with_spans(url) -> str:
    """An audit by the spans detector: "Claim number 0. Claim number 1. Claim number 2. ", of which
    the third sentence is entailed by nothing and has no span; and one by a judge."""
    evidence = hand_evidence([0.1], [[0.9], [0.1], [0.1]])
    spans = tuple(MeasuredSpan(a, b, 0.9, kind) for kind, _, a, b in SPANS)
    spans += (MeasuredSpan(32, 47, 0.4, FindingType.EVIDENT_CONFLICT),)
    store = AuditStore.open(url)
    store.save(assemble(replace(evidence, spans=spans), Parameters(detector="spans")))
    reply = JudgeReply(JudgeModel("host", "judge-1", 0.0), JudgePrompt.SUMMARIZATION, "{}", 1)
    marked = replace(evidence, spans=(MeasuredSpan(16, 21, 1.0),), judge=reply)
    store.save(assemble(marked, Parameters(detector="llm-judge", threshold=1.0)))
    return url


def test_ragtruth_has_the_spans_of_a_detector_that_finds_them(with_spans):
    by_id = {r["id"]: r for r in json_rows(with_spans, ExportFormat.RAGTRUTH, ItemFilter())}
    found = by_id["audit-1"]
    assert [(m["label_type"], m["start"], m["end"]) for m in found["labels"]] == [
        (name, a, b) for _, name, a, b in SPANS
    ]
    for mark in found["labels"]:
        assert found["response"][mark["start"] : mark["end"]] == mark["text"]
    (judged,) = by_id["audit-2"]["labels"]
    assert (judged["text"], judged["label_type"]) == ("Claim", "Evident Baseless Info")


def test_label_studio_predicts_the_spans_with_their_types(with_spans):
    tasks = json.loads(export(with_spans, ExportFormat.LABEL_STUDIO, ItemFilter())[0])
    by_audit = {task["data"]["audit_id"]: task["predictions"][0] for task in tasks}
    regions = [r["value"] for r in by_audit[1]["result"] if r["type"] == "labels"]
    assert [(v["start"], v["end"], v["labels"]) for v in regions] == [
        (a, b, [str(kind)]) for kind, _, a, b in SPANS
    ]
    for value in regions:
        assert f'value="{value["labels"][0]}"' in LABELING_CONFIG
    assert by_audit[1]["model_version"] == "hand 1"
    assert by_audit[2]["model_version"] == "judge-1"


def test_tools_that_show_a_sentence_name_spans_and_judge(with_spans):
    data = json.loads(export(with_spans, ExportFormat.PHOENIX, ItemFilter())[0])["data"]
    said = {a["span_id"]: a for a in data}
    assert "evident conflict “Claim”" in said["audit-1"]["result"]["explanation"]
    assert said["audit-1"]["annotator_kind"] == "CODE"
    assert said["audit-2"]["annotator_kind"] == "LLM"


def test_ragtruth_has_the_reviewers_spans_and_says_what_it_left_out(filled):
    text, summary = export(filled, ExportFormat.RAGTRUTH_REVIEWERS, ItemFilter())
    (row,) = map(json.loads, text.splitlines())
    assert row["id"] == "r2" and row["labels_from"] == "reviewers"
    assert [(m["text"], m["label_type"], m["meta"]) for m in row["labels"]] == [
        # The first sentence holds a marked span; the third is judged without a type.
        ("Claim", "Evident Conflict", f"ann: +1 {SCRIPT}"),
        ("Claim number 2.", "Hallucination", f"ann: +1 {SCRIPT}"),
        # bob marked nothing: his verdict is of the whole answer.
        ("Claim number 0. Claim number 1. Claim number 2.", "Hallucination", "bob"),
    ]
    assert summary.written == 1
    assert [(s.rows, "no reviewer" in s.reason) for s in summary.left_out] == [(2, True)]


def test_ragtruth_files_are_read_back_by_its_reader(filled, tmp_path):
    for wanted, name in (
        (ExportFormat.RAGTRUTH, "response.jsonl"),
        (ExportFormat.RAGTRUTH_SOURCES, "source_info.jsonl"),
    ):
        (tmp_path / name).write_text(export(filled, wanted)[0], encoding="utf-8")
    rows = read_labelled_file(tmp_path / "response.jsonl").rows
    assert [(row.id, row.label) for row in rows] == [("r1", 1), ("r2", 0), ("r3", 1)]
    assert rows[0].query == QUERY
    assert rows[0].context == ("Chunk number 0.", SCRIPT)
    assert len({row.group for row in rows}) == 3, "the groups of the rows differ"


def test_label_studio_tasks_fit_the_configuration(filled):
    tasks = json.loads(export(filled, ExportFormat.LABEL_STUDIO)[0])
    assert [task["data"]["row_id"] for task in tasks] == ["r1", "r2", "r3"]
    second = tasks[1]
    (prediction,) = second["predictions"]
    assert prediction["score"] == AuditStore.open(filled).load(2).audit.score
    results = [
        r for part in (*second["predictions"], *second["annotations"]) for r in part["result"]
    ]
    for result in results:
        assert f'name="{result["from_name"]}"' in LABELING_CONFIG
        for value in result["value"].get("labels", []) + result["value"].get("choices", []):
            assert f'value="{value}"' in LABELING_CONFIG
        if result["type"] == "labels":
            span = result["value"]
            assert second["data"]["answer"][span["start"] : span["end"]] == span["text"]
    assert {r["value"]["text"][0] for r in results if r["from_name"] == "reviewer"} == {
        "ann", "bob",
    }  # fmt: skip
    ids = [
        r["id"]
        for task in tasks
        for part in (*task["predictions"], *task["annotations"])
        for r in part["result"]
    ]
    assert len(ids) == len(set(ids))


def test_phoenix_annotations_name_machine_and_reviewers(filled):
    data = json.loads(export(filled, ExportFormat.PHOENIX, ItemFilter())[0])["data"]
    said = {(a["span_id"], a["identifier"]): a for a in data}
    assert len(said) == len(data) == 3 + 3
    machine = said["r2", "provenance"]
    assert machine["annotator_kind"] == "CODE"
    assert machine["result"]["score"] == AuditStore.open(filled).load(2).audit.score
    assert "S1 contradicted: Claim number 0." in machine["result"]["explanation"]
    human = said["r2", "provenance-ann"]
    assert (human["annotator_kind"], human["result"]["label"], human["result"]["score"]) == (
        "HUMAN", "hallucinated", 0.0,
    )  # fmt: skip
    assert human["metadata"]["version"] == 2 and human["metadata"]["blind"]
    assert said["audit-3", "provenance-ann"]["result"]["score"] is None


def test_langfuse_scores_have_numbers_and_categories(filled):
    scores = json_rows(filled, ExportFormat.LANGFUSE)
    assert len({score["id"] for score in scores}) == len(scores)
    for score in scores:
        number = isinstance(score["value"], float)
        assert score["dataType"] == ("NUMERIC" if number else "CATEGORICAL")
    reviewed = [s for s in scores if s["name"] == "reviewed_verdict"]
    assert [(s["traceId"], s["metadata"]["reviewer"], s["value"]) for s in reviewed] == [
        ("r2", "ann", "hallucinated"), ("r2", "bob", "hallucinated"),
    ]  # fmt: skip


@pytest.fixture
def with_a_dropped_chunk(tmp_path) -> str:
    """An audit whose first sentence only a chunk supports that selection dropped; the source that
    is left contradicts it."""
    url = f"sqlite:///{tmp_path / 'dropped.db'}"
    evidence = hand_evidence([-9.0, 9.0], [[0.9, 0.05], [0.1, 0.9]], [[0.0, 0.9], [0.0, 0.0]])
    audit = assemble(evidence, Parameters(threshold=0.5, selection="top_k", top_k=1))
    assert audit.sentences[0].selection_miss
    AuditStore.open(url).save(audit)
    return url


def test_what_only_a_dropped_chunk_supports_is_not_found_in_every_format(with_a_dropped_chunk):
    url, every = with_a_dropped_chunk, ItemFilter()
    (row,) = json_rows(url, ExportFormat.RAGTRUTH, every)
    assert [(m["text"], m["label_type"]) for m in row["labels"]] == [
        ("Claim number 0.", "Baseless Info")
    ]
    (task,) = json.loads(export(url, ExportFormat.LABEL_STUDIO, every)[0])
    regions = [r["value"] for r in task["predictions"][0]["result"] if r["type"] == "labels"]
    assert [(r["text"], r["labels"]) for r in regions] == [("Claim number 0.", ["not_found"])]
    (noted,) = json.loads(export(url, ExportFormat.PHOENIX, every)[0])["data"]
    scores = json_rows(url, ExportFormat.LANGFUSE, every)
    for told in (noted["result"]["explanation"], *(score["comment"] for score in scores)):
        assert "S1 not found: Claim number 0." in told
        assert "contradicted" not in told
    (whole,) = json_rows(url, ExportFormat.JSONL, every)
    assert [each["label"] for each in whole["sentences"]] == ["not_found", "supported"]


def test_what_only_a_dropped_chunk_supports_stays_not_found_on_a_round_trip(
    with_a_dropped_chunk, tmp_path
):
    url, every = with_a_dropped_chunk, ItemFilter()
    target = f"sqlite:///{tmp_path / 'target.db'}"
    lines = export(url, ExportFormat.JSONL, every)[0].encode().splitlines(keepends=True)
    assert Importer.open(target).read(lines).imported == 1
    assert AuditStore.open(target).load(1).audit == AuditStore.open(url).load(1).audit
    for wanted in (ExportFormat.RAGTRUTH, ExportFormat.LABEL_STUDIO, ExportFormat.PHOENIX):
        assert export(target, wanted, every) == export(url, wanted, every)
    # An annotator who takes the prediction over calls it baseless, and no conflict.
    (task,) = json.loads(export(url, ExportFormat.LABEL_STUDIO, every)[0])
    predicted = task["predictions"][0]["result"]
    name = {"id": "n", "from_name": "reviewer", "to_name": "answer", "type": "textarea",
            "value": {"text": ["ann"]}}  # fmt: skip
    task["annotations"] = [{"result": [*predicted, name]}]
    (tmp_path / "returned.json").write_text(json.dumps([task]), encoding="utf-8")
    assert import_labels(tmp_path / "returned.json", url).reviews == 1
    (review,) = ReviewStore.open(url).of(1)
    assert [span.type for span in review.judgement.spans] == [FindingType.EVIDENT_BASELESS]
    (marked,) = json_rows(url, ExportFormat.RAGTRUTH_REVIEWERS, every)
    assert [mark["label_type"] for mark in marked["labels"]] == ["Evident Baseless Info"]


def test_a_damaged_audit_is_left_out_with_its_reason(tmp_path):
    url = f"sqlite:///{tmp_path / 'damaged.db'}"
    fill(url)
    with Session(get_engine(url)) as session, session.begin():
        session.execute(update(AuditRecord).where(AuditRecord.id == 3).values(document=b"\1"))
    text, summary = export(url, ExportFormat.JSONL, ItemFilter())
    assert len(text.splitlines()) == summary.written == 2
    assert [s.rows for s in summary.left_out] == [1]
    assert "Audit 3 cannot be read" in summary.left_out[0].reason
    assert export(url, ExportFormat.CSV, ItemFilter())[1] == ExportSummary(3, ())
