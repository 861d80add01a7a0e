"""Where the time goes, of everything that a goal speaks of."""

from benchmarks.effort import Effort
from benchmarks.parts.audits import of_audits
from benchmarks.parts.calls import of_calls
from benchmarks.parts.moves import of_moves
from benchmarks.parts.rules import of_rules
from benchmarks.parts.start import of_start
from benchmarks.splits import Split


def measure(effort: Effort) -> list[Split]:
    """One whole after the other, each with its parts by turns."""
    return [*of_rules(effort), *of_calls(effort), *of_moves(effort), *of_audits(effort), *of_start(effort)]
