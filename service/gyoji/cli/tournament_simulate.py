"""``gyoji tournament simulate``: plays a whole tournament on a server of its own, with all that goes wrong at one."""

from collections.abc import Mapping, Sequence
from functools import partial
from secrets import token_hex
from time import monotonic
from typing import Any

import click

from gyoji.cli.keys import add_referee_key
from gyoji.cli.options import hex_digits, known_game
from gyoji.cli.stores import open_with_key
from gyoji.cli.tournament_options import GAME_OPTIONS, sizes
from gyoji.games.catalogue import BY_SLUG, EXAMPLE
from gyoji.simulation.client import UnexpectedAnswer
from gyoji.simulation.server import NotStarted, local_server
from gyoji.simulation.tournament import AT_ONCE, FAULTS, SimulatedTournament


def _seed(_context: click.Context, _parameter: click.Parameter, seed: str | None) -> str:
    return token_hex(8) if seed is None else hex_digits(seed)


def _faults(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[str, ...]:
    if text in ("all", "none"):
        return FAULTS if text == "all" else ()
    chosen = tuple(text.split(","))
    if not set(chosen) <= {*FAULTS}:
        raise click.BadParameter(f"all, none, or some of {', '.join(FAULTS)}")
    return chosen


@click.command()
@click.option("--players", default=64, type=click.IntRange(2, 1000), show_default=True)
@click.option("--rounds", default=6, type=click.IntRange(1, 99), show_default=True)
@click.option("--game", default=EXAMPLE.slug, callback=known_game, show_default=True, metavar="GAME")
@click.option("--seats", callback=sizes, metavar="4,3", help="Sizes of tables. Default: the most that the game takes.")
@click.option(
    "--points", type=click.Choice(["score", "rank", "wins"]), default="rank", show_default=True, help="What counts."
)
@click.option(
    "--on-expiry",
    type=click.Choice(["referee", "forfeit", "default"]),
    default="referee",
    show_default=True,
    help="What happens to a player whose second is over, when somebody says so.",
)
@click.option("--duplicate", is_flag=True, help="The same deals at every table of a round.")
@GAME_OPTIONS
@click.option("--seed", callback=_seed, metavar="HEX", help="All choices follow from it; the deals do not.")
@click.option("--faults", default="all", callback=_faults, show_default=True, help="all, none, or a list with commas.")
def simulate(
    players: int,
    rounds: int,
    game: str,
    seats: list[int] | None,
    points: str,
    on_expiry: str,
    duplicate: bool,
    options: dict[str, Any] | None,
    seed: str,
    faults: tuple[str, ...],
) -> None:
    """Play a whole tournament at random, with faults, and check everything about it.

    A server of its own is started, the tournament set up, every round paired and played, a referee rules where
    something goes wrong, and the server is killed in mid-round. In the end every replay file is audited, both lines of
    every match are played again, and the standings are counted a second time, from the files alone, by code that shares
    nothing with the service. Exit status 1: something is not as it should be.
    """
    began = monotonic()
    sizes_of_tables = seats or [BY_SLUG[game].max_seats]
    rules = {
        "game": game,
        "rounds": rounds,
        "seats": sizes_of_tables,
        "duplicate": duplicate,
        "points": POINTS[points](max(sizes_of_tables)),
        "clock": {"move": 1, "on_expiry": on_expiry},
        **({} if options is None else {"options": options}),
    }
    wrong = _run(rules, seed, faults, players)
    click.echo(f"{monotonic() - began:.0f} seconds")
    for what in wrong:
        click.echo(f"WRONG: {what}", err=True)
    if wrong:
        raise SystemExit(1)


def _run(rules: Mapping[str, Any], seed: str, faults: Sequence[str], players: int) -> list[str]:
    """Play the tournament; return all that is wrong with it."""
    try:
        with local_server(AT_ONCE * 2, own_session=True) as server:
            try:
                return SimulatedTournament(
                    server, rules, seed, faults, partial(_referee, server.store), click.echo
                ).run(players)
            except UnexpectedAnswer:
                click.echo(server.log_tail(), err=True)
                raise
    except (NotStarted, UnexpectedAnswer) as failure:
        raise click.ClickException(str(failure)) from None


def _referee(store: str, tournament: str) -> str:
    with open_with_key(store, None) as kept:
        return add_referee_key(kept, tournament)


POINTS: Mapping[str, Any] = {
    "score": lambda _seats: {"by": "score"},
    "rank": lambda seats: {"by": "rank", "points": [*range(seats - 1, -1, -1)]},
    "wins": lambda _seats: {"by": "wins", "win": 2, "draw": 1, "loss": 0},
}
