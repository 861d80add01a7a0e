"""The match played again beside its log: every move put to the referee, every consequence made anew and compared.

It goes on as long as the log can be followed: to the first illegal move, wrong consequence or card that nobody has
told. What comes after that is not checkable, and said to be so. What each event leads to is in ``beginnings`` and
``turns``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from gyoji.audit import outline
from gyoji.audit.commitments import CommitmentChecks
from gyoji.audit.comparison import compare
from gyoji.audit.derived_chance import NoEvents, Unseen, recorded_chance
from gyoji.audit.differences import cited, pointer
from gyoji.audit.event_checks import Flaw, misshapen
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.ruling_checks import Judged, Kept, Scene, Turn
from gyoji.audit.timeline import Timeline
from gyoji.audit.verdicts import Check, Ledger, Why, Word
from gyoji.games.chance import deal_v1
from gyoji.games.game import NotRecorded
from gyoji.log.canonical import position_commitment
from gyoji.match import state as stands
from gyoji.match.derived_events import Ground, Made, deal, disclosure, finish
from gyoji.match.recorder import is_checkpoint
from gyoji.match.rules import Rulebook
from gyoji.match.state import MatchState

Stage = Literal[
    "created",
    "seeding",
    "dealt",
    "playing",
    "paused",
    "claimed",
    "due",
    "finished",
    "disclosed",
    "closed",
    "lost",
]
"""What is to come next: the setup, contributions to the seed, the deal, moves, the end of a pause, another expiry, what
the event before leads to, the result, the seed, nothing; or the thread has been lost."""

FOLLOWED: tuple[Check, ...] = ("shuffles", "moves", "positions", "scores", "result")
"""The checks that end where the thread is lost."""

WORDS: Mapping[Check, Word] = {"commitment": "deal_divergence", "shuffles": "deal_divergence", "positions": "tampered"}
"""Where a wrong consequence is something else than ``rules_divergence``. The moves tie down every position, so it is
the opening of a position that is wrong."""

DIVERGED = Why("parted-before")
HIDDEN = ("hidden-cards", "hidden-move")
"""Why the thread is lost where nothing is wrong: this reader of the log may not know cards that are needed."""


class Replayer:
    """Where the match stands by the rules, as far as the log has been heard."""

    def __init__(
        self,
        ledger: Ledger,
        rulebook: Rulebook,
        secret: bytes | None = None,
        promises: CommitmentChecks | None = None,
    ) -> None:
        self.ledger = ledger
        self.rulebook = rulebook
        self.secret = secret
        self.promises = promises or CommitmentChecks(ledger, None)
        self.timeline = Timeline()
        self.stage: Stage = "created"
        self.state: Any = None
        self.ground: Ground
        self.standing: MatchState
        """All that stands beside ``state``; its own state, and whether it is over, may be behind."""
        self.has_diverged = False
        self._lost: Why | None = None
        self._kept: dict[int, Kept] = {}
        self.dealt = 0
        """The event at which the cards were dealt."""
        self._due: Turn | None = None
        self.outline: outline.Outline | None = None
        """What goes on where hidden cards have ended the rest."""

    def lose(self, why: Why) -> None:
        """The thread is lost: nothing that follows from the rules can be said of what comes."""
        self.outline = self._outlined() if why.code in HIDDEN else None
        if self.stage == "lost":
            return
        self.stage, self._lost = "lost", why
        for check in FOLLOWED:
            self.ledger.skip(check, why)

    def _outlined(self) -> outline.Outline:
        """The course as it goes on from here."""
        setup, standing = self.ground.setup, self.standing
        if self.state is None:
            return outline.Outline(setup, "dealt", standing.seeding, self.dealt, ())
        stage: outline.Stage = "paused" if self.stage == "paused" else "playing"
        return outline.Outline(setup, stage, standing.seeding, self.dealt, standing.branches)

    def end(self) -> None:
        """The log ends here."""
        self.promises.end(self._lost)
        if self.secret is None:
            self.ledger.skip("shuffles", Why("seed-not-disclosed"))
        elif hasattr(self, "ground") and self.ground.setup.is_fork:
            self.ledger.skip("shuffles", Why("fork"))
        if self.stage not in ("disclosed", "closed", "lost"):
            self.ledger.skip("result", Why("not-finished"))

    def due(self) -> Made | None:
        """What has to come next, other than a move, where that is certain: the deal from the seed, the result, the
        seed."""
        if self.stage == "finished":
            return finish(self.state)
        is_plain = self.state is not None and self.ground.setup.withheld is None
        if self.stage == "disclosed" and self.ground.secret is not None and is_plain:
            return disclosure(self.ground.setup.disclosure, self.ground.secret, self.state)
        is_plain = not self.ground.setup.is_fork and self.ground.setup.clock is None
        if self.stage == "dealt" and self.ground.live is not None and is_plain:
            return deal(self.ground, self.ground.live)
        return None

    def keep(self) -> None:
        """The secret has been disclosed that was promised."""
        self.promises.keep()

    def diverge(
        self, told: RecordedEvent, check: Check, why: Why, expected: Any, found: Any, rule: str | None = None
    ) -> None:
        """The event parts from the rules."""
        self.ledger.diverge(WORDS.get(check, "rules_divergence"), check, told.seq, why, expected, found, rule)
        self.has_diverged = True

    def astray(self, told: RecordedEvent, why: Why, expected: Any, found: Any, rule: str | None = None) -> None:
        """The event is none that can stand here, and what follows cannot be followed."""
        self.diverge(told, "moves", why, expected, found, rule)
        self.lose(DIVERGED)

    def is_of_type(self, told: RecordedEvent, *kinds: str) -> bool:
        """Whether an event of that type can stand here; if not, that is said."""
        if told.kind in kinds:
            return True
        code = "after-the-end" if self.stage in ("finished", "disclosed", "closed") else "wrong-type"
        self.astray(told, Why(code, {"type": told.kind[:64]}), list(kinds), told.kind)
        return False

    def take(self, told: RecordedEvent, found: Judged | Made | None) -> None:
        """The match goes on with what the event has to be, unless the log parts from that; or it does not go on."""
        if isinstance(found, Made):
            if self._agrees(told, found) and self.stage != "seeding":
                self.go_on(found.state)
        elif isinstance(found, Turn):
            if self._agrees(told, found.made):
                self._turned(found)
        elif isinstance(found, Flaw):
            self.diverge(told, *found)
            self.lose(DIVERGED)
        elif found is not None:
            self.lose(found)

    def _turned(self, turn: Turn) -> None:
        """What a ruling, an expiry or what follows from them makes of the match."""
        standing = turn.standing
        self.standing, self.state, self._due = standing, standing.state, turn.then
        self.stage = turn.stage or ("due" if turn.then is not None else stage_of(standing))
        seed = None if standing.state is None else standing.state.seed
        if self.ground.seed is not None and seed is not None and seed != self.ground.seed:
            self.ground = self.ground._replace(seed=seed, live=deal_v1(seed))
        if standing.voided:
            self.promises.settle()

    def follow(self, told: RecordedEvent) -> None:
        """What the event before leads to."""
        due = self._due
        if due is not None and self.is_of_type(told, due.made.kind):
            self.take(told, due)

    def go_on(self, state: Any) -> None:
        """The event that has been heard is as it should be."""
        self.state = state
        self.stage = AFTER.get(self.stage) or ("playing" if state.outcome is None else "finished")

    def tick(self, seat: int, at: str, before: Any, after: Any) -> None:
        """The seat has made a move that leads from one state to the other; its time stands still."""
        self.standing = stands.after_move(self.standing._replace(state=before), after, seat, at)

    def remember(self, seq: int) -> None:
        """A ruling will go back to where the match stands after that event."""
        if self.state is not None and self.stage != "lost":
            clock = self.standing.clock
            self._kept[seq] = Kept(self.state, None if clock is None else clock.credited_ms)

    def scene(self, told: RecordedEvent) -> Scene:
        """Where the next event is judged."""
        over = self.stage in ("finished", "disclosed", "closed")
        standing = self.standing._replace(state=self.state, seq=told.seq - 1, over=over, closed=self.stage == "closed")
        chance = self.ground.live or recorded_chance(self.ground, told)
        return Scene(self.ground, standing, chance, self._kept, self.dealt)

    def judged(self, told: RecordedEvent, judge: Callable[[Scene], Judged | Made]) -> Judged | Made:
        """What the rules make of the event; or why that cannot be said, as its cards are not known."""
        try:
            return judge(self.scene(told))
        except NotRecorded as missing:
            return Flaw("shuffles", Why("not-the-pile", {"pile": str(missing)}))
        except NoEvents:
            return misshapen("/data/events", None)
        except Unseen:
            return Why("hidden-cards")

    # an event as the rules make it, held against the one that was recorded

    def _agrees(self, told: RecordedEvent, made: Made) -> bool:
        """Whether the log and the rules part in nothing, or in no more than scores and result."""
        wrong = compare(told, made, self._position(told, made), self.ground.setup)
        for check, (path, expected, found), is_secret in wrong:
            rule = cited(path, made.events)
            if is_secret and not self._is_public():
                self.diverge(told, check, Why("hidden", {"at": pointer(path)}), None, None, rule)
            else:
                self.diverge(told, check, Why("differs", {"at": pointer(path)}), expected, found, rule)
        is_astray = any(check not in ("scores", "result", "positions") for check, _difference, _is_hidden in wrong)
        if is_astray:
            self.lose(DIVERGED)
        return not is_astray

    def _position(self, told: RecordedEvent, made: Made) -> str | None:
        """What has to stand in ``position``; where that cannot be said, what stands there."""
        if made.state is None or not is_checkpoint(told.seq, made.kind):
            return None
        if told.salt is None or self.has_diverged:
            self.ledger.skip("positions", Why("position-sealed") if told.salt is None else DIVERGED)
            return told.document["position"] or "a commitment"
        return position_commitment(told.salt, self.ground.setup.game.write_state(made.state))

    def _is_public(self) -> bool:
        """Whether every card may be shown to everybody: the seed is public."""
        return self.ground.live is not None and self.ground.setup.disclosure == "public_on_close"


def stage_of(standing: MatchState) -> Stage:
    """What is to come next where a match stands, beside what an event leads to at once."""
    if standing.over:
        return "disclosed"
    if standing.state is None:
        return "seeding"
    if standing.state.outcome is not None:
        return "finished"
    return "paused" if standing.paused else "playing"


AFTER: Mapping[Stage, Stage] = {"finished": "disclosed", "disclosed": "closed"}
