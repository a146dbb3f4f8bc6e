"""Turns what goes wrong during a download into messages that say what to do."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from urllib.parse import urlsplit

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import PublicModel
from provenance_core.models.settings import FOLDER, HUB, ModelSettings

_GOES_ON = "Files that arrived are kept: try again, and the others are fetched."
# By the error of huggingface_hub. The first class that fits counts: later ones are base classes of
# earlier ones.
_REFUSALS = {
    "HFValidationError": "{model_id!r} is no name of a model. A name is OWNER/NAME, as on the "
    "hub's page of the model; a folder is given with a / or ./ in front.",
    "OfflineModeIsEnabled": "{name} is not downloaded, and HF_HUB_OFFLINE forbids to download it. "
    "Unset HF_HUB_OFFLINE, or copy the model's files to a folder and give that folder as a custom "
    "profile.",
    "GatedRepoError": "{name} is gated: its owner gives it to those who accept the terms. Accept "
    "them on {hub}/{model_id} with an account there, make an access token, set HF_TOKEN to it, "
    "start this program again and try again.",
    "RevisionNotFoundError": "{model_id} has no branch, tag or commit {revision!r} at {host}. "
    "Check what follows the @; without it, the branch main is taken.",
    "RepositoryNotFoundError": "There is no model {model_id} at {host}, or it is private. Check "
    "the spelling (OWNER/NAME); for a private model set HF_TOKEN to an access token that may read "
    "it.",
    "DisabledRepoError": "{host} no longer gives out {model_id}. Choose another model.",
    "RemoteEntryNotFoundError": "A file of {name} that {host} lists is not there. Its owner may be "
    "changing the model: try again later.",
}
_STATUSES = {
    # Many hubs say so of a name that they do not have.
    401: "{host} does not give {name} to everybody (HTTP 401), or has no such model. Check the "
    "spelling (OWNER/NAME). For a private model set HF_TOKEN to an access token that may read it; "
    "if it is set, the token is wrong or expired.",
    403: "{host} refused to give {name} (HTTP 403). If HF_TOKEN is set, the token is not allowed "
    "to read this model: set another, or unset it.",
    429: f"{{host}} says that too much was asked of it (HTTP 429). Wait a while. {_GOES_ON}",
}
_TROUBLE = f"{{host}} has trouble of its own (HTTP {{status}}). Try again later. {_GOES_ON}"
_OTHER_STATUS = (
    f"{{host}} refused the request for {{name}} (HTTP {{status}}). If {HUB.variable} is set, check "
    "that it is a model hub."
)
# By the error of httpx2.
_CONNECTIONS = {
    "ConnectError": "{host} cannot be reached, so {name} was not downloaded. Check the network "
    "and, if there is a proxy, HTTPS_PROXY. Without a network, copy the model's files to a folder "
    f"and give that folder as a custom profile. {_GOES_ON}",
    "TimeoutException": f"{{host}} did not answer in time, so {{name}} was not downloaded. "
    f"{_GOES_ON}",
    "HTTPError": f"The connection to {{host}} broke while {{name}} was downloaded. {_GOES_ON}",
}
_NO_HUB = (
    "{host} did not answer as a model hub does ({error}), so {name} was not downloaded. A login "
    f"page or a proxy may stand between; if {HUB.variable} is set, check it."
)
_FULL = (
    "The disk of {folder} is full, so {name} was not downloaded. Free space there (python -m "
    f"provenance_core models remove), or set {FOLDER.variable} to a folder on another disk. "
    f"{_GOES_ON}"
)
_UNWRITABLE = (
    f"{{name}} cannot be written to {{folder}} ({{error.strerror}}). Set {FOLDER.variable} to a "
    "folder that this program may read and write."
)
# huggingface_hub's word for a file that ended early is an OSError without a number.
_ENDED_EARLY = f"The download of {{name}} from {{host}} ended early. {_GOES_ON}"


@contextlib.contextmanager
def explained(model: PublicModel, settings: ModelSettings) -> Iterator[None]:
    """Raises ModelError, with what to do, where the hub refused, the connection broke, or the disk
    is full or not writable."""
    # Imported here because the embedded profile needs neither.
    import httpx2
    from huggingface_hub import constants
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        yield
    except ModelError:
        raise
    except (httpx2.HTTPError, OSError, ValueError) as wrapped:
        # The library says that a file is not on this machine, because of the error below.
        cause = wrapped.__cause__ if isinstance(wrapped, LocalEntryNotFoundError) else None
        error = cause if isinstance(cause, Exception) else wrapped
        hub = settings.hub or constants.ENDPOINT
        text = _message(error).format(
            name=model.name_and_revision,
            model_id=model.model_id,
            revision=model.revision,
            hub=hub,
            host=urlsplit(hub).netloc,
            folder=settings.folder,
            error=error,
            status=_status(error),
        )
        raise ModelError(text) from error


def _message(error: Exception) -> str:
    """The message that fits, with places for the names. A refusal of the hub is also a ValueError
    or an OSError, so it comes first."""
    import httpx2
    from huggingface_hub import errors

    for kind, text in _REFUSALS.items():
        if isinstance(error, getattr(errors, kind)):
            return text
    if (status := _status(error)) is not None:
        return _STATUSES.get(status) or (_TROUBLE if status >= 500 else _OTHER_STATUS)
    for kind, text in _CONNECTIONS.items():
        if isinstance(error, getattr(httpx2, kind)):
            return text
    if not isinstance(error, OSError):
        return _NO_HUB
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _FULL
    return _ENDED_EARLY if error.errno is None else _UNWRITABLE


def _status(error: Exception) -> int | None:
    """The HTTP status with which the hub refused; None for other errors."""
    from huggingface_hub.errors import HfHubHTTPError

    return error.response.status_code if isinstance(error, HfHubHTTPError) else None
