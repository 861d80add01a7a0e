"""Whatever is written down of a match has the published shape, for every reader: events, files, receipts, the feed."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import jsonschema_rs
import orjson
import pytest

from answers import closed, contract
from bodies import Plain, games, plain
from gyoji.app.matches.feeds import told_event
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game, IllegalMove
from gyoji.log.entries import Entry
from gyoji.log.files import write_replay
from gyoji.log.redaction import Reader
from gyoji.log.signatures import Signer, signer
from gyoji.match.events.match_created import ForkOrigin, MatchDraft
from gyoji.match.recorder import begin, play
from gyoji.match.state import MatchState
from gyoji.published_files import rules_digest, schema
from gyoji.trust.receipts import make_receipt

SIGNING: Signer = signer(bytes(32), "tests")
AT = "2026-01-01T00:00:00.000Z"
MATCH = "00000000-0000-4000-8000-00000000000a"
READERS: tuple[Reader, ...] = ("full", "public", 0, 1)
TYPES = ("match_created", "dealt", "move_played", "choice_made", "match_finished", "seed_disclosed")


def _beginning(game: Game[Any], seats: int, options: Plain, random: Random, **more: Any) -> MatchDraft:
    given: dict[str, Any] = {
        "names": tuple(f"Seat {seat}" for seat in range(seats)),
        "metadata": {"table": 3, "notes": ["x", None, True, {"round": 1}]},
        "tags": ("league", "春"),
        "disclosure": "public_on_close",
    }
    return MatchDraft(
        match=MATCH,
        game=game,
        rules_digest=rules_digest(game.slug),
        seats=seats,
        options=game.read_options(options),
        first=0,
        visibility="private",
        if_match="optional",
        deal_id=MATCH,
        secret=random.randbytes(64),
        **{**given, **more},
    )


def _logged(beginning: MatchDraft, random: Random, most: int = 400) -> tuple[list[Entry], list[MatchState]]:
    """A random game as it is written down, and where it stood after each entry of a move."""

    def salt() -> bytes:
        return random.randbytes(32)

    first, current = begin(beginning, AT, salt)
    entries, match_states = list(first), [current]
    while not current.over and len(entries) < most:
        move = random.choice(beginning.game.legal_moves(current.state))
        step = play(current, move, {"role": "seat", "seat": move["seat"]}, AT, salt)
        assert not isinstance(step, IllegalMove)
        more, current = step
        entries += more
        match_states.append(current)
    return entries, match_states


@cache
def _logs(slug: str) -> tuple[list[Entry], ...]:
    """Random games of few and of many seats, with options; a fork of the first; one with nothing given."""
    random = Random(slug)
    found, match_states = [], []
    first, *_between, second_last, last = games(slug)
    for game, seats, options in (first, second_last, last):
        entries, stood = _logged(_beginning(game, seats, options, random), random)
        found.append(entries)
        match_states.append(stood)
    middle = match_states[0][len(match_states[0]) // 2]
    source = ForkOrigin(MATCH, middle.seq, middle.hash.hex(), middle.state._replace(seed=None))
    game, seats, options = next(games(slug))
    found.append(_logged(_beginning(game, seats, options, random, source=source), random)[0])
    bare: Plain = {"names": None, "metadata": {}, "tags": (), "disclosure": "auditors_only"}
    found.append(_logged(_beginning(game, seats, options, random, **bare), random)[0])
    return tuple(found)


@cache
def _validator(name: str) -> Any:
    return jsonschema_rs.validator_for(schema(f"replay/{name}"))


@cache
def _component(name: str) -> Any:
    components = closed(contract()["components"])
    return jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": components})


def _agrees(validator: Any, document: Any) -> None:
    assert validator.is_valid(document), [error.message[:300] for error in validator.iter_errors(document)][:3]


def _name(line: Plain) -> str:
    found = {"format": "header", "v": "event", "opening": "opening", "head": "head"}
    return next(name for member, name in found.items() if member in line)


def _lines(slug: str, reader: Reader) -> Iterator[Plain]:
    for entries in _logs(slug):
        for line in write_replay(entries[0], entries[1:], SIGNING, reader):
            yield orjson.loads(line)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("slug", BY_SLUG)
def test_lines_of_files(slug: str, reader: Reader) -> None:
    seen, types = set(), set()
    for line in _lines(slug, reader):
        name = _name(line)
        _agrees(_validator(name), line)
        seen.add(name)
        if name == "event":
            _agrees(_validator(line["type"]), line["data"])
            types.add(line["type"])
    assert seen == {"header", "event", "opening", "head"}
    simultaneous = slug in ("tomorrow-never-meows", "towai")
    assert types == set(TYPES) - (set() if simultaneous else {"choice_made"})


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("slug", BY_SLUG)
def test_the_feed(slug: str, reader: Reader) -> None:
    for entries in _logs(slug):
        for entry in entries:
            event = {"match": MATCH, **told_event(reader, entry, slug), "to_act": []}
            _agrees(_component("FeedEvent"), plain(event))


@pytest.mark.parametrize("slug", BY_SLUG)
def test_receipts(slug: str) -> None:
    for entry in _logs(slug)[0]:
        for reader in READERS:
            document = make_receipt(SIGNING, MATCH, entry, reader)
            _agrees(_validator("receipt"), document)
            _agrees(_component("Receipt"), document)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_what_may_not_be_hidden_is_not_null(slug: str) -> None:
    """The shapes of the log let only that be hidden of which the game says that not all know it."""
    refused = 0
    for entries in _logs(slug)[:2]:
        for entry in entries[2:12]:
            document = orjson.loads(entry.body)
            for at, event in enumerate(document["data"].get("events", ())):
                public = [name for name in event if name != "type" and _is_public(slug, event, name)]
                for name in public:
                    events = [*document["data"]["events"]]
                    events[at] = {**event, name: None}
                    broken = {**document["data"], "events": events}
                    assert not _validator(document["type"]).is_valid(broken), (event["type"], name)
                    refused += 1
    assert refused > 20


def _is_public(slug: str, event: Plain, name: str) -> bool:
    game = BY_SLUG[slug]
    concealed = game.read_options({"concealed": True} if slug == "tomorrow-never-meows" else {})
    return game.known(concealed).events[event["type"]][name] == "all"
