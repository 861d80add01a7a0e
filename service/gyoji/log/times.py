"""This module computes with the times that logs write (RFC 3339, UTC, milliseconds), without any clock."""

DAY = 24 * 60 * 60
DAY_MS = DAY * 1000
FOUR_CENTURIES = 146_097
"""Days after which the Gregorian calendar repeats itself."""
WRITTEN = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z"
"""The form of a time, as the contract states it; ``parser`` says which of these texts are times."""
FIRST, LAST = "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"
"""The first and the last time that can be written."""


def later(at: str, seconds: int) -> str | None:
    """Return the time so many whole seconds after a time of a log; ``None`` if there is no such time."""
    year, month, day = int(at[:4]), int(at[5:7]), int(at[8:10])
    hour, minute, second = int(at[11:13]), int(at[14:16]), int(at[17:19])
    days = _days(year, month, day)
    if _date(days) != (year, month, day) or hour > 23 or minute > 59 or second > 59:
        return None
    more, rest = divmod((hour * 60 + minute) * 60 + second + seconds, DAY)
    year, month, day = _date(days + more)
    if not 0 <= year <= 9999:
        return None
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{year:04}-{month:02}-{day:02}T{clock}{at[19:]}"


def instant(at: str) -> int:
    """Return a time of a log as a count of milliseconds, such that a later time is a greater count."""
    days = _days(int(at[:4]), int(at[5:7]), int(at[8:10]))
    seconds = (int(at[11:13]) * 60 + int(at[14:16])) * 60 + int(at[17:19])
    return days * DAY_MS + seconds * 1000 + int(at[20:23])


def written_instant(ms: int) -> str:
    """Write a count of milliseconds as a time of a log; the first or the last one where it lies beyond."""
    days, of_day = divmod(min(max(ms, instant(FIRST)), instant(LAST)), DAY_MS)
    year, month, day = _date(days)
    seconds, rest = divmod(of_day, 1000)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{year:04}-{month:02}-{day:02}T{clock}.{rest:03}Z"


def _days(year: int, month: int, day: int) -> int:
    """Days since the first of March of the year 0; a year begins with March, so that the leap day is its last."""
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 1


def _date(days: int) -> tuple[int, int, int]:
    """The year, month and day so many days later."""
    era, of_era = divmod(days, FOUR_CENTURIES)
    year = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    return (400 * era + year, month + 3, day) if month < 10 else (400 * era + year + 1, month - 9, day)
