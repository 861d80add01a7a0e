"""What a take-back crosses: the events that had told somebody something which was hidden before, and the shuffles.

All of it follows from what anybody may know of the log, so it can be told to a referee who sees no hidden card: which
card it was is never said.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from gyoji.replay.entries import Entry
from gyoji.replay.folding import next_standing
from gyoji.replay.hiding import Audience
from gyoji.replay.rulings import line_in_force
from gyoji.replay.standing import Standing


class Crossing(NamedTuple):
    """One event that is taken back."""

    seq: int
    type: str
    known_to: Audience
    """The seats that it had told something; ``all``: everybody at the table."""
    shuffle: bool
    """Whether cards were shuffled."""


def crossed(target: Standing, entries: Sequence[Entry]) -> tuple[Crossing, ...]:
    """Of the entries that follow the event at which ``target`` stands, those that are in force and told somebody
    something. Every opening has to be there."""
    gone = line_in_force(entries)
    found = [crossing for crossing in _crossings(target, entries) if crossing.seq not in gone]
    return tuple([crossing for crossing in found if crossing.known_to or crossing.shuffle])


def _crossings(standing: Standing, entries: Sequence[Entry]) -> Iterator[Crossing]:
    seen = _visible(standing)
    for entry in entries:
        before, standing = standing, next_standing(standing, entry)
        seen_before, seen = seen, _visible(standing)
        document = orjson.loads(entry.body)
        if "move" in document["data"]:
            to_all = (seen - seen_before) & (_lying(before) - seen_before)
            known_to: Audience = "all" if to_all else _audience(entry, document)
            yield Crossing(
                entry.seq, document["type"], known_to, before.state.shuffles != standing.state.shuffles
            )


def _visible(standing: Standing) -> Counter[str]:
    """What lies open on the table."""
    return Counter(_texts(standing.game.view(standing.state, None)["table"]))


def _lying(standing: Standing) -> Counter[str]:
    """All that there is on the table, open or not."""
    return Counter(_texts(standing.game.write_state(standing.state)["table"]))


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping | list | tuple):
        for inner in node.values() if isinstance(node, Mapping) else node:
            yield from _texts(inner)


def _audience(entry: Entry, document: Mapping[str, Any]) -> tuple[int, ...]:
    """The seats that an event told more than what they had chosen themselves."""
    secrets = document["secret"]
    heard = [secrets[opening.place]["for"] for opening in entry.openings if _tells(opening.payload)]
    return tuple(sorted({seat for audience in heard if audience != "all" for seat in audience}))


def _tells(payload: Mapping[str, Any]) -> bool:
    """Whether there is more in it than a hidden choice, the event that says it again, and the words of a ruling."""
    chosen = [pointer.rpartition("/")[2] for pointer in payload if pointer.startswith("/move/")]
    said = {f"/events/0/{name}" for name in chosen}
    return any(pointer.startswith("/events/") and pointer not in said for pointer in payload)
