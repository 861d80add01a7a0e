"""Makes, reads and closes groups of matches that share their deals, and sets their matches up as they demand."""

from collections.abc import Mapping
from typing import Any

from gyoji.access.callers import Caller, KeyHolder
from gyoji.access.rights import may_join, may_manage
from gyoji.app.authorization import UUID, account_of
from gyoji.app.clock import is_time
from gyoji.app.disclosures import OVER, settle_group
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext, parse_document
from gyoji.app.services import Services
from gyoji.games.catalogue import BY_SLUG, BY_VERSION
from gyoji.games.chance import commitment
from gyoji.games.game import Game
from gyoji.log.canonical import canonical
from gyoji.messages.problems import Answer
from gyoji.published_files import rules_digest
from gyoji.store.interface import Remembered
from gyoji.store.records import Group

NO_GROUP = ("/group", "no-such-group")
FULL_GROUP = ("/group", "group-full")


def setup_errors(game: Game[Any], seats: int, first: int, options: Any) -> list[tuple[str, str]]:
    """Find what a shape cannot check: which tables and options a game has."""
    if not game.min_seats <= seats <= game.max_seats:
        return [("/seats", "not-allowed")]
    if first >= seats:
        return [("/first", "no-such-seat")]
    return [(found.pointer, found.code) for found in game.contradictions(seats, options)]


def group_to_join(context: RequestContext, caller: Caller, sent: Mapping[str, Any], account: str) -> Group | None:
    """Return the group that a new match is to join. Raises 403 for a caller that may add to no group; 422 where there
    is no such group, or the request differs from it."""
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
    """Tell whether the caller made the group, and so knows what is dealt in it from its first match on."""
    return isinstance(caller, KeyHolder) and caller.id == group.maker


def is_of_tournament(services: Services, group: Group) -> bool:
    """Tell whether a tournament made the group, with its matches at once. Only the tournament adds to such a group and
    closes it: whoever joined it would see the deals of a round that is played."""
    matches = services.store.group_members(group.group)
    row = services.store.match(matches[0].match) if matches else None
    return row is not None and row.tournament is not None


def _differing(sent: Mapping[str, Any], group: Group) -> list[str]:
    """Return the members of the request that differ from the group."""
    fixed = ("game", "version", "first", "disclosure")
    wrong = [name for name in fixed if name in sent and sent[name] != getattr(group, name)]
    if "seats" in sent and count_of(sent["seats"]) != group.seats:
        wrong.append("seats")
    game = BY_VERSION[group.game, group.version]
    if not wrong and "options" in sent and _written(game, sent["options"]) != canonical(group.options):
        wrong.append("options")
    if sent.get("randomness", {"policy": "server"}) != {"policy": "server"}:
        wrong.append("randomness")
    return [*wrong, "withheld_until"] if "withheld_until" in sent else wrong


def fill_from_group(sent: Mapping[str, Any], group: Group) -> Mapping[str, Any]:
    """Return the body of a request with everything that the group fixes filled in."""
    shared = {"game": group.game, "options": group.options, "first": group.first, "disclosure": group.disclosure}
    return {"seats": group.seats, **sent, **shared}


def count_of(seats: int | list[Any]) -> int:
    """Return how many seats there are, where they are counted or listed."""
    return len(seats) if isinstance(seats, list) else seats


def _written(game: Game[Any], options: Mapping[str, Any]) -> bytes:
    """Write all the options that these are, as they are stored."""
    return canonical(game.write_options(game.read_options(options)))


def create_group(context: RequestContext, caller: Caller, body: bytes) -> Answer:
    """Answer ``createGroup``: the group, with the commitment to the secret behind the deals of all its matches."""
    services = context.services
    key = read_key(context, caller, f"owner:{account_of(caller)}", b"createGroup\n", body)

    def create() -> Answer:
        group = _group(context, parse_document(context, "matches", "groups", body), caller)
        services.store.create_group(group, key)
        return Answer(201, group_document(services, group))

    return do_once(services, key, create, lambda known: _created_before(services, known))


def _created_before(services: Services, known: Remembered) -> Answer:
    group = services.store.group(known.match)
    if group is None:
        raise HttpProblem("not-found")
    return Answer(201, group_document(services, group))


def _group(context: RequestContext, sent: Mapping[str, Any], caller: Caller) -> Group:
    services = context.services
    game = BY_SLUG[sent["game"]]
    options, first, until = game.read_options(sent.get("options", {})), sent.get("first", 0), sent.get("until")
    wrong = setup_errors(game, sent["seats"], first, options)
    if until is not None and not is_time(until):
        wrong.append(("/until", "no-time"))
    if wrong:
        raise context.invalid(wrong)
    return Group(
        group=services.new_id(),
        owner=account_of(caller),
        created=services.at(),
        game=game.slug,
        version=game.version,
        seats=sent["seats"],
        options=game.write_options(options),
        first=first,
        disclosure=sent.get("disclosure", "public_on_close"),
        until=until,
        secret=services.random(64),
        maker=caller.id if isinstance(caller, KeyHolder) else None,
    )


def find_group(services: Services, caller: Caller, name: str) -> Group:
    """Return the group of that id, if it is the caller's. Raises 404 for any other."""
    group = services.store.group(name) if UUID.fullmatch(name) else None
    if group is None or not may_manage(caller, group.owner):
        raise HttpProblem("not-found")
    return group


def close_group(services: Services, group: Group) -> dict[str, Any]:
    """Answer ``closeGroup``: it takes no more matches, and is disclosed if none is played any more. Raises 403 for one
    of a tournament, which closes with its round."""
    if is_of_tournament(services, group):
        raise HttpProblem("forbidden")
    services.store.close_group(group.group)
    settle_group(services, group.group)
    return group_document(services, group._replace(closed=True))


def group_document(services: Services, group: Group) -> dict[str, Any]:
    """Write ``readGroup``: what its matches are set up with, how they stand, and what the disclosure waits for."""
    matches = services.store.group_members(group.group)
    is_disclosed = group.closed and bool(matches) and all(each.closed for each in matches)
    url = f"/v1/groups/{group.group}"
    playing = [each.match for each in matches if each.status not in OVER]
    waiting = None if group.until is None or group.until <= services.at() else group.until
    return {
        "group": group.group,
        "game": group.game,
        "version": group.version,
        "rules_digest": rules_digest(group.game),
        "status": "disclosed" if is_disclosed else "closed" if group.closed else "open",
        "created": group.created,
        "seats": group.seats,
        "options": group.options,
        "first": group.first,
        "disclosure": group.disclosure,
        "until": group.until,
        "seed_commitment": commitment(group.secret, group.game, group.version, group.group),
        "matches": [each._asdict() for each in matches],
        "waiting_for": {"close": not group.closed, "matches": playing, "until": waiting},
        "links": {"self": url, "close": f"{url}/close"},
    }
