"""Folders of every architecture into models that score, against a plain forward pass."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from safetensors.torch import load_file, save_file  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

from provenance_core import DETECTORS, InputError, ModelError, Parameters, Provenance  # noqa: E402
from provenance_core.audit.digest import measurement_digest  # noqa: E402
from provenance_core.audit.serialization import audit_from_json, audit_to_json  # noqa: E402
from provenance_core.cli.evaluate_command import _usable  # noqa: E402
from provenance_core.models.catalogue.profiles import Architecture, ModelRole, custom_profile  # noqa: E402
from provenance_core.models.checkpoints import golden_scores  # noqa: E402
from provenance_core.models.checkpoints.files import weights_sha256  # noqa: E402
from provenance_core.models.checkpoints.golden_scores import GOLDEN_SCORES, GoldenScore  # noqa: E402
from provenance_core.models.loading import load_nli, load_relevance, load_spans  # noqa: E402
from provenance_core.models.nli_classes import NliClass, nli_probabilities, read_classes  # noqa: E402
from provenance_core.models.torch_models.devices import Device, DeviceKind, Precision, choose_device  # noqa: E402
from provenance_core.models.torch_models.hhem import read_hhem  # noqa: E402
from provenance_core.types import CutKind  # noqa: E402
from tests import tiny_checkpoints as tiny  # noqa: E402

CPU = Device(DeviceKind.CPU, "", Precision.FLOAT32)
# Of several lengths, so that batches are padded and put in another order.
PAIRS = (
    ("the sky is blue .", "the sky is red ."),
    ("the bridge was opened in 1932 . seven people live there .", "the bridge was opened ."),
    ("grass is green", "grass"),
    ("paris is the capital of france . the sky is blue .", "paris is the capital of france ."),
)


def plain_logits(model, folder: Path, pairs=PAIRS) -> np.ndarray:
    """One pair at a time through the network, with no code of ours: what tokenizer.json says."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    rows = []
    for a, b in pairs:
        read = tokenizer.encode(a, b)
        inputs = {"input_ids": read.ids, "attention_mask": read.attention_mask}
        if getattr(model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = read.type_ids
        with torch.no_grad():
            rows.append(model(**{k: torch.tensor([v]) for k, v in inputs.items()}).logits[0])
    return torch.stack(rows).numpy()


@pytest.mark.parametrize("make", [tiny.bert, tiny.roberta, tiny.albert, tiny.deberta])
def test_a_classifier_scores_as_a_plain_forward_pass(tmp_path, make):
    model = make(tmp_path)
    scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    expected = plain_logits(model, tmp_path)
    assert np.ptp(expected, axis=0).max() > 1e-2  # the pairs are told apart
    assert scorer.predict(PAIRS) == pytest.approx(expected, abs=1e-5)
    tokenizer = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert scorer.pair_tokens(PAIRS) == [len(tokenizer.encode(a, b).ids) for a, b in PAIRS]
    assert scorer.info.sha256 == weights_sha256([tmp_path / "model.safetensors"])


def test_the_window_is_that_of_the_tokenizer_and_the_positions(tmp_path):
    for make, name, expected in (
        (tiny.bert, "bert", 128),
        (tiny.roberta, "roberta", 64),  # two of its 66 positions are no token's
        (tiny.deberta, "deberta", 128),
    ):
        make(tmp_path / name)
        scorer = load_nli(tiny.public_model(tmp_path / name), tmp_path / name, CPU)
        assert scorer.info.max_length == expected
        special = 4 if name == "roberta" else 3
        assert scorer.text_budget == expected - special
        words = "sky " * (scorer.text_budget - 1)
        assert scorer.predict([(words, "blue")]).shape[0] == 1
        with pytest.raises(InputError, match="Split the text"):
            scorer.predict([(words + "sky", "blue")])
    pinned = tiny.public_model(tmp_path / "deberta", window=40)
    assert load_nli(pinned, tmp_path / "deberta", CPU).info.max_length == 40
    # Many tokenizers of DeBERTa name no limit: then it is that of training.
    path = tmp_path / "deberta" / "tokenizer_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "model_max_length": int(1e30)}))
    tiny.edit_config(tmp_path / "deberta", max_position_embeddings=100)
    plain = tiny.public_model(tmp_path / "deberta")
    assert load_nli(plain, tmp_path / "deberta", CPU).info.max_length == 100


def test_a_relevance_model_gives_its_logit(tmp_path):
    model = tiny.deberta(tmp_path)
    given = tiny.public_model(tmp_path, ModelRole.RELEVANCE)
    scorer = load_relevance(given, tmp_path, CPU)
    assert scorer.labels == ("relevance",)
    assert scorer.predict(PAIRS) == pytest.approx(plain_logits(model, tmp_path), abs=1e-5)
    # Of two classes, the difference.
    model = tiny.bert(tmp_path / "two", ("not_relevant", "relevant"))
    scorer = load_relevance(
        tiny.public_model(tmp_path / "two", ModelRole.RELEVANCE), tmp_path / "two", CPU
    )
    expected = plain_logits(model, tmp_path / "two")
    assert scorer.predict(PAIRS) == pytest.approx(expected[:, [1]] - expected[:, [0]], abs=1e-5)


def test_a_shuffled_id2label_gives_the_same_entailment(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    tiny.bert(first, ("contradiction", "entailment", "neutral"))
    tiny.bert(second, ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"))
    # Row 1 of the head, entailment, becomes row 0, and so on.
    state = load_file(second / "model.safetensors")
    for name in ("classifier.weight", "classifier.bias"):
        state[name] = state[name][[1, 2, 0]].contiguous()
    save_file(state, second / "model.safetensors", metadata={"format": "pt"})
    found = []
    for folder in (first, second):
        scorer = load_nli(tiny.public_model(folder), folder, CPU)
        found.append(nli_probabilities(scorer.predict(PAIRS), scorer.labels))
    assert found[0] == pytest.approx(found[1], abs=1e-6)
    assert found[0].sum(axis=1) == pytest.approx(np.ones(len(PAIRS)))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["contradiction", "entailment", "neutral"], "CEN"),
        (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], "ECN"),
        (["entailment", "not_entailment"], "EX"),
        (["hallucinated", "consistent"], "XE"),
        (["unsupported", "supported"], "XE"),
        (["LABEL_0"], "E"),
    ],
)
def test_classes_are_read_from_their_names(names, expected):
    letters = {
        "C": NliClass.CONTRADICTION,
        "E": NliClass.ENTAILMENT,
        "N": NliClass.NEUTRAL,
        "X": NliClass.NOT_ENTAILED,
    }
    assert read_classes(names, "m") == tuple(letters[letter] for letter in expected)


