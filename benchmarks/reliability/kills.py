"""SIGKILL at random moments: after each, what was acknowledged is there, whole and once."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from benchmarks.reliability.victims import EXPORT, OLD, answer
from provenance_core import Parameters, Provenance
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import AuditStore, ItemFilter, NewRun, ReviewStore, RunStatus, RunStore
from storage.backups import back_up
from storage.copies import health_of
from storage.engine import dispose_engine
from storage.errors import DATABASE_URL_VARIABLE
from storage.exports import Exporter, ExportFormat
from storage.imports import import_audits

REPOSITORY = Path(__file__).parents[2]
OLD_DATABASES = REPOSITORY / "tests" / "storage" / "databases"
_ROWS = 40
# Things that are kept before the kill, at most; it falls within so many seconds after them.
_MOST: Mapping[str, int] = MappingProxyType(
    {
        "audits": 5,
        "batches": 30,
        "reviews": 10,
        "exports": 4,
        "imports": 30,
        "migrations": 6,
        "pages": 2,
        "restores": 4,
    }
)
_LATEST = 0.3
# What the database itself says of work that prints nothing.
_KEPT: Mapping[str, str] = MappingProxyType(
    {
        "batches": "SELECT answer FROM run_rows WHERE status = 'done'",
        "imports": "SELECT created_at FROM audits",
    }
)


@dataclass(frozen=True, slots=True)
class Moment:
    """One kill. ``acknowledged``: what the process had said that it kept; ``lost`` and ``doubled``:
    how many of these are not there, or twice; ``problems``: of the files and of what was done
    after the restart, none where all is well."""

    action: str
    acknowledged: int
    lost: int
    doubled: int
    problems: tuple[str, ...]

    @property
    def survived(self) -> bool:
        """Whether nothing was lost, doubled or damaged."""
        return not (self.lost or self.doubled or self.problems)


class Place:
    """A folder with a database of its own, which the killed process and the check after it use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "p.db"
        self.url = f"sqlite:///{self.file}"
        self.environment = {
            **os.environ,
            DATABASE_URL_VARIABLE: self.url,
            "PROVENANCE_PROFILE": "embedded",
        }

    def texts(self) -> Counter[str]:
        """How many audits there are of each answer."""
        return Counter(self.column("SELECT answer FROM audits"))

    def column(self, statement: str) -> list[str]:
        """The first column of what is read past the storage, by SQLite alone."""
        with closing(sqlite3.connect(self.file)) as read:
            return [str(row[0]) for row in read.execute(statement)]


def kill(action: str, folder: Path, chance: random.Random, provenance: Provenance) -> Moment:
    """Kill a process that does ``action`` at a random moment and look at what it left. What was
    found after the restart."""
    place = Place(folder)
    _prepare(action, place, provenance)
    dispose_engine(place.url)
    if action == "batches":
        command = [sys.executable, "-m", "provenance_core", "batch", "--work", "1"]
    else:
        command = [sys.executable, "-m", "benchmarks.reliability.victims", action, str(folder)]
    acknowledged = _killed(action, command, place, chance)
    lost, doubled, problems = CHECKS[action](place, acknowledged)
    if place.file.exists():
        problems = [*health_of(place.file).problems, *problems]
    dispose_engine(place.url)
    return Moment(action, len(acknowledged), lost, doubled, tuple(problems))


def kill_often(moments: int, seed: int, say: Callable[[Moment], None]) -> list[Moment]:
    """``moments`` kills, the actions in turn; ``say`` is called after each."""
    chance = random.Random(seed)
    provenance = Provenance.load("embedded")
    found = []
    for number in range(moments):
        action = list(CHECKS)[number % len(CHECKS)]
        with tempfile.TemporaryDirectory() as scratch:
            found.append(kill(action, Path(scratch), chance, provenance))
        say(found[-1])
    return found


