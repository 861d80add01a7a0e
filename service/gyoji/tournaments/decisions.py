"""Decides what may happen to a tournament: each decision is an event for its log, or a refusal, and changes nothing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from gyoji.games.game import Game
from gyoji.names import lookalike_key
from gyoji.tournaments.chance import seed_commitment
from gyoji.tournaments.match_points import MatchResult, is_begun, is_running
from gyoji.tournaments.rules import Pairing, TournamentRules, find_faults, write_rules
from gyoji.tournaments.tournament import MOST_CHECKS, MOST_ENTRANTS, MOST_JOINED, EntrantId, Round, Table, Tournament

Code = Literal[
    "tournament-closed",
    "impossible-rules",
    "name-taken",
    "no-teams",
    "team-size",
    "too-many-entrants",
    "all-rounds-paired",
    "rotation-begun",
    "unknown-entrant",
    "already-withdrawn",
    "not-withdrawn",
    "registration-closed",
    "too-many-joined",
    "no-check-in",
    "too-many-checks",
    "too-few-entrants",
    "too-few-present",
    "matches-running",
    "impossible-tables",
    "tables-needed",
    "no-rotation",
    "rotation-broken",
    "unknown-round",
    "unknown-table",
    "round-closed",
    "not-voided",
    "not-the-latest",
    "round-begun",
    "no-change",
    "nothing-announced",
    "rounds-open",
    "wrong-seed",
    "not-at-the-table",
    "no-table-of-that-size",
    "same-deals",
    "match-begun",
    "match-over",
    "match-void",
    "nobody-left",
    "already-forfeited",
    "not-forfeited",
    "stand-in-needed",
    "team-alone",
]


class RefusedDecision(NamedTuple):
    """The refusal of a change of a tournament: its code, and the public facts that show a person why. Nothing has
    changed."""

    code: Code
    facts: Mapping[str, Any] = {}


class Event(NamedTuple):
    """An event of a tournament's log, without what a store adds: number, time, actor, chain."""

    type: str
    data: Mapping[str, Any]


class ProposedRound(NamedTuple):
    """The tables that are proposed for the next round."""

    pairing: Pairing
    seed: str
    """Of the round, 128 hex digits."""
    tables: tuple[Table, ...]
    byes: tuple[EntrantId, ...]
    absent: tuple[EntrantId, ...] = ()
    """Who has not checked in."""


def decide_creation(title: str, rules: TournamentRules, game: Game[Any], seed: bytes) -> Event | RefusedDecision:
    """Decide whether a tournament can be created; ``seed`` are 32 random bytes that are kept until it is closed."""
    found = find_faults(rules, game)
    if found:
        return RefusedDecision("impossible-rules", {"faults": [fault._asdict() for fault in found]})
    return Event(
        "tournament_created", {"title": title, "rules": write_rules(rules), "seed_commitment": seed_commitment(seed)}
    )


def decide_entry(tournament: Tournament, name: str, members: Sequence[str] = ()) -> Event | RefusedDecision:
    """Decide whether somebody may enter; ``members`` are the players of a team. Who comes late has missed the rounds
    before."""
    refusal = _refuse_everybody(tournament) or _refuse_name(tournament, name) or _refuse_team(tournament.rules, members)
    if refusal:
        return refusal
    entrant = f"e{len(tournament.entrants) + 1}"
    return Event("entrant_added", {"entrant": entrant, "name": name, "members": (*members,)})


def decide_registration(
    tournament: Tournament, *, is_open: bool, renew: bool = False
) -> Event | RefusedDecision | None:
    """Decide whether anybody may enter from now on who has the joining link, or nobody; ``None`` where it is so
    already. ``renew``: the link that was in force is not any more, and there is another."""
    registration = tournament.registration
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    if not is_open:
        return Event("registration_closed", {}) if registration.open else None
    refusal = _refuse_everybody(tournament)
    if refusal or (registration.open and not renew):
        return refusal
    return Event("registration_opened", {"link": max(1, registration.link + renew)})