def test_classes_without_a_meaning_are_asked_for():
    with pytest.raises(ModelError, match=r"LABEL_0, LABEL_1.*give its index"):
        read_classes(["LABEL_0", "LABEL_1"], "m")
    assert read_classes(["LABEL_0", "LABEL_1"], "m", 1) == ("not_entailed", "entailment")
    with pytest.raises(ModelError, match="has no class 2"):
        read_classes(["LABEL_0", "LABEL_1"], "m", 2)
    with pytest.raises(ModelError, match="calls it 'contradiction'"):
        read_classes(["contradiction", "entailment", "neutral"], "m", 0)
    with pytest.raises(ModelError, match="joy, anger"):
        read_classes(["joy", "anger"], "m")
    with pytest.raises(ModelError, match="4 classes"):
        read_classes(["a", "b", "c", "d"], "m")


def test_a_single_score_is_a_sigmoid_and_no_contradiction(tmp_path):
    model = tiny.deberta(tmp_path)
    scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert not scorer.info.tells_contradiction
    found = nli_probabilities(scorer.predict(PAIRS), scorer.labels)
    expected = 1 / (1 + np.exp(-plain_logits(model, tmp_path)[:, 0]))
    assert found[:, 0] == pytest.approx(expected, abs=1e-5)
    assert found[:, 1] == pytest.approx(1 - expected, abs=1e-5)


