"""Seats that bots play: who may have them, what they see, and how a match goes on whatever happens to it."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from threading import Event, Thread
from time import sleep
from typing import Any

import pytest

from gyoji.app import bots as app_bots
from gyoji.app import logs
from gyoji.app.bots import Bots
from gyoji.app.matches import creation
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.app.tournaments import no_shows
from gyoji.games.catalogue import GAMES
from gyoji.games.game import Game, Move, Seat
from gyoji.players.players import PLAYERS, Player, any_move
from gyoji.store.interface import Unavailable
from gyoji.web.app import create_app
from laws.strategies import copied
from operators import OPERATOR, OPERATOR_KEY
from waiting import until
from web.matches.refereeing import referee
from web.matches.tables import House, Plain, Table, holding, pointers, read, refused
from web.matches.tables import house as house_of
from web.matches.test_canaries import CARD
from web.tournaments.directing import cup

ANN: Plain = {"name": "Ann"}
RANDOM: Plain = {"bot": "random"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A service that gives seats to bots."""
    store = tmp_path_factory.mktemp("bots") / "gyoji.db"
    settings = Settings(store=f"sqlite:///{store}", operator_key=OPERATOR_KEY, bots="random, greedy")
    prepare_store(settings)
    there = house_of(create_app(settings))
    yield there
    there.services.store.close()


@pytest.fixture
def bots(house: House) -> Bots:
    """Those who play."""
    return Bots(house.services, Event())


def table_of(house: House, *bots: str, **setting: Any) -> Table:
    """A match of one person at seat 0 and bots at the others."""
    return house.table(seats=[ANN, *[{"bot": bot} for bot in bots]], **setting)


def actors(table: Table) -> list[Plain]:
    """Who has made the moves of a match."""
    moves = ("move_played", "choice_made")
    return [event["actor"] for event in table.feed(table.operator) if event["type"] in moves]


def play_on(bots: Bots, match: str) -> None:
    """Have the bots of a match move until it is nobody's turn of them."""
    while bots.move(match):
        pass


def finish(table: Table, bots: Bots) -> None:
    """Have seat 0 play at random, and the bots the others, to the end."""
    dice = Random(1)
    play_on(bots, table.match)
    while (seen := table.seen(table.sits(0)))["status"] == "playing":
        read(table.put(dice.choice(seen["legal_moves"]), table.sits(0)))
        play_on(bots, table.match)


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_one_person_plays_a_whole_match(house: House, bots: Bots, game: Game[Any], bot: str) -> None:
    table = table_of(house, *[bot] * (game.min_seats - 1), game=game.slug)
    finish(table, bots)
    assert table.seen(table.operator)["status"] == "finished"
    assert {(actor["role"], actor["seat"]) for actor in actors(table)} == {
        ("seat", seat) for seat in range(game.min_seats)
    }
    verdict = read(house.client.post("/v1/audits", json={"match": table.match}, headers=dict(OPERATOR)))
    assert verdict["verdict"] == "verified"


def test_who_sits_there_is_no_secret(house: House) -> None:
    table = house.table(seats=[ANN, RANDOM, {"bot": "greedy", "name": "Robo"}])
    seats = [
        {"seat": 0, "name": "Ann"},
        {"seat": 1, "name": "random (bot)", "bot": "random"},
        {"seat": 2, "name": "Robo", "bot": "greedy"},
    ]
    assert table.seen(table.sits(0))["seats"] == seats
    listed = read(house.client.get("/v1/matches", headers=dict(OPERATOR)))["matches"]
    assert listed[0]["seats"] == seats
    assert table.feed(table.operator)[0]["data"]["names"] == ["Ann", "random (bot)", "Robo"]


