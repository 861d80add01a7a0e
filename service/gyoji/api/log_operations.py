"""The operations of the log over all matches, their parameters and the shapes of its proofs."""

from gyoji.api.fields import DIGEST, Listed, Text, Whole
from gyoji.api.media import OCTETS, TEXT
from gyoji.api.operations import Operation
from gyoji.api.parameters import MATCH, MOST_LEAVES, PROVABLE, Parameter
from gyoji.api.shapes import shape

LONGEST_PROOF = 64
"""Hashes: more than a tree of the largest size needs."""

PLACE = r"(x[0-9]{3}/){0,5}[0-9]{3}(\.p/[1-9][0-9]{0,2})?"
"""Where a tile lies below its level (C2SP tlog-tiles)."""

OF_LEVEL = Parameter(
    "path",
    "level",
    "The level of the tile; 0 holds the hashes of leaves",
    {"type": "integer", "minimum": 0, "maximum": 63},
)
AT_PLACE = Parameter(
    "path",
    "place",
    "The number of the tile in groups of three digits, all but the last behind an x; .p/W for a tile of W hashes",
    {"type": "string", "pattern": f"^{PLACE}$"},
    "000.p/1",
)
OF_MATCH = Parameter("query", "match", "The id of the match", {"type": "string", "pattern": f"^{MATCH}$"})
OF_TYPE = Parameter("query", "type", "Which leaf", {"type": "string", "enum": list(PROVABLE), "default": PROVABLE[0]})
WHOLE_TREE = {"type": "integer", "minimum": 0, "maximum": MOST_LEAVES}
OF_SIZE = Parameter("query", "size", "The size of the tree; without it that of the newest checkpoint", WHOLE_TREE)
FROM_SIZE = Parameter("query", "from", "The size of the smaller tree", WHOLE_TREE)
TO_SIZE = Parameter("query", "to", "The size of the larger tree; without it that of the newest checkpoint", WHOLE_TREE)


def _size() -> Whole:
    return Whole(0, MOST_LEAVES, required=True)


def _hash() -> Text:
    return Text(DIGEST, required=True)


def _proof() -> Listed:
    return Listed(Text(DIGEST), LONGEST_PROOF, required=True)


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

LOG_OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "readCheckpoint",
        "get",
        "/v1/log/checkpoint",
        "The signed size and root of the log (C2SP tlog-checkpoint)",
        "log",
        media=(TEXT,),
        problems=("unavailable",),
    ),
    Operation(
        "readLogKeys",
        "get",
        "/v1/log/key",
        "The public keys that checkpoints are signed with, the one in use first (C2SP signed-note)",
        "log",
        media=(TEXT,),
        problems=("unavailable",),
    ),
    Operation(
        "readLogEntries",
        "get",
        "/v1/log/tile/entries/{place}",
        "A bundle of entries (C2SP tlog-tiles)",
        "log",
        media=(OCTETS,),
        problems=("not-found", "unavailable"),
        parameters=(AT_PLACE,),
    ),
    Operation(
        "readLogTile",
        "get",
        "/v1/log/tile/{level}/{place}",
        "A tile of hashes (C2SP tlog-tiles)",
        "log",
        media=(OCTETS,),
        problems=("not-found", "unavailable"),
        parameters=(OF_LEVEL, AT_PLACE),
    ),
    Operation(
        "proveInclusion",
        "get",
        "/v1/log/proofs/inclusion",
        "That a match's beginning or end is in the log (RFC 9162, section 2.1.3)",
        "log",
        INCLUSION,
        problems=("invalid-request", "not-found", "unavailable"),
        parameters=(OF_MATCH, OF_TYPE, OF_SIZE),
    ),
    Operation(
        "proveConsistency",
        "get",
        "/v1/log/proofs/consistency",
        "That the log has only grown (RFC 9162, section 2.1.4)",
        "log",
        CONSISTENCY,
        problems=("invalid-request", "unavailable"),
        parameters=(FROM_SIZE, TO_SIZE),
    ),
)
"""What anybody may ask of the log."""
