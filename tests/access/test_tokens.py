"""Tokens: the same for the same seat, nothing else valid, void in time."""

import base64
import hashlib
import hmac
from itertools import product
from typing import NamedTuple

import pytest

from gyoji.access import tokens
from gyoji.access.tokens import LIFETIME, Claim, Holder, expiry, is_current, is_token, issue, read

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
MATCH = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
ELSEWHERE = "0b7f3f5e-2a55-4d8e-9c11-7f0e4b6d2a31"
EXPIRES = 1_769_817_600
"""2026-01-31T00:00:00Z"""

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


class Seating(NamedTuple):
    """A seat's tokens, as the store says it."""

    epoch: int = 0
    since: int = EXPIRES - LIFETIME
    revoked: bool = False


def written(prefix: str, body: bytes, key: bytes = KEY, label: bytes = b"token/1") -> str:
    """A token put together by hand: the label and the body, each behind its length, signed."""
    signed = len(label).to_bytes(4, "big") + label + len(body).to_bytes(4, "big") + body
    signature = hmac.new(key, signed, hashlib.sha256).digest()
    return prefix + base64.urlsafe_b64encode(body + signature).decode().rstrip("=")


def body(seat: int, purpose: int, match: str = MATCH, epoch: int = 0, expires: int = EXPIRES, form: int = 1) -> bytes:
    """The 27 bytes that are signed."""
    numbers = epoch.to_bytes(4, "big") + expires.to_bytes(4, "big")
    return bytes([form, purpose]) + bytes.fromhex(match.replace("-", "")) + bytes([seat]) + numbers


VECTORS = [
    (
        Claim(MATCH, 0, 0, EXPIRES),
        "gyoji_seat_AQFvL1TPajxLmo8LHT5afJsQAAAAAABpfUYAjAXNmBNuTMrLNb4DVmyHa9hJCoDGz1nepOlsRzKSKEE",
    ),
    (
        Claim(MATCH, 5, 7, EXPIRES),
        "gyoji_seat_AQFvL1TPajxLmo8LHT5afJsQBQAAAAdpfUYAjmIGLUHm7qu9_cbX9m5A_NyEukC_yKjTErP4Weat6K4",
    ),
    (
        Claim(MATCH, None, 0, EXPIRES),
        "gyoji_spec_AQJvL1TPajxLmo8LHT5afJsQ_wAAAABpfUYACzJSSPCrC4EYLTFuiFVbFUNdIJxXlqkZKKzjv4PHVsU",
    ),
]
"""Under ``KEY``; made with ``struct``, ``hmac`` and ``base64`` alone."""


@pytest.mark.parametrize(
    ("claim", "by_hand"),
    [
        (Claim(MATCH, 0, 0, EXPIRES), written("gyoji_seat_", body(0, 1))),
        (Claim(MATCH, 5, 7, EXPIRES), written("gyoji_seat_", body(5, 1, epoch=7))),
        (Claim(MATCH, None, 0, EXPIRES), written("gyoji_spec_", body(255, 2))),
        (Claim(MATCH, "director", 3, EXPIRES), written("gyoji_dir_", body(255, 3, epoch=3))),
        (
            Claim(ELSEWHERE, None, 2**32 - 1, 2**32 - 1),
            written("gyoji_spec_", b"\1\2" + body(255, 2, ELSEWHERE)[2:19] + b"\xff" * 8),
        ),
    ],
)
def test_a_token_is_what_its_page_says(claim: Claim, by_hand: str) -> None:
    assert issue(KEY, *claim) == by_hand
    assert read(KEY, by_hand) == claim


@pytest.mark.parametrize(("claim", "token"), VECTORS)
def test_tokens_stay_what_they_were(claim: Claim, token: str) -> None:
    """Whoever holds one keeps it over an upgrade."""
    assert issue(KEY, *claim) == token
    assert read(KEY, token) == claim


def test_every_seat_match_epoch_and_expiry_has_its_own_token() -> None:
    holders: tuple[Holder, ...] = (None, "director", 0, 1, 2, 3, 4, 5, 254)
    every = product((MATCH, ELSEWHERE), holders, (0, 1, 256), (EXPIRES, EXPIRES + 1))
    issued = {issue(KEY, *claim): Claim(*claim) for claim in every}
    assert len(issued) == 108
    assert {token: read(KEY, token) for token in issued} == issued


def test_a_match_is_named_in_one_way() -> None:
    assert issue(KEY, MATCH.upper(), 1, 0, EXPIRES) == issue(KEY, MATCH, 1, 0, EXPIRES)


def flipped(token: str) -> list[str]:
    """The token with every single bit of its characters flipped, and with every single bit of its bytes."""
    prefix, rest = token[:11], token[11:]
    characters = [
        token[:at] + chr(ord(token[at]) ^ 1 << bit) + token[at + 1 :]
        for at, bit in product(range(len(token)), range(8))
    ]
    sixes = [
        prefix + rest[:at] + ALPHABET[ALPHABET.index(rest[at]) ^ 1 << bit] + rest[at + 1 :]
        for at, bit in product(range(len(rest)), range(6))
    ]
    return characters + sixes


