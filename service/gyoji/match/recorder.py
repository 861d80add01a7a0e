"""The recorder writes what is decided as entries of the log.

It reads no clock and draws no random number: the time comes in as ``at`` (RFC 3339, UTC, milliseconds) and salts from
``Salt``, a source of 32 random bytes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from gyoji.games.game import IllegalMove, Move, Seat
from gyoji.log.canonical import ZERO, canonical, leaf_hash, position_commitment, secret_commitment
from gyoji.log.entries import OPERATOR, SERVICE, Actor, Entry, Opening
from gyoji.log.redaction import PrivateParts
from gyoji.match.events import (
    clock_expired,
    dealt,
    entropy_committed,
    entropy_revealed,
    match_created,
    match_voided,
    move,
    seed_disclosed,
)
from gyoji.match.events.kind import DecidedEvent, Refusal
from gyoji.match.events.match_created import MatchDraft
from gyoji.match.rulings import ruling_made
from gyoji.match.rulings.kind import Ruling
from gyoji.match.rulings.take_back import target_of
from gyoji.match.seeding import Reason
from gyoji.match.state import MatchState, position_after

Salt = Callable[[], bytes]

Written = tuple[tuple[Entry, ...], MatchState]
"""Entries, and the match after them."""


def begin(beginning: MatchDraft, at: str, salt: Salt) -> Written:
    """Set up a match: one entry where it has to wait for entropy, else with the deal."""
    kind, actor, data, private, match, *_rest = match_created.decide(beginning, at)
    created = entry(beginning.match, 0, ZERO, at, kind, actor, data, private, None, salt)
    match = match._replace(hash=created.hash)
    if not match.seeding.is_complete:
        return (created,), match
    source = beginning.source
    if source is None:
        more, match = record(match, dealt.decide(match, at, match.chance), at, salt)
    else:
        more, match = record(match, dealt.take_over(match, source.state, at), at, salt)
    return (created, *more), match


def contribute(match: MatchState, seat: Seat | None, sent: Mapping[str, str], at: str, salt: Salt) -> Written | Reason:
    """Record a contribution of a seat (``None``: for all seats) to the seed, a ``commit`` or ``entropy``. And the deal
    if it was the last. Or return why it is not accepted."""
    if "commit" not in sent:
        decided = entropy_revealed.decide(match, seat, sent["entropy"])
    elif seat is not None:
        decided = entropy_committed.decide(match, seat, sent["commit"])
    else:
        return "wrong-policy"
    return decided if isinstance(decided, str) else record(match, decided, at, salt)


def close_seeding(match: MatchState, at: str, salt: Salt) -> Written:
    """End the seeding of a match whose seats still owe entropy after their time. By its policy the match is dealt, or
    void."""
    if match.seeding.policy.missing == "void":
        return record(match, match_voided.decide(match, at, SERVICE, "entropy-missing"), at, salt)
    return record(match, dealt.decide(match, at, match.chance), at, salt)


def cancel(match: MatchState, at: str, salt: Salt) -> Written:
    """End a match without a result for an operator, before the deal or after it."""
    return record(match, match_voided.decide(match, at, OPERATOR, "cancelled"), at, salt)


def play(match: MatchState, played: Move, actor: Actor, at: str, salt: Salt) -> Written | IllegalMove:
    """Record a move, and what closes the log if it ends the match; or return why the game does not accept it."""
    decided = move.decide(match, played, actor, at, match.chance)
    return decided if isinstance(decided, IllegalMove) else record(match, decided, at, salt)


def claim(match: MatchState, at: str, salt: Salt) -> Written | Refusal:
    """Record what follows from a claim that a seat's time is up: the entries of all seats whose time is. Or return why
    there are none."""
    decided = clock_expired.decide(match, at, match.chance)
    return decided if isinstance(decided, Refusal) else record(match, decided, at, salt)


def rule(match: MatchState, ruling: Ruling, at: str, salt: Salt, target: MatchState | None = None) -> Written | Refusal:
    """Record a ruling and all that follows from it; or return why it cannot be made.

    ``target`` is the match after event ``to`` of a take-back; ``None`` if it had no such event.
    """
    found = None if target is None else target_of(target, target.seq)
    decided = ruling_made.decide(match, ruling, at, match.chance, found)
    return decided if isinstance(decided, Refusal) else record(match, decided, at, salt)


def disclose(match: MatchState, at: str, salt: Salt) -> Written:
    """Record the disclosure of the server's secret, which closes the log of a match that is over."""
    return record(match, seed_disclosed.decide(match, at, match.chance), at, salt)


def record(match: MatchState, decided: DecidedEvent, at: str, salt: Salt) -> Written:
    """Record a decided event and the events of the service that have to follow it at once."""
    made, match = next_entry(match, decided, at, salt)
    if decided.due is None:
        return (made,), match
    more, match = record(match, decided.due.decide(match, at, match.chance), at, salt)
    return (made, *more), match


def next_entry(match: MatchState, decided: DecidedEvent, at: str, salt: Salt) -> tuple[Entry, MatchState]:
    """Return the next entry, and the match after it. Raises ``ValueError`` for a time before that of the entry
    before."""
    if at < match.at:
        raise ValueError(f"{at} is before {match.at}, when the last event was written down")
    seq, kind, position = match.seq + 1, decided.kind, position_after(decided.after, match.seq + 1, decided.kind)
    match_id = match.terms.match
    made = entry(match_id, seq, match.hash, at, kind, decided.actor, decided.data, decided.private, position, salt)
    return made, decided.after._replace(seq=seq, hash=made.hash, at=at)


def entry(
    match: str,
    seq: int,
    prev: bytes,
    at: str,
    kind: str,
    actor: Actor,
    data: Mapping[str, Any],
    private: PrivateParts,
    position: Mapping[str, Any] | None,
    salt: Salt,
) -> Entry:
    """Make one entry; ``position`` is the state envelope where it is to be committed to."""
    openings = [Opening(index, salt(), payload) for index, payload in enumerate(private.values())]
    position_salt = None if position is None else salt()
    document = event(match, seq, prev, at, kind, actor, data, private, openings, position, position_salt)
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
    secrets: PrivateParts,
    openings: list[Opening],
    position: Mapping[str, Any] | None,
    position_salt: bytes | None,
) -> dict[str, Any]:
    """Make the log event as a document, with commitments to the secrets. The openings give their salts, in the same
    order."""
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
