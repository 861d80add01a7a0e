"""``gyoji tournament``: runs a tournament of a service over HTTP."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from gyoji.cli.groups import Group
from gyoji.cli.options import JSON_OPTION, OUT_OPTION
from gyoji.cli.output import print_result, write_output
from gyoji.cli.service_client import Service
from gyoji.cli.tournament_options import (
    ONCE,
    Change,
    body_of,
    change_options,
    create_options,
    once_header,
    request_options,
)
from gyoji.cli.tournament_simulate import simulate
from gyoji.cli.tournament_text import registration_lines, round_lines, standing_lines, tournament_lines
from gyoji.names import printable
from gyoji.players.players import PLAYERS

ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@click.group(cls=Group)
def tournament() -> None:
    """Run a tournament of a service. The key comes from GYOJI_KEY, or the file that GYOJI_KEY_FILE names; its scope is
    tournaments:manage."""


tournament.add_command(simulate)


def _id(_context: click.Context, _parameter: click.Parameter, text: str) -> str:
    if ID.fullmatch(text) is None:
        raise click.BadParameter("the id of a tournament, as create prints it")
    return text


TOURNAMENT = click.argument("name", metavar="TOURNAMENT", callback=_id)
ROUND = click.argument("number", metavar="ROUND", type=click.IntRange(1))


def _path(name: str, *parts: Any) -> str:
    return "/".join(["/v1/tournaments", name, *map(str, parts)])


def _print(document: Any, lines: Iterable[str], as_json: bool) -> None:
    print_result(as_json, document, *map(printable, lines))


@tournament.command()
@create_options
@ONCE
@JSON_OPTION
@request_options
def create(service: Service, as_json: bool, once: str | None, **chosen: Any) -> None:
    """Create a tournament; how it is played is fixed from here on. Prints its id."""
    made = service.post("/v1/tournaments", body_of(chosen), once_header(once)).document
    _print(made, [made["tournament"]], as_json)


@tournament.command()
@TOURNAMENT
@click.option("--round", "number", type=click.IntRange(1), help="That round: who sits where, and what came of it.")
@click.option("--tokens", is_flag=True, help="With --round: the tokens of the seats too.")
@JSON_OPTION
@request_options
def show(name: str, number: int | None, tokens: bool, service: Service, as_json: bool) -> None:
    """Show a tournament, or a round of it."""
    if number is None:
        found = service.get(_path(name)).document
        _print(found, tournament_lines(found), as_json)
        return
    found = service.get(_path(name, "rounds", number) + ("?tokens=1" if tokens else "")).document
    _print(found, round_lines(found, tokens=tokens), as_json)


@tournament.command()
@TOURNAMENT
@click.argument("names", nargs=-1, metavar="NAME…")
@click.option("--file", "listed", type=click.File("r", encoding="utf-8"), help="One name a line; - for standard input.")
@change_options
def enter(name: str, names: Sequence[str], listed: Any, change: Change) -> None:
    """Enter players, all of them or none. A team is NAME=PLAYER,PLAYER,…"""
    lines = [] if listed is None else [line.strip() for line in listed]
    entrants = [_entrant(text) for text in (*names, *filter(None, lines))]
    if not entrants:
        raise click.UsageError("name somebody, or a --file")
    _change(change, _path(name, "entrants"), {"entrants": entrants})


def _entrant(text: str) -> dict[str, Any]:
    name, is_team, members = text.partition("=")
    return {"name": name, "members": [member.strip() for member in members.split(",")]} if is_team else {"name": name}


def _change(change: Change, path: str, body: Any = None) -> None:
    """Change a tournament, and print it as it stands then."""
    found = change.post(path, body)
    _print(found, tournament_lines(found), change.as_json)


def _change_round(change: Change, path: str, body: Any = None, *, tokens: bool = False) -> None:
    """Change a round, and print it as it stands then."""
    found = change.post(path, body)
    _print(found, round_lines(found, tokens=tokens), change.as_json)


@tournament.command()
@TOURNAMENT
@click.argument("entrant")
@change_options
def withdraw(name: str, entrant: str, change: Change) -> None:
    """ENTRANT (e1, e2 …) plays no further round."""
    _change(change, _path(name, "entrants", entrant, "withdrawal"))


@tournament.command()
@TOURNAMENT
@click.argument("state", type=click.Choice(["open", "close"]))
@click.option("--renew", is_flag=True, help="With open: another link; the one before does not hold any more.")
@change_options
def registration(name: str, state: str, renew: bool, change: Change) -> None:
    """Open or close registration: while it is open anybody enters who has the joining link, which is printed."""
    found = change.post(_path(name, "registration"), {"open": state == "open", **({"renew": True} if renew else {})})
    _print(found, registration_lines(found, change.service.url), change.as_json)


@tournament.command("re-enter")
@TOURNAMENT
@click.argument("entrant")
@change_options
def re_enter(name: str, entrant: str, change: Change) -> None:
    """ENTRANT (e1, e2 …), who has withdrawn, plays the rounds to come."""
    _change(change, _path(name, "entrants", entrant, "re-entry"))


@tournament.command()
@TOURNAMENT
@click.argument("entrant")
@change_options
def present(name: str, entrant: str, change: Change) -> None:
    """ENTRANT (e1, e2 …) is here, and is paired from now on; of a tournament created with --check-in."""
    _change(change, _path(name, "entrants", entrant, "presence"), {"present": True})


@tournament.command()
@TOURNAMENT
@click.argument("entrant")
@change_options
def absent(name: str, entrant: str, change: Change) -> None:
    """ENTRANT (e1, e2 …) is not here, and is not paired until it is; of a tournament created with --check-in."""
    _change(change, _path(name, "entrants", entrant, "presence"), {"present": False})


@tournament.command()
@TOURNAMENT
@click.option("--table", "tables", multiple=True, metavar="e1,e2,…", help="By hand: a table, its seats in order.")
@click.option("--bye", "byes", multiple=True, metavar="e1", help="By hand: who sits out.")
@click.option("--pairing", type=click.Choice(["draw", "swiss", "rotation"]), help="This round in another way.")
@click.option("--early", is_flag=True, help="While matches of earlier rounds are still played; takes --at or --once.")
@click.option("--held", is_flag=True, help="Its matches begin paused, until start.")
@click.option("--dry-run", is_flag=True, help="Only see how it would be paired.")
@click.option("--tokens", is_flag=True, help="Print the tokens of the seats too.")
@change_options
def pair(
    name: str,
    tables: Sequence[str],
    byes: Sequence[str],
    pairing: str | None,
    early: bool,
    held: bool,
    dry_run: bool,
    tokens: bool,
    change: Change,
) -> None:
    """Pair the next round, and create all its matches or none."""
    if early and not dry_run:
        _require_header(change)
    chosen = {"dry_run": dry_run, "early": early, "held": held, "pairing": pairing, "byes": [*byes]}
    body: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    if tables:
        body["tables"] = [table.split(",") for table in tables]
    _change_round(change, _path(name, "rounds"), body, tokens=tokens)


@tournament.command("take-back")
@TOURNAMENT
@ROUND
@change_options
def take_back(name: str, number: int, change: Change) -> None:
    """Take back ROUND, the latest, which nobody has begun. Its matches become void. Takes --at or --once."""
    _require_header(change)
    _change(change, _path(name, "rounds", number, "take-back"))


def _require_header(change: Change) -> None:
    """Refuse what would do something else if it came twice, and says neither where the tournament stands nor a key."""
    if not change.headers:
        raise click.UsageError("say where the tournament stands (--at), or give a key (--once)")


@tournament.command()
@TOURNAMENT
@ROUND
@change_options
def start(name: str, number: int, change: Change) -> None:
    """Start the clocks of ROUND: all its matches that are paused go on."""
    _change_round(change, _path(name, "rounds", number, "start"))


@tournament.command()
@TOURNAMENT
@ROUND
@change_options
def pause(name: str, number: int, change: Change) -> None:
    """Pause all matches of ROUND that are played."""
    _change_round(change, _path(name, "rounds", number, "pause"))


@tournament.command("close-round")
@TOURNAMENT
@ROUND
@change_options
def close_round(name: str, number: int, change: Change) -> None:
    """The results of ROUND stand, and everything about its matches is disclosed."""
    _change_round(change, _path(name, "rounds", number, "close"))


@tournament.command()
@TOURNAMENT
@ROUND
@click.argument("table", type=click.IntRange(1))
@click.option("--tokens", is_flag=True, help="Print the tokens of the seats too.")
@change_options
def rematch(name: str, number: int, table: int, tokens: bool, change: Change) -> None:
    """Another match at TABLE of ROUND, whose match is void."""
    _change_round(change, _path(name, "rounds", number, "tables", table, "match"), tokens=tokens)


@tournament.command("no-show")
@TOURNAMENT
@ROUND
@click.argument("table", type=click.IntRange(1))
@click.argument("entrant")
@click.argument("outcome", type=click.Choice(["removed", "forfeited", "reinstated"]))
@click.option("--stand-in", metavar="NAME", help="With forfeited: who plays on in the seat.")
@click.option("--bot", type=click.Choice([*PLAYERS]), help="With forfeited: the bot that plays on in the seat.")
@click.option("--tokens", is_flag=True, help="Print the tokens of the seats too.")
@change_options
def no_show(
    name: str,
    number: int,
    table: int,
    entrant: str,
    outcome: str,
    stand_in: str | None,
    bot: str | None,
    tokens: bool,
    change: Change,
) -> None:
    """ENTRANT (e1, e2 …) is not at TABLE of ROUND, and the others play on: without a seat for it (removed), or with
    somebody else in its seat (forfeited). Or it has not forfeited after all (reinstated)."""
    chosen = {"entrant": entrant, "outcome": outcome, "stand_in": stand_in, "bot": bot}
    body = {name: value for name, value in chosen.items() if value is not None}
    _change_round(change, _path(name, "rounds", number, "tables", table, "no-show"), body, tokens=tokens)


@tournament.command()
@TOURNAMENT
@click.option("--csv", "as_csv", is_flag=True, help="As comma-separated values.")
@click.option("--explain", is_flag=True, help="Every figure with the lines that add up to it.")
@JSON_OPTION
@request_options
def standings(name: str, as_csv: bool, explain: bool, service: Service, as_json: bool) -> None:
    """Print the standings as they follow from the logs now."""
    if as_csv:
        click.echo(service.get(_path(name, "standings"), {"Accept": "text/csv"}).body, nl=False)
        return
    found = service.get(_path(name, "standings")).document
    _print(found, standing_lines(found, service.language, explain=explain), as_json)


@tournament.command(context_settings={"ignore_unknown_options": True})  # -1 is no option
@TOURNAMENT
@click.argument("entrant")
@click.argument("points")
@click.option("--reason", required=True, help="Why; everybody reads it.")
@change_options
def correct(name: str, entrant: str, points: str, reason: str, change: Change) -> None:
    """Give ENTRANT points beside all matches, or take them: 2, -1, 5/2."""
    _change(change, _path(name, "corrections"), {"entrant": entrant, "points": points, "reason": reason})


@tournament.command()
@TOURNAMENT
@click.argument("text", required=False)
@click.option("--clear", is_flag=True, help="Announce nothing any more.")
@change_options
def announce(name: str, text: str | None, clear: bool, change: Change) -> None:
    """Announce TEXT to everybody, in place of what was."""
    if (text is None) != clear:
        raise click.UsageError("say what is to be announced, or --clear")
    _change(change, _path(name, "announcements"), {"text": text})


@tournament.command()
@TOURNAMENT
@change_options
def close(name: str, change: Change) -> None:
    """The standings are final. All rounds have to be closed."""
    _change(change, _path(name, "close"))


@tournament.command()
@TOURNAMENT
@click.option(
    "--replays",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write the replay file of every match there too, as MATCH.jsonl.",
)
@OUT_OPTION
@request_options
def export(name: str, replays: Path | None, out: Path | None, service: Service) -> None:
    """Write the tournament's log: JSON Lines, every event chained by hash, and the signed head."""
    log = service.get(_path(name, "log"), {"Accept": "application/jsonl"}).body
    write_output([log], out)
    if replays is not None:
        replays.mkdir(parents=True, exist_ok=True)
        for match in _matches(service, name):
            write_output([service.get(f"/v1/matches/{match}/replay").body], replays / f"{match}.jsonl")


def _matches(service: Service, name: str) -> list[str]:
    """List every match of the tournament, those that were void among them."""
    found: list[str] = []
    path: str | None = f"/v1/matches?tournament={name}&limit=200"
    while path is not None:
        page = service.get(path).document
        found += [match["match"] for match in page["matches"]]
        following = page["next"]
        path = None if following is None else f"/v1/matches?tournament={name}&limit=200&cursor={following}"
    return found