def decide_joining(tournament: Tournament, name: str, members: Sequence[str] = ()) -> Event | RefusedDecision:
    """Decide whether somebody may enter by the joining link."""
    if not tournament.closed and not tournament.registration.open:
        return RefusedDecision("registration-closed")
    if len(tournament.entrants) >= MOST_JOINED:
        return RefusedDecision("too-many-joined", {"most": MOST_JOINED})
    return decide_entry(tournament, name, members)


def _refuse_everybody(tournament: Tournament) -> RefusedDecision | None:
    """Return why nobody may enter any more, whoever it is."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    if len(tournament.rounds) >= tournament.rules.rounds:
        return RefusedDecision("all-rounds-paired", {"rounds": tournament.rules.rounds})
    if tournament.rules.pairing == "rotation" and tournament.rounds:
        return RefusedDecision("rotation-begun")
    if len(tournament.entrants) >= MOST_ENTRANTS:
        return RefusedDecision("too-many-entrants", {"most": MOST_ENTRANTS})
    return None


def _refuse_name(tournament: Tournament, name: str) -> RefusedDecision | None:
    alike = lookalike_key(name)
    taken = next((entrant for entrant in tournament.entrants if lookalike_key(entrant.name) == alike), None)
    return None if taken is None else RefusedDecision("name-taken", {"name": taken.name})


def _refuse_team(rules: TournamentRules, members: Sequence[str]) -> RefusedDecision | None:
    if members and not rules.teams:
        return RefusedDecision("no-teams")
    if rules.teams and len(members) not in rules.seats:
        return RefusedDecision("team-size", {"seats": rules.seats, "members": len(members)})
    return None


def decide_withdrawal(tournament: Tournament, entrant: EntrantId) -> Event | RefusedDecision:
    """Decide whether an entrant may withdraw: it plays no further round, and what it has played stays."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    found = tournament.entrant(entrant)
    if found is None:
        return RefusedDecision("unknown-entrant", {"entrant": entrant})
    if found.withdrawn is not None:
        return RefusedDecision("already-withdrawn", {"entrant": entrant})
    return Event("entrant_withdrawn", {"entrant": entrant})


def decide_return(tournament: Tournament, entrant: EntrantId) -> Event | RefusedDecision:
    """Decide whether an entrant who has withdrawn may come back: it plays the rounds that are paired from now on."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    found = tournament.entrant(entrant)
    if found is None:
        return RefusedDecision("unknown-entrant", {"entrant": entrant})
    if found.withdrawn is None:
        return RefusedDecision("not-withdrawn", {"entrant": entrant})
    return Event("entrant_returned", {"entrant": entrant})


def decide_presence(
    tournament: Tournament, entrant: EntrantId, *, present: bool, own: bool
) -> Event | RefusedDecision | None:
    """Decide whether an entrant is here from now on, or is not; ``None`` where that is known already. ``own``: the
    entrant says so, who may not fill the log with it."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    if not tournament.rules.check_in:
        return RefusedDecision("no-check-in")
    found = tournament.entrant(entrant)
    if found is None:
        return RefusedDecision("unknown-entrant", {"entrant": entrant})
    if found.withdrawn is not None:
        return RefusedDecision("already-withdrawn", {"entrant": entrant})
    if found.present == present:
        return None
    if own and found.checks >= MOST_CHECKS:
        return RefusedDecision("too-many-checks", {"most": MOST_CHECKS})
    return Event("entrant_present" if present else "entrant_absent", {"entrant": entrant})


def decide_round(tournament: Tournament, paired: ProposedRound, matches: Sequence[str]) -> Event:
    """Return the event of the next round as it was proposed; ``matches`` are the ids of its matches, by table."""
    tables = [
        {"table": table.number, "match": match, "seats": table.seats}
        for table, match in zip(paired.tables, matches, strict=True)
    ]
    absent = {"absent": paired.absent} if paired.absent else {}
    return Event(
        "round_paired",
        {
            "round": len(tournament.rounds) + 1,
            "pairing": paired.pairing,
            "seed": paired.seed,
            "tables": tables,
            "byes": paired.byes,
            **absent,
        },
    )


