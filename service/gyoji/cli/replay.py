"""``gyoji replay``: read replay files, export them from a store, redact them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import click
import orjson

from gyoji.bulk.stored_matches import signing_key
from gyoji.cli.ink import COLOUR_OPTION, Ink, When, is_coloured
from gyoji.cli.lazily import Group
from gyoji.cli.opening import open_, opening
from gyoji.cli.printing import JSON_OPTION, LANGUAGE_OPTION, json_lines
from gyoji.cli.reckoning import Reckoning
from gyoji.cli.replay_files import FILE, Replay, at_the_table, checked, game_of, lines_of, read, reader_of
from gyoji.cli.storing import KEY_OPTION, STORE_OPTION, opened
from gyoji.cli.telling import Account, position_lines
from gyoji.cli.writing import OUT, put
from gyoji.log.files import NotAReplay, redact_lines, write_replay
from gyoji.log.readers import Reader, project_event
from gyoji.log.signatures import Signer
from gyoji.match.effective_history import history_lines
from gyoji.match.fold import UNFOLDABLE, opened_data, replay_log
from gyoji.match.rulings import lasts, taken_back_events
from gyoji.messages.language import Language
from gyoji.messages.matches import Telling
from gyoji.messages.positions import Laying, reader_name
from gyoji.messages.rulebooks import rulebook
from gyoji.store.interface import Store

Line = Literal["played", "ruled"]
LINE_OPTION = click.option(
    "--line",
    type=click.Choice(["played", "ruled"]),
    default="played",
    show_default=True,
    help="All that was played, or what stands after a referee took something back.",
)


@click.group(cls=Group)
def replay() -> None:
    """Read, export, redact and open replay files. Whether a file is true is for `gyoji audit` to say."""


replay.add_command(open_)
replay.add_command(opening)


@replay.command()
@FILE
@click.option(
    "--at", type=click.IntRange(1), metavar="SEQ", help="The position after that event, in place of the account."
)
@click.option("--as", "seat", type=click.IntRange(0), metavar="SEAT", help="Only what that seat may know.")
@LINE_OPTION
@LANGUAGE_OPTION
@COLOUR_OPTION
@JSON_OPTION
def show(file: Path, at: int | None, seat: int | None, line: Line, lang: Language, when: When, as_json: bool) -> None:
    """Tell the match in FILE move by move, or show one position of it.

    What a referee took back bears a cross in the line that was played, and is not in the line that was ruled.
    """
    found = read(file)
    reader = _allowed(found, seat)
    ink = Ink(found.header["game"], is_coloured(when) and not as_json)
    for said in (
        _account(found, reader, line, lang, ink, as_json) if at is None else _shown(found, at, seat, lang, ink, as_json)
    ):
        click.echo(said, color=ink.on)


def _allowed(found: Replay, seat: int | None) -> Reader:
    """The reader that was asked for, if the file is theirs to read; else whoever reads all that the file tells."""
    if seat is None:
        return "full"
    if found.audience not in ("full", seat):
        raise click.ClickException(f"the file has been redacted; it does not hold what seat {seat} may know")
    return at_the_table(seat, found.created["seats"], "--as")


def _account(found: Replay, reader: Reader, line: Line, lang: Language, ink: Ink, as_json: bool) -> Iterator[str]:
    events = []
    telling, account = Telling(game_of(found).slug, lang), Account(ink, lang, _names(found))
    reckoning, taken = Reckoning(game_of(found), found.created["seats"]), _taken(found)
    if not as_json:
        yield ink.heading(_heading(found, reader, lang))
    for entry in found.entries:
        try:
            document, is_out = project_event(reader, entry), entry.seq in taken
            if line == "ruled" and is_out:
                continue
            said = [*account.event(entry.seq, [*telling.told(document)], is_taken_back=is_out)]
            account.seated(*_substitute(document))
            result = reckoning.heard(document)
            said += [] if result is None else account.scores(result.scores, result.winners)
        except UNFOLDABLE:
            raise click.ClickException(f"event {entry.seq} says what no match says; see gyoji audit") from None
        events.append(document)
        if not as_json:
            yield from said
    if as_json:
        taken_back = [{"seq": seq, "by": by} for seq, by in sorted(taken.items())]
        yield json_lines({"header": found.header, "line": line, "taken_back": taken_back, "events": events})


def _taken(found: Replay) -> Mapping[int, int]:
    """What was taken back, and by which ruling; not those that last."""
    taken = taken_back_events(found.entries)
    return {entry.seq: taken[entry.seq] for entry in found.entries if entry.seq in taken and not lasts(entry)}


def _substitute(document: Mapping[str, Any]) -> Iterator[tuple[int, str | None]]:
    """Who sits where from that event on, by seat, if it seats somebody else."""
    ruling = document["data"]["ruling"] if document["type"] == "ruling_made" else {}
    if ruling.get("kind") == "substitute":
        name = ruling["name"]
        yield ruling["seat"], name if isinstance(name, str) else None


def _names(found: Replay) -> list[str | None]:
    """The name of each seat; ``None`` where the file does not tell it."""
    unnamed: list[str | None] = [None] * found.created["seats"]
    try:
        names = opened_data(found.entries[0], {"data": found.created})["names"]
    except UNFOLDABLE:
        return unnamed
    return [name if isinstance(name, str) else None for name in names] if isinstance(names, list) else unnamed


def _heading(found: Replay, reader: Reader, lang: Language) -> str:
    title = rulebook(found.header["game"]).title[lang]
    whose = reader_name(found.audience if reader == "full" else reader, lang)
    return " · ".join(filter(None, [f"{title} ({found.header['game']})", found.header["match"], whose]))


def _shown(found: Replay, at: int, seat: int | None, lang: Language, ink: Ink, as_json: bool) -> Iterator[str]:
    """One position."""
    view = _position(found, at, seat)
    if as_json:
        yield json_lines(view)
        return
    laying = Laying(rulebook(game_of(found).slug), lang, _names(found))
    yield from position_lines(laying.laid(view, at), _heading(found, "full" if seat is None else seat, lang), ink)


def _position(found: Replay, at: int, seat: int | None) -> dict[str, Any]:
    if found.audience != "full":
        raise click.ClickException("the file has been redacted: it does not hold enough to play it again")
    last = found.entries[-1].seq
    if at > last:
        raise click.BadParameter(f"the last event is {last}", param_hint="--at")
    game = game_of(found)
    try:
        secret = _disclosed(found)
        state = replay_log(game, secret or b"", found.entries[: at + 1]).state
    except UNFOLDABLE:
        raise click.ClickException("the log cannot be played again up to there; see gyoji audit") from None
    if state is None:
        raise click.BadParameter(f"no cards are dealt by event {at}", param_hint="--at")
    return (
        game.view(state, seat) if seat is not None else game.write_state(state if secret else state._replace(seed=None))
    )


def _disclosed(found: Replay) -> bytes | None:
    """The server's secret, once the file tells it."""
    last = found.entries[-1]
    told = opened_data(last, project_event("full", last)).get("server_secret")
    return None if told is None else bytes.fromhex(told)


