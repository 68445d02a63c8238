"""Rows of the tables of wrong programs.

A row is a kernel, or a function that launches one, with the exception that it must raise and a phrase of its message.
The message must name the line with the comment `# wrong`; errors of launches have no line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numba_dpex as ndx


@dataclass
class Wrong:
    """A row: `function` is a kernel to launch over `space`, or does the launch itself where `space` is None."""

    function: Callable
    error: type[BaseException] | tuple[type[BaseException], ...]
    phrase: str
    space: object
    extra: tuple


ROWS: list[Wrong] = []
LINE = ndx.Range(4)
GROUPS = ndx.NdRange((4,), (2,))


def wrong(error, phrase: str, space=LINE, *extra):
    """A kernel of an item, a float32 array of 4 and `extra` arguments."""

    def add(function):
        ROWS.append(Wrong(function, error, phrase, space, extra))
        return function

    return add


def launch(error, phrase: str):
    """A function of no arguments that launches."""
    return wrong(error, phrase, None)
