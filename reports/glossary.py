"""The terms of the pages, each explained once: for tooltips, page and documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from provenance_core.parameters import PARAMETERS


@dataclass(frozen=True, slots=True)
class Term:
    """A term and what it means, in sentences. ``topic``: what it is listed under."""

    name: str
    meaning: str
    topic: str


_TEXTS, _SCORE, _MEASURE, _REVIEW = (
    "What is audited",
    "How an answer is scored",
    "How well it scores",
    "Labels and reviews",
)
_TERMS = (
    Term("query", "The question that the answer replies to; it may be missing.", _TEXTS),
    Term("context item", "One of the texts that the answer was written from.", _TEXTS),
    Term(
        "chunk",
        "A part of a context item, cut at sentence ends so that a model can read it.",
        _TEXTS,
    ),
    Term(
        "source",
        "A chunk that is selected, as one of the most relevant to the query. The score is made "
        "from the sources alone.",
        _TEXTS,
    ),
    Term("claim", "What a sentence of the answer states, as the models read it.", _TEXTS),
    Term("span", "A part of a text from one character to another.", _TEXTS),
    Term(
        "set aside",
        "A part of the answer that states nothing to check: a greeting, a title, a question.",
        _TEXTS,
    ),
    Term("audit", "One answer checked against its context, with all that was measured.", _TEXTS),
    Term("run", "The audits of one file.", _TEXTS),
    Term(
        "relevance score",
        "How relevant a chunk is to the query, by the relevance model. Any real number.",
        _SCORE,
    ),
    Term("weight", "A source's share of the relevance; those of all sources sum to 1.", _SCORE),
    Term(
        "selected",
        "Whether a chunk is a source. The score is made without the chunks that are not selected.",
        _SCORE,
    ),
    Term(
        "factuality",
        "How far a chunk supports the answer's claims, in [0, 1]: the mean over the claims.",
        _SCORE,
    ),
    Term("contribution", "The part of the answer's score that is due to one source.", _SCORE),
    Term(
        "longest pair",
        "The most tokens, which are words or parts of words, that the NLI model read at once of a "
        "chunk and a sentence or claim.",
        _SCORE,
    ),
    Term("premise", "The text that a claim is compared with: a chunk or a sentence of it.", _SCORE),
    Term("hypothesis", "What is compared with the premise: a claim or a sentence.", _SCORE),
    Term(
        "entailment",
        "The premise says that the hypothesis is true. The NLI model gives its probability.",
        _SCORE,
    ),
    Term("contradiction", "The premise says that the hypothesis is wrong.", _SCORE),
    Term("not found", "No source says the sentence is true, and none says it is wrong.", _SCORE),
    Term("support", "The probability, in [0, 1], that a chunk supports a sentence.", _SCORE),
    Term(
        "support map",
        "The few weights that make support out of entailment, contradiction, copied words and "
        "details that are missing or differ.",
        _SCORE,
    ),
    Term(
        "aggregation",
        "How the support by several sources becomes one score of a claim, and the scores of "
        "several claims one of the answer.",
        _SCORE,
    ),
    Term(
        "factuality score",
        "The answer's score, in [0, 1]: how sure the machine is that the context supports it.",
        _SCORE,
    ),
    Term("threshold", PARAMETERS["threshold"].help, _SCORE),
    Term(
        "verdict",
        "Supported or hallucinated, by the score and the threshold; or nothing to check. A "
        "supported answer may have flagged sentences, and says so.",
        _SCORE,
    ),
    Term(
        "nothing to check",
        "The verdict on an answer of which every sentence is set aside, such as a greeting. Its "
        "score decides nothing.",
        _SCORE,
    ),
    Term(
        "flagged",
        "A sentence that is not supported; the answer as a whole may be. “1 of 3”: one of three "
        "sentences that were checked.",
        _SCORE,
    ),
    Term("hallucinated", "Not supported by the context, whether or not it is true.", _SCORE),
    Term("detector", "A method that scores an answer.", _SCORE),
    Term("profile", "The models that an audit is made with, and their threshold.", _SCORE),
    Term(
        "preset",
        "Settings that were saved on the Thresholds page with the evidence for them.",
        _SCORE,
    ),
    Term(
        "fitted profile",
        "A profile whose support map and threshold were fitted to somebody's labels.",
        _SCORE,
    ),
    Term(
        "ROC AUC",
        "How often a supported answer scores above a hallucinated one: 0.5 is chance, 1 is "
        "always. It needs no threshold.",
        _MEASURE,
    ),
    Term("F1", "Harmonic mean of precision and recall of the hallucinated answers.", _MEASURE),
    Term(
        "balanced accuracy",
        "Mean of the shares of hallucinated and of supported answers that get the right verdict.",
        _MEASURE,
    ),
    Term(
        "precision",
        "Share of the answers called hallucinated that are hallucinated.",
        _MEASURE,
    ),
    Term("recall", "Share of the hallucinated answers that are called hallucinated.", _MEASURE),
    Term(
        "required recall",
        "The recall that a threshold must reach; of those that do, the one with the best "
        "precision is taken.",
        _MEASURE,
    ),
    Term(
        "cost of a miss",
        "How many false alarms are as bad as one hallucinated answer that passes.",
        _MEASURE,
    ),
    Term(
        "false alarm rate",
        "Share of the supported answers that are called hallucinated.",
        _MEASURE,
    ),
    Term("accuracy", "Share of all answers that get the right verdict.", _MEASURE),
    Term(
        "calibration error",
        "How far a score is from the share of answers with it that are supported, on average: 0 "
        "is best. With ten bins of scores it is the expected calibration error (ECE).",
        _MEASURE,
    ),
    Term(
        "Brier score",
        "Mean squared distance of the scores from the labels (1 supported, 0 hallucinated): 0 is "
        "best.",
        _MEASURE,
    ),
    Term(
        "bootstrap",
        "Shows how far a figure moves by chance: it is computed again on samples drawn from the "
        "answers, source document by source document.",
        _MEASURE,
    ),
    Term(
        "hallucinated share",
        "Share of the labelled answers that are labelled hallucinated, which is what the base rate "
        "leaves.",
        _MEASURE,
    ),
    Term("base rate", "Share of the labelled answers that are labelled supported.", _MEASURE),
    Term(
        "95 % interval",
        "Where the figure would be in 95 of 100 samples like this one: a bootstrap draws source "
        "documents again and again.",
        _MEASURE,
    ),
    Term("label", "What a data set or the reviewers say about the answer.", _REVIEW),
    Term(
        "label of the data set",
        "What a labelled file says about the answer. The judgements of reviewers do not count "
        "here.",
        _REVIEW,
    ),
    Term(
        "reviewers",
        "Who judged the answer, by verdict: ✓ supported, ✗ hallucinated, ? cannot tell. “✓ 2 ✗ 1”: "
        "two say supported, one hallucinated.",
        _REVIEW,
    ),
    Term(
        "mistake",
        "A verdict that the label does not share: a miss is labelled hallucinated and called "
        "supported, a false alarm is labelled supported and called hallucinated.",
        _REVIEW,
    ),
    Term("labelled answers", "The answers with a label, of those that pass the filter.", _REVIEW),
    Term(
        "source document",
        "What answers with the same context were written from. They are not independent, so "
        "intervals and folds keep them together.",
        _REVIEW,
    ),
    Term(
        "judgement",
        "One reviewer's verdict on an answer, with marks on its sentences and chunks.",
        _REVIEW,
    ),
    Term("blind mode", "Hides the machine's view until you save your judgement.", _REVIEW),
    Term("agreement", "How often reviewers agree, compared with what chance would give.", _REVIEW),
    Term("raw agreement", "Share of the answers or sentences judged alike by two.", _REVIEW),
    Term(
        "kappa",
        "Cohen's measure of agreement: 1 is full agreement, 0 what chance gives, below 0 less "
        "than chance.",
        _REVIEW,
    ),
)

# Every term by its name.
GLOSSARY: Mapping[str, Term] = MappingProxyType({term.name: term for term in _TERMS})
TOPICS = (_TEXTS, _SCORE, _MEASURE, _REVIEW)


def tooltip(name: str) -> str:
    """What a term means, for the place where it is named. Its meaning, one or two sentences. Raises
    KeyError where the glossary has no such term."""
    return GLOSSARY[name].meaning


def terms_of(topic: str) -> tuple[Term, ...]:
    """List the terms of a topic. By the alphabet."""
    found = (term for term in _TERMS if term.topic == topic)
    return tuple(sorted(found, key=lambda term: term.name.casefold()))
