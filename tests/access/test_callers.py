"""From the Authorization header to who asks."""

from typing import NamedTuple

import pytest

from gyoji.access.callers import (
    Anonymous,
    Caller,
    HeaderFault,
    InvalidCredential,
    KeyHolder,
    Lookups,
    SeatHolder,
    Spectator,
    identify_caller,
    read_bearer,
)
from gyoji.access.keys import KeyRecord, KeyRole, digest, new_key
from gyoji.access.tokens import Holder, SeatingRecord, issue
from gyoji.api.rights import Scope
from gyoji.store.interface import ApiKey
from gyoji.store.interface import Seating as StoredSeating

TOKEN_KEY = bytes(range(32))
MATCH = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
ELSEWHERE = "0b7f3f5e-2a55-4d8e-9c11-7f0e4b6d2a31"
NOW = 1_769_000_000
LATER = NOW + 60
SETTING = "a-long-setting-of-40-visible-characters!"


class Kept(NamedTuple):
    """A key as kept."""

    id: str
    role: KeyRole
    account: str
    scopes: tuple[str, ...] = ()
    matches: tuple[str, ...] = ()
    revoked: str | None = None
    tournaments: tuple[str, ...] = ()


class Seating(NamedTuple):
    """A seat's tokens as kept."""

    epoch: int
    since: int = NOW
    revoked: bool = False


OPERATORS = new_key("operator", b"o" * 32)
REFEREES = new_key("referee", b"r" * 32)
AUDITORS = new_key("auditor", b"a" * 32)
REVOKED = new_key("operator", b"x" * 32)

KEYS = {
    digest(OPERATORS): Kept("0" * 16, "operator", "club", ("matches:read", "matches:retired")),
    digest(REFEREES): Kept("1" * 16, "referee", "club", ("matches:unseal", "matches:play"), (MATCH, ELSEWHERE)),
    digest(AUDITORS): Kept("2" * 16, "auditor", "club", ("matches:unseal",), (MATCH,), None, ("cup",)),
    digest(REVOKED): Kept("3" * 16, "operator", "club", tuple(Scope), (), "2026-01-01T00:00:00.000Z"),
}

SEATINGS: dict[tuple[str, Holder], SeatingRecord] = {
    (MATCH, 0): Seating(0),
    (MATCH, 1): Seating(4),
    (MATCH, 2): Seating(1, revoked=True),
    (MATCH, None): Seating(2),
}


def seating(match: str, seat: Holder) -> SeatingRecord | None:
    """The seat's tokens, where there is such a seat."""
    return SEATINGS.get((match, seat))


LOOKUPS = Lookups(KEYS.get, seating, TOKEN_KEY, NOW, digest(SETTING))
WITHOUT_SETTING = Lookups(KEYS.get, seating, TOKEN_KEY, NOW)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, None),
        ("Bearer abc", "abc"),
        ("bearer abc", "abc"),
        ("BEARER  abc", "abc"),
        (f"Bearer {SETTING}", SETTING),
        ("Bearer " + "x" * 256, "x" * 256),
        ("Bearer " + "x" * 257, HeaderFault.MALFORMED),
        ("", HeaderFault.MALFORMED),
        ("Bearer", HeaderFault.MALFORMED),
        ("Bearer ", HeaderFault.MALFORMED),
        ("Bearerabc", HeaderFault.MALFORMED),
        ("Bearer a b", HeaderFault.MALFORMED),
        ("Bearer abc ", HeaderFault.MALFORMED),
        (" Bearer abc", HeaderFault.MALFORMED),
        ("Bearer\tabc", HeaderFault.MALFORMED),
        ("Bearer abc\n", HeaderFault.MALFORMED),
        ("Bearer a,Bearer b", HeaderFault.MALFORMED),
        ("Bearer \xe9", HeaderFault.MALFORMED),
        ("Basic Z3lvamk6Z3lvamk=", HeaderFault.MALFORMED),
        ("abc", HeaderFault.MALFORMED),
        ("Beaſer abc", HeaderFault.MALFORMED),
    ],
)
def test_the_credential_of_a_header(header: str | None, expected: str | HeaderFault | None) -> None:
    assert read_bearer(header) == expected


@pytest.mark.parametrize(
    ("credential", "expected"),
    [
        (None, Anonymous()),
        (OPERATORS, KeyHolder("0" * 16, "operator", "club", frozenset({Scope.READ}), frozenset())),
        (REFEREES, KeyHolder("1" * 16, "referee", "club", frozenset({Scope.UNSEAL}), frozenset({MATCH, ELSEWHERE}))),
        (AUDITORS, KeyHolder("2" * 16, "auditor", "club", frozenset(), frozenset({MATCH}), frozenset({"cup"}))),
        (SETTING, KeyHolder("operator", "operator", "operator", frozenset(Scope), frozenset())),
        (issue(TOKEN_KEY, MATCH, 0, 0, LATER), SeatHolder(MATCH, 0)),
        (issue(TOKEN_KEY, MATCH, 1, 4, LATER), SeatHolder(MATCH, 1)),
        (issue(TOKEN_KEY, MATCH, None, 2, LATER), Spectator(MATCH)),
    ],
)
def test_who_holds_a_credential(credential: str | None, expected: Caller) -> None:
    assert identify_caller(credential, LOOKUPS) == expected


