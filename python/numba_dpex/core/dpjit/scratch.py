"""Arrays of variable size that the iterations of a parallel loop create: `row = dpnp.empty(n)`, `row = 2 * a[i]`.

The caller allocates one for each work-item. Expressions are computed where they are used, without an array, unless the
loop stores to elements of the variable. The shape may depend on variables of the loop that have the same value in all
iterations, such as `n = a.shape[1]`, and on the shapes of rows.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from functools import partial

import dpctl.tensor as dpt
import dpnp
import numpy
from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.fixed_values import FixedValues
from numba_dpex.core.dpjit.liveness import Names, assigned, names
from numba_dpex.core.dpjit.loops import assign, locate, name
from numba_dpex.core.dpjit.sample_types import SampleType

_FILLINGS = {"empty": None, "zeros": 0, "ones": 1, "full": None}
_CREATIONS = [(getattr(package, title), title) for package in (dpnp, dpt, numpy) for title in _FILLINGS]
_LIKE = [(getattr(package, f"{title}_like"), title) for package in (dpnp, dpt, numpy) for title in _FILLINGS]
_COPIES = (dpnp.copy, dpt.copy, numpy.copy)
_TOO_LARGE = 1 << 62


def created_array(call: ast.Call, look_up: Callable[[ast.expr], object]) -> str | None:
    """The name of the function that a call creates an array by, if it is one of those that kernels have."""
    function = look_up(call.func)
    return next((title for creation, title in _CREATIONS if creation is function), None)


class Scratch:
    """The shape and dtype of an array that each iteration creates.

    Args:
        shape: an int or a tuple of ints.
        dtype: the dtype; None: float64.
    """

    def __init__(self, shape, dtype=None) -> None:
        self._shape = tuple(map(operator.index, shape if isinstance(shape, tuple) else (shape,)))
        self._dtype = "f8" if dtype is None else dtype
        self.size = math.prod(self._shape)

    @classmethod
    def like(cls, sample: SampleType, *values) -> Scratch:
        """The array for an expression of the values; too large for a loop if it is a number, or its type unknown."""
        found = sample.of(*values)
        return cls(found[1], found[0]) if found and found[1] else cls(_TOO_LARGE)

    @classmethod
    def with_type_of(cls, sample: SampleType, shape, *values) -> Scratch:
        """An array of the dtype that an expression of the values has; too large for a loop if that is unknown."""
        found = sample.of(*values)
        return cls(shape, found[0]) if found else cls(_TOO_LARGE)

    def begin(self, items: int, queue):
        """One array for each work-item, as rows of one array."""
        return dpt.empty((items, *self._shape), dtype=self._dtype, sycl_queue=queue)


class ScratchArrays:
    """The arrays that the body of a parallel loop creates, with a shape that is known before the loop.

    Args:
        loop: the parallel loop.
        varying: the names whose values differ between iterations, or are not known before the loop.
        look_up: returns the object that an expression of global or captured names refers to.
        is_parallel: whether a statement is a loop over prange.
        helper: returns a name that refers to a value in the rewritten function.
    """

    def __init__(
        self,
        loop: ast.For,
        varying: Names,
        look_up: Callable[[ast.expr], object],
        is_parallel: Callable[[ast.stmt], bool],
        helper: Callable[[str, object], ast.Name],
    ) -> None:
        self._look_up, self._is_parallel, self._helper = look_up, is_parallel, helper
        nodes = [each for s in loop.body for each in nodes_of(s)]
        self._stored = frozenset(
            each.value.id
            for each in nodes
            if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store) and isinstance(each.value, ast.Name)
        )
        self._counters = names([loop.target], ast.Store) - assigned(loop.body)
        self._values = FixedValues(loop, varying, self._counters, look_up, helper)
        self.given: list[ast.expr] = []  # the calls that make the objects of the class Scratch
        self.has_samples = False  # whether an expression's type is found by computing a sample
        self.body = self._block(loop.body)

    @property
    def parameters(self) -> list[str]:
        return [f"#scratch {k}" for k in range(len(self.given))]

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The statements with parameters in place of new arrays.

        Arrays that sequential loops create are left: one may be created while the last one is in use.
        """
        done: list[ast.stmt] = []
        for s in statements:
            match s:
                case ast.If():
                    changed = ast.If(s.test, self._block(s.body), self._block(s.orelse))
                    done.append(ast.copy_location(changed, s))
                case ast.For() if self._is_parallel(s):
                    inner = ast.For(s.target, s.iter, self._block(s.body), s.orelse)
                    done.append(ast.copy_location(inner, s))
                case ast.Assign(targets=[ast.Name(id=title)], value=value):
                    made = self._creation(title, value, s) or self._copy(title, value, s)
                    if made is None:
                        self._values.define(title, value)
                    done.extend(made or [s])
                case ast.Assign(targets=[ast.Tuple()], value=ast.Tuple()) if self._separated(s):
                    done.extend(self._block(self._separated(s)))
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                    self._values.define_each(targets, value)
                    done.append(s)
                case _:
                    done.append(s)
        return done

    @staticmethod
    def _separated(s: ast.Assign) -> list[ast.stmt]:
        """The assignments of `t, u = zeros(n), zeros(n)`, one after the other; none where the order matters."""
        (target,), value = s.targets, s.value
        assert isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
        titles = [each.id for each in target.elts if isinstance(each, ast.Name)]
        is_plain = len(titles) == len(target.elts) == len(value.elts) == len({*titles})
        if not is_plain or {*titles} & names([value]) or any(isinstance(each, ast.Starred) for each in value.elts):
            return []
        return [locate(assign(*each), s) for each in zip(titles, value.elts, strict=True)]

    def _creation(self, title: str, call: ast.expr, s: ast.stmt) -> list[ast.stmt] | None:
        """The statements in place of `title = zeros(shape)`."""
        if not isinstance(call, ast.Call):
            return None
        what = created_array(call, self._look_up)
        if what is None:
            return self._creation_like(title, call, s)
        keywords = {each.arg: each.value for each in call.keywords}
        if keywords.keys() - {"shape", "dtype", "fill_value"}:
            return None
        order = ["shape", "fill_value", "dtype"] if what == "full" else ["shape", "dtype"]
        positional = call.args
        if len(positional) > len(order) or any(isinstance(each, ast.Starred) for each in positional):
            return None
        given = dict(zip(order, positional, strict=False)) | keywords
        filling = given.get("fill_value", ast.Constant(_FILLINGS[what]))
        if "shape" not in given:
            return None
        shape = self._values.outside(given["shape"])
        dtype = self._values.outside(given.get("dtype", ast.Constant("f8")))
        if shape is None or dtype is None:
            return None
        made = ast.Call(self._helper("scratch", Scratch), [shape, dtype], [])
        if what == "full" and "dtype" not in given:
            sample = self._sample(filling)
            if sample is None:
                return None
            make = partial(Scratch.with_type_of, sample)
            made = ast.Call(self._helper("scratch", make), [shape, *sample.arguments], [])
        return self._array(title, made, None if what == "empty" else filling, s)

    def _creation_like(self, title: str, call: ast.Call, s: ast.stmt) -> list[ast.stmt] | None:
        """The statements in place of `title = zeros_like(row)`."""
        function = self._look_up(call.func)
        what = next((each for creation, each in _LIKE if creation is function), None)
        keywords = {each.arg: each.value for each in call.keywords}
        if what is None or len(call.args) != (2 if what == "full" else 1) or keywords.keys() - {"dtype"}:
            return None
        shape = self._values.outside(ast.Attribute(call.args[0], "shape", ast.Load()))
        dtype = self._values.outside(keywords.get("dtype", ast.Attribute(call.args[0], "dtype", ast.Load())))
        if shape is None or dtype is None:
            return None
        made = ast.Call(self._helper("scratch", Scratch), [shape, dtype], [])
        filling = call.args[1] if what == "full" else ast.Constant(_FILLINGS[what])
        return self._array(title, made, None if what == "empty" else filling, s)

    def _copy(self, title: str, value: ast.expr, s: ast.stmt) -> list[ast.stmt] | None:
        """The statements in place of `title = a[i].copy()`, and of `title = 2 * a[i]` if it has stores to elements."""
        copied = self._copied(value)
        is_expression = copied or (isinstance(value, ast.BinOp | ast.UnaryOp | ast.Call) and title in self._stored)
        value = copied or value
        sample = self._sample(value) if is_expression else None
        if sample is None:
            return None
        made = ast.Call(self._helper("scratch", partial(Scratch.like, sample)), sample.arguments, [])
        return self._array(title, made, value, s)

    def _sample(self, expression: ast.expr) -> SampleType | None:
        sample = SampleType(expression, self._counters, self._values.is_fixed, self._look_up)
        self.has_samples |= sample.is_possible
        return sample if sample.is_possible else None

    def _array(self, title: str, made: ast.expr, filling: ast.expr | None, s: ast.stmt) -> list[ast.stmt]:
        parameter = f"#scratch {len(self.given)}"
        self.given.append(made)
        done: list[ast.stmt] = [assign(title, name(parameter))]
        if filling is not None:
            done.append(assign(ast.Subscript(name(title), ast.Constant(...), ast.Store()), filling))
        return [locate(each, s) for each in done]

    def _copied(self, value: ast.expr) -> ast.expr | None:
        """The row or array that a call of `copy` copies; None for other expressions."""
        match value:
            case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[], keywords=[]):
                return self._values.row_of(array)
            case ast.Call(func=function, args=[array], keywords=[]) if self._look_up(function) in _COPIES:
                return self._values.row_of(array)
        return None
