"""The lock of the release: what requirements.txt pins, with everything below it and hashes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).parents[2]
LOCK = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8")
MAKE = (
    "uv pip compile --universal --generate-hashes --python-version 3.11 requirements.txt "
    "-o requirements.lock"
)


def pins(text: str) -> dict[str, str]:
    """The version of each package, by its name; a package of several platforms has its last."""
    lines = [line.rstrip(" \\") for line in text.splitlines() if re.match(r"[A-Za-z0-9]", line)]
    each = [Requirement(line) for line in lines]
    return {canonicalize_name(one.name): str(one.specifier) for one in each}


def test_the_lock_agrees_with_the_requirements() -> None:
    asked = pins((REPOSITORY / "requirements.txt").read_text(encoding="utf-8"))
    locked = pins(LOCK)
    stale = {name for name, version in asked.items() if locked.get(name) != version}
    assert not stale, f"make requirements.lock again: {MAKE}"
    assert len(locked) > len(asked)


def test_every_package_of_the_lock_has_hashes_and_no_address() -> None:
    blocks = re.split(r"\n(?=[A-Za-z0-9])", LOCK)[1:]
    assert len(blocks) >= len(pins(LOCK)) - 1
    for block in blocks:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block.splitlines()[0]
    assert "://" not in LOCK


def test_the_command_that_makes_the_lock_stands_in_it_and_in_the_documents() -> None:
    assert LOCK.splitlines()[1] == f"#    {MAKE}"
    assert MAKE in (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")


# What may be shipped and used beside Apache-2.0 without asking anyone. Of several licences joined
# by AND each counts, of those joined by OR one does.
ALLOWED = {
    "0bsd", "3-clause bsd license", "apache 2.0", "apache 2.0 license", "apache license 2.0",
    "apache software license", "apache-2.0", "apache-2.0 with llvm-exception", "bsd license",
    "bsd-2-clause", "bsd-3-clause", "bsl-1.0", "cc0-1.0", "cnri-python", "isc", "isc license",
    "isc license (iscl)", "mit", "mit license", "mit-0", "mit-cmu", "mozilla public license 2.0",
    "mozilla public license 2.0 (mpl 2.0)", "mpl-2.0", "psf-2.0", "public domain", "unlicense",
    "python software foundation license", "the unlicense (unlicense)", "zlib", "zpl-2.1",
    # Comes with torch for NVIDIA cards; only what this machine has is listed.
    "libucc", "nvidia proprietary software", "other/proprietary license",
}  # fmt: skip
# Read by hand where the package says nothing usable.
KNOWN = {
    "axe-playwright-python": "MIT",  # its LICENSE file; of the tests alone
    "docutils": "Public Domain OR BSD-2-Clause",  # COPYING: one Emacs file is under the GPL
}


def refused(licence: str) -> bool:
    """Whether an expression of licences asks for one that is not on the list."""
    every = re.split(r"\s+AND\s+|;", licence.replace("(MPL 2.0)", "").replace("(ISCL)", ""))
    return not all(
        any(one.strip(" ()").casefold() in ALLOWED for one in re.split(r"\s+OR\s+", part))
        for part in every
    )


def test_a_licence_that_is_not_on_the_list_is_refused() -> None:
    assert refused("GPL-3.0-only")
    assert refused("MIT AND GPL-2.0")
    assert refused("UNKNOWN")
    assert not refused("MIT OR GPL-2.0")
    assert not refused("Apache-2.0 AND (MIT OR GPL-2.0)")


def test_licences_of_everything_that_is_locked_and_installed() -> None:
    asked = [sys.executable, "-m", "piplicenses", "--format=json", "--from=mixed", "--with-system"]
    listed = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
    found = {canonicalize_name(each["Name"]): each["License"] for each in listed}
    locked = set(pins(LOCK)) & set(found)
    assert len(locked) > 100
    wrong = {name: found[name] for name in locked if refused(KNOWN.get(name, found[name]))}
    assert wrong == {}


@pytest.mark.slow
def test_the_software_bill_of_materials_names_every_package_of_the_lock(tmp_path: Path) -> None:
    program = shutil.which("cyclonedx-py", path=str(Path(sys.executable).parent))
    assert program is not None
    out = tmp_path / "sbom.json"
    command = ["requirements", "requirements.lock", "--output-reproducible", "-o", str(out)]
    subprocess.run([program, *command], cwd=REPOSITORY, check=True, capture_output=True)
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["bomFormat"] == "CycloneDX"
    components = {canonicalize_name(each["name"]): each for each in found["components"]}
    assert set(components) == set(pins(LOCK))
