"""Makes the check vectors of replay logs, docs/vectors/replay-v1.json, from what stands here: fixed inputs, no chance.

``python -m tools.vectors check`` makes them anew and compares, ``write`` writes them. The values are this package's;
tests have the verifier that shares no code with it compute every one of them a second time.
"""

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import branch_root, commitment, deal_v1, length_prefixed, player_commitment, root, shuffled, u32
from gyoji.log.canonical import canonical, leaf_hash, position_commitment, secret_commitment
from gyoji.log.signatures import head, key_id, message, public_bytes, signature, signer
from gyoji.published_files import CHECKOUT

PLACE = CHECKOUT / "docs" / "vectors" / "replay-v1.json"
Doc = dict[str, Any]

DEAL_ID = "00000000-0000-4000-8000-000000000001"
MATCH = "00000000-0000-4000-8000-000000000002"
ORIGIN = "gyoji.example"
SECRET = bytes(range(64))
PRIVATE = bytes(range(32))
SHARE = sha256(b"a share").digest()
SALT = sha256(b"a salt").digest()


def entropy(seat: int) -> bytes:
    """Return 32 bytes of a seat."""
    return bytes([seat + 1]) * 32


DOCUMENTS: tuple[Any, ...] = (
    {"b": [1, -1, 0], "a": {"z": None, "A": True}, "": False},
    'quote " backslash \\ slash / \b\f\n\r\t \x00\x1f\x7f',
    {"most": 2**53 - 1, "least": 1 - 2**53},
    {"name": "行司\u2028💫", "names": ["é", "é"]},
)
LOG: tuple[Doc, ...] = (
    {"type": "match_created", "actor": {"role": "operator"}, "data": {"names": None}},
    {"type": "dealt", "actor": {"role": "service"}, "data": {"events": []}},
    {"type": "move_played", "actor": {"role": "seat", "seat": 2}, "data": {"move": {"card": None}, "events": []}},
)
"""Three events of no game: enough for a chain."""

PAYLOADS: tuple[Doc, ...] = (
    {"/events/0/hands/2": ["D3", "N1", "T7"]},
    {"/move/card": "D5"},
    {"/metadata": {}, "/names": ["行司", "Anna"], "/tags": ["club", "final"]},
)
CONTRIBUTIONS: tuple[tuple[str, str, int, tuple[bytes, ...], bytes], ...] = (
    ("server", "towai", 1, (b"",) * 4, b""),
    ("players", "towai", 1, tuple(map(entropy, range(4))), b""),
    ("players, seat 1 missing", "catte", 1, (entropy(0), b"", entropy(2)), b""),
    ("director", "familiars-trouble", 1, (b"",) * 3, SHARE),
    ("external", "tomorrow-never-meows", 1, (b"",) * 3, SHARE[:16]),
)
PILES = (("deck", 0, 60), ("reform", 1, 1), ("errands-1", 1, 0), ("cats", 2, 41), ("coffee", 3, 13), ("deck", 9, 297))
ERRANDS = [
    {"id": f"{level}-{number}", "level": level, "requires": {"red": 1, "blue": 0, "green": 0}, "points": 1}
    for level, number in ((1, 1), (3, 1), (1, 2), (3, 2))
]
DEALS: tuple[tuple[str, int, Doc], ...] = (
    ("tomorrow-never-meows", 3, {}),
    ("tomorrow-never-meows", 4, {"rounds": 4}),
    ("catte", 3, {}),
    ("catte", 4, {"deck": [f"{colour}{number}" for number in range(99, 79, -1) for colour in "KBW"]}),
    ("towai", 2, {}),
    ("towai", 6, {}),
    ("familiars-trouble", 3, {}),
    ("familiars-trouble", 3, {"opening": [1, 0, 2], "errands": ERRANDS}),
)


def vectors() -> Doc:
    """Return all vectors, by construction."""
    return {
        "format": "gyoji-replay/1 check vectors",
        "note": "bytes, salts, keys, secrets and hashes are hex; docs/verify.md says what each construction is",
        "lp": list(prefixed()),
        "canonical": [{"document": document, "text": canonical(document).decode()} for document in DOCUMENTS],
        "chain": chain(),
        "openings": [opening(number, payload) for number, payload in enumerate(PAYLOADS)],
        "positions": [position()],
        "seed_commitment": server_commitment(),
        "player_commitments": [player_commitment_of(seat) for seat in range(4)],
        "roots": [seed(*given) for given in CONTRIBUTIONS],
        "branches": [branch(given, seq) for given, seq in zip(CONTRIBUTIONS[1:4], (17, 258, 70_000), strict=True)],
        "shuffles": [pile(*given) for given in PILES],
        "deals": [dealt(*given) for given in DEALS],
        "key": {"private": PRIVATE.hex(), "public": public().hex(), "key": key_id(public())},
        "head": signed("head/1"),
        "receipt": signed("receipt/1"),
    }


def prefixed() -> Iterator[Doc]:
    """Length-prefixed fields: a text stands for itself, a number for its u32, ``{"hex"}`` for bytes."""
    fields: tuple[list[Any], ...] = ([], ["", "行", 258], [{"hex": "00ff"}, "a", {"hex": ""}])
    for given in fields:
        raw = [bytes.fromhex(f["hex"]) if isinstance(f, dict) else u32(f) if isinstance(f, int) else f for f in given]
        yield {"fields": given, "bytes": length_prefixed(*raw).hex()}


