"""``python -m provenance_core`` as a user starts it: output, exit status, messages."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import hand_evidence

from provenance_core import Parameters, assemble
from provenance_core.cli.audit_json import audit_object
from provenance_core.cli.audit_text import audit_text, visible

REPOSITORY = Path(__file__).parents[1]
BRIDGE = (
    "The Sydney Harbour Bridge was opened on 19 March 1932. It carries rail, road and foot "
    "traffic between the central business district and the North Shore."
)
WEATHER = "Sydney has a humid subtropical climate. Its summers are warm and its winters mild."


def provenance(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the command line from the repository; texts decoded as UTF-8."""
    done = subprocess.run(
        [sys.executable, "-m", "provenance_core", *map(str, arguments)],
        cwd=REPOSITORY,
        input=stdin,
        capture_output=True,
        timeout=300,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


@pytest.fixture
def context(tmp_path) -> list[Path]:
    paths = [tmp_path / "bridge.txt", tmp_path / "weather.txt"]
    for path, text in zip(paths, (BRIDGE, WEATHER), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


# audit


def test_audit_json_has_the_promised_shape(context):
    answer = "The bridge was opened in 1932. It was opened in the year 1890."
    done = provenance(
        "audit", "--query", "When was the Sydney Harbour Bridge opened?",
        "--answer", answer, "--context", *context, "--json",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    audit = json.loads(done.stdout)
    assert audit["verdict"] in ("supported", "hallucinated")
    assert 0.0 <= audit["score"] <= 1.0
    assert (audit["verdict"] == "supported") == (audit["score"] >= audit["threshold"])
    assert audit["margin"] == pytest.approx(audit["score"] - audit["threshold"])

    texts = [BRIDGE, WEATHER]
    assert [source["item"] for source in audit["sources"]] == [0, 1]
    assert [source["name"] for source in audit["sources"]] == ["bridge.txt", "weather.txt"]
    assert sum(source["weight"] for source in audit["sources"]) == pytest.approx(1.0)
    for source in audit["sources"]:
        assert texts[source["item"]][source["start"] : source["end"]] == source["text"]
        assert 0.0 <= source["factuality"] <= 1.0
        assert isinstance(source["relevance"], float)
        assert source["selected"] is (source["weight"] > 0)

    assert "".join(sentence["text"] for sentence in audit["sentences"]) == answer
    for sentence in audit["sentences"]:
        assert answer[sentence["start"] : sentence["end"]] == sentence["text"]
        assert sentence["label"] in ("supported", "contradicted", "not_found")
        evidence = sentence["evidence"]
        whole = texts[evidence["item"]]
        assert whole[evidence["start"] : evidence["end"]] == evidence["text"]
    assert audit["parameters"]["selection"] == "top_p"
    assert {len(model["sha256"]) for model in audit["models"].values()} == {64}


def test_audit_text_is_readable(context):
    done = provenance(
        "audit", "--query", "When was the bridge opened?",
        "--answer", "It was opened in 1932.", "--context", *context,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith(("SUPPORTED", "HALLUCINATED"))
    for part in ("score", "threshold", "margin", "Sources", "Sentences", "factuality"):
        assert part in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("threshold", "verdict", "status"), [("0", "supported", 0), ("1", "hallucinated", 3)]
)
def test_fail_below_threshold(context, threshold, verdict, status):
    common = ["audit", "--answer", "The moon is made of cheese.", "--context", *context]
    common += ["--threshold", threshold, "--json"]
    done = provenance(*common, "--fail-below-threshold")
    assert done.returncode == status
    assert json.loads(done.stdout)["verdict"] == verdict
    if status:
        assert provenance(*common).returncode == 0


def test_answer_from_standard_input_and_context_repeated(context):
    done = provenance(
        "audit", "--answer-file", "-", "--context", context[0], "--context", context[1],
        "--selection", "top-k", "--top-k", "1", "--aggregation", "weighted-average", "--json",
        stdin=b"The bridge was opened in 1932.",
    )  # fmt: skip
    audit = json.loads(done.stdout)
    assert [source["selected"] for source in audit["sources"]].count(True) == 1
    assert audit["parameters"]["aggregation"] == "weighted_average"
    assert [notice["code"] for notice in audit["notices"]] == ["no_query"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "COMMAND"),
        (["audit"], "--answer"),
        (["audit", "--answer", "a"], "--context"),
        (["audit", "--answer", "a", "--context", "absent.txt"], "absent.txt: cannot be read"),
        (["audit", "--answer", "a", "--context", "."], "cannot be read"),
        (["audit", "--answer-file", "-", "--context", "-"], "can be read once"),
        (["audit", "--answer", " ", "--context", "README.md"], "answer is empty"),
        (["audit", "--answer", "a", "--context", "README.md", "--top-p", "2"], "top_p"),
        (["audit", "--answer", "a", "--context", "README.md", "--top-p", "nan"], "top_p"),
        (["audit", "--answer", "a", "--context", "README.md", "--profile", "no"], "--profile"),
        (["evaluate"], "FILE"),
        (["evaluate", "absent.jsonl", "--method", "length"], "absent.jsonl: cannot be read"),
        (["evaluate", "README.md", "--limit", "0"], "--limit"),
        (["evaluate", "README.md", "--method", "guess"], "--method"),
    ],
)
def test_bad_arguments_give_a_message_and_status_2(arguments, message):
    done = provenance(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == "" or arguments[0] == "evaluate"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Größe".encode("windows-1252"), "byte 3 is not UTF-8"),
        (b"%PDF\x00", "byte 5 is NUL"),
        (b" \n ", "context is empty"),
    ],
)
def test_unreadable_context_says_where(tmp_path, content, message):
    path = tmp_path / "item.txt"
    path.write_bytes(content)
    done = provenance("audit", "--answer", "a", "--context", path)
    assert done.returncode == 2
    assert message in done.stderr


