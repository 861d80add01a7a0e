"""Holds the terms of an audit: which keys are trusted, which receipts have to be kept, which rules are asked about."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gyoji.audit.commitments import Beacons
from gyoji.games.catalogue import GAMES
from gyoji.log.signatures import Trusted
from gyoji.log.statements import statement_of_document
from gyoji.messages.language import Language
from gyoji.published_files import rules_digest


class Receipts(NamedTuple):
    """Receipts and heads of many matches, found by the match that they speak of."""

    of_match: Mapping[str, tuple[Any, ...]]
    others: tuple[Any, ...]
    """What speaks of no match that could be told."""

    def about(self, match: str | None) -> tuple[Any, ...]:
        """Return the receipts and heads that an audit of that match has to compare.

        Of the others it says no more than that they are there, and so need not read them again for every file.
        """
        return (*self.of_match.get(match or "", ()), *[None] * len(self.others))


def receipts_by_match(documents: Iterable[Any]) -> Receipts:
    """Sort receipts and heads by the match that each speaks of."""
    of_match: dict[str, list[Any]] = {}
    others = []
    for found in documents:
        statement = statement_of_document("", found)
        if statement is None:
            others.append(found)
        else:
            of_match.setdefault(statement.match, []).append(found)
    return Receipts({match: tuple(found) for match, found in of_match.items()}, tuple(others))


class AuditTerms(NamedTuple):
    """The terms by which replays are audited: trusted keys, receipts, beacons, and the version of the rules."""

    trusted: tuple[Trusted, ...] | None
    receipts: Receipts | None
    store_key: bytes | None = None
    beacons: Beacons | None = None
    with_proofs: bool = False
    version: int | None = None
    """Another version of the rules, to say what would change under it."""
    own: tuple[Trusted, ...] = ()
    """What a store itself signs with: trusted for its matches."""
    lang: Language = "en"

    def for_stored_matches(self) -> "AuditTerms":
        """Return the terms for the matches of a store, whose own keys are trusted too."""
        return self._replace(trusted=(*(self.trusted or ()), *self.own)) if self.own else self


def rules_digests() -> dict[str, str]:
    """Return the digest of the rules of every game, by slug."""
    return {game.slug: rules_digest(game.slug) for game in GAMES}
