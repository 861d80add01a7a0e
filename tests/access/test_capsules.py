"""Capsules: opened as they were sealed, or not at all."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from hashlib import sha256
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.access.capsules import CapsuleClaims, CapsuleRules, OpenedCapsule, position_mark, seal, unseal
from gyoji.access.keyring import InvalidCapsuleKeys, Keyring, key_id, keyring, keys_of_store, keys_of_text
from gyoji.published_files import CHECKOUT

VECTORS = json.loads((CHECKOUT / "docs" / "vectors" / "capsule-v1.json").read_bytes())["vectors"]

OLD, NEW = b"old key of thirty-two bytes, yes", b"new key of thirty-two bytes, yes"
RING = keyring(OLD, NEW)
RULES = CapsuleRules("catte", 1, "ab" * 32)
CLAIMS = CapsuleClaims("00112233-4455-4677-8899-aabbccddeeff", 7, (0, 2), 1_800_000_000, kept=False)
CONTENT = b'{"seed":"cafe"}'
NONCE = bytes(range(12))
BEFORE = CLAIMS.expires - 1


def decoded(text: str) -> bytes:
    """The bytes of a capsule."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(raw: bytes) -> str:
    """A capsule of these bytes."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


CAPSULE = seal(RING, RULES, CLAIMS, CONTENT, NONCE)
RAW = decoded(CAPSULE)


# The vectors, by this page's own sums


def joined(*fields: bytes) -> bytes:
    """LP."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["note"][:24])
def test_a_vector_follows_from_what_the_page_says(vector: dict[str, Any]) -> None:
    key, match, nonce = bytes.fromhex(vector["key"]), UUID(vector["match"]).bytes, bytes.fromhex(vector["nonce"])
    if "store_key" in vector:
        store_key = bytes.fromhex(vector["store_key"])
        assert key == hmac.digest(store_key, joined(b"capsule/1/key") + b"\x01", "sha256")
    name = sha256(joined(b"capsule/1/id", key)).digest()[:8]
    assert name.hex() == vector["key_id"]
    own = hmac.digest(key, joined(b"capsule/1/match", match) + b"\x01", "sha256")
    assert own.hex() == vector["match_key"]
    ply, expires = vector["ply"].to_bytes(4, "big"), vector["expires"].to_bytes(4, "big")
    seats, kind = bytes([sum(2**seat for seat in vector["audience"])]), bytes([vector["kept"]])
    rules = (vector["game"].encode(), vector["version"].to_bytes(4, "big"), bytes.fromhex(vector["rules_digest"]))
    bound = joined(b"capsule/1", name, *rules, match, ply, seats, expires, kind)
    assert bound.hex() == vector["associated_data"]
    content = vector["content"].encode()
    sealed = AESGCMSIV(own).encrypt(nonce, content + b" " * (1024 - len(content)), bound)
    head = b"\x01" + name + kind + match + ply + seats + expires + nonce
    assert encoded(head + sealed) == vector["capsule"]
    assert sha256(joined(b"capsule/1/mark", match, content)).hexdigest() == vector["mark"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["note"][:24])
def test_a_vector_is_sealed_and_opened(vector: dict[str, Any]) -> None:
    ring = keys_of_store(bytes.fromhex(vector["store_key"])) if "store_key" in vector else None
    ring = ring or keys_of_text(vector["key"])
    rules = CapsuleRules(vector["game"], vector["version"], vector["rules_digest"])
    claims = CapsuleClaims(vector["match"], vector["ply"], tuple(vector["audience"]), vector["expires"], vector["kept"])
    content = vector["content"].encode()
    assert seal(ring, rules, claims, content, bytes.fromhex(vector["nonce"])) == vector["capsule"]
    assert unseal(ring, rules, vector["capsule"], claims.expires - 1) == OpenedCapsule(claims, content)
    assert position_mark(claims.match, content).hex() == vector["mark"]


# What is refused


def test_every_flipped_bit_is_refused() -> None:
    """As bytes, wherever it is: the key's id, what the capsule says, the nonce, the position, the tag."""
    for at, bit in product(range(len(RAW)), range(8)):
        changed = bytes([*RAW[:at], RAW[at] ^ 1 << bit, *RAW[at + 1 :]])
        assert unseal(RING, RULES, encoded(changed), BEFORE) == "unreadable", (at, bit)


def test_every_changed_character_is_refused() -> None:
    """The bits to spare in the last one too."""
    for at, character in enumerate(CAPSULE):
        for other in ("B" if character == "A" else "A", chr(ord(character) ^ 1)):
            changed = CAPSULE[:at] + other + CAPSULE[at + 1 :]
            assert unseal(RING, RULES, changed, BEFORE) == "unreadable", at


def test_what_is_cut_or_added_to_is_refused() -> None:
    for size in range(len(RAW)):
        assert unseal(RING, RULES, encoded(RAW[:size]), BEFORE) == "unreadable", size
    for more in (b"\0", b" ", b"\0" * 1024):
        assert unseal(RING, RULES, encoded(RAW + more), BEFORE) == "unreadable"
    for text in ("", "A", CAPSULE + "=", CAPSULE + "A", f" {CAPSULE}", CAPSULE + "\n", "é" * 99):
        assert unseal(RING, RULES, text, BEFORE) == "unreadable"


