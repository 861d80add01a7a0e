"""The client for programs that use ``asyncio``: the same as ``synchronous``, which is made of this module by
``make_synchronous.py``."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
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


class AsyncService:
    """One service, as one caller: sends requests until they are answered."""

    def __init__(
        self,
        url: str,
        credential: str | None = None,
        *,
        language: str = "en",
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self._retries = retries or Retries()
        self._is_own = http is None
        self._http = http or close_with(self, httpx.AsyncClient(timeout=TIMEOUT))
        self._headers = {"Accept-Language": language}
        if credential is not None:
            self._headers["Authorization"] = f"Bearer {credential}"

    async def close(self) -> None:
        """Close the connections, unless they are those of a client that was given: whoever has made it closes it."""
        if self._is_own:
            await self._http.aclose()

    async def ask(self, path: str, query: Mapping[str, Any] | None = None) -> Document:
        """Read a document; of the query what is ``None`` is left out."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        answer = await self.answer("GET", path, params=given)
        document: Document = answer.json()
        return document

    async def send(
        self, path: str, body: Mapping[str, Any] | None = None, *, once: bool = True, seq: int | None = None
    ) -> Document:
        """Send a document, and read what it is answered with.

        ``once``: under an ``Idempotency-Key`` of its own, so that it is carried out once however often it is sent.
        ``seq``: of the position that it is meant for (``If-Match``); ``StalePosition`` where there is another by now.
        """
        headers = {"Idempotency-Key": str(uuid4())} if once else {}
        if seq is not None:
            headers["If-Match"] = f'"{seq}"'
        answer = await self.answer("POST", path, headers, **({} if body is None else {"json": body}))
        document: Document = answer.json()
        return document

    async def answer(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, **request: Any
    ) -> httpx.Response:
        """Send a request until it is answered, and return the answer. ``Problem`` for a refusal, ``Unreachable`` where
        no answer comes."""
        attempt = 0
        while True:
            try:
                answer = await self._http.request(
                    method, self.url + path, headers={**self._headers, **(headers or {})}, **request
                )
                failure: GyojiError | None = problem_of(answer)
                if failure is None:
                    return answer
            except httpx.TransportError as broken:
                failure = Unreachable(f"{method} {path}: {broken!r}")
            await self._wait(attempt, failure)
            attempt += 1

    async def stream(
        self, path: str, after: str | None = None, began: Callable[[], None] | None = None
    ) -> AsyncGenerator[Document, None]:
        """Follow server-sent events whose data are documents, from behind the event with that id on, until the service
        says that nothing is left to come. A stream that breaks off is resumed. ``FeedReset``: it cannot be.

        ``began`` is called when the first id is there: whatever happens from then on comes.
        """
        attempt = 0
        while True:
            failure: GyojiError | None = None
            parser = EventParser()
            try:
                async for event in self._connection(path, after, parser, began):
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
            await self._wait(attempt, failure)
            attempt += 1

    async def _connection(
        self, path: str, after: str | None, parser: EventParser, began: Callable[[], None] | None
    ) -> AsyncGenerator[StreamEvent, None]:
        """Follow server-sent events as long as one connection lasts."""
        headers = {**self._headers, "Accept": "text/event-stream"}
        if after is not None:
            headers["Last-Event-ID"] = after
        async with self._http.stream("GET", self.url + path, headers=headers) as answer:
            if answer.status_code == 204:
                yield END
            elif answer.is_success:
                async for received in answer.aiter_bytes():
                    for event in parser.feed(received):
                        yield event
                    if began is not None and parser.last:
                        began()
            else:
                await answer.aread()
                raise problem_of(answer) or Unreachable(path)

    async def _wait(self, attempt: int, failure: GyojiError | None) -> None:
        """Wait before the next attempt. Raises the failure of the last one where another would be in vain."""
        is_final = isinstance(failure, Problem) and not is_repeatable(failure)
        if failure is not None and (is_final or attempt == self._retries.most):
            raise failure
        await asyncio.sleep(self._retries.pause(attempt, getattr(failure, "retry_after", None)))


