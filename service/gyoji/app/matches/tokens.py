"""Tokens of seats, spectators and directors as the service issues them."""

from gyoji.access.tokens import Holder, expiry, issue
from gyoji.app.services import Services
from gyoji.store.interface import Seating

DAY = 24 * 60 * 60


def expires_at(services: Services, seating: Seating) -> int:
    """When tokens of the seating's epoch expire, in Unix seconds."""
    return expiry(seating, services.settings.token_days * DAY)


def issue_token(services: Services, match: str, holder: Holder, seating: Seating) -> str:
    """The token of the seating's epoch: the same whenever it is issued."""
    return issue(services.store.token_key(), match, holder, seating.epoch, expires_at(services, seating))