def test_the_activation_of_sentence_transformers_is_heeded(tmp_path):
    tiny.deberta(tmp_path)
    given = tiny.public_model(tmp_path)
    sigmoid = "torch.nn.modules.activation.Sigmoid"
    tiny.edit_config(tmp_path, sentence_transformers={"activation_fn": sigmoid})
    load_nli(given, tmp_path, CPU)
    # A single score with nothing on it is no probability.
    name = "torch.nn.modules.linear.Identity"
    tiny.edit_config(tmp_path, sentence_transformers={"activation_fn": name})
    with pytest.raises(ModelError, match="Identity"):
        load_nli(given, tmp_path, CPU)
    load_relevance(replace(given, role=ModelRole.RELEVANCE), tmp_path, CPU)
    tiny.edit_config(tmp_path, sentence_transformers={"activation_fn": "some.code.Trick"})
    with pytest.raises(ModelError, match="Trick"):
        load_relevance(replace(given, role=ModelRole.RELEVANCE), tmp_path, CPU)


def test_half_precision_files_are_computed_in_float32_on_a_cpu(tmp_path):
    model = tiny.bert(tmp_path)
    model.half().save_pretrained(tmp_path)
    scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert scorer.info.precision == "float32"
    expected = plain_logits(model.float(), tmp_path)
    assert scorer.predict(PAIRS) == pytest.approx(expected, abs=1e-5)


def test_minicheck_reads_both_texts_as_one(tmp_path):
    model = tiny.roberta(tmp_path, ("LABEL_0", "LABEL_1"))
    given = tiny.public_model(
        tmp_path, model_id="lytang/MiniCheck-tiny", window=64, entailment_label=1
    )
    scorer = load_nli(given, tmp_path, CPU)
    tokenizer = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    read = [tokenizer.encode(f"{a}</s>{b}").ids for a, b in PAIRS]
    with torch.no_grad():
        expected = torch.cat([model(input_ids=torch.tensor([ids])).logits for ids in read]).numpy()
    assert scorer.predict(PAIRS) == pytest.approx(expected, abs=1e-5)
    assert np.abs(plain_logits(model, tmp_path) - expected).max() > 1e-4


def test_minicheck_needs_a_token_between_its_texts(tmp_path):
    tiny.roberta(tmp_path, ("LABEL_0", "LABEL_1"))
    path = tmp_path / "tokenizer_config.json"
    named = json.loads(path.read_text())
    for name in ("eos_token", "sep_token"):
        del named[name]
    path.write_text(json.dumps(named))
    given = tiny.public_model(tmp_path, model_id="lytang/MiniCheck-tiny", entailment_label=1)
    with pytest.raises(ModelError, match=r"end of a text \(eos_token\)"):
        load_nli(given, tmp_path, CPU)


def hhem_model(folder: Path, model_id: str = "", window: int = 64):
    return tiny.public_model(
        folder, architecture=Architecture.HHEM_2, model_id=model_id, window=window
    )


def hhem_logits(model, folder: Path, pairs=PAIRS) -> np.ndarray:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    rows = []
    for a, b in pairs:
        prompt = (
            "<pad> Determine if the hypothesis is true given the premise?\n\n"
            f"Premise: {a}\n\nHypothesis: {b}"
        )
        ids = tokenizer.encode(prompt).ids
        assert ids[0] == 0
        with torch.no_grad():
            whole = model(torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)))
        rows.append(whole.logits[0, 0])
    return torch.stack(rows).numpy()


def test_hhem_without_its_code_scores_as_a_plain_forward_pass(tmp_path):
    model = tiny.hhem(tmp_path)
    scorer = load_nli(hhem_model(tmp_path), tmp_path, CPU)
    expected = hhem_logits(model, tmp_path)
    assert np.ptp(expected, axis=0).max() > 1e-2
    assert scorer.predict(PAIRS) == pytest.approx(expected, abs=1e-5)
    assert not scorer.info.tells_contradiction
    read = read_hhem(tmp_path)
    shared, tied = read.transformer.shared.weight, read.transformer.encoder.embed_tokens.weight
    assert shared.data_ptr() == tied.data_ptr()
    assert torch.equal(tied, model.transformer.shared.weight)
    for budget in (scorer.text_budget,):
        a = "sky " * (budget - 4)
        assert scorer.pair_tokens([(a, "is blue")])[0] <= scorer.info.max_length