def _killed(action: str, command: Sequence[str], place: Place, chance: random.Random) -> list[str]:
    """What a process had kept that was killed a random time after a random number of things."""
    said = place.folder / "said.txt"
    enough = chance.randint(0, _MOST[action])
    with said.open("w") as out, (place.folder / "errors.txt").open("w") as errors:
        process = subprocess.Popen(
            command, cwd=REPOSITORY, env=place.environment, stdout=out, stderr=errors
        )
        while process.poll() is None and not _begun(place, said):
            time.sleep(0.005)
        while process.poll() is None and len(_kept(action, place, said)) < enough:
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, _LATEST))
        kept = _kept(action, place, said)
        process.send_signal(signal.SIGKILL)
        process.wait()
    if process.returncode not in (-signal.SIGKILL, 0):
        raise RuntimeError((place.folder / "errors.txt").read_text())
    return kept if action in _KEPT else _kept(action, place, said)


def _kept(action: str, place: Place, said: Path) -> list[str]:
    if action in _KEPT:
        return place.column(_KEPT[action])
    # Without its end, the last line was not said.
    lines = said.read_text().split("\n")[:-1]
    return [line.removeprefix("kept ") for line in lines if line.startswith("kept ")]


def _begun(place: Place, said: Path) -> bool:
    if "ready" in said.read_text():
        return True
    started = "SELECT count(*) FROM runs WHERE worker IS NOT NULL"
    return bool(place.file.exists() and place.column(started) == ["1"])


def _prepare(action: str, place: Place, provenance: Provenance) -> None:
    store = AuditStore.open(place.url)
    if action in ("reviews", "exports", "imports", "restores"):
        audit = provenance.audit(answer=answer(0), context=["Room 0 is red and big."])
        store.save(audit)
    if action == "restores":
        copies = place.folder / "copies"
        copies.mkdir()
        back_up(copies / "1.db", place.url)
        store.save(audit)
        back_up(copies / "2.db", place.url)
    if action in ("exports", "imports"):
        ReviewStore.open(place.url).save(1, "ann", Judgement(JudgedVerdict.SUPPORTED))
        written = io.BytesIO()
        Exporter.open(place.url).write(ItemFilter(), ExportFormat.JSONL, written)
        line = json.loads(written.getvalue())
        with (place.folder / EXPORT).open("w", encoding="utf-8") as lines:
            for number in range(_ROWS):
                line["audit"]["created_at"] = f"2026-01-02T03:04:05.{number:03}+00:00"
                lines.write(f"{json.dumps(line)}\n")
    if action == "imports":
        store.delete(1)
    if action == "migrations":
        (place.folder / OLD).mkdir()
        for script in sorted(OLD_DATABASES.glob("*.sql.gz")):
            file = place.folder / OLD / f"{script.name.removesuffix('.sql.gz')}.db"
            with closing(sqlite3.connect(file)) as made:
                made.executescript(gzip.decompress(script.read_bytes()).decode())
        shutil.copytree(place.folder / OLD, place.folder / "before")
    if action == "batches":
        rows = [
            BatchRow(n, "", (f"Room {n} is red and big.",), answer(n)) for n in range(1, _ROWS + 1)
        ]
        new = NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters())
        RunStore.open(place.url).create(new, rows, [])


Found = tuple[int, int, list[str]]


def _check_audits(place: Place, acknowledged: Sequence[str]) -> Found:
    here = set(place.column("SELECT id FROM audits"))
    lost = len(set(acknowledged) - here)
    store = AuditStore.open(place.url)
    for number in here:
        store.load(int(number))
    # Of the one that was being written when the process died, nobody was told.
    unsaid = len(here) - len(acknowledged) + lost
    problems = [f"{unsaid} audits that nobody asked for"] if unsaid > 1 else []
    return lost, _more_than_once(place.texts()), problems


def _check_pages(place: Place, acknowledged: Sequence[str]) -> Found:
    # The examples are audited again and again: the same texts are no double.
    lost, _, problems = _check_audits(place, acknowledged)
    return lost, 0, problems


