"""``batch``: a file into a run, and work on runs."""

from __future__ import annotations

import json
import shlex
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click

from provenance_core import __version__
from provenance_core.cli.batch_input import BatchOptions, check_gpus, given_cluster, read_given
from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import method, option, settings_options
from provenance_core.cli.output import complain, say, visible
from provenance_core.cli.row_reports import RowProgress
from provenance_core.cli.run_command import list_runs
from provenance_core.cli.values import FIELD_NAMES, field_and_key, positive, share
from provenance_core.detectors.judge.settings import judge_settings_help
from provenance_core.errors import InputError
from provenance_core.files.batch.summary import FileSummary
from provenance_core.files.locations import file_name
from provenance_core.files.results import Origin, RowOutcome, results_at
from provenance_core.files.results.writing import check_free
from storage.errors import RunNotFound
from storage.exports.run_results import RunResults
from storage.runs import NewRun, Progress, Run, RunStatus, mapping_pairs
from storage.worker.cluster import Cluster, work_on_cluster
from storage.worker.process import dead_worker, this_worker
from storage.worker.results import audit_into
from storage.worker.rows import Outcome, Stores, work


@click.command(cls=Command, one_of=("run", "listed", "work"), epilog=judge_settings_help())
@click.argument("file", metavar="[FILE]", required=False)
@option("--run NAME", "the name of the run", default="")
@option("--list", "list the runs with their progress", "listed")
@option(
    "--work ID",
    "work on the run of this number, which is queued or whose worker has died",
    type=positive,
)
@option(
    "--out LOCATION",
    "write a row for each row of the file as Parquet: into a folder as they come, or into one file "
    "in .parquet at the end; a path or an address. With --run, once the run is done",
)
@option(
    "--resume",
    "go on with the run of that name, as it was started; without --run, with the folder of --out, "
    "by the same command",
)
@option("--retry-failed", "with --run and --resume: audit the failed rows again")
@option("--format NAME", "read the file as this format (default: by its keys)")
@option(
    "--encoding NAME",
    "read a text file in this encoding (default: found); rows that do not fit it are left out",
    default="",
)
@option(
    "--sheet NAME",
    "the sheet of a workbook, or the list of a JSON document, to read (default: the first)",
    default="",
)
@option("--json", "print the summary of the file, and what became of its rows, as JSON")
@option(
    "--map FIELD=KEY...",
    f"which key of the file holds which field ({', '.join(FIELD_NAMES)})",
    multiple=True,
    type=field_and_key,
)
@option(
    "--engine NAME",
    "where rows are scored: local, in this process, or ray, on a Ray cluster whose machines have "
    "the extra cluster",
    type=click.Choice(("local", "ray")),
    default="local",
)
@option(
    "--address ADDRESS",
    "with --engine ray: address of the cluster's head (default: a cluster on this machine)",
    default="",
)
@option(
    "--scorers N",
    "with --engine ray: at most this many processes with models",
    type=positive,
    default=1,
)
@option(
    "--scorer-cores N",
    "with --engine ray: cores per process",
    type=positive,
    default=1,
)
@option(
    "--scorer-gpus X",
    "with --engine ray and a profile of public models: GPUs per process, 0.5 where two share one "
    "(default: none)",
    type=share,
    default=0.0,
)
@settings_options(method)
def batch(**given: Any) -> ExitCode:
    """Audits every row of a file and keeps the audits: with --run in the database, as one run that
    the dashboard shows, with --out as Parquet, or both. It can be stopped at any moment and
    resumed; no row is audited twice.

    FILE has rows with query, context and answer, as its keys say, or is a data set that formats
    --batch lists; it is a path, or an address that fsspec reads (s3://, gs://, https://).

    Exit status: 0 the run is done, and every row of the file is audited; 4 it is done, and rows
    were refused or failed; 1 a model cannot be loaded, the judge not be asked or the
    database not be used; 2 bad arguments or unreadable input; 130 stopped."""
    options = BatchOptions(**given)
    if not options.run and options.work is None and not options.listed:
        return _into_results(options)
    stores = Stores.open()
    if options.listed:
        if options.resume or options.file or options.out or _of_a_new_run(options):
            raise InputError("--list lists every run: leave out all else")
        list_runs(stores.runs)
        return ExitCode.SUCCESS
    cluster = given_cluster(options)
    if options.out:
        check_free(options.out)
    run = _chosen(stores, options)
    check_gpus(cluster, run.profile)
    if run.status is not RunStatus.DONE:
        if (status := _work(stores, run, cluster)) is not ExitCode.SUCCESS:
            return status
        run = stores.runs.get(run.id)
    _say_end(run, stores.runs.file_summary(run.id), as_json=options.json)
    if options.out:
        _say_results(options.out, RunResults.open().write(run, options.out))
    # A worker tells whoever started it that it did its work.
    left_out = 0 if options.work is not None else run.progress.failed + run.progress.rejected
    return _ended(left_out)


def _ended(left_out: int) -> ExitCode:
    return ExitCode.INCOMPLETE if left_out else ExitCode.SUCCESS


