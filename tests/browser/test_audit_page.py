"""The audit page: what it says of files, true and forged, whole and redacted, hostile and wrong."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

from browser.house import REPLAYS, House
from browser.looks import inaccessible, measured, none_of
from browser.screens import PHONE, Browse
from browser.watch import Watch
from gyoji.audit.verdicts import CHECKS
from gyoji.log.files import redact_lines
from gyoji.messages.rulebooks import rulebook
from gyoji.messages.verdicts import sentences
from gyoji.web.pages.templates import words_of
from liar.lies import LIES, Lie, entries, honest
from liar.test_lying_server import by_the_second
from servers import serving
from verifier.corpora import TRUST
from verifier.javascript import MODULE

WORDS = words_of("audit", "en")
GOLDEN = REPLAYS / "towai" / "names-and-tags.jsonl"
EVERY_KEY = {"keys": [*json.loads((REPLAYS / "trust.json").read_bytes())["keys"], *TRUST["keys"]]}
"""The key of the golden replays, and that of whoever lies."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A service that trusts the key of those who lie: what they say is held against the rules all the same."""
    trust = tmp_path_factory.mktemp("trust") / "trust.json"
    trust.write_text(json.dumps(EVERY_KEY), "utf-8")
    with serving("--workers", "1", environment={"GYOJI_TRUST": str(trust)}) as running:
        yield House(running)


def named(name: str, lines: Sequence[bytes] | bytes) -> FilePayload:
    """A file of these lines."""
    content = lines if isinstance(lines, bytes) else b"".join(lines)
    return {"name": name, "mimeType": "application/jsonl", "buffer": content}


KEYS = named("keys.json", json.dumps(EVERY_KEY).encode())


def opened(page: Page, server: House, trust: FilePayload | None = KEYS) -> None:
    """The page, with a trust file chosen."""
    page.goto(server.at("/audit"))
    if trust is not None:
        page.set_input_files("#trust", trust)


def given(page: Page, file: FilePayload | Path) -> None:
    """A file is chosen, and both have answered."""
    page.set_input_files("#file", file)
    answered(page)


def answered(page: Page) -> None:
    """Both have answered, and the page says it aloud."""
    expect(page.locator("#status")).to_contain_text(WORDS["done"].format(sentence=""))
    expect(page.locator("#result")).to_be_visible()


def verdicts(page: Page) -> tuple[str, str]:
    """The verdicts of the service and of the second verifier, which has none of its own where both find the file
    right."""
    agrees = page.inner_text("#second strong") == WORDS["second_agrees"]
    return page.inner_text("#service code"), "agrees" if agrees else page.inner_text("#second code")


def results(page: Page, column: int) -> dict[str, str]:
    """How every check came out, by the service (0) or the second verifier (1)."""
    rows = page.locator("#checks tbody tr").all()
    words = {WORDS[result]: result for result in ("pass", "fail", "not_checkable")}
    found = [row.locator("td").nth(column).locator(".audit-mark").inner_text()[2:] for row in rows]
    return dict(zip(CHECKS, [words[word] for word in found], strict=True))


def lie(name: str) -> Lie:
    """One of the lies."""
    return next(one for one in LIES if one.name == name)


