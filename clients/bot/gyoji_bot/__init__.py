"""Bots for gyoji, the referee of tabletop card games."""

from gyoji_bot.bot import Bot, Document, Turn

__version__ = "0.1.0"

__all__ = ["Bot", "Document", "Turn"]
