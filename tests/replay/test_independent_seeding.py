"""What the second implementation notices in the seeding of a match: one fault at a time."""

from collections.abc import Callable
from copy import deepcopy

import pytest

from replay.independent_cases import tried, written
from replay.independent_deals import player_commitment
from replay.independent_file import Entry, Replay
from replay.independent_writer import of_type

SEATS, DIRECTOR, BEACON = "towai, entropy of all seats", "tomorrow, director", "catte, beacon"
EMPTY = "replays/catte/dealt-without-a-seats-entropy.jsonl"
VOID = "replays/tomorrow-never-meows/void-for-missing-entropy.jsonl"
TIMED = "replays/towai/withheld-until-a-time.jsonl"
Change = Callable[[Replay], None]


def renumbered(replay: Replay) -> None:
    """Close the gaps; positions stay where they were, as no case here has sixteen events before its deal."""
    for seq, entry in enumerate(replay.entries):
        entry.doc["seq"] = seq
        for opening in entry.openings:
            opening["seq"] = seq


def another_entropy(replay: Replay) -> None:
    of_type(replay, "entropy_revealed").doc["data"]["entropy"] = "ab" * 32


def another_commitment(replay: Replay) -> None:
    of_type(replay, "entropy_committed").doc["data"]["commit"] = "ab" * 32


def both_changed(replay: Replay) -> None:
    """The whole contribution of seat 0 is another one: only the cards tell."""
    entropy = bytes(range(32))
    commit = player_commitment(replay.created["deal_id"], 0, entropy)
    of_type(replay, "entropy_committed").doc["data"]["commit"] = commit
    of_type(replay, "entropy_revealed").doc["data"]["entropy"] = entropy.hex()


def revealed_early(replay: Replay) -> None:
    entries = replay.entries
    entries[3], entries[4] = entries[4], entries[3]
    renumbered(replay)


def committed_twice(replay: Replay) -> None:
    replay.entries[2].doc["actor"] = {"role": "seat", "seat": 0}


def by_the_operator(replay: Replay) -> None:
    replay.entries[1].doc["actor"]["role"] = "operator"


def seat_left_out(replay: Replay) -> None:
    replay.entries.pop(6)
    renumbered(replay)


def owned_up(replay: Replay) -> None:
    """A seat that revealed is said to be missing."""
    _deal(replay).doc["data"]["missing"] = [1]


def not_owned_up(replay: Replay) -> None:
    del _deal(replay).doc["data"]["missing"]


def other_default(replay: Replay) -> None:
    replay.created["randomness"]["missing"] = {"void": "empty", "empty": "void"}[
        replay.created["randomness"]["missing"]
    ]


def too_early(replay: Replay) -> None:
    replay.created["randomness"]["within"] = 60


def other_seats(replay: Replay) -> None:
    of_type(replay, "match_voided").doc["data"]["missing"] = [0, 1]


def by_nobody(replay: Replay) -> None:
    of_type(replay, "match_voided").doc["data"]["reason"] = "cancelled"


def another_share(replay: Replay) -> None:
    of_type(replay, "entropy_revealed").doc["data"]["entropy"] = "ab" * 32


def short_share(replay: Replay) -> None:
    of_type(replay, "entropy_revealed").doc["data"]["entropy"] = "ab" * 15


def by_a_seat(replay: Replay) -> None:
    of_type(replay, "entropy_revealed").doc["actor"] = {"role": "operator"}


def without_share(replay: Replay) -> None:
    replay.entries.pop(1)
    renumbered(replay)


def of_the_server(replay: Replay) -> None:
    replay.created["randomness"] = {"policy": "server"}


def told_at_once(replay: Replay) -> None:
    of_type(replay, "seed_disclosed").doc["at"] = replay.entries[-2].doc["at"]


def added_later(replay: Replay) -> None:
    late = deepcopy(replay.entries[1])
    late.doc["at"] = replay.entries[9].doc["at"]
    replay.entries.insert(10, late)
    renumbered(replay)


def _deal(replay: Replay) -> Entry:
    found = replay.deal
    assert found is not None
    return found


CHANGES: list[tuple[str, Change, set[str]]] = [
    (SEATS, another_entropy, {"seeding", "shuffles"}),
    (SEATS, another_commitment, {"seeding"}),
    (SEATS, both_changed, {"shuffles"}),
    (SEATS, revealed_early, {"seeding", "times"}),
    (SEATS, committed_twice, {"seeding"}),
    (SEATS, by_the_operator, {"seeding"}),
    (SEATS, seat_left_out, {"seeding", "shuffles", "positions", "times"}),
    (SEATS, owned_up, {"seeding"}),
    (SEATS, of_the_server, {"seeding"}),
    (SEATS, added_later, {"seeding", "course", "positions"}),
    (EMPTY, not_owned_up, {"seeding", "times"}),
    (EMPTY, other_default, {"seeding"}),
    (EMPTY, too_early, {"seeding"}),
    (VOID, other_seats, {"seeding"}),
    (VOID, by_nobody, {"seeding"}),
    (VOID, other_default, {"seeding"}),
    (VOID, too_early, {"seeding"}),
    (DIRECTOR, another_share, {"shuffles"}),
    (DIRECTOR, short_share, {"seeding", "shuffles"}),
    (DIRECTOR, by_a_seat, {"seeding"}),
    (DIRECTOR, without_share, {"seeding", "shuffles", "positions", "times"}),
    (BEACON, another_share, {"shuffles"}),
    (TIMED, told_at_once, {"seeding"}),
]


@pytest.mark.parametrize(("name", "change", "checks"), CHANGES, ids=lambda value: getattr(value, "__name__", None))
def test_one_fault_at_a_time(name: str, change: Change, checks: set[str]) -> None:
    assert tried(written(name)[0], change) == checks
