"""What a director does beside the rounds: entrants, withdrawals, corrections, the closing."""

from fractions import Fraction
from functools import partial
from typing import Any

from gyoji.app.problems import HttpProblem
from gyoji.messages.language import Language
from gyoji.tournaments.deciding import Event, corrected, entered, withdrawn
from gyoji.tournaments.deciding import closed as closing
from gyoji.tournaments.folding import evolved
from gyoji.web.matches.preconditions import if_match, once
from gyoji.web.tournaments.asking import AskedOf
from gyoji.web.tournaments.sending import key_of, sent_document
from gyoji.web.tournaments.writing import Decided, taken, written


def new_entrants(asked: AskedOf, body: bytes, language: Language) -> AskedOf:
    """``addEntrants``: all of them, or none."""
    key = key_of(asked, "addEntrants", body)

    def make() -> AskedOf:
        sent = sent_document(body, "entrants", f"{asked.path}/entrants", language)
        return written(asked, if_match(demanded=False), key, partial(_entering, sent["entrants"]))

    return once(asked.desk, key, make, lambda _known: asked.read_again())


def _entering(entrants: list[dict[str, Any]], now: AskedOf) -> Decided:
    tournament, events = now.tournament, list[Event]()
    for entrant in entrants:
        event = taken(now, entered(tournament, entrant["name"], tuple(entrant.get("members", ()))))
        tournament = evolved(tournament, event.type, event.data)
        events.append(event)
    return Decided(events)


def withdrawal(asked: AskedOf, entrant: str) -> AskedOf:
    """``withdrawEntrant``: the entrant plays no further round."""
    key = key_of(asked, f"withdrawEntrant {entrant}", b"")
    if asked.tournament.entrant(entrant) is None:
        raise HttpProblem("not-found")

    def decide(now: AskedOf) -> Decided:
        return Decided([taken(now, withdrawn(now.tournament, entrant))])

    return once(
        asked.desk,
        key,
        lambda: written(asked, if_match(demanded=False), key, decide),
        lambda _known: asked.read_again(),
    )


def correction(asked: AskedOf, body: bytes, language: Language) -> AskedOf:
    """``correctStandings``: points given or taken beside all matches."""
    key = key_of(asked, "correctStandings", body)

    def make() -> AskedOf:
        sent = sent_document(body, "corrections", f"{asked.path}/corrections", language)
        return written(asked, if_match(demanded=False), key, partial(_correcting, sent))

    return once(asked.desk, key, make, lambda _known: asked.read_again())


def _correcting(sent: dict[str, Any], now: AskedOf) -> Decided:
    event = corrected(now.tournament, sent["entrant"], Fraction(sent["points"]), sent["reason"])
    return Decided([taken(now, event)])


def closed(asked: AskedOf) -> AskedOf:
    """``closeTournament``: the standings are final, and what the lots came from is told."""
    key = key_of(asked, "closeTournament", b"")

    def decide(now: AskedOf) -> Decided:
        return Decided([taken(now, closing(now.tournament, now.held.secret))], last=True)

    return once(
        asked.desk,
        key,
        lambda: written(asked, if_match(demanded=False), key, decide),
        lambda _known: asked.read_again(),
    )
