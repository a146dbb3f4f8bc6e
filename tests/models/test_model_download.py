"""Downloads from a hub on this machine: whole, resumed, broken, changed, refused; the cache."""

from __future__ import annotations

import errno
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from provenance_core import ModelError, Provenance, default_parameters
from provenance_core.models.cache import (
    MANIFEST,
    check_model,
    find_model,
    is_ready,
    model_folder,
    remove_stored,
    stored_models,
    verified_folder,
)
from provenance_core.models.class_labels import class_labels, needs_entailment_label
from provenance_core.models.download import DownloadState, get_model
from provenance_core.models.profile_text import commit_text
from provenance_core.models.profiles import (
    PROFILES,
    PUBLIC_THRESHOLD,
    Architecture,
    ModelRole,
    PublicModel,
    TokenizerSource,
    custom_profile,
    get_profile,
    is_profile_name,
    keep_custom_profile,
    model_reference,
    profile_names,
    public_model,
)
from provenance_core.models.settings import MODEL_SETTINGS, model_settings_help, read_model_settings
from tests.fake_hub import CONFIG, MAIN, NEXT, WEIGHTS, FakeHub, model_files, serving

ROOT = Path(__file__).parents[2]
NAME = "owner/model"
WANTED = ["config.json", WEIGHTS, "tokenizer.json"]


def named(revision: str = "main", tokenizer: TokenizerSource | None = None) -> PublicModel:
    return PublicModel(
        NAME, revision, ModelRole.NLI, Architecture.SEQUENCE_CLASSIFIER, 0, "", 0,
        tokenizer=tokenizer,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The cache of the test's own."""
    for name in ("HF_TOKEN", "PROVENANCE_OFFLINE", "PROVENANCE_MODEL_HUB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PROVENANCE_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def hub(folder, monkeypatch) -> Iterator[FakeHub]:
    with serving() as running:
        running.publish(NAME, model_files())
        monkeypatch.setenv("PROVENANCE_MODEL_HUB", running.url)
        monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda seconds: None)
        # What has come of a part of this size is kept; the library's own is 10 MB.
        monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 1000)
        yield running


def files_of(path: Path) -> list[str]:
    return sorted(each.name for each in path.iterdir() if each.name != MANIFEST)


# A download that goes well


def test_only_what_a_model_is_loaded_from_is_fetched_and_kept_with_its_checksums(hub):
    states: list[DownloadState] = []
    path = get_model(named(), states.append)
    assert files_of(path) == WANTED
    assert {name: (path / name).read_bytes() for name in WANTED} == {
        name: model_files()[name] for name in WANTED
    }
    cached = find_model(named())
    assert cached is not None
    assert (cached.commit, cached.revisions, cached.folder) == (MAIN, ("main",), path)
    assert cached.size == sum(len(model_files()[name]) for name in WANTED)
    assert check_model(cached) == ()
    assert model_folder(named()) == verified_folder(named()) == path
    done = [state.done for state in states]
    assert done == sorted(done)
    assert {state.total for state in states} == {cached.size}
    asked = len(hub.asked)
    assert get_model(named()) == path
    assert len(hub.asked) == asked


def test_the_tokenizer_of_another_repository_is_put_beside_the_weights(hub):
    own = model_files()
    del own["tokenizer.json"]
    hub.publish(NAME, own)
    hub.publish("other/tokenizer", {"tokenizer.json": b"{}", "config.json": b"theirs"}, NEXT)
    path = get_model(named(tokenizer=TokenizerSource("other/tokenizer", "main")))
    assert files_of(path) == WANTED
    assert json.loads((path / "config.json").read_bytes()) == CONFIG


def test_a_branch_stays_the_commit_that_it_was_at_the_first_download(hub):
    path = get_model(named())
    hub.publish(NAME, model_files(weights=b"newer"), NEXT)
    assert get_model(named()) == path
    (path / WEIGHTS).unlink()
    assert not is_ready(named())
    assert get_model(named()) == path
    assert (path / WEIGHTS).read_bytes() == model_files()[WEIGHTS]
    newer = get_model(named(NEXT))
    assert (newer / WEIGHTS).read_bytes() == b"newer"
    assert model_folder(named()) == path


