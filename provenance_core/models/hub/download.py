"""Downloads the files that a model is loaded from, none of which holds code, and checks them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import PublicModel, is_commit
from provenance_core.models.checkpoints.files import (
    WEIGHT_FILES,
    unusable_tokenizer,
    unusable_weights,
)
from provenance_core.models.hub.cache import (
    FileProblem,
    StoredModel,
    check_model,
    matching,
    model_folder,
    stored_models,
)
from provenance_core.models.hub.download_errors import explained
from provenance_core.models.settings import FOLDER, HUB, OFFLINE, ModelSettings, read_model_settings

if TYPE_CHECKING:
    from huggingface_hub import HfApi, ModelInfo

# Bytes to leave free: a full disk harms other programs too.
_SPARE = 50_000_000
_SECONDS_TO_ANSWER = 20.0
# The hub's own account that offers owners their weights as safetensors.
_CONVERTER = "SFconvertbot"
_PICKLED_WEIGHTS = "pytorch_model*.bin"


@dataclass(frozen=True, slots=True)
class DownloadState:
    """The progress of a download. ``done`` and ``total``: bytes of all files together."""

    model_id: str
    done: int
    total: int

    @property
    def share(self) -> float:
        """The share that is done, in [0, 1]."""
        return min(1.0, self.done / self.total) if self.total else 1.0


DownloadProgress = Callable[[DownloadState], None]


@dataclass(frozen=True, slots=True)
class _Part:
    """The files of one commit that a model needs, with their sizes in bytes."""

    model_id: str
    commit: str
    sizes: dict[str, int]


def get_model(model: PublicModel, progress: DownloadProgress | None = None) -> Path:
    """The folder of a model, after downloading the files that are missing or damaged. A branch or
    tag stands for the commit that it named at the first download. Where a commit has its weights
    only as a pickle, they come from the conversion that the hub itself offers. Raises ModelError
    with what is wrong and what to do: no network, a wrong name, a gated repository, a full disk, a
    broken download, a wrong checksum, or weights that are not safetensors."""
    if model.is_embedded or model.given_folder is not None:
        return model_folder(model)
    settings = read_model_settings()
    known = next((each for each in stored_models() if each.belongs_to(model)), None)
    if known is not None and not _dropped(check_model(known)) and known.whole:
        return known.folder
    if settings.offline:
        raise ModelError(
            f"{model.name_and_revision} is not downloaded, and {OFFLINE.variable} forbids to "
            f"download it. Unset {OFFLINE.variable}, or copy the model's files to a folder and "
            "give that folder as a custom profile."
        )
    with explained(model, settings):
        return _Download(model, settings, progress or (lambda state: None)).run(known)


def _dropped(problems: Sequence[FileProblem]) -> bool:
    """Delete the files that are not as they were at the hub; whether there were any."""
    for each in problems:
        each.path.resolve().unlink(missing_ok=True)
        each.path.unlink(missing_ok=True)
    return bool(problems)


class _Download:
    """One download of a model."""

    def __init__(
        self, model: PublicModel, settings: ModelSettings, report: DownloadProgress
    ) -> None:
        from huggingface_hub import HfApi

        self._model = model
        self._settings = settings
        self._report = report
        self._hub: HfApi = HfApi(endpoint=settings.hub)
        self._done = self._total = 0

    def run(self, known: StoredModel | None) -> Path:
        """The folder, whole and checked."""
        revision = known.commit if known else self._model.revision
        own, *others = self._parts(revision)
        folder = self._folder_of(own)
        sizes = {folder / n: size for part in (own, *others) for n, size in part.sizes.items()}
        self._total = sum(sizes.values())
        self._done = sum(size for file, size in sizes.items() if file.is_file())
        self._check_room()
        # A name without a folder would make the cache of the repository unreadable.
        folder.mkdir(parents=True, exist_ok=True)
        self._fetch(own, self._settings.folder, revision)
        for part in others:
            if not all((folder / name).is_file() for name in part.sizes):
                self._add(part, folder)
        self._check_arrived(folder)
        return folder

    def _parts(self, revision: str) -> list[_Part]:
        """What to fetch: the model's own files first, then weights and tokenizer from elsewhere."""
        model = self._model
        found = self._listed(model.model_id, revision)
        names = [each.rfilename for each in found.siblings or ()]
        if "config.json" not in names:
            raise ModelError(
                f"{model.name_and_revision} is no model that can be loaded: it has no config.json "
                "at its top. Check the name on the hub's page of the model."
            )
        parts = [_part(found, model.files)]
        if (converted := self._converted(found)) is not None:
            parts.append(_part(converted, WEIGHT_FILES))
        # Only weights at the top count: some repositories keep other formats in subfolders.
        tops = [name for name in names if "/" not in name]
        if reason := unusable_weights([*tops, *(name for part in parts for name in part.sizes)]):
            raise ModelError(f"{model.name_and_revision} cannot be used: {reason}")
        if (source := model.tokenizer) is not None:
            theirs = _part(self._listed(source.model_id, source.revision), source.files)
            for name in parts[0].sizes:
                theirs.sizes.pop(name, None)
            parts.append(theirs)
        if reason := unusable_tokenizer([name for part in parts for name in part.sizes]):
            raise ModelError(f"{model.name_and_revision} cannot be used: {reason}")
        return parts

    def _listed(self, model_id: str, revision: str) -> ModelInfo:
        """The files of the commit that a revision is now."""
        found = self._hub.model_info(
            model_id, revision=revision, files_metadata=True, timeout=_SECONDS_TO_ANSWER
        )
        if not is_commit(found.sha or ""):
            raise ModelError(
                f"{urlsplit(self._settings.hub or '').netloc or 'The hub'} named no commit of "
                f"{model_id}. If {HUB.variable} is set, check that it is a model hub."
            )
        return found

    def _converted(self, found: ModelInfo) -> ModelInfo | None:
        """The hub's own conversion of a commit that has only a pickle. Its converter offers it in a
        pull request. The pickle that it converted must have the same SHA-256: an older pull request
        may be of other weights."""
        from huggingface_hub.errors import HfHubHTTPError

        pickled = _pickles(found)
        if not pickled or _part(found, WEIGHT_FILES).sizes:
            return None
        try:
            offers = [
                each.git_reference
                for each in self._hub.get_repo_discussions(
                    found.id, author=_CONVERTER, discussion_type="pull_request"
                )
                if each.author == _CONVERTER and each.git_reference
            ]
        except HfHubHTTPError:  # mirrors have no discussions, and an owner can turn them off
            return None
        for offer in offers:
            try:
                offered = self._listed(found.id, offer)
            except HfHubHTTPError:  # the pull request was withdrawn with its branch
                continue
            if _pickles(offered) == pickled and _part(offered, WEIGHT_FILES).sizes:
                return offered
        return None

    def _fetch(self, part: _Part, cache: Path, revision: str) -> Path:
        from huggingface_hub import snapshot_download

        return Path(
            snapshot_download(
                part.model_id,
                revision=revision,
                allow_patterns=list(part.sizes),
                cache_dir=cache,
                endpoint=self._settings.hub,
                tqdm_class=_bar(self._tell),
            )
        )

    def _add(self, part: _Part, folder: Path) -> None:
        """Fetch the files of another commit or repository, and put them into ``folder``, named by
        their checksums as its own are."""
        with tempfile.TemporaryDirectory(dir=self._settings.folder, prefix=".part-") as cache:
            for file in self._fetch(part, Path(cache), part.commit).iterdir():
                if not file.is_symlink():
                    shutil.move(file, folder / file.name)
                    continue
                blob = folder.parents[1] / "blobs" / file.readlink().name
                blob.parent.mkdir(exist_ok=True)
                shutil.move(file.resolve(), blob)
                (folder / file.name).symlink_to(os.path.relpath(blob, folder))

    def _folder_of(self, part: _Part) -> Path:
        from huggingface_hub.file_download import repo_folder_name

        repository = repo_folder_name(repo_id=part.model_id, repo_type="model")
        return self._settings.folder / repository / "snapshots" / part.commit

    def _tell(self, size: int) -> None:
        self._done += size
        self._report(DownloadState(self._model.model_id, self._done, self._total))

    def _check_room(self) -> None:
        folder, needed = self._settings.folder, self._total - self._done
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
        if needed + _SPARE > free:
            raise ModelError(
                f"{self._model.name_and_revision} needs {needed / 1e6:,.0f} MB more, and the disk "
                f"of {folder} has {free / 1e6:,.0f} MB free. Free space there (python -m "
                f"provenance_core models remove), or set {FOLDER.variable} to a folder on another "
                "disk."
            )

    def _check_arrived(self, folder: Path) -> None:
        problems = check_model(next(each for each in stored_models() if each.folder == folder))
        if _dropped(problems):
            named = "; ".join(f"{each.path.name}: {each.reason}" for each in problems)
            raise ModelError(
                f"{self._model.name_and_revision} did not arrive as it is at the hub. {named}. "
                "What differs was thrown away. Try again; if it happens again, the hub or a proxy "
                f"on the way changes the file, and {HUB.variable} may name another hub."
            )


def _part(found: ModelInfo, patterns: Sequence[str]) -> _Part:
    sizes = {each.rfilename: int(each.size or 0) for each in found.siblings or ()}
    return _Part(
        found.id, found.sha or "", {name: sizes[name] for name in matching(list(sizes), patterns)}
    )


def _pickles(found: ModelInfo) -> dict[str, str]:
    """The SHA-256 of the pickled weights, by file name."""
    return {
        each.rfilename: each.lfs.sha256
        for each in found.siblings or ()
        if each.lfs and matching([each.rfilename], (_PICKLED_WEIGHTS,))
    }


def _bar(tell: Callable[[int], None]) -> type[Any]:
    """A progress bar for huggingface_hub that draws nothing and tells the bytes written."""
    from huggingface_hub.utils import tqdm

    class Bar(tqdm):
        def __init__(self, *given: Any, **options: Any) -> None:
            # One bar counts the bytes that were written, another those that came, a third files.
            self._counts = str(options.get("desc")).startswith("Reconstructing")
            super().__init__(*given, **{**options, "disable": True})

        def update(self, n: float | None = 1) -> None:
            if self._counts:
                tell(int(n or 0))

    return Bar
