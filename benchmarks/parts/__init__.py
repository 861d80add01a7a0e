"""Splits each whole that a goal speaks of into parts that are measured alone."""
