"""Records who is here: entrants check in with their tokens, and whoever runs the tournament can say it of anybody."""

from collections.abc import Mapping
from typing import Any

from gyoji.app.problems import HttpProblem
from gyoji.app.requests import Precondition, RequestContext, parse_document
from gyoji.app.tournaments.appends import TournamentChange, accept_decision, append
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.management import Decide, change_once
from gyoji.app.tournaments.places import holder_of, write_place
from gyoji.tournaments.decisions import decide_presence


def set_presence(request: TournamentRequest, entrant: str, body: bytes) -> TournamentRequest:
    """Answer ``setPresence``: the entrant is here from now on, or is not."""
    key = request.read_key(f"setPresence {entrant}", body)
    if request.tournament.entrant(entrant) is None:
        raise HttpProblem("not-found")

    def read() -> Decide:
        sent = parse_document(request.context, "tournaments", "presence", body)
        return _decision(entrant, sent)

    return change_once(request, key, read)


def check_in(context: RequestContext, name: str, body: bytes) -> dict[str, Any]:
    """Answer ``checkIn``: the holder of an entrant's token is here, or leaves; then where they sit. To say what is
    known already changes nothing, so it can be sent again."""
    sent = parse_document(context, "tournaments", "check-ins", body)
    holder = holder_of(context, name, sent["token"])
    after, _decided = append(holder.request, Precondition(None), None, _decision(holder.entrant, sent))
    return write_place(holder._replace(request=after))


def _decision(entrant: str, sent: Mapping[str, Any]) -> Decide:
    def decide(now: TournamentRequest) -> TournamentChange:
        decided = decide_presence(now.tournament, entrant, present=sent["present"], own=now.as_entrant)
        event = accept_decision(now, decided)
        return TournamentChange([] if event is None else [event])

    return decide