def test_hhem_with_a_weight_missing_or_left_over_is_refused(tmp_path):
    tiny.hhem(tmp_path)
    path = tmp_path / "model.safetensors"
    state = load_file(path)
    left_over = {**state, "t5.extra.weight": torch.zeros(2)}
    save_file(left_over, path)
    with pytest.raises(ModelError, match=r"extra\.weight"):
        read_hhem(tmp_path)
    del state["t5.classifier.bias"]
    save_file(state, path)
    with pytest.raises(ModelError, match=r"classifier\.bias"):
        read_hhem(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"flan-t5-base|classifier"):
        load_nli(hhem_model(tmp_path), tmp_path, CPU)


def test_golden_scores_are_checked_once_and_kept(tmp_path, monkeypatch):
    model = tiny.hhem(tmp_path)
    logits = hhem_logits(model, tmp_path)
    right = 1 / (1 + np.exp(logits[:, 0] - logits[:, 1]))
    golden = [GoldenScore(*pair, float(score)) for pair, score in zip(PAIRS, right, strict=True)]
    named = hhem_model(tmp_path, model_id="vectara/hallucination_evaluation_model")
    key = (named.model_id, str(named.architecture))
    wrong = (*golden[1:], replace(golden[0], score=golden[0].score + 0.01))
    path = tmp_path / golden_scores.RESULT_FILE

    monkeypatch.setattr(golden_scores, "GOLDEN_SCORES", {key: wrong})
    with pytest.raises(ModelError, match="does not give the scores of its description"):
        load_nli(named, tmp_path, CPU)
    assert json.loads(path.read_text())["passed"] is False
    # A failure that is kept is no reason to trust it the next time.
    with pytest.raises(ModelError, match="description"):
        load_nli(named, tmp_path, CPU)

    monkeypatch.setattr(golden_scores, "GOLDEN_SCORES", {key: tuple(golden)})
    load_nli(named, tmp_path, CPU)
    kept = json.loads(path.read_text())
    assert kept["passed"] is True
    assert kept["found"] == pytest.approx(right.tolist(), abs=1e-5)
    before = path.stat().st_mtime_ns
    load_nli(named, tmp_path, CPU)
    assert path.stat().st_mtime_ns == before
    # Other weights are checked anew.
    state = load_file(tmp_path / "model.safetensors")
    state["t5.classifier.bias"] += torch.tensor([0.0, 3.0])
    save_file(state, tmp_path / "model.safetensors")
    with pytest.raises(ModelError, match="description"):
        load_nli(named, tmp_path, CPU)


def test_the_seven_golden_scores_of_hhem_are_kept():
    golden = GOLDEN_SCORES["vectara/hallucination_evaluation_model", "hhem-2"]
    scores = [each.score for each in golden]
    assert scores == [0.0111, 0.6474, 0.1290, 0.8969, 0.1846, 0.0050, 0.0543]


def test_a_damaged_file_of_hhem_is_refused(tmp_path):
    tiny.hhem(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match=r"tokenizer\.json cannot be loaded"):
        load_nli(hhem_model(tmp_path), tmp_path, CPU)
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelError, match=r"model\.safetensors cannot be loaded"):
        read_hhem(tmp_path)


def test_the_sha256_is_of_the_file_that_is_read(tmp_path):
    tiny.bert(tmp_path)
    index = {"weight_map": {"a": "model-00001-of-00001.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    (tmp_path / "model-00001-of-00001.safetensors").write_bytes(b"not read")
    scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert scorer.info.sha256 == weights_sha256([tmp_path / "model.safetensors"])
    tiny.edit_config(tmp_path, transformers_weights="other.safetensors")
    with pytest.raises(ModelError, match="transformers_weights"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)


def test_another_class_for_supported_is_another_measurement(tmp_path):
    tiny.bert(tmp_path, ("LABEL_0", "LABEL_1"))
    digests = set()
    for label in (0, 1):
        given = tiny.public_model(tmp_path, entailment_label=label)
        info = load_nli(given, tmp_path, CPU).info
        digests.add(measurement_digest("", "a", ["b"], Parameters(), [info]))
    assert len(digests) == 2


def test_a_model_too_large_for_the_device_is_refused(tmp_path, monkeypatch):
    tiny.bert(tmp_path)

    def full(*_given, **_named):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.")

    monkeypatch.setattr(torch.nn.Module, "to", full)
    with pytest.raises(ModelError, match="does not fit the memory of cpu"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"id2label": ["a", "b"]}, "cannot be loaded"),
        ({"max_position_embeddings": "512"}, "cannot be loaded"),
        ({"architectures": "BertModel"}, "holds BertModel, and"),
    ],
)
def test_a_damaged_config_is_a_message(tmp_path, changes, said):
    tiny.bert(tmp_path, **changes)
    with pytest.raises(ModelError, match=said):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)


