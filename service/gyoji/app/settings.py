"""Declares the settings of the service, each once: its type, its default, what it may be, and its help.

The options of ``gyoji serve``, the ``GYOJI_…`` variables and the table of the README are made from ``SETTINGS``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple

from gyoji.access.keys import is_operator_key
from gyoji.access.variables import SECRETS, InvalidVariable, read_secret
from gyoji.players.players import PLAYERS

SWITCH = ("on", "off")
OPERATING_GUIDE = "docs/operating.md"

NO_ORIGIN = "off"
NO_BOTS = "off"
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
"""An origin as browsers write it: in lower case, no path, no port where it is the usual one."""


class WrongSetting(Exception):
    """The value of a setting is not allowed; the text names the setting and what was expected, never the value."""


class Setting(NamedTuple):
    """One setting, as it is declared."""

    name: str
    """Its attribute of ``Settings``."""
    kind: Literal["text", "number", "switch", "flag"]
    """A switch is ``on`` or ``off`` everywhere; a flag is an option with a ``--no-`` form."""
    default: Any
    help: str
    """What it does, for the option and for the README."""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    guide: str | None = None
    """Where the documents say more."""

    @property
    def option(self) -> str:
        """Return the option of ``gyoji serve``."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """Return the variable of the environment."""
        return "GYOJI_" + self.name.upper()

    @property
    def is_secret(self) -> bool:
        """Return whether its value may be a secret, so that a file can hold it."""
        return self.variable in SECRETS

    def parse(self, environment: Mapping[str, str]) -> Any:
        """Return the value of the setting in the environment, else its default. Raises ``WrongSetting``."""
        text = read_secret(self.variable, environment) if self.is_secret else environment.get(self.variable)
        if not text:
            return self.default
        if self.kind in {"switch", "flag"}:
            return text != "off"
        return self._number(text) if self.kind == "number" else text

    def _number(self, text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and self.least <= int(text) <= self.most):
            raise WrongSetting(f"{self.variable}: expected a number from {self.least} to {self.most}")
        return int(text)


def _text(
    default: str | None,
    text: str,
    metavar: str | None = None,
    *choices: str,
    guide: str | None = None,
    shown: bool = True,
) -> Any:
    """Declare a setting that is a text; one that is not ``shown`` is left out of the ``repr`` of ``Settings``."""
    declared = {"kind": "text", "help": text, "metavar": metavar, "choices": choices, "guide": guide}
    return field(default=default, repr=shown, metadata=declared)


def _number(default: int | None, least: int, most: int, text: str, guide: str | None = None) -> Any:
    """Declare a setting that is a whole number."""
    return field(
        default=default, metadata={"kind": "number", "help": text, "least": least, "most": most, "guide": guide}
    )


def _switch(kind: Literal["switch", "flag"], text: str, guide: str | None = None) -> Any:
    """Declare a setting that is on unless it is switched off."""
    choices = SWITCH if kind == "switch" else ()
    return field(default=True, metadata={"kind": kind, "help": text, "choices": choices, "guide": guide})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What an operator sets. Secrets do not show in its ``repr``."""

    host: str = _text("127.0.0.1", "The address to listen on.")
    port: int = _number(8000, 0, 65535, "The port to listen on; 0 is any that is free.")
    workers: int = _number(2, 1, 256, "Processes.")
    threads: int = _number(8, 1, 256, "Threads in each process: so many requests are answered at a time.")
    affinity: bool = _switch(
        "switch",
        "on: each worker keeps to one processor, where there are as many workers as processors. off: none does.",
        f"{OPERATING_GUIDE}#processors",
    )
    proxies: int = _number(
        0,
        0,
        10,
        "Proxies before the service that append to X-Forwarded-For, which tells apart who has no credential.",
        f"{OPERATING_GUIDE}#who-gets-a-stream",
    )
    cors_origin: str = _text(
        "*",
        "Whose pages may call the service from a browser: origins such as https://example.org, separated by commas; "
        "* for any, off for none.",
        "ORIGINS",
        guide=f"{OPERATING_GUIDE}#pages-of-other-origins",
    )
    server: str = _text(
        "gunicorn",
        "Whose HTTP the workers speak; granian takes the extra of that name.",
        None,
        "gunicorn",
        "granian",
        guide=f"{OPERATING_GUIDE}#servers",
    )
    log_level: str = _text(
        "info",
        "What the server says of itself; requests are always logged.",
        None,
        *("debug", "info", "warning", "error"),
    )
    store: str = _text(
        "sqlite:///gyoji.db",
        "Where matches are kept: sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE.",
        "URL",
        shown=False,
    )
    store_connections: int | None = _number(
        None,
        1,
        1000,
        "Connections to PostgreSQL that the threads of a process share. Default: each thread has its own.",
    )
    store_replica: str | None = _text(
        None, "A standby of the PostgreSQL database, where what cannot change any more is read.", "URL", shown=False
    )
    store_listen: str | None = _text(
        None,
        "PostgreSQL itself, where --store leads to a pooler before it: there news is listened for.",
        "URL",
        shown=False,
    )
    archive: str | None = _text(
        None,
        "Where gyoji store archive has put closed matches: s3://BUCKET/PREFIX, gs://, file:///FOLDER, a folder.",
        "URL",
        guide=f"{OPERATING_GUIDE}#retention-and-archive",
    )
    store_key: str | None = _text(
        None,
        "64 hex digits that secrets at rest are encrypted with. Default: a key file beside the SQLite database. "
        "Better given as a variable, or in a file, than on the command line.",
        "HEX",
        shown=False,
    )
    marker: str | None = _text(
        None,
        "A file outside the database that names what was stored last, so that a database that has gone back is known. "
        "Default: beside the SQLite database; with PostgreSQL none.",
        "FILE",
        guide=f"{OPERATING_GUIDE}#after-a-restore",
    )
    operator_key: str | None = _text(
        None,
        "A first operator's key with every scope: 32 to 256 visible ASCII characters. "
        "Better given as a variable, or in a file, than on the command line.",
        "KEY",
        shown=False,
    )
    origin: str = _text("gyoji", "The name that receipts and heads are signed under.", "NAME")
    trust: str | None = _text(
        None,
        "Public keys, as GET /v1/keys gives them, that imported replays may be signed with beside the service's own.",
        "FILE",
    )
    token_days: int = _number(30, 1, 3650, "Days that the token of a seat is valid for.")
    capsule_keys: str | None = _text(
        None,
        "Keys that sealed positions are encrypted with: 64 hex digits a line, the newest last, which seals. "
        "Default: one made from the store key.",
        "FILE",
    )
    capsule_hours: int = _number(24, 1, 8760, "Hours that a sealed position can be played on for.")
    webhooks: bool = _switch(
        "switch",
        "on: a process beside the workers delivers to webhooks. off: gyoji webhooks run does, if anything.",
    )
    webhooks_to: str = _text(
        "public",
        "Where webhooks may lead: public addresses, by https; anywhere, by http too, is for development.",
        None,
        "public",
        "anywhere",
    )
    bots: str = _text(
        NO_BOTS,
        f"Players that may be given seats, and are played by a process beside the workers: {', '.join(PLAYERS)}, "
        "separated by commas; off for none.",
        "NAMES",
        guide=f"{OPERATING_GUIDE}#bots",
    )
    migrate: bool = _switch(
        "flag",
        "Bring the schema of the store up to date first; or (--no-migrate, off) start only if gyoji store migrate has.",
        f"{OPERATING_GUIDE}#upgrades",
    )

    def __post_init__(self) -> None:
        if self.operator_key is not None and not is_operator_key(self.operator_key):
            raise WrongSetting("GYOJI_OPERATOR_KEY: expected 32 to 256 visible ASCII characters")
        if not 1 <= len(self.origin) <= 200 or not self.origin.isprintable():
            raise WrongSetting("GYOJI_ORIGIN: expected 1 to 200 printable characters")
        if self.cors_origins != ("*",) and not all(map(ORIGIN.fullmatch, self.cors_origins)):
            raise WrongSetting("GYOJI_CORS_ORIGIN: expected *, off, or origins such as https://example.org and commas")
        if not set(self.players) <= PLAYERS.keys():
            raise WrongSetting(f"GYOJI_BOTS: expected off, or some of {', '.join(PLAYERS)} and commas")
        for name, setting in SETTINGS.items():
            if setting.kind == "text" and setting.choices and getattr(self, name) not in setting.choices:
                raise WrongSetting(f"{setting.variable}: expected {' or '.join(setting.choices)}")

    @property
    def cors_origins(self) -> tuple[str, ...]:
        """Return the origins whose pages may call the service from a browser; ``*`` alone stands for any."""
        if self.cors_origin == NO_ORIGIN:
            return ()
        return tuple(dict.fromkeys(origin.strip() for origin in self.cors_origin.split(",")))

    @property
    def players(self) -> tuple[str, ...]:
        """Return the players that seats may be given to."""
        return () if self.bots == NO_BOTS else tuple(dict.fromkeys(name.strip() for name in self.bots.split(",")))


SETTINGS: dict[str, Setting] = {
    declared.name: Setting(name=declared.name, default=declared.default, **declared.metadata)
    for declared in fields(Settings)
}
"""Every setting by its name, in the order in which they are listed."""


def settings_from(environment: Mapping[str, str]) -> Settings:
    """Return the settings that ``GYOJI_…`` variables give, secrets also by files: ``GYOJI_…_FILE``."""
    try:
        return Settings(**{name: setting.parse(environment) for name, setting in SETTINGS.items()})
    except InvalidVariable as wrong:
        raise WrongSetting(str(wrong)) from None
