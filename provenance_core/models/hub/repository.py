"""Asks a model hub for the files of a commit, and for safetensors in the place of a pickle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import urlsplit

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import is_commit
from provenance_core.models.checkpoints.files import WEIGHT_FILES, sha256_of
from provenance_core.models.settings import HUB, ModelSettings

_SECONDS_TO_ANSWER = 20.0
# The hub's own account that offers owners their weights as safetensors.
_CONVERTER = "SFconvertbot"
_PICKLED_WEIGHTS = "pytorch_model*.bin"


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a commit. A large file has ``sha256``; a small one has ``blob``, git's SHA-1."""

    model_id: str
    commit: str
    name: str
    size: int
    sha256: str
    blob: str

    def differs(self, path: Path) -> str:
        """How a file on disk differs from this one.

        A clause with both checksums; "" where they are equal. Raises OSError The file cannot be
        read.
        """
        from huggingface_hub.utils.sha import git_hash

        named = self.sha256 or self.blob
        actual = sha256_of(path) if self.sha256 else git_hash(path.read_bytes())
        return "" if actual == named else f"its checksum is {actual}, and the hub names {named}"


def listed(model_id: str, revision: str, settings: ModelSettings) -> list[RemoteFile]:
    """List the files of the commit that a revision is now.

    The files, of all folders. Raises ModelError The hub names no commit.
    """
    from huggingface_hub import HfApi

    found = HfApi(endpoint=settings.hub).model_info(
        model_id, revision=revision, files_metadata=True, timeout=_SECONDS_TO_ANSWER
    )
    commit = found.sha or ""
    if not is_commit(commit):
        raise ModelError(
            f"{urlsplit(settings.hub or '').netloc or 'The hub'} named no commit of {model_id}. If "
            f"{HUB.variable} is set, check that it is a model hub."
        )
    return [
        RemoteFile(
            model_id=model_id,
            commit=commit,
            name=each.rfilename,
            size=int(each.size or 0),
            sha256=each.lfs.sha256 if each.lfs else "",
            blob=each.blob_id or "",
        )
        for each in found.siblings or ()
    ]


def matching(files: Sequence[RemoteFile], patterns: Sequence[str]) -> list[RemoteFile]:
    """Pick the files whose names match a pattern.

    Those that match. A name with a folder in it never does, so that no file lands outside the
    model's folder.
    """
    return [
        each
        for each in files
        if not {"/", "\\"} & set(each.name) and any(fnmatch(each.name, p) for p in patterns)
    ]


def safe_weights(files: Sequence[RemoteFile]) -> list[RemoteFile]:
    """Pick the files that hold weights as safetensors, and their index.

    Those at the top of the repository.
    """
    return matching(files, WEIGHT_FILES)


def converted_weights(files: Sequence[RemoteFile], settings: ModelSettings) -> list[RemoteFile]:
    """Find safetensors for a commit that has only a pickle.

    The hub's converter offers them in a pull request. The pickle that it converted must have the
    same SHA-256: an older pull request may be of other weights.

    The files of the conversion; none where the commit has safetensors or there is no conversion.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    pickled = _checksums(files)
    if not pickled or safe_weights(files):
        return []
    model_id = files[0].model_id
    try:
        offers = [
            each.git_reference
            for each in HfApi(endpoint=settings.hub).get_repo_discussions(
                model_id, author=_CONVERTER, discussion_type="pull_request"
            )
            if each.author == _CONVERTER and each.git_reference
        ]
    except HfHubHTTPError:  # mirrors have no discussions, and an owner can turn them off
        return []
    for offer in offers:
        try:
            offered = listed(model_id, offer, settings)
        except HfHubHTTPError:  # the pull request was withdrawn with its branch
            continue
        if _checksums(offered) == pickled and (found := safe_weights(offered)):
            return found
    return []


def _checksums(files: Sequence[RemoteFile]) -> dict[str, str]:
    """The SHA-256 of the pickled weights, by file name."""
    return {each.name: each.sha256 for each in matching(files, (_PICKLED_WEIGHTS,)) if each.sha256}
