"""Rounds: paired, with all their matches at once or not at all; closed; a match that is void, replaced."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from gyoji.app.application import head_of
from gyoji.app.logs import log_aside
from gyoji.app.problems import HttpProblem
from gyoji.app.tournament_state import results_of
from gyoji.match.recorder import cancelled
from gyoji.match.state import MatchState
from gyoji.messages.language import Language
from gyoji.messages.problems import invalid_request
from gyoji.store.groups import Group
from gyoji.store.interface import Remembered, Unavailable
from gyoji.store.tournaments import Ended
from gyoji.tournaments.deciding import Paired, match_replaced, round_closed, round_paired, round_taken_back
from gyoji.tournaments.pairing import by_hand, paired
from gyoji.tournaments.recording import read
from gyoji.tournaments.tournament import Round
from gyoji.web.matches.asking import Refusal
from gyoji.web.matches.preconditions import Precondition, if_match, once
from gyoji.web.settling import OVER, settle_group
from gyoji.web.tournaments.asking import AskedOf
from gyoji.web.tournaments.sending import key_of, sent_document
from gyoji.web.tournaments.tables import Made, made
from gyoji.web.tournaments.writing import Decided, must_stand, refuse, seen_at, taken, written


class InRound(NamedTuple):
    """A round of the tournament as it stands."""

    asked: AskedOf
    round: Round
    made: tuple[str, ...] = ()
    """The matches that this very request made."""


def in_round(asked: AskedOf, number: int) -> InRound:
    """The round of that number; what there is not is not found."""
    found = asked.tournament.round(number)
    if found is None:
        raise HttpProblem("not-found")
    return InRound(asked, found)


def new_round(asked: AskedOf, body: bytes, language: Language) -> InRound:
    """``pairRound``: the next round with its matches; with ``dry_run`` only what it would be, and nothing is stored.

    Whoever pairs while matches are played says what that rests on: nothing else would stop a request that comes twice.
    """
    key = key_of(asked, "pairRound", body)

    def make() -> InRound:
        sent = _sent(asked, body, language)
        dry = sent.get("dry_run", False)
        seen = seen_at(key, demanded=sent.get("early", False) and not dry)
        if dry:
            must_stand(seen, asked.held)
            return _proposed(asked, proposal(asked, sent))
        after, tables = _kept(asked, seen, key, sent)
        return InRound(after, after.tournament.rounds[-1], tables.names)

    return once(asked.desk, key, make, partial(_paired_before, asked))


def _sent(asked: AskedOf, body: bytes, language: Language) -> Mapping[str, Any]:
    """The body; 422 too where tables are given and something else is to make them, or the other way round."""
    address = f"{asked.path}/rounds"
    sent: Mapping[str, Any] = sent_document(body, "rounds", address, language)
    wrong = [("/byes", "not-allowed")] if "byes" in sent and "tables" not in sent else []
    if "tables" in sent and sent.get("pairing", "hand") != "hand":
        wrong.append(("/pairing", "not-allowed"))
    if wrong:
        raise Refusal(invalid_request(wrong, address, language), language)
    return sent


def _paired_before(asked: AskedOf, known: Remembered) -> InRound:
    asked = asked.read_again()
    (entry,) = asked.desk.store.tournaments.entries(asked.held.tournament, known.seq - 1, known.seq)
    return in_round(asked, read(entry)["data"]["round"])


def proposal(asked: AskedOf, sent: Mapping[str, Any]) -> Paired:
    """The next round as it would be paired, or as it is given by hand; ``early``: whatever is still played."""
    tournament, results, seed = asked.tournament, results_of(asked.desk, asked.held), asked.held.secret
    early = sent.get("early", False)
    if "tables" in sent:
        return taken(asked, by_hand(tournament, results, sent["tables"], sent.get("byes", ()), seed, early))
    return taken(asked, paired(tournament, results, seed, sent.get("pairing"), early))


def _proposed(asked: AskedOf, proposed: Paired) -> InRound:
    number = len(asked.tournament.rounds) + 1
    return InRound(asked, Round(number, proposed.pairing, proposed.seed, proposed.tables, proposed.byes))


def _kept(asked: AskedOf, seen: Precondition, key: Any, sent: Mapping[str, Any]) -> tuple[AskedOf, Made]:
    """The round, stored with all its matches, and these."""
    latest: list[Made] = []

    def decide(now: AskedOf) -> Decided:
        proposed, tournament = proposal(now, sent), now.tournament
        tables = made(now, len(tournament.rounds) + 1, proposed.tables)
        latest[:] = [tables]
        event = round_paired(tournament, proposed, tables.names)
        return Decided([event], groups=tables.groups, matches=tables.matches)

    after = written(asked, seen, key, decide)
    _begun(after, latest[0])
    return after, latest[0]


def _begun(asked: AskedOf, tables: Made) -> None:
    """The matches are there: what this process remembers of them, and the events for the metrics."""
    for standing in tables.standings:
        asked.desk.standings.remember(standing)
    asked.desk.count_events(sum(len(new.entries) for new in tables.matches))


def replacement(asked: AskedOf, number: int, table: int) -> InRound:
    """``replaceMatch``: another match at a table whose match is void. Its deals are new, unless all tables of the round
    share theirs."""
    key = key_of(asked, f"replaceMatch {number} {table}", b"")
    _at_table(asked, number, table)

    def make() -> InRound:
        latest: list[tuple[Decided, Made]] = []

        def decide(now: AskedOf) -> Decided:
            latest[:] = [_replaced(now, number, table)]
            return latest[0][0]

        after = written(asked, if_match(demanded=False), key, decide)
        decided, tables = latest[0]
        _begun(after, tables)
        _settle_behind(after, decided.closing)
        return in_round(after, number)._replace(made=tables.names)

    return once(asked.desk, key, make, lambda _known: in_round(asked.read_again(), number))


def _at_table(asked: AskedOf, number: int, table: int) -> None:
    if not 1 <= table <= len(in_round(asked, number).round.tables):
        raise HttpProblem("not-found")


def _replaced(now: AskedOf, number: int, table: int) -> tuple[Decided, Made]:
    found = in_round(now, number).round.tables[table - 1]
    before, void = _group_of(now, found.match), [] if found.match is None else [found.match]
    duplicate = now.tournament.rules.duplicate
    tables = made(now, number, [found], before if duplicate else None)
    results = results_of(now.desk, now.held)
    match = tables.matches[0].match.match
    event = taken(now, match_replaced(now.tournament, number, table, match, results))
    closing = [] if duplicate or before is None else [before.group]
    return Decided([event], groups=tables.groups, matches=tables.matches, closing=closing, void=void), tables


def closed(asked: AskedOf, number: int) -> InRound:
    """``closeRound``: its results stand, and everything about its matches is told."""
    key = key_of(asked, f"closeRound {number}", b"")
    in_round(asked, number)

    def make() -> InRound:
        after = written(asked, if_match(demanded=False), key, partial(_closing, number))
        return in_round(after, number)

    done = once(asked.desk, key, make, lambda _known: in_round(asked.read_again(), number))
    _settle_behind(done.asked, groups_of(done))
    return done


def _closing(number: int, now: AskedOf) -> Decided:
    found = in_round(now, number).round
    event = taken(now, round_closed(now.tournament, number, results_of(now.desk, now.held)))
    groups = groups_of(InRound(now, found))
    running = [match for group in groups for match in _in_play(now, group)]
    if running:
        raise refuse(now, "matches-running", {"tables": _tables_of(now, running)})
    return Decided([event], closing=groups)


def taken_back(asked: AskedOf, number: int) -> AskedOf:
    """``takeBackRound``: the latest round, which nobody has begun, is not paired any more. Its matches become void, and
    tell everything; its number is paired anew. Demanded is what the caller saw: a request that comes twice must not
    take back the round that was paired after the first time."""
    key = key_of(asked, f"takeBackRound {number}", b"")

    def make() -> AskedOf:
        in_round(asked, number)
        latest: list[_TakenBack] = []

        def decide(now: AskedOf) -> Decided:
            latest[:] = [_taken_back(now, number)]
            return latest[0].decided

        after = written(asked, seen_at(key, demanded=True), key, decide)
        for standing in latest[0].standings:
            asked.desk.standings.remember(standing)
        asked.desk.count_events(sum(len(each.entries) for each in latest[0].decided.ending))
        _settle_behind(after, latest[0].decided.closing)
        return after

    return once(asked.desk, key, make, lambda _known: asked.read_again())


class _TakenBack(NamedTuple):
    """What is stored of a round that is taken back, and where its matches stand then."""

    decided: Decided
    standings: tuple[MatchState, ...]


def _taken_back(now: AskedOf, number: int) -> _TakenBack:
    here, found, results = now.desk, in_round(now, number), results_of(now.desk, now.held)
    event = taken(now, round_taken_back(now.tournament, number, results))
    rows = [here.store.match(table.match or "") for table in found.round.tables]
    ended, standings = list[Ended](), list[MatchState]()
    for row in rows:
        if row is not None and row.head.status not in OVER:
            before = here.standings.latest(row)
            entries, after = cancelled(before, here.at_after(before), here.salt)
            ended.append(Ended(row.match, results[row.match].seq, entries, head_of(after)))
            standings.append(after)
    return _TakenBack(Decided([event], ending=ended, closing=groups_of(found)), tuple(standings))


def _in_play(asked: AskedOf, group: str) -> list[str]:
    """The matches of the group that are not over, though they may count no more."""
    return [each.match for each in asked.desk.store.grouped(group) if each.status not in OVER]


def _tables_of(asked: AskedOf, matches: Sequence[str]) -> list[dict[str, int]]:
    """The tables that these matches were made for, those that have been replaced there among them."""
    log = [read(entry) for entry in asked.desk.store.tournaments.entries(asked.held.tournament)]
    made = [
        (event["data"]["round"], table)
        for event in log
        if event["type"] in ("round_paired", "match_replaced")
        for table in event["data"].get("tables", [event["data"]])
    ]
    return [{"round": number, "table": table["table"]} for number, table in made if table["match"] in matches]


def groups_of(found: InRound) -> list[str]:
    """The groups of the round's matches."""
    groups = [_group_of(found.asked, table.match) for table in found.round.tables]
    return list(dict.fromkeys(group.group for group in groups if group is not None))


def _group_of(asked: AskedOf, match: str | None) -> Group | None:
    row = None if match is None else asked.desk.store.match(match)
    return None if row is None or row.group is None else asked.desk.store.group(row.group)


def _settle_behind(asked: AskedOf, groups: Sequence[str]) -> None:
    """Disclose what a closing makes due. It is closed whatever comes of that, and is answered so."""
    try:
        for group in groups:
            settle_group(asked.desk, group)
    except Unavailable as failure:  # it stays due: the next call about the group, or the next start, does it
        log_aside("not-settled", failure)
