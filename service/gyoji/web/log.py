"""The log over all matches: its checkpoint, tiles, entries and proofs, and when it grows.

Leaves wait from the transaction on that stored their match. They get into the log after the answer to a request, and
before the answer to whoever asks for a checkpoint while one has waited for a second: so nobody's move waits for it.
"""

import re
from time import monotonic

from flask import Flask, Response, request

from gyoji.api.media import JSON, OCTETS, TEXT
from gyoji.api.parameters import MATCH, MOST_LEAVES, PROVABLE
from gyoji.app.application import Desk
from gyoji.app.clock import written_time
from gyoji.app.logs import log_aside
from gyoji.app.problems import HttpProblem
from gyoji.app.signing_keys import current_signer
from gyoji.messages.problems import Answer
from gyoji.store.interface import Unavailable
from gyoji.store.transparency import Placed, Signed
from gyoji.trust.transparency.notes import Verifier, log_name, vkey
from gyoji.trust.transparency.tree import WIDTH, bundle, consistency, inclusion, read_place, root, width_of
from gyoji.web.matches.asking import desk
from gyoji.web.matches.reading import whole, wrong_query
from gyoji.web.negotiation import language, must_accept
from gyoji.web.responses import FRESH, Pairs, Whole, answer_response

LASTING: Pairs = [("Cache-Control", "public, max-age=31536000, immutable")]
"""Headers of what is never another: a tile, full or of so many hashes."""

PLAIN = f"{TEXT}; charset=utf-8"

PATIENCE = 1.0
"""Seconds that a leaf may have waited when somebody asks; and the seconds between two growths after answers."""

LEVEL = re.compile("0|[1-9][0-9]?")
MATCH_ID = re.compile(MATCH)


def name_of_log(here: Desk) -> str:
    """The name of the log: another one since each recovery of the store."""
    return log_name(here.settings.origin, here.store.restorations.generation())


def grown(here: Desk) -> Signed:
    """The checkpoint over everything that waits."""
    return here.store.tree.grow(current_signer(here.store, name_of_log(here)), here.at())


def newest(here: Desk) -> Signed:
    """The newest checkpoint; made now where none is there, the key is another, or a leaf has waited long enough. A
    store that was restored shows the last that it knows."""
    tree = here.store.tree
    last, waiting = tree.latest(), tree.waiting()
    if last is not None and here.store.restorations.waits():
        return last
    signing = current_signer(here.store, name_of_log(here))
    overdue = waiting is not None and waiting <= written_time(here.clock() - PATIENCE)
    if last is None or last.key != signing.key or overdue:
        return tree.grow(signing, here.at())
    return last


class Growth:
    """Lets the log grow after answers, at most once a second in each process."""

    def __init__(self, here: Desk) -> None:
        self._here = here
        self._next = 0.0

    def after(self, response: Response) -> Response:
        """The response, with the growth behind it if there is something to enter."""
        if "store" in self._here.__dict__ and self._here.store.news and monotonic() >= self._next:
            self._next = monotonic() + PATIENCE
            response.call_on_close(self._grow)
        return response

    def _grow(self) -> None:
        self._here.store.news = False
        try:
            grown(self._here)
        except Unavailable as failure:  # the leaves wait; whoever asks for the checkpoint is told
            log_aside("log-not-grown", failure)


def read_checkpoint() -> Response:
    """GET /v1/log/checkpoint."""
    must_accept(TEXT)
    return Whole(newest(desk()).note.encode(), PLAIN, headers=FRESH)


def read_log_keys() -> Response:
    """GET /v1/log/key: a line a key, the one in use first; revoked ones are left out."""
    must_accept(TEXT)
    here = desk()
    name = name_of_log(here)
    if not here.store.restorations.waits():
        current_signer(here.store, name)
    kept = [key for key in here.store.signing_keys() if key.origin == name and key.revoked is None]
    kept.sort(key=lambda key: not key.is_in_force)
    return Whole("".join([f"{vkey(Verifier(name, key.public))}\n" for key in kept]).encode(), PLAIN, headers=FRESH)


