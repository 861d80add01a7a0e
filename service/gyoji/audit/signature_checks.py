"""Checks the signatures on a log: the head line, and the receipts and heads that others have kept.

A signed head speaks for the last event, and by the chain of hashes for every one before it; so does a receipt.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from gyoji.audit.verdicts import Explanation, Findings, lost_why
from gyoji.log.parser import HeadLine
from gyoji.log.signatures import Trusted
from gyoji.log.statements import (
    Contradiction,
    Statement,
    contradiction,
    excusing_restoration,
    outlasts,
    statement_of_document,
    was_lost,
    why_doubted,
)


def check_head(
    findings: Findings,
    found: HeadLine,
    header: Mapping[str, Any],
    last: int,
    hashed: bytes | None,
    trusted: Sequence[Trusted] | None,
) -> Statement | None:
    """Check the head line against the log, which ends at event ``last``, and its signature. Return what it states if a
    trusted key signed it.

    ``hashed`` is the hash of that event; ``None`` where it is not known.
    """
    if found.match != header["match"]:
        findings.diverge("tampered", "head", found.seq, Explanation("other-match"), header["match"], found.match)
    if hashed is None:
        findings.skip("head", Explanation("broken"))
    elif found.seq > last:
        findings.diverge(
            "incomplete", "head", last + 1, Explanation("beyond", {"from": last, "to": found.seq}), found.seq, last
        )
    elif found.seq < last:
        findings.diverge("tampered", "head", last, Explanation("behind"), found.seq, last)
    elif found.hash != hashed.hex():
        findings.diverge("tampered", "head", last, Explanation("other-hash"), found.hash, hashed.hex())
    return _check_signature(findings, found, header["origin"], trusted)


def _check_signature(
    findings: Findings, found: HeadLine, origin: str, trusted: Sequence[Trusted] | None
) -> Statement | None:
    if trusted is None:
        findings.skip("head", Explanation("no-trusted-keys"))
        return None
    hashed = bytes.fromhex(found.hash)
    head = Statement("head", origin, found.match, found.seq, hashed, found.key, found.sig)
    code = why_doubted(head, trusted)
    if code == "signature":
        findings.diverge("tampered", "head", found.seq, Explanation(code))
    elif code is not None:
        keys = [key.key for key in trusted]
        findings.diverge("key_untrusted", "head", found.seq, Explanation(code, {"key": found.key}), keys, found.key)
    return head if code is None else None


class LogEnd(NamedTuple):
    """The end of a log that has been read: its last event, and what is known of its chain and head."""

    last: int
    """The ``seq`` of its last event; -1 where there is none."""
    tip: bytes | None
    """The hash of that event; ``None`` where it is not known."""
    tied: int
    """From there on every event names the hash of the one before."""
    head: Statement | None
    """What a trusted key has signed under it."""


class ReceiptChecks:
    """The receipts and heads of one match, compared with its log as it is read."""

    def __init__(
        self, documents: Iterable[Any] | None, trusted: Sequence[Trusted] | None, origin: str, match: str
    ) -> None:
        self.statements: dict[int, dict[bytes, Statement]] = {}
        """What can be believed, by ``seq`` and hash."""
        self._trusted = trusted or ()
        self._seen: dict[int, bytes] = {}
        """What the log has in these places."""
        self._match = match
        self._doubtful = 0
        for found in () if documents is None else documents:
            statement = statement_of_document(origin, found)
            if statement is None:
                self._doubtful += 1
            elif statement.match == match:
                self._keep(statement, trusted)

    def _keep(self, statement: Statement, trusted: Sequence[Trusted] | None) -> None:
        if trusted is None or why_doubted(statement, trusted) is not None:
            self._doubtful += 1
        else:
            stated = self.statements.setdefault(statement.seq, {})
            if outlasts(statement, stated.setdefault(statement.hash, statement), trusted):
                stated[statement.hash] = statement

    def see(self, seq: int, hashed: bytes) -> None:
        """Note the hash of an event of the log. Of two events with one ``seq``, the one counts that no receipt agrees
        with."""
        stated = self.statements.get(seq)
        if stated is not None and not (seq in self._seen and hashed in stated):
            self._seen[seq] = hashed

    def end(self, findings: Findings, log: LogEnd) -> None:
        """Report what the receipts show, once the log has been read."""
        anchor = self._anchor(log)
        for seq in sorted(self.statements):
            self._compare(findings, seq, log, anchor)
        longest = max(self.statements, default=log.last)
        if longest > log.last:
            findings.diverge("incomplete", "receipts", log.last + 1, self._beyond(longest, log.last), longest, log.last)
        if self._doubtful:
            findings.skip("receipts", Explanation("receipts-unsigned", {"count": self._doubtful}))
        elif not self.statements:
            findings.skip("receipts", Explanation("no-receipts"), lowers=False)

    def _compare(self, findings: Findings, seq: int, log: LogEnd, anchor: Statement | None) -> None:
        """Compares what is signed of one place with each other, with the head, and with the log."""
        stated, logged = self.statements[seq], self._seen.get(seq)
        heads = [log.head] if log.head is not None and log.head.match == self._match else []
        pairs = [pair for pair in combinations([*stated.values(), *heads], 2) if contradiction(*pair)]
        if pairs:
            pair = next((pair for pair in pairs if excusing_restoration(pair, seq, self._trusted) is None), pairs[0])
            self._contradicted(findings, seq, pair, pair[1].hash)
        elif logged is None and seq < log.last:
            findings.diverge(
                "incomplete", "receipts", seq, Explanation("receipt-gap", {"seq": seq}), min(stated).hex(), None
            )
        elif logged is not None and logged not in stated:
            (statement,) = stated.values()
            if anchor is not None and log.tied <= seq < anchor.seq:
                self._contradicted(findings, seq, (statement, anchor), logged)
            else:
                findings.diverge(
                    "tampered", "receipts", seq, Explanation("receipt"), statement.hash.hex(), logged.hex()
                )

    def _contradicted(self, findings: Findings, seq: int, pair: Contradiction, found: bytes) -> None:
        """Two that cannot both be true; unless the event was lost, and the one is of before and the other of after."""
        restoration = excusing_restoration(pair, seq, self._trusted)
        if restoration is None:
            findings.contradicted("receipts", seq, _apart(*pair), pair, found)
        else:
            findings.diverge("incomplete", "receipts", seq, lost_why(seq, restoration), pair[0].hash.hex(), found.hex())

    def _beyond(self, longest: int, last: int) -> Explanation:
        """Why there is a receipt of what comes after the end."""
        for statement in self.statements[longest].values():
            restoration = was_lost(statement, self._trusted, has_log=True)
            if restoration is not None:
                return lost_why(longest, restoration)
        return Explanation("receipt-beyond", {"from": last, "to": longest})

    def _anchor(self, log: LogEnd) -> Statement | None:
        """Return the last event of the log that somebody has signed: by the chain that speaks for those before it."""
        if log.head is not None and (log.head.match, log.head.seq, log.head.hash) == (self._match, log.last, log.tip):
            return log.head
        agreed = [seq for seq, hashed in self._seen.items() if hashed in self.statements[seq]]
        return self.statements[max(agreed)][self._seen[max(agreed)]] if agreed else None


def _apart(one: Statement, other: Statement) -> Explanation:
    return Explanation("receipt-against-head" if (one.kind, other.kind) == ("receipt", "head") else "statements-apart")
