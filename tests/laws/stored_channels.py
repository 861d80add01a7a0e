"""Asks every channel by which a viewer can learn of a stored match, and compares the answers in two worlds.

What is heard while a match is played (its answers to moves, with receipts; looks in between), the log lines and the
metrics belong to every comparison, whichever channels are asked at the end.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from gyoji.api.webhook_words import TYPES
from gyoji.app.webhooks.messages import MessageSource, types_for_match
from gyoji.app.webhooks.messages import body as message
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Move
from gyoji.store.webhooks.records import Delivery
from laws.stored_houses import Answer, House, house
from laws.stored_visits import Visit, transcript
from laws.stored_worlds import Pair, last
from laws.strategies import plain, seed_of
from laws.universe import OF_SEAT

Channel = Callable[[Visit], None]

MEMORY = Path("/dev/shm")  # noqa: S108 - where syncing is free; a folder of our own is made in it
SEED = seed_of(7)
"""Where shuffles come from while a move is only judged."""
ELSEWHERE = "/v1/matches/00000000-0000-4000-8000-000000000000"


Houses = Sequence[House]
"""One for each of the two worlds."""
NOTHING = Answer("", "", (), b"", "")
"""What a question is answered with that is asked in one of the worlds only."""


@contextmanager
def two_houses() -> Iterator[Houses]:
    """Run two services whose stores are removed at the end."""
    with tempfile.TemporaryDirectory(prefix="gyoji-worlds-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        places = [Path(folder) / name for name in ("one", "other")]
        for place in places:
            place.mkdir()
        houses = [house(place) for place in places]
        try:
            yield houses
        finally:
            for each in houses:
                each.services.store.close()


def differences(houses: Houses, pair: Pair, channels: Sequence[str] | None = None) -> list[tuple[Answer, Answer]]:
    """List the answers that show the viewer which world it is in."""
    return [(one, other) for one, other in both(houses, pair, channels) if one != other]


def both(houses: Houses, pair: Pair, channels: Sequence[str] | None = None) -> list[tuple[Answer, Answer]]:
    """Return what is answered in either world; where one of them answers more, that is compared with nothing."""
    asked = [CHANNELS[name] for name in (CHANNELS if channels is None else channels)]
    run = next(houses[0].runs)
    counts, heard = [houses[0].counted()], list[list[Answer]]()
    for side, each in enumerate(houses):
        heard.append(transcript(each, pair, side, run, asked))
        counts.append(each.counted())
    for answers, (before, after) in zip(heard, pairwise(counts), strict=True):
        answers.append(Answer("metrics", "", (), _counted(before, after), ""))
    most = max(len(answers) for answers in heard)
    one, other = [[*answers, *[NOTHING] * (most - len(answers))] for answers in heard]
    return list(zip(one, other, strict=True))


def _counted(before: Mapping[str, float], after: Mapping[str, float]) -> bytes:
    """Return what has been counted in between; both houses are of one process, which counts for both."""
    more = {name: value - before.get(name, 0) for name, value in after.items()}
    return orjson.dumps({name: value for name, value in sorted(more.items()) if value})


# Reading


def match(visit: Visit) -> None:
    """Ask for the match as it stands, in either language."""
    visit.get("")
    visit.get("", accept_language="ja")


def matches(visit: Visit) -> None:
    """Ask for the list of the viewer's matches, and filters."""
    for query in ("", "?limit=1", "?status=finished", "?tag=cup", "?game=towai&status=playing", "?tag=%20"):
        visit.get(f"/v1/matches{query}")


def feed(visit: Visit) -> None:
    """Ask for the feed in pages, in lines, and from a place in the middle."""
    seq, middle = visit.seq, visit.seq // 2
    for query in ("", f"?after={middle}&limit=4", "?raw=1", f"?raw=1&after={middle}", f"?after={seq}", "?after=-1"):
        visit.get(f"/events{query}")


def stream(visit: Visit) -> None:
    """Ask for the feed as server-sent events, from the beginning and resumed."""
    seq = visit.seq
    visit.get("/events", seq + 1, accept="text/event-stream")
    resumed = max(0, seq - 3)
    visit.get("/events", seq - resumed, accept="text/event-stream", last_event_id=str(resumed))
    visit.get("/events", 0, accept="text/event-stream", last_event_id=str(seq))
    visit.get("/stream", seq + 1)
    visit.get("/stream", seq - resumed, last_event_id=str(resumed))


