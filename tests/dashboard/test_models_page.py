"""The Models page and the sidebar's choice of a profile, with a hub on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.models.downloads import downloads
from provenance_core import PROFILES, ModelError, Parameters, default_parameters
from provenance_core.models.catalogue.profiles import (
    custom_profile,
    get_profile,
    keep_custom_profile,
    profile_names,
)
from provenance_core.models.hub.cache import is_ready, stored_models
from provenance_core.models.hub.download import get_model
from storage import AuditStore, PresetStore
from tests.app_page import open_page
from tests.fake_hub import WEIGHTS, FakeHub, model_files, serving
from tests.storage.test_presets import EVIDENCE
from tests.wording import assert_shows

VITAMINC = PROFILES["vitaminc"].nli
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def hub(tmp_path, monkeypatch, url) -> Iterator[FakeHub]:
    for name in ("HF_TOKEN", "PROVENANCE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PROVENANCE_MODELS", str(tmp_path / "models"))
    with serving() as running:
        monkeypatch.setenv("PROVENANCE_MODEL_HUB", running.url)
        monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 500)
        for profile in PROFILES.values():
            for model in profile.public_models:
                running.publish(model.model_id, model_files(), model.revision, "pinned")
        yield running
    downloads.clear()


def opened(page: str = "models") -> AppTest:
    return open_page(page)


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    shown = [*app.text, *app.error, *app.success, *app.info, *app.caption]
    return "\n".join(str(element.value) for element in shown)


def card(app: AppTest, name: str) -> str:
    """The words of a profile's card."""
    bodies = [element.proto.body for element in app.get("html")]
    return next(body for body in bodies if body.startswith(f"<b>{name}</b>"))


def keys(app: AppTest) -> list[str]:
    return [button.key for button in app.button]


def until(app: AppTest, met: Callable[[], bool]) -> AppTest:
    for _ in range(200):
        app.run()
        if met():
            return app
        time.sleep(0.05)
    raise AssertionError(f"It did not come: {texts(app)}")


def download(app: AppTest, name: str) -> AppTest:
    press(app, f"download_{name}")
    for _ in range(200):
        # Asked before the run, so that the last one shows what was there at the end.
        active = downloads().any_active()
        app.run()
        if not active:
            return app
        time.sleep(0.05)
    raise AssertionError(f"The download did not end: {texts(app)}")


def test_every_profile_says_what_it_is_good_for_its_licence_size_and_window(hub):
    app = opened()
    for name, profile in PROFILES.items():
        shown = card(app, name)
        assert profile.good_for in shown
        for model in profile.public_models:
            for part in (model.model_id, f"licence {model.licence}", f"{model.window:,} tokens"):
                assert part in shown
    # Each model's own window.
    assert_shows(
        card(app, "cascade"), snapshot("relevance, NLI: embedded · licence Apache-2.0, window 256")
    )
    assert_shows(
        card(app, "cascade"), snapshot("second NLI: embedded · licence Apache-2.0, window 384")
    )
    assert "in use" in card(app, "embedded")
    assert app.button(key="download_paper").label == "Download 1.1 GB"
    assert not any(path.startswith("/api") for path in hub.asked)


def test_a_download_makes_a_profile_ready_and_is_counted_and_removed(hub):
    app = download(opened(), "vitaminc")
    assert "ready" in card(app, "vitaminc")
    assert is_ready(VITAMINC)
    assert "use_vitaminc" in keys(app)
    (stored,) = stored_models()
    press(app, f"check_{stored.model_id}@{stored.commit}")
    assert_shows(texts(app), snapshot("All 3 files are unchanged since their download."))
    press(app, "remove_all")
    assert stored_models()
    press(app, "sure_remove")
    assert stored_models() == ()
    assert "freed" in texts(app)
    assert "not downloaded" in card(app, "vitaminc")


def test_a_download_shows_how_far_it_is_and_can_be_stopped_and_gone_on_with(hub):
    hub.waits = WEIGHTS
    app = press(opened(), "download_vitaminc")
    until(app, lambda: any("kB of 102 kB" in b.proto.text for b in app.get("progress")))
    # The weights are asked for last, and wait.
    until(app, lambda: any(path.endswith(WEIGHTS) for path in hub.asked))
    assert "use_vitaminc" not in keys(app)
    press(app, "stop_vitaminc")
    hub.waits = ""
    hub.go.set()
    until(app, lambda: not downloads().any_active())
    app.run()
    assert not is_ready(VITAMINC)
    assert "unfinished" in "".join(element.proto.body for element in app.get("html"))
    asked = len(hub.asked)
    download(app, "vitaminc")
    assert is_ready(VITAMINC)
    assert not any(path.endswith("config.json") for path in hub.asked[asked:])


