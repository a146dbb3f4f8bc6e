"""The downloaded models: what is there, whether it is as it was at the hub, and its removal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import (
    MODEL_FILES,
    Profile,
    PublicModel,
    embedded_folder,
    support_maps,
)
from provenance_core.models.checkpoints.files import check_folder, sha256_of, weight_files
from provenance_core.models.settings import FOLDER, read_model_settings

if TYPE_CHECKING:
    # The embedded profiles do without it.
    from huggingface_hub import CachedRepoInfo, CachedRevisionInfo, HFCacheInfo


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The folder of a commit."""

    model_id: str
    commit: str
    names: frozenset[str]  # the branches and tags that it was downloaded as
    downloaded_on: str  # ISO 8601, UTC
    files: tuple[Path, ...]
    size: int  # bytes of its files
    folder: Path
    whole: bool  # False for a download that did not reach its end

    def belongs_to(self, model: PublicModel) -> bool:
        """Whether ``model`` names this commit."""
        return self.model_id == model.model_id and model.revision in (*self.names, self.commit)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that is not as it was at the hub. ``reason``: how, in words."""

    path: Path
    reason: str


def model_folder(model: PublicModel) -> Path:
    """The folder of a model that can be loaded: shipped, named by a person, or downloaded. Raises
    ModelError if the model is not downloaded or the folder that a person named lacks something."""
    if model.is_embedded:
        return embedded_folder(model)
    if (given := model.given_folder) is not None:
        check_folder(given)
        return given
    if (found := find_model(model)) is not None:
        return found.folder
    raise ModelError(
        f"{model.name_and_revision} is not downloaded. Get it on the Models page, or by "
        f"python -m provenance_core models get {model.reference}"
    )


def verified_folder(model: PublicModel) -> Path:
    """The folder of a model, every downloaded file of it checked. Raises ModelError if there is no
    folder or a file has changed since its download."""
    if model.is_embedded or model.given_folder is not None:
        return model_folder(model)
    found = find_model(model)
    if found is not None and (problems := check_model(found)):
        raise ModelError(damaged(model, problems))
    return model_folder(model)


def damaged(model: PublicModel, problems: Sequence[FileProblem]) -> str:
    """Say in sentences what is wrong with a model's files, and what to do."""
    files = "; ".join(f"{each.path.name}: {each.reason}" for each in problems)
    return (
        f"{model.name_and_revision} is not as it was downloaded. {files}. Download it again on "
        f"the Models page, or by python -m provenance_core models get {model.reference}: only "
        "the files that are damaged are fetched."
    )


def is_ready(model: PublicModel) -> bool:
    """Whether the model can be loaded."""
    try:
        model_folder(model)
    except ModelError:
        return False
    return True


def require_models(profile: Profile) -> None:
    """Check that every model of a profile is here, and that a fitted map belongs to their weights.
    Raises ModelError if a model is missing, with the names of all that are and how to get them, or
    if the map was fitted to the scores of other weights."""
    if profile.fitted is not None and profile.fitted.weights != support_maps(profile).weights:
        raise ModelError(
            f"The profile {profile.name} ({profile.fitted.title}) was fitted to the scores of "
            f"other weights than those of {profile.fitted.base} now. Audit the labelled answers "
            "again, and fit again on the Thresholds page."
        )
    missing = []
    for model in profile.public_models:
        if model.given_folder is not None:
            model_folder(model)
        elif find_model(model) is None:
            missing.append(model.name_and_revision)
    if missing:
        raise ModelError(
            f"The profile {profile.name} needs {' and '.join(missing)}, not downloaded so far. Get "
            f"it on the Models page, or by python -m provenance_core models get {profile.name}"
        )


def find_model(model: PublicModel) -> StoredModel | None:
    """The whole download of a model; None where there is none."""
    return next((each for each in stored_models() if each.whole and each.belongs_to(model)), None)


