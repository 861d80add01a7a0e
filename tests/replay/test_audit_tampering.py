"""The audit finds changes of files: by somebody without the key, and by somebody with it."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from gyoji.audit.verdicts import Verdict
from gyoji.log.canonical import canonical
from replay.tampering import (
    SHORT,
    SIGNING,
    STRANGER,
    Event,
    Lines,
    Parts,
    cut_at_lf,
    entries_of,
    failed,
    file_of,
    flipped,
    forged,
    judged,
    refiled,
    result,
    taken_apart,
    why,
    word,
)

WHOLE: Lines = file_of(entries_of("catte"))
SMALL: Lines = file_of(entries_of("towai")[:12])
"""About 8 KB; of a running match, so that ``verified_partial`` is the best there is."""
BODY = b"".join(SMALL)
HEADER = len(SMALL[0])
EVENTS = [at for at, line in enumerate(WHOLE) if line.startswith(b'{"actor"')]
"""The places of the events among the lines."""


def head_of(lines: Lines) -> Any:
    return taken_apart(lines).ending["head"]


def by_seq(seq: int) -> int:
    return EVENTS[seq]


# without the key


def test_sampled_bits() -> None:
    """``make bits`` turns every one."""
    rng = random.Random(8)
    for bit in rng.sample(range(8 * len(BODY)), 300):
        expected = {"tampered", "malformed"} if bit // 8 < HEADER else {"tampered", "key_untrusted"}
        assert word(flipped(BODY, bit)) in expected, bit


def test_the_file_that_bits_are_turned_in_is_sound() -> None:
    assert word(SMALL) == "verified_partial"
    assert failed(judged(SMALL)) == set()
    assert 7_000 < len(BODY) < 12_000


def test_cut_off_anywhere() -> None:
    ends = {sum(map(len, SMALL[:count])) for count in range(len(SMALL))}
    for length in {*range(0, len(BODY), 23), *ends, *(end - 1 for end in ends if end), len(BODY) - 1}:
        expected = "malformed" if length < HEADER else "incomplete"
        assert word(cut_at_lf(BODY[:length])) == expected, length


def edited(lines: Lines, at: int, before: bytes, after: bytes) -> Lines:
    assert before in lines[at]
    return (*lines[:at], lines[at].replace(before, after, 1), *lines[at + 1 :])


def dropped(lines: Lines, at: int) -> Lines:
    return (*lines[:at], *lines[at + 1 :])


def swapped(lines: Lines, at: int, other: int) -> Lines:
    changed = list(lines)
    changed[at], changed[other] = changed[other], changed[at]
    return tuple(changed)


CHANGES: dict[str, Callable[[Lines], Lines]] = {
    "the time of an event": lambda lines: edited(lines, by_seq(5), b'.000Z"', b'.001Z"'),
    "the card of a move": lambda lines: edited(lines, by_seq(5), b'"card":"', b'"card":"K'),
    "the result": lambda lines: edited(lines, EVENTS[-2], b'"winners":[', b'"winners":[0,'),
    "an event dropped": lambda lines: dropped(lines, by_seq(5)),
    "an event repeated": lambda lines: (*lines[: by_seq(5)], lines[by_seq(5)], *lines[by_seq(5) :]),
    "two events swapped": lambda lines: swapped(lines, by_seq(5), by_seq(6)),
    "an opening altered": lambda lines: edited(lines, by_seq(0) + 1, b'"/names":null', b'"/names":["X"]'),
    "the origin": lambda lines: edited(lines, 0, b"here.example", b"hers.example"),
    "the audience": lambda lines: edited(lines, 0, b'"full"', b'"public"'),
    "the version in the header": lambda lines: edited(lines, 0, b'"version":1', b'"version":2'),
    "the game in the header": lambda lines: edited(lines, 0, b'"catte"', b'"towai"'),
    "the digest of the file": lambda lines: edited(
        lines, len(lines) - 1, taken_apart(lines).ending["file"].encode(), b"0" * 64
    ),
    "an empty line": lambda lines: (*lines[:4], b"\n", *lines[4:]),
    "a space": lambda lines: edited(lines, by_seq(5), b'"seq":', b'"seq": '),
    "a line after the head": lambda lines: (*lines, lines[-1]),
    "the signature": lambda lines: (
        *lines[:-1],
        canonical({**taken_apart(lines).ending, "head": unsigned(lines)}) + b"\n",
    ),
    "the head's seq": lambda lines: refiled(lines[:-1], {**head_of(lines), "seq": head_of(lines)["seq"] - 1}),
    "the head's hash": lambda lines: refiled(lines[:-1], {**head_of(lines), "hash": "0" * 64}),
    "the head's match": lambda lines: refiled(
        lines[:-1], {**head_of(lines), "match": "0" * 8 + head_of(lines)["match"][8:]}
    ),
    "the head of another shape": lambda lines: refiled(lines[:-1], {**head_of(lines), "more": 1}),
}


def unsigned(lines: Lines) -> Any:
    return {**head_of(lines), "sig": "0" * 128}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_without_the_key(change: str) -> None:
    assert word(CHANGES[change](WHOLE)) == "tampered"


@pytest.mark.parametrize("name", ["an opening altered", "an event repeated", "two events swapped", "the origin"])
def test_the_digest_made_right_helps_nobody(name: str) -> None:
    """Anybody can do that; the origin is then one that the key does not speak for."""
    lines = CHANGES[name](WHOLE)
    assert word(refiled(lines[:-1], head_of(WHOLE))) == ("key_untrusted" if name == "the origin" else "tampered")


def test_events_left_out() -> None:
    middle = judged(refiled(dropped(WHOLE, by_seq(5))[:-1], head_of(WHOLE)))
    assert (middle.verdict, result(middle, "chain")) == ("incomplete", "not_checkable")
    assert middle.first_divergence is not None
    assert (middle.first_divergence.seq, middle.first_divergence.expected, middle.first_divergence.found) == (5, 5, 6)
    last = judged(refiled(WHOLE[: EVENTS[-1]], head_of(WHOLE)))
    assert (last.verdict, failed(last)) == ("incomplete", {"head"})


def test_a_salt_altered_and_the_digest_made_right() -> None:
    for at, line in enumerate(WHOLE):
        if b'"salt":"' in line or line.startswith(b'{"opening":{"position"'):
            place = line.find(b'"salt":"') + 8 if b'"salt":"' in line else len(b'{"opening":{"position":"')
            other = b"0" if line[place : place + 1] != b"0" else b"1"
            changed = (*WHOLE[:at], line[:place] + other + line[place + 1 :], *WHOLE[at + 1 : -1])
            assert word(refiled(changed, head_of(WHOLE))) == "tampered"


def test_where_it_parts_is_said() -> None:
    verdict = judged(CHANGES["the time of an event"](WHOLE))
    assert verdict.first_divergence is not None
    assert (verdict.first_divergence.seq, verdict.first_divergence.check) == (6, "chain")
    assert failed(verdict) == {"chain", "file"}
    assert judged(CHANGES["the card of a move"](WHOLE)).first_divergence[:2] == (5, "moves")  # type: ignore[index]


# with the key


def event_of(parts: Parts, kind: str) -> Event:
    """The first event of that type, or that tells of such a domain event."""
    for event in parts.events:
        told = [told["type"] for told in event.data.get("events", ())]
        if kind in (event.document["type"], *told):
            return event
    raise LookupError(kind)


def told(parts: Parts, kind: str) -> dict[str, Any]:
    event = event_of(parts, kind)
    return next(told for told in event.data["events"] if told["type"] == kind)


def part(slug: str, change: Callable[[Parts], object]) -> Verdict:
    return judged(forged(file_of(entries_of(slug)), change))


def test_an_illegal_move_cites_its_rule() -> None:
    """The second card of the first trick is one that does not follow, though the seat could."""

    def revoke(parts: Parts) -> None:
        dealt = {
            place: cards for opening in parts.events[1].openings for place, cards in opening.get("payload", {}).items()
        }
        led = parts.events[2].data["move"]["card"][0]
        move = parts.events[3].data["move"]
        hand = dealt[f"/events/0/hands/{move['seat']}"]
        assert any(card[0] == led for card in hand)
        move["card"] = parts.events[3].data["events"][0]["card"] = next(card for card in hand if card[0] != led)

    verdict = part("catte", revoke)
    assert (verdict.verdict, failed(verdict)) == ("rules_divergence", {"moves"})
    assert verdict.first_divergence is not None
    assert verdict.first_divergence[:2] == (3, "moves")
    assert verdict.first_divergence.rule == "CAT-3.1"
    for check in ("scores", "result", "positions"):
        assert result(verdict, check) == "not_checkable"


def result_forged(parts: Parts) -> None:
    for told in (
        event_of(parts, "game_finished").data["events"][-1],
        event_of(parts, "match_finished").data["outcome"],
    ):
        told["winners"] = [(told["winners"][0] + 1) % 3]


def scores_forged(parts: Parts) -> None:
    for told in (
        event_of(parts, "game_finished").data["events"][-1],
        event_of(parts, "match_finished").data["outcome"],
    ):
        told["scores"][0] += 1


@pytest.mark.parametrize("slug", ["catte", "tomorrow-never-meows", "familiars-trouble"])
def test_forged_winners_and_scores_are_told_apart(slug: str) -> None:
    for forge, check in ((result_forged, "result"), (scores_forged, "scores")):
        verdict = part(slug, forge)
        assert (verdict.verdict, failed(verdict)) == ("rules_divergence", {check})


def test_a_forged_outcome_alone() -> None:
    def forge(parts: Parts) -> None:
        event_of(parts, "match_finished").data["outcome"]["reason"] = "agreed"

    verdict = part("catte", forge)
    assert (verdict.verdict, failed(verdict)) == ("rules_divergence", {"result"})
    assert verdict.first_divergence is not None
    assert (verdict.first_divergence.expected, verdict.first_divergence.found) == ("rounds_played", "agreed")


def points_forged(parts: Parts) -> None:
    told(parts, "round_scored")["points"][1] += 5


def winner_of_a_trick(parts: Parts) -> None:
    won = told(parts, "trick_won")
    won["seat"] = (won["seat"] + 1) % 3


def mover(parts: Parts) -> None:
    move = parts.events[2].document["data"]["move"]
    parts.events[2].document["actor"]["seat"] = (move["seat"] + 1) % 3


def by_the_service(parts: Parts) -> None:
    parts.events[2].document["actor"] = {"role": "service"}


def not_finished(parts: Parts) -> None:
    del parts.events[-2]
    parts.events[-1].document["seq"] -= 1


def finished_twice(parts: Parts) -> None:
    parts.events.insert(-1, Event({**parts.events[-2].document, "seq": parts.events[-1].document["seq"]}, []))
    parts.events[-1].document["seq"] += 1
    parts.events[-2].document["position"] = None


def after_the_end(parts: Parts) -> None:
    last = parts.events[-1].document
    parts.events.append(Event({**parts.events[2].document, "seq": last["seq"] + 1}, []))


def disclosed_early(parts: Parts) -> None:
    parts.events[3:] = [Event({**parts.events[-1].document, "seq": 3}, [])]


def another_audience(parts: Parts) -> None:
    parts.events[1].document["secret"][0]["for"] = [1]


def a_member_more(parts: Parts) -> None:
    parts.events[2].data["note"] = "x"


def an_event_more(parts: Parts) -> None:
    parts.events[2].data["events"].append({"type": "coffee_served", "seat": 0, "card": "B1"})


def unknown_type(parts: Parts) -> None:
    parts.events[2].document["type"] = "erratum_noted"


def seat_is_true(parts: Parts) -> None:
    for told in (parts.events[3].data["move"], parts.events[3].data["events"][0]):
        told["seat"] = bool(told["seat"])


def setup_of(member: str, value: Any) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts.events[0].data[member] = value

    return change


WRONG: dict[str, Callable[[Parts], None]] = {
    "the points of a round": points_forged,
    "the winner of a trick": winner_of_a_trick,
    "a seat moves for another": mover,
    "the service moves": by_the_service,
    "no match_finished": not_finished,
    "two match_finished": finished_twice,
    "a move after the end": after_the_end,
    "the seed before the end": disclosed_early,
    "a secret for another seat": another_audience,
    "a member more": a_member_more,
    "an event more": an_event_more,
    "a type that nobody writes": unknown_type,
    "true in place of 1": seat_is_true,
    "seats": setup_of("seats", 9),
    "who begins": setup_of("first", 3),
    "options": setup_of("options", {"bust_bonus": "twice", "deck": None}),
    "options left out": setup_of("options", {"bust_bonus": "count"}),
    "a policy": setup_of("disclosure", "never"),
    "a seed commitment": setup_of("seed_commitment", None),
    "a source": setup_of("from", 7),
    "a member of the setup": setup_of("more", 7),
}


@pytest.mark.parametrize("change", WRONG)
def test_wrong_by_the_rules_with_everything_signed(change: str) -> None:
    assert part("catte", WRONG[change]).verdict == "rules_divergence"


def hands_exchanged(parts: Parts) -> None:
    """Two seats get each other's cards; nobody who sees only the log could tell."""
    mine, other = parts.events[1].openings[0], parts.events[1].openings[1]
    (one,), (two,) = mine["payload"], other["payload"]
    mine["payload"][one], other["payload"][two] = other["payload"][two], mine["payload"][one]


