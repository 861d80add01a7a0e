"""What is written down: from a ruling to the entries of the log.

Nothing here reads a clock or draws a random number: the time comes in as ``at`` (RFC 3339, UTC, milliseconds) and
salts from ``Salt``, a source of 32 random bytes.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gyoji.games.chance import commitment, deal_v1
from gyoji.games.game import Accepted, Game, Move
from gyoji.log.canonical import ZERO, canonical, leaf_hash
from gyoji.log.entries import Actor, Entry, Opening, event
from gyoji.log.redaction import PrivateParts, placeholder, redact
from gyoji.match.clocks import Control, write_control
from gyoji.match.event_data import Disclosure, VoidReason, dealt, disclosed, redact_position, result, ruled_result, void
from gyoji.match.seeding import SERVER, Policy, Seeding, seed_of, waiting, write_policy
from gyoji.match.state import MatchState, Result, after_move, finished, opened, paused, resumed, seeded
from gyoji.match.state import voided as made_void

Salt = Callable[[], bytes]

SERVICE: Actor = {"role": "service"}
OPERATOR: Actor = {"role": "operator"}
CHECKPOINT = 16
"""At every ``seq`` divisible by this the whole position is committed to."""


class Source(NamedTuple):
    """Where a fork begins: after event ``seq`` of a match, which has that hash, in that state."""

    match: str
    seq: int
    hash: str
    state: Any


class Beginning(NamedTuple):
    """A match as it is set up."""

    match: str
    game: Game[Any]
    rules_digest: str
    seats: int
    options: Any
    """The game's frozen options."""
    first: int
    disclosure: Disclosure
    visibility: str
    if_match: str
    deal_id: str
    secret: bytes
    """The server's secret S, 64 bytes."""
    names: tuple[str | None, ...] | None
    metadata: Mapping[str, Any]
    tags: tuple[str, ...]
    source: Source | None = None
    """Of a fork, which is dealt at once: no policy of it waits for others."""
    randomness: Policy = SERVER
    withheld_until: str | None = None
    """``group``, or a time (RFC 3339, UTC, milliseconds)."""
    clock: Control | None = None
    """How the time of the seats is kept, if it is."""


def entry(
    match: str,
    seq: int,
    prev: bytes,
    at: str,
    kind: str,
    actor: Actor,
    data: Mapping[str, Any],
    secrets: PrivateParts,
    position: Mapping[str, Any] | None,
    salt: Salt,
) -> Entry:
    """One entry; ``position`` is the state envelope where it is to be committed to."""
    openings = [Opening(index, salt(), payload) for index, payload in enumerate(secrets.values())]
    position_salt = None if position is None else salt()
    document = event(match, seq, prev, at, kind, actor, data, secrets, openings, position, position_salt)
    body = canonical(document)
    return Entry(seq, body, leaf_hash(body), tuple(openings), position_salt)


