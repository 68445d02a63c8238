"""What the statements of loops may be that several work-items share."""

from __future__ import annotations

import ast
import math
from typing import Protocol

import numpy
from dpep import _kernel
from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.called_updates import stores_nothing
from numba_dpex.core.dpjit.host_functions import function_of_numbers
from numba_dpex.core.dpjit.liveness import assigned, names
from numba_dpex.core.dpjit.prange import is_prange

_STATEMENTS = (ast.Assign, ast.AugAssign, ast.If, ast.For, ast.While, ast.Pass, ast.Continue, ast.Break)
_EXPRESSIONS = (
    *(ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Subscript),
    *(ast.Attribute, ast.Tuple, ast.Slice),
)
_OF_EXPRESSIONS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_PURE = frozenset(
    [range, len, min, max, abs, int, float, bool, complex, round, pow, divmod]
    + [each for each in vars(math).values() if callable(each)]
)
# In place of an axis: the size of an array, the value of a number, and the size of an array divided by the number of
# iterations of the parallel loop, for arrays with all rows one after the other.
SIZE, VALUE, SIZE_OF_ROW = -1, -2, -3
_PROPERTIES = frozenset(["shape", "size", "ndim", "dtype", "itemsize"])


class Host(Protocol):
    """What is known of the function that contains the loop."""

    def look_up(self, node: ast.expr) -> object: ...

    def is_range(self, node: ast.expr) -> bool: ...

    def live_after(self, loop: ast.For) -> frozenset[str]: ...


class RefusedError(Exception):
    """The work-items cannot share the loop."""


