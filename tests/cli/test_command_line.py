"""``python -m provenance_core`` as a user starts it: output, exit status, messages."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from provenance_core import Parameters, assemble, default_parameters
from provenance_core.audit.mitigation import Suggestion, SuggestionKind
from provenance_core.audit.serialization import from_plain, to_plain
from provenance_core.cli.audit_text import audit_text
from provenance_core.cli.commands import COMMANDS
from provenance_core.cli.main import cli
from provenance_core.cli.output import visible
from provenance_core.evaluation.report import read_results
from provenance_core.evaluation.scorers import GRID, grid_column
from provenance_core.evaluation.types import EvaluationResult
from provenance_core.explain.summary import audit_summary
from provenance_core.files.formats.registry import FORMATS
from provenance_core.types import ClaimAggregation, MissingDetail
from tests.commands import run_command, start_command
from tests.conftest import hand_evidence

BASELINES = ["word-overlap", "rouge-2", "rouge-3", "rouge-4", "rouge-l", "length"]

pytestmark = pytest.mark.usefixtures("loaded_once")

BRIDGE = (
    "The Sydney Harbour Bridge was opened on 19 March 1932. It carries rail, road and foot "
    "traffic between the central business district and the North Shore."
)
WEATHER = "Sydney has a humid subtropical climate. Its summers are warm and its winters mild."


@pytest.fixture
def context(tmp_path) -> list[Path]:
    paths = [tmp_path / "bridge.txt", tmp_path / "weather.txt"]
    for path, text in zip(paths, (BRIDGE, WEATHER), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


# audit


def test_audit_json_has_the_promised_shape(context):
    answer = "The bridge was opened in 1932. It was opened in the year 1890."
    done = start_command(
        "audit", "--query", "When was the Sydney Harbour Bridge opened?",
        "--answer", answer, "--context", *context, "--json",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    audit = json.loads(done.stdout)
    assert audit["verdict"] == "hallucinated"
    assert 0.0 <= audit["score"] < audit["threshold"]
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
    assert audit["parameters"]["selection"] == "top_k"
    assert {len(model["sha256"]) for model in audit["models"].values()} == {64}


def test_the_text_report_has_spans_and_suggestions(tmp_path):
    path = tmp_path / "context.txt"
    path.write_text("Facebook bought Instagram in 2012. It had 30 million users.", "utf-8")
    given = [
        "audit", "--method", "spans", "--context", path,
        "--answer", "Facebook bought Instagram in 2012. Instagram had 69 million users.",
    ]  # fmt: skip
    done = run_command(*given)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    flat = " ".join(done.stdout.split())
    assert "HALLUCINATED" in flat and "Spans: Looks for the smallest parts" in flat
    assert "Hallucinated spans evident conflict (characters 49-59, unsupported " in flat
    assert "): 69 million Sources" in flat
    assert '"30 million" for "69 million"' in flat
    assert "suggestion (entailment " in flat
    found = json.loads(run_command(*given, "--json").stdout)
    (span,) = found["spans"]
    assert (span["start"], span["end"], span["text"]) == (49, 59, "69 million")
    assert span["type"] == "evident_conflict"
    assert {s["replacement"] for s in found["suggestions"]} >= {"30 million"}
    assert found["set_aside"] == []


def test_a_suggestion_in_the_text_report_is_one_line_without_escapes():
    audit = assemble(hand_evidence([0.1], [[0.2]]), Parameters())
    wrong = Suggestion(SuggestionKind.DETAIL, 0, 6, 12, "a\x1b[31m\nb", 0, 0, 5, 0.1, 0.9)
    text = audit_text(audit, [wrong])
    assert 'suggestion (entailment 0.100 -> 0.900): "a\\u001b[31m b" for "number"' in text
    assert "\x1b" not in text
    assert "suggestion" not in audit_text(audit)


@pytest.mark.parametrize(
    ("threshold", "verdict", "status"), [("0", "supported", 0), ("1", "hallucinated", 3)]
)
def test_fail_below_threshold(context, threshold, verdict, status):
    common = ["audit", "--answer", "The moon is made of cheese.", "--context", *context]
    common += ["--threshold", threshold, "--json"]
    done = run_command(*common, "--fail-below-threshold")
    assert done.returncode == status
    assert json.loads(done.stdout)["verdict"] == verdict
    if status:
        assert run_command(*common).returncode == 0


def test_answer_from_standard_input_and_context_repeated(context):
    done = start_command(
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
        (["audit"], "--context"),
        (["audit", "--context", "a"], "one of --answer, --answer-file is needed"),
        (
            ["audit", "--answer", "a", "--answer-file", "b", "--context", "c"],
            "--answer and --answer-file do not go together",
        ),
        (["audit", "--answer", "a"], "--context"),
        (["audit", "--answer", "a", "--context"], "--context"),
        (["audit", "--answer", "a", "--context", "absent.txt"], "absent.txt: cannot be read"),
        (["audit", "--answer", "a", "--context", "."], "cannot be read"),
        (["audit", "--answer-file", "-", "--context", "-"], "can be read once"),
        (["audit", "--answer", " ", "--context", "README.md"], "answer is empty"),
        (["audit", "--answer", "a", "--context", "README.md", "--top-p", "2"], "top_p"),
        (["audit", "--answer", "a", "--context", "README.md", "--top-p", "nan"], "top_p"),
        (["audit", "--answer", "a", "--context", "README.md", "--profile", "no"], "--profile"),
        (
            ["audit", "--answer", "a", "--context", "README.md", "--top-p", "0.5"],
            "--top-p needs --selection top_p",
        ),
        (
            ["audit", "--answer", "a", "--context", "README.md", "--method=summac", "--top-k=1"],
            "does not read it as things are set. Leave it out, or choose another method",
        ),
        (
            [
                "audit",
                "--answer=a",
                "--context=README.md",
                "--aggregation=min",
                "--relevance-method=cosine",
            ],
            "--aggregation needs --relevance-method cross_encoder",
        ),
        (
            ["audit", "--answer", "a", "--context", "README.md", "--method", "bogus"],
            "'bogus' is not one of two-stage, nli-matrix, summac",
        ),
        (["batch", "rows.jsonl", "--run", "r", "--method", "bogus"], "is not one of two-stage,"),
        (["evaluate"], "FILE"),
        (["evaluate", "absent.jsonl", "--method", "length"], "absent.jsonl: cannot be read"),
        (["evaluate", "docs/audit-dark.png"], "audit-dark.png: this is a PNG image, not a text"),
        (["evaluate", "README.md", "--limit", "0"], "--limit: must be a whole number, 1 or more"),
        (["evaluate", "README.md", "--limit", "x"], "must be a whole number, 1 or more, not 'x'"),
        (["serve", "--port", "x"], "--port: must be a whole number, 0 to 65535, not 'x'"),
        (["batch", "a", "--scorer-gpus", "x"], "--scorer-gpus: must be a number, 0 or more"),
        (["evaluate", "README.md", "--method", "guess"], "--method"),
    ],
)
def test_bad_arguments_give_a_message_and_status_2(arguments, message):
    done = run_command(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == "" or arguments[0] == "evaluate"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"%PDF\x00", "item.txt: NUL byte at line 1, column 5, so this is not a text file. Give"),
        (b"\x89PNG\r\n", "item.txt: this is a PNG image, not a text file. Give a text file"),
        (b" \n ", "context is empty"),
    ],
)
def test_unreadable_context_says_where(tmp_path, content, message):
    path = tmp_path / "item.txt"
    path.write_bytes(content)
    done = run_command("audit", "--answer", "a", "--context", path)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_context_in_a_code_page_is_read_and_the_guess_is_stated(tmp_path):
    path = tmp_path / "item.txt"
    path.write_bytes("Die Größe des Turms beträgt 510 Meter.".encode("cp1252"))
    done = run_command("audit", "--json", "--answer", "a", "--context", path)
    assert done.returncode == 0
    assert "is not UTF-8; it was read as cp1252, which is a guess" in done.stderr
    assert "Größe" in json.loads(done.stdout)["sources"][0]["text"]


def test_help_lists_every_command():
    done = run_command("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command} " in done.stdout


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


SUMMARY = {
    "document": BRIDGE,
    "right_summary": "The bridge was opened on 19 March 1932.",
    "hallucinated_summary": "The bridge was sold to Peru.",
}


def write_summaries(path: Path, records: int = 3) -> Path:
    """A file as HaluEval's owners distribute it, far shorter than theirs."""
    path.write_text(f"{json.dumps(SUMMARY)}\n" * records)
    return path


