"""The line that stands: the events of a log that no ruling has taken back, and the rulings that last although one went
back to before them; for reading (``gyoji-line/1``).

It does not verify by itself, and says so: what was taken back is not in it, and no event is in the bytes that were
hashed. The hash of each tells where it stands in the log, whose replay file verifies.
"""

from collections.abc import Iterable, Iterator, Mapping

import orjson

from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.readers import Reader, project_event
from gyoji.match.rulings import lasts

FORMAT = "gyoji-line/1"


def history_lines(reader: Reader, entries: Iterable[Entry], taken: Mapping[int, int]) -> Iterator[bytes]:
    """The lines: first what this is, then the events as the feed shows them to the reader.

    ``entries`` are the whole log, ``taken`` what ``taken_back_events`` says of it.
    """
    for entry in entries:
        if entry.seq == 0:
            yield canonical(_header(reader, entry)) + b"\n"
        if entry.seq not in taken or lasts(entry):
            yield canonical(project_event(reader, entry)) + b"\n"


def _header(reader: Reader, first: Entry) -> Mapping[str, object]:
    created = orjson.loads(first.body)
    data = created["data"]
    return {
        "format": FORMAT,
        "match": created["match"],
        "game": data["game"],
        "version": data["version"],
        "rules_digest": data["rules_digest"],
        "line": "ruled",
        "audience": {"seat": reader} if isinstance(reader, int) else reader,
        "verifies": False,
    }
