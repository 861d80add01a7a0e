"""The words of each game: in both languages, with the same facts, and of nothing that the game has not."""

import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from gyoji.cli.contract import contract
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import DEALT
from gyoji.games.records import Member, Record, record, tag
from gyoji.messages.game_words import Sentences, game_words, missing_words
from gyoji.messages.language import LANGUAGES, Sentence


def facts(sentence: Sentence) -> set[str]:
    """What is put into a sentence."""
    return set(re.findall(r"\{(\w+)\}", sentence["en"]))


def names(members: tuple[Member, ...]) -> Iterator[str]:
    """The members, and those of the records in them."""
    for member in members:
        yield member.name
        if isinstance(member.kind, Record):
            yield from names(member.kind.members)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_all_is_said_in_both_languages_with_the_same_facts(slug: str) -> None:
    words = game_words(slug)
    tables: list[Sentences] = [{"about": words.about, "dispute": words.dispute}, words.sections, words.options]
    tables += [words.events, words.piles, words.hidden, words.by_seat, words.named, words.lying, words.table]
    for key, sentence in ((key, sentence) for table in tables for key, sentence in table.items()):
        assert sentence.keys() == set(LANGUAGES), key
        assert all(text.strip() for text in sentence.values()), key
        assert len({frozenset(re.findall(r"\{(\w+)\}", text)) for text in sentence.values()}) == 1, key


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_event_is_told_by_its_own_members(slug: str) -> None:
    words, events = game_words(slug), BY_SLUG[slug].records.events
    assert words.events.keys() == {tag(one) for one in events}
    for one in events:
        assert facts(words.events[tag(one)]) <= {*names(record(one).members)}
    dealt = next(one for one in events if tag(one) == DEALT)
    assert words.piles.keys() <= {*names(record(dealt).members)}
    assert all(facts(sentence) <= {"key", "cards"} for sentence in words.piles.values())


@pytest.mark.parametrize("slug", BY_SLUG)
def test_what_lies_on_the_table_is_called_something(slug: str) -> None:
    words = game_words(slug)
    said = {*words.by_seat, *words.named, *words.lying}
    assert said <= {*names(BY_SLUG[slug].records.codec.table)}
    assert len(said) == sum(map(len, (words.by_seat, words.named, words.lying)))


@pytest.mark.parametrize("slug", BY_SLUG)
def test_nothing_is_without_words(slug: str) -> None:
    assert missing_words(BY_SLUG[slug]) == []


@pytest.mark.parametrize(
    ("table", "name", "missing"),
    [
        ("sections", "2", "[section] 2"),
        ("options", "bust_bonus", "[option] bust_bonus"),
        ("events", "trick_won", "[event] trick_won"),
        ("piles", "aside", "[pile] aside"),
        ("by_seat", "acquired", "[position.…] acquired"),
        ("lying", "trick", "[position.…] trick"),
        ("table", "phase_coffee", "[table] phase_coffee"),
        ("table", "suit_K", "[table] suit_K"),
        ("table", "move_coffee", "[table] move_coffee"),
        ("asked", "led", "[question.asked] led"),
        ("asked", "led_none", "[question.asked] led_none"),
        ("choices", "led", "[question.choice] led"),
        ("choices", "led_none", "[question.choice] led_none"),
        ("permitted", "cannot-follow", "[question.permitted] cannot-follow"),
    ],
)
@pytest.mark.parametrize("left", [{}, {"en": "Only in English.", "ja": " "}, None])
def test_what_is_without_words_is_named(
    table: str, name: str, missing: str, left: Sentence | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is not there at all, or lacks a language."""
    words = game_words("catte")
    others = {key: said for key, said in getattr(words, table).items() if key != name}
    monkeypatch.setattr(words, table, others if left is None else {**others, name: left})
    assert missing_words(BY_SLUG["catte"]) == [missing]
    refused = CliRunner().invoke(contract)
    assert (refused.exit_code, refused.output) == (1, f"catte: words.toml does not say {missing}\n")
