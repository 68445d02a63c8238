"""Loops whose iterations access different elements, and so may be executed in any order, and at once."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import Liveness, assigned
from numba_dpex.core.dpjit.loops import bounds_of, is_constant, is_short
from numba_dpex.core.dpjit.reductions import reduction_of

_NONE: frozenset[str] = frozenset()

# The reductions that work-groups have, with the names of the group algorithms.
REDUCTIONS = {"+": "add", "*": "mul", "&": "and", "|": "or", "^": "xor", "min": "min", "max": "max"}


@dataclass
class Independence:
    """Why iterations of a loop are independent.

    Attributes:
        keys: for each array that the loop stores to, an axis and an index that all uses have there, and that differs
            between iterations; None if there is not one for all.
        spans: arrays and axes that the counter indexes. Where the counter's range is longer than the axis, indices
            below zero and others may refer to the same elements.
        apart: arrays and axes with uses whose indices differ by a constant: the axis must be longer than that.
        beyond: arrays and axes with uses whose indices are the counter and something that is as far below the counter's
            range, or above it: the axis must be at least that longer than the range.
        reordered: arrays that are only updated by `x[…] += y` and similar. They must be updated atomically. The order
            matters for floats, which may only be added in another order where the program allows that.
        reductions: variables that all iterations change by one operation, and the operation.
    """

    keys: dict[str, tuple[int, str] | None] = field(default_factory=dict)
    spans: list[tuple[str, int]] = field(default_factory=list)
    apart: list[tuple[str, int, int]] = field(default_factory=list)
    beyond: list[tuple[str, int, int]] = field(default_factory=list)
    reordered: list[str] = field(default_factory=list)
    reductions: list[tuple[str, str]] = field(default_factory=list)


def independence_of(
    loop: ast.stmt,
    live_after: Callable[[ast.For], frozenset[str]],
    look_up: Callable[[ast.expr], object],
    is_promised: bool = False,
) -> Independence | None:
    """Why the iterations of a loop over range are independent; None if they may not be.

    Updates that are marked as shared are atomic, and so independent.

    Args:
        loop: a statement. Its arrays are variables that the loop does not assign.
        live_after: returns the variables that are read after a loop.
        look_up: returns the object that an expression of global or captured names refers to.
        is_promised: whether the program says that its iterations access different elements.
    """
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or not isinstance(loop.iter, ast.Call):
        return None
    changed = assigned(loop.body)
    counter = loop.target.id
    if is_short(loop) or loop.iter.keywords or not 1 <= len(loop.iter.args) <= 3 or _leaves(loop.body):
        return None
    found = Independence()
    carried = (Liveness().live(loop.body, _NONE, _NONE, _NONE) & changed) - {counter}
    for variable in sorted(carried):
        operation = reduction_of(variable, loop.body, look_up)
        if operation not in REDUCTIONS:
            return None
        found.reductions.append((variable, operation))
    if counter in changed or ((changed - carried) | {counter}) & live_after(loop):
        return None
    nodes = [part for s in loop.body for part in nodes_of(s)]
    atomic = {id(each.target) for each in nodes if isinstance(each, ast.AugAssign) and hasattr(each, "shared")}
    for array in sorted(indexed(loop.body, ast.Store)):
        uses = [
            each
            for each in nodes
            if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) and each.value.id == array
        ]
        if all(id(each) in atomic for each in uses) and _are_updates_in_any_order(uses, nodes):
            found.keys[array] = None
        elif _are_updates_in_any_order(uses, nodes) and not _common_keys(uses, counter, changed | {counter}):
            found.keys[array] = None
            found.reordered.append(array)
        elif apart := _Apart(loop, array, changed).of(uses):
            found.keys[array] = apart.key
            found.spans += apart.spans
            found.apart += apart.apart
            found.beyond += apart.beyond
        elif is_promised:
            found.keys[array] = None
        else:
            return None
    return found


def _are_updates_in_any_order(uses: list[ast.Subscript], nodes: list[ast.AST]) -> bool:
    """Whether all uses of an array are updates by operations of which several may be exchanged."""
    operators = {
        id(each.target): type(each.op)
        for each in nodes
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Subscript)
    }
    found = {operators.get(id(each)) for each in uses}
    return found <= {ast.Add, ast.Sub} or found in ({ast.BitAnd}, {ast.BitOr}, {ast.BitXor})


def _common_keys(uses: list[ast.Subscript], counter: str, varying: frozenset[str]) -> frozenset[tuple[int, str]]:
    return frozenset.intersection(*(_keys(each.slice, counter, varying) for each in uses))


@dataclass
class _Apart:
    """Whether no two iterations of a loop access one element of an array, of which at least one stores it.

    Attributes:
        loop: the loop, over a range.
        array: the array.
        changed: the variables that the loop assigns.
        key, spans, apart, beyond: what `Independence` has of the array.
    """

    loop: ast.For
    array: str
    changed: frozenset[str]
    key: tuple[int, str] | None = None
    spans: list[tuple[str, int]] = field(default_factory=list)
    apart: list[tuple[str, int, int]] = field(default_factory=list)
    beyond: list[tuple[str, int, int]] = field(default_factory=list)

    def of(self, uses: list[ast.Subscript]) -> _Apart | None:
        """This if no two iterations access one element, given all uses of the array; else None."""
        assert isinstance(self.loop.target, ast.Name)
        counter = self.loop.target.id
        varying = self.changed | {counter}
        keys = [_keys(each.slice, counter, varying) for each in uses]
        common = frozenset.intersection(*keys)
        if common:
            self.key = min(common)
            self.spans.append((self.array, self.key[0]))
            return self
        axes: set[int] = set()
        for store, keys_of_store in zip(uses, keys, strict=True):
            if not isinstance(store.ctx, ast.Store):
                continue
            for use, keys_of_use in zip(uses, keys, strict=True):
                if keys_of_store & keys_of_use:
                    axes.add(min(keys_of_store & keys_of_use)[0])
                elif use is store:
                    return None
                elif apart := _constant_difference(store.slice, use.slice, varying):
                    self.apart.append((self.array, *apart))
                elif beyond := self._beyond(store.slice, use.slice, varying):
                    self.beyond.append((self.array, *beyond))
                else:
                    return None
        self.spans += [(self.array, axis) for axis in sorted(axes)]
        return self

    def _beyond(self, one: ast.expr, other: ast.expr, varying: frozenset[str]) -> tuple[int, int] | None:
        """An axis on which one index is the counter, and the other is outside of its range; and how far, at least."""
        assert isinstance(self.loop.iter, ast.Call)
        start, stop, step = bounds_of(self.loop.iter)
        if not is_constant(step, 1):
            return None
        axes = [index.elts if isinstance(index, ast.Tuple) else [index] for index in (one, other)]
        if len(axes[0]) != len(axes[1]):
            return None
        for d, pair in enumerate(zip(*axes, strict=True)):
            for mine, fixed in (pair, pair[::-1]):
                if not _is_same_name(mine, self.loop.target) or not _stays_the_same(fixed, varying):
                    continue
                (base, constant), (first, of_first), (last, of_last) = map(_base_and_constant, (fixed, start, stop))
                if base == first and constant < of_first:
                    return d, of_first - constant
                if base == last and constant >= of_last:
                    return d, constant - of_last + 1
        return None


def _constant_difference(one: ast.expr, other: ast.expr, varying: frozenset[str]) -> tuple[int, int] | None:
    """An axis on which two indices differ by a constant, and the size of the constant."""
    axes = [index.elts if isinstance(index, ast.Tuple) else [index] for index in (one, other)]
    if len(axes[0]) != len(axes[1]):
        return None
    for d, (first, second) in enumerate(zip(*axes, strict=True)):
        if _stays_the_same(first, varying) and _stays_the_same(second, varying):
            (base, constant), (base_of_second, constant_of_second) = map(_base_and_constant, (first, second))
            if base == base_of_second and constant != constant_of_second:
                return d, abs(constant - constant_of_second)
    return None


def _is_same_name(node: ast.expr, other: ast.expr) -> bool:
    return isinstance(node, ast.Name) and isinstance(other, ast.Name) and node.id == other.id


def _base_and_constant(index: ast.expr) -> tuple[str, int]:
    match index:
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int(value))):
            return ast.dump(left), value
        case ast.BinOp(left=left, op=ast.Sub(), right=ast.Constant(value=int(value))):
            return ast.dump(left), -value
        case ast.Constant(value=int(value)) if value >= 0:
            return "", value
    return ast.dump(index), 0


def indexed(nodes: list, context: type[ast.expr_context]) -> frozenset[str]:
    """The variables whose elements the nodes read or store; `x[i] += y` does both."""
    found: set[str] = set()
    for part in (part for node in nodes for part in nodes_of(node)):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and isinstance(part.ctx, context):
            found.add(part.value.id)
        match part:
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=title))):
                found.add(title)
    return frozenset(found)


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a loop with this body is left early by `break`."""

    def leaves(s: ast.stmt) -> bool:
        if isinstance(s, ast.If):
            return any(leaves(each) for each in [*s.body, *s.orelse])
        return isinstance(s, ast.Break)

    return any(leaves(s) for s in body)


