"""Environments for learners, but for what needs PettingZoo and OpenSpiel: numbers for moves and views, and replays."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, TypedDict

import pytest

import gyoji_env
from gyoji import __version__
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.declared import Records
from gyoji.games.game import FINISHED, Card, Chance, Seat
from gyoji.games.records import Like, Most
from gyoji.published_files import CHECKOUT
from gyoji_env.course import Course, Limits, beginning
from gyoji_env.episode import Episode
from gyoji_env.names import GAME_OF, name_of
from gyoji_env.replay import write
from gyoji_env.rewards import REWARDS
from gyoji_env.table import Table, table_of
from laws.leaks import LEAKS
from laws.piles import cards_at
from laws.strategies import SLUGS, copied, seed_of
from laws.worlds import Worlds, hidden_piles, pool

PACKAGE = CHECKOUT / "clients" / "env"
PINNED = Path(__file__).with_name("env_numbers.json")
"""What every number of every environment means. A change of it is another environment: it needs another name."""

TABLES = [(name, seats) for name, game in GAME_OF.items() for seats in range(game.min_seats, game.max_seats + 1)]


def table(name: str, seats: int | None = None, reward: str = "score", **more: Any) -> Table:
    """A table of that game."""
    return table_of(name, seats, reward, **more)


def any_game(episode: Episode, choices: Random, most: int = 400) -> Iterator[Any]:
    """Play a game at random by its masks; give every position."""
    for _ply in range(most):
        yield episode.state
        if episode.state.outcome is not None:
            return
        (seat, *_more) = episode.acting
        allowed = [action for action, legal in enumerate(episode.mask(seat, 0)) if legal]
        assert episode.play(seat, choices.choice(allowed)) is None


# Actions


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_move_is_an_action_and_back(name: str, seats: int) -> None:
    numbering = table(name, seats).numbering
    for seat, moves in enumerate(numbering.moves):
        assert [numbering.action(copied(move)) for move in moves] == [*range(numbering.size)]
        assert {move["seat"] for move in moves} == {seat}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_mask_is_what_the_referee_accepts(name: str, seats: int) -> None:
    episode, game = Episode(table(name, seats)), GAME_OF[name]
    episode.begin(seats)
    for state in any_game(episode, Random(seats), 120):
        for seat in range(seats):
            allowed = [bool(legal) for legal in episode.mask(seat, 0)]
            acts = seat in episode.acting
            accepted = [acts and episode.refusal(seat, action) is None for action in range(len(allowed))]
            assert allowed == accepted
            listed = [move for move in game.legal_moves(state) if move["seat"] == seat and acts]
            assert sum(allowed) == len(listed)


def numbers() -> dict[str, Any]:
    """The actions of every environment of gyoji's own, and a digest of what its observations say."""
    found: dict[str, Any] = {}
    for name, seats in TABLES:
        at = table(name, seats)
        actions = [
            " ".join([str(part) for key, part in move.items() if key != "seat"]) for move in at.numbering.moves[0]
        ]
        digest = sha256("\n".join(at.encoding.labels).encode()).hexdigest()
        places = found.setdefault(name, {"actions": actions, "observations": {}})
        assert places["actions"] == actions
        places["observations"][str(seats)] = {"size": len(at.encoding.labels), "labels": digest}
    return found


def test_the_numbers_stay_what_they_are() -> None:
    assert numbers() == json.loads(PINNED.read_text("utf-8"))


def test_a_deck_of_the_tables_own_has_its_own_actions() -> None:
    deck = [f"B{number}" for number in range(1, 41)]
    numbering = table("catte_v1", options={"deck": deck}).numbering
    assert [move["card"] for move in numbering.moves[0] if move["type"] == "play"] == deck


class Discard(TypedDict):
    type: Literal["discard"]
    seat: Seat
    cards: Annotated[tuple[Annotated[str, Like("B1")], ...], Most(2)]


