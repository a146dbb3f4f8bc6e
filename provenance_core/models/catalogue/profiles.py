"""Profiles, which name the models of an audit.

``PROFILES`` is the one table of them; the app, the command line and the documents read it. It pins
each model to a commit. Where a person names a branch, the first download keeps the commit that it
found, and later downloads and checks use the same one (:mod:`provenance_core.models.hub.cache`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.custom_profiles import (
    CUSTOM,
    CustomModels,
    all_kept_models,
    is_custom_name,
    keep_models,
    kept_models,
)
from provenance_core.models.catalogue.fitted_maps import (
    FittedMap,
    all_fitted_maps,
    fitted_map,
    is_fitted_name,
)
from provenance_core.models.checkpoints.files import VOCABULARY_FILES, WEIGHT_FILES
from provenance_core.models.onnx_models.cross_encoder import Manifest, read_manifest
from provenance_core.models.settings import PROFILE
from provenance_core.types import SupportMap

# The files to download: configuration, tokenizer, and weights that hold no code.
MODEL_FILES = (
    "config.json",
    "config_sentence_transformers.json",
    *WEIGHT_FILES,
    *VOCABULARY_FILES,
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "merges.txt",
)
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
# For public models: we measured no other on held-out data, and their model cards use it.
PUBLIC_THRESHOLD = 0.5
DEFAULT_REVISION = "main"
_COMMIT = re.compile("[0-9a-f]{40}")
# The names that a hub allows for a repository, and git for a branch.
_NAME = re.compile(r"(?!.*(?:--|\.\.))\w[\w.-]*/\w[\w.-]*", re.ASCII)
_REVISION = re.compile(r"(?!.*\.\.)\w[\w./-]*", re.ASCII)


def short_revision(revision: str) -> str:
    """The first seven digits of a commit; a branch or tag as it is.

    >>> short_revision("8e4a2e6e96c708cc76c2344f7e4757df2515292c")
    '8e4a2e6'
    >>> short_revision("main")
    'main'
    """
    return revision[:7] if is_commit(revision) else revision


def is_commit(revision: str) -> bool:
    """Whether a revision is a commit's full name, 40 hexadecimal digits."""
    return bool(_COMMIT.fullmatch(revision))


class ModelRole(StrEnum):
    RELEVANCE = "relevance"
    NLI = "nli"
    SPANS = "spans"


class Architecture(StrEnum):
    """How a model's folder is read."""

    EMBEDDED = "embedded"  # ONNX, shipped with this repository
    SEQUENCE_CLASSIFIER = "sequence-classifier"
    HHEM_2 = "hhem-2"  # T5ForTokenClassification under HHEM's key names and prompt
    TOKEN_CLASSIFIER = "token-classifier"


@dataclass(frozen=True, slots=True)
class TokenizerSource:
    """The repository that a model without a tokenizer takes one from."""

    model_id: str
    revision: str
    files: tuple[str, ...] = TOKENIZER_FILES


@dataclass(frozen=True, slots=True)
class PublicModel:
    """A model: where it is, how it is read, and what a reader wants to know before downloading it.

    ``model_id``: "owner/name" at the hub, or the absolute path of a folder. ``revision``: a commit,
    branch or tag; "" for a folder. ``megabytes``: size of the download in 10^6 bytes, 0 where it is
    not known. ``window``: most tokens of a pair, 0 where only the model's files tell.
    ``entailment_label``: index of the class that means "supported", where config.json does not
    tell. ``files``: patterns of the files to download. ``tokenizer``: where the tokenizer's files
    come from, if not from the model."""

    model_id: str
    revision: str
    role: ModelRole
    architecture: Architecture
    megabytes: int
    licence: str
    window: int
    entailment_label: int | None = None
    files: tuple[str, ...] = MODEL_FILES
    tokenizer: TokenizerSource | None = None

    @property
    def reference(self) -> str:
        """Its name on the command line: NAME@REVISION, or the folder."""
        return f"{self.model_id}@{self.revision}" if self.revision else self.model_id

    @property
    def name_and_revision(self) -> str:
        """Its name for a reader, with the first digits of a commit."""
        if not self.revision:
            return self.model_id
        return f"{self.model_id} ({short_revision(self.revision)})"

    @property
    def is_embedded(self) -> bool:
        """Whether it is shipped with this repository."""
        return self.architecture is Architecture.EMBEDDED

    @property
    def given_folder(self) -> Path | None:
        """The folder that a person named; None for a model of the hub."""
        path = Path(self.model_id)
        return path if path.is_absolute() else None


