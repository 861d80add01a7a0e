"""The webhooks of a store: registrations, news, and deliveries.

News is written down in the very transaction that stores what it tells of, and only where a webhook wants to hear of it:
the database looks, so that none is missed. One step makes deliveries of news and takes it away; their ids follow from
what they are about, so that to do it twice makes nothing twice. Deliveries about one match to one webhook are a lane:
one of them is under way at a time, the oldest, and whoever carries it holds the lane until a time. When the holder
dies, that time passes, and another goes on.
"""

from collections.abc import Sequence

import orjson

from gyoji.store.database.port import Database
from gyoji.store.database.sql import Row, Step
from gyoji.store.encryption import Encryption, StoreEncryption
from gyoji.store.records import Conflict, Request
from gyoji.store.transactions import request_steps
from gyoji.store.webhooks import statements as sql
from gyoji.store.webhooks.records import Backlog, Delivery, DeliveryPage, Lane, News, Webhook


class Webhooks:
    """Stores webhooks, news and deliveries in a database. Every method may raise ``Unavailable``."""

    def __init__(self, database: Database, encryption: StoreEncryption) -> None:
        self._database = database
        self._encryption = encryption

    # registrations

    def add(self, hook: Webhook, request: Request | None = None) -> None:
        """Store a new webhook, which hears of everything that is stored after this returns. ``KeyTaken`` if the key is
        in use."""
        made = Step(sql.NEW, (_hook_row(hook, self._encryption.require()),), Conflict)
        self._database.write([*request_steps(request, hook.id, 0), made])
        self._database.await_news_writers()

    def get(self, name: str) -> Webhook | None:
        """Read a webhook, or ``None``."""
        found = self._database.query(sql.ONE, (name,))
        return self._hook(found[0]) if found else None

    def of_owner(self, owner: str) -> list[Webhook]:
        """List the webhooks of an account, oldest first."""
        return [self._hook(row) for row in self._database.query(sql.OF_OWNER, (owner,))]

    def remove(self, name: str) -> None:
        """Delete the webhook, with all that waits for it and all that it was sent."""
        self._database.write([Step(removing, ((name,),), Conflict) for removing in sql.REMOVE])

    def disable(self, name: str, at: str, reason: str) -> bool:
        """Send a webhook nothing any more, and give up what waits for it. Whether it was enabled until now."""
        changed = self._database.modify(sql.DISABLE, (at, reason, name)) == 1
        self._database.write([Step(sql.DROP, ((at, name),), Conflict), Step(sql.REST, ((name,),), Conflict)])
        return changed

    def enable(self, name: str) -> bool:
        """Send a webhook messages again, about all that is stored after this returns. Whether it was disabled until
        now."""
        changed = self._database.modify(sql.ENABLE, (name,)) == 1
        self._database.await_news_writers()
        return changed

    def _hook(self, row: Row) -> Webhook:
        stored = Webhook(*row)
        secret = self._encryption.require().decrypt("webhooks", stored.id, 0, stored.secret)
        return stored._replace(types=tuple(orjson.loads(row[4])), secret=secret)

    # from news to deliveries

    def news(self, most: int) -> list[News]:
        """List the news of which no deliveries have been made: of each match and tournament in the order of its log."""
        return [News(*row) for row in self._database.query(sql.NEWS, (most,))]

    def replace_news(self, news: Sequence[News], deliveries: Sequence[Delivery], at: str) -> None:
        """Store deliveries in the place of news, in one transaction; those that there are already stay as they are."""
        lanes = dict.fromkeys([(each.webhook, each.subject, at) for each in deliveries])
        steps = (
            [Step(sql.DELIVER, deliveries, Conflict), Step(sql.LENGTHEN, list(lanes), Conflict)] if deliveries else []
        )
        self._database.write([*steps, Step(sql.TOLD, [each[:3] for each in news], Conflict)])

    def enqueue(self, delivery: Delivery) -> None:
        """Store a delivery that no news has led to."""
        lane = (delivery.webhook, delivery.subject, delivery.created)
        self._database.write([Step(sql.DELIVER, (delivery,), Conflict), Step(sql.LENGTHEN, (lane,), Conflict)])

    # lanes

    def due(self, at: str, most: int, busy: Sequence[str] = (), full: Sequence[str] = ()) -> list[Lane]:
        """List lanes that are due and that nobody holds, the longest due first; none of the ``busy`` webhooks, nor of
        those of the ``full`` accounts."""
        others = (sql.NOT_OF.format(_places(busy)) if busy else "") + (sql.NOT_BY.format(_places(full)) if full else "")
        return [Lane(*row) for row in self._database.query(sql.DUE.format(others), (at, *busy, *full, most))]

    def hold(self, lane: Lane, holder: str, until: str) -> bool:
        """Take a lane until then; whether the holder has it. Nobody else has it then, as long as clocks agree."""
        return self._database.modify(sql.HOLD, (until, holder, lane.webhook, lane.subject, lane.due)) == 1

    def lane(self, webhook: str, subject: str) -> Lane | None:
        """Read a lane as it is now."""
        found = self._database.query(sql.ONE_LANE, (webhook, subject))
        return Lane(*found[0]) if found else None

    def head(self, lane: Lane) -> Delivery | None:
        """Read the oldest delivery of a lane that waits."""
        found = self._database.query(sql.HEAD, (lane.webhook, lane.subject))
        return Delivery(*found[0]) if found else None

    def release(self, lane: Lane, holder: str, due: str) -> None:
        """Release a lane: whoever comes at ``due`` may take it."""
        self._database.modify(sql.RELEASE, (due, lane.webhook, lane.subject, holder))

    def finish(self, lane: Lane, holder: str) -> bool:
        """Finish a lane that was found empty; whether it still is, with nothing added since it was read."""
        return self._database.modify(sql.FINISH, (lane.webhook, lane.subject, holder, lane.news)) == 1

    def record(self, delivery: Delivery, holder: str, due: str, *, keeps: bool) -> bool:
        """Store how an attempt has ended, as the delivery says it. The lane is then due at ``due``, and still the
        holder's where it ``keeps`` it. Whether it was the holder's until now: if not, another goes on, but what was
        taken counts."""
        put = (delivery.state, delivery.tried, delivery.status, delivery.fault, delivery.settled, delivery.id)
        lane = (due, delivery.webhook, delivery.subject, holder)
        try:
            self._database.write(
                [
                    Step(sql.KEEP if keeps else sql.RELEASE, (lane,), Conflict, must_change=True),
                    Step(sql.RECORD, (put,), Conflict),
                ]
            )
        except Conflict:
            if delivery.state == "delivered":
                self._database.modify(sql.RECORD, put)
            return False
        return True

    def mark_working(self, webhook: str) -> None:
        """Note that a webhook has taken a message, after it had failed."""
        self._database.modify(sql.MARK_WORKING, (webhook,))

    def mark_failing(self, webhook: str, at: str) -> None:
        """Note that a webhook has not taken a message."""
        self._database.modify(sql.MARK_FAILING, (at, webhook))

    # deliveries

    def delivery(self, webhook: str, name: str) -> Delivery | None:
        """Read a delivery, or ``None``."""
        found = self._database.query(sql.ONE_DELIVERY, (webhook, name))
        return Delivery(*found[0]) if found else None

    def deliveries(self, page: DeliveryPage) -> list[Delivery]:
        """List at most ``limit`` deliveries, newest first."""
        return [Delivery(*row) for row in self._database.query(*_paged(page))]

    def retry(self, delivery: Delivery, at: str) -> None:
        """Send a delivery again now, under its own id, before whatever of its lane waits."""
        lane = (delivery.webhook, delivery.subject, at)
        again = Step(sql.AGAIN, ((delivery.webhook, delivery.id),), Conflict)
        self._database.write([again, Step(sql.HURRY, (lane,), Conflict)])

    def forget(self, before: str) -> int:
        """Delete the deliveries that were settled before then, and tell how many those were."""
        forgotten = self._database.modify(sql.FORGET, (before,))
        self._database.modify(sql.FORGET_LANES)
        return forgotten

    def backlog(self) -> Backlog:
        """Count the deliveries that wait."""
        return Backlog(*self._database.query(sql.WAITING)[0])


def _places(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _hook_row(hook: Webhook, encryption: Encryption) -> Row:
    sealed = encryption.encrypt("webhooks", hook.id, 0, hook.secret)
    return (*hook[:4], orjson.dumps(hook.types).decode(), hook.match, hook.tournament, sealed, *hook[8:])


def _paged(page: DeliveryPage) -> tuple[str, Row]:
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