@pytest.mark.parametrize(
    "rules", [RULES._replace(game="towai"), RULES._replace(version=2), RULES._replace(digest="ac" + "ab" * 31)]
)
def test_a_capsule_of_other_rules_is_refused(rules: CapsuleRules) -> None:
    assert unseal(RING, rules, CAPSULE, BEFORE) == "unreadable"
    assert unseal(RING, RULES, seal(RING, rules, CLAIMS, CONTENT, NONCE), BEFORE) == "unreadable"


@pytest.mark.parametrize(
    "claims",
    [
        CLAIMS._replace(match="00112233-4455-4677-8899-aabbccddee00"),
        CLAIMS._replace(ply=8),
        CLAIMS._replace(audience=(0, 1, 2)),
        CLAIMS._replace(audience=()),
        CLAIMS._replace(expires=CLAIMS.expires + 1),
        CLAIMS._replace(kept=True),
    ],
)
def test_nobody_can_say_something_else_of_a_capsule(claims: CapsuleClaims) -> None:
    """The head of another genuine capsule under the same key and nonce fits no other position."""
    other = decoded(seal(RING, RULES, claims, b'{"seed":"beef"}', NONCE))
    assert unseal(RING, RULES, encoded(other[:47] + RAW[47:]), BEFORE) == "unreadable"
    assert unseal(RING, RULES, encoded(RAW[:47] + other[47:]), BEFORE) == "unreadable"


def test_a_foreign_key_is_refused_also_under_a_known_id() -> None:
    foreign = keyring(b"x" * 32)
    assert unseal(RING, RULES, seal(foreign, RULES, CLAIMS, CONTENT, NONCE), BEFORE) == "unreadable"
    posing = Keyring(RING.newest, {RING.newest: b"x" * 32})
    assert unseal(RING, RULES, seal(posing, RULES, CLAIMS, CONTENT, NONCE), BEFORE) == "unreadable"


def test_no_other_key_than_the_named_one_is_tried() -> None:
    """A capsule that would open under another key of the ring does not."""
    raw = decoded(seal(keyring(OLD), RULES, CLAIMS, CONTENT, NONCE))
    assert unseal(RING, RULES, encoded(raw[:1] + key_id(NEW) + raw[9:]), BEFORE) == "unreadable"


def test_what_has_expired_is_told_apart_only_if_it_is_genuine() -> None:
    assert unseal(RING, RULES, CAPSULE, BEFORE) == OpenedCapsule(CLAIMS, CONTENT)
    assert unseal(RING, RULES, CAPSULE, CLAIMS.expires) == "expired"
    assert unseal(RING, RULES, CAPSULE[:-2] + "AA", CLAIMS.expires) == "unreadable"


# Keys that follow each other


def test_the_newest_key_seals_and_all_open() -> None:
    assert RAW[1:9] == key_id(NEW)
    for ring in (keyring(NEW), keyring(NEW, b"x" * 32), RING):
        assert unseal(ring, RULES, CAPSULE, BEFORE) == OpenedCapsule(CLAIMS, CONTENT)
    before = seal(keyring(OLD), RULES, CLAIMS, CONTENT, NONCE)
    assert unseal(RING, RULES, before, BEFORE) == OpenedCapsule(CLAIMS, CONTENT)
    assert unseal(keyring(NEW), RULES, before, BEFORE) == "unreadable"


def test_a_file_of_keys() -> None:
    text = f"# first\n{OLD.hex()}\n\n  {NEW.hex().upper()}\n"
    assert keys_of_text(text) == RING


@pytest.mark.parametrize("text", ["", "# none\n", "ab" * 31, "ab" * 33, "xy" * 32, f"{'ab' * 32}\n" * 2])
def test_what_is_no_file_of_keys(text: str) -> None:
    with pytest.raises(InvalidCapsuleKeys) as wrong:
        keys_of_text(text)
    assert "abab" not in str(wrong.value)
    assert "xyxy" not in str(wrong.value)


def test_keys_show_nowhere() -> None:
    assert OLD.hex() not in repr(RING)
    assert repr(OLD) not in repr(RING)
    with pytest.raises(AttributeError):
        RING.newest = b""  # type: ignore[misc]
    assert replace(RING).keys == {key_id(OLD): OLD, key_id(NEW): NEW}


# Whatever is sealed

SEATS = st.sets(st.integers(0, 5)).map(lambda seats: tuple(sorted(seats)))
CLAIMED = st.builds(
    CapsuleClaims, st.uuids().map(str), st.integers(0, 2**32 - 1), SEATS, st.integers(1, 2**32 - 1), st.booleans()
)
CONTENTS = st.binary(min_size=1, max_size=3000).filter(lambda content: not content.endswith(b" "))


@given(CLAIMED, CONTENTS, st.binary(min_size=12, max_size=12), st.integers(0, 4096))
@settings(max_examples=100, deadline=None, derandomize=True, database=None)
def test_it_comes_back_as_it_was_and_its_length_tells_of_the_room_alone(
    claims: CapsuleClaims, content: bytes, nonce: bytes, room: int
) -> None:
    capsule = seal(RING, RULES, claims, content, nonce, room)
    assert unseal(RING, RULES, capsule, claims.expires - 1) == OpenedCapsule(claims, content)
    full = -(-max(room, len(content)) // 1024) * 1024
    assert len(decoded(capsule)) == 47 + full + 16
