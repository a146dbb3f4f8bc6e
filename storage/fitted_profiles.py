"""Fitted profiles: support maps and thresholds fitted to labels, with what they were fitted to."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from provenance_core.audit.serialization import to_plain
from provenance_core.errors import InputError, ModelError
from provenance_core.models.catalogue.fitted_maps import FittedMap, look_for_fits
from provenance_core.models.catalogue.profiles import get_profile, support_maps
from provenance_core.statistics.own_fit.types import FitComparison, KindCount, MapFit
from provenance_core.types import ADDED_LATER, SupportMap
from storage.database import DatabaseAccess, now_text
from storage.errors import UNREADABLE, FitNotFound, StorageError, reason
from storage.exchanged_files import FileKind
from storage.models import FittedProfileRecord
from storage.records import from_row

_LOG = logging.getLogger(__name__)

TITLE_LIMIT = 80  # characters of a fit's title
AUTHOR_LIMIT = 80  # and of its author's name


@dataclass(frozen=True, slots=True)
class FitEvidence:
    """What a map was fitted to, and how it did on rows that it was not fitted to.

    ``filter``: in words; ``url``: the page's query string that shows it again, "" of a file.
    ``labels_from``: where the labels came from. ``n`` labelled answers, ``supported`` of them
    labelled so, of ``documents`` source documents. ``strength``: as of
    :class:`provenance_core.statistics.own_fit.types.MapFit`, as are the ``comparisons`` and
    ``kinds``; fits of earlier versions have no kinds."""

    filter: str
    url: str
    labels_from: str
    n: int
    supported: int
    documents: int
    threshold_before: float
    strength: float | None
    comparisons: tuple[FitComparison, ...]
    kinds: tuple[KindCount, ...] = field(default=(), metadata=ADDED_LATER)

    @classmethod
    def of(cls, fit: MapFit, filter: str, labels_from: str, url: str = "") -> FitEvidence:
        """Take the evidence of a fit to labels. ``url``: the page's query string that shows them
        again."""
        return cls(
            filter=filter,
            url=url,
            labels_from=labels_from,
            n=fit.n,
            supported=fit.supported,
            documents=fit.documents,
            threshold_before=fit.threshold_before,
            strength=fit.strength,
            comparisons=fit.comparisons,
            kinds=fit.kinds,
        )


@dataclass(frozen=True, slots=True)
class FittedProfile:
    """A fitted profile as kept. ``created_at``: ISO 8601, UTC. Its name is that of ``fitted``."""

    fitted: FittedMap
    created_at: str
    created_by: str
    evidence: FitEvidence


_FILE = FileKind(
    name="fitted profile",
    schema="provenance-fitted-profile/1",
    holds=FittedProfile,
    command="fit --export",
    hint="Export the profile again.",
    beside=("name",),
)


class FittedProfileStore(DatabaseAccess):
    """Fitted profiles in one database. Cheap to create; safe to use from several threads."""

    def save(self, title: str, fit: MapFit, evidence: FitEvidence, created_by: str = "") -> str:
        """Keep a fit as a profile. Raises StorageError if the title is empty or too long, or the
        same fit is kept already."""
        weights = support_maps(get_profile(fit.base)).weights
        fitted = FittedMap(title.strip(), fit.base, weights, fit.support, fit.threshold, fit.n)
        return self._keep(FittedProfile(fitted, now_text(), created_by.strip(), evidence))

    def _keep(self, given: FittedProfile) -> str:
        title, author = given.fitted.title, given.created_by
        if not title:
            raise StorageError("The fit has no name. Give it one.")
        for what, text, most in (("fit's", title, TITLE_LIMIT), ("author's", author, AUTHOR_LIMIT)):
            if len(text) > most:
                raise StorageError(
                    f"The {what} name has {len(text):,} characters; the most is {most}. Shorten it."
                )
        name = given.fitted.name
        record = FittedProfileRecord(name=name, **to_plain(given))
        with self._writing("The fit was not saved") as session:
            session.add(record)
            try:
                session.flush()
            except IntegrityError as error:
                raise StorageError(
                    f"The same map and threshold are kept already, as the profile {name}."
                ) from error
        return name

    def listed(self) -> tuple[FittedProfile, ...]:
        """List every fitted profile, the oldest first; one that cannot be read is left out, and
        the log names it."""
        wanted = select(FittedProfileRecord).order_by(FittedProfileRecord.id)
        found = []
        with self._reading("The fitted profiles cannot be listed") as session:
            for record in session.scalars(wanted):
                try:
                    found.append(_profile(record))
                except StorageError:
                    _LOG.warning("event=fitted_profile_not_read name=%s", record.name)
        return tuple(found)

    def get(self, name: str) -> FittedProfile:
        """Read one fitted profile. Raises FitNotFound if there is none of that name."""
        wanted = select(FittedProfileRecord).where(FittedProfileRecord.name == name)
        with self._reading("The fitted profile cannot be read") as session:
            record = session.scalars(wanted).first()
            if record is None:
                raise FitNotFound(f"There is no fitted profile {name}. It may have been deleted.")
            return _profile(record)

    def delete(self, name: str) -> None:
        """Delete a fitted profile. Audits that were made with it stay as they are. Raises
        FitNotFound if there is none of that name."""
        with self._writing("The fitted profile was not deleted") as session:
            old = delete(FittedProfileRecord).where(FittedProfileRecord.name == name)
            if not session.execute(old).rowcount:  # type: ignore[attr-defined]
                raise FitNotFound(f"There is no fitted profile {name}. It may have been deleted.")

    def export(self, name: str) -> str:
        """Write a fitted profile as a file's text. Raises StorageError if there is none of that
        name."""
        return _FILE.write(self.get(name), {"name": name})

    def import_text(self, text: str) -> str:
        """Keep the fitted profile of a file that :meth:`export` wrote. Raises InputError if the
        text is no such file, was changed, or is of other models than those that ship, and
        StorageError if the same fit is kept already."""
        return self._keep(_checked(text))


def _checked(text: str) -> FittedProfile:
    """The profile that the text of a file holds."""
    found, beside = _FILE.read(text)
    fitted = found.fitted
    if beside["name"] != fitted.name:
        raise InputError(
            f"The file was changed after it was written: map and threshold make {fitted.name}, but "
            f"it calls itself {beside['name']}. {_FILE.hint}"
        )
    try:
        maps = support_maps(get_profile(fitted.base))
    except ModelError as error:
        raise InputError(f"The file cannot be used here. {error}") from error
    if maps.weights != fitted.weights:
        raise InputError(
            f"The profile was fitted to the scores of other weights than those of {fitted.base} "
            "here. Use the version of Provenance that wrote it, or fit again to your labels."
        )
    if unknown := sorted(set(_terms(fitted.support)) - set(_terms(maps.decisive))):
        raise InputError(
            f"The map weighs what the profile {fitted.base} does not measure: {', '.join(unknown)}."
        )
    return found


def _terms(support: SupportMap) -> list[str]:
    kinds = (support, support.replies, support.summaries)
    return [str(weight.term) for each in kinds if each is not None for weight in each.weights]


def _profile(record: FittedProfileRecord) -> FittedProfile:
    try:
        return from_row(FittedProfile, record)
    except UNREADABLE as error:
        raise StorageError(
            f"The fitted profile {record.name} cannot be read: another version of Provenance wrote "
            f"it ({reason(error)}). Delete it on the Thresholds page."
        ) from error


def kept_fits() -> Mapping[str, FittedMap]:
    """The fitted maps of the database by the names of their profiles, for the core. Raises
    ModelError where they cannot be read."""
    try:
        found = FittedProfileStore.open().listed()
    except StorageError as error:
        raise ModelError(str(error)) from error
    return MappingProxyType({each.fitted.name: each.fitted for each in found})


# Whoever uses the storage finds the profiles that it keeps by their names.
look_for_fits(kept_fits)
