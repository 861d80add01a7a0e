"""``MatchState`` holds a stored match after one of its events; ``Result`` says how a match came out."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict

from gyoji.games.chance import deal_v1
from gyoji.games.game import Chance, Game, Seat
from gyoji.match import clocks
from gyoji.match.clocks import Clock, Control
from gyoji.match.records import Scores, SeatSet
from gyoji.match.seeding import Disclosure, Seeding, empty_seeding, seed_of
from gyoji.match.setup import Setup

ResultBy = Literal["play", "forfeit", "ruling", "clock"]


class Result(NamedTuple):
    """How a match came out, with all that referees have given and taken."""

    by: ResultBy
    """Whether it was played to its end, or what ended it or changed its result."""
    scores: tuple[int, ...]
    """By seat, adjustments included."""
    winners: tuple[Seat, ...]
    forfeited: tuple[Seat, ...] = ()


class MatchResult(TypedDict):
    """A result as ``match_finished`` states it."""

    by: ResultBy
    winners: SeatSet
    scores: Scores
    forfeited: SeatSet


def write_result(result: Result) -> MatchResult:
    """The result as ``match_finished`` states it."""
    return {"by": result.by, "winners": result.winners, "scores": result.scores, "forfeited": result.forfeited}


def read_result(document: Mapping[str, Any]) -> Result:
    """The result that a ``match_finished`` states."""
    lists = [tuple(document[name]) for name in ("scores", "winners", "forfeited")]
    return Result(document["by"], *lists)


def winners_among(game: Game[Any], scores: tuple[int, ...], forfeited: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats that win with these scores where some have forfeited: the best of the others, by the game's own rule.
    In a cooperative game nobody wins once a seat has forfeited."""
    if not forfeited:
        return game.winners(scores)
    others = [seat for seat in range(len(scores)) if seat not in forfeited]
    if game.cooperative or not others:
        return ()
    return tuple([others[at] for at in game.winners([scores[seat] for seat in others])])


Status = Literal["seeding", "playing", "paused", "finished", "voided"]
"""The status of a match: it waits for contributions to its seed, is played, is paused, has ended with a result, or has
ended without one."""

RUNNING: tuple[Status, ...] = ("playing", "paused")

STATUS_AFTER: Mapping[str, Status] = {
    "dealt": "playing",
    "match_paused": "paused",
    "match_resumed": "playing",
    "match_finished": "finished",
    "match_voided": "voided",
}
"""The status of a match after an event of that type; others leave it as it was, but for a take-back."""


class MatchTerms(NamedTuple):
    """The terms of a match, which are fixed when it is set up."""

    match: str
    game: Game[Any]
    options: Any
    """The game's frozen options."""
    first: int
    secret: bytes
    """The server's secret, 64 bytes; empty where it is not known."""
    disclosure: Disclosure
    withheld: str | None
    """What the disclosure at the end waits for: ``group``, or a time; ``None``: for nothing."""
    control: Control | None
    """How the time of the seats is kept; ``None``: it is not."""


class MatchCourse(NamedTuple):
    """The part of a match's state that no move changes: its pauses, its end, and what referees have ruled."""

    over: bool = False
    """Whether there are no more moves: the match is finished or void."""
    voided: bool = False
    closed: bool = False
    """Whether the log is: the server's secret has been disclosed."""
    paused: bool = False
    adjustments: tuple[int, ...] = ()
    """Points that referees have given and taken, by seat; empty where there never were any."""
    forfeited: tuple[Seat, ...] = ()
    """The seats whose forfeit ended the match."""
    ruled: Result | None = None
    """The result where it does not follow from play alone: by a ruling, a forfeit or the clock."""
    names: Mapping[Seat, str | None] = {}
    """Who has taken over a seat since the match was set up; ``None``: somebody without a name."""
    rulings: int = 0
    """How many rulings the log has."""
    branches: tuple[tuple[int, int], ...] = ()
    """Of every take-back the ``seq`` of the ruling and that of the event whose position it went back to."""


