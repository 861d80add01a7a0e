"""``gyoji tournament``: a tournament set up, run and closed from the command line, over HTTP."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cli.served import run_service
from commands import run
from gyoji.cli.tournament_options import OPTIONS
from operators import OPERATOR, OPERATOR_KEY
from web.matches.tables import House

CUP = ("--name", "Cup", "--game", "catte", "--seats", "4,3", "--rounds", "2", "--points", "rank:3,2,1,0")


class Director:
    """The command line of whoever runs tournaments of one service."""

    def __init__(self, here: House, url: str) -> None:
        self.here = here
        self.url = url

    def __call__(self, command: str, *arguments: Any) -> Result:
        return run("tournament", command, "--url", self.url, *map(str, arguments))

    def done(self, command: str, *arguments: Any) -> Result:
        """What is printed, with nothing gone wrong."""
        ran = self(command, *arguments)
        assert (ran.exit_code, ran.stderr) == (0, "")
        return ran

    def told(self, command: str, *arguments: Any) -> Any:
        return json.loads(self.done(command, *arguments, "--json").stdout)

    def cup(self, *more: str, entrants: int = 8) -> str:
        """The id of a new tournament with so many entrants."""
        name = str(self.done("create", *CUP, *more).stdout.strip())
        self.done("enter", name, *[f"P{number}" for number in range(1, entrants + 1)])
        return name

    def decide(self, found: Any) -> None:
        """End every match of a round: the seats have 3, 2, 1 and 0 points, in their order."""
        for table in found["tables"]:
            path = f"/v1/matches/{table['match']}"
            seq = self.here.client.get(path, headers=OPERATOR).get_json()["seq"]
            scores = [*range(len(table["seats"]) - 1, -1, -1)]
            ruling = {"kind": "result", "winners": [0], "scores": scores}
            sent = {"ruling": ruling, "reason": "Played elsewhere."}
            answer = self.here.client.post(f"{path}/rulings", json=sent, headers={**OPERATOR, "If-Match": f'"{seq}"'})
            assert answer.status_code == 200, answer.text


@pytest.fixture(scope="module")
def director(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Director]:
    with run_service(tmp_path_factory.mktemp("served")) as (here, url):
        yield Director(here, url)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GYOJI_KEY", OPERATOR_KEY)


def test_a_tournament_from_the_command_line(director: Director, tmp_path: Path) -> None:
    """Two rounds of two tables; the seats' points make the standings, and everything is written out."""
    name = director.cup()
    for number in (1, 2):
        paired = director.told("pair", name)
        assert [len(table["seats"]) for table in paired["tables"]] == [4, 4]
        director.decide(paired)
        assert director.told("close-round", name, number)["closed"] is True
    assert director.told("correct", name, "e1", "5/2", "--reason", "Swept the floor.")["corrections"] == [
        {"entrant": "e1", "points": "5/2", "reason": "Swept the floor."}
    ]
    assert director.told("announce", name, "Dinner at seven.")["announcement"] == "Dinner at seven."
    assert "  announced: Dinner at seven." in director.done("show", name).stdout.splitlines()
    assert "announcement" not in director.told("announce", name, "--clear")
    assert director("announce", name).exit_code == 2
    assert director.told("close", name)["status"] == "closed"
    rows = director.told("standings", name)["rows"]
    assert sum(Fraction(row["points"]) for row in rows) == 4 * 6 + Fraction(5, 2)
    (swept,) = [line["amount"] for row in rows for line in row["lines"] if line["what"] == "correction"]
    assert swept == "5/2"
    lines = director.done("standings", name).stdout.splitlines()
    assert lines[0] == "Cup · closed · 2 of 2 rounds paired"
    assert [line.split()[1] for line in lines[2:]] == [row["entrant"] for row in rows]
    assert "Swept the floor." in director.done("standings", name, "--explain").stdout
    japanese = director.done("standings", name, "--lang", "ja").stdout.splitlines()
    assert japanese[0] == lines[0].partition(" · ")[0] + " · 終了 · 全 2 ラウンド中 2 ラウンド組み合わせ済み"
    assert japanese[1].split()[:4] == ["順位", "参加者", "名前", "点"]
    table = director.done("standings", name, "--csv").stdout.splitlines()
    assert (len(table), table[0].split(",")[0]) == (9, '\ufeff"place"')
    log, replays = tmp_path / "log.jsonl", tmp_path / "replays"
    director.done("export", name, "--out", log, "--replays", replays)
    types = [json.loads(line).get("type") for line in log.read_bytes().splitlines()]
    assert types[:2] == [None, "tournament_created"]
    assert types[-5:] == ["correction_made", "announcement_made", "announcement_made", "tournament_closed", None]
    assert len([*replays.glob("*.jsonl")]) == 4
    assert run("audit", replays).exit_code == 10  # no keys are given


