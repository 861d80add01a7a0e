"""What a director announces: who sees it, how long, and that nothing counts by it."""

from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from gyoji.tournaments.fold import fold_log
from web.matches.tables import House, pointers, read, refused
from web.tournaments.directing import Cup, cup, refusal

SAID = "Round 2 begins at 20:30 <b>in hall 3</b> \u2013 第2ラウンド"


def announced(found: Cup, text: Any) -> TestResponse:
    """The director announces something."""
    return found.ask("/announcements", {"text": text})


def types(found: Cup) -> list[str]:
    """The types of the events of its log."""
    return [event["type"] for event in events(found)]


def events(found: Cup) -> list[Any]:
    """The events of its log, as it is exported."""
    lines = [orjson.loads(line) for line in found.get("/log").data.splitlines()]
    return lines[1:-1]


def place(found: Cup) -> Any:
    """What an entrant is told by the token for the event."""
    token = read(found.get("/entrants"))["entrants"][0]["token"]
    return read(found.ask("/places", {"token": token}, by={}))


def test_it_is_shown_until_it_is_replaced_or_taken_away(house: House) -> None:
    found = cup(house).enter("Ann", "Ben", "Cho")
    assert "announcement" not in read(found.get())
    for text in ("The kitchen is open.", SAID):
        assert read(announced(found, text))["announcement"] == text
        assert read(found.get())["announcement"] == place(found)["announcement"] == text
    assert "announcement" not in read(announced(found, None))
    assert "announcement" not in place(found)
    assert [event["data"]["text"] for event in events(found)[-3:]] == ["The kitchen is open.", SAID, None]
    assert refusal(announced(found, None)) == "nothing-announced"


def test_nothing_is_announced_in_a_tournament_that_is_closed(house: House) -> None:
    found = cup(house)
    read(announced(found, SAID))
    assert "announcement" not in read(found.ask("/close"))
    assert refusal(announced(found, SAID)) == "tournament-closed"


def test_standings_are_as_they_were(house: House) -> None:
    found = cup(house, rounds=1).enter("Ann", "Ben", "Cho")
    found.play()
    before = found.standings()
    read(announced(found, SAID))
    assert found.standings() == before
    told = events(found)
    without = [event for event in told if event["type"] != "announcement_made"]
    assert fold_log(told)._replace(announcement=None) == fold_log(without)


def test_a_log_without_announcements_says_nothing_of_them(house: House) -> None:
    found = cup(house, rounds=1).enter("Ann", "Ben", "Cho")
    found.pair()
    assert b"announce" not in found.get("/log").data


@pytest.mark.parametrize("text", ["", "x" * 201, "two\nlines", 7])
def test_an_announcement_has_bounds(house: House, text: Any) -> None:
    assert [pointer for pointer, _code in pointers(announced(cup(house), text))] == ["/text"]


def test_who_does_not_run_the_tournament_announces_nothing(house: House) -> None:
    found = cup(house, visibility="public")
    judge = house.key("referee", tournaments=(found.tournament,))
    refused(found.ask("/announcements", {"text": SAID}, by=judge), 403, "forbidden")
    refused(found.ask("/announcements", {"text": SAID}, by={}), 401, "unauthenticated")


def test_a_repeated_request_announces_once(house: House) -> None:
    found = cup(house)
    for _ in range(2):
        read(found.ask("/announcements", {"text": SAID}, headers={"Idempotency-Key": "dinner"}))
    assert types(found).count("announcement_made") == 1


def test_the_public_page_shows_it_without_a_script(house: House) -> None:
    found = cup(house, visibility="public")
    page = f"/tournaments/{found.tournament}"
    assert 'class="announced"' not in house.client.get(page).text
    read(announced(found, SAID))
    shown = house.client.get(page).text
    assert "Round 2 begins at 20:30 &lt;b&gt;in hall 3&lt;/b&gt;" in shown
