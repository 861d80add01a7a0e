"""The errors that end an audit of many replays as a whole."""


class BulkError(Exception):
    """An audit of many replays cannot begin, or cannot go on; the text says why, for the person who started it."""


class MissingExtra(BulkError):
    """An optional package is not installed that the audit was asked to use."""
