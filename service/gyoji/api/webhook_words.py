"""Vocabulary of webhooks: types of messages, states of deliveries, reasons why a message was not taken. No shapes are
needed."""

TYPES = (
    "match.created",
    "match.moved",
    "match.clock_expired",
    "match.ruled",
    "match.finished",
    "match.decision_needed",
    "round.paired",
    "standings.changed",
)
"""What a webhook can be told of. The order is that of messages which tell of one event: their place is fixed by it."""

TEST = "webhook.test"
"""What it is told of when its owner asks for a test."""

STATES = ("waiting", "delivered", "given_up")

FAULTS = (
    "bad-url",
    "no-https",
    "address-not-allowed",
    "unresolved",
    "refused",
    "timeout",
    "tls",
    "connection",
    "no-http",
    "redirect",
    "status",
    "gone",
    "disabled",
)
"""Why a message was not taken: of a closed set, for what a receiver answers is not repeated."""

REASONS = ("failing", "gone")
"""Why a webhook is told nothing any more."""

MESSAGE = "msg_[0-9a-f]{32}"
"""The id of a delivery."""

LONGEST_URL = 2000
URL = rf"[\x21-\x7e]{{1,{LONGEST_URL}}}"
"""What a URL is written with; whether it leads anywhere is asked later."""
MOST_WEBHOOKS = 20
"""Of an account."""
