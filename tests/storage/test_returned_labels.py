"""Labels that other tools give back, kept as reviews of the audits that were exported there."""

from __future__ import annotations

import copy
import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from provenance_core import InputError, Parameters, assemble
from provenance_core.cli.main import main
from provenance_core.files.types import BatchRow
from provenance_core.review.types import FindingType, JudgedVerdict
from storage import AuditStore, ItemFilter, ItemStore, NewRun, ReviewStore, RunNotFound, RunStore
from storage.exports import ExportFormat
from storage.exports._marked_spans import reviewer_spans
from storage.returned_labels import KeptLabels, import_labels
from tests.exports_data import an_audit, exported

LATER, LATEST = "2026-11-20T10:11:12.123456Z", "2026-11-21T08:00:00Z"
ANSWER = "Claim number 0. Claim number 1. Claim number 2."


def reviews(url: str, audit: int, reviewer: str) -> list:
    return [r for r in ReviewStore.open(url).of(audit) if r.reviewer == reviewer]


def written(tmp_path: Path, value: object, name: str = "returned.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


# Label Studio


def label_studio_export(url: str) -> list[dict]:
    """The tasks as Label Studio's JSON export gives them: with numbers, users and times."""
    tasks = json.loads(exported(url, ExportFormat.LABEL_STUDIO))
    for number, task in enumerate(tasks, 1):
        task |= {
            "id": number, "drafts": [], "meta": {}, "project": 1, "inner_id": number,
            "created_at": LATER, "updated_at": LATER, "updated_by": 1, "file_upload": "a.json",
            "total_annotations": len(task["annotations"]), "cancelled_annotations": 0,
            "total_predictions": 1, "comment_count": 0, "comment_authors": [],
        }  # fmt: skip
        for place, annotation in enumerate(task["annotations"], 1):
            annotation |= annotated([], number * 10 + place) | {"result": annotation["result"]}
            for result in annotation["result"]:
                result["origin"] = "manual"
        task["predictions"] = [number]
    return tasks


def annotated(results: list[dict], number: int = 99, **rest: object) -> dict:
    """An annotation with every field of the export."""
    return {
        "id": number, "completed_by": {"id": 4, "email": "cy@example.org", "first_name": "Cy"},
        "result": results, "was_cancelled": False, "ground_truth": False, "created_at": LATER,
        "updated_at": LATER, "draft_created_at": None, "lead_time": 7.1, "prediction": {},
        "result_count": 1, "unique_id": "2f1c", "import_id": None, "last_action": None,
        "bulk_created": False, "task": 1, "project": 1, "updated_by": 4, "parent_prediction": None,
        "parent_annotation": None, "last_created_by": None, **rest,
    }  # fmt: skip


def verdict(chosen: str) -> dict:
    return {
        "id": "v", "from_name": "verdict", "to_name": "answer", "type": "choices",
        "origin": "manual", "value": {"choices": [chosen]},
    }  # fmt: skip


def region(start: int, end: int, text: str, *labels: str) -> dict:
    return {
        "id": f"r{start}", "from_name": "label", "to_name": "answer", "type": "labels",
        "origin": "manual", "value": {"start": start, "end": end, "text": text,
                                      "labels": list(labels)},
    }  # fmt: skip


def area(name: str, text: str) -> dict:
    return {
        "id": name, "from_name": name, "to_name": "answer", "type": "textarea",
        "origin": "manual", "value": {"text": [text]},
    }  # fmt: skip


def task_of(tasks: list[dict], audit: int) -> dict:
    return next(task for task in tasks if task["data"]["audit_id"] == audit)


def test_what_nobody_changed_in_label_studio_is_already_here(filled, tmp_path):
    before = [ReviewStore.open(filled).of(number) for number in (1, 2, 3)]
    kept = import_labels(written(tmp_path, label_studio_export(filled)), filled)
    assert (kept.reviews, kept.already_there, kept.older, kept.rejected) == (0, 3, 0, ())
    assert kept.unlabelled == 1
    assert [ReviewStore.open(filled).of(number) for number in (1, 2, 3)] == before


def test_a_new_annotator_becomes_a_reviewer_beside_the_machine(filled, tmp_path):
    tasks = label_studio_export(filled)
    scored = AuditStore.open(filled).load(2).audit
    task_of(tasks, 2)["annotations"].append(
        annotated(
            [
                verdict("hallucinated"),
                region(0, 5, "Claim", "subtle_conflict"),
                region(16, 31, "Claim number 1.", "not_found"),
                region(33, 40, "laim nu", "hallucinated"),
                area("comment", "see the first\u0000"),
            ]
        )
    )
    kept = import_labels(written(tmp_path, tasks), filled)
    assert (kept.reviews, kept.already_there, kept.rejected) == (1, 3, ())
    (review,) = reviews(filled, 2, "cy@example.org")
    judged = review.judgement
    assert (judged.verdict, judged.blind) == (JudgedVerdict.HALLUCINATED, False)
    assert judged.comment == "see the first\ufffd"
    assert [(s.start, s.end, s.type) for s in judged.spans] == [
        (0, 5, FindingType.SUBTLE_CONFLICT),
        (16, 31, FindingType.EVIDENT_BASELESS),
    ]
    assert [(s.index, s.verdict, s.type) for s in judged.sentences] == [
        (2, JudgedVerdict.HALLUCINATED, None)
    ]
    assert review.created_at.startswith("2026-11-20T10:11:12.123")
    assert AuditStore.open(filled).load(2).audit == scored
    assert (review.machine_score, review.machine_verdict) == (scored.score, scored.verdict)
    again = import_labels(tmp_path / "returned.json", filled)
    assert (again.reviews, again.already_there) == (0, 4)
    assert import_labels(written(tmp_path, label_studio_export(filled)), filled).reviews == 0


def test_a_change_is_a_new_version_and_an_old_file_brings_nothing_back(filled, tmp_path):
    old = label_studio_export(filled)
    new = copy.deepcopy(old)
    for annotation in task_of(new, 2)["annotations"]:
        if any(r["value"].get("text") == ["bob"] for r in annotation["result"]):
            annotation["result"] = [verdict("supported"), area("reviewer", "bob")]
            annotation["updated_at"] = LATEST
    kept = import_labels(written(tmp_path, new), filled)
    assert (kept.reviews, kept.already_there) == (1, 2)
    first, second = reviews(filled, 2, "bob")
    assert (first.judgement.verdict, second.judgement.verdict) == ("hallucinated", "supported")
    assert second.version == 2
    kept = import_labels(written(tmp_path, old), filled)
    assert (kept.reviews, kept.already_there, kept.older) == (0, 2, 1)
    counted = {i.audit_id: i for i in ItemStore.open(filled).page(ItemFilter()).items}
    assert (counted[2].supported, counted[2].hallucinated) == (1, 1)


def test_a_region_of_the_whole_answer_is_the_verdict_alone(filled, tmp_path):
    tasks = label_studio_export(filled)
    whole = [verdict("hallucinated"), region(0, 47, ANSWER, "evident_conflict")]
    task_of(tasks, 2)["annotations"] = [annotated(whole)]
    assert import_labels(written(tmp_path, tasks), filled).reviews == 1
    (review,) = reviews(filled, 2, "cy@example.org")
    assert review.judgement.type is FindingType.EVIDENT_CONFLICT
    assert (review.judgement.spans, review.judgement.sentences) == ((), ())
    (span,) = reviewer_spans(AuditStore.open(filled).load(2).audit, review)
    assert (span.start, span.end, span.kind) == (0, 47, "evident_conflict")


def test_offsets_of_a_browser_are_understood(url, tmp_path):
    audit = an_audit(0.2)
    answer = "\U0001f600 Claim number 0."
    sentence = replace(audit.evidence.sentences[0], start=0, end=len(answer), text=answer)
    evidence = replace(audit.evidence, answer=answer, sentences=(sentence,))
    claims = tuple(replace(c, end=len(answer)) for c in evidence.claims)
    AuditStore.open(url).save(assemble(replace(evidence, claims=claims), audit.parameters))
    tasks = label_studio_export(url)
    tasks[0]["annotations"] = [
        annotated([verdict("hallucinated"), region(3, 8, "Claim", "subtle_conflict")])
    ]
    assert import_labels(written(tmp_path, tasks), url).reviews == 1
    (span,) = reviews(url, 1, "cy@example.org")[0].judgement.spans
    assert answer[span.start : span.end] == "Claim"


@pytest.mark.parametrize(
    ("annotation", "said"),
    [
        (annotated([]), "no verdicts"),
        (annotated([verdict("fine")]), "'fine'; it must be one of supported, hallucinated"),
        (annotated([verdict("hallucinated"), region(0, 5, "Claim", "typo")]), "'typo'"),
        (annotated([verdict("supported")], completed_by=None), "neither who completed it"),
        (annotated([verdict("supported")], updated_at="yesterday"), "no time in ISO 8601"),
        (annotated([verdict("supported"), area("reviewer", "x" * 81)]), "Shorten it"),
        (annotated({"verdict": "supported"}), "no list of objects"),
    ],
)  # fmt: skip
def test_an_annotation_that_cannot_be_used_is_named_alone(filled, tmp_path, annotation, said):
    tasks = label_studio_export(filled)
    number = tasks.index(task_of(tasks, 2)) + 1
    task_of(tasks, 2)["annotations"].append(annotation)
    kept = import_labels(written(tmp_path, tasks), filled)
    (row,) = kept.rejected
    assert row.line == number and said in row.reason
    assert f"task {number}, annotation 99" in row.reason
    assert (kept.reviews, kept.already_there) == (0, 3)


def test_skipped_annotations_are_no_labels(filled, tmp_path):
    tasks = label_studio_export(filled)
    task_of(tasks, 1)["annotations"] = [annotated([], was_cancelled=True)]
    kept = import_labels(written(tmp_path, tasks), filled)
    assert (kept.reviews, kept.unlabelled, kept.rejected) == (0, 1, ())


def test_a_file_of_another_database_is_refused(filled, tmp_path):
    tasks = label_studio_export(filled)
    other = task_of(tasks, 2)
    other["data"]["answer"] = "Another answer."
    task_of(tasks, 3)["data"]["audit_id"] = 77
    kept = import_labels(written(tmp_path, tasks), filled)
    assert sorted("there is no audit 77 here" in row.reason for row in kept.rejected) == [
        False, False, True,
    ]  # fmt: skip
    assert sum("audit 2 has another answer here" in row.reason for row in kept.rejected) == 2


def test_labels_exported_before_the_run_was_renamed_still_find_it(filled, tmp_path):
    tasks = label_studio_export(filled)
    runs = RunStore.open(filled)
    run = next(each for each in runs.names() if each.name == task_of(tasks, 1)["data"]["run"])
    runs.rename(run.id, "another name")
    kept = import_labels(written(tmp_path, tasks), filled, run.name)
    assert (kept.already_there, kept.rejected) == (3, ())


@pytest.mark.parametrize("table", [False, True])
def test_small_exports_of_label_studio_are_read(filled, tmp_path, table):
    data = task_of(label_studio_export(filled), 2)["data"]
    mark = [{"start": 0, "end": 5, "text": "Claim", "labels": ["evident_conflict"]}]
    small = {**data, "id": 7, "verdict": "hallucinated", "label": mark, "annotator": "cy@x.org",
             "annotation_id": 2, "created_at": LATEST, "updated_at": LATEST}  # fmt: skip
    path = written(tmp_path, [small])
    if table:
        path = tmp_path / "labels.csv"
        cells = {k: json.dumps(v) if isinstance(v, list | dict) else v for k, v in small.items()}
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, cells).writeheader()
            csv.DictWriter(file, cells).writerow(cells)
    kept = import_labels(path, filled)
    assert (kept.reviews, kept.rejected) == (1, ())
    (review,) = reviews(filled, 2, "cy@x.org")
    assert [(span.start, span.end) for span in review.judgement.spans] == [(0, 5)]


