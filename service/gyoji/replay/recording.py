"""What is written down: from a ruling to the entries of the log.

Nothing here reads a clock or draws a random number: the time comes in as ``at`` (RFC 3339, UTC, milliseconds) and
salts from ``Salt``, a source of 32 random bytes.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from gyoji.games.chance import commitment, deal_v1
from gyoji.games.game import Accepted, Game, Move
from gyoji.replay.canonical import ZERO, canonical, leaf_hash
from gyoji.replay.contents import Disclosure, VoidReason, dealt, disclosed, position_parted, result, void
from gyoji.replay.entries import Actor, Entry, Opening, event
from gyoji.replay.hiding import Secrets, concealed, parted
from gyoji.replay.seeding import SERVER, Policy, Seeding, seed_of, waiting, write_policy

Salt = Callable[[], bytes]
Status = Literal["seeding", "playing", "finished", "voided"]

SERVICE: Actor = {"role": "service"}
OPERATOR: Actor = {"role": "operator"}
CHECKPOINT = 16
"""At every ``seq`` divisible by this the whole position is committed to."""


class Standing(NamedTuple):
    """Where a stored match stands after its event ``seq``: all that the next entry needs."""

    match: str
    game: Game[Any]
    seq: int
    hash: bytes
    state: Any
    """The game's frozen state; its ``seed`` is that of the match. ``None`` before the deal."""
    decision: int
    """The ``seq`` of the event that opened the decision which is now to be made."""
    secret: bytes
    disclosure: Disclosure
    options: Any
    """The game's frozen options."""
    first: int
    seeding: Seeding
    withheld: str | None = None
    """What the disclosure at the end waits for: ``group``, or a time; ``None``: for nothing."""
    over: bool = False
    """Whether there are no more moves: the match is finished or void."""
    voided: bool = False
    closed: bool = False
    """Whether the log is: the server's secret has been told."""

    @property
    def status(self) -> Status:
        """Where the match is in its course."""
        if self.voided:
            return "voided"
        if self.over:
            return "finished"
        return "seeding" if self.state is None else "playing"


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


def entry(
    match: str,
    seq: int,
    prev: bytes,
    at: str,
    kind: str,
    actor: Actor,
    data: Mapping[str, Any],
    secrets: Secrets,
    position: Mapping[str, Any] | None,
    salt: Salt,
) -> Entry:
    """One entry; ``position`` is the state envelope where it is to be committed to."""
    openings = [Opening(index, salt(), payload) for index, payload in enumerate(secrets.values())]
    position_salt = None if position is None else salt()
    document = event(match, seq, prev, at, kind, actor, data, secrets, openings, position, position_salt)
    body = canonical(document)
    return Entry(seq, body, leaf_hash(body), tuple(openings), position_salt)


def begun(beginning: Beginning, at: str, salt: Salt) -> tuple[tuple[Entry, ...], Standing]:
    """The first entries of a match, and where it stands after them: one where it has to wait for entropy, else two."""
    data, secrets = created(beginning)
    first = entry(beginning.match, 0, ZERO, at, "match_created", OPERATOR, data, secrets, None, salt)
    standing = set_up(beginning, at, first.hash)
    if not standing.seeding.is_complete:
        return (first,), standing
    deal, standing = _dealt(standing, at, salt, beginning.source)
    return (first, deal), standing


def set_up(beginning: Beginning, at: str, hashed: bytes) -> Standing:
    """Where a match stands after its first event, which has that hash."""
    return Standing(
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
    )


def created(beginning: Beginning) -> tuple[dict[str, Any], Secrets]:
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
        **{pointer[1:]: concealed(value) for pointer, value in personal.items()},
    }
    if source is not None:
        data["from"] = {"match": source.match, "seq": source.seq, "hash": source.hash}
    if beginning.withheld_until is not None:
        data["withheld_until"] = beginning.withheld_until
    return data, {"all": personal}


def _dealt(standing: Standing, at: str, salt: Salt, source: Source | None = None) -> tuple[Entry, Standing]:
    """The first deal, with empty entropy for seats that have revealed none; or the position where a fork begins."""
    game, seeding = standing.game, standing.seeding
    seed = seed_of(seeding, standing.secret, game)
    if source is not None:
        state, (data, secrets) = source.state._replace(seed=seed), position_parted(game, source.state)
    else:
        state, events = game.start(seeding.seats, standing.options, standing.first, seed, deal_v1(seed))
        data, secrets = dealt(game.known(standing.options), events, seeding.missing)
    return _written(standing, opened(standing, state), at, "dealt", SERVICE, data, secrets, salt)


def opened(standing: Standing, state: Any) -> Standing:
    """The same match with its cards dealt."""
    return standing._replace(state=state, decision=standing.seq + 1, seeding=standing.seeding._replace(closed=True))


