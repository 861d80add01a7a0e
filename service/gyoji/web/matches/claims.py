"""Claims that the time of a seat is up: judged by the clock of the service, and by the times of the log."""

from itertools import takewhile
from typing import Any

import orjson

from gyoji.log.entries import Entry
from gyoji.match.claims import claimed as judged
from gyoji.match.clocks import deadlines
from gyoji.match.recorder import is_withheld
from gyoji.match.rulings import Refusal as Refused
from gyoji.match.state import MatchState
from gyoji.messages.language import Language
from gyoji.messages.problems import claim_refused
from gyoji.store.interface import Remembered
from gyoji.trust.receipts import receipt
from gyoji.web.matches.asking import Asked, Refusal
from gyoji.web.matches.preconditions import idempotency, once
from gyoji.web.matches.writing import Appended, Written, scope_of, stored

EXPIRED = "clock_expired"
FOLLOWING = ("match_paused", "match_finished")
"""What the service writes down itself when the time of a seat is up."""


def claimed(asked: Asked, language: Language) -> Appended:
    """``claimExpiry``: what is agreed for whoever's time is up, done; or refused, with the deadlines."""
    here, instance = asked.desk, f"/v1/matches/{asked.row.match}/claims"
    key = idempotency(here, asked.caller, scope_of(asked), b"claimExpiry\n", b"")

    def step(standing: MatchState) -> Written:
        at = here.at_after(standing)
        found = judged(standing, at, here.salt)
        if isinstance(found, Refused):
            known = [None] * standing.seeding.seats if standing.clock is None else deadlines(standing.clock)
            raise Refusal(claim_refused(found.code, at, known, instance, language), language)
        return found

    def made() -> Appended:
        entries, after = stored(asked, step, key)
        return _answer(asked, [entry for entry in entries if _type(entry) == EXPIRED], after.status, after.seq)

    return once(here, key, made, lambda known: _claimed_before(asked, known))


def _type(entry: Entry) -> str:
    kind: str = orjson.loads(entry.body)["type"]
    return kind


def _answer(asked: Asked, expiries: list[Entry], status: str, seq: int) -> Appended:
    """Whose time was up, and what was done of the first of them."""
    said: list[dict[str, Any]] = [orjson.loads(entry.body)["data"] for entry in expiries]
    body = {
        "seq": expiries[0].seq,
        "status": status,
        "expired": sorted({seat for data in said for seat in data["seats"]}),
        "then": said[0]["then"],
        "receipt": receipt(asked.desk.signing, asked.row.match, expiries[0], asked.reader),
    }
    return Appended(body, seq)


def _claimed_before(asked: Asked, known: Remembered) -> Appended:
    """The answer that the same request had, made again."""
    here, row = asked.desk, asked.row
    entries = list(here.store.entries(row.match, known.seq - 1, known.seq + len(row.seats)))
    events = [orjson.loads(entry.body) for entry in entries]
    at = events[0]["at"]  # what else expires does so later: a decision that begins now cannot have expired
    expiries = [*takewhile(lambda event: (event["type"], event["at"]) == (EXPIRED, at), events)]
    last, following = expiries[-1]["seq"], events[len(expiries) :][:1]
    if following and following[0]["type"] in FOLLOWING:
        last += 1 + (following[0]["type"] == "match_finished" and not is_withheld(row.withheld_until, at))
    return _answer(asked, entries[: len(expiries)], here.standings.at(row, last).status, last)