def test_help_lists_both_commands():
    done = provenance("--help")
    assert done.returncode == 0
    assert "audit" in done.stdout
    assert "evaluate" in done.stdout


# evaluate


def write_rows(path: Path) -> Path:
    rows = [
        {"query": "", "context": [BRIDGE], "answer": "The bridge was opened in 1932.", "label": 1},
        {"query": "", "context": [BRIDGE], "answer": "The bridge carries rail.", "label": 1},
        {"query": "", "context": [BRIDGE], "answer": "The bridge was sold to Peru.", "label": 0},
        {"query": "", "context": [WEATHER], "answer": "Sydney lies on the moon.", "label": 0},
        {"query": "", "context": [], "answer": "Nothing to check against.", "label": 0},
    ]
    text = "\n".join([*map(json.dumps, rows), "not json", ""])
    path.write_bytes(gzip.compress(text.encode()))
    return path


def test_evaluate_json_with_the_shipped_models(tmp_path):
    path = write_rows(tmp_path / "tiny.jsonl.gz")
    done = provenance("evaluate", path, "--json")
    assert done.returncode == 0
    (line,) = done.stdout.splitlines()
    result = json.loads(line)
    assert result["dataset"] == "tiny"
    assert result["method"] == "provenance"
    assert (result["n"], result["positives"], result["skipped"]) == (4, 2, 2)
    assert result["auc_low"] <= result["auc"] <= result["auc_high"]
    assert result["auc"] == 1.0
    assert f"{path}:5: the context is empty" in done.stderr
    assert f"{path}:6: not JSON" in done.stderr


def test_evaluate_prints_a_line_a_file_and_goes_on_after_one_that_fails(tmp_path):
    path = write_rows(tmp_path / "tiny.jsonl.gz")
    done = provenance("evaluate", path, tmp_path / "absent.jsonl", path, "--method", "word-overlap")
    assert done.returncode == 2
    header, *lines = done.stdout.splitlines()
    assert header.split()[:2] == ["dataset", "method"]
    assert len(lines) == 2
    assert all(line.startswith("tiny ") for line in lines)
    assert "absent.jsonl: cannot be read" in done.stderr


def test_evaluate_limit_and_null_auc(tmp_path):
    path = write_rows(tmp_path / "tiny.jsonl.gz")
    done = provenance("evaluate", path, "--method", "length", "--limit", "1", "--json")
    result = json.loads(done.stdout)
    assert (result["n"], result["auc"], result["auc_low"]) == (1, None, None)
    assert "no AUC" in result["note"]


def test_many_rows_with_one_reason_are_counted_not_listed(tmp_path):
    path = tmp_path / "bare.jsonl"
    row = json.dumps({"context": [], "answer": "a", "label": 1})
    path.write_text(f"{row}\n" * 1500)
    done = provenance("evaluate", path, "--method", "word-overlap", "--json")
    result = json.loads(done.stdout)
    assert (result["n"], result["skipped"], result["auc"]) == (0, 1500, None)
    assert result["skip_reasons"][0]["rows"] == 1500
    assert "1,490 more rows" in done.stderr
    assert len(done.stderr.splitlines()) == 11


# rendering, on evidence made by hand


def test_control_characters_cannot_reach_the_terminal():
    assert visible("a\x1b[31mb\x00\ud800\nc\u202e") == "a\\u001b[31mb\\u0000\\ud800 c\\u202e"


def test_text_and_json_of_an_audit_made_by_hand():
    audit = assemble(hand_evidence([0.0, 1.0], [[0.9, 0.2], [0.1, 0.3]]), Parameters(top_p=1.0))
    text = audit_text(audit)
    assert text.startswith("SUPPORTED   score 0.600, threshold 0.500, margin +0.100\n")
    assert "2 of 2 sources selected" in text
    assert "[+] supported: Claim number 0." in text
    assert "[?] NOT FOUND: Claim number 1." in text
    plain = audit_object(audit)
    assert json.loads(json.dumps(plain)) == plain
    assert plain["sentences"][1]["label"] == "not_found"
