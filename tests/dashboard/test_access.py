"""Who may come in and what they may do: sign-in, roles, every page and every write."""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from api.access.addresses import is_loopback, open_address
from api.access.identity import identity_of
from api.access.roles import Role, access_fault, visitor_of
from dashboard.shared import access
from provenance_core import Parameters, assemble
from provenance_core.review.checks import folded_name
from storage import AuditStore
from storage.actions import action_log
from tests.app_page import PATIENCE
from tests.conftest import APP, hand_evidence
from tests.wording import assert_shows

NOW = 1_800_000_000.0
ANN = {
    "is_logged_in": True, "iss": "https://login.example.org", "sub": "248", "iat": NOW - 60,
    "email": "Ann@example.org", "email_verified": True,
}  # fmt: skip
TABLE = {"admins": ["ann@example.org"], "reviewers": ["ben@example.org"]}


@pytest.mark.parametrize(
    ("claims", "settings", "role"),
    [
        (ANN, TABLE, Role.ADMIN),
        ({**ANN, "email": "ben@EXAMPLE.org"}, TABLE, Role.REVIEWER),
        ({**ANN, "email": "eve@example.org"}, TABLE, None),
        ({**ANN, "email": "eve@example.org"}, {**TABLE, "default_role": "viewer"}, Role.VIEWER),
        ({**ANN, "is_logged_in": False}, TABLE, None),
        ({}, TABLE, None),
        ({**ANN, "sub": None}, {"default_role": "viewer"}, None),
        ({**ANN, "sub": " "}, {"default_role": "viewer"}, None),
        ({**ANN, "email": None}, {"default_role": "viewer"}, Role.VIEWER),
        # An address that nobody verified, an old token, and one that does not say its age.
        ({**ANN, "email_verified": False}, TABLE, None),
        ({**ANN, "email_verified": "true"}, TABLE, None),
        ({**ANN, "email_verified": None}, TABLE, None),
        ({key: ANN[key] for key in ANN if key != "email_verified"}, TABLE, None),
        ({**ANN, "iat": NOW - 13 * 3600}, TABLE, None),
        ({**ANN, "iat": NOW - 13 * 3600}, {**TABLE, "session_hours": 24}, Role.ADMIN),
        ({**ANN, "iat": None}, TABLE, None),
        # A claim, as a text or a list; what is no role of ours says nothing.
        ({**ANN, "groups": ["staff", "reviewer"]}, {"role_claim": "groups"}, Role.REVIEWER),
        ({**ANN, "groups": "admin"}, {"role_claim": "groups"}, Role.ADMIN),
        ({**ANN, "groups": ["Admin", "root", 3, None]}, {"role_claim": "groups"}, None),
        ({**ANN, "groups": {"admin": True}}, {"role_claim": "groups"}, None),
        (ANN, {"role_claim": "groups"}, None),
        ({**ANN, "groups": "admin"}, {}, None),
    ],
)
def test_roles(claims: dict, settings: dict, role: Role | None) -> None:
    found = visitor_of(claims, settings, NOW)
    assert found.role is role
    assert bool(found.refused) is (role is None)


def test_the_lists_may_name_the_identity_of_an_unverified_address() -> None:
    unsaid = {key: ANN[key] for key in ANN if key != "email_verified"}
    found = visitor_of(unsaid, TABLE, NOW)
    assert "email_verified" in found.refused and found.id in found.refused
    named = {"reviewers": [found.id.upper()]}
    assert visitor_of(unsaid, named, NOW).role is Role.REVIEWER
    assert visitor_of({**unsaid, "sub": "249"}, named, NOW).role is None
    assert "email_verified" not in visitor_of({**ANN, "email": "x@y.org"}, TABLE, NOW).refused


BEN = "ben@example.org"


@pytest.mark.parametrize(
    "claims",
    [
        {"email": BEN, "email_verified": False},
        {"email": BEN, "email_verified": None},
        {"email": BEN, "email_verified": "true"},
        {"email": None, "name": BEN},
        {"email": None, "sub": BEN},
        {"email": None, "name": f"{BEN} " + "x" * 90},
    ],
)
def test_nobody_is_shown_as_another(claims: dict) -> None:
    ben = identity_of({**ANN, "sub": "7", "email": BEN})
    other = identity_of({**ANN, **claims})
    assert ben and other
    assert ben.name == BEN
    assert other.id != ben.id
    assert folded_name(other.name) != folded_name(ben.name)
    assert BEN in other.name and len(other.name) <= 80


