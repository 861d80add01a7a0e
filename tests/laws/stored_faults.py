"""Wraps functions of the service so that each shows a little too much, for the comparison of worlds to find."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from flask import g

from gyoji.access.rights import Granted
from gyoji.app.matches import moves
from gyoji.log.canonical import canonical
from gyoji.log.times import instant, written_instant
from gyoji.match.events.kind import DecidedEvent
from gyoji.match.events.move import decide
from gyoji.messages.problems import Answer

Wrapped = Callable[..., Callable[..., Any]]
"""The honest function -> the one that leaks."""


def brief(hidden: Any) -> str:
    return sha256(repr(hidden).encode()).hexdigest()[:4]


def stacks(state: Any) -> list[Any]:
    """What nobody knows of a position."""
    return [getattr(state, name) for name in ("aside", "deck", "draw", "piles") if hasattr(state, name)]


def hands(state: Any) -> str:
    return brief([state.hands, *stacks(state)])


# Views


def neighbours_view(honest: Any) -> Any:
    """A seat sees the hand on its left too."""

    def view(game: Any, state: Any, reader: Any, disclosed: bool = False) -> Any:
        seen = honest(game, state, reader, disclosed)
        left = (reader + 1) % state.seats if isinstance(reader, int) else 0
        hands = [state.hands[left] if at == left else hand for at, hand in enumerate(seen["table"]["hands"])]
        return {**seen, "table": {**seen["table"], "hands": hands}}

    return view


def view_with(told: Callable[[Any, Any], Mapping[str, Any]]) -> Wrapped:
    """``told``: table as it is seen, and state -> members of the table that are seen instead."""

    def wrapped(honest: Any) -> Any:
        def view(game: Any, state: Any, reader: Any, disclosed: bool = False) -> Any:
            seen = honest(game, state, reader, disclosed)
            return {**seen, "table": {**seen["table"], **told(seen["table"], state)}}

        return view

    return wrapped


def seed_in_view(honest: Any) -> Any:
    return lambda game, state, *rest: {**honest(game, state, *rest), "seed": state.seed}


def everybodys_moves(_honest: Any) -> Any:
    return lambda game, state, _seat: game.legal_moves(state)


# Matches and lists


def stashed(honest: Any) -> Any:
    def document(request: Any) -> Any:
        g.position = hands(request.services.match_states.latest(request.row).state)
        return honest(request)

    return document


def tag_of_the_position(_honest: Any) -> Any:
    return lambda seq: ("ETag", f'"{seq}-{g.get("position", "")}"')


def settled_at_once(_honest: Any) -> Any:
    return property(lambda _request: True)


def mark_of_the_position(_honest: Any) -> Any:
    return lambda request, _line: hands(request.services.match_states.latest(request.row).state)


def telling_names(honest: Any) -> Any:
    def names(here: Any, row: Any) -> Any:
        state = here.match_states.latest(row).state
        return [f"{name} {hand[:1]}" for name, hand in zip(honest(here, row), state.hands, strict=True)]

    return names


def telling_tags(honest: Any) -> Any:
    def summary(here: Any, row: Any) -> Any:
        return {**honest(here, row), "tags": [brief(stacks(here.match_states.latest(row).state))]}

    return summary


def open_at_the_end(honest: Any) -> Any:
    """What is over is taken for disclosed."""

    def facts(here: Any, row: Any) -> Any:
        return honest(here, row)._replace(closed=row.head.status == "finished")

    return facts


def as_anybody(_honest: Any) -> Any:
    return lambda seat, _caller, granted: Granted(granted.viewer._replace(seat=seat, sees="seat"))


# Feeds, replay files, receipts


def full(honest: Any) -> Any:
    """Whoever reads, reads everything."""
    return lambda _reader, *rest: honest("full", *rest)


def full_at_the_end(honest: Any) -> Any:
    return lambda *parts, **more: honest(*parts[:-1], "full", **more)


def full_file(honest: Any) -> Any:
    return lambda first, rest, signing, _reader, *more: honest(first, rest, signing, "full", *more)


def any_seats(honest: Any) -> Any:
    """What one seat may have, every reader may have."""
    return lambda reader, audience: honest(reader, audience) or bool(audience)


def longer(honest: Any) -> Any:
    """The lines are as they should be, but how many bytes follow tells of an opening."""

    def lines(reader: Any, entries: Any) -> bytes:
        hidden = [opening.payload for entry in entries for opening in entry.openings]
        found: bytes = honest(reader, entries) + b"\n" * (int(brief(hidden), 16) % 5)
        return found

    return lines


def again_with_more(honest: Any) -> Any:
    def answer(request: Any, known: Any) -> Any:
        found = honest(request, known)
        state = request.services.match_states.latest(request.row).state
        return found._replace(body={**found.body, "next": brief(stacks(state))})

    return answer


# What is written down


def widened(honest: Any) -> Any:
    """What a seat may know is marked as for all."""

    def parted(*parts: Any) -> Any:
        data, secrets = honest(*parts)
        wide: dict[Any, dict[str, Any]] = {}
        for audience, payload in secrets.items():
            wide.setdefault("all" if audience else audience, {}).update(payload)
        return data, wide

    return parted


def first_card(honest: Any) -> Any:
    """Of a hidden list the first one is told beside their number."""

    def concealed(value: Any) -> Any:
        shown = honest(value)
        return {**shown, "first": value[0]} if shown and value and isinstance(value[0], str) else shown

    return concealed


def unsalted(honest: Any) -> Any:
    def event(*parts: Any) -> Any:
        written = honest(*parts)
        for secret, payload in zip(written["secret"], parts[7].values(), strict=True):
            secret["commit"] = sha256(canonical(payload)).hexdigest()
        return written

    return event


def unsalted_position(honest: Any) -> Any:
    def event(*parts: Any) -> Any:
        written = honest(*parts)
        state = None if parts[9] is None else {**parts[9], "seed": None}
        return {**written, "position": None if state is None else sha256(canonical(state)).hexdigest()}

    return event


def choice_in_the_actor(honest: Any) -> Any:
    return lambda latest, move, actor, *rest: honest(latest, move, {**actor, "move": brief(move)}, *rest)


def hands_in_the_deadline(honest: Any) -> Any:
    """Who may move is told with a time that depends on all hands."""
    return lambda state: [{**each, "deadline": brief(state.state)} for each in honest(state)]


def choice_in_the_time(honest: Any) -> Any:
    """The milliseconds depend on what was chosen."""

    def record(latest: Any, decided: Any, at: str, salt: Any) -> Any:
        if "move" not in decided.data:
            return honest(latest, decided, max(at, latest.at), salt)
        later = instant(max(at, latest.at)) // 1000 * 1000 + 1000 + int(brief(decided.private), 16) % 1000
        return honest(latest, decided, written_instant(later), salt)

    return record


# Moves: answers, refusals, trying out


def neighbours_card(honest: Any) -> Any:
    """A refusal says what somebody else holds."""

    def refused(game: Any, state: Any, *rest: Any) -> Any:
        answer = honest(game, state, *rest)
        return answer._replace(body={**answer.body, "detail": f"{answer.body['detail']} {hands(state)}"})

    return refused


def with_consequences(_honest: Any) -> Any:
    """Trying out a move shows what it would lead to."""

    def tried(sent: Any, _seen: Any) -> Any:
        services = sent.request.services
        latest = services.match_states.latest(sent.request.row)
        moves._record_move(sent, latest)
        decided = decide(latest, sent.body["move"], {"role": "operator"}, services.at_after(latest), latest.chance)
        assert isinstance(decided, DecidedEvent)
        return Answer(200, {"legal": True, "events": decided.events})

    return tried


def explained(_honest: Any) -> Any:
    return lambda _asked, refused, *_rest: refused


def yes(_honest: Any) -> Any:
    return lambda *_parts: True


def told_to_the_log(honest: Any) -> Any:
    def accepted(request: Any, entry: Any, latest: Any) -> Any:
        request.context.record.problem = {"code": hands(latest.state)}
        return honest(request, entry, latest)

    return accepted


def kept_for_the_metrics(honest: Any) -> Any:
    def refused(game: Any, state: Any, *rest: Any) -> Any:
        g.hidden = hands(state)
        return honest(game, state, *rest)

    return refused


def counted_apart(honest: Any) -> Any:
    return lambda record: f"{honest(record)} {g.get('hidden', '')}"


def explained_verdict(honest: Any) -> Any:
    def verdict(request: Any) -> Any:
        g.openings = [
            opening.payload for entry in request.services.store.entries(request.row.match) for opening in entry.openings
        ]
        return honest(request)

    return verdict


def verdict_with_digest(honest: Any) -> Any:
    return lambda *parts: {**honest(*parts), "digest": brief(g.get("openings"))}


# Rulings


def why_after_all(honest: Any) -> Any:
    """A referee who sees no hands learns whether a move breaks a rule, or is legal."""

    def untold(infraction: Any, language: Any) -> Any:
        return {**honest(infraction, language), "rule": None if infraction is None else "CAT-1.1"}

    return untold
