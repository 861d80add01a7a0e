"""The caller's language: en and ja, by Accept-Language."""

import pytest

from answers import CheckedClient
from gyoji.messages.language import fill_template, word_fact


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("en", "en"),
        ("ja", "ja"),
        ("JA", "ja"),
        ("ja-JP", "ja"),
        ("en-GB", "en"),
        ("ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7", "ja"),
        ("en-US,en;q=0.9,ja;q=0.8", "en"),
        ("ja;q=0.1, en;q=0.9", "en"),
        ("ja;q=0.9, en;q=0.1", "ja"),
        ("ja-JP, en;q=0.8", "ja"),
        ("ja_JP, en;q=0.8", "ja"),
        ("ja-JP;q=0.8, en;q=0.9", "en"),
        ("ja;q=0.2, ja-JP;q=0.9, en;q=0.5", "ja"),
        ("jav", "en"),
        ("fr", "en"),
        ("fr, ja;q=0.5", "ja"),
        ("fr;q=1, en;q=0.2, ja;q=0.3", "ja"),
        ("*", "en"),
        ("*;q=0.5, en;q=0.1", "ja"),
        ("en;q=0, *", "ja"),
        ("ja;q=0", "en"),
        ("en;q=0, ja", "ja"),
        ("en;q=0", "en"),
        (";;q=,", "en"),
        ("ja;q=nonsense", "en"),
        ("日本語", "en"),
    ],
)
def test_negotiation(client: CheckedClient, accepted: str | None, language: str) -> None:
    headers = {} if accepted is None else {"Accept-Language": accepted.encode().decode("latin-1")}
    response = client.get("/v1/games/catte/rules/CAT-99", headers=headers)
    assert response.headers["Content-Language"] == language
    title = {"en": "There is nothing here", "ja": "ここには何もありません"}[language]
    assert response.get_json()["title"] == title


def test_facts_are_put_in_as_people_say_them() -> None:
    words = {"F": {"en": "Fine", "ja": "晴"}}
    assert word_fact(3, words, "en") == "3"
    assert word_fact("F", words, "ja") == "晴"
    assert word_fact("F3", words, "ja") == "F3"
    assert word_fact(("F", "F3", 2), words, "en") == "Fine, F3, 2"
    assert word_fact(["F", "F3"], words, "ja") == "晴、F3"
    assert (
        fill_template({"en": "{a} and {b}", "ja": "{b}と{a}"}, {"a": "F", "b": (1, 2), "c": 0}, words, "ja")
        == "1、2と晴"
    )
