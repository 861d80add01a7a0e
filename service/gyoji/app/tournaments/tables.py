"""Makes the matches of a round, each in a group. So the deals of one table stay unknown to the others until the round
is closed. With duplicate play all tables share one group, and so the same deals.
"""

from collections.abc import Sequence

from gyoji.access.callers import KeyHolder
from gyoji.app.matches.creation import row_of
from gyoji.app.tournaments.appends import TournamentChange
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.holds import rule_for_round
from gyoji.games.catalogue import BY_VERSION
from gyoji.match import recorder
from gyoji.match.events.match_created import MatchDraft
from gyoji.match.state import MatchState
from gyoji.published_files import rules_digest
from gyoji.store.interface import NewMatch
from gyoji.store.records import Group
from gyoji.tournaments.tournament import Table, Tournament, names_at


def make_matches(
    request: TournamentRequest,
    number: int,
    tables: Sequence[Table],
    shared: Group | None = None,
    *,
    held: bool = False,
) -> TournamentChange:
    """Make a match for each of the tables of that round: what is to be stored of them, without an event yet. ``shared``
    is a group that is there already, which they join. ``held``: they begin paused."""
    services, tournament = request.services, request.tournament
    groups = [] if shared is not None else _groups(request, tournament, tables)
    of_table = [shared] * len(tables) if shared is not None else groups * len(tables) if len(groups) == 1 else groups
    at, now = services.at(), int(services.clock())
    matches, states = list[NewMatch](), list[MatchState]()
    for table, group in zip(tables, of_table, strict=True):
        beginning = _beginning(request, tournament, number, table, group)
        entries, match = recorder.begin(beginning, at, services.salt)
        if held:
            more, match = rule_for_round(request, match, "hold", at)
            entries = (*entries, *more)
        row = row_of(beginning, request.held.owner, at, now, match)._replace(tournament=request.held.tournament)
        matches.append(NewMatch(row, entries))
        states.append(match)
    return TournamentChange(groups=groups, matches=matches, states=states)


def _groups(request: TournamentRequest, tournament: Tournament, tables: Sequence[Table]) -> list[Group]:
    """Make one group for all tables, or one for each."""
    needed = tables[:1] if tournament.rules.duplicate else tables
    return [_group(request, tournament, len(table.seats)) for table in needed]


def _group(request: TournamentRequest, tournament: Tournament, seats: int) -> Group:
    services, rules = request.services, tournament.rules
    return Group(
        group=services.new_id(),
        owner=request.held.owner,
        created=services.at(),
        game=rules.game,
        version=rules.version,
        seats=seats,
        options=rules.options,
        first=0,
        disclosure=rules.disclosure,
        until=None,
        secret=services.random(64),
        maker=request.caller.id if isinstance(request.caller, KeyHolder) else None,
    )


def _beginning(
    request: TournamentRequest, tournament: Tournament, number: int, table: Table, group: Group
) -> MatchDraft:
    game = BY_VERSION[group.game, group.version]
    return MatchDraft(
        match=request.services.new_id(),
        game=game,
        rules_digest=rules_digest(game.slug),
        seats=group.seats,
        options=game.read_options(group.options),
        first=group.first,
        disclosure=group.disclosure,
        visibility=request.held.visibility,
        if_match="optional",
        deal_id=group.group,
        secret=group.secret,
        names=names_at(tournament, number, table),
        metadata={"tournament": request.held.tournament, "round": number, "table": table.number},
        tags=(),
        withheld_until="group",
        clock=tournament.rules.clock,
    )
