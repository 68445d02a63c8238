"""Two nested loops whose iterations depend on those above and to the left: tables of dynamic programming, sweeps.

Iterations with the same `skew * i + j` do not depend on each other, and depend only on iterations with smaller numbers
(L. Lamport, The parallel execution of DO loops, 1974). Work-items share each such front, and wait for each other
between two fronts.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.kept_elements import Offsets, Use, counter_and_offset, offsets_of
from numba_dpex.core.dpjit.liveness import Liveness, assigned, names
from numba_dpex.core.dpjit.loops import assign, bounds_of, integer, is_constant
from numba_dpex.core.dpjit.strips import Strips, delay_of, strips_of
from numba_dpex.core.dpjit.templates import statements_of

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
        strips: how strips of rows execute the loops, if they do instead.
    """

    outer: ast.For
    inner: ast.For
    skew: int
    least: tuple[int, int]
    axes: dict[str, tuple[int, int]]
    strips: Strips | None

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
    iterations
"""
        made: list[ast.stmt] = []
        bounds = (bounds_of(loop.iter) for loop in (self.outer, self.inner) if isinstance(loop.iter, ast.Call))
        for letter, (start, stop, _) in zip("ij", bounds, strict=True):
            made.append(assign(f"#first_{letter} {number}", integer(start)))
            made.append(assign(f"#last_{letter} {number}", integer(stop)))
        row, body = self.outer.body[:-1], self.inner.body
        if self.strips:
            counters = self.outer.target, self.inner.target
            assert isinstance(counters[0], ast.Name) and isinstance(counters[1], ast.Name)
            iterations = self.strips.statements(number, row, body, (counters[0], counters[1]), barrier())
        else:
            iterations = self._by_fronts(number, [*row, *body], barrier())
        return made + statements_of(text, number, {"alone": [alone], "iterations": iterations}, {})

    def _by_fronts(self, number: int, body: list[ast.stmt], barrier: ast.stmt) -> list[ast.stmt]:
        """The statements of each work-item that executes some iterations of each front."""
        text = f"""
for front in range(0, {self.skew} * (rows - 1) + columns):
    barrier
    top = max(0, (front - columns + {self.skew}) // {self.skew})
    bottom = min(rows, front // {self.skew} + 1)
    for row in range(top + lane, bottom, lanes):
        i = first_i + row
        j = first_j + (front - {self.skew} * row)
        body
"""
        counters = {"i": self.outer.target, "j": self.inner.target}
        return statements_of(text, number, {"barrier": [barrier], "body": body}, counters)


def wavefront_of(
    loop: ast.For,
    stored: Iterable[str],
    is_range: Callable[[ast.expr], bool],
    live_after: Callable[[ast.For], frozenset[str]],
    local_elements: int,
) -> Wavefront | None:
    """The loops that fronts of iterations can execute; None if they cannot.

    Args:
        loop: the outer loop.
        stored: the arrays that are stored to.
        is_range: whether an expression is a call of range.
        live_after: returns the variables that are read after a loop.
        local_elements: the elements of local memory that are left.
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
    if _carried(body) or counters[1] in names(loop.body[:-1]):
        return None  # variables are carried from one row to the next
    if names(list(inner.iter.args)) & (changed | {*counters}):  # type: ignore[attr-defined]
        return None
    if any(_leaves(each) for each in inner.body):
        return None
    if any(each in stored for each in names(loop.body[:-1])):
        return None
    bounds = [part for each in loops for part in nodes_of(each.iter)]
    if any(isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) for each in bounds):
        return None
    uses = _uses(stored, inner.body, counters, changed)
    if not uses:
        return None
    offsets = [each.at for of_array in uses.values() for each in of_array]
    least = min(0, *(at[0] for at in offsets)), min(0, *(at[1] for at in offsets))
    distances = [each for of_array in uses.values() for each in _distances(of_array)]
    skew = delay_of(distances, 1)
    if skew > _LARGEST_SKEW:
        return None
    axes = {array: of_array[0].axes for array, of_array in uses.items()}
    carries = bool(_carried(inner.body))
    strips = strips_of(uses, inner.body, distances, local_elements, carries)
    return Wavefront(loop, inner, skew, least, axes, strips) if strips or not carries else None


def _uses(
    stored: Iterable[str], body: list[ast.stmt], counters: list[str], changed: frozenset[str]
) -> dict[str, list[Use]] | None:
    """The uses of each stored array; None if distances between their elements are not constant."""
    found: dict[str, list[Use]] = {}
    nodes = [part for s in body for part in nodes_of(s)]
    for array in sorted(stored):
        keys = set()
        for each in nodes:
            if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) and each.value.id == array:
                offsets, key = offsets_of(each.slice, counters), _other_axes(each.slice, counters, changed)
                if offsets is None or key is None:
                    return None
                found.setdefault(array, []).append(Use(each, *offsets))
                keys.add((offsets[1], key))
        if len(keys) > 1:
            return None
    return found


def _distances(uses: list[Use]) -> Iterator[Offsets]:
    """The distances between iterations that depend on each other, in rows, at least one, and in columns."""
    for one in uses:
        for other in uses if isinstance(one.node.ctx, ast.Store) else []:
            down, right = one.at[0] - other.at[0], one.at[1] - other.at[1]
            if down:
                yield (down, right) if down > 0 else (-down, -right)


def _carried(body: list[ast.stmt]) -> frozenset[str]:
    """The variables that a loop's body reads before it assigns them."""
    return Liveness().live(body, _NONE, _NONE, _NONE) & assigned(body)


def _other_axes(index: ast.expr, counters: list[str], varying: frozenset[str]) -> str | None:
    """A key of an index's axes that the counters do not index; None if they vary."""
    others = []
    for d, axis in enumerate(index.elts if isinstance(index, ast.Tuple) else [index]):
        found = counter_and_offset(axis)
        if found and found[0] in counters:
            continue
        if names([axis]) & (varying | {*counters}) or not _is_simple(axis):
            return None
        others.append(f"{d}: {ast.dump(axis)}")
    return " ".join(others)


def _is_simple(index: ast.expr) -> bool:
    return isinstance(index, ast.Name) or (isinstance(index, ast.Constant) and isinstance(index.value, int))


def _assigns_variables(s: ast.stmt) -> bool:
    return isinstance(s, ast.Assign) and all(isinstance(each, ast.Name) for each in s.targets)


def _leaves(s: ast.stmt) -> bool:
    """Whether a statement of a loop's body leaves the loop."""
    if isinstance(s, ast.If):
        return any(_leaves(each) for each in [*s.body, *s.orelse])
    return isinstance(s, ast.Break)