@dataclass(frozen=True, slots=True)
class Profile:
    """The models of an audit, and what they are good for in a sentence or two. ``second``: an NLI
    model that reads again what can change a verdict, where there is one. ``fitted``: the map and
    the threshold that somebody fitted to labels, in the place of the models' own."""

    name: str
    relevance: PublicModel
    nli: PublicModel
    spans: PublicModel | None
    good_for: str
    second: PublicModel | None = None
    fitted: FittedMap | None = None

    @property
    def models(self) -> tuple[PublicModel, ...]:
        """All models of the profile, each once."""
        return (self.relevance, self.nli, *filter(None, (self.second, self.spans)))

    @property
    def public_models(self) -> tuple[PublicModel, ...]:
        """The models that do not ship with this repository."""
        return tuple(model for model in self.models if not model.is_embedded)


def _embedded(model_id: str, role: ModelRole, window: int) -> PublicModel:
    return PublicModel(model_id, "", role, Architecture.EMBEDDED, 0, "Apache-2.0", window)


EMBEDDED_RELEVANCE = _embedded("provenance-relevance", ModelRole.RELEVANCE, 256)
EMBEDDED_NLI = _embedded("provenance-nli", ModelRole.NLI, 256)
EMBEDDED_NLI_LARGE = _embedded("provenance-nli-large", ModelRole.NLI, 384)
# Where the embedded models are, in provenance_core/models.
_EMBEDDED_FOLDERS = {
    EMBEDDED_RELEVANCE: "relevance",
    EMBEDDED_NLI: "nli",
    EMBEDDED_NLI_LARGE: "nli_large",
}


def _nli(
    model_id: str,
    revision: str,
    megabytes: int,
    window: int,
    licence: str = "Apache-2.0",
    architecture: Architecture = Architecture.SEQUENCE_CLASSIFIER,
    **more: Any,
) -> PublicModel:
    """An NLI model of the hub. ``more``: fields that few of them have."""
    role = ModelRole.NLI
    return PublicModel(model_id, revision, role, architecture, megabytes, licence, window, **more)


