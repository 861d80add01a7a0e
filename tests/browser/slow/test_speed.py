"""How soon a long match can be stepped through. Time is no matter for the tests of every day: machines are busy."""

from time import monotonic

from playwright.sync_api import Page

from browser.house import House
from browser.matches import looking
from browser.screens import Browse

EVENTS = 400
SECONDS = 1.0
TRIES = 5


def test_a_match_of_400_events_answers_within_a_second(browse: Browse, server: House) -> None:
    table = server.opened("towai", 6, options={"finishes_to_win": 3})
    assert server.played(table, EVENTS) == EVENTS
    taken = sorted(seconds_until_it_steps(browse(), server, table.match, table.tokens[seat]) for seat in range(TRIES))
    print(f"a match of {EVENTS} events steps after {[round(seconds, 2) for seconds in taken]} s")  # noqa: T201
    assert taken[0] <= SECONDS


def seconds_until_it_steps(page: Page, server: House, match: str, token: str) -> float:
    """From the address to the answer to a key. Each is a seat: of one address without a token few may have a stream."""
    begun = monotonic()
    shown = looking(page, server, match, token)
    page.keyboard.press("ArrowLeft")
    shown.stands_at(EVENTS)
    return monotonic() - begun
