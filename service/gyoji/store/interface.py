"""The face of the room ``store``: the store itself, and the types that it takes, returns and raises."""

from gyoji.store.keys import ApiKey, SigningKey
from gyoji.store.records import (
    CAUSES,
    NO_OPTIONS,
    AppendOptions,
    Cause,
    Conflict,
    Head,
    IdempotencyRecord,
    KeyTaken,
    Listing,
    Match,
    NewMatch,
    Remembered,
    Restored,
    Seating,
    Status,
    Unavailable,
    Unreadable,
    WrongKey,
)
from gyoji.store.sql_store import Store

__all__ = (
    "CAUSES",
    "NO_OPTIONS",
    "ApiKey",
    "AppendOptions",
    "Cause",
    "Conflict",
    "Head",
    "IdempotencyRecord",
    "KeyTaken",
    "Listing",
    "Match",
    "NewMatch",
    "Remembered",
    "Restored",
    "Seating",
    "SigningKey",
    "Status",
    "Store",
    "Unavailable",
    "Unreadable",
    "WrongKey",
)
