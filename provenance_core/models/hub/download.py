"""Downloads a model's files from the hub, resumes where a download stopped, and checks them.

It asks only for the files that a model is loaded from, and for none that holds code. A file has a
temporary name until its checksum is the one that the hub names, so an interrupted download goes on
from its last byte.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import PublicModel
from provenance_core.models.checkpoints.files import (
    sha256_of,
    unusable_tokenizer,
    unusable_weights,
)
from provenance_core.models.hub.cache import (
    PARTIAL,
    CachedFile,
    CachedModel,
    check_model,
    known_download,
    locked,
    model_folder,
    repository_folder,
    write_manifest,
)
from provenance_core.models.hub.download_errors import explained
from provenance_core.models.hub.repository import (
    RemoteFile,
    converted_weights,
    listed,
    matching,
    safe_weights,
)
from provenance_core.models.settings import FOLDER, HUB, OFFLINE, ModelSettings, read_model_settings

# Bytes to leave free: a full disk harms other programs too.
_SPARE = 50_000_000


@dataclass(frozen=True, slots=True)
class DownloadState:
    """The progress of a download. ``done`` and ``total``: bytes of all files together."""

    model_id: str
    file: str
    done: int
    total: int

    @property
    def share(self) -> float:
        """The share that is done, in [0, 1]."""
        return min(1.0, self.done / self.total) if self.total else 1.0


DownloadProgress = Callable[[DownloadState], None]


def get_model(
    model: PublicModel,
    progress: DownloadProgress | None = None,
) -> Path:
    """Find the folder of a model, after downloading the files that are missing or damaged.

    A branch or tag stands for the commit that it named at the first download. Where a commit has
    its weights only as a pickle, they come from the conversion that the hub itself offers
    (:func:`converted_weights`).

    The folder. Raises ModelError The message says what is wrong and what to do: no network, a wrong
    name, a gated repository, a full disk, a broken download, a wrong checksum, or weights that are
    not safetensors.
    """
    if model.is_embedded or model.given_folder is not None:
        return model_folder(model)
    settings = read_model_settings()
    report = progress or (lambda state: None)
    known = known_download(model)
    if known is not None and not check_model(known):
        return known.folder
    if settings.offline:
        raise ModelError(
            f"{model.name_and_revision} is not downloaded, and {OFFLINE.variable} forbids to "
            f"download it. Unset {OFFLINE.variable}, or copy the model's files to a folder and "
            "give that folder as a custom profile."
        )
    with explained(model, settings):
        files = _remote_files(model, known, settings)
        commit = files[0].commit
        folder = repository_folder(model.model_id) / commit
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            _fetch_all(model, files, folder, settings, report)
            write_manifest(
                CachedModel(
                    model_id=model.model_id,
                    revisions=(model.revision,),
                    commit=commit,
                    weights_commit=_weights_commit(files),
                    downloaded_at=datetime.now(UTC).isoformat(timespec="seconds"),
                    files=tuple(
                        CachedFile(
                            each.name, each.size, each.sha256 or sha256_of(folder / each.name)
                        )
                        for each in files
                    ),
                    folder=folder,
                )
            )
    return folder


def _remote_files(
    model: PublicModel, known: CachedModel | None, settings: ModelSettings
) -> list[RemoteFile]:
    """The files to download, the model's own first, from the same commits as ``known``."""
    found = listed(model.model_id, known.commit if known else model.revision, settings)
    files = matching(found, model.files)
    names = [each.name for each in found]
    if "config.json" not in names:
        raise ModelError(
            f"{model.name_and_revision} is no model that can be loaded: it has no config.json at "
            "its top. Check the name on the hub's page of the model."
        )
    if known is not None and known.weights_commit:
        converted = safe_weights(listed(model.model_id, known.weights_commit, settings))
    else:
        converted = converted_weights(found, settings)
    # Only weights at the top count: some repositories keep other formats in subfolders.
    tops = [name for name in names if "/" not in name]
    if reason := unusable_weights([*tops, *(each.name for each in converted)]):
        raise ModelError(f"{model.name_and_revision} cannot be used: {reason}")
    files += converted
    if model.tokenizer is not None:
        source = model.tokenizer
        own = {each.name for each in files}
        theirs = matching(listed(source.model_id, source.revision, settings), source.files)
        files += [each for each in theirs if each.name not in own]
    if reason := unusable_tokenizer([each.name for each in files]):
        raise ModelError(f"{model.name_and_revision} cannot be used: {reason}")
    return files


