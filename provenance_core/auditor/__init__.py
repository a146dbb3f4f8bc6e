"""Checks in three lines: an :class:`Auditor`, its results, and answers as a model writes them."""

from provenance_core.auditor.auditor import Auditor, Row
from provenance_core.auditor.result import Result
from provenance_core.auditor.stream import Stream

__all__ = ["Auditor", "Result", "Row", "Stream"]