def test_a_true_file_is_verified_and_can_be_stepped_through(page: Page, server: House) -> None:
    opened(page, server)
    given(page, GOLDEN)
    assert verdicts(page) == ("verified", "agrees")
    expect(page.locator("#second code")).to_have_count(0)  # there is one verdict
    assert page.inner_text("#service strong") == sentences()["word"]["verified"]["en"]
    assert page.inner_text("#agreement") == WORDS["agree_alike"]
    assert WORDS["second_trust"].format(count="the 2 keys", name="keys.json") in page.inner_text("#second")
    unchecked = {"moves", "positions", "scores", "result", "receipts"}
    assert results(page, 0) == {check: "not_checkable" if check == "receipts" else "pass" for check in CHECKS}
    assert results(page, 1) == {check: "not_checkable" if check in unchecked else "pass" for check in CHECKS}
    assert page.inner_text("#breaks") == ""
    expect(page.locator("#replay .table")).to_be_visible()
    page.locator("#replay .stage").focus()
    page.keyboard.press("Home")
    expect(page.locator("#replay .place")).to_have_text("0 / 51")


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_an_illegal_move_stands_beside_the_rule_and_the_table_before_it(page: Page, server: House) -> None:
    opened(page, server)
    page.set_input_files("#file", named("liar.jsonl", lie("card_that_does_not_follow").make()))
    expect(page.locator("#replay .table")).to_be_visible()
    japanese = words_of("audit", "ja")
    assert page.inner_text("#service strong") == sentences()["word"]["rules_divergence"]["ja"]
    assert page.inner_text("#agreement") == japanese["agree_same"]
    rule = rulebook("catte").rule("CAT-3.1")
    assert rule is not None
    assert rule["text"]["ja"] in page.inner_text("#breaks")
    assert page.locator("#breaks a").get_attribute("href") == "/rules/catte#CAT-3.1"
    expect(page.locator("#replay h2").first).to_have_text(japanese["before"].format(seq=3))
    expect(page.locator("#replay .place")).to_have_text("2 / 52")
    expect(page.locator("#replay .notice")).to_have_text(
        f"{japanese['move_illegal'].format(seq=3, move='席2: 茶8を出す')} "
        f"{japanese['only_allowed'].format(cards='黒2、黒3、黒6、黒10、または黒14')}"
    )
    assert page.inner_text("#breaks .audit-why").startswith("ルールにより席2の手は認められません：")
    expect(page.locator("#replay .events .broken b")).to_have_text("3")
    expect(page.locator("#service strong")).to_be_in_viewport()  # the verdict comes first, whatever stands below
    for more in page.locator(".audit-more summary").all():
        more.click()
    none_of(page, [*measured(page), *inaccessible(page)])


SAID = {
    "score_forged": "Seat 1's score: the file says 41, the rules 40.",
    "hands_exchanged": "A card dealt to Seat 1: the file says Brown 8, the shuffle gives Brown 1.",
}


def test_where_it_breaks_is_said_in_names_of_cards_and_seats(page: Page, server: House) -> None:
    opened(page, server)
    for name, sentence in SAID.items():
        given(page, named(f"{name}.jsonl", lie(name).make()))
        expect(page.locator("#breaks .audit-why")).to_have_text(sentence)


TOLD = {
    "wrong_winner_of_a_trick": "agree_alone",
    "hands_exchanged": "agree_same",
    "event_dropped": "agree_refused",
    "hand_shown_to_all": "agree_same",
    "position_of_another_state": "agree_alone",
    "rules_swapped": "agree_same",
}
"""Lies, and whether the two agree on them."""


def test_lies_are_called_by_their_names(page: Page, server: House) -> None:
    opened(page, server)
    for name, agreement in TOLD.items():
        told = lie(name)
        given(page, named(f"{name}.jsonl", told.make()))
        expect(page.locator("#subject")).to_contain_text(name)
        assert verdicts(page) == (told.word, by_the_second(told)), name
        place = WORDS["breaks_at"].format(seq=told.seq, check=WORDS[told.check])
        expect(page.locator("#breaks strong").first).to_have_text(place)
        assert page.inner_text("#agreement") == WORDS[agreement].format(checks=WORDS[told.check]), name
        assert results(page, 0)[told.check] != "pass"


def test_a_redacted_file_tells_what_it_holds_and_why_there_is_no_table(page: Page, server: House) -> None:
    opened(page, server)
    given(page, named("mine.jsonl", tuple(redact_lines(honest("catte"), 1))))
    assert verdicts(page) == ("verified_partial", "verified_partial")
    assert page.inner_text("#subject").endswith(WORDS["for_seat"].format(seat=1))
    expect(page.locator("#replay .events")).to_be_visible()
    assert WORDS["no_table_redacted"] in page.inner_text("#replay")
    assert page.locator("#replay .table").count() == 0
    assert page.locator("#replay .events > li").count() == len(entries("catte"))


