"""Fitted profiles in the database and in a file: by their name, and never another map under it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from provenance_core import Provenance, default_parameters
from provenance_core.errors import InputError, ModelError
from provenance_core.models.catalogue.profiles import get_profile, is_profile_name, profile_names
from provenance_core.statistics.own_fit.types import MapFit
from provenance_core.types import SupportMap, SupportTerm, SupportWeight
from storage import AuditStore, FitEvidence, FitNotFound, FittedProfileStore, StorageError
from tests.hand_fit import hand_fit

TITLE = "support <desk>"


@pytest.fixture
def store(url) -> FittedProfileStore:
    return FittedProfileStore.open(url)


def made_fit(threshold: float = 0.61) -> MapFit:
    return hand_fit(threshold, 0.5)


def kept(store: FittedProfileStore, threshold: float = 0.61) -> str:
    fit = made_fit(threshold)
    return store.save(f" {TITLE} ", fit, FitEvidence.of(fit, "all", "data set"), "Ann")


def test_a_kept_fit_is_a_profile_with_every_figure(store):
    name = kept(store)
    (found,) = store.listed()
    assert (found.fitted.title, found.fitted.name, found.created_by) == (TITLE, name, "Ann")
    assert found == store.get(name)
    assert found.evidence.comparisons == made_fit().comparisons
    assert is_profile_name(name) and name in profile_names()
    profile = get_profile(name)
    assert profile.nli == get_profile("embedded").nli and profile.fitted == found.fitted
    assert default_parameters(name).threshold == 0.61


def test_an_audit_names_its_map_and_a_fit_changes_no_audit_before_it(store, url, provenance):
    audits = AuditStore.open(url)
    texts = {"answer": "It opened in 1932.", "context": ["The bridge was opened in 1932."]}
    number = audits.save(provenance.audit(**texts))
    before = audits.load(number).audit
    name = kept(store)
    fitted = audits.load(audits.save(Provenance.load(name).audit(**texts))).audit
    assert audits.load(number).audit == before
    assert fitted.evidence.profile == name
    assert fitted.evidence.nli_model.support == made_fit().support
    assert fitted.parameters.threshold == 0.61
    store.delete(name)
    assert audits.load(number).audit == before
    with pytest.raises(ModelError, match="deleted"):
        Provenance.load(name)


def test_the_same_fit_is_kept_once_and_another_has_another_name(store):
    name = kept(store)
    with pytest.raises(StorageError, match="kept already"):
        kept(store)
    assert kept(store, 0.62) != name


def test_what_cannot_be_kept_says_why(store):
    fit = made_fit()
    evidence = FitEvidence.of(fit, "", "")
    with pytest.raises(StorageError, match="no name"):
        store.save(" ", fit, evidence)
    with pytest.raises(StorageError, match="the most is 80"):
        store.save("x" * 81, fit, evidence)
    with pytest.raises(FitNotFound):
        store.delete("fit-00000000")


def test_a_file_brings_the_same_profile_to_another_database(store, tmp_path):
    name = kept(store)
    text = store.export(name)
    other = FittedProfileStore.open(f"sqlite:///{tmp_path / 'other.db'}")
    assert other.import_text(text) == name
    assert other.get(name) == store.get(name)


def test_a_file_of_before_kinds_were_counted_can_be_imported(store, tmp_path):
    name = kept(store)
    raw = json.loads(store.export(name))
    assert [each["n"] for each in raw["evidence"].pop("kinds")] == [62, 8, 0]
    other = FittedProfileStore.open(f"sqlite:///{tmp_path / 'other.db'}")
    assert other.import_text(json.dumps(raw)) == name
    assert other.get(name).evidence.kinds == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "x"}, "holds no fitted profile"),
        ({"fitted.threshold": 0.7}, "was changed after it was written"),
        ({"evidence.labels": "x"}, "unknown field, evidence.labels"),
        ({"fitted.threshold": 1.5}, r"must be in \[0, 1\]"),
        ({"fitted.support.intercept": "0"}, "float expected"),
        ({"evidence": None}, "an object was expected"),
        ({"fitted.base": "nowhere"}, "no profile 'nowhere'"),
        ({"fitted.base": "paper"}, "no support map"),
        ({"fitted.weights": ["0"]}, "other weights"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(store, change, said):
    raw = json.loads(store.export(kept(store)))
    for place, value in change.items():
        *path, last = place.split(".")
        inner = raw
        for key in path:
            inner = inner[key]
        inner[last] = value
    if "was changed" not in said and "fitted" in raw and isinstance(raw["fitted"], dict):
        raw["name"] = _name_of(raw)
    with pytest.raises(InputError, match=said):
        store.import_text(json.dumps(raw))


def _name_of(raw) -> str:
    """The name that fits what the file was changed to, as a person with bad intent would write."""
    from provenance_core.audit.serialization import from_plain
    from provenance_core.models.catalogue.fitted_maps import FittedMap

    try:
        return from_plain(FittedMap, raw["fitted"]).name
    except InputError:
        return raw["name"]


def test_a_weight_below_zero_or_of_what_is_not_measured_is_refused(store):
    raw = json.loads(store.export(kept(store)))
    raw["fitted"]["support"]["weights"][0]["weight"] = -1.0
    with pytest.raises(InputError, match="0 or more"):
        store.import_text(json.dumps(raw))
    fit = made_fit()
    second = SupportMap(0.0, (SupportWeight(SupportTerm.SECOND_ENTAILMENT, 1.0),))
    name = store.save("b", replace(fit, support=second), FitEvidence.of(fit, "", ""))
    with pytest.raises(InputError, match="does not measure: second_entailment"):
        store.import_text(store.export(name))


def test_text_that_is_not_json_names_the_place(store):
    with pytest.raises(InputError, match="line 2, column 2: a key must stand here"):
        store.import_text("{\n nothing")
