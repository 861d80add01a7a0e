"""Solves exact covers at the least cost with HiGHS, which takes a quarter of a second to import.

It runs in one thread, from a fixed seed, and its search ends after a number of nodes and never after a time: the same
problem gives the same choice on a fast machine and on a slow one.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from highspy import HighsLp, HighsSolution, HighsVarType, MatrixFormat
from highspy._core import _Highs  # the public class writes a banner to standard output

from gyoji.tournaments.exact_cover import Cap, CoverProblem, Search


def choose_columns(
    problem: CoverProblem, costs: Sequence[int], search: Search, cap: Cap | None = None, start: Sequence[int] = ()
) -> list[int] | None:
    """Choose the columns to take; ``None`` if no choice is possible, or none was found. Costs are whole numbers.

    ``start`` is a choice that is known to be possible: the answer is never worse.
    """
    if not costs:
        return None
    solver = _Highs()
    solver.setOptionValue("output_flag", False)
    for name, value in SETTINGS.items():
        solver.setOptionValue(name, value)
    solver.setOptionValue("mip_rel_gap", search.gap)
    solver.setOptionValue("mip_max_nodes", search.nodes)
    solver.passModel(_program(problem, costs, cap))
    if search.improvements is not None and not start:
        solver.setOptionValue("mip_max_improving_sols", search.improvements)
    if start:
        known = HighsSolution()
        known.col_value = [float(column in start) for column in range(len(costs))]
        solver.setSolution(known)
    solver.run()
    if solver.getInfo().primal_solution_status != FEASIBLE:
        return None
    return [column for column, value in enumerate(solver.getSolution().col_value) if value > 0.5]


def _program(problem: CoverProblem, costs: Sequence[int], cap: Cap | None) -> HighsLp:
    """State the problem for HiGHS: whole numbers from 0 to 1 by column, one equation a row, and the cap."""
    columns, entries = len(costs), _entries(problem, cap)
    program = HighsLp()
    program.num_col_ = columns
    program.num_row_ = len(problem.asked) + (cap is not None)
    program.col_cost_ = np.array(costs, float)
    program.col_lower_, program.col_upper_ = np.zeros(columns), np.ones(columns)
    program.row_lower_ = np.array([*problem.asked, *([] if cap is None else [0])], float)
    program.row_upper_ = np.array([*problem.asked, *([] if cap is None else [cap.most])], float)
    program.a_matrix_.format_ = MatrixFormat.kColwise
    program.a_matrix_.start_ = np.cumsum([0, *[len(column) for column in entries]])
    program.a_matrix_.index_ = np.array([row for column in entries for row, _ in column], int)
    program.a_matrix_.value_ = np.array([value for column in entries for _, value in column], float)
    program.integrality_ = [HighsVarType.kInteger] * columns
    return program


def _entries(problem: CoverProblem, cap: Cap | None) -> list[list[tuple[int, int]]]:
    """Return, by column, the rows that it stands in, and with what factor."""
    entries = [[(row, 1) for row in covered] for covered in problem.covers]
    if cap is not None:
        for column, weight in zip(entries, cap.weights, strict=True):
            column.append((len(problem.asked), weight))
    return entries


SETTINGS: Mapping[str, int | float | str] = {
    "threads": 1,
    "parallel": "off",
    "random_seed": 1,
    "mip_abs_gap": 0.99,
    "mip_detect_symmetry": False,
}
"""Costs are whole numbers: what is less than 1 from the least is the least. Looking for symmetries takes longer than it
saves."""

FEASIBLE = 2
"""``SolutionStatus::kSolutionStatusFeasible``."""