def contributed(
    standing: Standing, after: Seeding, kind: str, actor: Actor, data: Mapping[str, Any], at: str, salt: Salt
) -> tuple[tuple[Entry, ...], Standing]:
    """The entry of a contribution to the seed, which is ``after`` it; and the deal if it was the last.

    ``kind`` is ``entropy_committed`` or ``entropy_revealed``.
    """
    more, standing = _written(standing, seeded(standing, after), at, kind, actor, data, {}, salt)
    if not after.is_complete:
        return (more,), standing
    deal, standing = _dealt(standing, at, salt)
    return (more, deal), standing


def seeded(standing: Standing, after: Seeding) -> Standing:
    """The same match with one more contribution."""
    return standing._replace(seeding=after, decision=standing.seq + 1)


def unanswered(standing: Standing, at: str, salt: Salt) -> tuple[tuple[Entry, ...], Standing]:
    """The time of the seats is over, and some still owe entropy: by the policy the match is dealt, or void."""
    if standing.seeding.policy.missing == "void":
        return _voided(standing, SERVICE, "entropy-missing", at, salt)
    deal, standing = _dealt(standing, at, salt)
    return (deal,), standing


def cancelled(standing: Standing, at: str, salt: Salt) -> tuple[tuple[Entry, ...], Standing]:
    """An operator ends the match without a result, before the deal or after it."""
    return _voided(standing, OPERATOR, "cancelled", at, salt)


def _voided(
    standing: Standing, actor: Actor, reason: VoidReason, at: str, salt: Salt
) -> tuple[tuple[Entry, ...], Standing]:
    data = void(reason, () if standing.seeding.closed else standing.seeding.missing)
    voided, after = _written(standing, ended(standing), at, "match_voided", actor, data, {}, salt)
    more, after = _told_if_due(after, at, salt)
    return (voided, *more), after


def ended(standing: Standing) -> Standing:
    """The same match made void."""
    seeding = standing.seeding._replace(closed=True)
    return standing._replace(seeding=seeding, over=True, voided=True, decision=standing.seq + 1)


def moved(
    standing: Standing, move: Move, actor: Actor, ruling: Accepted[Any], at: str, salt: Salt
) -> tuple[tuple[Entry, ...], Standing]:
    """The entry of a move that stands, and if it ends the match those that close the log."""
    data, secrets = parted(standing.game.known(standing.options), move, ruling.events)
    kind, after = move_type(standing), after_move(standing, ruling.state)
    played, after = _written(standing, after, at, kind, actor, data, secrets, salt)
    if ruling.state.outcome is None:
        return (played,), after
    data, over = result(ruling.state), after._replace(over=True)
    finished, after = _written(after, over, at, "match_finished", SERVICE, data, {}, salt)
    more, after = _told_if_due(after, at, salt)
    return (played, finished, *more), after


def _told_if_due(standing: Standing, at: str, salt: Salt) -> tuple[tuple[Entry, ...], Standing]:
    """The server's secret closes the log of a match that is over, unless it is withheld."""
    return ((), standing) if is_withheld(standing.withheld, at) else seed_told(standing, at, salt)


def is_withheld(until: str | None, at: str) -> bool:
    """Whether nothing may be disclosed at that time of what is withheld ``until`` then. When a group is over its
    members do not say."""
    return until is not None and (until == "group" or at < until)


def seed_told(standing: Standing, at: str, salt: Salt) -> tuple[tuple[Entry, ...], Standing]:
    """The server's secret, which closes the log of a match that is over."""
    data, secrets = disclosed(standing.disclosure, standing.secret.hex())
    told, after = _written(standing, standing._replace(closed=True), at, "seed_disclosed", SERVICE, data, secrets, salt)
    return (told,), after


def move_type(standing: Standing) -> str:
    """A choice that all make at the same time, or a move."""
    return "choice_made" if standing.game.simultaneous(standing.state) else "move_played"


def after_move(standing: Standing, state: Any) -> Standing:
    """The same match in the next state: a decision that all make together stays the same until the last has made it."""
    game = standing.game
    together = game.simultaneous(standing.state) and game.simultaneous(state)
    return standing._replace(state=state, decision=standing.decision if together else standing.seq + 1)


def is_checkpoint(seq: int, kind: str) -> bool:
    """Whether the position is committed to at that event, if there is one: if the cards have been dealt."""
    return kind in ("dealt", "match_finished", "match_voided") or (seq > 1 and seq % CHECKPOINT == 0)


def _written(
    standing: Standing,
    after: Standing,
    at: str,
    kind: str,
    actor: Actor,
    data: Mapping[str, Any],
    secrets: Secrets,
    salt: Salt,
) -> tuple[Entry, Standing]:
    seq = standing.seq + 1
    is_due = after.state is not None and is_checkpoint(seq, kind)
    position = standing.game.write_state(after.state) if is_due else None
    written = entry(standing.match, seq, standing.hash, at, kind, actor, data, secrets, position, salt)
    return written, after._replace(seq=seq, hash=written.hash)