def _weights_commit(files: Sequence[RemoteFile]) -> str:
    """The commit of the weights where it differs from that of the other files, else ""."""
    return next((each.commit for each in safe_weights(files) if each.commit != files[0].commit), "")


def _fetch_all(
    model: PublicModel,
    files: Sequence[RemoteFile],
    folder: Path,
    settings: ModelSettings,
    report: DownloadProgress,
) -> None:
    total = sum(each.size for each in files)
    missing = []
    done = 0
    for each in files:
        path = folder / each.name
        if path.is_file() and not each.differs(path):
            done += each.size
            continue
        path.unlink(missing_ok=True)
        missing.append(each)
    needed = sum(each.size - _bytes_at(_partial(folder, each)) for each in missing)
    free = shutil.disk_usage(folder).free
    if needed + _SPARE > free:
        raise _disk_full(model, folder, needed, free)
    for each in missing:
        before = done

        def tell(of_file: int, file: RemoteFile = each, before: int = before) -> None:
            report(DownloadState(model.model_id, file.name, before + of_file, total))

        _fetch(model, each, folder, settings, tell)
        done += each.size


def _fetch(
    model: PublicModel,
    file: RemoteFile,
    folder: Path,
    settings: ModelSettings,
    tell: Callable[[int], None],
) -> None:
    """Downloads a file, or the rest of it, and checks it."""
    from huggingface_hub import hf_hub_url
    from huggingface_hub.file_download import http_get
    from huggingface_hub.utils import build_hf_headers

    partial = _partial(folder, file)
    start = _bytes_at(partial)
    if start > file.size:
        partial.unlink()
        start = 0
    tell(start)
    with partial.open("ab") as open_file:
        http_get(
            hf_hub_url(file.model_id, file.name, revision=file.commit, endpoint=settings.hub),
            open_file,
            resume_size=start,
            headers=build_hf_headers(),
            expected_size=file.size,
            tqdm_class=_bar(lambda: tell(open_file.tell())),
        )
    if difference := file.differs(partial):
        partial.unlink()
        raise ModelError(
            f"{file.name} of {model.name_and_revision} did not arrive as it is at the hub: "
            f"{difference}. It was thrown away. Try again; if it happens again, the hub or a "
            f"proxy on the way changes the file, and {HUB.variable} may name another hub."
        )
    partial.replace(folder / file.name)


def _bar(told: Callable[[], None]) -> Any:
    """A progress bar for huggingface_hub that draws nothing and calls ``told``."""
    from huggingface_hub.utils import silent_tqdm

    class Bar(silent_tqdm):
        def update(self, n: int | float | None = 1) -> None:
            told()

    return Bar


def _partial(folder: Path, file: RemoteFile) -> Path:
    # The checksum in the name keeps the rest of one file from being put behind another's start.
    return folder / f"{file.name}.{(file.sha256 or file.blob)[:12]}{PARTIAL}"


def _bytes_at(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _disk_full(model: PublicModel, folder: Path, needed: int, free: int) -> ModelError:
    return ModelError(
        f"{model.name_and_revision} needs {needed / 1e6:,.0f} MB more, and the disk of {folder} "
        f"has {free / 1e6:,.0f} MB free. Free space there (python -m provenance_core models "
        f"remove), or set {FOLDER.variable} to a folder on another disk."
    )
