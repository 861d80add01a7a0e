"""The match played again beside its log: every move put to the referee, every consequence made anew and compared.

It goes on as long as the log can be followed: to the first illegal move, wrong consequence or card that nobody has
told. What comes after that is not checkable, and said to be so.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from gyoji.games.game import Accepted, Breach, Chance, Known, NotRecorded, Refused
from gyoji.replay.canonical import position_commitment
from gyoji.replay.comparing import cited, pointer
from gyoji.replay.folding import MOVES
from gyoji.replay.making import Ground, Made, deal, disclosure, finish, ground, moved, takeover
from gyoji.replay.reading import HEX_64, is_text
from gyoji.replay.recording import is_checkpoint
from gyoji.replay.recounting import Unseen, as_recorded
from gyoji.replay.rules import Rulebook
from gyoji.replay.setup import Promise, Setup, are_personal, promised, set_up
from gyoji.replay.told import Told
from gyoji.replay.verdicts import Check, Ledger, Why, Word
from gyoji.replay.weighing import weighed

Stage = Literal["created", "dealt", "playing", "finished", "disclosed", "closed", "lost"]
"""What is to come next: the setup, the deal, moves, the result, the seed, nothing; or the thread has been lost."""

FOLLOWED: tuple[Check, ...] = ("shuffles", "moves", "positions", "scores", "result")
"""The checks that end where the thread is lost."""

WORDS: Mapping[Check, Word] = {"shuffles": "deal_divergence", "positions": "tampered"}
"""Where a wrong consequence is something else than ``rules_divergence``. The moves tie down every position, so it is
the opening of a position that is wrong."""

PARTED = Why("parted-before")


class Retrace:
    """Where the match stands by the rules, as far as the log has been heard."""

    def __init__(self, ledger: Ledger, rulebook: Rulebook, secret: bytes | None) -> None:
        self.ledger = ledger
        self.stage: Stage = "created"
        self.state: Any = None
        self.ground: Ground
        self._rulebook = rulebook
        self._secret = secret
        self._promise: Promise | None = None
        self._is_kept = False
        self._has_parted = False

    def hear(self, told: Told) -> None:
        """One more event."""
        if told.kind == "match_created" and told.seq == 0:
            self._promise = promised(told.document["data"])
        if told.kind == "seed_disclosed":
            self._weigh_secret(told)
        step = STEPS.get(self.stage)
        if step is not None:
            step(self, told)

    def lose(self, why: Why) -> None:
        """The thread is lost: nothing that follows from the rules can be said of what comes."""
        self.stage = "lost"
        for check in FOLLOWED:
            self.ledger.leave(check, why)

    def end(self) -> None:
        """The log ends here."""
        if not self._is_kept:
            self.ledger.leave("commitment", Why("seed-not-disclosed"))
        if self._secret is None:
            self.ledger.leave("shuffles", Why("seed-not-disclosed"))
        elif self.stage != "created" and self._is_fork():
            self.ledger.leave("shuffles", Why("fork"))
        if self.stage in ("created", "dealt", "playing", "finished"):
            self.ledger.leave("result", Why("not-finished"))

    def due(self) -> Made | None:
        """What has to come next, other than a move, where that is certain: the deal from the seed, the result, the
        seed."""
        if self.stage == "finished":
            return finish(self.state)
        if self.stage == "disclosed" and self.ground.secret is not None:
            return disclosure(self.ground.setup.disclosure, self.ground.secret, self.state)
        if self.stage == "dealt" and self.ground.live is not None and not self.ground.setup.is_fork:
            return deal(self.ground, self.ground.live)
        return None

    def keep(self) -> None:
        """The secret has been disclosed that was promised."""
        self._is_kept = True

    def _is_fork(self) -> bool:
        return hasattr(self, "ground") and self.ground.setup.is_fork

    # what is wrong with an event

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
        code = "after-the-end" if self.stage in ("finished", "disclosed", "closed") else "wrong-type"
        self._astray(told, Why(code, {"type": told.kind[:64]}), list(kinds), told.kind)
        return False

    # the events of a log, in their order

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
        self.ground = ground(found, self._secret)
        if self._is_sound_creation(told):
            self.stage = "dealt"

    def _is_sound_creation(self, told: Told) -> bool:
        """The first event's actor, and that what may be erased is kept apart."""
        document = told.document
        if document["actor"] != {"role": "operator"}:
            self._astray(told, Why("wrong-actor"), {"role": "operator"}, document["actor"])
        elif [secret["for"] for secret in document["secret"]] != ["all"] or document["position"] is not None:
            self._astray(told, Why("differs", {"at": "/secret"}), [{"for": "all"}], document["secret"])
        elif 0 in told.openings and not are_personal(told.openings[0].payload):
            self._astray(told, Why("hidden", {"at": "/data/names"}), None, None)
        return self.stage != "lost"

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
        """A fork: the first position comes from another match; it has to be possible."""
        if not told.is_open:
            self.lose(Why("hidden-cards"))
            return
        setup, position = self.ground.setup, told.truth.get("position")
        if not setup.rules.fits("state", position) or position["seed"] is not None:
            self._astray(told, Why("misshapen", {"at": "/data/position"}), None, None)
            return
        state = setup.game.read_state(position)._replace(seed=self.ground.seed)
        if state.options != setup.options or state.seats != setup.seats:
            self._astray(told, Why("differs", {"at": "/data/position/options"}), None, None)
            return
        for finding in setup.game.findings(state):
            self._astray(told, Why("impossible-position", {"at": finding.pointer}), None, finding.code)
            return
        self._take(told, takeover(self.ground, state))

    def moved(self, told: Told) -> None:
        if not self._is_of_type(told, *MOVES):
            return
        setup, state, move = self.ground.setup, self.state, told.truth.get("move")
        if not setup.rules.fits("move", move):
            self._unfit(told, move)
            return
        ruling = self._ruled(told, lambda chance: setup.game.adjudicate(state, move, chance))
        if isinstance(ruling, Accepted):
            self._take(told, moved(self.ground, state, move, ruling, _mover(told, move["seat"])))

    def _unfit(self, told: Told, move: Any) -> None:
        """A move that is none: because it is hidden, or because it never was one."""
        if isinstance(move, dict) and _is_hidden(move, self.ground.known):
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
        secret = told.truth.get("server_secret")
        self._take(told, disclosure(self.ground.setup.disclosure, secret, self.state))

    def closed(self, told: Told) -> None:
        self._astray(told, Why("after-the-end", {"type": told.kind[:64]}), None, told.kind)

    def _weigh_secret(self, told: Told) -> None:
        """Whether the secret is the one that was promised."""
        if self._promise is None:
            self.ledger.leave("commitment", Why("not-promised"))
            return
        secret = told.truth.get("server_secret")
        if secret is None and told.document["secret"]:
            self.ledger.leave("commitment", Why("seed-sealed"))
        elif is_text(secret, HEX_64) and self._promise.is_kept_by(bytes.fromhex(secret)):
            self.keep()
        else:
            why, expected = Why("commitment"), self._promise.commitment
            self.ledger.part("deal_divergence", "commitment", told.seq, why, expected, None)

    # an event as the rules make it, held against the one that was recorded

    def _take(self, told: Told, made: Made) -> None:
        """The match goes on, unless the log parts from the rules in more than scores and result."""
        wrong = weighed(told, made, self._position(told, made), self.ground.setup)
        for check, (path, expected, found), is_hidden in wrong:
            rule = cited(path, made.events)
            if is_hidden and not self._is_public():
                self._part(told, check, Why("hidden", {"at": pointer(path)}), None, None, rule)
            else:
                self._part(told, check, Why("differs", {"at": pointer(path)}), expected, found, rule)
        if any(check not in ("scores", "result", "positions") for check, _difference, _is_hidden in wrong):
            self.lose(PARTED)
        else:
            self.go_on(made.state)

    def go_on(self, state: Any) -> None:
        """The event that has been heard is as it should be."""
        self.state = state
        self.stage = AFTER.get(self.stage) or ("playing" if state.outcome is None else "finished")

    def _position(self, told: Told, made: Made) -> str | None:
        """What has to stand in ``position``; where that cannot be said, what stands there."""
        if not is_checkpoint(told.seq, made.kind):
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
    "dealt": Retrace.dealt,
    "playing": Retrace.moved,
    "finished": Retrace.finished,
    "disclosed": Retrace.seed_disclosed,
    "closed": Retrace.closed,
}

AFTER: Mapping[Stage, Stage] = {"finished": "disclosed", "disclosed": "closed"}


def _mover(told: Told, seat: int) -> Mapping[str, Any]:
    """Who has to stand there as the actor: the seat, or an operator who moved for it."""
    operator = {"role": "operator", "seat": seat}
    return operator if told.document["actor"] == operator else {"role": "seat", "seat": seat}


def _is_hidden(move: Mapping[str, Any], known: Known) -> bool:
    kind = move.get("type")
    fields = known.moves.get(kind, {}) if isinstance(kind, str) else {}
    return any(knower != "all" and move.get(name, "") is None for name, knower in fields.items())
