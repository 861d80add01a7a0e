"""Who may know what of a log event, a second time, from the page of domain events alone.

A secret's place is a JSON Pointer into the event's ``data``; its audience is ``"all"`` or a tuple of seats, empty for
nobody.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Literal

Doc = Mapping[str, Any]
Audience = Literal["all"] | tuple[int, ...]
Secrets = dict[str, Audience]
NOBODY: Audience = ()

COMMON = {
    "game_finished": "winners scores reason",
}
TRICKS = {"card_played": "seat card", "trick_won": "seat cards rule"}
FIELDS: dict[str, dict[str, str]] = {
    "tomorrow-never-meows": COMMON
    | TRICKS
    | {
        "hands_dealt": "round hands aside",
        "wish_chosen": "seat wish",
        "wish_announced": "seat wish",
        "round_scored": "round points wishes announced tricks won lines",
    },
    "catte": COMMON
    | TRICKS
    | {
        "hands_dealt": "round hands aside coffee",
        "coffee_served": "seat card",
        "coffee_acquired": "seat card total",
        "round_scored": "round reason points acquired unused lines",
    },
    "towai": COMMON
    | {
        "hands_dealt": "round hands deck",
        "daylight_declared": "seat daylight",
        "card_played": "seat card",
        "daylight_flipped": "daylight",
        "pile_discarded": "rule cards",
        "card_drawn": "seat card rule",
        "deck_reformed": "count deck",
        "swap_begun": "seat",
        "swap_chosen": "seat card",
        "card_passed": "from to card",
        "passed": "seat",
        "turn_ended": "seat",
        "round_finished": "round seat",
    },
    "familiars-trouble": TRICKS
    | {
        "game_finished": "winners scores reason rating",
        "hands_dealt": "round hands draw piles errands",
        "exchange_skipped": "seat",
        "errand_exchange_skipped": "seat",
        "card_passed": "from to card",
        "errand_replaced": "seat discarded turned_up level",
        "errands_completed": "errands totals points",
        "errand_turned_up": "seat errand level",
        "card_drawn": "seat card",
    },
}
"""The members of every domain event besides ``type``."""


UNSEEN = {
    "tomorrow-never-meows": ["aside"],
    "catte": ["aside", "discard"],
    "towai": ["deck"],
    "familiars-trouble": ["draw"],
}
"""The piles of a table that nobody sees."""


def secrets_of(log_event: Doc, created: Doc, known: Doc) -> Secrets:
    """What must be hidden in a log event's data, by pointer, and from whom; ``created`` is the first event's data,
    ``known`` the event's with what the file opens."""
    data, kind = log_event["data"], log_event["type"]
    if kind == "match_created":
        return {f"/{name}": "all" for name in ("names", "metadata", "tags") if name in data}
    if kind == "seed_disclosed":
        return {} if created["disclosure"] == "public_on_close" else {"/server_secret": ()}
    if kind == "ruling_made":
        return secrets_of_ruling(log_event, known, secrets_of_course(data, created))
    return secrets_of_course(data, created)


def secrets_of_ruling(log_event: Doc, known: Doc, found: Secrets) -> Secrets:
    """The name of a substitute, for all; and the reason, for whom the referee says: that is nowhere but in the secrets
    themselves, of which it is the last, unless others are for the same eyes."""
    if known["ruling"].get("name") is not None:
        found = {**found, "/ruling/name": "all"}
    given: list[Audience] = [
        "all" if secret["for"] == "all" else tuple(secret["for"]) for secret in log_event["secret"]
    ]
    others = [seats for seats in given if seats not in found.values()]
    return {**found, "/reason": others[-1] if others else given[-1]}


def secrets_of_course(data: Doc, created: Doc) -> Secrets:
    """Of a position that is taken over, or of a move and of what happened at the table."""
    if "position" in data:
        return {f"/position/table/{name}": seats for name, seats in secrets_of_position(data["position"]).items()}
    found = secrets_of_move(data["move"], created) if "move" in data else {}
    for at, event in enumerate(data.get("events", [])):
        found |= {f"/events/{at}/{name}": seats for name, seats in secrets_of_event(event, created).items()}
    return found


