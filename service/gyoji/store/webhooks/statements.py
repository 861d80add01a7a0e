"""The SQL of webhooks, their lanes and their deliveries; the tables are those of ``gyoji.store.schema.webhooks``."""

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

DUE = """SELECT l.webhook, l.subject, l.due, l.holder, l.news, w.owner
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
AGAIN = """UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, settled = NULL
WHERE webhook = ? AND id = ?"""
FORGET = "DELETE FROM webhook_deliveries WHERE settled < ?"
FORGET_LANES = """DELETE FROM webhook_lines WHERE due IS NULL AND holder IS NULL AND NOT EXISTS
(SELECT 1 FROM webhook_deliveries AS d WHERE d.webhook = webhook_lines.webhook AND d.subject = webhook_lines.subject)"""
WAITING = "SELECT count(*), min(created) FROM webhook_deliveries WHERE state = 'waiting'"
