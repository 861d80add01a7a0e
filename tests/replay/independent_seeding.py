"""Whose chance the deals are, a second time: what seats, director and beacon contribute, and when a match goes on
without."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from replay.independent_deals import branch_root, player_commitment, root
from replay.independent_file import Doc, Entry, Fault, Replay, is_hex

SHARED_BY = {"director": {"role": "director"}, "external": {"role": "operator"}}


def of_seeding(replay: Replay, beacons: Doc | None) -> Iterator[Fault]:
    """Everything in the seeding of a match that is not as its first event promises."""
    randomness, seats = replay.created["randomness"], replay.created["seats"]
    commits: dict[int, str] = {}
    entropies: dict[int, bytes] = {}
    shares: list[bytes] = []
    for entry in replay.entries:
        kind = entry.doc["type"]
        if kind == "entropy_committed":
            yield from _of_commit(randomness, seats, commits, entry)
            commits[entry.doc["actor"]["seat"]] = entry.doc["data"]["commit"]
        elif kind == "entropy_revealed" and randomness["policy"] == "players":
            yield from _of_reveal(replay, commits, entropies, entry)
            entropies[entry.doc["actor"]["seat"]] = bytes.fromhex(entry.doc["data"]["entropy"])
        elif kind == "entropy_revealed":
            yield from _of_share(randomness, shares, entry, beacons)
            shares.append(bytes.fromhex(entry.doc["data"]["entropy"]))
        elif kind in {"dealt", "match_voided"}:
            owing = [seat for seat in range(seats) if seat not in entropies]
            awaited = owing if randomness["policy"] == "players" and not _is_dealt(replay, entry) else []
            yield from _of_deal(replay, entry, awaited) if kind == "dealt" else _of_void(replay, entry, awaited)
            if kind == "dealt" and randomness["policy"] in SHARED_BY and not shares:
                yield Fault("seeding", entry.seq, "dealt before the share has come")


def _of_commit(randomness: Doc, seats: int, commits: dict[int, str], entry: Entry) -> Iterator[Fault]:
    actor, data = entry.doc["actor"], entry.doc["data"]
    if randomness["policy"] != "players" or actor not in [{"role": "seat", "seat": seat} for seat in range(seats)]:
        yield Fault("seeding", entry.seq, f"a commitment of {actor}")
    if actor["seat"] in commits or data.keys() != {"commit"} or not is_hex(data["commit"], 32):
        yield Fault("seeding", entry.seq, "one commitment a seat, of 32 bytes")


def _of_reveal(replay: Replay, commits: dict[int, str], entropies: dict[int, bytes], entry: Entry) -> Iterator[Fault]:
    seat, data = entry.doc["actor"]["seat"], entry.doc["data"]
    if len(commits) < replay.created["seats"]:
        yield Fault("seeding", entry.seq, "revealed before all have committed")
    if seat in entropies or data.keys() != {"entropy"} or not is_hex(data["entropy"], 32):
        yield Fault("seeding", entry.seq, "one entropy a seat, of 32 bytes")
    if player_commitment(replay.created["deal_id"], seat, bytes.fromhex(data["entropy"])) != commits.get(seat):
        yield Fault("seeding", entry.seq, "another entropy than was committed to")


def _of_share(randomness: Doc, shares: list[bytes], entry: Entry, beacons: Doc | None) -> Iterator[Fault]:
    data = entry.doc["data"]
    if entry.doc["actor"] != SHARED_BY.get(randomness["policy"]) or shares:
        yield Fault("seeding", entry.seq, "nobody contributes like this")
    if data.keys() != {"entropy"} or not any(is_hex(data["entropy"], size) for size in range(16, 65)):
        yield Fault("seeding", entry.seq, "a share has 16 to 64 bytes")
    if randomness["policy"] == "external" and beacons is not None:
        told = {(one["beacon"], one["reference"]): one["value"] for one in beacons["beacons"]}
        if told[randomness["beacon"], randomness["reference"]] != data["entropy"]:
            yield Fault("seeding", entry.seq, "the beacon has another value")


def _of_deal(replay: Replay, entry: Entry, owing: list[int]) -> Iterator[Fault]:
    if entry.doc["data"].get("missing", []) != owing:
        yield Fault("seeding", entry.seq, f"dealt without {owing}")
    if owing and (replay.created["randomness"]["missing"] != "empty" or _is_early(replay, entry)):
        yield Fault("seeding", entry.seq, "dealt although entropy is missing")


def _of_void(replay: Replay, entry: Entry, owing: list[int]) -> Iterator[Fault]:
    data, actor = entry.doc["data"], entry.doc["actor"]
    service = {"role": "service"}
    by = {"cancelled": {"role": "operator"}, "entropy-missing": service, "ruling": service}.get(data["reason"])
    if data.keys() != {"reason", "missing"} or data["missing"] != owing or actor != by:
        yield Fault("seeding", entry.seq, f"void by {actor} without {owing}")
    if data["reason"] == "entropy-missing" and (
        not owing or replay.created["randomness"]["missing"] != "void" or _is_early(replay, entry)
    ):
        yield Fault("seeding", entry.seq, "void although nothing is missing yet")


def _is_dealt(replay: Replay, entry: Entry) -> bool:
    """Before that entry."""
    return any(other.doc["type"] == "dealt" for other in replay.entries[: entry.seq])


def _is_early(replay: Replay, entry: Entry) -> bool:
    begun, now = [datetime.fromisoformat(doc["at"]) for doc in (replay.entries[0].doc, entry.doc)]
    return now < begun + timedelta(seconds=replay.created["randomness"]["within"])


def of_disclosure(replay: Replay) -> Iterator[Fault]:
    """A secret that is withheld until a time is not told before."""
    until = replay.created.get("withheld_until")
    told = [entry for entry in replay.entries if entry.doc["type"] == "seed_disclosed"]
    if told and until not in {None, "group"} and told[0].doc["at"] < until:
        yield Fault("seeding", told[0].seq, "told before its time")


def seed_of(replay: Replay) -> bytes | None:
    """The seed, from the secret and all that was contributed; nothing where the secret is not told."""
    created, secret = replay.created, replay.secret
    if secret is None:
        return None
    return root(created["deal_id"], created["game"], created["version"], secret, *_contributed(replay))


def branch_of(replay: Replay, seq: int) -> bytes | None:
    """The seed after the ruling of this number has taken shuffles back."""
    created, secret = replay.created, replay.secret
    if secret is None:
        return None
    place = (created["deal_id"], created["game"], created["version"], replay.header["match"], seq)
    return branch_root(*place, secret, *_contributed(replay))


def _contributed(replay: Replay) -> tuple[list[bytes], bytes]:
    created = replay.created
    entropies, share = [b""] * created["seats"], b""
    for entry in replay.entries:
        if entry.doc["type"] == "entropy_revealed":
            told = bytes.fromhex(entry.doc["data"]["entropy"])
            if "seat" in entry.doc["actor"]:
                entropies[entry.doc["actor"]["seat"]] = told
            else:
                share = told
    return entropies, share
