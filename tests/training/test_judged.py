"""What people judged: which documents are held out, what becomes of a row, and how the
figures are made."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

torch = pytest.importorskip("torch")

from training import judged_mixture  # noqa: E402
from training.areas import by_set, measured, table  # noqa: E402
from training.held_out import Seen, document, is_held_out  # noqa: E402
from training.judged_units import Counter, Judged, Unit, balanced, unit, units  # noqa: E402
from training.minimal_pairs import NOT_SUPPORTED, SUPPORTED  # noqa: E402
from training.twins import written_twins  # noqa: E402
from training.window_figures import held_rows  # noqa: E402

SENTENCES = [f"The mill number {n} was built in {1700 + n} by the {n}th miller." for n in range(60)]


def words() -> Tokenizer:
    made = Tokenizer(WordLevel({"<unk>": 0}, unk_token="<unk>"))
    made.pre_tokenizer = Whitespace()
    return made


COUNT = Counter(words())


def judged(answer: str, supported: bool, *spans: tuple[int, int]) -> Judged:
    return Judged(
        "set", (" ".join(SENTENCES[:30]), " ".join(SENTENCES[30:])), answer, supported, spans
    )


def test_another_writing_of_a_document_is_the_same_document() -> None:
    text = " ".join(SENTENCES)
    assert document([text]) == document([text.lower().replace(".", " .")])
    assert document([text]) == document([" ".join(SENTENCES[:30]), " ".join(SENTENCES[30:])])
    assert document([text]) != document(["The boat sails on Monday from the old harbour."])
    assert document([]) == document([""])


def test_about_one_document_in_five_is_held_out() -> None:
    share = np.mean([is_held_out([f"The report number {n} says nothing."]) for n in range(2000)])
    assert 0.17 < share < 0.23


def test_a_text_that_shares_runs_with_a_held_out_one_is_noticed() -> None:
    seen = Seen()
    seen.add(" ".join(SENTENCES[:10]))
    assert seen.shares(" ".join(SENTENCES[5:15]))
    assert not seen.shares(" ".join(SENTENCES[20:]))


def test_a_unit_is_the_shortest_window_that_holds_what_the_context_says() -> None:
    found = unit(judged("", True), SENTENCES[45], True, COUNT)
    assert found is not None
    assert SENTENCES[45] in found.premise
    assert SENTENCES[0] not in found.premise
    assert found.label == SUPPORTED
    assert found.tokens <= 192
    far = unit(judged("", True), f"{SENTENCES[0]} {SENTENCES[59]}", True, COUNT)
    assert far is None  # no window of 480 tokens holds both


def test_a_wrong_answer_gives_its_marked_sentence_and_no_other() -> None:
    answer = f"{SENTENCES[3]} {SENTENCES[4]} The mill number 5 was built by nobody at all."
    start = answer.index("The mill number 5")
    rng = random.Random(0)
    for _ in range(5):
        whole, sentence = units(judged(answer, False, (start + 4, start + 9)), rng, COUNT)
        assert whole.hypothesis == answer
        assert sentence.hypothesis == answer[start:]
        assert {whole.label, sentence.label} == {NOT_SUPPORTED}
    assert [u.hypothesis for u in units(judged(answer, False), rng, COUNT)] == [answer]
    assert len(units(judged(f"{SENTENCES[3]} {SENTENCES[4]}", True), rng, COUNT)) == 2


def made(label: str, count: int, kind: str = "set", tokens: int = 10) -> list[Unit]:
    return [Unit("premise", f"{kind} {at}", label, kind, tokens) for at in range(count)]


def test_labels_are_in_equal_parts() -> None:
    kept = balanced([*made(SUPPORTED, 9), *made(NOT_SUPPORTED, 4)], random.Random(0))
    assert sorted(u.label for u in kept) == [NOT_SUPPORTED] * 4 + [SUPPORTED] * 4


def test_every_part_of_the_mixture_has_each_group_by_its_share() -> None:
    groups = {name: made(SUPPORTED, 1000, name) for name in judged_mixture.SHARES}
    mixture = judged_mixture.shared_out(groups, random.Random(0))
    for part in (mixture[: len(mixture) // 4], mixture):
        for name, share in judged_mixture.SHARES.items():
            assert np.mean([u.kind == name for u in part]) == pytest.approx(share, abs=0.02)


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def row(number: int, dataset: str) -> dict[str, object]:
    context = [f"Document {number} of {dataset}. " + " ".join(SENTENCES[number : number + 2])]
    return {
        "id": f"{dataset}-{number}",
        "dataset": dataset,
        "context": context,
        "answer": SENTENCES[number],
        "label": number % 2,
        "spans": [],
    }


def test_held_out_documents_and_rows_for_choices_are_never_learnt(tmp_path: Path) -> None:
    write(tmp_path / "judged/frank_test.jsonl.gz", [row(n, "frank_test") for n in range(50)])
    write(tmp_path / "dev/fresh_rag.jsonl.gz", [row(n, "fresh_rag") for n in range(10)])
    write(tmp_path / judged_mixture.RAG_FILE, [row(n, "written_rag") for n in range(50)])
    rows = judged_mixture.judged_rows([tmp_path / "judged", tmp_path / "dev"])
    assert set(rows) == {"frank_test"}
    seen = judged_mixture.held_out_runs(rows)
    found = judged_mixture.judged_units(rows, seen, random.Random(0), COUNT, 1.0)
    held = [r for r in rows["frank_test"] if is_held_out(r.context)]
    assert held
    assert found
    assert not {r.answer for r in held} & {u.hypothesis for u in found}
    measurable = held_rows(tmp_path, 100, None)
    learnt = {each.context for each in written_twins() if not each.held_out}
    assert not learnt & {tuple(r["context"]) for r in measurable}
    written = [r for r in measurable if r["dataset"] == "written_rag"]
    assert all(is_held_out(r["context"], judged_mixture.WRITTEN_RAG_HELD_IN) for r in written)
    assert sum(r["dataset"] == "fresh_rag" for r in measurable) == 10
    assert sum(r["dataset"] == "frank_test" for r in measurable) == len(held)


def test_figures_have_auc_interval_and_base_rate() -> None:
    rng = np.random.default_rng(0)
    labels = rng.random(200) < 0.3
    rows = [
        {
            "set": "a",
            "label": int(label),
            "document": str(at // 2),
            "mean": float(label + rng.normal()),
            "least": 0.0,
            "whole": float(label),
            "pairs": -float(label),
        }
        for at, label in enumerate(labels)
    ]
    found = measured(rows, "mean")
    assert found.low < found.auc < found.high
    assert found.count == 200
    assert found.rate == pytest.approx(labels.mean())
    assert measured(rows, "least").auc == 50
    assert measured(rows, "pairs").auc == 0
    assert measured(rows, "whole").auc == 100
    lines = list(table(by_set(rows, ("whole", "pairs")), {"sets": lambda kind: kind == "a"}))
    assert "| a | 200 |" in lines[2]
    assert lines[2].endswith("| 100.0 (100 to 100) | 0.0 (0 to 0) |")
    assert lines[3] == "| mean of 1 sets | | | 100.0 | 0.0 |"
