"""Replay files that are stored as matches, if the audit finds nothing wrong with them."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

import orjson

from gyoji.access.callers import Caller
from gyoji.app.authorization import account_of
from gyoji.app.match_states import head_of
from gyoji.app.matches.audits import audit_file, file_lines
from gyoji.app.matches.documents import links
from gyoji.app.problems import HttpProblem, Refusal
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.app.thread_budget import lend_to_audit
from gyoji.games.catalogue import BY_VERSION
from gyoji.log.canonical import leaf_hash
from gyoji.log.entries import Entry
from gyoji.log.files import read_opening
from gyoji.match.fold import replay_log
from gyoji.messages.problems import Answer, replay_refused
from gyoji.messages.verdicts import verdict_document
from gyoji.store.interface import Conflict, Match, Seating

STORABLE = ("verified", "verified_with_rulings")


class Imported(NamedTuple):
    """The answer to an import, and the URL of the match."""

    answer: Answer
    location: str


def import_replay(context: RequestContext, caller: Caller) -> Imported:
    """``storeReplay``: 201 for a log that is new here, 200 for one that is here already."""
    services, language = context.services, context.language
    with closing(context.body.open_replay()) as file, lend_to_audit(context, services.imports) as look:
        verdict = audit_file(services, file, look)
        judged = verdict_document(verdict, language)
        if verdict.verdict not in STORABLE:
            raise Refusal(replay_refused(judged, context.path, language), language)
        entries = tuple(_entries(file_lines(file)))
    row = _row(services, account_of(caller), entries)
    location = links(row.match)["self"]
    try:
        services.store.create(row, entries)
    except Conflict:
        known = services.store.match(row.match)
        if known is None or known.head.hash != row.head.hash:
            raise HttpProblem("already-stored") from None
        return Imported(Answer(200, judged), location)
    return Imported(Answer(201, judged), location)


def _entries(lines: Iterable[bytes]) -> Iterator[Entry]:
    """The entries of a file that has been verified."""
    entry: Entry | None = None
    for number, line in enumerate(lines):
        found = orjson.loads(line)
        if number == 0 or "head" in found:
            continue
        if "opening" in found and entry is not None:
            entry = _with_opening(entry, found["opening"])
            continue
        if entry is not None:
            yield entry
        body = line.rstrip(b"\n")
        entry = Entry(found["seq"], body, leaf_hash(body))
    if entry is not None:
        yield entry


def _with_opening(entry: Entry, opening: dict[str, Any]) -> Entry:
    if "position" in opening:
        return entry._replace(position=bytes.fromhex(opening["position"]))
    return entry._replace(openings=(*entry.openings, read_opening(opening)))


def _row(services: Services, account: str, entries: tuple[Entry, ...]) -> Match:
    """The match as listed; nobody has a token for it."""
    created = orjson.loads(entries[0].body)
    data = created["data"]
    secret = _secret(entries[-1])
    standing = replay_log(BY_VERSION[data["game"], data["version"]], secret, entries)
    personal = entries[0].openings[0].payload
    return Match(
        match=created["match"],
        game=data["game"],
        version=data["version"],
        owner=account,
        created=created["at"],
        visibility=data["visibility"],
        disclosure=data["disclosure"],
        demands_precondition=data["if_match"] == "required",
        imported=True,
        tags=tuple(personal["/tags"]),
        secret=secret,
        seats=(Seating(0, int(services.clock()), revoked=True),) * (data["seats"] + 1),
        head=head_of(standing),
        withheld_until=data.get("withheld_until"),
    )


def _secret(last: Entry) -> bytes:
    """The server's secret, from ``seed_disclosed``: told to all, or in the opening that auditors have."""
    told = orjson.loads(last.body)["data"]["server_secret"]
    return bytes.fromhex(told if told is not None else last.openings[0].payload["/server_secret"])
