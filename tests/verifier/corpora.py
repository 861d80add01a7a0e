"""Files to judge twice: honest ones, and those that somebody without or with the key has changed."""

import copy
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gyoji.audit.audit import audit
from gyoji.audit.verdicts import Check, Verdict
from gyoji.log.files import redact_lines
from gyoji.log.signatures import Signer, public_bytes
from gyoji.messages.verdicts import rules_for
from replay.tampering import (
    SHORT,
    SIGNING,
    TRUSTED,
    Event,
    Lines,
    Parts,
    cut_at_lf,
    entries_of,
    failed,
    file_of,
    flipped,
    forged,
    refiled,
    sealed,
    taken_apart,
)
from replay.test_audit_hostile import LINES, disfigured, resealed
from replay.test_audit_tampering import BODY, CHANGES, DEALT, HEADER, WHOLE, WRONG
from verifier.seeded import EXTERNAL, POLICIES, SHARE, created, dealt, played, told, void, with_commits

BEACONS = {"beacons": [{"beacon": EXTERNAL.beacon, "reference": EXTERNAL.reference, "value": SHARE}]}
KNOWN = {(EXTERNAL.beacon, EXTERNAL.reference): bytes.fromhex(SHARE)}
Judged = dict[str, Lines]


def trust(signing: Signer = SIGNING, revoked: str | None = None) -> dict[str, Any]:
    """The document that trusts this key."""
    public = public_bytes(signing.private).hex()
    since = "2026-01-01T00:00:00.000Z"
    key = {"key": signing.key, "origin": signing.origin, "public": public, "from": since, "until": None}
    return {"keys": [{**key, "revoked": revoked}]}


TRUST = trust()


def judged(lines: Sequence[bytes], receipts: Any = None) -> Verdict:
    """The verdict of ``gyoji audit`` on these lines."""
    return audit(lambda: lines, rules_for, TRUSTED, receipts, beacons=KNOWN)


GOOD = ("verified", "verified_with_rulings", "verified_partial")
OUTER: tuple[Check, ...] = ("bytes", "chain", "head", "file", "openings", "receipts")
"""The checks that both make to the end of a file, whatever has parted before."""
OF_DEALS: tuple[Check, ...] = ("commitment", "shuffles")
"""The checks that end where a log has parted from the rules."""
BY_RULES = frozenset(["moves", "scores", "result", "positions"])
"""The checks that need the rules of play: the second verifier makes them in part, and says of none that it passed."""


class Difference(NamedTuple):
    """Two verdicts on one file that do not go together."""

    name: str
    ours: str
    other: str
    checks: tuple[str, ...]
    """The checks that one says have failed."""


def differences(files: Judged, others: Iterable[dict[str, Any]]) -> list[Difference]:
    """Where two verdicts on one file contradict each other."""
    return [
        Difference(name, ours.verdict, other["verdict"], tuple(sorted(failed(ours) | failing(other))))
        for (name, lines), other in zip(files.items(), others, strict=True)
        for ours in [judged(lines)]
        if not do_agree(ours, other)
    ]


def do_agree(ours: Verdict, other: dict[str, Any]) -> bool:
    """Whether the second verifier says what the first one says, as far as it can know.

    Both make the outer checks to the end: none of them passes with one and fails with the other; nor do commitment and
    shuffles, unless the rules of play have ended them for the first one, and both refuse the file. Where the first one
    finds nothing wrong by the rules of play, both have the same verdict; only that the second one stops at
    ``verified_partial``. Where the rules of play alone refuse a file, the second one may refuse it or not. Where they
    are part of why it is refused, the second one refuses it as well.
    """
    if any("broke" in (check["why"] or "") for check in other["checks"]):
        return False  # then it is no verdict on the file, but a fault of the verifier
    outcomes = {check.check: check.result for check in ours.checks}
    others = {check["check"]: check["result"] for check in other["checks"]}
    if any({outcomes[check], others[check]} == {"pass", "fail"} for check in OUTER):
        return False
    first = ours.first_divergence
    if any({outcomes[check], others[check]} == {"pass", "fail"} for check in OF_DEALS):
        return first is not None and first.check in BY_RULES and other["verdict"] not in GOOD
    if failed(ours).isdisjoint(BY_RULES):
        return bool(other["verdict"] == ("verified_partial" if ours.verdict in GOOD else ours.verdict))
    return failed(ours) <= BY_RULES or other["verdict"] not in GOOD


