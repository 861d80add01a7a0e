"""The webhooks of a store: registrations, news, and deliveries.

News is written down in the very transaction that stores what it tells of, and only where a webhook wants to hear of it:
the database looks, so that none is missed. One step makes deliveries of news and takes it away; their ids follow from
what they are about, so that to do it twice makes nothing twice. Deliveries about one match to one webhook are a lane:
one of them is under way at a time, the oldest, and whoever carries it holds the lane until a time. When the holder
dies, that time passes, and another goes on.
"""

from collections.abc import Sequence
from functools import partial

import orjson

from gyoji.store.database.port import Database, request_steps
from gyoji.store.database.statements import Row, Step
from gyoji.store.database.writers import await_writers
from gyoji.store.encryption import Encryption, StoreEncryption
from gyoji.store.records import Conflict, IdempotencyRecord
from gyoji.store.webhooks.records import Backlog, Delivery, DeliveryPage, Lane, News, Webhook

HOOK = "id, owner, created, url, types, match, tournament, secret, failing, disabled, reason"
DELIVERY = (
    "id, webhook, subject, kind, seq, place, type, created, state, attempts, tried, status, fault, settled, trace"
)
LANE = "webhook, subject, due, holder, news"
OLDEST = "ORDER BY seq, place LIMIT 1"

NEW = f"INSERT INTO webhooks ({HOOK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ONE = f"SELECT {HOOK} FROM webhooks WHERE id = ?"
OF_OWNER = f"SELECT {HOOK} FROM webhooks WHERE owner = ? ORDER BY created, id"
REMOVE = (
    "DELETE FROM webhooks WHERE id = ?",
    "DELETE FROM webhook_lines WHERE webhook = ?",
    "DELETE FROM webhook_deliveries WHERE webhook = ?",
)

NEWS = "SELECT kind, subject, first, last, trace FROM webhook_news ORDER BY kind, subject, first LIMIT ?"
TOLD = "DELETE FROM webhook_news WHERE kind = ? AND subject = ? AND first = ?"
DELIVER = f"""INSERT INTO webhook_deliveries ({DELIVERY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING"""
LENGTHEN = f"""INSERT INTO webhook_lines ({LANE}) VALUES (?, ?, ?, NULL, 0) ON CONFLICT (webhook, subject) DO UPDATE
SET news = webhook_lines.news + 1, due = coalesce(webhook_lines.due, excluded.due)"""
HURRY = f"""INSERT INTO webhook_lines ({LANE}) VALUES (?, ?, ?, NULL, 0) ON CONFLICT (webhook, subject) DO UPDATE
SET news = webhook_lines.news + 1,
due = CASE WHEN webhook_lines.holder IS NULL THEN excluded.due ELSE webhook_lines.due END"""

DUE_LANES = """SELECT l.webhook, l.subject, l.due, l.holder, l.news, w.owner
FROM webhook_lines AS l LEFT JOIN webhooks AS w ON w.id = l.webhook WHERE l.due <= ?{} ORDER BY l.due LIMIT ?"""
NOT_OF = " AND l.webhook NOT IN ({})"
NOT_BY = " AND l.webhook NOT IN (SELECT id FROM webhooks WHERE owner IN ({}))"
HOLD = "UPDATE webhook_lines SET due = ?, holder = ? WHERE webhook = ? AND subject = ? AND due = ?"
KEEP = "UPDATE webhook_lines SET due = ? WHERE webhook = ? AND subject = ? AND holder = ?"
RELEASE = "UPDATE webhook_lines SET due = ?, holder = NULL WHERE webhook = ? AND subject = ? AND holder = ?"
FINISH = """UPDATE webhook_lines SET due = NULL, holder = NULL
WHERE webhook = ? AND subject = ? AND holder = ? AND news = ?"""
ONE_LANE = f"SELECT {LANE} FROM webhook_lines WHERE webhook = ? AND subject = ?"
HEAD = f"""SELECT {DELIVERY} FROM webhook_deliveries
WHERE webhook = ? AND subject = ? AND state = 'waiting' {OLDEST}"""

