"""Exports stored matches as replay files, audits such files, and stores those that an audit finds true."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from typing import IO, Any, NamedTuple

import orjson

from gyoji.access.callers import Caller
from gyoji.api.parameters import LINES
from gyoji.app.authorization import MatchRequest, account_of, authorize, authorize_match
from gyoji.app.match_states import first_of, head_of
from gyoji.app.matches.documents import links
from gyoji.app.places import lend_to_audit
from gyoji.app.problems import HttpProblem, RefusedRequest
from gyoji.app.requests import MAX_REPLAY, RequestContext, parse_document
from gyoji.app.services import Services
from gyoji.app.signing_keys import keys_document
from gyoji.audit.audit import SHORTEST, audit
from gyoji.audit.verdicts import Verdict
from gyoji.games.catalogue import BY_VERSION
from gyoji.log.canonical import leaf_hash
from gyoji.log.entries import Entry
from gyoji.log.files import read_opening, write_replay
from gyoji.log.lines import cut
from gyoji.log.parser import LIMITS
from gyoji.match.effective_history import history_lines, taken_back_events
from gyoji.match.fold import replay_log
from gyoji.messages.problems import Answer, replay_refused
from gyoji.messages.verdicts import rules_for, verdict_document
from gyoji.store.interface import Conflict, Match, Seating


def replay_lines(request: MatchRequest) -> Iterator[bytes]:
    """Write ``exportReplay``: the replay file up to where the match stands now, as much of it as the reader may
    have."""
    services, row = request.services, request.row
    entries = services.store.entries(row.match, -1, row.head.seq, lasting=row.head.closed)
    first = first_of(entries)  # before anything is sent, so that what cannot be read is refused and not begun
    return write_replay(first, entries, services.signing, request.reader, row.head[:2])


def content_mark(request: MatchRequest, line: str) -> str:
    """Return what the replay file of a match that cannot change is known by, without its having been written: what its
    lines are made of, and the key that its head is signed with."""
    parts = request.row.match, request.row.head.hash.hex(), request.reader, line, request.services.signing.key
    return sha256(repr(parts).encode()).hexdigest()[:32]


def line_of(context: RequestContext) -> str:
    """Read ``?line=``: whether an export holds the whole log (``played``) or its effective history (``ruled``)."""
    return context.one_of("line", LINES) or "played"


def effective_history_lines(request: MatchRequest) -> Iterator[bytes]:
    """Write ``exportReplay`` with ``line=ruled``: the effective history of the match. These are the events that no
    ruling has taken back, up to the last one, as the feed shows them to the reader."""
    store, row = request.services.store, request.row
    lasting = row.head.closed
    taken = taken_back_events(store.entries(row.match, -1, row.head.seq, lasting=lasting))
    return history_lines(request.reader, store.entries(row.match, -1, row.head.seq, lasting=lasting), taken)


def signing_keys(services: Services) -> Mapping[str, Any]:
    """Answer ``readSigningKeys``: every public key that this service signs or has signed with."""
    return keys_document(services.store.signing_keys(), services.store.restorations.documents())


SENT = LIMITS._replace(lines=MAX_REPLAY // SHORTEST)
"""How much of a file that is sent is read: one of nothing but line feeds would keep a thread for long."""

PIECE = 64 * 1024


def audit_replay(context: RequestContext) -> Answer:
    """Answer ``auditReplay``: the verdict on the file that is sent, or on a stored match as its reader may know it."""
    services = context.services
    authorize(context)
    if context.body.is_replay:
        return Answer(200, verdict_document(audit_sent(context), context.language))
    sent = parse_document(context, "matches", "audits", context.body.read_json())
    request = authorize_match(context, sent["match"])
    with lend_to_audit(context, services.audits) as look:
        verdict = audit(lambda: replay_lines(request), rules_for, services.trusted(), look=look)
    return Answer(200, verdict_document(verdict, context.language))


def audit_sent(context: RequestContext) -> Verdict:
    """Return the verdict on the file that a request sends."""
    services = context.services
    with closing(context.body.open_replay()) as file, lend_to_audit(context, services.audits) as look:
        return audit_file(services, file, look)


def audit_file(services: Services, file: IO[bytes], look: Callable[[], None]) -> Verdict:
    """Return the verdict on a file that was sent; ``look`` is called now and then, and may end the audit."""
    return audit(lambda: file_lines(file), rules_for, services.trusted(), limits=SENT, look=look)


def file_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Read the lines of a replay file from its beginning."""
    file.seek(0)
    return cut(iter(lambda: file.read(PIECE), b""))


STORABLE = ("verified", "verified_with_rulings")


class Imported(NamedTuple):
    """The answer to an import, and the URL of the match."""

    answer: Answer
    location: str


def import_replay(context: RequestContext, caller: Caller) -> Imported:
    """Answer ``storeReplay``: 201 for a log that is new here, 200 for one that is here already."""
    services, language = context.services, context.language
    with closing(context.body.open_replay()) as file, lend_to_audit(context, services.imports) as look:
        verdict = audit_file(services, file, look)
        judged = verdict_document(verdict, language)
        if verdict.verdict not in STORABLE:
            raise RefusedRequest(replay_refused(judged, context.path, language), language)
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
    """Read the entries of a file that has been verified."""
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
    """Return the match as the store lists it; nobody has a token for it."""
    created = orjson.loads(entries[0].body)
    data = created["data"]
    secret = _secret(entries[-1])
    match = replay_log(BY_VERSION[data["game"], data["version"]], secret, entries)
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
        head=head_of(match),
        withheld_until=data.get("withheld_until"),
    )


def _secret(last: Entry) -> bytes:
    """Return the server's secret, from ``seed_disclosed``: disclosed to all, or in the opening that auditors have."""
    public = orjson.loads(last.body)["data"]["server_secret"]
    return bytes.fromhex(public if public is not None else last.openings[0].payload["/server_secret"])
