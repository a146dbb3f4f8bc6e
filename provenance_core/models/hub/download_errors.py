"""Turns what goes wrong during a download into messages that say what to do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from urllib.parse import urlsplit

from provenance_core.errors import ModelError
from provenance_core.models.catalogue.profiles import PublicModel
from provenance_core.models.settings import FOLDER, HUB, ModelSettings

_GOES_ON = "Files that arrived are kept: try again, and the others are fetched."
# By the error of huggingface_hub, of httpx2 or of Python. The first class that fits counts: later
# ones are base classes of earlier ones.
_MESSAGES = {
    "HFValidationError": "{model_id!r} is no name of a model. A name is OWNER/NAME, as on the "
    "hub's page of the model; a folder is given with a / or ./ in front.",
    "OfflineModeIsEnabled": "{name} is not downloaded, and HF_HUB_OFFLINE forbids to download it. "
    "Unset HF_HUB_OFFLINE.",
    "GatedRepoError": "{name} is gated: its owner gives it to those who accept the terms. Accept "
    "them on {hub}/{model_id} with an account there, set HF_TOKEN to an access token of it, start "
    "this program again and try again.",
    "RevisionNotFoundError": "{model_id} has no branch, tag or commit {revision!r} at {host}. "
    "Check what follows the @; without it, the branch main is taken.",
    "RepositoryNotFoundError": "There is no model {model_id} at {host}, or it is private. Check "
    "the spelling (OWNER/NAME); for a private model set HF_TOKEN to an access token that may read "
    "it.",
    "HfHubHTTPError": "{host} refused to give {name} (HTTP {status}). Wait a while and try again. "
    "Check the spelling (OWNER/NAME), the access token in HF_TOKEN, which a private model needs, "
    f"and {HUB.variable}, if it is set. {_GOES_ON}",
    "ConnectError": "{host} cannot be reached, so {name} was not downloaded. Check the network "
    "and, if there is a proxy, HTTPS_PROXY. Without a network, copy the model's files to a folder "
    f"and give that folder as a custom profile. {_GOES_ON}",
    "HTTPError": "The connection to {host} broke, or it did not answer in time, while {name} was "
    f"downloaded. {_GOES_ON}",
    "OSError": "{name} cannot be written to {folder} ({error.strerror}). Free space there (python "
    f"-m provenance_core models remove), or set {FOLDER.variable} to a folder on another disk that "
    f"this program may write to. {_GOES_ON}",
    "ValueError": "{host} did not answer as a model hub does ({error}), so {name} was not "
    f"downloaded. A login page or a proxy may stand between; if {HUB.variable} is set, check it.",
}


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
        names = [kind.__name__ for kind in type(error).__mro__]
        kind = next(kind for kind in _MESSAGES if kind in names)
        # huggingface_hub's word for a file that ended early is an OSError without a number.
        if kind == "OSError" and isinstance(error, OSError) and error.errno is None:
            kind = "HTTPError"
        raise ModelError(
            _MESSAGES[kind].format(
                name=model.name_and_revision,
                model_id=model.model_id,
                revision=model.revision,
                hub=hub,
                host=urlsplit(hub).netloc,
                folder=settings.folder,
                error=error,
                status=getattr(getattr(error, "response", None), "status_code", None),
            )
        ) from error
