"""Registration: opened and closed by the director; while it is open others enter by themselves."""

from typing import Any

from gyoji.tournaments import decisions
from gyoji.tournaments.tournament import MOST_JOINED, Entrant, Registration, Tournament
from tournaments.made_tournaments import SEED, after, proposed, refused, rules, start_tournament, taken, with_round


def register(tournament: Tournament, *, is_open: bool = True, renew: bool = False) -> Any:
    return decisions.decide_registration(tournament, is_open=is_open, renew=renew)


def test_the_link_stays_until_another_is_wanted() -> None:
    tournament = start_tournament(rules(), 3)
    assert tournament.registration == Registration(open=False, link=0)
    assert register(tournament, is_open=False) is None
    assert taken(register(tournament)) == ("registration_opened", {"link": 1})
    opened = after(tournament, register(tournament))
    assert register(opened) is None
    closed = after(opened, register(opened, is_open=False))
    assert closed.registration == Registration(open=False, link=1)
    assert taken(register(closed)) == ("registration_opened", {"link": 1})
    assert taken(register(opened, renew=True)) == ("registration_opened", {"link": 2})
    assert taken(register(tournament, renew=True)) == ("registration_opened", {"link": 1})


def test_who_joins_enters_as_others_do() -> None:
    tournament = start_tournament(rules(), 3)
    assert refused(decisions.decide_joining(tournament, "Zoe")).code == "registration-closed"
    opened = after(tournament, register(tournament))
    assert taken(decisions.decide_joining(opened, "Zoe")) == decisions.decide_entry(opened, "Zoe")
    assert refused(decisions.decide_joining(opened, "Entrant 1")).code == "name-taken"
    closed = after(opened, decisions.decide_close(opened, SEED))
    assert refused(decisions.decide_joining(closed, "Zoe")).code == "tournament-closed"


def test_strangers_do_not_fill_the_tournament() -> None:
    """Whoever runs it can still enter others."""
    tournament = start_tournament(rules(), 0)._replace(
        entrants=tuple([Entrant(f"e{number}", f"E{number}") for number in range(1, MOST_JOINED + 1)])
    )
    opened = after(tournament, register(tournament))
    assert refused(decisions.decide_joining(opened, "Zoe")) == ("too-many-joined", {"most": MOST_JOINED})
    assert taken(decisions.decide_entry(opened, "Zoe")).data["entrant"] == f"e{MOST_JOINED + 1}"


def test_registration_does_not_open_where_nobody_can_enter() -> None:
    tournament = start_tournament(rules(rounds=1), 4)
    opened = after(tournament, register(tournament))
    over = with_round(opened, proposed(opened, {}))
    assert refused(decisions.decide_joining(over, "Zoe")).code == "all-rounds-paired"
    assert taken(register(over, is_open=False)).type == "registration_closed"
    closed = after(over, register(over, is_open=False))
    assert refused(register(closed)).code == "all-rounds-paired"
