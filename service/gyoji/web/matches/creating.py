"""New matches: set up, or forked from one that is disclosed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from flask import request

from gyoji.access.callers import Caller, Keyed
from gyoji.access.tokens import expiry, issue
from gyoji.api.json_gate import Malformed, parsed
from gyoji.api.parameters import MOST_GROUPED
from gyoji.api.validation import received
from gyoji.app.application import Desk, entry_of, game_of, head_of
from gyoji.app.clocks import control_of, wrong_clock
from gyoji.app.problems import HttpProblem
from gyoji.games.catalogue import BY_SLUG, BY_VERSION
from gyoji.games.game import Game
from gyoji.log.entries import Entry
from gyoji.log.times import later
from gyoji.match.recorder import Beginning, Source, begun
from gyoji.match.seeding import read_policy
from gyoji.match.state import MatchState
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer, invalid_request, malformed
from gyoji.published_files import rules_digest
from gyoji.store.groups import Group, GroupClosed, GroupFull
from gyoji.store.interface import Match, Remembered, Request, Seating, Unavailable
from gyoji.web.accounting import RECORD
from gyoji.web.matches.asking import Asked, Refusal, write_down_tokens, write_down_unsealing
from gyoji.web.matches.joining import FULL_GROUP, NO_GROUP, count_of, is_maker, joined, of_group
from gyoji.web.matches.preconditions import idempotency, once

DAY = 24 * 60 * 60


def sent_document(body: bytes, call: str, instance: str, language: Language) -> Any:
    """The body, if it is JSON and has the published shape of that call."""
    try:
        document = parsed(body)
        if call == "matches" and isinstance(document, dict) and "group" in document and "game" not in document:
            call = "grouped"
        document, wrong = received("matches", call, document)
    except Malformed as found:
        raise Refusal(malformed(found.why, instance, language), language) from None
    if wrong:
        raise Refusal(invalid_request(wrong, instance, language), language)
    return document


def new_match(here: Desk, caller: Caller, body: bytes, language: Language) -> Answer:
    """``createMatch``: the match, with a token for each seat; dealt, unless its deals wait for others."""
    account = account_of(caller)
    key = idempotency(here, caller, f"owner:{account}", b"createMatch\n", body)
    return once(
        here,
        key,
        lambda: _new(here, caller, account, body, key, language),
        lambda known: _created_before(here, caller, known),
    )


def _new(here: Desk, caller: Caller, account: str, body: bytes, key: Request | None, language: Language) -> Answer:
    sent = sent_document(body, "matches", "/v1/matches", language)
    group = joined(here, caller, sent, account, language)
    beginning = _beginning(here, sent if group is None else of_group(sent, group), group, "/v1/matches", language)
    try:
        answer = _opened(here, beginning, account, key)
    except GroupClosed as refused:
        wrong = FULL_GROUP if isinstance(refused, GroupFull) else NO_GROUP
        raise Refusal(invalid_request([wrong], "/v1/matches", language), language) from None
    if group is not None and not is_maker(caller, group):
        write_down_unsealing(caller, beginning.match)
    return answer


def account_of(caller: Caller) -> str:
    """The account that a new match of this caller belongs to."""
    if not isinstance(caller, Keyed):
        raise HttpProblem("forbidden")
    return caller.account


def wrongly_set_up(game: Game[Any], seats: int, first: int, options: Any) -> list[tuple[str, str]]:
    """What a shape cannot say: which tables and options a game has."""
    if not game.min_seats <= seats <= game.max_seats:
        return [("/seats", "not-allowed")]
    if first >= seats:
        return [("/first", "no-such-seat")]
    return [(found.pointer, found.code) for found in game.contradictions(seats, options)]


def is_time(text: str) -> bool:
    """Whether a text of the log's form is a time that there is."""
    return later(text, 0) is not None


