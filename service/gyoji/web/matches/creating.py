"""New matches: set up, or forked from one that is disclosed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from gyoji.access.callers import Caller, Keyed
from gyoji.access.tokens import expiry, issue
from gyoji.games.catalogue import BY_SLUG
from gyoji.replay.recording import Beginning, Source, Standing, begun
from gyoji.store.interface import KeyTaken, Match, Request, Seating
from gyoji.web.desk import Desk, entry_of, game_of
from gyoji.web.errors import HttpProblem
from gyoji.web.matches.asking import Asked, Refusal
from gyoji.web.matches.playing import count_events, head_of
from gyoji.web.matches.preconditions import idempotency
from gyoji.wire.gate import Malformed, parsed
from gyoji.wire.language import Language
from gyoji.wire.problems import Answer, invalid_request, malformed
from gyoji.wire.published import rules_digest
from gyoji.wire.validation import errors

DAY = 24 * 60 * 60


def sent_document(body: bytes, call: str, instance: str, language: Language) -> Any:
    """The body, if it is JSON and has the published shape of that call."""
    try:
        document = parsed(body)
        wrong = errors("matches", call, document)
    except Malformed as found:
        raise Refusal(malformed(found.why, instance, language), language) from None
    if wrong:
        raise Refusal(invalid_request(wrong, instance, language), language)
    return document


def new_match(here: Desk, caller: Caller, body: bytes, language: Language) -> Answer:
    """``createMatch``: the match, dealt and ready for its first move, with a token for each seat."""
    account = account_of(caller)
    key = idempotency(here, f"owner:{account}", b"createMatch\n" + body)
    known = _created_before(here, key)
    if known is not None:
        return known
    sent = sent_document(body, "matches", "/v1/matches", language)
    beginning = _beginning(here, sent, "/v1/matches", language)
    return _opened(here, beginning, account, key)


def account_of(caller: Caller) -> str:
    """The account that a new match of this caller belongs to."""
    if not isinstance(caller, Keyed):
        raise HttpProblem("forbidden")
    return caller.account


def _beginning(here: Desk, sent: Mapping[str, Any], instance: str, language: Language) -> Beginning:
    game = BY_SLUG[sent["game"]]
    listed = sent["seats"] if isinstance(sent["seats"], list) else None
    seats = len(listed) if listed is not None else sent["seats"]
    first = sent.get("first", 0)
    options = game.read_options(sent.get("options", {}))
    wrong: list[tuple[str, str]] = []
    if not game.min_seats <= seats <= game.max_seats:
        wrong.append(("/seats", "not-allowed"))
    elif first >= seats:
        wrong.append(("/first", "no-such-seat"))
    else:
        wrong += [(found.pointer, found.code) for found in game.contradictions(seats, options)]
    if wrong:
        raise Refusal(invalid_request(wrong, instance, language), language)
    match = new_id(here)
    return Beginning(
        match=match,
        game=game,
        rules_digest=rules_digest(game.slug),
        seats=seats,
        options=options,
        first=first,
        disclosure=sent.get("disclosure", "public_on_close"),
        visibility=sent.get("visibility", "private"),
        if_match=sent.get("if_match", "optional"),
        deal_id=match,
        secret=here.random(64),
        names=None if listed is None else tuple([seat.get("name") for seat in listed]),
        metadata=sent.get("metadata", {}),
        tags=tuple(sent.get("tags", ())),
    )


def new_id(here: Desk) -> str:
    """A random UUID (RFC 9562, version 4)."""
    return str(UUID(bytes=here.random(16), version=4))


def _opened(here: Desk, beginning: Beginning, account: str, key: Request | None) -> Answer:
    """Store the first entries; the same request that came first meanwhile is answered as it was."""
    at = here.at()
    entries, standing = begun(beginning, at, here.salt)
    row = _row(beginning, account, at, int(here.clock()), standing)
    try:
        here.store.create(row, entries, key)
    except KeyTaken:
        known = _created_before(here, key)
        if known is None:
            raise RuntimeError("a key is taken and nothing is remembered of it") from None
        return known
    here.standings.remember(standing)
    count_events(entries)
    return created(here, row, beginning.names)


def _row(beginning: Beginning, account: str, at: str, now: int, standing: Standing) -> Match:
    return Match(
        match=beginning.match,
        game=beginning.game.slug,
        version=beginning.game.version,
        owner=account,
        created=at,
        visibility="public" if beginning.visibility == "public" else "private",
        disclosure=beginning.disclosure,
        demands_precondition=beginning.if_match == "required",
        imported=False,
        tags=beginning.tags,
        secret=beginning.secret,
        seats=(Seating(0, now),) * (beginning.seats + 1),
        head=head_of(standing),
    )


def _created_before(here: Desk, key: Request | None) -> Answer | None:
    known = None if key is None else here.store.remembered(key.scope, key.key)
    if key is None or known is None:
        return None
    if known.digest != key.digest:
        raise HttpProblem("idempotency-key-reused")
    row = here.store.match(known.match)
    if row is None:
        raise HttpProblem("not-found")
    return created(here, row, names_of(here, row))


def names_of(here: Desk, row: Match) -> Sequence[str | None] | None:
    """The names of the seats, from the opening of the first event; ``None`` if none were given."""
    first = entry_of(here.store, row.match, 0)
    for opening in first.openings:
        if "/names" in opening.payload:
            names: Sequence[str | None] | None = opening.payload["/names"]
            return names
    return None


def created(here: Desk, row: Match, names: Sequence[str | None] | None) -> Answer:
    """201: the match as it began; tokens are made from what is stored, so a repeated request can name them again."""
    expires = expiry(Seating(0, _began(row)), here.settings.token_days * DAY)
    key = here.store.token_key()
    seats = [
        {
            "seat": seat,
            "name": None if names is None else names[seat],
            "token": issue(key, row.match, seat, 0, expires),
        }
        for seat in range(len(row.seats) - 1)
    ]
    body = {
        "match": row.match,
        "game": row.game,
        "version": row.version,
        "rules_digest": rules_digest(row.game),
        "status": "playing",
        "seq": 1,
        "seats": seats,
        "links": links(row.match),
    }
    return Answer(201, body)


def _began(row: Match) -> int:
    """Unix seconds of the match's beginning: when its first tokens were issued."""
    return int(datetime.fromisoformat(row.created).timestamp())