def failing(found: dict[str, Any]) -> set[str]:
    """The checks that the second verifier says have failed."""
    return {check["check"] for check in found["checks"] if check["result"] == "fail"}


# without the key


def changed() -> Judged:
    """One change each, with and without the digest made right again."""
    head = taken_apart(WHOLE).ending["head"]
    files = {name: change(WHOLE) for name, change in CHANGES.items()}
    right = {f"{name}, digest made right": refiled(lines[:-1], head) for name, lines in files.items()}
    lines = {
        f"a line: {name}": refiled((*WHOLE[:9], body + b"\n", *WHOLE[9:-1]), head) for name, (body, _) in LINES.items()
    }
    return {**files, **right, **lines}


def cut_off(step: int) -> Judged:
    """Cut off at every so many bytes, and at the last two."""
    ends = [*range(0, len(BODY), step), HEADER - 1, HEADER, len(BODY) - 2, len(BODY) - 1]
    return {f"cut at {end}": tuple(cut_at_lf(BODY[:end])) for end in ends}


def bits(count: int, rng: random.Random) -> Judged:
    """So many single bits, and all of the last byte."""
    turned = [*rng.sample(range(8 * len(BODY)), count), *range(8 * len(BODY) - 8, 8 * len(BODY))]
    return {f"bit {bit}": tuple(flipped(BODY, bit)) for bit in turned}


def at_the_limits() -> Judged:
    """Lines as long and as deep as are read, and a little more."""
    deep = {f"{n} levels": b'{"a":' + b"[" * n + b"]" * n + b"}\n" for n in (60, 63, 64, 65, 66, 100)}
    long = {f"{n} bytes": b'{"a":"' + b"x" * (n - 9) + b'"}\n' for n in (2**20 - 1, 2**20, 2**20 + 1)}
    return {name: (*WHOLE[:9], line, *WHOLE[9:]) for name, line in {**deep, **long}.items()}


# with the key


def forged_deals(slugs: Sequence[str] = ("familiars-trouble",)) -> Judged:
    """Another deal than was promised, for every reader."""
    files: Judged = {}
    for name, (change, _check) in DEALT.items():
        for slug in slugs:
            whole = forged(file_of(entries_of(slug)), change)
            files[f"{name}, {slug}"] = whole
            for reader in ("public", 1):
                files[f"{name}, {slug}, for {reader}"] = tuple(redact_lines(whole, reader))
    return files


def wrong_by_the_rules() -> Judged:
    """What only the rules of play, or of logs, forbid."""
    return {name: forged(file_of(entries_of("catte")), change) for name, change in WRONG.items()}


def disfigurements(times: int, seed: str) -> Judged:
    """One or two values of a whole match replaced, removed or doubled, and everything signed."""
    files: Judged = {}
    for slug in SHORT:
        rng, lines = random.Random(f"{seed} {slug}"), file_of(entries_of(slug))
        parts = taken_apart(lines)
        for number in range(times):
            change = copy.deepcopy(parts)
            for _ in range(rng.choice((1, 1, 2))):
                disfigured(change, rng)
            made = resealed(change)
            if made is not None and made != lines:
                files[f"disfigured {slug} {number}"] = made
    return files


# entropy of others


def seeded() -> Judged:
    """Honest matches of every policy: whole, redacted, running, void, withheld, told in time."""
    files: Judged = {}
    for name, policy in POLICIES.items():
        whole = played(dealt("towai", policy))
        files |= {f"{name} for {reader}": file_of(whole.entries, reader) for reader in ("full", "public", 0)}
        files |= {f"{name} until {end}": file_of(whole.entries[:end]) for end in (1, 2, 4, 6)}
        kept = played(dealt("towai", policy, "2026-01-02T00:00:00.000Z"))
        files[f"{name} withheld"] = file_of(kept.entries)
        files[f"{name} told"] = file_of(told(kept, "2026-01-02T00:00:00.000Z").entries)
        files |= {f"{name} void {stage}": file_of(void(policy, stage).entries) for stage in ("created", "playing")}
    for slug in SHORT:
        files[f"players {slug}"] = file_of(played(dealt(slug, POLICIES["players"])).entries)
    return {**files, "void for want": file_of(void(POLICIES["players"], "missing").entries)}