def chain() -> list[Doc]:
    """Events one after another, each with its line and its hash."""
    prev, events = "0" * 64, []
    for seq, more in enumerate(LOG):
        event = {"v": 1, "match": MATCH, "seq": seq, "prev": prev, "at": f"2026-01-01T00:00:0{seq}.000Z", **more}
        line = canonical({**event, "secret": [], "position": None})
        prev = leaf_hash(line).hex()
        events.append({"line": line.decode(), "hash": prev})
    return events


def opening(number: int, payload: Doc) -> Doc:
    """Make a vector of a salt and a payload, and the commitment to them."""
    salt = sha256(f"salt {number}".encode()).digest()
    return {"salt": salt.hex(), "payload": payload, "commit": secret_commitment(salt, canonical(payload))}


def position() -> Doc:
    """Make a vector of the first position of a match, as it is committed to."""
    game = BY_SLUG["towai"]
    begun = game.start(2, game.read_options({}), 0, None, deal_v1(seed(*CONTRIBUTIONS[0])["seed"]))
    state = game.write_state(begun.state)
    return {"salt": SALT.hex(), "state": state, "position": position_commitment(SALT, state)}


def server_commitment() -> Doc:
    """Make a vector of the service's commitment to its secret."""
    given = {"deal_id": DEAL_ID, "game": "towai", "version": 1, "secret": SECRET.hex()}
    return {**given, "commitment": commitment(SECRET, "towai", 1, DEAL_ID)}


def player_commitment_of(seat: int) -> Doc:
    """Make a vector of a seat's commitment to its entropy."""
    commit = player_commitment(DEAL_ID, seat, entropy(seat))
    return {"deal_id": DEAL_ID, "seat": seat, "entropy": entropy(seat).hex(), "commit": commit}


def seed(policy: str, game: str, version: int, entropies: tuple[bytes, ...], shared: bytes) -> Doc:
    """Make a vector of the root of all shuffles, from the secret and what others contribute."""
    return {
        "policy": policy,
        "deal_id": DEAL_ID,
        "game": game,
        "version": version,
        "secret": SECRET.hex(),
        "entropies": [given.hex() for given in entropies],
        "shared": shared.hex(),
        "seed": root(SECRET, entropies, shared, game, version, DEAL_ID),
    }


def branch(contributions: tuple[str, str, int, tuple[bytes, ...], bytes], seq: int) -> Doc:
    """Make a vector of the root of the shuffles that follow ruling ``seq`` of a match, which took others back."""
    _policy, game, version, entropies, shared = contributions
    given = seed(*contributions)
    found = branch_root(SECRET, entropies, shared, game, version, DEAL_ID, MATCH, seq)
    return {**given, "match": MATCH, "seq": seq, "seed": found}


def pile(label: str, k: int, n: int) -> Doc:
    """Make a vector of one shuffle."""
    given = seed(*CONTRIBUTIONS[1])["seed"]
    order = [int(card) for card in shuffled(given, label, k, [str(index) for index in range(n)])]
    return {"seed": given, "label": label, "k": k, "n": n, "order": order}


def dealt(slug: str, seats: int, chosen: Doc) -> Doc:
    """Make a vector of the first deal of a match."""
    game = BY_SLUG[slug]
    given = seed(*CONTRIBUTIONS[1])["seed"]
    options = game.read_options(chosen)
    started = game.start(seats, options, 0, None, deal_v1(given))
    hands_dealt = dict(started.events[0])
    return {
        "game": slug,
        "seats": seats,
        "options": game.write_options(options),
        "seed": given,
        "hands_dealt": {name: value for name, value in hands_dealt.items() if name not in ("type", "round")},
    }


def public() -> bytes:
    """Return the public half of the key."""
    return public_bytes(signer(PRIVATE, ORIGIN).private)


def signed(label: Any) -> Doc:
    """Make a vector of a signature over an event's hash, with what exactly is signed."""
    signing, last = signer(PRIVATE, ORIGIN), chain()[-1]
    hashed = bytes.fromhex(last["hash"])
    signed = message(label, ORIGIN, MATCH, 2, hashed).hex()
    sig = signature(signing, label, MATCH, 2, hashed)
    given = {"origin": ORIGIN, "match": MATCH, "seq": 2, "hash": last["hash"], "message": signed, "sig": sig}
    if label == "head/1":
        return {**given, "document": head(signing, MATCH, 2, hashed)}
    body = {"event": last["line"], "hash": last["hash"], "openings": [], "key": signing.key, "sig": sig}
    return {**given, "document": body}


def written() -> bytes:
    """Return the file as it should be."""
    return (json.dumps(vectors(), indent=1) + "\n").encode()


def main() -> None:
    """Check or write."""
    if sys.argv[1:] == ["write"]:
        PLACE.write_bytes(written())
    elif sys.argv[1:] != ["check"] or PLACE.read_bytes() != written():
        sys.exit("usage: python -m tools.vectors check|write; check fails where the file is another")


if __name__ == "__main__":
    main()