def evaluate(*arguments: str | Path) -> tuple[list[dict[str, Any]], str]:
    """The JSON objects and the messages of an evaluation by word overlap that succeeds."""
    done = run_command("evaluate", *arguments, "--method", "word-overlap", "--json")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_evaluate_json_with_the_shipped_models(tmp_path):
    path = write_rows(tmp_path / "tiny.jsonl.gz")
    done = run_command("evaluate", path, "--json")
    assert done.returncode == 0
    (line,) = done.stdout.splitlines()
    raw = json.loads(line)
    assert raw.pop("schema") == "provenance-evaluation/1"
    result = from_plain(EvaluationResult, raw)
    assert to_plain(result) == raw
    assert (result.dataset, result.method, result.training_overlap) == ("tiny", "two-stage", "")
    assert (result.n, result.of, result.positives, result.base_rate) == (4, 6, 2, 0.5)
    assert result.groups == 2, "answers to one context are drawn together"
    own, *others = result.figures
    assert (own.column, own.auc) == ("two-stage", 1.0)
    assert (own.at_threshold.threshold, own.curve is None) == (
        default_parameters().threshold,
        False,
    )
    assert 0.0 <= own.calibration.ece <= 1.0
    names = [grid_column(*cell) for cell in GRID] + list(BASELINES)
    assert [figures.column for figures in others] == names
    assert [d.second for d in result.differences] == BASELINES
    assert sorted(reason.rows for reason in result.skipped) == [1, 1]
    assert f"{path}:5: the context is empty" in done.stderr
    assert f"{path}:6: not JSON" in done.stderr


