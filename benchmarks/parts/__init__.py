"""Where the time goes: each whole that a goal speaks of, and its parts measured alone."""
