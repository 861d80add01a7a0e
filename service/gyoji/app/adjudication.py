"""Answers the stateless calls, from plain data to plain data, for HTTP and for the command line."""

from collections.abc import Callable, Mapping, Sequence
from secrets import token_bytes
from typing import Any

from gyoji.api.bodies import Malformed, PointedError, body_errors, parse_json
from gyoji.api.media import IN_THE_OPEN
from gyoji.app.positions import own_moves
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import SeedMissing, deal_v1
from gyoji.games.game import Accepted, Finding, Game, Infraction, Move, Position
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer, impossible_state, invalid_request, malformed, problem
from gyoji.messages.rulebooks import rulebook
from gyoji.published_files import rules_digest

SEED_MISSING = (Finding("/seed", "seed-missing"),)


def answer_call(slug: str, call: str, body: bytes, instance: str, language: Language) -> Answer:
    """Answer one stateless call of one game, given the bytes of its body.

    Checked in this order: that the bytes are JSON, the shape of the whole body, whether the state can be, the moves.
    """
    try:
        return answer_parsed_call(slug, call, parse_json(body), instance, language)
    except Malformed as found:
        return malformed(found.why, found.facts, instance, language)


def answer_parsed_call(slug: str, call: str, request: Any, instance: str, language: Language) -> Answer:
    """Answer a call whose body has been parsed. Raises ``Malformed`` for what JSON may not hold."""
    wrong = body_errors(slug, call, request)
    if wrong:
        return invalid_request(wrong, instance, language)
    return CALLS[call](BY_SLUG[slug], request, instance, language)


def rules_identity(game: Game[Any]) -> dict[str, Any]:
    """Return what every answer names: the game, its version, the digest of its rules."""
    return {"game": game.slug, "version": game.version, "rules_digest": rules_digest(game.slug)}


def new_game(game: Game[Any], request: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Answer ``states``: a first position, from the seed given or from fresh randomness."""
    wrong = setting_errors(game, request)
    if wrong:
        return invalid_request(wrong, instance, language)
    state = deal_first_position(game, request, request.get("seed") or token_bytes(64).hex()).state
    return Answer(200, {**rules_identity(game), "kind": IN_THE_OPEN, **_position(game, state)})


def setting_errors(game: Game[Any], request: Mapping[str, Any]) -> list[PointedError]:
    """Find what of a new game contradicts itself, though each member has the right shape."""
    seats, options = request["seats"], game.read_options(request.get("options", {}))
    wrong: list[PointedError] = [(found.pointer, found.code) for found in game.contradictions(seats, options)]
    return [*wrong, ("/first", "no-such-seat")] if request.get("first", 0) >= seats else wrong


def deal_first_position(game: Game[Any], request: Mapping[str, Any], seed: str) -> Accepted[Any]:
    """Deal the first position of the game that a request asks for, with the events of its deal."""
    options = game.read_options(request.get("options", {}))
    return game.start(request["seats"], options, request.get("first", 0), seed, deal_v1(seed))


def _position(game: Game[Any], state: Position) -> dict[str, Any]:
    return {
        "state": game.write_state(state),
        "legal_moves": game.legal_moves(state),
        "scores": state.scores,
        "outcome": state.outcome,
    }


def adjudication(game: Game[Any], request: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Answer ``adjudications``: rule on the moves in order, up to the first that the rules forbid."""
    state = game.read_state(request["state"])
    findings = game.findings(state)
    if findings:
        return impossible_state(findings, instance, language)
    chance = deal_v1(state.seed)
    events: list[Mapping[str, Any]] = []
    for index, move in enumerate(_moves(request)):
        try:
            ruling = game.adjudicate(state, move, chance)
        except SeedMissing:
            return impossible_state(SEED_MISSING, instance, language)
        if not isinstance(ruling, Accepted):
            last_good = {"move_index": index, "state": game.write_state(state)} if "moves" in request else {}
            return illegal_move(game, state, ruling.infraction, move, last_good, instance, language)
        state = ruling.state
        events.extend(ruling.events)
    position = _position(game, state)
    ruled = {"kind": IN_THE_OPEN, "state": position.pop("state"), "events": events, **position}
    return Answer(200, {**rules_identity(game), **ruled})


def _moves(request: Mapping[str, Any]) -> Sequence[Move]:
    moves: Sequence[Move] = request["moves"] if "moves" in request else (request["move"],)
    return moves


def illegal_move(
    game: Game[Any],
    state: Position,
    infraction: Infraction,
    move: Move,
    last_good: Mapping[str, Any],
    instance: str,
    language: Language,
) -> Answer:
    """Make the answer to an illegal move, 409: the reason, the rule it cites, and what the seat may play instead."""
    book = rulebook(game.slug)
    because = book.because(infraction, language)
    rule = book.rule(infraction.rule) if infraction.rule else None
    refused = problem("illegal-move", instance, language, {"because": because})
    body = {
        **refused.body,
        "game": game.slug,
        "reason": infraction.reason,
        "rule": infraction.rule,
        "rule_text": rule["text"][language] if rule else None,
        "seat": infraction.seat,
        "move": move,
        "because": because,
        "legal_moves": own_moves(game, state, infraction.seat),
        **last_good,
    }
    return Answer(refused.status, body)


def legal_moves(game: Game[Any], request: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Answer ``legal-moves``: what may be played, by every seat that is to act or by one."""
    state = game.read_state(request["state"])
    refusal = _unsound(game, state, request.get("seat"), instance, language)
    if refusal:
        return refusal
    legal = own_moves(game, state, request["seat"]) if "seat" in request else game.legal_moves(state)
    return Answer(200, {**rules_identity(game), "to_act": state.to_act, "legal_moves": legal})


def scores(game: Game[Any], request: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Answer ``scores``: the totals and every figure that they are made of, explained."""
    state = game.read_state(request["state"])
    refusal = _unsound(game, state, None, instance, language)
    if refusal:
        return refusal
    return Answer(200, explain_scores(game, state, language))


def explain_scores(game: Game[Any], state: Position, language: Language) -> dict[str, Any]:
    """Return the scores, and how every figure came about."""
    book = rulebook(game.slug)
    lines = [{**line, "why": book.why(line, language)} for line in game.lines(state)]
    return {
        **rules_identity(game),
        "scores": state.scores,
        "rounds": game.rounds(state),
        "outcome": state.outcome,
        "lines": lines,
    }


def view(game: Game[Any], request: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Answer ``views``: the state as one seat, or a spectator, may know it, and that seat's own legal moves."""
    state = game.read_state(request["state"])
    seat = request["seat"]
    refusal = _unsound(game, state, seat, instance, language)
    if refusal:
        return refusal
    return Answer(
        200, {**rules_identity(game), "view": game.view(state, seat), "legal_moves": own_moves(game, state, seat)}
    )


def _unsound(game: Game[Any], state: Position, seat: int | None, instance: str, language: Language) -> Answer | None:
    """Make the answer to a seat that the table does not have (a wrong shape), or to an impossible state; ``None`` for a
    sound request."""
    if seat is not None and seat >= state.seats:
        return invalid_request([("/seat", "no-such-seat")], instance, language)
    findings = game.findings(state)
    return impossible_state(findings, instance, language) if findings else None


CALLS: Mapping[str, Callable[[Game[Any], Mapping[str, Any], str, Language], Answer]] = {
    "states": new_game,
    "adjudications": adjudication,
    "legal-moves": legal_moves,
    "scores": scores,
    "views": view,
}
