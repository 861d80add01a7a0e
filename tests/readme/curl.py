"""Does what the documents ask of curl, for machines without it: -sS, -X, -H, -d and a URL."""

import argparse
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def main() -> None:
    """Print the answer, whatever its status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("-sS", action="store_true")
    parser.add_argument("-X")
    parser.add_argument("-H", action="append", default=[])
    parser.add_argument("-d")
    given = parser.parse_args()
    body = None if given.d is None else Path(given.d[1:]).read_bytes() if given.d[0] == "@" else given.d.encode()
    try:
        with urlopen(
            Request(given.address, body, dict(header.split(": ", 1) for header in given.H), method=given.X)
        ) as answer:
            sys.stdout.buffer.write(answer.read())
    except HTTPError as refused:
        with refused:
            sys.stdout.buffer.write(refused.read())


if __name__ == "__main__":
    main()
