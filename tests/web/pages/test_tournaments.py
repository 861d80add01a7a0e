"""The pages of tournaments: what anybody reads, what a private one tells nobody, and what the desk is given."""

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from gyoji.api.parameters import STATUSES
from gyoji.api.tournament_requests import PAIRINGS
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.messages.language import LANGUAGES, Language
from gyoji.store.tournaments import TournamentList
from gyoji.tournaments.rules import TieBreak
from gyoji.web.app import create_app
from gyoji.web.pages.tournament_views import format_figure
from gyoji.web.pages.tournaments import newest
from operators import OPERATOR, OPERATOR_KEY
from web.matches.tables import House, Plain, read
from web.matches.tables import house as house_of
from web.tournaments.directing import Cup, cup, matches_of, play_out

WEB = files("gyoji.web")
WORDS = tomllib.loads(WEB.joinpath("words.toml").read_text("utf-8"))
SCRIPTS = (
    "desk",
    "desk-matches",
    "desk-no-shows",
    "desk-rounds",
    "desk-proposal",
    "desk-entrants",
    "desk-joining",
    "desk-standings",
    "desk-parts",
)

BEGUN = 1_800_000_000.0005
CLOCK = {"move": 20, "bank": 10, "on_expiry": "referee"}
NOBODY: dict[str, str] = {}


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A service with a store of its own."""
    place: Path = tmp_path_factory.mktemp("pages")
    settings = Settings(store=f"sqlite:///{place}/gyoji.db", operator_key=OPERATOR_KEY, store_key="ab" * 32)
    prepare_store(settings)
    house = house_of(create_app(settings))
    yield house
    house.services.store.close()


@pytest.fixture(scope="module")
def spring(there: House) -> Cup:
    """A public tournament: the first round is closed, in the second the first table has been played."""
    made = cup(there, visibility="public").enter("Ann", "Ben", "Cho", "<b>Dan</b>", "Eve", "Fay")
    made.play()
    found = made.pair()
    play_out(there.services, found["tables"][0]["match"], Random(3))
    read(made.ask("/corrections", {"entrant": "e1", "points": "-5/2", "reason": "Late & <i>loud</i>"}))
    return made


@pytest.fixture(scope="module")
def hidden(there: House) -> Cup:
    """A private one, in its first round."""
    made = cup(there, name="Xanthippe cup").enter("Yngvi", "Zenobia", "Xaver")
    made.pair()
    return made


def page(house: House, path: str, status: int = 200, by: dict[str, str] = NOBODY) -> str:
    """A page as a browser is given it."""
    answer = house.client.get(path, headers={"Accept": "text/html", **by})
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    return answer.text


def said(html: str) -> str:
    """The text of a page, with single blanks."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def test_standings_stand_there_in_order_and_every_figure_is_explained(there: House, spring: Cup) -> None:
    html = page(there, f"/tournaments/{spring.tournament}")
    rows = re.findall(r'<li id="(e\d)"><details>.*?</details></li>', html, re.DOTALL)
    standings = spring.standings()
    assert rows == [row["entrant"] for row in standings]
    for row in standings:
        shown = re.search(rf'<li id="{row["entrant"]}">.*?</details></li>', html, re.DOTALL)
        assert shown is not None
        text = said(shown[0])
        assert f" {format_figure(row['points'])} " in text
        for line in row["lines"]:
            assert line["why"] in text
            if line["match"] is not None and line["figure"] == "points":
                assert f'href="/matches/{line["match"]}"' in shown[0]
    assert "Matches still played: 1." in said(html)


def test_figures_are_written_as_people_write_them() -> None:
    written = {"7": "7", "5/2": "2½", "-5/2": "−2½", "1/3": "⅓", "-1/4": "−¼", "17/6": "17/6", "0": "0", None: "–"}
    assert {figure: format_figure(figure) for figure in written} == written


def test_names_and_reasons_are_text(there: House, spring: Cup) -> None:
    for path in ("", "/rounds/2"):
        html = page(there, f"/tournaments/{spring.tournament}{path}")
        assert "<b>Dan" not in html
        assert "&lt;b&gt;Dan&lt;/b&gt;" in html
    assert "Late &amp; &lt;i&gt;loud&lt;/i&gt;" in page(there, f"/tournaments/{spring.tournament}")


