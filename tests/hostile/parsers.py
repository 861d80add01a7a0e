"""Lists the parsers that read what strangers may have made, other than replay files, and makes documents of any size
for them."""

import io
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import orjson

from gyoji.api.bodies import Malformed, parse_json, validate_body
from gyoji.audit.commitments import UnreadableBeacons, known_beacons
from gyoji.bulk.reports import read_lines
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.signatures import head, indexed, key_id
from gyoji.trust.proofs import FORMAT, check_proof
from gyoji.trust.receipt_comparison import compare_receipts
from gyoji.trust.receipts import check_receipt, make_receipt
from gyoji.trust.trusted_keys import UntrustworthyKeys, read_trusted_keys
from replay.tampering import SIGNING, TRUSTED, entries_of

ENTRY = entries_of("catte")[2]
MATCH = str(orjson.loads(ENTRY.body)["match"])
RECEIPT = make_receipt(SIGNING, MATCH, ENTRY, "full")
KEY = {"origin": "there.example", "from": "2026-01-01T00:00:00.000Z", "until": None, "revoked": None}

CHECKS = [{"check": "bytes", "result": "pass", "why": None}]
PLACE = {"replay": "x.jsonl", "kind": "file", "archive": None, "mark": None, "origin": None, "head": None}
LINE = {**PLACE, "verdict": "verified", "first_divergence": None, "checks": CHECKS, "rulings": []}
"""What a report says of a replay."""


class Parser(NamedTuple):
    """A reader, what it is given by size, and a size at which it takes a tenth of a second or so."""

    read: Callable[[Any], object]
    make: Callable[[int], bytes]
    size: int


def body_of(slug: str, call: str) -> Callable[[bytes], object]:
    """Reads a body as the service does."""

    def read(body: bytes) -> object:
        with suppress(Malformed):
            return validate_body(slug, call, parse_json(body))
        return None

    return read


def said(make: Callable[[int], Any]) -> Callable[[int], bytes]:
    """Write the document as JSON."""
    return lambda size: orjson.dumps(make(size))


def proof_of(chain: list[str]) -> dict[str, Any]:
    """Make a proof of two signed heads, and what should lead from one to the other."""

    def statement(seq: int) -> dict[str, Any]:
        signed = head(SIGNING, MATCH, seq, bytes(32))
        return {"kind": "head", "origin": SIGNING.origin, **signed}

    return {"format": FORMAT, "statements": [statement(0), statement(len(chain))], "chain": chain}


def read_receipts(body: bytes) -> object:
    """Each by itself, and all against each other."""
    keys = indexed(TRUSTED)
    return compare_receipts([check_receipt(one, keys, None) for one in orjson.loads(body)], None)


def with_openings(size: int) -> Any:
    """Make a receipt with openings that belong to another event."""
    opening = {"seq": 0, "index": 0, "salt": "0" * 64, "payload": {"/a": ["x"] * 16}}
    return [{**RECEIPT, "openings": [opening] * size}]


def of_long_event(size: int) -> Any:
    """Make a receipt of an event that is wide."""
    body = canonical({**orjson.loads(ENTRY.body), "data": {f"member{at}": at for at in range(size)}})
    return [{**RECEIPT, "event": body.decode(), "hash": leaf_hash(body).hex()}]


def key_of(number: int) -> dict[str, Any]:
    """Make one of many public keys."""
    public = number.to_bytes(32, "big")
    return {**KEY, "key": key_id(public), "public": public.hex()}


def read_trust(body: bytes) -> object:
    """Public keys that somebody handed out."""
    with suppress(UntrustworthyKeys):
        return read_trusted_keys(orjson.loads(body))
    return None


def read_beacons(body: bytes) -> object:
    """Values of beacons that somebody handed out."""
    with suppress(UnreadableBeacons):
        return known_beacons(orjson.loads(body))
    return None


def read_report(body: bytes) -> object:
    """Read the lines of a report of an audit."""
    return [*read_lines(io.BytesIO(body))]


