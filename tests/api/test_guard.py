"""Who may call: tokens of a provider, roles of the pages, and this machine alone without them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

from api.access.secrets import read_secrets
from api.access.tokens import ProviderUnreachable, TokenChecker, fetch_json
from api.app import create_app
from api.guard import Guard
from provenance_core import InputError
from storage.actions import action_log
from tests.api.conftest import BRIDGE, wrong

ISSUER = "https://login.example.org"
SECRETS = f"""[auth]
client_id = "provenance"
api_audience = "https://provenance.example.org"
server_metadata_url = "{ISSUER}/.well-known/openid-configuration"

[access]
admins = ["ann@example.org"]
role_claim = "groups"
"""


@pytest.fixture(scope="module")
def key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "one"})


class Provider:
    """The documents of a provider, and how often they were asked for."""

    def __init__(self, key: RSAKey) -> None:
        self.keys = [key]
        self.asked = 0

    def fetch(self, url: str) -> Any:
        if url.endswith("openid-configuration"):
            return {"issuer": ISSUER, "jwks_uri": f"{ISSUER}/keys"}
        self.asked += 1
        return KeySet(self.keys).as_dict(private=False)


@pytest.fixture
def provider(key) -> Provider:
    return Provider(key)


@pytest.fixture
def files(tmp_path) -> list[Path]:
    file = tmp_path / "secrets.toml"
    file.write_text(SECRETS, encoding="utf-8")
    return [file]


@pytest.fixture
def client(program, url, provider, files) -> TestClient:
    program.state.guard = Guard(lambda: "0.0.0.0", lambda: files, TokenChecker(provider.fetch))
    return TestClient(program, base_url="https://provenance.example.org")


def token(key: Any, algorithm: str = "RS256", **claims: Any) -> dict[str, str]:
    """The header with a token that holds, but for ``claims``."""
    now = int(time.time())
    found = {
        "iss": ISSUER, "aud": "provenance", "sub": "1", "email": "ben@example.org",
        "email_verified": True,
        "iat": now, "exp": now + 600, **claims,
    }  # fmt: skip
    header = {"alg": algorithm, **({"kid": key.kid} if key.kid else {})}
    kept = {name: value for name, value in found.items() if value is not None}
    return {"Authorization": f"Bearer {jwt.encode(header, kept, key)}"}


def test_roles_are_those_of_the_pages(client, key):
    audits, body = "/api/v1/audits", {**BRIDGE, "answer": ""}
    assert client.get(audits, headers=token(key, groups="viewer")).status_code == 200
    refused = client.post(audits, json=body, headers=token(key, groups="viewer"))
    assert refused.status_code == 403
    assert "This needs the role reviewer" in wrong(refused)[""]
    for claims in ({"groups": ["reviewer"]}, {"email": "ann@example.org"}):
        # The right comes first, then what is wrong with the request.
        assert client.post(audits, json=body, headers=token(key, **claims)).status_code == 422
    nobody = client.get(audits, headers=token(key))
    assert nobody.status_code == 403
    assert "no role" in wrong(nobody)[""]
    for verified in (False, None):  # None: the token says nothing of it
        unverified = token(key, email="ann@example.org", email_verified=verified)
        assert client.get(audits, headers=unverified).status_code == 403


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"aud": "another"}, "aud"),
        ({"aud": None}, "aud"),
        ({"iss": "https://login.example.com"}, "iss"),
        ({"exp": int(time.time()) - 120}, "expired"),
        ({"exp": None}, "exp"),
        ({"iat": None}, "iat"),
        ({"nbf": int(time.time()) + 9_999}, "token"),
    ],
)
def test_a_token_for_another_or_of_another_time_is_refused(client, key, claims, message):
    response = client.get("/api/v1/audits", headers=token(key, groups="admin", **claims))
    assert response.status_code == 401
    assert 'error="invalid_token"' in response.headers["www-authenticate"]
    assert message in wrong(response)[""]


def test_an_access_token_names_the_audience_of_the_interface(client, key):
    header = token(key, groups="viewer", aud=["https://provenance.example.org"])
    assert client.get("/api/v1/audits", headers=header).status_code == 200


def test_a_token_that_the_provider_did_not_sign_is_refused(client, key):
    other = RSAKey.generate_key(2048, {"kid": "one"})
    shared = OctKey.generate_key(256)
    valid = token(key, groups="admin")["Authorization"]
    head, body, _ = valid.split(".")
    for header in (
        token(other, groups="admin"),
        token(shared, "HS256", groups="admin"),
        {"Authorization": f"{head}.{body}."},
        {"Authorization": "Bearer x"},
        {"Authorization": "Bearer ."},
    ):
        assert client.get("/api/v1/audits", headers=header).status_code == 401
    missing = client.get("/api/v1/audits")
    assert missing.status_code == 401
    assert "Authorization: Bearer TOKEN" in wrong(missing)[""]


def test_a_new_key_of_the_provider_is_asked_for_and_no_flood_of_them(client, provider, monkeypatch):
    new = RSAKey.generate_key(2048, {"kid": "two"})
    provider.keys = [*provider.keys, new]
    for _ in range(3):
        assert client.get("/api/v1/audits", headers=token(new, groups="viewer")).is_success
    assert provider.asked == 1
    newer = RSAKey.generate_key(2048, {"kid": "three"})
    for _ in range(3):
        assert client.get("/api/v1/audits", headers=token(newer, groups="viewer")).is_error
    assert provider.asked == 1
    monkeypatch.setattr("api.access.tokens._ASK_AGAIN", 0.0)
    provider.keys = [newer]
    assert client.get("/api/v1/audits", headers=token(newer, groups="viewer")).is_success


def test_the_signed_in_judge_as_themselves(client, key, url, provenance):
    from storage import AuditStore

    number = AuditStore.open(url).save(provenance.audit(**BRIDGE))
    here, header = f"/api/v1/audits/{number}/reviews", token(key, groups="reviewer")
    body = {"judgement": {"verdict": "supported"}}
    assert client.post(here, json=body, headers=header).json()["reviewer"] == "ben@example.org"
    other = client.post(here, json={**body, "reviewer": "Ann"}, headers=header)
    assert "judge as such" in wrong(other)["body.reviewer"]
    # The same person in another spelling writes the next version, and nobody else does.
    again = token(key, groups="reviewer", email="BEN@Example.org")
    kept = client.post(here, json={**body, "reviewer": "Ben@example.ORG"}, headers=again).json()
    assert (kept["reviewer"], kept["version"]) == ("ben@example.org", 2)
    for claims in (
        {"email_verified": False},
        {"email_verified": None},
        {"email": None, "name": "ben@example.org"},
        {"email": None, "sub": "ben@example.org"},
    ):
        stranger = token(key, groups="reviewer", **{"sub": "2", **claims})
        kept = client.post(here, json=body, headers=stranger).json()
        assert kept["reviewer"].startswith("ben@example.org (")
        said = client.post(here, json={**body, "reviewer": "ben@example.org"}, headers=stranger)
        assert "judge as such" in wrong(said)["body.reviewer"]
    lines = [json.loads(line) for line in action_log().read_text(encoding="utf-8").splitlines()]
    assert len({line["identity"] for line in lines}) == 3
    assert all(len(line["identity"]) == 64 for line in lines)


@pytest.mark.parametrize("address", ["0.0.0.0", None, "", "192.0.2.1"])
def test_without_sign_in_only_this_machine_is_answered(url, monkeypatch, address):
    monkeypatch.delenv("PROVENANCE_OPEN_TO_NETWORK", raising=False)
    client = TestClient(create_app(Guard(lambda: address, lambda: ())))
    response = client.get("/api/v1/audits")
    assert response.status_code == 403
    assert "PROVENANCE_OPEN_TO_NETWORK=1" in wrong(response)[""]
    monkeypatch.setenv("PROVENANCE_OPEN_TO_NETWORK", "1")
    assert client.get("/api/v1/audits").status_code == 200


def test_secrets_that_cannot_be_read_let_nobody_in(url, tmp_path):
    file = tmp_path / "secrets.toml"
    file.write_text("[auth", encoding="utf-8")
    client = TestClient(create_app(Guard(lambda: "127.0.0.1", lambda: [file])))
    response = client.get("/api/v1/audits")
    assert response.status_code == 503
    assert "Fix" in wrong(response)[""]
    with pytest.raises(InputError, match="nobody can sign in"):
        read_secrets([file])


def test_a_provider_that_cannot_be_asked(files, url, key):
    guard = Guard(lambda: "127.0.0.1", lambda: files)
    client = TestClient(create_app(guard), base_url="http://127.0.0.1")
    files[0].write_text(SECRETS.replace(ISSUER, "http://127.0.0.1:9"), encoding="utf-8")
    response = client.get("/api/v1/audits", headers=token(key))
    assert response.status_code == 503
    assert "server_metadata_url" in wrong(response)[""]
    with pytest.raises(ProviderUnreachable):
        fetch_json("file:///etc/passwd")
