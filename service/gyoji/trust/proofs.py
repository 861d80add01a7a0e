"""Makes and checks proofs that a service has signed two things that cannot both be true; only its keys are needed.

``{"format":"gyoji-equivocation/1","statements":[…,…]}``, each statement ``{"kind","origin","match","seq","hash","key",
"sig"}``, the one of the earlier place first. If they are of two places, ``"chain"`` holds the canonical
bytes of the events from the one to the other, as texts: its last event has the later statement's hash, every one names
the hash of the one before, and so the first is what the later statement makes of the earlier place.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from gyoji.audit.verdicts import Explanation, Word, lost_why
from gyoji.log.canonical import leaf_hash
from gyoji.log.parser import (
    HEX_32,
    HEX_64,
    ID,
    KEY,
    LIMITS,
    MOST_EVENTS,
    OverLimits,
    Unreadable,
    is_object,
    is_text,
    is_whole,
)
from gyoji.log.parser import check_event as read_event
from gyoji.log.parser import parse_object as read_line
from gyoji.log.signatures import Trusted
from gyoji.log.statements import Contradiction, Kind, Statement, excusing_restoration, why_doubted

FORMAT = "gyoji-equivocation/1"
MEMBERS = ("kind", "origin", "match", "seq", "hash", "key", "sig")


class CheckedProof(NamedTuple):
    """A proof that has been checked: ``equivocation`` if it holds, ``incomplete`` if a signed restoration explains
    it."""

    verdict: Word
    match: str | None
    seq: int | None
    """The place that two things are signed of."""
    why: Explanation


def make_proof(pair: Contradiction, lines: Iterable[bytes]) -> dict[str, Any]:
    """Make the proof of a contradiction; the chain of the file with these ``lines`` leads from one place to the
    other."""
    earlier, later = sorted(pair, key=lambda statement: statement.seq)
    found: dict[str, Any] = {"format": FORMAT, "statements": [_statement_document(earlier), _statement_document(later)]}
    if earlier.seq != later.seq:
        found["chain"] = [*_chain(lines, earlier.seq, later.seq)]
    return found


def _statement_document(statement: Statement) -> dict[str, Any]:
    return {**statement._asdict(), "hash": statement.hash.hex()}


def _chain(lines: Iterable[bytes], first: int, last: int) -> Iterable[str]:
    """Return the events of these places. The openings, which hold what is hidden, stay where they are."""
    events: dict[int, str] = {}
    for line in lines:
        text = line[:-1].decode("utf-8", "replace") if line.startswith(b'{"actor":') else ""
        found = _event(text)
        if found is not None and first <= found["seq"] <= last:
            events[found["seq"]] = text  # of two in one place it is the later that the chain goes on from
    return events.values()


def check_proof(found: Any, trusted: Sequence[Trusted]) -> CheckedProof:
    """Check whether a document, which may be anything, is a proof for whoever trusts these keys."""
    statements = _statements(found)
    if statements is None:
        return CheckedProof("malformed", None, None, Explanation("no-proof"))
    earlier, later = statements
    word, why = _first_doubt(statements, trusted) or _compare(earlier, later, found.get("chain"))
    lost = excusing_restoration(statements, earlier.seq, trusted) if word == "equivocation" else None
    if lost is not None:
        word, why = "incomplete", lost_why(earlier.seq, lost)
    return CheckedProof(word, earlier.match, earlier.seq, why)


def _statements(found: Any) -> Contradiction | None:
    """Read the two statements, if the document has the shape of a proof."""
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        return None
    is_long = is_object(found, "format", "statements", "chain")
    if not is_long and not is_object(found, "format", "statements"):
        return None
    given = found["statements"]
    if not isinstance(given, list) or len(given) != 2 or not all(map(_is_statement, given)):
        return None
    earlier, later = (Statement(**{**one, "hash": bytes.fromhex(one["hash"])}) for one in given)
    if earlier.seq > later.seq or is_long != (earlier.seq < later.seq):
        return None
    if is_long and not (isinstance(found["chain"], list) and all(isinstance(text, str) for text in found["chain"])):
        return None
    return earlier, later


def _is_statement(found: Any) -> bool:
    return (
        is_object(found, *MEMBERS)
        and found["kind"] in get_args(Kind)
        and isinstance(found["origin"], str)
        and is_text(found["match"], ID)
        and is_whole(found["seq"], 0, MOST_EVENTS)
        and is_text(found["hash"], HEX_32)
        and is_text(found["key"], KEY)
        and is_text(found["sig"], HEX_64)
    )


def _first_doubt(statements: Contradiction, trusted: Sequence[Trusted]) -> tuple[Word, Explanation] | None:
    doubts = [why_doubted(statement, trusted) for statement in statements]
    if "signature" in doubts:
        index = doubts.index("signature")
        return "tampered", Explanation("proof-signature", {"index": index, "key": statements[index].key})
    for statement, code in zip(statements, doubts, strict=True):
        if code is not None:
            return "key_untrusted", Explanation(code, {"key": statement.key})
    return None


def _compare(earlier: Statement, later: Statement, chain: Sequence[str] | None) -> tuple[Word, Explanation]:
    """Compare two statements that nobody doubts."""
    if (earlier.origin, earlier.match) != (later.origin, later.match):
        return "tampered", Explanation("proof-agrees")
    hashed = later.hash if chain is None else _first_hash(earlier.seq, later, chain)
    if hashed is None:
        return "tampered", Explanation("proof-chain")
    if hashed == earlier.hash:
        return "tampered", Explanation("proof-agrees")
    return "equivocation", Explanation("proof-holds", {"seq": earlier.seq})


def _first_hash(first: int, later: Statement, chain: Sequence[str]) -> bytes | None:
    """Return the hash of the event that the chain begins with; ``None`` if it does not lead to the later place."""
    if len(chain) != later.seq - first + 1:
        return None
    needed = later.hash.hex()
    hashed = b""
    for seq, text in zip(range(later.seq, first - 1, -1), reversed(chain), strict=True):
        found = _event(text)
        hashed = leaf_hash(text.encode()) if found is not None else b""
        if found is None or hashed.hex() != needed or found["seq"] != seq:
            return None
        needed = found["prev"]
    return hashed


def _event(text: str) -> Mapping[str, Any] | None:
    try:
        body = text.encode()
        if len(body) >= LIMITS.line:
            return None
        found = read_line(body + b"\n")
        read_event(found)
    except (UnicodeEncodeError, Unreadable, OverLimits):
        return None
    return found
