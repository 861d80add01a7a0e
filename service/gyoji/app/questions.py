"""Answers questions about positions that are known in part."""

from collections.abc import Mapping
from typing import Any

from gyoji.api.bodies import BodyError, body_errors
from gyoji.api.media import QUESTIONS
from gyoji.app.adjudication import rules_identity
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.games.known import Impossible, Known, impossible, most_cards, read_known, tables
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer, invalid_request
from gyoji.messages.questions import consider_question, impossible_question, question_answer
from gyoji.names import name_fault, normalize_name

MOST_HELD = 3
"""How many answers may say that the hand has some card: each more makes it dearer to find hands that agree with all."""


def answer_question(slug: str, request: Any, instance: str, language: Language) -> Answer:
    """Answer a question about one game, whose body has been parsed. Raises ``Malformed`` for what JSON may not hold."""
    wrong = body_errors(slug, QUESTIONS, request)
    if wrong:
        return invalid_request(wrong, instance, language)
    return question(BY_SLUG[slug], request, instance, language)


def question(game: Game[Any], request: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Answer ``questions``: a ruling where every position that agrees with what is known is ruled on alike, else the
    one fact that has to be asked."""
    known = read_known(game, request)
    wrong = _wrong(game, request, known)
    if wrong:
        return invalid_request(wrong, instance, language)
    move = request.get("move")
    findings = impossible(game.questions, known, most_cards(game.questions, tables(game, known)), move)
    if findings:
        return impossible_question(game.slug, findings, instance, language)
    found = consider_question(game, known, move)
    if not found.completions:
        contradiction = Impossible("/known", "wrong-value", "contradiction")
        return impossible_question(game.slug, [contradiction], instance, language)
    asker = {"asker": normalize_name(request["asker"])} if "asker" in request else {}
    answered = question_answer(game, {**request, **asker}, known, found, language)
    return Answer(200, {**rules_identity(game), **answered})


def _wrong(game: Game[Any], request: Mapping[str, Any], known: Known) -> list[BodyError]:
    """What is wrong with the request though each member has the right shape."""
    wrong: list[BodyError] = []
    if not tables(game, known):
        contradictions = game.contradictions(known.seats or game.min_seats, known.options)
        wrong += [(f"/known{found.pointer}", found.code) for found in contradictions]
    if sum(answer.fact == "hand" and answer.holds for answer in known.answers) > MOST_HELD:
        wrong.append(("/answers", "too-long"))
    fault = name_fault(request["asker"]) if "asker" in request else None
    return wrong if fault is None else [*wrong, ("/asker", fault)]
