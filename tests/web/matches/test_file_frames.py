"""A replay file as the audit page steps through it: whoever made it, it is told, and nothing in it ends the service."""

from typing import Any

import pytest

from answers import CheckedClient
from golden.logs import REPLAYS, match_states
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.files import redact_lines
from replay.stepped_frames import plain, views
from replay.tampering import SHORT, Lines, Parts, entries_of, file_of, forged
from replay.test_audit_tampering import CHANGES, WRONG
from replay.test_playback import MOVES, WHOLE, another_card
from verifier.corpora import disfigurements
from web.matches.tables import Plain, Table, pointers, read, refused
from web.matches.test_frames import expanded, seen

NAMED = REPLAYS / "towai" / "names-and-tags.jsonl"
CATTE = REPLAYS / "catte" / "shared-win.jsonl"


def sent(client: CheckedClient, body: bytes | Lines, query: str = "", **headers: str) -> Any:
    """The answer to a file."""
    data = body if isinstance(body, bytes) else b"".join(body)
    return client.post(f"/audit/frames{query}", data=data, content_type="application/jsonl", headers=headers)


def stepped(client: CheckedClient, body: bytes | Lines, query: str = "", **headers: str) -> Plain:
    """The frames of a file."""
    found: Plain = read(sent(client, body, query, **headers))
    return found


def test_a_golden_file_is_stepped_through_to_its_scores(client: CheckedClient) -> None:
    found = stepped(client, CATTE.read_bytes())
    states = [at.state for at in match_states(CATTE)]
    game = BY_SLUG["catte"]
    expected = [None if state is None else game.write_state(state._replace(seed=None)) for state in states]
    assert views(found["frames"]) == plain(expected)
    assert views(found["frames"])[-1]["scores"] == [*states[-1].scores]
    assert (found["status"], found["closed"], found["broken"], found["next"]) == ("finished", True, None, None)
    assert (found["viewer"], found["as"], found["seq"]) == ({"role": "auditor", "seat": None}, None, len(states) - 1)


def test_it_says_the_same_of_a_match_as_its_page(client: CheckedClient, over: Table) -> None:
    file = over.get("/replay", over.sits(0)).data
    found, page = stepped(client, file), seen(over, over.sits(0))
    assert page.pop("desk")["result"]["by"] == "play"
    assert {**found, "viewer": None} == {**page, "viewer": None}
    assert [seat["name"] for seat in found["seats"]] == ["Ann", "Ben", "Cho"]


def test_as_a_seat(client: CheckedClient) -> None:
    found = stepped(client, CATTE.read_bytes(), "?as=1&limit=2", accept_language="ja")
    assert (found["as"], found["next"]) == (1, 1)
    state = match_states(CATTE)[1].state
    assert found["frames"][1]["view"] == plain(BY_SLUG["catte"].view(state, 1))
    assert found["frames"][1]["told"][1]["text"] == f"席1：{len(state.hands[0])}枚"
    assert pointers(sent(client, CATTE.read_bytes(), f"?as={state.seats}")) == [("/as", "not-allowed")]


def test_a_redacted_file_is_told_without_positions(client: CheckedClient) -> None:
    mine = tuple(redact_lines(WHOLE, 1))
    found = stepped(client, mine)
    assert (set(views(found["frames"])), found["broken"]) == ({None}, None)
    assert (found["viewer"], found["frames"][1]["told"][1]["text"]) == ({"role": "seat", "seat": 1}, "Seat 1: 13 cards")
    assert found == {**stepped(client, mine, "?as=1"), "as": None}
    assert pointers(sent(client, mine, "?as=0")) == [("/as", "not-allowed")]
    assert stepped(client, tuple(redact_lines(WHOLE, "public")))["viewer"] == {"role": "spectator", "seat": None}


def test_what_the_rules_say_stands_in_the_frame_before_the_break(client: CheckedClient) -> None:
    seq = MOVES[5]
    found = stepped(client, another_card(seq))
    assert found["broken"] == {"seq": seq}
    before, broken = found["frames"][seq - 1], found["frames"][seq]
    assert broken["move"]["seat"] == before["legal"][0]["seat"]
    assert broken["move"] not in expanded(before["legal"])
    assert (broken["view"], broken["legal"], bool(broken["told"])) == (None, [], True)
    assert views(found["frames"])[seq - 1]["to_act"] == [broken["move"]["seat"]]


