"""Constants of the HTTP API that need no shapes: media types and the names of the stateless calls."""

from collections.abc import Mapping

JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
JSON_LINES = "application/jsonl"
EVENT_STREAM = "text/event-stream"
TEXT = "text/plain"
HTML = "text/html"
CSV = "text/csv"
OCTETS = "application/octet-stream"

CALLS = ("states", "adjudications", "legal-moves", "scores", "views")
"""The stateless calls, by the last part of their URL."""

QUESTIONS = "questions"
"""The one that takes no whole position, and so no capsule; not every game has it."""

SEALED: Mapping[str, str] = {call: f"sealed-{call}" for call in CALLS}
"""What the body of the same call is named where it asks for a capsule, or brings one in place of the state."""

IN_THE_OPEN, IN_A_CAPSULE = "open", "sealed"
"""How a position is answered by ``states`` and ``adjudications``: with the whole state, or sealed."""

TRIED = "dry_run"
"""What kind of answer a move has that was only tried; that of a move which was made is the slug of its game."""
