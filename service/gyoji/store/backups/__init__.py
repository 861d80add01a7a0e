"""Copies of a whole store in one file: how they are made, what they say of themselves, how they are restored."""
