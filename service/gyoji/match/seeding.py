"""The seeding of a match: the policy of who contributes to the seed beside the server, and the contributions so far.

``recorded_chance`` gives the shuffles that events of a log have recorded, in the place of those from a seed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from gyoji.games.chance import branch_root, player_commitment, root
from gyoji.games.game import Chance, Event, Game, Pile, Seat, chance_of_piles, replace_at
from gyoji.log.times import later

PolicyName = Literal["server", "players", "director", "external"]
Missing = Literal["void", "empty"]

Disclosure = Literal["public_on_close", "auditors_only"]
"""To whom the server's secret is disclosed when the log is closed."""

Reason = Literal[
    "wrong-policy",
    "already-committed",
    "commit-first",
    "waiting-for-commitments",
    "not-the-committed",
    "already-revealed",
    "complete",
]
"""Why a contribution is not taken."""


class Policy(NamedTuple):
    """The policy of who contributes to the seed beside the server. Fields that a policy does not need keep their
    defaults."""

    name: PolicyName = "server"
    missing: Missing = "void"
    """``players``: what comes of it if a seat does not reveal: the match is void, or that seat's entropy empty."""
    within: int = 3600
    """``players``: seconds from the creation until that may be said of a seat."""
    beacon: str = ""
    """``external``: which public beacon."""
    reference: str = ""
    """``external``: which of its values."""


SERVER = Policy()
LONGEST_WAIT = 604_800
"""Seconds that seats may be given."""
MEMBERS: Mapping[str, tuple[str, ...]] = {
    "server": (),
    "players": ("missing", "within"),
    "director": (),
    "external": ("beacon", "reference"),
}
"""What stands beside ``policy`` in ``randomness``."""


def read_policy(document: Mapping[str, Any]) -> Policy:
    """Read a policy from a well-formed ``randomness``; what is left out has its default."""
    name = cast(PolicyName, document["policy"])
    return Policy(name, **{member: document[member] for member in MEMBERS[name] if member in document})


def write_policy(policy: Policy) -> dict[str, Any]:
    """Write a policy as ``randomness`` in the log."""
    return {"policy": policy.name, **{member: getattr(policy, member) for member in MEMBERS[policy.name]}}


class Seeding(NamedTuple):
    """The contributions to the seed of a match so far; all of them are public."""

    policy: Policy
    seats: int
    deal_id: str
    since: str
    """When the match was created (RFC 3339, UTC, milliseconds)."""
    commits: tuple[str | None, ...]
    """The commitment of each seat, 64 hex digits."""
    entropies: tuple[str | None, ...]
    """The revealed entropy of each seat, 64 hex digits."""
    share: str | None = None
    """The director's or the beacon's contribution, 32 to 128 hex digits."""
    closed: bool = False
    """Whether nothing is taken any more: the cards are dealt, or the match is void."""

    @property
    def is_complete(self) -> bool:
        """Whether all contributions are there that the policy demands."""
        if self.policy.name == "players":
            return None not in self.entropies
        return self.policy.name == "server" or self.share is not None

    @property
    def committed(self) -> tuple[Seat, ...]:
        """The seats that have committed to entropy."""
        return tuple([seat for seat, commit in enumerate(self.commits) if commit is not None])

    @property
    def revealed(self) -> tuple[Seat, ...]:
        """The seats that have revealed entropy."""
        return tuple([seat for seat, entropy in enumerate(self.entropies) if entropy is not None])

    @property
    def missing(self) -> tuple[Seat, ...]:
        """The seats that owe entropy."""
        if self.policy.name != "players":
            return ()
        return tuple([seat for seat, entropy in enumerate(self.entropies) if entropy is None])

    @property
    def until(self) -> str | None:
        """When the time of the seats to contribute is over; ``None`` where no seat contributes."""
        return None if self.policy.name != "players" else later(self.since, self.policy.within)


