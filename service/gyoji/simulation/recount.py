"""Counts the standings of a tournament a second time: from its log and the replay files of its matches alone.

It shares no code with the service: this module and ``recount_matches`` know nothing of ``gyoji`` but the formats on the
pages, and add up again what they say. Hidden cards are not needed; a file for the public has all of it.
"""

import hmac
import json
from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from gyoji.simulation.recount_matches import Document, MatchEnd, read_match_end


class RecountedRow(NamedTuple):
    """The row of one entrant in the recounted standings."""

    place: int
    entrant: str
    points: Fraction
    tie_breaks: tuple[tuple[str, Fraction | None], ...]


class Table(NamedTuple):
    """One table of one round, and the match that counts for it."""

    round: int
    seats: tuple[str, ...]
    match: str
    forfeited: frozenset[str] = frozenset()
    """Entrants who have forfeited it, and for whom somebody else has played on."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The entrants who play at the table; a team fills all seats."""
        return tuple(dict.fromkeys(self.seats))

    @property
    def is_team(self) -> bool:
        """Whether one team fills the table."""
        return len(self.sides) == 1


class TournamentStory(NamedTuple):
    """What the log of a tournament states."""

    rules: Document
    entrants: tuple[str, ...]
    tables: tuple[Table, ...]
    byes: tuple[tuple[int, str], ...]
    """Round and entrant."""
    corrections: tuple[tuple[str, Fraction], ...]
    lots: str
    """The seed of the first round, in hex; empty before it."""


def read_story(lines: Iterable[bytes]) -> TournamentStory:
    """Read the log of a tournament from the lines of its file."""
    events = [found for found in map(json.loads, lines) if "type" in found]
    of = {kind: [event["data"] for event in events if event["type"] == kind] for kind in KINDS}
    rounds: dict[int, Document] = {}
    places: dict[tuple[int, int], Table] = {}
    for kind, found in [(event["type"], event["data"]) for event in events]:
        if kind == "round_paired":
            rounds[found["round"]] = found
            for table in found["tables"]:
                key = found["round"], table["table"]
                places[key] = Table(found["round"], tuple(table["seats"]), table["match"])
        elif kind == "match_replaced":
            key = found["round"], found["table"]
            places[key] = places[key]._replace(match=found["match"], forfeited=frozenset())
        elif kind == "entrant_removed":
            key = found["round"], found["table"]
            seats = tuple([who for who in places[key].seats if who != found["entrant"]])
            places[key] = Table(found["round"], seats, found["match"])
        elif kind in ("entrant_forfeited", "entrant_reinstated"):
            key, who = (found["round"], found["table"]), frozenset({found["entrant"]})
            gone = places[key].forfeited
            places[key] = places[key]._replace(forfeited=gone | who if kind == "entrant_forfeited" else gone - who)
        elif kind == "round_taken_back":
            del rounds[found["round"]]
            places = {key: table for key, table in places.items() if table.round != found["round"]}
    return TournamentStory(
        of["tournament_created"][0]["rules"],
        tuple([found["entrant"] for found in of["entrant_added"]]),
        tuple(places.values()),
        tuple([(number, entrant) for number, found in rounds.items() for entrant in found["byes"]]),
        tuple([(found["entrant"], Fraction(found["points"])) for found in of["correction_made"]]),
        rounds[1]["seed"] if rounds else "",
    )


KINDS = ("tournament_created", "entrant_added", "correction_made")


# Points


def _stand_in_last(table: Table, end: MatchEnd) -> MatchEnd:
    """Put whoever forfeited while the others played on behind all of them, whatever was made of the seat: with the
    least score there, 0 at most; who was beaten by nobody but such seats has won."""
    gone = [seat for seat, who in enumerate(table.seats) if who in table.forfeited]
    if not gone:
        return end
    stayed = [seat for seat in range(len(end.scores)) if seat not in gone]
    least = min(0, *[end.scores[seat] for seat in stayed])
    out = {*end.forfeited, *gone}
    best = max((end.scores[seat] for seat in stayed if seat not in out), default=0)
    winners = [seat for seat in end.winners if seat in stayed]
    if end.winners and not winners:
        winners = [seat for seat in stayed if seat not in out and end.scores[seat] == best]
    scores = tuple([end.scores[seat] if seat in stayed else least for seat in range(len(end.scores))])
    return end._replace(scores=scores, winners=tuple(winners), forfeited=tuple(sorted(out)))


