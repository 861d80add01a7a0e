"""The first page: a real ruling, and the newest matches that anybody may watch; never a private one."""

import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import pytest

from gyoji.api.parameters import STATUSES
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.messages.language import LANGUAGES, Language
from gyoji.store.interface import Listing, Match, Unavailable
from gyoji.web.app import create_app
from gyoji.web.pages.home import NEWEST
from gyoji.web.pages.templates import words_of
from operators import OPERATOR_KEY
from web.matches.tables import House
from web.matches.tables import house as house_of

CARD = re.compile(r"\b[BWK]\d{1,2}\b")
"""A card of Catte by its code."""

TAG = re.compile(r"<[^>]+>")

MATCH = re.compile(r"/matches/[0-9a-f]+-")
"""What leads to a match that is there."""


@pytest.fixture
def there(tmp_path: Path) -> Iterator[House]:
    """A service with an empty store."""
    settings = Settings(store=f"sqlite:///{tmp_path}/gyoji.db", operator_key=OPERATOR_KEY)
    prepare_store(settings)
    house = house_of(create_app(settings))
    yield house
    house.services.store.close()


def home(house: House, language: Language = "en") -> str:
    """The first page."""
    response = house.client.get("/", query_string={"lang": language})
    assert response.status_code == 200
    return response.text


def said(key: str, language: Language = "en") -> str:
    """A sentence of the page, as it stands in HTML."""
    return str(escape(words_of("home", language)[key])).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")


def forget(_listing: Listing) -> list[Match]:
    """A store that is gone."""
    raise Unavailable("the database does not answer")


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_public_match_it_says_how_to_get_one(there: House, language: Language) -> None:
    there.table(seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}])
    text = home(there, language)
    assert said("none", language) in text
    assert MATCH.search(text) is None
    assert not any(name in text for name in ("Ann", "Ben", "Cho"))


def test_public_matches_stand_there_newest_first(there: House) -> None:
    older = there.table(visibility="public", seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}])
    newer = there.table(visibility="public", game="towai", seats=2)
    text = home(there)
    assert text.index(f"/matches/{newer.match}") < text.index(f"/matches/{older.match}")
    assert "<bdi>Ann</bdi>, <bdi>Ben</bdi>, <bdi>Cho</bdi>" in text
    assert "<bdi>Seat 0</bdi>, <bdi>Seat 1</bdi></span>" in text
    assert text.count(said("status-playing")) == 2
    assert "<bdi>席0</bdi>、<bdi>席1</bdi></span>" in home(there, "ja")


def test_a_private_match_is_not_told_of(there: House) -> None:
    private = there.table(seats=[{"name": "Xanthippe"}, {"name": "Yngvi"}, {"name": "Zenobia"}], tags=["canary"])
    there.table(visibility="public")
    for language in LANGUAGES:
        text = home(there, language)
        assert len(MATCH.findall(text)) == 1
        assert not any(told in text for told in (private.match, "Xanthippe", "Yngvi", "Zenobia", "canary"))


def test_nor_if_the_store_lists_it_by_mistake(there: House, monkeypatch: pytest.MonkeyPatch) -> None:
    there.table(seats=[{"name": "Xanthippe"}, {"name": "Yngvi"}, {"name": "Zenobia"}])
    everything = there.services.store.listed
    monkeypatch.setattr(there.services.store, "listed", lambda listing: everything(listing._replace(public=False)))
    assert len(there.services.store.listed(Listing(None, public=True))) == 1
    assert "Xanthippe" not in home(there)


def test_no_card_stands_there_and_not_too_many_matches(there: House) -> None:
    for _ in range(NEWEST + 1):
        table = there.table(visibility="public")
    text = home(there)
    assert len(MATCH.findall(text)) == NEWEST
    hand = table.seen(table.sits(0))["view"]["table"]["hands"][0]
    listed = text.partition('id="newest"')[2].partition('id="start"')[0]
    assert CARD.search(" ".join(hand))
    assert CARD.search(TAG.sub(" ", listed)) is None
    assert all(token not in text for token in table.tokens)


def test_names_are_text(there: House) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    there.table(visibility="public", seats=[{"name": hostile}, {"name": "{{ 7*7 }}"}, {"name": "Ben"}])
    text = home(there)
    assert "<img src=x" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert "<bdi>{{ 7*7 }}</bdi>" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("gone", ["listed", "entries"])
def test_the_page_comes_while_the_store_is_gone(
    there: House, monkeypatch: pytest.MonkeyPatch, language: Language, gone: str
) -> None:
    there.table(visibility="public")
    refuse: Callable[..., object] = forget if gone == "listed" else lambda *_, **_more: forget(Listing(None))
    monkeypatch.setattr(there.services.store, gone, refuse)
    text = home(there, language)
    assert said("unlisted", language) in text
    assert MATCH.search(text) is None
    assert "/rules/towai" in text


def test_every_status_has_a_word() -> None:
    for language in LANGUAGES:
        words = words_of("home", language)
        assert len({words[f"status-{status}"] for status in STATUSES}) == len(STATUSES)


def test_the_ruling_is_the_engines(there: House) -> None:
    """CAT-031: brown is the coffee's colour, black was led, and seat 0 holds black cards. People count
    seats from 1, and call cards by name."""
    text = home(there)
    assert "Catte: seat 1 plays Brown 13" in text
    assert "You hold black cards and black was led, so you must play one of them; Brown 13 is not black." in text
    assert 'href="/rules/catte?lang=en#CAT-3.1"' in text
    assert 'href="/console/cases/CAT-031?lang=en"' in text
    assert "May be played instead: Black 1, Black 4, Black 6</p>" in text
    japanese = home(there, "ja")
    assert "Catte：席1が茶13を出す" in japanese
    assert "リードされた色は黒" in japanese
    assert "代わりに出せる札：黒1、黒4、黒6</p>" in japanese
