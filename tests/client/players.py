"""Players that use the client, and many matches at once on a bad line."""

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from client.proxy import CuttingProxy
from gyoji_client import Gyoji, Retries, Seat, StalePosition
from gyoji_client.answers import Document
from operators import OPERATOR_KEY

SHORT: Mapping[str, Document] = {"towai": {"finishes_to_win": 1}}
"""Options that make matches short."""

QUICK = Retries(most=40, first=0.01, longest=0.05)
"""For a line on which much is cut."""


def play(address: str, retries: Retries | None = None) -> Seat:
    """Play a seat to the end of its match, always the first move."""
    seat = Seat(address, retries=retries)
    with closing(seat):
        for turn in seat.turns():
            try:
                turn.play(turn.legal_moves[0])
            except StalePosition:
                continue
    return seat


def played(gyoji: Gyoji, match: str) -> list[Document]:
    """The events of a match that a seat has made, in order."""
    return [event for event in gyoji.matches.get(match).feed() if event["actor"].get("role") == "seat"]


def play_matches(games: Sequence[str], proxy: CuttingProxy, gyoji: Gyoji) -> None:
    """Play a match of three seats of each of these games behind the proxy, and see that each is over and verified, with
    every move made once."""
    before = proxy.cut
    with Gyoji(proxy.url, OPERATOR_KEY, retries=QUICK) as behind:
        matches = [behind.matches.create(game, seats=3, options=SHORT.get(game, {})) for game in games]
        addresses = [seat.address for match in matches for seat in match.seats]
        with ThreadPoolExecutor(min(len(addresses), 24)) as pool:  # the seats of a match are next to each other
            seats = list(pool.map(lambda address: play(address, QUICK), addresses))
    assert proxy.cut - before > len(games)
    receipts = Counter(seat.match_id for seat in seats for _receipt in seat.receipts)
    assert len({match.id for match in matches}) == len(games)
    for match in matches:
        found = gyoji.matches.get(match.id)
        assert found.read()["status"] == "finished"
        assert len(played(gyoji, match.id)) == receipts[match.id]
        assert found.audit()["verdict"] == "verified"
