"""prange: the range of a parallel loop."""

from __future__ import annotations

import builtins


def prange(*arguments):
    """A `range` whose iterations may run in any order, or at once, in a loop of a dpjit function.

    Elsewhere it is `range`.

    >>> import numba_dpex as ndx
    >>> list(ndx.prange(3))
    [0, 1, 2]
    """
    return builtins.range(*arguments)


def is_prange(value: object) -> bool:
    """Whether an object is this prange or Numba's."""
    module = getattr(value, "__module__", "") or ""
    return value is prange or (module.split(".")[0] == "numba" and getattr(value, "__name__", "") == "prange")
