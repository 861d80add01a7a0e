"""Who has how many of the places in which lines are carried: so that no account, and no webhook, has all of them."""

from collections import Counter
from collections.abc import Iterable, Mapping

from gyoji.store.webhooks.records import Lane

AT_ONCE = 16
"""Lines that are carried at a time. An account gets one more while it has fewer than are free: one that wants all of
them gets half, two in turn get a half and a quarter, and even four leave a place to the next."""

AT_ONCE_EACH = 4
"""Of one webhook; of one that is ill, one."""

AT_ONCE_ILL = 4
"""Of the webhooks of one account that are ill, so that its others get through."""


class Shares:
    """The places that are taken, and which more may be."""

    def __init__(self, carried: Iterable[Lane], ill: Mapping[str, str]) -> None:
        """``ill`` has the accounts of the webhooks that fail, or take long."""
        self._ill = ill
        self._of_account: Counter[str | None] = Counter()
        self._of_webhook: Counter[str] = Counter()
        self._of_ill: Counter[str | None] = Counter()
        for line in carried:
            self._count(line)

    @property
    def free(self) -> int:
        """Places that nobody has."""
        return AT_ONCE - self._of_account.total()

    def take(self, line: Lane) -> bool:
        """Whether the line has a place now."""
        if line.webhook in self.busy() or self._is_full(line.owner):
            return False
        self._count(line)
        return True

    def busy(self) -> list[str]:
        """The webhooks that get no more places now, whatever their accounts have."""
        busy = [webhook for webhook, lines in self._of_webhook.items() if lines >= self._most(webhook)]
        return busy + [webhook for webhook, owner in self._ill.items() if self._of_ill[owner] >= AT_ONCE_ILL]

    def full(self) -> list[str]:
        """The accounts that get no more."""
        return [owner for owner in self._of_account if owner is not None and self._is_full(owner)]

    def _is_full(self, owner: str | None) -> bool:
        return self._of_account[owner] >= self.free

    def _most(self, webhook: str) -> int:
        return 1 if webhook in self._ill else AT_ONCE_EACH

    def _count(self, line: Lane) -> None:
        self._of_account[line.owner] += 1
        self._of_webhook[line.webhook] += 1
        if line.webhook in self._ill:
            self._of_ill[line.owner] += 1