def deck_turned(parts: Parts) -> None:
    payload = parts.events[1].openings[-2]["payload"]
    next(iter(payload.values())).reverse()


def another_secret(parts: Parts) -> None:
    parts.events[-1].data["server_secret"] = "0" * 128


def no_secret(parts: Parts) -> None:
    parts.events[-1].data["server_secret"] = [1]


def another_promise(parts: Parts) -> None:
    parts.events[0].data["seed_commitment"] = "0" * 64


DEALT: dict[str, tuple[Callable[[Parts], None], str]] = {
    "hands": (hands_exchanged, "shuffles"),
    "the deck": (deck_turned, "shuffles"),
    "the secret": (another_secret, "commitment"),
    "no secret": (no_secret, "commitment"),
    "the commitment": (another_promise, "commitment"),
}


@pytest.mark.parametrize("slug", ["towai", "catte", "familiars-trouble"])
@pytest.mark.parametrize("change", DEALT)
def test_a_forged_deal_with_everything_signed(slug: str, change: str) -> None:
    forge, check = DEALT[change]
    verdict = part(slug, forge)
    assert verdict.verdict == "deal_divergence"
    assert check in failed(verdict)


def test_a_later_deal_is_no_less_bound() -> None:
    def forge(parts: Parts) -> None:
        event = [event for event in parts.events if event.document["secret"]][2]
        openings = [opening for opening in event.openings if "payload" in opening]
        (place,) = openings[0]["payload"]
        cards = openings[0]["payload"][place]
        (other,) = openings[1]["payload"]
        cards[0], openings[1]["payload"][other][0] = openings[1]["payload"][other][0], cards[0]

    verdict = part("catte", forge)
    assert (verdict.verdict, failed(verdict)) == ("deal_divergence", {"shuffles"})


