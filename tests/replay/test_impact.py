"""The impact of another version of the rules is found from the logs of matches."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import orjson
import pytest

from gyoji.audit.impact import Forbidden, Impact, ScoreChange, impact
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Accepted, Chance, Finding, Game, IllegalMove, Infraction, Move
from gyoji.log.entries import Entry
from gyoji.match.events.kind import Refusal
from gyoji.match.events.match_created import ForkOrigin
from gyoji.match.setup import GameVersion
from gyoji.messages.verdicts import fits, rules_for
from gyoji.simulation.derivation import timestamp
from replay.refereed import BANKED, Match, until
from replay.refereed_courses import course
from replay.tampering import SHORT, entries_of, file_of

SLUGS = sorted(SHORT)
CATTE = BY_SLUG["catte"]
Adjudicate = Callable[[Any, Move, Chance], Any]


def version(slug: str = "catte", **changes: Any) -> GameVersion:
    """Version 2 of a game: as it is but for the changes."""
    return GameVersion(BY_SLUG[slug]._replace(version=2, **changes), partial(fits, slug), frozenset())


def changed(entries: Sequence[Entry], other: GameVersion | None, reader: Any = "full") -> Impact:
    lines = file_of(entries, reader)
    return impact(lambda: lines, rules_for, lambda _game: other)


def documents(entries: Sequence[Entry]) -> list[Any]:
    return [orjson.loads(entry.body) for entry in entries]


def forbidding(game: Game[Any], is_forbidden: Callable[[Any, Move], bool]) -> Adjudicate:
    """The rules with one more: X-1."""

    def adjudicate(state: Any, move: Move, chance: Chance) -> Any:
        if state.phase != "finished" and is_forbidden(state, move):
            return IllegalMove(Infraction("rule-violation", move["seat"], "X-1", "not-your-turn"))
        return game.adjudicate(state, move, chance)

    return adjudicate


def scoring(game: Game[Any], bonus: int) -> Adjudicate:
    """The rules with so many points more for seat 0 whenever a round is scored."""

    def adjudicate(state: Any, move: Move, chance: Chance) -> Any:
        ruling = game.adjudicate(state, move, chance)
        if not isinstance(ruling, Accepted):
            return ruling
        rounds = sum(event["type"] == "round_scored" for event in ruling.events)
        first, *others = ruling.state.scores
        return ruling._replace(state=ruling.state._replace(scores=(first + bonus * rounds, *others)))

    return adjudicate


def lowest(scores: Sequence[int]) -> tuple[int, ...]:
    return tuple([seat for seat, score in enumerate(scores) if score == min(scores)])


@pytest.mark.parametrize("slug", SLUGS)
def test_the_same_rules_change_nothing(slug: str) -> None:
    assert changed(entries_of(slug), version(slug)) == Impact()


@pytest.mark.parametrize("slug", SLUGS)
def test_the_first_move_that_would_be_illegal(slug: str) -> None:
    """The fifth ply is of a kind that is forbidden from then on."""
    entries = entries_of(slug)
    moves = [each for each in documents(entries) if "move" in each["data"]]
    fifth, seat = moves[5]["seq"], moves[5]["data"]["move"]["seat"]
    adjudicate = forbidding(BY_SLUG[slug], lambda state, _move: state.ply == 5)
    found = changed(entries, version(slug, adjudicate=adjudicate))
    assert found.unlawful == (Forbidden(fifth, seat, "rule-violation", "X-1"),)
    assert (found.scores, found.result, found.is_change) == (None, None, True)
    assert found.left is not None
    assert (found.left.seq, found.left.why.code) == (fifth, "gone-otherwise")


def test_a_rule_about_some_moves() -> None:
    """Coffee is served first at event 5, by the seat that has won the first trick."""
    served = forbidding(CATTE, lambda _state, move: move["type"] == "coffee")
    assert changed(entries_of("catte"), version(adjudicate=served)).unlawful[0][:2] == (5, 1)


def test_other_scores() -> None:
    """40, 41 and 18 after three rounds; one point a round for seat 0 makes it the winner."""
    found = changed(entries_of("catte"), version(adjudicate=scoring(CATTE, 1)))
    scored = [each["seq"] for each in documents(entries_of("catte")) if "round_scored" in orjson.dumps(each).decode()]
    assert found.scores == ScoreChange(scored[0], (40, 41, 18), (43, 41, 18))
    assert found.unlawful == ()
    assert found.result is not None
    recorded, would_be = found.result
    assert recorded is not None
    assert would_be is not None
    assert (recorded.by, recorded.winners) == ("play", (1,))
    assert (would_be.by, would_be.scores, would_be.winners) == ("play", (43, 41, 18), (0,))


def test_other_scores_and_the_same_winner() -> None:
    found = changed(entries_of("catte"), version(adjudicate=scoring(CATTE, -5)))
    assert found.scores is not None
    assert (found.scores.would_be, found.result) == ((25, 41, 18), None)


def test_others_win_with_the_same_scores() -> None:
    found = changed(entries_of("catte"), version(winners=lowest))
    assert (found.unlawful, found.scores, found.left) == ((), None, None)
    assert found.result is not None
    assert [result and result.winners for result in found.result] == [(1,), (2,)]


def test_a_match_that_would_go_on() -> None:
    """Without the end of the game after the last round its last move leads on, and there is no result."""

    def adjudicate(state: Any, move: Move, chance: Chance) -> Any:
        ruling = CATTE.adjudicate(state, move, chance)
        if isinstance(ruling, Accepted) and ruling.state.outcome is not None:
            return ruling._replace(state=ruling.state._replace(outcome=None))
        return ruling

    found = changed(entries_of("catte"), version(adjudicate=adjudicate))
    assert found.result is not None
    assert (found.result[0] is not None, found.result[1]) == (True, None)


def test_a_match_that_is_not_over() -> None:
    """Its scores so far are compared, and it has no result either way."""
    found = changed(entries_of("catte")[:30], version(adjudicate=scoring(CATTE, 1)))
    assert found.scores is not None
    assert (found.scores.seq, found.scores.would_be[0] - found.scores.recorded[0]) == (20, 1)
    assert found.result is None


def test_a_shuffle_that_was_not_recorded() -> None:
    """Chance comes from the log: cards that were never shuffled cannot be."""

    def start(seats: int, options: Any, first: int, seed: str | None, chance: Chance) -> Any:
        dealt = CATTE.start(seats, options, first, seed, chance)
        chance("more", 1, ("K1", "K2"))
        return dealt

    found = changed(entries_of("catte"), version(start=start))
    assert (found.is_change, found.left and (found.left.seq, found.left.why.code)) == (False, (1, "other-shuffle"))


def test_moves_that_there_are_none_of() -> None:
    without = GameVersion(
        CATTE._replace(version=2), lambda part, value: part != "move" or value["type"] != "coffee", frozenset()
    )
    assert changed(entries_of("catte"), without).unlawful[0][:3] == (5, 1, "unknown-move")


def test_options_that_cannot_be_chosen() -> None:
    without = GameVersion(CATTE._replace(version=2), lambda part, _value: part != "options", frozenset())
    found = changed(entries_of("catte"), without)
    assert found.left is not None
    assert (found.left.seq, found.left.why) == (0, ("setup", {"at": "/options"}))


def test_no_such_version() -> None:
    found = changed(entries_of("catte"), None)
    assert (found.is_change, found.left and found.left.why.code) == (False, "no-such-version")


@pytest.mark.parametrize("slug", SLUGS)
def test_what_a_file_hides_is_not_compared(slug: str) -> None:
    found = changed(entries_of(slug), version(slug), "public")
    assert (found.is_change, found.left and (found.left.seq, found.left.why.code)) == (False, (1, "hidden-cards"))


# Rulings, clocks and forks


def demanding(game: Game[Any]) -> Adjudicate:
    """In the fourth ply only the first of the legal moves may be made."""
    return forbidding(game, lambda state, move: state.ply == 3 and move != game.legal_moves(state)[0])


def taken_back(*, again: int) -> Match:
    """The fourth ply, event 5, is not the first of the legal moves; it is taken back two plies later by event 8, and
    event 9 is number ``again`` of them."""
    match = Match("catte").play(3)
    match.move(match.legal()[-1])
    match.play(2)
    match.rule("take_back", to=4)
    match.move(match.legal()[again])
    return match.play()


def test_a_move_that_was_taken_back() -> None:
    """It would have been illegal, and nothing else depends on it."""
    found = changed(taken_back(again=0).entries, version(adjudicate=demanding(CATTE)))
    ((unlawful,), *others) = found
    assert unlawful == Forbidden(5, unlawful.seat, "rule-violation", "X-1", is_taken_back=True)
    assert (others, found.is_change) == ([None, None, None], True)


def test_a_move_that_was_made_again() -> None:
    found = changed(taken_back(again=-1).entries, version(adjudicate=demanding(CATTE)))
    assert [(one.seq, one.is_taken_back) for one in found.unlawful] == [(5, True), (9, False)]
    assert found.left is not None
    assert (found.left.seq, found.scores, found.result) == (9, None, None)


def test_scores_that_were_taken_back() -> None:
    """A round's scores differ, and the position is taken back to one before it was scored."""
    match = Match("catte")
    until(match, lambda current: current.state.round == 2)
    other = version(adjudicate=scoring(CATTE, 1))
    assert changed(match.entries, other).scores is not None
    match.rule("take_back", to=match.seq - 1)
    assert changed(match.entries, other) == Impact()


