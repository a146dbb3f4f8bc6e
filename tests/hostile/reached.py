"""What a process opens, asks and starts: seen by Python's own audit events."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_EVENTS = (
    "open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename", "os.chdir",
    "shutil.rmtree", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname",
    "subprocess.Popen", "os.exec", "os.system", "urllib.Request", "ctypes.dlopen", "import",
)  # fmt: skip
_SEEN: list[list[str]] = []


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if _SEEN and event in _EVENTS:
        said = " ".join(f"{each!s} {each!r}" for each in arguments[:2])
        for seen in _SEEN:
            seen.append(f"{event} {said}")


# A hook stays for as long as the process does.
sys.addaudithook(_note)


@contextmanager
def reached() -> Iterator[list[str]]:
    """Every file, address and program that is opened inside, a line each."""
    seen: list[str] = []
    _SEEN.append(seen)
    try:
        yield seen
    finally:
        _SEEN.remove(seen)
