"""The rules of a tournament: fixed when it is created, and the same for all who enter."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from gyoji.games.game import Game
from gyoji.match.clocks import Control, read_control, write_control
from gyoji.match.seeding import Disclosure

Pairing = Literal["draw", "swiss", "rotation", "hand"]
"""How tables are made: by lot; by standings, with as few repeated meetings as possible; so that every pair meets
equally often; as the director says."""

By = Literal["score", "rank", "wins"]
"""What a match counts: its score; the place at the table; won, drawn or lost."""

TieBreak = Literal["wins", "score", "opponents", "head_to_head", "lot"]


class PointsRule(NamedTuple):
    """The points that a match brings. What another kind needs keeps its default."""

    by: By
    places: tuple[int, ...] = ()
    """``rank``: for the first place, the second and so on; who ties shares the average of the places taken."""
    win: int = 0
    draw: int = 0
    loss: int = 0
    forfeit: int | None = 0
    """``rank``: for whoever forfeits, and never more than for the last place; ``None``: who forfeits shares the last
    places of the table, as in tournaments that were made before this could be said."""
    by_size: tuple[tuple[int, ...], ...] = ()
    """``rank``: in the place of ``places`` at tables of as many seats as one of these has places."""

    def places_at(self, seats: int) -> tuple[int, ...]:
        """Return the points of the places at a table of that size."""
        return next((places for places in self.by_size if len(places) == seats), self.places)


class TournamentRules(NamedTuple):
    """The rules that are fixed at the creation of a tournament."""

    game: str
    version: int
    teams: bool
    """Whether an entrant is a team that fills a table of its own: as the game is cooperative or not."""
    seats: tuple[int, ...]
    """The sizes that a table may have, preferred ones first."""
    options: Mapping[str, Any]
    disclosure: Disclosure
    clock: Control | None
    duplicate: bool
    """Whether all tables of a round are dealt the same cards."""
    rounds: int
    """At most so many."""
    pairing: Pairing
    points: PointsRule
    bye: int | None
    """Points of a bye; ``None``: the median of the round's scores, the points of a first place, those of a win."""
    tie_breaks: tuple[TieBreak, ...]
    """What separates equal points, in this order; who is still equal shares the place."""
    check_in: bool = False
    """Whether only those play in a round who have said that they are here."""


def read_rules(document: Mapping[str, Any]) -> TournamentRules:
    """Read the rules from their well-formed document."""
    return TournamentRules(
        document["game"],
        document["version"],
        document["teams"],
        tuple(document["seats"]),
        document["options"],
        cast(Disclosure, document["disclosure"]),
        None if document["clock"] is None else read_control(document["clock"]),
        document["duplicate"],
        document["rounds"],
        cast(Pairing, document["pairing"]),
        read_points(document["points"]),
        document["bye"],
        tuple(document["tie_breaks"]),
        document.get("check_in", False),
    )


def write_rules(rules: TournamentRules) -> dict[str, Any]:
    """Write the rules as the log of a tournament has them. Where nobody checks in they do not speak of it."""
    clock = None if rules.clock is None else write_control(rules.clock)
    written = {**rules._asdict(), "clock": clock, "points": write_points(rules.points)}
    return written if rules.check_in else {name: value for name, value in written.items() if name != "check_in"}


def read_points(document: Mapping[str, Any]) -> PointsRule:
    """Read ``{"by":"score"}``, ``{"by":"rank","points":[3,2,1,0],"forfeit":0,"by_size":[[3,1,0]]}`` or
    ``{"by":"wins","win":2,"draw":1,"loss":0}``. Logs of old tournaments say nothing of forfeits, and stay as they were;
    those of tables of several sizes only where they count differently."""
    if document["by"] == "rank":
        by_size = tuple([tuple(places) for places in document.get("by_size", ())])
        return PointsRule("rank", tuple(document["points"]), forfeit=document.get("forfeit"), by_size=by_size)
    if document["by"] == "wins":
        return PointsRule("wins", (), document["win"], document["draw"], document["loss"])
    return PointsRule("score")