def test_a_mark_that_is_not_in_the_answer_is_left_out_alone(filled, tmp_path):
    tasks = label_studio_export(filled)
    marks = [region(0, 5, "Other", "not_found"), region(2, 9, "Claim", "evident_conflict")]
    task_of(tasks, 2)["annotations"] = [annotated([verdict("hallucinated"), *marks])]
    kept = import_labels(written(tmp_path, tasks), filled)
    assert kept.reviews == 1
    (row,) = kept.rejected
    assert "says 'Other', which is not in the answer there; the verdict was kept" in row.reason
    (review,) = reviews(filled, 2, "cy@example.org")
    assert [(span.start, span.end) for span in review.judgement.spans] == [(0, 5)]


# Phoenix


def phoenix_annotations(url: str) -> list[dict]:
    """What ``get_span_annotations`` gives: what was sent, with numbers, times and the source."""
    sent = json.loads(exported(url, ExportFormat.PHOENIX))["data"]
    return [
        {**each, "id": f"U3Bhbg=={n}", "created_at": LATER, "updated_at": LATER, "source": "API",
         "user_id": None}
        for n, each in enumerate(sent)
    ]  # fmt: skip


def by_hand(span: str, **result: object) -> dict:
    """An annotation made in Phoenix's pages."""
    return {
        "span_id": span, "name": "factuality", "annotator_kind": "HUMAN", "result": result,
        "metadata": {}, "identifier": "", "id": "VXNlcg==", "created_at": LATEST,
        "updated_at": LATEST, "source": "APP", "user_id": "VXNlcjox",
    }  # fmt: skip


