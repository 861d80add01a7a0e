"""Tomorrow Never Meows: what a round is worth, with the numbers of the rules page, and its rulebook's words."""

import tomllib
from pathlib import Path
from string import Formatter

import pytest

from gyoji.games.tomorrow_never_meows import GAME
from gyoji.games.tomorrow_never_meows.components import DECK, WISHES
from gyoji.games.tomorrow_never_meows.scores import round_lines, round_points
from gyoji.games.tomorrow_never_meows.state import Options, Round, Won

RULEBOOK = tomllib.loads(
    (Path(__file__).parents[2] / "service/gyoji/games/tomorrow_never_meows/rulebook.toml").read_text()
)
ROWS = {wish: {"F": 1, "C": 2, "R": 3, "T": -4, "S": -5} for wish in ("fine", "cloudy", "rainy", "thunder")}


@pytest.mark.parametrize(
    ("chosen", "won", "tricks", "points"),
    [
        ("thunder", (1, 2, 3, 2, 1), 3, 2),
        ("fine", (4, 1, 0, 0, 1), 2, 4),
        ("cloudy", (4, 3, 0, 1, 1), 3, 3),
        ("rainy", (0, 0, 5, 3, 0), 2, 5),
        ("snow", (0, 0, 0, 0, 0), 0, 6),
        ("snow", (2, 2, 2, 0, 0), 2, -6),
        ("very_fine", (4, 1, 2, 1, 1), 3, 5),
        ("very_cloudy", (3, 3, 2, 2, 2), 4, 8),
        ("very_cloudy", (2, 2, 1, 1, 0), 2, -5),
        ("very_rainy", (1, 1, 4, 1, 2), 3, 11),
        ("very_rainy", (1, 1, 4, 0, 0), 2, 7),
        ("very_rainy", (0, 0, 1, 2, 0), 1, 3),
    ],
)
def test_points_of_the_wishes(chosen: str, won: tuple[int, ...], tricks: int, points: int) -> None:
    done = Round((), (tricks,), (chosen,), (None,), (Won(*won),))
    assert round_points(Options(), done) == (points,)
    (line,) = round_lines(Options(), 2, done)
    assert (line["seat"], line["points"], line["round"]) == (0, points, 2)


def test_tnm_6_1_pairs_cancel_before_other_rows_count() -> None:
    done = Round((), (3,), ("cloudy",), (None,), (Won(1, 2, 3, 2, 1),))
    assert round_points(GAME.read_options({"wish_points": ROWS}), done) == (1 + 4 + 9 - 4,)


def test_tnm_7_4_true_and_false_announcements() -> None:
    options = Options(concealed=True, bluff_scoring="per_trick")
    done = Round((), (2, 2), ("fine", "fine"), ("fine", "very_fine"), (Won(1, 0, 0, 0, 0),) * 2)
    assert round_points(options, done) == (7, -5)
    assert [(line["rule"], line["points"]) for line in round_lines(options, 1, done)] == [
        ("TNM-6.2", 1),
        ("TNM-7.4", 6),
        ("TNM-6.2", 1),
        ("TNM-7.4", -6),
    ]


def test_option_wish_points_is_read_and_written_in_order() -> None:
    turned = {wish: dict(reversed(ROWS[wish].items())) for wish in reversed(ROWS)}
    options = GAME.read_options({"wish_points": turned})
    assert [(wish, list(row)) for wish, row in GAME.write_options(options)["wish_points"].items()] == [
        (wish, ["F", "C", "R", "T", "S"]) for wish in ROWS
    ]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_rulebook_names_every_code_and_word() -> None:
    rules = [rule["id"] for rule in RULEBOOK["rule"]]
    assert len(set(rules)) == len(rules) == 48
    assert set(WISHES) | set(GAME.phases) | set("FCRTS") == set(RULEBOOK["words"])
    assert {code for row in RULEBOOK["component"] for code in row["codes"]} == {*DECK, *WISHES}


@pytest.mark.parametrize("wish", WISHES)
def test_rulebook_explains_every_line(wish: str) -> None:
    done = Round((), (1,), (wish,), (wish,), (Won(1, 1, 1, 0, 0),))
    for line in round_lines(Options(concealed=True, bluff_scoring="per_trick"), 1, done):
        assert all(fields(why) <= set(line) for why in RULEBOOK["why"][line["rule"]].values())


def test_rulebook_has_a_sentence_for_every_refusal() -> None:
    facts = {
        "basic-wishes-only": {"wish"},
        "basic-wish-not-chosen": {"wish", "basic"},
        "advanced-wish-once": {"wish"},
        "follow-suit": {"suit", "cards", "card"},
        "announce-wish-in-play": {"wish"},
    }
    for key, sentence in RULEBOOK["because"].items():
        assert fields(sentence["en"]) == fields(sentence["ja"]) == facts[key]
    assert set(facts) == set(RULEBOOK["because"])
