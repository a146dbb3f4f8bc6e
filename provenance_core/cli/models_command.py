"""``models``: the profiles and their models; get, check and remove the downloads."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.wrapped_text import wrapped
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
    known_download,
    model_folder,
    remove_stored,
    stored_models,
)
from provenance_core.models.hub.download import DownloadState, get_model
from provenance_core.models.settings import read_model_settings


def run_models(options: argparse.Namespace) -> ExitCode:
    """List, download, check or remove models.

    How the command ends. Raises InputError Options do not go together, and ModelError A model
    cannot be downloaded, read or removed.
    """
    return _ACTIONS[options.action](options)


def _list(_options: argparse.Namespace) -> ExitCode:
    print("\n\n".join(profile_text(get_profile(name)) for name in profile_names()))
    print()
    for stored in stored_models():
        print(f"{_named(stored)}: {size_text(stored.size)}{_unfinished(stored)}")
    total = sum(stored.size for stored in stored_models())
    print(f"Downloaded models: {size_text(total)} in {visible(str(read_model_settings().folder))}")
    return ExitCode.SUCCESS


def profile_text(profile: Profile) -> str:
    """Describe a profile.

    Its name, what it is good for, its models, and which of them are here, as lines.
    """
    lines = [profile.name, *wrapped("good for", profile.good_for)]
    for model in profile.public_models:
        lines += wrapped(
            role_text(model),
            f"{visible(model.name_and_revision)}, {facts_text(model)}, {_state(model)}",
        )
    if len(profile.public_models) < 2:
        lines += wrapped("embedded", " and ".join(_embedded_roles(profile)))
    return "\n".join(lines)


def _unfinished(stored: StoredModel) -> str:
    return "" if stored.download else ", unfinished: models get goes on with it"


def _embedded_roles(profile: Profile) -> list[str]:
    return [role_text(model) for model in profile.models if model.is_embedded]


def _state(model: PublicModel) -> str:
    if model.given_folder is not None:
        return "folder ready" if is_ready(model) else "folder cannot be used"
    cached = find_model(model)
    if cached is None:
        return f"not downloaded ({download_text(model)})"
    return f"downloaded ({size_text(cached.size)}, commit {cached.commit_text})"


def _get(options: argparse.Namespace) -> ExitCode:
    for name in options.names:
        models = _models_named(name)
        if not models:
            print(f"{name}: shipped with this repository, there is nothing to download")
        for model in models:
            line = _ProgressLine(model.name_and_revision)
            folder = get_model(model, line.show_download)
            line.end()
            print(f"{visible(model.name_and_revision)}: ready in {visible(str(folder))}")
            classes = needs_entailment_label(folder) if model.role is ModelRole.NLI else 0
            if classes and model.entailment_label is None:
                print(
                    f"  its {classes} classes have no names: to use it, add --entailment-label "
                    "with the index of the one that means supported, as the model's page says"
                )
    return ExitCode.SUCCESS


def _check(options: argparse.Namespace) -> ExitCode:
    status = ExitCode.SUCCESS
    for name in options.names:
        if not _models_named(name):
            print(f"{name}: shipped with this repository, and checked on every load")
    for model in _asked(options):
        known = known_download(model)
        if known is None:
            folder = model_folder(model)  # a folder that a person named, or a message
            print(f"{visible(str(folder))}: can be loaded; there is nothing to compare it with")
            continue
        line = _ProgressLine(f"checking {model.name_and_revision}")
        problems = check_model(known, line.show_share)
        line.end()
        if problems:
            print(f"error: {visible(damaged(model, problems))}", file=sys.stderr)
            status = ExitCode.FAILURE
        else:
            print(
                f"{visible(model.name_and_revision)}: {len(known.files)} files, "
                f"{size_text(known.size)}, all as they were downloaded at commit "
                f"{known.commit_text}"
            )
    return status


def _asked(options: argparse.Namespace) -> list[PublicModel]:
    """The models that were named, else everything that is downloaded."""
    if options.names:
        return [model for name in options.names for model in _models_named(name)]
    found = [each.download for each in stored_models() if each.download is not None]
    if not found:
        print("No model is downloaded.")
    return [public_model(f"{each.model_id}@{each.commit}", ModelRole.NLI) for each in found]


def _remove(options: argparse.Namespace) -> ExitCode:
    if options.all == bool(options.names):
        raise InputError("name the models or profiles to remove, or give --all alone")
    stored = stored_models()
    chosen = list(stored) if options.all else []
    for name in options.names:
        models = _models_named(name)
        found = [each for each in stored if any(map(each.belongs_to, models))]
        if is_custom_name(name):
            # As on the Models page: another profile may have the same models.
            forget_models(name)
            print(f"{name}: forgotten; its models stay until they are removed by their own names")
            continue
        if not found:
            raise InputError(f"nothing of {name} is downloaded; models list says what is")
        chosen += found
    for each in dict.fromkeys(chosen):
        print(f"{_named(each)}: {size_text(remove_stored(each))} freed")
    if options.all and not chosen:
        print("No model is downloaded.")
    return ExitCode.SUCCESS


def _named(stored: StoredModel) -> str:
    return f"{visible(stored.model_id)} ({short_revision(stored.commit)})"


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


class _ProgressLine:
    """One line that says how far something is, when a person is looking."""

    def __init__(self, name: str) -> None:
        self._name = visible(name)
        self._shown = sys.stderr.isatty()
        self._last = 0.0

    def show_download(self, state: DownloadState) -> None:
        self._show(f"{size_text(state.done)} of {size_text(state.total)} ({state.share:.0%})")

    def show_share(self, share: float) -> None:
        self._show(f"{share:.0%}")

    def _show(self, progress: str) -> None:
        now = time.monotonic()
        if self._shown and now - self._last > 0.2:
            self._last = now
            print(f"\r\x1b[K{self._name}: {progress}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


_ACTIONS: dict[str, Callable[[argparse.Namespace], ExitCode]] = {
    "list": _list,
    "get": _get,
    "check": _check,
    "remove": _remove,
}
