"""A disk without room, a limit of a file's size, a folder that cannot be written."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]
STEPS = [sys.executable, "-m", "tests.storage.small_disk"]
ROOM = "3m"
# Without it the shared-memory file of SQLite alone would fill the disk.
BALLAST = 1_500_000


def steps(command: Sequence[str], limit: Callable[[], None] | None = None) -> dict[str, Any]:
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, preexec_fn=limit, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def nothing_is_lost(found: dict[str, Any]) -> None:
    assert found["saved"] > 1
    assert found["count"] == found["reopened"] == found["saved"]
    assert found["same"] is True
    assert found["problems"] == []


def test_a_full_disk_is_said_everywhere_and_loses_nothing(tmp_path: Path) -> None:
    mounted = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    mount = f"mount -t tmpfs -o size={ROOM} tmpfs {tmp_path}"
    if os.name != "posix" or not shutil.which("unshare"):
        pytest.skip("this system has no unshare")
    if subprocess.run([*mounted, mount], capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a disk in memory")
    fill = f"head -c {BALLAST} /dev/zero > {tmp_path}/ballast"
    found = steps([*mounted, f"{mount} && {fill} && exec {' '.join(STEPS)} {tmp_path}"])
    nothing_is_lost(found)
    for message in (found["save"], found["backup"]):
        assert "disk is full. Free space on the disk; what was saved before is" in message
    assert "No space left on device; make room on its disk" in found["export"]
    assert (found["copies"], found["exports"]) == ([], []), "half a file is left"
    assert found["after"] == "", "it does not go on once there is room"


def test_a_limit_of_a_files_size_is_said_and_loses_nothing(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))

    found = steps([*STEPS, str(tmp_path)], limit)
    nothing_is_lost(found)
    assert "disk I/O error. The disk refused the write: free space" in found["save"]


READ_ONLY = """
import sys
from pathlib import Path
from storage import AuditStore, StorageError
from storage.backups import back_up
from tests.commands import run_command
from tests.storage.small_disk import AUDIT, said
folder = Path(sys.argv[1])
url = f"sqlite:///{folder / 'p.db'}"
print(said(lambda: AuditStore.open(url).save(AUDIT)))
print(said(lambda: back_up(folder / "copy.db", url)))
print(run_command("export", "--out", folder / "out.jsonl").stderr)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="modes of a folder are those of POSIX")
def test_a_folder_that_is_read_only_is_said_to_root_too(tmp_path: Path) -> None:
    # Root may write everywhere, unless this right is taken away.
    caps = "-dac_override,-dac_read_search"
    root = ["setpriv", f"--bounding-set={caps}", f"--inh-caps={caps}"] if os.geteuid() == 0 else []
    if root and not shutil.which("setpriv"):
        pytest.skip("this user is root, and there is no setpriv")
    folder = tmp_path / "folder"
    folder.mkdir()
    url = f"sqlite:///{folder / 'p.db'}"
    made = "import sys; from storage import AuditStore; AuditStore.open(sys.argv[1])"
    subprocess.run([sys.executable, "-c", made, url], cwd=REPOSITORY, check=True)
    before = (folder / "p.db").read_bytes()
    folder.chmod(0o500)
    (folder / "p.db").chmod(0o400)
    try:
        done = subprocess.run(
            [*root, sys.executable, "-c", READ_ONLY, str(folder)],
            cwd=REPOSITORY,
            env={**os.environ, "PROVENANCE_DATABASE_URL": url},
            capture_output=True,
            check=False,
            timeout=300,
        )
        said = done.stdout.decode()
        assert done.returncode == 0, done.stderr.decode()
        save, backup, *export = said.splitlines()
        assert "Make the database file and its folder" in save
        assert "was not copied" in backup or "cannot be opened" in backup
        assert "Make the database file and its folder" in backup or "writable" in backup
        assert "Permission denied" in "".join(export) or "cannot be opened" in "".join(export)
        assert sorted(each.name for each in folder.iterdir()) == ["p.db"]
        assert (folder / "p.db").read_bytes() == before
    finally:
        folder.chmod(0o700)
