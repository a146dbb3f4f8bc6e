"""The options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeAlias

import click

from provenance_core.cli.commands import ParameterOption
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.given_settings import PROFILE_OPTIONS, Settings, option_of
from provenance_core.cli.values import detector, host, one_of, port, positive, profile, whole
from provenance_core.detectors import DETECTORS
from provenance_core.files.formats.registry import FORMATS
from provenance_core.models.catalogue.custom_profiles import CUSTOM
from provenance_core.models.catalogue.profiles import PROFILES, default_profile
from provenance_core.parameters import PARAMETERS, ParameterInfo
from provenance_core.types import DEFAULT_DETECTOR, Parameters

Run: TypeAlias = Callable[..., ExitCode]
FILE = click.Path(path_type=Path)
_METAVARS = {float: "X", int: "N", str: "NAME"}
_DEFAULTS = Parameters()
_MODEL = "OWNER/NAME, OWNER/NAME@REVISION, or a folder with a / or ./ in front"
_OF_A_CUSTOM_PROFILE = f"with --profile {CUSTOM}: "


def option(
    usage: str, meaning: str, *names: str, default: Any = None, **settings: Any
) -> Callable[[Run], Run]:
    """An option by its usage: ``--limit N`` takes a value, and ``--resume`` is a switch. ``names``:
    the parameter it is given to, if it has another name. A default that says something is shown."""
    flag, _, metavar = usage.partition(" ")
    if metavar:
        settings |= {"metavar": metavar, "default": default, "show_default": bool(default)}
    else:
        settings["is_flag"] = True
    return click.option(flag, *names, help=meaning, **settings)


limit = option("--limit N", "read the first N rows of a seeded shuffle", type=positive)
seed = option(
    "--seed N", "seed of the shuffle and of every random choice (default: 0)", type=whole, default=0
)
labelled_format = option(
    "--format NAME",
    f"read every file as this: {', '.join(FORMATS)} (default: by its keys)",
    type=click.Choice(list(FORMATS)),
)
as_json = option("--json", "print one JSON object per answer or file", "as_json")
imported = option("--import FILE", "keep what --export wrote", "imported", type=FILE)
exported_to = option("--out FILE", "with --export: the new file (default: stdout)", type=FILE)
method = option(
    "--method METHOD",
    "the detector: " + " ".join(f"{each.name}: {each.explanation}" for each in DETECTORS.values()),
    type=detector,
    default=DEFAULT_DETECTOR,
)


def profile_option(meaning: str, **settings: Any) -> Callable[[Run], Run]:
    """``--profile``, with what it means to the command."""
    shown = f"{meaning} (default: {default_profile()})"
    return click.option(
        "--profile", type=profile, default=default_profile, metavar="NAME", help=shown, **settings
    )


def address(default_port: int) -> Callable[[Run], Run]:
    """``--host`` and ``--port`` of a server."""
    name = option("--host ADDRESS", "answer at this address", type=host, default="127.0.0.1")
    meaning = "answer at this port, 0 for any that is free"
    number = option("--port PORT", meaning, type=port, default=default_port)
    return lambda run: name(number(run))


def settings_options(method_option: Callable[[Run], Run]) -> Callable[[Run], Run]:
    """The options of profile, method and parameters, which the command gets as ``settings``."""

    def added(run: Run) -> Run:
        @wraps(run)
        def packed(**given: Any) -> ExitCode:
            return run(settings=settings_of(given), **given)

        command: Run = packed
        for info in reversed(list(PARAMETERS.values())):
            command = _parameter(info)(command)
        for option in reversed(_PROFILE):
            command = option(command)
        return method_option(command)

    return added


def settings_of(given: dict[str, Any]) -> Settings:
    """Take the settings out of what was given."""
    named = {name: given.pop(name) for name in (*PROFILE_OPTIONS, "method")}
    return Settings(**named, parameters={name: given.pop(name) for name in PARAMETERS})


_PROFILE = (
    profile_option(
        f"which models: {', '.join(PROFILES)}, or {CUSTOM} with --nli-model; models list says more",
        cls=ParameterOption,
    ),
    option(
        "--nli-model MODEL", f"{_OF_A_CUSTOM_PROFILE}the NLI model, {_MODEL}", cls=ParameterOption
    ),
    option(
        "--relevance-model MODEL",
        f"{_OF_A_CUSTOM_PROFILE}the relevance model (default: the embedded one)",
        cls=ParameterOption,
    ),
    option(
        "--entailment-label N",
        f"{_OF_A_CUSTOM_PROFILE}index from 0 of the NLI model's class that means supported, where "
        "its classes have no names",
        type=whole,
        cls=ParameterOption,
    ),
)


def _parameter(info: ParameterInfo) -> Callable[[Run], Run]:
    """The option of one parameter: a choice, a switch, a number or a text."""
    default = getattr(_DEFAULTS, info.name)
    help_ = info.meaning if info.of_every_detector else f"{_readers(info.name)}: {info.meaning}"
    kind: dict[str, Any] = {"type": type(default), "metavar": _METAVARS.get(type(default))}
    if info.choices:
        values = [choice.value.value for choice in info.choices]
        kind = {"type": one_of(*values), "metavar": "NAME"}
        help_ = f"{help_}: {', '.join(values)}"
    elif isinstance(default, bool):
        kind = {"is_flag": True}
    return click.option(option_of(info.name), cls=ParameterOption, default=None, help=help_, **kind)


def _readers(name: str) -> str:
    """The detectors that read a parameter, in words."""
    *others, last = [each.name for each in DETECTORS.values() if name in each.traits.uses]
    return f"{', '.join(others)} and {last}" if others else last
