"""Replay files to tamper with: made, taken apart, changed, and sealed again as a forger with a key would."""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from gyoji.audit.audit import audit
from gyoji.audit.verdicts import Check, Explanation, Verdict, Word
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical, leaf_hash, secret_commitment
from gyoji.log.entries import Entry
from gyoji.log.files import write_replay
from gyoji.log.redaction import Reader
from gyoji.log.signatures import Signer, Trusted, head, public_bytes, signer
from gyoji.match.seeding import Disclosure
from gyoji.messages.verdicts import rules_for
from gyoji.simulation.matches import plan_match, simulate_match

SIGNING = signer(bytes(range(32)), "here.example")
STRANGER = signer(bytes(range(1, 33)), "here.example")
Lines = tuple[bytes, ...]


def trust(signing: Signer, revoked: bool = False) -> Trusted:
    """The key as a reader trusts it."""
    return Trusted(signing.key, signing.origin, public_bytes(signing.private), revoked)


TRUSTED = (trust(SIGNING),)

SHORT: Mapping[str, tuple[int, dict[str, Any]]] = {
    "tomorrow-never-meows": (3, {"concealed": True}),
    "catte": (3, {}),
    "towai": (2, {"finishes_to_win": 1}),
    "familiars-trouble": (3, {}),
}
"""A short match of every game: seats and options; three of the four have hidden moves."""


@cache
def entries_of(
    slug: str, disclosure: Disclosure = "public_on_close", seed: str = "tampering", options: bytes | None = None
) -> tuple[Entry, ...]:
    """The log of a finished match; ``options`` as JSON where they are not those of ``SHORT``."""
    seats, given = SHORT[slug]
    chosen = given if options is None else orjson.loads(options)
    return simulate_match(plan_match(BY_SLUG[slug], seats, chosen, disclosure, seed, 0), 20_000).entries


def file_of(entries: Sequence[Entry], reader: Reader = "full", signing: Signer = SIGNING) -> Lines:
    """The file that a reader gets of these entries."""
    return tuple(write_replay(entries[0], entries[1:], signing, reader))


def judged(lines: Iterable[bytes], trusted: Sequence[Trusted] | None = TRUSTED, receipts: Any = None) -> Verdict:
    """The verdict on these lines."""
    kept = tuple(lines)
    return audit(lambda: kept, rules_for, trusted, receipts)


def word(lines: Iterable[bytes]) -> Word:
    """The verdict, in one word."""
    return judged(lines).verdict


def result(verdict: Verdict, check: Check) -> str:
    """How one check came out."""
    return next(checked.result for checked in verdict.checks if checked.check == check)


def why(verdict: Verdict, check: Check) -> Explanation | None:
    """The reason beside a check."""
    return next(checked.why for checked in verdict.checks if checked.check == check)


def failed(verdict: Verdict) -> set[str]:
    """The checks that failed."""
    return {checked.check for checked in verdict.checks if checked.result == "fail"}


class Event(NamedTuple):
    """One event of a file with its openings, as documents that may be changed."""

    document: dict[str, Any]
    openings: list[dict[str, Any]]

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document["data"]
        return found


class Parts(NamedTuple):
    """A file taken apart."""

    header: dict[str, Any]
    events: list[Event]
    ending: dict[str, Any]


def taken_apart(lines: Lines) -> Parts:
    """The documents of a file."""
    header, *inner, ending = [orjson.loads(line) for line in lines]
    events: list[Event] = []
    for document in inner:
        if "opening" in document:
            events[-1].openings.append(document["opening"])
        else:
            events.append(Event(document, []))
    return Parts(header, events, ending)


def sealed(parts: Parts, signing: Signer = SIGNING) -> Lines:
    """What somebody with the key makes of it: commitments, chain, head and digest are right again."""
    prev = bytes(32)
    lines = [canonical(parts.header)]
    last = 0
    for event in parts.events:
        for opening in event.openings:
            if "index" in opening and opening["index"] < len(event.document["secret"]):
                salt = bytes.fromhex(opening["salt"])
                commit = secret_commitment(salt, canonical(opening["payload"]))
                event.document["secret"][opening["index"]]["commit"] = commit
        body = canonical({**event.document, "prev": prev.hex()})
        lines += [body, *[canonical({"opening": opening}) for opening in event.openings]]
        prev, last = leaf_hash(body), event.document["seq"]
    return refiled([line + b"\n" for line in lines], head(signing, parts.header["match"], last, prev))


def refiled(lines: Sequence[bytes], signed_head: Any) -> Lines:
    """The lines with a head line whose digest is right: what anybody can do."""
    digest = sha256(b"".join(lines)).hexdigest()
    return (*lines, canonical({"head": signed_head, "file": digest}) + b"\n")


def forged(lines: Lines, change: Callable[[Parts], object], signing: Signer = SIGNING) -> Lines:
    """The file after a change, sealed again."""
    parts = copy.deepcopy(taken_apart(lines))
    change(parts)
    return sealed(parts, signing)


def flipped(body: bytes, bit: int) -> list[bytes]:
    """The lines of a file in which one bit has been turned."""
    changed = bytearray(body)
    changed[bit // 8] ^= 1 << bit % 8
    return cut_at_lf(bytes(changed))


def cut_at_lf(body: bytes) -> list[bytes]:
    """The lines, each with its LF; nothing but LF ends one."""
    *whole, rest = body.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])
