"""Where a page of a list ends, as text that the next request hands back."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

from gyoji.api.parameters import MATCH
from gyoji.app.requests import RequestContext

CREATED = "[0-9T:.Z-]{20,30}"
"""When the last one of a page was created; behind it stands which it was."""


def write_cursor(created: str, name: str) -> str:
    """The cursor behind the last one of a page."""
    return urlsafe_b64encode(f"{created}|{name}".encode()).decode().rstrip("=")


def read_cursor(context: RequestContext, name: str = MATCH) -> tuple[str, str] | None:
    """Where the page before has ended, if the request says so: when its last one was created, and which it was.

    ``name`` is the pattern of the ids in the list. 422 for what no page has ended with.
    """
    text = context.query.get("cursor")
    if text is None:
        return None
    try:
        found = re.fullmatch(rf"({CREATED})\|({name})", urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode())
    except ValueError:
        found = None
    if found is None:
        raise context.invalid_query("cursor")
    return found[1], found[2]
