"""Updates of array elements, `x[…] += y`, that several iterations of a parallel loop may make at once."""

from __future__ import annotations

import ast
from collections.abc import Callable

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.called_updates import VARIES, updates_of_call
from numba_dpex.core.dpjit.liveness import assigned, names
from numba_dpex.core.dpjit.loops import Nest, bounds_of

Range = tuple[ast.expr, ast.expr, ast.expr]  # start, stop, step


def mark_shared_updates(
    nest: Nest, is_range: Callable[[ast.expr], bool], look_up: Callable[[ast.expr], object] = lambda _: None
) -> None:
    """Mark the updates of a parallel loop by which several iterations may change one element of an array.

    Calls of functions that make such updates are marked, too. The translator of the kernel compiler makes the updates
    atomic. An update is not marked if the loop assigns the array itself, or if each iteration has elements of its own:
    for each counter of the nest, all updates of the array have one index that differs between iterations.

    Args:
        nest: a parallel loop.
        is_range: whether an expression is a call of range.
        look_up: returns the object that an expression of global or captured names refers to.
    """
    indices = _Indices(nest, is_range)
    updates: dict[str, list[tuple[ast.AugAssign | ast.Call, ast.expr]]] = {}
    views = _views(nest)
    for each in (part for s in nest.body for part in nodes_of(s)):
        if isinstance(each, ast.AugAssign):
            targets = _updated(each.target, views)
        elif isinstance(each, ast.Call):
            of_call = updates_of_call(each, look_up(each.func))
            if of_call is None:
                each.shared = True  # type: ignore[attr-defined]
                continue
            targets = [part for target in of_call for part in _updated(target, views)]
        else:
            continue
        for target in targets:
            key = "row " if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name) else ""
            owner = target.value
            if not (isinstance(owner, ast.Name) and owner.id in indices.varying):
                updates.setdefault(key + ast.dump(owner), []).append((each, target.slice))
    for of_one_array in updates.values():
        found = [indices.of_own_elements(index) for _, index in of_one_array]
        if not all(frozenset.intersection(*of_counter) for of_counter in zip(*found, strict=True)):
            for each, _ in of_one_array:
                each.shared = True  # type: ignore[attr-defined]


def _views(nest: Nest) -> dict[str, list[ast.Subscript]]:
    """The subscripts that the loop assigns to variables, such as `row = a[i]`, which may be views of arrays."""
    views: dict[str, list[ast.Subscript]] = {}
    for each in (part for s in nest.body for part in nodes_of(s)):
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Subscript):
            for target in each.targets:
                if isinstance(target, ast.Name):
                    views.setdefault(target.id, []).append(each.value)
    return views


def _updated(target: ast.expr, views: dict[str, list[ast.Subscript]]) -> list[ast.Subscript]:
    """The subscripts of arrays that an update of `target` changes; of a view, those that it was made by."""
    if isinstance(target, ast.Subscript):
        if isinstance(target.value, ast.Name) and target.value.id in views:
            return views[target.value.id]
        return [target]
    return views.get(target.id, []) if isinstance(target, ast.Name) else []


class _Indices:
    """The indices in a nest of parallel loops that differ between its iterations."""

    def __init__(self, nest: Nest, is_range: Callable[[ast.expr], bool]) -> None:
        self._counters = [names([target], ast.Store) for target in nest.targets]
        self.varying = assigned(nest.body).union([VARIES], *self._counters)
        # the ranges of all loops with a counter, for counters that nothing else assigns
        self._ranges: dict[str, list[Range]] = {}
        targets: set[int] = set()
        for target, bounds in zip(nest.targets, nest.ranges, strict=True):
            if isinstance(target, ast.Name):
                self._ranges[target.id] = [bounds]
        nodes = [part for s in nest.body for part in nodes_of(s)]
        for each in nodes:
            if isinstance(each, ast.For) and isinstance(each.target, ast.Name) and is_range(each.iter):
                assert isinstance(each.iter, ast.Call)
                targets.add(id(each.target))
                self._ranges.setdefault(each.target.id, []).append(bounds_of(each.iter))
        for each in nodes:
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and id(each) not in targets:
                self._ranges.pop(each.id, None)

    def of_own_elements(self, index: ast.expr) -> list[frozenset[str]]:
        """For each counter of the nest, keys of the index's axes on which iterations with other counters differ.

        Indices of one key are of one iteration, or of none, whatever else is in them.
        """
        axes = index.elts if isinstance(index, ast.Tuple) else [index]
        return [
            frozenset(f"{d}: {key}" for d, axis in enumerate(axes) for key in self._keys(axis, counter))
            for counter in self._counters
        ]

    def _keys(self, index: ast.expr, counter: frozenset[str]) -> list[str]:
        """`[index]` without its offset within a row if it differs wherever the counter does, else an empty list."""
        match index:
            case ast.Name(id=title):
                return [title] if title in counter else []
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return [f"-{each}" for each in self._keys(operand, counter)]
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                if not self._varies(right):
                    return [f"{each} * {ast.dump(right)}" for each in self._keys(left, counter)]
                if not self._varies(left):
                    return [f"{each} * {ast.dump(left)}" for each in self._keys(right, counter)]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                for rows, offset in (left, right), (right, left):
                    for length in self._row_lengths(rows):
                        if self._is_within(offset, length):
                            keys = [f"{each} of {ast.dump(length)}" for each in self._keys(offset, counter)]
                            return self._keys(rows, counter) or keys
                return self._keys_of_moved(left, right, "+", counter)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return self._keys_of_moved(left, right, "-", counter)
        return []

    def _keys_of_moved(self, left: ast.expr, right: ast.expr, sign: str, counter: frozenset[str]) -> list[str]:
        """The key of a sum or difference in which only one operand differs between iterations."""
        if not self._varies(right):
            return [f"{each} {sign} {ast.dump(right)}" for each in self._keys(left, counter)]
        if not self._varies(left):
            return [f"{ast.dump(left)} {sign} {each}" for each in self._keys(right, counter)]
        return []

    def _varies(self, node: ast.expr) -> bool:
        return bool(names([node]) & self.varying)

    def _row_lengths(self, rows: ast.expr) -> list[ast.expr]:
        """The factors of a product, each of which may be the length of rows: `n` in `i * n`."""
        if not isinstance(rows, ast.BinOp) or not isinstance(rows.op, ast.Mult):
            return []
        return [each for each in (rows.left, rows.right) if not self._varies(each)]

    def _is_within(self, offset: ast.expr, length: ast.expr) -> bool:
        """Whether an index is in range(length)."""
        if isinstance(offset, ast.Constant):
            return isinstance(offset.value, int) and 0 <= offset.value < (_constant(length) or 0)
        ranges = self._ranges.get(offset.id, []) if isinstance(offset, ast.Name) else []
        return bool(ranges) and all(self._range_is_within(each, length) for each in ranges)

    def _range_is_within(self, bounds: Range, length: ast.expr) -> bool:
        start, stop, step = bounds
        first, end, most = _constant(start), _constant(stop), _constant(length)
        if first is None or first < 0 or (_constant(step) or 0) < 1:
            return False
        if end is not None and most is not None:
            return end <= most
        return not self._varies(stop) and ast.dump(stop) == ast.dump(length)


def _constant(node: ast.expr) -> int | None:
    """The value of a constant integer, which may have a sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None
