"""A driver of python-chess reading games back from PGN, against the clock; prints a line of JSON.

usage: python pgn.py SECONDS NUMBER [turns]       (an interpreter that has chess; nothing else is imported)

With the word ``turns`` it measures once for every line that it reads.

Games of 80 random plies are written as PGN beforehand. What is measured is ``chess.pgn.read_game`` with a visitor that
keeps nothing but a count: the lightest way in which it checks every move against the legal ones. The clock is the
processor time of the thread.
"""

import io
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import cycle
from random import Random
from time import thread_time
from typing import Any

GAMES, PLIES = 30, 80
WARM_UP = 0.1


def texts(chess: Any, pgn: Any, rng: Random) -> list[tuple[str, int]]:
    """Return games as PGN, each with its number of plies."""
    found = []
    for _ in range(GAMES):
        board = chess.Board()
        while board.ply() < PLIES and (legal := list(board.legal_moves)):
            board.push(rng.choice(legal))
        found.append((f"{pgn.Game.from_board(board)}\n", board.ply()))
    return found


def counting(pgn: Any) -> Any:
    """Return a visitor that counts the moves; the reader resolves each against the legal ones."""

    class Counting(pgn.BaseVisitor):  # type: ignore[misc] # a class of the peer, which is not here
        def begin_game(self) -> None:
            self.moves = 0

        def visit_move(self, _board: Any, _move: Any) -> None:
            self.moves += 1

        def handle_error(self, error: Exception) -> None:
            raise error

        def result(self) -> int:
            return self.moves

    return Counting


def measured(pgn: Any, games: Iterator[tuple[str, int]], seconds: float) -> dict[str, float]:
    """Measure moves a second over as many of the games as fill that time."""
    visitor = counting(pgn)
    moves, spent = 0, 0.0
    for text, plies in games:
        begun = thread_time()
        counted = pgn.read_game(io.StringIO(text), Visitor=visitor)
        took = thread_time() - begun
        if counted != plies:
            raise RuntimeError(f"{counted} moves read, {plies} written")
        moves, spent = moves + plies, spent + took
        if spent >= seconds:
            break
    return {"moves_per_second": moves / spent}


if __name__ == "__main__":
    duration, number, *how = sys.argv[1:]
    chess, reader = import_module("chess"), import_module("chess.pgn")
    written = cycle(texts(chess, reader, Random(int(number))))
    measured(reader, written, WARM_UP)
    for _line in sys.stdin if how == ["turns"] else ("once",):
        print(json.dumps(measured(reader, written, float(duration))), flush=True)
