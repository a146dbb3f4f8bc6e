"""What is killed: a process that works on a database until it ends, and says what it has done.

``python -m benchmarks.reliability.victims ACTION FOLDER`` prints ``ready`` once its libraries are
loaded, and a line ``kept WHAT`` after each thing that was acknowledged.
"""

from __future__ import annotations

import contextlib
import io
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from types import MappingProxyType

from provenance_core import Provenance
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import AuditStore, ReviewStore
from storage.backups import restore
from storage.engine import get_engine

APP = Path(__file__).parents[2] / "app.py"
EXPORT, OLD = "full.jsonl", "old"


def answer(number: int) -> str:
    """The answer of the audit of that number: no two are alike."""
    return f"Room {number} is red."


def _audits(_folder: Path) -> Iterator[object]:
    provenance, store = Provenance.load(), AuditStore.open()
    yield None
    for number in count(1):
        audit = provenance.audit(answer=answer(number), context=[f"Room {number} is red and big."])
        yield store.save(audit)


def _pages(_folder: Path) -> Iterator[object]:
    """The Audit page itself, on which somebody presses the examples."""
    # The other victims need none of it.
    from streamlit.testing.v1 import AppTest

    from dashboard.audit.examples import EXAMPLES

    yield None
    for number in count():
        app = AppTest.from_file(APP, default_timeout=300).run()
        name = EXAMPLES[number % len(EXAMPLES)].name
        next(each for each in app.button if each.label == name).click()
        app.run()
        if "audit" in app.query_params:
            yield app.query_params["audit"][0]


def _reviews(_folder: Path) -> Iterator[object]:
    store = ReviewStore.open()
    yield None
    for number in count(1):
        given = Judgement(JudgedVerdict.SUPPORTED, comment=f"{number}")
        yield store.save(1, "ann", given).version


def _exports(folder: Path) -> Iterator[object]:
    from provenance_core.cli.main import main as run_command

    yield None
    for number in count(1):
        out = folder / f"out-{number}.jsonl"
        with contextlib.redirect_stderr(io.StringIO()):
            status = run_command(["export", "--out", str(out)])
        if status == 0:
            yield out.name


def _imports(folder: Path) -> Iterator[object]:
    from provenance_core.cli.main import main as run_command

    yield None
    with contextlib.redirect_stdout(io.StringIO()):
        run_command(["import", str(folder / EXPORT)])


def _migrations(folder: Path) -> Iterator[object]:
    yield None
    for file in sorted((folder / OLD).glob("*.db")):
        get_engine(f"sqlite:///{file}")
        yield file.name


def _restores(folder: Path) -> Iterator[object]:
    copies = sorted((folder / "copies").glob("*.db"))
    yield None
    for number in count():
        restore(copies[number % len(copies)])
        yield number


ACTIONS: Mapping[str, Callable[[Path], Iterator[object]]] = MappingProxyType(
    {
        "audits": _audits,
        "pages": _pages,
        "reviews": _reviews,
        "exports": _exports,
        "imports": _imports,
        "migrations": _migrations,
        "restores": _restores,
    }
)


def main() -> None:
    """Work until killed."""
    logging.disable(logging.WARNING)
    name, folder = sys.argv[1:]
    steps = ACTIONS[name](Path(folder))
    next(steps)
    print("ready", flush=True)
    for kept in steps:
        print(f"kept {kept}", flush=True)


if __name__ == "__main__":
    main()
