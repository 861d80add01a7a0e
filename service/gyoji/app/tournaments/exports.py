"""The log of a tournament as a file."""

from collections.abc import Iterator

from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.tournaments.log import export_log


def log_lines(request: TournamentRequest) -> Iterator[bytes]:
    """``exportTournament``: every event, and the signed head."""
    services, held = request.services, request.held
    entries = services.store.tournaments.entries(held.tournament, -1, held.seq)
    return export_log(held.tournament, entries, services.signing)
