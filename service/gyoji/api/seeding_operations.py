"""The operations by which a match gets its deals, is cancelled and disclosed, and those of groups of matches."""

from gyoji.api import parameters as given
from gyoji.api.match_answers import APPENDED, ENTROPY_REFUSED
from gyoji.api.operations import Operation
from gyoji.api.shapes import Shape

ACCESS = ("malformed-header", "unauthenticated", "token-expired", "forbidden", "rate-limited", "unavailable")
"""What any call may meet that needs to know its caller, and the store."""

READING = (*ACCESS, "not-found")
ONCE = ("idempotency-in-progress", "idempotency-key-reused")
"""What a call may meet that can be repeated under an idempotency key."""

CONTRIBUTED = {"entropy-refused": (ENTROPY_REFUSED,)}


def seeding_operations(entropy: Shape) -> tuple[Operation, ...]:
    """What makes a match start, or end without a result; ``entropy`` is the body of a contribution."""
    return (
        Operation(
            "giveEntropy",
            "post",
            "/v1/matches/{match}/entropy",
            "Contribute to the deals: commit to entropy, or reveal it; the last one deals",
            "matches",
            APPENDED,
            request=entropy,
            problems=(*READING, *ONCE, "entropy-refused", "match-finished"),
            shaped=CONTRIBUTED,
            parameters=(given.IN_MATCH, given.KEYED_ONCE),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "closeSeeding",
            "post",
            "/v1/matches/{match}/entropy/close",
            "Wait no longer for seats whose time is over: the match is dealt without, or void",
            "matches",
            APPENDED,
            problems=(*READING, "entropy-refused", "match-finished"),
            shaped=CONTRIBUTED,
            parameters=(given.IN_MATCH,),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "voidMatch",
            "post",
            "/v1/matches/{match}/void",
            "Cancel a match; its log says so",
            "matches",
            APPENDED,
            problems=(*READING, "match-finished"),
            parameters=(given.IN_MATCH,),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "discloseMatch",
            "post",
            "/v1/matches/{match}/disclosure",
            "Tell the secret that was withheld, once nothing stands against it",
            "matches",
            APPENDED,
            problems=(*READING, "not-disclosed"),
            parameters=(given.IN_MATCH,),
            headers=("ETag",),
            callers="known",
        ),
    )


def group_operations(new_group: Shape, answer: Shape) -> tuple[Operation, ...]:
    """Groups of matches that share their deals."""
    group = {"group": "$response.body#/group"}
    return (
        Operation(
            "createGroup",
            "post",
            "/v1/groups",
            "Create a group of matches that share their deals",
            "groups",
            answer,
            good=(201,),
            request=new_group,
            problems=(*ACCESS, *ONCE),
            parameters=(given.KEYED_ONCE,),
            headers=("Location",),
            callers="known",
            links={"readGroup": group, "closeGroup": group},
        ),
        Operation(
            "readGroup",
            "get",
            "/v1/groups/{group}",
            "A group: its matches, and what its disclosure waits for",
            "groups",
            answer,
            problems=READING,
            parameters=(given.IN_GROUP,),
            callers="known",
        ),
        Operation(
            "closeGroup",
            "post",
            "/v1/groups/{group}/close",
            "Take no more matches; disclose all of them once all are over",
            "groups",
            answer,
            problems=READING,
            parameters=(given.IN_GROUP,),
            callers="known",
        ),
    )
