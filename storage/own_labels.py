"""The team's own set of labels for answers, each with its key."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from provenance_core import InputError
from provenance_core.review.checks import label_key, label_name
from provenance_core.review.types import OwnLabel
from storage.database import DatabaseAccess
from storage.models import OwnLabelRecord


class OwnLabelStore(DatabaseAccess):
    """The set in one database. Cheap to create; safe to use from several threads."""

    def all(self) -> tuple[OwnLabel, ...]:
        """Read the set."""
        wanted = select(OwnLabelRecord.name, OwnLabelRecord.key).order_by(OwnLabelRecord.key)
        with self._reading("The labels cannot be read") as session:
            return tuple(OwnLabel(*row) for row in session.execute(wanted))

    def add(self, name: str, key: str) -> OwnLabel:
        """Add a label that ``key`` gives, one of LABEL_KEYS. Raises InputError if name or key
        cannot be used, or one of them is in the set."""
        label = OwnLabel(label_name(name), label_key(key))
        with self._writing("The label was not added") as session:
            for there in session.scalars(select(OwnLabelRecord)):
                if there.name.casefold() == label.name.casefold():
                    raise InputError(f"The set has the label {there.name!r} already.")
                if there.key == label.key:
                    raise InputError(
                        f"The key {label.key} gives the label {there.name!r}. Choose another."
                    )
            session.execute(insert(OwnLabelRecord).values(name=label.name, key=label.key))
        return label

    def remove(self, name: str) -> None:
        """Take a label out of the set. Judgements that have it keep it."""
        with self._writing("The label was not removed") as session:
            session.execute(delete(OwnLabelRecord).where(OwnLabelRecord.name == name))
