"""The match played again beside its log: every move put to the referee, every consequence made anew and compared.

It goes on as long as the log can be followed: to the first illegal move, wrong consequence or card that nobody has
told. What comes after that is not checkable, and said to be so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Breach, Chance, Event, Known, NotRecorded, recorded
from gyoji.replay.canonical import canonical, position_commitment
from gyoji.replay.comparing import Difference, check_of, cited, differences, pointer, steps
from gyoji.replay.folding import MOVES, piles_of
from gyoji.replay.hiding import Secrets, merged, parted
from gyoji.replay.reading import HEX_64, is_text
from gyoji.replay.recording import SERVICE, is_checkpoint, match_seed, position_parted, result
from gyoji.replay.rules import Rulebook
from gyoji.replay.setup import Promise, Setup, are_personal, promised, set_up
from gyoji.replay.verdicts import Check, Ledger, Why, Word

Stage = Literal["created", "dealt", "playing", "finished", "disclosed", "closed", "lost"]
"""What is to come next: the setup, the deal, moves, the result, the seed, nothing; or the thread has been lost."""

FOLLOWED: tuple[Check, ...] = ("shuffles", "moves", "positions", "scores", "result")
"""The checks that end where the thread is lost."""

WORDS: Mapping[Check, Word] = {"shuffles": "deal_divergence", "positions": "tampered"}
"""Where a wrong consequence is something else than ``rules_divergence``. The moves tie down every position, so it is
the opening of a position that is wrong."""

PARTED = Why("parted-before")


class Opened(NamedTuple):
    """An opening that fits its commitment; ``body`` are the canonical bytes of the payload."""

    payload: Mapping[str, Any]
    body: bytes


class Told(NamedTuple):
    """One event of the log with the openings that follow it."""

    seq: int
    document: Mapping[str, Any]
    body: bytes
    openings: Mapping[int, Opened]
    salt: bytes | None
    """Of the position, where it is opened."""

    @property
    def kind(self) -> str:
        """The type of the event."""
        return str(self.document["type"])

    @property
    def truth(self) -> Any:
        """``data`` with all that the openings tell."""
        return merged(self.document["data"], [opened.payload for opened in self.openings.values()])

    @property
    def is_open(self) -> bool:
        """Whether nothing of it is hidden any more."""
        return len(self.openings) == len(self.document["secret"])


class Unseen(Exception):
    """A shuffle is due whose cards this reader of the log may not know."""


class Retrace:
    """Where the match stands by the rules, as far as the log has been heard."""

    def __init__(self, ledger: Ledger, rulebook: Rulebook, secret: bytes | None) -> None:
        self.ledger = ledger
        self.stage: Stage = "created"
        self.state: Any = None
        self.setup: Setup
        self.known: Known
        self.live: Chance | None = None
        """Chance from the seed, where the seed is known."""
        self._rulebook = rulebook
        self._secret = secret
        self._seed: str | None = None
        self._promise: Promise | None = None
        self._is_kept = False
        self._has_parted = False

    def hear(self, told: Told) -> None:
        """One more event."""
        if told.kind == "match_created" and told.seq == 0:
            self._promise = promised(told.document["data"])
        if told.kind == "seed_disclosed":
            self._disclosed(told)
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

    def _is_fork(self) -> bool:
        return hasattr(self, "setup") and self.setup.is_fork

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
        self.setup, self.known = found, found.game.known(found.options)
        if self._secret is not None:
            self._seed = match_seed(found.game, self._secret, found.seats, found.deal_id)
            self.live = deal_v1(self._seed)
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
        if self.setup.is_fork:
            self._taken_over(told)
            return
        game, options = self.setup.game, self.setup.options
        dealt = self._ruled(
            told, lambda chance: game.start(self.setup.seats, options, self.setup.first, self._seed, chance)
        )
        if dealt is not None:
            data, secrets = parted(self.known, None, dealt.events)
            self._take(told, "dealt", SERVICE, data, secrets, dealt)

    def _taken_over(self, told: Told) -> None:
        """A fork: the first position comes from another match; it has to be possible."""
        if not told.is_open:
            self.lose(Why("hidden-cards"))
            return
        game, position = self.setup.game, told.truth.get("position")
        if not self.setup.rules.fits("state", position) or position["seed"] is not None:
            self._astray(told, Why("misshapen", {"at": "/data/position"}), None, None)
            return
        state = game.read_state(position)._replace(seed=self._seed)
        if state.options != self.setup.options or state.seats != self.setup.seats:
            self._astray(told, Why("differs", {"at": "/data/position/options"}), None, None)
            return
        for finding in game.findings(state):
            self._astray(told, Why("impossible-position", {"at": finding.pointer}), None, finding.code)
            return
        self._take(told, "dealt", SERVICE, *position_parted(game, state), Accepted(state, ()))

    def moved(self, told: Told) -> None:
        if not self._is_of_type(told, *MOVES):
            return
        game, state, move = self.setup.game, self.state, told.truth.get("move")
        if not self.setup.rules.fits("move", move):
            self._unfit(told, move)
            return
        ruling = self._ruled(told, lambda chance: game.adjudicate(state, move, chance))
        if isinstance(ruling, Accepted):
            kind = "choice_made" if game.simultaneous(state) else "move_played"
            data, secrets = parted(self.known, move, ruling.events)
            self._take(told, kind, _mover(told, move["seat"]), data, secrets, ruling)

    def _unfit(self, told: Told, move: Any) -> None:
        """A move that is none: because it is hidden, or because it never was one."""
        if isinstance(move, dict) and _is_hidden(move, self.known):
            self.lose(Why("hidden-move"))
        else:
            self._astray(told, Why("misshapen", {"at": "/data/move"}), None, told.document["data"].get("move"))

    def _ruled(self, told: Told, rule: Callable[[Chance], Any]) -> Any:
        """What the rules make of it; ``None`` where they refuse it or the cards are not known, which is then said."""
        try:
            ruling = rule(self.live or self._recorded(told))
        except NotRecorded as missing:
            self._part(told, "shuffles", Why("not-the-pile", {"pile": str(missing)}), None, None)
            self.lose(PARTED)
        except Unseen:
            self.lose(Why("hidden-cards"))
        else:
            if isinstance(ruling, Accepted):
                return ruling
            self._refused(told, ruling.breach)
        return None

    def _refused(self, told: Told, breach: Breach) -> None:
        facts = {"reason": breach.reason, "rule": breach.rule, "seat": breach.seat}
        self._astray(told, Why("illegal-move", facts), breach.reason, told.document["data"]["move"], breach.rule)

    def _recorded(self, told: Told) -> Chance:
        """Chance as it was recorded, looked at only when a shuffle is due: most moves have none."""
        waiting: list[Chance] = []

        def chance(label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
            if not waiting:
                waiting.append(recorded(piles_of(self.setup.game, self.setup.options, self._dealt_events(told))))
            return waiting[0](label, k, pile)

        return chance

    def _dealt_events(self, told: Told) -> list[Event]:
        if not told.is_open:
            raise Unseen
        events = told.truth.get("events")
        if not isinstance(events, list) or not all(self.setup.rules.fits("event", event) for event in events):
            raise NotRecorded("events")
        return events

    def finished(self, told: Told) -> None:
        if self._is_of_type(told, "match_finished"):
            self._take(told, "match_finished", SERVICE, result(self.state), {}, Accepted(self.state, ()))

    def seed_disclosed(self, told: Told) -> None:
        """Whose secret it is that was told, and to whom; what it is belongs to the commitment."""
        if not self._is_of_type(told, "seed_disclosed"):
            return
        secret = told.truth.get("server_secret")
        is_public = self.setup.disclosure == "public_on_close"
        secrets: Secrets = {} if is_public else {(): {"/server_secret": secret}}
        data = {"server_secret": secret if is_public else None}
        self._take(told, "seed_disclosed", SERVICE, data, secrets, Accepted(self.state, ()))

    def closed(self, told: Told) -> None:
        self._astray(told, Why("after-the-end", {"type": told.kind[:64]}), None, told.kind)

    def _disclosed(self, told: Told) -> None:
        """Whether the secret is the one that was promised."""
        if self._promise is None:
            self.ledger.leave("commitment", Why("not-promised"))
            return
        secret = told.truth.get("server_secret")
        if secret is None and told.document["secret"]:
            self.ledger.leave("commitment", Why("seed-sealed"))
        elif is_text(secret, HEX_64) and self._promise.is_kept_by(bytes.fromhex(secret)):
            self._is_kept = True
        else:
            why, expected = Why("commitment"), self._promise.commitment
            self.ledger.part("deal_divergence", "commitment", told.seq, why, expected, None)

    # an event as the rules make it, held against the one that was recorded

    def _take(
        self,
        told: Told,
        kind: str,
        actor: Mapping[str, Any],
        data: Mapping[str, Any],
        secrets: Secrets,
        ruling: Accepted[Any],
    ) -> None:
        """The event is compared byte for byte; the match goes on unless it parts in more than scores and result."""
        document = told.document
        expected = {
            **document,
            "type": kind,
            "actor": actor,
            "data": data,
            "secret": [
                {"for": audience, "commit": _commitment(document["secret"], at)} for at, audience in enumerate(secrets)
            ],
            "position": self._position(told, kind, ruling.state),
        }
        hidden = [
            at
            for at, payload in enumerate(secrets.values())
            if at in told.openings and canonical(payload) != told.openings[at].body
        ]
        if hidden or canonical(expected) != told.body:
            self._compare(
                told, expected, [(list(secrets.values())[at], told.openings[at].payload) for at in hidden], ruling
            )
        if self.stage != "lost":
            self.state = ruling.state
            self.stage = _next(self.stage, ruling.state)

    def _position(self, told: Told, kind: str, state: Any) -> str | None:
        """What has to stand in ``position``; where that cannot be said, what stands there."""
        if not is_checkpoint(told.seq, kind):
            return None
        if told.salt is None or self._has_parted:
            self.ledger.leave("positions", Why("position-sealed") if told.salt is None else PARTED)
            return str(told.document["position"])
        return position_commitment(told.salt, self.setup.game.write_state(state))

    def _compare(
        self,
        told: Told,
        expected: Mapping[str, Any],
        hidden: list[tuple[Mapping[str, Any], Mapping[str, Any]]],
        ruling: Accepted[Any],
    ) -> None:
        game, options, events = self.setup.game, self.setup.options, ruling.events
        shuffling = [bool(game.shuffles(options, event)) for event in events]
        by_check: dict[Check, tuple[Difference, bool]] = {}
        for difference in differences(expected, told.document):
            by_check.setdefault(check_of(difference.path, events, shuffling), (difference, False))
        for difference in _hidden_differences(hidden):
            by_check.setdefault(check_of(difference.path, events, shuffling), (difference, True))
        if len(by_check) > 1:
            by_check.pop("positions", None)  # another position follows from other events
        for check, (difference, is_hidden) in by_check.items():
            self._say(told, check, difference, events, is_hidden and not self._is_public())
        if not by_check.keys() <= {"scores", "result", "positions"}:
            self.lose(PARTED)

    def _say(self, told: Told, check: Check, difference: Difference, events: Sequence[Event], is_hidden: bool) -> None:
        path, expected, found = difference
        rule = cited(path, events)
        why = Why("hidden" if is_hidden else "differs", {"at": pointer(path)})
        if is_hidden:
            self._part(told, check, why, None, None, rule)
        else:
            self._part(told, check, why, expected, found, rule)

    def _is_public(self) -> bool:
        """Whether every card may be shown to everybody: the seed is public."""
        return self.live is not None and self.setup.disclosure == "public_on_close"


STEPS: Mapping[Stage, Callable[[Retrace, Told], None]] = {
    "created": Retrace.created,
    "dealt": Retrace.dealt,
    "playing": Retrace.moved,
    "finished": Retrace.finished,
    "disclosed": Retrace.seed_disclosed,
    "closed": Retrace.closed,
}

AFTER: Mapping[Stage, Stage] = {"finished": "disclosed", "disclosed": "closed"}


def _next(stage: Stage, state: Any) -> Stage:
    return AFTER.get(stage) or ("playing" if state.outcome is None else "finished")


def _mover(told: Told, seat: int) -> Mapping[str, Any]:
    """Who has to stand there as the actor: the seat, or an operator who moved for it."""
    operator = {"role": "operator", "seat": seat}
    return operator if told.document["actor"] == operator else {"role": "seat", "seat": seat}


def _is_hidden(move: Mapping[str, Any], known: Known) -> bool:
    kind = move.get("type")
    fields = known.moves.get(kind, {}) if isinstance(kind, str) else {}
    return any(knower != "all" and move.get(name, "") is None for name, knower in fields.items())


def _commitment(secrets: Sequence[Mapping[str, Any]], at: int) -> str | None:
    return str(secrets[at]["commit"]) if at < len(secrets) else None


def _hidden_differences(hidden: list[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> Iterator[Difference]:
    for expected, found in hidden:
        for place in sorted({*expected, *found}):
            if place in expected and place in found:
                yield from differences(expected[place], found[place], steps(place))
            else:
                yield Difference(steps(place), expected.get(place), found.get(place))
