"""By what pages keep what they have read and computed: until the database says otherwise."""

from __future__ import annotations

from storage import BulkScoreStore, database_url


def database_key(*parts: object) -> str:
    """A key of what is read of the database as it is now, and of ``parts``, which say what of it.

    Another audit, label or review makes another key. ``parts`` must have a repr that tells them
    apart. StorageError when the database cannot be read.
    """
    url = database_url()
    return repr((url, BulkScoreStore.open(url).state(), *parts))
