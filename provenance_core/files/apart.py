"""Files that may explode are read by a process of their own, which can be killed.

:func:`read_apart` starts ``python -m provenance_core.files.apart``, which limits its own memory
and time before it touches the file, and hands back what it reads piece by piece.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

from provenance_core.errors import InputError
from provenance_core.files.limits import MEMORY, SECONDS, FileLimits, file_limits

T = TypeVar("T")
_PACKAGES = Path(__file__).parents[2]
_PIECE, _END, _REFUSED, _MEMORY = "piece", "end", "refused", "memory"
# The first pieces are small, so that a file is recognised before the whole of it is read.
_FIRST, _MOST = 32, 1000


class _Counting:
    """A stream that says when more came out of it than is allowed."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream = stream
        self._left = most

    def _taken(self, data: bytes) -> bytes:
        self._left -= len(data)
        if self._left < 0:
            raise MemoryError
        return data

    def read(self, size: int = -1) -> bytes:
        return self._taken(self._stream.read(size))

    def readline(self) -> bytes:
        return self._taken(self._stream.readline())


def read_apart(
    name: object, read: Callable[..., Iterator[T]], *arguments: object, limits: FileLimits | None
) -> Iterator[T]:
    """What ``read(*arguments)`` yields in a process of its own. What ``read`` yields, in order.
    Raises InputError where what ``read`` raises, or the limit that the file goes over."""
    bounds = limits or file_limits()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": _search_path(), "OMP_NUM_THREADS": "1"},
    )
    late = threading.Event()

    def kill() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(bounds.seconds, kill)
    timer.daemon = True
    timer.start()
    try:
        yield from _received(name, process, (read, arguments, bounds), late)
    finally:
        timer.cancel()
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # it died before it had read everything
                    continue
        process.wait()


def _search_path() -> str:
    """Where this process finds its packages: in a wheel, the storage is in the app's folder."""
    return os.pathsep.join(str(Path(each).absolute()) for each in [*sys.path, str(_PACKAGES)])


def _received(
    name: object,
    process: subprocess.Popen[bytes],
    task: tuple[Callable[..., Iterator[T]], tuple[object, ...], FileLimits],
    late: threading.Event,
) -> Iterator[T]:
    limits = task[2]
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the process has no pipes")
    try:
        pickle.dump(task, process.stdin)
        process.stdin.close()
    except OSError:  # it ended at once: what it says, or does not say, follows
        pass
    counted: Any = _Counting(process.stdout, limits.memory)
    while True:
        try:
            kind, value = pickle.load(counted)
        except MemoryError:
            kind, value = _MEMORY, None
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise _ended(name, process, limits, late) from error
        if kind == _PIECE:
            yield from value
        elif kind == _REFUSED:
            raise InputError(value)
        elif kind == _MEMORY:
            raise InputError(
                f"{name}: reading it needs more than {limits.memory // 1_000_000:,} MB of memory, "
                f"the limit of {MEMORY.variable}. Split the file; a cell, line or array of this "
                "size is also a sign of a damaged one."
            )
        else:
            return


def _ended(
    name: object, process: subprocess.Popen[bytes], limits: FileLimits, late: threading.Event
) -> InputError:
    """What is said of a process that ended before it had said everything."""
    if late.is_set() or -process.wait() == _cpu_signal():
        return InputError(
            f"{name}: reading it takes more than {limits.seconds:g} seconds, the limit of "
            f"{SECONDS.variable}. Split the file, or raise the limit if you trust it."
        )
    return InputError(
        f"{name}: the process that read it ended (status {process.returncode}), so the file is "
        f"damaged, or needs more memory than {MEMORY.variable} allows. Save it again, or split it."
    )


def _cpu_signal() -> int:
    import signal

    return int(getattr(signal, "SIGXCPU", 0)) or sys.maxsize


def _limit(limits: FileLimits) -> None:
    """The limits of this process, where the system knows such limits."""
    try:
        import resource
    except ImportError:  # Windows: the timer of the parent alone
        return
    seconds = int(limits.seconds) + 1
    for what, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, hard))


def _serve(task: IO[bytes], answer: IO[bytes]) -> None:
    """The child: reads what it is told to and writes what it finds."""
    read, arguments, limits = pickle.load(task)
    _limit(limits)
    try:
        piece: list[object] = []
        most = _FIRST
        for each in read(*arguments):
            piece.append(each)
            if len(piece) >= most:
                _write(answer, _PIECE, piece)
                piece, most = [], _MOST
        _write(answer, _PIECE, piece)
        _write(answer, _END, None)
    except InputError as error:
        _write(answer, _REFUSED, str(error))
    except MemoryError:
        piece = []
        _write(answer, _MEMORY, None)


def _write(answer: IO[bytes], kind: str, value: object) -> None:
    pickle.dump((kind, value), answer, protocol=pickle.HIGHEST_PROTOCOL)
    answer.flush()


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer)
