"""How a log grows: decided on where the match stands, stored if it stands there still, else decided again."""

from collections.abc import Callable
from typing import Any, NamedTuple

from gyoji.app.application import Desk, head_of
from gyoji.app.logs import log_aside
from gyoji.app.problems import HttpProblem
from gyoji.log.entries import Entry
from gyoji.match.state import MatchState
from gyoji.store.append_options import Beside
from gyoji.store.interface import Conflict, Match, Request, Unavailable
from gyoji.trust.receipts import receipt
from gyoji.web.matches.asking import Asked
from gyoji.web.settling import settle

MOST_ATTEMPTS = 1000
"""What does not say which position it is meant for is decided again whenever another was first; that often at most."""

Written = tuple[tuple[Entry, ...], MatchState]
"""Entries, and where the match stands after them."""


class Appended(NamedTuple):
    """What is answered about an entry that no move made, and where the match stands after all that came with it."""

    body: dict[str, Any]
    seq: int


def appended(asked: Asked, entry: Entry, status: str, seq: int) -> Appended:
    """The entry with its receipt. The same each time it is asked for, if the caller sees no more than then."""
    proof = receipt(
        asked.desk.signing, asked.row.match, entry, asked.viewer.seat if asked.viewer.seat is not None else "public"
    )
    return Appended({"seq": entry.seq, "status": status, "receipt": proof}, seq)


def scope_of(asked: Asked) -> str:
    """Whose idempotency keys those of this caller are."""
    viewer = asked.viewer
    return f"match:{asked.row.match}:{viewer.role if viewer.seat is None else viewer.seat}"


def stored(asked: Asked, step: Callable[[MatchState], Written], key: Request | None = None) -> Written:
    """What ``step`` makes of where the match stands, stored; the end of a match may disclose it, and all its group.

    ``KeyTaken`` where the same request was stored meanwhile.
    """
    return stored_with(asked, step, key, lambda _row, _before, _after: Beside())[0]


Around = Callable[[Match, MatchState, Written], Beside]
"""(the match as it was read, where it stood, what is to be stored) -> what changes beside the log."""


def stored_with(
    asked: Asked, step: Callable[[MatchState], Written], key: Request | None, around: Around
) -> tuple[Written, Beside]:
    """The same, with what changes beside the log. ``GroupClosed`` where that demands a group that takes matches."""
    here, row = asked.desk, asked.row
    for _attempt in range(MOST_ATTEMPTS):
        standing = here.standings.latest(row)
        entries, after = step(standing)
        beside = around(row, standing, (entries, after))
        try:
            _append(here, standing, entries, after, key, beside)
        except Conflict:
            row = read_again(asked).row
            continue
        _take_note(here, row, entries, after)
        return (entries, after), beside
    raise HttpProblem("unavailable", retry_after=1, cause="busy")


def stored_as_believed(asked: Asked, step: Callable[[MatchState], Written], key: Request | None) -> Written:
    """The same, once, of a match that was not read: ``Conflict`` unless it stands, and is seated, as is believed."""
    here, row = asked.desk, asked.row
    standing = here.standings.latest(row)
    entries, after = step(standing)
    here.store.append(standing.match, standing.seq, entries, head_of(after), key, row.seats)
    _take_note(here, row, entries, after)
    return entries, after


def _take_note(here: Desk, row: Match, entries: tuple[Entry, ...], after: MatchState) -> None:
    """What has been stored is remembered and counted, and what it makes due is done."""
    here.standings.remember(after)
    here.count_events(len(entries))
    if after.over and not after.closed:
        _settle_behind(here, row._replace(head=head_of(after)))


def _append(
    here: Desk, standing: MatchState, entries: tuple[Entry, ...], after: MatchState, key: Request | None, beside: Beside
) -> None:
    match, head = standing.match, head_of(after)
    if beside == Beside():
        here.store.append(match, standing.seq, entries, head, key)
    else:
        here.store.append_with(match, standing.seq, entries, head, key, beside)


def _settle_behind(here: Desk, row: Match) -> None:
    """Disclose what the end of this match makes due. The move stands whatever comes of that, and is answered so."""
    try:
        settle(here, row)
    except Unavailable as failure:  # it stays due: the next call about the group, or the next start, does it
        log_aside("not-settled", failure)


def read_again(asked: Asked) -> Asked:
    """The same request, of the match as it stands now."""
    row = asked.desk.store.match(asked.row.match)
    if row is None:
        raise HttpProblem("not-found")
    return asked._replace(row=row)
