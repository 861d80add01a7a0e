"""Tournaments: created, paired round by round, corrected, closed, and their standings."""
