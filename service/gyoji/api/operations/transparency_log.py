"""The operations of the transparency log, and their parameters."""

from gyoji.api.media import OCTETS, TEXT
from gyoji.api.operation import Operation, about
from gyoji.api.parameters import MATCH, MOST_LEAVES, PROVABLE, query, text, whole, word
from gyoji.api.rights import OPEN

TREE = whole(0, MOST_LEAVES)

TRANSPARENCY_LOG = about(
    "log",
    Operation(
        "readCheckpoint",
        "GET /v1/log/checkpoint",
        "The signed size and root of the log (C2SP tlog-checkpoint)",
        OPEN,
        media=(TEXT,),
        problems=("unavailable",),
    ),
    Operation(
        "readLogKeys",
        "GET /v1/log/key",
        "The public keys that checkpoints are signed with, the one in use first (C2SP signed-note)",
        OPEN,
        media=(TEXT,),
        problems=("unavailable",),
    ),
    Operation(
        "readLogEntries",
        "GET /v1/log/tile/entries/{place}",
        "A bundle of entries (C2SP tlog-tiles)",
        OPEN,
        media=(OCTETS,),
        problems=("unavailable",),
    ),
    Operation(
        "readLogTile",
        "GET /v1/log/tile/{level}/{place}",
        "A tile of hashes (C2SP tlog-tiles)",
        OPEN,
        media=(OCTETS,),
        problems=("unavailable",),
    ),
    Operation(
        "proveInclusion",
        "GET /v1/log/proofs/inclusion",
        "That a match's beginning or end is in the log (RFC 9162, section 2.1.3)",
        OPEN,
        answer="InclusionProof",
        problems=("not-found", "unavailable"),
        parameters=(
            query("match", "The id of the match", text(MATCH)),
            query("type", "Which leaf", word(PROVABLE, default=PROVABLE[0])),
            query("size", "The size of the tree; without it that of the newest checkpoint", TREE),
        ),
    ),
    Operation(
        "proveConsistency",
        "GET /v1/log/proofs/consistency",
        "That the log has only grown (RFC 9162, section 2.1.4)",
        OPEN,
        answer="ConsistencyProof",
        problems=("unavailable",),
        parameters=(
            query("from", "The size of the smaller tree", TREE),
            query("to", "The size of the larger tree; without it that of the newest checkpoint", TREE),
        ),
    ),
)
"""What anybody may ask of the log."""
