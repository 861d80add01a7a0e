"""Creates matches: set up by a request, added to a group, or forked from one that is disclosed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

from gyoji.access.callers import Caller
from gyoji.api.bodies import Malformed, parse_json
from gyoji.api.parameters import MOST_GROUPED
from gyoji.app.authorization import MatchRequest, account_of, record_tokens, record_unsealing
from gyoji.app.clock import clock_errors, control_of, is_time
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.match_states import entry_of, game_of, head_of
from gyoji.app.matches.documents import links, names_in, seated_names
from gyoji.app.matches.groups import (
    FULL_GROUP,
    NO_GROUP,
    count_of,
    fill_from_group,
    group_to_join,
    is_maker,
    setup_errors,
)
from gyoji.app.matches.seats import issue_token
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext, must_fit, parse_document
from gyoji.app.services import Services
from gyoji.games.catalogue import BY_SLUG, BY_VERSION
from gyoji.games.game import Game
from gyoji.log.entries import Entry
from gyoji.match import recorder
from gyoji.match.events.match_created import ForkOrigin, MatchDraft
from gyoji.match.seeding import MEMBERS, read_policy
from gyoji.match.state import MatchState
from gyoji.messages.problems import Answer, words_allowed
from gyoji.players.players import players_of
from gyoji.published_files import rules_digest
from gyoji.store.interface import IdempotencyRecord, Match, Remembered, Seating
from gyoji.store.records import Group, GroupClosed, GroupFull

DEALT_WITHOUT_SEATS = tuple([policy for policy in MEMBERS if policy != "players"])
"""Where shuffles may come from in a match with bots, which contribute nothing."""


def create_match(context: RequestContext, caller: Caller, body: bytes) -> Answer:
    """Answer ``createMatch``: the match, with a token for each seat; dealt, unless its deals wait for others."""
    account = account_of(caller)
    key = read_key(context, caller, f"owner:{account}", b"createMatch\n", body)
    return do_once(
        context.services,
        key,
        lambda: _create(context, caller, account, body, key),
        lambda known: _created_before(context, caller, known),
    )


def _create(
    context: RequestContext, caller: Caller, account: str, body: bytes, key: IdempotencyRecord | None
) -> Answer:
    sent = _read_body(context, body)
    group = group_to_join(context, caller, sent, account)
    filled = sent if group is None else fill_from_group(sent, group)
    beginning, bots = _beginning(context, filled, group), _bots_of(filled["seats"])
    if not set(bots) <= {None, *context.services.settings.players}:
        raise HttpProblem("bots-not-allowed")
    try:
        answer = _begin(context, beginning, account, key, bots)
    except GroupClosed as refused:
        raise context.invalid([FULL_GROUP if isinstance(refused, GroupFull) else NO_GROUP]) from None
    if group is not None and not is_maker(caller, group):
        record_unsealing(context, caller, beginning.match)
    return answer


def _read_body(context: RequestContext, body: bytes) -> Mapping[str, Any]:
    """Read the body of the published shape: that of a match of a group where one is named, and no game."""
    try:
        document = parse_json(body)
    except Malformed as found:
        raise context.malformed(found.why, found.facts) from None
    is_grouped = isinstance(document, dict) and "group" in document and "game" not in document
    fitting: Mapping[str, Any] = must_fit(context, "matches", "grouped" if is_grouped else "matches", document)
    return fitting


def _beginning(context: RequestContext, sent: Mapping[str, Any], group: Group | None) -> MatchDraft:
    services = context.services
    game = BY_SLUG[sent["game"]] if group is None else BY_VERSION[group.game, group.version]
    listed = sent["seats"] if isinstance(sent["seats"], list) else None
    seats, first, withheld = count_of(sent["seats"]), sent.get("first", 0), sent.get("withheld_until")
    options = game.read_options(sent.get("options", {}))
    wrong = setup_errors(game, seats, first, options)
    if withheld is not None and not is_time(withheld):
        wrong.append(("/withheld_until", "no-time"))
    if "clock" in sent:
        wrong += clock_errors(game, sent["clock"])
    wrong += _bot_errors(game, sent)
    if wrong:
        raise context.invalid(wrong)
    match = services.new_id()
    return MatchDraft(
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
        secret=services.random(64) if group is None else group.secret,
        names=None if listed is None else tuple([seat.get("name") or f"{seat['bot']} (bot)" for seat in listed]),
        metadata=sent.get("metadata", {}),
        tags=tuple(sent.get("tags", ())),
        randomness=read_policy(sent.get("randomness", {"policy": "server"})),
        withheld_until=withheld if group is None else "group",
        clock=control_of(sent["clock"]) if "clock" in sent else None,
    )


def _bots_of(seats: int | list[Any]) -> tuple[str | None, ...]:
    """Return by seat which bot plays it, where seats are listed."""
    return tuple([seat.get("bot") for seat in seats]) if isinstance(seats, list) else ()


def _bot_errors(game: Game[Any], sent: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Find what bots cannot play: a game that hides what they do not know of, and deals that they have to contribute
    to."""
    bots = {seat: bot for seat, bot in enumerate(_bots_of(sent["seats"])) if bot is not None}
    able = players_of(game)
    wrong: list[tuple[str, str]] = [
        (f"/seats/{seat}/bot", words_allowed(able)) for seat, bot in bots.items() if bot not in able
    ]
    if bots and sent.get("randomness", {}).get("policy") == "players":
        wrong.append(("/randomness/policy", words_allowed(DEALT_WITHOUT_SEATS)))
    return wrong


