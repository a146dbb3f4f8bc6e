"""What reading one record of a returned file gave."""

from __future__ import annotations

from dataclasses import dataclass

from provenance_core.files.returned.types import ReturnedLabel
from provenance_core.files.types import RejectedRow


@dataclass(frozen=True, slots=True)
class Read:
    """Labels and refusals of a record, and what else it held; as in :class:`ReturnedFile`."""

    labels: tuple[ReturnedLabel, ...] = ()
    rejected: tuple[RejectedRow, ...] = ()
    machine: int = 0
    unlabelled: int = 0
    others: int = 0
