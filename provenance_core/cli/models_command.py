"""``models``: the profiles and their models; get, check and remove the downloads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import option
from provenance_core.cli.output import ProgressLine, complain, say, visible, wrapped
from provenance_core.errors import InputError, ModelError
from provenance_core.models.catalogue.custom_profiles import forget_models
from provenance_core.models.catalogue.profile_text import (
    download_text,
    facts_text,
    role_text,
    size_text,
)
from provenance_core.models.catalogue.profiles import (
    ModelRole,
    Profile,
    PublicModel,
    get_profile,
    is_custom_name,
    profile_names,
    public_model,
    short_revision,
)
from provenance_core.models.checkpoints.class_labels import needs_entailment_label
from provenance_core.models.hub.cache import (
    StoredModel,
    check_model,
    damaged,
    find_model,
    is_ready,
    model_folder,
    remove_stored,
    stored_models,
)
from provenance_core.models.hub.download import DownloadState, get_model
from provenance_core.models.settings import model_settings_help, read_model_settings


@click.group(epilog=model_settings_help())
def models() -> None:
    """Lists, gets, checks and removes the models of the profiles. The embedded profile needs none
    of this.

    Exit status: 0 done; 1 a model cannot be downloaded, or a file is not as it was downloaded; 2
    bad arguments."""


@models.command("list", cls=Command)
def list_() -> ExitCode:
    """The profiles, what they are good for, and what of them is downloaded."""
    texts = "\n\n".join(profile_text(get_profile(name)) for name in profile_names())
    say(*texts.split("\n"), "")
    for stored in stored_models():
        left = "" if stored.whole else ", unfinished: models get resumes it"
        say(f"{_named(stored)}: {size_text(stored.size)}{left}")
    total = sum(stored.size for stored in stored_models())
    say(f"Downloaded models: {size_text(total)} in {read_model_settings().folder}")
    return ExitCode.SUCCESS


def profile_text(profile: Profile) -> str:
    """A profile as lines: what it is good for, its models, and which of them are here."""
    lines = [profile.name, *wrapped("good for", profile.good_for)]
    for model in profile.public_models:
        lines += wrapped(
            role_text(model), f"{model.name_and_revision}, {facts_text(model)}, {_state(model)}"
        )
    if len(profile.public_models) < 2:
        roles = [role_text(model) for model in profile.models if model.is_embedded]
        lines += wrapped("embedded", " and ".join(roles))
    return "\n".join(lines)


def _state(model: PublicModel) -> str:
    if model.given_folder is not None:
        return "folder ready" if is_ready(model) else "folder cannot be used"
    cached = find_model(model)
    if cached is None:
        return f"not downloaded ({download_text(model)})"
    return f"downloaded ({size_text(cached.size)}, commit {short_revision(cached.commit)})"


@models.command(cls=Command)
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
def get(names: Sequence[str]) -> ExitCode:
    """Download models; one that was interrupted goes on where it stopped. NAME is a profile,
    OWNER/NAME or OWNER/NAME@REVISION."""
    for name in names:
        models = _models_named(name)
        if not models:
            say(f"{name}: shipped with this repository, there is nothing to download")
        for model in models:
            line = ProgressLine(model.name_and_revision)
            folder = get_model(model, partial(_show_download, line))
            line.end()
            say(f"{model.name_and_revision}: ready in {folder}")
            classes = needs_entailment_label(folder) if model.role is ModelRole.NLI else 0
            if classes and model.entailment_label is None:
                say(
                    f"  its {classes} classes have no names: to use it, add --entailment-label "
                    "with the index of the one that means supported, as the model's page says"
                )
    return ExitCode.SUCCESS


@models.command(cls=Command)
@click.argument("names", metavar="[NAME]...", nargs=-1)
def check(names: Sequence[str]) -> ExitCode:
    """Compare the files with what was downloaded. NAME is a profile, OWNER/NAME or
    OWNER/NAME@REVISION (default: all)."""
    status = ExitCode.SUCCESS
    for name in names:
        if not _models_named(name):
            say(f"{name}: shipped with this repository, and checked on every load")
    for model in _asked(names):
        known = next((each for each in stored_models() if each.belongs_to(model)), None)
        if known is None:
            folder = model_folder(model)  # a folder that a person named, or a message
            say(f"{folder}: can be loaded; there is nothing to compare it with")
            continue
        line = ProgressLine(f"checking {model.name_and_revision}")
        problems = check_model(known, partial(_show_share, line))
        line.end()
        if problems:
            complain(f"error: {visible(damaged(model, problems))}")
            status = ExitCode.FAILURE
        else:
            say(
                f"{model.name_and_revision}: {len(known.files)} files, {size_text(known.size)}, "
                f"all as they were downloaded at commit {short_revision(known.commit)}"
            )
    return status


def _show_share(line: ProgressLine, share: float) -> None:
    line.show(f"{share:.0%}")


def _show_download(line: ProgressLine, state: DownloadState) -> None:
    line.show(f"{size_text(state.done)} of {size_text(state.total)} ({state.share:.0%})")


def _asked(names: Sequence[str]) -> list[PublicModel]:
    """The models that were named, else everything that is downloaded."""
    if names:
        return [model for name in names for model in _models_named(name)]
    found = [each for each in stored_models() if each.whole]
    if not found:
        say("No model is downloaded.")
    return [public_model(f"{each.model_id}@{each.commit}", ModelRole.NLI) for each in found]


@models.command(cls=Command)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@option("--all", "delete every downloaded model", "every")
def remove(names: Sequence[str], every: bool) -> ExitCode:
    """Delete downloaded models. NAME is a profile, OWNER/NAME or OWNER/NAME@REVISION."""
    if every == bool(names):
        raise InputError("name the models or profiles to remove, or give --all alone")
    stored = stored_models()
    chosen = list(stored) if every else []
    for name in names:
        models = _models_named(name)
        found = [each for each in stored if any(map(each.belongs_to, models))]
        if is_custom_name(name):
            # As on the Models page: another profile may have the same models.
            forget_models(name)
            say(f"{name}: forgotten; its models stay until they are removed by their own names")
            continue
        if not found:
            raise InputError(f"nothing of {name} is downloaded; models list says what is")
        chosen += found
    for each in dict.fromkeys(chosen):
        say(f"{_named(each)}: {size_text(remove_stored(each))} freed")
    if every and not chosen:
        say("No model is downloaded.")
    return ExitCode.SUCCESS


def _named(stored: StoredModel) -> str:
    return f"{stored.model_id} ({short_revision(stored.commit)})"


def _models_named(name: str) -> tuple[PublicModel, ...]:
    """The models to download of a profile, or the model of that name."""
    if name in profile_names() or is_custom_name(name):
        return get_profile(name).public_models
    try:
        return (public_model(name, ModelRole.NLI),)
    except ModelError as error:
        raise InputError(
            f"{name!r} is no profile ({', '.join(profile_names())}) and no name of a model: "
            "OWNER/NAME, OWNER/NAME@REVISION, or a folder with a / or ./ in front"
        ) from error
