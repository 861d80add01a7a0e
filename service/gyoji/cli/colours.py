"""Colours lines at a terminal, where there is one. A colour never says anything that the text does not say as well."""

import os
import re
import sys
from collections.abc import Mapping
from typing import Literal, NamedTuple

import click

When = Literal["auto", "always", "never"]

SUITS: Mapping[str, Mapping[str, int]] = {
    "tomorrow-never-meows": {"F": 166, "C": 243, "R": 33, "T": 133, "S": 30},
    "catte": {"B": 130, "W": 33, "K": 243},
    "towai": {"D": 166, "N": 33, "T": 133},
    "familiars-trouble": {"RBG": 243, "RB": 133, "RG": 130, "BG": 30, "R": 160, "B": 33, "G": 28},
}
"""The colours of cards by suit, out of the 256 of a terminal: none so light or so dark that it is lost on black or on
white."""

COLOUR_OPTION = click.option(
    "--color",
    "when",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour: where the output is a terminal and NO_COLOR is not set; always; or never.",
)


def is_coloured(when: When) -> bool:
    """Tell whether to colour what goes to standard output."""
    if when == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return when == "always"


class Colours(NamedTuple):
    """The colours of the parts of a line; of cards those of a game, by its slug."""

    slug: str
    on: bool

    def cards(self, text: str) -> str:
        """Colour the cards in a text as their suits are."""
        suits = SUITS.get(self.slug)
        if not self.on or suits is None:
            return text
        card = re.compile(rf"(?<![A-Za-z0-9-])({'|'.join(suits)})(\d{{1,2}})(?![A-Za-z0-9-])")
        return card.sub(lambda found: click.style(found[0], fg=suits[found[1]]), text)

    def heading(self, text: str) -> str:
        """Make a text bold."""
        return click.style(text, bold=True) if self.on else text

    def dim(self, text: str) -> str:
        """Dim what may be passed over: rule ids, event numbers."""
        return click.style(text, dim=True) if self.on else text

    def marked(self, text: str) -> str:
        """Mark whoever is to act."""
        return click.style(text, bold=True, fg=28) if self.on else text
