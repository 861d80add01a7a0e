"""What may happen to a tournament: every decision is an event for its log, or a refusal, and changes nothing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from gyoji.games.game import Game
from gyoji.names import likeness
from gyoji.tournaments.chance import commitment
from gyoji.tournaments.refusals import Refusal
from gyoji.tournaments.results import MatchResult, is_begun, is_running
from gyoji.tournaments.rules import Pairing, Rules, faults, write_rules
from gyoji.tournaments.tournament import MOST_ENTRANTS, EntrantId, Round, Table, Tournament


class Event(NamedTuple):
    """An event of a tournament's log, without what a store adds: number, time, actor, chain."""

    type: str
    data: Mapping[str, Any]


class Paired(NamedTuple):
    """Tables that are proposed for the next round."""

    pairing: Pairing
    seed: str
    """Of the round, 128 hex digits."""
    tables: tuple[Table, ...]
    byes: tuple[EntrantId, ...]


def created(title: str, rules: Rules, game: Game[Any], seed: bytes) -> Event | Refusal:
    """A new tournament; ``seed`` are 32 random bytes that are kept until it is closed."""
    found = faults(rules, game)
    if found:
        return Refusal("impossible-rules", {"faults": [fault._asdict() for fault in found]})
    return Event(
        "tournament_created", {"title": title, "rules": write_rules(rules), "seed_commitment": commitment(seed)}
    )


def entered(tournament: Tournament, name: str, members: Sequence[str] = ()) -> Event | Refusal:
    """Somebody enters; ``members`` are the players of a team. Who comes late has missed the rounds before."""
    refusal = _cannot_enter(tournament, name) or _no_such_team(tournament.rules, members)
    if refusal:
        return refusal
    entrant = f"e{len(tournament.entrants) + 1}"
    return Event("entrant_added", {"entrant": entrant, "name": name, "members": (*members,)})


def _cannot_enter(tournament: Tournament, name: str) -> Refusal | None:
    if tournament.closed:
        return Refusal("tournament-closed")
    if len(tournament.rounds) >= tournament.rules.rounds:
        return Refusal("all-rounds-paired", {"rounds": tournament.rules.rounds})
    if tournament.rules.pairing == "rotation" and tournament.rounds:
        return Refusal("rotation-begun")
    if len(tournament.entrants) >= MOST_ENTRANTS:
        return Refusal("too-many-entrants", {"most": MOST_ENTRANTS})
    alike = likeness(name)
    taken = next((entrant for entrant in tournament.entrants if likeness(entrant.name) == alike), None)
    return None if taken is None else Refusal("name-taken", {"name": taken.name})


def _no_such_team(rules: Rules, members: Sequence[str]) -> Refusal | None:
    if members and not rules.teams:
        return Refusal("no-teams")
    if rules.teams and len(members) not in rules.seats:
        return Refusal("team-size", {"seats": rules.seats, "members": len(members)})
    return None


def withdrawn(tournament: Tournament, entrant: EntrantId) -> Event | Refusal:
    """An entrant plays no further round. What it has played stays."""
    if tournament.closed:
        return Refusal("tournament-closed")
    found = tournament.entrant(entrant)
    if found is None:
        return Refusal("unknown-entrant", {"entrant": entrant})
    if found.withdrawn is not None:
        return Refusal("already-withdrawn", {"entrant": entrant})
    return Event("entrant_withdrawn", {"entrant": entrant})


def round_paired(tournament: Tournament, paired: Paired, matches: Sequence[str]) -> Event:
    """The next round as it was proposed; ``matches`` are the ids of its matches, by table."""
    tables = [
        {"table": table.number, "match": match, "seats": table.seats}
        for table, match in zip(paired.tables, matches, strict=True)
    ]
    number = len(tournament.rounds) + 1
    return Event(
        "round_paired",
        {"round": number, "pairing": paired.pairing, "seed": paired.seed, "tables": tables, "byes": paired.byes},
    )


def match_replaced(
    tournament: Tournament, number: int, table: int, match: str, results: Mapping[str, MatchResult]
) -> Event | Refusal:
    """Another match is played at a table whose match is void."""
    found = _open_round(tournament, number)
    if isinstance(found, Refusal):
        return found
    if not 1 <= table <= len(found.tables):
        return Refusal("unknown-table", {"round": number, "table": table})
    before = results.get(found.tables[table - 1].match or "")
    if before is None or before.status != "voided":
        return Refusal("not-voided", {"round": number, "table": table})
    return Event("match_replaced", {"round": number, "table": table, "match": match})


def round_closed(tournament: Tournament, number: int, results: Mapping[str, MatchResult]) -> Event | Refusal:
    """No result of the round changes any more. All its matches have to be over; one that is void counts for nobody."""
    found = _open_round(tournament, number)
    if isinstance(found, Refusal):
        return found
    running = running_tables([found], results)
    return Refusal("matches-running", {"tables": running}) if running else Event("round_closed", {"round": number})


def round_taken_back(tournament: Tournament, number: int, results: Mapping[str, MatchResult]) -> Event | Refusal:
    """The latest round is as if it had not been paired. Nobody has begun to play in it; its matches become void."""
    found = _open_round(tournament, number)
    if isinstance(found, Refusal):
        return found
    if number < len(tournament.rounds):
        return Refusal("not-the-latest", {"round": number, "rounds": len(tournament.rounds)})
    begun = [
        {"round": number, "table": table.number} for table in found.tables if is_begun(results.get(table.match or ""))
    ]
    return (
        Refusal("round-begun", {"round": number, "tables": begun})
        if begun
        else Event("round_taken_back", {"round": number})
    )


def _open_round(tournament: Tournament, number: int) -> Round | Refusal:
    if tournament.closed:
        return Refusal("tournament-closed")
    found = tournament.round(number)
    if found is None:
        return Refusal("unknown-round", {"round": number, "rounds": len(tournament.rounds)})
    return Refusal("round-closed", {"round": number}) if found.closed else found


def running_tables(rounds: Sequence[Round], results: Mapping[str, MatchResult]) -> list[dict[str, int]]:
    """The tables whose matches are not over, by round and number."""
    return [
        {"round": found.number, "table": table.number}
        for found in rounds
        for table in found.tables
        if is_running(results.get(table.match or ""))
    ]


def corrected(tournament: Tournament, entrant: EntrantId, points: Fraction, reason: str) -> Event | Refusal:
    """Points are given or taken beside all matches."""
    if tournament.closed:
        return Refusal("tournament-closed")
    if tournament.entrant(entrant) is None:
        return Refusal("unknown-entrant", {"entrant": entrant})
    if points == 0:
        return Refusal("no-change")
    return Event("correction_made", {"entrant": entrant, "points": str(points), "reason": reason})


def closed(tournament: Tournament, seed: bytes) -> Event | Refusal:
    """The standings are final, and the seed of the lots is told."""
    if tournament.closed:
        return Refusal("tournament-closed")
    if commitment(seed) != tournament.commitment:
        return Refusal("wrong-seed")
    still_open = [found.number for found in tournament.rounds if not found.closed]
    return (
        Refusal("rounds-open", {"rounds": still_open})
        if still_open
        else Event("tournament_closed", {"seed": seed.hex()})
    )
