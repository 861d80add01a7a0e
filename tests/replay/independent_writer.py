"""Replay files with one thing wrong and everything else right: recommitted, chained and signed anew."""

from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from typing import Any

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.independent_deals import lp, u32
from replay.independent_file import Doc, Entry, Replay, taken_apart
from replay.independent_secrets import merged

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw()
KEY_ID = sha256(PUBLIC).hexdigest()[:16]


def trust_in(origin: str, revoked: str | None = None) -> Doc:
    """The document that trusts the writer's own key."""
    dates = {"from": "2026-01-01T00:00:00.000Z", "until": None, "revoked": revoked}
    return {"keys": [{"key": KEY_ID, "origin": origin, "public": PUBLIC.hex(), **dates}]}


def forged(file: bytes, change: Callable[[Replay], None]) -> bytes:
    """The file after a change of its parts, whose chain, head and digest agree with it."""
    replay = deepcopy(taken_apart(file))
    change(replay)
    return written(replay.header, replay.entries)


def written(header: Doc, entries: list[Entry]) -> bytes:
    lines, prev = [rfc8785.dumps(header)], "0" * 64
    for entry in entries:
        entry.doc["prev"] = prev
        entry.raw = rfc8785.dumps(entry.doc)
        prev = entry.leaf
        lines += [entry.raw, *(rfc8785.dumps({"opening": opening}) for opening in entry.openings)]
        if entry.salt is not None:
            lines.append(rfc8785.dumps({"opening": {"seq": entry.seq, "position": entry.salt}}))
    return sealed(b"".join(line + b"\n" for line in lines), header, entries[-1])


def sealed(body: bytes, header: Doc, last: Entry) -> bytes:
    """The lines with their head and digest behind them."""
    message = lp("head/1", header["origin"], header["match"], u32(last.seq), bytes.fromhex(last.leaf))
    head = {"match": header["match"], "seq": last.seq, "hash": last.leaf, "key": KEY_ID, "sig": KEY.sign(message).hex()}
    return body + rfc8785.dumps({"head": head, "file": sha256(body).hexdigest()}) + b"\n"


def recommit(entry: Entry) -> None:
    """Commit to the openings as they are now."""
    for opening in entry.openings:
        commit = sha256(lp("secret/1", bytes.fromhex(opening["salt"]), rfc8785.dumps(opening["payload"]))).hexdigest()
        entry.doc["secret"][opening["index"]]["commit"] = commit


def put(entry: Entry, pointer: str, value: object) -> None:
    """Set a value where it is hidden, and commit to it; or in the open data, where it is not."""
    for opening in entry.openings:
        if pointer in opening["payload"]:
            opening["payload"][pointer] = value
            recommit(entry)
            return
    put_open(entry, pointer, value)


def put_open(entry: Entry, pointer: str, value: object) -> None:
    entry.doc["data"] = merged(entry.doc["data"], [{pointer: value}])


def of_type(replay: Replay, kind: str) -> Entry:
    return next(entry for entry in replay.entries if entry.doc["type"] == kind)


def place(replay: Replay, kind: str, number: int = 0) -> tuple[Entry, str]:
    """Where the domain event of this type stands: its entry, and the pointer to it."""
    found = [
        (entry, f"/events/{at}")
        for entry in replay.entries
        for at, event in enumerate(entry.doc["data"].get("events", []))
        if event["type"] == kind
    ]
    return found[number]


def value_of(data: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data
