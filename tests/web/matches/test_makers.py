"""A request that is repeated under an idempotency key is answered to the key that made it, and to no other."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from werkzeug.test import TestResponse

from answers import contract, resolved
from operators import OPERATOR
from web.matches.contributing import BEACON, SHARE
from web.matches.refereeing import ONCE
from web.matches.tables import Headers, House, Table, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out

Ask = Callable[[Headers], TestResponse]
"""A request, by whoever sends these headers."""


def post(house: House, path: str, body: Any = None) -> Ask:
    """A request of that body; without one it has none."""
    sent = {} if body is None else {"json": body}
    return lambda by: house.client.post(path, headers=dict(by), **sent)


def director(house: House, *names: str) -> Cup:
    """A tournament of the account with these entrants."""
    return cup(house).enter(*names) if names else cup(house)


def moved(house: House) -> Ask:
    """A move by an operator."""
    table = house.table()
    return post(house, f"{table.path}/moves", {"move": table.legal()})


def ruled(house: House) -> Ask:
    """A substitute: the answer has a token."""
    table = house.table()
    body = {"ruling": {"kind": "substitute", "seat": 1, "name": "Zoe"}, "reason": "Ann went home."}
    return lambda by: house.client.post(f"{table.path}/rulings", json=body, headers={**by, "If-Match": '"1"'})


def claimed(house: House) -> Ask:
    """A claim that somebody's time is up."""
    table = house.table(clock={"move": 1, "bank": 1, "increment": 0, "on_expiry": "forfeit"})
    now = house.services.clock()
    house.services.clock = lambda: now + 60
    return post(house, f"{table.path}/claims")


def given(house: House) -> Ask:
    """The value of a beacon."""
    table = house.table(randomness=BEACON)
    return post(house, f"{table.path}/entropy", {"entropy": SHARE})


def forked(house: House) -> Ask:
    """A fork."""
    return post(house, f"{house.finished().path}/fork", {"seq": 3})


def round_closed(house: House) -> Ask:
    """The end of a round."""
    played = director(house, "Ann", "Ben", "Cho")
    for match in matches_of(played.pair()):
        play_out(house.services, match, Random(1))
    return post(house, f"{played.path}/rounds/1/close")


def taken_back(house: House) -> Ask:
    """A round that is not paired any more."""
    found = director(house, "Ann", "Ben", "Cho")
    found.pair()
    return post(house, f"{found.path}/rounds/1/take-back")


def readmitted(house: House) -> Ask:
    """An entrant who plays again."""
    found = director(house, "Ann")
    read(found.ask("/entrants/e1/withdrawal"))
    return post(house, f"{found.path}/entrants/e1/re-entry")


def present(house: House) -> Ask:
    """An entrant who is here."""
    found = cup(house, check_in=True).enter("Ann")
    return post(house, f"{found.path}/entrants/e1/presence", {"present": True})


def held(house: House, part: str) -> Ask:
    """All clocks of a round, started or paused."""
    found = director(house, "Ann", "Ben", "Cho")
    found.pair(held=part == "start")
    return post(house, f"{found.path}/rounds/1/{part}")


def replaced(house: House) -> Ask:
    """Another match at a table."""
    played = director(house, "Ann", "Ben", "Cho")
    (match,) = matches_of(played.pair())
    read(house.client.post(f"/v1/matches/{match}/void", headers=OPERATOR))
    return post(house, f"{played.path}/rounds/1/tables/1/match")


def missed(house: House) -> Ask:
    """An entrant who is not there."""
    found = director(house, "Ann", "Ben", "Cho")
    found.pair()
    body = {"entrant": "e1", "outcome": "forfeited", "stand_in": "Zoe"}
    return post(house, f"{found.path}/rounds/1/tables/1/no-show", body)


def tournament(part: str, body: Any = None, *names: str) -> Callable[[House], Ask]:
    """A request about a tournament with these entrants."""
    return lambda house: post(house, director(house, *names).path + part, body)


