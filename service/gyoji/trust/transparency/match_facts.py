"""Compares what the transparency log states of a match with the match's own log."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gyoji.trust.transparency.faults import LogFault
from gyoji.trust.transparency.verification import VerifiedLog


class MatchFacts(NamedTuple):
    """What a match's own log says that the transparency log has to say as well."""

    match: str
    first: str | None
    """The hash of the first event; ``None`` where only the id is known."""
    hashes: Mapping[int, str]
    """The hashes of events, by ``seq``."""
    over: bool
    """Whether the match has ended, so that its end has to be in the log."""
    times: Mapping[int, str] = {}
    """When these events were written down."""
    statuses: Mapping[int, str] = {}
    """Of events at which the match was over: whether it was ``finished`` or ``voided``."""


MatchExtent = Literal["begun", "ended"]
"""What a log holds of a match: its beginning, or its end as well."""


def find_match(log: VerifiedLog, known: MatchFacts) -> MatchExtent:
    """Find a match in a log and compare it with its own log. Raises ``LogFault`` where they differ."""
    leaves = log.leaves.get(known.match, [])
    creations = [leaf["hash"] for leaf in leaves if leaf["type"] == "match_created"]
    closings = [leaf for leaf in leaves if leaf["type"] == "match_closed"]
    if not creations:
        raise LogFault("no-creation", known.match)
    if known.first is not None and known.first not in creations:
        raise LogFault("other-creation", known.match)
    if any(leaf["at"] != known.times.get(0, leaf["at"]) for leaf in leaves if leaf["type"] == "match_created"):
        raise LogFault("other-creation", known.match)
    if any(not _is_as_known(leaf, known) for leaf in closings):
        raise LogFault("other-closing", known.match)
    if known.hashes and any(leaf["seq"] not in known.hashes for leaf in closings):
        raise LogFault("short-file", known.match)
    if known.over and not closings:
        raise LogFault("no-closing", known.match)
    return "ended" if closings else "begun"


def _is_as_known(closing: Mapping[str, Any], known: MatchFacts) -> bool:
    """Tell whether the end in a leaf is that of the match's own log: the same event, time and status."""
    sides = (("hash", known.hashes), ("at", known.times), ("status", known.statuses))
    return all(side.get(closing["seq"], closing[name]) == closing[name] for name, side in sides)
