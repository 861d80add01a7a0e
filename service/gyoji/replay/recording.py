"""What is written down: from a ruling to the entries of the log.

Nothing here reads a clock or draws a random number: the time comes in as ``at`` (RFC 3339, UTC, milliseconds) and
salts from ``Salt``, a source of 32 random bytes.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from gyoji.games.chance import commitment, deal_v1, root
from gyoji.games.game import Accepted, Game, Move, Position
from gyoji.replay.canonical import ZERO, canonical, leaf_hash, position_commitment, secret_commitment
from gyoji.replay.entries import Entry, Opening
from gyoji.replay.hiding import NOBODY, Secrets, concealed, parted

Salt = Callable[[], bytes]
Disclosure = Literal["public_on_close", "auditors_only"]
Actor = Mapping[str, Any]

SERVICE: Actor = {"role": "service"}
CHECKPOINT = 16
"""At every ``seq`` divisible by this the whole position is committed to."""


class Standing(NamedTuple):
    """Where a stored match stands after its event ``seq``: all that the next entry needs."""

    match: str
    game: Game[Any]
    seq: int
    hash: bytes
    state: Any
    """The game's frozen state; its ``seed`` is that of the match."""
    decision: int
    """The ``seq`` of the event that opened the decision which is now to be made."""
    secret: bytes
    disclosure: Disclosure
    over: bool = False
    """Whether the log is closed."""


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


def event(
    match: str,
    seq: int,
    prev: bytes,
    at: Any,
    kind: str,
    actor: Any,
    data: Mapping[str, Any],
    secrets: Secrets,
    openings: list[Opening],
    position: Mapping[str, Any] | None,
    position_salt: bytes | None,
) -> dict[str, Any]:
    """The log event as a document; the openings give the salts of its commitments, in the order of ``secrets``."""
    return {
        "v": 1,
        "match": match,
        "seq": seq,
        "prev": prev.hex(),
        "at": at,
        "type": kind,
        "actor": actor,
        "data": data,
        "secret": [
            {"for": audience, "commit": secret_commitment(opening.salt, canonical(payload))}
            for (audience, payload), opening in zip(secrets.items(), openings, strict=True)
        ],
        "position": None if position is None or position_salt is None else position_commitment(position_salt, position),
    }


def begun(beginning: Beginning, at: str, salt: Salt) -> tuple[tuple[Entry, Entry], Standing]:
    """The first two entries of a match, and where it stands after them."""
    game, match = beginning.game, beginning.match
    data, secrets = created(beginning)
    first = entry(match, 0, ZERO, at, "match_created", {"role": "operator"}, data, secrets, None, salt)
    seed = match_seed(game, beginning.secret, beginning.seats, beginning.deal_id)
    state, data, secrets = _opened(beginning, seed)
    dealt = entry(match, 1, first.hash, at, "dealt", SERVICE, data, secrets, game.write_state(state), salt)
    standing = Standing(match, game, 1, dealt.hash, state, 1, beginning.secret, beginning.disclosure)
    return (first, dealt), standing


def match_seed(game: Game[Any], secret: bytes, seats: int, deal_id: str) -> str:
    """The seed of a stored match under the policy ``server``: nobody else contributes."""
    return root(secret, [b""] * seats, b"", game.slug, game.version, deal_id)


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
        "randomness": {"policy": "server"},
        "disclosure": beginning.disclosure,
        "visibility": beginning.visibility,
        "if_match": beginning.if_match,
        "deal_id": beginning.deal_id,
        "seed_commitment": commitment(beginning.secret, game.slug, game.version, beginning.deal_id),
        **{pointer[1:]: concealed(value) for pointer, value in personal.items()},
    }
    if source is not None:
        data["from"] = {"match": source.match, "seq": source.seq, "hash": source.hash}
    return data, {"all": personal}