_ALL = (
    Profile(
        "embedded",
        EMBEDDED_RELEVANCE,
        EMBEDDED_NLI,
        None,
        "Two 22M-parameter cross-encoders shipped with this repository. Quick on a CPU; needs no "
        "network and no download.",
    ),
    Profile(
        "cascade",
        EMBEDDED_RELEVANCE,
        EMBEDDED_NLI,
        None,
        "The embedded models read everything, and a model of 109M parameters, shipped too, reads "
        "again what can change a verdict. Needs no network and no download.",
        EMBEDDED_NLI_LARGE,
    ),
    Profile(
        "embedded-large",
        EMBEDDED_RELEVANCE,
        EMBEDDED_NLI_LARGE,
        None,
        "The model of 109M parameters reads every pair. Several times slower than the cascade; "
        "needs no network and no download.",
    ),
    Profile(
        "paper",
        PublicModel(
            "mixedbread-ai/mxbai-rerank-base-v1",
            "800f24c113213a187e65bde9db00c15a2bb12738",
            ModelRole.RELEVANCE,
            Architecture.SEQUENCE_CLASSIFIER,
            megabytes=380,
            licence="Apache-2.0",
            window=512,
        ),
        _nli(
            "vectara/hallucination_evaluation_model",
            "58383384656cbaec2949a75a41f20e891e90a73b",
            megabytes=750,
            window=512,
        ),
        None,
        "The two models of the Provenance paper, to repeat its figures. HHEM-1.0 gives one score, "
        "support, and tells no contradiction from what is not found.",
    ),
    Profile(
        "hhem-2.1",
        EMBEDDED_RELEVANCE,
        _nli(
            "vectara/hallucination_evaluation_model",
            "8e4a2e6e96c708cc76c2344f7e4757df2515292c",
            megabytes=441,
            window=2048,
            architecture=Architecture.HHEM_2,
            tokenizer=TokenizerSource(
                "google/flan-t5-base", "7bcac572ce56db69c1ea7c8af255c5d7c9672fc2"
            ),
        ),
        None,
        "HHEM-2.1-Open: a longer window than HHEM-1.0. It was trained on RAGTruth, so its figures "
        "there are not zero-shot.",
    ),
    Profile(
        "nli-deberta",
        EMBEDDED_RELEVANCE,
        _nli(
            "cross-encoder/nli-deberta-v3-base",
            "6c749ce3425cd33b46d187e45b92bbf96ee12ec7",
            megabytes=750,
            window=512,
        ),
        None,
        "A general NLI model trained on SNLI and MultiNLI, with entailment, neutral and "
        "contradiction apart.",
    ),
    Profile(
        "vitaminc",
        EMBEDDED_RELEVANCE,
        _nli(
            "tals/albert-xlarge-vitaminc-mnli",
            "3082ba54344bd9ddada2be1c5e9b4131721d2a5d",
            megabytes=240,
            window=512,
            licence="not stated",
        ),
        None,
        "Trained on pairs of Wikipedia sentences that differ in one fact; the NLI model of SummaC. "
        "A small download, but slow: the layers share their weights.",
    ),
    Profile(
        "minicheck",
        EMBEDDED_RELEVANCE,
        _nli(
            "lytang/MiniCheck-DeBERTa-v3-Large",
            "2f2d01a54fa022a7ffadb76260e1ea8bc88c82bb",
            megabytes=1750,
            window=2048,
            licence="MIT",
            entailment_label=1,
        ),
        None,
        "MiniCheck: trained to check one sentence against a long document. Best with a GPU.",
    ),
    Profile(
        "lettucedetect",
        EMBEDDED_RELEVANCE,
        EMBEDDED_NLI,
        PublicModel(
            "KRLabsOrg/lettucedect-base-modernbert-en-v1",
            "bbd77832f52f9bd87546a3924c032467921f5c34",
            ModelRole.SPANS,
            Architecture.TOKEN_CLASSIFIER,
            megabytes=602,
            licence="MIT",
            window=4096,
        ),
        "The embedded models, and LettuceDetect for the spans detector. It was trained on "
        "RAGTruth, so its figures there are not zero-shot.",
    ),
)
PROFILES: Mapping[str, Profile] = MappingProxyType({each.name: each for each in _ALL})


def custom_profile(
    nli: str, relevance: str | None = None, entailment_label: int | None = None
) -> Profile:
    """Make a profile of models that a person names, without keeping it. A name is OWNER/NAME,
    OWNER/NAME@REVISION, or a folder that begins with / or ./. The same models always make the same
    name of a profile. Raises ModelError where a text cannot name a model."""
    given = _custom_models(nli, relevance, entailment_label)
    known = public_model(given.nli, ModelRole.NLI)
    return Profile(
        given.name,
        public_model(given.relevance, ModelRole.RELEVANCE)
        if given.relevance
        else EMBEDDED_RELEVANCE,
        known if entailment_label is None else replace(known, entailment_label=entailment_label),
        None,
        "Models of your own choice. Its threshold is no more than a start: set one on the "
        "Thresholds page.",
    )


