"""Signing keys: one is in force, another takes its place, and some are not to be believed any more."""

import pytest

from gyoji.store.interface import Conflict, SigningKey, Store

SIGNING = SigningKey("0123456789abcdef", "club.example", b"P" * 32, b"K" * 32, "2026-01-01T00:00:00.000Z")
LATER, LATEST = "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"
SECOND = SIGNING._replace(key="2" * 16, since=LATER)
THIRD = SIGNING._replace(key="3" * 16, since=LATEST)


def test_one_key_takes_the_place_of_another(store: Store) -> None:
    store.add_signing_key(SIGNING)
    store.retire_signing_key(SIGNING.key, SECOND)
    assert store.signing_keys() == [SIGNING._replace(until=LATER), SECOND]
    assert [key.is_in_force for key in store.signing_keys()] == [False, True]
    for wrong in (SIGNING.key, "9" * 16):
        with pytest.raises(Conflict):
            store.retire_signing_key(wrong, THIRD)
    assert store.signing_keys() == [SIGNING._replace(until=LATER), SECOND]


def test_nothing_is_retired_where_the_successor_cannot_be(store: Store) -> None:
    store.add_signing_key(SIGNING)
    with pytest.raises(Conflict):
        store.retire_signing_key(SIGNING.key, SIGNING._replace(since=LATER))
    with pytest.raises(Conflict):
        store.revoke_signing_key(SIGNING.key, LATER, "lost", SIGNING._replace(since=LATER))
    assert store.signing_keys() == [SIGNING]


def test_a_key_in_force_is_revoked_and_replaced(store: Store) -> None:
    store.add_signing_key(SIGNING)
    store.revoke_signing_key(SIGNING.key, LATER, "lost", SECOND)
    assert store.signing_keys() == [SIGNING._replace(revoked=LATER, reason="lost"), SECOND]
    assert [key.is_in_force for key in store.signing_keys()] == [False, True]


def test_a_retired_key_is_revoked_once(store: Store) -> None:
    store.add_signing_key(SIGNING)
    store.retire_signing_key(SIGNING.key, SECOND)
    store.revoke_signing_key(SIGNING.key, LATEST, "lost", None)
    told = [SIGNING._replace(until=LATER, revoked=LATEST, reason="lost"), SECOND]
    assert store.signing_keys() == told
    for wrong in (SIGNING.key, "9" * 16):
        with pytest.raises(Conflict):
            store.revoke_signing_key(wrong, LATEST, "again", None)
    assert store.signing_keys() == told


def test_another_origins_key_stays_in_force(store: Store) -> None:
    elsewhere = SIGNING._replace(key="4" * 16, origin="club.example/log")
    store.add_signing_key(SIGNING)
    store.add_signing_key(elsewhere)
    store.retire_signing_key(SIGNING.key, SECOND)
    assert [key.key for key in store.signing_keys() if key.is_in_force] == [elsewhere.key, SECOND.key]
