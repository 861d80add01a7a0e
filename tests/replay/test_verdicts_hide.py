"""Logs in which something hidden is wrong: whoever is shown the verdict learns that it is, and not what it is.

The matches are such whose secret only auditors get. A liar with the key changes one hidden value or exchanges two, and
makes commitments, chain and head right again; the audit of the full file finds it, that of a redacted one cannot.
"""

import copy
import random
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from gyoji.audit.verdicts import Verdict
from gyoji.log.files import redact_lines
from gyoji.log.redaction import Reader
from gyoji.messages.card_names import CODE, card_name
from gyoji.messages.language import LANGUAGES
from gyoji.messages.verdicts import verdict_document
from replay.tampering import SHORT, Lines, Parts, entries_of, file_of, judged, sealed, taken_apart

LIES = 4
"""Changes of each match."""


def strings(value: Any) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def cards_of(parts: Parts) -> list[tuple[dict[str, Any], str, int | None]]:
    """Where a hidden card stands: the payload, the pointer, and the place in the list."""
    return [
        (opening["payload"], pointer, place)
        for event in parts.events
        if event.document["type"] != "seed_disclosed"
        for opening in event.openings
        if "index" in opening and event.document["secret"][opening["index"]]["for"] != "all"
        for pointer, value in opening["payload"].items()
        for place in (range(len(value)) if isinstance(value, list) else (None,))
        if isinstance(value if place is None else value[place], str)
    ]


def lied(lines: Lines, chance: random.Random) -> Lines:
    """Two hidden cards exchanged."""
    parts = copy.deepcopy(taken_apart(lines))
    found = cards_of(parts)
    one, other = chance.sample(found, 2)
    values = [
        payload[pointer] if place is None else payload[pointer][place] for payload, pointer, place in (one, other)
    ]
    for (payload, pointer, place), value in zip((one, other), values[::-1], strict=True):
        if place is None:
            payload[pointer] = value
        else:
            payload[pointer][place] = value
    return sealed(parts)


def said(verdict: Verdict, slug: str) -> set[str]:
    """Every text of the verdict, every word of each, and the code of every card that one calls by its name."""
    texts = {*strings(verdict_document(verdict, "en")), *strings(verdict_document(verdict, "ja"))}
    words = {word for text in texts for word in text.replace(",", " ").replace(".", " ").split()}
    named = {code: {card_name(slug, code, language) for language in LANGUAGES} for code in deck_of(slug)}
    told = {code for code, names in named.items() if any(name in text for name in names for text in texts)}
    return texts | words | told


def deck_of(slug: str) -> set[str]:
    """The codes of the game's cards."""
    return {text for line in file_of(entries_of(slug)) for text in strings(orjson.loads(line)) if CODE.fullmatch(text)}


def hidden_from(lines: Lines, reader: Reader) -> set[str]:
    """The cards in openings that the reader's own file does not hold anywhere."""
    seen = {text for line in redact_lines(lines, reader) for text in strings(orjson.loads(line))}
    opened = [orjson.loads(line)["opening"] for line in lines if line.startswith(b'{"opening"')]
    return {text for opening in opened for text in strings(opening.get("payload", {}))} - seen


@pytest.mark.parametrize("slug", SHORT)
def test_no_verdict_tells_what_its_reader_may_not_know(slug: str) -> None:
    """The verdict on the full file is fit for everybody's eyes, that on a redacted one for its reader's."""
    whole = file_of(entries_of(slug, "auditors_only"))
    readers: tuple[Reader, ...] = ("public", *range(SHORT[slug][0]))
    chance = random.Random(slug)
    words = set()
    told_apart = 0
    for _ in range(LIES):
        lines = lied(whole, chance)
        verdict = judged(lines)
        words.add(verdict.verdict)
        hidden = hidden_from(lines, "public") | hidden_from(whole, "public")
        told_apart += len(hidden)
        assert not hidden & said(verdict, slug)
        for reader in readers:
            narrow = judged(tuple(redact_lines(lines, reader)))
            assert not hidden_from(lines, reader) & said(narrow, slug)
    assert words & {"deal_divergence", "rules_divergence"}
    assert told_apart


def test_what_is_hidden_is_looked_for() -> None:
    """The search would find a card if a verdict told one."""
    lines = file_of(entries_of("towai", "auditors_only"))
    parts = taken_apart(lines)
    (payload, pointer, place), *_ = cards_of(parts)
    card = payload[pointer][place]
    verdict = judged(lines)
    assert card in set(strings(payload))
    assert card in said(verdict._replace(match=card), "towai")
    assert card in said(verdict._replace(match=f"seat 0, {card}."), "towai")
    assert card in said(verdict._replace(match=f"{card_name('towai', card, 'ja')}を出す"), "towai")
