"""Turns what goes wrong during a download into messages that say what to do."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import PublicModel
from provenance_core.models.settings import FOLDER, HUB, ModelSettings

_GOES_ON = "Files that arrived are kept: try again, and the others are fetched."
# What is said of an error of huggingface_hub. The first class that fits counts: later ones are base
# classes of earlier ones.
_REFUSALS = (
    (
        "HFValidationError",
        "{model_id!r} is no name of a model. A name is OWNER/NAME, as on the hub's page of the "
        "model; a folder is given with a / or ./ in front.",
    ),
    (
        "OfflineModeIsEnabled",
        "{name} is not downloaded, and HF_HUB_OFFLINE forbids to download it. Unset "
        "HF_HUB_OFFLINE, or copy the model's files to a folder and give that folder as a custom "
        "profile.",
    ),
    (
        "GatedRepoError",
        "{name} is gated: its owner gives it to those who accept the terms. Accept them on "
        "{hub}/{model_id} with an account there, make an access token, set HF_TOKEN to it, start "
        "this program again and try again.",
    ),
    (
        "RevisionNotFoundError",
        "{model_id} has no branch, tag or commit {revision!r} at {host}. Check what follows the "
        "@; without it, the branch main is taken.",
    ),
    (
        "RepositoryNotFoundError",
        "There is no model {model_id} at {host}, or it is private. Check the spelling "
        "(OWNER/NAME); for a private model set HF_TOKEN to an access token that may read it.",
    ),
    (
        "DisabledRepoError",
        "{host} no longer gives out {model_id}. Choose another model.",
    ),
    (
        "RemoteEntryNotFoundError",
        "A file of {name} that {host} lists is not there. Its owner may be changing the model: "
        "try again later.",
    ),
)


@contextlib.contextmanager
def explained(model: PublicModel, settings: ModelSettings) -> Iterator[None]:
    """Turn the errors of a download into messages that say what to do.

    Nothing, while the download runs. Raises ModelError where the hub refused, the connection broke,
    or the disk is full or not writable.
    """
    # Imported here because the embedded profile needs neither.
    import httpx2
    from huggingface_hub import constants
    from huggingface_hub.errors import LocalEntryNotFoundError

    hub = settings.hub or constants.ENDPOINT
    attempt = _Attempt(model, hub, urlsplit(hub).netloc, settings)
    try:
        yield
    except ModelError:
        raise
    # A refusal of the hub is also a ValueError or an OSError, so refusal() comes first.
    except (httpx2.HTTPError, OSError, ValueError) as wrapped:
        # The library says that a file is not on this machine, because of the error below.
        error = wrapped.__cause__ if isinstance(wrapped, LocalEntryNotFoundError) else wrapped
        if not isinstance(error, Exception):
            error = wrapped
        text = attempt.refusal(error) or attempt.broken_connection(error)
        raise ModelError(text or attempt.of_disk_or_answer(error)) from error


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A download of ``model`` from ``hub``, whose name is ``host``."""

    model: PublicModel
    hub: str
    host: str
    settings: ModelSettings

    @property
    def name(self) -> str:
        return self.model.name_and_revision

    def refusal(self, error: Exception) -> str:
        """Explains what huggingface_hub objects to in a name, or the hub in a request; "" for other
        errors."""
        from huggingface_hub import errors

        for kind, text in _REFUSALS:
            if isinstance(error, getattr(errors, kind)):
                return text.format(
                    name=self.name,
                    model_id=self.model.model_id,
                    revision=self.model.revision,
                    hub=self.hub,
                    host=self.host,
                )
        if isinstance(error, errors.HfHubHTTPError):
            return self._of_status(error.response.status_code)
        return ""

    def broken_connection(self, error: Exception) -> str:
        """Explains what the network did; "" for other errors."""
        import httpx2

        if isinstance(error, httpx2.ConnectError):
            return (
                f"{self.host} cannot be reached, so {self.name} was not downloaded. Check the "
                "network and, if there is a proxy, HTTPS_PROXY. Without a network, copy the "
                "model's files to a folder and give that folder as a custom profile. " + _GOES_ON
            )
        if isinstance(error, httpx2.TimeoutException):
            return (
                f"{self.host} did not answer in time, so {self.name} was not downloaded. {_GOES_ON}"
            )
        if isinstance(error, httpx2.HTTPError):
            return (
                f"The connection to {self.host} broke while {self.name} was downloaded. {_GOES_ON}"
            )
        return ""

    def of_disk_or_answer(self, error: Exception) -> str:
        """Explains what the disk refused, or an answer that no hub gives."""
        if not isinstance(error, OSError):
            return (
                f"{self.host} did not answer as a model hub does ({error}), so {self.name} was not "
                "downloaded. A login page or a proxy may stand between; if "
                f"{HUB.variable} is set, check it."
            )
        folder = self.settings.folder
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return (
                f"The disk of {folder} is full, so {self.name} was not downloaded. Free space "
                "there (python -m provenance_core models remove), or set "
                f"{FOLDER.variable} to a folder on another disk. {_GOES_ON}"
            )
        if error.errno is not None:
            return (
                f"{self.name} cannot be written to {folder} ({error.strerror}). Set "
                f"{FOLDER.variable} to a folder that this program may read and write."
            )
        # huggingface_hub's word for a file that ended early.
        return f"The download of {self.name} from {self.host} ended early. {_GOES_ON}"

    def _of_status(self, status: int) -> str:
        host, name = self.host, self.name
        if status == 401:  # many hubs say so of a name that they do not have
            return (
                f"{host} does not give {name} to everybody (HTTP 401), or has no such model. "
                "Check the spelling (OWNER/NAME). For a private model set HF_TOKEN to an access "
                "token that may read it; if it is set, the token is wrong or expired."
            )
        if status == 403:
            return (
                f"{host} refused to give {name} (HTTP {status}). If HF_TOKEN is set, the token is "
                "not allowed to read this model: set another, or unset it."
            )
        if status == 429:
            return f"{host} says that too much was asked of it (HTTP 429). Wait a while. {_GOES_ON}"
        if status >= 500:
            return f"{host} has trouble of its own (HTTP {status}). Try again later. {_GOES_ON}"
        return (
            f"{host} refused the request for {name} (HTTP {status}). If {HUB.variable} is set, "
            "check that it is a model hub."
        )
