"""Functions and files that an audit passes, and that the opening of a saved audit passes.

``python -m benchmarks.audit_path`` prints both. A function of this repository counts once, however
often it is called; lambdas, comprehensions and what ``dataclass`` writes do not count. What runs
only the first time does not count either: another answer is audited, and another audit is opened,
before the count begins. Each path has a process of its own, with nothing kept from another.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from unittest.mock import patch

from benchmarks.page_openings import PageView, open_page
from dashboard.audit.examples import CONTRADICTED, SUPPORTED, Example
from dashboard.shared.warm_up import import_ahead
from provenance_core import Audit, Provenance, default_parameters
from provenance_core.models.settings import PROFILE
from storage import DATABASE_URL_VARIABLE, AuditStore

ROOT = Path(__file__).resolve().parents[1]
# The code of functions that a person did not write as one.
_UNNAMED = ("<lambda>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>", "<module>")


Passed = set[tuple[str, str]]


@contextmanager
def passed() -> Iterator[Passed]:
    """Collects file and qualified name of every function of the repository that is called in this
    thread, or in a thread that starts meanwhile. The set is whole when the block is left."""
    codes: set[CodeType] = set()
    found: Passed = set()

    def watch(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        for code in codes:
            path = Path(code.co_filename)
            if (
                path.is_relative_to(ROOT)
                and not path.is_relative_to(ROOT / "benchmarks")
                and code.co_name not in _UNNAMED
            ):
                found.add((str(path.relative_to(ROOT)), code.co_qualname))


def audit_of(models: Provenance, example: Example) -> Audit:
    """The audit of a built-in example with the default parameters of the profile."""
    return models.audit(
        query=example.query,
        answer=example.answer,
        context=example.context,
        parameters=default_parameters(models.profile),
    )


def of_an_audit(profile: str) -> Passed:
    """What an audit passes with loaded models."""
    models = Provenance.load(profile)
    audit_of(models, SUPPORTED)
    with passed() as found:
        audit_of(models, CONTRADICTED)
    return found


def of_an_opening(profile: str) -> Passed:
    """What the Audit page passes when a visitor opens a saved audit."""
    os.environ[PROFILE.variable] = profile
    models = Provenance.load(profile)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/audits.db"
        store = AuditStore.open(url)
        first, second = (
            PageView("Audit", "audit", (("audit", str(store.save(audit_of(models, example)))),))
            for example in (SUPPORTED, CONTRADICTED)
        )
        with patch.dict(os.environ, {DATABASE_URL_VARIABLE: url}):
            open_page(first)
            import_ahead().join()
            with passed() as found:
                open_page(second)
    return found


def alone(measure: Callable[[str], Passed], profile: str) -> Passed:
    """What ``measure`` finds in a new process."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(measure, profile).result()


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line for each path, and with ``--list`` every file with its functions."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print the functions of each file")
    given = parser.parse_args(arguments)
    for name, measure, profile in (
        ("one audit, embedded", of_an_audit, "embedded"),
        ("one audit, cascade", of_an_audit, "cascade"),
        ("a saved audit opened, cascade", of_an_opening, "cascade"),
    ):
        functions = alone(measure, profile)
        files = Counter(file for file, _ in functions)
        print(f"{name}: {len(functions)} functions in {len(files)} files")
        for file in sorted(files) if given.list else ():
            print(f"  {file}: {', '.join(sorted(f for of, f in functions if of == file))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
