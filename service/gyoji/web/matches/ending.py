"""Matches that are cancelled, and secrets that are told after they were withheld."""

import orjson

from gyoji.app.application import entry_of
from gyoji.app.problems import HttpProblem
from gyoji.log.entries import Entry
from gyoji.match.recorder import cancelled, is_withheld
from gyoji.match.state import MatchState
from gyoji.web.matches.asking import Asked
from gyoji.web.matches.writing import Appended, Written, appended, read_again, stored
from gyoji.web.settling import settle


def voided(asked: Asked) -> Appended:
    """``voidMatch``: the match ends without a result; of one that was cancelled before, the same answer."""
    here = asked.desk
    before = _voided_before(asked, "cancelled")
    if before is not None:
        return before

    def step(standing: MatchState) -> Written:
        if standing.over:
            raise HttpProblem("match-finished")
        return cancelled(standing, here.at_after(standing), here.salt)

    try:
        entries, _after = stored(asked, step)
    except HttpProblem:
        meanwhile = _voided_before(read_again(asked), "cancelled")
        if meanwhile is None:
            raise
        return meanwhile
    return void_answer(asked, entries[0])


def _voided_before(asked: Asked, reason: str) -> Appended | None:
    entry = void_entry(asked)
    if entry is None or orjson.loads(entry.body)["data"]["reason"] != reason:
        return None
    return void_answer(asked, entry)


def void_entry(asked: Asked) -> Entry | None:
    """The entry that made the match void, if it is; at most the secret follows it."""
    head = asked.row.head
    if head.status != "voided":
        return None
    return entry_of(asked.desk.store, asked.row.match, head.seq - head.closed)


def void_answer(asked: Asked, entry: Entry) -> Appended:
    """The answer to whoever made the match void."""
    at = orjson.loads(entry.body)["at"]
    return appended(asked, entry, "voided", entry.seq + (not is_withheld(asked.row.withheld_until, at)))


def disclosed(asked: Asked) -> Appended:
    """``discloseMatch``: the secret, told now if nothing stands against it any more, or told before."""
    here = asked.desk
    if not asked.row.head.closed:
        settle(here, asked.row)
        asked = read_again(asked)
    head = asked.row.head
    if not head.closed:
        raise HttpProblem("not-disclosed")
    return appended(asked, entry_of(here.store, asked.row.match, head.seq), head.status, head.seq)