def _beginning(
    here: Desk, sent: Mapping[str, Any], group: Group | None, instance: str, language: Language
) -> Beginning:
    game = BY_SLUG[sent["game"]] if group is None else BY_VERSION[group.game, group.version]
    listed = sent["seats"] if isinstance(sent["seats"], list) else None
    seats, first, withheld = count_of(sent["seats"]), sent.get("first", 0), sent.get("withheld_until")
    options = game.read_options(sent.get("options", {}))
    wrong = wrongly_set_up(game, seats, first, options)
    if withheld is not None and not is_time(withheld):
        wrong.append(("/withheld_until", "no-time"))
    if "clock" in sent:
        wrong += wrong_clock(game, sent["clock"])
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
        deal_id=match if group is None else group.group,
        secret=here.random(64) if group is None else group.secret,
        names=None if listed is None else tuple([seat.get("name") for seat in listed]),
        metadata=sent.get("metadata", {}),
        tags=tuple(sent.get("tags", ())),
        randomness=read_policy(sent.get("randomness", {"policy": "server"})),
        withheld_until=withheld if group is None else "group",
        clock=control_of(sent["clock"]) if "clock" in sent else None,
    )


def new_id(here: Desk) -> str:
    """A random UUID (RFC 9562, version 4)."""
    return str(UUID(bytes=here.random(16), version=4))


def _opened(here: Desk, beginning: Beginning, account: str, key: Request | None) -> Answer:
    """Store the first entries."""
    at = here.at()
    entries, standing = begun(beginning, at, here.salt)
    row = row_of(beginning, account, at, int(here.clock()), standing)
    here.store.create(row, entries, key, MOST_GROUPED)
    here.standings.remember(standing)
    here.count_events(len(entries))
    request.environ[RECORD].created_match = row.match
    return created(here, row, entries[0])


def row_of(beginning: Beginning, account: str, at: str, now: int, standing: MatchState) -> Match:
    """A new match as the store keeps it; ``at`` and ``now`` are the same moment."""
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
        group=beginning.deal_id if beginning.withheld_until == "group" else None,
        withheld_until=beginning.withheld_until,
        director=Seating(0, now) if beginning.randomness.name == "director" else None,
    )


def _created_before(here: Desk, caller: Caller, known: Remembered) -> Answer:
    row = here.store.match(known.match)
    if row is None:
        raise HttpProblem("not-found")
    write_down_tokens(caller, row)
    return created(here, row, entry_of(here.store, row.match, 0))


def names_of(here: Desk, row: Match) -> Sequence[str | None] | None:
    """The names of the seats; ``None`` if none were given."""
    names = _names(entry_of(here.store, row.match, 0))
    if names is not None and len(names) != len(row.seats) - 1:
        raise Unavailable("a match has other seats than names", "damaged")
    return names


def _names(first: Entry) -> Sequence[str | None] | None:
    """The names, from the opening of the first event."""
    for opening in first.openings:
        if "/names" in opening.payload:
            names: Sequence[str | None] | None = opening.payload["/names"]
            return names
    return None


def created(here: Desk, row: Match, first: Entry) -> Answer:
    """201: the match as it began, with its ``first`` event; tokens are made from what is stored, so a repeated request
    can name them again."""
    expires = expiry(Seating(0, _began(row)), here.settings.token_days * DAY)
    key, names = here.store.token_key(), _names(first)
    waits = orjson.loads(first.body)["data"]["randomness"]["policy"] != "server"
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
        "status": "seeding" if waits else "playing",
        "seq": 0 if waits else 1,
        "seats": seats,
        "links": links(row.match),
    }
    if row.director is not None:
        body["director"] = {"token": issue(key, row.match, "director", 0, expires)}
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
    key = idempotency(here, asked.caller, f"owner:{account}", f"forkMatch {row.match}\n".encode(), body)

    def made() -> Answer:
        seq = sent_document(body, "fork", instance, language)["seq"]
        standing = here.standings.at(row, seq) if 1 <= seq <= row.head.seq else None
        if standing is None or standing.state is None or standing.state.outcome is not None:
            raise Refusal(invalid_request([("/seq", "no-such-seq")], instance, language), language)
        return _opened(here, _fork(here, row, standing), account, key)

    return once(here, key, made, lambda known: _created_before(here, asked.caller, known))


def _fork(here: Desk, row: Match, standing: MatchState) -> Beginning:
    """A fresh secret, so that nothing that was disclosed tells of a later shuffle."""
    names = names_of(here, row)
    match = new_id(here)
    return Beginning(
        match=match,
        game=game_of(row),
        rules_digest=rules_digest(row.game),
        seats=len(row.seats) - 1,
        options=standing.options,
        first=standing.first,
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
