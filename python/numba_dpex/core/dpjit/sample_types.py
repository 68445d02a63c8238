"""The dtypes and shapes of expressions of a loop, found before the loop.

The expression is computed once with NumPy, from numbers and arrays of one element with the dtypes of its operands:
elements and rows of arrays that are known before the loop, whatever their indices are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import dpnp
import numpy
from dpctl.tensor import usm_ndarray
from dpep._kernel import copy_of_tree as clone

_ARRAYS = (dpnp.ndarray, usm_ndarray)
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Call, ast.operator, ast.unaryop, ast.expr_context)


class SampleType:
    """The dtype and shape of an expression, computed from the operands that `arguments` are the expressions of.

    Args:
        expression: the expression.
        counters: variables that are integers of Python in the loop.
        is_known: whether the value of an expression is known before the loop.
        look_up: returns the object that an expression of global or captured names refers to.
    """

    def __init__(
        self,
        expression: ast.expr,
        counters: frozenset[str],
        is_known: Callable[[ast.expr], bool],
        look_up: Callable[[ast.expr], object],
    ) -> None:
        operands = _Operands(counters, is_known, look_up)
        changed = operands.visit(clone(expression))
        self.is_possible = operands.is_possible
        self.arguments = operands.arguments
        self._indices = operands.indices
        if self.is_possible:
            parameters = [ast.arg(f"operand_{k}") for k in range(len(self.arguments))]
            parameters += [ast.arg(f"function_{k}") for k in range(len(operands.functions))]
            plain = ast.arguments([], parameters, None, [], [], None, [])
            tree = ast.fix_missing_locations(ast.Expression(ast.Lambda(plain, changed)))
            self._compute = eval(compile(tree, "<sample>", "eval"), {})
            self._functions = operands.functions

    def of(self, *values) -> tuple[numpy.dtype, tuple[int, ...]] | None:
        """The dtype and shape for the values of the arguments; None if it cannot be computed."""
        samples = []
        shapes = []
        for value, indices in zip(values, self._indices, strict=True):
            if isinstance(value, _ARRAYS):
                shape = tuple(value.shape)[indices:]
                shapes.append(shape)
                samples.append(numpy.ones((1,) * len(shape), value.dtype)[()])
            elif indices:  # an element of another sequence
                return None
            else:
                samples.append(value)
        try:
            with numpy.errstate(all="ignore"):
                dtype = numpy.asarray(self._compute(*samples, *self._functions)).dtype
            return (dtype, numpy.broadcast_shapes(*shapes)) if dtype.kind in "biufc" else None
        except (ArithmeticError, TypeError, ValueError):
            return None


class _Operands(ast.NodeTransformer):
    """Replaces the operands of an expression by parameters."""

    def __init__(self, counters, is_known, look_up) -> None:
        self._counters, self._is_known, self._look_up = counters, is_known, look_up
        self.arguments: list[ast.expr] = []
        self.indices: list[int] = []  # how many axes of each argument are indexed
        self.functions: list[Callable] = []
        self.is_possible = True

    def visit(self, node):
        if isinstance(node, ast.expr):
            made = self._operand(node)
            if made is not None:
                return ast.copy_location(made, node)
        if not isinstance(node, _OPERATIONS) or isinstance(node, ast.MatMult):
            self.is_possible = False
            return node
        return super().visit(node)

    def visit_Call(self, node: ast.Call):
        title = getattr(self._look_up(node.func), "__name__", "")
        function = getattr(numpy, title, None)
        is_elementwise = isinstance(function, numpy.ufunc) and getattr(dpnp, title, None) is self._look_up(node.func)
        is_elementwise |= isinstance(self._look_up(node.func), numpy.ufunc)
        if not is_elementwise or node.keywords:
            self.is_possible = False
            return node
        self.functions.append(function)
        node.func = ast.copy_location(ast.Name(f"function_{len(self.functions) - 1}", ast.Load()), node)
        node.args = [self.visit(each) for each in node.args]
        return node

    def _operand(self, node: ast.expr) -> ast.expr | None:
        match node:
            case ast.Constant(value=int() | float() | complex()):
                return node
            case ast.Name(id=title) if title in self._counters:
                return ast.Constant(1)
            case ast.Name() | ast.Attribute() if self._is_known(node):
                return self._parameter(node, 0)
            case ast.Subscript(value=ast.Name() as array, slice=index) if self._is_known(array):
                axes = index.elts if isinstance(index, ast.Tuple) else [index]
                is_element = bool(axes) and all(is_integer(each, self._counters) for each in axes)
                return self._parameter(array, len(axes)) if is_element else None
        return None

    def _parameter(self, value: ast.expr, indices: int) -> ast.expr:
        self.arguments.append(clone(value))
        self.indices.append(indices)
        return ast.Name(f"operand_{len(self.arguments) - 1}", ast.Load())


def is_integer(index: ast.expr, counters: frozenset[str]) -> bool:
    """Whether an index is certainly one integer, and no tuple, slice or array."""
    match index:
        case ast.Constant(value=value):
            return type(value) is int
        case ast.Name(id=title):
            return title in counters
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return is_integer(operand, counters)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Mod(), right=right):
            return is_integer(left, counters) or is_integer(right, counters)
    return False