def flat(annotations: list[dict]) -> list[dict]:
    """The rows of ``get_span_annotations_dataframe``, whose index is the span."""
    rows = []
    for each in annotations:
        row = {key: value for key, value in each.items() if key not in ("result", "name")}
        row |= {"annotation_name": each["name"]}
        row |= {f"result.{key}": each["result"].get(key) for key in
                ("label", "score", "explanation")}  # fmt: skip
        rows.append(row)
    return rows


def phoenix_files(tmp_path: Path, annotations: list[dict]) -> list[Path]:
    """The same annotations in every form."""
    lines = tmp_path / "annotations.jsonl"
    lines.write_text("".join(json.dumps(each) + "\n" for each in annotations), encoding="utf-8")
    table = tmp_path / "annotations.csv"
    rows = flat(annotations)
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    answered = written(tmp_path, {"data": annotations, "next_cursor": None}, "answer.json")
    return [lines, table, answered, written(tmp_path, annotations, "annotations.json")]


def test_phoenix_gives_back_what_people_said_and_nothing_of_machines(filled, tmp_path):
    given = phoenix_annotations(filled)
    assert {each["annotator_kind"] for each in given} == {"CODE", "HUMAN"}
    given += [
        by_hand("r2", label="supported", score=1.0, explanation="it says so"),
        by_hand("audit-3", label=None, score=0.0),
        {**by_hand("r1", label="rude"), "name": "tone"},
    ]
    for number, path in enumerate(phoenix_files(tmp_path, given)):
        kept = import_labels(path, filled)
        assert (kept.rejected, kept.machine, kept.others) == ((), 3, 1), path.name
        assert (kept.reviews, kept.already_there) == ((2, 3) if number == 0 else (0, 5))
    (told,) = reviews(filled, 2, "Phoenix user VXNlcjox")
    assert (told.judgement.verdict, told.judgement.comment) == ("supported", "it says so")
    (other,) = reviews(filled, 3, "Phoenix user VXNlcjox")
    assert other.judgement.verdict is JudgedVerdict.HALLUCINATED


