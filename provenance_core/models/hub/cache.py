"""The cache of downloaded models on disk: manifests, sizes, checks and removal.

A model lies in ``FOLDER/owner--name/COMMIT/``, with the files of that commit and a manifest that
names the SHA-256 of each file. A folder without a manifest is an unfinished download.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import (
    Profile,
    PublicModel,
    embedded_folder,
    is_commit,
    short_revision,
    support_maps,
)
from provenance_core.models.checkpoints.files import check_folder, sha256_of
from provenance_core.models.settings import FOLDER, read_model_settings

MANIFEST = "provenance-manifest.json"
# A file that is still being downloaded.
PARTIAL = ".partial"
_LOCKS = ".locks"


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file of a download. ``size`` in bytes."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A complete download.

    ``revisions``: the branches, tags or commits that were asked for. ``commit``: the commit that
    all of them named then. ``weights_commit``: the commit of the weights where they are the hub's
    conversion of a pickle, else "". ``downloaded_at``: ISO 8601, UTC.
    """

    model_id: str
    revisions: tuple[str, ...]
    commit: str
    weights_commit: str
    downloaded_at: str
    files: tuple[CachedFile, ...]
    folder: Path

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(file.size for file in self.files)

    @property
    def commit_text(self) -> str:
        """The commit for a reader, and that of the weights where it is another."""
        commit = short_revision(self.commit)
        if not self.weights_commit:
            return commit
        return f"{commit}, weights from the hub's conversion {short_revision(self.weights_commit)}"

    def stands_for(self, revision: str) -> bool:
        """Whether a revision names this download.

        True for its commit, and for what was asked for when it was downloaded.
        """
        return revision in (*self.revisions, self.commit)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that differs from what the manifest names. ``reason`` says how, in words."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The folder of a commit. ``size``: bytes on disk. ``download``: None while unfinished."""

    model_id: str
    commit: str
    size: int
    download: CachedModel | None
    folder: Path

    def belongs_to(self, model: PublicModel) -> bool:
        """Whether the folder holds a model, or an unfinished download that may be of it.

        True where the name fits, and the revision as far as it is known.
        """
        if self.model_id != model.model_id:
            return False
        if self.download is not None:
            return self.download.stands_for(model.revision)
        return not is_commit(model.revision) or self.commit == model.revision


def model_folder(model: PublicModel) -> Path:
    """Find the folder of a model that can be loaded.

    The folder: shipped with this repository, named by a person, or downloaded. Raises ModelError
    The model is not downloaded, or the folder that a person named lacks something.
    """
    if model.is_embedded:
        return embedded_folder(model)
    if (given := model.given_folder) is not None:
        check_folder(given)
        return given
    cached = find_model(model)
    if cached is None:
        raise ModelError(
            f"{model.name_and_revision} is not downloaded. Get it on the Models page, or by "
            f"python -m provenance_core models get {model.reference}"
        )
    return cached.folder


def verified_folder(model: PublicModel) -> Path:
    """Find a folder as :func:`model_folder` does, and check every downloaded file.

    The folder. One that is shipped or named by a person is not read here. Raises ModelError There
    is no folder, or a file has changed since its download.
    """
    folder = model_folder(model)
    cached = None if model.is_embedded or model.given_folder else find_model(model)
    if cached is not None and (problems := check_model(cached)):
        raise ModelError(damaged(model, problems))
    return folder


def damaged(model: PublicModel, problems: Sequence[FileProblem]) -> str:
    """Say in sentences what is wrong with a model's files, and what to do.

    The message.
    """
    files = "; ".join(f"{each.name}: {each.reason}" for each in problems)
    return (
        f"{model.name_and_revision} is not as it was downloaded. {files}. Download it again on "
        f"the Models page, or by python -m provenance_core models get {model.reference}: only "
        "the files that are damaged are fetched."
    )


def is_ready(model: PublicModel) -> bool:
    """Whether :func:`model_folder` finds a folder for a model.

    True where it can be loaded.
    """
    try:
        model_folder(model)
    except ModelError:
        return False
    return True


def require_models(profile: Profile) -> None:
    """Check that every model of a profile is here, and that a fitted map belongs to their weights.

    Raises ModelError A model is missing; the message names all of them and says how to get them. Or
    the map was fitted to the scores of other weights.
    """
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
            "it on the Models page, or by python -m provenance_core models get "
            f"{profile.name}"
        )


def find_model(model: PublicModel) -> CachedModel | None:
    """Find the complete download of a model.

    The download; of several commits of a branch, the one that was downloaded first. None where
    there is none.
    """
    return next(filter(_is_whole, _downloads(model)), None)


def known_download(model: PublicModel) -> CachedModel | None:
    """Find a download as :func:`find_model` does, also one whose files were damaged since.

    The download; None where there never was a complete one.
    """
    return next(iter(_downloads(model)), None)


