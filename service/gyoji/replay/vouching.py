"""Who vouches for a log: the key under its head, and the receipts that its movers were given."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gyoji.replay.canonical import leaf_hash
from gyoji.replay.reading import HEX_64, MOST_EVENTS, Ending, OverLimits, Unreadable, document, is_text, is_whole
from gyoji.replay.signatures import Label, Trusted, is_signed
from gyoji.replay.verdicts import Ledger, Why


def untrusted(
    trusted: Sequence[Trusted], label: Label, origin: str, match: str, seq: int, hashed: bytes, key: str, sig: str
) -> str | None:
    """Why the signature cannot be trusted, as a code; ``None`` if it can: it is good, by a key that is trusted for that
    origin and not revoked."""
    known = [candidate for candidate in trusted if candidate.key == key]
    own = [candidate for candidate in known if candidate.origin == origin]
    if not known:
        return "unknown-key"
    if not own:
        return "other-origin"
    if own[0].revoked:
        return "revoked-key"
    return None if is_signed(own[0], label, origin, match, seq, hashed, sig) else "signature"


def weigh_head(
    ledger: Ledger,
    found: Ending,
    header: Mapping[str, Any],
    last: int,
    hashed: bytes | None,
    trusted: Sequence[Trusted] | None,
) -> None:
    """Whether the head is that of the log, which ends at event ``last``, and by whom it is signed.

    ``hashed`` is the hash of that event; ``None`` where it is not known.
    """
    if found.match != header["match"]:
        ledger.part("tampered", "head", found.seq, Why("other-match"), header["match"], found.match)
    if hashed is None:
        ledger.leave("head", Why("broken"))
    elif found.seq > last:
        ledger.part("incomplete", "head", last + 1, Why("beyond", {"from": last, "to": found.seq}), found.seq, last)
    elif found.seq < last:
        ledger.part("tampered", "head", last, Why("behind"), found.seq, last)
    elif found.hash != hashed.hex():
        ledger.part("tampered", "head", last, Why("other-hash"), found.hash, hashed.hex())
    _weigh_signature(ledger, found, header["origin"], trusted)


def _weigh_signature(ledger: Ledger, found: Ending, origin: str, trusted: Sequence[Trusted] | None) -> None:
    if trusted is None:
        ledger.leave("head", Why("no-trusted-keys"))
        return
    hashed = bytes.fromhex(found.hash)
    code = untrusted(trusted, "head/1", origin, found.match, found.seq, hashed, found.key, found.sig)
    if code == "signature":
        ledger.part("tampered", "head", found.seq, Why(code))
    elif code is not None:
        keys = [key.key for key in trusted]
        ledger.part("key_untrusted", "head", found.seq, Why(code, {"key": found.key}), keys, found.key)


class Receipt(NamedTuple):
    """What a receipt says: that the event of this match at ``seq`` has this hash (32 bytes)."""

    match: str
    seq: int
    hash: bytes
    key: str
    sig: str


def read_receipt(found: Any) -> Receipt | None:
    """A receipt from its document, which may be anything; ``None`` if it is none."""
    if not isinstance(found, dict) or not is_text(found.get("sig"), HEX_64) or not isinstance(found.get("key"), str):
        return None
    text = found.get("event")
    try:
        body = text.encode() if isinstance(text, str) else b""
        told = document(body + b"\n")
    except (UnicodeEncodeError, Unreadable, OverLimits):
        return None
    match: Any = told.get("match")
    seq: Any = told.get("seq")
    hashed = leaf_hash(body)
    if not isinstance(match, str) or not is_whole(seq, 0, MOST_EVENTS) or found.get("hash") != hashed.hex():
        return None
    return Receipt(match, seq, hashed, found["key"], found["sig"])


class Receipts:
    """The receipts that speak of one match, held against its log as it is read."""

    def __init__(
        self, documents: Iterable[Any] | None, trusted: Sequence[Trusted] | None, origin: str, match: str
    ) -> None:
        self.hashes: dict[int, set[bytes]] = {}
        """What has been vouched for, by ``seq``."""
        self._doubtful = 0
        for found in () if documents is None else documents:
            receipt = read_receipt(found)
            if receipt is None:
                self._doubtful += 1
            elif receipt.match == match:
                self._keep(receipt, trusted, origin)

    def _keep(self, receipt: Receipt, trusted: Sequence[Trusted] | None, origin: str) -> None:
        _match, seq, hashed, key, sig = receipt
        if trusted is None or untrusted(trusted, "receipt/1", origin, receipt.match, seq, hashed, key, sig):
            self._doubtful += 1
        else:
            self.hashes.setdefault(seq, set()).add(hashed)

    def see(self, ledger: Ledger, seq: int, hashed: bytes) -> None:
        """An event of the log, which has that hash."""
        vouched = self.hashes.get(seq)
        if vouched is not None and vouched != {hashed}:
            other = min(vouched - {hashed})
            ledger.part("tampered", "receipts", seq, Why("receipt"), other.hex(), hashed.hex())

    def end(self, ledger: Ledger, last: int) -> None:
        """The log has ended with event ``last``."""
        longest = max(self.hashes, default=last)
        if longest > last:
            facts = {"from": last, "to": longest}
            ledger.part("incomplete", "receipts", last + 1, Why("receipt-beyond", facts), longest, last)
        if self._doubtful:
            ledger.leave("receipts", Why("receipts-unsigned", {"count": self._doubtful}))
        elif not self.hashes:
            ledger.leave("receipts", Why("no-receipts"), lowers=False)