def test_what_show_tells(director: Director) -> None:
    name = director.cup(entrants=4)
    shown = director.done("show", name).stdout.splitlines()
    assert shown[0] == f"Cup  {name}"
    assert shown[1] == "catte 1 · swiss · open · event 4"
    assert shown[3:] == [f"     e{number}  P{number}" for number in range(1, 5)]
    paired = director.done("pair", name, "--tokens").stdout
    assert paired.count("gyoji_seat_") == 4
    assert "gyoji_seat_" not in director.done("show", name, "--round", "1").stdout
    assert director.done("show", name, "--round", "1", "--tokens").stdout.count("gyoji_seat_") == 4


def test_pairing_by_hand_and_only_to_see(director: Director) -> None:
    name = director.cup(entrants=5)
    proposed = director.told("pair", name, "--table", "e3,e1,e4,e2", "--bye", "e5", "--dry-run")
    assert (proposed["tables"][0]["match"], proposed["byes"]) == (None, ["e5"])
    assert director.told("show", name)["paired"] == []
    made = director.told("pair", name, "--table", "e3,e1,e4,e2", "--bye", "e5")
    assert [seat["entrant"] for seat in made["tables"][0]["seats"]] == ["e3", "e1", "e4", "e2"]
    assert made["pairing"] == "hand"
    running = director("pair", name)
    assert (running.exit_code, "1-1" in running.stderr) == (1, True)
    blind = director("pair", name, "--early", "--pairing", "draw")
    assert (blind.exit_code, "--at" in blind.stderr, "--once" in blind.stderr) == (2, True, True)
    assert director.told("pair", name, "--early", "--dry-run", "--pairing", "draw")["round"] == 2
    early = director.told("pair", name, "--early", "--pairing", "draw", "--at", str(made["seq"]))
    assert (early["round"], early["pairing"]) == (2, "draw")
    again = director("pair", name, "--early", "--pairing", "draw", "--at", str(made["seq"]))
    assert again.exit_code == 1


def test_a_round_that_nobody_has_begun_is_taken_back(director: Director) -> None:
    name = director.cup(entrants=4)
    paired = director.told("pair", name)
    blind = director("take-back", name, "1")
    assert (blind.exit_code, "--at" in blind.stderr) == (2, True)
    assert director.told("take-back", name, "1", "--at", str(paired["seq"]))["paired"] == []
    assert "2 of 2 rounds to come" in director.done("show", name).stdout
    director.told("pair", name)
    assert director.told("take-back", name, "1", "--once", "k") == director.told("take-back", name, "1", "--once", "k")
    assert director("take-back", name, "1", "--once", "another").exit_code == 1


def test_the_clocks_of_a_held_round_are_started_and_paused(director: Director) -> None:
    name = director.cup(entrants=4)

    def statuses(found: Any) -> set[str]:
        return {table["status"] for table in found["tables"]}

    assert statuses(director.told("pair", name, "--held")) == {"paused"}
    assert statuses(director.told("start", name, "1")) == {"playing"}
    assert statuses(director.told("pause", name, "1")) == {"paused"}