# Interruptions


def test_a_connection_that_breaks_is_taken_up_again_in_the_same_download(hub):
    hub.breaks[WEIGHTS] = [1000, 0, 5000]
    path = get_model(named())
    assert (path / WEIGHTS).read_bytes() == model_files()[WEIGHTS]
    assert hub.ranges == ["bytes=1000-", "bytes=1000-", "bytes=6000-"]


def test_a_broken_download_says_so_and_the_next_goes_on_where_it_stopped(hub):
    hub.breaks[WEIGHTS] = [30_000] + [0] * 20
    with pytest.raises(ModelError, match=r"connection to 127\.0\.0\.1.* broke.*goes on from there"):
        get_model(named())
    assert not is_ready(named())
    (stored,) = stored_models()
    assert stored.download is None
    assert stored.size > 30_000
    hub.breaks.clear()
    hub.ranges.clear()
    path = get_model(named())
    assert hub.ranges == ["bytes=30000-"]
    assert files_of(path) == WANTED
    assert (path / WEIGHTS).read_bytes() == model_files()[WEIGHTS]


def test_a_download_that_is_stopped_goes_on_later(hub):
    class Stop(Exception):
        pass

    def stop(state: DownloadState) -> None:
        if state.file == WEIGHTS:
            raise Stop

    with pytest.raises(Stop):
        get_model(named(), stop)
    asked = len(hub.asked)
    get_model(named())
    assert not any(path.endswith("config.json") for path in hub.asked[asked:])


