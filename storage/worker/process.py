"""Worker processes: their names, whether one still lives, and starting one."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import psutil

from storage.engine import data_folder, database_url, sqlite_file
from storage.errors import DATABASE_URL_VARIABLE, StorageError, reason
from storage.runs import SILENCE, Run, RunStatus

# Host, process, time of its start: a process id alone may be given to another process.
_SEPARATOR = " "
_LONGEST_HOST = 44
# The last process that this one started for a run, by the number of the run.
_STARTED: dict[int, subprocess.Popen[bytes]] = {}
# Where ``python -m provenance_core`` is found, whatever folder the dashboard was started in.
_PACKAGES = Path(__file__).parents[2]


def this_worker() -> str:
    """Name a worker of this process as no other is named: host, process, time of its start and a
    random part, 80 characters at most."""
    process = psutil.Process()
    return _SEPARATOR.join(
        (_host(), str(process.pid), f"{process.create_time():.2f}", secrets.token_hex(3))
    )


def is_gone(worker: str) -> bool:
    """Whether the process of a worker is known to have ended; False on another machine, where it
    cannot be known."""
    host, _, rest = worker.partition(_SEPARATOR)
    if host != _host():
        return False
    try:
        pid, started, _ = rest.split(_SEPARATOR)
        process = psutil.Process(int(pid))
        if f"{process.create_time():.2f}" != started:
            return True
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
    except (ValueError, psutil.Error):
        return False  # not a name of ours, or not to be known: its silence decides


def has_died(run: Run) -> bool:
    """Whether the run is said to be running, but its worker has ended or been silent too long."""
    if run.status is not RunStatus.RUNNING or run.worker is None:
        return False
    last = run.heartbeat_at
    silent = last is None or datetime.now(UTC) - datetime.fromisoformat(last) > SILENCE
    return silent or is_gone(run.worker)


def is_active(run: Run) -> bool:
    """Whether the run is worked on, or waits for its worker."""
    return run.status.active and not has_died(run)


def is_starting(run: Run) -> bool:
    """Whether a process that this one started for a queued run lives and has not taken it yet."""
    started = _STARTED.get(run.id)
    return run.status is RunStatus.QUEUED and started is not None and started.poll() is None


def dead_worker(run: Run) -> str | None:
    """The worker of a run whose worker has died; None of any other run."""
    return run.worker if has_died(run) else None


def log_path(run_id: int, url: str | None = None) -> Path:
    """Name the file of a started worker's output: next to an SQLite database, else in the data
    folder."""
    database = sqlite_file(url or database_url()) or data_folder() / "provenance"
    return database.with_name(f"{database.stem}.run-{run_id}.log")


def start_worker(run_id: int) -> subprocess.Popen[bytes]:
    """Start a process that works on the run and outlives this one. Raises StorageError where it
    cannot be started, or its log cannot be written."""
    log = log_path(run_id)
    command = [sys.executable, "-m", "provenance_core", "batch", "--work", str(run_id)]
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            # Its own session: neither Ctrl+C in the dashboard's terminal nor its end reaches it.
            _STARTED[run_id] = subprocess.Popen(
                command,
                cwd=_PACKAGES,
                env={"PROVENANCE_LOG": "info", **os.environ, DATABASE_URL_VARIABLE: database_url()},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            return _STARTED[run_id]
    except OSError as error:
        raise StorageError(
            f"Run {run_id} was not started: {reason(error)}. Make {log.parent} writable, or start "
            f"it in a terminal: python -m provenance_core batch --work {run_id}"
        ) from error


def _host() -> str:
    return socket.gethostname().replace(_SEPARATOR, "_")[:_LONGEST_HOST]
