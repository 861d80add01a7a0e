"""The errand cards of Familiar's Trouble."""

from typing import Annotated, NamedTuple

from gyoji.games.familiars_trouble.components import Level
from gyoji.games.records import Called, Like, Within

ErrandId = Annotated[str, Like("[A-Za-z0-9-]{1,32}"), Called("ErrandId")]
Figure = Annotated[int, Within(0, 9999)]


class Requirements(NamedTuple):
    """What a trick has to reach in each colour."""

    red: Figure
    blue: Figure
    green: Figure


class Errand(NamedTuple):
    """An errand card: done when a trick has at least what it requires."""

    id: ErrandId
    level: Level
    requires: Requirements
    points: Figure


ERRANDS: tuple[Errand, ...] = (
    Errand("1-R6", 1, Requirements(6, 0, 0), 1),
    Errand("1-B6", 1, Requirements(0, 6, 0), 1),
    Errand("1-G6", 1, Requirements(0, 0, 6), 1),
    Errand("1-R9", 1, Requirements(9, 0, 0), 1),
    Errand("1-B9", 1, Requirements(0, 9, 0), 1),
    Errand("1-G9", 1, Requirements(0, 0, 9), 1),
    Errand("1-R12", 1, Requirements(12, 0, 0), 2),
    Errand("1-B12", 1, Requirements(0, 12, 0), 2),
    Errand("1-G12", 1, Requirements(0, 0, 12), 2),
    Errand("2-R15", 2, Requirements(15, 0, 0), 3),
    Errand("2-B15", 2, Requirements(0, 15, 0), 3),
    Errand("2-G15", 2, Requirements(0, 0, 15), 3),
    Errand("2-R18", 2, Requirements(18, 0, 0), 4),
    Errand("2-B18", 2, Requirements(0, 18, 0), 4),
    Errand("2-G18", 2, Requirements(0, 0, 18), 4),
    Errand("2-R6B6", 2, Requirements(6, 6, 0), 3),
    Errand("2-R6G6", 2, Requirements(6, 0, 6), 3),
    Errand("2-B6G6", 2, Requirements(0, 6, 6), 3),
    Errand("3-R21", 3, Requirements(21, 0, 0), 6),
    Errand("3-B21", 3, Requirements(0, 21, 0), 6),
    Errand("3-G21", 3, Requirements(0, 0, 21), 6),
    Errand("3-R12B5", 3, Requirements(12, 5, 0), 5),
    Errand("3-B12G5", 3, Requirements(0, 12, 5), 5),
    Errand("3-R5G12", 3, Requirements(5, 0, 12), 5),
    Errand("3-R9B9", 3, Requirements(9, 9, 0), 6),
    Errand("3-R9G9", 3, Requirements(9, 0, 9), 6),
    Errand("3-B9G9", 3, Requirements(0, 9, 9), 6),
)
"""The default errand deck in canonical order. Its requirements and points are reconstructed, not printed."""
BY_ID: dict[ErrandId, Errand] = {errand.id: errand for errand in ERRANDS}
