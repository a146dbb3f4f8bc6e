"""Presets: thresholds chosen from labelled audits, with the evidence that they came from."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from provenance_core import Parameters
from provenance_core.audit.serialization import from_plain, to_plain
from storage.database import DatabaseAccess, now_text
from storage.errors import UNREADABLE, PresetNotFound, StorageError, reason
from storage.models import PresetRecord

_LOG = logging.getLogger(__name__)

NAME_LIMIT = 200  # characters of a preset's name
AUTHOR_LIMIT = 80  # and of its author's


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
    """What a threshold was chosen from.

    ``filter``: in words; ``url``: the page's query string that shows it again. ``labels_from``:
    where the labels came from. ``n`` labelled answers, ``base_rate`` of them supported.
    ``objective``: what the threshold is best at, in words.
    """

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


class PresetStore(DatabaseAccess):
    """Presets in one database. Cheap to create; safe to use from several threads.

    Examples
    --------
    >>> store = PresetStore.open("sqlite://")
    >>> store.default() is None
    True
    """

    def save(
        self,
        name: str,
        profile: str,
        parameters: Parameters,
        evidence: PresetEvidence,
        created_by: str = "",
    ) -> int:
        """Keep a preset, which is not the default yet.

        Parameters
        ----------
        name : str
            A name that no other preset has.
        profile : str
            The profile whose scores the threshold is of.
        parameters : Parameters
            Every setting, the threshold among them.
        evidence : PresetEvidence
            The answers that the threshold was chosen from.
        created_by : str, default ''
            Who chose it; may be empty.

        Returns
        -------
        int
            Number of the preset.

        Raises
        ------
        StorageError
            The name is empty, too long or taken, or the preset cannot be written.
        """
        name, created_by = name.strip(), created_by.strip()
        if not name:
            raise StorageError("The preset has no name. Give it one.")
        for what, text, most in (
            ("preset's name", name, NAME_LIMIT),
            ("author's name", created_by, AUTHOR_LIMIT),
        ):
            if len(text) > most:
                raise StorageError(
                    f"The {what} has {len(text):,} characters; the most is {most}. Shorten it."
                )
        record = PresetRecord(
            name=name,
            created_at=now_text(),
            created_by=created_by,
            profile=profile,
            parameters=to_plain(parameters),
            evidence=to_plain(evidence),
            is_default=False,
        )
        with self._writing("The preset was not saved") as session:
            session.add(record)
            try:
                session.flush()
            except IntegrityError as error:
                raise StorageError(
                    f"There is a preset called {name!r} already. Choose another name, or delete "
                    "that one first."
                ) from error
            return record.id

    def listed(self) -> PresetList:
        """List every preset; one that cannot be read hides no other.

        Returns
        -------
        PresetList
            The presets, and those that cannot be read.

        Raises
        ------
        StorageError
            They cannot be read.
        """
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
        """Read one preset.

        Parameters
        ----------
        preset_id : int
            Number of the preset.

        Returns
        -------
        Preset
            The preset.

        Raises
        ------
        PresetNotFound
            There is no preset of that number.
        StorageError
            It cannot be read.
        """
        with self._reading("The preset cannot be read") as session:
            return _preset(_require(session, preset_id))

    def default(self) -> Preset | None:
        """Read the preset that a new session starts with.

        Returns
        -------
        Preset | None
            The preset, or None when none is the default.

        Raises
        ------
        StorageError
            It cannot be read.
        """
        wanted = select(PresetRecord).where(PresetRecord.is_default)
        with self._reading("The presets cannot be read") as session:
            record = session.scalars(wanted).first()
            return None if record is None else _preset(record)

    def set_default(self, preset_id: int) -> None:
        """Make a preset the default, in the place of the one that is.

        Parameters
        ----------
        preset_id : int
            Number of the preset.

        Raises
        ------
        PresetNotFound
            There is no preset of that number.
        StorageError
            It cannot be written.
        """
        with self._writing("The default was not changed") as session:
            chosen = _require(session, preset_id)
            session.execute(update(PresetRecord).values(is_default=False))
            chosen.is_default = True

    def clear_default(self) -> None:
        """Leave no preset as the default.

        Raises
        ------
        StorageError
            It cannot be written.
        """
        with self._writing("The default was not changed") as session:
            session.execute(update(PresetRecord).values(is_default=False))

    def delete(self, preset_id: int) -> None:
        """Delete a preset.

        Parameters
        ----------
        preset_id : int
            Number of the preset.

        Raises
        ------
        PresetNotFound
            There is no preset of that number.
        StorageError
            It cannot be deleted.
        """
        with self._writing("The preset was not deleted") as session:
            _require(session, preset_id)
            session.execute(delete(PresetRecord).where(PresetRecord.id == preset_id))


def _require(session: Session, preset_id: int) -> PresetRecord:
    record = session.get(PresetRecord, preset_id)
    if record is None:
        raise PresetNotFound(f"There is no preset {preset_id}. It may have been deleted.")
    return record


def _preset(record: PresetRecord) -> Preset:
    try:
        return Preset(
            id=record.id,
            name=record.name,
            created_at=record.created_at,
            created_by=record.created_by,
            profile=record.profile,
            parameters=from_plain(Parameters, record.parameters),
            evidence=from_plain(PresetEvidence, record.evidence),
            is_default=record.is_default,
        )
    except UNREADABLE as error:
        raise StorageError(
            f"The preset {record.name!r} cannot be read: another version of Provenance wrote it "
            f"({reason(error)}). Delete it on the Thresholds page."
        ) from error
