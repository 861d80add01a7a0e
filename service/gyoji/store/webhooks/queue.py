"""Webhooks, as a store keeps them: who wants to hear, what has happened, what is to be delivered, and what was.

News is written down in the very transaction that stores what it tells of, and only where somebody wants to hear: the
database looks, so that none is missed. One step makes deliveries of news and takes it away; their ids follow from what
they tell, so that to do it twice makes nothing twice. Deliveries about one match to one webhook are a **line**: one of
them is under way at a time, the oldest, and whoever carries it holds the line until a time. When the holder dies, that
time passes, and the next one goes on.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

import orjson

from gyoji.store.database.port import Database
from gyoji.store.database.sql import Row, Step
from gyoji.store.encryption import Encryption, StoreEncryption
from gyoji.store.records import Conflict, Request
from gyoji.store.transactions import request_steps
from gyoji.store.webhooks import statements as sql

Kind = Literal["match", "tournament", "test"]
State = Literal["waiting", "delivered", "given_up"]


class Webhook(NamedTuple):
    """Somebody who wants to hear. ``secret`` is decrypted."""

    id: str
    owner: str
    """The account of whose matches and tournaments it is told."""
    created: str
    url: str
    types: tuple[str, ...]
    """What it is told of; of everything where none is named."""
    match: str | None
    """Only of this match."""
    tournament: str | None
    """Only of this tournament and its matches."""
    secret: bytes
    """What messages are signed with."""
    failing: str | None = None
    """Since when nothing has got through."""
    disabled: str | None = None
    """Since when it is told nothing any more."""
    reason: Literal["failing", "gone"] | None = None
    """Why: it failed for days, or answered 410."""


class News(NamedTuple):
    """Events of a match, or of a tournament, of which nobody has been told yet: from ``first`` to ``last``."""

    kind: Kind
    subject: str
    """The id of the match or the tournament."""
    first: int
    last: int
    trace: str | None = None
    """The ``traceparent`` of the request that stored them."""


class Delivery(NamedTuple):
    """One message to one webhook."""

    id: str
    webhook: str
    subject: str
    """Whose line it is in: a match, a tournament, or for a test the webhook itself."""
    kind: Kind
    seq: int
    """The event of the subject's log that it tells of."""
    place: int
    """Its place among the messages that tell of one event."""
    type: str
    created: str
    state: State = "waiting"
    attempts: int = 0
    tried: str | None = None
    """When it was last sent."""
    status: int | None = None
    """What was answered then."""
    fault: str | None = None
    """Why it was not taken then."""
    settled: str | None = None
    """When it was delivered or given up."""
    trace: str | None = None
    """The ``traceparent`` of the request that led to it, which is sent along."""


class Line(NamedTuple):
    """The deliveries about one subject to one webhook."""

    webhook: str
    subject: str
    due: str | None
    """When the oldest is to be sent, or until when its holder may hold it; ``None``: nothing waits."""
    holder: str | None
    news: int
    """How often it has become longer."""
    owner: str | None = None
    """The account of the webhook, which only ``Webhooks.due`` tells."""


class Waiting(NamedTuple):
    """What has not been delivered yet."""

    messages: int
    oldest: str | None
    """When the oldest of it was made."""


class Page(NamedTuple):
    """Which deliveries are asked for; ``None`` means no filter."""

    webhook: str
    state: State | None = None
    subject: str | None = None
    before: tuple[str, str] | None = None
    """(created, id) of the last one seen: newest first, ids break ties."""
    limit: int = 50


def delivery_id(webhook: str, subject: str, seq: int, place: int) -> str:
    """The id of a delivery, the same whoever makes it and however often."""
    return f"msg_{sha256(f'{webhook}|{subject}|{seq}|{place}'.encode()).hexdigest()[:32]}"


