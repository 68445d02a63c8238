"""Functions that a rewritten dpjit function calls, with numbers in place of arrays without axes."""

from __future__ import annotations

from collections.abc import Callable
from warnings import warn_explicit

import dpnp
import numpy
from dpctl.tensor import usm_ndarray
from dpep import _kernel

from numba_dpex.core.exceptions import NumbaDpexPerformanceWarning

_ARRAYS = (dpnp.ndarray, usm_ndarray)


class OfNumbers:
    """An elementwise function of dpnp that calls the NumPy function of that name if all arguments are numbers."""

    def __init__(self, of_arrays: Callable, of_numbers: Callable) -> None:
        self._of_arrays, self._of_numbers = of_arrays, of_numbers

    def __call__(self, *arguments, **keywords):
        for each in arguments:
            if not isinstance(each, int | float | complex | numpy.generic):
                return self._of_arrays(*arguments, **keywords)
        return self._of_numbers(*arguments, **keywords)


def function_of_numbers(value: object) -> OfNumbers | None:
    """The function to call instead of one of dpnp's; None if the function does not work on numbers."""
    title = getattr(value, "__name__", "")
    if getattr(dpnp, title, None) is not value:
        return None
    twin = getattr(numpy, title, None)
    return OfNumbers(value, twin) if callable(value) and isinstance(twin, numpy.ufunc) else None


class _Elements:
    """The elements of an array with one axis, as numbers."""

    def __init__(self, array) -> None:
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: int):
        return _kernel.element(self._array, index)


def elements_of(value):
    """What a loop iterates over: numbers instead of arrays without axes. Other objects are returned as they are."""
    return _Elements(value) if isinstance(value, _ARRAYS) and value.ndim == 1 else value


# Functions that iterate over their arguments.
ITERATING = (all, any, enumerate, filter, iter, list, map, max, min, reversed, set, sorted, sum, tuple, zip)


def strides_in_bytes(array):
    """`array.strides`, in bytes as in compiled loops."""
    if isinstance(array, _ARRAYS):
        return tuple(each * array.itemsize for each in array.strides)
    return array.strides


_REGISTRIES: dict[str, dict] = {}  # for each file, the warnings that the filter "default" has shown


def warn_of_refusal(loop, file: str, line: int) -> None:
    """Warn that the interpreter executes a loop, unless that is sequential and has operations on whole arrays."""
    if loop.is_parallel or not loop.refused_for_arrays:
        text = f"dpjit: Python executes this loop: {loop.refusal}"
        registry = _REGISTRIES.setdefault(file, {})
        warn_explicit(text, NumbaDpexPerformanceWarning, file, line, registry=registry)
