"""The lock of the models: no error, cancellation or closed page leaves it held."""

from __future__ import annotations

import random
import threading
from collections import Counter
from contextlib import suppress

import pytest

from provenance_core import ModelError
from provenance_core.audit.shared_models import SharedModels
from provenance_core.progress import Progress

THREADS, USES = 8, 60
SECONDS = 60


class Stand:
    """Takes the models' place where only who holds them is tested."""


class Stopped(BaseException):
    """As Streamlit's own signals that a visitor has left or typed anew: no Exception."""


def test_errors_and_cancellations_in_flight_leave_no_lock_held(monkeypatch):
    # Collecting garbage at each load is what would take the time here.
    monkeypatch.setattr("provenance_core.audit.shared_models.release_memory", lambda: None)
    inside: Counter[str] = Counter()
    overlaps: list[str] = []
    ended: Counter[str] = Counter()

    def load(name):
        if random.random() < 0.2:
            raise random.choice([ModelError, MemoryError, Stopped])(name)
        return Stand()

    profiles = SharedModels(load, capacity=2)

    def signal(stage="", share=0.0):
        if random.random() < 0.1:
            raise random.choice([RuntimeError, Stopped, KeyboardInterrupt])

    def work():
        for _ in range(USES):
            name = random.choice("abcd")
            try:
                with profiles.use(name, Progress(signal)):
                    inside[name] += 1
                    if inside[name] > 1:
                        overlaps.append(name)
                    try:
                        signal()
                        if random.random() < 0.05:
                            profiles.release()
                    finally:
                        inside[name] -= 1
                ended["whole"] += 1
            except (Exception, Stopped, KeyboardInterrupt):
                ended["refused"] += 1

    threads = [threading.Thread(target=work, daemon=True) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"
    assert sum(ended.values()) == THREADS * USES
    assert min(ended["whole"], ended["refused"]) > 0
    assert overlaps == []
    assert len(profiles.names) <= 2
    profiles.release()
    assert profiles.names == ()


def test_a_visitor_who_waits_and_leaves_takes_no_place():
    profiles = SharedModels(lambda name: Stand(), capacity=1)

    def leave(stage, share):
        raise Stopped

    with profiles.use("a"):
        with pytest.raises(Stopped), profiles.use("b", Progress(leave)):
            pass
        assert profiles.names == ("a",)
    with profiles.use("b"):
        assert profiles.names == ("b",)


def test_who_asks_first_is_served_first_and_told_how_many_are_before():
    profiles = SharedModels(lambda name: Stand())
    said: dict[int, list[str]] = {number: [] for number in range(4)}
    waits = [threading.Event() for _ in said]
    served: list[int] = []

    def ask(number):
        def tell(stage, share):
            said[number].append(stage)
            waits[number].set()

        with profiles.use("a", Progress(tell)):
            served.append(number)

    threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in said]
    with profiles.use("a"):
        for thread, wait in zip(threads, waits, strict=True):
            thread.start()
            assert wait.wait(SECONDS)
        with profiles.use("b"):
            pass  # Nobody waits for this one.
    for thread in threads:
        thread.join(SECONDS)
    assert served == [0, 1, 2, 3]
    assert [places[0] for places in said.values()] == [
        "Waiting: 1 audit is before yours",
        *(f"Waiting: {before} audits are before yours" for before in (2, 3, 4)),
    ]
    # "1 audit" is before "2 audits" in the alphabet too.
    assert all(places == sorted(places, reverse=True) for places in said.values())


def test_a_visitor_who_leaves_the_line_is_not_counted():
    profiles = SharedModels(lambda name: Stand())
    left = threading.Event()
    waits, next_in_line, served = threading.Event(), threading.Event(), threading.Event()

    def leave(stage, share):
        assert waits.wait(SECONDS)
        left.set()
        raise Stopped

    def first():
        with suppress(Stopped), profiles.use("a", Progress(leave)):
            pytest.fail("the first was served")

    def second():
        with profiles.use("a", Progress(tell)):
            served.set()

    def tell(stage, share):
        waits.set()
        if left.is_set() and stage == "Waiting: 1 audit is before yours":
            next_in_line.set()

    with profiles.use("a"):
        threads = [threading.Thread(target=each, daemon=True) for each in (first, second)]
        for thread in threads:
            thread.start()
        assert left.wait(SECONDS)
        assert next_in_line.wait(SECONDS)
        assert not served.is_set()
    assert served.wait(SECONDS)