RECORD = """UPDATE webhook_deliveries
SET state = ?, attempts = attempts + 1, tried = ?, status = ?, fault = ?, settled = ?
WHERE id = ? AND state = 'waiting'"""
MARK_WORKING = "UPDATE webhooks SET failing = NULL WHERE id = ? AND failing IS NOT NULL"
MARK_FAILING = "UPDATE webhooks SET failing = ? WHERE id = ? AND failing IS NULL"
DISABLE = "UPDATE webhooks SET disabled = ?, reason = ? WHERE id = ? AND disabled IS NULL"
DROP = """UPDATE webhook_deliveries SET state = 'given_up', fault = 'disabled', settled = ?
WHERE webhook = ? AND state = 'waiting'"""
REST = "UPDATE webhook_lines SET due = NULL, holder = NULL WHERE webhook = ?"
ENABLE = "UPDATE webhooks SET disabled = NULL, reason = NULL, failing = NULL WHERE id = ? AND disabled IS NOT NULL"

ONE_DELIVERY = f"SELECT {DELIVERY} FROM webhook_deliveries WHERE webhook = ? AND id = ?"
SEND_AGAIN = """UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, settled = NULL
WHERE webhook = ? AND id = ?"""
FORGET = "DELETE FROM webhook_deliveries WHERE settled < ?"
FORGET_LANES = """DELETE FROM webhook_lines WHERE due IS NULL AND holder IS NULL AND NOT EXISTS
(SELECT 1 FROM webhook_deliveries AS d WHERE d.webhook = webhook_lines.webhook AND d.subject = webhook_lines.subject)"""
WAITING = "SELECT count(*), min(created) FROM webhook_deliveries WHERE state = 'waiting'"

NEWS_WRITERS_SECONDS = 10
"""Seconds that transactions are waited for which may write news."""


