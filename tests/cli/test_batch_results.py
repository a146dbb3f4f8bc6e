"""``batch --out``: results as Parquet, with and without a run in the database."""

from __future__ import annotations

import json
from pathlib import Path

import fsspec
import pyarrow
import pyarrow.parquet
import pytest

from provenance_core import Provenance
from provenance_core.audit.serialization import audit_from_json
from storage import ItemFilter, ItemStore, RunStore
from tests.commands import Done, run_command

pytestmark = pytest.mark.usefixtures("loaded_once")

ROWS = [
    {"id": "a", "query": "", "context": ["The sky is blue.", "Grass is green."],
     "answer": "The sky is blue.", "label": 1},
    {"id": "b", "query": "", "context": ["The sky is blue."], "answer": "Grass sings.", "label": 0},
    {"id": "c", "query": "", "context": ["The sky is blue."], "answer": "", "label": 0},
    {"id": "d", "query": "", "context": ["A room is red."], "answer": "A room is red.",
     "label": None},
]  # fmt: skip


def batch(url: str, *arguments: object) -> Done:
    return run_command("batch", *arguments, variables={"PROVENANCE_DATABASE_URL": url})


@pytest.fixture
def rows(tmp_path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in ROWS))
    return path


def read(place: object) -> list[dict]:
    """The rows of results in the order of the file; the audits without times and seconds."""
    found = pyarrow.parquet.read_table(place).to_pylist()
    for row in found:
        if row["audit"] is not None:
            row["audit"] = json.loads(row["audit"])
            del row["audit"]["created_at"], row["audit"]["evidence"]["timings"]
    return sorted(found, key=lambda row: row["line"])


def alike(place: object) -> object:
    """The same with three decimals: answers that are read together are rounded in other batches."""

    def rounded(value: object) -> object:
        if isinstance(value, dict):
            return {key: rounded(each) for key, each in value.items()}
        if isinstance(value, list):
            return [rounded(each) for each in value]
        return round(value, 3) if isinstance(value, float) else value

    return rounded(read(place))


def test_jsonl_and_parquet_at_addresses_give_the_same_audits(url, tmp_path, rows):
    system = fsspec.filesystem("memory")
    system.pipe_file("/in/rows.jsonl", rows.read_bytes())
    with system.open("/in/rows.parquet", "wb") as file:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), file)
    try:
        found = []
        for kind in ("jsonl", "parquet"):
            done = batch(url, f"memory://in/rows.{kind}", "--out", f"memory://out/{kind}")
            assert done.returncode == 4, done.stderr  # a row was refused
            assert done.stdout == f"memory://out/{kind}: 3 audited, 0 failed, 1 rejected\n"
            place = ":3" if kind == "jsonl" else ", record 3"
            assert f"memory://in/rows.{kind}{place}: no answer" in done.stderr
            system.get(f"/out/{kind}", str(tmp_path / kind), recursive=True)
            found.append(read(tmp_path / kind))
    finally:
        system.store.clear()
        system.pseudo_dirs[:] = [""]
    assert found[0] == found[1]
    whole = found[0][0]
    assert len(whole["audit"]["evidence"]["context"]) == 2
    assert [(r["row"], r["line"], r["id"], r["outcome"], r["label"]) for r in found[0]] == [
        (1, 1, "a", "audited", 1),
        (2, 2, "b", "audited", 0),
        (None, 3, "", "rejected", None),
        (3, 4, "d", "audited", None),
    ]
    assert (whole["verdict"], whole["flagged"], whole["sentences"]) == ("supported", 0, 1)
    assert found[0][1]["flagged"] == 1 and found[0][1]["verdict"] == "hallucinated"
    assert '"id": "c"' in found[0][2]["raw"]
    assert ItemStore.open(url).page(ItemFilter()).total == 0


def test_the_columns_are_those_of_the_audit_beside_them(url, tmp_path, rows):
    out = tmp_path / "out.parquet"
    assert batch(url, rows, "--out", out, "--threshold", "0.25").returncode == 4
    for row in pyarrow.parquet.read_table(out).to_pylist():
        if row["audit"] is None:
            continue
        audit = audit_from_json(row["audit"])
        assert (row["score"], row["verdict"]) == (audit.score, audit.verdict)
        assert (row["flagged"], row["sentences"]) == (audit.flagged, audit.checked)
        assert row["threshold"] == audit.parameters.threshold == 0.25
        assert row["models"] == [f"{m.model_id}@{m.sha256}" for m in audit.evidence.models]
        assert json.loads(row["parameters"])["threshold"] == 0.25


