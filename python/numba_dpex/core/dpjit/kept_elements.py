"""Arrays of which every iteration of two nested loops stores one element, and the elements that iterations load."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.loops import name

_MOST_ROWS, _MOST_VALUES = 4, 8  # above, and of elements that are kept in variables

Offsets = tuple[int, int]  # what is added to the outer and the inner counter


@dataclass
class Use:
    """A subscript of a stored array, what it adds to the counters, and the axes that they index."""

    node: ast.Subscript
    at: Offsets
    axes: tuple[int, int]


@dataclass
class Kept:
    """An array of which every iteration stores one element, which is not loaded again.

    Attributes:
        title: its name.
        store: a subscript that stores to it.
        left: how far to the left the elements of the same row are that are loaded.
        above: for each distance to a row above that elements are loaded from, the least and the largest distance to
            the left.
    """

    title: str
    store: Use
    left: int
    above: dict[int, tuple[int, int]]

    @property
    def is_loaded(self) -> bool:
        """Whether iterations load elements that others stored."""
        return bool(self.left or self.above)

    def distance(self, use: Use) -> Offsets:
        return self.store.at[0] - use.at[0], self.store.at[1] - use.at[1]

    def element(self, down: int, right: int, counters: tuple[str, str]) -> ast.Subscript:
        """The element that is so far above and to the left of the stored one."""
        index = self.store.node.slice
        axes = [*index.elts] if isinstance(index, ast.Tuple) else [index]
        for axis, counter, added in zip(
            self.store.axes, counters, (self.store.at[0] - down, self.store.at[1] - right), strict=True
        ):
            axes[axis] = ast.BinOp(name(counter), ast.Add(), ast.Constant(added)) if added else name(counter)
        return ast.Subscript(
            name(self.title), ast.Tuple(axes, ast.Load()) if isinstance(index, ast.Tuple) else axes[0], ast.Load()
        )

    @property
    def rows(self) -> int:
        """How far above the elements are that are loaded."""
        return max(self.above, default=0)

    def ring(self, block: int, delay: int) -> int:
        """The elements of a work-item in local memory: while it stores a block, others load older ones."""
        blocks = [delay * down + 1 + -(-max(least, 0) // block) for down, (least, _) in self.above.items()]
        return block * _power_of_two(max(blocks, default=2))

    def positions(self) -> Iterator[tuple[int, int]]:
        """The distances of all elements that are in variables."""
        for right in range(1, self.left + 1):
            yield 0, right
        for down, (least, most) in self.above.items():
            for right in range(least, most + 1):
                yield down, right


def kept_array(title: str, uses: list[Use], body: list[ast.stmt]) -> Kept | None:
    """What is known of an array of which every iteration stores one element; None if it is not one.

    Args:
        title: its name.
        uses: all its uses in the inner loop.
        body: the inner loop's body.
    """
    stores = [each for each in uses if isinstance(each.node.ctx, ast.Store)]
    if len({each.at for each in stores}) != 1 or not _always_stores(body, title) or _is_shared(title, body):
        return None
    found = Kept(title, stores[0], 0, {})
    for use in uses:
        down, right = found.distance(use)
        if (down, right) <= (0, 0):
            continue  # an element that is stored later, or by this iteration
        if down == 0:
            found.left = max(found.left, right)
        else:
            least, most = found.above.get(down, (right, right))
            found.above[down] = min(least, right), max(most, right)
    if found.rows > _MOST_ROWS or len([*found.positions()]) > _MOST_VALUES:
        return None
    always = {id(node) for node in _always_evaluated(body)}
    certain = {found.distance(each) for each in uses if id(each.node) in always}
    # Elements up to the stored one exist. An element on its right may not, unless the program loads it.
    if any(least < 0 and (down, least) not in certain for down, (least, _) in found.above.items()):
        return None
    return found


def _always_stores(body: list[ast.stmt], title: str) -> bool:
    """Whether each path through the statements stores to an array."""
    for s in body:
        match s:
            case ast.Assign(targets=targets) if any(is_element(each, title) for each in targets):
                return True
            case ast.AugAssign(target=target) if is_element(target, title):
                return True
            case ast.If(body=then, orelse=other) if _always_stores(then, title) and _always_stores(other, title):
                return True
    return False


def _is_shared(title: str, body: list[ast.stmt]) -> bool:
    """Whether other iterations of a parallel loop may change an element at the same time."""
    nodes = (part for s in body for part in nodes_of(s))
    return any(isinstance(each, ast.AugAssign) and hasattr(each, "shared") for each in nodes if stores_to(each, title))


def stores_to(s: ast.AST, title: str) -> bool:
    """Whether a statement assigns elements of an array itself, and not by statements in it."""
    match s:
        case ast.Assign(targets=targets):
            return any(is_element(each, title) for each in targets)
        case ast.AugAssign(target=target):
            return is_element(target, title)
    return False


def is_element(target: ast.expr, title: str) -> bool:
    return isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == title


def _always_evaluated(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The expressions of a body's statements that every execution of it evaluates."""
    for s in body:
        match s:
            case ast.Assign(value=value) | ast.AugAssign(value=value):
                yield from _parts(value)
            case ast.If(test=test):
                yield from _parts(test)


def _parts(node: ast.expr) -> Iterator[ast.AST]:
    yield node
    match node:
        case ast.IfExp(test=test):
            yield from _parts(test)
        case ast.BoolOp(values=values):
            yield from _parts(values[0])
        case ast.Compare(left=left, comparators=comparators):
            yield from _parts(left)
            yield from _parts(comparators[0])
        case _:
            for each in ast.iter_child_nodes(node):
                if isinstance(each, ast.expr):
                    yield from _parts(each)


def offsets_of(index: ast.expr, counters: list[str]) -> tuple[Offsets, tuple[int, int]] | None:
    """What an index adds to the two counters, and the axes on which it does; None if it does not have each once."""
    added: dict[str, tuple[int, int]] = {}  # by counter: what is added, and the axis
    for d, axis in enumerate(index.elts if isinstance(index, ast.Tuple) else [index]):
        found = counter_and_offset(axis)
        if found and found[0] in counters:
            if found[0] in added:
                return None
            added[found[0]] = found[1], d
    if len(added) < len(counters):
        return None
    (down, row), (right, column) = (added[each] for each in counters)
    return (down, right), (row, column)


def counter_and_offset(index: ast.expr) -> tuple[str, int] | None:
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


def _power_of_two(n: int) -> int:
    return 1 << (n - 1).bit_length()
