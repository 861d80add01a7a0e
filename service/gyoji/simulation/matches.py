"""Simulates matches from a seed and writes them down: the same seed gives the same logs, byte for byte."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from gyoji.app.match_states import head_of
from gyoji.games.chance import player_commitment, u32
from gyoji.games.game import Game, IllegalMove, Seat
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.files import write_replay
from gyoji.log.signatures import Signer, public_bytes
from gyoji.match import recorder
from gyoji.match.events.match_created import MatchDraft
from gyoji.match.recorder import Salt
from gyoji.match.seeding import SERVER, Disclosure, Policy, Seeding, write_policy
from gyoji.match.state import MatchState
from gyoji.published_files import rules_digest
from gyoji.simulation.derivation import beacon_value, choose_move, derive, root_key, timestamp
from gyoji.store.interface import Match, Seating


class SimulatedLog(NamedTuple):
    """The log of one simulated match, and the state of the match after it."""

    entries: tuple[Entry, ...]
    match: MatchState


class MatchPlan(NamedTuple):
    """The plan of a match to be simulated: how it is set up, and the key that its salts and choices come from."""

    beginning: MatchDraft
    key: bytes
    operated: tuple[Seat, ...] = ()
    """Seats that an operator moves for."""
    silent: tuple[Seat, ...] = ()
    """Seats that commit to entropy and do not reveal it: they are waited for until their time is over."""
    cancelled_after: int | None = None
    """The event after which an operator makes the match void."""
    share: bytes = b""
    """What the director contributes, or the beacon that the match waits for."""
    disclosed: bool = True
    """Whether a secret that was withheld is disclosed in the end."""


def plan_match(
    game: Game[Any],
    seats: int,
    options: Mapping[str, Any],
    disclosure: Disclosure,
    seed: str,
    index: int,
    randomness: Policy = SERVER,
) -> MatchPlan:
    """Plan match number ``index`` of a seed. Whatever its first event says is in its id: no two logs share one."""
    read, digest = game.read_options(options), rules_digest(game.slug)
    rules = (game.slug, u32(game.version), digest)
    setting = (u32(seats), canonical(game.write_options(read)), disclosure)
    policy = () if randomness == SERVER else (canonical(write_policy(randomness)),)
    key = derive(root_key(seed), "match", *rules, *setting, *policy, u32(index))
    match = _id(key)
    secret = derive(key, "secret")
    beginning = MatchDraft(
        match, game, digest, seats, read, 0, disclosure, "private", "optional", match, secret, None, {}, ()
    )
    return MatchPlan(beginning._replace(randomness=randomness), key, share=_share(key, seed, randomness))


def _id(key: bytes) -> str:
    return str(UUID(bytes=derive(key, "id")[:16], version=4))


def plan_in_group(plan: MatchPlan, seed: str, group: str) -> MatchPlan:
    """Plan the same match as one of a group of matches, named ``group``, that share their deals."""
    key = derive(root_key(seed), "group", group)
    deal_id, secret = _id(key), derive(key, "secret")
    shared_deals = plan.beginning._replace(deal_id=deal_id, secret=secret, withheld_until="group")
    return plan._replace(beginning=shared_deals)


def _share(key: bytes, seed: str, policy: Policy) -> bytes:
    if policy.name == "director":
        return derive(key, "share")[:32]
    return beacon_value(seed, policy) if policy.name == "external" else b""


Step = tuple[tuple[Entry, ...], MatchState]
"""What is added to a log, and the state of the match after it."""


def simulate_match(plan: MatchPlan, max_plies: int) -> SimulatedLog:
    """Play a match at random to its end or, after so many plies, leave it running."""
    salt = _salts(plan.key)
    entries, match = recorder.begin(plan.beginning, timestamp(0), salt)
    written = [*entries]
    for more, after in _events(plan, match, salt):
        written += more
        match = after
        if match.state is not None and match.state.ply >= max_plies:
            break
    return SimulatedLog(tuple(written), match)


def _events(plan: MatchPlan, match: MatchState, salt: Salt) -> Iterator[Step]:
    """Add all events of a match after its beginning."""
    for step in _played_events(plan, match, salt):
        yield step
        match = step[1]
        if plan.cancelled_after is not None and match.seq >= plan.cancelled_after and not match.over:
            entries, match = recorder.cancel(match, _next_time(match), salt)
            yield entries, match
            break
    if match.over and not match.closed and plan.disclosed:
        at, until = _next_time(match), match.terms.withheld
        yield recorder.disclose(match, at if until is None or until == "group" else max(at, until), salt)


def _played_events(plan: MatchPlan, match: MatchState, salt: Salt) -> Iterator[Step]:
    for step in contribute(plan, match, salt):
        yield step
        match = step[1]
    if match.state is not None:
        yield from play_on(plan, match, salt)


def contribute(plan: MatchPlan, match: MatchState, salt: Salt) -> Iterator[Step]:
    """Add each contribution to the seed to the log; or the end of a match whose seats stay silent."""
    for seat, sent in _offers(plan, match.seeding):
        step = recorder.contribute(match, seat, sent, _next_time(match), salt)
        if isinstance(step, str):
            raise RuntimeError(f"a contribution was refused: {step}")
        yield step
        match = step[1]
    if match.status == "seeding":
        yield recorder.close_seeding(match, max(_next_time(match), match.seeding.until or ""), salt)


Offer = tuple[Seat | None, Mapping[str, str]]
"""Which seat contributes (``None``: somebody for all of them), and what."""


def _offers(plan: MatchPlan, seeding: Seeding) -> Iterator[Offer]:
    """Return all contributions to the seed of a match, in their order."""
    if seeding.policy.name == "players":
        entropies = [derive(plan.key, "entropy", u32(seat))[:32] for seat in range(seeding.seats)]
        for seat, entropy in enumerate(entropies):
            yield seat, {"commit": player_commitment(seeding.deal_id, seat, entropy)}
        for seat, entropy in enumerate(entropies):
            if seat not in plan.silent:
                yield seat, {"entropy": entropy.hex()}
    elif seeding.policy.name != "server":
        yield None, {"entropy": plan.share.hex()}


def play_on(plan: MatchPlan, match: MatchState, salt: Salt) -> Iterator[Step]:
    """Play on and add each move to the log, until the match is over."""
    while not match.over:
        move = choose_move(match.game, match.state, plan.key)
        seat = move["seat"]
        actor = {"role": "operator" if seat in plan.operated else "seat", "seat": seat}
        step = recorder.play(match, move, actor, _next_time(match), salt)
        if isinstance(step, IllegalMove):
            raise RuntimeError(f"{match.game.slug}: a listed move was refused: {step.infraction.reason}")
        yield step
        match = step[1]


def _salts(key: bytes) -> Salt:
    numbers = count()
    return lambda: derive(key, "salt", u32(next(numbers)))[:32]


def _next_time(match: MatchState) -> str:
    """Return when the next event happens: as many seconds after the epoch as its number, and never before the last
    one."""
    return max(timestamp(match.seq + 1), match.at)


def write_replay_file(log: SimulatedLog, signing: Signer) -> bytes:
    """Write the whole log with all its openings as the bytes of a file."""
    first, *rest = log.entries
    return b"".join(write_replay(first, rest, signing, "full"))


def trust_document(signing: Signer) -> dict[str, Any]:
    """Return the public half of a simulated key as a service serves its own."""
    key = {
        "key": signing.key,
        "origin": signing.origin,
        "public": public_bytes(signing.private).hex(),
        "from": timestamp(0),
        "until": None,
        "revoked": None,
    }
    return {"keys": [key]}


ACCOUNT = "operator"
"""The account of the matches that are made with the configured operator's key."""


def match_record(match: MatchState) -> Match:
    """Return the record of a match at its end, as the operator's."""
    return Match(
        match.match,
        match.game.slug,
        match.game.version,
        ACCOUNT,
        timestamp(0),
        "private",
        match.terms.disclosure,
        False,
        False,
        (),
        match.secret,
        (Seating(0, 0),) * (match.state.seats + 1),
        head_of(match),
    )