def read_log_tile(level: str, place: str) -> Response:
    """GET /v1/log/tile/{level}/{place}."""
    must_accept(OCTETS)
    here = desk()
    if LEVEL.fullmatch(level) is None:
        raise HttpProblem("not-found")
    low, high = _within(here, int(level), place)
    return Whole(b"".join(here.store.tree.hashes(int(level), low, high)), OCTETS, headers=LASTING)


def read_log_entries(place: str) -> Response:
    """GET /v1/log/tile/entries/{place}."""
    must_accept(OCTETS)
    here = desk()
    low, high = _within(here, 0, place)
    return Whole(bundle([leaf.body for leaf in here.store.tree.leaves(low, high)]), OCTETS, headers=LASTING)


def _within(here: Desk, level: int, place: str) -> tuple[int, int]:
    """The hashes of a tile that is there in the newest tree; 404 for one that is not, or is not as wide."""
    found = read_place(place)
    last = here.store.tree.latest()
    if found is None or last is None or found[1] > width_of(level, found[0], last.size):
        raise HttpProblem("not-found")
    return found[0] * WIDTH, found[0] * WIDTH + found[1]


def prove_inclusion() -> Response:
    """GET /v1/log/proofs/inclusion."""
    must_accept(JSON)
    here = desk()
    match, kind = request.args.get("match", ""), request.args.get("type", PROVABLE[0])
    if MATCH_ID.fullmatch(match) is None:
        raise wrong_query("match")
    if kind not in PROVABLE:
        raise wrong_query("type")
    size = _size(here, "size")
    leaf = here.store.tree.found(match, "match_created" if kind == PROVABLE[0] else "match_closed", size)
    if leaf is None:
        raise HttpProblem("not-found")
    return answer_response(Answer(200, _inclusion(here, leaf, size)), language())


def _inclusion(here: Desk, leaf: Placed, size: int) -> dict[str, object]:
    nodes = here.store.tree.nodes
    return {
        "size": size,
        "root": root(nodes, size).hex(),
        "index": leaf.number,
        "leaf": leaf.body.decode(),
        "hash": leaf.hash.hex(),
        "proof": [value.hex() for value in inclusion(nodes, leaf.number, size)],
    }


def prove_consistency() -> Response:
    """GET /v1/log/proofs/consistency."""
    must_accept(JSON)
    here = desk()
    second = _size(here, "to")
    first = whole("from", None, MOST_LEAVES)
    if first is None or first > second:
        raise wrong_query("from")
    nodes = here.store.tree.nodes
    body = {
        "from": first,
        "from_root": root(nodes, first).hex(),
        "to": second,
        "to_root": root(nodes, second).hex(),
        "proof": [value.hex() for value in consistency(nodes, first, second)],
    }
    return answer_response(Answer(200, body), language())


def _size(here: Desk, name: str) -> int:
    """The size that was asked for, which the log has to have; else that of the newest checkpoint."""
    last = newest(here).size
    asked = whole(name, last, MOST_LEAVES)
    if asked is None or asked > last:
        raise wrong_query(name)
    return asked


ROUTES = (
    ("readCheckpoint", "/v1/log/checkpoint", read_checkpoint),
    ("readLogKeys", "/v1/log/key", read_log_keys),
    ("readLogEntries", "/v1/log/tile/entries/<path:place>", read_log_entries),
    ("readLogTile", "/v1/log/tile/<level>/<path:place>", read_log_tile),
    ("proveInclusion", "/v1/log/proofs/inclusion", prove_inclusion),
    ("proveConsistency", "/v1/log/proofs/consistency", prove_consistency),
)


def add_log(app: Flask) -> None:
    """The addresses on the application, and the growth behind its answers."""
    for name, address, handler in ROUTES:
        app.add_url_rule(address, name, handler, methods=["GET"])
    app.after_request(Growth(app.extensions["gyoji.desk"]).after)
