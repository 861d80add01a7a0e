"""Writes the files in which processes share what they count, in the form that prometheus-client reads.

Its own writer makes files longer without taking room for them, so that on a full disk a count ends the request, or the
whole process (``SIGBUS``). Here room is taken first. What finds none is counted in memory, and gets into the file as
soon as there is room again and it is counted once more.
"""

import mmap
from collections import deque
from pathlib import Path
from struct import Struct
from time import monotonic

INITIAL = 1 << 16
"""Bytes of a new file."""

RETRY_SECONDS = 1.0
"""Seconds until a disk that had no room is asked again."""

HEAD = 8
"""Bytes before the first value: how many bytes are used, and padding."""

LENGTH = Struct("i")
VALUE = Struct("dd")

REFUSED: deque[OSError] = deque(maxlen=1)
"""Why there is no room, for whoever tells of it: it cannot be told where it happens, since a line that is dropped would
be counted."""


def refusal() -> OSError | None:
    """Return why counts cannot be shared between processes, to the first caller only."""
    try:
        return REFUSED.popleft()
    except IndexError:
        return None


class SharedCounts:
    """The values of one kind that one process counts, in a file of its own. Its users take care of threads."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._map: mmap.mmap | None = None
        self._used = HEAD
        self._places: dict[str, int] = {}
        self._unshared: dict[str, tuple[float, float]] = {}
        self._ask_at = 0.0
        self._is_refused = False
        if self._path.exists():
            self._take_up()

    def read_value(self, key: str) -> tuple[float, float]:
        """Return the value of a key and its time; a key that is new has zeros from now on."""
        if key not in self._places and key not in self._unshared:
            self._keep(key, (0.0, 0.0))
        if self._map is None or key not in self._places:
            return self._unshared[key]
        return VALUE.unpack_from(self._map, self._places[key])

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        """Set the value of a key from now on."""
        if self._map is not None and key in self._places:
            place = self._places[key]
            self._map[place : place + VALUE.size] = VALUE.pack(value, timestamp)
        else:
            self._keep(key, (value, timestamp))

    def close(self) -> None:
        """Count no more into the file."""
        if self._map is not None:
            self._map.close()
            self._map = None

    def _keep(self, key: str, value: tuple[float, float]) -> None:
        """Enter a key that has no place in the file, and those with it that wait for one."""
        self._unshared[key] = value
        if monotonic() < self._ask_at:
            return
        for each in list(self._unshared):
            if not self._placed(each):
                return

    def _placed(self, key: str) -> bool:
        """Put a key and its value into the file, which grows where it must; tell whether there was room."""
        text = key.encode()
        padding = b" " * (8 - (len(text) + LENGTH.size) % 8)
        entry = LENGTH.pack(len(text)) + text + padding + VALUE.pack(*self._unshared[key])
        end = self._used + len(entry)
        mapped = self._room(end)
        if mapped is None:
            return False
        mapped[self._used : end] = entry
        mapped[: LENGTH.size] = LENGTH.pack(end)
        self._used, self._places[key] = end, end - VALUE.size
        del self._unshared[key]
        return True

    def _take_up(self) -> None:
        """Go on with the file of an earlier process that had the same number."""
        from prometheus_client.mmap_dict import MmapedDict

        found = list(MmapedDict.read_all_values_from_file(str(self._path)))  # type: ignore[no-untyped-call]
        self._places = {key: place for key, _value, _time, place in found}
        self._used = max([HEAD, *[place + VALUE.size for place in self._places.values()]])
        self._room(self._used)

    def _room(self, end: int) -> mmap.mmap | None:
        """Map the file into memory, longer if it ends before that; ``None`` where the disk refuses."""
        if self._map is not None and end <= len(self._map):
            return self._map
        size = INITIAL
        while size < end:
            size *= 2
        try:
            self._reserve(size)
            with self._path.open("r+b") as file:
                self._map = mmap.mmap(file.fileno(), size)
        except OSError as failure:
            self._ask_at = monotonic() + RETRY_SECONDS
            if not self._is_refused:
                REFUSED.append(failure)
            self._is_refused = True
            return None
        self._is_refused = False
        return self._map

    def _reserve(self, size: int) -> None:
        """Have the disk keep room for that many bytes, by writing them. Nobody sees a new file before it is whole."""
        if self._path.exists():
            with self._path.open("ab") as file:
                file.write(bytes(max(0, size - file.tell())))
            return
        draft = self._path.with_suffix(".new")
        content = LENGTH.pack(HEAD) if self._map is None else self._map[: self._used]
        try:
            draft.write_bytes(content.ljust(size, b"\0"))
            draft.rename(self._path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
