"""A second reader of replay files, written from the published format alone.

It imports nothing of the package that it checks: the canonical bytes are rfc8785's, everything else the standard
library's and Ed25519. It checks all that the format promises and that needs no rules: bytes, chain, openings, audience,
head, digest, commitment, every shuffle, who may know what, and the positions, given someone's word for the states.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256

import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from replay.independent_course import of_course
from replay.independent_deals import Disagreement, Table, commitment, lp, u32
from replay.independent_file import Doc, Entry, Fault, Replay, is_hex, is_plain, taken_apart
from replay.independent_secrets import (
    Audience,
    hidden_places,
    is_hidden,
    is_placeholder_of,
    may_read,
    secrets_of,
    value_at,
)
from replay.independent_seeding import branch_of, of_disclosure, of_seeding, seed_of
from replay.independent_times import moment, of_times

States = Callable[[int], Doc]
"""The full state after the event of this number."""

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MEMBERS = {"v", "match", "seq", "prev", "at", "type", "actor", "data", "secret", "position"}
TYPES = {
    "match_created", "entropy_committed", "entropy_revealed", "dealt", "move_played", "choice_made", "ruling_made",
    "clock_expired", "match_paused", "match_resumed", "match_finished", "match_voided", "seed_disclosed",
    "erratum_noted",
}  # fmt: skip


def faults(
    file: bytes,
    trust: Doc | None = None,
    digests: Mapping[str, str] | None = None,
    states: States | None = None,
    beacons: Doc | None = None,
) -> list[Fault]:
    """Everything in a replay file that is not as the format promises; ``digests`` are the rules published by game."""
    try:
        replay = taken_apart(file)
        found = [*of_lines(file), *of_header(replay, digests), *of_chain(replay), *of_course(replay)]
        found += [*of_openings(replay), *of_secrets(replay), *of_positions(replay, states), *of_head(replay, trust)]
        found += [*of_seeding(replay, beacons), *of_disclosure(replay), *of_times(replay)]
        return [*found, *of_commitment(replay), *of_cards(replay)]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as failure:
        return [Fault("malformed", None, repr(failure))]


# Bytes, header, chain


def of_lines(file: bytes) -> Iterator[Fault]:
    """Every line is the canonical form of what it says, of strings, whole numbers, booleans, null, lists, objects."""
    for number, line in enumerate(file.split(b"\n")[:-1]):
        if not is_canonical(line):
            yield Fault("bytes", None, f"line {number} is not canonical")


@cache
def is_canonical(line: bytes) -> bool:
    """Known once for every line: a redaction has the same."""
    doc = json.loads(line)
    return is_plain(doc) and rfc8785.dumps(doc) == line


def of_header(replay: Replay, digests: Mapping[str, str] | None) -> Iterator[Fault]:
    header, created = replay.header, replay.created
    if header.keys() != {"format", "match", "game", "version", "rules_digest", "origin", "audience"}:
        yield Fault("header", None, f"members {sorted(header)}")
    if header["format"] != "gyoji-replay/1" or not UUID.fullmatch(header["match"]):
        yield Fault("header", None, "format or match")
    if header["audience"] not in ["full", "public", *({"seat": seat} for seat in range(created["seats"]))]:
        yield Fault("header", None, f"audience {header['audience']}")
    for name in ("game", "version", "rules_digest"):
        if header[name] != created[name]:
            yield Fault("header", None, f"{name} is not the first event's")
    if digests is not None and digests[header["game"]] != header["rules_digest"]:
        yield Fault("header", None, "rules_digest is not the published one")


def of_chain(replay: Replay) -> Iterator[Fault]:
    prev = "0" * 64
    for seq, entry in enumerate(replay.entries):
        doc = entry.doc
        if doc.keys() != MEMBERS or doc["v"] != 1 or doc["type"] not in TYPES or moment(doc["at"]) is None:
            yield Fault("event", seq, "members, version, type or time")
        if doc["seq"] != seq or doc["match"] != replay.header["match"]:
            yield Fault("chain", seq, f"seq {doc['seq']} of {doc['match']}")
        if doc["prev"] != prev:
            yield Fault("chain", seq, "prev is not the hash of the event before")
        prev = entry.leaf


# Openings, secrets, positions


def of_openings(replay: Replay) -> Iterator[Fault]:
    """The file has exactly the openings of its audience, each of them true."""
    audience = replay.header["audience"]
    for entry in replay.entries:
        expected = [at for at in range(len(entry.doc["secret"])) if may_read(audience, entry.audience(at))]
        if [opening["index"] for opening in entry.openings] != expected:
            yield Fault("audience", entry.seq, f"openings of {expected} expected")
        if (entry.salt is not None) != (audience == "full" and entry.doc["position"] is not None):
            yield Fault("audience", entry.seq, "the opening of a position belongs into a full file, and only there")
        for opening in entry.openings:
            yield from _of_opening(entry, opening)


def _of_opening(entry: Entry, opening: Doc) -> Iterator[Fault]:
    salt, payload = opening["salt"], opening["payload"]
    if not is_hex(salt, 32):
        yield Fault("openings", entry.seq, "a salt has 32 bytes")
    commit = sha256(lp("secret/1", bytes.fromhex(salt), rfc8785.dumps(payload))).hexdigest()
    if commit != entry.doc["secret"][opening["index"]]["commit"]:
        yield Fault("openings", entry.seq, f"opening {opening['index']} is not what was committed to")
    for pointer, value in payload.items():
        if not is_placeholder_of(value_at(entry.doc["data"], pointer), value):
            yield Fault("hidden", entry.seq, f"{pointer} does not stand hidden")


def of_secrets(replay: Replay) -> Iterator[Fault]:
    """Everything private is hidden, nothing else is, and each secret is for those who may know it at that time."""
    for entry in replay.entries:
        expected = secrets_of(entry.doc, replay.created, entry.known)
        if Counter(set(expected.values())) != Counter(entry.audience(at) for at in range(len(entry.doc["secret"]))):
            yield Fault("secrets", entry.seq, f"for {[secret['for'] for secret in entry.doc['secret']]}")
        yield from _of_places(replay, entry, expected)
        for opening in entry.openings:
            audience = entry.audience(opening["index"])
            if opening["payload"].keys() != {pointer for pointer, seats in expected.items() if seats == audience}:
                yield Fault("secrets", entry.seq, f"{sorted(opening['payload'])} is for {audience}")


def _of_places(replay: Replay, entry: Entry, expected: dict[str, Audience]) -> Iterator[Fault]:
    data = entry.doc["data"]
    for pointer in expected:
        if not is_hidden(value_at(data, pointer)):
            yield Fault("hidden", entry.seq, f"{pointer} stands open")
    extra = {pointer for pointer in hidden_places(data) if pointer not in expected and not may_be_null(data, pointer)}
    if extra:
        yield Fault("hidden", entry.seq, f"hidden without need: {sorted(extra)}")


def may_be_null(data: Doc, pointer: str) -> bool:
    """Options, announcements, a line for no seat, what a state leaves empty, a rule that is not cited, scores that a
    referee leaves alone and a clock without banks are null without being hidden."""
    empty = pointer.startswith(("/options/", "/position/")) or "/announced/" in pointer or "/lines/" in pointer
    empty |= pointer in {"/rule", "/ruling/name", "/ruling/scores", "/outcome", "/clock/bank_ms"}
    return empty and value_at(data, pointer) is None


def of_positions(replay: Replay, states: States | None) -> Iterator[Fault]:
    """A commitment at the deal, at every 16th event after it and at the end; null elsewhere."""
    dealt = next((entry.seq for entry in replay.entries if entry.doc["type"] == "dealt"), None)
    for entry in replay.entries:
        kind, position = entry.doc["type"], entry.doc["position"]
        running = dealt is not None and entry.seq > dealt
        ends = kind == "match_finished" or (kind == "match_voided" and running)
        due = kind == "dealt" or ends or (running and entry.seq % 16 == 0)
        if due != (position is not None):
            yield Fault("positions", entry.seq, "a position where none is due, or none where one is")
        if due and entry.salt is not None and states is not None:
            state = {name: value for name, value in states(entry.seq).items() if name not in {"seed", "options"}}
            expected = sha256(lp("position/1", bytes.fromhex(entry.salt), rfc8785.dumps(state))).hexdigest()
            if expected != position or not is_hex(entry.salt, 32):
                yield Fault("positions", entry.seq, "another position than the state's")


# Head, randomness


def of_head(replay: Replay, trust: Doc | None) -> Iterator[Fault]:
    head, last = replay.footer["head"], replay.entries[-1]
    if replay.footer.keys() != {"head", "file"} or head.keys() != {"match", "seq", "hash", "key", "sig"}:
        yield Fault("head", None, "members of the last line")
    if replay.footer["file"] != replay.digest:
        yield Fault("file", None, "the digest of the file is another")
    if (head["match"], head["seq"], head["hash"]) != (replay.header["match"], last.seq, last.leaf):
        yield Fault("head", last.seq, "the head is not the last event's")
    if trust is not None and not is_signed("head/1", replay.header["origin"], head, trust):
        yield Fault("head", last.seq, "not signed by a trusted key")


def is_signed(purpose: str, origin: str, signed: Doc, trust: Doc) -> bool:
    """Whether one of the trusted keys, of this origin and not revoked, made the signature over match, seq and hash."""
    message = lp(purpose, origin, signed["match"], u32(signed["seq"]), bytes.fromhex(signed["hash"]))
    for key in trust["keys"]:
        public = bytes.fromhex(key["public"])
        if key["origin"] != origin or key["revoked"] or key["key"] != signed["key"] or not is_hex(signed["sig"], 64):
            continue
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(signed["sig"]), message)
        except InvalidSignature:
            continue
        return bool(key["key"] == sha256(public).hexdigest()[:16])
    return False


def of_commitment(replay: Replay) -> Iterator[Fault]:
    created, secret = replay.created, replay.secret
    if secret is None:
        return
    if len(secret) != 64:
        yield Fault("commitment", None, "the server's secret has 64 bytes")
    if commitment(created["deal_id"], created["game"], created["version"], secret) != created["seed_commitment"]:
        yield Fault("commitment", None, "another secret than was committed to")


def of_cards(replay: Replay) -> Iterator[Fault]:
    """Every shuffle comes from the seed, and every card comes from where it lay, as far as the reader can see."""
    created = replay.created
    table = Table(created["game"], created["seats"], created["options"], seed_of(replay))
    for entry in replay.entries:
        known = entry.known
        try:
            if "position" in known:
                _begin(table, replay, entry)
            for event in known.get("events", []):
                table.follow(event)
        except Disagreement as found:
            yield Fault("shuffles", entry.seq, str(found))
            return


def _begin(table: Table, replay: Replay, entry: Entry) -> None:
    """The cards that a fork takes over, or that a ruling goes back to; shuffles that were taken back have a successor
    that nobody can know."""
    shuffles, position = table.shuffles, entry.known["position"]
    table.begin(position)
    if entry.doc["type"] == "ruling_made" and position["shuffles"] != shuffles:
        table.seed = branch_of(replay, entry.seq)
