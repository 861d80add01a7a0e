"""Calls cards what people at a table call them: ``Brown 5`` for ``B5``."""

import re
from collections.abc import Mapping
from typing import Any

from gyoji.games.questions import suit_of
from gyoji.messages.game_words import game_words
from gyoji.messages.language import Language

CODE = re.compile(r"([A-Z]{1,3})([0-9]{1,2})")
"""A card: its suit and its number, as the pages draw them."""


def card_name(slug: str, code: str, language: Language) -> str:
    """Return what people call a card: ``Brown 5``; its code where the game has no word for its suit."""
    suit = suit_of(code)
    number, word = code.removeprefix(suit), game_words(slug).table.get(f"suit_{suit}")
    if word is None or not number:
        return code
    return f"{word[language]} {number}" if language == "en" else f"{word[language]}{number}"


def name_cards(slug: str, facts: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return the facts of a sentence with names in the place of the codes of cards."""

    def named(fact: Any) -> Any:
        if isinstance(fact, tuple | list):
            return [named(item) for item in fact]
        return card_name(slug, fact, language) if isinstance(fact, str) and CODE.fullmatch(fact) else fact

    return {name: named(fact) for name, fact in facts.items()}