def test_which_keys_were_trusted_is_said_and_can_be_chosen(page: Page, server: House) -> None:
    opened(page, server, trust=None)
    given(page, GOLDEN)
    assert verdicts(page) == ("verified", "key_untrusted")
    assert page.inner_text("#agreement") == WORDS["agree_keys"]
    assert WORDS["second_keys"].format(count=WORDS["key_one"]) in page.inner_text("#second")
    page.set_input_files("#trust", KEYS)
    expect(page.locator("#second strong")).to_have_text(WORDS["second_agrees"])
    page.set_input_files("#trust", named("<b>keys</b>.json", b'{"keys":7}'))
    expect(page.locator("#second")).to_contain_text(WORDS["no_trust"].format(name="<b>keys</b>.json"))
    page.get_by_text(WORDS["keys"], exact=True).click()
    page.get_by_role("button", name=WORDS["keys_back"]).click()
    expect(page.locator("#second code")).to_have_text("key_untrusted")
    given(page, named("liar.jsonl", lie("card_that_does_not_follow").make()))
    assert verdicts(page) == ("rules_divergence", "key_untrusted")
    assert page.inner_text("#agreement") == WORDS["agree_keys"]


HEADER = b'{"audience":"<b>x</b>","format":"gyoji-replay/1","game":"__proto__","match":"<script>alert(1)</script>"}\n'


def test_what_is_no_replay_file_is_said_to_be_none(page: Page, server: House) -> None:
    opened(page, server)
    image = "<img src=x onerror=alert(1)>\u202e.jsonl"
    for name, content in (("empty.jsonl", b""), (image, bytes(range(256)) * 500), ("header.jsonl", HEADER)):
        given(page, named(name, content))
        expect(page.locator("#subject")).to_contain_text(name.replace("\u202e", "\ufffd"))
        assert verdicts(page) == ("malformed", "malformed")
        assert page.inner_text("#agreement") == WORDS["agree_same"]
        expect(page.locator("#breaks strong").first).to_have_text(WORDS["breaks_nowhere"].format(check="Bytes"))
        assert page.locator("main img, main script, main b").count() == 0
    given(page, named("header alone.jsonl", honest("catte")[:1]))
    assert verdicts(page) == ("incomplete", "incomplete")
    assert page.inner_text("#replay") == ""


def test_a_file_beyond_the_limit_is_not_sent(page: Page, server: House, watch: Watch, tmp_path: Path) -> None:
    large = tmp_path / "large.jsonl"
    with large.open("wb") as file:
        file.truncate(2**24 + 1)
    opened(page, server)
    mark = len(watch.asked)
    page.set_input_files("#file", large)
    expect(page.locator("#status")).to_have_text(WORDS["too_large"].format(name="large.jsonl", size="16.8 MB", most=16))
    expect(page.locator("#result")).to_be_hidden()
    assert watch.since(mark) == []


