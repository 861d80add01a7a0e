"""The operations of the service itself over HTTP: files that pages load, the contract, health, metrics."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path, PurePath

import orjson
from flask import Response, send_file, send_from_directory

from gyoji.api.media import JSON
from gyoji.api.parameters import TAGS
from gyoji.app.metrics import TEXT_FORMAT, meters
from gyoji.app.problems import RETRY_AFTER, HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.language import LANGUAGES
from gyoji.published_files import rules_digest
from gyoji.web.pages.templates import words_of, words_of_player
from gyoji.web.requests import accepts_gzip
from gyoji.web.responses import (
    CompleteResponse,
    HeaderPairs,
    LastingBody,
    json_response,
    lasting_json,
    lasting_response,
)
from gyoji.web.routes import Routes

routes = Routes()

STATIC = Path(__file__).parent / "static"

VERIFIER = "verify.mjs"
"""The second verifier. What it knows of a game follows it in the file that is served."""

GAMES = "games/{slug}.{language}.json"
"""What the drawn table of one game says in one language, and how it is drawn."""

ASKED_FOR = ("ruling", "referee-call")
"""What the desk of a referee at a match says in one language: for those alone who open it."""

TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": JSON,
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
}
"""Of static files, by the ends of their names; the others are plain text. Not what the machine knows of it: machines
differ, and their tables take long to read."""

FILE_HEADERS: HeaderPairs = [("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]


@routes.handles("readStaticFile")
def static_file(_context: RequestContext, filename: str) -> Response:
    """Serve a file that pages load; the second verifier is one of them. Packed, for whoever unpacks: nothing in these
    files is secret, so that their length may tell what they hold."""
    if PurePath(filename).suffix in TYPES and accepts_gzip():
        return _packed_response(filename)
    media = TYPES.get(PurePath(filename).suffix, "text/plain")
    if filename in composed():
        content = composed()[filename]
        response = send_file(BytesIO(content), media, etag=sha256(content).hexdigest()[:32])
    else:
        response = send_from_directory(STATIC, filename, mimetype=media)
    response.vary.add("Accept-Encoding")
    return response


@cache
def composed() -> Mapping[str, bytes]:
    """Make the static files that are made of the games and of words, by name."""
    said = {
        f"{table}.{language}.json": orjson.dumps(words_of(table, language))
        for table in ASKED_FOR
        for language in LANGUAGES
    }
    tables = {
        GAMES.format(slug=slug, language=language): orjson.dumps(words_of_player(slug, language))
        for slug in BY_SLUG
        for language in LANGUAGES
    }
    return {VERIFIER: verifier(), **said, **tables}


def verifier() -> bytes:
    """Write the second verifier as one file: ``verify.mjs``, and behind it, by slug, the ``verifier.mjs`` of every game
    that has one."""
    parts = [STATIC / VERIFIER, *(files(BY_SLUG[slug].package).joinpath("verifier.mjs") for slug in sorted(BY_SLUG))]
    return b"".join([part.read_bytes() for part in parts if part.is_file()])


def _packed_response(filename: str) -> Response:
    if filename not in _packable():
        raise HttpProblem("not-found")
    media = TYPES[PurePath(filename).suffix]
    return lasting_response(_file(filename), media if media == JSON else f"{media}; charset=utf-8", FILE_HEADERS)


@cache
def _packable() -> frozenset[str]:
    """Return the files that there are: what a caller names is compared, and asked of no file system, which may refuse
    it."""
    found = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.suffix in TYPES]
    return frozenset([*found, *composed()])


@cache
def _file(filename: str) -> LastingBody:
    return LastingBody(composed().get(filename) or (STATIC / filename).read_bytes())


@routes.handles("readContract")
def contract(context: RequestContext) -> Response:
    """Serve ``openapi.yaml`` as JSON: all of it, or the operations of one tag."""
    return lasting_response(_contract(context.one_of("tag", TAGS)), JSON)


@cache
def _contract(tag: str | None) -> LastingBody:
    from gyoji.api.contract import contract_document
    from gyoji.api.contract_slices import contract_of_tag

    document = contract_document()
    return lasting_json(document if tag is None else contract_of_tag(document, tag))


@routes.handles("readCollection")
def collection(_context: RequestContext) -> Response:
    """Serve the calls of the contract as a collection of requests, for Postman and Bruno."""
    return lasting_response(_collection(), JSON)


@cache
def _collection() -> LastingBody:
    from gyoji.api.collection import collection_of
    from gyoji.api.contract import contract_document

    return lasting_json(collection_of(contract_document()))


@routes.handles("readHealth")
def health(_context: RequestContext) -> Response:
    """Answer that the process lives."""
    return json_response({"status": "ok"})


@routes.handles("readReadiness")
def readiness(context: RequestContext) -> Response:
    """Answer that the service can do its work: the rules and the schemas that requests are checked against are there,
    the store answers and does not wait to be recovered. ``degraded`` where it did not take the last write: reads go
    on."""
    try:
        for slug in BY_SLUG:
            rules_digest(slug)
    except OSError:
        raise HttpProblem("unavailable", retry_after=RETRY_AFTER, cause="damaged") from None
    context.services.readiness.look()
    cause = context.services.last_write.cause
    return json_response({"status": "ok"} if cause is None else {"status": "degraded", "cause": cause})


@routes.handles("readMetrics")
def metrics(_context: RequestContext) -> Response:
    """Serve what all workers have counted."""
    return CompleteResponse(meters().text(), TEXT_FORMAT)
