"""The shapes of the answers about replays, signing keys and the transparency log."""

from typing import get_args

from gyoji.api.fields import DIGEST, AnswerOnly, Boolean, Integer, ListOf, Text, Word
from gyoji.api.log_events import hash_field, time_field
from gyoji.api.log_lines import KEY, SIGNED
from gyoji.api.parameters import MATCH, MOST_LEAVES, MOST_SEQ
from gyoji.api.shapes import Fields, many, nested, problem_members, shape
from gyoji.audit.verdicts import CHECKS, MOST_RULINGS, RULINGS, Outcome
from gyoji.audit.verdicts import Word as Verdict
from gyoji.trust.restorations import FORMAT

LONGEST_PROOF = 64
"""Hashes: more than a tree of the largest size needs."""

DIVERGENCE = shape(
    "Divergence",
    {
        "seq": Integer(0, MOST_SEQ, required=True, allow_none=True),
        "check": Word(*CHECKS, required=True),
        "expected": AnswerOnly({}, required=True),
        "found": AnswerOnly({}, required=True),
        "rule": Text(required=True, allow_none=True),
    },
)
CHECK = shape(
    "Check",
    {
        "check": Word(*CHECKS, required=True),
        "result": Word(*get_args(Outcome), required=True),
        "why": Text(required=True, allow_none=True),
    },
)
RULED = shape(
    "Ruled",
    {
        "seq": Integer(0, MOST_SEQ, required=True),
        "kind": Word(*RULINGS, required=True),
        "rule": Text(longest=64, required=True, allow_none=True),
        "overrides": Boolean(required=True),
    },
)
JUDGED: Fields = {
    "verdict": Word(*get_args(Verdict), required=True),
    "match": Text(longest=64, required=True, allow_none=True),
    "first_divergence": nested(DIVERGENCE, allow_none=True),
    "checks": many(CHECK, len(CHECKS)),
    "rulings": many(RULED, MOST_RULINGS),
}
VERDICT = shape("Verdict", JUDGED)
REPLAY_REFUSED = shape("ReplayRefused", {**problem_members(("replay-refused",)), **JUDGED})

RESTORATION = shape(
    "Restoration",
    {
        "format": Word(FORMAT, required=True),
        "statement": Text(longest=65_535, required=True),
        "signatures": many(
            shape("RestorationSignature", SIGNED),
            999,
        ),
        "open": many(
            shape("KnownEnd", {"log": Text(MATCH, required=True), "seq": Integer(0, MOST_SEQ, required=True)}),
            1_000_000,
        ),
    },
)
KEYS = shape(
    "SigningKeys",
    {
        "keys": many(
            shape(
                "SigningKey",
                {
                    "key": Text(KEY, required=True),
                    "origin": Text(longest=640, required=True),
                    "public": hash_field(),
                    "from": time_field(),
                    "until": time_field(allow_none=True),
                    "revoked": time_field(allow_none=True),
                    "reason": Text(longest=500, allow_none=True),
                },
            ),
            999,
        ),
        "restorations": many(RESTORATION, 999, required=False),
    },
)


def _size() -> Integer:
    return Integer(0, MOST_LEAVES, required=True)


def _hash() -> Text:
    return Text(DIGEST, required=True)


def _proof() -> ListOf:
    return ListOf(Text(DIGEST), LONGEST_PROOF, required=True)


INCLUSION = shape(
    "InclusionProof",
    {
        "size": _size(),
        "root": _hash(),
        "index": _size(),
        "leaf": Text(longest=65_535, required=True),
        "hash": _hash(),
        "proof": _proof(),
    },
)
CONSISTENCY = shape(
    "ConsistencyProof",
    {"from": _size(), "from_root": _hash(), "to": _size(), "to_root": _hash(), "proof": _proof()},
)
