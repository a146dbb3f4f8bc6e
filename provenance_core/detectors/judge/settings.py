"""The judge's endpoint: the environment variables that name it, and what is sent to it.

The one table of them is ``JUDGE_SETTINGS``; help texts and documents are written from it.
"""

from __future__ import annotations

import ipaddress
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from provenance_core.environment import Setting, settings_help
from provenance_core.errors import JudgeError
from provenance_core.types import JudgeModel

NO_TEMPERATURE = "none"


URL = Setting(
    "PROVENANCE_JUDGE_URL",
    "base URL of an endpoint that speaks OpenAI's chat completions, such as "
    "http://localhost:11434/v1; the judge is off until it is set",
)
MODEL = Setting(
    "PROVENANCE_JUDGE_MODEL", "the model's name at that endpoint; the judge is off until it is set"
)
KEY = Setting(
    "PROVENANCE_JUDGE_KEY", "the endpoint's key, where it wants one; never stored, logged or shown"
)
TEMPERATURE = Setting(
    "PROVENANCE_JUDGE_TEMPERATURE",
    f"temperature of the reply, 0 or more; {NO_TEMPERATURE} leaves it to the endpoint",
    "0",
)
TIMEOUT = Setting(
    "PROVENANCE_JUDGE_TIMEOUT", "seconds after which a request without a reply is given up", "60"
)
EXAMINEE = Setting(
    "PROVENANCE_JUDGE_EXAMINEE",
    "the model at the same endpoint that cross-examination questions; without it, the judge's "
    "model answers its own questions",
)
JUDGE_SETTINGS = (URL, MODEL, KEY, TEMPERATURE, TIMEOUT, EXAMINEE)


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """The endpoint as set. ``temperature`` 0 or more, or None; ``timeout`` in seconds."""

    url: str
    model_id: str
    key: str = field(repr=False)
    temperature: float | None
    timeout: float
    examinee_id: str = ""

    @property
    def host(self) -> str:
        """Host, with the port where the URL names one."""
        return urlsplit(self.url).netloc.lower()

    @property
    def model(self) -> JudgeModel:
        """What of the settings a reply depends on."""
        return JudgeModel(self.host, self.model_id, self.temperature)

    @property
    def both_models(self) -> JudgeModel:
        """What of the settings a cross-examination depends on: examiner and examinee."""
        both = f"{self.model_id} questions {self.examinee_id}"
        return JudgeModel(self.host, both, self.temperature)


def judge_settings_help() -> str:
    """List the environment variables with their meanings, for the help of a command."""
    return settings_help(JUDGE_SETTINGS, "llm-judge, cross-examination and --third-reader")


def read_judge_settings(environment: Mapping[str, str] = os.environ) -> JudgeSettings:
    """Read the settings of the judge. Raises JudgeError where a variable is missing or wrong; the
    message says which."""

    def value(setting: Setting) -> str:
        return setting.value(environment)

    missing = [setting for setting in (URL, MODEL) if not value(setting)]
    if missing:
        raise JudgeError(
            "The judge is off, because "
            + " and ".join(setting.variable for setting in missing)
            + (" are" if len(missing) > 1 else " is")
            + " not set. Set "
            + " and ".join(f"{setting.variable} ({setting.meaning})" for setting in missing)
            + "."
        )
    return JudgeSettings(
        url=_url(value(URL)),
        model_id=value(MODEL),
        key=_key(value(KEY)),
        temperature=None
        if value(TEMPERATURE) == NO_TEMPERATURE
        else _number(TEMPERATURE, value(TEMPERATURE), least=0.0),
        timeout=_number(TIMEOUT, value(TIMEOUT), least=0.01),
        examinee_id=value(EXAMINEE) or value(MODEL),
    )


def what_is_sent(settings: JudgeSettings) -> str:
    """Say to the person whose texts they are what an audit by the judge sends, and where to."""
    lead = (
        "An audit by the judge sends the query, the whole context and the answer to "
        f"{settings.host}, to be read by the model {settings.model_id}."
    )
    return f"{lead} {how_it_is_sent(settings)}"


def how_it_is_sent(settings: JudgeSettings) -> str:
    """Say how texts go to the endpoint, and what does not go with them."""
    sentences = []
    if _is_this_machine(settings.url):
        sentences.append("That is an address of the machine that Provenance runs on.")
    elif urlsplit(settings.url).scheme == "http":
        sentences.append("They are sent unencrypted (http).")
    sentences.append(
        f"The key in {KEY.variable} goes with them; it is not stored or shown."
        if settings.key
        else "No key goes with them."
    )
    sentences.append(
        "Names of files, scores and reviews are not sent. The reply is kept with the audit."
    )
    return " ".join(sentences)


def _url(given: str) -> str:
    """``given`` without a slash at its end. It may hold a password, so no message repeats it."""
    hint = f"Give {URL.variable} a base URL such as https://host.example/v1."
    try:
        parts = urlsplit(given)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    if not known or not given.isprintable() or " " in given:
        raise JudgeError(f"{URL.variable} is not an http or https URL. {hint}")
    if parts.username is not None or parts.password is not None:
        raise JudgeError(
            f"{URL.variable} holds a user name or password. Take it out, and set {KEY.variable} "
            "to the key."
        )
    if parts.query or parts.fragment:
        raise JudgeError(f"{URL.variable} has a part after '?' or '#', which is not sent. {hint}")
    if parts.path.rstrip("/").endswith("/chat/completions"):
        raise JudgeError(
            f"{URL.variable} must be the base URL: leave out '/chat/completions' at its end."
        )
    return given.rstrip("/")


def _key(given: str) -> str:
    if not all(" " < character <= "~" for character in given):
        raise JudgeError(
            f"{KEY.variable} holds a character that no key has (a blank, a line break or one "
            "outside ASCII). Copy the key again."
        )
    return given


def _number(setting: Setting, given: str, least: float) -> float:
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= least):
        raise JudgeError(
            f"{setting.variable} is {given!r}, but must be a number of at least {least:g} "
            f"({setting.meaning})."
        )
    return number


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
