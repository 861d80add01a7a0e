"""Bots: what they are asked, what becomes of those that fail, and whole matches against a server."""

import asyncio
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, ClassVar

import pytest

import gyoji_bot
from client.players import QUICK, played
from client.proxy import CuttingProxy
from gyoji import __version__
from gyoji.games.catalogue import BY_SLUG
from gyoji.published_files import CHECKOUT
from gyoji_bot import Bot, Document, Turn, seat_player, shared_feed
from gyoji_bot.bot import load_bot
from gyoji_bot.comparison import HEADINGS
from gyoji_bot.seat_player import Played, SeatPlayer
from gyoji_bot.seats import play_seats
from gyoji_bot.thinker import Decision, Thinker
from gyoji_bot.words import SENTENCES, Said, SaidError
from gyoji_client import Gyoji
from operators import OPERATOR_KEY
from servers import Server

PACKAGE = CHECKOUT / "clients" / "bot"
README = (PACKAGE / "README.md").read_text("utf-8")
(LOWEST,) = re.findall(r"^```python bot\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


class Last(Bot):
    """Makes the last move, and remembers its turns."""

    games = ("catte", "towai")
    made: ClassVar[list["Last"]] = []

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.made.append(self)

    def choose(self, turn: Turn) -> Document:
        """The last one."""
        self.turns.append(turn)
        return turn.legal_moves[-1]


def play(bot: type[Bot], addresses: Sequence[str], **settings: Any) -> tuple[list[Played], list[Said]]:
    """Play seats in one process; what becomes of them, and what is said."""
    said: list[Said] = []

    async def together() -> list[Played]:
        return await asyncio.gather(
            *[SeatPlayer(bot(), address, said.append, **settings).play() for address in addresses]
        )

    return asyncio.run(together()), said


def test_many_seats_are_played_in_one_process(gyoji: Gyoji) -> None:
    matches = [gyoji.matches.create(game, seats=3) for game in ("catte", "towai", "catte")]
    made = len(Last.made)
    results, said = play(Last, [seat.address for match in matches for seat in match.seats])
    assert said == []
    assert len(Last.made) - made == 9
    for number, match in enumerate(matches):
        stands = match.read()
        ours = results[3 * number : 3 * number + 3]
        assert stands["status"] == "finished"
        assert [each.result for each in ours] == [stands["result"]] * 3
        assert [(each.match, each.seat) for each in ours] == [(match.id, seat) for seat in range(3)]
        assert Counter(event["actor"]["seat"] for event in played(gyoji, match.id)) == {
            each.seat: each.moves for each in ours
        }
        assert match.audit()["verdict"] == "verified"
    for bot in Last.made[made:]:
        assert len({turn.match for turn in bot.turns}) == 1
        for turn in bot.turns:
            assert {move["seat"] for move in turn.legal_moves} == {turn.seat}
            assert turn.view["game"] == turn.game
            assert turn.view["seed"] is None


def test_behind_a_proxy_that_cuts_every_move_is_made_once(
    gyoji: Gyoji, service: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the client has given up asking, and the bot begins anew."""
    monkeypatch.setattr(seat_player, "PAUSE", 0.01)
    impatient = type(QUICK)(most=1, first=0.01, longest=0.02)
    with closing(CuttingProxy(service.port, seed=20)) as proxy:
        with Gyoji(proxy.url, OPERATOR_KEY, retries=QUICK) as behind:
            matches = [behind.matches.create("catte", seats=3) for _match in range(2)]
        results, said = play(Last, [seat.address for match in matches for seat in match.seats], retries=impatient)
        assert proxy.cut > 10
    assert {each.name for each in said} == {"away"}
    assert all("token" not in each.write("en") for each in said)
    for number, match in enumerate(matches):
        assert gyoji.matches.get(match.id).read()["status"] == "finished"
        made = Counter(event["actor"]["seat"] for event in played(gyoji, match.id))
        # whose answer was lost for good was made, and is not among those that were answered
        assert all(made[seat] >= results[3 * number + seat].moves for seat in range(3))
        events = [event["seq"] for event in played(gyoji, match.id)]
        assert len(events) == len(set(events))


def turn_of(moves: int = 3) -> Turn:
    """A turn with so many moves."""
    return Turn("catte", 0, {}, [{"card": f"B{number}"} for number in range(1, moves + 1)], "m", 7, Random(1))


def bot_that(choose: Callable[[Turn], Any], think: float = 5.0) -> Bot:
    """A bot that chooses like this."""

    class Made(Bot):
        def choose(self, turn: Turn) -> Document:
            move: Document = choose(turn)
            return move

    made = Made()
    made.think = think
    return made


def decide(*bots: Bot) -> list[Decision]:
    """What comes of asking each bot once."""

    async def ask() -> list[Decision]:
        return [await Thinker(bot).decide(turn_of()) for bot in bots]

    return asyncio.run(ask())


def fail(_turn: Turn) -> Document:
    """A mistake in a bot."""
    raise LookupError("no such card")


def test_where_a_bot_makes_no_move_the_first_legal_one_is_made_and_it_is_said_why() -> None:
    own, late, failed, exhausted, left, illegal, nothing = decide(
        bot_that(lambda turn: turn.legal_moves[2]),
        bot_that(lambda _turn: time.sleep(0.5), think=0.05),
        bot_that(fail),
        bot_that(lambda _turn: next(iter(()))),
        bot_that(lambda _turn: sys.exit("enough")),
        bot_that(lambda _turn: {"card": "K15"}),
        bot_that(lambda _turn: None),
    )
    assert own == Decision({"card": "B3"})
    instead = (late, failed, exhausted, left, illegal, nothing)
    assert {each.move["card"] for each in instead} == {"B1"}
    assert [each.instead and each.instead.write("en") for each in instead] == [
        "the bot gave no move within 0.05 seconds",
        "the bot failed: LookupError: no such card",
        "the bot failed: StopIteration: ",
        "the bot failed: SystemExit: enough",
        "the bot chose {'card': 'K15'}, which is no legal move",
        "the bot chose None, which is no legal move",
    ]


def test_a_bot_never_thinks_twice_at_once() -> None:
    """One that hangs is asked once; when it is done it is asked again."""
    asked, go_on = [], Event()

    def hang(turn: Turn) -> Document:
        asked.append(turn)
        go_on.wait(10)
        return turn.legal_moves[1]

    async def ask() -> list[Decision]:
        thinker = Thinker(bot_that(hang, think=0.05))
        decisions = [await thinker.decide(turn_of()) for _turn in range(3)]
        assert len(asked) == 1
        thinker.bot.think = 5.0
        go_on.set()
        return [*decisions, await thinker.decide(turn_of())]

    names = [each.instead.name if each.instead else None for each in asyncio.run(ask())]
    assert names == ["too late", "still thinking", "still thinking", None]
    assert len(asked) == 2


class Asleep(Bot):
    """Is always late."""

    think = 0.01

    def choose(self, turn: Turn) -> Document:
        """Too late."""
        time.sleep(0.1)
        return turn.legal_moves[-1]


def test_a_match_ends_though_a_bot_is_always_late(gyoji: Gyoji) -> None:
    match = gyoji.matches.create("towai", seats=2, options={"finishes_to_win": 1})
    results, said = play(Asleep, [seat.address for seat in match.seats])
    assert match.read()["status"] == "finished"
    assert [each.fallbacks for each in results] == [each.moves for each in results]
    assert len(said) == sum(each.moves for each in results)
    for language in ("en", "ja"):
        assert match.id in said[0].write(language)


def test_a_seat_that_cannot_be_played_is_given_up(gyoji: Gyoji) -> None:
    match = gyoji.matches.create("familiars-trouble", seats=3)
    address = match.seats[0].address
    results, said = play(Last, [address, address[:-4] + "0000"])
    assert [each.name for each in said] == ["left", "left"]
    assert "Last does not play familiars-trouble" in said[0].write("en") + said[1].write("en")
    assert all(each.failure is not None and each.moves == 0 for each in results)
    match.void()
    results, _said = play(Last, [address])
    assert (results[0].result, results[0].failure) == (None, None)


def made_once(gyoji: Gyoji, results: Sequence[Played]) -> None:
    """The matches are over and verified, with the moves that these seats were told they had made, and no more."""
    made = {(each.match, each.seat): each.moves for each in results}
    for match in {each.match for each in results}:
        assert gyoji.matches.get(match).read()["status"] == "finished"
        assert gyoji.matches.get(match).audit()["verdict"] == "verified"
        found = Counter(event["actor"]["seat"] for event in played(gyoji, match))
        assert found == {seat: moves for (of, seat), moves in made.items() if of == match}


def play_by_key(addresses: Sequence[str], key: str = OPERATOR_KEY) -> tuple[list[Played], list[Said]]:
    """Play seats by the one stream of a key; what becomes of them, and what is said."""
    said: list[Said] = []
    return asyncio.run(play_seats(Last, addresses, said.append, key)), said


def test_all_seats_share_the_one_stream_of_a_key(
    gyoji: Gyoji, service: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a bad line, where it breaks now and then and begins anew."""
    monkeypatch.setattr(shared_feed, "PAUSE", 0.01)
    with closing(CuttingProxy(service.port, seed=22)) as proxy:
        matches = [gyoji.matches.create(game, seats=3) for game in ("catte", "towai", "catte")]
        addresses = [seat.address for match in matches for seat in match.seats]
        results, said = play_by_key([address.replace(gyoji.service.url, proxy.url) for address in addresses])
        assert set(proxy.streams) == {"/v1/stream"}
        assert proxy.cut > 10
    assert {each.name for each in said} <= {"away"}
    made_once(gyoji, results)


def test_a_seat_of_which_the_keys_stream_does_not_tell_goes_on_by_its_own(
    gyoji: Gyoji, service: Server, other_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match is another operator's."""
    monkeypatch.setattr(shared_feed, "SILENCE", 0.2)
    match = gyoji.matches.create("towai", seats=2, options={"finishes_to_win": 1})
    with closing(CuttingProxy(service.port, seed=23)) as proxy:
        results, _said = play_by_key(
            [seat.address.replace(gyoji.service.url, proxy.url) for seat in match.seats], other_key
        )
        assert {path.partition("/matches")[1] for path in proxy.streams} == {"", "/matches"}
    made_once(gyoji, results)


def test_a_key_that_opens_no_stream_is_told_at_once(gyoji: Gyoji) -> None:
    match = gyoji.matches.create("catte", seats=3)
    done = run("run", "random", "--seat", match.seats[0].address, key=OPERATOR_KEY[::-1])
    assert done.returncode == 2
    assert done.stderr.startswith(f"{gyoji.service.url}: the key does not open the stream of its matches: ")
    assert match.read()["seq"] == 1


class Wrong(Bot):
    """Chooses a card it does not have, the move of another seat, what is no move, what cannot be sent."""

    games = ("catte",)

    def choose(self, turn: Turn) -> Document:
        """Nothing that is legal."""
        (held, *_more) = turn.legal_moves
        not_held = next(card for card in ("W1", "B1", "K1") if all(card != each["card"] for each in turn.legal_moves))
        wrong = ({**held, "card": not_held}, {**held, "seat": (turn.seat + 1) % 3}, {"card": 9}, {"card": "\ud800"})
        return wrong[turn.view["ply"] % 4]


def test_the_rule_is_said_that_a_bots_choice_breaks_and_the_match_goes_on(gyoji: Gyoji) -> None:
    match = gyoji.matches.create("catte", seats=3)
    results, said = play(Wrong, [seat.address for seat in match.seats])
    assert [each.failure for each in results] == [None] * 3
    assert {each.name for each in said} == {"instead"}
    sentences = [each.write("en") for each in said]
    assert len([each for each in sentences if "which is no legal move (" in each]) > 3
    assert len([each for each in sentences if "which the service does not take as a move: " in each]) > 3
    made_once(gyoji, results)


def run(*arguments: str, cwd: Path | None = None, key: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    environment |= {} if key is None else {"GYOJI_KEY": key}
    command = [sys.executable, "-m", "gyoji_bot", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def lowest(tmp_path: Path) -> Path:
    """The bot of the README, in a file."""
    file = tmp_path / "lowest.py"
    file.write_text(LOWEST, "utf-8")
    return file


def test_the_command_plays_the_seats_of_a_file(gyoji: Gyoji, lowest: Path) -> None:
    match = gyoji.matches.create("catte", seats=3)
    (lowest.parent / "seats.txt").write_text("\n".join(seat.address for seat in match.seats), "utf-8")
    done = run("run", "lowest.py", "--seat", "@seats.txt", cwd=lowest.parent)
    assert (done.returncode, done.stderr) == (0, "")
    result = match.read()["result"]
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    for seat, line in enumerate(lines):
        assert line.startswith(f"match {match.id}, seat {seat}: over, scores {result['scores']}, winners")
        assert line.endswith(", 0 of them not the bot's own")


def test_a_player_that_comes_with_gyoji_can_be_run(gyoji: Gyoji) -> None:
    match = gyoji.matches.create("towai", seats=2, options={"finishes_to_win": 1})
    done = run("run", "greedy", "--seat", *[seat.address for seat in match.seats])
    assert (done.returncode, done.stderr) == (0, "")
    assert match.read()["status"] == "finished"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("run", "nobody.py", "--seat", "x"), "nobody.py: there is no such Python file"),
        (("run", "nobody", "--seat", "x"), "nobody: neither a Python file nor a player"),
        (("run", "random", "--seat", "http://127.0.0.1/"), "that is no address of a seat"),
        (("spar", "random"), "which game? --game with one of: "),
        (("spar", "random", "--game", "catte", "--seats", "7"), "catte cannot be set up like this; see /seats"),
        (("--language", "ja", "spar", "random", "--game", "chess"), "どのゲームですか"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], says: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(says)


def test_sparring_is_audited_and_the_same_for_the_same_seed(lowest: Path) -> None:
    command = ("spar", "lowest.py", "--against", "random,lowest.py", "--games", "2", "--seed", "3")
    one, again = [run(*command, cwd=lowest.parent) for _time in range(2)]
    assert (one.returncode, one.stderr) == (0, "4 matches, each audited: verified\n")
    assert one.stdout == again.stdout
    rows = [line.split(" | ") for line in one.stdout.splitlines()[2:]]
    assert [row[:5] for row in rows] == [
        ["| catte", "3", "Lowest", "random", "2"],
        ["| catte", "3", "Lowest", "lowest.py", "2"],
    ]
    other = run(*command[:-1], "4", cwd=lowest.parent)
    assert other.stdout != one.stdout


def test_a_cooperative_game_is_compared_with_the_team_without_the_bot() -> None:
    done = run("spar", "greedy", "--game", "familiars-trouble", "--against", "random", "--games", "1")
    assert (done.returncode, done.stderr) == (0, "2 matches, each audited: verified\n")
    assert "| 50% |" in done.stdout


def test_moves_that_are_not_the_bots_own_are_counted(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(
        "from gyoji_bot import Bot\n\nclass Wrong(Bot):\n    games = ['towai']\n\n"
        "    def choose(self, turn):\n        return {}\n\nclass Other(Wrong):\n    pass\n",
        "utf-8",
    )
    options = '{"finishes_to_win": 1}'
    done = run("spar", "wrong.py:Wrong", "--against", "random", "--games", "1", "--options", options, cwd=tmp_path)
    assert done.returncode == 0
    said = done.stderr.splitlines()
    assert "the bot chose {}, which the service does not take as a move: " in said[0]
    assert "; the first legal move was made instead: " in said[0]
    counted = re.fullmatch(r"(\d+) moves against random were not the bot's own", said[-2])
    assert counted is not None
    assert int(counted[1]) == len(said) - 2
    with pytest.raises(SaidError, match="found: Wrong, Other"):
        load_bot(str(tmp_path / "wrong.py"))


def test_the_readme_shows_each_player_ahead_of_the_one_before_in_every_game() -> None:
    """Not by chance (p < 0.01). What it shows is what ``gyoji-bot ladder`` printed; that takes long."""
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in README.splitlines() if line.startswith("| ")]
    steps = {(row[0], row[2], row[3]): row for row in table[table.index([*HEADINGS]) + 1 :]}
    assert steps.keys() == {(slug, *step) for slug in BY_SLUG for step in (("greedy", "random"), ("search", "greedy"))}
    for row in steps.values():
        share, even = (int(row[at].split("%")[0]) for at in (5, 6))
        assert share > even
        assert float(row[8]) < 0.01


def test_a_bot_without_a_choice_says_what_it_lacks() -> None:
    with pytest.raises(NotImplementedError, match=r"Bot has no choose\(self, turn\)"):
        Bot().choose(turn_of())


def test_everything_is_said_in_both_languages() -> None:
    names = {name: set(re.findall(r"(?<!\{)\{(\w+)", words["en"])) for name, words in SENTENCES.items()}
    for name, facts in names.items():
        assert set(re.findall(r"(?<!\{)\{(\w+)", SENTENCES[name]["ja"])) == facts
        assert re.search("[぀-ヿ一-鿿]", SENTENCES[name]["ja"])


def test_its_version_and_those_that_it_asks_for_are_that_of_the_contract() -> None:
    assert gyoji_bot.__version__ == __version__
    asked = re.findall(r'"gyoji[a-z-]*==(.+?)"', (PACKAGE / "pyproject.toml").read_text("utf-8"))
    assert asked == [__version__] * 2
