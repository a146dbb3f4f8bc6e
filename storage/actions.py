"""Who did what: a line of JSON beside the database for each change that a person made."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path

from storage.database import now_text
from storage.engine import data_folder, database_url, sqlite_file

_LOG = logging.getLogger(__name__)


def action_log(url: str | None = None) -> Path:
    """The file that actions are recorded in, which may not exist yet: next to an SQLite database,
    else in the data folder."""
    database = sqlite_file(url or database_url()) or data_folder() / "provenance"
    return database.with_suffix(".actions.jsonl")


def record_action(
    name: str, role: str, action: str, numbers: Sequence[int] = (), identity: str = ""
) -> None:
    """Record that a person did something; no text of an audit is kept. ``identity``: digest of
    issuer and subject of the token, "" where nobody signs in."""
    line = {
        "at": now_text(),
        "who": name,
        "identity": identity,
        "role": role,
        "action": action,
        "numbers": [*numbers],
    }
    file = action_log()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
    except OSError as error:
        # The change itself says that the disk is full or read-only.
        _LOG.warning("event=action_not_recorded error=%s", type(error).__name__)