def test_a_changed_comment_keeps_the_marks_and_a_changed_verdict_does_not(filled, tmp_path):
    given = phoenix_annotations(filled)
    ann = next(e for e in given if e["identifier"] == "provenance-ann" and e["span_id"] == "r2")
    ann["result"]["explanation"] = "another reason"
    assert import_labels(written(tmp_path, given), filled).reviews == 1
    _, before, after = reviews(filled, 2, "ann")
    assert after.judgement == replace(before.judgement, comment="another reason", blind=False)
    ann["result"] |= {"label": "supported", "score": 1.0}
    ann["updated_at"] = LATEST
    assert import_labels(written(tmp_path, given), filled).reviews == 1
    assert reviews(filled, 2, "ann")[-1].judgement.spans == ()


def test_an_id_of_several_runs_asks_for_the_run(filled, tmp_path):
    runs = RunStore.open(filled)
    other = runs.create(
        NewRun("second", "b.jsonl", "rows", (), "embedded", Parameters()),
        [BatchRow(1, "q", ("a",), "answer", id="r2")],
        [],
    )
    runs.take(other, "w")
    assert runs.finish(runs.next_row(other).id, "w", an_audit(0.7))
    path = written(tmp_path, [by_hand("r2", label="supported")])
    (row,) = import_labels(path, filled).rejected
    assert "several audits have the id 'r2'; name the run" in row.reason
    assert import_labels(path, filled, "second").reviews == 1
    assert reviews(filled, 4, "Phoenix user VXNlcjox")
    with pytest.raises(RunNotFound):
        import_labels(path, filled, "third")


def test_what_phoenix_cannot_tell_apart_is_refused(filled, tmp_path):
    lost = by_hand("", label="supported")
    lost.pop("span_id")
    strange = by_hand("elsewhere", label="supported")
    unsure = by_hand("r2", label="perhaps", score=0.5)
    foreign = phoenix_annotations(filled)[1]
    foreign |= {"annotator_kind": "HUMAN", "metadata": {**foreign["metadata"], "texts": "0" * 32}}
    kept = import_labels(written(tmp_path, [lost, strange, unsure, foreign]), filled)
    said = ["reset_index()", "no audited row here has the id 'elsewhere'", "'perhaps'",
            "has another answer here"]  # fmt: skip
    assert [row.line for row in kept.rejected] == [1, 2, 3, 4]
    for row, words in zip(kept.rejected, said, strict=True):
        assert words in row.reason


# Langfuse


