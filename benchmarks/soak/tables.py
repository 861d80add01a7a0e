"""The stored traffic of a soak: matches that are created, played by their seats and finished, one after the other.

The course of a match knows all its cards, as an operator with ``matches:unseal`` may, and compares every answer to a
move with what the rules make of it in this process. A shuffle is the service's secret; after one it looks again.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from random import Random
from secrets import token_hex
from typing import Any

import orjson

from benchmarks.soak.requests import JSON, Answer, Course, SoakRequest, WrongAnswer, check_equal, check_status
from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.game import Accepted, Game, Move

SHORT: dict[str, dict[str, Any]] = {
    "tomorrow-never-meows": {"concealed": True},
    "catte": {},
    "towai": {"finishes_to_win": 1},
    "familiars-trouble": {"hand_exchange": False, "errand_exchange": False},
}
"""Options under which every second match is over sooner."""


@dataclass
class Table:
    """A match that is under way, or over."""

    match: str
    game: str
    tokens: tuple[str, ...]
    seq: int = 0
    scores: Any = None
    outcome: Any = None
    lines: int = 0
    told: dict[int, float] = field(default_factory=dict)
    """When a move was known to be stored, by its event."""

    @property
    def path(self) -> str:
        """The path of the match."""
        return f"/v1/matches/{self.match}"

    def of_seat(self, seat: int) -> dict[str, str]:
        """Return what a seat sends with every request."""
        return {**JSON, "Authorization": f"Bearer {self.tokens[seat]}"}


@dataclass
class Tables:
    """All tables, and who runs them."""

    operator: dict[str, str]
    """The headers of the operator."""
    file: Callable[[bytes], None]
    """Takes a finished match's replay file, to be audited."""
    running: dict[str, Table] = field(default_factory=dict)
    over: list[Table] = field(default_factory=list)
    finished: int = 0

    def is_over(self, table: Table) -> None:
        """Count a match that has ended and whose file has been read. The last few hundred are kept to be read again."""
        self.finished += 1
        table.told.clear()
        self.over.append(table)
        del self.over[:-300]


class ShuffleDue(Exception):
    """The next shuffle is the service's secret."""


def _no_chance(*_shuffle: object) -> tuple[str, ...]:
    raise ShuffleDue


def play_stored(house: Tables, number: int) -> Course:
    """Play one match after the other, for ever."""
    rng = Random(number)
    for at in range(number, number + 10**9):
        yield from _match(house, GAMES[at % len(GAMES)], rng)


def _match(house: Tables, game: Game[Any], rng: Random) -> Course:
    table = yield from _create(house, game, rng)
    try:
        state = yield from _check_view(house, table)
        while state.outcome is None:
            state = yield from _turn(house, table, state, rng)
            table.scores, table.outcome = state.scores, state.outcome
        yield from _read_replay(house, table)
    finally:
        house.running.pop(table.match, None)


def _create(house: Tables, game: Game[Any], rng: Random) -> Generator[SoakRequest, Answer, Table]:
    seats = rng.randint(game.min_seats, game.max_seats)
    body = {"game": game.slug, "seats": seats, "options": SHORT[game.slug] if rng.random() < 0.5 else {}}
    key = {"Idempotency-Key": token_hex(16)}
    answer = yield SoakRequest("create match", "POST", "/v1/matches", orjson.dumps(body), {**house.operator, **key})
    made = check_status(answer, 201, "create match").document
    table = Table(made["match"], game.slug, tuple([seat["token"] for seat in made["seats"]]), made["seq"])
    house.running[table.match] = table
    return table


def _check_view(house: Tables, table: Table) -> Generator[SoakRequest, Answer, Any]:
    """Check the whole position."""
    answer = yield SoakRequest("read match, all cards", "GET", table.path, None, house.operator)
    said = check_status(answer, 200, "read match, all cards").document
    check_equal(said["seq"], table.seq, "read match, all cards", "number of the last event")
    return BY_SLUG[table.game].read_state(said["view"])


def _turn(house: Tables, table: Table, state: Any, rng: Random) -> Generator[SoakRequest, Answer, Any]:
    """Make a move; now and then one on a stale position before it, or an illegal one, or the same one again after
    it."""
    game = BY_SLUG[table.game]
    move = rng.choice(game.legal_moves(state))
    seat, chosen = move["seat"], rng.random()
    if chosen < 0.02:
        yield from _stale(table, seat, move)
    elif chosen < 0.05:
        yield from _out_of_turn(table, state, move)
    key = {"If-Match": f'"{table.seq}"', "Idempotency-Key": token_hex(16)}
    asked = SoakRequest(
        "move", "POST", f"{table.path}/moves", orjson.dumps({"move": move}), {**table.of_seat(seat), **key}
    )
    answer = yield asked
    said = check_status(answer, 200, "move").document
    if said["seq"] != table.seq + 1:
        raise WrongAnswer("move: its event does not follow the last one")
    table.seq = said["seq"]
    table.told[table.seq] = answer.at
    if rng.random() < 0.04:
        again = yield asked._replace(kind="move sent again")
        check_equal(check_status(again, 200, "move sent again").body, answer.body, "move sent again", "answer")
    after = _ruling(game, state, move)
    if after is None:
        after = yield from _check_view(house, table)
    check_equal(said["view"], game.view(after, seat), "move", "view")
    own = [legal for legal in game.legal_moves(after) if legal["seat"] == seat]
    check_equal(said["legal_moves"], own, "move", "list of legal moves")
    check_equal(said["scores"], after.scores, "move", "score")
    check_equal(said["outcome"], after.outcome, "move", "outcome")
    return after


def _ruling(game: Game[Any], state: Any, move: Move) -> Any:
    """Return the position after the move; ``None`` where cards are shuffled for it."""
    try:
        ruling = game.adjudicate(state, move, _no_chance)
    except ShuffleDue:
        return None
    if not isinstance(ruling, Accepted):
        raise WrongAnswer("move: the rules refuse what they list")
    return ruling.state


def _stale(table: Table, seat: int, move: Move) -> Course:
    """Send a move meant for the position before the deal."""
    headers = {**table.of_seat(seat), "If-Match": '"0"'}
    answer = yield SoakRequest("stale move", "POST", f"{table.path}/moves", orjson.dumps({"move": move}), headers)
    check_status(answer, 412, "stale move")


def _out_of_turn(table: Table, state: Any, move: Move) -> Course:
    """Send the move as a seat whose turn it is not."""
    others = [seat for seat in range(state.seats) if seat not in state.to_act]
    if not others:
        return
    body = orjson.dumps({"move": {**move, "seat": others[0]}})
    answer = yield SoakRequest("refused stored move", "POST", f"{table.path}/moves", body, table.of_seat(others[0]))
    check_equal(
        check_status(answer, 409, "refused stored move").document["reason"],
        "not-your-turn",
        "refused stored move",
        "reason",
    )


def _read_replay(house: Tables, table: Table) -> Course:
    """Read the replay file, which is audited elsewhere; return the last number of its events too."""
    answer = yield SoakRequest("replay file", "GET", f"{table.path}/replay", None, table.of_seat(0))
    file = check_status(answer, 200, "replay file").body
    house.file(file)
    table.lines = file.count(b"\n")
    answer = yield SoakRequest("read finished match", "GET", table.path, None, table.of_seat(0))
    said = check_status(answer, 200, "read finished match").document
    check_equal(said["status"], "finished", "read finished match", "status")
    check_equal(said["scores"], table.scores, "read finished match", "score")
    table.seq = said["seq"]
    house.is_over(table)
