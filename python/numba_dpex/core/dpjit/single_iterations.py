"""Shared loops of which each work-item executes at most one iteration, since the launch has as many work-items.

Then the work-items' statements have no loop, and no test whether they may share the iterations: the launch tests that.
Kernels whose work-items execute several rows load the elements of all rows before they use them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from numba_dpex.core.dpjit.independence import Independence
from numba_dpex.core.dpjit.liveness import kinds
from numba_dpex.core.dpjit.loops import assign, assume, bounds_of, name

_LARGEST_CONSTANT = 2**31 - 1


@dataclass(frozen=True)
class SingleIterations:
    """A shared loop that may be executed so, and what must hold for that.

    Attributes:
        counter: the variable of the loop.
        first: the variable of the start of a work-item's range.
        last: the variable of the end.
        item: the variable of the work-item's number.
        body: the loop's statements.
        number: a variable and its axis, and what is to be added to its length for the number of iterations.
        longer: arrays and axes that must be at least as long as the number of iterations and a number together.
        apart: arrays and axes that must be longer than a number.
    """

    counter: ast.expr
    first: str
    last: str
    item: str
    body: list[ast.stmt]
    number: tuple[str, int, int]
    longer: list[tuple[str, int, int]]
    apart: list[tuple[str, int, int]]

    def statements(self, is_only: bool) -> list[ast.stmt]:
        """The statements of a work-item.

        Args:
            is_only: whether there is no other such loop: then there are as many work-items as iterations.
        """
        advance = assign(self.first, ast.BinOp(name(self.first), ast.Add(), name(self.item)))
        is_within = ast.Compare(name(self.first), [ast.Lt()], [name(self.last)])
        iteration = [ast.Assign([self.counter], name(self.first)), *self.body]
        return [advance, assume(is_within), *iteration] if is_only else [advance, ast.If(is_within, iteration, [])]

    def described(self) -> tuple:
        """What `src/python/kernel/loop_sharing.hpp` tests."""
        return (*self.number, self.longer, self.apart)


def single_iterations(
    loop: ast.For,
    found: Independence,
    variables: tuple[str, str, str],
    body: list[ast.stmt],
    length_of: Callable[[ast.expr], list[tuple[str, int]]],
) -> SingleIterations | None:
    """How work-items execute one iteration each; None if the launch cannot know the number of iterations.

    Args:
        loop: a loop over range.
        found: why its iterations are independent.
        variables: the variables of a work-item's start, of the end, and of the work-item's number.
        body: the statements that an iteration executes.
        length_of: what the end of a range is, as a variable and an axis.
    """
    assert isinstance(loop.iter, ast.Call)
    start, stop, step = bounds_of(loop.iter)
    begin = _constant(start)
    if begin is None or begin < 0 or _constant(step) != 1 or found.reductions:
        return None
    if any(ast.Continue in kinds(s) for s in body):
        return None  # there is no loop any more for `continue`
    add = -begin
    while isinstance(stop, ast.BinOp):
        constant = _constant(stop.right)
        if constant is None or not isinstance(stop.op, ast.Add | ast.Sub):
            return None
        add += constant if isinstance(stop.op, ast.Add) else -constant
        stop = stop.left
    lengths = [] if isinstance(stop, ast.Call) else length_of(stop)
    if len(lengths) != 1:
        return None
    ((of, axis),) = lengths
    longer = [(array, each, 0) for array, each in found.spans] + found.beyond
    return SingleIterations(loop.target, *variables, body, (of, axis, add), longer, found.apart)


def _constant(node: ast.expr) -> int | None:
    if not isinstance(node, ast.Constant) or type(node.value) is not int or abs(node.value) > _LARGEST_CONSTANT:
        return None
    return node.value


def with_single_iterations(statements: list[ast.stmt]) -> tuple[list[ast.stmt], list[tuple]] | None:
    """The statements of work-items that execute one iteration of each shared loop, and what the launch must test.

    Args:
        statements: those of work-items that execute a part of the iterations. Each shared loop is an
            `ast.For` with an attribute `single`, behind the statement that divides the iterations.

    Returns:
        None if a loop cannot be executed so.
    """
    found = [each.single for s in statements for each in ast.walk(s) if hasattr(each, "single")]
    if None in found:
        return None
    made = _replaced(statements, len(found) == 1)
    return made and (made, [each.described() for each in found])


def _replaced(statements: list[ast.stmt], is_only: bool) -> list[ast.stmt] | None:
    made: list[ast.stmt] = []
    for s in statements:
        if hasattr(s, "single"):
            made[-1:] = s.single.statements(is_only)  # instead of the division
        elif any(hasattr(each, "single") for each in ast.walk(s)):
            return None  # under a condition
        else:
            made.append(s)
    return made
