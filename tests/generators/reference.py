"""Plays over bare HTTP, without any client: what a client has to come to that plays by the same rule."""

import json
from typing import Any

from generators.commands import Fault
from operators import OPERATOR
from servers import Server

SEED = "5f" * 64

Document = dict[str, Any]


def asked(server: Server, method: str, path: str, body: Any = None) -> Any:
    """Return what the operator is answered."""
    status, answer = server.asked(method, path, body, OPERATOR)
    if status != 200:
        raise Fault(f"{method} {path}: {status} {answer.decode()}")
    return json.loads(answer)


def played(server: Server) -> list[Document]:
    """Play one game of each kind without a stored match; return what a player prints of them."""
    summaries = asked(server, "GET", "/v1/games")["games"]
    return [_play(server, summary["game"], summary["seats"]["min"]) for summary in summaries]


def _play(server: Server, game: str, seats: int) -> Document:
    position = asked(server, "POST", f"/v1/games/{game}/states", {"seats": seats, "seed": SEED})
    moves = 0
    while position["outcome"] is None:
        legal = position["legal_moves"]
        move = {"state": position["state"], "move": legal[moves % len(legal)]}
        position = asked(server, "POST", f"/v1/games/{game}/adjudications", move)
        moves += 1
    return {"game": game, "moves": moves, "state": position["state"], "outcome": position["outcome"]}


def compare(server: Server, expected: list[Document], printed: str) -> int:
    """Hold what a player printed against the games that are expected, and its matches against what the server has
    of them; return how many moves it made."""
    lines = [json.loads(line) for line in printed.splitlines()]
    told = {line["game"]: line for line in lines if "match" not in line}
    wrong = [game["game"] for game in expected if told.pop(game["game"], None) != game]
    stored = [line for line in lines if "match" in line]
    wrong += [line["match"] for line in stored if not _is_so(server, line)]
    if wrong or told or {line["game"] for line in stored} != {game["game"] for game in expected}:
        raise Fault(f"it has played otherwise than it should ({wrong}):\n{printed}")
    return sum(int(line["moves"]) for line in lines)


def _is_so(server: Server, line: Document) -> bool:
    match = asked(server, "GET", f"/v1/matches/{line['match']}")
    return bool(match["status"] == "finished" and match["outcome"] == line["outcome"] and match["game"] == line["game"])
