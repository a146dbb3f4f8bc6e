"""Requests that come twice: the second gets what the first kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from provenance_core import InputError, Parameters, assemble
from storage import AuditStore, RequestBusy, RequestKey, RequestKeyStore, request_keys
from tests.conftest import hand_evidence


def key(given: str = "k", who: str = "ann", action: str = "audit", body: str = "{}") -> RequestKey:
    return RequestKey.of(given, who, action, body)


@pytest.fixture
def store(url) -> RequestKeyStore:
    return RequestKeyStore.open(url)


@pytest.fixture
def audit():
    return assemble(hand_evidence([1.0], [[0.9]]), Parameters())


def test_a_retry_gets_what_was_kept(store, audit, url):
    assert store.reserve(key()) is None
    numbers = store.save_audits([audit, audit], key())
    assert numbers == (1, 2)
    assert store.reserve(key()) == numbers
    assert AuditStore.open(url).load(2).audit == audit


def test_what_is_worked_on_or_says_something_else_is_refused(store):
    assert store.reserve(key()) is None
    said = r"still worked on.*the key is free from \d\d:\d\d:\d\d UTC on \(15 minutes"
    with pytest.raises(RequestBusy, match=said):
        store.reserve(key())
    with pytest.raises(InputError, match="Use a new key"):
        store.reserve(key(body="[]"))
    # Another person's and another action's keys are their own.
    assert store.reserve(key(who="ben")) is None
    assert store.reserve(key(action="run")) is None


def test_what_failed_may_be_sent_again_and_what_is_done_stays(store):
    assert store.reserve(key()) is None
    store.release(key())
    assert store.reserve(key()) is None
    store.keep(key(), [7])
    store.release(key())
    assert store.reserve(key()) == (7,)


def test_a_dead_try_is_taken_over_and_an_old_key_forgotten(store, monkeypatch):
    assert store.reserve(key()) is None
    assert store.reserve(key("done")) is None
    store.keep(key("done"), [7])
    monkeypatch.setattr(request_keys, "SILENCE", timedelta(0))
    assert store.reserve(key()) is None
    assert store.reserve(key("done")) == (7,)
    monkeypatch.setattr(request_keys, "KEPT", timedelta(0))
    assert store.reserve(key("done")) is None


def test_one_of_many_at_once_begins(store):
    def begin(_: int) -> bool:
        try:
            return store.reserve(key()) is None
        except RequestBusy:
            return False

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(begin, range(16))) == 1


def test_nothing_is_kept_unless_all_is(store, audit, url):
    assert store.reserve(key()) is None
    with pytest.raises(AttributeError):
        store.save_audits([audit, None], key())
    assert AuditStore.open(url).count() == 0
    with pytest.raises(RequestBusy):
        store.reserve(key())


@pytest.mark.parametrize("given", ["", "  ", "x" * 201])
def test_a_key_has_1_to_200_characters(given):
    with pytest.raises(InputError, match="must have 1 to 200"):
        key(given)