class MatchState(NamedTuple):
    """The state of a stored match after its event ``seq``: all that the next entry needs.

    What moves change stands here; the rest lies in ``terms`` and ``course``, so that a move copies little.
    """

    seq: int
    hash: bytes
    at: str
    """When the event was written down, by the clock of whoever wrote it."""
    state: Any
    """The game's frozen state; its ``seed`` is that of the match, or of its latest branch. ``None`` before the deal."""
    decision: int
    """The ``seq`` of the event that opened the decision which is now to be made."""
    clock: Clock | None
    """The time of the seats; ``None`` before the deal, and where none is kept."""
    seeding: Seeding
    terms: MatchTerms
    course: MatchCourse

    @property
    def match(self) -> str:
        return self.terms.match

    @property
    def game(self) -> Game[Any]:
        return self.terms.game

    @property
    def options(self) -> Any:
        return self.terms.options

    @property
    def secret(self) -> bytes:
        return self.terms.secret

    @property
    def over(self) -> bool:
        return self.course.over

    @property
    def closed(self) -> bool:
        return self.course.closed

    @property
    def status(self) -> Status:
        """The status of the match after this event."""
        if self.course.voided:
            return "voided"
        if self.over:
            return "finished"
        if self.state is None:
            return "seeding"
        return "paused" if self.course.paused else "playing"

    @property
    def seed(self) -> str | None:
        """The seed in force (128 hex digits), before the deal the one that would follow from what has been contributed;
        ``None`` where the server's secret is not known."""
        if self.state is None:
            return seed_of(self.seeding, self.secret, self.game)
        seed: str | None = self.state.seed
        return seed

    @property
    def chance(self) -> Chance:
        """The shuffles of live play, from the seed in force. Without a seed the first shuffle that is due raises
        ``SeedMissing``."""
        return deal_v1(self.seed)

    @property
    def adjusted(self) -> tuple[int, ...]:
        """The scores with all that referees have given and taken, by seat, once the cards are dealt."""
        scores: tuple[int, ...] = self.state.scores
        return tuple(map(sum, zip(scores, self.course.adjustments, strict=True))) if self.course.adjustments else scores


CHECKPOINT = 16
"""The whole position is committed to at every ``seq`` divisible by this."""


def is_checkpoint(seq: int, kind: str) -> bool:
    """Tell whether an event commits to the position after it, if the cards have been dealt."""
    return kind in ("dealt", "match_finished", "match_voided") or (seq > 1 and seq % CHECKPOINT == 0)


def position_after(match: MatchState, seq: int, kind: str) -> Mapping[str, Any] | None:
    """Return the state envelope that event ``seq`` of that type commits to, if ``match`` is the match after it;
    ``None`` where it commits to none."""
    state = match.state
    return match.terms.game.write_state(state) if state is not None and is_checkpoint(seq, kind) else None


def first_state(match: str, setup: Setup, secret: bytes, hashed: bytes, at: str) -> MatchState:
    """The state of a match after its first event, which has that hash; ``secret`` is the server's, or empty."""
    terms = MatchTerms(
        match, setup.game, setup.options, setup.first, secret, setup.disclosure, setup.withheld, setup.clock
    )
    seeding = empty_seeding(setup.policy, setup.seats, setup.deal_id, at)
    return MatchState(0, hashed, at, None, 0, None, seeding, terms, MatchCourse())


def stop(match: MatchState, at: str, *, voided: bool = False) -> MatchState:
    """Return the match ended at a time, with or without a result: nobody moves, and no time runs."""
    clock, course = match.clock, match.course._replace(over=True, voided=voided, paused=False)
    return match._replace(course=course, clock=None if clock is None else clocks.stop_clock(clock, at))


def add_ruling(match: MatchState, course: MatchCourse | None = None) -> MatchState:
    """Return the match with one more ruling counted, and with ``course`` where that is given."""
    course = course or match.course
    return match._replace(course=course._replace(rulings=course.rulings + 1))


def forfeit_result(match: MatchState, by: ResultBy, seats: tuple[Seat, ...]) -> Result:
    """Return the result of the match if these seats forfeit now."""
    scores = match.adjusted
    return Result(by, scores, winners_among(match.game, scores, seats), seats)


def result_of(match: MatchState) -> Result | None:
    """Return the result of a match that is finished; ``None`` before, and for one that is void."""
    if match.status != "finished":
        return None
    if match.course.ruled is not None:
        return match.course.ruled
    scores = match.adjusted
    return Result("play", scores, match.game.winners(scores))
