"""Computes what a match would have come to under another version of the rules of its game.

The log is replayed twice, side by side: by the rules that it was played by, and by the others. Chance is what was
recorded. Once the others forbid what was played nothing can be said of what would have come instead, until a take-back
leads to a position that both came to.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from gyoji.audit.verdicts import Explanation
from gyoji.games.game import Chance, IllegalMove, Move, NotRecorded, RuleId, Seat
from gyoji.log.canonical import leaf_hash
from gyoji.log.entries import Entry
from gyoji.log.files import read_opening
from gyoji.log.lines import HEAD, read_event_lines
from gyoji.log.parser import LIMITS
from gyoji.match.events.clock_expired import default_move
from gyoji.match.fold import apply_entry, first_state, opened_data
from gyoji.match.prescan import prescan_lines
from gyoji.match.seeding import recorded_chance
from gyoji.match.setup import GameVersion, Rulebook, Setup, SetupFlaw, check_setup
from gyoji.match.state import MatchState, Result, result_of, winners_among

Source = Callable[[], Iterable[bytes]]
"""Gives the lines of a file from the start each time it is called."""


class Forbidden(NamedTuple):
    """An event of the log that the other rules forbid."""

    seq: int
    seat: Seat | None
    reason: str
    """Why the move is illegal; ``unknown-move`` for a move that there is not, ``not-irregular`` for an irregular move
    that would be legal, ``other-default`` for a choice on time-out that would be another."""
    rule: RuleId | None = None
    """The rule that forbids it, if one does."""
    is_taken_back: bool = False
    """Whether a referee took it back later: the result does not depend on it."""


class ScoreChange(NamedTuple):
    """The scores of a match under both rules where they differ, by seat, adjustments included."""

    seq: int
    """The first event after which they do, and go on doing so to the end."""
    recorded: tuple[int, ...]
    would_be: tuple[int, ...]


class NotCompared(NamedTuple):
    """The event from which on a match could not be compared, and why."""

    seq: int
    why: Explanation


class Impact(NamedTuple):
    """What would change in one match under other rules."""

    unlawful: tuple[Forbidden, ...] = ()
    """The first event that would not stand; with take-backs the first after each of them."""
    scores: ScoreChange | None = None
    result: tuple[Result | None, Result | None] | None = None
    """The result as it is and as it would be (``None``: there is none yet), where others win or it comes about
    otherwise."""
    left: NotCompared | None = None

    @property
    def is_change(self) -> bool:
        """Whether anything would change."""
        return bool(self.unlawful) or self.scores is not None or self.result is not None


def impact(lines: Source, own: Rulebook, others: Callable[[str], GameVersion | None]) -> Impact:
    """Return what would change in the match of a file under the rules that ``others`` gives for its game (by slug).

    The file has to be one that the audit finds nothing wrong with. What it hides is not compared. ``own``: the rules
    that it was played by.
    """
    first = orjson.loads(next(iter(lines())))
    rules, other = own(first["game"], first["version"], first["rules_digest"]), others(first["game"])
    if rules is None:
        return Impact(left=NotCompared(0, Explanation("rules-unknown")))
    if other is None:
        return Impact(left=NotCompared(0, Explanation("no-such-version", {"game": first["game"]})))
    created, *_ = entries_in(lines())
    found = check_setup(orjson.loads(created.body)["data"], lambda *_named: other)
    if isinstance(found, SetupFlaw):
        return Impact(left=NotCompared(0, Explanation("setup", {"at": found.pointer})))
    return _Comparison(rules, *found, prescan_lines(lines(), LIMITS).marks).of(entries_in(lines()))


def entries_in(lines: Iterable[bytes]) -> Iterator[Entry]:
    """Read the events of a file with their openings; the salts of positions are left out."""
    lines = iter(lines)
    next(lines)  # the header
    line: bytes | None = next(lines)
    number = 2
    while line is not None and not line.startswith(HEAD):
        body, openings, line, number = read_event_lines(line, lines, number, LIMITS)
        opened = [orjson.loads(opening)["opening"] for opening in openings]
        secrets = tuple([read_opening(found) for found in opened if "index" in found])
        yield Entry(orjson.loads(body)["seq"], body[:-1], leaf_hash(body[:-1]), secrets)


class _Track(NamedTuple):
    """Where the match stands under the other rules."""

    state: Any = None
    """``None`` before the deal, and where the thread is lost."""
    lost: NotCompared | None = None
    apart: int | None = None
    """The event since which the scores differ."""


class _Comparison:
    """One match under way."""

    def __init__(self, rules: GameVersion, others: GameVersion, setup: Setup, returns: frozenset[int]) -> None:
        self._game = rules.game
        self._others = others
        self._setup = setup
        self._returns = returns
        self._kept: dict[int, _Track] = {}
        self._track = _Track()
        self._unlawful: list[Forbidden] = []
        self._match: MatchState

    def of(self, entries: Iterable[Entry]) -> Impact:
        """Return what would change in a match with these entries."""
        for entry in entries:
            document = orjson.loads(entry.body)
            data = opened_data(entry, document)
            if not _is_open(entry, document):
                self._lose(entry.seq, Explanation("hidden-cards"))
                break
            self._follow(entry)
            self._compare(entry.seq, document["type"], data)
        return self._ended()

    def _follow(self, entry: Entry) -> None:
        """Apply an event by the match's own rules."""
        if entry.seq == 0:
            self._match = first_state(entry, self._game, b"")
        else:
            self._match = apply_entry(self._match, entry)

    def _compare(self, seq: int, kind: str, data: Mapping[str, Any]) -> None:
        """Apply an event under the other rules."""
        ruling = data.get("ruling", {})
        if ruling.get("kind") == "take_back":
            self._back(seq, ruling["to"])
        elif self._track.lost is None and kind == "dealt":
            self._deal(seq, data)
        elif self._track.lost is None and "move" in data:
            self._move(seq, data)
        self._compare_scores(seq)
        if seq in self._returns:
            self._kept[seq] = self._track

    def _compare_scores(self, seq: int) -> None:
        """Note since when the scores differ, if they do."""
        state, apart = self._track.state, self._track.apart
        if state is not None:
            is_apart = state.scores != self._match.state.scores
            self._track = self._track._replace(apart=(seq if apart is None else apart) if is_apart else None)

    def _back(self, seq: int, to: int) -> None:
        self._track = self._kept.get(to) or _Track(lost=NotCompared(seq, Explanation("not-reached")))
        self._unlawful = [one._replace(is_taken_back=one.is_taken_back or to < one.seq < seq) for one in self._unlawful]

    def _lose(self, seq: int, why: Explanation) -> None:
        self._track = _Track(lost=NotCompared(seq, why))

    def _deal(self, seq: int, data: Mapping[str, Any]) -> None:
        """Follow the first deal, or the position where a fork begins."""
        setup, seed = self._setup, self._match.state.seed
        game = setup.game
        if "position" in data:
            self._take_over(seq, data["position"], seed)
            return
        try:
            dealt = game.start(setup.seats, setup.options, setup.first, seed, self._chance(data))
        except NotRecorded as missing:
            self._lose(seq, Explanation("other-shuffle", {"pile": str(missing)}))
        else:
            self._track = _Track(dealt.state)

    def _take_over(self, seq: int, position: Any, seed: str | None) -> None:
        game = self._setup.game
        if not self._others.fits("state", position):
            self._lose(seq, Explanation("impossible-position", {"at": ""}))
            return
        state = game.read_state(position)._replace(seed=seed)
        for finding in game.findings(state):
            self._lose(seq, Explanation("impossible-position", {"at": finding.pointer}))
            return
        self._track = _Track(state)

    def _chance(self, data: Mapping[str, Any]) -> Chance:
        """Return the shuffles that the event has recorded, as the rules of the match read them."""
        return recorded_chance(self._game, self._match.options, data["events"])

    def _move(self, seq: int, data: Mapping[str, Any]) -> None:
        """Follow a move, whoever made it."""
        move = data["move"]
        try:
            unlawful = self._unknown(seq, move) or self._other_default(seq, data) or self._refused(seq, data)
        except NotRecorded as missing:
            self._lose(seq, Explanation("other-shuffle", {"pile": str(missing)}))
            return
        if unlawful is not None:
            self._unlawful.append(unlawful)
        if unlawful is not None and unlawful.reason != "not-irregular":
            self._lose(seq, Explanation("gone-otherwise"))

    def _unknown(self, seq: int, move: Move) -> Forbidden | None:
        fits = self._others.fits("move", move)
        return None if fits else Forbidden(seq, move["seat"], "unknown-move")

    def _other_default(self, seq: int, data: Mapping[str, Any]) -> Forbidden | None:
        """Tell whether the time was up and another choice would have been made."""
        if "then" not in data:
            return None
        move = data["move"]
        made, _then = default_move(self._other(), move["seat"])
        return None if made == move else Forbidden(seq, move["seat"], "other-default")

    def _refused(self, seq: int, data: Mapping[str, Any]) -> Forbidden | None:
        """Applies the move, unless it is illegal. One that a referee let stand may break a rule, and ought to."""
        game, state, move = self._setup.game, self._track.state, data["move"]
        is_let = data.get("ruling", {}).get("kind") == "accept"
        verdict = game.adjudicate(state, move, self._chance(data))
        is_irregular = isinstance(verdict, IllegalMove)
        if is_let and is_irregular:
            verdict = game.irregular(state, move, self._chance(data))
        if isinstance(verdict, IllegalMove):
            breach = verdict.infraction
            return Forbidden(seq, breach.seat, breach.reason, breach.rule)
        self._track = self._track._replace(state=verdict.state)
        return Forbidden(seq, move["seat"], "not-irregular") if is_let and not is_irregular else None

    # what it comes to

    def _ended(self) -> Impact:
        lost, unlawful = self._track.lost, tuple(self._unlawful)
        if lost is not None or self._track.state is None or self._match.course.voided:
            return Impact(unlawful, left=lost)
        recorded, would_be = result_of(self._match), self._would_be()
        result = None if _distinction(recorded) == _distinction(would_be) else (recorded, would_be)
        return Impact(unlawful, self._scores(recorded), result)

    def _other(self) -> MatchState:
        """Return the match under the other rules; who has forfeited and what referees gave stays."""
        return self._match._replace(terms=self._match.terms._replace(game=self._setup.game), state=self._track.state)

    def _scores(self, result: Result | None) -> ScoreChange | None:
        if self._track.apart is None or (result is not None and result.by == "ruling"):
            return None
        return ScoreChange(self._track.apart, self._match.adjusted, self._other().adjusted)

    def _would_be(self) -> Result | None:
        """Return the result by the other rules. One that a referee ruled stays."""
        recorded, other, game = result_of(self._match), self._other(), self._setup.game
        if recorded is not None and recorded.by == "ruling":
            return recorded
        scores = other.adjusted
        if self._track.state.outcome is not None:
            return Result("play", scores, game.winners(scores))
        if recorded is None or recorded.by == "play":
            return None
        forfeited = recorded.forfeited
        return recorded._replace(scores=scores, winners=winners_among(game, scores, forfeited))


def _is_open(entry: Entry, document: Mapping[str, Any]) -> bool:
    """Tell whether the file shows the cards and the choices of an event."""
    data = document["data"]
    return len(entry.openings) == len(document["secret"]) or not ("events" in data or "position" in data)


def _distinction(result: Result | None) -> Any:
    """Return what makes a result another one, beside the scores."""
    return None if result is None else (result.by, result.winners, result.forfeited)