def write_points(points: PointsRule) -> dict[str, Any]:
    """Write the points of a match as the log has them."""
    if points.by == "rank":
        forfeit = {} if points.forfeit is None else {"forfeit": points.forfeit}
        by_size = {"by_size": points.by_size} if points.by_size else {}
        return {"by": "rank", "points": points.places, **forfeit, **by_size}
    if points.by == "wins":
        return {"by": "wins", "win": points.win, "draw": points.draw, "loss": points.loss}
    return {"by": "score"}


class RulesFault(NamedTuple):
    """A fault that makes rules impossible: a JSON Pointer into their document, a code, and public facts."""

    pointer: str
    code: str
    facts: Mapping[str, Any] = {}


def find_faults(rules: TournamentRules, game: Game[Any]) -> tuple[RulesFault, ...]:
    """Find everything that keeps a tournament of that game from being played by these rules."""
    if not rules.seats:  # all else depends on them
        return (RulesFault("/seats", "not-allowed"),)
    return (*_seats(rules, game), *_points(rules), *_teams(rules, game), *_tie_breaks(rules), *_options(rules, game))


def _seats(rules: TournamentRules, game: Game[Any]) -> Sequence[RulesFault]:
    allowed = {"min": game.min_seats, "max": game.max_seats}
    found = [
        RulesFault(f"/seats/{place}", "not-a-table-of-the-game", allowed)
        for place, size in enumerate(rules.seats)
        if not game.min_seats <= size <= game.max_seats
    ]
    if len(set(rules.seats)) != len(rules.seats):
        found.append(RulesFault("/seats", "repeated"))
    if rules.duplicate and len(rules.seats) > 1:
        found.append(RulesFault("/duplicate", "tables-of-one-size"))
    return found


def _points(rules: TournamentRules) -> Sequence[RulesFault]:
    points = rules.points
    if points.by == "wins" and not points.win >= points.draw >= points.loss:
        return [RulesFault("/points", "points-rise")]
    if points.by != "rank":
        return []
    if len(points.places) < max(rules.seats):
        return [RulesFault("/points/points", "too-few-places", {"seats": max(rules.seats)})]
    if list(points.places) != sorted(points.places, reverse=True):
        return [RulesFault("/points/points", "points-rise")]
    sizes = [len(places) for places in points.by_size]
    repeated = [RulesFault("/points/by_size", "repeated")] if len(set(sizes)) < len(sizes) else []
    sizeless = [RulesFault(f"/points/by_size/{at}", "not-allowed") for at, size in enumerate(sizes) if size == 0]
    rising = [
        RulesFault(f"/points/by_size/{at}", "points-rise")
        for at, places in enumerate(points.by_size)
        if list(places) != sorted(places, reverse=True)
    ]
    return [*repeated, *sizeless, *rising]


def _teams(rules: TournamentRules, game: Game[Any]) -> Sequence[RulesFault]:
    """Find what teams cannot have: a team plays alone, so nobody is met, and there are no places at its table."""
    if rules.teams != game.cooperative:
        return [RulesFault("/teams", "not-as-the-game")]
    if not rules.teams:
        return []
    found = [RulesFault("/points/by", "nobody-to-meet")] if rules.points.by == "rank" else []
    if rules.pairing == "rotation":
        found.append(RulesFault("/pairing", "nobody-to-meet"))
    meeting = [place for place, name in enumerate(rules.tie_breaks) if name in ("opponents", "head_to_head")]
    return found + [RulesFault(f"/tie_breaks/{place}", "nobody-to-meet") for place in meeting]


def _tie_breaks(rules: TournamentRules) -> Sequence[RulesFault]:
    return [RulesFault("/tie_breaks", "repeated")] if len(set(rules.tie_breaks)) != len(rules.tie_breaks) else []


def _options(rules: TournamentRules, game: Game[Any]) -> Sequence[RulesFault]:
    """Find options that are not possible at tables of every size."""
    options = game.read_options(rules.options)
    found = {
        (finding.pointer, finding.code): RulesFault(*finding)
        for size in rules.seats
        if game.min_seats <= size <= game.max_seats
        for finding in game.contradictions(size, options)
    }
    return list(found.values())
