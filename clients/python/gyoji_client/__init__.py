"""A client for gyoji, the referee of tabletop card games."""

from gyoji_client.answers import SeatToken
from gyoji_client.asynchronous import (
    AsyncGyoji,
    AsyncMatch,
    AsyncSeat,
    AsyncTournament,
    AsyncTurn,
)
from gyoji_client.errors import (
    BadReceipt,
    ClaimRefused,
    FeedReset,
    Forbidden,
    GyojiError,
    IllegalMove,
    ImpossibleState,
    InvalidRequest,
    MatchFinished,
    MatchNotRunning,
    NotFound,
    Problem,
    ReplayRefused,
    RulingRefused,
    StalePosition,
    TokenExpired,
    Unauthenticated,
    Unreachable,
)
from gyoji_client.receipts import check_receipt
from gyoji_client.retries import Retries
from gyoji_client.synchronous import Gyoji, Match, Seat, Tournament, Turn

__version__ = "0.1.0"

__all__ = [
    "AsyncGyoji",
    "AsyncMatch",
    "AsyncSeat",
    "AsyncTournament",
    "AsyncTurn",
    "BadReceipt",
    "ClaimRefused",
    "FeedReset",
    "Forbidden",
    "Gyoji",
    "GyojiError",
    "IllegalMove",
    "ImpossibleState",
    "InvalidRequest",
    "Match",
    "MatchFinished",
    "MatchNotRunning",
    "NotFound",
    "Problem",
    "ReplayRefused",
    "Retries",
    "RulingRefused",
    "Seat",
    "SeatToken",
    "StalePosition",
    "TokenExpired",
    "Tournament",
    "Turn",
    "Unauthenticated",
    "Unreachable",
    "check_receipt",
]