def joint_stream(visit: Visit) -> None:
    """Ask for one stream of all matches of the viewer's, from before this one began."""
    appends = visit.house.services.store.appends
    followed = appends.follow((), lambda _appends: None)
    followed.leave()
    own = appends.among([("match", visit.match)], 0, followed.found.highest, 1000)
    visit.get("/v1/stream", len(own), last_event_id=appends.write_position(followed.found, own[0].number - 1))


def positions(visit: Visit) -> None:
    """Positions: the first, the last, some in between, some that there are not, and another seat's."""
    seq = visit.seq
    for at in sorted({1, seq // 3, 2 * seq // 3, seq - 1, seq, seq + 1}):
        visit.get(f"/positions/{at}")
    visit.get(f"/positions/{seq}", accept_encoding="gzip", if_none_match="*")
    for seat in range(visit.pair.setting.seats):
        visit.get(f"/positions/{seq}?as={seat}")


def frames(visit: Visit) -> None:
    """Ask for what the page of the match steps through: the first events, some in between, the last; and as a seat."""
    seq = visit.seq
    for query in ("limit=9", f"after={seq // 2}&limit=9", f"after={seq - 4}", "after=2&limit=3&as=0"):
        visit.get(f"{visit.page}/frames?{query}")
    visit.get(f"{visit.page}/frames?after={seq - 2}", accept_language="ja")


def replay(visit: Visit) -> None:
    """Ask for the replay file; also packed, and whether the viewer has it."""
    visit.get("/replay")
    visit.get("/replay", accept_encoding="gzip", if_none_match="*")


def audit(visit: Visit) -> None:
    """Ask for the verdict on the stored match."""
    visit.post("the match", "/v1/audits", {"match": visit.match})


def webhooks(visit: Visit) -> None:
    """Ask for every message that a webhook could be sent about the match: the same for every owner."""
    here = visit.house.services
    table = MessageSource(here.store, here.match_states)
    row = here.store.match(visit.match)
    assert row is not None
    for entry in here.store.entries(visit.match):
        for kind in types_for_match(table, row, orjson.loads(entry.body), entry.seq, frozenset(TYPES)):
            told = Delivery("msg_0", "w", visit.match, "match", entry.seq, 0, kind, here.at())
            visit.answers.append(Answer(f"{kind} {entry.seq}", "200", (), message(table, told), ""))


# Trying


def dry_runs(visit: Visit) -> None:
    """Moves tried out: legal and illegal ones."""
    for move in (*visit.pair.legal, *visit.pair.illegal):
        visit.post(str(move), "/moves", {"move": move, "dry_run": True})


def refusals(visit: Visit) -> None:
    """Moves that are refused, on this position and on one that is past."""
    for move in visit.pair.illegal:
        visit.post(str(move), "/moves", {"move": move})
    for move in visit.pair.illegal[:2]:
        visit.post(f"stale {move}", "/moves", {"move": move}, if_match='"1"')
        visit.post(f"ja {move}", "/moves", {"move": move}, accept_language="ja", if_match="*")


def repetitions(visit: Visit) -> None:
    """Requests that were answered, sent again; another one under the same key."""
    for name, question, body, headers in visit.repeated:
        if "idempotency_key" in headers:
            visit.post(question, "/moves", body, name, **headers)
            visit.post(f"{question}, otherwise", "/moves", body + b" ", name, **headers)


def wrong_requests(visit: Visit) -> None:
    """Requests that are wrong in themselves, moves of other seats, and what the viewer may not do."""
    seat = visit.pair.viewer or 0
    card = {"type": "play", "seat": seat, "card": "no such card"}
    move: Any = {"type": "peek", "seat": seat}
    shapes: tuple[Any, ...] = ({"move": card}, {"move": move}, {"move": None, "dry_run": True}, {}, [])
    for body in shapes:
        visit.post(f"shape {body}", "/moves", body)
    visit.post("cut short", "/moves", b'{"move":')
    for move in visit.pair.illegal[:1]:
        visit.post("more", "/moves", {"move": {**move, "hand": []}, "dry_run": False, "seed": None})
        visit.post("no tag", "/moves", {"move": move}, if_match="1")
        if visit.pair.viewer is not None:
            visit.post("another seat", "/moves", {"move": {**move, "seat": (seat + 1) % visit.pair.setting.seats}})
    visit.post("fork", "/fork", {"seq": 1})
    for part in ("/disclosure", "/entropy/close", "/void" if visit.pair.over else "/disclosure"):
        visit.post("at the end", part, {})
    visit.post("late entropy", "/entropy", {"entropy": "ab" * 32})
    visit.post("audit nothing", "/v1/audits", {"match": ELSEWHERE.rpartition("/")[2]})
    for part in ("/positions/01", "/positions/x", "/nowhere", f"{ELSEWHERE}/events", ELSEWHERE, "/v1/keys"):
        visit.get(part)
    visit.get("/events?limit=0")
    visit.get("/events", last_event_id="x", accept="text/event-stream")
    visit.get(f"/positions/{visit.seq}?as=99")


def rulings(visit: Visit) -> None:
    """Rulings tried out, refused and made, and claims: of a referee who sees no hands; all others are turned away."""
    middle, on = max(1, visit.seq // 2), {"if_match": f'"{visit.seq}"'}
    for ruling in ({"kind": "take_back", "to": middle}, {"kind": "take_back", "to": 1}, {"kind": "void"}):
        visit.post(f"try {ruling}", "/rulings", {"ruling": ruling, "reason": "asked", "dry_run": True})
    for move in hopeless(visit.pair):
        for kind in ("accept", "play"):
            tried = {"kind": kind, "move": move}
            visit.post(f"try {tried}", "/rulings", {"ruling": tried, "reason": "asked", "dry_run": True})
        visit.post(f"accept {move}", "/rulings", {"ruling": {"kind": "accept", "move": move}, "reason": "asked"}, **on)
    visit.post("claim", "/claims", {})
    seq, back = visit.seq, {"ruling": {"kind": "take_back", "to": middle}, "reason": "made", "audience": []}
    visit.post("take back", "/rulings", back, **on)
    for part in ("", f"/events?after={seq}", f"/events?after={seq}&raw=1", "/replay?line=ruled", "/replay"):
        visit.get(part)


def hopeless(pair: Pair) -> list[Move]:
    """Moves of a seat to act that no referee can let stand in either world: they are legal, or break no rule about what
    may be played. First those that are legal in one of the worlds alone."""
    game, ends = pair.setting.game, [last(pair.setting, world) for world in (pair.one, pair.other)]
    seats = ends[0].to_act[:1]
    every = [move for seat in seats for move in OF_SEAT[game.slug](plain(game, ends[0]), seat)]

    def why(move: Move) -> list[str]:
        found = [game.adjudicate(end, move, deal_v1(SEED)) for end in ends]
        return ["legal" if isinstance(each, Accepted) else each.infraction.reason for each in found]

    judged = [(move, reasons) for move in every if "rule-violation" not in (reasons := why(move))]
    return [move for move, _reasons in sorted(judged, key=lambda found: found[1][0] == found[1][1])][:6]


CHANNELS: Mapping[str, Channel] = {
    "match": match,
    "matches": matches,
    "feed": feed,
    "stream": stream,
    "joint stream": joint_stream,
    "positions": positions,
    "frames": frames,
    "replay": replay,
    "audit": audit,
    "webhooks": webhooks,
    "dry runs": dry_runs,
    "refusals": refusals,
    "repetitions": repetitions,
    "wrong requests": wrong_requests,
    "rulings": rulings,
}


def described(found: Sequence[tuple[Answer, Answer]]) -> str:
    """Describe the first difference, in short."""
    one, other = found[0]
    at = next((at for at, pair in enumerate(zip(one.body, other.body, strict=False)) if pair[0] != pair[1]), 0)
    around = slice(max(0, at - 60), at + 60)
    texts = orjson.dumps([one.body[around].decode("utf-8", "replace"), other.body[around].decode("utf-8", "replace")])
    return f"{len(found)} differ; {one.question} / {other.question}: {one.status} / {other.status}: {texts.decode()}"