def test_a_process_that_is_killed_leaves_a_download_that_goes_on(hub, folder):
    hub.waits = WEIGHTS
    code = (
        "from provenance_core.models.profiles import public_model\n"
        "from provenance_core.models.download import get_model\n"
        f"get_model(public_model('{NAME}', 'nli'), lambda s: None)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    assert hub.waiting.wait(120)
    process.kill()
    process.wait()
    assert find_model(named()) is None
    hub.go.set()
    hub.waits = ""
    path = get_model(named())
    assert (path / WEIGHTS).read_bytes() == model_files()[WEIGHTS]
    assert find_model(named()) is not None


# Files that are not what they should be


def test_a_file_with_a_wrong_checksum_is_thrown_away(hub):
    changed = bytearray(model_files()[WEIGHTS])
    changed[5] ^= 1
    hub.instead[WEIGHTS] = bytes(changed)
    with pytest.raises(ModelError, match=rf"{WEIGHTS}.*checksum is.*thrown away"):
        get_model(named())
    assert not is_ready(named())
    del hub.instead[WEIGHTS]
    path = get_model(named())
    assert (path / WEIGHTS).read_bytes() == model_files()[WEIGHTS]


def test_a_small_file_is_checked_too(hub):
    hub.instead["config.json"] = model_files()["config.json"].replace(b"neutral", b"NEUTRAL")
    with pytest.raises(ModelError, match=r"config\.json.*checksum is"):
        get_model(named())


def test_a_damaged_file_is_found_and_alone_fetched_again(hub):
    path = get_model(named())
    content = bytearray((path / WEIGHTS).read_bytes())
    content[7] ^= 1
    (path / WEIGHTS).write_bytes(content)
    (problem,) = check_model(find_model(named()))
    assert (problem.name, "SHA-256" in problem.reason) == (WEIGHTS, True)
    with pytest.raises(ModelError, match=rf"{WEIGHTS}.*models get {NAME}@main"):
        verified_folder(named())
    asked = len(hub.asked)
    get_model(named())
    assert [each for each in hub.asked[asked:] if "resolve" in each] == [
        f"/{NAME}/resolve/{MAIN}/{WEIGHTS}"
    ]
    assert check_model(find_model(named())) == ()


def test_a_pickle_is_refused_with_the_reason_and_nothing_is_fetched(hub):
    files = model_files()
    del files[WEIGHTS]
    hub.publish(NAME, files)
    with pytest.raises(ModelError, match=r"pickle \(pytorch_model\.bin\).*save_pretrained"):
        get_model(named())
    assert not any("resolve" in path for path in hub.asked)
    assert stored_models() == ()


def offered(hub: FakeHub, number: int, author: str, weights: bytes, pickled: bytes) -> None:
    """A pull request that puts ``weights`` beside a commit with ``pickled``."""
    hub.offers.setdefault(NAME, []).append(author)
    files = {**model_files(weights=weights), "pytorch_model.bin": pickled}
    hub.publish(NAME, files, str(number + 4) * 40, f"refs/pr/{number}")


def test_the_hubs_conversion_of_the_same_pickle_takes_the_place_of_the_pickle(hub):
    files = model_files()
    del files[WEIGHTS]
    hub.publish(NAME, files)
    pickled = files["pytorch_model.bin"]
    offered(hub, 1, "somebody", b"of somebody", pickled)
    offered(hub, 2, "SFconvertbot", b"of other weights", b"another pickle")
    with pytest.raises(ModelError, match="pickle"):
        get_model(named())
    del hub.branches[NAME, "refs/pr/2"]  # withdrawn
    offered(hub, 3, "SFconvertbot", b"converted", pickled)
    hub.commits[NAME, "7" * 40]["config.json"] = b"of the pull request"
    path = get_model(named())
    assert files_of(path) == WANTED
    assert (path / WEIGHTS).read_bytes() == b"converted"
    assert json.loads((path / "config.json").read_bytes()) == CONFIG
    cached = find_model(named())
    assert (cached.commit, cached.weights_commit) == (MAIN, "7" * 40)
    assert commit_text(cached) == "1111111, weights from the hub's conversion 7777777"
    # Damaged, they come from there again, whatever is offered by then.
    (path / WEIGHTS).write_bytes(b"damaged")
    hub.offers[NAME] = ["SFconvertbot"]
    get_model(named())
    assert (path / WEIGHTS).read_bytes() == b"converted"
    assert check_model(find_model(named())) == ()


def test_no_conversion_is_asked_for_where_there_are_safetensors(hub):
    offered(hub, 1, "SFconvertbot", b"converted", model_files()["pytorch_model.bin"])
    assert (get_model(named()) / WEIGHTS).read_bytes() == model_files()[WEIGHTS]
    assert not any("discussions" in path for path in hub.asked)
    assert find_model(named()).weights_commit == ""


def test_a_commit_goes_by_every_name_that_it_was_downloaded_under(hub):
    hub.publish(NAME, model_files(), MAIN, "stable")
    get_model(named())
    get_model(named("stable"))
    assert find_model(named()) == find_model(named("stable")) == find_model(named(MAIN))
    assert find_model(named()).revisions == ("main", "stable")
    assert len(stored_models()) == 1


def test_another_revision_of_hhem_takes_its_tokenizer_from_the_same_place(hub):
    pinned = PROFILES["hhem-2.1"].nli
    source = pinned.tokenizer
    own = model_files()
    del own["tokenizer.json"]
    hub.publish(pinned.model_id, own)
    hub.publish(source.model_id, {"tokenizer.json": b"{}"}, source.revision, "main")
    path = get_model(public_model(pinned.model_id, ModelRole.NLI))
    assert files_of(path) == WANTED


@pytest.mark.parametrize(
    ("missing", "added", "said"),
    [
        (WEIGHTS, "adapter_model.safetensors", "no weights in the safetensors format"),
        ("tokenizer.json", "tokenizer_config.json", "it has no tokenizer"),
    ],
)
def test_a_repository_without_all_that_is_read_is_refused(hub, missing, added, said):
    files = {**model_files(), added: b"{}"}
    for name in (missing, "pytorch_model.bin"):
        del files[name]
    hub.publish(NAME, files)
    with pytest.raises(ModelError, match=said):
        get_model(named())
    assert stored_models() == ()


def test_a_page_in_the_place_of_the_hub_is_named(hub):
    hub.page = b"<html>Please log in to this network</html>"
    with pytest.raises(ModelError, match=r"127\.0\.0\.1.*as a model hub does.*login page"):
        get_model(named())


def test_a_manifest_of_before_a_commit_kept_all_its_names_is_read(hub, monkeypatch):
    path = get_model(named()) / MANIFEST
    raw = json.loads(path.read_text())
    del raw["weights_commit"]
    raw["revision"] = raw.pop("revisions")[0]
    path.write_text(json.dumps(raw))
    monkeypatch.setenv("PROVENANCE_OFFLINE", "1")
    assert get_model(named()) == path.parent
    assert find_model(named()).revisions == ("main",)


def test_names_that_lead_out_of_the_folder_are_not_fetched(hub, folder):
    hub.publish(NAME, {**model_files(), "model-../../../x-of-1.safetensors": b"out"})
    path = get_model(named())
    assert files_of(path) == WANTED
    hub.publish(NAME, model_files(), "../../out", "evil")
    with pytest.raises(ModelError, match="no commit"):
        get_model(named("evil"))


# Refusals, each with what to do


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        ((403, "GatedRepo"), "gated.*Accept them.*HF_TOKEN"),
        ((401, "GatedRepo"), "gated.*Accept them.*HF_TOKEN"),
        ((401, ""), "HTTP 401.*spelling.*private.*HF_TOKEN"),
        ((403, ""), r"refused.*HTTP 403.*HF_TOKEN"),
        ((429, ""), "too much.*Wait"),
        ((503, ""), "HTTP 503.*later"),
        ((418, ""), "HTTP 418.*PROVENANCE_MODEL_HUB"),
    ],
)
def test_a_refusal_of_the_hub_says_what_to_do(hub, refusal, said):
    hub.refused[NAME] = refusal
    with pytest.raises(ModelError, match=said):
        get_model(named())


