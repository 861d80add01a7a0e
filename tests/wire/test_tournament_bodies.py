"""Bodies about tournaments: compiled schema and declaration agree, whatever is wrong."""

from random import Random
from typing import Any

import pytest

from bodies import Plain
from gyoji.games.catalogue import BY_SLUG
from wire.faults import agree, mutated

SETTINGS: tuple[Plain, ...] = (
    {},
    {"points": {"by": "score"}, "bye": None, "clock": None, "duplicate": True},
    {"points": {"by": "rank", "points": [3, 2, 1, 0]}, "bye": -2, "tie_breaks": ["wins", "lot"], "pairing": "rotation"},
    {"points": {"by": "rank", "points": [3, 2, 1, 0], "forfeit": -1}},
    {
        "points": {"by": "wins", "win": 2, "draw": 1, "loss": 0},
        "clock": {"move": 30, "bank": 600, "increment": 5, "on_expiry": "default"},
        "visibility": "public",
        "disclosure": "auditors_only",
        "options": {},
    },
)
SOUND: dict[str, list[Plain]] = {
    "tournaments": [
        {"game": slug, "name": "春の大会", "seats": [game.min_seats], "rounds": 6, **setting}
        for slug, game in BY_SLUG.items()
        for setting in SETTINGS
    ],
    "entrants": [{"entrants": [{"name": "Ann"}, {"name": "猫", "members": ["a", "b", "c"]}]}],
    "rounds": [
        {},
        {"dry_run": True, "pairing": "draw", "early": True},
        {"tables": [["e1", "e2", "e3"], ["e10", "e4"]], "byes": ["e1024"]},
    ],
    "corrections": [{"entrant": "e1", "points": points, "reason": "遅刻"} for points in ("1", "-5/2", "0")],
}


@pytest.mark.parametrize("call", SOUND)
def test_both_accept_what_is_sound_and_refuse_the_same(call: str) -> None:
    assert all(agree("tournaments", call, document) for document in SOUND[call])
    random, verdicts = Random(call), []
    for _again in range(300):
        document: Any = random.choice(SOUND[call])
        for _fault in range(random.choice((1, 1, 2, 3))):
            document = mutated(document, random)
        verdicts.append(agree("tournaments", call, document))
    assert verdicts.count(False) > 60
