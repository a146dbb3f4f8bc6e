"""``fit``: support map and threshold fitted to labelled answers, and the profiles that are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from provenance_core import Provenance, default_parameters
from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import (
    FILE,
    exported_to,
    imported,
    labelled_format,
    limit,
    option,
    profile_option,
    seed,
)
from provenance_core.cli.output import columns, say
from provenance_core.cli.row_reports import RowProgress, SkipReport
from provenance_core.cli.text_files import import_exported, write_exported
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
    figures_table,
    kinds_text,
    left_out_text,
    sample_text,
    strength_text,
    verdict_on_fit,
    weights_table,
)
from storage.fitted_profiles import FitEvidence, FittedProfileStore


@dataclass(frozen=True, slots=True)
class Fitting:
    """What is fitted, to which rows, and as what it is kept (None: it is not)."""

    files: tuple[Path, ...]
    profile: str
    format: str | None
    limit: int | None
    seed: int
    name: str | None
    author: str


@click.command(cls=Command, one_of=("listed", "export", "imported"))
@click.argument("files", metavar="[FILE]...", type=FILE, nargs=-1)
@profile_option("whose models measure, and whose map is fitted")
@labelled_format
@limit
@seed
@option("--name TITLE", "keep the fit as a profile of this title")
@option("--author NAME", "with --name: who fitted it", default="")
@option("--list", "list the fitted profiles", "listed")
@option("--export PROFILE", "write a fitted profile as JSON")
@imported
@exported_to
def fit(
    listed: bool, export: str | None, imported: Path | None, out: Path | None, **given: Any
) -> ExitCode:
    """Audits the labelled answers of each FILE, fits the support map of the profile and the
    threshold to their labels, and prints what the fit gains on answers that it has not seen. With
    --name it is kept in the database as a profile, which --profile then takes.

    Exit status: 0 done, also when the fit is not better; 1 a model cannot be loaded or the database
    not be used; 2 bad arguments, a file that cannot be read, or too few labels."""
    fitting = Fitting(**given)
    asked = listed or export or imported
    if bool(fitting.files) == bool(asked):
        both = ", not both; leave one of them out" if asked else ""
        raise InputError(
            f"give labelled files to fit to, or one of --list, --export, --import{both}"
        )
    if listed:
        _list()
    elif export:
        write_exported(FittedProfileStore.open().export(export), out)
    elif imported:
        _import(imported)
    else:
        _fit(fitting)
    return ExitCode.SUCCESS


def _fit(fitting: Fitting) -> None:
    profile = get_profile(fitting.profile)
    base = profile.name if profile.fitted is None else profile.fitted.base
    maps = support_maps(profile)  # found out before the models are loaded
    parameters = default_parameters(base)
    files = [
        read_labelled_file(path, fitting.format)
        for given in fitting.files
        for path in files_in(given)
    ]
    models = Provenance.load(base)
    audits = (audit for file in files for audit in _audited(models, file, parameters, fitting))
    sample = fit_sample(audits, maps, parameters)
    fit = fit_to_labels(sample.answers, base, maps, parameters, seed=fitting.seed)
    say(verdict_on_fit(fit.comparisons, fit.better))
    say(kinds_text(fit.kinds))
    figures, weights = figures_table(fit.comparisons), weights_table(maps.decisive, fit.support)
    say(*columns(figures.head, figures.rows))
    say(sample_text(fit.n, fit.supported, fit.documents))
    if lines := left_out_text(sample.left_out):
        say(*lines.split("\n"))
    say(f"Threshold: built-in {fit.threshold_before:.3f}, fitted {fit.threshold:.3f}.")
    say(strength_text(fit.strength))
    say(*columns(weights.head, weights.rows))
    if fitting.name is not None:
        _keep(fitting.name, fitting.author, fit, files)


def _keep(title: str, author: str, fit: MapFit, files: list[LabelledFile]) -> None:
    names = ", ".join(file.path.name for file in files)
    evidence = FitEvidence.of(fit, f"rows of {names}", "data set")
    kept = FittedProfileStore.open().save(title, fit, evidence, author)
    say(f"Kept as the profile {kept}: audit with --profile {kept}")


def _audited(
    models: Provenance, file: LabelledFile, parameters: Parameters, fitting: Fitting
) -> Iterator[LabelledAudit]:
    """The audits of a file's rows; a row that cannot be used is named on standard error."""
    rows = first_shuffled(file.rows, fitting.limit, fitting.seed)
    skips, progress = SkipReport(file.path), RowProgress(file.path.name)
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
        say("There are no fitted profiles.")
    for each in profiles:
        fitted, evidence = each.fitted, each.evidence
        say(
            f"{fitted.name}  {fitted.title}  fit of {fitted.base}  threshold "
            f"{fitted.threshold:.3f}  {each.created_at[:10]}"
        )
        say(f"  {sample_text(evidence.n, evidence.supported, evidence.documents)}")


def _import(path: Path) -> None:
    name = import_exported(path, lambda text: FittedProfileStore.open().import_text(text))
    say(f"{path}: kept as the profile {name}")
