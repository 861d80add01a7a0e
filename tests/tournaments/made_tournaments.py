"""Makes tournaments to test with, of decisions and the fold alone, played with results of chance."""

from collections.abc import Mapping
from random import Random
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.tournaments import decisions
from gyoji.tournaments.decisions import Event, ProposedRound, RefusedDecision
from gyoji.tournaments.fold import apply_creation, apply_event
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.pairings import propose_round
from gyoji.tournaments.rules import PointsRule, TournamentRules
from gyoji.tournaments.tournament import Table, Tournament

SEED = bytes(range(32))
RANK = PointsRule("rank", (5, 3, 2, 1, 0, 0))
OLD_RANK = RANK._replace(forfeit=None)
"""As in tournaments that were made before a forfeit had points of its own."""
WINS = PointsRule("wins", (), 2, 1, 0)
SCORE = PointsRule("score")


def rules(**changes: Any) -> TournamentRules:
    """Six rounds of CATTE at tables of four or three, by standings, the places counting."""
    return TournamentRules(
        "catte", 1, False, (4, 3), {}, "public_on_close", None, False, 6, "swiss", RANK, None, ()
    )._replace(**changes)


def of_teams(**changes: Any) -> TournamentRules:
    """Three rounds of the cooperative game, its scores counting."""
    return rules(game="familiars-trouble", teams=True, seats=(3,), rounds=3, pairing="draw", points=SCORE)._replace(
        **changes
    )


def start_tournament(chosen: TournamentRules, entrants: int) -> Tournament:
    """Start a tournament that so many have entered: ``e1``, ``e2`` and so on."""
    event = decisions.decide_creation("Spring Cup", chosen, BY_SLUG[chosen.game], SEED)
    tournament = apply_creation(taken(event).data)
    for number in range(1, entrants + 1):
        members = [f"{number}{letter}" for letter in "abcdef"[: chosen.seats[0]]] if chosen.teams else []
        tournament = after(tournament, decisions.decide_entry(tournament, f"Entrant {number}", members))
    return tournament


def taken(decision: Event | RefusedDecision) -> Event:
    """Return the event, where nothing stands against it."""
    assert isinstance(decision, Event), decision
    return decision


def after(tournament: Tournament, decision: Event | RefusedDecision) -> Tournament:
    """Return the tournament after a decision that nothing stands against."""
    event = taken(decision)
    return apply_event(tournament, event.type, event.data)


def refused(decision: object) -> RefusedDecision:
    """Return the refusal that is expected."""
    assert isinstance(decision, RefusedDecision), decision
    return decision


def proposed(tournament: Tournament, results: Mapping[str, MatchResult], **how: Any) -> ProposedRound:
    """Return the tables of the next round, where nothing stands against them."""
    found = propose_round(tournament, results, SEED, **how)
    assert isinstance(found, ProposedRound), found
    return found


def with_round(tournament: Tournament, round_: ProposedRound) -> Tournament:
    """Return the tournament with one more round; matches are called by round and table: ``2/1``."""
    number = len(tournament.rounds) + 1
    matches = [f"{number}/{table.number}" for table in round_.tables]
    return after(tournament, decisions.decide_round(tournament, round_, matches))


def played(*scores: int, winners: tuple[int, ...] | None = None, **more: Any) -> MatchResult:
    """Return a match that was played to its end; the highest score wins unless another result is given."""
    best = tuple([seat for seat, score in enumerate(scores) if score == max(scores)])
    return MatchResult("finished", "play", scores, best if winners is None else winners)._replace(**more)


VOID = MatchResult("voided")
RUNNING = MatchResult("playing")


def random_result(chance: Random, table: Table) -> MatchResult:
    """Any result that a table may come to: scores that often tie, adjustments, forfeits, none at all."""
    kind = chance.choice(["play"] * 6 + ["forfeit", "ruling", "void", "running"])
    if kind in ("void", "running"):
        return VOID if kind == "void" else RUNNING
    adjustments = tuple([chance.choice([0, 0, 1, -2]) for _ in table.seats]) if chance.random() < 0.3 else ()
    if len(table.entrants) == 1:
        return _of_a_team(chance.randint(-3, 30), adjustments or (0, 0, 0), kind == "forfeit")
    scores = tuple([chance.randint(-3, 6) for _ in table.seats])
    forfeited = tuple(sorted(chance.sample(range(len(scores)), chance.randint(1, 2)))) if kind == "forfeit" else ()
    left = [score for seat, score in enumerate(scores) if seat not in forfeited]
    winners = tuple(
        [seat for seat, score in enumerate(scores) if seat not in forfeited and score == max(left, default=0)]
    )
    return MatchResult("finished", "forfeit" if forfeited else "play", scores, winners, forfeited, 9, adjustments)


def _of_a_team(score: int, adjustments: tuple[int, ...], forfeited: bool) -> MatchResult:
    """Return the result of a team: all win or lose together; each seat has the score of all and its own adjustments."""
    scores = tuple([score + given for given in adjustments])
    if forfeited:
        return MatchResult("finished", "forfeit", scores, (), (1,), 9, adjustments)
    return MatchResult("finished", "play", scores, (0, 1, 2), (), 9, adjustments)