def test_a_match_is_audited_by_the_keyboard_alone(page: Page, server: House, watch: Watch) -> None:
    match = server.golden("catte/shared-win")
    opened(page, server, trust=None)
    page.locator("#main").focus()
    for focused in ("file", "match"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == focused
    page.keyboard.type("the match")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text(WORDS["no_id"])
    page.locator("#match").fill("")
    page.keyboard.type(server.match_page(match, server.operator))
    page.keyboard.press("Enter")
    answered(page)
    assert verdicts(page) == ("verified", "agrees")
    assert server.operator not in page.content()
    page.goto(server.at("/audit?lang=ja"))
    page.evaluate("match => { location.hash = match }", f"match={match[:-12]}{'0' * 12}")
    page.reload()
    expect(page.locator("#status")).to_have_text(words_of("audit", "ja")["no_match"])
    watch.expect("404")


def test_a_file_is_dropped(page: Page, server: House) -> None:
    opened(page, server)
    held: Any = page.evaluate_handle(
        """(text) => {
          const held = new DataTransfer();
          held.items.add(new File([text], "dropped.jsonl"));
          return held;
        }""",
        GOLDEN.read_text("utf-8"),
    )
    page.dispatch_event("body", "dragover", {"dataTransfer": held})
    page.dispatch_event("#checks", "drop", {"dataTransfer": held})
    answered(page)
    assert verdicts(page) == ("verified", "agrees")


def test_without_a_secure_context_the_service_alone_is_heard(browse: Browse, server: House) -> None:
    page = browse()
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    opened(page, server)
    given(page, GOLDEN)
    assert page.inner_text("#service code") == "verified"
    assert WORDS["no_crypto"] in page.inner_text("#second")
    expect(page.locator("#agreement")).to_be_hidden()


def served_instead(page: Page, script: str) -> None:
    """The browser gets this in place of the second verifier."""
    page.route("**/static/verify.mjs", lambda route: route.fulfill(content_type="text/javascript", body=script))


ERRORS = "export class Unable extends Error {} export class Unusable extends Error {}"


OUTSIDE = "setTimeout(() => { throw new RangeError('a fault'); }); await new Promise(() => {})"


@pytest.mark.parametrize("how", [OUTSIDE, "throw new RangeError('a fault')"])
def test_a_file_that_breaks_the_second_verifier_is_said_to(browse: Browse, server: House, how: str) -> None:
    """Whether the verifier fails, or ends without an answer, is all the same to whoever dropped the file."""
    page = browse()
    served_instead(page, f"{ERRORS} export async function verify() {{ {how}; }}")
    opened(page, server)
    given(page, GOLDEN)
    assert page.inner_text("#service code") == "verified"
    assert WORDS["broke_second"] in page.inner_text("#second")
    assert "audit-bad" in str(page.get_attribute("#second", "class"))
    expect(page.locator("#agreement")).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_browser_without_ed25519_is_no_fault_of_the_file(browse: Browse, server: House, language: Any) -> None:
    page = browse()
    lacking = "crypto.subtle.importKey = async () => { throw new DOMException('none', 'NotSupportedError'); };"
    served_instead(page, lacking + MODULE.read_text("utf-8"))
    page.goto(server.at(f"/audit?lang={language}"))
    page.set_input_files("#file", GOLDEN)
    expect(page.locator("#second")).to_contain_text("Ed25519")
    words = words_of("audit", language)
    assert words["no_second"].split("{")[0] in page.inner_text("#second")
    assert "audit-bad" not in str(page.get_attribute("#second", "class"))


def test_a_verifier_that_cannot_be_loaded_is_no_fault_of_the_file(browse: Browse, server: House) -> None:
    page = browse()
    served_instead(page, "this is no JavaScript")
    opened(page, server)
    given(page, GOLDEN)
    assert WORDS["no_second"].format(why="").strip() in page.inner_text("#second")


def test_two_that_contradict_each_other_are_believed_neither(browse: Browse, server: House) -> None:
    """A second verifier that finds nothing, where the service finds other cards than were shuffled."""
    checks = json.dumps([{"check": check, "result": "pass", "why": None} for check in CHECKS])
    verdict = f"{{ verdict: 'verified_partial', match: null, first_divergence: null, checks: {checks}, rulings: [] }}"
    page = browse()
    served_instead(page, f"{ERRORS} export const verify = async () => ({verdict});")
    opened(page, server)
    given(page, named("liar.jsonl", lie("hands_exchanged").make()))
    assert verdicts(page) == ("deal_divergence", "verified_partial")
    assert page.inner_text("#agreement") == WORDS["agree_never"].format(checks=WORDS["shuffles"])