def test_evaluate_prints_a_line_a_file_and_goes_on_after_one_that_fails(tmp_path):
    path = write_rows(tmp_path / "tiny.jsonl.gz")
    done = run_command(
        "evaluate", path, tmp_path / "absent.jsonl", path, "--method", "word-overlap"
    )
    assert done.returncode == 2
    header, first, second = done.stdout.splitlines()
    assert first == second
    assert " ".join(header.split()) == (
        "dataset method n base rate AUC 95 % interval overlap ROUGE-2 length AP bal. acc. F1 ECE "
        "skipped"
    )
    # Overlap finds 1, 1, 1/3 and 1/3 of the answers' words: AUC 100, and no threshold of its own.
    name, method, n, base_rate, auc, *_ = first.split()
    assert (name, method, n, base_rate, auc) == ("tiny", "word-overlap", "4", "50.0", "100.0")
    assert first.split()[-5:] == ["100.0", "-", "-", "-", "2"]
    assert len(first) == len(header)
    assert "absent.jsonl: cannot be read" in done.stderr


@pytest.mark.parametrize("method", BASELINES)
def test_a_baseline_in_the_models_place_stands_beside_the_others(tmp_path, method):
    path = write_rows(tmp_path / "tiny.jsonl.gz")
    done = run_command("evaluate", path, "--method", method, "--json")
    result = json.loads(done.stdout)
    assert result["method"] == method
    assert [figures["column"] for figures in result["figures"]] == [
        method,
        *(other for other in BASELINES if other != method),
    ]
    assert [d["first"] for d in result["differences"]] == [method] * (len(BASELINES) - 1)
    assert result["n"] == 4, "on the same rows, though length reads no context"


def test_evaluate_limit_seed_and_no_auc(tmp_path):
    path = write_rows(tmp_path / "tiny.jsonl.gz")
    (result,), _ = evaluate(path, "--limit", "1", "--seed", "4")
    assert (result["n"], result["of"]) == (1, 6)
    assert result["figures"][0]["auc"] is result["figures"][0]["interval"] is None
    assert "no AUC" in result["note"]


def test_many_rows_with_one_reason_are_counted_not_listed(tmp_path):
    path = tmp_path / "bare.jsonl"
    row = json.dumps({"context": [], "answer": "a", "label": 1})
    path.write_text(f"{row}\n" * 1500)
    (result, _), said = evaluate(path, write_summaries(tmp_path / "summaries.jsonl"))
    assert (result["n"], result["of"], result["base_rate"]) == (0, 1500, None)
    (reason,) = result["skipped"]
    assert reason["rows"] == 1500
    assert reason["reason"] in result["note"]
    assert "1,490 more rows" in said
    assert sum("bare.jsonl" in line for line in said.splitlines()) == 11


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_status_is_2_when_no_row_of_any_file_was_scored(tmp_path, options):
    bare, mute = tmp_path / "bare.jsonl", tmp_path / "mute.jsonl"
    row = {"context": [], "answer": "a", "label": 1}
    bare.write_text(json.dumps(row) + "\n")
    mute.write_text((json.dumps({**row, "context": [BRIDGE], "label": ""}) + "\n") * 2)
    (tmp_path / "none.jsonl").write_text("")
    files = (bare, mute, tmp_path / "none.jsonl")
    done = run_command("evaluate", *files, "--method", "word-overlap", *options)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-3:]
    assert last[0].startswith(f"error: {bare}: no row was scored, of 1; the lines above say why")
    assert last[1].startswith(f"error: {mute}: no row was scored, of 2; the lines above say why")
    assert last[2].startswith(f"error: {files[2]}: the file has no rows")
    assert len(done.stdout.splitlines()) == (3 if options else 4), "the figures are still printed"
    # One row of one file is enough.
    good = write_summaries(tmp_path / "good.jsonl", 1)
    done = run_command("evaluate", bare, good, "--method", "word-overlap", *options)
    assert done.returncode == 0
    assert "no row was scored" not in done.stderr


