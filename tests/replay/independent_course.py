"""Which events a log has, in what order, and the members of what happened at the table."""

from collections.abc import Iterator

from replay.independent_file import Doc, Entry, Fault, Replay
from replay.independent_secrets import FIELDS, is_choice

POLICIES = {"game", "version", "rules_digest", "options", "seats", "first", "deal_id", "seed_commitment", "disclosure"}
POLICIES |= {"randomness"}


def of_course(replay: Replay) -> Iterator[Fault]:
    """Which events there are and in what order; what a move's events are made of."""
    kinds = [entry.doc["type"] for entry in in_force(replay) if entry.doc["type"] != "ruling_made"]
    ends = [at for at, kind in enumerate(kinds) if kind in {"match_finished", "match_voided"}]
    if kinds[0] != "match_created" or kinds.count("match_created") != 1 or kinds.count("dealt") > 1:
        yield Fault("course", 0, "one creation first, one first deal")
    if not replay.created.keys() >= POLICIES:
        yield Fault("course", 0, f"missing of the creation: {POLICIES - replay.created.keys()}")
    told = [at for at, kind in enumerate(kinds) if kind == "seed_disclosed"]
    withheld = not told and "withheld_until" in replay.created
    if len(ends) > 1 or (told != [at + 1 for at in ends] and not withheld):
        yield Fault("course", None, "a closed match discloses its seed, in the event after its end")
    yield from _of_end(replay)
    if "dealt" in kinds and any(kind.startswith("entropy_") for kind in kinds[kinds.index("dealt") :]):
        yield Fault("course", None, "entropy after the deal")
    for entry in replay.entries:
        yield from _of_move(replay, entry)


def in_force(replay: Replay) -> list[Entry]:
    """The events that no ruling has taken back; none if one goes back to an event that was taken back itself."""
    line: list[Entry] = []
    for entry in replay.entries:
        ruling = entry.doc["data"].get("ruling", {})
        if entry.doc["type"] == "ruling_made" and ruling["kind"] == "take_back":
            if ruling["to"] not in [other.seq for other in line]:
                return []
            line = [other for other in line if other.seq <= ruling["to"]]
        line.append(entry)
    return line


def _of_end(replay: Replay) -> Iterator[Fault]:
    """A match finishes with its game: the next event, the same outcome. A referee or the clock may end it otherwise."""
    followers = [*replay.entries[1:], None]
    for entry, following in zip(replay.entries, followers, strict=True):
        outcome = _outcome(entry)
        finish = following.doc if following and following.doc["type"] == "match_finished" else None
        if entry.doc["type"] in {"ruling_made", "clock_expired"}:
            continue
        if outcome != (finish and finish["data"]["outcome"]):
            yield Fault("course", entry.seq, "the match does not finish as the game does")


def _outcome(entry: Entry) -> Doc | None:
    ended = [event for event in entry.doc["data"].get("events", []) if event["type"] == "game_finished"]
    return {name: value for name, value in ended[0].items() if name != "type"} if ended else None


def _of_move(replay: Replay, entry: Entry) -> Iterator[Fault]:
    data, kind, actor = entry.doc["data"], entry.doc["type"], entry.doc["actor"]
    for event in data.get("events", []):
        expected = {"type", *FIELDS[replay.header["game"]].get(event["type"], "?").split()}
        if event.keys() != expected:
            yield Fault("event", entry.seq, f"{event['type']} has {sorted(event)}, the page {sorted(expected)}")
    if kind not in {"move_played", "choice_made"}:
        return
    if data.keys() != {"move", "events"} or (kind == "choice_made") != is_choice(data["move"], replay.created):
        yield Fault("event", entry.seq, f"{kind} with {sorted(data)}")
    if actor["role"] not in {"seat", "operator"} or actor["seat"] != data["move"]["seat"]:
        yield Fault("event", entry.seq, f"actor {actor}")