BAD = {
    "a key that was revoked": REVOKED,
    "a key that was never made": new_key("operator", b"n" * 32),
    "a key with a letter more": OPERATORS + "A",
    "a key under the prefix of another role": OPERATORS.replace("gyoji_op_", "gyoji_aud_"),
    "a key without its prefix": OPERATORS.removeprefix("gyoji_op_"),
    "the digest of a key": digest(OPERATORS).hex(),
    "an id": "0" * 16,
    "a token of an older epoch that expired": issue(TOKEN_KEY, MATCH, 1, 3, NOW - 1),
    "a token that expired of a seat whose tokens are revoked": issue(TOKEN_KEY, MATCH, 2, 1, NOW - 1),
    "a token under another key that expired": issue(bytes(32), MATCH, 0, 0, NOW - 1),
    "a token of an older epoch": issue(TOKEN_KEY, MATCH, 1, 3, LATER),
    "a token of an epoch to come": issue(TOKEN_KEY, MATCH, 1, 5, LATER),
    "a token of a seat whose tokens are revoked": issue(TOKEN_KEY, MATCH, 2, 1, LATER),
    "a token of a seat that there is not": issue(TOKEN_KEY, MATCH, 3, 0, LATER),
    "a token of a match that there is not": issue(TOKEN_KEY, ELSEWHERE, 0, 0, LATER),
    "a spectator's token of an older epoch": issue(TOKEN_KEY, MATCH, None, 1, LATER),
    "a token under another key": issue(bytes(32), MATCH, 0, 0, LATER),
    "a seat's token as a spectator's": issue(TOKEN_KEY, MATCH, 0, 0, LATER).replace("_seat_", "_spec_"),
    "a spectator's token as a seat's": issue(TOKEN_KEY, MATCH, None, 2, LATER).replace("_spec_", "_seat_"),
    "a setting in other letters": SETTING.upper(),
    "the beginning of the setting": SETTING[:-1],
    "nothing": "",
    "anything": "undefined",
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_credential_is_nobodys(bad: str) -> None:
    """And never as good as none: whoever sends one is told."""
    assert identify_caller(bad, LOOKUPS) is InvalidCredential.UNKNOWN


@pytest.mark.parametrize("expires", [NOW, NOW - 1])
@pytest.mark.parametrize(("seat", "epoch"), [(0, 0), (1, 4), (None, 2)])
def test_a_token_whose_time_is_over_says_so(seat: int | None, epoch: int, expires: int) -> None:
    assert identify_caller(issue(TOKEN_KEY, MATCH, seat, epoch, expires), LOOKUPS) is InvalidCredential.EXPIRED


@pytest.mark.parametrize("credential", [SETTING, "operator", "None"])
def test_without_the_setting_nobody_is_its_operator(credential: str) -> None:
    assert identify_caller(credential, WITHOUT_SETTING) is InvalidCredential.UNKNOWN


def test_a_setting_may_look_like_anything() -> None:
    for setting in ("gyoji_seat_" + "x" * 40, "gyoji_op_" + "x" * 43):
        caller = identify_caller(setting, Lookups(KEYS.get, seating, TOKEN_KEY, NOW, digest(setting)))
        assert isinstance(caller, KeyHolder)
        assert caller.account == "operator"


def test_nothing_is_looked_up_that_cannot_be_there() -> None:
    """A forged token never asks the store for a match, nor any text for a key."""

    def unexpected_key(_digest: bytes) -> KeyRecord | None:
        raise AssertionError("looked up a key")

    def unexpected_seating(_match: str, _seat: Holder) -> SeatingRecord | None:
        raise AssertionError("looked up a seat")

    lookups = Lookups(unexpected_key, unexpected_seating, TOKEN_KEY, NOW, digest(SETTING))
    for text in ("undefined", issue(bytes(32), MATCH, 0, 0, LATER), "gyoji_seat_", "gyoji_spec_x"):
        assert identify_caller(text, lookups) is InvalidCredential.UNKNOWN


def test_secrets_do_not_show() -> None:
    shown = repr(LOOKUPS) + str(LOOKUPS)
    for secret in (TOKEN_KEY, digest(SETTING)):
        assert repr(secret) not in shown
        assert secret.hex() not in shown


def test_what_the_store_keeps_is_what_is_asked_for() -> None:
    """The store's own records serve as they are."""
    key = ApiKey("9" * 16, digest(OPERATORS), "operator", "club", ("matches:fork",), (), "2026-01-01T00:00:00.000Z")
    stored = Lookups({key.hash: key}.get, lambda _match, _seat: StoredSeating(0, NOW), TOKEN_KEY, NOW)
    assert identify_caller(OPERATORS, stored) == KeyHolder(
        "9" * 16, "operator", "club", frozenset({Scope.FORK}), frozenset()
    )
    assert identify_caller(issue(TOKEN_KEY, MATCH, 5, 0, LATER), stored) == SeatHolder(MATCH, 5)
