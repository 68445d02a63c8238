"""Arrays of variable size that the iterations of a parallel loop create: `row = dpnp.empty(n)`.

The caller allocates one for each work-item.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable

import dpctl.tensor as dpt
import dpnp
import numpy
from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import Names, names
from numba_dpex.core.dpjit.loops import assign, clone, locate, name

_FILLINGS = {"empty": None, "zeros": 0, "ones": 1, "full": None}
_CREATIONS = [(getattr(package, title), title) for package in (dpnp, dpt, numpy) for title in _FILLINGS]
_PURE = (len, int, min, max, abs, round, *(each for each in vars(math).values() if callable(each)))


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

    def begin(self, items: int, queue):
        """One array for each work-item, as rows of one array."""
        return dpt.empty((items, *self._shape), dtype=self._dtype, sycl_queue=queue)


class ScratchArrays:
    """The arrays that the body of a parallel loop creates, with a shape that is known before the loop.

    Args:
        body: the statements of the loop.
        varying: the names whose values differ between iterations, or are not known before the loop.
        look_up: returns the object that an expression of global or captured names refers to.
        is_parallel: whether a statement is a loop over prange.
    """

    def __init__(
        self,
        body: list[ast.stmt],
        varying: Names,
        look_up: Callable[[ast.expr], object],
        is_parallel: Callable[[ast.stmt], bool],
    ) -> None:
        self._varying, self._look_up, self._is_parallel = varying, look_up, is_parallel
        self.shapes: list[tuple[ast.expr, ast.expr]] = []  # shape and dtype
        self.body = self._block(body)

    @property
    def parameters(self) -> list[str]:
        return [f"#scratch {k}" for k in range(len(self.shapes))]

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
                case ast.Assign(targets=[ast.Name(id=title)], value=ast.Call() as call):
                    done.extend(self._creation(title, call, s) or [s])
                case _:
                    done.append(s)
        return done

    def _creation(self, title: str, call: ast.Call, s: ast.stmt) -> list[ast.stmt] | None:
        what = created_array(call, self._look_up)
        keywords = {each.arg: each.value for each in call.keywords}
        if what is None or keywords.keys() - {"shape", "dtype", "fill_value"}:
            return None
        order = ["shape", "fill_value", "dtype"] if what == "full" else ["shape", "dtype"]
        if len(call.args) > len(order) or any(isinstance(each, ast.Starred) for each in call.args):
            return None
        given = dict(zip(order, call.args, strict=False)) | keywords
        filling = given.get("fill_value", ast.Constant(_FILLINGS[what]))
        shape = given.get("shape")
        dtype = given.get("dtype", ast.Constant("f8"))
        if what == "full" and "dtype" not in given:
            if not isinstance(filling, ast.Constant) or type(filling.value) not in (int, float):
                return None
            dtype = ast.Constant("i8" if type(filling.value) is int else "f8")
        if shape is None or not self._is_fixed(shape) or not self._is_fixed(dtype):
            return None
        parameter = f"#scratch {len(self.shapes)}"
        self.shapes.append((clone(shape), clone(dtype)))
        made: list[ast.stmt] = [assign(title, name(parameter))]
        if what != "empty":
            made.append(assign(ast.Subscript(name(title), ast.Constant(...), ast.Store()), filling))
        return [locate(each, s) for each in made]

    def _is_fixed(self, node: ast.expr) -> bool:
        """Whether an expression has the same value in all iterations, and no effects."""
        if names([node]) & self._varying:
            return False
        for each in nodes_of(node):
            if isinstance(each, ast.NamedExpr | ast.Await | ast.Lambda):
                return False
            if isinstance(each, ast.Call) and not self._is_pure(each.func):
                return False
        return True

    def _is_pure(self, callee: ast.expr) -> bool:
        function = self._look_up(callee)
        return any(function is each for each in _PURE)
