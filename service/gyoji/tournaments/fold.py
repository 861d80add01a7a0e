"""Folds a tournament's log: what each event changes. Whether it may happen stands in ``decisions``."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from gyoji.games.game import replace_at
from gyoji.tournaments.rules import read_rules
from gyoji.tournaments.tournament import Correction, Entrant, EntrantId, Registration, Round, Table, Tournament

Data = Mapping[str, Any]


def fold_log(events: Iterable[Mapping[str, Any]]) -> Tournament:
    """Return the tournament after these events of its log, from the first one on: of each, ``type`` and ``data``."""
    waiting = iter(events)
    tournament = apply_creation(next(waiting)["data"])
    for event in waiting:
        tournament = apply_event(tournament, event["type"], event["data"])
    return tournament


def apply_creation(data: Data) -> Tournament:
    """Return the tournament after its first event, ``tournament_created``."""
    return Tournament(data["title"], read_rules(data["rules"]), data["seed_commitment"])


def apply_event(tournament: Tournament, kind: str, data: Data) -> Tournament:
    """Return the tournament after one more event."""
    return CHANGES[kind](tournament, data)


def _entrant_added(tournament: Tournament, data: Data) -> Tournament:
    entrant = Entrant(data["entrant"], data["name"], tuple(data["members"]))
    return tournament._replace(entrants=(*tournament.entrants, entrant))


def _registration_opened(tournament: Tournament, data: Data) -> Tournament:
    return tournament._replace(registration=Registration(True, data["link"]))


def _registration_closed(tournament: Tournament, _data: Data) -> Tournament:
    return tournament._replace(registration=tournament.registration._replace(open=False))


def _entrant_withdrawn(tournament: Tournament, data: Data) -> Tournament:
    place = [entrant.id for entrant in tournament.entrants].index(data["entrant"])
    gone = tournament.entrants[place]._replace(withdrawn=len(tournament.rounds), present=False)
    return tournament._replace(entrants=replace_at(tournament.entrants, place, gone))


def _entrant_returned(tournament: Tournament, data: Data) -> Tournament:
    place = [entrant.id for entrant in tournament.entrants].index(data["entrant"])
    back = tournament.entrants[place]._replace(withdrawn=None)
    return tournament._replace(entrants=replace_at(tournament.entrants, place, back))


def _entrant_present(tournament: Tournament, data: Data) -> Tournament:
    return _checked(tournament, data["entrant"], present=True)


def _entrant_absent(tournament: Tournament, data: Data) -> Tournament:
    return _checked(tournament, data["entrant"], present=False)


def _checked(tournament: Tournament, entrant: EntrantId, *, present: bool) -> Tournament:
    place = [each.id for each in tournament.entrants].index(entrant)
    before = tournament.entrants[place]
    checked = before._replace(present=present, checks=before.checks + 1)
    return tournament._replace(entrants=replace_at(tournament.entrants, place, checked))


def _round_paired(tournament: Tournament, data: Data) -> Tournament:
    tables = tuple([Table(table["table"], tuple(table["seats"]), table["match"]) for table in data["tables"]])
    byes, absent = tuple(data["byes"]), tuple(data.get("absent", ()))
    paired = Round(data["round"], data["pairing"], data["seed"], tables, byes, absent=absent)
    return tournament._replace(rounds=(*tournament.rounds, paired))


def _round_taken_back(tournament: Tournament, data: Data) -> Tournament:
    """Drop the round; who withdrew while it was there has withdrawn after the rounds that are left."""
    left = tournament.rounds[: data["round"] - 1]
    entrants = tuple(
        [
            each if each.withdrawn is None else each._replace(withdrawn=min(each.withdrawn, len(left)))
            for each in tournament.entrants
        ]
    )
    return tournament._replace(rounds=left, entrants=entrants)


def _match_replaced(tournament: Tournament, data: Data) -> Tournament:
    """Put another match in the place of one; whoever sits in it plays it."""
    return _at_table(tournament, data, match=data["match"], forfeited=())


def _entrant_removed(tournament: Tournament, data: Data) -> Tournament:
    replaced = _match_replaced(tournament, data)
    table = _table(replaced, data)
    seats = tuple([entrant for entrant in table.seats if entrant != data["entrant"]])
    return _at_table(replaced, data, seats=seats, removed=(*table.removed, data["entrant"]))


def _entrant_forfeited(tournament: Tournament, data: Data) -> Tournament:
    return _at_table(tournament, data, forfeited=(*_table(tournament, data).forfeited, data["entrant"]))


def _entrant_reinstated(tournament: Tournament, data: Data) -> Tournament:
    left = tuple([entrant for entrant in _table(tournament, data).forfeited if entrant != data["entrant"]])
    return _at_table(tournament, data, forfeited=left)


def _round_closed(tournament: Tournament, data: Data) -> Tournament:
    return _in_round(tournament, data, closed=True)


def _correction_made(tournament: Tournament, data: Data) -> Tournament:
    correction = Correction(data["entrant"], Fraction(data["points"]), data["reason"])
    return tournament._replace(corrections=(*tournament.corrections, correction))


def _tournament_closed(tournament: Tournament, data: Data) -> Tournament:
    return tournament._replace(closed=True, seed=data["seed"], announcement=None)


def _announcement_made(tournament: Tournament, data: Data) -> Tournament:
    """Change nothing that counts: standings know no announcements."""
    return tournament._replace(announcement=data["text"])


def _table(tournament: Tournament, data: Data) -> Table:
    found: Table = tournament.rounds[data["round"] - 1].tables[data["table"] - 1]
    return found


def _at_table(tournament: Tournament, data: Data, **changes: Any) -> Tournament:
    tables = tournament.rounds[data["round"] - 1].tables
    changed = _table(tournament, data)._replace(**changes)
    return _in_round(tournament, data, tables=replace_at(tables, data["table"] - 1, changed))


def _in_round(tournament: Tournament, data: Data, **changes: Any) -> Tournament:
    place = data["round"] - 1
    changed = tournament.rounds[place]._replace(**changes)
    return tournament._replace(rounds=replace_at(tournament.rounds, place, changed))


CHANGES: Mapping[str, Callable[[Tournament, Data], Tournament]] = {
    "registration_opened": _registration_opened,
    "registration_closed": _registration_closed,
    "entrant_added": _entrant_added,
    "entrant_withdrawn": _entrant_withdrawn,
    "entrant_returned": _entrant_returned,
    "entrant_present": _entrant_present,
    "entrant_absent": _entrant_absent,
    "round_paired": _round_paired,
    "round_taken_back": _round_taken_back,
    "match_replaced": _match_replaced,
    "entrant_removed": _entrant_removed,
    "entrant_forfeited": _entrant_forfeited,
    "entrant_reinstated": _entrant_reinstated,
    "round_closed": _round_closed,
    "correction_made": _correction_made,
    "tournament_closed": _tournament_closed,
    "announcement_made": _announcement_made,
}
"""What each event after the first one changes."""
