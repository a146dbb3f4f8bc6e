"""``python -m provenance_core models`` and the options of a custom profile."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from provenance_core.cli.evaluate_command import EvaluateOptions, command_line
from provenance_core.cli.given_settings import Settings, profile_from
from provenance_core.cli.main import main
from provenance_core.cli.options import settings_of
from provenance_core.errors import InputError, ModelError
from provenance_core.models.catalogue.profile_text import profile_table, size_text
from provenance_core.models.catalogue.profiles import PROFILES, get_profile, profile_names
from provenance_core.models.hub.cache import stored_models
from tests.commands import parsed
from tests.fake_hub import WEIGHTS, FakeHub, model_files, serving

ROOT = Path(__file__).parents[2]


# A command may open the database: one of the test, not the one of the checkout.
pytestmark = pytest.mark.usefixtures("url")


@pytest.fixture
def hub(tmp_path, monkeypatch) -> Iterator[FakeHub]:
    for name in ("HF_TOKEN", "PROVENANCE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PROVENANCE_MODELS", str(tmp_path / "models"))
    with serving() as running:
        monkeypatch.setenv("PROVENANCE_MODEL_HUB", running.url)
        for profile in PROFILES.values():
            for model in profile.public_models:
                if source := model.tokenizer:
                    running.publish(source.model_id, model_files(), source.revision, "pinned")
                running.publish(model.model_id, model_files(), model.revision, "pinned")
        yield running


def models(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(["models", *arguments])
    said = capsys.readouterr()
    return int(status), said.out, said.err


def test_the_list_has_every_profile_and_what_is_downloaded(hub, capsys):
    status, out, _ = models(capsys, "list")
    assert status == 0
    for name, profile in PROFILES.items():
        assert f"\n{name}\n" in f"\n{out}"
        for model in profile.public_models:
            assert model.model_id in out
    assert "not downloaded (240 MB)" in " ".join(out.split())
    assert "Downloaded models: 0 kB in " in out
    assert hub.asked == []
    models(capsys, "get", "vitaminc")
    assert "downloaded (102 kB, commit 3082ba5)" in " ".join(models(capsys, "list")[1].split())


def test_get_check_and_remove(hub, capsys):
    assert models(capsys, "check") == (0, "No model is downloaded.\n", "")
    said = "embedded: shipped with this repository, and checked on every load\n"
    assert models(capsys, "check", "embedded") == (0, said, "")
    assert models(capsys, "get", "embedded", "paper")[0] == 0
    assert len(stored_models()) == 2
    status, out, _ = models(capsys, "check")
    assert (status, out.count("all as they were downloaded")) == (0, 2)
    path = stored_models()[0].folder / WEIGHTS
    content = bytearray(path.read_bytes())
    content[9] ^= 1
    path.write_bytes(content)
    status, out, err = models(capsys, "check", "paper")
    assert (status, out.count("all as they were downloaded")) == (1, 1)
    assert f"{WEIGHTS}: its checksum is" in err
    assert "models get" in err
    assert models(capsys, "get", "paper")[0] == 0
    assert models(capsys, "check", "paper")[0] == 0
    assert models(capsys, "remove", PROFILES["paper"].nli.reference)[0] == 0
    assert [each.model_id for each in stored_models()] == ["mixedbread-ai/mxbai-rerank-base-v1"]
    status, out, _ = models(capsys, "remove", "--all")
    assert (status, stored_models()) == (0, ())
    assert "102 kB freed" in out


def test_a_profile_is_removed_without_the_commit_of_another(hub, capsys):
    models(capsys, "get", "paper", "hhem-2.1")
    assert len(stored_models()) == 3
    models(capsys, "remove", "paper")
    assert [each.commit for each in stored_models()] == [PROFILES["hhem-2.1"].nli.revision]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["get", "papr"], 2, "no profile (embedded, cascade, embedded-large, paper"),
        (["get", "owner/missing"], 1, "no model owner/missing"),
        (["get", "custom-00000000"], 1, "Make it again"),
        (["check", "paper"], 1, "not downloaded"),
        (["remove", "paper"], 2, "nothing of paper is downloaded"),
        (["remove"], 2, "--all"),
        (["remove", "paper", "--all"], 2, "--all alone"),
    ],
)
def test_what_cannot_be_done_says_why(hub, capsys, arguments, status, said):
    found, _, err = models(capsys, *arguments)
    assert (found, said in err) == (status, True), err


def test_as_a_user_starts_it(hub):
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "provenance_core", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False
        )

    done = run("models", "get", "vitaminc")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ready in" in done.stdout
    done = run("audit", "--answer", "x", "--context", "README.md", "--profile", "paper")
    assert done.returncode == 1
    assert "python -m provenance_core models get paper" in done.stderr


# A custom profile on the command line


def asked(*given: str) -> Settings:
    return settings_of(parsed("evaluate", "rows.jsonl", *given))


def test_a_custom_profile_is_made_of_options_and_kept_until_it_is_forgotten(hub, capsys):
    options = asked("--profile", "custom", "--nli-model", "owner/nli", "--entailment-label", "1")
    # Not while its models are not here.
    with pytest.raises(ModelError, match="not downloaded"):
        profile_from(options)
    assert profile_names() == tuple(PROFILES)
    hub.publish("owner/nli", model_files())
    models(capsys, "get", "owner/nli")
    name = profile_from(options)
    assert profile_names()[-1] == name
    assert get_profile(name).nli.entailment_label == 1
    assert profile_from(asked("--profile", name)) == name
    assert profile_from(asked()) == "embedded"
    status, out, _ = models(capsys, "remove", name)
    assert (status, out) == (
        0, f"{name}: forgotten; its models stay until they are removed by their own names\n",
    )  # fmt: skip
    assert profile_names() == tuple(PROFILES)
    assert len(stored_models()) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--profile", "custom"], "needs --nli-model"),
        (["--nli-model", "owner/nli"], "for --profile custom"),
        (["--profile", "paper", "--entailment-label", "0"], "for --profile custom"),
    ],
)
def test_options_that_do_not_go_together(hub, given, said):
    with pytest.raises(InputError, match=said):
        profile_from(asked(*given))


def test_an_unknown_profile_is_refused_by_the_parser(capsys):
    assert main(["evaluate", "rows.jsonl", "--profile", "enormous"]) == 2
    assert "embedded, cascade, embedded-large, paper, hhem-2.1" in capsys.readouterr().err


def test_a_kept_command_names_no_folder_of_the_machine(hub, tmp_path):
    given = parsed(
        "evaluate", "rows.jsonl", "--profile", "custom", "--nli-model", str(tmp_path / "mine"),
        "--report", "benchmarks",
    )  # fmt: skip
    settings = settings_of(given)
    options = EvaluateOptions(**given, settings=settings)
    assert str(tmp_path) not in command_line(options)
    assert "--nli-model ./mine" in command_line(options)


# The table of the reference


def test_the_table_has_a_line_a_profile():
    lines = profile_table().splitlines()
    assert [line.split("`")[1] for line in lines[2:]] == list(PROFILES)
    assert len({line.count("|") for line in lines}) == 1
    assert "| 1.1 GB |" in next(line for line in lines if "`paper`" in line)


@pytest.mark.parametrize(
    ("size", "said"), [(0, "0 kB"), (999, "1 kB"), (1_500_000, "2 MB"), (1_750_000_000, "1.8 GB")]
)
def test_sizes_in_words(size, said):
    assert size_text(size) == said