@pytest.mark.parametrize("seat", [0, 2, None])
def test_a_token_with_a_bit_flipped_is_none(seat: int | None) -> None:
    token = issue(KEY, MATCH, seat, 3, EXPIRES)
    corpus = flipped(token)
    assert len(corpus) == 90 * 8 + 79 * 6
    assert [damaged for damaged in corpus if read(KEY, damaged) is not None] == []


def test_there_is_one_way_to_write_a_token() -> None:
    token = issue(KEY, MATCH, 2, 0, EXPIRES)
    last = ALPHABET.index(token[-1])
    assert last % 4 == 0
    for spare in (1, 2, 3):
        twin = token[:-1] + ALPHABET[last + spare]
        assert base64.urlsafe_b64decode(twin[11:] + "=") == base64.urlsafe_b64decode(token[11:] + "=")
        assert read(KEY, twin) is None
    more = (
        token + "=",
        token + "A",
        token + "\n",
        " " + token,
        token[:-1],
        token[:40] + "\n" + token[40:],
        token.upper(),
    )
    for other in (
        *more,
        token.replace("-", "+").replace("_", "/"),
        token[11:],
        "",
        "gyoji_seat_",
        "gyoji_seat_" + "é" * 79,
    ):
        assert read(KEY, other) is None


def test_no_token_is_for_another_purpose() -> None:
    seat, spectator = issue(KEY, MATCH, 2, 0, EXPIRES), issue(KEY, MATCH, None, 0, EXPIRES)
    assert read(KEY, seat.replace("gyoji_seat_", "gyoji_spec_")) is None
    assert read(KEY, spectator.replace("gyoji_spec_", "gyoji_seat_")) is None
    for prefix in ("gyoji_op_", "gyoji_ref_", "gyoji_aud_", "gyoji_"):
        assert read(KEY, prefix + seat[11:]) is None


@pytest.mark.parametrize(
    ("prefix", "signed"),
    [
        ("gyoji_seat_", body(2, 2)),
        ("gyoji_spec_", body(2, 2)),
        ("gyoji_spec_", body(255, 1)),
        ("gyoji_dir_", body(255, 2)),
        ("gyoji_dir_", body(2, 3)),
        ("gyoji_spec_", body(255, 3)),
        ("gyoji_seat_", body(255, 1)),
        ("gyoji_seat_", body(2, 0)),
        ("gyoji_seat_", body(2, 3)),
        ("gyoji_seat_", body(2, 1, form=0)),
        ("gyoji_seat_", body(2, 1, form=2)),
    ],
)
def test_signed_bytes_that_contradict_themselves_are_no_token(prefix: str, signed: bytes) -> None:
    assert read(KEY, written(prefix, signed)) is None


def test_what_another_key_or_another_label_signs_is_no_token() -> None:
    assert read(KEY, written("gyoji_seat_", body(2, 1))) is not None
    assert read(KEY, written("gyoji_seat_", body(2, 1), OTHER_KEY)) is None
    assert read(OTHER_KEY, issue(KEY, MATCH, 2, 0, EXPIRES)) is None
    assert read(KEY, written("gyoji_seat_", body(2, 1), label=b"receipt/1")) is None
    unlabelled = body(2, 1) + hmac.new(KEY, body(2, 1), hashlib.sha256).digest()
    assert read(KEY, "gyoji_seat_" + base64.urlsafe_b64encode(unlabelled).decode().rstrip("=")) is None


@pytest.mark.parametrize(
    ("claimed", "seating", "current"),
    [
        (0, Seating(0), True),
        (0, Seating(1), False),
        (2, Seating(1), False),
        (1, Seating(1), True),
        (0, Seating(0, revoked=True), False),
    ],
)
def test_a_token_is_of_the_epoch_in_force(claimed: int, seating: Seating, current: bool) -> None:
    """Until when it holds, ``tests/access/test_callers.py`` shows."""
    assert is_current(Claim(MATCH, 2, claimed, EXPIRES), seating) is current


def test_a_seats_tokens_expire_at_a_fixed_time() -> None:
    assert LIFETIME == 2_592_000
    assert expiry(Seating(since=1_000)) == 2_593_000
    assert expiry(Seating(since=1_000), 60) == 1_060
    assert expiry(Seating(since=2**32 - 10)) == 2**32 - 1
    assert issue(KEY, MATCH, 0, 0, expiry(Seating(since=2**32 - 10)))


def test_what_looks_like_a_token() -> None:
    assert is_token(issue(KEY, MATCH, 0, 0, EXPIRES))
    assert is_token("gyoji_spec_nonsense")
    assert not is_token("gyoji_op_nonsense")
    assert is_token(issue(KEY, MATCH, "director", 0, EXPIRES))
    assert tokens.PREFIXES.keys() == {1, 2, 3}
