"""What the page of a match steps through: the same as all other calls show, of every event at once."""

from itertools import pairwise
from typing import Any

import pytest

from gyoji.app.match_states import MatchStateCache
from gyoji.messages.rulebooks import rulebook
from operators import OPERATOR
from replay.stepped_frames import views
from web.matches.tables import Headers, House, Plain, Table, pointers, read, refused
from web.matches.test_reading import ABSENT, COUNTED


def frames(table: Table, headers: Headers, query: str = "", **more: str) -> Any:
    """The answer to whoever asks for frames."""
    return table.client.get(f"/matches/{table.match}/frames{query}", headers={**headers, **more})


def seen(table: Table, headers: Headers, query: str = "", **more: str) -> Plain:
    """The frames."""
    found: Plain = read(frames(table, headers, query, **more))
    return found


def positions(table: Table, headers: Headers, last: int, query: str = "") -> list[Any]:
    """The views of all positions, one by one."""
    return [read(table.get(f"/positions/{seq}{query}", headers))["view"] for seq in range(1, last + 1)]


def expanded(legal: list[Plain]) -> list[Plain]:
    """Moves one by one."""
    return [{**move, **({} if card is None else {"card": card})} for move in legal for card in move.get("card", [None])]


def test_what_it_says_of_the_match(house: House) -> None:
    table = house.table(seats=[{"name": "Ann"}, {"name": "<b>Ben</b>"}, {"name": "Cho"}])
    found = seen(table, table.sits(1))
    made = read(table.get("", table.sits(1)))
    assert {name: found[name] for name in ("match", "game", "version", "status", "closed", "seats", "created")} == {
        name: made[name] for name in ("match", "game", "version", "status", "closed", "seats", "created")
    }
    assert [seat["name"] for seat in found["seats"]] == ["Ann", "<b>Ben</b>", "Cho"]
    assert (found["title"], found["viewer"], found["as"]) == ("Catte", {"role": "seat", "seat": 1}, None)
    assert found["options"] == made["view"]["options"]
    assert (found["seq"], found["next"], found["broken"]) == (1, None, None)
    assert [frame["type"] for frame in found["frames"]] == ["match_created", "dealt"]


def test_a_finished_match_is_stepped_through_to_its_scores(over: Table) -> None:
    found = seen(over, over.sits(0))
    last = found["seq"]
    events = over.feed(over.sits(0))
    told = found["frames"]
    assert [(frame["seq"], frame["at"], frame["type"], frame["actor"]) for frame in told] == [
        (event["seq"], event["at"], event["type"], event["actor"]) for event in events
    ]
    assert [frame["move"] for frame in told] == [event["data"].get("move") for event in events]
    shown = views(told)
    assert shown[0] is None
    expected = positions(over, over.sits(0), last)
    assert {view["seed"] for view in shown[1:]} == {None}  # which readMatch discloses; no page needs it
    assert shown[1:] == [{**view, "seed": None} for view in expected]
    assert (shown[-1]["phase"], shown[-1]["scores"]) == ("finished", read(over.get("", OPERATOR))["scores"])
    assert (found["status"], found["closed"], told[-1]["legal"]) == ("finished", True, [])
    assert [type(hand) for hand in shown[1]["table"]["hands"]] == [list, list, list]


def test_every_move_that_was_made_was_legal_before_it(over: Table) -> None:
    told = seen(over, over.sits(0))["frames"]
    moves = [(before, after["move"]) for before, after in pairwise(told) if after["move"]]
    assert len(moves) > 30
    assert all(move in expanded(before["legal"]) for before, move in moves)


@pytest.mark.parametrize("who", ["seat", "spectator", "auditor", "unsealed"])
def test_a_sealed_match_shows_what_its_reader_may_know(house: House, sealed: Table, who: str) -> None:
    headers: Headers = {
        "seat": lambda: sealed.sits(2),
        "spectator": lambda: house.spectator(sealed),
        "auditor": lambda: house.key("auditor", matches=[sealed.match]),
        "unsealed": lambda: OPERATOR,
    }[who]()
    found = seen(sealed, headers)
    shown = views(found["frames"])
    expected = positions(sealed, headers, found["seq"])
    assert shown[1:] == [{**view, "seed": None} for view in expected]
    hands = [isinstance(hand, list) for hand in shown[1]["table"]["hands"]]
    everything = [True] * 3
    assert hands == {"seat": [False, False, True], "spectator": [False] * 3}.get(who, everything)
    movers = {move["seat"] for frame in found["frames"] for move in frame["legal"]}
    assert movers == {"seat": {2}, "spectator": set()}.get(who, {0, 1, 2})


