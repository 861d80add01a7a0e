"""Groups of matches that share their deals: made, read, closed, joined."""

from collections.abc import Mapping
from typing import Any

from gyoji.access.callers import Caller, Keyed
from gyoji.access.rights import may_manage
from gyoji.app.application import Desk
from gyoji.app.problems import HttpProblem
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import commitment
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer, invalid_request
from gyoji.published_files import rules_digest
from gyoji.store.groups import Group
from gyoji.store.interface import Remembered
from gyoji.web.matches.asking import MATCH_ID, Refusal
from gyoji.web.matches.creating import account_of, is_time, new_id, sent_document, wrongly_set_up
from gyoji.web.matches.joining import is_of_tournament
from gyoji.web.matches.preconditions import idempotency, once
from gyoji.web.settling import OVER, settle_group


def new_group(here: Desk, caller: Caller, body: bytes, language: Language) -> Answer:
    """``createGroup``: the group, with the commitment to the secret behind the deals of all its matches."""
    key = idempotency(here, caller, f"owner:{account_of(caller)}", b"createGroup\n", body)

    def made() -> Answer:
        group = _group(here, sent_document(body, "groups", "/v1/groups", language), caller, language)
        here.store.create_group(group, key)
        return Answer(201, group_document(here, group))

    return once(here, key, made, lambda known: _created_before(here, known))


def _created_before(here: Desk, known: Remembered) -> Answer:
    group = here.store.group(known.match)
    if group is None:
        raise HttpProblem("not-found")
    return Answer(201, group_document(here, group))


def _group(here: Desk, sent: Mapping[str, Any], caller: Caller, language: Language) -> Group:
    game = BY_SLUG[sent["game"]]
    options, first, until = game.read_options(sent.get("options", {})), sent.get("first", 0), sent.get("until")
    wrong = wrongly_set_up(game, sent["seats"], first, options)
    if until is not None and not is_time(until):
        wrong.append(("/until", "no-time"))
    if wrong:
        raise Refusal(invalid_request(wrong, "/v1/groups", language), language)
    return Group(
        group=new_id(here),
        owner=account_of(caller),
        created=here.at(),
        game=game.slug,
        version=game.version,
        seats=sent["seats"],
        options=game.write_options(options),
        first=first,
        disclosure=sent.get("disclosure", "public_on_close"),
        until=until,
        secret=here.random(64),
        maker=caller.id if isinstance(caller, Keyed) else None,
    )


def own_group(here: Desk, caller: Caller, name: str) -> Group:
    """The group at that address, if it is the caller's; what is not is not found."""
    group = here.store.group(name) if MATCH_ID.fullmatch(name) else None
    if group is None or not may_manage(caller, group.owner):
        raise HttpProblem("not-found")
    return group


def closed_group(here: Desk, group: Group) -> dict[str, Any]:
    """``closeGroup``: it takes no more matches, and is disclosed if none is played any more. 403 for one of a
    tournament, which closes with its round."""
    if is_of_tournament(here, group):
        raise HttpProblem("forbidden")
    here.store.close_group(group.group)
    settle_group(here, group.group)
    return group_document(here, group._replace(closed=True))


def group_document(here: Desk, group: Group) -> dict[str, Any]:
    """``readGroup``: what its matches are set up with, how they stand, and what the disclosure waits for."""
    matches = here.store.grouped(group.group)
    told = group.closed and bool(matches) and all(each.closed for each in matches)
    address = f"/v1/groups/{group.group}"
    playing = [each.match for each in matches if each.status not in OVER]
    waiting = None if group.until is None or group.until <= here.at() else group.until
    return {
        "group": group.group,
        "game": group.game,
        "version": group.version,
        "rules_digest": rules_digest(group.game),
        "status": "disclosed" if told else "closed" if group.closed else "open",
        "created": group.created,
        "seats": group.seats,
        "options": group.options,
        "first": group.first,
        "disclosure": group.disclosure,
        "until": group.until,
        "seed_commitment": commitment(group.secret, group.game, group.version, group.group),
        "matches": [each._asdict() for each in matches],
        "waiting_for": {"close": not group.closed, "matches": playing, "until": waiting},
        "links": {"self": address, "close": f"{address}/close"},
    }
