"""``python -m gyoji_bot``."""

from gyoji_bot.cli import main

main()
