"""What the cat cards that are out of play tell of a round: who can have won its tricks, and so who leads."""

from functools import lru_cache

from gyoji.games.catte.rules import trick_winner
from gyoji.games.game import Card, Seat, clockwise
from gyoji.games.tricks import Play

Wins = tuple[int, ...]
"""How many tricks each seat has won so far."""


@lru_cache(maxsize=4096)
def possible_leads(
    starting: Seat, acquired: tuple[tuple[Card, ...], ...], discard: tuple[Card, ...]
) -> frozenset[Seat]:
    """CAT-4.3, CAT-4.4: who can lead after the tricks out of play, if the coffee cards were acquired for them.

    Whose coffee card lay in the centre is known by who acquired it, so all ways to acquire them in their order are
    followed at once; as a rule there is one. Nobody can lead if there is none. The answer stands until the next trick
    is won, so it is kept.
    """
    seats = len(acquired)
    ways: set[tuple[Seat, Wins]] = {(starting, (0,) * seats)}
    for at in range(0, len(discard), seats):
        cards = discard[at : at + seats]
        ways = {won for lead, wins in ways for won in _won(cards, lead, wins, acquired)}
    return frozenset([lead for lead, _ in ways])


def _won(
    cards: tuple[Card, ...], lead: Seat, wins: Wins, acquired: tuple[tuple[Card, ...], ...]
) -> list[tuple[Seat, Wins]]:
    """CAT-4.1, CAT-4.2: the ways on from here: each seat that wins this trick for the next coffee card it acquired."""
    seats = len(acquired)
    trick = tuple(map(Play, clockwise(lead, seats), cards))
    return [
        (seat, (*wins[:seat], wins[seat] + 1, *wins[seat + 1 :]))
        for seat, coffee in enumerate(acquired)
        if wins[seat] < len(coffee) and trick_winner(trick, coffee[wins[seat]][0])[0] == seat
    ]