def secrets_of_move(move: Doc, created: Doc) -> Secrets:
    """What only the seat that moves knows of its move: a swapped card, a card passed on, a concealed wish."""
    seat, kind = move["seat"], move["type"]
    if kind in {"swap", "exchange"}:
        return {"/move/card": (seat,)}
    if kind == "wish" and created["options"]["concealed"]:
        return {"/move/wish": (seat,)}
    return {}


def secrets_of_event(event: Doc, created: Doc) -> Secrets:
    kind = event["type"]
    if kind == "hands_dealt":
        hands: Secrets = {f"hands/{seat}": (seat,) for seat in range(created["seats"])}
        piles: Secrets = {f"piles/{level}": () for level in event.get("piles", {})}
        return hands | {name: () for name in ("aside", "deck", "draw") if name in event} | piles
    if kind == "deck_reformed":
        return {"deck": ()}
    if kind == "wish_chosen" and created["options"]["concealed"]:
        return {"wish": (event["seat"],)}
    if kind in {"card_drawn", "swap_chosen"}:
        return {"card": (event["seat"],)}
    return {"card": pair(event["from"], event["to"])} if kind == "card_passed" else {}


def secrets_of_position(state: Doc) -> Secrets:
    """What is hidden on the table that a fork begins with, or that a match goes back to: whether a seat has chosen yet
    is public, by ``to_act``."""
    table, seats = state["table"], range(state["seats"])
    hands: Secrets = {f"hands/{seat}": (seat,) for seat in seats}
    piles: Secrets = {f"piles/{level}": () for level in table.get("piles", {})}
    captured = [f"captured/{seat}" for seat in range(len(table.get("captured", [])))]
    unseen: Secrets = dict.fromkeys([*UNSEEN[state["game"]], *captured], NOBODY)
    choosing = state["to_act"] if state["phase"] in {"wish", "swap"} else []
    concealed = "wishes" if state["options"].get("concealed") else "swap" if table.get("swap") else None
    chosen: Secrets = {f"{concealed}/{seat}": (seat,) for seat in seats if concealed and seat not in choosing}
    return hands | piles | unseen | chosen


def pair(one: int, other: int) -> tuple[int, ...]:
    return tuple(sorted((one, other)))


def is_choice(move: Doc, created: Doc) -> bool:
    """Whether seats choose at the same time: TOWAI's swap, concealed wishes."""
    return bool(move["type"] == "swap" or (move["type"] == "wish" and created["options"]["concealed"]))


def may_read(audience: str | Doc, seats: Audience) -> bool:
    """Whether a file for this audience holds the opening: all of them, or the seat's own, and what is for all."""
    return audience == "full" or seats == "all" or (isinstance(audience, dict) and audience["seat"] in seats)


# JSON Pointers


def steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def value_at(data: Any, pointer: str) -> Any:
    for step in steps(pointer):
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data


def merged(data: Doc, payloads: list[Doc]) -> dict[str, Any]:
    """The data as a reader with these openings knows it; without any, the data itself."""
    if not payloads:
        return dict(data)
    known = deepcopy(dict(data))
    for pointer, value in ((pointer, value) for payload in payloads for pointer, value in payload.items()):
        *way, last = steps(pointer)
        place: Any = known
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place[step]
        place[int(last) if isinstance(place, list) else last] = value
    return known


def is_hidden(shown: Any) -> bool:
    return shown is None or (isinstance(shown, dict) and shown.keys() == {"count"})


def is_placeholder_of(shown: Any, value: Any) -> bool:
    """``{"count":n}`` for a list, null for anything else."""
    return bool(shown == {"count": len(value)} if isinstance(value, list) else shown is None)


def hidden_places(value: Any, pointer: str = "") -> Iterator[str]:
    """Where null or ``{"count":n}`` stands."""
    if is_hidden(value):
        yield pointer
    elif isinstance(value, dict | list):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from hidden_places(inner, f"{pointer}/{name}")
