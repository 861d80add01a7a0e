"""What messages tell: of which events, in which words; and nothing that is hidden, whoever's webhook it is."""

from collections.abc import Iterator
from random import Random
from typing import Any

import orjson
import pytest

from gyoji.api.webhook_words import TYPES
from gyoji.app.webhooks.fan_out import deliveries, make_deliveries
from gyoji.app.webhooks.messages import EventGone, MessageSource, body
from gyoji.store.webhooks.records import Delivery, News, delivery_id
from operators import OPERATOR
from web.matches.tables import Plain, read
from web.tournaments.directing import cup, matches_of
from web.webhooks.houses import Place

URL = "https://hooks.example.com/"


def table_of(here: Place) -> MessageSource:
    """What messages are made from."""
    return MessageSource(here.services.store, here.services.match_states)


def told(here: Place, hook: Plain) -> list[Plain]:
    """The messages that wait for a webhook, by subject and in their order."""
    while make_deliveries(table_of(here), here.services.at()):
        pass
    return [orjson.loads(body(table_of(here), each)) for each in here.kept(hook)]


def test_a_whole_match(here: Place) -> None:
    """Every move is told, every decision that follows, and the end once, with its result."""
    hook = here.hook(URL)
    table = here.house.finished()
    events = table.feed(table.operator)
    messages = told(here, hook)
    moves = [event["seq"] for event in events if event["type"] == "move_played"]
    kinds = [(message["type"], message["data"]["seq"]) for message in messages]
    expected = [("match.created", 0), ("match.decision_needed", 1)]
    for seq in moves[:-1]:
        expected += [("match.moved", seq), ("match.decision_needed", seq)]
    assert kinds == [*expected, ("match.moved", moves[-1]), ("match.finished", moves[-1] + 1)]
    (outcome,) = [event["data"]["outcome"] for event in events if event["type"] == "match_finished"]
    assert messages[-1]["data"]["result"] == {
        "by": "play",
        "scores": outcome["scores"],
        "winners": outcome["winners"],
        "forfeited": [],
    }
    assert [message["timestamp"] for message in messages] == [
        next(event["at"] for event in events if event["seq"] == seq) for _kind, seq in kinds
    ]


def test_a_decision_that_all_make_at_once_is_told_once(here: Place) -> None:
    hook = here.hook(URL, types=["match.decision_needed"])
    table = here.house.table(game="towai", seats=3)
    for _move in range(40):
        table.move(Random(3))
    for message in told(here, hook):
        seats = [each["seat"] for each in message["data"]["to_act"]]
        position = orjson.loads(table.get(f"/positions/{message['data']['seq']}", OPERATOR).data)
        assert seats == position["view"]["to_act"]
        assert seats
        assert {each["deadline"] for each in message["data"]["to_act"]} == {None}


def test_deadlines_are_told_where_time_is_kept(here: Place) -> None:
    hook = here.hook(URL, types=["match.decision_needed"])
    clock = {"move": 30, "bank": None, "increment": 0, "on_expiry": "default"}
    table = here.house.table(clock=clock)
    (message,) = told(here, hook)
    (asked,) = message["data"]["to_act"]
    (running,) = [seat for seat in table.seen(OPERATOR)["clock"]["seats"] if seat["running"]]
    assert asked == {"seat": running["seat"], "deadline": running["deadline"]}


def test_a_ruling_is_told_and_the_decision_that_it_opens(here: Place) -> None:
    hook = here.hook(URL, types=["match.ruled", "match.decision_needed", "match.finished"])
    table = here.house.table()
    for _move in range(3):
        table.move()
    for ruling in ({"kind": "take_back", "to": 2}, {"kind": "pause"}, {"kind": "resume"}, {"kind": "void"}):
        seq = table.seen(OPERATOR)["seq"]
        answer = here.house.client.post(
            f"{table.path}/rulings",
            json={"ruling": ruling, "reason": "The wrong card"},
            headers={**OPERATOR, "If-Match": f'"{seq}"'},
        )
        assert answer.status_code == 200, answer.json
    messages = told(here, hook)[-7:]
    assert [(each["type"], each["data"].get("event", {}).get("type")) for each in messages] == [
        ("match.ruled", "ruling_made"),
        ("match.decision_needed", None),
        ("match.ruled", "ruling_made"),
        ("match.ruled", "ruling_made"),
        ("match.decision_needed", None),
        ("match.ruled", "ruling_made"),
        ("match.finished", "match_voided"),
    ]