class AsyncGyoji:
    """A service, with the key of an operator, a referee or an auditor, or without one."""

    def __init__(self, url: str, key: str | None = None, **settings: Any) -> None:
        """``settings`` are ``language`` (``en`` or ``ja``), ``retries`` and ``http``, an ``httpx.AsyncClient`` of the
        caller's own."""
        self.service = AsyncService(url, key, **settings)
        self.games = AsyncGames(self.service)
        self.matches = AsyncMatches(self.service)
        self.tournaments = AsyncTournaments(self.service)

    async def keys(self) -> Document:
        """Read the public keys that the service signs receipts and logs with."""
        return await self.service.ask("/v1/keys")

    async def audit(self, replay: bytes) -> Document:
        """Audit a replay file; return the verdict."""
        answer = await self.service.answer(
            "POST", "/v1/audits", content=replay, headers={"Content-Type": "application/jsonl"}
        )
        verdict: Document = answer.json()
        return verdict

    async def store_replay(self, replay: bytes) -> Document:
        """Store a full replay file of a finished match; return the verdict. ``ReplayRefused`` where it fails."""
        answer = await self.service.answer(
            "POST", "/v1/replays", content=replay, headers={"Content-Type": "application/jsonl"}
        )
        verdict: Document = answer.json()
        return verdict

    async def close(self) -> None:
        """Close the connections."""
        await self.service.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncGames:
    """The games, their rules, and the stateless calls: a position goes in, one comes out, and nothing is kept."""

    def __init__(self, service: AsyncService) -> None:
        self._service = service

    async def list(self) -> Sequence[Document]:
        """List the games that the service referees."""
        games: Sequence[Document] = (await self._service.ask("/v1/games"))["games"]
        return games

    async def describe(self, game: str) -> Document:
        """Read what there is to know of a game: options, phases, moves, cards and rulings."""
        return await self._service.ask(f"/v1/games/{game}")

    async def rules(self, game: str) -> Sequence[Document]:
        """Read the rulebook of a game, rule by rule."""
        rules: Sequence[Document] = (await self._service.ask(f"/v1/games/{game}/rules"))["rules"]
        return rules

    async def rule(self, game: str, rule: str) -> Document:
        """Read one rule, such as ``CAT-3.1``."""
        return await self._service.ask(f"/v1/games/{game}/rules/{rule}")

    async def start(self, game: str, seats: int, **settings: Any) -> Document:
        """Deal a first position. ``settings`` are ``options``, ``first``, ``seed`` and ``version``."""
        return await self._call(game, "states", {"seats": seats, **settings})

    async def adjudicate(self, game: str, state: Document, *moves: Document) -> Document:
        """Rule on a move, or on several in order; ``IllegalMove`` for the first that is refused."""
        played = {"move": moves[0]} if len(moves) == 1 else {"moves": list(moves)}
        return await self._call(game, "adjudications", {"state": state, **played})

    async def legal_moves(self, game: str, state: Document, seat: int | None = None) -> Document:
        """List the moves that a position allows, of all seats that may act or of one."""
        return await self._call(game, "legal-moves", {"state": state, **({} if seat is None else {"seat": seat})})

    async def scores(self, game: str, state: Document) -> Document:
        """Count the scores of a position, with the rule of every figure."""
        return await self._call(game, "scores", {"state": state})

    async def view(self, game: str, state: Document, seat: int | None) -> Document:
        """Show what a seat may know of a position; ``None``: a spectator."""
        return await self._call(game, "views", {"state": state, "seat": seat})

    async def _call(self, game: str, call: str, body: Document) -> Document:
        return await self._service.send(f"/v1/games/{game}/{call}", body, once=False)


class AsyncMatches:
    """The stored matches of a caller."""

    def __init__(self, service: AsyncService) -> None:
        self._service = service

    async def create(self, game: str, seats: int | Sequence[Document], **settings: Any) -> "AsyncMatch":
        """Create a match for so many seats, or for ``{"name": …}`` or ``{"bot": …}`` each. ``settings`` are those of
        ``POST /v1/matches``: ``options``, ``clock``, ``visibility``, ``disclosure``, ``tags``…"""
        created = await self._service.send(
            "/v1/matches", {"game": game, "seats": seats if isinstance(seats, int) else list(seats), **settings}
        )
        return AsyncMatch(self._service, created["match"], created["seats"])

    def get(self, match: str) -> "AsyncMatch":
        """Return a match by its id; nothing is asked for yet."""
        return AsyncMatch(self._service, match)

    async def list(self, **filters: str) -> AsyncGenerator[Document, None]:
        """List the caller's matches, newest first. ``filters`` are ``game``, ``status``, ``tag`` and ``tournament``."""
        cursor: str | None = None
        while True:
            page = await self._service.ask("/v1/matches", {**filters, "cursor": cursor})
            for match in page["matches"]:
                yield match
            cursor = page.get("next")
            if cursor is None:
                return

    async def feed(self, began: Callable[[], None] | None = None) -> AsyncGenerator[Document, None]:
        """Follow what happens from now on in all matches of the caller, new ones too: each event once, those of a match
        in order, without an end. ``to_act`` in each says who may move in its ``match``. ``began`` is called, perhaps
        more than once, as soon as the stream is there: whatever happens from then on comes."""
        last: dict[str, int] = {}
        async with aclosing(self._service.stream("/v1/stream", None, began)) as events:
            async for event in events:
                if event["seq"] > last.get(event["match"], -1):
                    last[event["match"]] = event["seq"]
                    yield event


