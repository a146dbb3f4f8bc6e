"""TRUE: the CSV files that its download script writes, one for each of eleven data sets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._values import one_text
from provenance_core.files.types import Counts

_WIKIPEDIA = "shares Wikipedia sentences with the FEVER and VitaminC rows that were trained on"


@dataclass(frozen=True, slots=True)
class _Subset:
    name: str
    title: str
    file: str
    task: str
    rule: str
    published: Counts
    training_overlap: str = ""
    words: tuple[str, ...] = ()


# The large model learned from summaries that people judged (training/judged_mixture.py).
_NEWS = "summaries of other {} articles, which people judged, were trained on"
_CNN_DM, _XSUM = _NEWS.format("CNN/DM"), _NEWS.format("XSum")


_SUBSETS = (
    _Subset(
        "begin", "BEGIN", "begin_dev_download.csv", "dialogue",
        "1 if the gold label is entailment, else 0 (the v1 development set)",
        Counts(554, 282), _WIKIPEDIA,
    ),
    _Subset(
        "dialfact", "DialFact", "dialfact_valid_download.csv", "dialogue",
        "1 if the factual response is labelled SUPPORTS, else 0; rows without evidence left out",
        Counts(5348, 3341), _WIKIPEDIA,
    ),
    _Subset(
        "q2", "Q2", "q2_download.csv", "dialogue",
        "1 if the annotators found the response consistent with the knowledge, else 0",
        Counts(460, 628), _WIKIPEDIA,
    ),
    _Subset(
        "frank", "FRANK", "frank_valid_download.csv", "summarization",
        "0 if for any sentence most annotators named an error, else 1",
        Counts(448, 223), "its test part was trained on: summaries of other articles",
    ),
    _Subset(
        "mnbm", "MNBM", "mnbm_download.csv", "summarization",
        "0 if most of the three annotators marked a hallucination, else 1",
        Counts(2245, 255), f"half of its articles were trained on, and {_XSUM}",
    ),
    _Subset(
        "qags_cnndm", "QAGS-CNN/DM", "qags_cnndm_download.csv", "summarization",
        "1 if for every sentence most annotators said consistent, else 0",
        Counts(122, 113), _CNN_DM,
    ),
    _Subset(
        "qags_xsum", "QAGS-XSum", "qags_xsum_download.csv", "summarization",
        "1 if for every sentence most annotators said consistent, else 0",
        Counts(123, 116), _XSUM,
    ),
    _Subset(
        "summeval", "SummEval", "summeval_download.csv", "summarization",
        "1 if all three experts gave consistency 5, else 0",
        Counts(294, 1306), _CNN_DM,
    ),
    _Subset(
        "paws", "PAWS", "paws_download.csv", "paraphrase",
        "1 if the second sentence is a paraphrase of the first, else 0",
        Counts(4461, 3539), "PAWS-Wiki rows were trained on",
    ),
    _Subset(
        "fever", "FEVER", "fever_dev_download.csv", "fact verification",
        "1 if the claim is labelled SUPPORTS, else 0",
        Counts(11816, 6393), "FEVER rows were trained on",
    ),
    _Subset(
        "vitaminc", "VitaminC", "vitc_dev_download.csv", "fact verification",
        "1 if the claim is labelled SUPPORTS, else 0",
        Counts(31570, 31484), "VitaminC rows were trained on", ("vitc", "vitaminc"),
    ),
)  # fmt: skip


_TRUE = Format(
    name="true",
    title="TRUE (a subset that its file name does not tell)",
    files="any .csv file written by TRUE's download script",
    keys=(keys("grounding", "generated_text", "label"),),
    columns=(
        column("context", "grounding", value=one_text),
        column("answer", "generated_text"),
        column("label", "label"),
        column("id", "id"),
        column("group", "bbcid", "hash"),
        column("source_model", "model"),
    ),
    optional=keys("label"),
    label_rule="As TRUE's download script gives it: 1 is grounded, 0 is not.",
    repository="google-research/true",
    caution="the name does not say which of TRUE's data sets this is, so no published counts were "
    f"compared; name one of the formats {', '.join(subset.name for subset in _SUBSETS)}",
)


def _format(subset: _Subset) -> Format:
    return replace(
        _TRUE,
        name=subset.name,
        title=subset.title,
        files=f"{subset.file}, written by TRUE's download script",
        task=subset.task,
        label_rule=f"As TRUE's download script gives it: {subset.rule}.",
        published=(("", subset.published),),
        training_overlap=subset.training_overlap,
        name_words=subset.words or (subset.name,),
        caution="",
    )


FORMATS = (*map(_format, _SUBSETS), _TRUE)
