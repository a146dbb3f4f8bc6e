"""``fit``: support map and threshold fitted to labelled answers, and the profiles that are kept."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from provenance_core import Provenance, default_parameters
from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.row_reports import ProgressLine, SkipReport
from provenance_core.cli.text_files import read_exported, write_exported
from provenance_core.errors import InputError
from provenance_core.files.labelled import files_in, first_shuffled, read_labelled_file
from provenance_core.files.types import LabelledFile, RejectedRow
from provenance_core.models.catalogue.profiles import get_profile, support_maps
from provenance_core.models.pair_memory import PairMemory
from provenance_core.statistics.own_fit.answers import LabelledAudit, fit_sample
from provenance_core.statistics.own_fit.fit import fit_to_labels
from provenance_core.statistics.own_fit.types import MapFit
from provenance_core.types import Parameters
from reports.fit_wording import (
    TextTable,
    figures_table,
    kinds_text,
    left_out_text,
    sample_text,
    strength_text,
    verdict_on_fit,
    weights_table,
)
from storage.fitted_profiles import FitEvidence, FittedProfileStore


def run_fit(options: argparse.Namespace) -> ExitCode:
    """Fit a profile to labels, or list, export or import fitted ones.

    How the command ends. Raises InputError Options do not go together, or there are too few labels,
    and ModelError The models cannot be loaded, and ProvenanceError The database cannot be used.
    """
    asked = options.list or options.export or options.imported
    if bool(options.files) == bool(asked):
        both = ", not both; leave one of them out" if asked else ""
        raise InputError(
            f"give labelled files to fit to, or one of --list, --export, --import{both}"
        )
    if options.list:
        _list()
    elif options.export:
        write_exported(FittedProfileStore.open().export(options.export), options.out)
    elif options.imported:
        _import(options.imported)
    else:
        _fit(options)
    return ExitCode.SUCCESS


def _fit(options: argparse.Namespace) -> None:
    profile = get_profile(options.profile)
    base = profile.name if profile.fitted is None else profile.fitted.base
    maps = support_maps(profile)  # found out before the models are loaded
    parameters = default_parameters(base)
    files = [
        read_labelled_file(path, options.format)
        for given in options.files
        for path in files_in(given)
    ]
    models = Provenance.load(base)
    audits = (audit for file in files for audit in _audited(models, file, parameters, options))
    sample = fit_sample(audits, maps, parameters)
    fit = fit_to_labels(sample.answers, base, maps, parameters, seed=options.seed)
    print(verdict_on_fit(fit.comparisons, fit.better))
    print(kinds_text(fit.kinds))
    print(_table(figures_table(fit.comparisons)))
    print(sample_text(fit.n, fit.supported, fit.documents))
    if lines := left_out_text(sample.left_out):
        print(lines)
    print(f"Threshold: built-in {fit.threshold_before:.3f}, fitted {fit.threshold:.3f}.")
    print(strength_text(fit.strength))
    print(_table(weights_table(maps.decisive, fit.support)))
    if options.name is not None:
        _keep(options, fit, files)


def _keep(options: argparse.Namespace, fit: MapFit, files: list[LabelledFile]) -> None:
    names = ", ".join(file.path.name for file in files)
    evidence = FitEvidence.of(fit, f"rows of {names}", "data set")
    kept = FittedProfileStore.open().save(options.name, fit, evidence, options.author)
    print(f"Kept as the profile {kept}: audit with --profile {kept}")


def _audited(
    models: Provenance, file: LabelledFile, parameters: Parameters, options: argparse.Namespace
) -> Iterator[LabelledAudit]:
    """The audits of a file's rows; a row that cannot be used is named on standard error."""
    rows = first_shuffled(file.rows, options.limit, options.seed)
    skips, progress = SkipReport(file.path), ProgressLine(file.path.name)
    memory = PairMemory()
    for skipped in file.unreadable:
        skips.add(skipped)
    for done, row in enumerate(rows, start=1):
        try:
            audit = models.audit(
                query=row.query,
                answer=row.answer,
                context=row.context,
                parameters=parameters,
                memory=memory,
            )
        except InputError as error:
            skips.add(RejectedRow(row.line, str(error), unit=file.unit))
        else:
            yield LabelledAudit(audit, row.label, row.group)
        progress(done, len(rows))
    skips.summarise()


def _list() -> None:
    profiles = FittedProfileStore.open().listed()
    if not profiles:
        print("No fitted profile is kept.")
    for each in profiles:
        fitted, evidence = each.fitted, each.evidence
        print(
            f"{fitted.name}  {visible(fitted.title)}  fit of {fitted.base}  threshold "
            f"{fitted.threshold:.3f}  {each.created_at[:10]}"
        )
        print(f"  {sample_text(evidence.n, evidence.supported, evidence.documents)}")


def _import(path: Path) -> None:
    text = read_exported(path)
    try:
        name = FittedProfileStore.open().import_text(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    print(f"{path}: kept as the profile {name}")


def _table(table: TextTable) -> str:
    """The table as lines whose columns stand below each other."""
    lines = [table.head, *table.rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
