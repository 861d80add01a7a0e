"""What ``gyoji audit`` holds in memory of a file."""

import tracemalloc

from gyoji.bulk.sources import WHOLE, lines_in_memory


def test_a_large_file_in_an_archive_is_not_kept_as_lines() -> None:
    """Of 64 MiB of empty lines, in an archive made for it, the lines would take more than a gigabyte."""
    body = b"x\n" * WHOLE
    tracemalloc.start()
    try:
        lines = lines_in_memory(body)
        assert next(iter(lines())) == next(iter(lines())) == b"x\n"
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < len(body)
    assert sum(1 for _ in lines()) == WHOLE