def test_a_seat_is_told_of_its_own_legal_moves_alone(table: Table) -> None:
    own = [seen(table, table.sits(seat))["frames"][-1] for seat in range(3)]
    assert expanded(own[0]["legal"]) == read(table.get("", table.sits(0)))["legal_moves"]
    assert (own[1]["legal"], own[2]["legal"]) == ([], [])
    assert [type(hand) for hand in own[1]["view"]["table"]["hands"]] == [dict, list, dict]


def test_as_a_seat(over: Table, house: House) -> None:
    auditor = house.key("auditor", matches=[over.match])
    found = seen(over, auditor, "?as=1")
    assert (found["viewer"], found["as"]) == ({"role": "auditor", "seat": None}, 1)
    assert views(found["frames"])[1:] == positions(over, auditor, found["seq"], "?as=1")
    assert {move["seat"] for frame in found["frames"] for move in frame["legal"]} == {1}
    dealt = found["frames"][1]["told"]
    assert [item["text"] for item in dealt[1:4:2]] == ["Ann: 13 cards", "Cho: 13 cards"]
    assert len(dealt[2]["text"].split(", ")) == 13


def test_who_may_not_look_as_a_seat(table: Table, over: Table, house: House) -> None:
    refused(frames(table, table.sits(0), "?as=1"), 403, "forbidden")
    refused(frames(over, house.spectator(over), "?as=1"), 403, "forbidden")
    refused(frames(table, house.key("auditor", matches=[table.match]), "?as=1"), 409, "not-disclosed")
    assert pointers(frames(over, OPERATOR, "?as=3")) == [("/as", "not-allowed")]


def test_some_of_the_frames(over: Table) -> None:
    whole = seen(over, OPERATOR)
    found = seen(over, OPERATOR, "?after=20&limit=5")
    assert [frame["seq"] for frame in found["frames"]] == [21, 22, 23, 24, 25]
    assert (found["next"], found["seq"]) == (25, whole["seq"])
    assert views(found["frames"]) == views(whole["frames"])[21:26]
    assert [frame["told"] for frame in found["frames"]] == [frame["told"] for frame in whole["frames"][21:26]]
    rest = seen(over, OPERATOR, f"?after={whole['seq'] - 1}")
    assert ([frame["seq"] for frame in rest["frames"]], rest["next"]) == ([whole["seq"]], None)
    for query in (f"?after={whole['seq']}", "?after=2147483647"):
        assert (seen(over, OPERATOR, query)["frames"], seen(over, OPERATOR, query)["next"]) == ([], None)
    assert seen(over, OPERATOR, "?after=-1") == whole


def test_the_last_of_the_frames(over: Table) -> None:
    whole = seen(over, OPERATOR)
    found = seen(over, OPERATOR, "?last=3")
    assert [frame["seq"] for frame in found["frames"]] == [whole["seq"] - 2, whole["seq"] - 1, whole["seq"]]
    assert views(found["frames"]) == views(whole["frames"])[-3:]
    assert seen(over, OPERATOR, "?last=500") == whole


def test_in_the_notation_of_the_log(over: Table) -> None:
    """Whoever wants to compare what a page says with the log reads seats from 0 and cards by their codes."""
    named, noted = (seen(over, over.sits(1), query) for query in ("", "?notation=log"))
    for frame, other in zip(named["frames"], noted["frames"], strict=True):
        assert {**frame, "told": None} == {**other, "told": None}
        if other["move"] and other["move"]["type"] == "play":
            seat, code = other["move"]["seat"], other["move"]["card"]
            assert other["told"][0]["text"] == f"Seat {seat} plays {code}."
            assert frame["told"][0]["text"].startswith(f"{named['seats'][seat]['name']} plays ")
            assert code not in frame["told"][0]["text"]