class SharedStatements:
    """Statements that store nothing but variables and elements of arrays.

    Args:
        body: the statements.
        counters: the counters of the parallel loop whose body they are; empty for others.
        host: the function that contains them.
        private: arrays of each work-item that the statements create, with the numbers of their dimensions.

    Attributes:
        elements: the numbers of indices by which variables are indexed that must be arrays of as many dimensions; 0 for
            variables that must be numbers.

    Raises:
        RefusedError: They may store otherwise.
    """

    def __init__(
        self, body: list[ast.stmt], counters: frozenset[str], host: Host, private: dict[str, int] | None = None
    ) -> None:
        self._body, self._counters, self._host = body, counters, host
        self._private = private or {}
        self._assigned = assigned(body) | counters
        self._stored: set[str] = set()
        self.elements: dict[str, int] = {}
        for each in body:
            self._check_all(each)
        self._check_mentions()

    @property
    def stored_arrays(self) -> list[str]:
        return sorted(self._stored)

    def _check_all(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(id=title)]) if title in self._private:
                return
        self._check(node)
        for each in ast.iter_child_nodes(node):
            self._check_all(each)

    def _check(self, node: ast.AST) -> None:
        """Refuse nodes that may store otherwise than by assignments to elements of the function's variables."""
        match node:
            case ast.For(target=ast.Name(), iter=iterable, orelse=[]) if self._host.is_range(iterable):
                return
            case ast.While(orelse=[]) | ast.Expr(value=ast.Constant()):
                return
            case ast.Assign(targets=targets):
                for each in targets:
                    self._check_target(each)
            case ast.AugAssign(target=ast.Name() as target):
                self._require_number(target, frozenset())
            case ast.AugAssign(target=target):
                self._check_target(target)
            case ast.Call(func=function, keywords=[]) if not any(isinstance(a, ast.Starred) for a in node.args):
                self._check_call(node, self._host.look_up(function))
            case ast.For() | ast.While() | ast.Call():
                raise RefusedError
            case _ if not isinstance(node, (*_STATEMENTS, *_EXPRESSIONS, *_OF_EXPRESSIONS)):
                raise RefusedError

    def _check_target(self, target: ast.expr) -> None:
        match target:
            case ast.Name():
                return
            case ast.Tuple(elts=parts) if all(isinstance(each, ast.Name) for each in parts):
                return
            case ast.Subscript(value=ast.Name(id=title)) if title in self._private:
                return
            case ast.Subscript(value=ast.Name(id=title)) if title not in self._assigned:
                self._stored.add(title)
            case _:
                raise RefusedError

    def _check_call(self, call: ast.Call, callee: object) -> None:
        is_type = isinstance(callee, type) and issubclass(callee, numpy.generic)
        try:
            is_pure = callee in _PURE
        except TypeError:
            is_pure = False
        if is_pure or is_type or is_prange(callee) or isinstance(callee, numpy.ufunc) or function_of_numbers(callee):
            return
        if not isinstance(callee, _kernel.Function) or not stores_nothing(call, callee):
            raise RefusedError

    def _require_number(self, node: ast.expr, visited: frozenset[str]) -> None:
        """Require that a value is a number, and not a view of an array, which `x += y` would change."""
        match node:
            case ast.Name(id=title) if title in visited:
                return
            case ast.Name(id=title):
                self._require(title, 0)  # as it is before the loop
                for value in _values_of(title, self._body):
                    self._require_number(value, visited | {title})
            case ast.Subscript(value=ast.Name(id=title), slice=index) if title in self._private:
                if plain_indices(index) != self._private[title]:
                    raise RefusedError
            case ast.Subscript(value=ast.Name(id=title), slice=index) if title not in self._assigned:
                self._require(title, plain_indices(index))
            case ast.IfExp(body=one, orelse=other):
                self._require_number(one, visited)
                self._require_number(other, visited)
            case ast.Subscript(value=ast.Attribute(attr="shape")) | ast.Attribute(attr="shape" | "size" | "ndim"):
                return
            case ast.Attribute() if isinstance(self._host.look_up(node), int | float | complex):
                return
            case ast.Call(func=function) if not isinstance(self._host.look_up(function), _kernel.Function):
                return
            case ast.Constant() | ast.BinOp() | ast.UnaryOp() | ast.BoolOp() | ast.Compare():
                return
            case _:
                raise RefusedError

    def _require(self, title: str, indices: int) -> None:
        if self.elements.setdefault(title, indices) != indices:
            raise RefusedError

    def _check_mentions(self) -> None:
        """Require that stored arrays are only indexed, all by as many numbers, or asked for their properties."""
        allowed: set[int] = set()
        for each in (part for s in self._body for part in nodes_of(s)):
            match each:
                case ast.Subscript(value=ast.Name(id=title) as owner, slice=index) if title in self._stored:
                    self._require(title, plain_indices(index))
                    allowed.add(id(owner))
                case ast.Attribute(value=ast.Name() as owner, attr=attribute) if attribute in _PROPERTIES:
                    allowed.add(id(owner))
                case ast.Call(func=function, args=[ast.Name() as owner]) if self._host.look_up(function) is len:
                    allowed.add(id(owner))
        for each in (part for s in self._body for part in nodes_of(s)):
            if isinstance(each, ast.Name) and each.id in self._stored and id(each) not in allowed:
                raise RefusedError

    def length_of(self, stop: ast.expr) -> list[tuple[str, int]]:
        """What the end of a range is, approximately: an axis of a variable, its size, or its value; empty: unknown."""
        while isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add | ast.Sub):
            stop = stop.left
        match stop:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=title), attr="shape"), slice=ast.Constant(value=int(d))
            ) if d >= 0:
                found = title, d
            case ast.Attribute(value=ast.Name(id=title), attr="size") | ast.Call(args=[ast.Name(id=title)]):
                found = title, SIZE
            case ast.Name(id=title):
                found = title, VALUE
            case _:
                return []
        return [] if found[0] in self._assigned or found[1] < VALUE else [found]


def is_named(node: ast.expr, title: str) -> bool:
    return isinstance(node, ast.Name) and node.id == title


def plain_indices(index: ast.expr) -> int:
    """The number of indices in a subscript. Refuses slices, None and `...`."""
    axes = index.elts if isinstance(index, ast.Tuple) else [index]
    for each in axes:
        if isinstance(each, ast.Slice | ast.Starred | ast.Tuple):
            raise RefusedError
        if isinstance(each, ast.Constant) and (isinstance(each.value, bool) or not isinstance(each.value, int)):
            raise RefusedError
    return len(axes)


def _values_of(title: str, body: list[ast.stmt]) -> list[ast.expr]:
    """What the statements assign to a variable."""
    values: list[ast.expr] = []
    for each in (part for s in body for part in nodes_of(s)):
        if isinstance(each, ast.Assign):
            for target in each.targets:
                if is_named(target, title):
                    values.append(each.value)
                elif isinstance(target, ast.Tuple) and title in names([target], ast.Store):
                    values += each.value.elts if isinstance(each.value, ast.Tuple) else [each.value]
    return values


def stores_elements(s: ast.stmt) -> bool:
    return any(isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store) for each in nodes_of(s))
