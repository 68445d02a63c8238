"""Two nested loops whose iterations depend on those above and to the left: tables of dynamic programming, sweeps.

Iterations with the same `skew * i + j` do not depend on each other, and depend only on iterations with smaller numbers
(L. Lamport, The parallel execution of DO loops, 1974). Work-items share each such front, and wait for each other
between two fronts.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import Liveness, assigned, names
from numba_dpex.core.dpjit.loops import LANE, LANES, assign, bounds_of, integer, is_constant, name

_LARGEST_SKEW = 4
_MOST = 1 << 48  # of a bound: the numbers of fronts have 64 bits
_NONE: frozenset[str] = frozenset()


@dataclass
class Wavefront:
    """Two loops that fronts of iterations execute.

    Attributes:
        outer: the outer loop.
        inner: the inner loop, its last statement. The statements before it assign variables.
        skew: the factor of the outer counter in a front's number.
        least: the smallest numbers that are added to the two counters in indices.
        axes: for each stored array, the axes that the two counters index.
    """

    outer: ast.For
    inner: ast.For
    skew: int
    least: tuple[int, int]
    axes: dict[str, tuple[int, int]]

    def statements(self, number: int, barrier: Callable[[], ast.stmt], alone: ast.stmt) -> list[ast.stmt]:
        """The statements of each work-item; `alone` executes the loops by one work-item.

        Args:
            number: distinguishes the variables of several wavefronts.
            barrier: makes a barrier.
            alone: for indices below zero, which refer to other elements than their distances say.
        """
        text = f"""
within = first_i + {self.least[0]} >= 0 and first_j + {self.least[1]} >= 0 and last_i <= {_MOST} and last_j <= {_MOST}
if not within:
    alone