def test_moves_that_hold_lists_cannot_be_numbered_and_it_is_said_which(monkeypatch: pytest.MonkeyPatch) -> None:
    game = BY_SLUG["catte"]
    records = game.records
    more = Records(
        state=records.state, options=records.options, moves=(Discard,), events=records.events, line=records.line
    )
    monkeypatch.setitem(GAME_OF, "catte_v1", game._replace(records=more))
    with pytest.raises(TypeError, match="moves of the type discard cannot be numbered: cards: Many"):
        table("catte_v1")


# Observations


def told(at: Table, world: dict[str, Any], seat: int) -> tuple[bytes, bytes]:
    """What a seat is told in a world: its observation and its mask."""
    episode = Episode(at)
    episode.state = at.game.read_state(world)
    return bytes(at.encoding.observe(at.game, episode.state, seat)), bytes(episode.mask(seat, 1))


def seen_by_seats(slug: str) -> list[Worlds]:
    """Pairs of worlds that are one to a seat and differ in cards."""
    return [worlds for worlds in pool(slug) if worlds.viewer is not None and worlds.differ_in_cards]


def leaking(slug: str) -> int:
    """In how many pairs of worlds that are one to a seat it is told different things."""
    found = 0
    for _game, viewer, one, other in seen_by_seats(slug):
        at = table(name_of(BY_SLUG[slug]), one["seats"], options=one["options"])
        assert viewer is not None
        found += told(at, one, viewer) != told(at, other, viewer)
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_in_two_worlds_that_are_one_to_the_seat_it_is_told_the_same(slug: str) -> None:
    assert len(seen_by_seats(slug)) >= 40
    assert leaking(slug) == 0


