"""The state of a tournament, as its log has it so far."""

from fractions import Fraction
from typing import Literal, NamedTuple

from gyoji.tournaments.rules import Pairing, TournamentRules

MOST_ENTRANTS = 1024
MOST_ROUNDS = 128
MOST_JOINED = 512
"""How many entrants a tournament may have before nobody joins by the link any more: the director enters the rest."""
MOST_CHECKS = 100
"""How often the presence of an entrant may change before the entrant itself has no say in it any more."""

EntrantId = str
"""``e1``, ``e2`` and so on, in the order of entering."""


PlaceStatus = Literal["waiting", "playing", "over", "bye", "absent", "removed", "forfeited", "withdrawn", "closed"]
"""Of an entrant's place: no round is paired yet; the match runs; it is over; the entrant rests; had not checked in when
the round was paired; was not there, and the others play without, or with a stand-in; plays no more; the tournament is
over."""


class Entrant(NamedTuple):
    """An entrant: a player, or a team of a cooperative game."""

    id: EntrantId
    name: str
    members: tuple[str, ...] = ()
    """The names of a team's players, one a seat; empty where everybody plays for themselves."""
    withdrawn: int | None = None
    """How many rounds had been paired when the entrant withdrew; ``None``: it has not."""
    present: bool = False
    """Whether the entrant has checked in; nobody does where the rules do not ask for it."""
    checks: int = 0
    """How often it was said that the entrant is here, or is not."""


class Table(NamedTuple):
    """One table of a round. At seat i sits entrant i of ``seats``; a team sits at all of its table's."""

    number: int
    """From 1."""
    seats: tuple[EntrantId, ...]
    match: str | None = None
    """The match that counts; ``None`` while the table is only proposed."""
    removed: tuple[EntrantId, ...] = ()
    """Those who did not come, and for whom the match that counts has no seat."""
    forfeited: tuple[EntrantId, ...] = ()
    """Those who have forfeited while the others play on: a stand-in plays their seats in the match that counts."""

    @property
    def entrants(self) -> tuple[EntrantId, ...]:
        """The entrants who play at the table, each once."""
        return tuple(dict.fromkeys(self.seats))


class Round(NamedTuple):
    """One round as it was paired."""

    number: int
    """From 1."""
    pairing: Pairing
    seed: str
    """Hex: what was left to chance in this round and can be drawn again from it."""
    tables: tuple[Table, ...]
    byes: tuple[EntrantId, ...]
    closed: bool = False
    absent: tuple[EntrantId, ...] = ()
    """Who had not checked in: they neither play nor rest, and the round brings them nothing."""


class Correction(NamedTuple):
    """Points that the director gives or takes beside all matches."""

    entrant: EntrantId
    points: Fraction
    reason: str


class Registration(NamedTuple):
    """Whether anybody may enter who has the joining link."""

    open: bool = False
    link: int = 0
    """The number of the link in force; 0: there never was one."""


class Tournament(NamedTuple):
    """Everything that the log of a tournament says; results are in the logs of the matches."""

    title: str
    rules: TournamentRules
    commitment: str
    """SHA-256 (hex) of the seed that all lots come from; it is disclosed when the tournament is closed."""
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    corrections: tuple[Correction, ...] = ()
    closed: bool = False
    seed: str | None = None
    """Hex; ``None`` before the closing."""
    announcement: str | None = None
    """What the director announces to everybody, until it is replaced or taken away, or the tournament is closed."""
    registration: Registration = Registration()

    @property
    def active(self) -> tuple[Entrant, ...]:
        """The entrants who have not withdrawn."""
        return tuple([entrant for entrant in self.entrants if entrant.withdrawn is None])

    @property
    def present(self) -> tuple[Entrant, ...]:
        """The entrants whom a round is paired of: the active ones who are here, all of them where nobody checks in."""
        return tuple([entrant for entrant in self.active if self._is_here(entrant)])

    @property
    def absent(self) -> tuple[EntrantId, ...]:
        """The active entrants who have not checked in."""
        return tuple([entrant.id for entrant in self.active if not self._is_here(entrant)])

    def _is_here(self, entrant: Entrant) -> bool:
        return entrant.present or not self.rules.check_in

    def entrant(self, name: EntrantId) -> Entrant | None:
        """Return the entrant of that id."""
        return next((entrant for entrant in self.entrants if entrant.id == name), None)

    def round(self, number: int) -> Round | None:
        """Return the round of that number."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None


def names_at(tournament: Tournament, number: int, table: Table) -> tuple[str, ...]:
    """Return the names at a table of that round, by seat. The players of a team move one seat on from round to
    round."""
    by_id = {entrant.id: entrant for entrant in tournament.entrants}
    if not tournament.rules.teams:
        return tuple([by_id[seat].name for seat in table.seats])
    members = by_id[table.seats[0]].members
    turn = (number - 1) % len(members)
    return (*members[turn:], *members[:turn])
