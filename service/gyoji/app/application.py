"""The desk at which matches are kept: the store, the key that signs, and where each match stands.

One desk a process. It holds nothing that is not in the store: what it remembers of a match is caught up with the log
before it is used, or is true if what rests on it comes to be stored.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from secrets import token_bytes
from threading import Lock
from time import time
from typing import Any
from uuid import UUID

import orjson

from gyoji.access import keys
from gyoji.access.callers import Lookups
from gyoji.access.keyring import Keyring, WrongKeys, keys_of_store, keys_of_text
from gyoji.access.tokens import Holder
from gyoji.app.audit_slots import AuditSlots
from gyoji.app.cache import Recent
from gyoji.app.clock import written_time
from gyoji.app.readiness import LastWrite, Readiness
from gyoji.app.settings import Settings, WrongSetting
from gyoji.app.shutdown import Streams
from gyoji.app.signing_keys import Signing, keys_document
from gyoji.app.tournament_cache import Kept
from gyoji.games.catalogue import BY_VERSION
from gyoji.games.game import Game
from gyoji.log.entries import Entry
from gyoji.log.signatures import Signer, Trusted
from gyoji.match.fold import apply_entries, replay_log
from gyoji.match.state import MatchState
from gyoji.store import open_store, store_key
from gyoji.store.database.latency import ObserveLatency
from gyoji.store.interface import Head, Match, Seating, Store, Unavailable
from gyoji.store.urls import ConnectionOptions
from gyoji.trust.trusted_keys import UntrustworthyKeys, read_trusted_keys

MILESTONE = 64
"""Of earlier standings those at every such ``seq`` are kept, once they have been asked for."""


class Desk:
    """The store, with everything around it that a request needs."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.streams = Streams(max(1, settings.threads // 2))
        self.downloads = Streams(max(1, settings.threads // 8))
        self.audits = AuditSlots(max(1, settings.threads // 4))
        self.imports = AuditSlots(1)
        self.readiness = Readiness(self._check)
        self.last_write = LastWrite()
        self.clock: Callable[[], float] = time
        self.random: Callable[[int], bytes] = token_bytes
        self.told: ObserveLatency | None = None
        """Told how long everything takes that the store is asked; to be set before it is opened."""
        self.count_events: Callable[[int], None] = lambda _events: None
        """Told how many events of matches have been stored."""
        configured = settings.operator_key
        self._operator = None if configured is None else keys.digest(configured)

    @cached_property
    def store(self) -> Store:
        """The store; opened, and its key read, when first needed."""
        settings, told, wrote = self.settings, self.told, self.last_write.tell
        key, options = store_key(settings.store, settings.store_key), connection_options(settings)
        return open_store(settings.store, key, settings.archive, options, told, wrote, settings.marker)

    @property
    def has_news(self) -> bool:
        """Whether this process has stored leaves that wait for the transparency log."""
        return "store" in self.__dict__ and self.store.has_new_leaves

    def _check(self) -> None:
        self.store.check()
        self.store.refuse_restored()

    @cached_property
    def standings(self) -> "Standings":
        """Where matches stand."""
        return Standings(self.store)

    @cached_property
    def kept(self) -> Kept:
        """What is remembered of tournaments."""
        return Kept(self.store)

    @property
    def signing(self) -> Signer:
        """The key that signs receipts and heads: that in force, as it was two seconds ago at most."""
        return self._signing.now()

    @cached_property
    def _signing(self) -> Signing:
        return Signing(self.store, self.settings.origin)

    @cached_property
    def capsule_keys(self) -> Keyring:
        """What capsules are sealed with: the keys of ``GYOJI_CAPSULE_KEYS``, else one that the store key leads to."""
        if self.settings.capsule_keys is None:
            return keys_of_store(store_key(self.settings.store, self.settings.store_key))
        try:
            file = Path(self.settings.capsule_keys)
            if file.stat().st_mode & 0o077:
                raise WrongSetting("GYOJI_CAPSULE_KEYS: the file may be read by others: chmod 600 it")
            return keys_of_text(file.read_text("ascii"))
        except OSError as failure:
            raise WrongSetting(f"GYOJI_CAPSULE_KEYS: the file cannot be read: {failure.strerror}") from None
        except (WrongKeys, UnicodeDecodeError):
            raise WrongSetting(
                "GYOJI_CAPSULE_KEYS: expected distinct keys of 64 hex digits, one a line, the newest last"
            ) from None

    def trusted(self) -> tuple[Trusted, ...]:
        """The keys that imports and audits trust: the service's own and those of ``GYOJI_TRUST``."""
        own = read_trusted_keys(keys_document(self.store.signing_keys(), self.store.restorations.documents()))
        return (*own, *self._others)

    @cached_property
    def _others(self) -> tuple[Trusted, ...]:
        if self.settings.trust is None:
            return ()
        try:
            return read_trusted_keys(orjson.loads(Path(self.settings.trust).read_bytes()))
        except OSError as failure:
            raise WrongSetting(f"GYOJI_TRUST: the file cannot be read: {failure.strerror}") from None
        except orjson.JSONDecodeError:
            raise WrongSetting("GYOJI_TRUST: the file is no JSON document") from None
        except UntrustworthyKeys as wrong:
            raise WrongSetting(f"GYOJI_TRUST: {wrong}") from None

    def lookups(self, row: Match | None) -> Lookups:
        """How a credential is looked up now; ``row`` is the match of the request, which need not be read again."""

        def seating(match: str, holder: Holder) -> Seating | None:
            found = row if row is not None and row.match == match else self.store.match(match)
            if found is None or holder == "director":
                return None if found is None else found.director
            if holder is not None and holder >= len(found.seats) - 1:
                return None
            return found.seats[-1 if holder is None else holder]

        return Lookups(self.store.key, seating, self.store.token_key(), int(self.clock()), self._operator)

    def at(self) -> str:
        """The time of this moment as the log writes it: RFC 3339, UTC, milliseconds."""
        return written_time(self.clock())

    def at_after(self, standing: MatchState) -> str:
        """The time of the next event. Never before that of the last one: another server may have written it, by a
        clock that is ahead of this one's, and the time of the seats is counted from event to event."""
        return max(self.at(), standing.at)

    def new_id(self) -> str:
        """A random UUID (RFC 9562, version 4)."""
        return str(UUID(bytes=self.random(16), version=4))

    def salt(self) -> bytes:
        """32 random bytes."""
        return self.random(32)


def connection_options(settings: Settings) -> ConnectionOptions:
    """How the store is reached beside its URL."""
    return ConnectionOptions(
        settings.store_connections, settings.store_replica, settings.store_listen, is_interactive=True
    )


def head_of(standing: MatchState) -> Head:
    """The head of the log as the store keeps it."""
    return Head(standing.seq, standing.hash, standing.status, standing.decision, standing.closed)


def entry_of(store: Store, match: str, seq: int, *, lasting: bool = False) -> Entry:
    """An entry that the match has to have; ``Unavailable`` if the store has lost it."""
    return first_of(store.entries(match, seq - 1, seq, lasting=lasting))


def first_of(entries: Iterator[Entry]) -> Entry:
    """The first of some entries, of which there has to be one; ``Unavailable`` if the store has lost it."""
    for entry in entries:
        return entry
    raise Unavailable("an event is missing; gyoji store check tells more", "damaged")


def game_of(row: Match) -> Game[Any]:
    """The version of the game that the match is played by."""
    return BY_VERSION[row.game, row.version]


class Standings:
    """Where matches stand, remembered by this process and caught up with the log when asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._latest: Recent[str, MatchState] = Recent()
        self._milestones: Recent[tuple[str, int], MatchState] = Recent()
        self._lock = Lock()

    def latest(self, row: Match) -> MatchState:
        """Where the match stood when ``row`` was read, or later."""
        with self._lock:
            known = self._latest.get(row.match)
        if known is not None and known.seq >= row.head.seq:
            return known
        standing = self._caught_up(row, known, row.head.seq)
        self.remember(standing)
        return standing

    def has(self, row: Match) -> bool:
        """Whether the match is remembered to stand where it stands in ``row``."""
        with self._lock:
            known = self._latest.get(row.match)
        return known is not None and known.seq == row.head.seq

    def at(self, row: Match, seq: int) -> MatchState:
        """Where the match stood after event ``seq``, which it has had."""
        with self._lock:
            latest = self._latest.get(row.match)
            before = range(seq - seq % MILESTONE, 1, -MILESTONE)
            milestone = next(filter(None, (self._milestones.get((row.match, at)) for at in before)), None)
        if latest is not None and latest.seq == seq:
            return latest
        near = latest if latest is not None and latest.seq < seq else milestone
        standing = self._caught_up(row, near, seq)
        if standing.seq % MILESTONE == 0:
            with self._lock:
                self._milestones.keep((row.match, seq), standing)
        return standing

    def remember(self, standing: MatchState) -> None:
        """The standing after an append of this process's own."""
        with self._lock:
            known = self._latest.get(standing.match)
            if known is not None and known.seq > standing.seq:
                return
            self._latest.keep(standing.match, standing)

    def _caught_up(self, row: Match, known: MatchState | None, seq: int) -> MatchState:
        """Where it stood after event ``seq``, from where it is ``known`` to have stood; the last milestone is kept."""
        milestone = seq - seq % MILESTONE
        if (1 if known is None else known.seq) < milestone < seq:
            known = self._folded(row, known, milestone)
            with self._lock:
                self._milestones.keep((row.match, milestone), known)
        return self._folded(row, known, seq)

    def _folded(self, row: Match, known: MatchState | None, seq: int) -> MatchState:
        if known is not None:
            return apply_entries(known, self._store.entries(row.match, known.seq, seq, lasting=row.head.closed))
        return replay_log(game_of(row), row.secret, self._store.entries(row.match, -1, seq, lasting=row.head.closed))