HOSTILE = "<script>alert(1)</script>\u202e\x1b[2J"


def test_hostile_names_are_strings(client: CheckedClient) -> None:
    def change(parts: Parts) -> None:
        parts.events[0].data["names"] = {"count": 3}
        parts.events[0].openings[0]["payload"]["/names"] = [HOSTILE, {"a": 1}, None]

    found = stepped(client, forged(WHOLE, change))
    assert [seat["name"] for seat in found["seats"]] == [HOSTILE, None, None]
    assert stepped(client, NAMED.read_bytes())["seats"][0]["name"] is not None


def test_a_file_by_another_game_than_its_header_says(client: CheckedClient) -> None:
    found = stepped(client, CHANGES["the game in the header"](WHOLE))
    assert (found["game"], found["broken"]) == ("catte", None)


@pytest.mark.parametrize("name", [*CHANGES, *WRONG])
def test_every_tampering_is_told(client: CheckedClient, name: str) -> None:
    lines = forged(WHOLE, WRONG[name]) if name in WRONG else CHANGES[name](WHOLE)
    found = stepped(client, lines)
    assert [frame["seq"] for frame in found["frames"]] == sorted({frame["seq"] for frame in found["frames"]})
    broken = found["broken"]
    if broken is not None:
        known = [frame["seq"] for frame, view in zip(found["frames"], views(found["frames"]), strict=True) if view]
        assert max(known, default=-1) < broken["seq"]


def test_disfigured_files_are_answered(client: CheckedClient) -> None:
    """Signed by whoever holds the key: nothing that stands in an event ends the service."""
    for name, lines in disfigurements(6, "frames").items():
        for query in ("", "?as=0"):
            assert sent(client, lines, query).status_code in (200, 400, 422), name


NONE = [b"\n", b"{}", b"null\n", b"PK\x03\x04" + bytes(60), b"[" * 100_000 + b"\n", WHOLE[0], WHOLE[0][:-1], WHOLE[1]]


@pytest.mark.parametrize("body", NONE)
def test_what_is_no_replay_file_is_refused(client: CheckedClient, body: bytes) -> None:
    problem = refused(sent(client, body), 400, "malformed-json")
    assert problem["detail"] == "The body does not begin as a replay file does, or tells of no event."


def test_a_game_that_there_is_not_is_refused(client: CheckedClient) -> None:
    def change(parts: Parts) -> None:
        parts.header["game"] = parts.events[0].data["game"] = "go-fish"

    problem = refused(sent(client, forged(WHOLE, change), accept_language="ja"), 400, "malformed-json")
    assert problem["detail"] == "リプレイファイルのゲームまたはその版は、ここでは知られていません。"


def test_what_is_told_of_one_event_is_bounded(client: CheckedClient) -> None:
    def change(parts: Parts) -> None:
        parts.events[MOVES[0]].data["events"] = [{"type": "passed", "seat": 0}] * 30_000

    told = stepped(client, forged(WHOLE, change))["frames"][MOVES[0]]["told"]
    assert len(told) < 300


def test_only_a_replay_file_is_taken(client: CheckedClient) -> None:
    refused(client.post("/audit/frames", json={"match": "x"}), 415, "unsupported-media-type")
    refused(sent(client, WHOLE, accept="text/html"), 406, "not-acceptable")
    assert pointers(sent(client, WHOLE, "?limit=0")) == [("/limit", "not-allowed")]


def test_whoever_it_is_it_is_nobody_elses(client: CheckedClient) -> None:
    answer = sent(client, file_of(entries_of("towai")))
    assert answer.headers["Cache-Control"] == "private, no-store"
    refused(sent(client, WHOLE, authorization="Bearer nobody's"), 401, "unauthenticated")


@pytest.mark.parametrize("slug", SHORT)
def test_every_game_can_be_stepped_through(client: CheckedClient, slug: str) -> None:
    found = stepped(client, file_of(entries_of(slug)))
    assert (found["broken"], found["game"]) == (None, slug)
    assert views(found["frames"])[-1]["phase"] == "finished"
    assert all(item["text"] for frame in found["frames"] for item in frame["told"])
