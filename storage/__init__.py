"""Audits in a database: SQLite by default, any SQLAlchemy URL by PROVENANCE_DATABASE_URL."""

from ._engine import DATABASE_URL_VARIABLE, database_url
from .errors import AuditNotFound, StorageError
from .store import AuditFilter, AuditPage, AuditRow, AuditStore, SavedAudit

__all__ = [
    "DATABASE_URL_VARIABLE",
    "AuditFilter",
    "AuditNotFound",
    "AuditPage",
    "AuditRow",
    "AuditStore",
    "SavedAudit",
    "StorageError",
    "database_url",
]