def keep_custom_profile(
    nli: str, relevance: str | None = None, entailment_label: int | None = None
) -> Profile:
    """Make a :func:`custom_profile` and keep it, so that :func:`get_profile` finds it by name.
    Raises ModelError where a text cannot name a model, or the list of custom profiles cannot be
    written."""
    keep_models(_custom_models(nli, relevance, entailment_label))
    return custom_profile(nli, relevance, entailment_label)


def _custom_models(nli: str, relevance: str | None, entailment_label: int | None) -> CustomModels:
    return CustomModels(
        model_reference(nli), model_reference(relevance) if relevance else "", entailment_label
    )


def model_reference(given: str) -> str:
    """Write the name of a model in full, with the branch main where none is given, or a folder's
    absolute path. Raises ModelError where the text is neither a name nor a folder that can be
    found.

    >>> model_reference("owner/name")
    'owner/name@main'
    """
    text = given.strip()
    if is_folder(text):
        try:
            return str(Path(text).expanduser().resolve())
        except (OSError, RuntimeError, ValueError) as error:
            raise ModelError(f"The folder {text} cannot be found ({error}).") from None
    name, at, revision = text.partition("@")
    if not _NAME.fullmatch(name) or (at and not _REVISION.fullmatch(revision)):
        raise ModelError(
            f"{text!r} is no name of a model. A name is OWNER/NAME or OWNER/NAME@REVISION, as on "
            "the hub's page of the model; a folder is given with a / or ./ in front."
        )
    return f"{name}@{revision or DEFAULT_REVISION}"


def is_folder(given: str) -> bool:
    """Whether a text means a folder, not a name at the hub: it begins with /, . or ~, or holds a
    backslash.

    >>> is_folder("./my-model"), is_folder("owner/name")
    (True, False)
    """
    return given.startswith(("/", ".", "~")) or "\\" in given or Path(given).is_absolute()


def public_model(reference: str, role: ModelRole) -> PublicModel:
    """Find the model of the table that a name means, or make one of which only the name is known.
    One that is not in the table is read as a sequence classifier. Raises ModelError where the text
    is neither a name nor a folder that can be found."""
    reference = model_reference(reference)
    for profile in _ALL:
        for model in profile.public_models:
            if (model.reference, model.role) == (reference, role):
                return model
    model_id, _, revision = reference.partition("@")
    if Path(reference).is_absolute():
        model_id, revision = reference, ""
    return PublicModel(
        model_id,
        revision,
        role,
        Architecture.SEQUENCE_CLASSIFIER,
        0,
        "",
        0,
        tokenizer=_tokenizers().get(model_id),
    )


def _tokenizers() -> dict[str, TokenizerSource]:
    """The tokenizers of models in the table that have none of their own, by model. Other revisions
    of such a model use the same one."""
    models = [model for profile in _ALL for model in profile.public_models]
    return {model.model_id: model.tokenizer for model in models if model.tokenizer}


def default_profile() -> str:
    """The profile that is used where none is chosen; it may not exist."""
    return PROFILE.value(os.environ)


def get_profile(name: str) -> Profile:
    """Find a profile: in the table, among a person's own, or among those fitted to labels. One
    that was fitted has the models of its base. Raises ModelError where there is no profile of this
    name; the message lists the known ones.

    >>> get_profile("embedded").nli.model_id
    'provenance-nli'
    """
    if name in PROFILES:
        return PROFILES[name]
    kept = kept_models(name)
    if kept is not None:
        return custom_profile(kept.nli, kept.relevance or None, kept.entailment_label)
    if is_fitted_name(name):
        found = fitted_map(name)
        base = get_profile(found.base)
        return replace(base, name=name, fitted=found, good_for=found.good_for)
    if is_custom_name(name):
        raise ModelError(
            f"The profile {name} is not known to this program any more, or never was: a custom "
            "profile is known where it was made. Make it again, of the same models."
        )
    known = ", ".join([*PROFILES, CUSTOM])
    raise ModelError(f"There is no profile {name!r}. Known profiles: {known}.")


