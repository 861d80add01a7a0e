"""The replayer plays a match again beside its log: every event is decided anew and compared with the recorded one.

It goes on to the first illegal move or wrong consequence. From the first hidden card on that is needed it checks what
does not depend on cards. What it does not check is not checkable, and the verdict says so.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from gyoji.audit.commitments import CommitmentChecks
from gyoji.audit.comparison import cited, compare, pointer
from gyoji.audit.event_checks import EVENT_CHECKS, SEEDING, creation_flaw, names_of, owed_flaw
from gyoji.audit.hidden_checks import check_hidden, completed, hide
from gyoji.audit.judgement import Context, Flaw, Judgement, NoEvents, Timeline, Unseen, derived_chance, misshapen
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.ruling_checks import check_ruling
from gyoji.audit.verdicts import (
    LONGEST_RULE,
    RULINGS,
    Check,
    Explanation,
    Findings,
    ListedRuling,
    Table,
    Word,
    clipped,
)
from gyoji.games.chance import deal_v1
from gyoji.games.game import Chance, NotRecorded
from gyoji.log.canonical import position_commitment
from gyoji.match.clocks import Clock
from gyoji.match.events import dealt, match_finished, seed_disclosed
from gyoji.match.events.kind import DecidedEvent, DueEvent
from gyoji.match.events.move import MOVES
from gyoji.match.prescan import Spans
from gyoji.match.rulings.kind import TakeBackTarget
from gyoji.match.rulings.take_back import target_of
from gyoji.match.setup import GameVersion, Rulebook, SetupFlaw, check_setup
from gyoji.match.state import MatchState, first_state, is_checkpoint, position_after

Stage = Literal["created", "seeding", "dealt", "playing", "paused", "due", "finished", "disclosed", "closed", "lost"]
"""What is to come next: the setup, contributions to the seed, the deal, moves, the end of a pause, what the event
before leads to, the result of a match that was played to its end, the seed, nothing; or the log cannot be followed."""

CAN_COME: Mapping[Stage, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "seeding": (SEEDING, ("ruling_made", "match_voided", "dealt")),
    "dealt": (("dealt",), SEEDING),
    "playing": (MOVES, ("match_voided", "ruling_made", "clock_expired", *SEEDING)),
    "paused": (("ruling_made",), ("match_voided", *SEEDING)),
    "disclosed": (("seed_disclosed",), ()),
    "closed": ((), ()),
}
"""By stage: the types of events that are expected, and those beside them that are judged for what they are."""

CHECKS = {**EVENT_CHECKS, "ruling_made": check_ruling}
"""By type of event: what predicts it from the match before it. Of the others the event before says what they are."""

REPLAYED_CHECKS: tuple[Check, ...] = ("shuffles", "moves", "positions", "scores", "result")
"""The checks that end where the log cannot be replayed any more."""

WORDS: Mapping[Check, Word] = {"commitment": "deal_divergence", "shuffles": "deal_divergence", "positions": "tampered"}
"""Where a wrong consequence is something else than ``rules_divergence``. The moves tie down every position, so it is
the opening of a position that is wrong."""

DIVERGED = Explanation("parted-before")
HIDDEN = ("hidden-cards", "hidden-move")
"""Why the log cannot be replayed where nothing is wrong: this reader may not know cards that are needed."""


class Replayer:
    """A match replayed by the rules, as far as its log has been read."""

    match: MatchState
    """After the last event, but for ``seq``, ``hash`` and ``at``; from the first event on."""
    rules: GameVersion
    """Those that the first event names."""

    def __init__(
        self,
        findings: Findings,
        rulebook: Rulebook,
        secret: bytes | None = None,
        commitments: CommitmentChecks | None = None,
    ) -> None:
        self.findings = findings
        self.secret = secret
        """The server's, where the log discloses it."""
        self.commitments = commitments or CommitmentChecks(findings, None)
        self.timeline = Timeline()
        self.stage: Stage = "created"
        self.due: DueEvent | None = None
        """The event that has to follow at once."""
        self.chance: Chance | None = None
        """The shuffles from the seed in force; ``None`` where the log does not disclose it."""
        self.is_fork = False
        self.has_diverged = False
        self.is_hidden = False
        """Whether cards are hidden that are needed: since then only what does not depend on them is checked."""
        self._rulebook = rulebook
        self._dealt = 0
        """The event at which the cards were dealt."""
        self._lost: Explanation | None = None
        self._kept: dict[int, TakeBackTarget] = {}
        self._taken_back = Spans()

    @property
    def is_replayed(self) -> bool:
        """Whether the log could be replayed so far."""
        return self._lost is None

    @property
    def state(self) -> Any:
        """The game's frozen state; ``None`` before the deal, and where the log cannot be replayed any more."""
        return self.match.state if self.is_replayed and self.stage != "created" else None

    def keep_position(self, seq: int) -> None:
        """Keep the position after event ``seq``, because a ruling will go back to it."""
        if self.state is not None:
            self._kept[seq] = target_of(self.match, seq)

    # The course of the log

    def apply(self, event: RecordedEvent) -> None:
        """Replay one more event, which is read in full, and check it."""
        self._check_commitments(event)
        if event.kind == "ruling_made":
            self._list_ruling(event)
        if self.stage == "created":
            self._create(event)
        elif self.stage != "lost":
            self._judge(event)
        self._take(event, self.timeline.take(event))

    def _check_commitments(self, event: RecordedEvent) -> None:
        if event.kind == "match_created" and event.seq == 0:
            self.commitments.begin(event)
            self.timeline.begin(event.document["data"])
        elif event.kind == "seed_disclosed":
            self.commitments.check_secret(event)
            self.commitments.check_time(event)

    def _list_ruling(self, event: RecordedEvent) -> None:
        """List a ruling in the verdict, whether or not the log can be replayed up to it."""
        data = event.document["data"]
        ruling, rule = data.get("ruling"), data.get("rule")
        kind = ruling.get("kind") if isinstance(ruling, dict) else None
        is_rule = rule is None or (isinstance(rule, str) and len(rule) <= LONGEST_RULE)
        if isinstance(kind, str) and kind in RULINGS and is_rule:
            self.findings.ruled(ListedRuling(event.seq, kind, rule, RULINGS[kind]))

    def _create(self, event: RecordedEvent) -> None:
        if not self._is_of_type(event, "match_created"):
            return
        found = check_setup(event.document["data"], self._rulebook)
        if isinstance(found, SetupFlaw):
            self._reject_setup(event, found)
            return
        self.rules, setup = found
        self.findings.table = Table(setup.game.slug, names_of(event))
        self.is_fork = setup.is_fork
        self.match = first_state(event.document["match"], setup, self.secret or b"", b"", event.document["at"])
        flaw = creation_flaw(event)
        if flaw is not None:
            self._take(event, flaw)
        elif self.match.seeding.is_complete:
            self.due, self.stage = dealt.DUE, "dealt"
        else:
            self.stage = "seeding"

    def _reject_setup(self, event: RecordedEvent, flaw: SetupFlaw) -> None:
        if flaw.verdict == "rules_unknown":
            why = Explanation("rules-unknown")
            self.findings.diverge(
                flaw.verdict, "moves", event.seq, why, flaw.expected, flaw.found, result="not_checkable"
            )
            self.lose(why)
        else:
            self._take(event, Flaw("moves", Explanation("setup", {"at": flaw.pointer}), flaw.expected, flaw.found))

    def _judge(self, event: RecordedEvent) -> None:
        due, stage = self.due, self.stage
        if due is not None and stage != "dealt":
            if self._is_of_type(event, due.kind):
                self._take(event, self._decided(event, due))
            return
        expected, beside = CAN_COME[stage]
        if stage == "disclosed" and self.match.terms.withheld is not None:
            beside = ("ruling_made",)
        if event.kind in beside or self._is_of_type(event, *expected):
            self._take(event, self._decided_deal(event) if event.kind == "dealt" else self._decided(event, None))

    def _decided_deal(self, event: RecordedEvent) -> Judgement:
        """Predict the deal, which may have to do without some contributions."""
        seeding = self.match.seeding
        flaw = None if seeding.is_complete else owed_flaw(seeding, event, "empty")
        if flaw is not None:
            return flaw
        self._settle()
        self.reseed()
        return self._decided(event, None)

    def _is_of_type(self, event: RecordedEvent, *kinds: str) -> bool:
        """Tell whether an event of one of these types can stand here; report it if not."""
        if event.kind in kinds:
            return True
        code = "after-the-end" if self.stage in ("finished", "disclosed", "closed") else "wrong-type"
        self._take(event, Flaw("moves", Explanation(code, {"type": event.kind[:64]}), list(kinds) or None, event.kind))
        return False

    def _decided(self, event: RecordedEvent, due: DueEvent | None) -> Judgement:
        """Predict the event by the rules; or return what is wrong with it, or why that cannot be said."""
        match = self.match._replace(seq=event.seq - 1)
        chance = self.chance or derived_chance(self.rules, match, event)
        try:
            if due is not None and due.kind != "clock_expired":
                decided: Judgement = due.decide(match, event.document["at"], chance)
            else:
                check = check_hidden if self.is_hidden else CHECKS[event.kind]
                kept, taken_back = self._kept, self._taken_back
                decided = check(Context(self.rules, match, self.is_fork, chance, kept, self._dealt, taken_back), event)
            return completed(decided, event, match.seeding.seats) if self.is_hidden else decided
        except NotRecorded as missing:
            return Flaw("shuffles", Explanation("not-the-pile", {"pile": str(missing)}))
        except NoEvents:
            return misshapen("/data/events", None)
        except Unseen:
            return Explanation("hidden-cards")

    def _take(self, event: RecordedEvent, found: Judgement | None) -> None:
        """Apply the predicted event if the recorded one agrees with it. Report what is wrong if not, and end."""
        if isinstance(found, DecidedEvent):
            if self._agrees(event, found):
                self.go_on(found, event.seq)
        elif isinstance(found, Flaw):
            self._diverge(event, found)
            self.lose(DIVERGED)
        elif found is not None and found.code in HIDDEN:
            self._hide(found)
            self._take(event, self._decided(event, None))
        elif found is not None:
            self.lose(found)

    def go_on(self, decided: DecidedEvent, seq: int) -> None:
        """Take over the state after event ``seq``, which is exactly what was predicted."""
        self.match, due = decided.after, decided.due
        if due is None and decided.kind in MOVES:  # as most are
            return
        if decided.kind in ("dealt", "ruling_made"):
            self.reseed()
        if decided.kind == "dealt":
            self._dealt = seq
        elif decided.kind == "ruling_made" and decided.data["ruling"]["kind"] == "take_back":
            self._taken_back.add(seq, decided.data["ruling"]["to"])
        elif decided.kind in SEEDING and due is not None:
            self.commitments.check_beacon(self.match.seeding, seq)
            self._settle()
        elif self.match.course.voided:
            self.commitments.settle()
        if due is None or due.kind == "seed_disclosed":  # which may be withheld
            self.due, self.stage = None, stage_of(self.match)
        elif due is match_finished.DUE and decided.kind != "ruling_made":
            self.due, self.stage = due, "finished"
        else:
            self.due, self.stage = due, "dealt" if due.kind == "dealt" else "due"

    def go_on_in(self, state: Any, clock: Clock | None) -> None:
        """Take over the state and the clock after some moves, which are exactly what was predicted."""
        self.match = self.match._replace(state=state, clock=clock)
        if state.outcome is not None:
            self.due, self.stage = match_finished.DUE, "finished"

    def certain_due(self) -> DueEvent | None:
        """Return the event that has to follow at once, if the match determines all of it. Only the log can state the
        expiries of one claim, and the position of a fork."""
        match, due = self.match, self.due
        if due is None:
            is_over = self.stage == "disclosed" and match.secret
            return seed_disclosed.due(match, self.timeline.at) if is_over else None
        if due.kind == "dealt":
            self.reseed()
        return None if due.kind == "clock_expired" or (due.kind == "dealt" and self.is_fork) else due

    def _settle(self) -> None:
        """Close the seeding: all has been contributed to the seed that there will be."""
        self.commitments.settle()
        self.match = self.match._replace(seeding=self.match.seeding._replace(closed=True))

    def reseed(self) -> None:
        """Take the shuffles from the seed that is in force now."""
        seed = self.match.seed
        self.chance = None if seed is None else deal_v1(seed)

    # An event as the rules make it, compared with the one that was recorded

    def _agrees(self, event: RecordedEvent, decided: DecidedEvent) -> bool:
        """Compare the recorded event with the predicted one, and report where they differ. Return whether the match can
        go on: if they agree, or differ only in scores, result and position."""
        wrong = compare(event, decided, self._position(event, decided), self.match)
        for check, (path, expected, found), is_hidden in wrong:
            rule, at = cited(path, decided.events), {"at": pointer(path)}
            if is_hidden and not self._is_disclosed:
                self._diverge(event, Flaw(check, Explanation("hidden", at), rule=rule))
            else:
                facts = {**at, "expected": clipped(expected), "found": clipped(found)}
                self._diverge(event, Flaw(check, Explanation("differs", facts), expected, found, rule))
        if not wrong or (not self.is_hidden and all(one.check in ("scores", "result", "positions") for one in wrong)):
            return True
        self.lose(DIVERGED)
        return False

    def _position(self, event: RecordedEvent, decided: DecidedEvent) -> str | None:
        """Return what has to stand in ``position``; where that cannot be said, what stands there."""
        if self.is_hidden:
            return (event.document["position"] or "a commitment") if is_checkpoint(event.seq, event.kind) else None
        position = position_after(decided.after, event.seq, decided.kind)
        if position is None:
            return None
        if event.salt is None or self.has_diverged:
            self.findings.skip("positions", Explanation("position-sealed") if event.salt is None else DIVERGED)
            return event.document["position"] or "a commitment"
        return position_commitment(event.salt, position)

    @property
    def _is_disclosed(self) -> bool:
        """Whether everybody may know what the log hides."""
        return self.secret is not None and self.match.terms.disclosure == "public_on_close"

    def _diverge(self, event: RecordedEvent, flaw: Flaw) -> None:
        check, why, expected, found, rule = flaw
        if "breach" in why.facts and not self._is_disclosed:  # which tells of cards
            why = Explanation(why.code, {name: fact for name, fact in why.facts.items() if name != "breach"})
        self.findings.diverge(WORDS.get(check, "rules_divergence"), check, event.seq, why, expected, found, rule)
        self.has_diverged = True

    # The end

    def lose(self, why: Explanation) -> None:
        """Stop replaying the log. Nothing that follows from the rules can be said of the events that come."""
        self.stage = "lost"
        self._not_replayed(why)

    def _hide(self, why: Explanation) -> None:
        """Go on with what can be checked without the cards."""
        self._not_replayed(why)
        self.is_hidden, self.due = True, None
        if self.match.state is not None:
            self.match = hide(self.match)

    def _not_replayed(self, why: Explanation) -> None:
        """Report why the log cannot be replayed from here on; the first reason stands."""
        self._lost = self._lost or why
        for check in REPLAYED_CHECKS:
            self.findings.skip(check, self._lost)

    def end(self) -> None:
        """Finish the checks at the end of the log."""
        self.commitments.end(self._lost)
        if self.secret is None:
            self.findings.skip("shuffles", Explanation("seed-not-disclosed"))
        elif self.is_fork:
            self.findings.skip("shuffles", Explanation("fork"))
        if self.stage not in ("disclosed", "closed", "lost"):
            self.findings.skip("result", Explanation("not-finished"))


def no_chance(_label: str, _k: int, _pile: Sequence[str]) -> tuple[str, ...]:
    """Raise ``NotRecorded``, as the chance of a match whose seed is not known."""
    raise NotRecorded


def stage_of(match: MatchState) -> Stage:
    """Return which kind of event comes next in a match where no event has to follow at once."""
    if match.closed:
        return "closed"
    if match.over:
        return "disclosed"
    if match.state is None:
        return "seeding"
    return "paused" if match.course.paused else "playing"
