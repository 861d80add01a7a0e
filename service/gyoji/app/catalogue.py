"""Serves the catalogue of games and their rulebooks."""

from collections.abc import Mapping
from typing import Any

from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.game import Game
from gyoji.messages.rulebooks import rulebook
from gyoji.published_files import rules_digest, schema


def _summary(described: Game[Any]) -> dict[str, Any]:
    book = rulebook(described.slug)
    return {
        "game": described.slug,
        "version": described.version,
        "title": book.title,
        "seats": {"min": described.min_seats, "max": described.max_seats},
        "cooperative": described.cooperative,
        "rulebook": book.source,
    }


def _named(slug: str) -> dict[str, Any]:
    return {"game": slug, "version": BY_SLUG[slug].version, "rules_digest": rules_digest(slug)}


def games() -> dict[str, Any]:
    """Answer ``GET /v1/games``."""
    return {"games": [_summary(described) for described in GAMES]}


def game(slug: str) -> dict[str, Any]:
    """Answer ``GET /v1/games/{game}``."""
    book = rulebook(slug)
    return {
        **_summary(BY_SLUG[slug]),
        "options": schema(f"{slug}/new-options"),
        "phases": BY_SLUG[slug].phases,
        "moves": _moves(slug),
        "cards": book.components,
        "data": schema(f"{slug}/rules")["data"],
        "rulings": [entry for entry in book.rules if entry["kind"] == "ruling"],
        "versions": [played.version for played in GAMES if played.slug == slug],
        "rules_digest": rules_digest(slug),
    }


def _moves(slug: str) -> dict[str, Any]:
    """Return the JSON Schema of each type of move, from the published union of moves."""
    moves = schema(f"{slug}/move")["$defs"].values()
    return {move["properties"]["type"]["enum"][0]: move for move in moves if "type" in move.get("properties", {})}


def rules(slug: str) -> dict[str, Any]:
    """Answer ``GET /v1/games/{game}/rules``."""
    return {**_named(slug), "rules": rulebook(slug).rules}


def rule(slug: str, rule_id: str) -> Mapping[str, Any] | None:
    """Answer ``GET /v1/games/{game}/rules/{rule}``; ``None`` where the game has no such rule."""
    found = rulebook(slug).rule(rule_id)
    return {**_named(slug), **found} if found else None