class Webhooks:
    """Stores webhooks, news and deliveries in a database. Every method may raise ``Unavailable``."""

    def __init__(self, database: Database, encryption: StoreEncryption) -> None:
        self._database = database
        self._encryption = encryption

    # registrations

    def add(self, hook: Webhook, request: IdempotencyRecord | None = None) -> None:
        """Store a new webhook, which gets messages about everything stored after this returns. ``KeyTaken`` if the
        idempotency key is in use."""
        made = Step(NEW, (_hook_row(hook, self._encryption.require()),), Conflict)
        self._database.write([*request_steps(request, hook.id, 0), made])
        self._await_news_writers()

    def get(self, name: str) -> Webhook | None:
        """Read a webhook, or ``None``."""
        found = self._database.query(ONE, (name,))
        return self._hook(found[0]) if found else None

    def of_owner(self, owner: str) -> list[Webhook]:
        """List the webhooks of an account, oldest first."""
        return [self._hook(row) for row in self._database.query(OF_OWNER, (owner,))]

    def remove(self, name: str) -> None:
        """Delete the webhook, with all that waits for it and all that it was sent."""
        self._database.write([Step(removing, ((name,),), Conflict) for removing in REMOVE])

    def disable(self, name: str, at: str, reason: str) -> bool:
        """Send a webhook nothing any more, and give up what waits for it. Whether it was enabled until now."""
        changed = self._database.modify(DISABLE, (at, reason, name)) == 1
        self._database.write([Step(DROP, ((at, name),), Conflict), Step(REST, ((name,),), Conflict)])
        return changed

    def enable(self, name: str) -> bool:
        """Send a webhook messages again, about all that is stored after this returns. Whether it was disabled until
        now."""
        changed = self._database.modify(ENABLE, (name,)) == 1
        self._await_news_writers()
        return changed

    def _await_news_writers(self) -> None:
        """Wait for the transactions that cannot know of a webhook that was stored just now; all that begin later do."""
        await_writers(partial(self._database.writers, "webhook_news"), NEWS_WRITERS_SECONDS)

    def _hook(self, row: Row) -> Webhook:
        stored = Webhook(*row)
        secret = self._encryption.require().decrypt("webhooks", stored.id, 0, stored.secret)
        return stored._replace(types=tuple(orjson.loads(row[4])), secret=secret)

    # from news to deliveries

    def news(self, most: int) -> list[News]:
        """List the news of which no deliveries have been made: of each match and tournament in the order of its log."""
        return [News(*row) for row in self._database.query(NEWS, (most,))]

    def replace_news(self, news: Sequence[News], deliveries: Sequence[Delivery], at: str) -> None:
        """Store deliveries in the place of news, in one transaction; those that there are already stay as they are."""
        lanes = dict.fromkeys([(each.webhook, each.subject, at) for each in deliveries])
        steps = [Step(DELIVER, deliveries, Conflict), Step(LENGTHEN, list(lanes), Conflict)] if deliveries else []
        self._database.write([*steps, Step(TOLD, [each[:3] for each in news], Conflict)])

    def enqueue(self, delivery: Delivery) -> None:
        """Store a delivery that no news has led to."""
        lane = (delivery.webhook, delivery.subject, delivery.created)
        self._database.write([Step(DELIVER, (delivery,), Conflict), Step(LENGTHEN, (lane,), Conflict)])

    # lanes

    def due(self, at: str, most: int, busy: Sequence[str] = (), full: Sequence[str] = ()) -> list[Lane]:
        """List lanes that are due and that nobody holds, the longest due first; none of the ``busy`` webhooks, nor of
        those of the ``full`` accounts."""
        others = (NOT_OF.format(_places(busy)) if busy else "") + (NOT_BY.format(_places(full)) if full else "")
        return [Lane(*row) for row in self._database.query(DUE_LANES.format(others), (at, *busy, *full, most))]

    def hold(self, lane: Lane, holder: str, until: str) -> bool:
        """Take a lane until then; tell whether the holder has it. Nobody else has it then, as long as clocks agree."""
        return self._database.modify(HOLD, (until, holder, lane.webhook, lane.subject, lane.due)) == 1

    def lane(self, webhook: str, subject: str) -> Lane | None:
        """Read a lane as it is now."""
        found = self._database.query(ONE_LANE, (webhook, subject))
        return Lane(*found[0]) if found else None

    def head(self, lane: Lane) -> Delivery | None:
        """Read the oldest delivery of a lane that waits."""
        found = self._database.query(HEAD, (lane.webhook, lane.subject))
        return Delivery(*found[0]) if found else None

    def release(self, lane: Lane, holder: str, due: str) -> None:
        """Release a lane: whoever comes at ``due`` may take it."""
        self._database.modify(RELEASE, (due, lane.webhook, lane.subject, holder))

    def finish(self, lane: Lane, holder: str) -> bool:
        """Finish a lane that was found empty; tell whether it still is, with nothing added since it was read."""
        return self._database.modify(FINISH, (lane.webhook, lane.subject, holder, lane.news)) == 1

    def record(self, delivery: Delivery, holder: str, due: str, *, keeps: bool) -> bool:
        """Store how an attempt has ended, as the delivery says it. The lane is then due at ``due``, and still the
        holder's where it ``keeps`` it. Whether it was the holder's until now: if not, another goes on, but what was
        taken counts."""
        put = (delivery.state, delivery.tried, delivery.status, delivery.fault, delivery.settled, delivery.id)
        lane = (due, delivery.webhook, delivery.subject, holder)
        try:
            self._database.write(
                [
                    Step(KEEP if keeps else RELEASE, (lane,), Conflict, must_change=True),
                    Step(RECORD, (put,), Conflict),
                ]
            )
        except Conflict:
            if delivery.state == "delivered":
                self._database.modify(RECORD, put)
            return False
        return True

    def mark_working(self, webhook: str) -> None:
        """Note that a webhook has taken a message, after it had failed."""
        self._database.modify(MARK_WORKING, (webhook,))

    def mark_failing(self, webhook: str, at: str) -> None:
        """Note that a webhook has not taken a message."""
        self._database.modify(MARK_FAILING, (at, webhook))

    # deliveries

    def delivery(self, webhook: str, name: str) -> Delivery | None:
        """Read a delivery, or ``None``."""
        found = self._database.query(ONE_DELIVERY, (webhook, name))
        return Delivery(*found[0]) if found else None

    def deliveries(self, page: DeliveryPage) -> list[Delivery]:
        """List at most ``limit`` deliveries, newest first."""
        return [Delivery(*row) for row in self._database.query(*_paged(page))]

    def retry(self, delivery: Delivery, at: str) -> None:
        """Send a delivery again now, under its own id, before whatever of its lane waits."""
        lane = (delivery.webhook, delivery.subject, at)
        again = Step(SEND_AGAIN, ((delivery.webhook, delivery.id),), Conflict)
        self._database.write([again, Step(HURRY, (lane,), Conflict)])

    def forget(self, before: str) -> int:
        """Delete the deliveries that were settled before then, and tell how many those were."""
        forgotten = self._database.modify(FORGET, (before,))
        self._database.modify(FORGET_LANES)
        return forgotten

    def backlog(self) -> Backlog:
        """Count the deliveries that wait."""
        return Backlog(*self._database.query(WAITING)[0])


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
    query = f"SELECT {DELIVERY} FROM webhook_deliveries WHERE {where} ORDER BY created DESC, id DESC LIMIT ?"
    return query, (*put, page.limit)
