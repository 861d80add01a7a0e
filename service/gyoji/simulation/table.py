"""Plays one table of a simulated tournament at random, with what goes wrong at it and how a referee rules.

All choices come from the seed and from where the table stands, so that they do not depend on how fast others play; what
goes wrong does not depend on the cards either.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from random import Random
from time import time
from typing import Any, NamedTuple

from gyoji.games.catalogue import BY_SLUG
from gyoji.simulation.client import RetryingClient, UnexpectedAnswer

Seen = Mapping[str, Any]
Move = Mapping[str, Any]

AT_A_TABLE = ("absent", "misplay", "take_back", "substitute", "points", "void", "result")
"""The faults that tables take turns with:

``absent``: a player does not come back, and somebody claims that the time is up. ``misplay``: a card that the rules
forbid, which a referee lets stand. ``take_back``: what was played is taken back some plies later. ``substitute``: a
player is replaced. ``points``: a referee gives and takes points. ``void``: the match is void, and played anew.
``result``: the result is changed afterwards.
"""


class TablePlace(NamedTuple):
    """A table of a round, as the director has set it up."""

    round: int
    table: int
    match: str
    entrants: tuple[str, ...]
    tokens: tuple[str, ...]


class TableContext(NamedTuple):
    """What all tables of a tournament share."""

    client: RetryingClient
    referee: str
    """The key of the referee."""
    count_move: Callable[[], None]
    """Called at every move."""


class SimulatedTable:
    """The match at one table."""

    def __init__(self, context: TableContext, place: TablePlace, seed: str, faults: Sequence[str]) -> None:
        """``faults`` are those that happen at it; its choices follow from ``seed`` and from where it stands."""
        self.place = place
        self.moves = 0
        self.happened: Counter[str] = Counter()
        self.is_void = False
        self._context, self._client = context, context.client
        self._path = f"/v1/matches/{place.match}"
        self._tokens = [*place.tokens]
        where = f"{seed} {place.round} {place.table}"
        self._chance, self._fate = Random(f"play {where}"), Random(f"fate {where}")  # noqa: S311 - of a simulation
        self._waiting = {fault: self._fate.randrange(2, 12) for fault in faults}
        """Fault -> the ply after which it is due."""
        self._faults: Mapping[str, Callable[[Seen], bool]] = {
            "absent": self._stay_away,
            "misplay": self._misplay,
            "take_back": self._plan_take_back,
            "substitute": self._substitute,
            "points": self._points,
            "void": self._void,
        }
        self._asked = 0
        self.due: float | None = None
        """When the deadline passes of a player who is absent."""
        self._absent = 0
        self._absent_moves: Sequence[Move] = ()
        """What the absent player could have played."""
        self._back: tuple[int, int] | None = None
        """The event that will be taken back to, and the ply after which."""

    def play(self) -> bool:
        """Play on; to the end (``True``), or until a deadline has to pass."""
        if self.due is not None:
            self._claim()
        seen = self._look(0)
        while True:
            seen = self._as_player(seen)
            if seen["status"] in ("finished", "voided"):
                if self._rule_after(seen):
                    return True
                seen = self._look(0)
                continue
            if self._fault(seen):
                if self.due is not None:
                    return False
                seen = self._look(0)
                continue
            seen = self._move(seen)

    # requests

    def _look(self, seat: int) -> Seen:
        found: Seen = self._client.get(self._path, self._tokens[seat]).document
        return found

    def _once(self) -> str:
        self._asked += 1
        return f"{self.place.match}:{self._asked}"

    def _rule(self, kind: str, seq: int, reason: str, **members: Any) -> Any:
        """Post a ruling that has to be accepted."""
        body = {"ruling": {"kind": kind, **members}, "reason": reason}
        self.happened[kind] += 1
        return self._client.post(f"{self._path}/rulings", self._context.referee, body, self._once(), seq).document

    # moves

    def _as_player(self, seen: Seen) -> Seen:
        """Return the match as one of those sees it who are to act."""
        if seen["status"] != "playing" or seen["viewer"]["seat"] in seen["view"]["to_act"]:
            return seen
        return self._look(self._pick(seen["view"]["to_act"]))

    def _move(self, seen: Seen) -> Seen:
        """Make one random move; return the match as its player sees it afterwards."""
        move = self._pick(seen["legal_moves"])
        seat = move["seat"]
        made = self._client.post(
            f"{self._path}/moves", self._tokens[seat], {"move": move}, self._once(), seen["seq"]
        ).document
        self.moves += 1
        self._context.count_move()
        status = "playing" if made["outcome"] is None else "finished"
        return {**seen, **made, "status": status}

    def _pick(self, choices: Sequence[Any]) -> Any:
        """Pick one of several; every choice takes one random number, however many there are."""
        return choices[int(self._chance.random() * len(choices))]

    # faults

    def _fault(self, seen: Seen) -> bool:
        """Let a fault happen that is due; tell whether one did, so that the match has to be looked at again."""
        if self._back is not None and self.moves >= self._back[1]:
            self._rule("take_back", seen["seq"], "A card was played that the seat did not hold.", to=self._back[0])
            self._back = None
            return True
        for fault, ply in self._waiting.items():
            if self.moves >= ply and fault in self._faults and self._faults[fault](seen):
                del self._waiting[fault]
                return True
        return False

    def _stay_away(self, seen: Seen) -> bool:
        """Let the player who is to act stay away; a claim before the deadline is refused."""
        self._absent, self._absent_moves = seen["viewer"]["seat"], seen["legal_moves"]
        seat = self._absent
        clock = self._look(seat)["clock"]
        if clock is None or clock["seats"][seat]["deadline"] is None:
            raise UnexpectedAnswer("a player who is to act has no deadline")
        early = self._client.ask("POST", f"{self._path}/claims", self._tokens[seat - 1], {})
        if early.status == 409 and early.document["reason"] == "not-expired":
            self.happened["early claim"] += 1
        elif early.status != 200:
            raise UnexpectedAnswer(f"a claim was answered with {early.status}")
        else:
            self._rule_on_expiry(early.document["then"], seat)
            return True
        self.due = datetime.fromisoformat(clock["seats"][seat]["deadline"]).timestamp()
        return True

    def _claim(self) -> None:
        """Claim that the deadline has passed, as somebody else at the table."""
        seat, self.due = self._absent, None
        other = self._tokens[seat - 1]
        claimed = self._client.post(f"{self._path}/claims", other, {}, self._once()).document
        self._rule_on_expiry(claimed["then"], seat)

    def _rule_on_expiry(self, then: str, seat: int) -> None:
        self.happened[f"time-out ({then})"] += 1
        if then != "referee":
            return
        seen = self._look(seat)
        match self._fate.choice(("forfeit", "substitute", "play", "time")):
            case "forfeit":
                self._rule("forfeit", seen["seq"], "The player has not come back.", seats=[seat])
                return
            case "substitute":
                self._replace(seat, seen["seq"])
            case "play":
                self._rule("play", seen["seq"], "The card was lying on the table.", move=self._absent_moves[0])
            case "time":
                self._rule("time", seen["seq"], "The player was called away.", seat=seat, add=600)
        seen = self._look(seat)
        if seen["status"] == "paused":
            self._rule("resume", seen["seq"], "The match goes on.")

    def _replace(self, seat: int, seq: int) -> None:
        """Seat somebody else, with a token of their own; the old one is worth nothing any more."""
        old = self._tokens[seat]
        made = self._rule("substitute", seq, "The player has left.", seat=seat, name=f"substitute {self.place.table}")
        self._tokens[seat] = made["token"]
        if self._client.ask("GET", self._path, old).status == 200:
            raise UnexpectedAnswer("the token of a player who was replaced still opens the match")

    def _misplay(self, seen: Seen) -> bool:
        """Play a card that the seat holds and may not play: refused first, then a referee lets it stand."""
        seat, legal = seen["viewer"]["seat"], seen["legal_moves"]
        hand = seen["view"]["table"]["hands"][seat]
        template = next((move for move in legal if move.get("card") in hand), None)
        cards = {move["card"] for move in legal if "card" in move}
        if template is None or not cards < {*hand}:
            return False
        barred = [card for card in hand if card not in cards]
        move = {**template, "card": self._pick(barred)}
        self._client.post_refused(
            f"{self._path}/moves", self._tokens[seat], {"move": move}, "illegal-move", seen["seq"]
        )
        body = {"ruling": {"kind": "accept", "move": move}, "reason": "Nobody noticed in time."}
        headers = {"Idempotency-Key": self._once(), "If-Match": f'"{seen["seq"]}"'}
        answer = self._client.ask("POST", f"{self._path}/rulings", self._context.referee, body, headers)
        if answer.status == 409:
            return False  # a card that cannot be let stand; another one, another ply
        if answer.status != 200:
            raise UnexpectedAnswer(f"accept was answered with {answer.status}: {answer.document.get('detail')}")
        self.happened["accept"] += 1
        return True

    def _plan_take_back(self, seen: Seen) -> bool:
        """Plan to take back what is played from here on."""
        self._back = seen["seq"], self.moves + self._fate.randrange(1, 5)
        return True

    def _substitute(self, seen: Seen) -> bool:
        self._replace(self._fate.randrange(len(self._tokens)), seen["seq"])
        return True

    def _points(self, seen: Seen) -> bool:
        seat = self._fate.randrange(len(self._tokens))
        points = self._fate.choice((-5, -1, 2, 10))
        self._rule("points", seen["seq"], "Talking at the table.", seat=seat, points=points)
        return True

    def _void(self, seen: Seen) -> bool:
        self._rule("void", seen["seq"], "The cards were mixed up.")
        self.is_void, self._back = True, None
        return True

    def _rule_after(self, seen: Seen) -> bool:
        """Rule after the end; tell whether that is really the end."""
        if self._back is not None:
            to, self._back = self._back[0], None
            self._rule("take_back", self._look(0)["seq"], "The last cards were not seen.", to=to)
            return False
        if seen["status"] == "finished" and self._waiting.pop("result", None) is not None:
            self._change_result()
        return True

    def _change_result(self) -> None:
        seen = self._look(0)
        scores = [score + self._fate.randrange(-3, 4) for score in seen["result"]["scores"]]
        if BY_SLUG[seen["game"]].cooperative:
            scores = [scores[0]] * len(scores)
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        self._rule("result", seen["seq"], "The scores were added up anew.", winners=winners, scores=scores)

    def wait(self) -> float:
        """Return the seconds until the deadline of the player who is absent has passed."""
        return 0.0 if self.due is None else max(0.0, self.due - time() + 0.01)