def begun(beginning: Beginning, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """The first entries of a match, and where it stands after them: one where it has to wait for entropy, else two."""
    data, secrets = created(beginning)
    first = entry(beginning.match, 0, ZERO, at, "match_created", OPERATOR, data, secrets, None, salt)
    standing = set_up(beginning, at, first.hash)
    if not standing.seeding.is_complete:
        return (first,), standing
    deal, standing = _dealt(standing, at, salt, beginning.source)
    return (first, deal), standing


def set_up(beginning: Beginning, at: str, hashed: bytes) -> MatchState:
    """Where a match stands after its first event, which has that hash."""
    return MatchState(
        beginning.match,
        beginning.game,
        0,
        hashed,
        None,
        0,
        beginning.secret,
        beginning.disclosure,
        beginning.options,
        beginning.first,
        waiting(beginning.randomness, beginning.seats, beginning.deal_id, at),
        beginning.withheld_until,
        control=beginning.clock,
        at=at,
    )


def created(beginning: Beginning) -> tuple[dict[str, Any], PrivateParts]:
    """``data`` of ``match_created``, and what of it can be erased one day."""
    game, source = beginning.game, beginning.source
    personal = {"/names": beginning.names, "/metadata": beginning.metadata, "/tags": beginning.tags}
    data: dict[str, Any] = {
        "game": game.slug,
        "version": game.version,
        "rules_digest": beginning.rules_digest,
        "seats": beginning.seats,
        "options": game.write_options(beginning.options),
        "first": beginning.first,
        "randomness": write_policy(beginning.randomness),
        "disclosure": beginning.disclosure,
        "visibility": beginning.visibility,
        "if_match": beginning.if_match,
        "deal_id": beginning.deal_id,
        "seed_commitment": commitment(beginning.secret, game.slug, game.version, beginning.deal_id),
        **{pointer[1:]: placeholder(value) for pointer, value in personal.items()},
    }
    if source is not None:
        data["from"] = {"match": source.match, "seq": source.seq, "hash": source.hash}
    if beginning.withheld_until is not None:
        data["withheld_until"] = beginning.withheld_until
    if beginning.clock is not None:
        data["clock"] = write_control(beginning.clock)
    return data, {"all": personal}


def _dealt(standing: MatchState, at: str, salt: Salt, source: Source | None = None) -> tuple[Entry, MatchState]:
    """The first deal, with empty entropy for seats that have revealed none; or the position where a fork begins."""
    game, seeding = standing.game, standing.seeding
    seed = seed_of(seeding, standing.secret, game)
    if source is not None:
        state, (data, secrets) = source.state._replace(seed=seed), redact_position(game, source.state)
    else:
        state, events = game.start(seeding.seats, standing.options, standing.first, seed, deal_v1(seed))
        data, secrets = dealt(game.known(standing.options), events, seeding.missing)
    return written(standing, opened(standing, state, at), at, "dealt", SERVICE, data, secrets, salt)


def contributed(
    standing: MatchState, after: Seeding, kind: str, actor: Actor, data: Mapping[str, Any], at: str, salt: Salt
) -> tuple[tuple[Entry, ...], MatchState]:
    """The entry of a contribution to the seed, which is ``after`` it; and the deal if it was the last.

    ``kind`` is ``entropy_committed`` or ``entropy_revealed``.
    """
    more, standing = written(standing, seeded(standing, after), at, kind, actor, data, {}, salt)
    if not after.is_complete:
        return (more,), standing
    deal, standing = _dealt(standing, at, salt)
    return (more, deal), standing


def unanswered(standing: MatchState, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """The time of the seats is over, and some still owe entropy: by the policy the match is dealt, or void."""
    if standing.seeding.policy.missing == "void":
        return voided(standing, SERVICE, "entropy-missing", at, salt)
    deal, standing = _dealt(standing, at, salt)
    return (deal,), standing


def cancelled(standing: MatchState, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """An operator ends the match without a result, before the deal or after it."""
    return voided(standing, OPERATOR, "cancelled", at, salt)


def voided(
    standing: MatchState, actor: Actor, reason: VoidReason, at: str, salt: Salt
) -> tuple[tuple[Entry, ...], MatchState]:
    """The end without a result, and if it is due the secret."""
    data = void(reason, () if standing.seeding.closed else standing.seeding.missing)
    voided, after = written(standing, made_void(standing, at), at, "match_voided", actor, data, {}, salt)
    more, after = _told_if_due(after, at, salt)
    return (voided, *more), after


def moved(
    standing: MatchState, move: Move, actor: Actor, ruling: Accepted[Any], at: str, salt: Salt
) -> tuple[tuple[Entry, ...], MatchState]:
    """The entry of a move that stands, and if it ends the match those that close the log."""
    data, secrets = redact(standing.game.known(standing.options), move, ruling.events)
    kind, after = move_type(standing), after_move(standing, ruling.state, move["seat"], at)
    played, after = written(standing, after, at, kind, actor, data, secrets, salt)
    more, after = over_by_play(after, at, salt)
    return (played, *more), after


def over_by_play(standing: MatchState, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """The entries that follow a move if it has ended the game."""
    return ((), standing) if standing.state.outcome is None else over_by(standing, None, at, salt)


def over_by(standing: MatchState, ended: Result | None, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """The end of a match, and if it is due the secret; ``ended`` is the result where it was not played to its end."""
    data = result(standing.state) if ended is None else ruled_result(ended._asdict())
    over, after = written(standing, finished(standing, at, ended), at, "match_finished", SERVICE, data, {}, salt)
    more, after = _told_if_due(after, at, salt)
    return (over, *more), after


def made_to_pause(standing: MatchState, at: str, salt: Salt) -> tuple[Entry, MatchState]:
    """Time stands still from now on, and nobody moves."""
    return written(standing, paused(standing, at), at, "match_paused", SERVICE, {}, {}, salt)


def made_to_resume(standing: MatchState, at: str, salt: Salt) -> tuple[Entry, MatchState]:
    """The match goes on."""
    return written(standing, resumed(standing, at), at, "match_resumed", SERVICE, {}, {}, salt)


def _told_if_due(standing: MatchState, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """The server's secret closes the log of a match that is over, unless it is withheld."""
    return ((), standing) if is_withheld(standing.withheld, at) else seed_told(standing, at, salt)


def is_withheld(until: str | None, at: str) -> bool:
    """Whether nothing may be disclosed at that time of what is withheld ``until`` then. When a group is over its
    members do not say."""
    return until is not None and (until == "group" or at < until)


def seed_told(standing: MatchState, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """The server's secret, which closes the log of a match that is over."""
    data, secrets = disclosed(standing.disclosure, standing.secret.hex())
    told, after = written(standing, standing._replace(closed=True), at, "seed_disclosed", SERVICE, data, secrets, salt)
    return (told,), after


def move_type(standing: MatchState) -> str:
    """A choice that all make at the same time, or a move."""
    return "choice_made" if standing.game.simultaneous(standing.state) else "move_played"


def is_checkpoint(seq: int, kind: str) -> bool:
    """Whether the position is committed to at that event, if there is one: if the cards have been dealt."""
    return kind in ("dealt", "match_finished", "match_voided") or (seq > 1 and seq % CHECKPOINT == 0)


def written(
    standing: MatchState,
    after: MatchState,
    at: str,
    kind: str,
    actor: Actor,
    data: Mapping[str, Any],
    secrets: PrivateParts,
    salt: Salt,
) -> tuple[Entry, MatchState]:
    """The next entry, after which the match stands as in ``after``, at that entry; both are returned. ``ValueError``
    for a time before that of the entry before."""
    if at < standing.at:
        raise ValueError(f"{at} is before {standing.at}, when the last event was written down")
    seq = standing.seq + 1
    is_due = after.state is not None and is_checkpoint(seq, kind)
    position = standing.game.write_state(after.state) if is_due else None
    made = entry(standing.match, seq, standing.hash, at, kind, actor, data, secrets, position, salt)
    return made, after._replace(seq=seq, hash=made.hash, at=at)