def empty_seeding(policy: Policy, seats: int, deal_id: str, since: str) -> Seeding:
    """Return the seeding of a match to which nothing has been contributed yet."""
    nothing: Sequence[None] = [None] * seats
    return Seeding(policy, seats, deal_id, since, (*nothing,), (*nothing,))


def add_commitment(seeding: Seeding, seat: Seat, commit: str) -> Seeding | Reason:
    """Return the seeding after a seat's commitment to entropy; or why that is not accepted."""
    if seeding.policy.name != "players":
        return "wrong-policy"
    if seeding.closed:
        return "complete"
    if seeding.commits[seat] is not None:
        return "already-committed"
    return seeding._replace(commits=replace_at(seeding.commits, seat, commit))


def add_reveal(seeding: Seeding, seat: Seat, entropy: str) -> Seeding | Reason:
    """Return the seeding after a seat has revealed its entropy (hex), or why that is refused. It may not before all
    have committed: it would be known to who commits last."""
    if seeding.policy.name != "players":
        return "wrong-policy"
    if seeding.closed:
        return "complete"
    if seeding.entropies[seat] is not None:
        return "already-revealed"
    if seeding.commits[seat] is None:
        return "commit-first"
    if None in seeding.commits:
        return "waiting-for-commitments"
    if player_commitment(seeding.deal_id, seat, bytes.fromhex(entropy)) != seeding.commits[seat]:
        return "not-the-committed"
    return seeding._replace(entropies=replace_at(seeding.entropies, seat, entropy))


def add_share(seeding: Seeding, entropy: str) -> Seeding | Reason:
    """Return the seeding after the director's share, or the value of the beacon (hex); or why that is not accepted."""
    if seeding.policy.name not in ("director", "external"):
        return "wrong-policy"
    if seeding.closed or seeding.share is not None:
        return "complete"
    return seeding._replace(share=entropy)


def why_not_overdue(seeding: Seeding, at: str) -> Reason | Literal["too-early"] | None:
    """Return why a match cannot go on at a time without the seats that owe entropy; ``None`` if it can."""
    if seeding.policy.name != "players":
        return "wrong-policy"
    if seeding.closed or not seeding.missing:
        return "complete"
    until = seeding.until
    return "too-early" if until is None or at < until else None


def seed_of(seeding: Seeding, secret: bytes, game: Game[Any]) -> str | None:
    """Return the seed of a match (128 hex digits), from the server's secret and all contributions. ``None`` where the
    secret is not known."""
    if not secret:
        return None
    return root(secret, *_contributions(seeding), game.slug, game.version, seeding.deal_id)


def branch_seed(seeding: Seeding, secret: bytes, game: Game[Any], match: str, seq: int) -> str | None:
    """Return the seed (128 hex digits) after a take-back that undoes shuffles. ``None`` where the server's secret is
    not known. The take-back is event ``seq`` of the match. What the shuffles brought is known, and must not come
    again."""
    if not secret:
        return None
    return branch_root(secret, *_contributions(seeding), game.slug, game.version, seeding.deal_id, match, seq)


def _contributions(seeding: Seeding) -> tuple[list[bytes], bytes]:
    """The entropy of each seat, and the share of whoever contributes for all; empty where there is none."""
    entropies = [bytes.fromhex(entropy or "") for entropy in seeding.entropies]
    return entropies, bytes.fromhex(seeding.share or "")


def shuffles_in(game: Game[Any], options: Any, events: Iterable[Event]) -> list[Pile]:
    """Return every shuffle that a game's events describe."""
    return [pile for event in events for pile in game.shuffles(options, event)]


def recorded_chance(game: Game[Any], options: Any, events: Iterable[Event]) -> Chance:
    """Return the chance of the shuffles that a game's events describe. Any other shuffle raises ``NotRecorded``."""
    return chance_of_piles(shuffles_in(game, options, events))


def is_withheld(until: str | None, at: str) -> bool:
    """Whether nothing may be disclosed at that time of what is withheld ``until`` then: a time, or ``group``. When a
    group is over its members do not say."""
    return until is not None and (until == "group" or at < until)
