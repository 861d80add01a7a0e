"""gyoji: a referee for tabletop card games, over HTTP."""

from importlib.util import find_spec

__version__ = "0.1.0"


def is_compiled() -> bool:
    """Whether this installation has its rules as machine code; it looks at the name of one file."""
    found = find_spec("gyoji.games.game")
    return found is not None and not str(found.origin).endswith(".py")
