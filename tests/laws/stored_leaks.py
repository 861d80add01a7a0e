"""Seeds faults on purpose in what is shown of stored matches: the comparison of worlds must see every one.

Each is one function of the service replaced by one that tells a little too much, on one channel.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from gyoji.app import authorization, disclosures, metrics, positions
from gyoji.app.matches import documents, feeds, joint_stream, moves, replays, rulings
from gyoji.log import redaction
from gyoji.match import recorder
from gyoji.match import viewer_frames as stepped
from gyoji.match.events import move
from gyoji.web import matches as match_routes
from gyoji.web.pages import frame_documents as frames
from laws import stored_faults as faults
from laws.stored_faults import Wrapped
from laws.stored_visits import askers
from laws.stored_worlds import Pair


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


def _operated(pair: Pair) -> bool:
    return "operator" in askers(pair)


def _refereed(pair: Pair) -> bool:
    return "referee" in askers(pair)


def _seated(pair: Pair) -> bool:
    return pair.viewer is not None


def _withheld(pair: Pair) -> bool:
    return pair.setting.withheld and pair.setting.disclosure == "public_on_close"


WEATHER, COFFEE, TWILIGHT, FAMILIARS = "tomorrow-never-meows", "catte", "towai", "familiars-trouble"

LEAKS: Mapping[str, Leak] = {
    "the hand on the left": Leak(COFFEE, ["match"], "body", [(positions, "view_of", faults.neighbours_view)]),
    "the hand on the left after a move": Leak(WEATHER, [], "body", [(moves, "view_of", faults.neighbours_view)]),
    "choices of a swap before all have chosen": Leak(
        TWILIGHT,
        ["match"],
        "body",
        [(positions, "view_of", faults.view_with(lambda _table, state: {"swap": state.swap}))],
    ),
    "concealed wishes": Leak(
        WEATHER,
        ["positions"],
        "body",
        [(positions, "view_of", faults.view_with(lambda _table, state: {"wishes": state.wishes}))],
    ),
    "piles in place of their number": Leak(
        FAMILIARS,
        ["positions"],
        "body",
        [(positions, "view_of", faults.view_with(lambda _table, state: {"draw": state.draw}))],
    ),
    "the seed of later deals": Leak(TWILIGHT, ["positions"], "body", [(positions, "view_of", faults.seed_in_view)]),
    "legal moves of all seats": Leak(WEATHER, ["match"], "body", [(documents, "own_moves", faults.everybodys_moves)]),
    "a tag made from the position": Leak(
        COFFEE,
        ["match"],
        "headers",
        [(match_routes, "match_document", faults.stashed), (match_routes, "entity_tag", faults.tag_of_the_position)],
    ),
    "a mark of a file made from the position": Leak(
        COFFEE,
        ["replay"],
        "headers",
        [
            (authorization.MatchRequest, "is_settled", faults.settled_at_once),
            (replays, "content_mark", faults.mark_of_the_position),
        ],
    ),
    "names that tell": Leak(WEATHER, ["match"], "body", [(documents, "names_of", faults.telling_names)]),
    "a list that tells": Leak(FAMILIARS, ["matches"], "body", [(documents, "summary", faults.telling_tags)], _seated),
    "another seat's position": Leak(
        FAMILIARS, ["positions"], "body", [(documents, "decide_view_as", faults.as_anybody)]
    ),
    "the hand on the left, stepped through": Leak(
        COFFEE, ["frames"], "body", [(frames, "view_of", faults.neighbours_view)]
    ),
    "the seed of later deals, stepped through": Leak(
        WEATHER, ["frames"], "body", [(frames, "view_of", faults.seed_in_view)]
    ),
    "legal moves of all seats, stepped through": Leak(
        FAMILIARS, ["frames"], "body", [(frames, "own_moves", faults.everybodys_moves)], _seated
    ),
    "events as they are, stepped through": Leak(
        TWILIGHT, ["frames"], "body", [(stepped, "project_event", faults.full)]
    ),
    "events as they are": Leak(TWILIGHT, ["feed"], "body", [(feeds, "project_event", faults.full)]),
    "hands in the deadline": Leak(COFFEE, ["feed"], "body", [(feeds, "to_act_document", faults.hands_in_the_deadline)]),
    "events as they are, of many matches": Leak(
        TWILIGHT, ["joint stream"], "body", [(joint_stream, "event_document", faults.full)]
    ),
    "events as they are, streamed": Leak(FAMILIARS, ["stream"], "body", [(feeds, "_message", faults.full)]),
    "openings of all seats, raw": Leak(WEATHER, ["feed"], "body", [(feeds, "opening_documents", faults.full)]),
    "openings of any seat": Leak(COFFEE, ["replay"], "body", [(redaction, "may_open", faults.any_seats)]),
    "the whole replay file": Leak(WEATHER, ["replay"], "body", [(replays, "write_replay", faults.full_file)]),
    "receipts with all openings": Leak(FAMILIARS, [], "body", [(moves, "make_receipt", faults.full_at_the_end)]),
    "more when asked again": Leak(
        TWILIGHT, ["repetitions"], "body", [(moves, "_answer_again", faults.again_with_more)]
    ),
    "more bytes": Leak(FAMILIARS, ["feed"], "body", [(feeds, "raw_lines", faults.longer)]),
    "secrets for all": Leak(TWILIGHT, ["feed"], "body", [(move, "redact", faults.widened)]),
    "the first card of a pile": Leak(FAMILIARS, ["feed"], "body", [(redaction, "placeholder", faults.first_card)]),
    "commitments without salt": Leak(COFFEE, ["replay"], "body", [(recorder, "event", faults.unsalted)]),
    "positions without salt": Leak(FAMILIARS, ["replay"], "body", [(recorder, "event", faults.unsalted_position)]),
    "a choice in the actor": Leak(TWILIGHT, ["feed"], "body", [(move, "decide", faults.choice_in_the_actor)]),
    "a choice in the time": Leak(WEATHER, ["feed"], "body", [(recorder, "record", faults.choice_in_the_time)]),
    "a refusal that tells": Leak(COFFEE, ["refusals"], "body", [(moves, "illegal_move", faults.neighbours_card)]),
    "what a pass would draw": Leak(
        TWILIGHT, ["dry runs"], "body", [(moves, "_try", faults.with_consequences)], _seated
    ),
    "why, to an operator": Leak(
        TWILIGHT, ["refusals"], "body", [(moves, "_for_operators", faults.explained)], _operated
    ),
    "cards, to an operator who tries": Leak(COFFEE, ["dry runs"], "body", [(moves, "_unseals", faults.yes)], _operated),
    "why, to a referee": Leak(
        COFFEE, ["rulings"], "body", [(rulings, "_hidden_infraction", faults.why_after_all)], _refereed
    ),
    "the line that was ruled, whole": Leak(
        COFFEE, ["rulings"], "body", [(replays, "history_lines", faults.full)], _refereed
    ),
    "a ruling with all openings": Leak(
        TWILIGHT, ["rulings"], "body", [(rulings, "make_receipt", faults.full_at_the_end)], _refereed
    ),
    "other seats' moves tried out": Leak(
        COFFEE, ["wrong requests"], "body", [(moves, "may_move", faults.yes)], _seated
    ),
    "a line of the log": Leak(COFFEE, [], "line", [(moves, "_accepted", faults.told_to_the_log)]),
    "a label of the metrics": Leak(
        WEATHER,
        ["refusals"],
        "metrics",
        [(moves, "illegal_move", faults.kept_for_the_metrics), (metrics, "_code", faults.counted_apart)],
        _seated,
    ),
    "what is over, though others play with its deals": Leak(
        COFFEE,
        ["match"],
        "body",
        [(authorization, "facts_of", faults.open_at_the_end), (documents, "facts_of", faults.open_at_the_end)],
        _withheld,
    ),
    "openings of what is over, though others play with its deals": Leak(
        WEATHER, ["replay"], "body", [(authorization, "facts_of", faults.open_at_the_end)], _withheld
    ),
    "the secret of a group in which others play": Leak(
        FAMILIARS,
        ["wrong requests"],
        "body",
        [(disclosures, "is_due", faults.yes)],
        lambda pair: _withheld(pair) and _seated(pair),
    ),
    "a verdict that tells": Leak(
        FAMILIARS,
        ["audit"],
        "body",
        [
            (replays, "replay_lines", faults.explained_verdict),
            (replays, "verdict_document", faults.verdict_with_digest),
        ],
    ),
}
"""By what is told."""