@replay.command()
@FILE
@click.option(
    "--for", "reader", callback=reader_of, required=True, metavar="SEAT|public", help="Whose openings are kept."
)
@OUT
def redact(file: Path, reader: Reader, out: Path | None) -> None:
    """Take out of FILE what the reader may not know. It still verifies against the same head.

    Of a match that is over and disclosed to all nothing stays hidden: its last event tells the secret of all deals.
    """
    found = read(file)
    at_the_table(reader, found.created["seats"], "--for")
    if orjson.loads(found.entries[-1].body)["data"].get("server_secret") is not None:
        click.echo("note: the log tells the secret of its deals, from which every hand follows", err=True)
    lines = (line for line, _document in checked(lines_of(file)))
    try:
        put(redact_lines(lines, reader), out)
    except NotAReplay as why:
        raise click.ClickException(str(why)) from None


@replay.command()
@click.argument("match")
@click.option(
    "--for", "reader", callback=reader_of, metavar="SEAT|public", help="Redacted for that reader. Default: everything."
)
@LINE_OPTION
@OUT
@STORE_OPTION
@KEY_OPTION
def export(match: str, reader: Reader | None, line: Line, out: Path | None, store: str, store_key: str | None) -> None:
    """Write the replay file of MATCH, as it stands in the store.

    Without --for it holds every hidden card, also of a match that is still being played. With --line ruled it is no
    replay file, which can be verified, but the events that no ruling has taken back, for reading (gyoji-line/1).
    """
    with opened(store, store_key) as kept:
        row = kept.match(match)
        if row is None:
            raise click.ClickException("the store has no such match")
        at_the_table(reader or 0, len(row.seats) - 1, "--for")
        whose: Reader = "full" if reader is None else reader
        if line == "ruled":
            taken = taken_back_events(kept.entries(match, -1, row.head.seq))
            put(history_lines(whose, kept.entries(match, -1, row.head.seq), taken), out)
        else:
            first, *rest = kept.entries(match, -1, row.head.seq)
            put(write_replay(first, rest, _signing(kept), whose, row.head[:2]), out)


def _signing(kept: Store) -> Signer:
    """The signer of the key that is in force. One is made when the service first starts."""
    signing = signing_key(kept)
    if signing is None:
        raise click.ClickException("the store has no signing key yet; gyoji serve makes one")
    return signing
