"""Where a file lies: on this machine, or at an address that fsspec reads (s3://, gs://,
https://)."""

from __future__ import annotations

import importlib
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any
from urllib.parse import urlsplit

from provenance_core.errors import InputError

# A scheme, or several of them in a chain (simplecache::s3://).
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(://|::)")
_INSTALL = "pip install 'provenance-check[files]'"


def is_address(location: str) -> bool:
    """Whether a file is named by its address and not by a path of this machine."""
    return _ADDRESS.match(location) is not None


def file_name(location: str) -> str:
    """Name a file without its folder. The last part, of a web address without what follows its
    ``?``."""
    if not is_address(location):
        return Path(location).name
    web = location.startswith(("http://", "https://"))
    path = urlsplit(location).path if web else location
    return path.rpartition("/")[2]


@contextmanager
def at_hand(location: str) -> Iterator[Path]:
    """Give the path of a file on this machine, for as long as the block runs. What lies at an
    address, or comes through a pipe such as ``<(command)``, is copied into a temporary folder
    first, under its own name. An :class:`InputError` of the block names the location, and not the
    copy. The path of a file need not exist. Raises InputError if nothing can be read at the
    location; the message says why and what to do."""
    name = file_name(location)
    if not is_address(location) and not _is_read_once(Path(location)):
        yield Path(location)
        return
    if not name:
        raise InputError(f"{location}: no file is named; give the address of one file")
    with TemporaryDirectory(prefix="provenance-") as folder:
        copy = Path(folder, name)
        with explained(location), _opened(location) as there, copy.open("wb") as here:
            shutil.copyfileobj(there, here)
        try:
            yield copy
        except InputError as error:
            raise InputError(str(error).replace(str(copy), location)) from error


def _is_read_once(path: Path) -> bool:
    return path.is_fifo() or path.is_char_device()


def _opened(location: str) -> IO[bytes]:
    if not is_address(location):
        return Path(location).open("rb")
    system, path = file_system(location)
    found: IO[bytes] = system.open(path, "rb")
    return found


def file_system(location: str) -> tuple[Any, str]:
    """Find the file system of a path or an address. The fsspec file system, and the path within it.
    Raises InputError fsspec is not installed, does not know the scheme, or lacks the package that
    reads it."""
    try:
        core = importlib.import_module("fsspec.core")
    except ImportError as error:
        raise InputError(f"{location}: needs fsspec, which is not installed: {_INSTALL}") from error
    try:
        system, path = core.url_to_fs(location)
    except ImportError as error:
        raise InputError(
            f"{location}: the package that reads such addresses is not installed ({error})"
        ) from error
    except ValueError as error:
        raise InputError(
            f"{location}: {error}; give a path, or an address that fsspec reads, as s3://, gs://, "
            "abfs:// or https://"
        ) from error
    return system, str(path)


@contextmanager
def explained(location: str) -> Iterator[None]:
    """Turn what a file system says into a message. Raises InputError where the file system refuses,
    in its own words."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    # Each file system raises errors of its own: of the network, of keys that are missing.
    except Exception as error:
        said = (str(error).splitlines() or [""])[0][:300]
        if isinstance(error, FileNotFoundError):
            said = "there is no such file"
        raise InputError(
            f"{location}: cannot be used ({said or type(error).__name__}); check the address, and "
            "that this machine may use it"
        ) from error