def test_a_withdrawal_and_a_list_of_entrants(director: Director, tmp_path: Path) -> None:
    name = director.cup(entrants=1)
    listed = tmp_path / "entrants.txt"
    listed.write_text("Kuro\n\n  Shiro \n", "utf-8")
    assert [each["name"] for each in director.told("enter", name, "--file", listed)["entrants"]] == [
        "P1",
        "Kuro",
        "Shiro",
    ]
    taken = director.told("correct", name, "e1", "-1/2", "--reason", "Late.")["corrections"]
    assert [each["points"] for each in taken] == ["-1/2"]
    gone = director.told("withdraw", name, "e2")["entrants"]
    assert [each["withdrawn"] for each in gone] == [None, 0, None]
    assert "Kuro  withdrawn" in director.done("show", name).stdout


def test_registration_is_opened_and_closed(director: Director) -> None:
    name = director.cup(entrants=1)
    opened = director.done("registration", name, "open").stdout.splitlines()
    assert opened[0].startswith("registration: open")
    link, _, token = opened[1].partition("#token=")
    assert link == f"{director.url}/tournaments/{name}/join"
    joined = director.here.client.post(f"/v1/tournaments/{name}/registrations", json={"token": token, "name": "Zoe"})
    assert joined.status_code == 201
    assert director.told("registration", name, "close") == {
        **director.told("registration", name, "close"),
        "open": False,
    }
    assert director.told("registration", name, "open", "--renew")["token"] != token


def test_who_is_here_is_paired(director: Director) -> None:
    name = director.cup("--check-in", entrants=5)
    for entrant in ("e1", "e2", "e4", "e5"):
        director.done("present", name, entrant)
    gone = director.told("absent", name, "e1")["entrants"]
    assert [each["present"] for each in gone] == [False, True, False, True, True]
    assert "P3  absent" in director.done("show", name).stdout
    assert director.done("pair", name).stdout.splitlines()[-1] == "absent: e1, e3"


def test_teams(director: Director) -> None:
    made = ("--name", "Teams", "--game", "familiars-trouble", "--seats", "3", "--rounds", "1")
    name = director.done("create", *made).stdout.strip()
    entered = director.told("enter", name, "Cats=Ann, Ben,Cho", "Dogs=Dan,Eva,Fay")
    assert [each["members"] for each in entered["entrants"]] == [["Ann", "Ben", "Cho"], ["Dan", "Eva", "Fay"]]


def test_a_match_that_was_void_is_played_anew(director: Director) -> None:
    name = director.cup(entrants=4)
    before = director.told("pair", name)["tables"][0]["match"]
    refused = director("rematch", name, "1", "1")
    assert (refused.exit_code, refused.stdout) == (1, "")
    path = f"/v1/matches/{before}"
    sent = {"ruling": {"kind": "void"}, "reason": "The cards were mixed up."}
    headers = {**OPERATOR, "If-Match": '"1"'}
    assert director.here.client.post(f"{path}/rulings", json=sent, headers=headers).status_code == 200
    assert director.told("rematch", name, "1", "1")["tables"][0]["match"] != before


def test_who_is_not_there_ends_nothing_for_the_others(director: Director) -> None:
    name = director.cup(entrants=4)
    director.done("pair", name)
    (table,) = director.told("no-show", name, "1", "1", "e2", "removed")["tables"]
    assert sorted(seat["entrant"] for seat in table["seats"]) == ["e1", "e3", "e4"]
    refused = director("no-show", name, "1", "1", "e3", "forfeited")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "say who plays on" in refused.stderr
    said = director.done("no-show", name, "1", "1", "e3", "forfeited", "--stand-in", "Zoe").stdout
    assert "removed: e2  P2" in said
    assert "forfeited: e3  P3" in said
    assert director("no-show", name, "1", "1", "e4", "forfeited", "--bot", "greedy").exit_code == 1
    assert "forfeited" not in director.done("no-show", name, "1", "1", "e3", "reinstated").stdout


