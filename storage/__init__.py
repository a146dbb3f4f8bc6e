"""Audits in a database: SQLite by default, any SQLAlchemy URL by PROVENANCE_DATABASE_URL."""

from ._engine import database_url
from .comparison import AuditTexts, CandidateGroup, CandidatePage, ComparisonStore
from .errors import DATABASE_URL_VARIABLE, AuditNotFound, RunNotFound, StorageError
from .filters import SEARCH_LIMIT, AuditFilter
from .items import Item, ItemColumn, ItemFilter, ItemOrder, ItemPage, ItemStore, Reviewed
from .runs import (
    NewRun,
    PendingRow,
    Progress,
    RowStatus,
    Run,
    RunStatus,
    RunStore,
)
from .store import AuditPage, AuditRow, AuditStore, SavedAudit

__all__ = [
    "DATABASE_URL_VARIABLE",
    "SEARCH_LIMIT",
    "AuditFilter",
    "AuditNotFound",
    "AuditPage",
    "AuditRow",
    "AuditStore",
    "AuditTexts",
    "CandidateGroup",
    "CandidatePage",
    "ComparisonStore",
    "Item",
    "ItemColumn",
    "ItemFilter",
    "ItemOrder",
    "ItemPage",
    "ItemStore",
    "NewRun",
    "PendingRow",
    "Progress",
    "Reviewed",
    "RowStatus",
    "Run",
    "RunNotFound",
    "RunStatus",
    "RunStore",
    "SavedAudit",
    "StorageError",
    "database_url",
]
