"""The log of a tournament as a file: every event, chained by hash, and a signed head."""

from hashlib import sha256

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gyoji.games.chance import length_prefixed
from web.matches.tables import House, Plain, read
from web.tournaments.directing import Cup

STORES = ("sqlite",)

TYPES = [
    "tournament_created",
    *["entrant_added"] * 6,
    "round_paired",
    "round_closed",
    "correction_made",
    "entrant_withdrawn",
    "tournament_closed",
]


def lines_of(six: Cup) -> list[bytes]:
    """A whole tournament, exported."""
    six.play()
    read(six.ask("/corrections", {"entrant": "e1", "points": "2", "reason": "Fair play"}))
    read(six.ask("/entrants/e2/withdrawal"))
    read(six.ask("/close"))
    answer = six.get("/log")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{six.tournament}.jsonl"'
    lines: list[bytes] = answer.data.splitlines()
    return lines


def public_key(house: House, key: str) -> Ed25519PublicKey:
    """A key that the service signs with."""
    (found,) = [each["public"] for each in read(house.client.get("/v1/keys"))["keys"] if each["key"] == key]
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(found))


def test_whoever_has_the_head_has_every_event(six: Cup) -> None:
    """Verified with nothing but hashes and the published key."""
    first, *events, last = lines_of(six)
    assert orjson.loads(first) == {"format": "gyoji-tournament/1", "tournament": six.tournament, "origin": "hall"}
    before = bytes(32)
    for seq, line in enumerate(events):
        event: Plain = orjson.loads(line)
        assert (event["v"], event["tournament"], event["seq"]) == (1, six.tournament, seq)
        assert event["prev"] == before.hex()
        before = sha256(b"\0" + line).digest()
    assert [orjson.loads(line)["type"] for line in events] == TYPES
    head = orjson.loads(last)["head"]
    assert (head["tournament"], head["seq"], head["hash"]) == (six.tournament, len(events) - 1, before.hex())
    signed = length_prefixed("tournament/1", "hall", six.tournament, (len(events) - 1).to_bytes(4, "big"), before)
    public_key(six.house, head["key"]).verify(bytes.fromhex(head["sig"]), signed)


def test_it_says_who_did_what_and_holds_no_token_and_no_seed_before_the_end(six: Cup) -> None:
    paired = six.pair()
    log = six.get("/log").text
    assert "gyoji_seat" not in log
    held = six.house.services.store.tournaments.tournament(six.tournament)
    assert held is not None
    assert held.secret.hex() not in log
    events = [orjson.loads(line) for line in log.splitlines()[1:-1]]
    assert {orjson.dumps(event["actor"]) for event in events} == {b'{"key":"operator","role":"operator"}'}
    assert [table["match"] for table in events[-1]["data"]["tables"]] == [table["match"] for table in paired["tables"]]


def test_its_times_never_run_backwards_though_the_clocks_of_servers_differ(
    six: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = six.house.services
    shown = iter(range(1_900_000_000, 0, -7))
    monkeypatch.setattr(services, "clock", lambda: float(next(shown)))
    times = [orjson.loads(line)["at"] for line in lines_of(six)[1:-1]]
    assert times == sorted(times)
    assert len(times) == len(TYPES)
