"""``python -m provenance_core batch``: a file into a run, and work on runs."""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from command_line.arguments import (
    DEFAULT_DETECTOR,
    PARAMETER_NAMES,
    PROFILE_OPTIONS,
    check_read,
    parameters_from,
    profile_from,
)
from command_line.audit_text import visible
from command_line.exit_codes import ExitCode
from command_line.row_reports import ProgressLine, SkipReport
from provenance_core import default_parameters
from provenance_core.detectors import get_detector
from provenance_core.errors import InputError, ModelError
from provenance_core.files.batch import FieldMapping, inspect_batch_file, read_batch_file
from provenance_core.models.catalogue.profiles import default_profile, get_profile
from provenance_core.models.hub.cache import require_models
from storage.errors import RunNotFound, StorageError
from storage.runs import NewRun, Progress, Run, RunStatus, mapping_pairs
from worker.cluster import Cluster, work_on_cluster
from worker.process import dead_worker, has_died, this_worker
from worker.rows import Outcome, Stores, work

_LISTED_AT_ONCE = 100


def run_batch(options: argparse.Namespace) -> ExitCode:
    """Start, resume or list runs.

    Parameters
    ----------
    options : argparse.Namespace
        Of ``batch``.

    Returns
    -------
    ExitCode
        How the command ends.

    Raises
    ------
    InputError
        The file cannot be read, or options do not go together.
    ModelError
        The models cannot be loaded.
    """
    try:
        stores = Stores.open()
        if options.list:
            return _list(stores, options)
        cluster = _cluster(options)
        run = _chosen(stores, options)
        if run.status is RunStatus.DONE:
            _say_end(run)
            return ExitCode.SUCCESS
        return _work(stores, run, cluster)
    except StorageError as error:
        print(f"error: {visible(str(error))}", file=sys.stderr)
        return ExitCode.FAILURE


def _chosen(stores: Stores, options: argparse.Namespace) -> Run:
    """The run to work on: a new one from a file, or one that is there."""
    if options.work is not None:
        if options.resume or options.retry_failed or options.file or _of_a_new_run(options):
            raise InputError("--work takes a run as it is: leave out all else")
        return stores.runs.get(options.work)
    if options.resume:
        return _resumed(stores, options)
    if options.retry_failed:
        raise InputError("--retry-failed is of a run that was started: add --resume")
    if options.file is None:
        raise InputError(
            "name the FILE whose rows are to be audited, or add --resume to go on with a run"
        )
    return _created(stores, options)


def _created(stores: Stores, options: argparse.Namespace) -> Run:
    if reason := get_detector(options.method).unavailable():
        raise ModelError(reason)
    name = stores.runs.free_name(options.run)
    profile = profile_from(options)
    require_models(get_profile(profile))
    parameters = parameters_from(options, default_parameters(profile, options.method))
    check_read(options, parameters)
    mapping = _mapping(options.file, options)
    file = read_batch_file(options.file, options.format, mapping)
    for warning in file.warnings:
        print(f"{options.file}: warning: {visible(warning)}", file=sys.stderr)
    skips = SkipReport(options.file)
    for rejected in file.rejected:
        skips.add(rejected.line, rejected.reason)
    skips.summarise()
    if not file.rows:
        raise InputError(f"{options.file}: no row can be audited; see the reasons above")
    new = NewRun(
        name,
        options.file.name,
        file.format,
        mapping_pairs(file.mapping),
        profile,
        parameters,
    )
    return stores.runs.get(stores.runs.create(new, file.rows, file.rejected))


def _mapping(path: Path, options: argparse.Namespace) -> FieldMapping | None:
    """The mapping that the file suggests with the keys that were given; None without any."""
    if not options.map:
        return None
    suggested = inspect_batch_file(path).mapping or FieldMapping()
    return replace(suggested, **dict(options.map))


def _resumed(stores: Stores, options: argparse.Namespace) -> Run:
    try:
        run = stores.runs.named(options.run)
    except RunNotFound:
        raise InputError(
            f"there is no run called {options.run!r} to resume; batch --list lists the runs, and "
            "without --resume a FILE starts one"
        ) from None
    if options.file is not None and options.file.name != run.file_name:
        raise InputError(
            f"the run {run.name!r} is of {run.file_name}, not of {options.file.name}; leave out "
            "the file, or start another run"
        )
    if _of_a_new_run(options):
        raise InputError(
            "a resumed run keeps its format, profile and parameters: leave these options out, or "
            "start another run"
        )
    if not (options.retry_failed and stores.runs.retry_failed(run.id)):
        stores.runs.resume(run.id, dead_worker(run))
    return stores.runs.get(run.id)