def irregular_match() -> Match:
    """A seat plays a card that does not follow, and a referee lets it stand."""
    match = Match("catte")
    for _ply in range(200):
        game, state = match.game, match.current.state
        cards = [card for card in state.hands[state.to_act[0]] if state.phase == "trick"]
        moves = [{"type": "play", "seat": state.to_act[0], "card": card} for card in cards]
        barred = [move for move in moves if move not in game.legal_moves(state)]
        if barred and not isinstance(match.asked("accept", move=barred[0]), Refusal):
            match.rule("accept", move=barred[0])
            return match
        match.play(1)
    raise AssertionError("everybody could follow")


def test_an_irregular_move_stays_one() -> None:
    assert changed(irregular_match().play().entries, version()) == Impact()


def test_an_irregular_move_would_be_legal() -> None:
    """So no referee would have had to let it stand; the match is compared to its end."""
    match = irregular_match()
    seq, seat = match.seq, orjson.loads(match.entries[-1].body)["data"]["move"]["seat"]
    found = changed(match.play().entries, version(adjudicate=CATTE.irregular))
    assert found == Impact((Forbidden(seq, seat, "not-irregular"),))


def test_an_irregular_move_would_not_stand() -> None:
    match = irregular_match()
    found = changed(match.play().entries, version(waived=CATTE.adjudicate))
    assert [(one.reason, one.rule) for one in found.unlawful] == [("rule-violation", "CAT-3.1")]


