"""Names of the HTTP API that need no shapes: media types and the stateless calls."""

from collections.abc import Mapping

JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
JSON_LINES = "application/jsonl"
EVENT_STREAM = "text/event-stream"
TEXT = "text/plain"
HTML = "text/html"
CSV = "text/csv"
OCTETS = "application/octet-stream"

CALLS: Mapping[str, str] = {
    "states": "A first position: hands dealt, ready for the first move",
    "adjudications": "A state and a move, or moves in order: the ruling and the next state",
    "legal-moves": "Every move that would be accepted",
    "scores": "The scores and how each figure came about",
    "views": "The state as one seat, or a spectator, may know it",
}
"""The stateless calls, by the last part of their address, and what each answers."""

SEALED: Mapping[str, str] = {call: f"sealed-{call}" for call in CALLS}
"""What the body of the same call is named where it asks for a capsule, or brings one in place of the state."""
