"""Variables of a parallel loop whose values, or as rows of arrays whose shapes, are the same in all iterations."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Callable

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import Names, names
from numba_dpex.core.dpjit.loops import clone
from numba_dpex.core.dpjit.sample_types import is_integer

_PURE = (len, int, min, max, abs, round, *(each for each in vars(math).values() if callable(each)))


class FixedValues:
    """The values of expressions in a parallel loop that are known before it.

    Args:
        loop: the parallel loop.
        varying: the names whose values differ between iterations, or are not known before the loop.
        counters: the loop's counters.
        look_up: returns the object that an expression of global or captured names refers to.
        helper: returns a name that refers to a value in the rewritten function.
    """

    def __init__(
        self,
        loop: ast.For,
        varying: Names,
        counters: Names,
        look_up: Callable[[ast.expr], object],
        helper: Callable[[str, object], ast.Name],
    ) -> None:
        self._varying, self._counters, self._look_up, self._helper = varying, counters, look_up, helper
        nodes = [each for s in loop.body for each in nodes_of(s) if isinstance(each, ast.Name)]
        self._stores = Counter(each.id for each in nodes if not isinstance(each.ctx, ast.Load))
        self._values: dict[str, ast.expr] = {}
        self._rows: dict[str, ast.Subscript] = {}
        self._functions: set[str] = set()

    def is_fixed(self, node: ast.expr) -> bool:
        """Whether an expression has the same value in all iterations, and no effects."""
        if names([node]) & self._varying:
            return False
        for each in nodes_of(node):
            if isinstance(each, ast.NamedExpr | ast.Await | ast.Lambda):
                return False
            if isinstance(each, ast.Call) and not self._is_pure(each.func):
                return False
        return True

    def define(self, title: str, value: ast.expr) -> None:
        """Take notice of an assignment in the loop, for the statements that follow it in its block."""
        if self._stores[title] != 1:
            return
        row = self.row_of(value)
        if isinstance(row, ast.Subscript):
            self._rows[title] = row
        elif (made := self.outside(value)) is not None:
            self._values[title] = made

    def define_each(self, targets: list[ast.expr], value: ast.expr) -> None:
        """The same for `h, w = image.shape` and `h, w = a, b`."""
        parts = value.elts if isinstance(value, ast.Tuple) else [None] * len(targets)
        if len(parts) != len(targets) or any(isinstance(each, ast.Starred) for each in [*targets, *parts]):
            return
        is_shape = isinstance(value, ast.Attribute) and value.attr == "shape"
        if not is_shape and not isinstance(value, ast.Tuple):
            return
        for k, (target, part) in enumerate(zip(targets, parts, strict=True)):
            if isinstance(target, ast.Name):
                self.define(target.id, part or ast.Subscript(clone(value), ast.Constant(k), ast.Load()))

    def row_of(self, array: ast.expr) -> ast.expr | None:
        """The row `a[i]` of an array outside of the loop, or such an array, that an expression refers to."""
        match array:
            case ast.Name(id=title) if title in self._rows:
                return clone(self._rows[title])
            case ast.Name() if self.is_fixed(array):
                return array
            case ast.Subscript(value=ast.Name() as whole) if self.is_fixed(whole):
                indices = _indices(array)
                return array if indices and all(is_integer(each, self._counters) for each in indices) else None
        return None

    def outside(self, expression: ast.expr) -> ast.expr | None:
        """The expression without variables of the loop; None if its value is not known before the loop."""
        made = _Outside(self._values, self._property_of_row, self._look_up).visit(clone(expression))
        return made if self.is_fixed(made) else None

    def _is_pure(self, callee: ast.expr) -> bool:
        if isinstance(callee, ast.Name) and callee.id in self._functions:
            return True
        function = self._look_up(callee)
        return any(function is each for each in _PURE)

    def _property_of_row(self, array: ast.expr, which: str) -> ast.expr | None:
        """An attribute or `len` of a row, by those of the array that it belongs to; None if it is not known."""
        row = self.row_of(array)
        if not isinstance(row, ast.Subscript):
            return None
        count = ast.Constant(len(_indices(row)))
        shape = ast.Subscript(_attribute(row.value, "shape"), ast.Slice(count, None, None), ast.Load())
        match which:
            case "shape":
                return shape
            case "len":
                return ast.Subscript(_attribute(row.value, "shape"), count, ast.Load())
            case "ndim":
                return ast.BinOp(_attribute(row.value, "ndim"), ast.Sub(), count)
            case "dtype":
                return _attribute(row.value, "dtype")
            case "size":
                function = self._helper("product", math.prod)
                self._functions.add(function.id)
                return ast.Call(function, [shape], [])
        return None


class _Outside(ast.NodeTransformer):
    """Replaces variables of a loop, and properties of rows, by expressions of variables from before the loop."""

    def __init__(self, values, property_of_row, look_up) -> None:
        self._values, self._property_of_row, self._look_up = values, property_of_row, look_up

    def visit_Name(self, node: ast.Name):
        value = self._values.get(node.id)
        return clone(value) if value is not None and isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute):
        made = self._property_of_row(node.value, node.attr)
        return self.generic_visit(node) if made is None else made

    def visit_Call(self, node: ast.Call):
        if len(node.args) == 1 and not node.keywords and self._look_up(node.func) is len:
            made = self._property_of_row(node.args[0], "len")
            if made is not None:
                return made
        return self.generic_visit(node)


def _attribute(array: ast.expr, title: str) -> ast.expr:
    return ast.Attribute(clone(array), title, ast.Load())


def _indices(array: ast.Subscript) -> list[ast.expr]:
    return array.slice.elts if isinstance(array.slice, ast.Tuple) else [array.slice]
