"""Plays with the client that openapi-python-client makes of the contract.

usage: python player.py URL KEY SEED
"""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from generated import AuthenticatedClient, models
from generated.api.catalogue import list_games
from generated.api.catte import adjudicate_catte, start_catte
from generated.api.familiars_trouble import adjudicate_familiars_trouble, start_familiars_trouble
from generated.api.matches import create_match, play_move, read_match
from generated.api.tomorrow_never_meows import adjudicate_tomorrow_never_meows, start_tomorrow_never_meows
from generated.api.towai import adjudicate_towai, start_towai

Answer = TypeVar("Answer")
State = TypeVar("State", bound="Document")
Seen_co = TypeVar("Seen_co", bound="Document", covariant=True)
Move = TypeVar("Move")
Match = models.CatteMatch | models.TowaiMatch | models.TomorrowNeverMeowsMatch | models.FamiliarsTroubleMatch
NewMatch = (
    models.CatteNewMatch | models.TowaiNewMatch | models.TomorrowNeverMeowsNewMatch | models.FamiliarsTroubleNewMatch
)

URL, KEY, SEED = sys.argv[1:]
CLIENT = AuthenticatedClient(URL, KEY)


class Document(Protocol):
    """What was answered, as a model of the client."""

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it."""


class Position(Protocol[Seen_co, Move]):
    """A position of any game."""

    @property
    def state(self) -> Seen_co:
        """The whole state."""

    @property
    def legal_moves(self) -> list[Move]:
        """What may be played now."""

    @property
    def outcome(self) -> Document | None:
        """How the game ended, if it has."""


def expect(kind: type[Answer], answer: object) -> Answer:
    """Return an answer of the kind that is meant."""
    if not isinstance(answer, kind):
        raise TypeError(answer)
    return answer


def choose(moves: Sequence[Move], made: int) -> Move:
    """Choose a move as every player does: another place of the list each time."""
    return moves[made % len(moves)]


def shown(outcome: Document | None) -> dict[str, Any] | None:
    """Return the outcome as JSON has it."""
    return None if outcome is None else outcome.to_dict()


def play(game: str, position: Position[State, Move], rule: Callable[[State, Move], Position[State, Move]]) -> None:
    """Play one game to its end without a stored match."""
    moves = 0
    while position.outcome is None:
        position = rule(position.state, choose(position.legal_moves, moves))
        moves += 1
    final = {"state": position.state.to_dict(), "outcome": shown(position.outcome)}
    print(json.dumps({"game": game, "moves": moves, **final}))


def seen(match: str, client: AuthenticatedClient) -> Match:
    """Return a match as a seat sees it."""
    answer = read_match.sync(match, client=client)
    if not isinstance(answer, Match):
        raise TypeError(answer)
    return answer


def play_stored(body: NewMatch) -> None:
    """Play one stored match to its end, each seat with its token."""
    made = expect(models.CreatedMatch, create_match.sync(client=CLIENT, body=body))
    seats = [AuthenticatedClient(URL, seat.token) for seat in made.seats]
    match, moves = seen(made.match, seats[0]), 0
    while match.status == models.MatchStatus.PLAYING and match.view is not None:
        client = seats[match.view.to_act[0]]
        legal: Sequence[Document] = seen(made.match, client).legal_moves
        request = models.MoveRequest.from_dict({"move": choose(legal, moves).to_dict()})
        play_move.sync(made.match, client=client, body=request)
        match, moves = seen(made.match, seats[0]), moves + 1
    print(json.dumps({"match": made.match, "game": body.game, "moves": moves, "outcome": shown(match.outcome)}))


FEWEST = {each.game: each.seats.min_ for each in expect(models.GameList, list_games.sync(client=CLIENT)).games}

play(
    "catte",
    expect(
        models.CattePosition,
        start_catte.sync(client=CLIENT, body=models.CatteNewGame(FEWEST["catte"], seed=SEED)),
    ),
    lambda state, move: expect(
        models.CatteAdjudication,
        adjudicate_catte.sync(client=CLIENT, body=models.CatteMoveAdjudication(state, move)),
    ),
)

play(
    "towai",
    expect(
        models.TowaiPosition,
        start_towai.sync(client=CLIENT, body=models.TowaiNewGame(FEWEST["towai"], seed=SEED)),
    ),
    lambda state, move: expect(
        models.TowaiAdjudication,
        adjudicate_towai.sync(client=CLIENT, body=models.TowaiMoveAdjudication(state, move)),
    ),
)

play(
    "tomorrow-never-meows",
    expect(
        models.TomorrowNeverMeowsPosition,
        start_tomorrow_never_meows.sync(
            client=CLIENT, body=models.TomorrowNeverMeowsNewGame(FEWEST["tomorrow-never-meows"], seed=SEED)
        ),
    ),
    lambda state, move: expect(
        models.TomorrowNeverMeowsAdjudication,
        adjudicate_tomorrow_never_meows.sync(
            client=CLIENT, body=models.TomorrowNeverMeowsMoveAdjudication(state, move)
        ),
    ),
)

play(
    "familiars-trouble",
    expect(
        models.FamiliarsTroublePosition,
        start_familiars_trouble.sync(
            client=CLIENT, body=models.FamiliarsTroubleNewGame(FEWEST["familiars-trouble"], seed=SEED)
        ),
    ),
    lambda state, move: expect(
        models.FamiliarsTroubleAdjudication,
        adjudicate_familiars_trouble.sync(client=CLIENT, body=models.FamiliarsTroubleMoveAdjudication(state, move)),
    ),
)
play_stored(models.CatteNewMatch("catte", FEWEST["catte"]))
play_stored(models.TowaiNewMatch("towai", FEWEST["towai"]))
play_stored(models.TomorrowNeverMeowsNewMatch("tomorrow-never-meows", FEWEST["tomorrow-never-meows"]))
play_stored(models.FamiliarsTroubleNewMatch("familiars-trouble", FEWEST["familiars-trouble"]))