def test_a_pickle_is_refused_with_the_reason(tmp_path):
    tiny.bert(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"pytorch_model\.bin, a pickle.*any program"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    (tmp_path / "pytorch_model.bin").unlink()
    with pytest.raises(ModelError, match=r"lacks model\.safetensors"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)


def test_code_in_the_folder_is_not_run(tmp_path):
    tiny.bert(tmp_path)
    ran = tmp_path / "ran"
    (tmp_path / "configuration_own.py").write_text(f"open({str(ran)!r}, 'w').close()\n")
    tiny.edit_config(
        tmp_path,
        model_type="own",
        auto_map={"AutoConfig": "configuration_own.OwnConfig"},
    )
    with pytest.raises(ModelError, match="never run here"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert not ran.exists()


def test_weights_that_do_not_fit_are_refused(tmp_path):
    tiny.bert(tmp_path)
    path = tmp_path / "model.safetensors"
    state = load_file(path)
    del state["classifier.weight"]
    save_file(state, path, metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"classifier\.weight"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    path.write_bytes(b"no weights")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    tiny.edit_config(tmp_path, architectures=["BertForMaskedLM"])
    with pytest.raises(ModelError, match="ForSequenceClassification is needed"):
        load_nli(tiny.public_model(tmp_path), tmp_path, CPU)


def test_out_of_memory_halves_the_batch_and_goes_on(tmp_path, monkeypatch):
    model = tiny.bert(tmp_path)
    scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    # Different ones, since equal pairs are run once.
    pairs = [(f"{first} {word}", second) for word in ("a", "b", "c") for first, second in PAIRS]
    expected = plain_logits(model, tmp_path, pairs)
    run = scorer._logits
    sizes = []

    def small(inputs):
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > 3:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.")
        return run(inputs)

    monkeypatch.setattr(scorer, "_logits", small)
    assert scorer.predict(pairs) == pytest.approx(expected, abs=1e-5)
    assert sizes[:3] == [12, 6, 3]

    def none(inputs):
        raise RuntimeError("MPS backend out of memory")

    monkeypatch.setattr(scorer, "_logits", none)
    with pytest.raises(ModelError, match="does not fit the memory"):
        scorer.predict(pairs)

    def broken(inputs):
        raise RuntimeError("shapes differ")

    monkeypatch.setattr(scorer, "_logits", broken)
    with pytest.raises(RuntimeError, match="shapes differ"):
        scorer.predict(pairs)


def test_the_device_is_chosen_and_a_missing_one_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert choose_device().kind is DeviceKind.CPU
    assert choose_device().precision is Precision.FLOAT32
    monkeypatch.setenv("PROVENANCE_DEVICE", "cuda")
    with pytest.raises(ModelError, match="no device 'cuda'"):
        choose_device()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "Some GPU")
    for has_it, precision in ((True, "bfloat16"), (False, "float32")):
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_given: has_it)  # noqa: B023
        found = choose_device()
        assert (str(found), found.precision) == ("cuda (Some GPU)", precision)


def span_model(folder: Path, window: int = 0):
    return tiny.public_model(folder, ModelRole.SPANS, Architecture.TOKEN_CLASSIFIER, window=window)


def test_a_token_classifier_marks_as_a_plain_forward_pass(tmp_path):
    model = tiny.modern_bert(tmp_path)
    scorer = load_spans(span_model(tmp_path), tmp_path, CPU)
    tokenizer = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    found = scorer.unsupported_tokens(PAIRS)
    for (a, b), tokens in zip(PAIRS, found, strict=True):
        encoded = tokenizer.encode(a, b)
        with torch.no_grad():
            probabilities = model(input_ids=torch.tensor([encoded.ids])).logits.softmax(-1)[0, :, 1]
        expected = [
            float(p)
            for p, part in zip(probabilities, encoded.sequence_ids, strict=True)
            if part == 1
        ]
        assert [token.probability for token in tokens] == pytest.approx(expected, abs=1e-5)
        assert [b[token.start : token.end] for token in tokens] == b.split()


@pytest.fixture
def embedded(provenance):
    return provenance


def test_the_spans_detector_reads_a_span_model(tmp_path, embedded):
    tiny.modern_bert(tmp_path)
    scorer = load_spans(span_model(tmp_path, window=400), tmp_path, CPU)
    models = Provenance(embedded.relevance, embedded.nli, "lettucedetect", scorer)
    answer = "The sky is red. Grass is green."
    parameters = Parameters(detector="spans", threshold=0.5)
    audit = models.audit(
        query="",
        answer=answer,
        context=["the sky is blue .", "grass is green ."],
        parameters=parameters,
    )
    evidence = audit.evidence
    assert evidence.span_model == scorer.info
    prompt = (
        "Summarize the following text:\npassage 1: the sky is blue .\n"
        "passage 2: grass is green .\noutput:"
    )
    (expected,) = scorer.unsupported_tokens([(prompt, answer)])
    assert [(s.start, s.end, s.unsupported) for s in evidence.spans] == [
        (t.start, t.end, pytest.approx(t.probability, abs=1e-6)) for t in expected
    ]
    assert audit.score == pytest.approx(1 - max(t.probability for t in expected), abs=1e-6)
    # Tokens in a row over one half are one span.
    runs, before = 0, False
    for token in expected:
        over = token.probability > 0.5
        runs += over and not before
        before = over
    assert len(audit.spans) == runs
    assert evidence.pair_tokens.spans == tuple(scorer.pair_tokens([(prompt, answer)]))
    assert audit_from_json(audit_to_json(audit)) == audit


def test_a_long_context_is_windowed_for_the_span_model_and_the_answer_is_not(tmp_path, embedded):
    tiny.modern_bert(tmp_path)
    scorer = load_spans(span_model(tmp_path, window=400), tmp_path, CPU)
    models = Provenance(embedded.relevance, embedded.nli, "lettucedetect", scorer)
    context = ["grass is green . " * 100, "the sky is blue ."]
    audit = models.audit(
        query="",
        answer="The sky is blue.",
        context=context,
        parameters=Parameters(detector="spans", threshold=0.5),
    )
    lengths = audit.evidence.pair_tokens.spans
    assert len(lengths) > 1
    assert max(lengths) <= 400
    (cut,) = [c for c in audit.evidence.cuts if c.limit > 150]
    assert (cut.kind, cut.index, cut.tokens) == (CutKind.CONTEXT_ITEM, 0, 400)
    assert "".join(audit.evidence.answer[s.start : s.end] for s in audit.evidence.spans) == (
        "Theskyisblue."
    )


def test_methods_that_count_contradictions_say_why_they_cannot(tmp_path, embedded):
    tiny.deberta(tmp_path)
    nli = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    models = Provenance(embedded.relevance, nli, "custom")
    given = {"query": "", "answer": "The sky is blue.", "context": ["the sky is blue ."]}
    for name in ("nli-matrix", "selfcheck"):
        with pytest.raises(ModelError, match=r"counts contradictions.*measures none"):
            models.audit(**given, parameters=Parameters(detector=name))
    with pytest.raises(ModelError, match="no span head"):
        models.audit(**given, parameters=Parameters(detector="spans"))
    for name in ("two-stage", "summac", "grounded-in-context"):
        assert DETECTORS[name].unfit(models) == ""
    # evaluate --method all goes on without them.
    asked = ("two-stage", "nli-matrix", "spans", "summac")
    fitting = _usable(asked, lambda name: DETECTORS[name].unfit(models))
    assert fitting == ("two-stage", "summac")
    audit = models.audit(**given, parameters=Parameters())
    assert [n.code for n in audit.evidence.notices].count("no_contradiction") == 1
    assert not any(sentence.label == "contradicted" for sentence in audit.sentences)
    assert audit_from_json(audit_to_json(audit)) == audit


def test_two_tokenizers_are_both_heeded(tmp_path, embedded):
    """No pair is over either window, though the models count tokens otherwise."""
    tiny.deberta(tmp_path)
    nli = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    models = Provenance(embedded.relevance, nli, "custom")
    # One token to the NLI model, which knows none of these words, and several to the other.
    context = ["Electroencephalographically uncharacteristic phenomena. " * 40]
    audit = models.audit(
        query="Which phenomena are uncharacteristic?",
        answer="The sky is blue.",
        context=context,
        parameters=Parameters(chunk_tokens=120),
    )
    tokens = audit.evidence.pair_tokens
    assert max(tokens.relevance) <= embedded.relevance.info.max_length
    assert max(map(max, tokens.claims)) <= nli.info.max_length
    assert len(audit.evidence.chunks) > 1


def test_every_pair_and_every_cut_is_in_the_audit(embedded):
    context = ["The sky is blue. " * 60, "word " * 300]
    audit = embedded.audit(
        query="What colour is the sky?", answer="The sky is blue.", context=context
    )
    evidence = audit.evidence
    tokens = evidence.pair_tokens
    pairs = [[(chunk.text, c.text) for chunk in evidence.chunks] for c in evidence.claims]
    assert [list(row) for row in tokens.claims] == [embedded.nli.pair_tokens(row) for row in pairs]
    assert list(tokens.relevance) == embedded.relevance.pair_tokens(
        [(evidence.query, chunk.text) for chunk in evidence.chunks]
    )
    assert len(tokens.evidence_sentences) == len(evidence.evidence_sentences)
    assert evidence.tokens.longest_pair == max(
        *map(max, tokens.claims), *map(max, tokens.sentences)
    )
    kinds = [(cut.kind, cut.index, cut.parts) for cut in evidence.cuts]
    of = [sum(chunk.item == index for chunk in evidence.chunks) for index in (0, 1)]
    assert kinds == [
        (CutKind.CONTEXT_ITEM, 0, of[0]),
        (CutKind.CONTEXT_ITEM, 1, of[1]),
        (CutKind.CONTEXT_SENTENCE, 1, of[1]),
    ]
    assert "context_sentence_cut" in {notice.code for notice in evidence.notices}


def test_audits_of_before_pair_tokens_can_be_read(embedded):
    audit = embedded.audit(query="", answer="The sky is blue.", context=["The sky is blue."])
    raw = json.loads(audit_to_json(audit))
    for name in ("pair_tokens", "cuts", "span_model"):
        del raw["evidence"][name]
    for name in ("device", "precision", "tells_contradiction"):
        del raw["evidence"]["nli_model"][name]
    old = audit_from_json(json.dumps(raw))
    assert old.score == audit.score
    assert old.evidence.pair_tokens is None


def test_a_profile_of_folders_loads_and_audits(tmp_path):
    tiny.bert(tmp_path / "own-nli")
    tiny.deberta(tmp_path / "own-relevance")
    profile = custom_profile(str(tmp_path / "own-nli"), str(tmp_path / "own-relevance"))
    models = Provenance.load(profile)
    assert not models.reads_english_only
    audit = models.audit(
        query="what is blue ?",
        answer="the sky is blue .",
        context=["the sky is blue ."],
        parameters=Parameters(),
    )
    evidence = audit.evidence
    # The name, not the path of this machine.
    assert (evidence.nli_model.model_id, evidence.nli_model.task) == ("own-nli", "nli")
    assert evidence.relevance_model.model_id == "own-relevance"
    assert evidence.profile == profile.name
    expected = models.entailment([("the sky is blue .", evidence.claims[0].text)])[0]
    assert evidence.claim_scores.cell(0, 0) == expected


def test_hhem_in_a_folder_is_known_by_its_config(tmp_path):
    model = tiny.hhem(tmp_path)
    scorer = load_nli(tiny.public_model(tmp_path), tmp_path, CPU)
    assert scorer.predict(PAIRS) == pytest.approx(hhem_logits(model, tmp_path), abs=1e-5)
    assert scorer.info.max_length == 2048