def test_a_run_in_the_database_writes_the_same_rows(url, tmp_path, rows):
    assert batch(url, rows, "--out", tmp_path / "without").returncode == 4
    done = batch(url, rows, "--run", "first", "--out", tmp_path / "with")
    assert done.returncode == 4, done.stderr
    assert done.stdout.splitlines()[1] == (f"{tmp_path / 'with'}: 3 audited, 0 failed, 1 rejected")
    assert alike(tmp_path / "with") == alike(tmp_path / "without")
    taken = batch(url, rows, "--run", "second", "--out", tmp_path / "with")
    assert (taken.returncode, len(RunStore.open(url).page().runs)) == (2, 1)
    assert "holds results already" in taken.stderr
    again = batch(url, "--run", "first", "--resume", "--out", tmp_path / "again.parquet")
    assert again.returncode == 4, again.stderr
    assert alike(tmp_path / "again.parquet") == alike(tmp_path / "without")


def test_an_interrupted_batch_goes_on_and_has_every_row_once(
    url, tmp_path, rows, provenance, monkeypatch
):
    out = tmp_path / "out"
    audit = Provenance.audit_texts
    left = [1]

    def interrupted(self, *given, **named):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return audit(self, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(Provenance, "audit_texts", interrupted)
        assert batch(url, rows, "--out", out).returncode == 130
    assert [row["outcome"] for row in read(out)] == ["audited", "rejected"]
    refused = batch(url, rows, "--out", out)
    assert refused.returncode == 2 and "add --resume" in refused.stderr
    asked = []

    def counted(self, texts, *given, **named):
        asked.append(texts.answer)
        return audit(self, texts, *given, **named)

    monkeypatch.setattr(Provenance, "audit_texts", counted)
    done = batch(url, rows, "--out", out, "--resume")
    assert done.stdout == f"{out}: 3 audited, 0 failed, 1 rejected\n", done.stderr
    assert asked == ["Grass sings.", "A room is red."]
    assert [row["row"] for row in read(out)] == [1, 2, None, 3]


def test_a_row_that_an_audit_refuses_has_its_reason(url, tmp_path, rows, monkeypatch):
    from provenance_core import InputError

    audit = Provenance.audit_texts

    def refusing(self, texts, *given, **named):
        if texts.answer == "Grass sings.":
            raise InputError("nothing to check")
        return audit(self, texts, *given, **named)

    monkeypatch.setattr(Provenance, "audit_texts", refusing)
    done = batch(url, rows, "--out", tmp_path / "out")
    assert done.stdout.endswith(": 2 audited, 1 failed, 1 rejected\n")
    failed = read(tmp_path / "out")[1]
    assert (failed["outcome"], failed["reason"], failed["label"], failed["audit"]) == (
        "failed",
        "nothing to check",
        0,
        None,
    )


def test_results_are_imported_as_the_audits_they_are(url, tmp_path, rows):
    out = tmp_path / "out"
    assert batch(url, rows, "--out", out).returncode == 4
    variables = {"PROVENANCE_DATABASE_URL": url}
    done = run_command("import", out, variables=variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        f"{out}: 3 audits imported, 0 already there, 0 new reviews, 0 rejected\n"
    )
    assert "2 rows' runs and labels are not imported" in done.stderr
    kept = {item.answer: item.score for item in ItemStore.open(url).each(ItemFilter())}
    assert kept == {row["answer"]: row["score"] for row in read(out) if row["score"] is not None}
    again = run_command("import", f"file://{out}/part-00001.parquet", variables=variables)
    assert ": 0 audits imported, 3 already there" in again.stdout
    empty = run_command("import", tmp_path / "out" / "..", variables=variables)
    assert empty.returncode == 2 and "no results are in this folder" in empty.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rows.jsonl"], "choose where the audits go: --run NAME"),
        (["--out", "out"], "name the FILE"),
        (["none.jsonl", "--out", "out"], "none.jsonl: cannot be read"),
        (["none.jsonl", "--out", "out", "--retry-failed"], "--retry-failed works on a run"),
        (["none.jsonl", "--out", "out", "--address", "a:1"], "add --engine ray"),
        (["--list", "--out", "out"], "--list lists every run"),
        (["--work", "1", "--out", "out"], "--work takes a run as it is"),
        (["memory://none.jsonl", "--run", "r"], "memory://none.jsonl: cannot be used (there is no"),
        (["none.jsonl", "--out", "out", "--engine", "ray", "--scorer-gpus", "-1"], "0 or more"),
    ],
)
def test_bad_arguments_say_what_to_mend_and_write_nothing(url, arguments, said, tmp_path):
    given = [str(tmp_path / "out") if each == "out" else each for each in arguments]
    done = batch(url, *given)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_gpus_are_refused_for_models_that_use_none(url, tmp_path, rows):
    done = batch(url, rows, "--out", tmp_path / "out", "--engine", "ray", "--scorer-gpus", "0.5")
    assert done.returncode == 2
    assert "--scorer-gpus would leave the GPUs idle" in done.stderr
