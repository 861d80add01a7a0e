"""``gyoji demo``: starts a server of its own, plays each game, sees a move refused, and audits the replays."""

import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from shutil import which
from textwrap import fill
from typing import Any

import click

from gyoji.app.conformance import cases, request_of
from gyoji.cli.demo_matches import audit_golden_replays, play_stored_matches, vary_move
from gyoji.cli.options import LANGUAGE_OPTION
from gyoji.games.catalogue import EXAMPLE
from gyoji.messages.game_words import game_words
from gyoji.messages.rulebooks import rulebook
from gyoji.simulation.client import Answer, RetryingClient, UnexpectedAnswer
from gyoji.simulation.server import NotStarted, local_server

SEED = "4e6f72ed99ea8fa134b09fc4667f908aa9c78f37532268b8b30a4ac85ce4f4cd" * 2
"""A fixed seed, so that the page reads the same every time."""

MOST_SEATS = 4
"""More are not played for."""


@click.command()
@LANGUAGE_OPTION
def demo(lang: str) -> None:
    """Play one game of each kind over HTTP against a server of its own, see a move refused, and audit the replays."""
    try:
        with local_server() as server, closing(RetryingClient(server.port, lang, 30)) as client:
            click.echo(f"A server of its own listens on port {server.port}.\n")
            games = client.get("/v1/games").document["games"]
            for game in games:
                _play(client, game, lang)
            _break_rule(client)
            play_stored_matches(client, server.key, games, lang)
    except (NotStarted, UnexpectedAnswer) as failure:
        raise click.ClickException(str(failure)) from None
    audit_golden_replays()
    click.echo(
        f"The server has stopped. The same with curl: see README.md. To serve for yourself: {_program_name()} serve"
    )


def _program_name() -> str:
    """Return how this program is called where nothing was done to find it."""
    program = sys.argv[0]
    return program if Path(program).name == "gyoji" and which("gyoji") is None else "gyoji"


def _post(client: RetryingClient, path: str, body: Mapping[str, Any]) -> Answer:
    return client.ask("POST", path, None, body)


def _play(client: RetryingClient, game: Mapping[str, Any], lang: str) -> None:
    slug, seats = game["game"], min(game["seats"]["max"], MOST_SEATS)
    answer = _post(client, f"/v1/games/{slug}/states", {"seats": seats, "seed": SEED}).document
    plies, requests = 0, 0
    while answer["outcome"] is None:
        moves = [vary_move(answer, plies)]
        asked = {"state": answer["state"], "moves": moves}
        answer = _post(client, f"/v1/games/{slug}/adjudications", asked).document
        plies, requests = plies + len(moves), requests + 1
    outcome = answer["outcome"]
    scored = _post(client, f"/v1/games/{slug}/scores", {"state": answer["state"]}).document
    click.echo(f"{game['title'][lang]} ({slug}), {seats} seats")
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


def _break_rule(client: RetryingClient) -> None:
    """Make the move of a conformance case that breaks a rule which players argue about: the referee cites the rule."""
    disputed = game_words(EXAMPLE.slug).disputed
    case = next(case for case in cases(EXAMPLE.slug) if case["case"] == disputed)
    _method, path, body = request_of(case)
    refused = _post(client, path, body)
    ruling, title = refused.document, rulebook(EXAMPLE.slug).title["en"]
    click.echo(fill(f"And a move that the rules forbid, in {title}: {case['title']}", 100, subsequent_indent="  "))
    click.echo(f"  HTTP {refused.status} {ruling['code']}, {ruling['reason']}, rule {ruling['rule']}")
    click.echo(fill(ruling["because"], 100, initial_indent="  ", subsequent_indent="  "))
    click.echo(fill(ruling["rule_text"], 100, initial_indent="  ", subsequent_indent="  "))
    click.echo(f"  Moves that it may make: {len(ruling['legal_moves'])}\n")
