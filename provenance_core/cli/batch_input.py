"""The file of a new batch, and how it is to be audited."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from provenance_core import default_parameters
from provenance_core.cli.given_settings import Settings, check_read, parameters_from, profile_from
from provenance_core.cli.output import complain, visible
from provenance_core.cli.row_reports import report_rejected
from provenance_core.detectors import unusable
from provenance_core.errors import InputError, ModelError
from provenance_core.files.batch import BatchFile, inspect_batch_file, read_batch_file
from provenance_core.files.batch import BatchOptions as FileOptions
from provenance_core.files.batch.summary import FileSummary, summarise
from provenance_core.files.locations import at_hand, file_name
from provenance_core.files.types import FieldMapping
from provenance_core.models.catalogue.profiles import get_profile
from provenance_core.models.hub.cache import require_models
from provenance_core.types import Parameters
from storage.worker.cluster import Cluster


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """What ``batch`` was asked for."""

    file: str | None
    run: str
    listed: bool
    work: int | None
    out: str | None
    resume: bool
    retry_failed: bool
    format: str | None
    encoding: str
    sheet: str
    json: bool
    map: tuple[tuple[str, str], ...]
    engine: str
    address: str
    scorers: int
    scorer_cores: int
    scorer_gpus: float
    settings: Settings


@dataclass(frozen=True, slots=True)
class GivenBatch:
    """What a new batch audits, and how. ``name``: of the file, without its folder. ``sha256``: of
    its bytes. ``summary``: what became of the rows of the file."""

    name: str
    sha256: str
    file: BatchFile
    profile: str
    parameters: Parameters
    summary: FileSummary


def read_given(location: str, options: BatchOptions) -> GivenBatch:
    """Read the file and the settings of a new batch, and report the rows that are left out. Raises
    InputError if the file cannot be read, no row of it can be audited or options do not go
    together, and ModelError if the models are not here or the method cannot be used."""
    settings = options.settings
    profile = profile_from(settings)
    parameters = parameters_from(settings, default_parameters(profile, settings.method))
    if reason := unusable(parameters):
        raise ModelError(reason)
    require_models(get_profile(profile))
    check_read(settings, parameters)
    with at_hand(location) as path:
        how = FileOptions(encoding=options.encoding, sheet=options.sheet)
        file = read_batch_file(path, options.format, _mapping(path, options, how), how)
        with path.open("rb") as read:
            sha256 = hashlib.file_digest(read, "sha256").hexdigest()
    for warning in file.warnings:
        complain(f"{location}: warning: {visible(warning)}")
    report_rejected(location, file.rejected)
    if not file.rows:
        raise InputError(f"{location}: no row can be audited; see the reasons above")
    summary = summarise(file)
    return GivenBatch(file_name(location), sha256, file, profile, parameters, summary)


def _mapping(path: Path, options: BatchOptions, how: FileOptions) -> FieldMapping | None:
    """The mapping that the file suggests with the keys that were given; None without any."""
    if not options.map:
        return None
    suggested = inspect_batch_file(path, how).mapping or FieldMapping()
    return replace(suggested, **dict(options.map))


def given_cluster(options: BatchOptions) -> Cluster | None:
    """The Ray cluster that scores, None where this process does. Raises InputError if an option is
    of a cluster, and none is asked for."""
    if options.engine == "ray":
        return Cluster(options.address, options.scorers, options.scorer_cores, options.scorer_gpus)
    if options.address:
        raise InputError("--address names a Ray cluster: add --engine ray")
    return None


def check_gpus(cluster: Cluster | None, profile: str) -> None:
    """Raise InputError if scorers ask for GPUs, and every model of the profile runs on the CPU."""
    if cluster is not None and cluster.gpus and not get_profile(profile).public_models:
        raise InputError(
            f"--scorer-gpus would leave the GPUs idle: the models of {profile} run on the CPU. "
            "Leave it out, or choose a profile of public models"
        )
