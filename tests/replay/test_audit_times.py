"""The audit checks the times in logs: real, never running backwards, and one for what is written together."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from golden.logs import EVERY, NAMES
from gyoji.audit.verdicts import Verdict
from gyoji.log.files import redact_lines
from gyoji.log.parser import AT
from gyoji.log.times import instant, written_instant
from gyoji.match.clocks import Control
from gyoji.match.recorder import cancel, close_seeding
from gyoji.messages.verdicts import reason
from replay.changed_files import both, document
from replay.refereed import BANKED, UNBANKED, Match
from replay.tampering import SIGNING, Lines, Parts, cut_at_lf, entries_of, failed, file_of, forged, why
from verifier.seeded import POLICIES, created, dealt, played, told, with_commits, with_reveals


def judged(lines: Lines) -> Verdict:
    """The verdict, which is the same on the short way and with every line read in full."""
    short, full = both(lines)
    assert document(short) == document(full)
    return short


def said(verdict: Verdict) -> tuple[str, int | None, str, Any, Any]:
    """The verdict in a word, and where things part."""
    first = verdict.first_divergence
    assert first is not None
    return verdict.verdict, first.seq, first.check, first.expected, first.found


def moved_by(at: str, ms: int) -> str:
    return written_instant(instant(at) + ms)


def at(parts: Parts, seq: int, ms: int = 0) -> str:
    """The time of an event, or so much later."""
    return moved_by(parts.events[seq].document["at"], ms)


def signed_anew(parts: Parts) -> None:
    """By the key of these tests."""
    parts.header["origin"] = SIGNING.origin


# Times that there are


@pytest.mark.parametrize(
    "text",
    [
        "2026-19-39T29:59:69.999Z",
        "2026-13-01T00:00:00.000Z",
        "2026-00-01T00:00:00.000Z",
        "2026-01-00T00:00:00.000Z",
        "2026-01-32T00:00:00.000Z",
        "2026-04-31T00:00:00.000Z",
        "2026-02-29T00:00:00.000Z",
        "1900-02-29T00:00:00.000Z",
        "2026-01-01T24:00:00.000Z",
        "2026-01-01T00:60:00.000Z",
        "2026-06-30T23:59:60.000Z",
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.0000Z",
        "2026-01-01T00:00:00.000+00:00",
        "2026-01-01t00:00:00.000z",
        "2026-01-01 00:00:00.000Z",
        "２026-01-01T00:00:00.000Z",
        "2026-01-01T00:00:00.000Z\n",
    ],
)
def test_a_time_that_there_is_not(text: str) -> None:
    def change(parts: Parts) -> None:
        for event in parts.events[6:]:
            event.document["at"] = text

    verdict = judged(forged(file_of(entries_of("catte")), change))
    assert (verdict.verdict, failed(verdict)) == ("tampered", {"bytes"})
    assert verdict.first_divergence is not None
    assert (verdict.first_divergence.seq, verdict.first_divergence.check) == (6, "bytes")


@pytest.mark.parametrize("text", ["2028-02-29T23:59:59.999Z", "2000-02-29T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
def test_a_time_that_there_is(text: str) -> None:
    def change(parts: Parts) -> None:
        for event in parts.events:
            event.document["at"] = text

    assert judged(forged(file_of(entries_of("catte")), change)).verdict == "verified"


def test_every_day_of_the_calendar_and_no_other() -> None:
    days = {datetime(1999, 12, 31, tzinfo=UTC).date() + timedelta(days) for days in range(366 * 5)}
    for year in range(2000, 2004):
        for month in range(14):
            for day in range(33):
                text = f"{year}-{month:02}-{day:02}T00:00:00.000Z"
                assert (AT.fullmatch(text) is not None) == any(f"{one}T00:00:00.000Z" == text for one in days)


def test_every_time_of_the_day_and_no_other() -> None:
    for hour in range(30):
        for of_hour in (0, 59, 60, 61):
            for second in (0, 59, 60, 61):
                text = f"2026-01-01T{hour:02}:{of_hour:02}:{second:02}.000Z"
                assert (AT.fullmatch(text) is not None) == (hour < 24 and of_hour < 60 and second < 60)


@pytest.mark.parametrize("until", ["2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2025-12-31T23:59:60.000Z"])
def test_a_secret_is_withheld_until_a_time_that_there_is(until: str) -> None:
    def change(parts: Parts) -> None:
        parts.events[0].data["withheld_until"] = until

    verdict = judged(forged(file_of(entries_of("catte")), change))
    assert said(verdict) == ("rules_divergence", 0, "moves", None, until)


# Times that run backwards


@pytest.mark.parametrize("file", EVERY, ids=NAMES)
def test_a_golden_file_in_which_every_event_is_a_year_before_the_last_one(file: Any) -> None:
    def change(parts: Parts) -> None:
        signed_anew(parts)
        for number, event in enumerate(parts.events):
            event.document["at"] = f"{9999 - number}{event.document['at'][4:]}"

    lines = cut_at_lf(file.read_bytes())
    assert judged(forged(tuple(lines), signed_anew)).first_divergence is None
    verdict = judged(forged(tuple(lines), change))
    assert verdict.verdict in ("rules_divergence", "deal_divergence")
    assert verdict.first_divergence is not None
    assert verdict.first_divergence.seq == 1


@pytest.mark.parametrize("slug", ["catte", "towai", "tomorrow-never-meows", "familiars-trouble"])
def test_every_event_in_its_turn_a_millisecond_before_the_last_one(slug: str) -> None:
    lines = file_of(entries_of(slug))
    for seq in range(1, len(entries_of(slug))):

        def change(parts: Parts, seq: int = seq) -> None:
            parts.events[seq].document["at"] = at(parts, seq - 1, -1)

        expected = orjson.loads(entries_of(slug)[seq - 1].body)["at"]
        verdict = judged(forged(lines, change))
        assert said(verdict) == ("rules_divergence", seq, "moves", expected, moved_by(expected, -1))


def test_two_events_at_the_same_time() -> None:
    def change(parts: Parts) -> None:
        for event in parts.events[5:9]:
            event.document["at"] = parts.events[5].document["at"]

    assert judged(forged(file_of(entries_of("catte")), change)).verdict == "verified"


def test_a_redacted_file_whose_cards_cannot_be_followed() -> None:
    """It is running, so nobody tells the secret, and the hands of others stay hidden."""

    def change(parts: Parts) -> None:
        parts.events[9].document["at"] = at(parts, 8, -1)

    running = entries_of("catte")[:20]
    for reader in ("public", 0):
        honest = tuple(redact_lines(file_of(running), reader))
        assert judged(honest).verdict == "verified_partial"
        assert said(judged(forged(honest, change)))[:3] == ("rules_divergence", 9, "moves")


def test_times_are_judged_with_unknown_rules() -> None:
    def change(parts: Parts) -> None:
        parts.header["rules_digest"] = parts.events[0].data["rules_digest"] = "0" * 64
        parts.events[9].document["at"] = at(parts, 8, -1)

    verdict = judged(forged(file_of(entries_of("catte")), change))
    assert verdict.verdict == "rules_divergence"
    assert "moves" in failed(verdict)


def test_across_a_gap() -> None:
    def change(parts: Parts) -> None:
        del parts.events[9]
        parts.events[9].document["at"] = at(parts, 8, -1)

    verdict = judged(forged(file_of(entries_of("catte")), change))
    assert (verdict.verdict, failed(verdict)) == ("incomplete", {"moves"})


# Waits and clocks, judged on these times alone


def forfeited() -> Match:
    """Two seats have not chosen when their time is up."""
    match = Match("tomorrow-never-meows", {"concealed": True}, clock=Control(10_000, None, 0, "forfeit"))
    match.move(match.legal()[0], at=moved_by(match.current.at, 1_000))
    match.claim(moved_by(match.current.at, 9_001))
    match.close()
    return match


def test_events_backdated_by_an_hour_so_that_two_seats_forfeit() -> None:
    """The claim comes a millisecond after the choice, and the two events before it are said to be an hour old."""
    honest = forfeited()
    assert judged(file_of(honest.entries)).verdict == "verified"
    expired = next(
        one for one in map(orjson.loads, (one.body for one in honest.entries)) if "seats" in one["data"] and one["seq"]
    )
    assert (expired["type"], len(expired["data"]["seats"])) == ("clock_expired", 2)

    def change(parts: Parts) -> None:
        last = parts.events[expired["seq"] - 1].document["at"]
        parts.events[1].document["at"] = moved_by(last, -3_600_000)
        deadline = moved_by(parts.events[1].document["at"], 10_000)
        for event in parts.events[expired["seq"] :]:
            event.document["at"] = moved_by(last, 1)
        parts.events[expired["seq"]].data["deadlines"] = [deadline, deadline]

    verdict = judged(forged(file_of(honest.entries), change))
    assert said(verdict)[:3] == ("rules_divergence", 1, "moves")


def test_a_seat_left_out_whose_time_was_not_over() -> None:
    """``dealt`` says that a minute has passed; the next event, six seconds after the first, says that it has not."""
    honest = played(dealt("towai", POLICIES["empty"]))
    assert judged(file_of(honest.entries)).verdict == "verified"
    parts_of = [orjson.loads(entry.body) for entry in honest.entries]
    left_out = next(one["seq"] for one in parts_of if one["type"] == "dealt")

    def change(parts: Parts) -> None:
        for event in parts.events[left_out + 1 :]:
            event.document["at"] = at(parts, 0, 1_000 * event.document["seq"])

    verdict = judged(forged(file_of(honest.entries), change))
    assert said(verdict)[:3] == ("rules_divergence", left_out + 1, "moves")


def test_the_time_of_the_seats_is_over_to_the_millisecond() -> None:
    honest = file_of(played(dealt("towai", POLICIES["empty"])).entries)

    def change(ms: int) -> Callable[[Parts], None]:
        def moved(parts: Parts) -> None:
            parts.events[4].document["at"] = at(parts, 0, 60_000 + ms)
            for event in parts.events[5:]:
                event.document["at"] = at(parts, 0, 70_000)

        return moved

    assert judged(forged(honest, change(0))).verdict == "verified"
    until = moved_by("2026-01-01T00:00:00.000Z", 60_000)
    expected = ("deal_divergence", 4, "commitment", until, moved_by(until, -1))
    assert said(judged(forged(honest, change(-1)))) == expected


# What is written together has one time


def kinds(lines: Lines) -> list[str]:
    return [found["type"] for found in map(orjson.loads, lines) if "type" in found]


def lengthened(match: str, seq: int) -> tuple[Lines, Lines]:
    """The honest file; and the same in which event ``seq`` and all after it come a millisecond later."""
    honest = file_of(TOGETHER[match]())

    def change(parts: Parts) -> None:
        for event in parts.events[seq:]:
            event.document["at"] = moved_by(event.document["at"], 1)

    return honest, forged(honest, change)


def paused_and_resumed() -> Any:
    match = Match("catte").play(4)
    match.rule("pause")
    match.rule("resume")
    match.play()
    match.close()
    return match.entries


def flagged() -> Any:
    match = Match("catte", clock=UNBANKED).play(4)
    match.claim(moved_by(match.current.at, 10_001))
    match.rule("resume")
    match.play()
    match.close()
    return match.entries


def defaulted() -> Any:
    """Two seats have not chosen in time, and the first legal choice is made for each."""
    match = Match("tomorrow-never-meows", {"concealed": True}, clock=BANKED)
    match.move(match.legal()[0])
    match.claim(moved_by(match.current.at, 70_001))
    match.play()
    match.close()
    return match.entries


def ruled_void() -> Any:
    match = Match("catte").play(4)
    match.rule("void")
    match.close()
    return match.entries


def ruled_result() -> Any:
    match = Match("catte").play(4)
    match.rule("result", winners=(1,), scores=(1, 2, 0, 0))
    match.close()
    return match.entries


def finished_by_play() -> Any:
    return entries_of("catte")


def voided_for_want() -> Any:
    match = with_reveals(with_commits(created("towai", POLICIES["players"])), range(1))
    return match.then(close_seeding(match.current, moved_by(match.current.at, 60_000), match.salt)).entries


def cancelled_in_play() -> Any:
    match = played(dealt("towai", POLICIES["director"]), 5)
    return match.then(cancel(match.current, match.now, match.salt)).entries


def told_at_once() -> Any:
    """The time that the secret waited for had passed when the match ended."""
    return played(dealt("towai", POLICIES["director"], "2026-01-01T00:00:01.000Z")).entries


TOGETHER: dict[str, Callable[[], Any]] = {
    "catte": lambda: entries_of("catte"),
    "players": lambda: played(dealt("towai", POLICIES["players"])).entries,
    "director": lambda: played(dealt("towai", POLICIES["director"])).entries,
    "paused": paused_and_resumed,
    "flagged": flagged,
    "defaulted": defaulted,
    "forfeited": lambda: forfeited().entries,
    "void": ruled_void,
    "result": ruled_result,
    "want": voided_for_want,
    "cancelled": cancelled_in_play,
    "told": told_at_once,
}
FOLLOWERS = [
    ("catte", ("match_created", "dealt")),
    ("catte", ("move_played", "match_finished")),
    ("catte", ("match_finished", "seed_disclosed")),
    ("players", ("entropy_revealed", "dealt")),
    ("director", ("entropy_revealed", "dealt")),
    ("paused", ("ruling_made", "match_paused")),
    ("paused", ("ruling_made", "match_resumed")),
    ("flagged", ("clock_expired", "match_paused")),
    ("defaulted", ("clock_expired", "clock_expired")),
    ("forfeited", ("clock_expired", "match_finished")),
    ("void", ("ruling_made", "match_voided")),
    ("result", ("ruling_made", "match_finished")),
    ("want", ("match_voided", "seed_disclosed")),
    ("cancelled", ("match_voided", "seed_disclosed")),
    ("told", ("match_finished", "seed_disclosed")),
]


def places(lines: Lines, pair: tuple[str, str]) -> Iterator[int]:
    found = kinds(lines)
    return (seq for seq in range(1, len(found)) if (found[seq - 1], found[seq]) == pair)


@pytest.mark.parametrize(("match", "pair"), FOLLOWERS, ids=[f"{match}-{pair[1]}" for match, pair in FOLLOWERS])
def test_what_is_written_together_has_one_time(match: str, pair: tuple[str, str]) -> None:
    seq = next(places(file_of(TOGETHER[match]()), pair))
    honest, later = lengthened(match, seq)
    assert judged(honest).verdict in ("verified", "verified_with_rulings")
    last = [found["at"] for found in map(orjson.loads, honest) if "type" in found][seq - 1]
    verdict = judged(later)
    assert said(verdict) == ("rules_divergence", seq, "moves", last, moved_by(last, 1))
    found = why(verdict, "moves")
    assert found is not None
    assert found.code == "not-at-once"
    assert reason(found, "en") != reason(found, "ja")


def test_two_claims_one_after_the_other() -> None:
    """The second seat's time was not up yet when the first one's was claimed."""
    match = Match("tomorrow-never-meows", {"concealed": True}, clock=BANKED)
    match.rule("time", seat=1, add_ms=5_000)
    chosen = match.current.clock
    assert chosen is not None
    match.claim(moved_by(chosen.since[0] or "", 70_001))
    match.claim(moved_by(chosen.since[0] or "", 75_001))
    match.play()
    match.close()
    assert kinds(file_of(match.entries)).count("clock_expired") == 3
    assert judged(file_of(match.entries)).verdict == "verified_with_rulings"


def test_whatever_was_withheld_comes_at_its_own_time() -> None:
    until = "2026-03-01T00:00:00.000Z"
    kept = played(dealt("towai", POLICIES["director"], until))
    assert judged(file_of(told(kept, "2026-03-05T06:07:08.009Z").entries)).verdict == "verified"
    assert judged(file_of(told(kept, until).entries)).verdict == "verified"

    def change(parts: Parts) -> None:
        parts.events[-1].document["at"] = moved_by(until, -1)

    early = forged(file_of(told(kept, until).entries), change)
    assert said(judged(early))[:3] == ("deal_divergence", len(kept.entries), "commitment")


def test_a_ruling_between_the_end_and_a_disclosure_that_waits_for_nothing() -> None:
    match = Match("catte").play(4)
    match.rule("result", winners=(1,), scores=(1, 2, 0, 0))
    match.rule("note")
    match.close()
    assert judged(file_of(match.entries)).verdict == "verified_with_rulings"

    def change(until: str | None) -> Callable[[Parts], None]:
        def changed(parts: Parts) -> None:
            data = parts.events[0].data
            data["deal_id"] = parts.header["match"]
            del data["withheld_until"]
            if until is not None:
                data["withheld_until"] = until

        return changed

    end = next(seq for seq, entry in enumerate(match.entries) if b'"match_finished"' in entry.body)
    finished = orjson.loads(match.entries[end].body)["at"]
    for until in (None, finished, moved_by(finished, -1)):
        verdict = judged(forged(file_of(match.entries), change(until)))
        assert said(verdict) == ("rules_divergence", end + 1, "moves", ["seed_disclosed"], "ruling_made")
    assert judged(forged(file_of(match.entries), change(moved_by(finished, 1)))).verdict == "verified_with_rulings"
