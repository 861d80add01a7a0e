"""Values of public beacons as an auditor knows them: from whoever audits, never from the log."""

from collections.abc import Mapping
from typing import Any

Beacons = Mapping[tuple[str, str], bytes]
"""(beacon, reference) -> the value."""


class UnreadableBeacons(Exception):
    """A document of beacons that has another shape, or contradicts itself."""


def known_beacons(document: Any) -> Beacons:
    """The values of a document, whose ``value`` are hex digits. Raises ``UnreadableBeacons``."""
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
    """The same as a document."""
    return {
        "beacons": [
            {"beacon": beacon, "reference": reference, "value": value.hex()}
            for (beacon, reference), value in known.items()
        ]
    }
