"""The image of Containerfile: built, and run read-only by a user who is not root."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.browser_app import ROOT

pytestmark = pytest.mark.slow
BASE = "python:3.11-slim"


def engine() -> str | None:
    """Docker or Podman, if one of them runs."""
    for name in ("docker", "podman"):
        if (
            shutil.which(name)
            and not subprocess.run([name, "info"], capture_output=True).returncode
        ):
            return name
    return None


@pytest.fixture(scope="module")
def image() -> Iterator[tuple[str, str]]:
    """The engine, and the name of an image that it built."""
    name, found = f"provenance-test-{uuid4().hex[:8]}", engine()
    if found is None:
        pytest.skip("neither Docker nor Podman runs on this machine")
    pull = subprocess.run([found, "pull", BASE], capture_output=True, text=True)
    if pull.returncode:
        pytest.skip(f"the image {BASE} cannot be had: {pull.stderr.strip()[-300:]}")
    build = [found, "build", "--tag", name, "--file", "Containerfile", "."]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    yield found, name
    subprocess.run([found, "rmi", "--force", name], capture_output=True)


def in_container(image: tuple[str, str], *arguments: str, entry: str = "") -> str:
    found, name = image
    entrypoint = ["--entrypoint", entry] if entry else []
    limits = ["--read-only", "--tmpfs", "/tmp", "--network", "none", "--cap-drop", "ALL"]
    done = subprocess.run(
        [found, "run", "--rm", "--interactive", *limits, *entrypoint, name, *arguments],
        input="The bridge was opened in 1932.", capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_it_runs_as_nobody_special_and_can_write_its_volume_alone(image):
    assert in_container(image, "-u", entry="id").strip() == "10001"
    in_container(image, "-c", "touch /data/x && ! touch /opt/provenance/x 2>/dev/null", entry="sh")


def test_it_audits_without_a_network(image):
    said = in_container(image, "audit", "--answer", "It was opened in 1999.", "--context", "-")
    assert "1999" in said and "1932" in said


def test_it_is_ready_to_serve(image):
    assert '"ready": true' in in_container(image, "health")