def stored_models() -> tuple[StoredModel, ...]:
    """Every commit in the cache, with unfinished downloads, by name and commit. Raises ModelError
    if the folder of the cache cannot be read."""
    folder = read_model_settings().folder
    if not folder.is_dir():
        return ()
    try:
        found = [
            _stored(repository, revision)
            for repository in _scanned(folder).repos
            for revision in repository.revisions
        ]
    except OSError as error:
        raise ModelError(
            f"{folder} cannot be read ({error.strerror}). Set {FOLDER.variable} to a folder that "
            "this program may read and write."
        ) from error
    return tuple(sorted(found, key=lambda each: (each.model_id, each.commit)))


def check_model(
    stored: StoredModel, progress: Callable[[float], object] | None = None
) -> tuple[FileProblem, ...]:
    """Read every file again; those that are not as they were at the hub or cannot be read.
    ``progress`` is called with the share of the bytes that is read, in (0, 1]."""
    problems = []
    done = 0
    for path in stored.files:
        try:
            wanted, actual = _checksums(path)
            if actual != wanted:
                reason = f"its checksum is {actual} and should be {wanted}"
                problems.append(FileProblem(path, reason))
            done += path.stat().st_size
        except OSError as error:
            problems.append(FileProblem(path, f"it cannot be read ({error.strerror})"))
        if progress is not None:
            progress(min(1.0, done / stored.size) if stored.size else 1.0)
    return tuple(problems)


def remove_stored(stored: StoredModel) -> int:
    """Delete the folder of a commit, and return the bytes that this freed: 0 where another program
    removed it first. Raises ModelError if it cannot be deleted."""
    if not stored.folder.exists():
        return 0
    _scanned(read_model_settings().folder).delete_revisions(stored.commit).execute()
    if stored.folder.exists():
        raise ModelError(
            f"{stored.folder} cannot be deleted. Delete the folder yourself, or give this program "
            "the right to."
        )
    return stored.size


def matching(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The names at the top of a repository that match a pattern: those in its folders hold other
    formats."""
    return [
        name
        for name in names
        if not {"/", "\\"} & set(name) and any(fnmatch(name, pattern) for pattern in patterns)
    ]


def _scanned(folder: Path) -> HFCacheInfo:
    from huggingface_hub import scan_cache_dir

    return scan_cache_dir(folder)


def _stored(repository: CachedRepoInfo, revision: CachedRevisionInfo) -> StoredModel:
    folder = revision.snapshot_path
    return StoredModel(
        model_id=repository.repo_id,
        commit=revision.commit_hash,
        names=frozenset(revision.refs),
        downloaded_on=datetime.fromtimestamp(revision.last_modified, UTC).date().isoformat(),
        files=tuple(sorted(each.file_path for each in revision.files)),
        size=revision.size_on_disk,
        folder=folder,
        whole=_is_whole(repository.repo_id, revision.commit_hash, folder),
    )


def _is_whole(model_id: str, commit: str, folder: Path) -> bool:
    """Whether everything that the hub listed for the commit is there, weights and a tokenizer
    included, which may come from elsewhere."""
    from huggingface_hub import get_cached_repo_tree
    from huggingface_hub.errors import CachedRepoTreeNotFoundError

    try:
        listed = get_cached_repo_tree(
            model_id, revision=commit, cache_dir=read_model_settings().folder
        )
        check_folder(folder)
        weight_files(folder)
    except (CachedRepoTreeNotFoundError, ModelError):
        return False
    wanted = matching([each.path for each in listed], MODEL_FILES)
    return all((folder / name).is_file() for name in wanted)


def _checksums(path: Path) -> tuple[str, str]:
    """The checksum that the hub gave, which names the file in the cache, and that of the file now:
    SHA-256 of a large file, git's SHA-1 of a small one. Both are "" where the disk has no links."""
    from huggingface_hub.utils.sha import git_hash

    wanted = path.readlink().name if path.is_symlink() else ""
    if len(wanted) == 40:
        return wanted, git_hash(path.read_bytes())
    return wanted, sha256_of(path) if wanted else ""