PARSERS: Mapping[str, Parser] = {
    "members that nobody knows": Parser(
        body_of("catte", "adjudications"), said(lambda size: {f"m{at}": 0 for at in range(100 * size)}), 8
    ),
    "such members in a state": Parser(
        body_of("towai", "views"), said(lambda size: {"state": {f"m{at}": 0 for at in range(100 * size)}}), 8
    ),
    "a huge hand": Parser(
        body_of("catte", "scores"),
        said(lambda size: {"state": {"game": "catte", "table": {"hands": [["B1"] * (200 * size)]}}}),
        8,
    ),
    "moves that are none": Parser(
        body_of("catte", "adjudications"), said(lambda size: {"state": {}, "moves": [{"type": "x"}] * (50 * size)}), 8
    ),
    "lists within lists": Parser(
        body_of("catte", "states"), lambda size: b'{"seats":' + b"[" * (500 * size) + b"]" * (500 * size) + b"}", 8
    ),
    "escapes": Parser(body_of("catte", "states"), lambda size: b'{"seats":"' + b"\\u0001" * (1000 * size) + b'"}', 8),
    "long numbers": Parser(body_of("catte", "states"), lambda size: b'{"seats":' + b"9" * (1000 * size) + b"}", 8),
    "the same member again": Parser(
        body_of("catte", "states"), lambda size: b"{" + b'"seats":3,' * (500 * size) + b'"seats":3}', 8
    ),
    "tags": Parser(
        body_of("matches", "matches"),
        said(lambda size: {"game": "catte", "seats": 3, "tags": [f"t{at}" for at in range(200 * size)]}),
        8,
    ),
    "seats": Parser(
        body_of("matches", "matches"),
        said(lambda size: {"game": "catte", "seats": [{"name": "\u202e"}] * (50 * size)}),
        8,
    ),
    "notes": Parser(
        body_of("matches", "matches"),
        said(lambda size: {"game": "catte", "seats": 3, "metadata": {f"m{at}": {} for at in range(100 * size)}}),
        8,
    ),
    "entrants that are none": Parser(
        body_of("tournaments", "entrants"), said(lambda size: {"entrants": [{"name": 0}] * (50 * size)}), 8
    ),
    "a name of nothing but marks": Parser(
        body_of("tournaments", "entrants"),
        said(lambda size: {"entrants": [{"name": "a" + "\u0335" * (500 * size)}]}),
        8,
    ),
    "a sealed position that is none": Parser(
        body_of("catte", "sealed-adjudications"),
        said(lambda size: {"capsule": "A" * (4000 * size), "move": {}}),
        8,
    ),
    "receipts": Parser(read_receipts, said(lambda size: [RECEIPT] * (40 * size)), 8),
    "receipts of the same key": Parser(
        read_receipts, said(lambda size: [{**RECEIPT, "sig": f"{at:0128x}"} for at in range(40 * size)]), 8
    ),
    "a receipt with openings": Parser(read_receipts, said(lambda size: with_openings(500 * size)), 8),
    "a receipt of a wide event": Parser(read_receipts, said(lambda size: of_long_event(1000 * size)), 8),
    "a proof with a long chain": Parser(
        lambda body: check_proof(orjson.loads(body), indexed(TRUSTED)),
        said(lambda size: proof_of([ENTRY.body.decode()] * (200 * size))),
        8,
    ),
    "keys": Parser(read_trust, said(lambda size: {"keys": [*map(key_of, range(200 * size))]}), 8),
    "beacons": Parser(
        read_beacons,
        said(
            lambda size: {
                "beacons": [{"beacon": "b", "reference": str(at), "value": "00" * 32} for at in range(500 * size)]
            }
        ),
        8,
    ),
    "lines of a report": Parser(read_report, lambda size: (orjson.dumps(LINE) + b"\n") * (500 * size), 8),
    "checks in a report": Parser(
        read_report, lambda size: orjson.dumps({**LINE, "checks": CHECKS * (200 * size)}) + b"\n", 8
    ),
}
"""By what grows in it."""