def test_every_option_of_create(director: Director) -> None:
    name = director.done(
        "create",
        *("--name", "All", "--game", "catte", "--seats", "3", "--rounds", "3", "--pairing", "draw"),
        *("--points", "wins:3,1,0", "--bye", "2", "--tie-break", "score", "--tie-break", "lot", "--duplicate"),
        *("--clock", "move=30,bank=600,increment=5,on_expiry=default", "--option", 'bust_bonus="forfeit"'),
        *("--visibility", "public", "--disclosure", "auditors_only", "--check-in"),
    ).stdout.strip()
    found = director.told("show", name)
    assert found["points"] == {"by": "wins", "win": 3, "draw": 1, "loss": 0}
    assert found["clock"] == {"move": 30, "bank": 600, "increment": 5, "on_expiry": "default"}
    assert (found["tie_breaks"], found["bye"], found["duplicate"]) == (["score", "lot"], 2, True)
    assert (found["options"]["bust_bonus"], found["visibility"]) == ("forfeit", "public")
    assert (found["pairing"], found["disclosure"], found["seats"]) == ("draw", "auditors_only", [3])
    assert found["check_in"] is True
    ranked = director.done("create", *CUP, "--forfeit", "-1").stdout.strip()
    assert director.told("show", ranked)["points"] == {"by": "rank", "points": [3, 2, 1, 0], "forfeit": -1}
    uneven = director.done("create", *CUP, "--points-of", "10,6,2", "--points-of", "9,1").stdout.strip()
    assert director.told("show", uneven)["points"]["by_size"] == [[10, 6, 2], [9, 1]]
    assert len(OPTIONS) == 16


@pytest.mark.parametrize(
    "wrong",
    [
        ("--points", "rank:a"),
        ("--points", "wins:1"),
        ("--points", "glory"),
        ("--clock", "move=x"),
        ("--option", "bust_bonus"),
        ("--option", "bust_bonus=keep"),
        ("--game", "chess"),
        ("--seats", "many"),
    ],
)
def test_options_that_cannot_be_read(director: Director, wrong: tuple[str, str]) -> None:
    ran = director("create", *CUP, *wrong)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert wrong[0] in ran.stderr


def test_problems_are_told_with_their_reasons(director: Director, monkeypatch: pytest.MonkeyPatch) -> None:
    name = director.cup(entrants=1)
    few = director("pair", name)
    assert (few.exit_code, few.stdout) == (1, "")
    problem = director.here.client.post(f"/v1/tournaments/{name}/rounds", json={}, headers=OPERATOR).get_json()
    assert problem["because"] in few.stderr
    shape = director("correct", name, "e1", "many", "--reason", "x")
    assert (shape.exit_code, "/points" in shape.stderr) == (1, True)
    stale = director("enter", name, "P9", "--at", "0")
    assert (stale.exit_code, "P9" in director.done("show", name).stdout) == (1, False)
    assert director("show", "cup").exit_code == 2
    assert "参加者が足りません" in director("pair", name, "--lang", "ja").stderr
    monkeypatch.delenv("GYOJI_KEY")
    assert director("show", name).exit_code == 1


def test_a_key_that_is_sent_again_does_it_once(director: Director) -> None:
    name = director.cup(entrants=2)
    for _attempt in range(2):
        found = director.told("enter", name, "P3", "--once", "third")
    assert [each["name"] for each in found["entrants"]] == ["P1", "P2", "P3"]
    first = director.done("create", *CUP, "--once", "again").stdout
    assert director.done("create", *CUP, "--once", "again").stdout == first


def test_a_service_that_is_not_there() -> None:
    for url, status in (("http://127.0.0.1:9", 1), ("ftp://here", 2), ("nonsense", 2)):
        ran = run("tournament", "show", "--url", url, "0" * 8 + "-0000-0000-0000-" + "0" * 12)
        assert (ran.exit_code, ran.stdout) == (status, "")
