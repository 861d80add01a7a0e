"""Lines at a terminal: their colours, which say nothing that the text does not say as well, and their widths."""

import os
import re
import sys
from typing import Literal, NamedTuple
from unicodedata import category, east_asian_width

import click

from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.drawings import drawing

When = Literal["auto", "always", "never"]

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
        if not self.on or self.slug not in BY_SLUG:
            return text
        suits = drawing(self.slug).terminal
        card = re.compile(rf"(?<![A-Za-z0-9-])({'|'.join(suits)})(\d{{1,2}})(?![A-Za-z0-9-])")
        return card.sub(lambda found: click.style(found[0], fg=suits[found[1]]), text)

    def heading(self, text: str) -> str:
        """Make a text bold."""
        return click.style(text, bold=True) if self.on else text

    def dim(self, text: str) -> str:
        """Dim what may be passed over: rule ids, event numbers."""
        return click.style(text, dim=True) if self.on else text

    def marked(self, text: str) -> str:
        """Mark the name of a seat that is to act."""
        return click.style(text, bold=True, fg=28) if self.on else text


def width(text: str) -> int:
    """Count the columns of a text: Japanese characters take two; marks, and what joins or isolates, none."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int) -> str:
    """Return a text padded with spaces to so many columns."""
    return text + " " * (columns - width(text))
