"""What is sent with requests about tournaments: bodies, and the keys under which they are remembered."""

from typing import Any

from gyoji.api.json_gate import Malformed, parsed
from gyoji.api.validation import received
from gyoji.messages.language import Language
from gyoji.messages.problems import invalid_request, malformed
from gyoji.store.interface import Request
from gyoji.web.matches.asking import Refusal
from gyoji.web.matches.preconditions import idempotency
from gyoji.web.tournaments.asking import AskedOf


def sent_document(body: bytes, call: str, instance: str, language: Language) -> Any:
    """The body, if it is JSON and has the published shape of that call."""
    try:
        document = parsed(body)
        document, wrong = received("tournaments", call, document)
    except Malformed as found:
        raise Refusal(malformed(found.why, instance, language), language) from None
    if wrong:
        raise Refusal(invalid_request(wrong, instance, language), language)
    return document


def key_of(asked: AskedOf, operation: str, body: bytes) -> Request | None:
    """The idempotency key of a request about a tournament; keys are of the tournament."""
    scope = f"tournament:{asked.held.tournament}"
    return idempotency(asked.desk, asked.caller, scope, f"{operation}\n".encode(), body)
