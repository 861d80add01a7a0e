"""Redaction keeps what is public of an event, and hides the rest from those who may not know it."""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.api.contract import SHAPES
from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.records import Known
from gyoji.log.redaction import NOBODY, InvalidPointer, merge, placeholder, redact
from gyoji.published_files import schema

KNOWN = {game.slug: game.known(game.read_options({})) for game in GAMES}
CONCEALED = {"concealed": True}


def published(slug: str, part: str) -> dict[str, set[str]]:
    """Every published type of event or of move, with its members but ``type``."""
    document = schema(f"{slug}/{part}")
    found: dict[str, set[str]] = {}
    for shape in document["$defs"].values():
        members = shape.get("properties", {})
        if "const" in members.get("type", {}) or "enum" in members.get("type", {}):
            (kind,) = members["type"].get("enum", [members["type"].get("const")])
            found[kind] = set(members) - {"type"}
    return found


@pytest.mark.parametrize("slug", BY_SLUG)
@pytest.mark.parametrize("part", ["event", "move"])
@pytest.mark.parametrize("options", [{}, CONCEALED], ids=["usual", "concealed"])
def test_every_published_field_is_known_and_no_other(slug: str, part: str, options: Mapping[str, Any]) -> None:
    """A field that were on neither list could not be told; one on this list alone would be nothing that happens."""
    game = BY_SLUG[slug]
    known = game.known(game.read_options(options if slug == "tomorrow-never-meows" else {}))
    listed = known.events if part == "event" else known.moves
    assert {kind: set(fields) for kind, fields in listed.items()} == published(slug, part)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_the_same_types_as_the_shapes(slug: str) -> None:
    shapes: Any = SHAPES[slug]
    assert set(KNOWN[slug].events) == set(shapes.event.type_schemas)
    assert set(KNOWN[slug].moves) == set(shapes.move.type_schemas)


HIDDEN = {
    "tomorrow-never-meows": {("hands_dealt", "hands"), ("hands_dealt", "aside")},
    "catte": {("hands_dealt", "hands"), ("hands_dealt", "aside")},
    "towai": {
        *(("hands_dealt", "hands"), ("hands_dealt", "deck"), ("card_drawn", "card"), ("deck_reformed", "deck")),
        *(("swap_chosen", "card"), ("card_passed", "card"), ("swap", "card")),
    },
    "familiars-trouble": {
        *(("hands_dealt", "hands"), ("hands_dealt", "draw"), ("hands_dealt", "piles")),
        *(("card_passed", "card"), ("card_drawn", "card"), ("exchange", "card")),
    },
}
"""What the page of domain events marks as private, and the moves that would tell the same."""


def hidden_of(known: Known) -> set[tuple[str, str]]:
    """Every field that not all may know."""
    listed = {**known.events, **known.moves}
    return {(kind, name) for kind, fields in listed.items() for name, knower in fields.items() if knower != "all"}


@pytest.mark.parametrize("slug", BY_SLUG)
def test_what_is_private_is_what_the_page_says(slug: str) -> None:
    assert hidden_of(KNOWN[slug]) == HIDDEN[slug]


def test_concealed_wishes_are_private_too() -> None:
    game = BY_SLUG["tomorrow-never-meows"]
    known = game.known(game.read_options(CONCEALED))
    assert hidden_of(known) == HIDDEN[game.slug] | {("wish_chosen", "wish"), ("wish", "wish")}


# Parting


def test_each_hand_is_its_owners() -> None:
    dealt = {"type": "hands_dealt", "round": 1, "hands": (("B1",), ("W1", "W2")), "aside": ("K1",), "coffee": {"a": 1}}
    data, secrets = redact(KNOWN["catte"], None, [dealt])
    assert data == {
        "events": [
            {
                "type": "hands_dealt",
                "round": 1,
                "hands": [{"count": 1}, {"count": 2}],
                "aside": {"count": 1},
                "coffee": {"a": 1},
            }
        ]
    }
    assert secrets == {
        (0,): {"/events/0/hands/0": ("B1",)},
        (1,): {"/events/0/hands/1": ("W1", "W2")},
        NOBODY: {"/events/0/aside": ("K1",)},
    }