class AsyncMatch:
    """One stored match, as whoever created, referees or audits it."""

    def __init__(self, service: AsyncService, match: str, seats: Sequence[Document] = ()) -> None:
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

    async def read(self) -> Document:
        """Read how the match stands."""
        return await self._service.ask(self._path)

    async def position(self, seq: int, *, seat: int | None = None) -> Document:
        """Read the position after an event; with ``seat`` what that seat could know then."""
        return await self._service.ask(f"{self._path}/positions/{seq}", {"as": seat})

    def feed(self, after: int | None = None) -> AsyncGenerator[Document, None]:
        """Follow the events behind that number, until none are left to come."""
        return self._service.stream(f"{self._path}/stream", None if after is None else str(after))

    async def play(self, move: Document, *, seq: int | None = None) -> Document:
        """Make a move for a seat, which takes the scope ``matches:play``."""
        return await self._service.send(f"{self._path}/moves", {"move": move}, seq=seq)

    async def rule(self, ruling: Document, *, seq: int, dry_run: bool = False) -> Document:
        """Rule in the match, as it stands after event ``seq``; ``dry_run``: only say what would come of it."""
        body = {**ruling, "dry_run": True} if dry_run else ruling
        return await self._service.send(f"{self._path}/rulings", body, seq=seq)

    async def claim(self) -> Document:
        """Claim that the time of a seat is up; ``ClaimRefused`` where it is not."""
        return await self._service.send(f"{self._path}/claims")

    async def void(self) -> Document:
        """Cancel the match."""
        return await self._service.send(f"{self._path}/void", once=False)

    async def fork(self, seq: int) -> "AsyncMatch":
        """Begin a new match from the position after an event; of a match whose secret is told."""
        created = await self._service.send(f"{self._path}/fork", {"seq": seq})
        return AsyncMatch(self._service, created["match"], created["seats"])

    async def replay(self) -> bytes:
        """Export the replay file: full where everything may be seen, else redacted."""
        return (await self._service.answer("GET", f"{self._path}/replay")).content

    async def audit(self) -> Document:
        """Audit what may be seen of the match; return the verdict."""
        return await self._service.send("/v1/audits", {"match": self.id}, once=False)


class AsyncTurn(Generic[Move, View]):
    """One decision of a seat."""

    def __init__(self, seat: "AsyncSeat[Move, View]", match: Document) -> None:
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

    async def play(self, move: Move) -> Document:
        """Make a move, once, however often it has to be sent. ``IllegalMove`` where the referee refuses it,
        ``StalePosition`` where the match has moved on; then the next turn is another one."""
        self.is_answered = True
        return await self._seat.play(move, seq=self.seq)

    async def would_be_legal(self, move: Move) -> bool:
        """Ask whether a move would be accepted, without making it; ``IllegalMove`` says why not."""
        answer = await self._seat.service.send(
            f"{self._seat.path}/moves", {"move": move, "dry_run": True}, once=False, seq=self.seq
        )
        return bool(answer["legal"])


