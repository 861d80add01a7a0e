"""The operations of the service, each in one row: the table that routes, rights, metrics and the contract are made
from. The order is that of the contract."""

from collections.abc import Mapping

from gyoji.api.operation import Operation
from gyoji.api.operations.catalogue import CATALOGUE, STATELESS
from gyoji.api.operations.matches import GROUPS, MATCHES, REPLAYS
from gyoji.api.operations.service import METRICS, PAGES, PUBLISHED_PAGES, SERVICE
from gyoji.api.operations.tournaments import TOURNAMENTS
from gyoji.api.operations.transparency_log import TRANSPARENCY_LOG
from gyoji.api.operations.webhooks import WEBHOOKS

ROWS: tuple[Operation, ...] = (
    *CATALOGUE,
    *SERVICE,
    *PUBLISHED_PAGES,
    *STATELESS,
    *MATCHES,
    *GROUPS,
    *REPLAYS,
    *METRICS,
    *TOURNAMENTS,
    *WEBHOOKS,
    *TRANSPARENCY_LOG,
    *PAGES,
)

OPERATIONS: Mapping[str, Operation] = {row.name: row for row in ROWS}
"""By name."""