def test_a_table_of_own_rows_is_scored(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(
        "query,context,answer,label\n"
        "When?,The bridge was opened in 1932.,The bridge was opened in 1932.,supported\n"
        "When?,The bridge was opened in 1932.,It was sold to Peru.,hallucinated\n"
        "When?,The bridge was opened in 1932.,It was sold to Peru.,perhaps\n"
    )
    (result,), said = evaluate(path)
    assert (result["dataset"], result["n"], result["positives"]) == ("mine", 2, 1)
    assert f'{path}:4: label is "perhaps", which is not a known label' in said


def test_owners_files_are_recognised_and_counts_that_differ_are_warned_of(tmp_path):
    path = write_summaries(tmp_path / "data.json")
    (result,), said = evaluate(path)
    assert result["dataset"] == "halueval_summarization"
    assert (result["n"], result["positives"]) == (6, 3)
    (warning,) = result["warnings"]
    assert "this file has 3 and 3" in warning
    assert said == f"{path}: warning: {warning}\n"


def test_format_is_held_against_the_file(tmp_path):
    path = write_summaries(tmp_path / "data.json")
    assert evaluate(path, "--format", "halueval_summarization")[0][0]["n"] == 6
    done = run_command("evaluate", path, "--format", "ragtruth", "--method", "length")
    assert done.returncode == 2
    assert "not of the format ragtruth" in done.stderr
    done = run_command("evaluate", path, "--format", "guess", "--method", "length")
    assert done.returncode == 2
    assert "--format" in done.stderr and "halueval_summarization" in done.stderr


def test_a_folder_stands_for_the_files_in_it(tmp_path):
    write_rows(tmp_path / "b.jsonl.gz")
    write_summaries(tmp_path / "a.jsonl")
    (tmp_path / "notes.txt").write_text("not rows")
    results, _ = evaluate(tmp_path)
    assert [result["dataset"] for result in results] == ["halueval_summarization", "b"]


def test_report_writes_scores_results_and_tables_without_a_path(tmp_path):
    data, report = tmp_path / "private" / "my data", tmp_path / "private" / "out"
    data.mkdir(parents=True)
    write_rows(data / "tiny.jsonl.gz")
    options = ("--limit", "4", "--seed", "1", "--threshold", "0.4", "--selection", "top-k")
    (result,), _ = evaluate(data, *options, "--report", report)
    assert sorted(str(path.relative_to(report)) for path in report.rglob("*.*")) == [
        "RESULTS.md",
        "results.json",
        "scores/tiny.word-overlap.jsonl",
    ]
    command = (
        "python -m provenance_core evaluate 'my data' --method word-overlap --limit 4 --seed 1 "
        "--selection top_k --threshold 0.4 --report out"
    )
    results = read_results(report)
    assert (results.commands, results.seed) == ((command,), 1)
    assert [to_plain(one) for one in results.sets] == [
        {name: value for name, value in result.items() if name != "schema"}
    ]
    assert f"- `{command}`\n" in (report / "RESULTS.md").read_text(encoding="utf-8")
    for path in report.rglob("*.*"):
        assert "private" not in path.read_text(encoding="utf-8"), path.name
    # A second set joins the first.
    write_summaries(tmp_path / "data.json")
    evaluate(tmp_path / "data.json", "--report", report)
    assert [one.dataset for one in read_results(report).sets] == ["halueval_summarization", "tiny"]


def test_log_keeps_scores_from_which_a_run_goes_on(tmp_path):
    path, log = write_rows(tmp_path / "tiny.jsonl.gz"), tmp_path / "log"
    first, _ = evaluate(path, "--log", log)
    assert {file.name for file in log.iterdir()} == {f"tiny.{name}.jsonl" for name in BASELINES}
    kept = log / "tiny.word-overlap.jsonl"
    kept.write_text(kept.read_text().replace('"scores": [1.0]', '"scores": [0.0]'))
    (again,), _ = evaluate(path, "--log", log)
    assert first[0]["figures"][0]["auc"] == 1.0
    assert again["figures"][0]["auc"] == 0.0, "the log was not read"


@pytest.mark.parametrize("option", ["--log", "--report"])
def test_a_folder_that_cannot_be_written_is_said(tmp_path, option):
    path = write_rows(tmp_path / "tiny.jsonl.gz")
    done = run_command("evaluate", path, "--method", "length", option, path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "tiny.jsonl.gz" in done.stderr.splitlines()[-1]


# formats


def test_formats_say_what_to_give_and_what_is_published():
    done = run_command("formats")
    assert (done.returncode, done.stderr) == (0, "")
    entries = done.stdout.rstrip("\n").split("\n\n")
    assert [entry.split(":")[0] for entry in entries] == list(FORMATS)
    for entry, known in zip(entries, FORMATS.values(), strict=True):
        said = " ".join(entry.split())
        assert f"file: {known.files} label: {known.label_rule}" in said
        assert ("not zero-shot: " in said) is bool(known.training_overlap)
        for _, counts in known.published:
            assert f"{counts.supported:,} supported, {counts.hallucinated:,} halluc" in said


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_of_the_table_is_one_and_explains_itself(name):
    command = cli.get_command(click.Context(cli), name)
    assert command is not None and command.name == name
    done = run_command(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Exit status: 0 " in done.stdout or name == "formats"


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit\x1b[31m"],
        ["audit", "--thres\x1bhold", "1"],
        ["audit", "--answer", "a", "--context", "b", "--profile", "\x1b[31mred"],
        ["audit", "--answer", "a", "--context", "\x1b[31mred"],
        ["evaluate", "a", "--method", "\x1b[31mred"],
        ["batch", "a\x1b[31m\x9b", "--run", "r"],
        ["batch", "a", "--run", "r", "--map", "\x1b[31mred"],
        ["models", "check", "\x1b[31mred"],
        ["restore", "\x1b[31mred"],
        ["preset", "--import", "\x1b[31mred"],
    ],
    ids=lambda arguments: ascii(arguments[-1]),
)
def test_no_control_character_of_an_argument_reaches_the_terminal(url, arguments):
    done = run_command(*arguments)
    assert done.returncode in (1, 2)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.stdout + done.stderr)
    assert "\\u001b" in done.stderr or "\\x1b" in done.stderr


# rendering, on evidence made by hand


def test_control_characters_cannot_reach_the_terminal():
    assert visible("a\x1b[31mb\x00\ud800\nc\u202e") == "a\\u001b[31mb\\u0000\\ud800 c\\u202e"


def test_text_and_json_of_an_audit_made_by_hand():
    parameters = Parameters(top_p=1.0, claim_aggregation=ClaimAggregation.MEAN)
    audit = assemble(hand_evidence([0.0, 1.0], [[0.9, 0.2], [0.1, 0.3]]), parameters)
    text = audit_text(audit)
    assert text.startswith(
        "SUPPORTED, WITH FLAGGED SENTENCES   score 0.600, threshold 0.500, margin +0.100\n"
    )
    assert "no single passage of the context was found to state “Claim number 1”" in " ".join(
        text.split()
    )
    assert "2 of 2 sources selected" in text
    assert "[+] supported: Claim number 0." in text
    assert "[?] NOT FOUND: Claim number 1." in text
    plain = to_plain(audit_summary(audit))
    assert json.loads(json.dumps(plain)) == plain
    assert plain["sentences"][1]["label"] == "not_found"


def test_two_files_of_one_name_do_not_share_a_report(tmp_path):
    row = json.dumps({"query": "", "context": ["A cat."], "answer": "A cat.", "label": 1})
    paths = [tmp_path / folder / "rows.jsonl" for folder in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(row + "\n")
    report = tmp_path / "report"
    done = run_command("evaluate", *paths, "--method", "length", "--report", report)
    assert done.returncode == 2
    assert "would replace" in done.stderr
    assert len(list((report / "scores").iterdir())) == 1


def test_the_text_report_says_in_the_words_of_the_pages_what_a_chunk_lacks():
    against = [[0.0, 0.0], [0.8, 0.0]]
    evidence = hand_evidence([2.0, -3.0], [[0.9, 0.1], [0.1, 0.9]], against)
    second = evidence.sentences[1]
    details = (
        MissingDetail("number", "0", second.start, second.end),
        MissingDetail("number", "412", second.start, second.end),
    )
    audit = assemble(replace(evidence, missing_details=details), Parameters(top_k=1))
    lines = [line.strip() for line in audit_text(audit).splitlines()]
    assert "supported only by a chunk that was not selected" in lines
    assert any(line.startswith("only ") and "not selected, reaches" in line for line in lines)
