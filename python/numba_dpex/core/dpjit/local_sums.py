"""Sums in elements of small arrays on GPUs: a work-group adds to a copy in local memory, and then that to the array.

Atomic additions to one address take turns. In local memory a turn is short, and there are several copies of each
element, so that the work-items of a sub-group seldom add to the same one. Histograms and the sums of clusters are such
loops. The technique is that of NVIDIA's "GPU Pro Tip: Fast Histograms Using Shared Atomics on Maxwell" (2015).
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import assigned
from numba_dpex.core.dpjit.loops import (
    LANE,
    LANES,
    ROW,
    ROWS,
    Nest,
    assign,
    clone,
    counter_of,
    integer,
    item_of,
    locate,
    name,
    range_loop,
)

# The elements of all copies that a work-group has, of up to 8 bytes each, and the most copies of one element.
MOST_ELEMENTS, MOST_COPIES = 4096, 32


def summed_arrays(body: list[ast.stmt]) -> dict[str, int]:
    """The arrays of which the statements only add to elements, atomically, with the numbers of their dimensions."""
    nodes = [part for s in body for part in nodes_of(s)]
    found: dict[str, int] = {}
    added: set[int] = set()
    for each in nodes:
        match each:
            case ast.AugAssign(
                target=ast.Subscript(value=ast.Name(id=title) as owner) as target, op=ast.Add() | ast.Sub()
            ):
                indices = _indices(target)
                if hasattr(each, "shared") and found.setdefault(title, len(indices)) == len(indices) <= 3:
                    added.add(id(owner))
            case ast.Attribute(value=ast.Name() as owner, attr="shape" | "size" | "ndim"):
                added.add(id(owner))
    others = {each.id for each in nodes if isinstance(each, ast.Name) and id(each) not in added}
    return {title: axes for title, axes in found.items() if title not in others | assigned(body)}


def by_sums(nest: Nest | None, body: list[ast.stmt], arrays: dict[str, int], has_lanes: bool, has_rows: bool):
    """The body of the kernel whose work-groups add to copies in local memory.

    Args:
        nest: the parallel loop, or None.
        body: its body, or the statements of a loop that work-items share, as in the form "grid".
        arrays: the arrays that are added to, with the numbers of their dimensions.
        has_lanes: whether several work-items share an iteration of the parallel loop.
        has_rows: whether several rows of work-items share a loop that is not parallel.
    """
    most = MOST_ELEMENTS // len(arrays)
    zero = ast.Constant(0)
    number, count = item_of("get_global_id", zero), item_of("get_global_range", zero)
    made = [
        assign("#local id", item_of("get_local_id", zero)),
        assign("#local range", item_of("get_local_range", zero)),
    ]
    if has_lanes or has_rows:
        lanes = name(LANES)  # a parameter
        made += [
            assign(LANE, ast.BinOp(number, ast.Mod(), lanes)),
            assign(ROW, ast.BinOp(number, ast.FloorDiv(), lanes)),
        ]
        made += [assign(ROWS, ast.BinOp(count, ast.FloorDiv(), lanes))]
    else:
        made += [assign(ROW if nest else LANE, number), assign(ROWS if nest else LANES, count)]
    for array in arrays:
        made += _copies(array, most)
    changed = _SumsInCopies(arrays).in_place_of(body)
    if nest:
        counters = [assign(nest.targets[d], counter_of(nest, d, _index(nest, d))) for d in range(len(nest.targets))]
        over = ast.Call(name("#range"), [name(ROW), name("#count"), name(ROWS)], [])
        changed = [ast.For(ast.Name("#number", ast.Store()), over, [*counters, *changed], [])]
    barrier = ast.Expr(ast.Call(name("#barrier"), [], []))
    made += [barrier, *changed, barrier]
    for array, axes in arrays.items():
        made.append(_add_copies(array, axes))
    return made


def _index(nest: Nest, d: int) -> ast.expr:
    """The index on one axis of the iteration `#number` of a nest."""
    index: ast.expr = name("#number")
    for inner in range(len(nest.targets) - 1, d, -1):
        index = ast.BinOp(index, ast.FloorDiv(), name(f"#size {inner}"))
    return ast.BinOp(index, ast.Mod(), name(f"#size {d}")) if d else index


def _copies(array: str, most: int) -> list[ast.stmt]:
    """The statements that create copies of an array of zeros. Those of an element are next to each other."""
    copies, copy = f"#copies {array}", f"#copy {array}"
    fitting = ast.BinOp(ast.Constant(most), ast.FloorDiv(), _size(array))
    cleared = ast.Subscript(name(f"#local {array}"), name("#cleared"), ast.Store())
    end = ast.BinOp(_size(array), ast.Mult(), name(copies))
    return [
        assign(copies, ast.Call(name("#min"), [ast.Constant(MOST_COPIES), fitting], [])),
        assign(copy, ast.BinOp(name("#local id"), ast.Mod(), name(copies))),
        assign(f"#local {array}", ast.Call(name("#local"), [name(array), ast.Constant(most)], [])),
        range_loop("#cleared", name("#local id"), end, name("#local range"), [assign(cleared, ast.Constant(0))]),
    ]


def _add_copies(array: str, axes: int) -> ast.stmt:
    """The loop that adds the sums of an element's copies to the element."""
    total, copies, summed = f"#sum {array}", f"#copies {array}", f"#summed {array}"

    def copy(number: ast.expr) -> ast.expr:
        first = ast.BinOp(name(summed), ast.Mult(), name(copies))
        return ast.Subscript(name(f"#local {array}"), ast.BinOp(first, ast.Add(), number), ast.Load())

    add = ast.AugAssign(ast.Name(total, ast.Store()), ast.Add(), copy(name("#other")))
    index: list[ast.expr] = []
    rest: ast.expr = name(summed)
    for d in range(axes - 1, 0, -1):
        index.insert(0, ast.BinOp(rest, ast.Mod(), _length(array, d)))
        rest = ast.BinOp(rest, ast.FloorDiv(), _length(array, d))
    index.insert(0, rest)
    element = ast.Subscript(name(array), ast.Tuple(index, ast.Load()) if axes > 1 else index[0], ast.Store())
    update = ast.AugAssign(element, ast.Add(), name(total))
    update.shared = True  # type: ignore[attr-defined]
    body: list[ast.stmt] = [
        assign(total, copy(ast.Constant(0))),
        range_loop("#other", ast.Constant(1), name(copies), ast.Constant(1), [add]),
        ast.If(ast.Compare(name(total), [ast.NotEq()], [ast.Constant(0)]), [update], []),
    ]
    return range_loop(summed, name("#local id"), _size(array), name("#local range"), body)


