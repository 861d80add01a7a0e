"""The options of ``gyoji tournament``: how a tournament is played, which service is asked, and when and how often."""

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple

import click

from gyoji.cli.options import JSON_OPTION, LANGUAGE_OPTION, known_game, secret_variable
from gyoji.cli.service_client import Headers, Service
from gyoji.messages.language import Language

Command = Callable[..., None]
SECONDS = ("move", "bank", "increment")


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter("whole numbers with commas between them") from None


def sizes(_context: click.Context, _parameter: click.Parameter, text: str | None) -> list[int] | None:
    """Parse the sizes of tables, preferred ones first."""
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


def _rows(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> list[list[int]] | None:
    """Take the points of the places, a list for each size of table."""
    return [_numbers(text) for text in given] or None


def read_clock(_context: click.Context, _parameter: click.Parameter, text: str | None) -> dict[str, Any] | None:
    """Parse a time control: ``move=30,bank=600,increment=5,on_expiry=default``."""
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
    click.option(
        "--points-of",
        "by_size",
        multiple=True,
        callback=_rows,
        metavar="10,6,2",
        help="By rank: in place of --points at tables of as many seats; several.",
    ),
    click.option("--bye", type=int, help="Points of a bye."),
    click.option("--tie-break", "tie_breaks", multiple=True, help="What parts equals; several, in their order."),
    click.option("--check-in", is_flag=True, default=None, help="Pair only those who have said that they are here."),
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
    """Write the chosen options as the body of the request."""
    given = {name: value for name, value in chosen.items() if value is not None and value != ()}
    of_points = {name: given.pop(name) for name in ("forfeit", "by_size") if name in given}
    if of_points:
        given["points"] = {**given.get("points", {"by": "score"}), **of_points}
    return {"name" if name == "title" else name: value for name, value in given.items()}


URL = click.option(
    "--url",
    default="http://127.0.0.1:8000",
    show_default=True,
    envvar="GYOJI_URL",
    show_envvar=True,
    help="The service.",
)
AT = click.option(
    "--at", type=click.IntRange(0), metavar="SEQ", help="Only if the tournament stands at that event of its log."
)
ONCE = click.option("--once", metavar="KEY", help="An idempotency key: what is sent again is done once.")


def request_options(command: Command) -> Command:
    """Give a command the options of a request: it takes ``service`` in place of the URL and the language."""

    @wraps(command)
    def with_service(url: str, lang: Language, **rest: Any) -> None:
        command(service=Service(url, secret_variable("GYOJI_KEY"), lang), **rest)

    return LANGUAGE_OPTION(URL(with_service))


class Change(NamedTuple):
    """A change of a tournament: the service to ask, its headers, and how to print the answer. The headers are
    precondition and idempotency key."""

    service: Service
    headers: Headers
    as_json: bool

    def post(self, path: str, body: Any = None) -> Any:
        """Request the change; return the document of the answer."""
        return self.service.post(path, body, self.headers).document


def change_options(command: Command) -> Command:
    """Give a command that changes something the options of when and how often: it takes them as ``change``."""

    @wraps(command)
    def with_change(service: Service, at: int | None, once: str | None, as_json: bool, **rest: Any) -> None:
        stands = {} if at is None else {"If-Match": f'"{at}"'}
        command(change=Change(service, {**stands, **once_header(once)}, as_json), **rest)

    return request_options(AT(ONCE(JSON_OPTION(with_change))))


def once_header(key: str | None) -> Headers:
    """Return the header with an idempotency key, under which a request is done once; none without a key."""
    return {} if key is None else {"Idempotency-Key": key}
