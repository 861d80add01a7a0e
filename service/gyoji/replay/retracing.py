"""The match played again beside its log: every move put to the referee, every consequence made anew and compared.

It goes on as long as the log can be followed: to the first illegal move, wrong consequence or card that nobody has
told. What comes after that is not checkable, and said to be so.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from gyoji.games.game import Accepted, Breach, Chance, NotRecorded, Refused
from gyoji.replay import judging
from gyoji.replay.beacons import Beacons
from gyoji.replay.canonical import position_commitment
from gyoji.replay.comparing import cited, pointer
from gyoji.replay.folding import MOVES
from gyoji.replay.judging import Flaw
from gyoji.replay.making import Ground, Made, deal, disclosure, finish, ground, moved
from gyoji.replay.promises import Promises
from gyoji.replay.recording import is_checkpoint
from gyoji.replay.recounting import Unseen, as_recorded
from gyoji.replay.rules import Rulebook
from gyoji.replay.seeding import Seeding, waiting
from gyoji.replay.setup import Setup, set_up
from gyoji.replay.told import Told
from gyoji.replay.verdicts import Check, Ledger, Why, Word
from gyoji.replay.weighing import weighed

Stage = Literal["created", "seeding", "dealt", "playing", "finished", "disclosed", "closed", "lost"]
"""What is to come next: the setup, contributions to the seed, the deal, moves, the result, the seed, nothing; or the
thread has been lost."""

FOLLOWED: tuple[Check, ...] = ("shuffles", "moves", "positions", "scores", "result")
"""The checks that end where the thread is lost."""

WORDS: Mapping[Check, Word] = {"commitment": "deal_divergence", "shuffles": "deal_divergence", "positions": "tampered"}
"""Where a wrong consequence is something else than ``rules_divergence``. The moves tie down every position, so it is
the opening of a position that is wrong."""

PARTED = Why("parted-before")


class Retrace:
    """Where the match stands by the rules, as far as the log has been heard."""

    def __init__(self, ledger: Ledger, rulebook: Rulebook, secret: bytes | None, beacons: Beacons | None) -> None:
        self.ledger = ledger
        self.stage: Stage = "created"
        self.state: Any = None
        self.ground: Ground
        self._rulebook = rulebook
        self._secret = secret
        self._promises = Promises(ledger, beacons)
        self._seeding: Seeding
        self._has_parted = False
        self._lost: Why | None = None

    def hear(self, told: Told) -> None:
        """One more event."""
        if told.kind == "match_created" and told.seq == 0:
            self._promises.begin(told)
        if told.kind == "seed_disclosed":
            self._promises.weigh_secret(told)
        step = STEPS.get(self.stage)
        if step is not None:
            step(self, told)

    def lose(self, why: Why) -> None:
        """The thread is lost: nothing that follows from the rules can be said of what comes."""
        self.stage, self._lost = "lost", why
        for check in FOLLOWED:
            self.ledger.leave(check, why)

    def end(self) -> None:
        """The log ends here."""
        self._promises.end(self._lost)
        if self._secret is None:
            self.ledger.leave("shuffles", Why("seed-not-disclosed"))
        elif hasattr(self, "ground") and self.ground.setup.is_fork:
            self.ledger.leave("shuffles", Why("fork"))
        if self.stage in ("created", "seeding", "dealt", "playing", "finished"):
            self.ledger.leave("result", Why("not-finished"))

    def due(self) -> Made | None:
        """What has to come next, other than a move, where that is certain: the deal from the seed, the result, the
        seed."""
        if self.stage == "finished":
            return finish(self.state)
        is_plain = self.state is not None and self.ground.setup.withheld is None
        if self.stage == "disclosed" and self.ground.secret is not None and is_plain:
            return disclosure(self.ground.setup.disclosure, self.ground.secret, self.state)
        if self.stage == "dealt" and self.ground.live is not None and not self.ground.setup.is_fork:
            return deal(self.ground, self.ground.live)
        return None

    def keep(self) -> None:
        """The secret has been disclosed that was promised."""
        self._promises.keep()

    def _part(self, told: Told, check: Check, why: Why, expected: Any, found: Any, rule: str | None = None) -> None:
        self.ledger.part(WORDS.get(check, "rules_divergence"), check, told.seq, why, expected, found, rule)
        self._has_parted = True

    def _astray(self, told: Told, why: Why, expected: Any, found: Any, rule: str | None = None) -> None:
        """The event is none that can stand here, and what follows cannot be followed."""
        self._part(told, "moves", why, expected, found, rule)
        self.lose(PARTED)

    def _is_of_type(self, told: Told, *kinds: str) -> bool:
        if told.kind in kinds:
            return True
        if told.kind in judging.SEEDING and self.stage in ("dealt", "playing"):
            self._counted(told)
            return False
        code = "after-the-end" if self.stage in ("finished", "disclosed", "closed") else "wrong-type"
        self._astray(told, Why(code, {"type": told.kind[:64]}), list(kinds), told.kind)
        return False

    def created(self, told: Told) -> None:
        if not self._is_of_type(told, "match_created"):
            return
        found = set_up(told.document["data"], self._rulebook)
        if not isinstance(found, Setup):
            word, place, expected, given = found
            if word == "rules_unknown":
                self.ledger.part(word, "moves", told.seq, Why("rules-unknown"), expected, given, result="not_checkable")
                self.lose(Why("rules-unknown"))
            else:
                self._astray(told, Why("setup", {"at": place}), expected, given)
            return
        self._seeding = waiting(found.policy, found.seats, found.deal_id, told.document["at"])
        self.ground = ground(found, self._secret, self._seeding)
        flaw = judging.creation_flaw(told)
        if flaw is not None:
            self._judged(told, flaw)
        else:
            self.stage = "dealt" if self._seeding.is_complete else "seeding"

    def contributed(self, told: Told) -> None:
        """A contribution to the seed; or the end of waiting for more."""
        if told.kind == "match_voided":
            self._judged(told, judging.ended(self._seeding, None, told))
        elif told.kind == "dealt":
            flaw = judging.owed(self._seeding, told, "empty")
            if flaw is None:
                self._settled()
                self.dealt(told)
            else:
                self._judged(told, flaw)
        elif self._is_of_type(told, *judging.SEEDING):
            self._counted(told)

    def _counted(self, told: Told) -> None:
        found = judging.contribution(self._seeding, told)
        if isinstance(found, Flaw):
            self._judged(told, found)
            return
        made, seeding = found
        self._seeding = seeding
        self._take(told, made)
        if seeding.is_complete and self.stage == "seeding":
            self._promises.weigh_beacon(seeding, told.seq)
            self._settled()

    def _settled(self) -> None:
        """All that there will be has been contributed."""
        self._promises.settle()
        self._seeding = self._seeding._replace(closed=True)
        self.ground = ground(self.ground.setup, self._secret, self._seeding)
        self.stage = "dealt"

    def dealt(self, told: Told) -> None:
        if not self._is_of_type(told, "dealt"):
            return
        if self.ground.setup.is_fork:
            self._taken_over(told)
            return
        made = self._ruled(told, lambda chance: deal(self.ground, chance))
        if isinstance(made, Made):
            self._take(told, made)

    def _taken_over(self, told: Told) -> None:
        if told.is_open:
            self._judged(told, judging.taken_over(self.ground, told))
        else:
            self.lose(Why("hidden-cards"))

    def _judged(self, told: Told, made: Made | Flaw) -> None:
        if isinstance(made, Made):
            self._take(told, made)
        else:
            self._part(told, *made)
            self.lose(PARTED)

    def moved(self, told: Told) -> None:
        if told.kind == "match_voided":
            self._judged(told, judging.ended(self._seeding, self.state, told))
            return
        if not self._is_of_type(told, *MOVES):
            return
        setup, state, move = self.ground.setup, self.state, told.truth.get("move")
        if not setup.rules.fits("move", move):
            self._unfit(told, move)
            return
        ruling = self._ruled(told, lambda chance: setup.game.adjudicate(state, move, chance))
        if isinstance(ruling, Accepted):
            self._take(told, moved(self.ground, state, move, ruling, judging.mover(told, move["seat"])))

    def _unfit(self, told: Told, move: Any) -> None:
        """A move that is none: because it is hidden, or because it never was one."""
        if isinstance(move, dict) and judging.is_hidden(move, self.ground.known):
            self.lose(Why("hidden-move"))
        else:
            self._astray(told, Why("misshapen", {"at": "/data/move"}), None, told.document["data"].get("move"))

    def _ruled(
        self, told: Told, rule: Callable[[Chance], Made | Accepted[Any] | Refused]
    ) -> Made | Accepted[Any] | None:
        """What the rules make of it; ``None`` where they refuse it or the cards are not known, which is then said."""
        try:
            ruling = rule(self.ground.live or as_recorded(self.ground, told))
        except NotRecorded as missing:
            self._part(told, "shuffles", Why("not-the-pile", {"pile": str(missing)}), None, None)
            self.lose(PARTED)
        except Unseen:
            self.lose(Why("hidden-cards"))
        else:
            if not isinstance(ruling, Refused):
                return ruling
            self._refused(told, ruling.breach)
        return None

    def _refused(self, told: Told, breach: Breach) -> None:
        facts = {"reason": breach.reason, "rule": breach.rule, "seat": breach.seat}
        self._astray(told, Why("illegal-move", facts), breach.reason, told.document["data"]["move"], breach.rule)

    def finished(self, told: Told) -> None:
        if self._is_of_type(told, "match_finished"):
            self._take(told, finish(self.state))

    def seed_disclosed(self, told: Told) -> None:
        """Whose secret it is that was told, and to whom; what it is belongs to the commitment."""
        if not self._is_of_type(told, "seed_disclosed"):
            return
        setup = self.ground.setup
        self._promises.weigh_time(setup.withheld, told)
        self._take(told, disclosure(setup.disclosure, told.truth.get("server_secret"), self.state))

    def closed(self, told: Told) -> None:
        self._astray(told, Why("after-the-end", {"type": told.kind[:64]}), None, told.kind)

    # an event as the rules make it, held against the one that was recorded

    def _take(self, told: Told, made: Made) -> None:
        """The match goes on, unless the log parts from the rules in more than scores and result."""
        wrong = weighed(told, made, self._position(told, made), self.ground.setup)
        for check, (path, expected, found), is_secret in wrong:
            rule = cited(path, made.events)
            if is_secret and not self._is_public():
                self._part(told, check, Why("hidden", {"at": pointer(path)}), None, None, rule)
            else:
                self._part(told, check, Why("differs", {"at": pointer(path)}), expected, found, rule)
        if any(check not in ("scores", "result", "positions") for check, _difference, _is_hidden in wrong):
            self.lose(PARTED)
        elif made.kind == "match_voided":
            self.stage = "disclosed"
            self._promises.settle()
        elif self.stage != "seeding":
            self.go_on(made.state)

    def go_on(self, state: Any) -> None:
        """The event that has been heard is as it should be."""
        self.state = state
        self.stage = AFTER.get(self.stage) or ("playing" if state.outcome is None else "finished")

    def _position(self, told: Told, made: Made) -> str | None:
        """What has to stand in ``position``; where that cannot be said, what stands there."""
        if made.state is None or not is_checkpoint(told.seq, made.kind):
            return None
        if told.salt is None or self._has_parted:
            self.ledger.leave("positions", Why("position-sealed") if told.salt is None else PARTED)
            return told.document["position"] or "a commitment"
        return position_commitment(told.salt, self.ground.setup.game.write_state(made.state))

    def _is_public(self) -> bool:
        """Whether every card may be shown to everybody: the seed is public."""
        return self.ground.live is not None and self.ground.setup.disclosure == "public_on_close"


STEPS: Mapping[Stage, Callable[[Retrace, Told], None]] = {
    "created": Retrace.created,
    "seeding": Retrace.contributed,
    "dealt": Retrace.dealt,
    "playing": Retrace.moved,
    "finished": Retrace.finished,
    "disclosed": Retrace.seed_disclosed,
    "closed": Retrace.closed,
}

AFTER: Mapping[Stage, Stage] = {"finished": "disclosed", "disclosed": "closed"}
