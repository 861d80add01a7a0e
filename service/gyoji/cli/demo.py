"""``gyoji demo``: with nothing set up, a server of its own, a game of each kind, and a refused move."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from tempfile import TemporaryFile
from textwrap import fill
from time import monotonic, sleep
from typing import IO, Any

import click

from gyoji.cli.printing import LANGUAGE_OPTION

SEED = "4e6f72ed99ea8fa134b09fc4667f908aa9c78f37532268b8b30a4ac85ce4f4cd" * 2
"""A fixed seed, so that the page reads the same every time."""

SEATS = {"tomorrow-never-meows": 4, "catte": 4, "towai": 3, "familiars-trouble": 3}
START_WITHIN = 15.0


@click.command()
@LANGUAGE_OPTION
def demo(lang: str) -> None:
    """Play one game of each kind over HTTP against a server of its own, and see a move refused."""
    with own_server() as port, closing(Conversation(port, lang)) as talk:
        click.echo(f"A server of its own listens on port {port}.\n")
        games = talk.get("/v1/games")["games"]
        for game in games:
            _played(talk, game, lang)
        _refused(talk)
    click.echo("The server has stopped. The same with curl: see README.md. To serve for yourself: gyoji serve")


class Conversation:
    """Requests to one server over one connection, in one language."""

    def __init__(self, port: int, language: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Accept-Language": language, "Content-Type": "application/json"}

    def get(self, path: str) -> Any:
        """The answer to a GET."""
        return self._ask("GET", path, None)[1]

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        """Status and answer of a POST."""
        return self._ask("POST", path, json.dumps(body).encode())

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _ask(self, method: str, path: str, body: bytes | None) -> tuple[int, Any]:
        self._connection.request(method, path, body, self._headers)
        response = self._connection.getresponse()
        return response.status, json.loads(response.read())


@contextmanager
def own_server() -> Iterator[int]:
    """``gyoji serve`` on a free port, stopped when the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gyoji", "serve", "--port", str(port), "--workers", "1", "--threads", "2"]
    with TemporaryFile() as log, subprocess.Popen(command, stderr=log) as process:  # noqa: S603 - our own command
        try:
            _wait(process, port, log)
            yield port
        finally:
            process.terminate()


def _wait(process: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    until = monotonic() + START_WITHIN
    while process.poll() is None and monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        sleep(0.02)
    log.seek(0)
    raise click.ClickException(f"the server did not start: {log.read().decode(errors='replace')}")


def _played(talk: Conversation, game: Mapping[str, Any], lang: str) -> None:
    slug = game["game"]
    answer = talk.post(f"/v1/games/{slug}/states", {"seats": SEATS[slug], "seed": SEED})[1]
    plies, requests = 0, 0
    while answer["outcome"] is None:
        moves = [_choice(answer, plies)]
        answer = talk.post(f"/v1/games/{slug}/adjudications", {"state": answer["state"], "moves": moves})[1]
        plies, requests = plies + len(moves), requests + 1
    outcome, scored = answer["outcome"], talk.post(f"/v1/games/{slug}/scores", {"state": answer["state"]})[1]
    click.echo(f"{game['title'][lang]} ({slug}), {SEATS[slug]} seats")
    click.echo(f"  {plies} moves, each ruled on by a request; scores {outcome['scores']}; winners {outcome['winners']}")
    for line in scored["lines"][-2:]:
        click.echo(
            fill(
                f"{line['rule']}: {line['why']} ({line['points']:+})",
                100,
                initial_indent="  ",
                subsequent_indent="    ",
            )
        )
    click.echo("")


def _choice(answer: Mapping[str, Any], ply: int) -> Any:
    """A legal move: no strategy, only variety."""
    legal = answer["legal_moves"]
    return legal[(7 * ply + ply // 3) % len(legal)]


def _refused(talk: Conversation) -> None:
    """A seat that holds the lead colour plays another: the referee cites the rule."""
    address = "/v1/games/catte/adjudications"
    answer = talk.post("/v1/games/catte/states", {"seats": 4, "seed": SEED})[1]
    answer = talk.post(address, {"state": answer["state"], "move": answer["legal_moves"][0]})[1]
    seat = answer["state"]["to_act"][0]
    legal = [move["card"] for move in answer["legal_moves"]]
    card = next(card for card in answer["state"]["table"]["hands"][seat] if card not in legal)
    move = {"type": "play", "seat": seat, "card": card}
    status, ruling = talk.post(address, {"state": answer["state"], "move": move})
    click.echo(f"And a move that the rules forbid: seat {seat} plays {card} in Catte.")
    click.echo(f"  HTTP {status} {ruling['code']}, {ruling['reason']}, rule {ruling['rule']}")
    click.echo(fill(ruling["because"], 100, initial_indent="  ", subsequent_indent="  "))
    click.echo(fill(ruling["rule_text"], 100, initial_indent="  ", subsequent_indent="  "))
    click.echo(f"  It may play: {', '.join(move['card'] for move in ruling['legal_moves'])}\n")