def test_a_round_lists_tables_and_where_everybody_sits(there: House, spring: Cup) -> None:
    html = page(there, f"/tournaments/{spring.tournament}/rounds/2?lang=ja")
    found = read(spring.get("/rounds/2"))
    for table in found["tables"]:
        assert f'href="/matches/{table["match"]}?lang=ja"' in html
        for seat in table["seats"]:
            assert re.search(rf"{re.escape(seat['name'])} テーブル{table['table']} ", said(html))
    scores = found["tables"][0]["result"]["scores"]
    assert [int(score) for score in re.findall(r'class="score">(\d+)<', html)] == scores


def test_who_was_absent_is_named_and_has_no_bye(there: House) -> None:
    found = cup(there, visibility="public", check_in=True).enter("Ann", "Ben", "Cho", "Dan", "<b>Eve</b>")
    for entrant in ("e1", "e2", "e3", "e4"):
        read(found.ask(f"/entrants/{entrant}/presence", {"present": True}))
    (rests,) = found.pair()["byes"]
    (name,) = [each["name"] for each in read(found.get())["entrants"] if each["entrant"] == rests]
    html = page(there, f"/tournaments/{found.tournament}/rounds/1")
    assert "Absent, had not checked in: <b>Eve</b> " in said(html)
    index = said(html).partition("Who sits where")[2]
    assert f"{name} bye" in index
    assert "<b>Eve</b> absent" in index
    assert "<b>Eve" not in html
    whole = page(there, f"/tournaments/{found.tournament}?lang=ja")
    cells = re.search(r"&lt;b&gt;Eve&lt;/b&gt;</bdi></th>(.*?)</tr>", whole)
    assert cells is not None
    assert said(cells[1]).split() == ["0", "欠席", "0"]
    assert "欠席（到着の確認なし）" in whole


def test_a_match_that_nobody_may_watch_yet_has_no_link(there: House) -> None:
    twins = cup(there, visibility="public", duplicate=True).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    matches = matches_of(twins.pair())
    for match in matches:
        play_out(there.services, match, Random(3))
    for closed in (False, True):
        for path in ("", "/rounds/1"):
            html = page(there, f"/tournaments/{twins.tournament}{path}")
            assert [f'href="/matches/{match}"' in html for match in matches] == [closed, closed]
            assert (WORDS["tournament"]["watch_later"]["en"] in said(html)) is not closed
            assert "1, table 2" in said(html) or path
        if not closed:
            twins.close(1)


def test_what_is_private_looks_like_what_is_not_there(there: House, hidden: Cup) -> None:
    absent = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
    for part in ("", "/rounds/1", "/rounds/7"):
        private = page(there, f"/tournaments/{hidden.tournament}{part}", 404)
        assert private.replace(hidden.tournament, absent) == page(there, f"/tournaments/{absent}{part}", 404)
    for part in ("/standings.csv", "/tables"):
        statuses = [there.client.get(f"/tournaments/{one}{part}").status_code for one in (hidden.tournament, absent)]
        assert statuses == [404, 404]
    assert "Xanthippe" in page(there, f"/tournaments/{hidden.tournament}", by=OPERATOR)


def test_the_desk_is_the_same_for_every_tournament(there: House, hidden: Cup) -> None:
    absent = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
    shell = page(there, f"/tournaments/{hidden.tournament}/desk")
    assert shell.replace(hidden.tournament, absent) == page(there, f"/tournaments/{absent}/desk")


def test_the_page_of_an_entrant_leads_to_standings_that_everybody_may_read(
    there: House, spring: Cup, hidden: Cup
) -> None:
    absent = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
    leads = [
        f'href="/tournaments/{one}"' in page(there, f"/tournaments/{one}/place") for one in (spring.tournament, absent)
    ]
    assert leads == [True, False]
    private = page(there, f"/tournaments/{hidden.tournament}/place")
    assert private.replace(hidden.tournament, absent) == page(there, f"/tournaments/{absent}/place")


