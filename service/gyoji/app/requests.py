"""Holds one request as plain values: what HTTP carried, parsed once and passed to whatever answers it."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, NamedTuple, Protocol, TypeVar

from gyoji.api.bodies import BodyError, Malformed, parse_json, validate_body
from gyoji.api.operation import Operation
from gyoji.api.parameters import MATCH, MOST_SEQ
from gyoji.app.problems import HttpProblem, RefusedRequest, malformed_header
from gyoji.app.request_record import RequestRecord
from gyoji.app.services import Services
from gyoji.app.suspension import Suspend
from gyoji.messages.language import Language
from gyoji.messages.problems import NotAllowed, invalid_request, malformed, words_allowed

Word = TypeVar("Word", bound=str)

_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_TAGS = re.compile(rf"{_TAG.pattern}(?:[ \t]*,[ \t]*{_TAG.pattern})*")
_OWN_TAG = re.compile(r'"(0|[1-9][0-9]{0,9})"')

CREATED = "[0-9T:.Z-]{20,30}"
"""In a cursor: when the last one of a page was created; behind it stands which it was."""

MAX_BODY = 64 * 1024
"""Bytes of a body of JSON that are read at most."""

MAX_REPLAY = 16 * 1024 * 1024
"""Bytes of a replay file that are read at most."""


class Body(Protocol):
    """The body of a request, which is read only when it is needed."""

    @property
    def length(self) -> int:
        """Return the announced length in bytes; 0 where none is announced."""

    @property
    def is_replay(self) -> bool:
        """Tell whether the body is announced as a replay file."""

    def read_json(self) -> bytes:
        """Read the bytes of a body that is announced as JSON. Raises ``HttpProblem`` with 411, 413 or 415 for any
        other."""

    def open_replay(self) -> IO[bytes]:
        """Open the replay file of the body at its beginning; the caller closes it. Raises ``HttpProblem`` with 411, 413
        or 415."""


class Precondition(NamedTuple):
    """The precondition of a request (``If-Match``): the ``seq`` of the view that the caller had, or of several.
    ``None`` without a precondition, and for ``*``."""

    seqs: tuple[int, ...] | None


class PeerConnection(NamedTuple):
    """The connection that a request came over."""

    socket: Any | None
    """The socket, where the server tells of it."""
    peer: str
    """The address at its other end, as the kernel names it; ``""`` for a local socket."""
    forwarded_for: str
    """The header ``X-Forwarded-For``."""


class RequestContext(NamedTuple):
    """The values of one request that services read, and the services of this process."""

    operation: Operation
    """The row of the operation that is asked for."""
    services: Services
    record: RequestRecord
    """What is logged and counted of the request; the only part of it that changes."""
    path: str
    query: Mapping[str, str]
    """The parameters of the query; of one that is given twice the first."""
    language: Language
    authorization: str | None
    """The header ``Authorization``."""
    if_match: str | None
    idempotency_key: str | None
    last_event_id: str | None
    connection: PeerConnection
    body: Body
    suspend: Suspend | None
    """Takes what waits for news, where the server can go on with it without a thread."""
    has_waited: bool
    """Whether the request has waited for news, and is to be answered now."""

    def precondition(self, *, demanded: bool) -> Precondition:
        """Read what the caller saw (``If-Match``: RFC 9110, section 13.1.1). Raises 428 where that is demanded and
        missing, 400 for a header that is no list of entity tags.

        A weak tag, or one that is not of this service, is no match for anything: the comparison is strong.
        """
        if self.if_match is None:
            if demanded:
                raise HttpProblem("precondition-required")
            return Precondition(None)
        tags = self.if_match.strip()
        if tags == "*":
            return Precondition(None)
        if _TAGS.fullmatch(tags) is None:
            raise malformed_header("If-Match")
        own = [_OWN_TAG.fullmatch(tag) for tag in _TAG.findall(tags)]
        return Precondition(tuple([int(found[1]) for found in own if found is not None]))

    def invalid(self, errors: Sequence[BodyError]) -> RefusedRequest:
        """Return 422: what is wrong, and where in the body."""
        return RefusedRequest(invalid_request(errors, self.path, self.language), self.language)

    def malformed(self, why: str, facts: Mapping[str, object] | None = None) -> RefusedRequest:
        """Return 400: the body is not what it is announced as, for the reason of that code."""
        return RefusedRequest(malformed(why, facts or {}, self.path, self.language), self.language)

    def invalid_query(self, name: str, code: str = "not-allowed") -> RefusedRequest:
        """Return 422: a parameter of the query has not the published shape, or is wrong for the reason of that code."""
        return self.invalid([(f"/{name}", code)])

    def whole_number(self, name: str, default: int | None, most: int, least: int = 0) -> int | None:
        """Read a whole number of the query, from ``least`` to ``most``. Raises 422 for anything else."""
        text = self.query.get(name)
        if text is None:
            return default
        if not text.isascii() or not text.isdecimal() or len(text) > 10 or not least <= int(text) <= most:
            raise self.invalid_query(name, NotAllowed("numbers", minimum=least, maximum=most))
        return int(text)

    def one_of(self, name: str, known: Iterable[Word]) -> Word | None:
        """Read a word of the query that has to be one of those; ``None`` without it. Raises 422 for any other."""
        text = self.query.get(name)
        if text is None:
            return None
        words = list(known)
        for word in words:
            if word == text:
                return word
        raise self.invalid_query(name, words_allowed(words))

    def matching(self, name: str, pattern: re.Pattern[str]) -> str | None:
        """Read a text of the query that has to match the whole pattern; ``None`` without it. Raises 422 for any
        other."""
        text = self.query.get(name)
        if text is not None and pattern.fullmatch(text) is None:
            raise self.invalid_query(name)
        return text

    def cursor(self, name: str = MATCH) -> tuple[str, str] | None:
        """Read where the page before has ended, if the request names that: when its last one was created, and which it
        was.

        ``name`` is the pattern of the ids in the list. 422 for what no page has ended with.
        """
        text = self.query.get("cursor")
        if text is None:
            return None
        try:
            found = re.fullmatch(rf"({CREATED})\|({name})", urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode())
        except ValueError:
            found = None
        if found is None:
            raise self.invalid_query("cursor")
        return found[1], found[2]


def write_cursor(created: str, name: str) -> str:
    """Write the cursor that points behind the last item of a page: when that was created, and its id."""
    return urlsafe_b64encode(f"{created}|{name}".encode()).decode().rstrip("=")


def parse_document(context: RequestContext, collection: str, call: str, body: bytes) -> Any:
    """Parse the body as JSON of the published shape of that call, its names in their normal form. Raises 400 or 422 for
    any other.

    ``collection`` is what the call is about: ``matches``, ``tournaments``, ``webhooks``, or the slug of a game.
    """
    try:
        return must_fit(context, collection, call, parse_json(body))
    except Malformed as found:
        raise context.malformed(found.why, found.facts) from None


def must_fit(context: RequestContext, collection: str, call: str, document: Any) -> Any:
    """Check a document that has been parsed, or raise what is wrong with its bytes (``Malformed``), as
    ``parse_document``."""
    try:
        if isinstance(document, Malformed):
            raise document
        document, wrong = validate_body(collection, call, document)
    except Malformed as found:
        raise context.malformed(found.why, found.facts) from None
    if wrong:
        raise context.invalid(wrong)
    return document


def parse_seq(text: str) -> int:
    """Parse a ``seq``, or the number of a round or a table, from a URL. Raises 404 for what is none."""
    if not text.isascii() or not text.isdecimal() or len(text) > 10 or (text != "0" and text[0] == "0"):
        raise HttpProblem("not-found")
    return min(int(text), MOST_SEQ)
