"""Simulates a tournament: sets it up, pairs, plays and closes it as a director does, and then checks it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from threading import Lock
from time import monotonic, sleep
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.simulation.attendance import attendance_faults
from gyoji.simulation.checks import MatchFiles, check_matches, check_standings
from gyoji.simulation.client import RetryingClient, UnexpectedAnswer
from gyoji.simulation.server import LocalServer
from gyoji.simulation.table import AT_A_TABLE, SimulatedTable, TableContext, TablePlace
from gyoji.trust.trusted_keys import read_trusted_keys

FAULTS = (*AT_A_TABLE, "removed", "forfeited", "killed", "withdrawal", "late", "correction", "absent")
"""The faults at tables, and: an entrant is not there and is removed from its match, or forfeits while a stand-in plays
on; the server is killed in mid-round; an entrant withdraws, another comes late and joins by the link, points are
corrected, some have not checked in for some rounds."""
MANY = 8
"""Entrants, of whom one may be absent."""
AT_ONCE = 4
"""Tables that are played at the same time."""


class _Killer:
    """Kills the server and starts it again when so many moves have been made."""

    def __init__(self, server: LocalServer) -> None:
        self._server, self._lock, self._moves = server, Lock(), count()
        self.at: int | None = None
        self.away = 0.0

    def count_move(self) -> None:
        """Count one more move."""
        with self._lock:
            if next(self._moves) == self.at:
                began = monotonic()
                self._server.kill()
                self._server.start()
                self.away = monotonic() - began

    def load(self, moves: int | None) -> None:
        """Count anew, up to so many moves; ``None``: nothing is killed."""
        self._moves, self.at = count(1), moves


class SimulatedTournament:
    """A tournament that is played at random."""

    def __init__(
        self,
        server: LocalServer,
        rules: Mapping[str, Any],
        seed: str,
        faults: Sequence[str],
        referee_of: Callable[[str], str],
        say: Callable[[str], None],
    ) -> None:
        """``referee_of`` makes the key of a referee of a tournament; ``say`` is called with each line of the
        account."""
        self._referee_of, self._say = referee_of, say
        self._server, self._rules, self._seed, self._faults = server, rules, seed, faults
        self._client, self._killer = RetryingClient(server.port), _Killer(server)
        self._sent = count()
        self._path, self._checks_in = "", False
        self._context: TableContext
        self._turn = count()
        self._tables: list[SimulatedTable] = []

    def run(self, players: int) -> list[str]:
        """Play the tournament, give an account of it, and return what is wrong."""
        with closing(self._client):
            return self._run(players)

    def _run(self, players: int) -> list[str]:
        self._set_up(players)
        for number in range(1, self._rules["rounds"] + 1):
            self._between(number)
            self._round(number)
        if "correction" in self._faults:
            body = {"entrant": "e1", "points": "-1/2", "reason": "Late for every round."}
            self._post("corrections", body, wanted=201)
        self._post("close", {})
        return self._check()

    def _post(self, part: str, body: Any, *, wanted: int = 200) -> Any:
        once = f"director:{next(self._sent)}"
        return self._client.post(f"{self._path}/{part}", self._server.key, body, once, wanted=wanted).document

    def _set_up(self, players: int) -> None:
        name, self._path = f"Simulated {self._seed[:8]}", "/v1"
        self._checks_in = "absent" in self._faults and players >= MANY
        rules = {**self._rules, **({"check_in": True} if self._checks_in else {})}
        made = self._post("tournaments", {"name": name, **rules}, wanted=201)
        self._path = f"/v1/tournaments/{made['tournament']}"
        self._enter(range(1, players + 1))
        self._check_in(range(2, players + 1))
        self._context = TableContext(self._client, self._referee_of(made["tournament"]), self._killer.count_move)
        clock, points = made["clock"], made["points"]["by"]
        self._say(
            f"{players} entrants, {made['rounds']} rounds of {made['game']} at tables of {made['seats']}, points by"
            f" {points}, {clock['move']} s a move, then: {clock['on_expiry']}; seed {self._seed}"
        )

    def _enter(self, numbers: Sequence[int]) -> None:
        self._post("entrants", {"entrants": [self._entrant(number) for number in numbers]}, wanted=201)

    def _entrant(self, number: int) -> dict[str, Any]:
        if not BY_SLUG[self._rules["game"]].cooperative:
            return {"name": f"Entrant {number}"}
        members = [f"{number}-{seat}" for seat in range(self._rules["seats"][0])]
        return {"name": f"Entrant {number}", "members": members}

    def _check_in(self, numbers: Sequence[int]) -> None:
        """Let entrants say by themselves that they are here."""
        if not self._checks_in:
            return
        listed = self._client.get(f"{self._path}/entrants", self._server.key).document["entrants"]
        for number in numbers:
            body = {"token": listed[number - 1]["token"], "present": True}
            self._client.ask("POST", f"{self._path}/check-ins", None, body)

    def _join(self, number: int) -> None:
        """Let somebody join by the link, which nobody can use before or after."""
        token = self._post("registration", {"open": True})["token"]
        body = {"token": token, **self._entrant(number)}
        once = f"entrant {number} of {self._seed} joins late".replace(" ", "-")
        joined = self._client.post_anonymously(f"{self._path}/registrations", body, once)
        self._post("registration", {"open": False})
        self._say(f"  {joined['entrant']} comes late")
        self._check_in([number])

    def _between(self, number: int) -> None:
        """Let somebody leave between two rounds, and somebody else come."""
        if number == 2 and "withdrawal" in self._faults:
            self._post("entrants/e2/withdrawal", {})
            self._say("  e2 withdraws")
        if number == 2 and "late" in self._faults:
            entered = len(self._client.get(self._path, self._server.key).document["entrants"])
            self._join(entered + 1)
        if self._checks_in and number in (2, 3):
            self._check_in([1 if number == 2 else 3])
            if number == 2:
                self._post("entrants/e3/presence", {"present": False})
            self._say("  e1 is here, and e3 has to leave" if number == 2 else "  e3 is back")

    # a round

    def _round(self, number: int) -> None:
        paired = self._miss_somebody(self._post("rounds", {}, wanted=201))
        tables = [
            SimulatedTable(self._context, place, self._seed, self._choose_faults(paired)) for place in _places(paired)
        ]
        middle = (self._rules["rounds"] + 1) // 2
        is_killed = "killed" in self._faults and number == middle
        self._killer.load(len(tables) * 4 if is_killed else None)
        self._play(tables)
        again = self._rematch(number, [table for table in tables if table.is_void])
        self._play(again)
        self._tables += [*tables, *again]
        self._say(_round_text(paired, [*tables, *again]))
        if is_killed:
            self._say(
                f"  the server was killed after {self._killer.at} moves, and was back in {self._killer.away:.1f} s"
            )
        self._post(f"rounds/{number}/close", {})
        self._check_closed(tables[0].place if not tables[0].is_void else again[0].place)

    def _miss_somebody(self, paired: Any) -> Any:
        """Miss the last entrant of the first table, which plays with a seat less, and that of the last table, where a
        stand-in plays on. Return the round as it is played."""
        game = BY_SLUG[self._rules["game"]]
        for outcome, place, more in (("removed", 0, {}), ("forfeited", -1, {"stand_in": "Stand-in"})):
            table = paired["tables"][place]
            left = len(table["seats"]) - (outcome == "removed")
            same = outcome == "removed" and self._rules.get("duplicate", False)
            if outcome in self._faults and not game.cooperative and not same and left >= game.min_seats:
                path = f"rounds/{paired['round']}/tables/{table['table']}/no-show"
                gone = table["seats"][-1]["entrant"]
                paired = self._post(path, {"entrant": gone, "outcome": outcome, **more})
                self._say(f"  {gone} is not there: {outcome}")
        return paired

    def _choose_faults(self, paired: Mapping[str, Any]) -> list[str]:
        """Choose what goes wrong at the next table: tables take turns with all there is; of a few each has more."""
        kinds = [fault for fault in AT_A_TABLE if fault in self._faults]
        if not kinds:
            return []
        many = 1 if len(paired["tables"]) >= len(kinds) else 2
        return [kinds[next(self._turn) % len(kinds)] for _ in range(many)]

    def _play(self, tables: Sequence[SimulatedTable]) -> None:
        """Play all tables to their end, several at once, coming back to those that wait for a deadline."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            while tables:
                over = [*pool.map(SimulatedTable.play, tables)]
                tables = [table for table, is_over in zip(tables, over, strict=True) if not is_over]
                sleep(max([table.wait() for table in tables], default=0))

    def _rematch(self, number: int, void: Sequence[SimulatedTable]) -> list[SimulatedTable]:
        """Begin another match for every one that was void."""
        found = []
        for table in void:
            made = self._post(f"rounds/{number}/tables/{table.place.table}/match", {}, wanted=201)
            place = next(place for place in _places(made) if place.table == table.place.table)
            found.append(SimulatedTable(self._context, place, f"{self._seed} again", ()))
        return found

    def _check_closed(self, place: TablePlace) -> None:
        """Check that nobody can rule in a round that is closed, and that the refusal says why."""
        body = {"ruling": {"kind": "points", "seat": 0, "points": 1}, "reason": "Too late."}
        path = f"/v1/matches/{place.match}"
        seq = self._client.get(path, self._server.key).document["seq"]
        refused = self._client.post_refused(f"{path}/rulings", self._context.referee, body, "ruling-refused", seq)
        if refused["reason"] != "round-closed":
            raise UnexpectedAnswer(f"a ruling in a closed round was refused with {refused['reason']}")

    # the end

    def _check(self) -> list[str]:
        standings = self._client.get(f"{self._path}/standings", self._server.key).document
        for row in standings["rows"][:10]:
            broken = ", ".join(f"{each['figure']} {each['value']}" for each in row["tie_breaks"])
            self._say(f"{row['place']:>4}  {row['entrant']:>5}  {row['points']:>6}  {broken}")
        if len(standings["rows"]) > 10:
            self._say(f"      … and {len(standings['rows']) - 10} more")
        files = [*self._files()]
        trusted = read_trusted_keys(self._client.get("/v1/keys", self._server.key).document)
        checked = check_matches(files, trusted)
        log = self._lines(f"{self._path}/log")
        games = self._client.get("/v1/games", self._server.key).document["games"]
        cooperative = [game["game"] for game in games if game["cooperative"]]
        recounted = check_standings(standings, log, {kept.match: kept.played for kept in files}, cooperative)
        self._say(
            f"{len(files)} matches: {checked.counts['verified']} verified, {checked.counts['verified_with_rulings']}"
            f" verified with {checked.counts['rulings']} rulings; both lines of each played again"
        )
        self._say(f"standings counted a second time from the files: {_recount_text(recounted, len(standings['rows']))}")
        return [*checked.wrong, *recounted, *attendance_faults(log)]

    def _files(self) -> Iterator[MatchFiles]:
        for table in self._tables:
            match = table.place.match
            path = f"/v1/matches/{match}/replay"
            yield MatchFiles(match, self._lines(path), self._lines(f"{path}?line=ruled"))

    def _lines(self, path: str) -> Sequence[bytes]:
        return self._client.get(path, self._server.key, {"Accept": "application/jsonl"}).body.splitlines(keepends=True)


def _recount_text(wrong: Sequence[str], rows: int) -> str:
    return f"{len(wrong)} differences" if wrong else f"the same, all {rows} rows"


def _places(paired: Mapping[str, Any]) -> list[TablePlace]:
    """Return the tables of a round as it was paired."""
    return [
        TablePlace(
            paired["round"],
            table["table"],
            table["match"],
            tuple([seat["entrant"] for seat in table["seats"]]),
            tuple([seat["token"] for seat in table["seats"]]),
        )
        for table in paired["tables"]
    ]


def _round_text(paired: Mapping[str, Any], tables: Sequence[SimulatedTable]) -> str:
    """Describe a round in a line or two."""
    moves = sum(table.moves for table in tables)
    happened: Counter[str] = sum([table.happened for table in tables], Counter())
    what = ", ".join(f"{kind} {number}" for kind, number in sorted(happened.items()))
    aside = [(part, paired.get(part, [])) for part in ("byes", "absent")]
    resting = "".join([f", {part} {' '.join(entrants)}" for part, entrants in aside if entrants])
    played = f"round {paired['round']}: {len(paired['tables'])} tables{resting}, {moves:,} moves"
    return f"{played}\n  {what or 'nothing happened'}"
