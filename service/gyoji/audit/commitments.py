"""The audit checks whether a log keeps what it has committed to about its seed, before anybody knew it.

The values of public beacons come from whoever audits, never from the log.
"""

from collections.abc import Mapping
from typing import Any

from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import Explanation, Findings
from gyoji.log.parser import AT, HEX_64, is_text
from gyoji.match.seeding import SERVER, Seeding, write_policy
from gyoji.match.setup import SeedCommitment, read_seed_commitment

Beacons = Mapping[tuple[str, str], bytes]
"""(beacon, reference) -> the value."""


class UnreadableBeacons(Exception):
    """A document of beacons that has another shape, or contradicts itself."""


def known_beacons(document: Any) -> Beacons:
    """Return the values of a document, whose ``value`` are hex digits. Raises ``UnreadableBeacons``."""
    known: dict[tuple[str, str], bytes] = {}
    try:
        for entry in document["beacons"]:
            place, value = _place(entry), bytes.fromhex(entry["value"])
            if known.setdefault(place, value) != value:
                raise ValueError(place)
    except (KeyError, TypeError, ValueError):
        raise UnreadableBeacons('expected {"beacons":[{"beacon","reference","value"}]}, one value for each') from None
    return known


def _place(entry: Any) -> tuple[str, str]:
    beacon, reference = entry["beacon"], entry["reference"]
    if not (isinstance(beacon, str) and isinstance(reference, str)):
        raise TypeError
    return beacon, reference


def beacons_document(known: Beacons) -> dict[str, Any]:
    """Write the values of beacons as a document."""
    return {
        "beacons": [
            {"beacon": beacon, "reference": reference, "value": value.hex()}
            for (beacon, reference), value in known.items()
        ]
    }


class CommitmentChecks:
    """Checks the commitments of one log as its events are read; all findings belong to the check ``commitment``."""

    def __init__(self, findings: Findings, beacons: Beacons | None) -> None:
        self._findings = findings
        self._beacons = beacons
        self._commitment: SeedCommitment | None = None
        self._randomness: Any = write_policy(SERVER)
        """The policy that the log begins with, whatever stands there."""
        self._withheld: Any = None
        """What the disclosure waits for, whatever stands there."""
        self._is_kept = False
        self._is_settled = False

    def begin(self, event: RecordedEvent) -> None:
        """Read the commitments from the first event."""
        data = event.document["data"]
        self._commitment, self._randomness = read_seed_commitment(data), data.get("randomness")
        self._withheld = data.get("withheld_until")
        match, deal_id = event.document["match"], data.get("deal_id")
        if self._commitment is not None and deal_id != match and data.get("withheld_until") != "group":
            self._findings.diverge(
                "deal_divergence", "commitment", event.seq, Explanation("other-deals"), match, deal_id
            )

    def settle(self) -> None:
        """Note that all contributions to the seed have been read and checked."""
        self._is_settled = True

    def check_beacon(self, seeding: Seeding, seq: int) -> None:
        """Check that the contributed value of a public beacon is the one that the auditor knows."""
        policy = seeding.policy
        if policy.name != "external":
            return
        known = (self._beacons or {}).get((policy.beacon, policy.reference))
        facts = {"beacon": policy.beacon, "reference": policy.reference}
        if known is None:
            self._findings.skip("commitment", Explanation("beacon-not-given", facts))
        elif known.hex() != seeding.share:
            why, share = Explanation("beacon", facts), seeding.share
            self._findings.diverge("deal_divergence", "commitment", seq, why, known.hex(), share)

    def check_secret(self, event: RecordedEvent) -> None:
        """Check that the disclosed secret is the one that the first event commits to."""
        if self._commitment is None:
            self._findings.skip("commitment", Explanation("not-promised"))
            return
        secret = event.truth.get("server_secret")
        if secret is None and event.document["secret"]:
            self._findings.skip("commitment", Explanation("seed-sealed"))
        elif is_text(secret, HEX_64) and self._commitment.is_kept_by(bytes.fromhex(secret)):
            self.keep()
        else:
            why, expected = Explanation("commitment"), self._commitment.commitment
            self._findings.diverge("deal_divergence", "commitment", event.seq, why, expected, None)

    def check_time(self, event: RecordedEvent) -> None:
        """Check that the secret was not disclosed before the time that the first event states. A match of a group
        states none."""
        withheld, at = self._withheld, event.document["at"]
        if is_text(withheld, AT) and at < withheld:
            self._findings.diverge(
                "deal_divergence", "commitment", event.seq, Explanation("told-too-early"), withheld, at
            )

    def keep(self) -> None:
        """Note that the secret has been disclosed that was committed to."""
        self._is_kept = True

    def end(self, lost: Explanation | None) -> None:
        """Finish the checks at the end of the log; ``lost``: why the log could not be replayed, if it could not."""
        if not self._is_kept:
            self._findings.skip("commitment", Explanation("seed-not-disclosed"))
        if self._randomness != write_policy(SERVER) and not self._is_settled:
            self._findings.skip("commitment", lost or Explanation("not-finished"))