def _into_results(options: BatchOptions) -> ExitCode:
    """Audit a file into Parquet; the database is not opened."""
    if not options.out:
        raise InputError(
            "choose where the audits go: --run NAME keeps them in the database, --out FOLDER "
            "writes them as Parquet"
        )
    if options.retry_failed:
        raise InputError("--retry-failed works on a run in the database: add --run and --resume")
    if options.file is None:
        raise InputError("name the FILE whose rows are to be audited")
    cluster = given_cluster(options)
    if not options.resume:
        check_free(options.out)
    given = read_given(options.file, options)
    check_gpus(cluster, given.profile)
    origin = Origin(
        given.name,
        given.sha256,
        given.file.format,
        mapping_pairs(given.file.mapping),
        given.profile,
        given.parameters,
        __version__,
    )
    with _stopped_like_ctrl_c(), results_at(options.out, origin, resume=options.resume) as results:
        before = results.counts[RowOutcome.AUDITED] + results.counts[RowOutcome.FAILED]
        audit_into(
            results,
            given.file.rows,
            given.file.rejected,
            origin,
            cluster,
            on_progress=RowProgress(given.name, before),
        )
    counts = results.counts
    if options.json:
        _say_json(given.summary, {str(key): count for key, count in counts.items()})
    else:
        _say_results(options.out, counts)
        complain(*given.summary.sentences())
    return _ended(counts.get(RowOutcome.FAILED, 0) + counts.get(RowOutcome.REJECTED, 0))


def _say_json(summary: FileSummary | None, counts: Mapping[str, object]) -> None:
    say(json.dumps({**counts, "file": asdict(summary) if summary else None}, ensure_ascii=False))


def _say_results(out: str, counts: Mapping[RowOutcome, int]) -> None:
    say(
        f"{out}: {counts.get(RowOutcome.AUDITED, 0):,} audited, "
        f"{counts.get(RowOutcome.FAILED, 0):,} failed, "
        f"{counts.get(RowOutcome.REJECTED, 0):,} rejected"
    )


def _chosen(stores: Stores, options: BatchOptions) -> Run:
    """The run to work on: a new one from a file, or one that is there."""
    if options.work is not None:
        others = (options.resume, options.retry_failed, options.file, options.out)
        if any(others) or _of_a_new_run(options):
            raise InputError("--work takes a run as it is: leave out all else")
        return stores.runs.get(options.work)
    if options.resume:
        return _resumed(stores, options)
    if options.retry_failed:
        raise InputError("--retry-failed works on a run that was started: add --resume")
    if options.file is None:
        raise InputError(
            "name the FILE whose rows are to be audited, or add --resume to go on with a run"
        )
    return _created(stores, options.file, options)


def _created(stores: Stores, file: str, options: BatchOptions) -> Run:
    name = stores.runs.free_name(options.run)
    given = read_given(file, options)
    new = NewRun(
        name,
        given.name,
        given.file.format,
        mapping_pairs(given.file.mapping),
        given.profile,
        given.parameters,
        given.summary,
    )
    number = stores.runs.create(new, given.file.rows, given.file.rejected)
    return stores.runs.get(number)


def _resumed(stores: Stores, options: BatchOptions) -> Run:
    try:
        run = stores.runs.named(options.run)
    except RunNotFound:
        raise InputError(
            f"there is no run called {options.run!r} to resume; batch --list lists the runs, and "
            "without --resume a FILE starts one"
        ) from None
    name = run.file_name if options.file is None else file_name(options.file)
    if name != run.file_name:
        raise InputError(
            f"the run {run.name!r} is of {run.file_name}, not of {name}; leave out "
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


def _of_a_new_run(options: BatchOptions) -> bool:
    """Whether an option was given that only a new run takes."""
    reading = (options.format, options.map, options.encoding, options.sheet)
    return any(reading) or any(options.settings.given())


def _work(stores: Stores, run: Run, cluster: Cluster | None) -> ExitCode:
    before = run.progress
    line = RowProgress(run.name, before.total - before.left)

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
        complain("", f"To go on: python -m provenance_core batch {resume}")
        raise
    try:
        run = stores.runs.get(run.id)
    except RunNotFound:
        complain(f"error: the run {visible(run.name)} has been deleted")
        return ExitCode.FAILURE
    if outcome is Outcome.DONE:
        return ExitCode.SUCCESS
    complain(f"error: {visible(_why_not(run))}")
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
            return f"another process finished the run {run.name!r}"
        case _:
            return f"the run {run.name!r} is {run.status}; resume it to go on"


def _say_end(run: Run, summary: FileSummary | None, *, as_json: bool) -> None:
    progress = run.progress
    if as_json:
        counts = {
            "run": run.id,
            "audited": progress.done,
            "failed": progress.failed,
            "rejected": progress.rejected,
        }
        _say_json(summary, counts)
        return
    say(
        f"Run {run.id}, {visible(run.name)}: {progress.done:,} audited, {progress.failed:,} "
        f"failed, {progress.rejected:,} rejected"
    )
    if progress.failed:
        again = shlex.join(["--run", run.name, "--resume", "--retry-failed"])
        complain(f"To audit the failed rows again: python -m provenance_core batch {again}")
    if summary is not None:
        complain(*summary.sentences())
