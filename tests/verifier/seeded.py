"""Matches whose deals others have a share in: files of every policy, and what a cheat would make of them."""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import player_commitment
from gyoji.log.entries import Entry
from gyoji.match.recorder import Salt, begin, cancel, close_seeding, contribute, disclose
from gyoji.match.seeding import Policy
from gyoji.match.state import MatchState
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import plan_match, play_on
from replay.tampering import SHORT

PLAYERS = Policy("players", within=60)
EMPTY = Policy("players", "empty", 60)
DIRECTOR = Policy("director")
EXTERNAL = Policy("external", beacon="drand quicknet", reference="round 1234567")
SHARE = sha256(b"a share").hexdigest()
POLICIES = {"players": PLAYERS, "empty": EMPTY, "director": DIRECTOR, "external": EXTERNAL}


def salts() -> Salt:
    """Salts that are the same in every run."""
    numbers = count()
    return lambda: hmac.digest(b"salts", str(next(numbers)).encode(), "sha256")


def entropy(seat: int) -> str:
    """What a seat contributes."""
    return sha256(f"entropy of seat {seat}".encode()).hexdigest()


class Match(NamedTuple):
    """A match that goes on: its log so far, where it stands, where its salts come from."""

    entries: tuple[Entry, ...]
    current: MatchState
    salt: Salt

    def then(self, more: tuple[tuple[Entry, ...], MatchState]) -> "Match":
        entries, current = more
        return self._replace(entries=(*self.entries, *entries), current=current)

    @property
    def now(self) -> str:
        return max(timestamp(self.current.seq + 1), self.current.at)


def created(slug: str, policy: Policy, withheld: str | None = None, disclosure: Any = "public_on_close") -> Match:
    """A match that waits for entropy."""
    seats, options = SHORT[slug]
    beginning = plan_match(BY_SLUG[slug], seats, options, disclosure, "seeded", 0).beginning
    salt = salts()
    first = begin(beginning._replace(randomness=policy, withheld_until=withheld), timestamp(0), salt)
    return Match(*first, salt)


def with_commits(match: Match) -> Match:
    """Every seat has committed."""
    for seat in range(match.current.seeding.seats):
        commit = player_commitment(match.current.seeding.deal_id, seat, bytes.fromhex(entropy(seat)))
        given = contribute(match.current, seat, {"commit": commit}, match.now, match.salt)
        assert not isinstance(given, str)
        match = match.then(given)
    return match


def with_reveals(match: Match, seats: Iterator[int] | range) -> Match:
    """These seats have revealed."""
    for seat in seats:
        given = contribute(match.current, seat, {"entropy": entropy(seat)}, match.now, match.salt)
        assert not isinstance(given, str)
        match = match.then(given)
    return match


def with_share(match: Match) -> Match:
    """The director or the operator has contributed."""
    given = contribute(match.current, None, {"entropy": SHARE}, match.now, match.salt)
    assert not isinstance(given, str)
    return match.then(given)


def dealt(slug: str, policy: Policy, withheld: str | None = None, disclosure: Any = "public_on_close") -> Match:
    """The match of that policy with its first hands."""
    match = created(slug, policy, withheld, disclosure)
    if policy.name != "players":
        return with_share(match)
    seats = match.current.seeding.seats
    if policy.missing == "void":
        return with_reveals(with_commits(match), range(seats))
    match = with_reveals(with_commits(match), range(seats - 1))
    return match.then(close_seeding(match.current, timestamp(60), match.salt))


def played(match: Match, most: int = 20_000) -> Match:
    """So many moves further, or to the end."""
    slug = match.current.game.slug
    seats, options = SHORT[slug]
    at_table = plan_match(BY_SLUG[slug], seats, options, "public_on_close", "seeded", 0)
    for number, more in enumerate(play_on(at_table, match.current, match.salt)):
        if number == most:
            break
        match = match.then(more)
    return match


def void(policy: Policy, stage: str) -> Match:
    """A match that was given up: ``created``, ``committed``, ``missing`` (its seats' time is over), ``playing``."""
    match = created("towai", policy)
    if stage == "playing":
        match = played(dealt("towai", policy), 5)
    elif stage != "created":
        match = with_commits(match)
    if stage == "missing":
        return match.then(close_seeding(match.current, timestamp(60), match.salt))
    return match.then(cancel(match.current, match.now, match.salt))


def told(match: Match, at: str) -> Match:
    """The secret that was withheld."""
    return match.then(disclose(match.current, at, match.salt))
