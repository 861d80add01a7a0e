"""The shapes of questions about a position that is known in part: their bodies and their answers."""

from typing import get_args

from gyoji.api.calls import rules_fields
from gyoji.api.fields import Boolean, ListOf, Text, Word
from gyoji.api.shapes import RULE_ID, Fields, GameShapes, Shape, exactly_one, many, nested, shape
from gyoji.games.game import Reason
from gyoji.games.questions import HAND
from gyoji.games.records import record

VALUE = "[A-Za-z0-9_-]{1,32}"
"""A value of a fact: the code of a card, or a word."""
MOST_VALUES = 400
MOST_ANSWERS = 12
MOST_RULINGS = 400


def question_request(shapes: GameShapes) -> Shape | None:
    """Return the shape of the body of a question; ``None`` for a game that cannot be asked."""
    if shapes.known is None or shapes.asked is None:
        return None
    answered = shape(
        f"{shapes.prefix}FactAnswered",
        {"fact": _fact(shapes), "among": _among(), "is": Boolean(required=True)},
    )
    return exactly_one(
        f"{shapes.prefix}QuestionRequest",
        ("move", "moves"),
        "move",
        {
            "known": nested(shapes.known),
            "answers": many(answered, MOST_ANSWERS, required=False),
            "asker": Text(longest=256),
            "move": nested(shapes.asked, required=False),
            "moves": Word("which"),
        },
    )


def _fact(shapes: GameShapes) -> Word:
    names = [member.name for member in record(shapes.game.questions.facts).members]
    return Word(*names, HAND, required=True)


def _among() -> ListOf:
    return ListOf(Text(VALUE), MOST_VALUES, least=1, required=True)


def question_answer(shapes: GameShapes) -> Shape | None:
    """Return the shape of the answer to a question; ``None`` for a game that cannot be asked."""
    if shapes.known is None or shapes.asked is None:
        return None
    ruling = shape(f"{shapes.prefix}QuickRuling", _ruling(shapes.asked))
    example = shape(
        f"{shapes.prefix}QuestionExample",
        {"known": nested(shapes.known), "ruling": nested(ruling)},
    )
    missing = shape(
        f"{shapes.prefix}FactMissing",
        {
            "fact": _fact(shapes),
            "among": _among(),
            "question": Text(required=True),
            "yes": nested(example),
            "no": nested(example),
        },
    )
    return shape(
        f"{shapes.prefix}QuestionAnswer",
        {
            **rules_fields(shapes.game),
            "answer": Word("ruling", "undetermined", required=True),
            "rulings": many(ruling, MOST_RULINGS),
            "missing": nested(missing, allow_none=True),
        },
    )


CITED = shape(
    "RuleCited", {"rule": Text(RULE_ID, required=True), "heading": Text(required=True), "text": Text(required=True)}
)


def _ruling(asked: Shape) -> Fields:
    return {
        "move": nested(asked),
        "legal": Boolean(required=True, allow_none=True),
        "reason": Word(*get_args(Reason), required=True, allow_none=True),
        "rules": many(CITED, 16),
        "because": Text(required=True, allow_none=True),
    }