class Updates(ast.NodeTransformer):
    """Replaces updates of elements by statements.

    Args:
        arrays: the arrays.
    """

    def __init__(self, arrays: Collection[str]) -> None:
        self._arrays = arrays

    def in_place_of(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A copy of statements with the replaced updates."""
        made = [self.visit(s) for s in clone(body)]
        return [s for each in made for s in (each if isinstance(each, list) else [each])]


class _SumsInCopies(Updates):
    """Adds to the work-item's copy of an array instead of the array."""

    def visit_AugAssign(self, node: ast.AugAssign):
        match node.target:
            case ast.Subscript(value=ast.Name(id=title)) as target if title in self._arrays:
                made: list[ast.stmt] = []
                flat: ast.expr = ast.Constant(0)
                for d, index in enumerate(_indices(target)):
                    at = f"#index {title} {d}"
                    made.append(assign(at, integer(index)))
                    is_negative = ast.Compare(name(at), [ast.Lt()], [ast.Constant(0)])
                    wrapped = ast.IfExp(is_negative, ast.BinOp(name(at), ast.Add(), _length(title, d)), name(at))
                    flat = (
                        wrapped
                        if d == 0
                        else ast.BinOp(ast.BinOp(flat, ast.Mult(), _length(title, d)), ast.Add(), wrapped)
                    )
                flat = ast.BinOp(
                    ast.BinOp(flat, ast.Mult(), name(f"#copies {title}")), ast.Add(), name(f"#copy {title}")
                )
                changed = ast.AugAssign(ast.Subscript(name(f"#local {title}"), flat, ast.Store()), node.op, node.value)
                changed.shared = True  # type: ignore[attr-defined]
                if hasattr(node, "reordered"):
                    changed.reordered = True  # type: ignore[attr-defined]
                return [locate(each, node) for each in [*made, changed]]
        return node


def _indices(target: ast.Subscript) -> list[ast.expr]:
    """The indices of a subscript; empty if there are others than numbers."""
    indices = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    of_arrays = (ast.Slice, ast.Starred, ast.Tuple)
    is_other = any(
        isinstance(each, of_arrays) or (isinstance(each, ast.Constant) and type(each.value) is not int)
        for each in indices
    )
    return [] if is_other else indices


def _size(array: str) -> ast.expr:
    return ast.Attribute(name(array), "size", ast.Load())


def _length(array: str, d: int) -> ast.expr:
    return ast.Subscript(ast.Attribute(name(array), "shape", ast.Load()), ast.Constant(d), ast.Load())
