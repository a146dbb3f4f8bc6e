"""What the Benchmarks page says first is what the results file holds."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from dashboard.benchmarks.charts import forest
from dashboard.benchmarks.opening import measured_sets, opening_text, profile_text, set_rows
from provenance_core.evaluation.report import read_results
from provenance_core.evaluation.tables import all_tables, best_baseline
from provenance_core.evaluation.types import BASELINE_METHODS

RESULTS = read_results(Path(__file__).parents[2] / "benchmarks")


def test_the_opening_has_the_figures_of_its_set():
    text = opening_text(RESULTS)
    (name,) = re.findall(r"\((\w+)\), a supported answer", text)
    result = next(each for each in measured_sets(RESULTS) if each.dataset == name)
    assert f"{100 * result.figures[0].auc:.0f} times in 100" in text
    best = max(f.auc for f in result.figures if f.column in BASELINE_METHODS)
    assert f"{100 * best:.0f} times." in text


def test_answers_of_rag_systems_come_first():
    assert measured_sets(RESULTS)[0].dataset == "ragtruth_partial"
    text = opening_text(RESULTS)
    assert re.match(r"On [\d,]+ answers of RAG systems \(ragtruth_partial\), a supported", text)


def test_a_better_baseline_is_named_wherever_it_is_better():
    said = opening_text(RESULTS).partition("is better beyond")[2]
    named, _, ahead = said.partition("Its figure is higher")
    for result, (*_, better) in zip(measured_sets(RESULTS), set_rows(RESULTS), strict=True):
        assert (result.dataset in named) == (better == "baseline")
        higher = 100 * result.figures[0].auc < best_baseline(result)[1]
        assert (result.dataset in ahead) == (higher and better != "baseline")
    worse = replace(
        RESULTS,
        sets=tuple(
            replace(r, figures=(replace(r.figures[0], auc=0.1, interval=None), *r.figures[1:]))
            for r in measured_sets(RESULTS)
        ),
    )
    assert {row[3] for row in set_rows(worse)} == {"baseline"}
    every = ", ".join(each.dataset for each in measured_sets(worse))
    assert opening_text(worse).endswith(f"interval on {every}.")


def test_neither_is_better_where_the_baseline_lies_in_the_interval():
    for result, (*_, better) in zip(measured_sets(RESULTS), set_rows(RESULTS), strict=True):
        interval, baseline = result.figures[0].interval, best_baseline(result)[1]
        inside = 100 * interval.low <= baseline <= 100 * interval.high
        assert (better == "neither, within the interval") == inside, result.dataset


def test_who_is_better_fits_the_table_of_targets():
    (targets,) = [t for t in all_tables(RESULTS) if t.title.startswith("Where each set stands")]
    stands = {row[0]: row[targets.head.index("against baseline")] for row in targets.rows}
    neither = "neither, within the interval"
    said = {"reached": {"detector", neither}, "within interval": {neither}, "below": {"baseline"}}
    for result, (*_, better) in zip(measured_sets(RESULTS), set_rows(RESULTS), strict=True):
        assert better in said[stands[result.dataset]], result.dataset


def test_the_chart_draws_the_best_baseline_that_the_table_names():
    (drawn,) = (
        trace for trace in forest(measured_sets(RESULTS)).data
        if trace.name == "best trivial baseline"
    )  # fmt: skip
    said = [
        f"{value:.0f}, {counted}" for value, counted in zip(drawn.x, drawn.customdata, strict=True)
    ]
    assert said == [row[2] for row in set_rows(RESULTS)]


def test_the_profile_of_the_figures_is_said():
    text = profile_text(RESULTS)
    named = {str(each.method).partition("@")[2] for each in RESULTS.sets} - {""}
    assert text.startswith("The figures are for `cascade`, the default profile.")
    assert named and all(f"`{name}`" in text for name in named)
    (table,) = [each for each in all_tables(RESULTS) if f"“{each.title}”" in text]
    assert {str(row[1]) for row in table.rows} == named | {"cascade"}
