"""Replay files that come in: audited, and stored if nothing is wrong with them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import IO, Any

import orjson

from gyoji.access.callers import Caller
from gyoji.app.application import Desk, head_of
from gyoji.app.problems import HttpProblem
from gyoji.audit.audit import SHORTEST, audit
from gyoji.audit.verdicts import Verdict
from gyoji.games.catalogue import BY_VERSION
from gyoji.log.canonical import leaf_hash
from gyoji.log.entries import Entry
from gyoji.log.files import read_opening
from gyoji.log.parser import LIMITS, cut
from gyoji.match.fold import replay_log
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer, replay_refused
from gyoji.messages.verdicts import rules_for, verdict_document
from gyoji.store.interface import Conflict, Match, Seating
from gyoji.web.matches.asking import Refusal, asked, asked_alone
from gyoji.web.matches.creating import account_of, links, sent_document
from gyoji.web.matches.lending import lent_to_audit
from gyoji.web.matches.reading import replay_lines
from gyoji.web.negotiation import MAX_REPLAY, PIECE, brings_replay, sent_json, sent_replay

STORABLE = ("verified", "verified_with_rulings")

SENT = LIMITS._replace(lines=MAX_REPLAY // SHORTEST)
"""How much of a file that is sent is read: one of nothing but line feeds would keep a thread for long."""


def audited(language: Language) -> Answer:
    """``auditReplay``: the verdict on the file that is sent, or on a stored match as its reader may know it."""
    here, _caller = asked_alone("auditReplay")
    if brings_replay():
        with closing(sent_replay()) as file, lent_to_audit(here, here.audits) as look:
            return Answer(200, verdict_document(_verdict(here, file, look), language))
    sent = sent_document(sent_json(), "audits", "/v1/audits", language)
    request_of = asked("auditReplay", sent["match"])
    with lent_to_audit(here, here.audits) as look:
        verdict = audit(lambda: replay_lines(request_of), rules_for, here.trusted(), look=look)
    return Answer(200, verdict_document(verdict, language))


def _verdict(here: Desk, file: IO[bytes], look: Callable[[], None]) -> Verdict:
    return audit(lambda: file_lines(file), rules_for, here.trusted(), limits=SENT, look=look)


def file_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of the file from its beginning."""
    file.seek(0)
    return cut(iter(lambda: file.read(PIECE), b""))


def stored(here: Desk, caller: Caller, language: Language) -> tuple[Answer, str]:
    """``storeReplay``: 201 for a log that is new here, 200 for one that is here already; and where it is."""
    with closing(sent_replay()) as file, lent_to_audit(here, here.imports) as look:
        verdict = _verdict(here, file, look)
        judged = verdict_document(verdict, language)
        if verdict.verdict not in STORABLE:
            raise Refusal(replay_refused(judged, "/v1/replays", language), language)
        entries = tuple(_entries(file_lines(file)))
    row = _row(here, account_of(caller), entries)
    try:
        here.store.create(row, entries)
    except Conflict:
        known = here.store.match(row.match)
        if known is None or known.head.hash != row.head.hash:
            raise HttpProblem("already-stored") from None
        return Answer(200, judged), links(row.match)["self"]
    return Answer(201, judged), links(row.match)["self"]


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


def _row(here: Desk, account: str, entries: tuple[Entry, ...]) -> Match:
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
        seats=(Seating(0, int(here.clock()), revoked=True),) * (data["seats"] + 1),
        head=head_of(standing),
        withheld_until=data.get("withheld_until"),
    )


def _secret(last: Entry) -> bytes:
    """The server's secret, from ``seed_disclosed``: told to all, or in the opening that auditors have."""
    told = orjson.loads(last.body)["data"]["server_secret"]
    return bytes.fromhex(told if told is not None else last.openings[0].payload["/server_secret"])