@pytest.mark.parametrize("slug", ["tomorrow-never-meows", "towai"])
def test_a_view_that_shows_too_much_would_be_noticed(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would hold of observations that say nothing."""
    LEAKS[slug, "view"](monkeypatch, slug)
    monkeypatch.setitem(GAME_OF, name_of(BY_SLUG[slug]), BY_SLUG[slug])
    assert leaking(slug) > 0


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_an_observation_says_what_the_view_says(name: str, seats: int) -> None:
    """The same, whether it is written from the position or from the JSON that the seat's token is shown."""
    episode = Episode(table(name, seats))
    episode.begin(7)
    encoding = episode.table.encoding
    assert len({*encoding.labels}) == len(encoding.labels)
    for _state in any_game(episode, Random(7), 120):
        for seat in range(seats):
            row = episode.row(seat)
            assert encoding.of_view(copied(episode.view(seat)), seat) == row
            assert len(row) == len(encoding.labels)
            assert all(low <= value <= high for low, value, high in zip(encoding.low, row, encoding.high, strict=True))


def test_an_observation_can_be_read() -> None:
    episode = Episode(table("catte_v1", 3))
    episode.begin(1)
    view = episode.view(1)
    row = dict(zip(episode.table.encoding.labels, episode.row(1), strict=True))
    assert {label[len("hands.own.") :] for label, value in row.items() if value and label.startswith("hands.own.")} == {
        *view["table"]["hands"][1],
        "count",
    }
    assert row["hands.own.count"] == row["hands.left1.count"] == 13
    assert not any(row[f"hands.left2.{card}"] for card in episode.state.hands[0])
    assert (row["to_act.own"], row["to_act.left2"], row["lead.left2"]) == (0, 1, 1)
    assert row["coffee.centre." + view["table"]["coffee"]["centre"]] == 1


# What a seat has been told: two games with the same moves whose deals differ in cards that it never sees


class Swapped(Exception):
    """There are no two such games."""


def course_of(at: Table, deal: Chance, actions: list[int]) -> list[Course]:
    """Play a game with these shuffles and these actions; its course at every decision."""
    course, found = beginning(at, Limits(10_000)), []
    shuffles = 0
    waiting = [*actions]
    while True:
        point = course.point
        if course.is_chance:
            if not point.drawn:
                target = deal(f"{len(point.piles)}", shuffles, point.left)
                shuffles += 1
            course = course.after_chance(point.codes.index(target[len(point.drawn)]))
            continue
        found.append(course)
        if course.is_over or not waiting:
            return found
        action = waiting.pop(0)
        if action not in course.actions:
            raise Swapped
        course = course.after_action(action)


def another_game(at: Table, seed: str, choices: Random) -> tuple[list[Course], list[Course], int] | None:
    """A game of some moves, the same game with two cards exchanged that a seat sees nothing of, and the seat."""
    course = course_of(at, deal_v1(seed), [])[-1]
    actions: list[int] = []
    for _ply in range(choices.randint(1, 20)):
        actions.append(choices.choice(course.actions))
        course = course_of(at, deal_v1(seed), actions)[-1]
    one = course_of(at, deal_v1(seed), actions)
    viewer = choices.randrange(at.seats)
    hidden = [never_seen(at, each, viewer) for each in one]
    unseen, copies = sorted(set.intersection(*hidden)), copies_of(at)
    pairs = [pair for pair in combinations(unseen, 2) if copies[pair[0]] == copies[pair[1]]]
    if not pairs:
        return None
    first, second = choices.choice(pairs)

    def exchanged(label: str, k: int, pile: Any) -> tuple[Card, ...]:
        cards = deal_v1(seed)(label, k, pile)
        return tuple([second if card == first else first if card == second else card for card in cards])

    try:
        return one, course_of(at, exchanged, actions), viewer
    except Swapped:
        return None


def never_seen(at: Table, course: Course, viewer: int) -> set[Card]:
    """The codes all of whose cards are hidden from a seat."""
    state = copied(at.game.write_state(course.point.state))
    hidden = Counter(card for path in hidden_piles(state, viewer) for card in cards_at(state, path))
    return {code for code, count in hidden.items() if count == sum(copies_of(at)[code])}


def copies_of(at: Table) -> dict[Card, tuple[int, ...]]:
    """How many cards of each code there are in each pile that is shuffled."""
    piles: list[tuple[Card, ...]] = []

    def unshuffled(_label: str, _k: int, pile: Sequence[Card]) -> tuple[Card, ...]:
        piles.append(tuple(pile))
        return piles[-1]

    at.game.start(at.seats, at.options, 0, None, unshuffled)
    return {code: tuple([pile.count(code) for pile in piles]) for pile in piles for code in pile}


@pytest.mark.parametrize("slug", SLUGS)
def test_in_two_games_that_are_one_to_the_seat_it_has_been_told_the_same(slug: str) -> None:
    at, tried, differing = table(name_of(BY_SLUG[slug])), 0, 0
    choices = Random(slug)
    for number in range(60):
        found = another_game(at, seed_of(number), choices)
        if found is None:
            continue
        tried += 1
        for one, other in zip(found[0], found[1], strict=True):
            differing += one.point.state != other.point.state
            assert one.point.told[found[2]] == other.point.told[found[2]]
    assert tried >= 10
    assert differing >= 10


# Results


def test_rewards_are_what_the_readme_says() -> None:
    standings, winners = (30, 50, 10), (1,)
    assert {name: reward.value(standings, winners) for name, reward in REWARDS.items()} == {
        "score": (30, 50, 10),
        "margin": (0, 30, -30),
        "rank": (0, 1, -1),
        "win": (-0.5, 1, -0.5),
    }
    assert REWARDS["win"].value((3, 3, 1), (0, 1)) == (0.25, 0.25, -0.5)
    assert REWARDS["rank"].value((3, 3, 1), (0, 1)) == (0.5, 0.5, -1)


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_add_up_to_the_result(reward: str) -> None:
    episode = Episode(table("catte_v1", 4, reward))
    episode.begin(3)
    total, before = [0.0] * 4, episode.state
    for state in any_game(episode, Random(3)):
        if state is not before:
            total = [sum(both) for both in zip(total, episode.rewards_since(before), strict=True)]
            before = state
    scores, winners = episode.state.scores, episode.state.outcome["winners"]
    assert total == pytest.approx(REWARDS[reward].value(scores, winners))
    assert any(total)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"name": "chess_v6"}, "no such environment; there are .*catte_v1"),
        ({"name": "catte_v1", "seats": 5}, "from 3 to 4 seats, not 5"),
        ({"name": "catte_v1", "first": 3}, "there is no seat 3"),
        ({"name": "catte_v1", "reward": "money"}, "one of score, margin, rank, win"),
        ({"name": "familiars_trouble_v1", "reward": "win"}, "one of score"),
        ({"name": "catte_v1", "options": {"deck": ["B1"]}}, "contradict each other: /options/deck"),
    ],
)
def test_what_cannot_be_set_up_is_said(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        table(**given)


# Replays


def audit(file: Path) -> dict[str, Any]:
    """What the auditor says of a file."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "gyoji", "audit", str(file), "--trust", str(file.parent / "trust.json"), "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    verdict: dict[str, Any] = json.loads(done.stdout.splitlines()[0])
    return verdict


@pytest.mark.parametrize("name", GAME_OF)
def test_a_replay_of_a_game_is_verified(name: str, tmp_path: Path) -> None:
    episode = Episode(table(name, GAME_OF[name].max_seats, first=1))
    episode.begin(11)
    positions = [*any_game(episode, Random(11), 5_000)]
    assert positions[-1].outcome is not None
    write(tmp_path / "game.jsonl", episode.replay())
    verdict = audit(tmp_path / "game.jsonl")
    assert verdict["verdict"] == "verified", verdict
    lines = [json.loads(line) for line in (tmp_path / "game.jsonl").read_bytes().splitlines()]
    events = [event for line in lines for event in line.get("data", {}).get("events", ())]
    assert [tuple(event["scores"]) for event in events if event["type"] == FINISHED] == [episode.state.scores]
    assert episode.replay() == (tmp_path / "game.jsonl").read_bytes()


def test_a_replay_of_half_a_game_is_that_of_a_match_that_runs(tmp_path: Path) -> None:
    episode = Episode(table("towai_v1"))
    episode.begin(2)
    for _state in any_game(episode, Random(2), 10):
        pass
    write(tmp_path / "half.jsonl", episode.replay())
    assert audit(tmp_path / "half.jsonl")["verdict"] == "verified_partial"


def test_the_same_seed_gives_the_same_deals_one_after_another() -> None:
    dealt = []
    for seed in (5, 5, 6):
        episode = Episode(table("catte_v1"))
        episode.begin(seed)
        first = episode.state
        episode.begin(None)
        dealt.append((first, episode.state))
    assert dealt[0] == dealt[1] != dealt[2]
    assert dealt[0][0] != dealt[0][1]


# The package


def test_its_version_and_those_that_it_asks_for_are_that_of_the_rules() -> None:
    assert gyoji_env.__version__ == __version__
    asked = re.findall(r'"gyoji[a-z-]*==(.+?)"', (PACKAGE / "pyproject.toml").read_text("utf-8"))
    assert asked == [__version__] * 2


def test_what_a_point_of_a_course_is_does_not_change() -> None:
    """Algorithms copy states all the time."""
    course = beginning(table("towai_v1"), Limits(4, deals=2))
    assert course.outcomes == [(0, 0.5), (1, 0.5)]
    dealt = [course.after_chance(deal) for deal in (0, 1)]
    assert dealt[0].point.state != dealt[1].point.state
    assert dealt[0].point.told != dealt[1].point.told
    while not dealt[0].is_over:
        dealt[0] = dealt[0].after_action(dealt[0].actions[0])
    assert isinstance(dealt[0].point.state.ply, int)
    assert dealt[0].point.state.ply == 4
    assert sum(dealt[0].returns()) == pytest.approx(sum(dealt[0].table.game.worth(dealt[0].point.state)))
