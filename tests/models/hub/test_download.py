"""Downloads from a hub on this machine: whole, resumed, broken, changed, refused."""

from __future__ import annotations

import errno
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from provenance_core import ModelError
from provenance_core.models.catalogue.profiles import (
    PROFILES,
    ModelRole,
    TokenizerSource,
    public_model,
)
from provenance_core.models.hub.cache import (
    check_model,
    find_model,
    is_ready,
    model_folder,
    stored_models,
    verified_folder,
)
from provenance_core.models.hub.download import DownloadState, get_model
from tests.fake_hub import (
    CONFIG,
    MAIN,
    NAME,
    NEXT,
    WANTED,
    WEIGHTS,
    FakeHub,
    model_files,
    named,
    serving,
)

ROOT = Path(__file__).parents[3]


def files_of(path: Path) -> list[str]:
    return sorted(each.name for each in path.iterdir())


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
    assert (cached.commit, cached.names, cached.folder) == (MAIN, {"main"}, path)
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


def test_a_broken_download_says_so_and_the_next_fetches_the_rest(hub):
    hub.breaks[WEIGHTS] = [30_000] + [0] * 20
    with pytest.raises(ModelError, match=r"connection to 127\.0\.0\.1.* broke.*are kept"):
        get_model(named())
    assert not is_ready(named())
    (stored,) = stored_models()
    assert not stored.whole
    hub.breaks.clear()
    path = get_model(named())
    assert files_of(path) == WANTED
    assert (path / WEIGHTS).read_bytes() == model_files()[WEIGHTS]


def test_a_download_that_is_stopped_goes_on_later(hub):
    class Stop(Exception):
        pass

    def stop(state: DownloadState) -> None:
        if state.done > 5_000:
            raise Stop

    with pytest.raises(Stop):
        get_model(named(), stop)
    assert [each.whole for each in stored_models()] == [False]
    assert (get_model(named()) / WEIGHTS).read_bytes() == model_files()[WEIGHTS]


def test_a_process_that_is_killed_leaves_a_download_that_goes_on(hub, folder):
    hub.waits = WEIGHTS
    code = (
        "from provenance_core.models.catalogue.profiles import public_model\n"
        "from provenance_core.models.hub.download import get_model\n"
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
    assert (problem.path.name, "checksum is" in problem.reason) == (WEIGHTS, True)
    with pytest.raises(ModelError, match=rf"{WEIGHTS}.*models get {NAME}@main"):
        verified_folder(named())
    asked = len(hub.asked)
    get_model(named())
    assert [each for each in hub.asked[asked:] if not each.startswith("/api")] == [
        f"/{NAME}/large/{MAIN}/{WEIGHTS}"
    ]
    assert check_model(find_model(named())) == ()


def test_a_pickle_is_refused_with_the_reason_and_nothing_is_fetched(hub):
    files = model_files()
    del files[WEIGHTS]
    hub.publish(NAME, files)
    with pytest.raises(ModelError, match=r"pytorch_model\.bin, a pickle.*save_pretrained"):
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
    assert [each.commit for each in stored_models()] == [MAIN]
    # Damaged, they come from there again.
    (path / WEIGHTS).write_bytes(b"damaged")
    get_model(named())
    assert (path / WEIGHTS).read_bytes() == b"converted"
    assert check_model(find_model(named())) == ()


def test_no_conversion_is_asked_for_where_there_are_safetensors(hub):
    offered(hub, 1, "SFconvertbot", b"converted", model_files()["pytorch_model.bin"])
    assert (get_model(named()) / WEIGHTS).read_bytes() == model_files()[WEIGHTS]
    assert not any("discussions" in path for path in hub.asked)


def test_a_commit_goes_by_every_name_that_it_was_downloaded_under(hub):
    hub.publish(NAME, model_files(), MAIN, "stable")
    get_model(named())
    get_model(named("stable"))
    assert find_model(named()) == find_model(named("stable")) == find_model(named(MAIN))
    assert find_model(named()).names == {"main", "stable"}
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
        ((401, ""), "HTTP 401.*spelling.*HF_TOKEN.*private"),
        ((403, ""), r"refused.*HTTP 403.*HF_TOKEN"),
        ((429, ""), "HTTP 429.*Wait"),
        ((503, ""), "HTTP 503.*Wait"),
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


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_a_disk_that_fails_meanwhile(hub, monkeypatch, number):
    def fail(*arguments, **options):
        raise OSError(number, "no")

    monkeypatch.setattr("huggingface_hub.file_download.http_get", fail)
    with pytest.raises(ModelError, match=r"cannot be written.*\(no\).*models remove"):
        get_model(named())