def test_only_public_ones_are_listed(there: House, spring: Cup, hidden: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    html = page(there, "/tournaments")
    assert f'href="/tournaments/{spring.tournament}"' in html
    assert hidden.tournament not in html
    kept = there.services.store.tournaments
    everything = kept.listed(TournamentList("operator"))
    monkeypatch.setattr(kept, "listed", lambda _catalogue: everything)
    listed = newest(there.services)
    assert listed is not None
    assert hidden.tournament in [held.tournament for held in everything]
    assert hidden.tournament not in [one["tournament"] for one in listed]


def test_the_standings_for_a_spreadsheet_are_a_link(there: House, spring: Cup) -> None:
    answer = there.client.get(f"/tournaments/{spring.tournament}/standings.csv?lang=ja")
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{spring.tournament}.csv"'
    assert answer.text.splitlines()[0].startswith('\ufeff"順位","参加者","名前","棄権","点",')
    assert len(answer.text.splitlines()) == 7


def tables_of(found: Cup, by: dict[str, str]) -> Plain:
    """What the desk is given."""
    answer = found.house.client.get(f"/tournaments/{found.tournament}/tables", headers=by)
    tables: Plain = read(answer)
    return tables


def test_who_looks_says_what_the_desk_offers(spring: Cup) -> None:
    for by, manages, rules in ((OPERATOR, True, True), (NOBODY, False, False)):
        found = tables_of(spring, by)
        assert (found["manages"], found["rules"]) == (manages, rules)
    bound = spring.house.key("referee", scopes=(), tournaments=(spring.tournament,))
    assert (tables_of(spring, bound)["manages"], tables_of(spring, bound)["rules"]) == (False, True)
    elsewhere = spring.house.key("referee", scopes=(), tournaments=("6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10",))
    assert tables_of(spring, elsewhere)["rules"] is False


def test_tables_of_open_rounds_are_flagged(there: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(there.services, "clock", lambda: BEGUN)
    found = cup(there, clock=CLOCK).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida")
    first, second, third = matches_of(found.pair())

    def flags() -> dict[str, str | None]:
        return {table["match"]: table["flag"] for table in tables_of(found, OPERATOR)["tables"]}

    def post(match: str, part: str, body: Plain) -> None:
        seq = read(there.client.get(f"/v1/matches/{match}", headers=OPERATOR))["seq"]
        read(there.client.post(f"/v1/matches/{match}/{part}", json=body, headers={**OPERATOR, "If-Match": f'"{seq}"'}))

    monkeypatch.setattr(there.services, "clock", lambda: BEGUN + 30)
    assert flags() == {first: None, second: None, third: None}
    post(second, "rulings", {"ruling": {"kind": "pause"}, "reason": "A spilt cup"})
    post(third, "rulings", {"ruling": {"kind": "void"}, "reason": "The wrong players"})
    monkeypatch.setattr(there.services, "clock", lambda: BEGUN + 30.002)
    assert flags() == {first: "expired", second: "paused", third: "voided"}
    post(first, "claims", {})
    assert flags() == {first: "referee", second: "paused", third: "voided"}
    clock = tables_of(found, OPERATOR)["tables"][0]["clock"]
    assert clock["control"]["on_expiry"] == "referee"
    assert [seat["running"] for seat in clock["seats"]] == [False, False, False]


def test_no_seat_token_and_nothing_hidden_is_among_the_tables(spring: Cup) -> None:
    text = spring.house.client.get(f"/tournaments/{spring.tournament}/tables", headers=OPERATOR).text
    tokens = [seat["token"] for table in read(spring.get("/rounds/2?tokens=1"))["tables"] for seat in table["seats"]]
    assert len(tokens) == 6
    assert not any(token in text for token in tokens)
    assert '"view"' not in text
    assert '"hands"' not in text


def cells(html: str) -> list[list[str]]:
    """The cross-table of a page, row by row, without the numbers of tables."""
    (table,) = re.findall(r'<table class="cross">.*?</table>', html, re.DOTALL)
    rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)[1:]
    bare = [re.sub(r"<small>.*?</small>", "", row) for row in rows]
    return [[said(cell).strip() for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)] for row in bare]


def decimal(written: str) -> Fraction:
    """A figure of the page as a number; a dash is nothing."""
    return Fraction(0) if written == "–" else Fraction(written.replace("−", "-"))


def test_the_cross_table_adds_up_row_by_row(there: House, spring: Cup) -> None:
    found = cells(page(there, f"/tournaments/{spring.tournament}"))
    standings = spring.standings()
    assert [row[1] for row in found] == [row["name"] for row in standings]
    for row, stands in zip(found, standings, strict=True):
        place, _name, *brought, points = row
        assert (place, decimal(points)) == (str(stands["place"]), Fraction(stands["points"]))
        assert sum(map(decimal, brought)) == decimal(points)
        assert len(brought) == 3  # two rounds and corrections
    (ann,) = [row for row in found if row[1] == "Ann"]
    assert ann[-2] == "−2.5"
    played = {seat["name"] for seat in read(spring.get("/rounds/2"))["tables"][0]["seats"]}
    assert {row[1] for row in found if row[3] != "–"} == played  # at the other table they still play


