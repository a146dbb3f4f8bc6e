"""Sign-in by a real OpenID Connect provider on loopback, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NotShown

from tests.browser_app import opened, served

oidc_provider_mock = pytest.importorskip("oidc_provider_mock")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore:authlib.jose module is deprecated"),
    pytest.mark.filterwarnings("ignore:get_jwt_config"),
]
ADMIN = {"email": "ann@example.org", "email_verified": True, "groups": ["admin"]}
# What the provider says of them stands in the token in place of what would be right.
REFUSED = {
    "expired": {**ADMIN, "exp": 1_000_000_000},
    "wrong audience": {**ADMIN, "aud": "another application"},
    "wrong issuer": {**ADMIN, "iss": "http://another.example.org"},
    "replayed": {**ADMIN, "nonce": "of another sign-in"},
}
PEOPLE = {
    **REFUSED,
    "old": {**ADMIN, "iat": 1_000_000_000},
    "rob": {"email": "rob@example.org", "email_verified": True},
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
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sign_in")


@pytest.fixture(scope="module")
def address(provider: str, folder: Path) -> Iterator[str]:
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
reviewers = ["rob@example.org"]
''',
            encoding="utf-8",
        )
        return [f"--secrets.files={secrets}"]

    with served(folder, options) as base:
        yield base


def reload_until(page: Page, url: str, text: str) -> None:
    """Open the page until it shows the text: the server sees that a file changed only later."""
    for _ in range(12):
        page.goto(url)
        try:
            page.get_by_text(text).first.wait_for(timeout=5_000)
        except NotShown:
            continue
        return
    raise AssertionError(f"{url} never showed {text!r}")


def authorize(page: Page, address: str, who: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Sign in").click()
    page.locator("input[name=sub]").first.fill(who)
    page.get_by_role("button", name="Authorize").first.click()


def sign_in(page: Page, address: str, who: str) -> None:
    authorize(page, address, who)
    page.get_by_role("button", name="Sign out").wait_for()


def test_nothing_is_shown_before_and_the_role_counts_after(address: str, tmp_path: Path) -> None:
    with opened(tmp_path / "vic") as page:
        for link in ("history", "models", "audit?audit=1"):
            page.goto(f"{address}/{link}")
            page.get_by_role("button", name="Sign in").wait_for()
            expect(page.get_by_text("whether an answer is supported")).to_have_count(0)
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
        ("old", "Your sign-in has expired."),
    ],
)
def test_roles_of_a_real_token(address: str, tmp_path: Path, who: str, shown: str) -> None:
    with opened(tmp_path / who) as page:
        sign_in(page, address, who)
        page.get_by_text(shown).first.wait_for()


@pytest.mark.parametrize("who", REFUSED)
def test_a_token_that_is_not_for_this_sign_in_signs_nobody_in(
    address: str, folder: Path, tmp_path: Path, who: str
) -> None:
    failures = "OAuth token exchange failed"
    before = (folder / "server.log").read_text().count(failures)
    with opened(tmp_path / "profile") as page:
        authorize(page, address, who)
        page.wait_for_url(f"{address}/**")
        page.get_by_role("button", name="Sign in").wait_for()
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
        page.goto(f"{address}/history")
        page.get_by_role("button", name="Sign in").wait_for()
        expect(page.get_by_role("heading", name="History")).to_have_count(0)
    assert (folder / "server.log").read_text().count(failures) == before + 1


def test_a_wrong_key_is_named_until_it_is_mended(
    address: str, folder: Path, tmp_path: Path
) -> None:
    secrets = folder / "secrets.toml"
    before = secrets.read_text(encoding="utf-8")
    line = 1 + before.splitlines().index(
        f"reviewers = [{PEOPLE['rob']['email']!r}]".replace("'", '"')
    )
    with opened(tmp_path / "profile") as page:
        sign_in(page, address, "rob")
        try:
            secrets.write_text(before.replace("reviewers =", "reviewer ="), encoding="utf-8")
            reload_until(page, address, "Nobody can use Provenance until its secrets are fixed.")
            page.get_by_text(f"because of {secrets}, line {line}: [access] has reviewer").wait_for()
            page.get_by_text("write reviewers in its place").wait_for()
        finally:
            secrets.write_text(before, encoding="utf-8")
        reload_until(page, address, "rob@example.org (reviewer)")


def test_a_role_that_is_removed_counts_while_signed_in(
    address: str, folder: Path, tmp_path: Path
) -> None:
    secrets = folder / "secrets.toml"
    before = secrets.read_text(encoding="utf-8")
    with opened(tmp_path / "profile") as page:
        sign_in(page, address, "rob")
        page.get_by_text("rob@example.org (reviewer)").wait_for()
        page.goto(f"{address}/batch")
        page.get_by_role("heading", name="Batch").wait_for()
        try:
            secrets.write_text(before.replace("rob@example.org", ""), encoding="utf-8")
            reload_until(page, f"{address}/batch", "Your account has no role here.")
            expect(page.get_by_role("heading", name="Batch")).to_have_count(0)
        finally:
            secrets.write_text(before, encoding="utf-8")
