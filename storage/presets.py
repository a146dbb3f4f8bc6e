"""Presets: thresholds chosen from labelled audits, with the evidence that they came from.

In the database, and as files that bring one to another database.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from urllib.parse import parse_qs

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from provenance_core import Parameters
from provenance_core.audit.serialization import to_plain
from provenance_core.detectors import get_detector
from provenance_core.errors import InputError, ModelError
from provenance_core.models.catalogue.profiles import get_profile
from provenance_core.parameters import PARAMETERS
from storage.database import DatabaseAccess, check_time, now_text
from storage.errors import UNREADABLE, PresetNameTaken, PresetNotFound, StorageError, reason
from storage.exchanged_files import FileKind
from storage.models import PresetRecord
from storage.numbers import numbered
from storage.records import columns_of, from_row

_LOG = logging.getLogger(__name__)

NAME_LIMIT = 200  # characters of a preset's name
AUTHOR_LIMIT = 80  # and of its author's
_TIME_CHARACTERS = PresetRecord.created_at.type.length
# Parameters of the address that the pages' server keeps for itself.
_RESERVED = ("embed", "embed_options")


@dataclass(frozen=True, slots=True)
class PresetFigure:
    """A figure as it was shown: ``value`` with its 95 % interval from ``low`` to ``high``; what
    is None has its ``reason``."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PresetEvidence:
    """What a threshold was chosen from. ``filter``: in words; ``url``: the page's query string that
    shows it again. ``labels_from``: where the labels came from. ``n`` labelled answers,
    ``base_rate`` of them supported. ``objective``: what the threshold is best at, in words."""

    filter: str
    url: str
    labels_from: str
    n: int
    base_rate: float
    objective: str
    figures: tuple[PresetFigure, ...]


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset as it is kept. ``created_at``: ISO 8601, UTC."""

    id: int
    name: str
    created_at: str
    created_by: str
    profile: str
    parameters: Parameters
    evidence: PresetEvidence
    is_default: bool


@dataclass(frozen=True, slots=True)
class UnreadablePreset:
    """A preset that another version wrote. ``problem``: why it cannot be read, in a sentence."""

    id: int
    name: str
    problem: str


@dataclass(frozen=True, slots=True)
class PresetList:
    """Every preset, by name: those that can be read, and those that cannot."""

    readable: tuple[Preset, ...]
    unreadable: tuple[UnreadablePreset, ...]


@dataclass(frozen=True, slots=True)
class PresetFile:
    """What a file has of a preset: all but its number, and whether it is the default."""

    name: str
    created_at: str
    created_by: str
    profile: str
    parameters: Parameters
    evidence: PresetEvidence


_FILE = FileKind(
    name="preset",
    schema="provenance-preset/1",
    holds=PresetFile,
    command="preset --export",
    hint="Fix the file there, or export the preset again.",
)


@dataclass(frozen=True, slots=True)
class ImportedPreset:
    """A preset that a file brought. ``new``: it was not here already, in every part the same."""

    id: int
    name: str
    new: bool


class PresetStore(DatabaseAccess):
    """Presets in one database. Cheap to create; safe to use from several threads."""

    def save(
        self,
        name: str,
        profile: str,
        parameters: Parameters,
        evidence: PresetEvidence,
        created_by: str = "",
    ) -> int:
        """Keep a preset, which is not the default yet. Raises StorageError if the name is empty,
        too long or taken."""
        given = PresetFile(
            name.strip(), now_text(), created_by.strip(), profile, parameters, evidence
        )
        _check_names(given)
        with self._writing("The preset was not saved") as session:
            return _insert(session, given)

    def listed(self) -> PresetList:
        """List every preset; one that cannot be read hides no other."""
        wanted = select(PresetRecord).order_by(PresetRecord.name, PresetRecord.id)
        readable: list[Preset] = []
        unreadable: list[UnreadablePreset] = []
        with self._reading("The presets cannot be listed") as session:
            for record in session.scalars(wanted):
                try:
                    readable.append(_preset(record))
                except StorageError as error:
                    _LOG.warning("event=preset_not_read preset=%d", record.id)
                    unreadable.append(UnreadablePreset(record.id, record.name, str(error)))
        return PresetList(tuple(readable), tuple(unreadable))

    def get(self, preset_id: int) -> Preset:
        """Read one preset. Raises PresetNotFound if there is no preset of that number."""
        with self._reading("The preset cannot be read") as session:
            return _preset(_require(session, preset_id))

    def default(self) -> Preset | None:
        """Read the preset that a new session starts with."""
        wanted = select(PresetRecord).where(PresetRecord.is_default)
        with self._reading("The presets cannot be read") as session:
            record = session.scalars(wanted).first()
            return None if record is None else _preset(record)

    def set_default(self, preset_id: int) -> None:
        """Make a preset the default, in the place of the one that is. Raises PresetNotFound if
        there is no preset of that number."""
        with self._writing("The default was not changed") as session:
            chosen = _require(session, preset_id)
            session.execute(update(PresetRecord).values(is_default=False))
            chosen.is_default = True

    def clear_default(self) -> None:
        """Leave no preset as the default."""
        with self._writing("The default was not changed") as session:
            session.execute(update(PresetRecord).values(is_default=False))

    def delete(self, preset_id: int) -> None:
        """Delete a preset. Raises PresetNotFound if there is no preset of that number."""
        with self._writing("The preset was not deleted") as session:
            _require(session, preset_id)
            session.execute(delete(PresetRecord).where(PresetRecord.id == preset_id))

    def named(self, name: str) -> Preset:
        """Read the preset of a name. Raises PresetNotFound if there is none of that name; the
        message lists those that there are."""
        with self._reading("The preset cannot be read") as session:
            record = _of_name(session, name)
            if record is None:
                there = session.scalars(select(PresetRecord.name).order_by(PresetRecord.name))
                known = ", ".join(map(repr, there)) or "none"
                raise PresetNotFound(f"There is no preset {name!r}. There are: {known}.")
            return _preset(record)

    def export(self, preset_id: int) -> str:
        """Write a preset as a file's text. Returns JSON, which :meth:`import_text` reads. It does
        not say whether the preset is the default, which is each database's own choice. Raises
        PresetNotFound if there is no preset of that number."""
        return _FILE.write(PresetFile(**columns_of(PresetFile, self.get(preset_id))))

    def import_text(self, text: str, name: str = "") -> ImportedPreset:
        """Keep the preset of a file that :meth:`export` wrote, which is not the default yet.
        ``name``: what to call it here; "" for the name in the file. Returns the preset, and whether
        it is new. One of the same name that is the same in profile, settings and evidence is not
        kept twice. Raises InputError if the text is no such file, or a field of it cannot be used,
        and PresetNameTaken if another preset has the name."""
        given = _checked(text)
        if name.strip():
            given = replace(given, name=name.strip())
        try:
            _check_names(given)
        except StorageError as error:
            raise InputError(str(error)) from error
        with self._writing("The preset was not saved") as session:
            there = _of_name(session, given.name)
            if there is None:
                return ImportedPreset(_insert(session, given), given.name, new=True)
            _check_same(_preset(there), given)
            return ImportedPreset(there.id, there.name, new=False)


def _insert(session: Session, given: PresetFile) -> int:
    values = {**to_plain(given), "is_default": False}
    record = PresetRecord(**numbered(session, PresetRecord, [values])[0])
    session.add(record)
    try:
        session.flush()
    except IntegrityError as error:
        raise PresetNameTaken(
            f"There is a preset called {given.name!r} already. Choose another name, or delete "
            "that one first."
        ) from error
    return record.id


def _of_name(session: Session, name: str) -> PresetRecord | None:
    return session.scalars(select(PresetRecord).where(PresetRecord.name == name)).first()


def _check_names(given: PresetFile) -> None:
    if not given.name:
        raise StorageError("The preset has no name. Give it one.")
    for what, text, most in (
        ("preset's name", given.name, NAME_LIMIT),
        ("author's name", given.created_by, AUTHOR_LIMIT),
    ):
        if len(text) > most:
            raise StorageError(
                f"The {what} has {len(text):,} characters; the most is {most}. Shorten it."
            )


def _check_same(kept: Preset, given: PresetFile) -> None:
    """PresetNameTaken where the file would change what ``kept`` holds."""
    differing = [
        f"{name} ({ours} here, {theirs} in the file)"
        for name, ours, theirs in _differences(kept, given)
    ]
    if not differing and kept.evidence != given.evidence:
        differing = ["evidence"]
    if differing:
        raise PresetNameTaken(
            f"There is a preset called {given.name!r} already, with another "
            f"{', '.join(differing)}. It stays as it is. Import the file under another name, or "
            "delete that preset first."
        )


def _differences(kept: Preset, given: PresetFile) -> Iterator[tuple[str, object, object]]:
    if kept.profile != given.profile:
        yield "profile", kept.profile, given.profile
    for each in fields(Parameters):
        ours, theirs = (getattr(of.parameters, each.name) for of in (kept, given))
        if ours != theirs:
            yield each.name, ours, theirs


def _checked(text: str) -> PresetFile:
    """The preset that the text of a file holds."""
    found, _ = _FILE.read(text)
    try:
        _check_usable(found)
    except InputError as error:
        raise InputError(f"The preset cannot be used: {error} {_FILE.hint}") from error
    return found


def _check_usable(found: PresetFile) -> None:
    """InputError, which begins with the field, for what no preset of this database would hold."""
    check_time("created_at", found.created_at, _TIME_CHARACTERS)
    try:
        get_profile(found.profile)
    except ModelError as error:
        raise InputError(f"profile: {error}") from error
    try:
        get_detector(found.parameters.detector)
    except InputError as error:
        raise InputError(f"parameters.detector: {error}") from error
    for name, info in PARAMETERS.items():
        value, bounds = getattr(found.parameters, name), info.bounds
        if bounds is not None and not bounds.low <= value <= bounds.high:
            raise InputError(
                f"parameters.{name}: {value} is not from {bounds.low} to {bounds.high}, which the "
                "sidebar offers."
            )
    evidence = found.evidence
    if evidence.n < 1:
        raise InputError(f"evidence.n: {evidence.n} is not 1 or more.")
    if not 0.0 <= evidence.base_rate <= 1.0:
        raise InputError(f"evidence.base_rate: {evidence.base_rate} is not in [0, 1].")
    if taken := [name for name in parse_qs(evidence.url) if name.lower() in _RESERVED]:
        raise InputError(f"evidence.url: {taken[0]} is no filter of the Thresholds page.")
    try:
        json.dumps(to_plain(found), ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        raise InputError("A text holds half of a character.") from error
    except ValueError as error:
        raise InputError("A number is infinite or no number.") from error


def _require(session: Session, preset_id: int) -> PresetRecord:
    record = session.get(PresetRecord, preset_id)
    if record is None:
        raise PresetNotFound(f"There is no preset {preset_id}. It may have been deleted.")
    return record


def _preset(record: PresetRecord) -> Preset:
    try:
        return from_row(Preset, record)
    except UNREADABLE as error:
        raise StorageError(
            f"The preset {record.name!r} cannot be read: another version of Provenance wrote it "
            f"({reason(error)}). Delete it on the Thresholds page."
        ) from error