def _opened(beginning: Beginning, seed: str) -> tuple[Any, dict[str, Any], Secrets]:
    """The first position, and what is told of how it came about: the first deal, or where a fork begins."""
    game = beginning.game
    if beginning.source is not None:
        data, secrets = position_parted(game, beginning.source.state)
        return beginning.source.state._replace(seed=seed), data, secrets
    dealt = game.start(beginning.seats, beginning.options, beginning.first, seed, deal_v1(seed))
    return dealt.state, *parted(game.known(beginning.options), None, dealt.events)


def position_parted(game: Game[Any], state: Position) -> tuple[dict[str, Any], Secrets]:
    """``data`` of a ``dealt`` that takes over a position: what all may see of it, and what each seat may."""
    bare = state._replace(seed=None)  # type: ignore[attr-defined] # every state is a NamedTuple
    public = game.view(bare, None)
    seen = [game.view(bare, seat) for seat in range(state.seats)]
    secrets: Secrets = {}
    _differences("/position", public, game.write_state(bare), seen, secrets)
    return {"events": (), "position": public}, secrets


def _differences(pointer: str, public: Any, full: Any, seen: list[Any], secrets: Secrets) -> None:
    """Every place where the public view holds something back, under the seats whose view does not."""
    if public == full:
        return
    if public == concealed(full):
        audience = tuple([seat for seat, view in enumerate(seen) if view == full])
        secrets.setdefault(audience, {})[pointer] = full
        return
    inner = full.items() if isinstance(full, Mapping) else enumerate(full)
    for key, value in inner:
        _differences(f"{pointer}/{key}", public[key], value, [view[key] for view in seen], secrets)


def moved(
    standing: Standing, move: Move, actor: Actor, ruling: Accepted[Any], at: str, salt: Salt
) -> tuple[tuple[Entry, ...], Standing]:
    """The entry of a move that stands, and if it ends the match those that close the log."""
    game = standing.game
    data, secrets = parted(game.known(standing.state.options), move, ruling.events)
    kind = move_type(standing)
    played, after = _written(standing, after_move(standing, ruling.state), at, kind, actor, data, secrets, salt)
    if ruling.state.outcome is None:
        return (played,), after
    finished, after = _written(after, after, at, "match_finished", SERVICE, result(ruling.state), {}, salt)
    data, secrets = disclosed(after)
    disclosure, after = _written(after, after, at, "seed_disclosed", SERVICE, data, secrets, salt)
    return (played, finished, disclosure), after._replace(over=True)


def move_type(standing: Standing) -> str:
    """A choice that all make at the same time, or a move."""
    return "choice_made" if standing.game.simultaneous(standing.state) else "move_played"


def after_move(standing: Standing, state: Any) -> Standing:
    """The same match in the next state: a decision that all make together stays the same until the last has made it."""
    game = standing.game
    together = game.simultaneous(standing.state) and game.simultaneous(state)
    return standing._replace(state=state, decision=standing.decision if together else standing.seq + 1)


def result(state: Position) -> dict[str, Any]:
    """``data`` of ``match_finished``."""
    return {"outcome": state.outcome}


def disclosed(standing: Standing) -> tuple[dict[str, Any], Secrets]:
    """``data`` of ``seed_disclosed``: the server's secret, told to all or kept for auditors."""
    secret = standing.secret.hex()
    if standing.disclosure == "public_on_close":
        return {"server_secret": secret}, {}
    return {"server_secret": None}, {NOBODY: {"/server_secret": secret}}


def is_checkpoint(seq: int, kind: str) -> bool:
    """Whether the position is committed to at that event."""
    return kind in ("dealt", "match_finished") or (seq > 1 and seq % CHECKPOINT == 0)


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
    position = standing.game.write_state(after.state) if is_checkpoint(seq, kind) else None
    written = entry(standing.match, seq, standing.hash, at, kind, actor, data, secrets, position, salt)
    return written, after._replace(seq=seq, hash=written.hash)