REQUESTS: dict[str, Callable[[House], Ask]] = {
    "createMatch": lambda house: post(house, "/v1/matches", {"game": "catte", "seats": 3}),
    "playMove": moved,
    "makeRuling": ruled,
    "claimExpiry": claimed,
    "giveEntropy": given,
    "forkMatch": forked,
    "createGroup": lambda house: post(house, "/v1/groups", {"game": "catte", "seats": 3}),
    "createTournament": lambda house: post(
        house, "/v1/tournaments", {"game": "catte", "name": "Cup", "seats": [3], "rounds": 2}
    ),
    "addEntrants": tournament("/entrants", {"entrants": [{"name": "Ann"}]}),
    "withdrawEntrant": tournament("/entrants/e1/withdrawal", None, "Ann"),
    "readmitEntrant": readmitted,
    "setPresence": present,
    "setRegistration": tournament("/registration", {"open": True}),
    "pairRound": tournament("/rounds", {}, "Ann", "Ben", "Cho"),
    "closeRound": round_closed,
    "takeBackRound": taken_back,
    "startRound": lambda house: held(house, "start"),
    "pauseRound": lambda house: held(house, "pause"),
    "replaceMatch": replaced,
    "settleNoShow": missed,
    "correctStandings": tournament("/corrections", {"entrant": "e1", "points": "1", "reason": "Early."}, "Ann"),
    "announce": tournament("/announcements", {"text": "Dinner at seven."}),
    "closeTournament": tournament("/close"),
    "createWebhook": lambda house: post(house, "/v1/webhooks", {"url": "https://hooks.example.com/gyoji"}),
}
"""By operation: how it is asked for."""

WITHOUT_AN_API_KEY = {"join"}
"""Whoever joins has nothing but the idempotency key: tests/web/tournaments/test_joining.py."""
ANOTHER_RULING = {"makeRuling"}
"""Every API key has idempotency keys of its own here: the other's request is another ruling, on what is gone."""


@pytest.fixture(autouse=True)
def _clock(house: House) -> Iterator[None]:
    before = house.services.clock
    yield
    house.services.clock = before


def test_every_operation_that_takes_a_key_is_tried() -> None:
    taking = {
        operation["operationId"]
        for methods in contract()["paths"].values()
        for operation in methods.values()
        if any(resolved(parameter)["name"] == ONCE for parameter in operation.get("parameters", ()))
    }
    assert {*REQUESTS, *WITHOUT_AN_API_KEY} == taking


@pytest.mark.parametrize("operation", REQUESTS)
def test_another_key_of_the_account_is_not_answered_as_the_one_that_made_it(house: House, operation: str) -> None:
    """Seen to fail on 201a27e: there the other key was given all that the first one was, with tokens and secrets."""
    ask, once = REQUESTS[operation](house), {ONCE: f"made-{operation}"}
    one, other = house.key("operator"), house.key("operator")
    first = ask({**one, **once})
    read(first)
    if operation in ANOTHER_RULING:
        refused(ask({**other, **once}), 412, "stale-position")
    else:
        refused(ask({**other, **once}), 422, "idempotency-key-reused")
    again = ask({**one, **once})
    assert (again.status_code, again.data) == (first.status_code, first.data)


def test_what_an_earlier_release_has_stored_is_nobodys(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier versions stored a digest of operation and body alone. Their matches are not made twice, their answers not
    given out, not even to whoever may have made them."""
    honest = house.services.store.digest
    with monkeypatch.context() as of_old:
        of_old.setattr(house.services.store, "digest", lambda content: honest(content.removeprefix(b"key operator\n")))
        made = house.create({**OPERATOR, ONCE: "of-old"})
        match = read(made)["match"]
        assert house.create({**OPERATOR, ONCE: "of-old"}).data == made.data
    for by in (OPERATOR, house.key("operator"), house.key("operator", scopes=["matches:create"])):
        answer = house.create({**by, ONCE: "of-old"})
        refused(answer, 422, "idempotency-key-reused")
        assert match not in answer.text


def test_a_seat_is_answered_as_before_by_whichever_token(house: House) -> None:
    """Its idempotency keys are the seat's: a player whose token was renewed meanwhile finds out what came of a move."""
    table: Table = house.table()
    move, once = table.legal(), {ONCE: "lost"}
    first = table.put(move, {**table.sits(move["seat"]), **once})
    read(first)
    renewed = read(house.client.post(f"{table.path}/seats/{move['seat']}/token", headers=OPERATOR))
    again = table.put(move, {"Authorization": f"Bearer {renewed['token']}", **once})
    assert again.data == first.data