def _of_a_new_run(options: argparse.Namespace) -> bool:
    """Whether an option was given that only a new run takes."""
    given = [getattr(options, name) for name in PARAMETER_NAMES]
    return (
        any(value is not None for value in given)
        or bool(options.format or options.map)
        or options.profile != default_profile()
        or any(getattr(options, name) is not None for name in PROFILE_OPTIONS[1:])
        or options.method != DEFAULT_DETECTOR
    )


def _cluster(options: argparse.Namespace) -> Cluster | None:
    """The Ray cluster that scores; None where this process does."""
    if options.engine == "ray":
        return Cluster(options.address, options.scorers, options.scorer_cores)
    if options.address:
        raise InputError("--address is of a Ray cluster: add --engine ray")
    return None


def _work(stores: Stores, run: Run, cluster: Cluster | None) -> ExitCode:
    before = run.progress
    line = ProgressLine(run.name, before.total - before.left)

    def show(progress: Progress) -> None:
        line(progress.total - progress.left, progress.total)

    try:
        with _stopped_like_ctrl_c():
            if cluster is None:
                outcome = work(stores, run.id, this_worker(), on_progress=show)
            else:
                outcome = work_on_cluster(stores, run.id, this_worker(), cluster, on_progress=show)
    except KeyboardInterrupt:
        resume = shlex.join(["--run", run.name, "--resume"])
        print(f"\nTo go on: python -m provenance_core batch {visible(resume)}", file=sys.stderr)
        raise
    try:
        run = stores.runs.get(run.id)
    except RunNotFound:
        print(f"error: the run {visible(run.name)} was deleted meanwhile", file=sys.stderr)
        return ExitCode.FAILURE
    if outcome is Outcome.DONE:
        _say_end(run)
        return ExitCode.SUCCESS
    print(f"error: {visible(_why_not(run))}", file=sys.stderr)
    return ExitCode.FAILURE


@contextmanager
def _stopped_like_ctrl_c() -> Iterator[None]:
    """SIGTERM, a service manager's way to stop a program, leaves the run as Ctrl+C does."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _why_not(run: Run) -> str:
    """Why there is nothing more to do for this process."""
    match run.status:
        case RunStatus.RUNNING:
            return f"another process works on the run {run.name!r} ({run.worker})"
        case RunStatus.DONE:
            return f"the run {run.name!r} was ended by another process"
        case _:
            return f"the run {run.name!r} is {run.status}; resume it to go on"


def _say_end(run: Run) -> None:
    progress = run.progress
    print(
        f"Run {run.id}, {visible(run.name)}: {progress.done:,} audited, {progress.failed:,} "
        f"failed, {progress.rejected:,} rejected"
    )
    if progress.failed:
        again = shlex.join(["--run", run.name, "--resume", "--retry-failed"])
        print(
            f"To audit the failed rows again: python -m provenance_core batch {visible(again)}",
            file=sys.stderr,
        )


def _list(stores: Stores, options: argparse.Namespace) -> ExitCode:
    if options.resume or options.file or _of_a_new_run(options):
        raise InputError("--list lists every run: leave out all else")
    print(
        f"{'run':>5}  {'status':<10} {'done':>9} {'failed':>7} {'rejected':>8} {'rows':>9}  "
        f"{'created (UTC)':<16}  name"
    )
    offset = 0
    while runs := stores.runs.page(offset, _LISTED_AT_ONCE).runs:
        for run in runs:
            progress = run.progress
            status = "dead" if has_died(run) else str(run.status)
            print(
                f"{run.id:>5}  {status:<10} {progress.done:>9,} {progress.failed:>7,} "
                f"{progress.rejected:>8,} {progress.total:>9,}  "
                f"{run.created_at[:16].replace('T', ' '):<16}  {visible(run.name)}"
            )
            if run.message:
                print(f"{'':>5}  {visible(run.message)}")
        offset += len(runs)
    return ExitCode.SUCCESS
