"""Checks whether a store still holds what was put into it, subject by subject."""