def test_a_wrong_name_a_wrong_branch_and_no_model_are_told_apart(hub):
    with pytest.raises(ModelError, match=r"no model owner/modle at 127\.0\.0\.1.*spelling"):
        get_model(public_model("owner/modle", ModelRole.NLI))
    with pytest.raises(ModelError, match="no branch, tag or commit 'hhem'"):
        get_model(named("hhem"))
    hub.publish("owner/data", {"rows.safetensors": b""})
    with pytest.raises(ModelError, match=r"no config\.json"):
        get_model(public_model("owner/data", ModelRole.NLI))


def test_without_a_network_it_says_what_works_without_one(folder, monkeypatch):
    with serving() as gone:
        url = gone.url
    monkeypatch.setenv("PROVENANCE_MODEL_HUB", url)
    with pytest.raises(ModelError, match=r"cannot be reached.*folder as a custom profile"):
        get_model(named())


def test_offline_nothing_is_asked_and_what_is_there_works(hub, monkeypatch):
    path = get_model(named())
    asked = len(hub.asked)
    monkeypatch.setenv("PROVENANCE_OFFLINE", "1")
    assert get_model(named()) == path
    with pytest.raises(ModelError, match="PROVENANCE_OFFLINE forbids"):
        get_model(named(NEXT))
    assert len(hub.asked) == asked


def test_a_full_disk_is_known_before_the_download(hub, monkeypatch):
    full = shutil.disk_usage("/")._replace(free=60_000_000)
    monkeypatch.setattr("shutil.disk_usage", lambda path: full)
    get_model(named())
    hub.publish("owner/large", model_files(weights=bytes(11_000_000)))
    with pytest.raises(ModelError, match=r"needs 11 MB more.*has 60 MB free.*PROVENANCE_MODELS"):
        get_model(public_model("owner/large", ModelRole.NLI))


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "disk of .* is full.*models remove"), (errno.EACCES, "cannot be written")],
)
def test_a_disk_that_fails_meanwhile(hub, monkeypatch, number, said):
    def fail(*arguments, **options):
        raise OSError(number, "no")

    monkeypatch.setattr("huggingface_hub.file_download.http_get", fail)
    with pytest.raises(ModelError, match=said):
        get_model(named())


