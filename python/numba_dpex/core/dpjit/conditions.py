"""Conditions of compiled loops without branches: `x[i] > a and y[i] < b or y[i] < c` as `(x[i] > a) & (y[i] < b) | …`.

The vectoriser leaves the branches of nested `and` and `or` as they are. An operand may be computed in any case if it
reads no element, and no variable that may have no value, that the condition would not read: `i < n and x[i] > 0` stays
as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import NONE, Names, assigned, kinds, names
from numba_dpex.core.dpjit.loops import clone

_COMPARISONS = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE
_ARITHMETIC = (
    ast.Name,
    ast.Constant,
    ast.Subscript,
    ast.Tuple,
    ast.BinOp,
    ast.UnaryOp,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
)
_MOST_OPERANDS = 8


def without_branches(statements: list[ast.stmt], loop: ast.stmt, certain: Names) -> list[ast.stmt]:
    """The statements of a loop's kernel, which are copied where they change.

    Args:
        statements: the statements.
        loop: the loop.
        certain: the variables that certainly have a value before the loop.
    """
    if ast.BoolOp not in kinds(loop):
        return statements
    if len({type(each.op) for each in nodes_of(loop) if isinstance(each, ast.BoolOp)}) < 2:
        return statements
    counters = {
        each.target.id for each in nodes_of(loop) if isinstance(each, ast.For) and isinstance(each.target, ast.Name)
    }
    stored = [each.id for each in nodes_of(loop) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)]
    known = certain - assigned([loop]) | {each for each in counters if stored.count(each) == 1}
    changed = _Conditions(known, certain | assigned([loop]))
    return [changed.visit(clone(each)) if ast.BoolOp in kinds(each) else each for each in statements]


@dataclass
class _Condition:
    """A condition without branches, and what the one with branches reads if it is true, and if it is false."""

    made: ast.expr
    if_true: Names
    if_false: Names
    operands: int
    all_reads: Names


class _Conditions(ast.NodeTransformer):
    """Replaces conditions that have both `and` and `or`.

    Args:
        known: the variables that certainly have a value.
        variables: all variables. Comparisons of other names are constant, and choose the branches that are compiled.
    """

    def __init__(self, known: Names, variables: Names) -> None:
        self._known, self._variables = known, variables

    def visit_If(self, node: ast.If):
        return self._tested(node)

    def visit_While(self, node: ast.While):
        return self._tested(node)

    def visit_IfExp(self, node: ast.IfExp):
        return self._tested(node)

    def visit_BoolOp(self, node: ast.BoolOp):
        return self._changed(node, False) or self.generic_visit(node)

    def _tested(self, node):
        made = self._changed(node.test, True)
        if made is not None:
            node.test = made
        return self.generic_visit(node)

    def _changed(self, node: ast.expr, is_test: bool) -> ast.expr | None:
        """The condition without branches; None if it has to have them, or is not both of `and` and `or`."""
        found = {type(each.op) for each in nodes_of(node) if isinstance(each, ast.BoolOp)}
        if len(found) < 2:
            return None
        condition = self._condition(node, is_test)
        if condition is None or condition.operands > _MOST_OPERANDS:
            return None
        return condition.made if condition.all_reads <= condition.if_true & condition.if_false else None

    def _condition(self, node: ast.expr, is_test: bool) -> _Condition | None:
        match node:
            case ast.BoolOp(op=op, values=values):
                return self._joined(node, op, [self._condition(each, is_test) for each in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self._condition(operand, is_test)
                if inner is None:
                    return None
                made = ast.copy_location(ast.UnaryOp(ast.Not(), inner.made), node)
                return _Condition(made, inner.if_false, inner.if_true, inner.operands, inner.all_reads)
            case ast.Compare(ops=ops) if all(isinstance(each, _COMPARISONS) for each in ops):
                return self._compared(node)
            case ast.Subscript() if is_test:  # the truth of an element
                zero = ast.copy_location(ast.Constant(0), node)
                return self._compared(ast.copy_location(ast.Compare(node, [ast.NotEq()], [zero]), node))
        return None

    def _compared(self, node: ast.Compare) -> _Condition | None:
        """A comparison; a chain of several is joined by `and`."""
        parts = [node.left, *node.comparators]
        if not all(map(_is_arithmetic, parts)) or not names([node]) & self._variables:
            return None
        found: list[_Condition | None] = []
        for left, op, right in zip(parts, node.ops, parts[1:], strict=False):
            made = ast.copy_location(ast.Compare(clone(left), [op], [clone(right)]), node)
            reads = self._reads([left, right])
            found.append(_Condition(made, reads, reads, 1, reads))
        return self._joined(node, ast.And(), found)

    def _joined(self, node: ast.expr, op: ast.boolop, found: list[_Condition | None]) -> _Condition | None:
        result, is_and = found[0], isinstance(op, ast.And)
        for each in found[1:]:
            if result is None or each is None:
                return None
            made = ast.BinOp(result.made, ast.BitAnd() if is_and else ast.BitOr(), each.made)
            if is_and:
                if_true = result.if_true | each.if_true
                if_false = result.if_false & (result.if_true | each.if_false)
            else:
                if_true = result.if_true & (result.if_false | each.if_true)
                if_false = result.if_false | each.if_false
            operands, reads = result.operands + each.operands, result.all_reads | each.all_reads
            result = _Condition(ast.copy_location(made, node), if_true, if_false, operands, reads)
        return result

    def _reads(self, nodes: Iterable[ast.expr]) -> Names:
        """The elements, and the variables that may have no value."""
        found = NONE
        for node in nodes:
            for each in nodes_of(node):
                if isinstance(each, ast.Subscript):
                    found |= {ast.dump(each)}
                elif isinstance(each, ast.Name) and each.id not in self._known:
                    found |= {each.id}
        return found


def _is_arithmetic(node: ast.expr) -> bool:
    """Whether an expression is of numbers and elements, and cheap to compute."""
    for each in nodes_of(node):
        match each:
            case ast.Constant(value=value):
                if not isinstance(value, int | float):
                    return False
            case ast.BinOp(op=ast.Pow() | ast.MatMult()) | ast.UnaryOp(op=ast.Not()):
                return False
            case _:
                if not isinstance(each, _ARITHMETIC):
                    return False
    return True