WRONG = (
    *("after=-2", "after=x", "after=2147483648", "limit=0", "limit=501", "last=0", "last=501"),
    *("as=", "as=-1", "notation=", "notation=names"),
)


@pytest.mark.parametrize("query", WRONG)
def test_what_cannot_be_asked_for(over: Table, query: str) -> None:
    name = query.partition("=")[0]
    assert pointers(frames(over, OPERATOR, f"?{query}")) == [(f"/{name}", "not-allowed")]


def test_before_the_deal_there_is_nothing_to_see(house: House) -> None:
    table = house.table(randomness={"policy": "players", "within": 60, "missing": "void"})
    (frame,) = seen(table, table.sits(0))["frames"]
    assert (frame["view"], frame["legal"], frame["move"]) == (None, [], None)
    assert seen(table, table.sits(0))["status"] == "seeding"


def test_it_is_told_in_the_language_of_the_caller(table: Table) -> None:
    english, japanese = seen(table, OPERATOR), seen(table, OPERATOR, accept_language="ja")
    assert english["frames"][1]["told"][0] == {"text": "Round 1 is dealt.", "rule": None, "detail": False}
    assert japanese["frames"][1]["told"][0]["text"] == "第1ラウンドの札を配りました。"
    assert seen(table, OPERATOR, accept_language="ja")["title"] == rulebook("catte").title["ja"]


def test_rules_are_cited(over: Table) -> None:
    told = [item for frame in seen(over, OPERATOR)["frames"] for item in frame["told"]]
    assert {"CAT-4.1", "CAT-4.2"} == {item["rule"] for item in told if not item["detail"]} - {None}
    assert all(item["rule"] is None or item["rule"].startswith("CAT-") for item in told)


def test_what_hides_a_match_hides_its_frames(house: House, table: Table) -> None:
    for match in (table.match, ABSENT, "x", table.match.upper()):
        refused(house.client.get(f"/matches/{match}/frames"), 404, "not-found")
    refused(frames(table, {"Authorization": "Bearer nobody's"}), 401, "unauthenticated")
    refused(frames(table, OPERATOR, accept="text/html"), 406, "not-acceptable")


def test_nobody_keeps_them(table: Table) -> None:
    headers = frames(table, table.sits(0), accept_language="ja").headers
    assert (headers["Cache-Control"], headers["Content-Language"]) == ("private, no-store", "ja")
    assert headers["Vary"] == "Authorization, Accept, Accept-Language"
    assert headers["Content-Type"] == "application/json"


def test_they_cost_one_read_of_the_log(over: Table, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames late in a match are not folded from its beginning: those before are remembered."""
    last = seen(over, OPERATOR)["seq"]
    seen(over, OPERATOR, f"?after={last - 2}")
    asked: list[int] = []
    honest = house.services.store.entries

    def entries(match: str, after: int = -1, until: int | None = None, *, lasting: bool = False) -> Any:
        asked.append((last if until is None else until) - after)
        return honest(match, after, last if until is None else until, lasting=lasting)

    monkeypatch.setattr(house.services.store, "entries", entries)
    seen(over, OPERATOR, f"?after={last - 2}")
    assert sum(asked) <= 64 + 3
    assert COUNTED not in views(seen(over, OPERATOR)["frames"])[1]["table"]["hands"]


def test_page_by_page_a_long_log_is_read_about_three_times(
    over: Table, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for its frames, once for where they begin and once for what of it has been taken back, by a process that has
    not seen the match yet."""
    whole = seen(over, OPERATOR)
    monkeypatch.setattr("gyoji.app.match_states.MILESTONE", 4)
    monkeypatch.setitem(house.services.__dict__, "match_states", MatchStateCache(house.services.store))
    asked: list[int] = []
    honest = house.services.store.entries

    def entries(match: str, after: int, until: int, *, lasting: bool = False) -> Any:
        asked.append(until - after)
        return honest(match, after, until, lasting=lasting)

    monkeypatch.setattr(house.services.store, "entries", entries)
    after, shown = -1, list[Any]()
    while after is not None:
        page = seen(over, OPERATOR, f"?after={after}&limit=10")
        shown += views(page["frames"])
        after = page["next"]
    assert shown == views(whole["frames"])
    pages = len(asked) / 4
    assert sum(asked) <= 3 * len(shown) + 5 * pages