elif last_i > first_i and last_j > first_j:
    rows, columns = last_i - first_i, last_j - first_j
    for front in range(0, {self.skew} * (rows - 1) + columns):
        barrier
        top = max(0, (front - columns + {self.skew}) // {self.skew})
        bottom = min(rows, front // {self.skew} + 1)
        for row in range(top + lane, bottom, lanes):
            i = first_i + row
            j = first_j + (front - {self.skew} * row)
            body
"""
        made: list[ast.stmt] = []
        bounds = (bounds_of(loop.iter) for loop in (self.outer, self.inner) if isinstance(loop.iter, ast.Call))
        for letter, (start, stop, _) in zip("ij", bounds, strict=True):
            made.append(assign(f"#first_{letter} {number}", integer(start)))
            made.append(assign(f"#last_{letter} {number}", integer(stop)))
        replaced = {
            "barrier": [barrier()],
            "alone": [alone],
            "body": [*self.outer.body[:-1], *self.inner.body],
        }
        change = _Names(number, replaced, {"i": self.outer.target, "j": self.inner.target})
        for each in ast.parse(text).body:
            changed = change.visit(each)
            made += changed if isinstance(changed, list) else [changed]
        return made


class _Names(ast.NodeTransformer):
    """Makes the names of a template the compiler's own, without positions, and inserts statements and counters."""

    def __init__(self, number: int, replaced: dict[str, list[ast.stmt]], counters: dict[str, ast.expr]) -> None:
        self._number, self._replaced, self._counters = number, replaced, counters

    def visit(self, node: ast.AST):
        for position in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            node.__dict__.pop(position, None)
        return super().visit(node)

    def visit_Expr(self, node: ast.Expr):
        assert isinstance(node.value, ast.Name)
        return self._replaced[node.value.id]

    def visit_Name(self, node: ast.Name):
        if node.id in self._counters:
            return self._counters[node.id]
        if node.id in ("range", "max", "min"):
            return name("#" + node.id)
        if node.id in ("lane", "lanes"):
            return name(LANE if node.id == "lane" else LANES)
        return ast.Name(f"#{node.id} {self._number}", node.ctx)


def wavefront_of(
    loop: ast.For,
    stored: Iterable[str],
    is_range: Callable[[ast.expr], bool],
    live_after: Callable[[ast.For], frozenset[str]],
) -> Wavefront | None:
    """The loops that fronts of iterations can execute; None if they cannot.

    Args:
        loop: the outer loop.
        stored: the arrays that are stored to.
        is_range: whether an expression is a call of range.
        live_after: returns the variables that are read after a loop.
    """
    inner = loop.body[-1]
    if not isinstance(inner, ast.For) or not all(map(_assigns_variables, loop.body[:-1])):
        return None
    loops = (loop, inner)
    for each in loops:
        if not isinstance(each.target, ast.Name) or not is_range(each.iter) or each.orelse:
            return None
        assert isinstance(each.iter, ast.Call)
        if each.iter.keywords or not 1 <= len(each.iter.args) <= 3 or not is_constant(bounds_of(each.iter)[2], 1):
            return None
    counters = [each.target.id for each in loops if isinstance(each.target, ast.Name)]
    body = [*loop.body[:-1], *inner.body]
    changed = assigned(body)
    if counters[0] == counters[1] or changed & {*counters}:
        return None
    if (changed | {*counters}) & (live_after(loop) | live_after(inner)):
        return None
    if any(_carried(each) for each in (body, inner.body)) or counters[1] in names(loop.body[:-1]):
        return None  # variables are carried from one iteration to the next
    if names(list(inner.iter.args)) & (changed | {*counters}):  # type: ignore[attr-defined]
        return None
    if any(_leaves(each) for each in inner.body):
        return None
    if any(each in stored for each in names(loop.body[:-1])):
        return None
    bounds = [part for each in loops for part in nodes_of(each.iter)]
    if any(isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) for each in bounds):
        return None
    skew, least, axes = 1, (0, 0), {}
    nodes = [part for s in inner.body for part in nodes_of(s)]
    for array in sorted(stored):
        uses = [each for each in nodes if isinstance(each, ast.Subscript) and _is_named(each.value, array)]
        if not uses:
            continue
        found = [_offsets(each.slice, counters, changed) for each in uses]
        offsets = [each[0] for each in found if each]
        if len(offsets) < len(uses) or len({each[1:] for each in found if each}) > 1:
            return None
        assert found[0]
        axes[array] = found[0][1]
        stores = [at for at, use in zip(offsets, uses, strict=True) if isinstance(use.ctx, ast.Store)]
        for one in stores:
            for other in offsets:
                down, right = one[0] - other[0], one[1] - other[1]
                if (down, right) < (0, 0):
                    down, right = -down, -right
                if down:
                    skew = max(skew, -right // down + 1)
        least = min(least[0], *(at[0] for at in offsets)), min(least[1], *(at[1] for at in offsets))
    if not axes or skew > _LARGEST_SKEW:
        return None
    return Wavefront(loop, inner, skew, least, axes)


def _carried(body: list[ast.stmt]) -> frozenset[str]:
    """The variables that a loop's body reads before it assigns them."""
    return Liveness().live(body, _NONE, _NONE, _NONE) & assigned(body)


def _offsets(
    index: ast.expr, counters: list[str], varying: frozenset[str]
) -> tuple[tuple[int, int], tuple[int, int], str] | None:
    """What an index adds to the two counters, the axes on which it does, and a key of its other axes."""
    axes = index.elts if isinstance(index, ast.Tuple) else [index]
    added: dict[str, tuple[int, int]] = {}  # by counter: what is added, and the axis
    others = []
    for d, axis in enumerate(axes):
        found = _counter_and_offset(axis)
        if found and found[0] in counters:
            if found[0] in added:
                return None
            added[found[0]] = found[1], d
        elif names([axis]) & (varying | {*counters}) or not _is_simple(axis):
            return None
        else:
            others.append(f"{d}: {ast.dump(axis)}")
    if len(added) < len(counters):
        return None
    (down, row), (right, column) = (added[each] for each in counters)
    return (down, right), (row, column), " ".join(others)


def _counter_and_offset(index: ast.expr) -> tuple[str, int] | None:
    match index:
        case ast.Name(id=title):
            return title, 0
        case ast.BinOp(left=ast.Name(id=title), op=ast.Add(), right=ast.Constant(value=int(value))):
            return title, value
        case ast.BinOp(left=ast.Constant(value=int(value)), op=ast.Add(), right=ast.Name(id=title)):
            return title, value
        case ast.BinOp(left=ast.Name(id=title), op=ast.Sub(), right=ast.Constant(value=int(value))):
            return title, -value
    return None


def _is_simple(index: ast.expr) -> bool:
    return isinstance(index, ast.Name) or (isinstance(index, ast.Constant) and isinstance(index.value, int))


def _is_named(node: ast.expr, title: str) -> bool:
    return isinstance(node, ast.Name) and node.id == title


def _assigns_variables(s: ast.stmt) -> bool:
    return isinstance(s, ast.Assign) and all(isinstance(each, ast.Name) for each in s.targets)


def _leaves(s: ast.stmt) -> bool:
    """Whether a statement of a loop's body leaves the loop."""
    if isinstance(s, ast.If):
        return any(_leaves(each) for each in [*s.body, *s.orelse])
    return isinstance(s, ast.Break)