class Webhooks:
    """The webhooks in a database. Every method may raise ``Unavailable``."""

    def __init__(self, database: Database, encryption: StoreEncryption) -> None:
        self._database = database
        self._encryption = encryption

    # who wants to hear

    def add(self, hook: Webhook, request: Request | None = None) -> None:
        """A new webhook: told of everything that is stored after this returns. ``KeyTaken`` if the key is in use."""
        made = Step(sql.NEW, (_hook_row(hook, self._encryption.require()),), Conflict)
        self._database.write([*request_steps(request, hook.id, 0), made])
        self._database.await_news_writers()

    def one(self, name: str) -> Webhook | None:
        """The webhook, or ``None``."""
        found = self._database.query(sql.ONE, (name,))
        return self._hook(found[0]) if found else None

    def of_owner(self, owner: str) -> list[Webhook]:
        """The webhooks of an account, oldest first."""
        return [self._hook(row) for row in self._database.query(sql.OF_OWNER, (owner,))]

    def remove(self, name: str) -> None:
        """Take the webhook away, with all that waits for it and all that it was sent."""
        self._database.write([Step(removing, ((name,),), Conflict) for removing in sql.REMOVE])

    def disable(self, name: str, at: str, reason: str) -> bool:
        """Tell it nothing any more; what waits for it is given up. Whether it was told until now."""
        changed = self._database.modify(sql.DISABLE, (at, reason, name)) == 1
        self._database.write([Step(sql.DROP, ((at, name),), Conflict), Step(sql.REST, ((name,),), Conflict)])
        return changed

    def enable(self, name: str) -> bool:
        """Tell it again, all that is stored after this returns. Whether it was told nothing until now."""
        changed = self._database.modify(sql.ENABLE, (name,)) == 1
        self._database.await_news_writers()
        return changed

    def _hook(self, row: Row) -> Webhook:
        stored = Webhook(*row)
        secret = self._encryption.require().decrypt("webhooks", stored.id, 0, stored.secret)
        return stored._replace(types=tuple(orjson.loads(row[4])), secret=secret)

    # from news to deliveries

    def news(self, most: int) -> list[News]:
        """What nobody has been told yet: of each match and tournament in the order of its log."""
        return [News(*row) for row in self._database.query(sql.NEWS, (most,))]

    def tell(self, told: Sequence[News], deliveries: Sequence[Delivery], at: str) -> None:
        """Deliveries in the place of news, in one transaction; those that there are already stay as they are."""
        lines = dict.fromkeys([(each.webhook, each.subject, at) for each in deliveries])
        steps = (
            [Step(sql.DELIVER, deliveries, Conflict), Step(sql.LENGTHEN, list(lines), Conflict)] if deliveries else []
        )
        self._database.write([*steps, Step(sql.TOLD, [news[:3] for news in told], Conflict)])

    def enqueue(self, delivery: Delivery) -> None:
        """One delivery that no news has led to."""
        line = (delivery.webhook, delivery.subject, delivery.created)
        self._database.write([Step(sql.DELIVER, (delivery,), Conflict), Step(sql.LENGTHEN, (line,), Conflict)])

    # carrying

    def due(self, at: str, most: int, busy: Sequence[str] = (), full: Sequence[str] = ()) -> list[Line]:
        """Lines that are due and that nobody holds, the longest due first; none of the ``busy`` webhooks, nor of those
        of the ``full`` accounts."""
        others = (sql.NOT_OF.format(_places(busy)) if busy else "") + (sql.NOT_BY.format(_places(full)) if full else "")
        return [Line(*row) for row in self._database.query(sql.DUE.format(others), (at, *busy, *full, most))]

    def hold(self, line: Line, holder: str, until: str) -> bool:
        """Whether the line is the holder's until then. It is nobody else's, as long as clocks agree."""
        return self._database.modify(sql.HOLD, (until, holder, line.webhook, line.subject, line.due)) == 1

    def line(self, webhook: str, subject: str) -> Line | None:
        """The line as it is now."""
        found = self._database.query(sql.OF_LINE, (webhook, subject))
        return Line(*found[0]) if found else None

    def head(self, line: Line) -> Delivery | None:
        """The oldest of the line that waits."""
        found = self._database.query(sql.HEAD, (line.webhook, line.subject))
        return Delivery(*found[0]) if found else None

    def leave(self, line: Line, holder: str, due: str) -> None:
        """Whoever comes at ``due`` may take the line."""
        self._database.modify(sql.LEAVE, (due, line.webhook, line.subject, holder))

    def end(self, line: Line, holder: str) -> bool:
        """Whether the line is empty: it is unless it has become longer since it was read."""
        return self._database.modify(sql.END, (line.webhook, line.subject, holder, line.news)) == 1

    def record(self, delivery: Delivery, holder: str, due: str, *, keeps: bool) -> bool:
        """How an attempt has ended, as the delivery says it; the line is due then, and still the holder's where it
        ``keeps`` it. Whether it was the holder's until now: if not, somebody else goes on, but what was taken counts.
        """
        put = (delivery.state, delivery.tried, delivery.status, delivery.fault, delivery.settled, delivery.id)
        line = (due, delivery.webhook, delivery.subject, holder)
        try:
            self._database.write(
                [
                    Step(sql.KEEP if keeps else sql.LEAVE, (line,), Conflict, must_change=True),
                    Step(sql.RECORD, (put,), Conflict),
                ]
            )
        except Conflict:
            if delivery.state == "delivered":
                self._database.modify(sql.RECORD, put)
            return False
        return True

    def got_through(self, webhook: str) -> None:
        """It has taken a message, after it had failed."""
        self._database.modify(sql.WELL, (webhook,))

    def failed(self, webhook: str, at: str) -> None:
        """It has not taken one."""
        self._database.modify(sql.ILL, (at, webhook))

    # what was delivered

    def delivery(self, webhook: str, name: str) -> Delivery | None:
        """A delivery, or ``None``."""
        found = self._database.query(sql.ONE_DELIVERY, (webhook, name))
        return Delivery(*found[0]) if found else None

    def deliveries(self, page: Page) -> list[Delivery]:
        """At most ``limit`` deliveries, newest first."""
        return [Delivery(*row) for row in self._database.query(*_paged(page))]

    def retry(self, delivery: Delivery, at: str) -> None:
        """Send it again now, under its own id, before whatever of its line waits."""
        line = (delivery.webhook, delivery.subject, at)
        again = Step(sql.AGAIN, ((delivery.webhook, delivery.id),), Conflict)
        self._database.write([again, Step(sql.HURRY, (line,), Conflict)])

    def forget(self, before: str) -> int:
        """Forget what was settled before then. How many deliveries that were."""
        forgotten = self._database.modify(sql.FORGET, (before,))
        self._database.modify(sql.FORGET_LINES)
        return forgotten

    def waiting(self) -> Waiting:
        """How many deliveries wait, and since when."""
        return Waiting(*self._database.query(sql.WAITING)[0])


def _places(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _hook_row(hook: Webhook, encryption: Encryption) -> Row:
    sealed = encryption.encrypt("webhooks", hook.id, 0, hook.secret)
    return (*hook[:4], orjson.dumps(hook.types).decode(), hook.match, hook.tournament, sealed, *hook[8:])


def _paged(page: Page) -> tuple[str, Row]:
    conditions, put = ["webhook = ?"], list[object]([page.webhook])
    for column, value in (("state", page.state), ("subject", page.subject)):
        if value is not None:
            conditions.append(f"{column} = ?")
            put.append(value)
    if page.before is not None:
        conditions.append("(created, id) < (?, ?)")
        put += page.before
    where = " AND ".join(conditions)
    query = f"SELECT {sql.DELIVERY} FROM webhook_deliveries WHERE {where} ORDER BY created DESC, id DESC LIMIT ?"
    return query, (*put, page.limit)
