"""An audit takes steps that grow with the bytes of the file: instructions of the interpreter, the same each time.

What the interpreter does within one instruction is not seen here; ``tests/slow/test_linear_work.py`` measures time.
"""

import pytest

from gyoji.audit.audit import audit
from gyoji.messages.verdicts import rules_for
from hostile import logs
from hostile.cost import grows_with_its_size, steps
from replay.tampering import TRUSTED


@pytest.mark.parametrize("shape", logs.SHAPES)
def test_an_audit_takes_steps_that_grow_with_the_file(shape: str) -> None:
    make, size, _large = logs.SHAPES[shape]
    files = [tuple(make(times * size)) for times in (1, 2, 4)]
    audit(lambda: files[0], rules_for, TRUSTED)  # what is made once is made
    costs = [steps(lambda lines=lines: audit(lambda: lines, rules_for, TRUSTED)) for lines in files]  # type: ignore[misc]
    assert grows_with_its_size(costs, [sum(map(len, lines)) for lines in files]), costs