def test_a_card_passed_is_known_to_giver_and_receiver() -> None:
    move = {"type": "swap", "seat": 2, "card": "D3"}
    passed = {"type": "card_passed", "from": 2, "to": 1, "card": "D3"}
    data, secrets = redact(KNOWN["towai"], move, [passed])
    assert data["move"] == {"type": "swap", "seat": 2, "card": None}
    assert data["events"] == [{"type": "card_passed", "from": 2, "to": 1, "card": None}]
    assert secrets == {(2,): {"/move/card": "D3"}, (1, 2): {"/events/0/card": "D3"}}


def test_piles_by_level_are_nobodys() -> None:
    piles = {"1": ("1-R6",), "2": (), "3": ("3-R21", "3-B21")}
    dealt = {"type": "hands_dealt", "round": 1, "hands": (), "draw": (), "errands": ("1-B6",), "piles": piles}
    data, secrets = redact(KNOWN["familiars-trouble"], None, [dealt])
    assert data["events"][0]["piles"] == {"1": {"count": 1}, "2": {"count": 0}, "3": {"count": 2}}
    assert secrets[NOBODY]["/events/0/piles/3"] == ("3-R21", "3-B21")


def test_a_field_that_is_on_no_list_is_not_told() -> None:
    with pytest.raises(KeyError):
        redact(KNOWN["catte"], {"type": "play", "seat": 0, "card": "B1", "note": "x"}, [])
    with pytest.raises(KeyError):
        redact(KNOWN["catte"], None, [{"type": "no_such_event"}])


def test_what_stands_in_its_place() -> None:
    assert placeholder(("B1", "B2")) == placeholder(["B1", "B2"]) == {"count": 2}
    assert placeholder([]) == {"count": 0}
    assert placeholder("B1") is placeholder(3) is placeholder({"a": 1}) is placeholder(None) is None


# Merging


CARD = st.sampled_from(["D3", "T5", "N1"])
CARDS = st.lists(CARD, max_size=4)
SEAT = st.integers(0, 3)


def events_of(known: Known) -> st.SearchStrategy[dict[str, Any]]:
    """Any event of the game, with values of the right kind for who may know them."""
    return st.one_of([_event(kind, fields) for kind, fields in known.events.items()])


def _event(kind: str, fields: Mapping[str, str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just(kind), **{name: _value(name, fields[name]) for name in fields}})


def _value(name: str, knower: str) -> st.SearchStrategy[Any]:
    if name in ("seat", "from", "to"):
        return SEAT
    if knower == "each":
        return st.lists(CARDS, min_size=1, max_size=4)
    if knower == "nobody":
        return st.one_of(CARDS, st.dictionaries(st.sampled_from("123"), CARDS)) if name == "piles" else CARDS
    return st.one_of(CARD, CARDS, st.integers(-9, 9), st.none()) if knower == "all" else CARD


@pytest.mark.parametrize("slug", BY_SLUG)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_merged_with_all_that_was_parted_it_is_whole(slug: str, data: st.DataObject) -> None:
    events = data.draw(st.lists(events_of(KNOWN[slug]), max_size=4))
    public, secrets = redact(KNOWN[slug], None, events)
    plain = orjson.loads(orjson.dumps(public))
    payloads = [*secrets.values()]
    assert merge(plain, payloads) == {"events": events}
    assert merge(plain, payloads[::-1]) == {"events": events}
    assert merge(plain, []) == plain == orjson.loads(orjson.dumps(public))


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/events/0/card", "B1"),  # lies open
        ("/events/0/hands", ["B1"]),  # nothing of that name
        ("/events/1/card", "B1"),
        ("/events/x/card", "B1"),
        ("/events/-1/card", "B1"),
        ("/events/0/held", ["B1"]),  # a list of another length
        ("/events/0/held/count", 3),  # inside what stands in its place
        ("/events/0/none", ["B1"]),  # a list where a value was hidden
        ("", {"events": []}),
    ],
)
def test_an_opening_opens_only_what_is_hidden(pointer: str, value: Any) -> None:
    data = {"events": [{"card": "W1", "held": {"count": 2}, "none": None}]}
    with pytest.raises(InvalidPointer):
        merge(data, [{pointer: value}])
    assert data == {"events": [{"card": "W1", "held": {"count": 2}, "none": None}]}


def test_a_pointer_is_unescaped() -> None:
    assert merge({"a/b~c": None}, [{"/a~1b~0c": 1}]) == {"a/b~c": 1}
