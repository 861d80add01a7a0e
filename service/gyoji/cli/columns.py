"""The columns that a text takes at a terminal."""

from unicodedata import category, east_asian_width


def width(text: str) -> int:
    """Count the columns of a text: Japanese characters take two; marks, and what joins or isolates, none."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int) -> str:
    """Return the text with spaces up to so many columns."""
    return text + " " * (columns - width(text))
