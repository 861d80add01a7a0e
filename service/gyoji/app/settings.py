"""Settings of the service, read once when it starts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gyoji.access.keys import is_operator_key
from gyoji.access.variables import WrongVariable, secret

DEFAULT_STORE = "sqlite:///gyoji.db"
SERVERS = ("gunicorn", "granian")
WEBHOOKS_TO = ("public", "anywhere")
TOKEN_DAYS = 30
CAPSULE_HOURS = 24


class WrongSetting(Exception):
    """A setting that cannot be; the text names it and says what was expected, never its value."""


@dataclass(frozen=True)
class Settings:
    """What an operator sets. Secrets do not show in its ``repr``."""

    store: str = DEFAULT_STORE
    store_key: str | None = field(default=None, repr=False)
    """64 hex digits; ``None``: a key file beside the SQLite database."""
    operator_key: str | None = field(default=None, repr=False)
    origin: str = "gyoji"
    """The name under which receipts and heads are signed."""
    trust: str | None = None
    """A file of public keys, beside the service's own, that imported replays may be signed with."""
    token_days: int = TOKEN_DAYS
    threads: int = 8
    """Threads of a worker; at most half of them are lent to streams."""

    capsule_keys: str | None = None
    """A file of the keys that capsules are sealed with; ``None``: one that the store key leads to."""
    capsule_hours: int = CAPSULE_HOURS

    webhooks: bool = True
    """Whether the service starts a process that delivers to webhooks."""
    webhooks_to: str = "public"
    """Where they may lead: ``public`` addresses by HTTPS, or ``anywhere``, for development."""

    store_connections: int | None = None
    """Connections to PostgreSQL that the threads of a process share; ``None``: each thread has its own."""
    store_replica: str | None = field(default=None, repr=False)
    """A copy of the PostgreSQL database, where what cannot change any more is read."""
    store_listen: str | None = field(default=None, repr=False)
    """PostgreSQL itself, where ``store`` leads to something before it that lends connections."""

    archive: str | None = None
    """The URL of the place that closed matches were archived to."""

    proxies: int = 0
    """Proxies before the service, each of which appends to ``X-Forwarded-For``; without one that says nothing."""

    marker: str | None = None
    """A file outside the database that names what was stored last; ``None``: beside an SQLite database."""

    migrates: bool = True
    """Whether a start brings the schema of the store up to date; else it demands that somebody has."""

    def __post_init__(self) -> None:
        if self.operator_key is not None and not is_operator_key(self.operator_key):
            raise WrongSetting("GYOJI_OPERATOR_KEY: expected 32 to 256 visible ASCII characters")
        if not 1 <= len(self.origin) <= 200 or not self.origin.isprintable():
            raise WrongSetting("GYOJI_ORIGIN: expected 1 to 200 printable characters")
        if self.webhooks_to not in WEBHOOKS_TO:
            raise WrongSetting("GYOJI_WEBHOOKS_TO: expected public or anywhere")


def from_environment(environment: Mapping[str, str]) -> Settings:
    """The settings that ``GYOJI_…`` variables give, secrets also by files: ``GYOJI_…_FILE``."""
    try:
        return _settings(environment)
    except WrongVariable as wrong:
        raise WrongSetting(str(wrong)) from None


def _settings(environment: Mapping[str, str]) -> Settings:
    return Settings(
        store=secret("GYOJI_STORE", environment) or DEFAULT_STORE,
        store_key=secret("GYOJI_STORE_KEY", environment),
        operator_key=secret("GYOJI_OPERATOR_KEY", environment),
        origin=environment.get("GYOJI_ORIGIN", "gyoji"),
        trust=environment.get("GYOJI_TRUST") or None,
        token_days=int(environment.get("GYOJI_TOKEN_DAYS", TOKEN_DAYS)),
        store_connections=_number(environment.get("GYOJI_STORE_CONNECTIONS")),
        store_replica=secret("GYOJI_STORE_REPLICA", environment),
        store_listen=secret("GYOJI_STORE_LISTEN", environment),
        threads=int(environment.get("GYOJI_THREADS", "8")),
        capsule_keys=environment.get("GYOJI_CAPSULE_KEYS") or None,
        capsule_hours=int(environment.get("GYOJI_CAPSULE_HOURS", CAPSULE_HOURS)),
        webhooks=environment.get("GYOJI_WEBHOOKS", "on") != "off",
        webhooks_to=environment.get("GYOJI_WEBHOOKS_TO", "public"),
        archive=environment.get("GYOJI_ARCHIVE") or None,
        proxies=int(environment.get("GYOJI_PROXIES", "0")),
        marker=environment.get("GYOJI_MARKER") or None,
        migrates=environment.get("GYOJI_MIGRATE", "on") != "off",
    )


def _number(text: str | None) -> int | None:
    return int(text) if text else None
