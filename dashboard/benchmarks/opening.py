"""The sentences above the results: what a RAG team can quote. They come from the results alone."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.evaluation.scorers import OF_PROFILE
from provenance_core.evaluation.tables import best_baseline, of_method, profile_table
from provenance_core.evaluation.types import EvaluationResult, Method, Results
from provenance_core.models.settings import PROFILE
from provenance_core.types import DEFAULT_DETECTOR

# What the answers of a set are; a set that is not here is called by its name.
_KINDS = {
    "qags_cnndm": "news summaries",
    "qags_xsum": "news summaries of one sentence",
    "mnbm": "summaries of news by several systems",
    "q2": "replies of chat systems about articles",
    "begin": "replies of chat systems about facts",
    "paws": "sentences with words swapped",
    "ragtruth_partial": "answers of RAG systems",
    "halueval_qa_gen500": "answers to questions, half of them made up",
    "halueval_general": "replies of a chat system",
}
COUNTED = {
    Method.WORD_OVERLAP: "counting the words that answer and context share",
    Method.ROUGE_2: "counting copied pairs of words",
    Method.ROUGE_3: "counting copied runs of three words",
    Method.ROUGE_4: "counting copied runs of four words",
    Method.ROUGE_L: "counting the words that stand in the same order",
    Method.LENGTH: "taking the shorter answer",
}
_DETECTOR, _BASELINE, _NEITHER = "detector", "baseline", "neither, within the interval"
# What a RAG team asks about comes first.
_FIRST = ("ragtruth_partial", "halueval_qa_gen500", "qags_cnndm", "qags_xsum")


def measured_sets(results: Results) -> Sequence[EvaluationResult]:
    """Those of the default detector that have an AUC, answers of RAG systems first."""
    known = [r for r in of_method(results, DEFAULT_DETECTOR) if r.figures[0].auc is not None]
    place = {name: at for at, name in enumerate(_FIRST)}
    return sorted(known, key=lambda result: place.get(result.dataset, len(place)))


def opening_text(results: Results) -> str:
    """One set in a sentence, and how many sets a trivial baseline ranks better; "" without a
    set."""
    known = measured_sets(results)
    if not known:
        return ""
    beaten = [r.dataset for r in known if _better(r) == _BASELINE]
    ahead = [r.dataset for r in known if _better(r) == _NEITHER and _times(r) < best_baseline(r)[1]]
    says = f"is better beyond the detector's interval on {', '.join(beaten) or 'none'}"
    if ahead:
        says += f". Its figure is higher, but within the interval, on {', '.join(ahead)}"
    return (
        f"On {ranking_text(known[0])}.\n\n50 of 100 would be chance. Of the {len(known)} sets, a "
        f"trivial baseline {says}."
    )


def profile_text(results: Results) -> str:
    """Of which profile the figures are, and which table has others."""
    named = {
        name for r in results.sets for name in [str(r.method).partition(OF_PROFILE)[2]] if name
    }
    text = f"The figures are for `{PROFILE.default}`, the default profile."
    others = " and ".join(f"`{name}`" for name in sorted(named))
    title = profile_table(results).title
    return f"{text} Choose the table “{title}” to see {others} too." if others else text


def ranking_text(result: EvaluationResult) -> str:
    """How often the detector and the best trivial baseline rank a supported answer first: “100 news
    summaries, a supported answer …”."""
    kind = _KINDS.get(result.dataset)
    named = f"{kind} ({result.dataset})" if kind else f"answers of {result.dataset}"
    method, baseline = best_baseline(result)
    ours = _times(result)
    return (
        f"{result.n:,} {named}, a supported answer gets a higher score than an unsupported one "
        f"{ours:.0f} times in 100; {COUNTED[method]} does so {baseline:.0f} times"
    )


def set_rows(results: Results) -> list[tuple[str, str, str, str]]:
    """A row for each set: what it holds, our times in 100, the best baseline's, and who is
    better."""
    rows = []
    for result in measured_sets(results):
        method, baseline = best_baseline(result)
        ours = _times(result)
        star = " *" if result.training_overlap else ""
        rows.append(
            (
                f"{_KINDS.get(result.dataset, 'answers')} ({result.dataset}){star}",
                f"{ours:.0f} (n = {result.n:,})",
                f"{baseline:.0f}, {COUNTED[method]}",
                _better(result),
            )
        )
    return rows


def _better(result: EvaluationResult) -> str:
    """Who ranks a set better: neither where the baseline lies in the detector's interval."""
    interval, best = result.figures[0].interval, best_baseline(result)[1]
    if interval is None:  # the figures alone decide
        return _DETECTOR if _times(result) >= best else _BASELINE
    if 100 * interval.low > best:
        return _DETECTOR
    return _BASELINE if 100 * interval.high < best else _NEITHER


def _times(result: EvaluationResult) -> float:
    return 100 * (result.figures[0].auc or 0.0)
