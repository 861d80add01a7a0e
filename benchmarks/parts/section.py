"""The section that splits everything that a goal speaks of."""

from benchmarks.effort import Effort
from benchmarks.parts.audits import split_audits
from benchmarks.parts.calls import split_calls
from benchmarks.parts.moves import split_moves
from benchmarks.parts.rules import split_rules
from benchmarks.parts.start import split_start
from benchmarks.splits import Split


def measure(effort: Effort) -> list[Split]:
    """Split one whole after the other, each with its parts by turns."""
    return [
        *split_rules(effort),
        *split_calls(effort),
        *split_moves(effort),
        *split_audits(effort),
        *split_start(effort),
    ]
