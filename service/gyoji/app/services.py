"""Holds what the service works with, once a process: the store, the signing key, the caches of matches and tournaments.

It holds nothing that is not in the store: what it remembers follows from logs, and is caught up with them before it is
used.
"""

from collections.abc import Callable
from functools import cached_property
from mmap import mmap
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit
from secrets import token_bytes
from time import monotonic, time
from uuid import UUID

import orjson

from gyoji.access import keys
from gyoji.access.callers import Lookups
from gyoji.access.keyring import InvalidCapsuleKeys, Keyring, keys_of_store, keys_of_text
from gyoji.access.tokens import Holder
from gyoji.app.append_cache import AppendCache
from gyoji.app.audit_slots import AuditSlots
from gyoji.app.clock import written_time
from gyoji.app.match_news import NewsBoard
from gyoji.app.match_states import MatchRowCache, MatchStateCache
from gyoji.app.readiness import Readiness
from gyoji.app.settings import Settings, WrongSetting
from gyoji.app.shares import Shares
from gyoji.app.signing_keys import FRESH, current_signer, keys_document
from gyoji.app.tournament_cache import TournamentCache
from gyoji.log.signatures import Signer, Trusted
from gyoji.match.state import MatchState
from gyoji.store import open_store, store_key
from gyoji.store.database.port import ObserveLatency
from gyoji.store.interface import Cause, Match, Seating, Store
from gyoji.store.urls import ConnectionOptions
from gyoji.trust.trusted_keys import UntrustworthyKeys, read_trusted_keys

STREAMS = 10_000
"""Streams and waits that one process has open at the same time at most."""

GROWTH_SECONDS = 1.0
"""Seconds between two growths of the transparency log that follow answers of one process."""

LASTING_CAUSES: tuple[Cause, ...] = ("disk-full", "disk-error", "read-only")
"""What stands in the way of writes alone, and lasts."""