def test_a_match_that_is_dealt_paused_needs_no_decision_until_it_is_started(here: Place) -> None:
    hook = here.hook(URL, types=["match.created", "match.decision_needed"])
    evening = cup(here.house).enter("Ann", "Ben", "Cho")
    (match,) = matches_of(evening.pair(held=True))
    assert [message["type"] for message in told(here, hook)] == ["match.created"]
    read(evening.ask("/rounds/1/start"))
    needed = told(here, hook)[1:]
    assert [(message["type"], message["data"]["match"]) for message in needed] == [("match.decision_needed", match)]
    assert needed[0]["data"]["to_act"]


def test_the_ids_of_messages_follow_from_what_they_tell(here: Place) -> None:
    hook = here.hook(URL)
    table = here.house.table()
    table.move()
    news = here.services.store.webhooks.news(10)
    made = [each for one in news for each in deliveries(table_of(here), one, here.services.at())]
    assert [(each.id, each.place) for each in made] == [
        (delivery_id(hook["webhook"], table.match, each.seq, each.place), TYPES.index(each.type)) for each in made
    ]
    assert len({each.id for each in made}) == len(made) == 4
    assert {len(each.id) for each in made} == {36}


def test_bodies_are_the_same_whenever_they_are_made(here: Place) -> None:
    hook = here.hook(URL)
    table = here.house.table()
    table.move()
    first = told(here, hook)
    for _move in range(3):
        table.move()
    assert told(here, hook)[: len(first)] == first


def test_what_is_not_there_cannot_be_told(here: Place) -> None:
    for kind in ("match", "tournament"):
        lost = Delivery("msg_0", "w", "nowhere", kind, 0, 0, "match.created", here.services.at())
        with pytest.raises(EventGone):
            body(table_of(here), lost)
    assert deliveries(table_of(here), News("match", "nowhere", 0, 1), here.services.at()) == []
    assert deliveries(table_of(here), News("tournament", "nowhere", 0, 1), here.services.at()) == []


def strings(node: Any) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(node, dict):
        for value in node.values():
            yield from strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings(value)
    elif isinstance(node, str):
        yield node


def test_no_hand_is_told_of_a_private_match_either(here: Place) -> None:
    """Of what the seats hold at the end nothing has been said, but for the cards that were played."""
    hook = here.hook(URL)
    table = here.house.table(game="towai", seats=3)
    for _move in range(6):
        table.move(Random(5))
    said = {text for message in told(here, hook) for text in strings(message["data"])}
    reader = here.house.key("operator", scopes=("matches:read",))
    public = {text for event in table.feed(reader) for text in strings(event)}
    for seat in range(3):
        view = table.seen(table.sits(seat))["view"]["table"]
        hand = view["hands"][seat]
        assert set(hand) - public
        assert said.isdisjoint(set(hand) - public)


def test_a_round_and_standings_that_change(here: Place) -> None:
    """Of a tournament: its rounds, corrections, and the ends of its matches; of a match outside nothing."""
    cup = {"game": "catte", "name": "Cup", "seats": [3], "rounds": 2}
    tournament = asked(here, "/v1/tournaments", cup)["tournament"]
    path = f"/v1/tournaments/{tournament}"
    hook = here.hook(URL, tournament=tournament, types=["round.paired", "standings.changed", "match.finished"])
    elsewhere = here.hook(URL, match=here.house.table().match, types=["round.paired", "standings.changed"])
    asked(here, f"{path}/entrants", {"entrants": [{"name": name} for name in ("Ann", "Ben", "Cho")]})
    paired = asked(here, f"{path}/rounds", {})
    (at,) = paired["tables"]
    asked(here, f"/v1/matches/{at['match']}/void", None)
    asked(here, f"{path}/corrections", {"entrant": "e1", "points": "-2", "reason": "Late"})
    messages = told(here, hook)
    by_kind: dict[str, list[Plain]] = {}
    for message in messages:
        by_kind.setdefault(message["type"], []).append(message["data"])
    (round_paired,), (finished,) = by_kind["round.paired"], by_kind["match.finished"]
    assert (round_paired["tournament"], round_paired["event"]["type"]) == (tournament, "round_paired")
    assert (finished["match"], finished["tournament"]) == (at["match"], tournament)
    changed = by_kind["standings.changed"]
    assert {"match": at["match"], "game": "catte", "tournament": tournament, "seq": finished["seq"]} in changed
    assert [set(data) for data in changed if "match" not in data] == [{"tournament", "seq"}] * 2
    assert told(here, elsewhere) == []


def asked(here: Place, path: str, document: Plain | None) -> Plain:
    """A request of the operator's that is granted."""
    answer = here.house.client.post(path, json=document, headers={**OPERATOR, "If-Match": "*"})
    assert answer.status_code in (200, 201), answer.json
    found: Plain = read(answer)
    return found
