"""Which key a running service signs with: made once, and followed when another takes its place."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gyoji.app.services import Services, SignerCache
from gyoji.app.settings import Settings
from gyoji.app.signing_keys import FRESH, current_signer
from gyoji.store import migrate, open_store
from gyoji.store.interface import SigningKey, Store
from gyoji.store.keys import in_force, new_key

KEY = bytes(range(32))
ORIGIN = "club.example"
SINCE = "2030-01-01T00:00:00.000Z"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    migrate(url)
    with closing(open_store(url, KEY)) as kept:
        yield kept


class Clock:
    """A clock that stands until it is put on."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def replaced(store: Store) -> SigningKey:
    """The key that has taken the place of that in force."""
    old = in_force(store.signing_keys(), ORIGIN)
    assert old is not None
    made = new_key(ORIGIN, SINCE)
    store.retire_signing_key(old.key, made)
    return made


def test_a_key_is_made_once(store: Store) -> None:
    made = current_signer(store, ORIGIN)
    assert current_signer(store, ORIGIN).key == made.key
    assert [key.origin for key in store.signing_keys()] == [ORIGIN]


def test_another_key_is_taken_within_two_seconds(store: Store) -> None:
    clock = Clock()
    signing = SignerCache(store, ORIGIN, clock)
    first = signing.now()
    made = replaced(store)
    clock.at += FRESH - 0.001
    assert signing.now() is first
    clock.at += 0.001
    assert signing.now().key == made.key
    assert FRESH == 2


def test_a_revoked_key_signs_no_longer(store: Store) -> None:
    """Where nobody has put another in its place, one is made."""
    clock = Clock()
    signing = SignerCache(store, ORIGIN, clock)
    first = signing.now().key
    store.revoke_signing_key(first, SINCE, "lost", None)
    clock.at += FRESH
    second = signing.now().key
    assert second != first
    assert [key.is_in_force for key in store.signing_keys() if key.key == second] == [True]


def test_the_desk_of_a_running_service_follows(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    migrate(url)
    services = Services(Settings(store=url, store_key=KEY.hex(), origin=ORIGIN))
    with closing(services.store):
        clock = Clock()
        services._signing = SignerCache(services.store, ORIGIN, clock)
        first = services.signing.key
        with closing(open_store(url, KEY)) as command:
            made = replaced(command)
        assert services.signing.key == first
        clock.at += FRESH
        assert services.signing.key == made.key
        assert {key.key for key in services.trusted()} == {first, made.key}