def most_streams(files: int) -> int:
    """Return for how many streams a process has places that may open so many files."""
    return STREAMS if files == RLIM_INFINITY else max(1, min(STREAMS, files // 2))


class LastWrite:
    """Whether the last write to the store succeeded, in memory that forked workers share."""

    def __init__(self) -> None:
        self._shared = mmap(-1, 1)

    def note(self, cause: Cause | None) -> None:
        """Note how a write ended: ``None`` where it succeeded, else the cause of its failure."""
        code = 0 if cause is None else 1 + LASTING_CAUSES.index(cause) if cause in LASTING_CAUSES else None
        if code is not None and self._shared[0] != code:
            self._shared[0] = code

    @property
    def cause(self) -> Cause | None:
        """The cause of the failure of the last write; ``None`` where it succeeded."""
        code = self._shared[0]
        return LASTING_CAUSES[code - 1] if code else None


class SignerCache:
    """The signer of one origin as one process knows it: looked up again when it is two seconds old."""

    def __init__(self, store: Store, origin: str, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._origin = origin
        self._clock = clock
        self._known: tuple[float, Signer] | None = None

    def now(self) -> Signer:
        """Return the signer in force. Threads that look it up at the same time find the same one."""
        known, at = self._known, self._clock()
        if known is not None and at < known[0] + FRESH:
            return known[1]
        found = current_signer(self._store, self._origin)
        self._known = at, found
        return found


class Services:
    """The store, with everything around it that a request needs."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.streams = Shares(most_streams(getrlimit(RLIMIT_NOFILE)[1]))
        self.lent = Shares(max(1, settings.threads // 2))  # threads, under a server that cannot suspend a request
        self.downloads = Shares(max(1, settings.threads // 8))
        self.audits = AuditSlots(max(1, settings.threads // 4))
        self.imports = AuditSlots(1)
        self.readiness = Readiness(self._check)
        self.last_write = LastWrite()
        self.news = NewsBoard(lambda: self.store, lambda: self.match_states)
        self.appended = AppendCache()
        self.clock: Callable[[], float] = time
        self.random: Callable[[int], bytes] = token_bytes
        self.observe_store: ObserveLatency | None = None
        """Called with the time that each operation of the store took; to be set before the store is opened."""
        self.count_events: Callable[[int], None] = lambda _events: None
        """Called with the number of events of matches that were stored."""
        configured = settings.operator_key
        self._next_growth = 0.0
        self._operator = None if configured is None else keys.digest(configured)

    @cached_property
    def store(self) -> Store:
        """Open the store, and read its key, when it is first needed."""
        settings, observe, wrote = self.settings, self.observe_store, self.last_write.note
        key, options = store_key(settings.store, settings.store_key), connection_options(settings)
        return open_store(settings.store, key, settings.archive, options, observe, wrote, settings.marker)

    def begin_growth(self) -> bool:
        """Tell whether leaves of this process are pending, and it has not let the transparency log grow for
        a second; if so, the next second begins."""
        if "store" not in self.__dict__ or not self.store.has_new_leaves or monotonic() < self._next_growth:
            return False
        self._next_growth = monotonic() + GROWTH_SECONDS
        return True

    def _check(self) -> None:
        self.store.check()
        self.store.refuse_restored()

    @cached_property
    def match_states(self) -> MatchStateCache:
        """Return the cache of the states of matches."""
        return MatchStateCache(self.store)

    @cached_property
    def match_rows(self) -> MatchRowCache:
        """Return the cache of the rows of matches that are being played."""
        return MatchRowCache()

    @cached_property
    def tournament_cache(self) -> TournamentCache:
        """Return the cache of tournaments."""
        return TournamentCache(self.store)

    @property
    def signing(self) -> Signer:
        """Return the signer of receipts and heads: of the key in force, as it was two seconds ago at most."""
        return self._signing.now()

    @cached_property
    def _signing(self) -> SignerCache:
        return SignerCache(self.store, self.settings.origin)

    @cached_property
    def capsule_keys(self) -> Keyring:
        """Read the keys that capsules are sealed with: those of ``GYOJI_CAPSULE_KEYS``, else one made from the store
        key."""
        if self.settings.capsule_keys is None:
            return keys_of_store(store_key(self.settings.store, self.settings.store_key))
        try:
            file = Path(self.settings.capsule_keys)
            if file.stat().st_mode & 0o077:
                raise WrongSetting("GYOJI_CAPSULE_KEYS: the file may be read by others: chmod 600 it")
            return keys_of_text(file.read_text("ascii"))
        except OSError as failure:
            raise WrongSetting(f"GYOJI_CAPSULE_KEYS: the file cannot be read: {failure.strerror}") from None
        except (InvalidCapsuleKeys, UnicodeDecodeError):
            raise WrongSetting(
                "GYOJI_CAPSULE_KEYS: expected distinct keys of 64 hex digits, one a line, the newest last"
            ) from None

    def trusted(self) -> tuple[Trusted, ...]:
        """Return the keys that imports and audits trust: the service's own and those of ``GYOJI_TRUST``."""
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
        """Return how a credential is looked up now; ``row`` is the match of the request, which need not be read
        again."""

        def seating(match: str, holder: Holder) -> Seating | None:
            found = row if row is not None and row.match == match else self.store.match(match)
            if found is None or holder == "director":
                return None if found is None else found.director
            if holder is not None and holder >= len(found.seats) - 1:
                return None
            return found.seats[-1 if holder is None else holder]

        return Lookups(self.store.key, seating, self.store.token_key(), int(self.clock()), self._operator)

    def at(self) -> str:
        """Return the time of this moment as the log writes it: RFC 3339, UTC, milliseconds."""
        return written_time(self.clock())

    def at_after(self, state: MatchState) -> str:
        """Return the time of the next event. Never before that of the last one: another server may have written it, by
        a clock that is ahead of this one's, and the time of the seats is counted from event to event."""
        return max(self.at(), state.at)

    def new_id(self) -> str:
        """Make a random UUID (RFC 9562, version 4)."""
        return str(UUID(bytes=self.random(16), version=4))

    def salt(self) -> bytes:
        """Make 32 random bytes."""
        return self.random(32)


def connection_options(settings: Settings) -> ConnectionOptions:
    """Return how the store is reached, beside its URL."""
    return ConnectionOptions(
        settings.store_connections, settings.store_replica, settings.store_listen, is_interactive=True
    )
