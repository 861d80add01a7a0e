"""Settles what comes of an entrant who is not there, without ending the match for the others at the table: it is taken
out of a match that nobody has begun; or it forfeits, and a stand-in plays on in its seat.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from gyoji.app.disclosures import OVER
from gyoji.app.idempotency import do_once
from gyoji.app.match_states import head_of
from gyoji.app.matches.rulings import key_of
from gyoji.app.matches.seats import seats_after_substitution, written_second
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import parse_document
from gyoji.app.tournament_state import results_of
from gyoji.app.tournaments.appends import TournamentChange, accept_decision, append, refuse
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.holds import is_held
from gyoji.app.tournaments.rounds import (
    InRound,
    at_table,
    cancel_matches,
    group_of,
    in_round,
    results_at_deal,
    settle_groups,
)
from gyoji.app.tournaments.tables import make_matches
from gyoji.games.catalogue import BY_VERSION
from gyoji.games.game import Seat
from gyoji.match import recorder
from gyoji.match.events.kind import Refusal
from gyoji.match.rulings.kind import Ruling
from gyoji.match.state import MatchState
from gyoji.messages.problems import words_allowed
from gyoji.messages.tournaments import stand_in_reason
from gyoji.players.players import players_of
from gyoji.store.interface import Match, Seating
from gyoji.store.tournaments import MatchAppend
from gyoji.tournaments.no_shows import decide_forfeit, decide_reinstatement, decide_removal
from gyoji.tournaments.tournament import EntrantId, Table


class NoShow(NamedTuple):
    """A no-show that is to be settled."""

    round: int
    table: int
    sent: Mapping[str, Any]

    @property
    def at(self) -> tuple[int, int]:
        """The numbers of the round and of the table."""
        return self.round, self.table

    @property
    def stand_in(self) -> str | None:
        """The name of who plays on in the seat, if anybody is named."""
        bot: str | None = self.sent.get("bot")
        name: str | None = self.sent.get("stand_in")
        return name if bot is None else f"{bot} (bot)"


def settle_no_show(request: TournamentRequest, number: int, table: int, body: bytes) -> InRound:
    """Answer ``settleNoShow``: the entrant is removed from the match, or has forfeited it, or has not after all. The
    match goes on for the others."""
    key = request.read_key(f"settleNoShow {number} {table}", body)
    at_table(request, number, table)

    def make() -> InRound:
        settled = NoShow(number, table, _read_body(request, body))
        seen = request.context.precondition(demanded=False)
        decide = _remove if settled.sent["outcome"] == "removed" else _reckon
        after, decided = append(request, seen, key, partial(decide, settled))
        settle_groups(after, decided.closing)
        return in_round(after, number)._replace(made=decided.names)

    return do_once(request.services, key, make, lambda _known: in_round(request.read_again(), number))


def _read_body(request: TournamentRequest, body: bytes) -> Mapping[str, Any]:
    """Read the body. Raises 422 too where somebody is to play on though nobody forfeits, where two are to, or a bot
    that cannot play the game; 403 for a bot that the operator does not allow."""
    sent: Mapping[str, Any] = parse_document(request.context, "tournaments", "no-shows", body)
    named = [name for name in ("stand_in", "bot") if name in sent]
    wrong = [(f"/{name}", "not-allowed") for name in (named if sent["outcome"] != "forfeited" else named[1:])]
    rules, bot = request.tournament.rules, sent.get("bot")
    able = players_of(BY_VERSION[rules.game, rules.version])
    if bot is not None and bot not in able:
        wrong.append(("/bot", words_allowed(able)))
    if wrong:
        raise request.context.invalid(wrong)
    if bot is not None and bot not in request.services.settings.players:
        raise HttpProblem("bots-not-allowed")
    return sent


def _remove(settled: NoShow, now: TournamentRequest) -> TournamentChange:
    """Make the match void, and one with a seat less in its place, held where the other was."""
    found, rules = in_round(now, settled.round), now.tournament.rules
    table = found.round.tables[settled.table - 1]
    row = now.services.store.match(table.match or "")
    rows = [] if row is None else [row]
    results, entrant = results_at_deal(now, rows), settled.sent["entrant"]
    left = table._replace(seats=tuple([each for each in table.seats if each != entrant]))
    game = BY_VERSION[rules.game, rules.version]
    event = accept_decision(now, decide_removal(now.tournament, game, settled.at, entrant, "", results))
    before, held = group_of(now, table.match), is_held(now.services, found.round, results, row)
    new = make_matches(now, settled.round, [left], held=held)
    ruled, cancelled = cancel_matches(now.services, rows)
    return new._replace(
        events=[event._replace(data={**event.data, "match": new.names[0]})],
        ruled=ruled,
        closing=[] if before is None else [before.group],
        void=[each.match for each in rows if each.head.status in OVER],
        states=[*new.states, *cancelled],
    )


def _reckon(settled: NoShow, now: TournamentRequest) -> TournamentChange:
    """Let the entrant forfeit, with a stand-in in the seat from now on; or count its match for it after all."""
    tournament, entrant = now.tournament, settled.sent["entrant"]
    if settled.sent["outcome"] == "reinstated":
        return TournamentChange([accept_decision(now, decide_reinstatement(tournament, settled.at, entrant))])
    results = results_of(now.services, now.held)
    table = in_round(now, settled.round).round.tables[settled.table - 1]
    row = now.services.store.match(table.match or "")
    if row is None:
        raise HttpProblem("not-found")
    match = now.services.match_states.latest(row)
    is_playing = row.head.status not in OVER and _sits(now, match, table, entrant)
    events = []
    # One who has forfeited a match that was over plays again where a ruling has let it go on.
    if not (entrant in table.forfeited and is_playing and settled.stand_in is not None):
        events = [accept_decision(now, decide_forfeit(tournament, settled.at, entrant, results))]
    if settled.stand_in is None:
        if is_playing:
            raise refuse(now, "stand-in-needed")
        return TournamentChange(events)
    if row.head.status in OVER:
        raise refuse(now, "match-over", {"round": settled.round, "table": settled.table})
    ruled, state = _substitute(settled, now, row, match, table.seats.index(entrant))
    return TournamentChange(events, ruled=[ruled], states=[state])


def _sits(now: TournamentRequest, match: MatchState, table: Table, entrant: EntrantId) -> bool:
    """Tell whether an entrant sits in its seat. A referee may have seated it there again."""
    if entrant not in table.seats:
        return False
    names, own = match.course.names, now.tournament.entrant(entrant)
    name = None if own is None else own.name
    return names.get(table.seats.index(entrant), name) == name


def _substitute(
    settled: NoShow, now: TournamentRequest, row: Match, match: MatchState, seat: Seat
) -> tuple[MatchAppend, MatchState]:
    """Record that the stand-in takes over the seat, whose tokens from before are void."""
    by = {"role": "operator", "key": key_of(now.caller)}
    reason = stand_in_reason()[now.context.language]
    ruling = Ruling("substitute", by, reason, seat=seat, name=settled.stand_in)
    ruled = recorder.rule(match, ruling, now.services.at_after(match), now.services.salt)
    if isinstance(ruled, Refusal):
        raise ValueError(f"a match that is {match.status} takes no stand-in: {ruled.code}")
    entries, after = ruled
    seats = _with_bot(seats_after_substitution(row.seats, seat, written_second(entries[0])), seat, settled)
    return MatchAppend(row.match, row.head.seq, entries, head_of(after), (row.seats, seats)), after


def _with_bot(seats: tuple[Seating, ...], seat: Seat, settled: NoShow) -> tuple[Seating, ...]:
    changed = seats[seat]._replace(bot=settled.sent.get("bot"))
    return (*seats[:seat], changed, *seats[seat + 1 :])
