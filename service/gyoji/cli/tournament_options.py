"""The options that say how a tournament is played; what is not given is left to the service."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from gyoji.cli.options import known_game

Command = TypeVar("Command", bound=Callable[..., None])
SECONDS = ("move", "bank", "increment")


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter("whole numbers with commas between them") from None


def sizes(_context: click.Context, _parameter: click.Parameter, text: str | None) -> list[int] | None:
    """Take sizes of tables, preferred ones first."""
    return None if text is None else _numbers(text)


def _points(_context: click.Context, _parameter: click.Parameter, text: str | None) -> dict[str, Any] | None:
    """Take ``score``, ``rank:3,2,1,0`` or ``wins:2,1,0``."""
    if text is None:
        return None
    by, _, rest = text.partition(":")
    if by == "score" and not rest:
        return {"by": "score"}
    if by == "rank":
        return {"by": "rank", "points": _numbers(rest)}
    if by == "wins" and len(_numbers(rest)) == 3:
        return {"by": "wins", **dict(zip(("win", "draw", "loss"), _numbers(rest), strict=True))}
    raise click.BadParameter("score, rank:3,2,1,0 or wins:2,1,0")


def read_clock(_context: click.Context, _parameter: click.Parameter, text: str | None) -> dict[str, Any] | None:
    """Take ``move=30,bank=600,increment=5,on_expiry=default``."""
    if text is None:
        return None
    clock: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name in SECONDS and value.isascii() and value.isdecimal():
            clock[name] = int(value)
        elif name == "on_expiry" and value:
            clock[name] = value
        else:
            raise click.BadParameter("such as move=30,bank=600,increment=5,on_expiry=default")
    return clock


def _option(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Any] | None:
    chosen: dict[str, Any] = {}
    for part in given:
        name, is_given, value = part.partition("=")
        try:
            chosen[name] = json.loads(value)
        except ValueError:
            is_given = ""
        if not is_given:
            raise click.BadParameter("NAME=JSON, such as bust_bonus='\"keep\"'")
    return chosen or None


GAME_OPTIONS = click.option(
    "--option", "options", multiple=True, callback=_option, metavar="NAME=JSON", help="Of the game; several."
)
OPTIONS = (
    click.option("--name", "title", required=True, help="What it is called."),
    click.option("--game", required=True, callback=known_game, metavar="GAME", help="Which game."),
    click.option(
        "--seats", required=True, callback=sizes, metavar="4,3", help="Sizes of tables, preferred ones first."
    ),
    click.option("--rounds", required=True, type=click.IntRange(1), help="At most so many."),
    click.option("--pairing", type=click.Choice(["draw", "swiss", "rotation", "hand"]), help="How tables are made."),
    click.option(
        "--points", callback=_points, metavar="BY", help="score, rank:3,2,1,0 or wins:2,1,0 (win, draw, loss)."
    ),
    click.option("--forfeit", type=int, help="By rank: points of a forfeit, the last place's at most. Default: 0."),
    click.option("--bye", type=int, help="Points of a bye."),
    click.option("--tie-break", "tie_breaks", multiple=True, help="What parts equals; several, in their order."),
    click.option("--duplicate", is_flag=True, default=None, help="The same deals at every table of a round."),
    click.option(
        "--clock", callback=read_clock, metavar="move=30,…", help="Seconds: move, bank, increment; on_expiry."
    ),
    GAME_OPTIONS,
    click.option("--visibility", type=click.Choice(["private", "public"]), help="Who may read it."),
    click.option(
        "--disclosure",
        type=click.Choice(["public_on_close", "auditors_only"]),
        help="Who learns the secrets behind the deals when a round is closed.",
    ),
)


def create_options(command: Command) -> Command:
    """Give a command all options of ``create``."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def body_of(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of the request: what has been chosen."""
    given = {name: value for name, value in chosen.items() if value is not None and value != () and name != "forfeit"}
    if chosen["forfeit"] is not None:
        given["points"] = {**given.get("points", {"by": "score"}), "forfeit": chosen["forfeit"]}
    return {"name" if name == "title" else name: value for name, value in given.items()}
