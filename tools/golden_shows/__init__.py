"""What a golden replay shows: questions to a whole log, as a reader with every opening sees it, by game.

Each function is named like the file that was searched for with it, or in ``golden.toml`` under ``asks``.
"""
