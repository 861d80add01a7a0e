"""The client for programs that wait for each answer. Made of ``asynchronous`` by ``make_synchronous.py``."""

import json
import time
from collections.abc import Generator, Callable, Mapping, Sequence
from contextlib import closing
from types import TracebackType
from typing import Any, Generic, Self
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx

from gyoji_client.answers import OVER, TIMEOUT, Document, Move, SeatToken, View, close_with, problem_of
from gyoji_client.errors import FeedReset, GyojiError, Problem, Unreachable
from gyoji_client.event_parser import END, EventParser, StreamEvent
from gyoji_client.receipts import check_receipt
from gyoji_client.retries import Retries, is_repeatable


class Service:
    """One service, as one caller: sends requests until they are answered."""

    def __init__(
        self,
        url: str,
        credential: str | None = None,
        *,
        language: str = "en",
        retries: Retries | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self._retries = retries or Retries()
        self._is_own = http is None
        self._http = http or close_with(self, httpx.Client(timeout=TIMEOUT))
        self._headers = {"Accept-Language": language}
        if credential is not None:
            self._headers["Authorization"] = f"Bearer {credential}"

    def close(self) -> None:
        """Close the connections, unless they are those of a client that was given: whoever has made it closes it."""
        if self._is_own:
            self._http.close()

    def ask(self, path: str, query: Mapping[str, Any] | None = None) -> Document:
        """Read a document; of the query what is ``None`` is left out."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        answer = self.answer("GET", path, params=given)
        document: Document = answer.json()
        return document

    def send(
        self, path: str, body: Mapping[str, Any] | None = None, *, once: bool = True, seq: int | None = None
    ) -> Document:
        """Send a document, and read what it is answered with.

        ``once``: under an ``Idempotency-Key`` of its own, so that it is carried out once however often it is sent.
        ``seq``: of the position that it is meant for (``If-Match``); ``StalePosition`` where there is another by now.
        """
        headers = {"Idempotency-Key": str(uuid4())} if once else {}
        if seq is not None:
            headers["If-Match"] = f'"{seq}"'
        answer = self.answer("POST", path, headers, **({} if body is None else {"json": body}))
        document: Document = answer.json()
        return document

    def answer(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, **request: Any
    ) -> httpx.Response:
        """Send a request until it is answered, and return the answer. ``Problem`` for a refusal, ``Unreachable`` where
        no answer comes."""
        attempt = 0
        while True:
            try:
                answer = self._http.request(
                    method, self.url + path, headers={**self._headers, **(headers or {})}, **request
                )
                failure: GyojiError | None = problem_of(answer)
                if failure is None:
                    return answer
            except httpx.TransportError as broken:
                failure = Unreachable(f"{method} {path}: {broken!r}")
            self._wait(attempt, failure)
            attempt += 1

    def stream(
        self, path: str, after: str | None = None, began: Callable[[], None] | None = None
    ) -> Generator[Document, None, None]:
        """Follow server-sent events whose data are documents, from behind the event with that id on, until the service
        says that nothing is left to come. A stream that breaks off is resumed. ``FeedReset``: it cannot be.

        ``began`` is called when the first id is there: whatever happens from then on comes.
        """
        attempt = 0
        while True:
            failure: GyojiError | None = None
            parser = EventParser()
            try:
                for event in self._connection(path, after, parser, began):
                    if event == END:
                        return
                    if event.type == "reset":
                        raise FeedReset("the service does not have the event that the feed was to go on from")
                    yield json.loads(event.data)
            except httpx.TransportError as broken:
                failure = Unreachable(f"GET {path}: {broken!r}")
            except Problem as refusal:
                failure = refusal
            if parser.last:
                after, attempt = parser.last, 0
            self._wait(attempt, failure)
            attempt += 1

    def _connection(
        self, path: str, after: str | None, parser: EventParser, began: Callable[[], None] | None
    ) -> Generator[StreamEvent, None, None]:
        """Follow server-sent events as long as one connection lasts."""
        headers = {**self._headers, "Accept": "text/event-stream"}
        if after is not None:
            headers["Last-Event-ID"] = after
        with self._http.stream("GET", self.url + path, headers=headers) as answer:
            if answer.status_code == 204:
                yield END
            elif answer.is_success:
                for received in answer.iter_bytes():
                    for event in parser.feed(received):
                        yield event
                    if began is not None and parser.last:
                        began()
            else:
                answer.read()
                raise problem_of(answer) or Unreachable(path)

    def _wait(self, attempt: int, failure: GyojiError | None) -> None:
        """Wait before the next attempt. Raises the failure of the last one where another would be in vain."""
        is_final = isinstance(failure, Problem) and not is_repeatable(failure)
        if failure is not None and (is_final or attempt == self._retries.most):
            raise failure
        time.sleep(self._retries.pause(attempt, getattr(failure, "retry_after", None)))


class Gyoji:
    """A service, with the key of an operator, a referee or an auditor, or without one."""

    def __init__(self, url: str, key: str | None = None, **settings: Any) -> None:
        """``settings`` are ``language`` (``en`` or ``ja``), ``retries`` and ``http``, an ``httpx.Client`` of the
        caller's own."""
        self.service = Service(url, key, **settings)
        self.games = Games(self.service)
        self.matches = Matches(self.service)
        self.tournaments = Tournaments(self.service)

    def keys(self) -> Document:
        """Read the public keys that the service signs receipts and logs with."""
        return self.service.ask("/v1/keys")

    def audit(self, replay: bytes) -> Document:
        """Audit a replay file; return the verdict."""
        answer = self.service.answer(
            "POST", "/v1/audits", content=replay, headers={"Content-Type": "application/jsonl"}
        )
        verdict: Document = answer.json()
        return verdict

    def store_replay(self, replay: bytes) -> Document:
        """Store a full replay file of a finished match; return the verdict. ``ReplayRefused`` where it fails."""
        answer = self.service.answer(
            "POST", "/v1/replays", content=replay, headers={"Content-Type": "application/jsonl"}
        )
        verdict: Document = answer.json()
        return verdict

    def close(self) -> None:
        """Close the connections."""
        self.service.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Games:
    """The games, their rules, and the stateless calls: a position goes in, one comes out, and nothing is kept."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def list(self) -> Sequence[Document]:
        """List the games that the service referees."""
        games: Sequence[Document] = (self._service.ask("/v1/games"))["games"]
        return games

    def describe(self, game: str) -> Document:
        """Read what there is to know of a game: options, phases, moves, cards and rulings."""
        return self._service.ask(f"/v1/games/{game}")

    def rules(self, game: str) -> Sequence[Document]:
        """Read the rulebook of a game, rule by rule."""
        rules: Sequence[Document] = (self._service.ask(f"/v1/games/{game}/rules"))["rules"]
        return rules

    def rule(self, game: str, rule: str) -> Document:
        """Read one rule, such as ``CAT-3.1``."""
        return self._service.ask(f"/v1/games/{game}/rules/{rule}")

    def start(self, game: str, seats: int, **settings: Any) -> Document:
        """Deal a first position. ``settings`` are ``options``, ``first``, ``seed`` and ``version``."""
        return self._call(game, "states", {"seats": seats, **settings})

    def adjudicate(self, game: str, state: Document, *moves: Document) -> Document:
        """Rule on a move, or on several in order; ``IllegalMove`` for the first that is refused."""
        played = {"move": moves[0]} if len(moves) == 1 else {"moves": list(moves)}
        return self._call(game, "adjudications", {"state": state, **played})

    def legal_moves(self, game: str, state: Document, seat: int | None = None) -> Document:
        """List the moves that a position allows, of all seats that may act or of one."""
        return self._call(game, "legal-moves", {"state": state, **({} if seat is None else {"seat": seat})})

    def scores(self, game: str, state: Document) -> Document:
        """Count the scores of a position, with the rule of every figure."""
        return self._call(game, "scores", {"state": state})

    def view(self, game: str, state: Document, seat: int | None) -> Document:
        """Show what a seat may know of a position; ``None``: a spectator."""
        return self._call(game, "views", {"state": state, "seat": seat})

    def _call(self, game: str, call: str, body: Document) -> Document:
        return self._service.send(f"/v1/games/{game}/{call}", body, once=False)


class Matches:
    """The stored matches of a caller."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def create(self, game: str, seats: int | Sequence[Document], **settings: Any) -> "Match":
        """Create a match for so many seats, or for ``{"name": …}`` or ``{"bot": …}`` each. ``settings`` are those of
        ``POST /v1/matches``: ``options``, ``clock``, ``visibility``, ``disclosure``, ``tags``…"""
        created = self._service.send(
            "/v1/matches", {"game": game, "seats": seats if isinstance(seats, int) else list(seats), **settings}
        )
        return Match(self._service, created["match"], created["seats"])

    def get(self, match: str) -> "Match":
        """Return a match by its id; nothing is asked for yet."""
        return Match(self._service, match)

    def list(self, **filters: str) -> Generator[Document, None, None]:
        """List the caller's matches, newest first. ``filters`` are ``game``, ``status``, ``tag`` and ``tournament``."""
        cursor: str | None = None
        while True:
            page = self._service.ask("/v1/matches", {**filters, "cursor": cursor})
            for match in page["matches"]:
                yield match
            cursor = page.get("next")
            if cursor is None:
                return

    def feed(self, began: Callable[[], None] | None = None) -> Generator[Document, None, None]:
        """Follow what happens from now on in all matches of the caller, new ones too: each event once, those of a match
        in order, without an end. ``to_act`` in each says who may move in its ``match``. ``began`` is called, perhaps
        more than once, as soon as the stream is there: whatever happens from then on comes."""
        last: dict[str, int] = {}
        with closing(self._service.stream("/v1/stream", None, began)) as events:
            for event in events:
                if event["seq"] > last.get(event["match"], -1):
                    last[event["match"]] = event["seq"]
                    yield event


class Match:
    """One stored match, as whoever created, referees or audits it."""

    def __init__(self, service: Service, match: str, seats: Sequence[Document] = ()) -> None:
        self.id = match
        self._service = service
        self._path = f"/v1/matches/{match}"
        self.seats = [
            SeatToken(
                seat["seat"], seat.get("name"), seat["token"], f"{service.url}/matches/{match}#token={seat['token']}"
            )
            for seat in seats
        ]
        """The seats with their tokens, of a match that was just created: a token is told once."""

    def read(self) -> Document:
        """Read how the match stands."""
        return self._service.ask(self._path)

    def position(self, seq: int, *, seat: int | None = None) -> Document:
        """Read the position after an event; with ``seat`` what that seat could know then."""
        return self._service.ask(f"{self._path}/positions/{seq}", {"as": seat})

    def feed(self, after: int | None = None) -> Generator[Document, None, None]:
        """Follow the events behind that number, until none are left to come."""
        return self._service.stream(f"{self._path}/stream", None if after is None else str(after))

    def play(self, move: Document, *, seq: int | None = None) -> Document:
        """Make a move for a seat, which takes the scope ``matches:play``."""
        return self._service.send(f"{self._path}/moves", {"move": move}, seq=seq)

    def rule(self, ruling: Document, *, seq: int, dry_run: bool = False) -> Document:
        """Rule in the match, as it stands after event ``seq``; ``dry_run``: only say what would come of it."""
        body = {**ruling, "dry_run": True} if dry_run else ruling
        return self._service.send(f"{self._path}/rulings", body, seq=seq)

    def claim(self) -> Document:
        """Claim that the time of a seat is up; ``ClaimRefused`` where it is not."""
        return self._service.send(f"{self._path}/claims")

    def void(self) -> Document:
        """Cancel the match."""
        return self._service.send(f"{self._path}/void", once=False)

    def fork(self, seq: int) -> "Match":
        """Begin a new match from the position after an event; of a match whose secret is told."""
        created = self._service.send(f"{self._path}/fork", {"seq": seq})
        return Match(self._service, created["match"], created["seats"])

    def replay(self) -> bytes:
        """Export the replay file: full where everything may be seen, else redacted."""
        return (self._service.answer("GET", f"{self._path}/replay")).content

    def audit(self) -> Document:
        """Audit what may be seen of the match; return the verdict."""
        return self._service.send("/v1/audits", {"match": self.id}, once=False)


class Turn(Generic[Move, View]):
    """One decision of a seat."""

    def __init__(self, seat: "Seat[Move, View]", match: Document) -> None:
        self._seat = seat
        self.match = match
        """The match as the seat may know it."""
        self.view: View = match["view"]
        """The position: of what is hidden only how many cards there are."""
        self.legal_moves: Sequence[Move] = match["legal_moves"]
        """The moves that may be made, each complete."""
        self.seq: int = match["seq"]
        """The number of the last event that the position comes from."""
        self.is_answered = False
        """Whether a move was sent, accepted or not."""

    def play(self, move: Move) -> Document:
        """Make a move, once, however often it has to be sent. ``IllegalMove`` where the referee refuses it,
        ``StalePosition`` where the match has moved on; then the next turn is another one."""
        self.is_answered = True
        return self._seat.play(move, seq=self.seq)

    def would_be_legal(self, move: Move) -> bool:
        """Ask whether a move would be accepted, without making it; ``IllegalMove`` says why not."""
        answer = self._seat.service.send(
            f"{self._seat.path}/moves", {"move": move, "dry_run": True}, once=False, seq=self.seq
        )
        return bool(answer["legal"])


class Seat(Generic[Move, View]):
    """One seat of a match, as its player. ``Seat[CatteMove, CatteView](address)`` has type checkers know of which
    game."""

    def __init__(self, address: str, *, keys: Sequence[Document] | None = None, **settings: Any) -> None:
        """``address`` is that of the match's page with the seat's token (``SeatToken.address``). ``keys`` are the
        public keys that receipts are checked with, from a source that is trusted; without them, those that the service
        itself names. ``settings`` as of ``Gyoji``."""
        page = urlsplit(address)
        root, found, self.match_id = page.path.rpartition("/matches/")
        token = parse_qs(page.fragment).get("token")
        if not found or token is None:
            raise ValueError("not the address of a seat: …/matches/{id}#token=…")
        self.service = Service(f"{page.scheme}://{page.netloc}{root}", token[0], **settings)
        self.path = f"/v1/matches/{self.match_id}"
        self.receipts: list[Document] = []
        """The receipts of the moves that were accepted, each checked: what the service cannot deny."""
        self.result: Document | None = None
        """How the match ended, once it has; ``None`` too where it was voided."""
        self._keys = keys
        self._asks_keys = keys is None

    def read(self) -> Document:
        """Read the match as the seat may know it."""
        return self.service.ask(self.path)

    def play(self, move: Move, *, seq: int | None = None) -> Document:
        """Make a move; ``seq`` is the number of the last event that it was decided on. ``BadReceipt`` where the service
        does not prove that it has accepted it."""
        played = self.service.send(f"{self.path}/moves", {"move": move}, seq=seq)
        self._keep(played["receipt"], played["seq"])
        return played

    def claim(self) -> Document:
        """Claim that the time of another seat is up."""
        return self.service.send(f"{self.path}/claims")

    def feed(self, after: int | None = None) -> Generator[Document, None, None]:
        """Follow the events behind that number as the seat may know them, until none are left to come."""
        return self.service.stream(f"{self.path}/stream", None if after is None else str(after))

    def turns(
        self, feed: Callable[[int | None], Generator[Document, None, None]] | None = None
    ) -> Generator[Turn[Move, View], None, None]:
        """Wait for the turns of the seat, one after the other, until the match is over; ``result`` says how it ended.

        A turn that was answered with a move that did not count comes again. One that was not answered comes again when
        something has happened. ``feed`` follows the match in the place of the seat's own stream: events behind that
        number, or ``FeedReset``.
        """
        follow = feed or self.feed
        match = self.read()
        while match["status"] not in OVER:
            try:
                with closing(follow(match["seq"])) as events:
                    while match["status"] not in OVER:
                        turn = Turn[Move, View](self, match)
                        if turn.legal_moves:
                            yield turn
                        if not turn.is_answered:
                            self._await_news(events, match)
                        match = self.read()
            except FeedReset:
                match = self.read()
        self.result = match["result"]

    def _await_news(self, events: Generator[Document, None, None], match: Document) -> None:
        """Wait until the seat may move after an event that is not known yet, or nobody may."""
        seat = match["viewer"]["seat"]
        for event in events:
            acting = [each["seat"] for each in event["to_act"]]
            if event["seq"] > match["seq"] and (seat in acting or not acting):
                return

    def _keep(self, receipt: Document, seq: int) -> None:
        if self._asks_keys and receipt["key"] not in [each["key"] for each in self._keys or ()]:
            self._keys = (self.service.ask("/v1/keys"))["keys"]  # none is known yet, or the service has a new one
        check_receipt(receipt, self._keys or (), self.match_id, seq)
        self.receipts.append(receipt)

    def close(self) -> None:
        """Close the connections."""
        self.service.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Tournaments:
    """Tournaments, as those who direct or watch them."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def create(self, name: str, game: str, **settings: Any) -> "Tournament":
        """Create a tournament. ``settings`` are those of ``POST /v1/tournaments``."""
        created = self._service.send("/v1/tournaments", {"name": name, "game": game, **settings})
        return Tournament(self._service, created["tournament"])

    def get(self, tournament: str) -> "Tournament":
        """Return a tournament by its id; nothing is asked for yet."""
        return Tournament(self._service, tournament)


class Tournament:
    """One tournament, as whoever directs or watches it."""

    def __init__(self, service: Service, tournament: str) -> None:
        self.id = tournament
        self._service = service
        self._path = f"/v1/tournaments/{tournament}"

    def read(self) -> Document:
        """Read the tournament."""
        return self._service.ask(self._path)

    def standings(self) -> Document:
        """Read the standings."""
        return self._service.ask(f"{self._path}/standings")

    def round(self, number: int) -> Document:
        """Read a round with its tables."""
        return self._service.ask(f"{self._path}/rounds/{number}")

    def enter(self, *entrants: Document) -> Document:
        """Add entrants, each ``{"name": …}``."""
        return self._service.send(f"{self._path}/entrants", {"entrants": list(entrants)})

    def withdraw(self, entrant: str) -> Document:
        """Withdraw an entrant from the rounds to come."""
        return self._service.send(f"{self._path}/entrants/{entrant}/withdrawal")

    def pair(self, **settings: Any) -> Document:
        """Pair the next round, and create its matches."""
        return self._service.send(f"{self._path}/rounds", settings)

    def close_round(self, number: int) -> Document:
        """Close a round whose matches are over."""
        return self._service.send(f"{self._path}/rounds/{number}/close")

    def correct(self, entrant: str, points: str, reason: str) -> Document:
        """Give or take points, for a reason that stands in the log."""
        body = {"entrant": entrant, "points": points, "reason": reason}
        return self._service.send(f"{self._path}/corrections", body)

    def close(self) -> Document:
        """Close the tournament."""
        return self._service.send(f"{self._path}/close")

    def log(self) -> bytes:
        """Export the log: every event, chained by hash, and a signed head."""
        return (self._service.answer("GET", f"{self._path}/log")).content
