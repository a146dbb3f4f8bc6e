import threading

import pytest

from storage.worker.stoppable import StageShare, StoppableWork


def test_the_result_and_progress():
    go_on, reported = threading.Event(), threading.Event()

    def add(progress):
        progress.stage("Adding")(0.5)
        reported.set()
        go_on.wait(30)
        return 2 + 3

    work = StoppableWork(add)
    assert reported.wait(30)
    assert not work.wait(0.01)
    assert work.progress == StageShare("Adding", 0.5)
    go_on.set()
    assert work.wait(30)
    assert work.result() == 5


def test_what_it_raises_is_raised_to_whoever_waits():
    def fail(progress):
        raise ValueError("no such thing")

    work: StoppableWork[None] = StoppableWork(fail)
    assert work.wait(30)
    with pytest.raises(ValueError, match="no such thing"):
        work.result()


def test_it_ends_at_its_next_report_once_it_is_canceled():
    go_on, cleaned = threading.Event(), []

    def long(progress):
        try:
            go_on.wait(30)
            progress.stage("Going on")(0.5)
            cleaned.append("it went on")
        finally:
            cleaned.append("what it held is free")

    work = StoppableWork(long)
    work.cancel()
    go_on.set()
    assert work.wait(30)
    assert cleaned == ["what it held is free"]
