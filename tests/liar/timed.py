"""Makes honest matches whose times matter: claims, pauses, waits and disclosures, to be lied about."""

from collections.abc import Callable, Mapping
from typing import Any

from gyoji.games.chance import player_commitment
from gyoji.log.entries import Entry
from gyoji.log.times import instant, written_instant
from gyoji.match.clocks import Control
from gyoji.match.recorder import cancel, close_seeding, disclose
from gyoji.match.seeding import Policy
from liar.ruled import late
from replay.refereed import BANKED, Match
from verifier.seeded import POLICIES, created, dealt, entropy, played, with_commits, with_reveals

Entries = tuple[Entry, ...]

CONCEALED = {"concealed": True}
FORFEIT = Control(10_000, None, 0, "forfeit")
SHORT_BANK = Control(1_000, 5_000, 0, "default")


def moved_by(at: str, ms: int) -> str:
    """That many milliseconds later."""
    return written_instant(instant(at) + ms)


def unready() -> Entries:
    """After a round of cards one seat chooses its next wish, and the others lose the match by their time."""
    match = Match("tomorrow-never-meows", CONCEALED, clock=FORFEIT)
    while not (match.current.state.round == 2 and len(match.current.state.to_act) == 2):
        match.play(1)
    match.claim(late(match))
    match.close()
    return tuple(match.entries)


def overslept() -> Entries:
    """Two seats do not choose in time, and the first of their choices is made for each."""
    match = Match("tomorrow-never-meows", CONCEALED, clock=BANKED).play(1)
    match.claim(late(match))
    match.play()
    match.close()
    return tuple(match.entries)


def voided_for_want() -> Entries:
    """A seat does not tell its entropy, and the match is void when its time is over."""
    match = with_reveals(with_commits(created("towai", POLICIES["players"])), range(1))
    until = match.current.seeding.until
    assert until is not None
    return match.then(close_seeding(match.current, until, match.salt)).entries


def given_up() -> Entries:
    """An operator cancels the match."""
    match = played(dealt("towai", POLICIES["director"]), 9)
    return match.then(cancel(match.current, match.now, match.salt)).entries


def named() -> Entries:
    """Its seats have names, and it has notes and tags."""
    match = Match("catte", names=("Ann", "Ben", "Cho", "Dan"), metadata={"round": 3}, tags=("cup", "final")).play()
    match.close()
    return tuple(match.entries)


def auditors_only() -> Entries:
    """Its secret is for auditors."""
    match = Match("catte", disclosure="auditors_only", withheld_until=None)
    return tuple(match.play().entries)


UNRULED: Mapping[str, Callable[[], Entries]] = {
    "unready": unready,
    "overslept": overslept,
    "want": voided_for_want,
    "given up": given_up,
    "named": named,
    "auditors": auditors_only,
}


def stood_in() -> Entries:
    """Somebody else takes over a seat."""
    match = Match("towai").play(6)
    match.rule("substitute", seat=1, name="Eve", audience=(0, 2), rule="TOW-1.1")
    match.play()
    match.close()
    return tuple(match.entries)


def corrected() -> Entries:
    """A result that a referee sets before the time until which the secret is withheld, and a remark on it."""
    match = Match("catte", withheld_until="2026-01-01T01:00:00.000Z").play(9)
    match.rule("result", winners=(1,), scores=(3, 9, 0, 4))
    match.rule("note")
    match.rule("points", seat=0, points=2)
    match.add(disclose(match.current, match.current.terms.withheld or "", match.salt))
    return tuple(match.entries)


def noted_before_the_deal() -> Entries:
    """A referee remarks on something while entropy is waited for."""
    match = Match("towai", randomness=Policy("players", within=60))
    seeding = match.current.seeding
    secrets = [entropy(seat) for seat in range(seeding.seats)]
    for seat, secret in enumerate(secrets):
        commit = player_commitment(seeding.deal_id, seat, bytes.fromhex(secret))
        match.contribute(seat, {"commit": commit})
    match.rule("note")
    for seat, secret in enumerate(secrets):
        match.contribute(seat, {"entropy": secret})
    match.play()
    match.close()
    return tuple(match.entries)


def _seat(seat: int) -> dict[str, Any]:
    return {"role": "seat", "seat": seat}


def out_of_time() -> Entries:
    """A seat has used up its bank, and a referee gives it some."""
    match = Match("catte", clock=SHORT_BANK).play(3)
    match.claim(late(match))
    seat = match.current.clock.banks_ms.index(0) if match.current.clock is not None else 0
    match.rule("time", seat=seat, add_ms=4_000)
    match.play()
    match.close()
    return tuple(match.entries)


TIMED_AND_RULED: Mapping[str, Callable[[], Entries]] = {
    "stood in": stood_in,
    "corrected": corrected,
    "noted": noted_before_the_deal,
    "out of time": out_of_time,
}
