"""Audits in a database: SQLite by default, any SQLAlchemy URL by PROVENANCE_DATABASE_URL."""

from ._engine import database_url
from .errors import DATABASE_URL_VARIABLE, AuditNotFound, RunNotFound, StorageError
from .runs import (
    NewRow,
    NewRun,
    PendingRow,
    Progress,
    Reject,
    RowStatus,
    Run,
    RunStatus,
    RunStore,
)
from .store import SEARCH_LIMIT, AuditFilter, AuditPage, AuditRow, AuditStore, SavedAudit

__all__ = [
    "DATABASE_URL_VARIABLE",
    "SEARCH_LIMIT",
    "AuditFilter",
    "AuditNotFound",
    "AuditPage",
    "AuditRow",
    "AuditStore",
    "NewRow",
    "NewRun",
    "PendingRow",
    "Progress",
    "Reject",
    "RowStatus",
    "Run",
    "RunNotFound",
    "RunStatus",
    "RunStore",
    "SavedAudit",
    "StorageError",
    "database_url",
]
