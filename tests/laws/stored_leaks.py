"""Faults on purpose in what is told of stored matches: the comparison of worlds must see every one.

Each is one function of the service replaced by one that tells a little too much, on one channel.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import pytest
from flask import g, request

from gyoji.access.rights import Granted
from gyoji.replay import hiding, readers, recording
from gyoji.replay.canonical import canonical
from gyoji.web import metrics
from gyoji.web.logs import RULING
from gyoji.web.matches import auditing, feeds, playing, reading, routes, showing
from laws.stored_visits import askers
from laws.stored_worlds import Pair

Wrapped = Callable[..., Callable[..., Any]]
"""The honest function -> the one that leaks."""


class Leak(NamedTuple):
    """A fault, the game that it is tried with, the channels that are asked, and the part of an answer it shows in."""

    slug: str
    channels: Sequence[str]
    part: str
    places: Sequence[tuple[Any, str, Wrapped]]
    only: Callable[[Pair], bool] = lambda _pair: True
    """Pairs in which it can show."""


def seed(patch: pytest.MonkeyPatch, leak: Leak) -> None:
    """Put the fault in, until the patch is undone."""
    for module, name, wrapped in leak.places:
        patch.setattr(module, name, wrapped(getattr(module, name)))


def _brief(hidden: Any) -> str:
    return sha256(repr(hidden).encode()).hexdigest()[:4]


def _stacks(state: Any) -> list[Any]:
    """What nobody knows of a position."""
    return [getattr(state, name) for name in ("aside", "deck", "draw", "piles") if hasattr(state, name)]


def _hands(state: Any) -> str:
    return _brief([state.hands, *_stacks(state)])


# Views


def _neighbours_view(honest: Any) -> Any:
    """A seat sees the hand on its left too."""

    def view(game: Any, state: Any, reader: Any, disclosed: bool = False) -> Any:
        seen = honest(game, state, reader, disclosed)
        left = (reader + 1) % state.seats if isinstance(reader, int) else 0
        hands = [state.hands[left] if at == left else hand for at, hand in enumerate(seen["table"]["hands"])]
        return {**seen, "table": {**seen["table"], "hands": hands}}

    return view


def _view_with(told: Callable[[Any, Any], Mapping[str, Any]]) -> Wrapped:
    """``told``: table as it is seen, and state -> members of the table that are seen instead."""

    def wrapped(honest: Any) -> Any:
        def view(game: Any, state: Any, reader: Any, disclosed: bool = False) -> Any:
            seen = honest(game, state, reader, disclosed)
            return {**seen, "table": {**seen["table"], **told(seen["table"], state)}}

        return view

    return wrapped


def _seed_in_view(honest: Any) -> Any:
    return lambda game, state, *rest: {**honest(game, state, *rest), "seed": state.seed}


def _everybodys_moves(_honest: Any) -> Any:
    return lambda game, state, _seat: game.legal_moves(state)


# Matches and lists


def _stashed(honest: Any) -> Any:
    def document(asked: Any) -> Any:
        g.position = _hands(asked.desk.standings.latest(asked.row).state)
        return honest(asked)

    return document


def _tag_of_the_position(_honest: Any) -> Any:
    return lambda seq: ("ETag", f'"{seq}-{g.get("position", "")}"')


def _telling_names(honest: Any) -> Any:
    def names(here: Any, row: Any) -> Any:
        state = here.standings.latest(row).state
        return [f"{name} {hand[:1]}" for name, hand in zip(honest(here, row), state.hands, strict=True)]

    return names


def _telling_tags(honest: Any) -> Any:
    def summary(here: Any, row: Any) -> Any:
        return {**honest(here, row), "tags": [_brief(_stacks(here.standings.latest(row).state))]}

    return summary


def _as_anybody(_honest: Any) -> Any:
    return lambda seat, _caller, granted: Granted(granted.viewer._replace(seat=seat, sees="seat"))


# Feeds, replay files, receipts


def _full(honest: Any) -> Any:
    """Whoever reads, reads everything."""
    return lambda _reader, *rest: honest("full", *rest)


def _full_at_the_end(honest: Any) -> Any:
    return lambda *parts: honest(*parts[:-1], "full")


def _any_seats(honest: Any) -> Any:
    """What one seat may have, every reader may have."""
    return lambda reader, audience: honest(reader, audience) or bool(audience)


def _longer(honest: Any) -> Any:
    """The lines are as they should be, but how many bytes follow tells of an opening."""

    def lines(reader: Any, entries: Any) -> bytes:
        hidden = [opening.payload for entry in entries for opening in entry.openings]
        found: bytes = honest(reader, entries) + b"\n" * (int(_brief(hidden), 16) % 5)
        return found

    return lines


def _again_with_more(honest: Any) -> Any:
    def answer(asked: Any, key: Any) -> Any:
        found = honest(asked, key)
        if found is None:
            return None
        state = asked.desk.standings.latest(asked.row).state
        return found._replace(body={**found.body, "next": _brief(_stacks(state))})

    return answer


# What is written down


def _widened(honest: Any) -> Any:
    """What a seat may know is marked as for all."""

    def parted(*parts: Any) -> Any:
        data, secrets = honest(*parts)
        wide: dict[Any, dict[str, Any]] = {}
        for audience, payload in secrets.items():
            wide.setdefault("all" if audience else audience, {}).update(payload)
        return data, wide

    return parted


def _first_card(honest: Any) -> Any:
    """Of a hidden list the first one is told beside their number."""

    def concealed(value: Any) -> Any:
        shown = honest(value)
        return {**shown, "first": value[0]} if shown and value and isinstance(value[0], str) else shown

    return concealed


def _unsalted(honest: Any) -> Any:
    def event(*parts: Any) -> Any:
        written = honest(*parts)
        for secret, payload in zip(written["secret"], parts[7].values(), strict=True):
            secret["commit"] = sha256(canonical(payload)).hexdigest()
        return written

    return event


def _unsalted_position(honest: Any) -> Any:
    def event(*parts: Any) -> Any:
        written = honest(*parts)
        state = None if parts[9] is None else {**parts[9], "seed": None}
        return {**written, "position": None if state is None else sha256(canonical(state)).hexdigest()}

    return event


def _choice_in_the_actor(honest: Any) -> Any:
    return lambda standing, move, actor, *rest: honest(standing, move, {**actor, "move": _brief(move)}, *rest)


def _choice_in_the_time(honest: Any) -> Any:
    """The milliseconds depend on what was chosen."""

    def moved(standing: Any, move: Any, actor: Any, ruling: Any, at: str, salt: Any) -> Any:
        return honest(standing, move, actor, ruling, f"{at[:-4]}{int(_brief(move), 16) % 1000:03d}Z", salt)

    return moved


# Moves: answers, refusals, trying out


def _neighbours_card(honest: Any) -> Any:
    """A refusal says what somebody else holds."""

    def refused(game: Any, state: Any, *rest: Any) -> Any:
        answer = honest(game, state, *rest)
        return answer._replace(body={**answer.body, "detail": f"{answer.body['detail']} {_hands(state)}"})

    return refused


def _with_consequences(_honest: Any) -> Any:
    """Trying out a move shows what it would lead to."""

    def tried(asked: Any, move: Any, _seen: Any, instance: str, language: Any) -> Any:
        ruling = playing._ruled(asked, asked.desk.standings.latest(asked.row), move, instance, language)
        return playing.Answer(200, {"legal": True, "events": ruling.events})

    return tried


def _explained(_honest: Any) -> Any:
    return lambda _asked, refused, *_rest: refused


def _yes(_honest: Any) -> Any:
    return lambda *_parts: True


def _told_to_the_log(honest: Any) -> Any:
    def accepted(asked: Any, entry: Any, standing: Any) -> Any:
        request.environ[RULING] = {"code": _hands(standing.state)}
        return honest(asked, entry, standing)

    return accepted


def _kept_for_the_metrics(honest: Any) -> Any:
    def refused(game: Any, state: Any, *rest: Any) -> Any:
        request.environ["test.hidden"] = _hands(state)
        return honest(game, state, *rest)

    return refused


def _counted_apart(honest: Any) -> Any:
    return lambda environ: f"{honest(environ)} {environ.get('test.hidden', '')}"


def _explained_verdict(honest: Any) -> Any:
    def verdict(asked: Any) -> Any:
        g.openings = [
            opening.payload for entry in asked.desk.store.entries(asked.row.match) for opening in entry.openings
        ]
        return honest(asked)

    return verdict


def _verdict_with_digest(honest: Any) -> Any:
    return lambda *parts: {**honest(*parts), "digest": _brief(g.get("openings"))}


def _operated(pair: Pair) -> bool:
    return "operator" in askers(pair)


def _seated(pair: Pair) -> bool:
    return pair.viewer is not None


WEATHER, COFFEE, TWILIGHT, FAMILIARS = "tomorrow-never-meows", "catte", "towai", "familiars-trouble"

LEAKS: Mapping[str, Leak] = {
    "the hand on the left": Leak(COFFEE, ["match"], "body", [(showing, "view_of", _neighbours_view)]),
    "the hand on the left after a move": Leak(WEATHER, [], "body", [(playing, "view_of", _neighbours_view)]),
    "choices of a swap before all have chosen": Leak(
        TWILIGHT, ["match"], "body", [(showing, "view_of", _view_with(lambda _table, state: {"swap": state.swap}))]
    ),
    "concealed wishes": Leak(
        WEATHER,
        ["positions"],
        "body",
        [(showing, "view_of", _view_with(lambda _table, state: {"wishes": state.wishes}))],
    ),
    "piles in place of their number": Leak(
        FAMILIARS, ["positions"], "body", [(showing, "view_of", _view_with(lambda _table, state: {"draw": state.draw}))]
    ),
    "the seed of later deals": Leak(TWILIGHT, ["positions"], "body", [(showing, "view_of", _seed_in_view)]),
    "legal moves of all seats": Leak(WEATHER, ["match"], "body", [(reading, "own_moves", _everybodys_moves)]),
    "a tag made from the position": Leak(
        COFFEE,
        ["match"],
        "headers",
        [(routes, "match_document", _stashed), (routes, "_tag", _tag_of_the_position)],
    ),
    "names that tell": Leak(WEATHER, ["match"], "body", [(reading, "names_of", _telling_names)]),
    "a list that tells": Leak(FAMILIARS, ["matches"], "body", [(reading, "summary", _telling_tags)], _seated),
    "another seat's position": Leak(FAMILIARS, ["positions"], "body", [(reading, "looking_as", _as_anybody)]),
    "events as they are": Leak(TWILIGHT, ["feed"], "body", [(feeds, "shown", _full)]),
    "events as they are, streamed": Leak(FAMILIARS, ["stream"], "body", [(feeds, "_message", _full)]),
    "openings of all seats, raw": Leak(WEATHER, ["feed"], "body", [(feeds, "opening_documents", _full)]),
    "openings of any seat": Leak(COFFEE, ["replay"], "body", [(readers, "entitled", _any_seats)]),
    "the whole replay file": Leak(WEATHER, ["replay"], "body", [(reading, "written", _full_at_the_end)]),
    "receipts with all openings": Leak(FAMILIARS, [], "body", [(playing, "receipt", _full_at_the_end)]),
    "more when asked again": Leak(TWILIGHT, ["repetitions"], "body", [(playing, "_answered_before", _again_with_more)]),
    "more bytes": Leak(FAMILIARS, ["feed"], "body", [(routes, "raw_lines", _longer)]),
    "secrets for all": Leak(TWILIGHT, ["feed"], "body", [(recording, "parted", _widened)]),
    "the first card of a pile": Leak(FAMILIARS, ["feed"], "body", [(hiding, "concealed", _first_card)]),
    "commitments without salt": Leak(COFFEE, ["replay"], "body", [(recording, "event", _unsalted)]),
    "positions without salt": Leak(FAMILIARS, ["replay"], "body", [(recording, "event", _unsalted_position)]),
    "a choice in the actor": Leak(TWILIGHT, ["feed"], "body", [(recording, "moved", _choice_in_the_actor)]),
    "a choice in the time": Leak(WEATHER, ["feed"], "body", [(recording, "moved", _choice_in_the_time)]),
    "a refusal that tells": Leak(COFFEE, ["refusals"], "body", [(playing, "illegal_move", _neighbours_card)]),
    "what a pass would draw": Leak(TWILIGHT, ["dry runs"], "body", [(playing, "_tried", _with_consequences)], _seated),
    "why, to an operator": Leak(TWILIGHT, ["refusals"], "body", [(playing, "_for_operators", _explained)], _operated),
    "cards, to an operator who tries": Leak(COFFEE, ["dry runs"], "body", [(playing, "_unseals", _yes)], _operated),
    "other seats' moves tried out": Leak(COFFEE, ["wrong requests"], "body", [(playing, "may_move", _yes)], _seated),
    "a line of the log": Leak(COFFEE, [], "line", [(playing, "accepted", _told_to_the_log)]),
    "a label of the metrics": Leak(
        WEATHER,
        ["refusals"],
        "metrics",
        [(playing, "illegal_move", _kept_for_the_metrics), (metrics, "_code", _counted_apart)],
        _seated,
    ),
    "a verdict that tells": Leak(
        FAMILIARS,
        ["audit"],
        "body",
        [(auditing, "replay_lines", _explained_verdict), (auditing, "verdict_document", _verdict_with_digest)],
    ),
}
"""By what is told."""
