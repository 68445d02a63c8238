"""Arrays that take turns: the test before a loop whose steps copy elements back, and the loop's arrays.

See `copies_back` for the loops.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, ModuleType

import dpnp
import numpy
from dpctl import tensor
from dpep import _kernel

from numba_dpex.core.dpjit import loops

_ARRAYS = (dpnp.ndarray, tensor.usm_ndarray)
_LEAST_BYTES = 1 << 17  # copies of less take less time than the calls here
_MANY_STEPS = 1 << 10  # of loops whose number of steps is not known
_BUILTINS = {"len": len, "range": range, "prange": range, "slice": slice}
CALLABLES = (BuiltinFunctionType, numpy.ufunc, numpy.dtype, _kernel.Function)
_OTHERS = (int, float, complex, str, type(None), numpy.generic, type, range, ModuleType, FunctionType, *CALLABLES)

# For each axis the first index and the one behind the last, or a slice; None for all elements.
_Region = tuple | None


@dataclass
class ExchangeFacts:
    """What is known about a loop.

    Attributes:
        olds, news: the names of its arrays.
        others: the names of all other variables that it reads.
        regions: the number of a pair of arrays, whether the elements are copied or computed, and which they are.
        indices: an array and the number of indices of one of its uses.
        steps: a call of `range`, if its length is the number of steps.
    """

    olds: list[str]
    news: list[str]
    others: list[str]
    regions: list[tuple[int, bool, ast.expr]]
    indices: list[tuple[str, int]]
    steps: ast.expr | None


class Exchanges:
    """The test before a loop whether its arrays can be exchanged."""

    def __init__(self, facts: ExchangeFacts, look_up: Callable[[ast.expr], object]) -> None:
        self._facts, self._look_up = facts, look_up
        regions = ast.Tuple([each for _, _, each in facts.regions], ast.Load())
        steps = ast.Call(loops.name("len"), [facts.steps], []) if facts.steps else ast.Constant(_MANY_STEPS)
        self._values = _compiled(ast.Tuple([regions, steps], ast.Load()))

    def __call__(self, variables: dict[str, object]) -> Exchange | None:
        """The state of the exchange, given the function's variables; None if the loop must be executed as it is."""
        facts = self._facts
        for title in facts.olds:
            if not isinstance(variables.get(title), _ARRAYS) or variables[title].nbytes < _LEAST_BYTES:
                return None
        olds, news = ([variables.get(each) for each in titles] for titles in (facts.olds, facts.news))
        if not all(isinstance(each, _ARRAYS) for each in news) or not all(map(_are_alike, olds, news)):
            return None
        if any(variables[title].ndim != count for title, count in facts.indices):
            return None
        if not self._are_apart([*olds, *news], variables):
            return None
        try:
            found, steps = eval(self._values, {"__builtins__": _BUILTINS}, _Values(variables, self._look_up))
        except Exception:
            return None  # the loop itself raises it
        regions = [_Regions(old.shape) for old in olds]
        for (pair, is_copied, _), region in zip(facts.regions, found, strict=True):
            if not regions[pair].add(region, is_copied):
                return None
        if steps < max(each.least_steps for each in regions):
            return None
        try:
            turned = [
                _copy_of(old) if each.needs_spare else new for old, new, each in zip(olds, news, regions, strict=True)
            ]
        except MemoryError:
            return None
        return Exchange(olds, news, turned, regions)

    def _are_apart(self, arrays: list, variables: dict[str, object]) -> bool:
        """Whether the arrays share no memory with each other, and none with other values that the loop uses."""
        others = []
        for title in self._facts.others:
            value = variables[title] if title in variables else self._look_up(loops.name(title))
            if isinstance(value, _ARRAYS):
                others.append(value)
            elif not isinstance(value, _OTHERS):
                return False
        for k, each in enumerate(arrays):
            if any(dpnp.may_share_memory(each, other) for other in [*arrays[k + 1 :], *others]):
                return False
        return True


class _Values(dict):
    """The variables of a function, and what it finds outside."""

    def __init__(self, variables: dict[str, object], look_up: Callable[[ast.expr], object]) -> None:
        super().__init__(variables)
        self._look_up = look_up

    def __missing__(self, title: str) -> object:
        if title in _BUILTINS:
            raise KeyError(title)
        return self._look_up(loops.name(title))


