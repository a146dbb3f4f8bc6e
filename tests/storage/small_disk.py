"""What is done on a disk without room, as a process of its own: ``python -m ... FOLDER``.

Prints one JSON object of what each step said.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from provenance_core import Parameters, assemble
from provenance_core.cli.exit_codes import ExitCode
from storage import AuditStore, StorageError
from storage.actions import record_action
from storage.backups import back_up, check
from storage.engine import dispose_engine
from tests.commands import run_command
from tests.conftest import hand_evidence

AUDIT = assemble(hand_evidence([1.0, 0.0], [[0.9, 0.1], [0.2, 0.3]]), Parameters())


def said(step: Callable[[], object]) -> str:
    """The message of a step that is refused, "" of one that is done."""
    try:
        step()
    except StorageError as error:
        return str(error)
    return ""


def until_refused(step: Callable[[], object]) -> tuple[int, str]:
    """How often it was done, and why not once more."""
    for done in range(5_000):
        if message := said(step):
            return done, message
    raise AssertionError("the disk took everything")


def main() -> None:
    folder = Path(sys.argv[1])
    url = f"sqlite:///{folder / 'p.db'}"
    os.environ["PROVENANCE_DATABASE_URL"] = url
    store = AuditStore.open(url)
    saved, message = until_refused(lambda: store.save(AUDIT))
    found: dict[str, object] = {"saved": saved, "save": message, "count": store.count()}
    found["backup"] = said(lambda: back_up(folder / "copy.db"))
    found["copies"] = [each.name for each in folder.glob("copy*")]
    done = run_command("export", "--out", folder / "out.jsonl")
    found["export"] = done.stderr
    found["export_status"] = done.returncode == ExitCode.USAGE
    found["exports"] = [each.name for each in folder.glob("out*")]
    record_action("ann", "admin", "x" * 100_000)
    dispose_engine(url)
    again = AuditStore.open(url)
    found["reopened"] = again.count()
    found["same"] = again.load(1).audit == AUDIT
    found["problems"] = check().problems
    ballast = folder / "ballast"
    if ballast.exists():
        ballast.unlink()
        found["after"] = said(lambda: again.save(AUDIT))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
