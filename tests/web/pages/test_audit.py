"""The audit page as it is served: what it says without its scripts, and the words that these ask for."""

import re
from html import unescape
from typing import get_args

import orjson
import pytest

from answers import CheckedClient
from gyoji.app.requests import MAX_REPLAY
from gyoji.audit.verdicts import CHECKS, Outcome, Word
from gyoji.messages.language import LANGUAGES, Language
from gyoji.messages.verdicts import sentences
from gyoji.web.pages.templates import words_of

SCRIPTS = ("audit", "audit-agreement", "audit-breaks", "audit-parts")


def blocks(html: str) -> dict[str, dict[str, object]]:
    """What the scripts of the page find in it."""
    found = re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', html, re.DOTALL)
    return {name: orjson.loads(text) for name, text in found}


def source(client: CheckedClient, name: str) -> str:
    response = client.get(f"/static/{name}.mjs")
    assert response.status_code == 200
    return response.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_what_is_checked_and_how_to_do_without_it(client: CheckedClient, language: Language) -> None:
    words = words_of("audit", language)
    html = unescape(client.get("/audit", query_string={"lang": language}).text)
    said = [words["title"], words["lead"], words["noscript"], words["keys_note"], words["offline_note"]]
    assert [sentence for sentence in said if sentence not in html] == []
    assert [check for check in CHECKS if f"<dt>{words[check]}</dt><dd>{words[f'{check}_what']}</dd>" not in html] == []
    assert f'data-most="{MAX_REPLAY}"' in html
    assert words["choose"].format(most=16) in html


def test_every_verdict_and_every_result_has_its_words(client: CheckedClient) -> None:
    found = blocks(client.get("/audit").text)
    assert found["said"] == sentences()["word"]
    assert found["said"].keys() == set(get_args(Word))
    needed = {f"{word}_means" for word in get_args(Word)} | set(get_args(Outcome)) | set(CHECKS)
    assert needed - found["words"].keys() == set()


def test_the_scripts_ask_for_no_word_that_is_not_there(client: CheckedClient) -> None:
    words = blocks(client.get("/audit").text)["words"]
    scripts = [source(client, name) for name in SCRIPTS]
    asked = {key for script in scripts for key in re.findall(r'\bsay\("(\w+)"', script)}
    asked |= {f"agree_{word}" for word in re.findall(r'word: "(\w+)"', scripts[1])}
    assert len(asked) > 30
    assert asked - words.keys() == set()


def test_no_word_is_there_that_nobody_says(client: CheckedClient) -> None:
    """By its name, or as one of a family: of verdicts, of checks, of their results, of agreements."""
    files = "".join(source(client, name) for name in SCRIPTS)
    page = unescape(re.sub(r"<script.*?</script>", "", client.get("/audit").text, flags=re.DOTALL))
    families = re.compile(r"\w+_(?:means|what)|agree_\w+|not_checkable")
    unsaid = {
        key
        for key, text in words_of("audit", "en").items()
        if f'"{key}"' not in files and not families.fullmatch(key) and text.split("{")[0] not in page
    }
    assert unsaid == set()


def test_the_worker_runs_the_second_verifier_as_it_is(client: CheckedClient) -> None:
    worker = source(client, "audit-worker")
    assert re.findall(r'from "(.*)"', worker) == ["./verify.mjs"]
    assert "fetch" not in worker
