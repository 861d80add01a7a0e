"""Times of logs: the calendar of the standard library, without it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.log.times import instant, later, written_instant


def written(then: datetime) -> str:
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


LAST = datetime(9999, 12, 1, tzinfo=UTC)


@given(st.timedeltas(timedelta(0), LAST - datetime.min.replace(tzinfo=UTC)), st.integers(0, 604_800))
def test_seconds_later(before: timedelta, seconds: int) -> None:
    then = LAST - before
    assert later(written(then), seconds) == written(then + timedelta(seconds=seconds))


@pytest.mark.parametrize("year", [1898, 1998, 2098, 2398])
def test_every_day_of_five_years(year: int) -> None:
    """Around the turn of centuries, with their leap day and without."""
    then = datetime(year, 1, 1, 23, 59, 59, 7000, UTC)
    for _ in range(5 * 366):
        tomorrow = then + timedelta(days=1)
        assert later(written(then), 86_400) == written(tomorrow)
        then = tomorrow


@pytest.mark.parametrize(
    ("at", "seconds", "expected"),
    [
        ("2026-02-28T23:59:59.250Z", 604_800, "2026-03-07T23:59:59.250Z"),
        ("2000-02-28T23:59:59.000Z", 1, "2000-02-29T00:00:00.000Z"),
        ("2100-02-28T23:59:59.000Z", 1, "2100-03-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59.000Z", 0, "9999-12-31T23:59:59.000Z"),
        ("9999-12-31T23:59:59.000Z", 1, None),
        ("2026-02-29T00:00:00.000Z", 1, None),
        ("2026-13-01T00:00:00.000Z", 1, None),
        ("2026-00-01T00:00:00.000Z", 1, None),
        ("2026-04-31T00:00:00.000Z", 1, None),
        ("2026-04-00T00:00:00.000Z", 1, None),
        ("2026-19-39T00:00:00.000Z", 1, None),
        ("2026-01-01T24:00:00.000Z", 1, None),
        ("2026-01-01T00:60:00.000Z", 1, None),
        ("2026-01-01T00:00:60.000Z", 1, None),
    ],
)
def test_times_that_are_there_and_that_are_not(at: str, seconds: int, expected: str | None) -> None:
    assert later(at, seconds) == expected


MOMENTS = st.datetimes(datetime.min, datetime.max).map(  # noqa: DTZ901 - whatever the calendar has
    lambda then: then.replace(microsecond=then.microsecond // 1000 * 1000, tzinfo=UTC)
)


@given(MOMENTS, MOMENTS)
def test_counts_of_milliseconds(one: datetime, other: datetime) -> None:
    between = (other - one) // timedelta(milliseconds=1)
    assert instant(written(other)) - instant(written(one)) == between
    assert written_instant(instant(written(one)) + between) == written(other)


def test_a_count_beyond_the_calendar_is_its_first_or_last_time() -> None:
    first, last = "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"
    assert written_instant(instant(last) + 1) == last
    assert written_instant(10**18) == last
    assert written_instant(instant(first) - 1) == first
    assert (written_instant(instant(first)), written_instant(instant(last))) == (first, last)
