"""gyoji: a referee for tabletop card games, over HTTP."""

__version__ = "0.1.0"