def test_one_identity_has_one_name_in_every_case_and_unicode_form() -> None:
    forms = ("ÅSA@example.org", "åsa@EXAMPLE.org", "A\u030asa@example.org", " åsa@example.org")
    found = {identity_of({**ANN, "email": form}) for form in forms}
    assert len(found) == 1
    # Issuer and subject tell two people of one name apart.
    nameless = {**ANN, "email": None, "name": "Ben"}
    others = [nameless, {**nameless, "sub": "7"}, {**nameless, "iss": "https://other.example.org"}]
    names = {identity.name for each in others if (identity := identity_of(each))}
    assert len(names) == 3
    assert all(name.startswith("Ben (") for name in names)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"admins": "ann@example.org"}, "admins, which must be a list of e-mail addresses"),
        ({"session_hours": "a day"}, "session_hours = 'a day', which must be a number above 0"),
        ({"session_hours": float("nan")}, "session_hours = nan, which must be a number above 0"),
        ({"default_role": "Viewer"}, "must be one of viewer, reviewer, admin"),
        ({"admin": ["ann@example.org"]}, "admin, which is none of viewers, reviewers, admins"),
    ],
)
def test_a_wrong_setting_gives_nobody_a_role_and_is_named(settings: dict, said: str) -> None:
    found = visitor_of(ANN, {**TABLE, **settings}, NOW)
    assert found.role is None
    assert said in found.refused


def test_a_wrong_setting_is_named_with_file_line_and_what_to_write(tmp_path: Path) -> None:
    file = tmp_path / "secrets.toml"
    wrong = "[auth]\nadmin = 1\n\n[access] # who\n# admin = []\n\nadmin = ['ann@example.org']\n"
    file.write_text(wrong, encoding="utf-8")
    settings = tomllib.loads(wrong)["access"]
    missing = tmp_path / "none.toml"
    refused = visitor_of(ANN, settings, NOW, (missing, file)).refused
    assert f"because of {file}, line 7: [access] has admin, which" in refused
    assert "admin, which is none of" in refused and "write admins in its place" in refused
    assert "ann@" not in refused
    assert access_fault({"colour": 1}).endswith(
        "session_hours; leave it out. Fix it and save the file."
    )
    file.write_text("access.session_hours = 0\n", encoding="utf-8")
    assert f"because of {file}, line 1: [access] has" in access_fault({"session_hours": 0}, (file,))
    assert access_fault(TABLE, (file,)) == ""


def test_the_page_names_a_wrong_key_as_the_log_does(signed_in, caplog) -> None:
    access._say_once.cache_clear()
    app = signed_in("admin", access_section={"admin": ["ann@example.org"]})
    assert [each.value for each in app.error] == snapshot(
        ["Nobody can use Provenance until its secrets are fixed."]
    )
    (logged,) = [r.getMessage() for r in caplog.records if "access_refused" in r.getMessage()]
    fault = logged.removeprefix("event=access_refused ")
    assert_shows(fault, snapshot("write admins in its place"))
    assert app.text[0].value == f"{fault}\nThen load this page again."
    assert "Sign out" in [button.label for button in app.button]


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("127.0.0.1", True), ("127.0.0.2", True), ("::1", True), ("localhost", True),
        (None, False), ("", False), ("0.0.0.0", False), ("::", False), ("192.0.2.1", False),
        ("example.org", False), ("127.0.0.1.example.org", False),
    ],
)  # fmt: skip
def test_only_this_machine_without_sign_in(
    monkeypatch: pytest.MonkeyPatch, address: str | None, loopback: bool
) -> None:
    monkeypatch.delenv("PROVENANCE_OPEN_TO_NETWORK", raising=False)
    assert is_loopback(address) is loopback
    assert bool(open_address(address, signs_in=False)) is not loopback
    assert not open_address(address, signs_in=True)
    monkeypatch.setenv("PROVENANCE_OPEN_TO_NETWORK", "1")
    assert not open_address(address, signs_in=False)


@pytest.fixture
def saved(url: str) -> AuditStore:
    store = AuditStore.open(url)
    store.save(assemble(hand_evidence([1.0], [[0.9]]), Parameters()))
    return store


