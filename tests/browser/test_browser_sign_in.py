"""Sign-in by a real OpenID Connect provider on loopback, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser_app import opened, served

oidc_provider_mock = pytest.importorskip("oidc_provider_mock")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore:authlib.jose module is deprecated"),
]
PEOPLE = {
    "ann": {"email": "ann@example.org", "email_verified": True, "groups": ["admin"]},
    "vic": {"email": "vic@example.org", "email_verified": True, "groups": ["viewer"]},
    "eve": {"email": "eve@example.org", "email_verified": True},
    "mal": {"email": "ann@example.org", "email_verified": False},
}


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    people = [oidc_provider_mock.User(sub=sub, claims=claims) for sub, claims in PEOPLE.items()]
    with oidc_provider_mock.run_server_in_thread(user_claims=people) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.fixture(scope="module")
def address(provider: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("sign_in")

    def options(port: int) -> Sequence[str]:
        secrets = folder / "secrets.toml"
        secrets.write_text(
            f'''[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
cookie_secret = "{"c" * 64}"
client_id = "provenance"
client_secret = "{"s" * 32}"
server_metadata_url = "{provider}/.well-known/openid-configuration"

[access]
role_claim = "groups"
admins = ["mal@example.org", "ann@example.org"]
''',
            encoding="utf-8",
        )
        return [f"--secrets.files={secrets}"]

    with served(folder, options) as base:
        yield base


def sign_in(page: Page, address: str, who: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Sign in").click()
    page.locator("input[name=sub]").first.fill(who)
    page.get_by_role("button", name="Authorize").first.click()
    page.get_by_role("button", name="Sign out").wait_for()


def test_nothing_is_shown_before_and_the_role_counts_after(address: str, tmp_path: Path) -> None:
    with opened(tmp_path / "vic") as page:
        for link in ("history", "models", "audit?audit=1"):
            page.goto(f"{address}/{link}")
            page.get_by_role("button", name="Sign in").wait_for()
            expect(page.get_by_text("Is the answer supported")).to_have_count(0)
        sign_in(page, address, "vic")
        page.get_by_text("vic@example.org (viewer)").wait_for()
        page.goto(f"{address}/models")
        page.get_by_text("This needs the role admin.").wait_for()
        page.goto(f"{address}/history")
        page.get_by_role("heading", name="History").wait_for()


@pytest.mark.parametrize(
    ("who", "shown"),
    [
        ("ann", "ann@example.org (admin)"),
        # A missing claim, and another's address that nobody verified.
        ("eve", "Your account has no role here."),
        ("mal", "Your account has no role here."),
    ],
)
def test_roles_of_a_real_token(address: str, tmp_path: Path, who: str, shown: str) -> None:
    with opened(tmp_path / who) as page:
        sign_in(page, address, who)
        page.get_by_text(shown).first.wait_for()
