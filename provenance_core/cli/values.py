"""The values that options take; another value gets a message that says why."""

from __future__ import annotations

import math
import socket
from collections.abc import Callable
from dataclasses import fields

import click

from provenance_core.detectors import DETECTORS
from provenance_core.files.types import FieldMapping
from provenance_core.models.catalogue.custom_profiles import CUSTOM
from provenance_core.models.catalogue.profiles import PROFILES, is_profile_name
from provenance_core.types import current_detector

FIELD_NAMES = tuple(field.name for field in fields(FieldMapping))


def field_and_key(text: str) -> tuple[str, str]:
    """``FIELD=KEY``: the field of a row, and the key of the file that holds it."""
    name, equals, key = text.partition("=")
    if not equals or name not in FIELD_NAMES:
        raise click.BadParameter(
            f"{text!r} is not FIELD=KEY with FIELD one of {', '.join(FIELD_NAMES)}"
        )
    return name, key


def detector(text: str) -> str:
    """The name of a detector."""
    if (name := current_detector(text)) not in DETECTORS:
        raise click.BadParameter(f"{text!r} is not one of {', '.join(DETECTORS)}")
    return name


def profile(text: str) -> str:
    """The name of a profile, a fitted or a custom one among them."""
    if text == CUSTOM or is_profile_name(text):
        return text
    raise click.BadParameter(f"{text!r} is not one of {', '.join([*PROFILES, CUSTOM])}")


def positive(text: str) -> int:
    """A whole number, 1 or more."""
    return _whole_number(text, 1)


def whole(text: str) -> int:
    """A whole number, 0 or more."""
    return _whole_number(text, 0)


def port(text: str) -> int:
    """A port, 0 to 65535."""
    return _whole_number(text, 0, 65_535)


def host(text: str) -> str:
    """A name or an address at which this machine can answer."""
    try:
        socket.getaddrinfo(text, None)
    except (OSError, UnicodeError, TypeError) as error:
        raise click.BadParameter(
            f"{text!r} is no address of this machine, such as 127.0.0.1 or localhost"
        ) from error
    return text


def share(text: str) -> float:
    """A number, 0 or more."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise click.BadParameter(f"must be a number, 0 or more, not {text!r}")
    return value


def _whole_number(text: str, least: int, most: int | None = None) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least or (most is not None and value > most):
        bounds = f"{least} or more" if most is None else f"{least} to {most}"
        raise click.BadParameter(f"must be a whole number, {bounds}, not {text!r}")
    return value


def one_of(*values: str) -> Callable[[str], str]:
    """A reader of one of some names, in which ``-`` may stand for ``_``."""

    def name(text: str) -> str:
        if (found := text.replace("-", "_")) not in values:
            raise click.BadParameter(f"{text!r} is not one of {', '.join(values)}")
        return found

    return name
