"""Who imports whom, by the contracts in pyproject.toml."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_no_import_breaks_a_contract():
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