@pytest.fixture
def signed_in(saved: AuditStore, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """The app with sign-in turned on, for somebody with that role."""
    monkeypatch.setattr(access.time, "time", lambda: NOW)

    def start(
        role: str | None, access_section: dict[str, object] | None = None, **claims: object
    ) -> AppTest:
        found = {**ANN, "groups": [role] if role else [], **claims}
        monkeypatch.setattr(access, "_claims", lambda: found)
        app = AppTest.from_file(APP, default_timeout=PATIENCE)
        app.secrets["auth"] = {"client_id": "x"}
        app.secrets["access"] = access_section or {"role_claim": "groups"}
        return app.run()

    return start


def shown(app: AppTest) -> str:
    assert not app.exception
    plain = [str(each.value) for each in [*app.error, *app.text, *app.caption]]
    return "\n".join([*plain, *(element.proto.body for element in app.get("html"))])


def test_nobody_sees_anything_before_signing_in(signed_in: Callable[..., AppTest]) -> None:
    app = signed_in(None, is_logged_in=False)
    for page in ("audit", "history", "review", "models", "batch", "compare", "thresholds"):
        app.switch_page(f"pages/{page}.py").run()
        assert_shows(shown(app), snapshot("Sign in to use Provenance."))
        assert [button.label for button in app.button] == ["Sign in"]
        assert not app.html or "Answer" not in "".join(each.value for each in app.html)


def test_an_account_without_a_role_sees_nothing(signed_in: Callable[..., AppTest]) -> None:
    app = signed_in(None)
    assert_shows(shown(app), snapshot("Your account has no role here."))
    assert [button.label for button in app.button] == ["Sign out"]


@pytest.mark.parametrize(
    ("role", "refused"),
    [("viewer", ["batch", "review", "models"]), ("reviewer", ["models"]), ("admin", [])],
)
def test_pages_by_role(signed_in: Callable[..., AppTest], role: str, refused: list[str]) -> None:
    app = signed_in(role)
    for page in ("audit", "batch", "review", "history", "compare", "benchmarks", "models"):
        app.switch_page(f"pages/{page}.py").run()
        assert ("This needs the role" in shown(app)) is (page in refused), page
        assert f"ann@example.org ({role})" in shown(app)


def delete_first(app: AppTest) -> AppTest:
    app.switch_page("pages/history.py")
    app.query_params["open"] = "1"
    app.run()
    app.button(key="delete_1").click().run()
    return app.button(key="confirm_delete").click().run()


def test_who_may_delete(saved: AuditStore, signed_in: Callable[..., AppTest]) -> None:
    for role in ("viewer", "reviewer"):
        assert_shows(shown(delete_first(signed_in(role))), snapshot("This needs the role admin."))
        saved.load(1)
    delete_first(signed_in("admin"))
    assert saved.page.__self__ is saved
    lines = [json.loads(line) for line in action_log().read_text(encoding="utf-8").splitlines()]
    assert [(line["who"], line["role"], line["action"], line["numbers"]) for line in lines] == [
        ("ann@example.org", "admin", "delete an audit", [1])
    ]
    identity = identity_of(ANN)
    assert identity
    assert lines[0]["identity"] == identity.id


def test_a_role_removed_while_signed_in(
    saved: AuditStore, signed_in: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = signed_in("admin")
    app.switch_page("pages/history.py")
    app.query_params["open"] = "1"
    app.run()
    app.button(key="delete_1").click().run()
    monkeypatch.setattr(access, "_claims", lambda: {**ANN, "groups": ["viewer"]})
    app.button(key="confirm_delete").click().run()
    assert_shows(shown(app), snapshot("This needs the role admin."))
    saved.load(1)
    monkeypatch.setattr(access, "_claims", lambda: {**ANN, "iat": 0, "groups": ["admin"]})
    assert_shows(shown(app.run()), snapshot("Your sign-in has expired."))


def test_the_reviewers_name_comes_from_the_token(signed_in: Callable[..., AppTest]) -> None:
    app = signed_in("reviewer")
    app.session_state["reviewer"] = "somebody else"
    app.switch_page("pages/review.py").run()
    assert "Reviewer: ann@example.org" in shown(app)
    assert not [box for box in app.text_input if box.label == "Reviewer"]


def test_an_open_address_draws_no_page(saved: AuditStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access.st, "get_option", lambda name: "0.0.0.0")
    monkeypatch.setattr(access, "_damaged_secrets", lambda: False)
    monkeypatch.delenv("PROVENANCE_OPEN_TO_NETWORK", raising=False)
    app = AppTest.from_file(APP, default_timeout=PATIENCE).run()
    assert_shows(shown(app), snapshot("It answers at 0.0.0.0 without sign-in."))
    assert not app.button


def test_secrets_that_cannot_be_read_open_nothing(
    saved: AuditStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_damaged_secrets", lambda: True)
    app = AppTest.from_file(APP, default_timeout=PATIENCE).run()
    assert_shows(shown(app), snapshot("nobody can sign in"))
    assert access.visitor().role is None


# What changes the database, the models or the processes.
WRITES = {
    "save", "delete", "create", "cancel", "resume", "retry_failed", "start_worker", "read_upload",
    "set_default", "clear_default", "keep_custom_profile", "forget_models", "remove_stored",
    "release", "renew", "reserve_next", "import_text",
}  # fmt: skip
# Called by `_change` alone, behind `_create`, within functions that ask for a role, and by
# `_run_all`, which asks for one before the thread without a session begins.
GUARDED = {
    "presets.py: _set_default", "presets.py: _clear_default", "presets.py: _delete",
    "upload.py: _draw_start", "fit.py: change", "methods.py: _run_each",
    "audit_run.py: wait_with_bar",  # cancels the work of this page, which no run is
}  # fmt: skip


def test_every_function_that_writes_asks_for_a_role() -> None:
    root = Path(access.__file__).parents[1]
    unguarded, seen = [], 0
    for file in sorted(root.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            calls = [each for each in ast.walk(function) if isinstance(each, ast.Call)]
            names = {getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls}
            if not names & WRITES:
                continue
            seen += 1
            decorated = {
                getattr(getattr(each, "func", each), "id", "") for each in function.decorator_list
            }
            if "allowed" not in decorated and "require" not in names:
                unguarded.append(f"{file.name}: {function.name} ({', '.join(names & WRITES)})")
    assert seen > 15
    assert [each for each in unguarded if each.split(" (")[0] not in GUARDED] == []
