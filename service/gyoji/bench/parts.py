"""Where the time goes, of everything that a goal speaks of."""

from gyoji.bench.effort import Effort
from gyoji.bench.parts_audits import of_audits
from gyoji.bench.parts_calls import of_calls
from gyoji.bench.parts_moves import of_moves
from gyoji.bench.parts_rules import of_rules
from gyoji.bench.parts_start import of_start
from gyoji.bench.splits import Split


def measure(effort: Effort) -> list[Split]:
    """One whole after the other, each with its parts by turns."""
    return [*of_rules(effort), *of_calls(effort), *of_moves(effort), *of_audits(effort), *of_start(effort)]