def langfuse_scores(url: str, trace: str = "traceId") -> list[dict]:
    """What the API gives: what was sent, with the source, times and the project."""
    sent = map(json.loads, exported(url, ExportFormat.LANGFUSE).splitlines())
    return [
        {**{k: v for k, v in each.items() if k != "traceId"}, trace: each["traceId"],
         "source": "API", "environment": "default", "timestamp": LATER, "createdAt": LATER,
         "updatedAt": LATER, "authorUserId": None, "observationId": None, "configId": None,
         "queueId": None}
        for each in sent
    ]  # fmt: skip


def in_langfuse(trace: str, name: str, value: object, kind: str, **rest: object) -> dict:
    """A score that a person gave in Langfuse's pages."""
    return {
        "id": f"{trace}-{name}", "traceId": trace, "name": name, "value": value, "dataType": kind,
        "source": "ANNOTATION", "authorUserId": "cm1", "comment": "by hand", "metadata": {},
        "environment": "default", "timestamp": LATEST, "createdAt": LATEST, "updatedAt": LATEST,
        "configId": "c1", "queueId": None, **rest,
    }  # fmt: skip


def test_langfuse_gives_back_what_people_said_and_nothing_of_machines(filled, tmp_path):
    given = langfuse_scores(filled)
    given += [
        in_langfuse("r2", "reviewed_verdict", 0, "CATEGORICAL", stringValue="supported"),
        in_langfuse("audit-3", "factuality", 1, "BOOLEAN", stringValue="True"),
        in_langfuse("r1", "helpfulness", 1, "NUMERIC"),
    ]
    path = written(tmp_path, {"data": given, "meta": {"page": 1}})
    kept = import_labels(path, filled)
    assert kept == KeptLabels(kept.tool, 2, 3, 0, (), machine=6, unlabelled=0, others=1)
    (told,) = reviews(filled, 2, "Langfuse user cm1")
    assert (told.judgement.verdict, told.judgement.comment) == ("supported", "by hand")
    assert reviews(filled, 3, "Langfuse user cm1")[0].judgement.verdict == "supported"
    again = [
        {key if key == "id" else "".join(f"_{c.lower()}" if c.isupper() else c for c in key): value
         for key, value in each.items()}
        for each in given
    ]  # fmt: skip
    assert import_labels(written(tmp_path, again), filled).already_there == 5


def test_what_was_exported_for_langfuse_can_be_imported_as_it_is(filled, tmp_path):
    path = tmp_path / "langfuse.jsonl"
    path.write_bytes(exported(filled, ExportFormat.LANGFUSE))
    kept = import_labels(path, filled)
    assert (kept.reviews, kept.already_there, kept.machine, kept.rejected) == (0, 3, 6, ())


def test_scores_of_version_3_name_their_subject(filled, tmp_path):
    score = in_langfuse("r2", "verdict", "hallucinated", "CATEGORICAL")
    score["subject"] = {"kind": "trace", "id": score.pop("traceId")}
    assert import_labels(written(tmp_path, [score]), filled).reviews == 1
    assert reviews(filled, 2, "Langfuse user cm1")[0].judgement.verdict == "hallucinated"


def test_a_number_that_is_no_verdict_is_refused(filled, tmp_path):
    path = written(tmp_path, [in_langfuse("r2", "factuality", 0.4, "NUMERIC")])
    (row,) = import_labels(path, filled).rejected
    assert (row.line, "'0.4'; it must be one of" in row.reason) == (1, True)


# The command


def test_the_command_recognises_the_file_and_counts(filled, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", filled)
    tasks = label_studio_export(filled)
    task_of(tasks, 2)["annotations"].append(annotated([verdict("supported")]))
    path = written(tmp_path, tasks)
    assert main(["import", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Label Studio: 1 new review, 3 already here, 1 task without an annotation" in out
    task_of(tasks, 2)["annotations"].append(annotated([verdict("fine")]))
    assert main(["import", str(written(tmp_path, tasks))]) == 2
    err = capsys.readouterr().err
    assert "returned.json, record" in err and "annotation 99: the verdict is 'fine'" in err
    assert main(["import", str(path), "--run", "third"]) == 1
    full = tmp_path / "full.jsonl"
    full.write_bytes(exported(filled, ExportFormat.JSONL))
    assert main(["import", str(full)]) == 0
    assert main(["import", str(full), "--run", "third"]) == 2


def test_a_file_of_nobody_is_refused_with_what_is_read(filled, tmp_path):
    with pytest.raises(InputError, match=r"Label Studio \(data, annotations\)"):
        import_labels(written(tmp_path, [{"a": 1}]), filled)
    broken = tmp_path / "broken.json"
    broken.write_text('[{"data": {"audit_id": 2}, "annotations": [}]', encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1, column 44: not JSON"):
        import_labels(broken, filled)