def test_a_bye_and_thirds_stand_in_the_cross_table(there: House) -> None:
    made = cup(there, visibility="public", points={"by": "rank", "points": [1, 0, 0]}, bye=4, seats=[3])
    made.enter("Ann", "Ben", "Cho", "Dan")
    match = made.pair()["tables"][0]["match"]
    result = {"kind": "result", "winners": [0, 1, 2], "scores": [5, 5, 5]}
    ruled = {"ruling": result, "reason": "They agreed."}
    read(there.client.post(f"/v1/matches/{match}/rulings", json=ruled, headers={**OPERATOR, "If-Match": '"1"'}))
    html = page(there, f"/tournaments/{made.tournament}")
    assert sorted(row[2] for row in cells(html)) == ["0.33", "0.33", "0.33", "4"]
    assert re.search(r"4 <small>bye</small>", html)


def test_sizes_of_tables_that_differ_are_said(there: House, spring: Cup) -> None:
    uneven = cup(there, visibility="public", seats=[4, 3], points={"by": "rank", "points": [3, 2, 1, 0]})
    uneven.enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus").pair()
    assert "Tables of 4, 3 players were played at." in said(page(there, f"/tournaments/{uneven.tournament}"))
    assert "players were played at" not in page(there, f"/tournaments/{spring.tournament}")
    points = {"by": "rank", "points": [11, 7, 4, 2], "by_size": [[10, 6, 2]]}
    alike = cup(there, visibility="public", seats=[4, 3], points=points)
    alike.enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus").pair()
    html = said(page(there, f"/tournaments/{alike.tournament}"))
    assert "each size has points of its own" in html
    assert "at a table of 3: 10, 6, 2" in html


def test_a_round_says_who_was_not_there(there: House) -> None:
    found = cup(there, visibility="public", seats=[4]).enter("Ann", "<b>Ben", "Cho", "Dan")
    found.pair()
    read(found.ask("/rounds/1/tables/1/no-show", {"entrant": "e2", "outcome": "removed"}))
    read(found.ask("/rounds/1/tables/1/no-show", {"entrant": "e3", "outcome": "forfeited", "stand_in": "Zoe"}))
    html = page(there, f"/tournaments/{found.tournament}/rounds/1")
    assert "&lt;b&gt;Ben</bdi>: was not there" in html
    assert "Cho</bdi>: has forfeited; a stand-in plays on" in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_has_a_sentence(there: House, language: Language) -> None:
    made = cup(there, visibility="public", tie_breaks=list(get_args(TieBreak))).enter("Ann", "Ben", "Cho")
    made.pair()
    html = page(there, f"/tournaments/{made.tournament}?lang={language}")
    for name in ("points", *get_args(TieBreak)):
        assert WORDS["tournament"][f"about_{name}"][language] in unescape(html)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_asks_for_no_word_that_is_not_there(script: str) -> None:
    asked = set(re.findall(r'\bsay\("([\w-]+)"', WEB.joinpath("static", f"{script}.mjs").read_text("utf-8")))
    known = {key for table in ("common", "tournament", "desk") for key in WORDS[table]}
    assert len(asked) > 3
    assert asked - known == set()


def test_words_whose_keys_are_put_together_are_there() -> None:
    desk, tournament = WORDS["desk"], WORDS["tournament"]
    assert {f"tab_{name}" for name in ("matches", "rounds", "entrants", "standings")} <= desk.keys()
    assert {f"filter_{name}" for name in ("all", "flagged", "running", "over")} <= desk.keys()
    assert {f"flag_{name}" for name in ("expired", "referee", "held", "paused", "voided")} <= desk.keys()
    ways = ("replaced", "removed", "forfeited")
    assert {f"{part}_{way}" for part in ("way", "about", "do", "sure", "was") for way in ways} <= desk.keys()
    assert {"is_removed", "is_forfeited", "was_reinstated"} <= desk.keys()
    assert {f"no_show-{outcome}" for outcome in ("removed", "forfeited")} <= tournament.keys()
    assert {f"role_{name}" for name in ("director", "referee", "guest")} <= desk.keys()
    assert {f"status-{status}" for status in STATUSES} <= tournament.keys()
    assert {f"pairing-{pairing}" for pairing in PAIRINGS} <= tournament.keys()
    assert {f"expiry-{then}" for then in ("referee", "forfeit", "default", "pass")} <= tournament.keys()
    assert {f"by-{by}" for by in ("forfeit", "ruling", "clock")} <= tournament.keys()