def test_cards_that_are_no_deck_need_no_seed_to_be_found_out() -> None:
    def forge(parts: Parts) -> None:
        payload = parts.events[1].openings[0]["payload"]
        (place,) = payload
        payload[place][0] = payload[place][1]
        del parts.events[30:]

    verdict = part("catte", forge)
    assert (verdict.verdict, failed(verdict)) == ("deal_divergence", {"shuffles"})


def test_a_verdict_tells_no_hidden_card() -> None:
    """Under ``auditors_only`` the log says where the deal parts, and neither card."""
    verdict = judged(forged(file_of(entries_of("towai", "auditors_only")), hands_exchanged))
    assert verdict.verdict == "deal_divergence"
    first = verdict.first_divergence
    assert first is not None
    assert (first.check, first.expected, first.found) == ("shuffles", None, None)
    reason = why(verdict, "shuffles")
    assert reason is not None
    assert reason.code == "hidden"


def test_a_position_that_is_committed_to_wrongly() -> None:
    def forge(parts: Parts) -> None:
        parts.events[16].document["position"] = "0" * 64

    verdict = part("catte", forge)
    assert (verdict.verdict, failed(verdict)) == ("tampered", {"positions"})


@pytest.mark.parametrize("seq", [15, 16])
def test_positions_where_none_are_due_or_none_where_they_are(seq: int) -> None:
    def forge(parts: Parts) -> None:
        event = parts.events[seq]
        event.openings[:] = [opening for opening in event.openings if "position" not in opening]
        event.document["position"] = None if event.document["position"] else "0" * 64

    assert failed(part("catte", forge)) == {"positions"}


def test_signed_by_a_stranger_after_a_change() -> None:
    assert word(forged(WHOLE, winner_of_a_trick, STRANGER)) == "key_untrusted"


def test_something_signed_that_another_origin_says() -> None:
    def move_away(parts: Parts) -> None:
        parts.header["origin"] = "there.example"

    assert word(forged(WHOLE, move_away, SIGNING)) == "key_untrusted"


@pytest.mark.parametrize("slug", SHORT)
def test_a_move_changed_by_its_mover_in_a_hidden_opening(slug: str) -> None:
    """Every opening of every move, one after another: what was hidden is bound all the same."""
    lines = file_of(entries_of(slug))
    parts = taken_apart(lines)
    sealed_events = [at for at, event in enumerate(parts.events) if event.openings and at > 1]
    for at in sealed_events[:6]:

        def forge(parts: Parts, at: int = at) -> None:
            for opening in parts.events[at].openings:
                for place, value in opening.get("payload", {}).items():
                    opening["payload"][place] = value[::-1] if isinstance(value, list) else "D9"

        if "payload" in parts.events[at].openings[0]:
            assert word(forged(lines, forge)) in ("rules_divergence", "deal_divergence")
