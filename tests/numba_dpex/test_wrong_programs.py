"""Every wrong program raises the exception that is documented for it, with its line."""

from __future__ import annotations

import inspect

import dpctl.tensor as dpt
import numba_dpex as ndx
import pytest
import wrong_constructs  # noqa: F401  each adds rows
import wrong_kernels  # noqa: F401
import wrong_launches  # noqa: F401
from wrong_programs import ROWS, Wrong


def marked_line(function) -> int | None:
    lines, first = inspect.getsourcelines(function)
    marked = [first + k for k, line in enumerate(lines) if line.rstrip().endswith("# wrong")]
    return marked[0] if marked else None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.function.__name__)
def test_raises(row: Wrong):
    with pytest.raises(row.error) as raised:
        if row.space is None:
            row.function()
        else:
            ndx.call_kernel(ndx.kernel(row.function), row.space, dpt.ones(4, dtype="f4"), *row.extra)
    message = str(raised.value)
    assert row.phrase.lower() in message.lower()
    line = marked_line(row.function)
    if line is not None:
        assert raised.value.lineno == line, message
        assert raised.value.filename == row.function.__code__.co_filename
        assert f"line {line}" in message or f":{line}" in message, message


def test_there_are_a_hundred_rows():
    assert len(ROWS) >= 100
