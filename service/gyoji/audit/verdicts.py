"""What an audit reports: the verdict, the checks, and the first event that differs from what the rules predict.

Reasons are codes with facts; the sentences stand in ``messages/verdicts.toml``.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

from gyoji.log.canonical import canonical
from gyoji.log.signatures import Restoration
from gyoji.log.statements import Contradiction
from gyoji.match.rulings.kind import Kind
from gyoji.match.rulings.ruling_made import RULING_KINDS

Word = Literal[
    "verified",
    "verified_with_rulings",
    "verified_partial",
    "rules_divergence",
    "deal_divergence",
    "incomplete",
    "tampered",
    "equivocation",
    "key_untrusted",
    "rules_unknown",
    "malformed",
]

EXITS: Mapping[Word, int] = {
    "verified": 0,
    "verified_with_rulings": 0,
    "verified_partial": 10,
    "rules_divergence": 20,
    "deal_divergence": 21,
    "incomplete": 30,
    "tampered": 40,
    "equivocation": 41,
    "key_untrusted": 42,
    "rules_unknown": 50,
    "malformed": 51,
}
"""The exit status of ``gyoji audit`` for each verdict."""

SEVEREST_FIRST: tuple[Word, ...] = (
    "equivocation",
    "tampered",
    "key_untrusted",
    "incomplete",
    "deal_divergence",
    "rules_divergence",
    "malformed",
    "rules_unknown",
    "verified_partial",
    "verified_with_rulings",
    "verified",
)
"""Of several that apply the first is the verdict."""

Check = Literal[
    # Every line is an event, an opening or the head in canonical bytes, and there is nothing else.
    "bytes",
    # Every event is of this match, has the next number, and names the hash of the one before.
    "chain",
    # The last line signs the hash of the last event with a key that whoever audits trusts.
    "head",
    # The header says what the first event says, and the digest of the last line is that of all lines before it.
    "file",
    # What is opened fits the commitments in the events, and leads to places where something is hidden.
    "openings",
    # The server's secret, the shares of seats and beacons are those that were committed to, and all that was due.
    "commitment",
    # Every shuffle is the one that follows from the seed.
    "shuffles",
    # Every move, ruling and other event could be made then, by that actor, and led to what is recorded.
    "moves",
    # The positions that are committed to are those that the events lead to.
    "positions",
    # Points, scores and the lines that explain them are those of the rules.
    "scores",
    # How the match ended, and who has won, follows from what was played and ruled.
    "result",
    # The receipts that somebody has kept are of events that stand in the log.
    "receipts",
]

CHECKS: tuple[Check, ...] = get_args(Check)

Outcome = Literal["pass", "fail", "not_checkable"]

MOST_RULINGS = 10_000
"""So many rulings a verdict lists."""

LONGEST_RULE = 64
"""Letters of the id of a rule that a ruling cites."""

LONGEST = 600
"""Bytes of a found value that a verdict repeats; of a longer one it gives the length."""


class Explanation(NamedTuple):
    """The reason for a finding: the code of a sentence, and the facts that fill it."""

    code: str
    facts: Mapping[str, Any] = {}


def lost_why(seq: int, restoration: Restoration) -> Explanation:
    """Return the reason that an event was lost when the store of its service went back, as the service has signed."""
    return Explanation("lost-in-restore", {"seq": seq, "at": restoration.at})


class Table(NamedTuple):
    """The game of a log and the names of its seats, as far as its first event tells them: what sentences about the log
    call things by."""

    game: str | None = None
    names: tuple[str | None, ...] = ()


class Checked(NamedTuple):
    """The result of one check, with the reason unless it passed."""

    check: Check
    result: Outcome
    why: Explanation | None


class Divergence(NamedTuple):
    """The first event at which the log differs from what is expected; no ``seq`` where it is none of the events. Holds
    public values only."""

    seq: int | None
    check: Check
    expected: Any
    found: Any
    rule: str | None


RULINGS: Mapping[str, bool] = {kind: RULING_KINDS[kind].overrides for kind in get_args(Kind)}
"""The kinds of rulings, and whether each puts something else in the place of what the rules make of the match."""


class ListedRuling(NamedTuple):
    """One ruling of a referee in an audited log."""

    seq: int
    kind: str
    rule: str | None
    """The rule that it cites."""
    overrides: bool
    """As ``RULINGS`` has it."""


class Verdict(NamedTuple):
    """The result of the audit of one file or stored match."""

    verdict: Word
    match: str | None
    first_divergence: Divergence | None
    checks: tuple[Checked, ...]
    contradiction: Contradiction | None = None
    """Of ``equivocation``."""
    rulings: tuple[ListedRuling, ...] = ()
    """In the order of the log; of more than ``MOST_RULINGS`` the first."""
    table: Table = Table()


def worst(verdicts: set[Word]) -> Word:
    """Return the severest of several verdicts; ``verified`` of none."""
    return next((word for word in SEVEREST_FIRST if word in verdicts), "verified")


class Findings:
    """Collects the findings of an audit: the first finding of each check, and the first event with any finding."""

    def __init__(self) -> None:
        self._results: dict[Check, Checked] = {}
        self._words: set[Word] = set()
        self._first: tuple[tuple[bool, int, int], Divergence] | None = None
        self._contradiction: Contradiction | None = None
        self._rulings: list[ListedRuling] = []
        self.table = Table()

    def ruled(self, ruling: ListedRuling) -> None:
        """Record a ruling of a referee: the match then went as it did not by the rules of the game alone."""
        self._words.add("verified_with_rulings")
        if len(self._rulings) < MOST_RULINGS:
            self._rulings.append(ruling)

    def diverge(
        self,
        word: Word,
        check: Check,
        seq: int | None,
        why: Explanation,
        expected: Any = None,
        found: Any = None,
        rule: str | None = None,
        result: Outcome = "fail",
    ) -> None:
        """Record a finding: something differs from what is expected, and that verdict follows from it."""
        self._words.add(word)
        kept = self._results.get(check)
        if kept is None or (kept.result != "fail" and result == "fail"):
            self._results[check] = Checked(check, result, why)
        place = (seq is None, seq or 0, SEVEREST_FIRST.index(word))
        if self._first is None or place < self._first[0]:
            self._first = place, Divergence(seq, check, clipped(expected), clipped(found), rule)

    def contradicted(self, check: Check, seq: int, why: Explanation, pair: Contradiction, found: bytes) -> None:
        """Record that two contradicting things are signed of the event at ``seq``. ``found`` is the hash that is not
        that of the first."""
        self.diverge("equivocation", check, seq, why, pair[0].hash.hex(), found.hex())
        self._contradiction = self._contradiction or pair

    def skip(self, check: Check, why: Explanation, *, lowers: bool = True) -> None:
        """Record that something could not be checked, which ``lowers`` the verdict unless nobody asked for it."""
        if lowers:
            self._words.add("verified_partial")
        self._results.setdefault(check, Checked(check, "not_checkable", why))

    def has_failed(self) -> bool:
        """Tell whether anything differs from what is expected."""
        return self._first is not None

    def verdict(self, match: str | None, read: bool) -> Verdict:
        """Return the verdict. A check without a finding has passed if the whole file was ``read``, else it was not
        reached."""
        word = worst(self._words)
        checks = [self._results.get(check, remark) for check, remark in (PASSED if read else NOT_REACHED).items()]
        first = None if self._first is None else self._first[1]
        return Verdict(word, match, first, tuple(checks), self._contradiction, tuple(self._rulings), self.table)


PASSED = {check: Checked(check, "pass", None) for check in CHECKS}
NOT_REACHED = {check: Checked(check, "not_checkable", Explanation("not-reached")) for check in CHECKS}
"""What is said of a check that there was nothing to say of, whether all has been read or not."""


def clipped(value: Any) -> Any:
    """Return a value as a verdict may repeat it; a long value is replaced by its length."""
    size = len(canonical(value))
    return value if size <= LONGEST else {"bytes": size}