class AsyncSeat(Generic[Move, View]):
    """One seat of a match, as its player. ``AsyncSeat[CatteMove, CatteView](address)`` has type checkers know of which
    game."""

    def __init__(self, address: str, *, keys: Sequence[Document] | None = None, **settings: Any) -> None:
        """``address`` is that of the match's page with the seat's token (``SeatToken.address``). ``keys`` are the
        public keys that receipts are checked with, from a source that is trusted; without them, those that the service
        itself names. ``settings`` as of ``AsyncGyoji``."""
        page = urlsplit(address)
        root, found, self.match_id = page.path.rpartition("/matches/")
        token = parse_qs(page.fragment).get("token")
        if not found or token is None:
            raise ValueError("not the address of a seat: …/matches/{id}#token=…")
        self.service = AsyncService(f"{page.scheme}://{page.netloc}{root}", token[0], **settings)
        self.path = f"/v1/matches/{self.match_id}"
        self.receipts: list[Document] = []
        """The receipts of the moves that were accepted, each checked: what the service cannot deny."""
        self.result: Document | None = None
        """How the match ended, once it has; ``None`` too where it was voided."""
        self._keys = keys
        self._asks_keys = keys is None

    async def read(self) -> Document:
        """Read the match as the seat may know it."""
        return await self.service.ask(self.path)

    async def play(self, move: Move, *, seq: int | None = None) -> Document:
        """Make a move; ``seq`` is the number of the last event that it was decided on. ``BadReceipt`` where the service
        does not prove that it has accepted it."""
        played = await self.service.send(f"{self.path}/moves", {"move": move}, seq=seq)
        await self._keep(played["receipt"], played["seq"])
        return played

    async def claim(self) -> Document:
        """Claim that the time of another seat is up."""
        return await self.service.send(f"{self.path}/claims")

    def feed(self, after: int | None = None) -> AsyncGenerator[Document, None]:
        """Follow the events behind that number as the seat may know them, until none are left to come."""
        return self.service.stream(f"{self.path}/stream", None if after is None else str(after))

    async def turns(
        self, feed: Callable[[int | None], AsyncGenerator[Document, None]] | None = None
    ) -> AsyncGenerator[AsyncTurn[Move, View], None]:
        """Wait for the turns of the seat, one after the other, until the match is over; ``result`` says how it ended.

        A turn that was answered with a move that did not count comes again. One that was not answered comes again when
        something has happened. ``feed`` follows the match in the place of the seat's own stream: events behind that
        number, or ``FeedReset``.
        """
        follow = feed or self.feed
        match = await self.read()
        while match["status"] not in OVER:
            try:
                async with aclosing(follow(match["seq"])) as events:
                    while match["status"] not in OVER:
                        turn = AsyncTurn[Move, View](self, match)
                        if turn.legal_moves:
                            yield turn
                        if not turn.is_answered:
                            await self._await_news(events, match)
                        match = await self.read()
            except FeedReset:
                match = await self.read()
        self.result = match["result"]

    async def _await_news(self, events: AsyncGenerator[Document, None], match: Document) -> None:
        """Wait until the seat may move after an event that is not known yet, or nobody may."""
        seat = match["viewer"]["seat"]
        async for event in events:
            acting = [each["seat"] for each in event["to_act"]]
            if event["seq"] > match["seq"] and (seat in acting or not acting):
                return

    async def _keep(self, receipt: Document, seq: int) -> None:
        if self._asks_keys and receipt["key"] not in [each["key"] for each in self._keys or ()]:
            self._keys = (await self.service.ask("/v1/keys"))["keys"]  # none is known yet, or the service has a new one
        check_receipt(receipt, self._keys or (), self.match_id, seq)
        self.receipts.append(receipt)

    async def close(self) -> None:
        """Close the connections."""
        await self.service.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncTournaments:
    """Tournaments, as those who direct or watch them."""

    def __init__(self, service: AsyncService) -> None:
        self._service = service

    async def create(self, name: str, game: str, **settings: Any) -> "AsyncTournament":
        """Create a tournament. ``settings`` are those of ``POST /v1/tournaments``."""
        created = await self._service.send("/v1/tournaments", {"name": name, "game": game, **settings})
        return AsyncTournament(self._service, created["tournament"])

    def get(self, tournament: str) -> "AsyncTournament":
        """Return a tournament by its id; nothing is asked for yet."""
        return AsyncTournament(self._service, tournament)


class AsyncTournament:
    """One tournament, as whoever directs or watches it."""

    def __init__(self, service: AsyncService, tournament: str) -> None:
        self.id = tournament
        self._service = service
        self._path = f"/v1/tournaments/{tournament}"

    async def read(self) -> Document:
        """Read the tournament."""
        return await self._service.ask(self._path)

    async def standings(self) -> Document:
        """Read the standings."""
        return await self._service.ask(f"{self._path}/standings")

    async def round(self, number: int) -> Document:
        """Read a round with its tables."""
        return await self._service.ask(f"{self._path}/rounds/{number}")

    async def enter(self, *entrants: Document) -> Document:
        """Add entrants, each ``{"name": …}``."""
        return await self._service.send(f"{self._path}/entrants", {"entrants": list(entrants)})

    async def withdraw(self, entrant: str) -> Document:
        """Withdraw an entrant from the rounds to come."""
        return await self._service.send(f"{self._path}/entrants/{entrant}/withdrawal")

    async def pair(self, **settings: Any) -> Document:
        """Pair the next round, and create its matches."""
        return await self._service.send(f"{self._path}/rounds", settings)

    async def close_round(self, number: int) -> Document:
        """Close a round whose matches are over."""
        return await self._service.send(f"{self._path}/rounds/{number}/close")

    async def correct(self, entrant: str, points: str, reason: str) -> Document:
        """Give or take points, for a reason that stands in the log."""
        body = {"entrant": entrant, "points": points, "reason": reason}
        return await self._service.send(f"{self._path}/corrections", body)

    async def close(self) -> Document:
        """Close the tournament."""
        return await self._service.send(f"{self._path}/close")

    async def log(self) -> bytes:
        """Export the log: every event, chained by hash, and a signed head."""
        return (await self._service.answer("GET", f"{self._path}/log")).content