def test_one_download_of_a_commit_at_a_time(hub, folder):
    (folder / ".locks").mkdir(parents=True)
    with (
        FileLock(folder / ".locks" / f"owner--model--{MAIN}"),
        pytest.raises(ModelError, match="being downloaded by another"),
    ):
        get_model(named())


# Folders that a person names


def test_a_folder_is_used_as_it_is(folder, tmp_path, monkeypatch):
    for name in WANTED:
        (tmp_path / name).write_bytes(model_files()[name])
    profile = custom_profile(str(tmp_path))
    assert get_model(profile.nli) == verified_folder(profile.nli) == tmp_path
    monkeypatch.chdir(tmp_path.parent)
    assert model_reference(f"./{tmp_path.name}") == str(tmp_path)
    (tmp_path / WEIGHTS).rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="pickle"):
        get_model(profile.nli)
    (tmp_path / "config.json").unlink()
    with pytest.raises(ModelError, match=r"no config\.json"):
        get_model(profile.nli)
    with pytest.raises(ModelError, match="no folder"):
        model_folder(custom_profile(str(tmp_path / "missing")).nli)
    with pytest.raises(ModelError, match="cannot be read"):
        model_folder(custom_profile("/" + "a" * 300).nli)


def test_profiles_that_are_kept_at_the_same_time_are_all_kept(folder):
    names = [f"owner/model-{number}" for number in range(24)]
    with ThreadPoolExecutor(8) as threads:
        kept = list(threads.map(keep_custom_profile, names))
    assert {each.name for each in kept} <= set(profile_names())


def test_a_model_of_the_table_keeps_its_entailment_label():
    known = PROFILES["minicheck"].nli
    assert custom_profile(known.reference).nli == known
    assert custom_profile(known.reference, None, 0).nli.entailment_label == 0


def test_a_custom_profile_that_is_not_kept_has_the_threshold_of_public_models():
    assert default_parameters(custom_profile("owner/nli").name).threshold == PUBLIC_THRESHOLD


@pytest.mark.parametrize("name", ["", "model", "a b/c", "a/b/c", "a--b/c", "a/b@", "a/b@../c", "@"])
def test_what_can_be_no_name_is_refused(name):
    with pytest.raises(ModelError, match="no name of a model"):
        model_reference(name)


def test_classes_without_names_ask_for_the_index(tmp_path):
    def labels(*names: str) -> int:
        config = {"id2label": dict(enumerate(names))}
        (tmp_path / "config.json").write_text(json.dumps(config))
        return needs_entailment_label(tmp_path)

    assert labels("LABEL_0", "LABEL_1", "LABEL_2") == 3
    assert class_labels(tmp_path) == ("LABEL_0", "LABEL_1", "LABEL_2")
    assert labels("LABEL_0") == labels("not_entailment", "entailment") == 0
    # What the loader cannot read is asked for here too.
    assert labels("no", "yes") == 2
    # transformers writes no names where they are its own.
    (tmp_path / "config.json").write_text("{}")
    assert class_labels(tmp_path) == ("LABEL_0", "LABEL_1")
    assert needs_entailment_label(tmp_path) == 2
    for other in ("BertForMaskedLM", "HHEMv2ForSequenceClassification"):
        (tmp_path / "config.json").write_text(json.dumps({"architectures": [other]}))
        assert needs_entailment_label(tmp_path) == 0
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ModelError, match=r"config\.json"):
        class_labels(tmp_path)


# The cache


