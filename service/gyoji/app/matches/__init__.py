"""Stored matches: created, played, ruled on, read, exported and imported."""