def profile_names() -> tuple[str, ...]:
    """List the names of all profiles. Those of the table, then those of a person's own models, then
    those fitted to labels. Raises ModelError where the custom or the fitted profiles cannot be
    read."""
    return (*PROFILES, *all_kept_models(), *all_fitted_maps())


def is_profile_name(name: str) -> bool:
    """Whether an audit can name this profile, made here or on another machine. True for a name of
    the table, and for one that a custom or fitted profile can have."""
    return name in PROFILES or is_custom_name(name) or is_fitted_name(name)


def embedded_folder(model: PublicModel) -> Path:
    """Find the folder of a model that ships with this repository. The folder in
    ``provenance_core/models``. Raises ModelError where the model is not embedded."""
    if not model.is_embedded:
        raise ModelError(f"{model.model_id} is not shipped with this repository.")
    return Path(__file__).parents[1] / _EMBEDDED_FOLDERS[model]


@cache
def embedded_manifest(model: PublicModel) -> Manifest:
    """Read the manifest of a model that ships with this repository. It is read once. What
    manifest.json says. Raises ModelError where the model is not embedded, or its manifest cannot be
    used."""
    return read_manifest(embedded_folder(model))


@dataclass(frozen=True, slots=True)
class SupportMaps:
    """The support maps of a profile: of the model that reads everything, and from both readings
    where a second reads again. ``weights``: SHA-256 of the models that measure, in that order."""

    first: SupportMap
    second: SupportMap | None
    weights: tuple[str, ...]

    @property
    def decisive(self) -> SupportMap:
        """The map that a fit changes: of the last reading. The first decides what is read again,
        so that it must stay for a saved audit to be computed anew."""
        return self.first if self.second is None else self.second

    def with_decisive(self, support: SupportMap) -> SupportMaps:
        """Put another map in the place of the decisive one. These maps with it."""
        if self.second is None:
            return replace(self, first=support)
        return replace(self, second=support)


def support_maps(profile: Profile) -> SupportMaps:
    """Find the maps that the models of a profile ship with, whatever was fitted. Loads no model.
    The maps, with the SHA-256 of the models that they belong to. Raises ModelError where the NLI
    model has no support map."""
    first = embedded_manifest(profile.nli) if profile.nli.is_embedded else None
    if first is None or first.info.support is None:
        fitting = [name for name, each in PROFILES.items() if each.nli.is_embedded]
        raise ModelError(
            f"The NLI model of the profile {profile.name} has no support map, which a fit could "
            f"change. Audit with one of {', '.join(fitting)}."
        )
    if profile.second is None:
        return SupportMaps(first.info.support, None, (first.info.sha256,))
    second = embedded_manifest(profile.second)
    weights = (first.info.sha256, second.info.sha256)
    return SupportMaps(first.info.support, second.second_support, weights)


def nli_threshold(profile: str) -> float:
    """Find a profile's threshold. Loads no model. An embedded model's manifest holds a threshold
    that was chosen on held-out training data. A fitted profile has its own. Other models use
    ``PUBLIC_THRESHOLD``, and so does a fitted profile that was deleted, which an audit may still
    name. A factuality score in [0, 1]. Raises ModelError where there is no such profile."""
    if profile not in PROFILES:
        if is_fitted_name(profile):  # also one that was deleted, as of an audit that is still there
            kept = all_fitted_maps().get(profile)
            return PUBLIC_THRESHOLD if kept is None else kept.threshold
        if is_custom_name(profile):  # a profile that is not kept here has a public NLI model too
            return PUBLIC_THRESHOLD
    nli = get_profile(profile).nli
    return embedded_manifest(nli).default_threshold if nli.is_embedded else PUBLIC_THRESHOLD


def has_support_map(profile: str) -> bool:
    """Whether a profile's NLI model has a support map. Loads no model. True for embedded models,
    which keep it in their manifests. Raises ModelError where there is no such profile."""
    if is_custom_name(profile):
        return False
    nli = get_profile(profile).nli
    return nli.is_embedded and embedded_manifest(nli).info.support is not None
