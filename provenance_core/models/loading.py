"""Turns a model's folder into an object that scores pairs. Imports torch only for models that need
it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import Architecture, PublicModel
from provenance_core.models.checkpoints.class_labels import is_hhem
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.models.onnx_models.relevance_model import RelevanceModel
from provenance_core.models.protocol import PairScorer, SpanScorer
from provenance_core.models.settings import read_model_settings
from provenance_core.models.torch_models.devices import Device, DeviceKind, Precision, choose_device
from provenance_core.types import ModelInfo

if TYPE_CHECKING:
    from provenance_core.models.torch_models.pairs import Loaded

# MiniCheck was trained on document and claim as one text. A folder of that name counts too.
_JOINED_TEXTS = "MiniCheck-"
# What may stand on the logits: a logistic map, or nothing. Both are known to the pipeline, which
# makes probabilities of NLI logits and leaves those of relevance as they are (paper equation 1).
_SIGMOID = ("", "Sigmoid")
_SOFTMAX = ("", "Identity", "Softmax")
_RELEVANCE = ("", "Sigmoid", "Identity")


def load_relevance(model: PublicModel, folder: Path, device: Device | None = None) -> PairScorer:
    """Load a relevance model. The model, with one logit for each pair. Raises ModelError where the
    folder holds no relevance model, or the device cannot hold it; the message says how to fix
    it."""
    if model.architecture is Architecture.EMBEDDED:
        return RelevanceModel.load(folder)
    if model.architecture is not Architecture.SEQUENCE_CLASSIFIER:
        raise ModelError(f"{model.model_id} is no relevance model: it is a {model.architecture}.")
    from provenance_core.models.checkpoints.tokenizer_files import read_tokenizer
    from provenance_core.models.torch_models import transformers_folder as files
    from provenance_core.models.torch_models.sequence_classifier import (
        RelevanceDifference,
        SequenceClassifier,
    )

    found = files.read_model(folder, "ForSequenceClassification")
    _check_activation(model, files.activation(folder), _RELEVANCE)
    names = files.class_names(found.config)
    loaded = _on_device(model, folder, found, read_tokenizer(folder), device)
    if len(names) == 1:
        return _fast(loaded, folder, lambda each: SequenceClassifier(each, ("relevance",)))
    if len(names) == 2:
        relevant = _relevant(model, names)
        return _fast(loaded, folder, lambda each: RelevanceDifference(each, relevant))
    raise ModelError(
        f"{model.model_id} has {len(names)} classes; a relevance model has one score, or two "
        "classes, relevant and not."
    )


def load_nli(model: PublicModel, folder: Path, device: Device | None = None) -> PairScorer:
    """Load an NLI model. HHEM-2.1 must give the scores of its description when its weights are
    first loaded (:mod:`provenance_core.models.checkpoints.golden_scores`). The model, with one to
    three logits for each pair. Raises ModelError where the folder holds no NLI model, its classes
    cannot be told, its scores are not the published ones, or the device cannot hold it."""
    if model.architecture is Architecture.EMBEDDED:
        return CrossEncoder.load(folder)
    if model.architecture is Architecture.HHEM_2 or is_hhem(folder):
        return _load_hhem(model, folder, device)
    if model.architecture is not Architecture.SEQUENCE_CLASSIFIER:
        raise ModelError(f"{model.model_id} is no NLI model: it is a {model.architecture}.")
    from provenance_core.models.checkpoints.tokenizer_files import read_tokenizer
    from provenance_core.models.nli_classes import read_classes, tells_contradiction
    from provenance_core.models.torch_models import transformers_folder as files
    from provenance_core.models.torch_models.sequence_classifier import SequenceClassifier

    found = files.read_model(folder, "ForSequenceClassification")
    labels = read_classes(files.class_names(found.config), model.model_id, model.entailment_label)
    known = _SIGMOID if len(labels) == 1 else _SOFTMAX
    _check_activation(model, files.activation(folder), known)
    loaded = _on_device(
        model,
        folder,
        found,
        read_tokenizer(folder),
        device,
        tells_contradiction=tells_contradiction(labels),
    )
    joined = _JOINED_TEXTS in model.model_id
    return _fast(loaded, folder, lambda each: SequenceClassifier(each, labels, joined=joined))


def load_spans(model: PublicModel, folder: Path, device: Device | None = None) -> SpanScorer:
    """Load a span model. Raises ModelError where the folder holds no token classifier of two
    classes, or the device cannot hold it."""
    if model.architecture is not Architecture.TOKEN_CLASSIFIER:
        raise ModelError(f"{model.model_id} is no span model: it is a {model.architecture}.")
    from provenance_core.models.checkpoints.tokenizer_files import read_tokenizer
    from provenance_core.models.torch_models import transformers_folder as files
    from provenance_core.models.torch_models.token_classifier import TokenClassifier

    found = files.read_model(folder, "ForTokenClassification")
    hallucinated = _hallucinated(model, files.class_names(found.config))
    loaded = _on_device(model, folder, found, read_tokenizer(folder), device)
    return TokenClassifier(loaded, hallucinated)


def _load_hhem(model: PublicModel, folder: Path, device: Device | None) -> PairScorer:
    from provenance_core.models.checkpoints.golden_scores import GOLDEN_SCORES, check_golden_scores
    from provenance_core.models.torch_models.hhem import WINDOW, Hhem, read_hhem, read_tokenizer

    def loaded(on: Device | None) -> Hhem:
        return Hhem(_on_device(sized, folder, network, tokenizer, on, tells_contradiction=False))

    sized = replace(model, window=model.window or WINDOW)
    network, tokenizer = read_hhem(folder), read_tokenizer(folder)
    golden = GOLDEN_SCORES.get((model.model_id, Architecture.HHEM_2))
    if golden is not None:
        plain = Device(DeviceKind.CPU, "", Precision.FLOAT32)
        check_golden_scores(loaded(plain), golden, folder)
    return loaded(device)


def _fast(loaded: Loaded, folder: Path, build: Callable[[Loaded], PairScorer]) -> PairScorer:
    """The classifier that ``build`` makes, on OpenVINO where the settings ask for it."""
    if not read_model_settings().convert:
        return build(loaded)
    from provenance_core.models.torch_models.openvino_classifier import on_openvino

    return on_openvino(loaded, folder, build)


def _on_device(
    model: PublicModel,
    folder: Path,
    found: Any,
    tokenizer: Any,
    device: Device | None,
    *,
    tells_contradiction: bool = True,
) -> Loaded:
    import torch

    from provenance_core.models.checkpoints.files import (
        vocabulary_sha256,
        weight_files,
        weights_sha256,
    )
    from provenance_core.models.torch_models import transformers_folder as files
    from provenance_core.models.torch_models.pairs import Loaded, out_of_memory

    chosen = device or choose_device()
    given = model.given_folder
    info = ModelInfo(
        task=model.role,
        model_id=model.model_id if given is None else given.name,
        revision=model.revision,
        sha256=weights_sha256(weight_files(folder)),
        max_length=files.window(folder, found.config, model.window),
        device=str(chosen),
        precision=chosen.precision,
        tells_contradiction=tells_contradiction,
        entailment_label=model.entailment_label,
    )
    try:
        placed = found.to(device=str(chosen.kind), dtype=getattr(torch, chosen.precision))
    except (RuntimeError, MemoryError) as error:
        if not out_of_memory(error):
            raise
        raise ModelError(
            f"{model.model_id} does not fit the memory of {chosen}. Close what else uses it, set "
            "PROVENANCE_DEVICE=cpu, or choose a smaller model."
        ) from None
    placed.requires_grad_(False)
    return Loaded(placed, tokenizer, vocabulary_sha256(folder), info, chosen)


def _check_activation(model: PublicModel, named: str, known: tuple[str, ...]) -> None:
    if named not in known:
        raise ModelError(
            f"{model.model_id} puts {named} on its scores, which is not known here; known are "
            f"{', '.join(name for name in known if name)}."
        )


def _relevant(model: PublicModel, names: list[str]) -> int:
    """Index of the class "relevant"."""
    if model.entailment_label in (0, 1):
        return int(model.entailment_label)
    plain = [name.lower() for name in names]
    negative = [bool(re.match(r"(not|non|no|ir|un)[ _-]?", name)) for name in plain]
    if all("relevant" in name for name in plain) and negative.count(True) == 1:
        return negative.index(False)
    raise ModelError(
        f"{model.model_id} does not say which of its classes means relevant: config.json calls "
        f"them {', '.join(names)}. Name the classes there (relevant, not_relevant) in a folder of "
        "your own, or choose a relevance model with one score."
    )


def _hallucinated(model: PublicModel, names: list[str]) -> int:
    """Index of the class "hallucinated": by its name, else 1, as LettuceDetect has it."""
    if len(names) != 2:
        raise ModelError(
            f"{model.model_id} has {len(names)} classes; a span model has two, supported and "
            "hallucinated."
        )
    named = [bool(re.search(r"hallucinat|unsupported", name.lower())) for name in names]
    return named.index(True) if named.count(True) == 1 else 1