def test_a_download_that_fails_says_why_and_leaves_the_profile(hub):
    hub.refused[VITAMINC.model_id] = (403, "GatedRepo")
    app = download(opened(), "vitaminc")
    assert_shows(texts(app), snapshot("The profile in use is unchanged."))
    assert "HF_TOKEN" in texts(app)
    assert app.session_state.profile == "embedded"
    assert "download_vitaminc" in keys(app)
    hub.refused.clear()
    download(app, "vitaminc")
    assert "use_vitaminc" in keys(app)


def test_a_damaged_file_is_named(hub):
    path = get_model(VITAMINC)
    content = bytearray((path / WEIGHTS).read_bytes())
    content[3] ^= 1
    (path / WEIGHTS).write_bytes(content)
    app = opened()
    (stored,) = stored_models()
    press(app, f"check_{stored.model_id}@{stored.commit}")
    assert f"{WEIGHTS}: its checksum is" in texts(app)


def refuse_all_but_embedded(monkeypatch) -> None:
    """Make every load of a public model fail, as with weights that do not fit."""
    from provenance_core import Provenance

    load = Provenance.load

    def refusing(profile: str = "embedded") -> Provenance:
        if profile != "embedded":
            raise ModelError(f"the weights of {profile} do not fit")
        return load(profile)

    monkeypatch.setattr("provenance_core.Provenance.load", refusing)


def test_models_that_cannot_be_loaded_leave_the_profile_that_was_in_use(hub, monkeypatch):
    refuse_all_but_embedded(monkeypatch)
    get_model(VITAMINC)
    app = press(opened(), "use_vitaminc")
    assert app.session_state.profile == "embedded"
    assert_shows(texts(app), snapshot("The profile in use is still embedded."))
    assert_shows(texts(app), snapshot("the weights of vitaminc do not fit"))
    app.switch_page("pages/audit.py").run()
    app.selectbox(key="profile").select("vitaminc").run()
    assert not app.exception
    assert app.selectbox(key="profile").value == "embedded"
    assert_shows(texts(app), snapshot("The profile is still embedded."))


def test_a_profile_whose_models_load_is_used_with_its_own_threshold(hub, monkeypatch, provenance):
    asked = []

    def load(profile: str = "embedded"):
        asked.append(profile)
        return provenance

    monkeypatch.setattr("provenance_core.Provenance.load", load)
    get_model(VITAMINC)
    app = press(opened(), "use_vitaminc")
    assert asked[-1:] == ["vitaminc"]
    assert "in use" in card(app, "vitaminc")
    app.switch_page("pages/audit.py").run()
    assert app.selectbox(key="profile").value == "vitaminc"
    assert app.slider(key="threshold").value == 0.5
    for stored in stored_models():
        for path in stored.folder.iterdir():
            path.unlink()
    app.run()
    assert app.selectbox(key="profile").value == "embedded"
    assert "models get vitaminc" in texts(app)


def test_only_profiles_that_are_here_can_be_chosen_in_the_sidebar(hub):
    app = opened("")
    assert app.selectbox(key="profile").options == ["embedded", "cascade", "embedded-large"]
    get_model(VITAMINC)
    app.run()
    assert app.selectbox(key="profile").options == [
        "embedded",
        "cascade",
        "embedded-large",
        "vitaminc",
    ]


def test_an_audit_of_a_profile_that_is_not_here_opens_with_the_reason(hub, url, provenance):
    audit = provenance.audit(query="", answer="Cats sleep.", context=["Cats sleep."])
    for name in ("paper", "custom-00000000"):
        saved = replace(audit, evidence=replace(audit.evidence, profile=name))
        number = AuditStore.open(url).save(saved)
        app = open_page(audit=str(number))
        assert app.selectbox(key="profile").value == "embedded"
        assert_shows(texts(app), snapshot("The profile is still embedded."))
        assert ("models get paper" if name == "paper" else "Make it again") in texts(app)


# A profile of one's own


