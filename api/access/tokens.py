"""Bearer tokens of the OpenID Connect provider that the pages sign in with."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from provenance_core.errors import InputError

# Signed by the provider's private key. With a shared secret (HS256), who checks could also sign.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"]
_SECONDS = 10.0
# The provider's keys are asked for again after this time, and at most so often for a new one.
_KEEP, _ASK_AGAIN = 600.0, 30.0
_LEEWAY = 30  # seconds that two clocks may differ
_LARGEST = 1_000_000  # bytes of the provider's documents


class TokenRefused(InputError):
    """The token is not one that the provider gave for this program; the message says why."""


class ProviderUnreachable(InputError):
    """The provider cannot be asked for its keys."""


@dataclass(frozen=True, slots=True)
class _Provider:
    issuer: str
    keys: KeySet
    asked: float


def fetch_json(url: str) -> Any:
    """Read the JSON at an address, within 10 seconds and 1 MB. Raises ProviderUnreachable where the
    address is not of the web, does not answer, or sends no JSON."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise ProviderUnreachable(
            f"{url!r} is no web address. Fix server_metadata_url under [auth] in the secrets."
        )
    try:
        with urlopen(url, timeout=_SECONDS) as reply:
            return json.loads(reply.read(_LARGEST))
    except (URLError, OSError, ValueError) as error:
        raise ProviderUnreachable(
            f"The sign-in provider cannot be asked for its keys ({error}). Try again, or check "
            "server_metadata_url in the secrets."
        ) from error


class TokenChecker:
    """Checks tokens of one provider; share one of these in a process. ``fetch``: reads the JSON of
    an address."""

    def __init__(self, fetch: Callable[[str], Any] = fetch_json) -> None:
        self._fetch = fetch
        self._providers: dict[str, _Provider] = {}
        self._lock = threading.Lock()

    def claims(self, token: str, auth: Mapping[str, Any]) -> dict[str, Any]:
        """The claims of a token whose signature, issuer, audience and times hold, with
        ``is_logged_in``. ``auth``: the section ``[auth]``: ``server_metadata_url``, ``client_id``,
        and ``api_audience`` (a text or a list) where access tokens name another audience than the
        client. Raises TokenRefused where the token does not hold, and ProviderUnreachable where the
        provider cannot be asked for its keys."""
        url = str(auth.get("server_metadata_url", ""))
        provider = self._provider(url, _KEEP)
        try:
            read = self._read(token, provider)
        except TokenRefused:
            # The provider may have new keys.
            if time.monotonic() - provider.asked < _ASK_AGAIN:
                raise
            provider = self._provider(url, _ASK_AGAIN)
            read = self._read(token, provider)
        audiences = auth.get("api_audience", ())
        accepted = [audiences] if isinstance(audiences, str) else [*audiences]
        wanted = jwt.JWTClaimsRegistry(
            leeway=_LEEWAY,
            iss={"essential": True, "value": provider.issuer},
            aud={"essential": True, "values": [str(auth.get("client_id", "")), *accepted]},
            exp={"essential": True},
            iat={"essential": True},
        )
        try:
            wanted.validate(read)
        except JoseError as error:
            raise TokenRefused(
                f"The token cannot be used: {error}. Sign in again and send the new one."
            ) from error
        return {**read, "is_logged_in": True}

    def _read(self, token: str, provider: _Provider) -> dict[str, Any]:
        try:
            return dict(jwt.decode(token, provider.keys, algorithms=_ALGORITHMS).claims)
        except (JoseError, ValueError) as error:
            raise TokenRefused(
                f"The token cannot be read: {error}. Send one that the sign-in provider of "
                "Provenance signed."
            ) from error

    def _provider(self, url: str, keep: float) -> _Provider:
        with self._lock:
            found = self._providers.get(url)
            if found is None or time.monotonic() - found.asked > keep:
                found = self._providers[url] = self._asked(url)
            return found

    def _asked(self, url: str) -> _Provider:
        try:
            about = self._fetch(url)
            keys = KeySet.import_key_set(self._fetch(about["jwks_uri"]))
            return _Provider(str(about["issuer"]), keys, time.monotonic())
        except (KeyError, TypeError, ValueError, JoseError) as error:
            if isinstance(error, ProviderUnreachable):
                raise
            raise ProviderUnreachable(
                f"The sign-in provider's metadata at {url} cannot be used ({error!r}). Check "
                "server_metadata_url in the secrets."
            ) from error
