"""New matches of a group: they are set up as the group says."""

from collections.abc import Mapping
from typing import Any

from gyoji.access.callers import Caller, Keyed
from gyoji.access.rights import may_join
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.games.catalogue import BY_VERSION
from gyoji.games.game import Game
from gyoji.log.canonical import canonical
from gyoji.store.groups import Group

NO_GROUP = ("/group", "no-such-group")
FULL_GROUP = ("/group", "group-full")


def joined(context: RequestContext, caller: Caller, sent: Mapping[str, Any], account: str) -> Group | None:
    """The group that the match is to be of; 403 for whoever may add to none, 422 where there is none, or where what was
    sent is not what it says."""
    if "group" not in sent:
        return None
    if not may_join(caller):
        raise HttpProblem("forbidden")
    services = context.services
    group = services.store.group(sent["group"])
    if group is None or group.owner != account or group.closed or is_of_tournament(services, group):
        wrong = [NO_GROUP]
    else:
        wrong = [(f"/{name}", "differs-from-group") for name in _differing(sent, group)]
    if wrong:
        raise context.invalid(wrong)
    return group


def is_maker(caller: Caller, group: Group) -> bool:
    """Whether the caller made the group, and so knows what is dealt in it from the first of its matches on."""
    return isinstance(caller, Keyed) and caller.id == group.maker


def is_of_tournament(services: Services, group: Group) -> bool:
    """Whether a tournament made the group, with its matches at once: whoever joined it would see the deals of a round
    that is played. Only the tournament adds to it, and closes it."""
    matches = services.store.group_members(group.group)
    row = services.store.match(matches[0].match) if matches else None
    return row is not None and row.tournament is not None


def _differing(sent: Mapping[str, Any], group: Group) -> list[str]:
    """The members that say otherwise than the group."""
    said = ("game", "version", "first", "disclosure")
    wrong = [name for name in said if name in sent and sent[name] != getattr(group, name)]
    if "seats" in sent and count_of(sent["seats"]) != group.seats:
        wrong.append("seats")
    game = BY_VERSION[group.game, group.version]
    if not wrong and "options" in sent and _written(game, sent["options"]) != canonical(group.options):
        wrong.append("options")
    if sent.get("randomness", {"policy": "server"}) != {"policy": "server"}:
        wrong.append("randomness")
    return [*wrong, "withheld_until"] if "withheld_until" in sent else wrong


def of_group(sent: Mapping[str, Any], group: Group) -> Mapping[str, Any]:
    """The request with everything that the group says."""
    shared = {"game": group.game, "options": group.options, "first": group.first, "disclosure": group.disclosure}
    return {"seats": group.seats, **sent, **shared}


def count_of(seats: int | list[Any]) -> int:
    """How many seats, where they are counted or listed."""
    return len(seats) if isinstance(seats, list) else seats


def _written(game: Game[Any], options: Mapping[str, Any]) -> bytes:
    """All the options that these are, as they are stored."""
    return canonical(game.write_options(game.read_options(options)))
