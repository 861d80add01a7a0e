"""Who asks, for which match, and whether it may: the first step of every request about matches."""

import re
from collections.abc import Callable
from typing import NamedTuple

from flask import current_app, request

from gyoji.access.callers import Caller, Header, Keyed, Nobody, Seated, bearer, identified
from gyoji.access.rights import Denied, Granted, MatchFacts, Viewer, decision, is_disclosed
from gyoji.api.parameters import MOST_SEQ
from gyoji.app.application import Desk
from gyoji.app.problems import HttpProblem
from gyoji.log.readers import Reader
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer
from gyoji.store.interface import Match
from gyoji.web.accounting import RECORD

MATCH_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class Asked(NamedTuple):
    """A request about a match that its caller may make."""

    desk: Desk
    caller: Caller
    row: Match
    viewer: Viewer

    @property
    def reader(self) -> Reader:
        """The reader of the log that the viewer is."""
        return reader_of(self.viewer)


class Refusal(Exception):
    """The request ends here with this answer, which is no plain problem."""

    def __init__(self, answer: Answer, language: Language) -> None:
        super().__init__(answer.status)
        self.answer = answer
        self.language = language


def reader_of(viewer: Viewer) -> Reader:
    """Which openings of a log the viewer may have."""
    if viewer.sees == "all":
        return "full"
    return viewer.seat if viewer.sees == "seat" and viewer.seat is not None else "public"


def desk() -> Desk:
    """This process's desk."""
    kept: Desk = current_app.extensions["gyoji.desk"]
    return kept


def asked(operation: str, match: str) -> Asked:
    """The request, if its caller may make it; else the problem that its row in the table of rights leads to."""
    row = desk().store.match(match) if MATCH_ID.fullmatch(match) else None
    if row is None:
        _granted(decision(operation, calling(desk(), None), None))
        raise HttpProblem("not-found")
    return asked_about(operation, row)


def asked_about(operation: str, row: Match) -> Asked:
    """The same for a match that is known."""
    here = desk()
    caller = calling(here, row)
    granted = _granted(decision(operation, caller, facts_of(here, row)))
    if granted.viewer.unsealed:
        write_down_unsealing(caller, row.match)
    return Asked(here, caller, row, granted.viewer)


def write_down_unsealing(caller: Caller, match: str) -> None:
    """Have the log say that the key of this request can see what is hidden in the match."""
    if isinstance(caller, Keyed):
        request.environ[RECORD].add_unsealed(caller.id, match)


def write_down_tokens(caller: Caller, row: Match) -> None:
    """The same of a key that is given a token of a seat otherwise than by making the match, unless all that the token
    opens is disclosed. Tokens of spectators and directors are treated alike."""
    if not is_disclosed(_stored_facts(row), "seat"):
        write_down_unsealing(caller, row.match)


def asked_alone(operation: str) -> tuple[Desk, Caller]:
    """The same for a request that is about no match yet."""
    here = desk()
    caller = calling(here, None)
    _granted(decision(operation, caller, None))
    return here, caller


def _granted(decided: Granted | Denied) -> Granted:
    if isinstance(decided, Denied):
        raise HttpProblem(decided.code)
    return decided


def calling(here: Desk, row: Match | None) -> Caller:
    """Who holds the credential of the request; 401 for one that nobody holds. ``row`` spares a second look."""
    credential = bearer(request.environ.get("HTTP_AUTHORIZATION"))
    if isinstance(credential, Header):
        raise HttpProblem("unauthenticated")
    caller = identified(credential, here.lookups(row))
    if isinstance(caller, Nobody):
        raise HttpProblem(caller.value)
    return caller


def watching(here: Desk, match: str) -> Callable[[], Reader | None]:
    """What the caller of this request may read of the match from now on, asked anew at any time and outside of the
    request; ``None`` once its credential is void."""
    credential = bearer(request.environ.get("HTTP_AUTHORIZATION"))

    def reader() -> Reader | None:
        row = here.store.match(match)
        caller = Nobody.UNKNOWN if isinstance(credential, Header) else identified(credential, here.lookups(row))
        if row is None or isinstance(caller, Nobody):
            return None
        decided = decision("readFeed", caller, facts_of(here, row))
        return reader_of(decided.viewer) if isinstance(decided, Granted) else None

    return reader


def facts_of(here: Desk, row: Match) -> MatchFacts:
    """What rights depend on. In a tournament a match whose deals others share is nobody's to watch until it is closed:
    those others would watch it too."""
    facts = _stored_facts(row)
    return facts._replace(visibility="private") if row.visibility == "public" and _tells_others(here, row) else facts


def _stored_facts(row: Match) -> MatchFacts:
    return MatchFacts(row.match, row.owner, row.visibility, row.disclosure, row.head.closed, row.tournament)


def _tells_others(here: Desk, row: Match) -> bool:
    """Whether a match of a tournament shows cards that are in play at other tables too, or may be once more."""
    in_play = row.tournament is not None and not row.head.closed
    return in_play and row.group is not None and here.store.shared(row.group)


def seq_of(text: str) -> int:
    """A ``seq`` from an address; what is none is not found."""
    if not text.isascii() or not text.isdecimal() or len(text) > 10 or (text != "0" and text[0] == "0"):
        raise HttpProblem("not-found")
    return min(int(text), MOST_SEQ)


def actor_of(caller: Caller, seat: int) -> dict[str, object]:
    """Who made a move for a seat, as the log says it."""
    return {"role": "seat" if isinstance(caller, Seated) else "operator", "seat": seat}