def _score(table: Table, end: MatchEnd, seat: int) -> Fraction:
    """The score of a seat, or of the team that fills the table; who forfeits keeps nothing above 0."""
    if table.is_team:
        extra = sum(end.given)
        total = Fraction(sum(end.scores) - extra, len(end.scores)) + extra
        return min(total, Fraction(0)) if end.forfeited else total
    total = Fraction(end.scores[seat])
    return min(total, Fraction(0)) if seat in end.forfeited else total


def _by_wins(rules: Document, table: Table, end: MatchEnd, seat: int) -> Fraction:
    if not _has_won(table, end, seat) or seat in end.forfeited or (table.is_team and end.forfeited):
        return Fraction(rules["points"]["loss"])
    is_shared = len(end.winners) > 1 and not table.is_team
    return Fraction(rules["points"]["draw" if is_shared else "win"])


def _has_won(table: Table, end: MatchEnd, seat: int) -> bool:
    return bool(end.winners) if table.is_team else seat in end.winners


def _by_rank(rules: Document, end: MatchEnd, seat: int) -> Fraction:
    """Winners first, then by score, whoever forfeited last; equals share the average of their places' points. Where the
    rules have points for a forfeit, it is worth these, or those of the last place if they are fewer."""
    forfeit, worth = rules["points"].get("forfeit"), rules["points"]["points"]
    for other in rules["points"].get("by_size", []):
        worth = other if len(other) == len(end.scores) else worth
    if forfeit is not None and seat in end.forfeited:
        return Fraction(min(forfeit, worth[len(end.scores) - 1]))
    order = [(each in end.forfeited, each not in end.winners, _below(end, each)) for each in range(len(end.scores))]
    first = sum(1 for other in order if other < order[seat])
    equal = order.count(order[seat])
    return Fraction(sum(worth[first : first + equal]), equal)


def _below(end: MatchEnd, seat: int) -> int:
    """Rank a seat below the winners by its score; winners are equal, and so are those who have forfeited."""
    return 0 if seat in end.winners or seat in end.forfeited else -end.scores[seat]


def _points(rules: Document, table: Table, end: MatchEnd, seat: int) -> Fraction:
    by = rules["points"]["by"]
    if by == "score":
        return _score(table, end, seat)
    return _by_rank(rules, end, seat) if by == "rank" else _by_wins(rules, table, end, seat)