def decide_rematch(
    tournament: Tournament, number: int, table: int, match: str, results: Mapping[str, MatchResult]
) -> Event | RefusedDecision:
    """Decide whether another match may be played at a table: its match has to be void."""
    found = open_round(tournament, number)
    if isinstance(found, RefusedDecision):
        return found
    if not 1 <= table <= len(found.tables):
        return RefusedDecision("unknown-table", {"round": number, "table": table})
    before = results.get(found.tables[table - 1].match or "")
    if before is None or before.status != "voided":
        return RefusedDecision("not-voided", {"round": number, "table": table})
    return Event("match_replaced", {"round": number, "table": table, "match": match})


def decide_round_close(
    tournament: Tournament, number: int, results: Mapping[str, MatchResult]
) -> Event | RefusedDecision:
    """Decide whether a round may be closed, so that no result of it changes any more.

    All its matches have to be over; one that is void counts for nobody.
    """
    found = open_round(tournament, number)
    if isinstance(found, RefusedDecision):
        return found
    running = running_tables([found], results)
    return (
        RefusedDecision("matches-running", {"tables": running}) if running else Event("round_closed", {"round": number})
    )


def decide_round_take_back(
    tournament: Tournament, number: int, results: Mapping[str, MatchResult]
) -> Event | RefusedDecision:
    """Decide whether the latest round may be taken back, as if it had not been paired.

    Nobody may have begun to play in it; its matches become void.
    """
    found = open_round(tournament, number)
    if isinstance(found, RefusedDecision):
        return found
    if number < len(tournament.rounds):
        return RefusedDecision("not-the-latest", {"round": number, "rounds": len(tournament.rounds)})
    begun = [
        {"round": number, "table": table.number} for table in found.tables if is_begun(results.get(table.match or ""))
    ]
    return (
        RefusedDecision("round-begun", {"round": number, "tables": begun})
        if begun
        else Event("round_taken_back", {"round": number})
    )


def open_round(tournament: Tournament, number: int) -> Round | RefusedDecision:
    """Return the round, unless it is closed or not there."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    found = tournament.round(number)
    if found is None:
        return RefusedDecision("unknown-round", {"round": number, "rounds": len(tournament.rounds)})
    return RefusedDecision("round-closed", {"round": number}) if found.closed else found


def running_tables(rounds: Sequence[Round], results: Mapping[str, MatchResult]) -> list[dict[str, int]]:
    """List the tables whose matches are not over, by round and number."""
    return [
        {"round": found.number, "table": table.number}
        for found in rounds
        for table in found.tables
        if is_running(results.get(table.match or ""))
    ]


def decide_correction(
    tournament: Tournament, entrant: EntrantId, points: Fraction, reason: str
) -> Event | RefusedDecision:
    """Decide whether points may be given or taken beside all matches."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    if tournament.entrant(entrant) is None:
        return RefusedDecision("unknown-entrant", {"entrant": entrant})
    if points == 0:
        return RefusedDecision("no-change")
    return Event("correction_made", {"entrant": entrant, "points": str(points), "reason": reason})


def decide_announcement(tournament: Tournament, text: str | None) -> Event | RefusedDecision:
    """Decide whether something may be announced to everybody, in place of what was; ``None``: nothing any more."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    if text is None and tournament.announcement is None:
        return RefusedDecision("nothing-announced")
    return Event("announcement_made", {"text": text})


def decide_close(tournament: Tournament, seed: bytes) -> Event | RefusedDecision:
    """Decide whether a tournament may be closed: its standings are final then, and the seed of the lots is
    disclosed."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    if seed_commitment(seed) != tournament.commitment:
        return RefusedDecision("wrong-seed")
    still_open = [found.number for found in tournament.rounds if not found.closed]
    return (
        RefusedDecision("rounds-open", {"rounds": still_open})
        if still_open
        else Event("tournament_closed", {"seed": seed.hex()})
    )