def add(app: AppTest, nli: str, relevance: str = "") -> AppTest:
    app.text_input(key="custom_nli").set_value(nli)
    app.text_input(key="custom_relevance").set_value(relevance)
    app.button[[b.label for b in app.button].index("Add the profile")].click()
    app.run()
    assert not app.exception
    return app


def test_a_model_is_typed_downloaded_and_asked_for_its_class(hub):
    config = {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}
    hub.publish("owner/nli", model_files(config))
    app = add(opened(), "owner/nli")
    name = custom_profile("owner/nli").name
    download(app, name)
    app.run()
    assert f"use_{name}" not in keys(app)
    assert_shows(texts(app), snapshot("Nobody has named which of the 3 classes"))
    press(app, f"save_label_{name}")
    assert "Choose the index" in texts(app)
    app.selectbox(key=f"label_{name}").select(2)
    press(app, f"save_label_{name}")
    chosen = custom_profile("owner/nli", None, 2).name
    assert profile_names()[-1] == chosen
    assert name not in profile_names()
    assert f"use_{chosen}" in keys(app)
    press(app, f"forget_{chosen}")
    assert profile_names() == tuple(PROFILES)


def test_a_folder_is_ready_at_once(hub, tmp_path):
    folder = tmp_path / "my $x$ model"
    folder.mkdir()
    for file in ("config.json", WEIGHTS, "tokenizer.json"):
        (folder / file).write_bytes(model_files()[file])
    app = add(opened(), str(folder), "owner/rank")
    name = custom_profile(str(folder), "owner/rank").name
    assert f"download_{name}" in keys(app)
    app = add(app, str(folder))
    assert f"use_{custom_profile(str(folder)).name}" in keys(app)
    assert str(folder) in card(app, "custom: my $x$ model")


@pytest.mark.parametrize(
    ("given", "said"),
    [("", "Name the NLI model."), (SCRIPT, "no name of a model"), ("a/b/c", "no name of a model")],
)
def test_what_is_no_name_is_refused_and_stays_in_the_box(hub, given, said):
    app = add(opened(), given)
    assert said in texts(app)
    assert app.text_input(key="custom_nli").value == given
    assert profile_names() == tuple(PROFILES)


def test_names_are_shown_as_text(hub, tmp_path):
    folder = tmp_path / "<b>x"
    folder.mkdir()
    made = keep_custom_profile(str(folder))
    app = opened()
    assert "<b>x" not in "".join(element.proto.body for element in app.get("html"))
    assert "has no config.json" in texts(app)
    assert get_profile(made.name) == made


# Settings and files that cannot be read


def test_offline_is_said_and_nothing_can_be_downloaded(hub, monkeypatch):
    monkeypatch.setenv("PROVENANCE_OFFLINE", "1")
    app = opened()
    assert "PROVENANCE_OFFLINE is set" in texts(app)
    assert all(b.disabled for b in app.button if b.key and b.key.startswith("download_"))


def test_a_wrong_setting_or_a_broken_list_leaves_the_embedded_profile(hub, tmp_path, monkeypatch):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "custom-profiles.json").write_text(json.dumps([{"nli": 1}]))
    assert "custom-profiles.json" in texts(opened())
    shipped = ["embedded", "cascade", "embedded-large"]
    assert opened("").selectbox(key="profile").options == shipped
    monkeypatch.setenv("PROVENANCE_OFFLINE", "maybe")
    assert_shows(texts(opened()), snapshot("must be 1 or 0"))
    assert opened("").selectbox(key="profile").options == shipped


def test_a_default_preset_of_a_profile_that_is_not_here_says_so(hub, url):
    store = PresetStore.open(url)
    number = store.save("mine", "paper", Parameters(threshold=0.7), EVIDENCE, "ann")
    store.set_default(number)
    app = opened("")
    assert app.selectbox(key="profile").value == "embedded"
    assert "models get paper" in texts(app)
    assert_shows(texts(app), snapshot("Presets of profiles whose models are not here: 1."))


def test_a_setting_beyond_the_end_of_its_slider_is_shown_as_it_is(url):
    """The command line takes any; it crashed every page with the sidebar."""
    store = PresetStore.open(url)
    given = replace(default_parameters("embedded"), top_k=50)
    store.set_default(store.save("mine", "embedded", given, EVIDENCE, "ann"))
    app = opened("")
    assert not app.exception
    assert app.slider(key="top_k").value == 50