def _bye(rules: Document, scores: Sequence[Fraction]) -> Fraction:
    """Count a bye as the rules say; else as the median score of the round, the first place, or a win."""
    if rules["bye"] is not None:
        return Fraction(rules["bye"])
    by = rules["points"]["by"]
    if by == "rank":
        return Fraction(rules["points"]["points"][0])
    if by == "wins":
        return Fraction(rules["points"]["win"])
    middle = sorted(scores)[(len(scores) - 1) // 2 : len(scores) // 2 + 1]
    return sum(middle, Fraction(0)) / len(middle) if middle else Fraction(0)


class Recount:
    """The recount of the standings of one tournament."""

    def __init__(self, story: TournamentStory, results: Mapping[str, MatchEnd | None]) -> None:
        self.story = story
        self.done = [
            (table, _stand_in_last(table, end)) for table in story.tables if (end := results[table.match]) is not None
        ]
        self.at = [{side: self._of(table, end, side) for side in table.sides} for table, end in self.done]
        self.points = {entrant: self._total(entrant) for entrant in story.entrants}

    def _of(self, table: Table, end: MatchEnd, side: str) -> Fraction:
        return _points(self.story.rules, table, end, table.seats.index(side))

    def _total(self, entrant: str) -> Fraction:
        played = sum([at.get(entrant, Fraction(0)) for at in self.at], Fraction(0))
        rested = sum([self._rest(number) for number, who in self.story.byes if who == entrant], Fraction(0))
        return played + rested + sum([points for who, points in self.story.corrections if who == entrant], Fraction(0))

    def _rest(self, number: int) -> Fraction:
        pairs = zip(self.done, self.at, strict=True)
        return _bye(
            self.story.rules, [points for (table, _), at in pairs if table.round == number for points in at.values()]
        )

    def rows(self) -> list[RecountedRow]:
        """Return all rows, best ones first; entrants who are equal in everything share a place."""
        groups = _split([[*self.story.entrants]], self.points)
        figures: dict[str, dict[str, Fraction | None]] = {}
        for name in self.story.rules["tie_breaks"]:
            figures[name] = getattr(self, f"by_{name}")(groups)
            sign = -1 if name == "lot" else 1
            groups = _split(groups, {who: sign * (value or Fraction(0)) for who, value in figures[name].items()})
        found: list[RecountedRow] = []
        for group in groups:
            place = len(found) + 1
            for who in group:
                broken = tuple([(name, figures[name][who]) for name in self.story.rules["tie_breaks"]])
                found.append(RecountedRow(place, who, self.points[who], broken))
        return found

    def by_wins(self, _groups: Sequence[Sequence[str]]) -> dict[str, Fraction]:
        """Count matches won; a win that is shared is a part of one."""
        found = dict.fromkeys(self.story.entrants, Fraction(0))
        for table, end in self.done:
            for seat, side in enumerate(table.sides):
                if _has_won(table, end, seat):
                    found[side] += Fraction(1, 1 if table.is_team else len(end.winners))
        return found

    def by_score(self, _groups: Sequence[Sequence[str]]) -> dict[str, Fraction]:
        """Add up all scores."""
        found = dict.fromkeys(self.story.entrants, Fraction(0))
        for table, end in self.done:
            for side in table.sides:
                found[side] += _score(table, end, table.seats.index(side))
        return found

    def by_opponents(self, _groups: Sequence[Sequence[str]]) -> dict[str, Fraction]:
        """Add up for every match the average of the others' points, for every bye as many as one's own."""
        found = dict.fromkeys(self.story.entrants, Fraction(0))
        for table, _end in self.done:
            for side in table.sides:
                others = [self.points[other] for other in table.sides if other != side]
                found[side] += sum(others, Fraction(0)) / len(others)
        for _number, who in self.story.byes:
            found[who] += self.points[who]
        return found

    def by_head_to_head(self, groups: Sequence[Sequence[str]]) -> dict[str, Fraction | None]:
        """Count, among equals who have all met each other equally often, meetings won, and half of those that were
        even."""
        found: dict[str, Fraction | None] = {}
        for group in groups:
            meetings = {(one, other): self._met(one, other) for one in group for other in group if one != other}
            often = {len(each) for each in meetings.values()}
            says = len(often) == 1 and 0 not in often
            for who in group:
                against = [each for (one, _), every in meetings.items() if one == who for each in every]
                found[who] = sum(against, Fraction(0)) if says else None
        return found

    def _met(self, one: str, other: str) -> list[Fraction]:
        both = [at for at in self.at if one in at and other in at]
        return [Fraction((at[one] > at[other]) * 2 + (at[one] == at[other]), 2) for at in both]

    def by_lot(self, _groups: Sequence[Sequence[str]]) -> dict[str, Fraction | None]:
        """Return the order of the lots that the first round drew."""
        if not self.story.lots:
            return dict.fromkeys(self.story.entrants)
        seed = bytes.fromhex(self.story.lots)
        drawn = sorted(self.story.entrants, key=lambda who: hmac.digest(seed, _lp("tournament/1/lot", who), "sha256"))
        return {who: Fraction(number) for number, who in enumerate(drawn, 1)}


def _lp(*fields: str) -> bytes:
    return b"".join([len(field.encode()).to_bytes(4, "big") + field.encode() for field in fields])


def _split(groups: Sequence[Sequence[str]], figures: Mapping[str, Fraction]) -> list[list[str]]:
    return [
        [*equal]
        for group in groups
        for _figure, equal in groupby(sorted(group, key=lambda who: -figures[who]), lambda who: figures[who])
    ]


def recount(
    log: Iterable[bytes], files: Mapping[str, Iterable[bytes]], cooperative: Container[str]
) -> list[RecountedRow]:
    """Count the standings from the lines of a tournament's log and of its matches' replay files, by match.

    ``cooperative`` are the games, by slug, in which all win or lose together.
    """
    story = read_story(log)
    ends = {table.match: read_match_end(files[table.match], cooperative) for table in story.tables}
    return Recount(story, ends).rows()