class _Regions:
    """The elements of a pair of arrays that steps compute and copy.

    For each axis they are given by the first index, and the one behind the last.

    Attributes:
        computed, copied: the elements.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self.computed: list | None = None
        self.copied: list | None = None

    def add(self, region: _Region, is_copied: bool) -> bool:
        """Note elements; False if they differ from those that were noted before."""
        bounds = _bounds_in(region, self._shape)
        before = self.copied if is_copied else self.computed
        if is_copied:
            self.copied = bounds
        else:
            self.computed = bounds
        is_known = before is None or before == bounds
        return bounds is not None and is_known and (not is_copied or self.is_whole or bounds == self.computed)

    @property
    def is_whole(self) -> bool:
        """Whether all elements are copied."""
        return self.copied == [(0, n) for n in self._shape]

    @property
    def copies_first(self) -> bool:
        """Whether the first step's copy makes the other elements of both arrays the same."""
        return self.is_whole and self.computed != self.copied

    @property
    def needs_spare(self) -> bool:
        return not self.is_whole

    @property
    def least_steps(self) -> int:
        """The number of steps from which on the copies are fewer."""
        return 6 if self.needs_spare else 4 if self.copies_first else 2

    @property
    def index(self) -> tuple[slice, ...]:
        return tuple(slice(*bounds) for bounds in self.copied or ())


class Exchange:
    """Arrays that take turns.

    Attributes:
        arrays: those with the elements before a step, and those that the step computes.
    """

    def __init__(self, olds: list, news: list, turned: list, regions: list[_Regions]) -> None:
        self._olds, self._news, self._regions = olds, news, regions
        self._before, self._after = list(olds), turned
        self._turns = 0

    @property
    def arrays(self) -> list:
        return [*self._before, *self._after]

    def turn(self) -> list:
        """The arrays for the next step."""
        for k, region in enumerate(self._regions):
            before, after = self._before[k], self._after[k]
            if region.copies_first and not self._turns:
                before[...] = after
            else:
                self._before[k], self._after[k] = after, before
        self._turns += 1
        return self.arrays

    def finish(self) -> None:
        """Copy the elements of the last step to the program's arrays."""
        if not self._turns:
            return
        for old, new, last, region in zip(self._olds, self._news, self._before, self._regions, strict=True):
            for each in (old, new):
                if each is not last:
                    each[region.index] = last[region.index]


def _are_alike(old, new) -> bool:
    """Whether arrays differ in nothing but their elements."""
    same = (old.dtype, old.shape, old.strides) == (new.dtype, new.shape, new.strides)
    both = type(old) is type(new) and old.sycl_queue == new.sycl_queue and old.usm_type == new.usm_type
    return same and both and all(each.flags.writable and each.flags.c_contiguous for each in (old, new))


def _copy_of(array):
    return array.copy() if isinstance(array, dpnp.ndarray) else tensor.copy(array)


def _bounds_in(region: _Region, shape: tuple[int, ...]) -> list[tuple[int, int]] | None:
    """The first index and the one behind the last for each axis; None if they are outside, or there are none."""
    if region is None:
        return [(0, n) for n in shape]
    if len(region) > len(shape) or (len(region) < len(shape) and not isinstance(region[0], slice)):
        return None
    found = []
    for k, n in enumerate(shape):
        bounds = region[k] if k < len(region) else slice(None)
        start, stop = bounds.indices(n)[:2] if isinstance(bounds, slice) else bounds
        if not isinstance(start, int | numpy.integer) or not isinstance(stop, int | numpy.integer):
            return None
        if not 0 <= start < stop <= n:
            return None
        found.append((int(start), int(stop)))
    return found


def _compiled(node: ast.expr):
    tree = ast.Expression(loops.clone(node))
    for each in ast.walk(tree):
        if isinstance(each, ast.expr):
            each.lineno, each.col_offset, each.end_lineno, each.end_col_offset = 1, 0, 1, 0
    return compile(tree, "<dpjit>", "eval")
