"""Assertions on arrays: those of numpy.testing, which copy arrays of devices to the host for the comparison.

Functions of numpy.testing that do not take arrays are the same objects.

>>> import dpnp as np
>>> np.testing.assert_allclose(np.sqrt(np.array([4.0, 9.0])), [2, 3])
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy.testing
from dpep._array import array_base

from dpnp._flat import flatiter

# Tests of NumPy itself, and what its documentation calls internal.
_OF_NUMPY_ONLY = {
    "BLAS_SUPPORTS_FPE", "HAS_LAPACK64", "IS_EDITABLE", "IS_INSTALLED", "NUMPY_ROOT", "check_support_sve", "overrides",
    "rundocs", "runstring", "decorate_methods", "jiffies", "memusage",
}  # fmt: skip

__all__ = sorted(set(numpy.testing.__all__) - _OF_NUMPY_ONLY)


def _on_host(x: object) -> object:
    """The object with NumPy arrays in place of arrays, also inside lists, tuples and dicts."""
    if isinstance(x, flatiter):
        x = x.copy()
    if isinstance(x, array_base):
        return x.asnumpy() if hasattr(x, "asnumpy") else numpy.asarray(x)
    if type(x) in (list, tuple):
        return type(x)(map(_on_host, x))
    if type(x) is dict:
        return {key: _on_host(value) for key, value in x.items()}
    return x


def _comparing_on_host(function: Callable[..., object]) -> Callable[..., object]:
    """A function of numpy.testing for arrays of devices."""

    @functools.wraps(function)
    def compare(*args: object, **kwargs: object) -> object:
        return function(*map(_on_host, args), **{name: _on_host(x) for name, x in kwargs.items()})

    return compare


# Assertions whose first argument is a function call that function with the arrays as they are.
_OF_FUNCTIONS = {"assert_no_gc_cycles", "assert_no_warnings", "assert_raises", "assert_raises_regex", "assert_warns"}

for _name in __all__:
    _found = getattr(numpy.testing, _name)
    _takes_arrays = (_name.startswith("assert_") or _name in ("build_err_msg", "print_assert_equal")) and (
        _name not in _OF_FUNCTIONS
    )
    globals()[_name] = _comparing_on_host(_found) if _takes_arrays else _found
