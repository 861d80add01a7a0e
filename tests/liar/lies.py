"""Makes the files that an operator with the signing key would hand out: each lie a small function, with the verdict
that it has to get.

The verdicts are those of the table of verdicts: what was fixed beforehand and is not kept to is a deal that diverges,
what the rules refuse diverges from the rules, what somebody else holds a signature of makes it an equivocation.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson

from gyoji.audit.verdicts import Check, Word
from gyoji.games.chance import player_commitment
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.signatures import head
from gyoji.trust.receipts import make_receipt
from liar.ruled import RULED
from liar.timed import TIMED_AND_RULED, UNRULED
from replay.tampering import (
    SIGNING,
    STRANGER,
    Event,
    Lines,
    Parts,
    entries_of,
    file_of,
    forged,
    refiled,
    taken_apart,
)
from verifier.seeded import POLICIES, dealt, played, told

COURSES = {**RULED, **TIMED_AND_RULED, **UNRULED}

HELD_UNTIL = "2026-01-02T00:00:00.000Z"
A_LITTLE_LATER = "2026-01-01T00:00:04.001Z"
"""Than event 4 of a match in which every event takes a second."""


@cache
def entries(match: str) -> tuple[Entry, ...]:
    """Return the honest log: of a game's name, one of the policies of randomness, ``withheld``, or one of those ruled
    on."""
    if match in COURSES:
        return COURSES[match]()
    if match == "withheld":
        return told(played(dealt("towai", POLICIES["director"], HELD_UNTIL)), HELD_UNTIL).entries
    return played(dealt("towai", POLICIES[match])).entries if match in POLICIES else entries_of(match)


def honest(match: str) -> Lines:
    """Return the honest file."""
    return file_of(entries(match))


def receipts(match: str) -> list[Any]:
    """Return the receipts of those who moved or contributed."""
    name = orjson.loads(entries(match)[0].body)["match"]
    return [
        make_receipt(SIGNING, name, entry, "public")
        for entry in entries(match)
        if (b'{"actor":{"role":"s' in entry.body or b'{"actor":{"key":' in entry.body)
        and b'"role":"service"' not in entry.body
    ]


class Lie(NamedTuple):
    """A file that is not true, and what has to be said of it."""

    name: str
    make: Callable[[], Lines]
    word: Word
    check: Check
    seq: int | None
    held: Sequence[Any] | None = None
    """The receipts and heads that it is held against."""
    revoked: bool = False
    """Whether the key has been revoked since."""
    twin: Callable[[], Lines] | None = None
    """A file as much like it as can be that is true, where there is one."""


LIES: list[Lie] = []
CATTE, TOWAI = len(entries("catte")), len(entries("towai"))
Change = Callable[[Parts], object]


def lie(
    match: str, word: Word, check: Check, seq: int | None, at: int | None = None, twin: Change | None = None
) -> Callable[[Change], Change]:
    """Register a change of the honest file with everything signed anew. ``at``: where the receipts show it, if they are
    compared with it: there the service has signed two things. ``twin``: another change, after which the file is as true
    as the honest one; without it that is the twin."""

    def told_as(change: Change) -> Change:
        def made() -> Lines:
            return forged(honest(match), change)

        def true() -> Lines:
            return honest(match) if twin is None else forged(honest(match), twin)

        LIES.append(Lie(change.__name__, made, word, check, seq, twin=true))
        if at is not None:
            first: tuple[Check, int | None] = (check, seq) if seq is not None and seq < at else ("receipts", at)
            LIES.append(Lie(f"{change.__name__}, against receipts", made, "equivocation", *first, receipts(match)))
        return change

    return told_as


def handed_out(
    word: Word, check: Check, seq: int | None, held: Sequence[Any] | None = None, *, revoked: bool = False
) -> Callable[[Callable[[], Lines]], Callable[[], Lines]]:
    """Register a file made in another way."""

    def told_as(make: Callable[[], Lines]) -> Callable[[], Lines]:
        LIES.append(Lie(make.__name__, make, word, check, seq, held, revoked))
        return make

    return told_as


def event(parts: Parts, kind: str, number: int = 0) -> Event:
    """Return the event of this type and number."""
    return [found for found in parts.events if found.document["type"] == kind][number]


def renumbered(parts: Parts) -> None:
    """As if the events had happened in this order."""
    for seq, one in enumerate(parts.events):
        one.document["seq"] = seq
        for opening in one.openings:
            opening["seq"] = seq


# deals


@lie("catte", "deal_divergence", "shuffles", 1, at=2)
def hands_exchanged(parts: Parts) -> None:
    one, other = (opening["payload"] for opening in parts.events[1].openings[:2])
    (mine,), (theirs,) = one, other
    one[mine], other[theirs] = other[theirs], one[mine]


@lie("familiars-trouble", "deal_divergence", "shuffles", 1)
def deck_turned(parts: Parts) -> None:
    next(iter(parts.events[1].openings[-2]["payload"].values())).reverse()


@lie("catte", "deal_divergence", "commitment", CATTE - 1)
def secret_replaced(parts: Parts) -> None:
    parts.events[-1].data["server_secret"] = "0" * 128


@lie("catte", "deal_divergence", "commitment", CATTE - 1, at=2)
def promise_replaced(parts: Parts) -> None:
    parts.events[0].data["seed_commitment"] = "0" * 64


@lie("catte", "deal_divergence", "commitment", 0, at=2)
def deal_of_another_deal_id(parts: Parts) -> None:
    parts.events[0].data["deal_id"] = "0" * 8 + parts.events[0].data["deal_id"][8:]


OTHER = len(entries_of("catte", seed="another"))


@handed_out("deal_divergence", "commitment", OTHER - 1)
def deal_made_again_under_the_old_promise() -> Lines:
    def promised(parts: Parts) -> None:
        parts.events[0].data["seed_commitment"] = taken_apart(honest("catte")).events[0].data["seed_commitment"]

    return forged(file_of(entries_of("catte", seed="another")), promised)


@handed_out("deal_divergence", "commitment", 0)
def deals_of_another_match() -> Lines:
    """All is as that match was dealt, whose hands somebody may have seen."""

    def renamed(parts: Parts) -> None:
        parts.header["match"] = "0" * 8 + parts.header["match"][8:]
        for one in parts.events:
            one.document["match"] = parts.header["match"]

    return forged(honest("catte"), renamed)


@handed_out("equivocation", "commitment", 0, receipts("catte"))
def another_match_under_the_same_name() -> Lines:
    name = orjson.loads(entries("catte")[0].body)["match"]

    def renamed(parts: Parts) -> None:
        parts.header["match"] = name
        for one in parts.events:
            one.document["match"] = name

    return forged(file_of(entries_of("catte", seed="another")), renamed)


@lie("withheld", "deal_divergence", "commitment", len(entries("withheld")) - 1)
def withheld_secret_told_as_another(parts: Parts) -> None:
    parts.events[-1].data["server_secret"] = "1" * 128


# entropy of others


@lie("players", "deal_divergence", "commitment", 3, at=3)
def entropy_replaced(parts: Parts) -> None:
    event(parts, "entropy_revealed").data["entropy"] = "5a" * 32


def committed_anew(parts: Parts, seat: int, entropy: str) -> None:
    event(parts, "entropy_revealed", seat).data["entropy"] = entropy
    commit = player_commitment(parts.events[0].data["deal_id"], seat, bytes.fromhex(entropy))
    event(parts, "entropy_committed", seat).data["commit"] = commit


@lie("players", "deal_divergence", "shuffles", 5, at=1)
def commitment_replaced_after_the_fact(parts: Parts) -> None:
    committed_anew(parts, 0, "5a" * 32)


@lie("players", "deal_divergence", "shuffles", 5, at=1)
def entropies_reordered(parts: Parts) -> None:
    one, other = (event(parts, "entropy_revealed", seat).data["entropy"] for seat in (0, 1))
    committed_anew(parts, 0, other)
    committed_anew(parts, 1, one)


@lie("players", "deal_divergence", "commitment", 2, at=2)
def revealed_before_all_have_committed(parts: Parts) -> None:
    parts.events[2], parts.events[3] = parts.events[3], parts.events[2]
    renumbered(parts)


@lie("players", "deal_divergence", "commitment", 4, at=4)
def missing_reveal_pretended(parts: Parts) -> None:
    del parts.events[4]
    event(parts, "dealt").data["missing"] = [1]
    renumbered(parts)


@lie("players", "deal_divergence", "commitment", 1, at=1)
def entropy_of_nobody_counts(parts: Parts) -> None:
    parts.events[0].data["randomness"] = {"policy": "server"}


@lie("empty", "deal_divergence", "commitment", 4)
def dealt_before_the_time_of_the_seats_was_over(parts: Parts) -> None:
    event(parts, "dealt").document["at"] = "2026-01-01T00:00:59.999Z"


@lie("director", "deal_divergence", "shuffles", 2)
def share_of_the_director_replaced(parts: Parts) -> None:
    event(parts, "entropy_revealed").data["entropy"] = "5a" * 32


@handed_out(
    "equivocation",
    "receipts",
    1,
    [make_receipt(SIGNING, orjson.loads(entries("director")[0].body)["match"], entries("director")[1], "public")],
)
def share_of_the_director_against_its_receipt() -> Lines:
    return forged(honest("director"), share_of_the_director_replaced)


@lie("external", "deal_divergence", "commitment", 1)
def value_of_the_beacon_replaced(parts: Parts) -> None:
    event(parts, "entropy_revealed").data["entropy"] = "5a" * 32


# the course of the match


@lie("catte", "rules_divergence", "moves", 3, at=3)
def card_that_does_not_follow(parts: Parts) -> None:
    hands: dict[str, Any] = {}
    for opening in parts.events[1].openings:
        hands |= opening.get("payload", {})
    led, move = parts.events[2].data["move"]["card"][0], parts.events[3].data["move"]
    other = next(card for card in hands[f"/events/0/hands/{move['seat']}"] if card[0] != led)
    move["card"] = parts.events[3].data["events"][0]["card"] = other


@lie("catte", "rules_divergence", "moves", 4, at=4)
def wrong_winner_of_a_trick(parts: Parts) -> None:
    won = next(one for one in parts.events[4].data["events"] if one["type"] == "trick_won")
    won["seat"] = (won["seat"] + 1) % 3


def outcomes(parts: Parts) -> list[dict[str, Any]]:
    return [parts.events[-3].data["events"][-1], parts.events[-2].data["outcome"]]


@lie("catte", "rules_divergence", "result", CATTE - 3, at=CATTE - 3)
def result_forged(parts: Parts) -> None:
    for one in outcomes(parts):
        one["winners"] = [(one["winners"][0] + 1) % 3]


@lie("catte", "rules_divergence", "scores", CATTE - 3, at=CATTE - 3)
def score_forged(parts: Parts) -> None:
    for one in outcomes(parts):
        one["scores"][0] += 1


@lie("catte", "rules_divergence", "result", CATTE - 2)
def outcome_forged_alone(parts: Parts) -> None:
    outcomes(parts)[1]["reason"] = "agreed"


@lie("catte", "rules_divergence", "moves", 5, at=5)
def event_dropped(parts: Parts) -> None:
    del parts.events[5]
    renumbered(parts)


@lie("catte", "incomplete", "chain", 5)
def event_dropped_and_its_number_with_it(parts: Parts) -> None:
    del parts.events[5]


@lie("catte", "rules_divergence", "moves", 6, at=6)
def event_inserted(parts: Parts) -> None:
    parts.events.insert(6, Event({**parts.events[5].document}, []))
    renumbered(parts)


@lie("catte", "tampered", "chain", 5)
def event_repeated(parts: Parts) -> None:
    parts.events.insert(6, Event({**parts.events[5].document}, []))


@lie("catte", "rules_divergence", "moves", 5, at=5)
def events_swapped(parts: Parts) -> None:
    parts.events[5], parts.events[6] = parts.events[6], parts.events[5]
    renumbered(parts)


@lie("catte", "rules_divergence", "moves", 10, at=10)
def closed_early(parts: Parts) -> None:
    del parts.events[10:-2]
    renumbered(parts)


@lie("catte", "rules_divergence", "moves", 2, at=2)
def moved_by_another(parts: Parts) -> None:
    actor = parts.events[2].document["actor"]
    actor["seat"] = (actor["seat"] + 1) % 3


@lie("catte", "rules_divergence", "moves", 1, at=2)
def hand_told_to_another_seat(parts: Parts) -> None:
    parts.events[1].document["secret"][0]["for"] = [1]


def shown(parts: Parts) -> None:
    dealt = parts.events[1]
    (place,) = dealt.openings[0]["payload"]
    dealt.data["events"][0]["hands"][int(place.rpartition("/")[2])] = dealt.openings[0]["payload"][place]


@lie("catte", "tampered", "openings", 1, at=2)
def hand_shown_to_all_and_opened(parts: Parts) -> None:
    shown(parts)


@lie("catte", "deal_divergence", "shuffles", 1, at=2)
def hand_shown_to_all(parts: Parts) -> None:
    """The deal is compared as a whole: who may know of it belongs to it."""
    shown(parts)
    del parts.events[1].document["secret"][0], parts.events[1].openings[0]
    for opening in parts.events[1].openings:
        if "index" in opening:
            opening["index"] -= 1


@lie("catte", "tampered", "positions", 16)
def position_of_another_state(parts: Parts) -> None:
    parts.events[16].document["position"] = "0" * 64


@lie("catte", "rules_divergence", "moves", 0, at=2)
def fork_pretended(parts: Parts) -> None:
    parts.events[0].data["from"] = 7


@lie("catte", "rules_unknown", "moves", 0)
def rules_swapped(parts: Parts) -> None:
    parts.header["rules_digest"] = parts.events[0].data["rules_digest"] = "0" * 64


@lie("catte", "tampered", "file", 0)
def version_that_is_no_number(parts: Parts) -> None:
    parts.events[0].data["version"] = True


@lie("catte", "tampered", "file", 0)
def rules_swapped_in_the_header(parts: Parts) -> None:
    parts.header["rules_digest"] = "0" * 64


@lie("towai", "rules_divergence", "moves", TOWAI - 3)
def options_swapped(parts: Parts) -> None:
    parts.events[0].data["options"]["finishes_to_win"] = 2


@lie("catte", "rules_divergence", "moves", 0)
def seats_swapped(parts: Parts) -> None:
    parts.events[0].data["seats"] = 9


# heads, keys and files


@handed_out("key_untrusted", "head", CATTE - 1)
def wrong_key() -> Lines:
    return file_of(entries("catte"), "full", STRANGER)


@handed_out("tampered", "receipts", 4, receipts("catte")[2:])
def wrong_key_and_another_course() -> Lines:
    return forged(honest("catte"), lambda parts: parts.events[4].document.update(at=A_LITTLE_LATER), STRANGER)


@handed_out("key_untrusted", "head", CATTE - 1, revoked=True)
def revoked_key() -> Lines:
    return honest("catte")


@lie("catte", "key_untrusted", "head", CATTE - 1)
def another_origin(parts: Parts) -> None:
    parts.header["origin"] = "there.example"


@handed_out("tampered", "head", CATTE - 1)
def signature_of_nobody() -> Lines:
    lines = honest("catte")
    return refiled(lines[:-1], {**taken_apart(lines).ending["head"], "sig": "0" * 128})


@handed_out("tampered", "head", CATTE - 1)
def stale_head() -> Lines:
    return refiled(honest("catte")[:-1], taken_apart(file_of(entries("catte")[:6])).ending["head"])


@handed_out("incomplete", "receipts", 10, receipts("catte"))
def tail_dropped_and_signed() -> Lines:
    return file_of(entries("catte")[:10])


@handed_out("incomplete", "head", 10)
def tail_dropped_under_the_old_head() -> Lines:
    short = file_of(entries("catte")[:10])
    return refiled(short[:-1], taken_apart(honest("catte")).ending["head"])


@handed_out(
    "equivocation",
    "receipts",
    CATTE - 1,
    [{"head": head(SIGNING, orjson.loads(entries("catte")[0].body)["match"], CATTE - 1, bytes(32))}],
)
def two_heads() -> Lines:
    return honest("catte")


@handed_out("tampered", "head", CATTE - 1)
def head_of_the_honest_file() -> Lines:
    lines = forged(honest("catte"), lambda parts: parts.events[4].document.update(at=A_LITTLE_LATER))
    return refiled(lines[:-1], taken_apart(honest("catte")).ending["head"])


@handed_out("tampered", "openings", 1)
def opening_edited() -> Lines:
    parts = taken_apart(honest("catte"))
    at = next(at for at, line in enumerate(honest("catte")) if b'"/events/0/hands/0"' in line)
    (place,) = parts.events[1].openings[0]["payload"]
    edited = orjson.loads(honest("catte")[at])
    edited["opening"]["payload"][place].reverse()
    lines = (*honest("catte")[:at], canonical(edited) + b"\n", *honest("catte")[at + 1 : -1])
    return refiled(lines, parts.ending["head"])


@handed_out("incomplete", "head", None)
def no_head_at_all() -> Lines:
    return honest("catte")[:-1]
