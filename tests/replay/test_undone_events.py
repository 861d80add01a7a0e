"""A take-back names the events that it undoes: compared with what each reader's own events and views show."""

from typing import Any

import orjson
import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.log.entries import Entry
from gyoji.log.redaction import Reader, project_event
from gyoji.match.effective_history import UndoneEvent, undone_events
from gyoji.match.state import MatchState
from replay.refereed import Match, until


def strings(node: Any) -> set[str]:
    if isinstance(node, str):
        return {node}
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list | tuple) else ()
    return {found for value in inner for found in strings(value)}


def learned(before: MatchState, entry: Entry, reader: Reader) -> set[str]:
    """The cards and errands that an event names to the reader and that its view before it did not."""
    state, game = before.state._replace(seed=None), before.game
    view = game.view(state, reader if isinstance(reader, int) else None)
    hidden = strings(game.write_state(state)["table"]) - strings(view["table"])
    return hidden & strings(project_event(reader, entry)["data"]["events"])


@pytest.mark.parametrize("slug", BY_SLUG)
def test_nothing_that_was_told_is_left_out(slug: str) -> None:
    match = Match(slug).play(60)
    found = {undone.seq: undone for undone in undone_events(match.after(1), match.entries[2:])}
    course = match.course()
    moves = [entry for entry in match.entries[2:] if b'"move":' in entry.body]
    assert len(moves) == 60
    for entry in moves:
        seq, before = entry.seq, course[entry.seq - 1]
        readers = [seat for seat in range(before.seeding.seats) if learned(before, entry, seat)]
        known_to = found[seq].known_to if seq in found else ()
        if learned(before, entry, "public"):
            assert known_to == "all"
        assert known_to == "all" or {*readers} <= {*known_to}
        assert (seq in found and found[seq].shuffle) == (course[seq].state.shuffles > before.state.shuffles)


def test_a_drawn_card_is_known_to_who_drew_it() -> None:
    match = until(Match("towai"), lambda current: current.seq > 3)
    while True:
        move = next((move for move in match.legal() if move["type"] == "pass"), None)
        documents = match.move(move or match.legal()[0])
        if move is not None and any(event["type"] == "card_drawn" for event in documents[0]["data"]["events"]):
            break
    (undone,) = undone_events(match.after(match.seq - 1), match.entries[-1:])
    assert undone == UndoneEvent(match.seq, "move_played", (move["seat"],), undone.shuffle)


def test_a_hidden_choice_tells_nobody_anything() -> None:
    match = Match("tomorrow-never-meows", {"concealed": True, "bluff_scoring": "per_trick"}).play(3)
    assert undone_events(match.after(1), match.entries[2:]) == ()
    match.play(1)
    (undone,) = undone_events(match.after(1), match.entries[2:])
    assert undone == UndoneEvent(5, "move_played", "all", shuffle=False)


def test_rulings_are_undone_as_moves_are() -> None:
    match = Match("catte").play(1)
    match.rule("play", move=match.legal()[0])
    match.rule("note")
    match.rule("points", seat=1, points=1)
    found = undone_events(match.after(2), match.entries[3:])
    assert found == (UndoneEvent(3, "ruling_made", "all", shuffle=False),)


def test_an_undone_event_names_no_card() -> None:
    match = Match("towai").play(40)
    cards = strings(match.game.write_state(match.current.state)["table"])
    found = undone_events(match.after(1), match.entries[2:])
    told = strings(orjson.loads(orjson.dumps([undone._asdict() for undone in found])))
    assert told <= {"seq", "type", "known_to", "shuffle", "all", "move_played", "choice_made"}
    assert not told & cards
