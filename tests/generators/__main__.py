"""Lints the checkout's contract, makes clients of it with several generators, sees that they are whole and sound, and
has each play against a server.

usage: make clients
       PYTHONPATH=tests python -m generators [NAME...]
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from yaml import CSafeLoader, load

from generators.clients import CLIENTS, Client
from generators.commands import Fault, run, warnings
from generators.linters import LINTERS, lint
from generators.places import CONTRACT, lay
from generators.reference import SEED, Document, compare, played
from generators.templates import mend
from operators import OPERATOR_KEY
from servers import Server, serving


def operations() -> list[str]:
    """List the operations of the contract by their ids."""
    paths = load(CONTRACT.read_bytes(), CSafeLoader)["paths"]
    return [each["operationId"] for path in paths.values() for each in path.values() if "operationId" in each]


def make(client: Client, place: Path) -> str:
    """Make a client and see that nothing is left out of it; say what it has."""
    mend(place, client.mends)
    said = warnings(run(client.generate, place), client.known)
    if said:
        raise Fault("\n".join(["the generator warns:", *said]))
    wanted = [client.spelled(each) for each in operations()]
    left_out = {*wanted} - client.calls(place)
    if left_out:
        raise Fault(f"{len(left_out)} of {len(wanted)} calls are left out: {', '.join(sorted(left_out))}")
    return f"{len(wanted)} of {len(wanted)} calls, no warning"


def play(client: Client, place: Path, server: Server, expected: list[Document]) -> str:
    """Check and compile a client, and have it play; say what it has played."""
    for command in client.check:
        run(command, place)
    told = (f"http://127.0.0.1:{server.port}", OPERATOR_KEY, SEED)
    moves = compare(server, expected, run((*client.play, *told), place))
    return f"types hold, {len(expected)} games and {len(expected)} stored matches played in {moves} moves"


def try_out(client: Client, server: Server, expected: list[Document]) -> str:
    """Make a client and play with it; say what came of it."""
    place = lay(client.name)
    return f"{make(client, place)}; {play(client, place, server, expected)}"


def holds(name: str, trial: Callable[[], str]) -> bool:
    """Print in a line what came of one trial, or what is at fault; tell whether it went well."""
    try:
        print(f"{name}: {trial()}", flush=True)
    except Fault as fault:
        print(f"{name}: FAULT: {fault}", flush=True)
        return False
    return True


def main(names: list[str]) -> int:
    """Try all linters and clients, or these of them; the exit status."""
    clients: Mapping[str, Client] = {client.name: client for client in CLIENTS}
    unknown = [name for name in names if name not in {*LINTERS, *clients}]
    if unknown:
        print(f"{', '.join(unknown)}: not among {', '.join([*LINTERS, *clients])}", file=sys.stderr)
        return 2
    well = [holds(name, partial(lint, name)) for name in LINTERS if name in names or not names]
    wanted = [client for client in CLIENTS if client.name in names or not names]
    if wanted:
        with serving() as server:
            expected = played(server)
            well += [holds(client.name, partial(try_out, client, server, expected)) for client in wanted]
    return 0 if all(well) else 1


sys.exit(main(sys.argv[1:]))