def _check_reviews(place: Place, acknowledged: Sequence[str]) -> Found:
    found = ReviewStore.open(place.url).of(1)
    versions = Counter(str(review.version) for review in found)
    wrong = [r for r in found if r.judgement.comment != str(r.version)]
    in_force = place.column("SELECT version FROM reviews WHERE latest")
    problems = [f"review {r.version} holds another comment" for r in wrong]
    if found and in_force != [str(len(found))]:
        problems.append(f"the review in force is {in_force} of {len(found)}")
    return len(set(acknowledged) - set(versions)), _more_than_once(versions), problems


def _check_exports(place: Place, acknowledged: Sequence[str]) -> Found:
    files = {each.name: each for each in place.folder.glob("out-*.jsonl")}
    problems = []
    for name, file in files.items():
        lines = file.read_text(encoding="utf-8").splitlines()
        if len(lines) != 1 or json.loads(lines[0])["audit"]["evidence"]["answer"] != answer(0):
            problems.append(f"{name} is not whole")
    return len(set(acknowledged) - set(files)), 0, problems


def _check_imports(place: Place, acknowledged: Sequence[str]) -> Found:
    """The import goes on where it was: after it, every line is there once."""
    here = place.column(_KEPT["imports"])
    lost, before = len(set(acknowledged) - set(here)), len(here)
    result = import_audits(place.folder / EXPORT, place.url)
    times = Counter(place.column("SELECT created_at FROM audits"))
    reviews = place.column("SELECT id FROM reviews")
    problems = [f"line {row.line}: {row.reason}" for row in result.rejected]
    if result.already_there != before:
        problems.append(f"{before} audits were there, {result.already_there} were recognised")
    if len(reviews) != _ROWS:
        problems.append(f"{len(reviews)} of {_ROWS} reviews")
    return lost + _ROWS - len(times), _more_than_once(times), problems


def _check_migrations(place: Place, acknowledged: Sequence[str]) -> Found:
    lost = 0
    problems: list[str] = []
    for file in sorted((place.folder / OLD).glob("????.db")):
        url = f"sqlite:///{file}"
        AuditStore.open(url)
        dispose_engine(url)
        before = dict(health_of(place.folder / "before" / file.name).rows)
        after = health_of(file)
        problems += after.problems
        for table in ("audits", "context_items", "run_rows"):
            if dict(after.rows).get(table) != before.get(table, 0):
                lost += 1
                problems.append(f"{file.name}: {table} has other rows")
    known = {file.name for file in (place.folder / OLD).glob("????.db")}
    return lost + len(set(acknowledged) - known), 0, problems


def _check_restores(place: Place, _acknowledged: Sequence[str]) -> Found:
    audits = len(place.column("SELECT id FROM audits"))
    return 0, 0, [] if audits in (1, 2) else [f"{audits} audits of neither copy"]


def _check_batches(place: Place, acknowledged: Sequence[str]) -> Found:
    """The batch resumes: after it, every row is done and has an audit of its own."""
    done = _KEPT["batches"]
    lost = len(set(acknowledged) - set(place.column(done)) | set(acknowledged) - set(place.texts()))
    command = [sys.executable, "-m", "provenance_core", "batch", "--work", "1"]
    run = RunStore.open(place.url).get(1)
    problems = []
    if run.status is not RunStatus.DONE:
        resumed = subprocess.run(
            command, cwd=REPOSITORY, env=place.environment, capture_output=True, check=False
        )
        if resumed.returncode:
            problems.append(resumed.stderr.decode())
    texts = place.texts()
    lost += sum(texts[answer(n)] == 0 for n in range(1, _ROWS + 1))
    if len(place.column(done)) != _ROWS:
        problems.append(f"{len(place.column(done))} of {_ROWS} rows are done")
    return lost, _more_than_once(texts), problems


def _more_than_once(counted: Counter[str]) -> int:
    return sum(many > 1 for many in counted.values())


CHECKS: Mapping[str, Callable[[Place, Sequence[str]], Found]] = MappingProxyType(
    {
        "audits": _check_audits,
        "batches": _check_batches,
        "reviews": _check_reviews,
        "exports": _check_exports,
        "imports": _check_imports,
        "migrations": _check_migrations,
        "pages": _check_pages,
        "restores": _check_restores,
    }
)