def stored_models() -> tuple[StoredModel, ...]:
    """List every folder of the cache, with unfinished downloads.

    The folders by name and commit. Raises ModelError The folder of the cache cannot be read.
    """
    folder = read_model_settings().folder
    try:
        commits = sorted(
            path
            for repository in folder.iterdir()
            if "--" in repository.name and repository.is_dir()
            for path in repository.iterdir()
            if is_commit(path.name) and path.is_dir()
        )
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ModelError(
            f"{folder} cannot be read ({error.strerror}). Set {FOLDER.variable} to a folder that "
            "this program may read and write."
        ) from error
    return tuple(
        StoredModel(
            model_id=path.parent.name.replace("--", "/", 1),
            commit=path.name,
            size=_size_of_all(path),
            download=_read_manifest(path / MANIFEST),
            folder=path,
        )
        for path in commits
    )


def check_model(
    cached: CachedModel, progress: Callable[[float], object] | None = None
) -> tuple[FileProblem, ...]:
    """Read every file of a download again.

    ``progress``: Called with the share of the bytes that is read, in (0, 1]. The files that differ
    from the manifest, are missing or cannot be read.
    """
    problems = []
    done = 0
    for file in cached.files:
        path = cached.folder / file.name
        try:
            if (actual := sha256_of(path)) != file.sha256:
                reason = f"its SHA-256 is {actual} and should be {file.sha256}"
                problems.append(FileProblem(file.name, reason))
        except FileNotFoundError:
            problems.append(FileProblem(file.name, "it is missing"))
        except OSError as error:
            problems.append(FileProblem(file.name, f"it cannot be read ({error.strerror})"))
        done += file.size
        if progress is not None:
            progress(done / cached.size if cached.size else 1.0)
    return tuple(problems)


def remove_stored(stored: StoredModel) -> int:
    """Delete the folder of a commit.

    The bytes that this freed; 0 where another program removed it first. Raises ModelError The
    commit is being downloaded, or cannot be deleted.
    """
    try:
        with locked(stored.folder):
            shutil.rmtree(stored.folder)
            if not any(stored.folder.parent.iterdir()):
                stored.folder.parent.rmdir()
    except FileNotFoundError:  # another session removed it first
        return 0
    except OSError as error:
        raise ModelError(
            f"{stored.folder} cannot be deleted ({error.strerror}). Delete the folder "
            "yourself, or give this program the right to."
        ) from error
    return stored.size


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let one program at a time download or remove a commit.

    Nothing, while the lock is held. Raises ModelError Another program holds it.
    """
    # Imported here because the embedded profile does not need it.
    from filelock import FileLock, Timeout

    locks = read_model_settings().folder / _LOCKS
    locks.mkdir(parents=True, exist_ok=True)
    lock = FileLock(locks / f"{folder.parent.name}--{folder.name}", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise ModelError(
            f"{folder.parent.name.replace('--', '/', 1)} is being downloaded by another session "
            "or program. Wait until that has ended, then try again."
        ) from None
    try:
        yield
    finally:
        lock.release()


def repository_folder(model_id: str) -> Path:
    """Find the folder of a repository, which holds a folder for each commit.

    The folder; it need not exist. Raises ModelError The settings are wrong.
    """
    return read_model_settings().folder / model_id.replace("/", "--")


def write_manifest(cached: CachedModel) -> None:
    """Mark a download as complete, and keep its earlier names.

    Raises OSError The manifest cannot be written.
    """
    before = _read_manifest(cached.folder / MANIFEST)
    if before is not None:
        names = dict.fromkeys((*before.revisions, *cached.revisions))
        cached = replace(cached, revisions=tuple(names), downloaded_at=before.downloaded_at)
    raw = asdict(cached)
    del raw["folder"]
    raw["files"] = {file.name: {"size": file.size, "sha256": file.sha256} for file in cached.files}
    path = cached.folder / MANIFEST
    half = path.with_name(MANIFEST + PARTIAL)
    half.write_text(json.dumps(raw, indent=1) + "\n", encoding="utf-8")
    half.replace(path)


def _downloads(model: PublicModel) -> list[CachedModel]:
    """The downloads that ``model`` names and that were complete once, the first made first."""
    found = map(_read_manifest, sorted(repository_folder(model.model_id).glob(f"*/{MANIFEST}")))
    fitting = [each for each in found if each is not None and each.stands_for(model.revision)]
    return sorted(fitting, key=lambda each: each.downloaded_at)


def _is_whole(cached: CachedModel) -> bool:
    """Whether every file is there and has its size."""
    return all(_size(cached.folder / file.name) == file.size for file in cached.files)


def _read_manifest(path: Path) -> CachedModel | None:
    """None for a file that is no manifest: such a download counts as unfinished."""
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return CachedModel(
            model_id=str(raw["model_id"]),
            # An older manifest has one name for its commit, and no conversion.
            revisions=tuple(map(str, raw.get("revisions") or [raw["revision"]])),
            commit=str(raw["commit"]),
            weights_commit=str(raw.get("weights_commit", "")),
            downloaded_at=str(raw["downloaded_at"]),
            files=tuple(
                CachedFile(name, int(file["size"]), str(file["sha256"]))
                for name, file in raw["files"].items()
            ),
            folder=path.parent,
        )
    except (OSError, KeyError, TypeError, ValueError, AttributeError):
        return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _size_of_all(folder: Path) -> int:
    """Bytes of the files in a folder and below it; 0 where another session has just removed it."""
    try:
        return sum(_size(path) for path in folder.rglob("*") if path.is_file())
    except OSError:
        return 0