def test_points_of_a_referee_are_among_the_scores() -> None:
    match = Match("catte").play()
    match.rule("points", seat=0, points=7)
    match.rule("points", seat=1, points=-1)
    rounds, scores = match.current.state.round, match.current.state.scores
    found = changed(match.entries, version(adjudicate=scoring(CATTE, 100)))
    assert found.scores is not None
    assert found.scores.recorded == (scores[0] + 7, scores[1] - 1, *scores[2:])
    assert found.scores.would_be == (scores[0] + 7 + 100 * rounds, scores[1] - 1, *scores[2:])


def test_the_result_of_a_forfeit() -> None:
    """The best of the others wins, by other scores another."""
    match = until(Match("catte"), lambda current: current.state.round == 2)
    match.rule("forfeit", seats=(3,))
    found = changed(match.entries, version(adjudicate=scoring(CATTE, 100)))
    assert found.result is None or found.result[1] is not None
    others = changed(match.entries, version(winners=lowest)).result
    assert others is not None
    for result, best in zip(others, (max, min), strict=True):
        assert result is not None
        assert (result.by, result.forfeited) == ("forfeit", (3,))
        scores = result.scores[:3]
        assert result.winners == tuple([seat for seat in range(3) if scores[seat] == best(scores)])


def test_a_result_that_was_ruled_stays() -> None:
    match = Match("catte").play()
    match.rule("result", winners=(2,), scores=None)
    assert changed(match.entries, version(adjudicate=scoring(CATTE, 1), winners=lowest)) == Impact()


def test_nothing_comes_of_a_void_match() -> None:
    match = Match("catte").play()
    match.rule("void")
    assert changed(match.entries, version(adjudicate=scoring(CATTE, 1))) == Impact()


def test_another_choice_on_time_out() -> None:
    """The first of the legal moves is made for a seat whose time is up; in another order it is another."""
    match = Match("catte", clock=BANKED).play(3)
    claimed = match.claim(timestamp(1_000))
    assert not isinstance(claimed, Refusal)
    seq, seat = match.seq, claimed[0]["data"]["seats"][0]
    assert changed(match.entries, version()) == Impact()
    found = changed(match.entries, version(legal_moves=lambda state: [*reversed(CATTE.legal_moves(state))]))
    assert found.unlawful == (Forbidden(seq, seat, "other-default"),)


def forked() -> Match:
    source = Match("catte").play(5)
    current = source.current
    source_of = ForkOrigin(current.match, current.seq, current.hash.hex(), current.state)
    return Match("catte", number=1, source=source_of, withheld_until=None)


def test_a_fork_goes_on_from_its_position() -> None:
    entries = forked().play().entries
    assert changed(entries, version()) == Impact()
    assert changed(entries, version(adjudicate=scoring(CATTE, 1))).scores is not None


def test_a_fork_from_a_position_that_would_be_impossible() -> None:
    entries = forked().entries
    impossible = version(findings=lambda _state: (Finding("/table/trick", "wrong-count"),))
    misshapen = GameVersion(CATTE._replace(version=2), lambda part, _value: part != "state", frozenset())
    for other, at in ((impossible, "/table/trick"), (misshapen, "")):
        found = changed(entries, other)
        assert found.left is not None
        assert (found.left.seq, found.left.why) == (1, ("impossible-position", {"at": at}))


@pytest.mark.parametrize("number", range(6))
def test_whole_courses_with_rulings_and_clocks_stay_the_same(number: int) -> None:
    match = course(number)
    assert changed(match.entries, version(match.game.slug)) == Impact()
