"""What a disk holds after the power has gone: made from a trace of what processes did to the files of one folder.

The rules are those of POSIX at their hardest. What was written to a file is on the disk when a sync of that file that
began later has ended; a name is made, changed or gone when a sync of the folder has ended. Of everything since then
either nothing is kept (``dropped``) or anything: each write, each sector of it and each cut by itself, and of what
happened to names any first part (``torn``).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from struct import Struct
from typing import NamedTuple

HEAD = Struct("<ciiqii")
SECTOR = 512

FOLDER = "."
ACKNOWLEDGED = "acknowledged"
"""The file in which the processes note what has been acknowledged, a line each; it is no part of the disk."""

SHARED_MEMORY = "-shm"
"""The ending of files that SQLite keeps in shared memory, and makes anew when nobody has them open."""


class Call(NamedTuple):
    """One call that changed something; see ``watch.c``."""

    kind: str
    process: int
    file: int
    at: int
    flags: int
    content: bytes


def calls(trace: Path) -> list[Call]:
    """The calls in a trace, in order."""
    content, found, place = trace.read_bytes(), [], 0
    while place < len(content):
        kind, process, file, at, flags, length = HEAD.unpack_from(content, place)
        place += HEAD.size + length
        found.append(Call(kind.decode(), process, file, at, flags, content[place - length : place]))
    return found


class Change(NamedTuple):
    """Bytes written at a place, or (``None``) the file cut or filled up to that length."""

    number: int
    at: int
    content: bytes | None

    def make(self, held: bytearray) -> None:
        """Change what a file holds."""
        if self.content is None:
            _resize(held, self.at)
        else:
            _resize(held, max(len(held), self.at))
            held[self.at : self.at + len(self.content)] = self.content

    def torn(self, chance: Random) -> Iterator["Change"]:
        """What is kept of it: each sector by itself."""
        if self.content is None:
            yield self
            return
        for start in range(0, len(self.content), SECTOR):
            if chance.random() < 0.5:
                yield Change(self.number, self.at + start, self.content[start : start + SECTOR])


def _resize(held: bytearray, length: int) -> None:
    del held[length:]
    held.extend(bytes(length - len(held)))


@dataclass(eq=False)
class File:
    """What the disk holds of a file for certain, and what has happened to it since."""

    held: bytearray = field(default_factory=bytearray)
    since: list[Change] = field(default_factory=list)

    def sync(self, until: int) -> None:
        """A sync that began before change ``until``."""
        for change in self.since:
            if change.number < until:
                change.make(self.held)
        self.since = [change for change in self.since if change.number >= until]

    def torn(self, chance: Random) -> bytearray:
        """Anything that it may hold now."""
        held = bytearray(self.held)
        for change in self.since:
            if chance.random() < 0.5:
                for part in change.torn(chance):
                    part.make(held)
        return held


Names = dict[str, File]


@dataclass(frozen=True, eq=False)
class Naming:
    """A name made, changed or (``None``) gone."""

    number: int
    changes: dict[str, File | None]

    def make(self, names: Names) -> None:
        """Change the names of a folder."""
        for name, file in self.changes.items():
            if file is None:
                names.pop(name, None)
            else:
                names[name] = file


class Disk:
    """A folder, followed call by call."""

    def __init__(self) -> None:
        self.told: list[str] = []
        """What has been acknowledged so far."""
        self._number = 0
        self._names: Names = {}
        self._live: Names = {}
        self._since: list[Naming] = []
        self._open: dict[tuple[int, int], tuple[str, File]] = {}
        self._syncs: dict[tuple[int, int], int] = {}

    def follow(self, call: Call) -> None:
        """One call more."""
        self._number += 1
        name = call.content.decode("utf-8", "replace") if call.kind in "OURL" else ""
        handle = (call.process, call.file)
        if call.kind == "O":
            self._opened(handle, name, call.flags == 1, call.at == 1)
        elif call.kind == "U":
            self._name({name: None})
        elif call.kind in "RL":
            old, new = name.split("\0")
            self._name({new: self._live[old], **({old: None} if call.kind == "R" else {})})
        elif call.kind == "C":
            self._open.pop(handle, None)
        else:
            self._changed(call, handle)

    def _opened(self, handle: tuple[int, int], name: str, made: bool, emptied: bool) -> None:
        if name != FOLDER and (made or name not in self._live):
            self._name({name: File()})
        file = File() if name == FOLDER else self._live[name]
        if emptied and not made:
            file.since.append(Change(self._number, 0, None))
        self._open[handle] = (name, file)

    def _name(self, changes: dict[str, File | None]) -> None:
        naming = Naming(self._number, changes)
        naming.make(self._live)
        self._since.append(naming)

    def _changed(self, call: Call, handle: tuple[int, int]) -> None:
        name, file = self._open[handle]
        if name == ACKNOWLEDGED:
            self.told += call.content.decode().splitlines()
        elif call.kind == "W":
            file.since.append(Change(self._number, call.at, call.content))
        elif call.kind == "T":
            file.since.append(Change(self._number, call.at, None))
        elif call.kind == "S":
            self._syncs[handle] = self._number
        elif call.kind == "D":
            self._synced(name, file, self._syncs.pop(handle))
        elif not name.endswith(SHARED_MEMORY):
            raise AssertionError(f"{name} is written to in a way that the trace does not show")

    def _synced(self, name: str, file: File, until: int) -> None:
        if name != FOLDER:
            file.sync(until)
            return
        for naming in self._since:
            if naming.number < until:
                naming.make(self._names)
        self._since = [naming for naming in self._since if naming.number >= until]

    def dropped(self) -> dict[str, bytes]:
        """The folder if nothing of what was not synced is kept."""
        return {name: bytes(file.held) for name, file in self._names.items() if _lasts(name)}

    def torn(self, chance: Random) -> dict[str, bytes]:
        """The folder if anything of it may be kept."""
        names = dict(self._names)
        for naming in self._since[: chance.randint(0, len(self._since))]:
            naming.make(names)
        return {name: bytes(file.torn(chance)) for name, file in names.items() if _lasts(name)}


def _lasts(name: str) -> bool:
    return name != ACKNOWLEDGED and not name.endswith(SHARED_MEMORY)
