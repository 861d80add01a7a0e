"""An event as the rules make it, compared with the one that was recorded."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gyoji.audit.differences import Difference, check_of, differences, steps
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import Check
from gyoji.log.canonical import canonical
from gyoji.match.events.kind import Decided
from gyoji.match.state import MatchState


class Wrong(NamedTuple):
    """One place at which the two differ; ``is_hidden`` where it is not for everybody's eyes."""

    check: Check
    difference: Difference
    is_hidden: bool


def compare(told: RecordedEvent, made: Decided, position: str | None, match: MatchState) -> list[Wrong]:
    """Where they differ, one place a check; empty if they are the same, byte for byte, as far as it is opened.

    ``position`` is what has to stand in the member of that name.
    """
    expected = _event(told, made, position)
    payloads = [*enumerate(made.private.values())]
    hidden = [
        (payload, told.openings[at].payload)
        for at, payload in payloads
        if at in told.openings and canonical(payload) != told.openings[at].body
    ]
    if not hidden and canonical(expected) == told.body:
        return []
    shuffling = [bool(match.game.shuffles(match.options, event)) for event in made.events]
    by_check: dict[Check, Wrong] = {}
    for difference, is_hidden in _all(expected, told.document, hidden):
        check = check_of(difference.path, made.events, shuffling)
        by_check.setdefault(check, Wrong(check, difference, is_hidden))
    if len(by_check) > 1:
        by_check.pop("positions", None)  # another position follows from other events
    return [*by_check.values()]


def _event(told: RecordedEvent, made: Decided, position: str | None) -> dict[str, Any]:
    secret = [
        {"for": audience, "commit": _commitment(told.document["secret"], at)}
        for at, audience in enumerate(made.private)
    ]
    return {
        **told.document,
        "type": made.kind,
        "actor": made.actor,
        "data": made.data,
        "secret": secret,
        "position": position,
    }


def _commitment(secrets: Sequence[Mapping[str, Any]], at: int) -> str | None:
    """As it stands there: whether it is right the openings have told."""
    return str(secrets[at]["commit"]) if at < len(secrets) else None


def _all(
    expected: Any, found: Any, hidden: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> Iterator[tuple[Difference, bool]]:
    for difference in differences(expected, found):
        yield difference, False
    for payload, told in hidden:
        for place in sorted({*payload, *told}):
            if place in payload and place in told:
                for difference in differences(payload[place], told[place], steps(place)):
                    yield difference, True
            else:
                yield Difference(steps(place), payload.get(place), told.get(place)), True