@pytest.mark.parametrize("allowed", ["off", "greedy"])
def test_a_service_refuses_bots_that_its_operator_does_not_allow(tmp_path: Any, allowed: str) -> None:
    settings = Settings(store=f"sqlite:///{tmp_path}/gyoji.db", operator_key=OPERATOR_KEY, bots=allowed)
    prepare_store(settings)
    there = house_of(create_app(settings))
    refused(there.create(seats=[ANN, RANDOM, RANDOM]), 403, "bots-not-allowed")
    assert read(there.client.get("/v1/matches", headers=dict(OPERATOR)))["matches"] == []
    there.services.store.close()


def test_what_bots_cannot_play_is_wrong(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that does not say what its views hide, deals to which every seat contributes, a bot nobody knows."""
    entropy = {"policy": "players"}
    assert pointers(house.create(seats=[ANN, RANDOM, RANDOM], randomness=entropy)) == [
        ("/randomness/policy", "not-allowed")
    ]
    assert pointers(house.create(seats=[ANN, {"bot": "deep"}, {}])) == [
        ("/seats/1/bot", "not-allowed"),
        ("/seats/2/name", "missing"),
    ]
    assert pointers(house.create(seats=[ANN, {"bot": 1}, {"bot": "random", "name": ""}])) == [
        ("/seats/1/bot", "wrong-type"),
        ("/seats/2/name", "not-allowed"),
    ]
    monkeypatch.setattr(creation, "players_of", lambda _game: ("random",))
    assert pointers(house.create(seats=[ANN, RANDOM, {"bot": "greedy"}])) == [("/seats/2/bot", "not-allowed")]


def test_a_repeated_request_is_answered_again(house: House, bots: Bots) -> None:
    once = {**OPERATOR, "Idempotency-Key": "a-match-with-bots"}
    first = house.create(once, seats=[RANDOM, ANN, RANDOM])
    play_on(bots, read(first)["match"])
    assert house.create(once, seats=[RANDOM, ANN, RANDOM]).data == first.data
    refused(house.create(once, seats=[ANN, ANN, RANDOM]), 422, "idempotency-key-reused")


@pytest.mark.parametrize(
    "setting",
    [
        *[{"game": game.slug} for game in GAMES],
        {"game": "tomorrow-never-meows", "options": {"concealed": True}},
    ],
    ids=str,
)
def test_a_bot_is_shown_what_its_seat_may_know(
    house: House, bots: Bots, monkeypatch: pytest.MonkeyPatch, setting: Plain
) -> None:
    """The view and the moves are those that whoever holds the token of its seat reads at that moment."""
    shown: list[tuple[Seat, Any]] = []
    held: list[tuple[Seat, Any]] = []

    def spy(_game: Any, view: Mapping[str, Any], seat: Seat, legal: Sequence[Move], dice: Random) -> Move:
        shown.append((seat, copied({"view": view, "legal_moves": legal})))
        return dice.choice(legal)

    def read_by_holder(match: str) -> None:
        waiting = table.seen(table.operator)["view"]["to_act"]
        seat = next(seat for seat in waiting if seat != 0)
        seen = table.seen(table.sits(seat))
        held.append((seat, {"view": seen["view"], "legal_moves": seen["legal_moves"]}))
        assert bots.move(match)

    monkeypatch.setitem(PLAYERS, "random", spy)
    table = table_of(house, "random", "random", **setting)
    dice = Random(2)
    while (seen := table.seen(table.operator))["status"] == "playing":
        if set(seen["view"]["to_act"]) - {0}:
            read_by_holder(table.match)
        else:
            read(table.put(dice.choice(table.seen(table.sits(0))["legal_moves"]), table.sits(0)))
    assert shown == held
    assert {seat for seat, _shown in shown} == {1, 2}


def test_bots_choose_while_others_do(house: House, bots: Bots) -> None:
    """A choice that all make at the same time waits for nobody, and stays sealed until all have made it."""
    table = table_of(house, "random", "random", game="tomorrow-never-meows", options={"concealed": True})
    assert table.seen(table.operator)["view"]["to_act"] == [0, 1, 2]
    play_on(bots, table.match)
    assert table.seen(table.operator)["view"]["to_act"] == [0]
    assert actors(table) == [{"role": "seat", "seat": 1}, {"role": "seat", "seat": 2}]
    told = [event["data"]["move"] for event in table.feed(table.sits(0)) if event["type"] == "choice_made"]
    assert all(move["wish"] is None for move in told)


def test_what_was_left_when_the_service_ended_is_taken_up(house: House) -> None:
    """By a process that begins; then it plays whatever comes."""
    table = table_of(house, "random", "random", first=1)
    assert actors(table) == []
    stop = Event()
    playing = Thread(target=Bots(house.services, stop).run)
    playing.start()
    try:
        for _move in range(4):  # whoever wins a trick serves and leads: two moves running may be of one seat
            assert until(lambda: table.seen(table.operator)["view"]["to_act"] == [0])
            read(table.move())
        assert until(lambda: {move["seat"] for move in actors(table)[2:]} == {0, 1, 2})
        later = table_of(house, "greedy", "random", first=2)
        assert until(lambda: later.seen(later.operator)["view"]["to_act"] == [0])
    finally:
        stop.set()
        playing.join(30)
    assert not playing.is_alive()


def test_two_processes_move_once(house: House, bots: Bots) -> None:
    another = house_of(create_app(house.services.settings))
    elsewhere = Bots(another.services, Event())
    table = table_of(house, "greedy", "random", first=1)
    both = [Thread(target=play_on, args=(each, table.match)) for each in (bots, elsewhere)]
    for each in both:
        each.start()
    for each in both:
        each.join(60)
    assert actors(table) == [{"role": "seat", "seat": seat} for seat in (1, 2)]
    another.services.store.close()


def test_referees_pause_take_back_and_substitute(house: House, bots: Bots) -> None:
    table = table_of(house, "random", "random", first=1)
    play_on(bots, table.match)
    judge = referee(house, table)
    before = table.seen(table.operator)["seq"]
    judge.rules("take_back", to=before - 1)
    assert table.seen(table.operator)["view"]["to_act"] == [2]
    judge.rules("pause")
    play_on(bots, table.match)
    assert table.seen(table.operator)["view"]["to_act"] == [2], "nobody moves in a pause"
    judge.rules("substitute", seat=1, name="Ben")
    judge.rules("resume")
    play_on(bots, table.match)
    assert table.seen(table.operator)["view"]["to_act"] == [0]
    assert "bot" not in table.seen(table.operator)["seats"][1]
    while table.seen(table.operator)["view"]["to_act"] != [1]:
        read(table.put(table.seen(table.sits(0))["legal_moves"][0], table.sits(0)))
        play_on(bots, table.match)
    seq = table.seen(table.operator)["seq"]
    play_on(bots, table.match)
    assert table.seen(table.operator)["seq"] == seq, "the seat is Ben's now"


def test_a_new_token_leaves_the_seat_to_the_bot(house: House, bots: Bots) -> None:
    table = table_of(house, "random", "random", first=1)
    read(house.client.post(f"{table.path}/seats/1/token", headers=dict(OPERATOR)))
    assert table.seen(table.operator)["seats"][1]["bot"] == "random"
    play_on(bots, table.match)
    assert table.seen(table.operator)["view"]["to_act"] == [0]


def test_a_fork_has_no_bots(house: House, bots: Bots) -> None:
    table = table_of(house, "random", "random")
    finish(table, bots)
    fork = read(house.client.post(f"{table.path}/fork", json={"seq": 1}, headers=dict(OPERATOR)))
    seats = read(house.client.get(f"/v1/matches/{fork['match']}", headers=dict(OPERATOR)))["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "random (bot)", "random (bot)"]
    assert not [seat for seat in seats if "bot" in seat]


def test_a_player_that_fails_makes_the_first_legal_move(
    house: House, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_asked: Any) -> Move:
        raise ZeroDivisionError

    failing: Player = fails
    table = table_of(house, "random", "random", first=1)
    legal = table.seen(table.sits(1))["legal_moves"]
    monkeypatch.setitem(PLAYERS, "random", failing)
    play_on(bots, table.match)
    monkeypatch.setitem(PLAYERS, "random", any_move)
    played = [event["data"]["move"] for event in table.feed(table.sits(1)) if event["type"] == "move_played"]
    assert played[0] == legal[0]
    assert table.seen(table.operator)["view"]["to_act"] == [0]


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the log is told."""
    lines: list[str] = []

    class Kept:
        """In place of the logger."""

        def error(self, event: str, **facts: Any) -> None:
            """A line."""
            lines.append(repr((event, facts)))

        info = warning = error

    monkeypatch.setattr(logs, "REQUESTS", Kept())
    return lines


def test_what_a_bot_fails_of_is_not_told_to_the_log(
    house: House, bots: Bots, monkeypatch: pytest.MonkeyPatch, logged: list[str]
) -> None:
    """Where it failed, and neither its view nor what it said of it."""

    def fails(_game: Any, view: Any, *_asked: Any) -> Move:
        raise ZeroDivisionError(str(view))

    monkeypatch.setitem(PLAYERS, "random", fails)
    table = table_of(house, "random", "random", first=1)
    assert bots.move(table.match)
    (line,) = [line for line in logged if "bot-failed" in line]
    assert "ZeroDivisionError" in line
    assert CARD.findall(line.encode()) == []


@pytest.mark.parametrize(
    ("failure", "says"),
    [(Unavailable("", "damaged"), "match-unreadable"), (RecursionError("B7"), "bot-failed")],
    ids=["damaged", "failed"],
)
def test_a_match_that_fails_keeps_no_other_waiting(
    house: House, monkeypatch: pytest.MonkeyPatch, logged: list[str], failure: Exception, says: str
) -> None:
    broken = table_of(house, "random", "random", first=1)
    sound = table_of(house, "random", "random", first=1)
    latest = house.services.match_states.latest

    def fails(row: Any) -> Any:
        if row.match == broken.match:
            raise failure
        return latest(row)

    monkeypatch.setattr(house.services.match_states, "latest", fails)
    stop = Event()
    playing = Thread(target=Bots(house.services, stop).run)
    playing.start()
    try:
        assert until(lambda: [move["seat"] for move in actors(sound)] == [1, 2])
    finally:
        stop.set()
        playing.join(30)
    assert any(says in line for line in logged)
    monkeypatch.undo()
    assert actors(broken) == []


def test_a_store_that_does_not_answer_is_asked_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(house, "random", "random", first=1)
    away = iter([Unavailable(), Unavailable("", "busy")])
    with_bots = house.services.store.with_bots

    def sometimes() -> list[str]:
        for failure in away:
            raise failure
        return with_bots()

    monkeypatch.setattr(app_bots, "PAUSE", 0.01)
    monkeypatch.setattr(house.services.store, "with_bots", sometimes)
    stop = Event()
    playing = Thread(target=Bots(house.services, stop).run)
    playing.start()
    try:
        assert until(lambda: [move["seat"] for move in actors(table)] == [1, 2])
    finally:
        stop.set()
        playing.join(30)
    assert next(away, None) is None


def test_a_long_match_keeps_no_other_waiting(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots among themselves, whose match takes long, and a person who waits for one."""

    def slow(_game: Any, _view: Any, _seat: Seat, legal: Sequence[Move], _dice: Random) -> Move:
        sleep(0.01)
        return legal[0]

    monkeypatch.setitem(PLAYERS, "greedy", slow)
    long = house.table(seats=[{"bot": "greedy"}] * 3)
    stop = Event()
    playing = Thread(target=Bots(house.services, stop).run)
    playing.start()
    try:
        assert until(lambda: len(actors(long)) > 2)
        mine = table_of(house, "random", "random", first=1)
        assert until(lambda: [move["seat"] for move in actors(mine)] == [1, 2])
        assert long.seen(long.operator)["status"] == "playing"
    finally:
        stop.set()
        playing.join(30)


def test_bots_play_the_deals_of_a_group(house: House, bots: Bots) -> None:
    group = read(house.client.post("/v1/groups", json={"game": "catte", "seats": 3}, headers=dict(OPERATOR)))["group"]
    answer = house.client.post(
        "/v1/matches", json={"group": group, "seats": [ANN, RANDOM, RANDOM]}, headers=dict(OPERATOR)
    )
    table = house.seated(answer)
    finish(table, bots)
    assert table.seen(table.operator)["status"] == "finished"


def test_a_tournament_has_entrants_and_no_bots(house: House) -> None:
    """Its matches are dealt to whoever entered."""
    setting = {"name": "Cup", "game": "catte", "seats": [3], "rounds": 1}
    cup = read(house.client.post("/v1/tournaments", json=setting, headers=dict(OPERATOR)))["tournament"]
    sent = {"entrants": [{"name": "Ann"}, {"bot": "random"}]}
    assert ("/entrants/1/bot", "unknown-member") in pointers(
        house.client.post(f"/v1/tournaments/{cup}/entrants", json=sent, headers=dict(OPERATOR))
    )


def test_their_time_runs_as_anybodys(house: House, bots: Bots) -> None:
    clock = {"move": 30, "bank": 60, "on_expiry": "forfeit"}
    table = table_of(house, "random", "random", clock=clock, first=1)
    refused(house.client.post(f"{table.path}/claims", headers=table.sits(0)), 409, "claim-refused")
    play_on(bots, table.match)
    assert table.seen(table.operator)["view"]["to_act"] == [0]


# In a tournament


def test_a_bot_plays_on_for_who_has_left_a_tournament(house: House, bots: Bots) -> None:
    """Though the bots have looked at the match when it had none."""
    found = cup(house, points={"by": "rank", "points": [3, 2, 1]}).enter("Ann", "Ben", "Cho")
    (table,) = found.pair()["tables"]
    path = f"/v1/matches/{table['match']}"
    assert not bots.move(table["match"])
    (gone, *_others), dice = table["seats"], Random(1)
    body = {"entrant": gone["entrant"], "outcome": "forfeited", "bot": "random"}
    (left,) = read(found.ask("/rounds/1/tables/1/no-show", body))["tables"]
    assert ["token" in seat for seat in left["seats"]] == [False, True, True]
    seen = read(house.client.get(path, headers=dict(OPERATOR)))
    assert (seen["seats"][0]["name"], seen["seats"][0]["bot"]) == ("random (bot)", "random")
    while read(house.client.get(path, headers=dict(OPERATOR)))["status"] == "playing":
        play_on(bots, table["match"])
        for seat in left["seats"][1:]:
            legal = read(house.client.get(path, headers=holding(seat["token"]))).get("legal_moves")
            if legal:
                move = {"move": dice.choice(legal)}
                read(house.client.post(f"{path}/moves", json=move, headers=holding(seat["token"])))
    assert [row["entrant"] for row in found.standings()][-1] == gone["entrant"]


def test_a_bot_that_may_not_or_cannot_play_on_does_not(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    found = cup(house).enter("Ann", "Ben", "Cho")
    found.pair()
    ask, body = "/rounds/1/tables/1/no-show", {"entrant": "e1", "outcome": "forfeited", "bot": "search"}
    refused(found.ask(ask, body), 403, "bots-not-allowed")
    monkeypatch.setattr(no_shows, "players_of", lambda _game: ("random",))
    assert [pointer for pointer, _code in pointers(found.ask(ask, {**body, "bot": "greedy"}))] == ["/bot"]