def links(match: str) -> dict[str, str]:
    """Where the parts of a match are."""
    address = f"/v1/matches/{match}"
    return {
        "self": address,
        "moves": f"{address}/moves",
        "events": f"{address}/events",
        "replay": f"{address}/replay",
    }


def forked(asked: Asked, body: bytes, language: Language) -> Answer:
    """``forkMatch``: a new match from the position after an event of one that is disclosed."""
    here, row = asked.desk, asked.row
    account = account_of(asked.caller)
    instance = f"/v1/matches/{row.match}/fork"
    key = idempotency(here, f"owner:{account}", f"forkMatch {row.match}\n".encode() + body)
    known = _created_before(here, key)
    if known is not None:
        return known
    seq = sent_document(body, "fork", instance, language)["seq"]
    standing = here.standings.at(row, seq) if 1 <= seq <= row.head.seq else None
    if standing is None or standing.state.outcome is not None:
        raise Refusal(invalid_request([("/seq", "no-such-seq")], instance, language), language)
    return _opened(here, _fork(here, row, standing), account, key)


def _fork(here: Desk, row: Match, standing: Standing) -> Beginning:
    """A fresh secret, so that nothing that was disclosed tells of a later shuffle."""
    origin = orjson.loads(entry_of(here.store, row.match, 0).body)["data"]
    names = names_of(here, row)
    match = new_id(here)
    return Beginning(
        match=match,
        game=game_of(row),
        rules_digest=rules_digest(row.game),
        seats=len(row.seats) - 1,
        options=standing.state.options,
        first=origin["first"],
        disclosure=row.disclosure,
        visibility=row.visibility,
        if_match="required" if row.demands_precondition else "optional",
        deal_id=match,
        secret=here.random(64),
        names=None if names is None else tuple(names),
        metadata={},
        tags=row.tags,
        source=Source(row.match, standing.seq, standing.hash.hex(), standing.state._replace(seed=None)),
    )
