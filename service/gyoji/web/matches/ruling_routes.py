"""The addresses at which referees rule, and at which the clock is appealed to."""

from collections.abc import Callable

from flask import Response

from gyoji.api.media import JSON
from gyoji.messages.problems import Answer
from gyoji.web.matches.asking import asked
from gyoji.web.matches.claims import claimed
from gyoji.web.matches.ruling import ruled
from gyoji.web.negotiation import language, must_accept, sent_json
from gyoji.web.responses import own_response


def make_ruling(match: str) -> Response:
    """POST /v1/matches/{match}/rulings."""
    must_accept(JSON)
    made = ruled(asked("makeRuling", match), sent_json(), language())
    tag = [] if made.seq is None else [("ETag", f'"{made.seq}"')]
    return own_response(Answer(200, made.body), language(), tag)


def claim_expiry(match: str) -> Response:
    """POST /v1/matches/{match}/claims."""
    must_accept(JSON)
    made = claimed(asked("claimExpiry", match), language())
    return own_response(Answer(200, made.body), language(), [("ETag", f'"{made.seq}"')])


RULING_ROUTES: tuple[tuple[str, str, str, Callable[..., Response]], ...] = (
    ("makeRuling", "POST", "/v1/matches/<match>/rulings", make_ruling),
    ("claimExpiry", "POST", "/v1/matches/<match>/claims", claim_expiry),
)
