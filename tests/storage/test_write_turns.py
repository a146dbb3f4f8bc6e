"""Writers of one process wait in line: SQLite itself may never let one of many in."""

from __future__ import annotations

import threading
from pathlib import Path

from sqlalchemy import event

from storage import AuditStore
from storage.engine import dispose_engine, get_engine
from tests.storage.test_storage import an_audit


def test_a_writer_waits_until_the_one_before_it_has_ended(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'turns.db'}"
    store = AuditStore.open(url)
    engine = get_engine(url)
    begun = threading.Event()
    kept: list[int] = []
    # Without a turn of its own the second writer begins at once, and is refused at once.
    event.listen(engine, "connect", lambda c, _: c.execute("PRAGMA busy_timeout = 0"))
    engine.dispose()

    def second() -> None:
        event.listen(engine, "begin", lambda _connection: begun.set(), insert=True)
        kept.append(store.save(an_audit()))

    thread = threading.Thread(target=second)
    with store._writing("The first did not write") as session:
        session.connection()
        thread.start()
        assert not begun.wait(0.5)
    thread.join()
    assert begun.is_set()
    assert kept == [1]
    dispose_engine(url)


def test_a_writer_may_use_the_store_in_its_own_turn(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'own.db'}"
    store = AuditStore.open(url)
    with store._writing("The first did not write"):
        assert store.save(an_audit()) == 1
    dispose_engine(url)