def _keys(index: ast.expr, counter: str, varying: frozenset[str]) -> frozenset[tuple[int, str]]:
    """The axes on which an index is the counter plus or minus something that stays the same, with what it is."""
    axes = index.elts if isinstance(index, ast.Tuple) else [index]
    found = ((d, _moved_counter(axis, counter, varying)) for d, axis in enumerate(axes))
    return frozenset((d, key) for d, key in found if key is not None)


def _moved_counter(index: ast.expr, counter: str, varying: frozenset[str]) -> str | None:
    match index:
        case ast.Name(id=title):
            return "counter" if title == counter else None
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            sign = "+" if isinstance(op, ast.Add) else "-"
            if _stays_the_same(right, varying):
                key = _moved_counter(left, counter, varying)
                return key and f"({key} {sign} {ast.dump(right)})"
            if _stays_the_same(left, varying):
                key = _moved_counter(right, counter, varying)
                return key and f"({ast.dump(left)} {sign} {key})"
    return None


def _stays_the_same(node: ast.expr, varying: frozenset[str]) -> bool:
    """Whether an integer of the index is the same in all iterations."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.Name(id=title):
            return title not in varying
        case ast.BinOp(left=left, right=right):
            return _stays_the_same(left, varying) and _stays_the_same(right, varying)
        case ast.UnaryOp(operand=operand):
            return _stays_the_same(operand, varying)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=title), attr="shape"), slice=ast.Constant()):
            return title not in varying
        case ast.Attribute(value=ast.Name(id=title), attr="size"):
            return title not in varying
    return False
