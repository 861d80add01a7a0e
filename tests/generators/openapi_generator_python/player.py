"""Plays with the client that openapi-generator makes of the contract for Python.

usage: python player.py URL KEY SEED
"""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import gyoji_client as gyoji

Answer = TypeVar("Answer")
State = TypeVar("State", bound="Document")
State_co = TypeVar("State_co", bound="Document", covariant=True)
Move = TypeVar("Move")
Match = gyoji.CatteMatch | gyoji.TowaiMatch | gyoji.TomorrowNeverMeowsMatch | gyoji.FamiliarsTroubleMatch
NewMatch = gyoji.CatteNewMatch | gyoji.TowaiNewMatch | gyoji.TomorrowNeverMeowsNewMatch | gyoji.FamiliarsTroubleNewMatch

URL, KEY, SEED = sys.argv[1:]


class Document(Protocol):
    """What was answered, as a model of the client."""

    def to_json(self) -> str:
        """Write it as JSON."""


class Position(Protocol[State_co, Move]):
    """A position of any game."""

    @property
    def state(self) -> State_co:
        """The whole state."""

    @property
    def legal_moves(self) -> list[Move]:
        """What may be played now."""

    @property
    def outcome(self) -> Document | None:
        """How the game ended, if it has."""


def asking(token: str | None = None) -> gyoji.ApiClient:
    """Return what asks the service, with a key or a token or none."""
    return gyoji.ApiClient(gyoji.Configuration(host=URL, access_token=token))


def expect(kind: type[Answer], answer: object) -> Answer:
    """Return an answer of the kind that is meant."""
    if not isinstance(answer, kind):
        raise TypeError(answer)
    return answer


def choose(moves: Sequence[Move], made: int) -> Move:
    """Choose a move as every player does: another place of the list each time."""
    return moves[made % len(moves)]


def shown(document: Document | None) -> object:
    """Return what JSON holds of it."""
    return None if document is None else json.loads(document.to_json())


def play(game: str, position: Position[State, Move], rule: Callable[[State, Move], Position[State, Move]]) -> None:
    """Play one game to its end without a stored match."""
    moves = 0
    while position.outcome is None:
        position = rule(position.state, choose(position.legal_moves, moves))
        moves += 1
    final = {"state": shown(position.state), "outcome": shown(position.outcome)}
    print(json.dumps({"game": game, "moves": moves, **final}))


def seen(match: str, client: gyoji.ApiClient) -> Match:
    """Return a match as a seat sees it."""
    answer = gyoji.MatchesApi(client).read_match(match).actual_instance
    if answer is None:
        raise TypeError(match)
    return answer


def play_stored(body: NewMatch) -> None:
    """Play one stored match to its end, each seat with its token."""
    made = gyoji.MatchesApi(asking(KEY)).create_match(gyoji.MatchRequest(body))
    seats = [asking(seat.token) for seat in made.seats]
    match, moves = seen(made.match, seats[0]), 0
    while match.status == gyoji.MatchStatus.PLAYING and match.view is not None:
        client = seats[match.view.to_act[0]]
        legal: Sequence[Document] = seen(made.match, client).legal_moves
        request = gyoji.MoveRequest(move=gyoji.AnyMove.from_json(choose(legal, moves).to_json()))
        gyoji.MatchesApi(client).play_move(made.match, request)
        match, moves = seen(made.match, seats[0]), moves + 1
    print(json.dumps({"match": made.match, "game": body.game, "moves": moves, "outcome": shown(match.outcome)}))


NOBODY = asking()
FEWEST = {each.game: each.seats.min for each in gyoji.CatalogueApi(NOBODY).list_games().games}
CATTE, TOWAI = gyoji.CatteApi(NOBODY), gyoji.TowaiApi(NOBODY)
TOMORROW, FAMILIARS = gyoji.TomorrowNeverMeowsApi(NOBODY), gyoji.FamiliarsTroubleApi(NOBODY)

play(
    "catte",
    expect(
        gyoji.CattePosition,
        CATTE.start_catte(
            gyoji.StartCatteRequest(gyoji.CatteNewGame(seats=FEWEST["catte"], seed=SEED))
        ).actual_instance,
    ),
    lambda state, move: expect(
        gyoji.CatteAdjudication,
        CATTE.adjudicate_catte(
            gyoji.AdjudicateCatteRequest(gyoji.CatteMoveAdjudication(state=state, move=move))
        ).actual_instance,
    ),
)

play(
    "towai",
    expect(
        gyoji.TowaiPosition,
        TOWAI.start_towai(
            gyoji.StartTowaiRequest(gyoji.TowaiNewGame(seats=FEWEST["towai"], seed=SEED))
        ).actual_instance,
    ),
    lambda state, move: expect(
        gyoji.TowaiAdjudication,
        TOWAI.adjudicate_towai(
            gyoji.AdjudicateTowaiRequest(gyoji.TowaiMoveAdjudication(state=state, move=move))
        ).actual_instance,
    ),
)

play(
    "tomorrow-never-meows",
    expect(
        gyoji.TomorrowNeverMeowsPosition,
        TOMORROW.start_tomorrow_never_meows(
            gyoji.StartTomorrowNeverMeowsRequest(
                gyoji.TomorrowNeverMeowsNewGame(seats=FEWEST["tomorrow-never-meows"], seed=SEED)
            )
        ).actual_instance,
    ),
    lambda state, move: expect(
        gyoji.TomorrowNeverMeowsAdjudication,
        TOMORROW.adjudicate_tomorrow_never_meows(
            gyoji.AdjudicateTomorrowNeverMeowsRequest(gyoji.TomorrowNeverMeowsMoveAdjudication(state=state, move=move))
        ).actual_instance,
    ),
)

play(
    "familiars-trouble",
    expect(
        gyoji.FamiliarsTroublePosition,
        FAMILIARS.start_familiars_trouble(
            gyoji.StartFamiliarsTroubleRequest(
                gyoji.FamiliarsTroubleNewGame(seats=FEWEST["familiars-trouble"], seed=SEED)
            )
        ).actual_instance,
    ),
    lambda state, move: expect(
        gyoji.FamiliarsTroubleAdjudication,
        FAMILIARS.adjudicate_familiars_trouble(
            gyoji.AdjudicateFamiliarsTroubleRequest(gyoji.FamiliarsTroubleMoveAdjudication(state=state, move=move))
        ).actual_instance,
    ),
)

play_stored(gyoji.CatteNewMatch(game="catte", seats=gyoji.CatteNewMatchSeats(FEWEST["catte"])))
play_stored(gyoji.TowaiNewMatch(game="towai", seats=gyoji.TowaiNewMatchSeats(FEWEST["towai"])))
play_stored(
    gyoji.TomorrowNeverMeowsNewMatch(
        game="tomorrow-never-meows",
        seats=gyoji.TomorrowNeverMeowsNewMatchSeats(FEWEST["tomorrow-never-meows"]),
    )
)
play_stored(
    gyoji.FamiliarsTroubleNewMatch(
        game="familiars-trouble", seats=gyoji.FamiliarsTroubleNewMatchSeats(FEWEST["familiars-trouble"])
    )
)
