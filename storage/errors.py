"""Errors of the storage, with messages fit to be shown."""


class StorageError(Exception):
    """The database cannot be opened or written; the message says why."""


class AuditNotFound(StorageError):
    """There is no audit of that number (it may have been deleted)."""
