"""The table of profiles, and those of a person's own models."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from provenance_core import ModelError, Provenance, default_parameters
from provenance_core.models.catalogue.profiles import (
    PROFILES,
    PUBLIC_THRESHOLD,
    ModelRole,
    custom_profile,
    get_profile,
    is_profile_name,
    keep_custom_profile,
    model_reference,
    profile_names,
)

ROOT = Path(__file__).parents[3]


def test_profiles_that_are_kept_at_the_same_time_are_all_kept(folder, url):
    names = [f"owner/model-{number}" for number in range(24)]
    with ThreadPoolExecutor(8) as threads:
        kept = list(threads.map(keep_custom_profile, names))
    assert {each.name for each in kept} <= set(profile_names())


def test_a_model_of_the_table_keeps_its_entailment_label():
    known = PROFILES["minicheck"].nli
    assert custom_profile(known.reference).nli == known
    assert custom_profile(known.reference, None, 0).nli.entailment_label == 0


def test_a_custom_profile_that_is_not_kept_has_the_threshold_of_public_models():
    assert default_parameters(custom_profile("owner/nli").name).threshold == PUBLIC_THRESHOLD


@pytest.mark.parametrize("name", ["", "model", "a b/c", "a/b/c", "a--b/c", "a/b@", "a/b@../c", "@"])
def test_what_can_be_no_name_is_refused(name):
    with pytest.raises(ModelError, match="no name of a model"):
        model_reference(name)


def test_the_table_of_profiles_is_whole():
    for name, profile in PROFILES.items():
        assert profile.name == name
        assert profile.good_for.endswith(".")
        assert profile.relevance.role is ModelRole.RELEVANCE
        assert profile.nli.role is ModelRole.NLI
        for model in profile.public_models:
            assert model_reference(model.reference) == model.reference
            assert model.megabytes > 0
            assert model.window >= 256
            assert model.licence
    assert PROFILES["embedded"].public_models == ()


def test_a_custom_profile_is_known_by_a_name_that_its_models_make(folder):
    made = keep_custom_profile("owner/nli", "owner/rank@v1", 1)
    assert get_profile(made.name) == made
    assert made.nli.entailment_label == 1
    assert made.nli.reference == "owner/nli@main"
    assert made.relevance.reference == "owner/rank@v1"
    assert made.name == custom_profile("owner/nli@main", "owner/rank@v1", 1).name
    assert made.name != custom_profile("owner/nli", None, 1).name
    assert is_profile_name(made.name)
    with pytest.raises(ModelError, match="Make it again"):
        get_profile(custom_profile("owner/nli").name)
    known = PROFILES["hhem-2.1"].nli
    assert custom_profile(known.reference).nli == known


def test_a_profile_that_is_not_downloaded_says_how_to_get_it(folder):
    with pytest.raises(ModelError, match=r"models get paper"):
        Provenance.load("paper")


def test_the_embedded_profile_needs_no_folder_network_or_hub_library(tmp_path):
    code = (
        "import sys, provenance_core; provenance_core.Provenance.load();"
        "print([m for m in ('torch', 'transformers', 'huggingface_hub', 'httpx2', 'filelock')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
        env={"PROVENANCE_MODELS": "/proc/none/of/this", "PROVENANCE_OFFLINE": "1", "PATH": ""},
    )  # fmt: skip
    assert done.stdout.strip() == "[]"
