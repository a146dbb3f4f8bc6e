"""Files cut into parts that a transfer allows, and joined again; a wrong byte is noticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

MIB = 1 << 20
LIST = "parts.json"


def digest(data: bytes) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def split(files: Sequence[Path], folder: Path, size: int) -> list[Path]:
    """Cut files into ``folder/NAME.000`` and so on, of at most ``size`` bytes each.
    ``folder/parts.json`` lists, by file, each part with its SHA-256. Returns the parts in order."""
    folder.mkdir(parents=True, exist_ok=True)
    listed: dict[str, dict[str, str]] = {}
    made: list[Path] = []
    for file in files:
        data = file.read_bytes()
        listed[file.name] = {}
        for number, first in enumerate(range(0, max(1, len(data)), size)):
            part = folder / f"{file.name}.{number:03d}"
            part.write_bytes(data[first : first + size])
            listed[file.name][part.name] = digest(part.read_bytes())
            made.append(part)
    (folder / LIST).write_text(json.dumps(listed, indent=1), encoding="utf-8")
    return made


def join(folders: Sequence[Path], listed: Path, into: Path) -> list[Path]:
    """Join the parts that ``listed`` names, wherever in ``folders`` they stand. Returns the
    files, in the folder ``into``. Raises FileNotFoundError if a part is in none of the folders, and
    ValueError if one is not what the list says."""
    into.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for name, parts in json.loads(listed.read_text(encoding="utf-8")).items():
        data = bytearray()
        for part, wanted in parts.items():
            places = [folder / part for folder in folders if (folder / part).exists()]
            if not places:
                raise FileNotFoundError(f"{part} of {name} is in none of {[*map(str, folders)]}")
            held = places[0].read_bytes()
            if digest(held) != wanted:
                raise ValueError(f"{places[0]} has other bytes than {listed} says")
            data += held
        (into / name).write_bytes(data)
        made.append(into / name)
    return made


def dealt(parts: Sequence[Path], most: int) -> list[list[Path]]:
    """The parts in as few groups as have at most ``most`` bytes each, in order. Raises ValueError
    if one part is larger."""
    groups: list[list[Path]] = [[]]
    room = most
    for part in parts:
        size = part.stat().st_size
        if size > most:
            raise ValueError(f"{part} has {size} bytes, more than the {most} of a transfer")
        if size > room:
            groups.append([])
            room = most
        groups[-1].append(part)
        room -= size
    return groups