def test_what_is_kept_is_listed_and_removed(hub, folder):
    assert stored_models() == ()
    path = get_model(named())
    hub.publish(NAME, model_files(), NEXT, "other")
    other = get_model(named("other"))
    kept = stored_models()
    assert [each.folder for each in kept] == [path, other]
    assert [each.belongs_to(named()) for each in kept] == [True, False]
    size = sum(file.stat().st_size for file in path.iterdir())
    assert remove_stored(kept[0]) == kept[0].size == size
    assert not path.exists()
    assert is_ready(named("other"))
    assert remove_stored(kept[0]) == 0
    assert remove_stored(kept[1]) == kept[1].size
    assert not other.parent.exists()


def test_a_manifest_that_is_damaged_makes_the_download_unfinished(hub):
    path = get_model(named())
    (path / MANIFEST).write_text('{"files": 3}')
    assert [each.download for each in stored_models()] == [None]
    asked = len(hub.asked)
    assert get_model(named()) == path
    assert not any("resolve" in each for each in hub.asked[asked:])


# Profiles and settings


def test_the_table_of_profiles_is_whole():
    for name, profile in PROFILES.items():
        assert profile.name == name
        assert profile.good_for.endswith(".")
        assert profile.relevance.role is ModelRole.RELEVANCE
        assert profile.nli.role is ModelRole.NLI
        for model in profile.public_models:
            assert model_reference(model.reference) == model.reference
            assert model.megabytes > 0
            assert model.window >= 256
            assert model.licence
    assert PROFILES["embedded"].public_models == ()


def test_a_custom_profile_is_known_by_a_name_that_its_models_make(folder):
    made = keep_custom_profile("owner/nli", "owner/rank@v1", 1)
    assert get_profile(made.name) == made
    assert made.nli.entailment_label == 1
    assert made.nli.reference == "owner/nli@main"
    assert made.relevance.reference == "owner/rank@v1"
    assert made.name == custom_profile("owner/nli@main", "owner/rank@v1", 1).name
    assert made.name != custom_profile("owner/nli", None, 1).name
    assert is_profile_name(made.name)
    with pytest.raises(ModelError, match="Make it again"):
        get_profile(custom_profile("owner/nli").name)
    known = PROFILES["hhem-2.1"].nli
    assert custom_profile(known.reference).nli == known


def test_a_profile_that_is_not_downloaded_says_how_to_get_it(folder):
    with pytest.raises(ModelError, match=r"models get paper"):
        Provenance.load("paper")


def test_the_embedded_profile_needs_no_folder_network_or_hub_library(tmp_path):
    code = (
        "import sys, provenance_core; provenance_core.Provenance.load();"
        "print([m for m in ('torch', 'transformers', 'huggingface_hub', 'httpx2', 'filelock')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
        env={"PROVENANCE_MODELS": "/proc/none/of/this", "PROVENANCE_OFFLINE": "1", "PATH": ""},
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_settings_are_read_and_named_in_the_help(monkeypatch):
    found = read_model_settings({})
    assert (found.hub, found.offline) == (None, False)
    assert found.folder.is_absolute()
    given = {"PROVENANCE_MODEL_HUB": "http://host:1/hub/", "PROVENANCE_OFFLINE": "yes"}
    found = read_model_settings({**given, "PROVENANCE_MODELS": "here"})
    assert (found.hub, found.offline) == ("http://host:1/hub", True)
    assert found.folder == Path.cwd() / "here"
    for setting in MODEL_SETTINGS:
        assert f"{setting.variable}: {setting.meaning}" in model_settings_help()


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PROVENANCE_OFFLINE", "maybe", "must be 1 or 0"),
        ("PROVENANCE_MODEL_HUB", "ftp://host", "not an http or https URL"),
        ("PROVENANCE_MODEL_HUB", "https://me:secret@host", "user name or password"),
    ],
)
def test_a_wrong_setting_is_named(variable, value, said):
    with pytest.raises(ModelError, match=said) as caught:
        read_model_settings({variable: value})
    assert variable in str(caught.value)
    assert "secret" not in str(caught.value)