def _begin(
    context: RequestContext,
    beginning: MatchDraft,
    account: str,
    key: IdempotencyRecord | None,
    bots: Sequence[str | None] = (),
) -> Answer:
    """Store the first entries of a match, and answer with it."""
    services = context.services
    at = services.at()
    entries, match = recorder.begin(beginning, at, services.salt)
    now = int(services.clock())
    row = row_of(beginning, account, at, now, match)
    if any(bots):
        row = row._replace(seats=(*[Seating(0, now, bot=bot) for bot in bots], row.seats[-1]))
    services.store.create(row, entries, key, MOST_GROUPED)
    services.match_states.remember(match)
    services.count_events(len(entries))
    context.record.created_match = row.match
    return _created(services, row, entries[0])


def row_of(beginning: MatchDraft, account: str, at: str, now: int, match: MatchState) -> Match:
    """Return a new match as the store keeps it; ``at`` and ``now`` are the same moment."""
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
        head=head_of(match),
        group=beginning.deal_id if beginning.withheld_until == "group" else None,
        withheld_until=beginning.withheld_until,
        director=Seating(0, now) if beginning.randomness.name == "director" else None,
    )


def _created_before(context: RequestContext, caller: Caller, known: Remembered) -> Answer:
    store = context.services.store
    row = store.match(known.match)
    if row is None:
        raise HttpProblem("not-found")
    record_tokens(context, caller, row)
    return _created(context.services, row, entry_of(store, row.match, 0))


def _created(services: Services, row: Match, first: Entry) -> Answer:
    """Answer 201: the match as it began, with its ``first`` event. Tokens are made from what is stored, so a repeated
    request can name them again."""
    first_seating, names = Seating(0, _began(row)), names_in(first)
    waits = orjson.loads(first.body)["data"]["randomness"]["policy"] != "server"
    seats = [
        {
            "seat": seat,
            "name": None if names is None else names[seat],
            "token": issue_token(services, row.match, seat, first_seating),
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
        body["director"] = {"token": issue_token(services, row.match, "director", first_seating)}
    return Answer(201, body)


def _began(row: Match) -> int:
    """Return the Unix seconds of the match's beginning, when its first tokens were issued."""
    return int(datetime.fromisoformat(row.created).timestamp())


def fork_match(request: MatchRequest, body: bytes) -> Answer:
    """Answer ``forkMatch``: a new match from the position after an event of one that is disclosed."""
    context, row = request.context, request.row
    account = account_of(request.caller)
    key = read_key(context, request.caller, f"owner:{account}", f"forkMatch {row.match}\n".encode(), body)

    def fork() -> Answer:
        seq = parse_document(context, "matches", "fork", body)["seq"]
        match = context.services.match_states.at(row, seq) if 1 <= seq <= row.head.seq else None
        if match is None or match.state is None or match.state.outcome is not None:
            raise context.invalid([("/seq", "no-such-seq")])
        return _begin(context, _fork(context.services, row, match), account, key)

    return do_once(context.services, key, fork, lambda known: _created_before(context, request.caller, known))


def _fork(services: Services, row: Match, state: MatchState) -> MatchDraft:
    """Set up a fork with a fresh secret, so that nothing that was disclosed betrays a later shuffle. Its names are of
    those who sat there in that position."""
    names = seated_names(services, row, state)
    match = services.new_id()
    return MatchDraft(
        match=match,
        game=game_of(row),
        rules_digest=rules_digest(row.game),
        seats=len(row.seats) - 1,
        options=state.options,
        first=state.terms.first,
        disclosure=row.disclosure,
        visibility=row.visibility,
        if_match="required" if row.demands_precondition else "optional",
        deal_id=match,
        secret=services.random(64),
        names=tuple(names) if any(names) else None,
        metadata={},
        tags=row.tags,
        source=ForkOrigin(row.match, state.seq, state.hash.hex(), state.state._replace(seed=None)),
    )
