"""``match_created`` sets up a match. It is the first event of every log."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

from gyoji.games.chance import commitment
from gyoji.games.game import Game
from gyoji.games.records import DISTINCT, HIDEABLE, MOST_SEATS, Like, Most, Shaped
from gyoji.log.entries import OPERATOR
from gyoji.log.parser import is_object
from gyoji.log.redaction import placeholder
from gyoji.match.clocks import Control, write_control
from gyoji.match.events.kind import DecidedEvent
from gyoji.match.records import WITHHELD, Digest, LaterSeq, MatchId, Name
from gyoji.match.seeding import SERVER, Disclosure, Policy, write_policy
from gyoji.match.setup import Precondition, Setup, Visibility
from gyoji.match.state import first_state

MOST_TAGS = 16


class ForkOrigin(NamedTuple):
    """Where a fork begins: after event ``seq`` of a match, which has that hash, in that state."""

    match: str
    seq: int
    hash: str
    state: Any


class MatchDraft(NamedTuple):
    """A match that is to be set up: its game, seats, options, policies."""

    match: str
    game: Game[Any]
    rules_digest: str
    seats: int
    options: Any
    """The game's frozen options."""
    first: int
    disclosure: Disclosure
    visibility: Visibility
    if_match: Precondition
    deal_id: str
    secret: bytes
    """The server's secret, 64 bytes."""
    names: tuple[str | None, ...] | None
    metadata: Mapping[str, Any]
    tags: tuple[str, ...]
    source: ForkOrigin | None = None
    """Of a fork, which is dealt at once: no policy of it waits for others."""
    randomness: Policy = SERVER
    withheld_until: str | None = None
    """``group``, or a time (RFC 3339, UTC, milliseconds)."""
    clock: Control | None = None
    """How the time of the seats is kept, if it is."""


class ForkSource(TypedDict):
    """Where a fork begins, as the log states it: the match, and its event."""

    match: MatchId
    seq: LaterSeq
    hash: Digest


MatchCreatedData = TypedDict(
    "MatchCreatedData",
    {
        "game": Annotated[str, Shaped("game")],
        "version": Annotated[int, Shaped("version")],
        "rules_digest": Digest,
        "seats": Annotated[int, Shaped("seats")],
        "options": Annotated[Mapping[str, Any], Shaped("options")],
        "first": Annotated[int, Shaped("seat")],
        "randomness": Annotated[Mapping[str, Any], Shaped("randomness")],
        "disclosure": Disclosure,
        "visibility": Visibility,
        "if_match": Precondition,
        "deal_id": MatchId,
        "seed_commitment": Digest,
        "names": Annotated[tuple[Name, ...] | None, Most(MOST_SEATS), HIDEABLE],
        "metadata": Annotated[Mapping[str, Any] | None, Shaped("notes")],
        "tags": Annotated[tuple[Name, ...], Most(MOST_TAGS), DISTINCT, HIDEABLE],
        "from": NotRequired[ForkSource],
        "withheld_until": NotRequired[Annotated[str, Like(WITHHELD)]],
        "clock": NotRequired[Annotated[Mapping[str, Any], Shaped("clock")]],
    },
)
"""Everything that is fixed before the first deal. ``names``, ``metadata`` and ``tags`` are private so that they can be
erased; everybody who may read the log may know them."""


def decide(beginning: MatchDraft, at: str) -> DecidedEvent:
    """Decide the first event of a match, which sets it up. What may be set up is for ``setup`` to say."""
    game, source = beginning.game, beginning.source
    personal = {"/names": beginning.names, "/metadata": beginning.metadata, "/tags": beginning.tags}
    data: MatchCreatedData = {
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
        "names": placeholder(beginning.names),
        "metadata": placeholder(beginning.metadata),
        "tags": placeholder(beginning.tags),
    }
    if source is not None:
        data["from"] = {"match": source.match, "seq": source.seq, "hash": source.hash}
    if beginning.withheld_until is not None:
        data["withheld_until"] = beginning.withheld_until
    if beginning.clock is not None:
        data["clock"] = write_control(beginning.clock)
    after = first_state(beginning.match, setup_of(beginning), beginning.secret, b"", at)
    return DecidedEvent("match_created", OPERATOR, data, {"all": personal}, after)


def setup_of(beginning: MatchDraft) -> Setup:
    """Return the setup of a match that is to begin."""
    return Setup(
        beginning.game,
        beginning.seats,
        beginning.options,
        beginning.first,
        beginning.disclosure,
        beginning.deal_id,
        beginning.source is not None,
        beginning.randomness,
        beginning.withheld_until,
        beginning.clock,
    )


def is_personal(payload: Mapping[str, Any]) -> bool:
    """Whether an opening holds what ``match_created`` keeps apart so that it can be erased: names, metadata, tags."""
    if not is_object(payload, "/names", "/metadata", "/tags"):
        return False
    names, tags = payload["/names"], payload["/tags"]
    return (names is None or _are_texts(names)) and isinstance(payload["/metadata"], dict) and _are_texts(tags)


def _are_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(text, str) for text in found)