def renumbered(parts: Parts, events: list[Event]) -> Lines:
    """These events in this order, as if they had happened so."""
    for seq, event in enumerate(events):
        event.document["seq"] = seq
        for opening in event.openings:
            opening["seq"] = seq
    return sealed(parts._replace(events=events))


def reordered(names: Sequence[str] = ("players", "director")) -> Iterator[tuple[str, Lines]]:
    """Events before the first move left out, exchanged and doubled."""
    for name, policy in [(name, POLICIES[name]) for name in names]:
        parts = taken_apart(file_of(played(dealt("towai", policy), 1).entries))
        for one in range(len(parts.events) - 1):
            left = copy.deepcopy(parts)
            yield f"{name} without {one}", renumbered(left, left.events[:one] + left.events[one + 1 :])
            twice = copy.deepcopy(parts)
            yield (
                f"{name} twice {one}",
                renumbered(twice, [*twice.events[: one + 1], *copy.deepcopy(twice.events[one:])]),
            )
            for other in range(one + 1, len(parts.events) - 1):
                swap = copy.deepcopy(parts)
                swap.events[one], swap.events[other] = swap.events[other], swap.events[one]
                yield f"{name} {one} and {other} exchanged", renumbered(swap, swap.events)


def event(parts: Parts, kind: str, number: int = 0) -> Event:
    """The event of this type and number."""
    return [found for found in parts.events if found.document["type"] == kind][number]


def other_entropy(parts: Parts) -> None:
    event(parts, "entropy_revealed", -1).data["entropy"] = "5a" * 32


def other_commit(parts: Parts) -> None:
    event(parts, "entropy_committed", 1).data["commit"] = "5a" * 32


def another_seat(parts: Parts) -> None:
    for number in (0, 1):
        event(parts, "entropy_revealed", number).document["actor"]["seat"] = 1 - number


def dealt_too_early(parts: Parts) -> None:
    event(parts, "dealt").document["at"] = "2026-01-01T00:00:59.999Z"


def nobody_missing(parts: Parts) -> None:
    event(parts, "dealt").data.pop("missing", None)


def other_missing(parts: Parts) -> None:
    event(parts, "dealt").data["missing"] = [0]


def void_too_early(parts: Parts) -> None:
    event(parts, "match_voided").document["at"] = "2026-01-01T00:00:59.999Z"


def void_for_others(parts: Parts) -> None:
    event(parts, "match_voided").data["missing"] = [1]


def nothing_told(parts: Parts) -> None:
    event(parts, "seed_disclosed").data["server_secret"] = None


def told_too_early(parts: Parts) -> None:
    event(parts, "seed_disclosed").document["at"] = "2026-01-01T23:59:59.999Z"


def by_the_director(parts: Parts) -> None:
    event(parts, "entropy_revealed").document["actor"] = {"role": "director"}


def without_share(parts: Parts) -> None:
    event(parts, "entropy_revealed").data["entropy"] = ""


CHEATS: tuple[tuple[str, Callable[[Parts], None]], ...] = (
    ("players", other_entropy),
    ("players", other_commit),
    ("players", another_seat),
    ("players", other_missing),
    ("players", nothing_told),
    ("empty", other_entropy),
    ("empty", dealt_too_early),
    ("empty", nobody_missing),
    ("empty", other_missing),
    ("director", other_entropy),
    ("director", without_share),
    ("external", other_entropy),
    ("external", by_the_director),
    ("external", without_share),
)


def cheats() -> Judged:
    """A lying server: contributions, deals and voids that are not what the policy says."""
    files = {}
    for name, change in CHEATS:
        lines = file_of(played(dealt("towai", POLICIES[name])).entries)
        files[f"{name}: {change.__name__}"] = forged(lines, change)
    wanting = file_of(void(POLICIES["players"], "missing").entries)
    files |= {change.__name__: forged(wanting, change) for change in (void_too_early, void_for_others, nothing_told)}
    kept = told(played(dealt("towai", POLICIES["director"], "2026-01-02T00:00:00.000Z")), "2026-01-02T00:00:00.000Z")
    files["told too early"] = forged(file_of(kept.entries), told_too_early)
    given_up = with_commits(created("towai", POLICIES["empty"]))
    parts = taken_apart(file_of(void(POLICIES["players"], "missing").entries))
    parts.events[0].data["randomness"] = {"policy": "players", "missing": "empty", "within": 60}
    return {**files, "void where the policy deals": sealed(parts), "running": file_of(given_up.entries)}
