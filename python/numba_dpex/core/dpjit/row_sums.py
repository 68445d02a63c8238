"""Sums in the elements of a row on GPUs: each iteration of a parallel loop adds to elements of a row of its own.

The histogram of each row is such a loop: `for i in prange(n): for j in range(m): counts[i, bin_of(x[i, j])] += 1`. The
work-items of a group share the inner loop. Each adds to a copy of the row in local memory, of which there are as many
as fit, so that few or none add to the same element at once. Then sub-groups add the copies up.
"""

from __future__ import annotations

import ast

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.independence import Independence
from numba_dpex.core.dpjit.local_sums import MOST_ELEMENTS, Updates
from numba_dpex.core.dpjit.loops import (
    LANE,
    LANES,
    SUB_GROUP,
    SUB_GROUP_LANE,
    SUB_GROUP_LANES,
    SUB_GROUPS,
    assign,
    integer,
    locate,
    name,
    range_loop,
)

# Rows must be so much shorter than the number of work-items' copies in local memory, and than the loop.
_LEAST_COPIES, _LEAST_ADDITIONS = 16, 8


def rows_of(loop: ast.For, found: Independence, counters: frozenset[str]) -> list[str]:
    """The arrays of two dimensions to whose rows a loop adds, each iteration of the parallel loop to its own.

    Args:
        loop: a loop whose iterations work-items share.
        found: why its iterations are independent.
        counters: the counters of the parallel loop.

    Returns:
        The arrays; empty if there are others that the loop adds to.
    """
    for each in (part for s in loop.body for part in nodes_of(s)):
        match each:
            case ast.Subscript(value=ast.Name(id=title), slice=index) if title in found.reordered:
                match index:
                    case ast.Tuple(elts=[ast.Name(id=row), _]) if row in counters:
                        continue
                return []
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=title)), op=op) if title in found.reordered:
                if not isinstance(op, ast.Add | ast.Sub):
                    return []
    return list(found.reordered)


def are_short(arrays: list[str], length: ast.expr) -> ast.expr:
    """The condition under which copies of the rows take less time than atomic additions to the arrays.

    Args:
        arrays: the arrays.
        length: the number of the loop's iterations.
    """
    most = MOST_ELEMENTS // len(arrays) // _LEAST_COPIES
    conditions: list[ast.expr] = []
    for each in arrays:
        conditions.append(ast.Compare(ast.Constant(0), [ast.Lt(), ast.LtE()], [_elements(each), ast.Constant(most)]))
        additions = ast.BinOp(_elements(each), ast.Mult(), ast.Constant(_LEAST_ADDITIONS))
        conditions.append(ast.Compare(additions, [ast.LtE()], [length]))
    return ast.BoolOp(ast.And(), conditions)


def begin(arrays: list[str]) -> list[ast.stmt]:
    """The statements that create copies of zeros. Those of an element are next to each other. A barrier follows."""
    most = MOST_ELEMENTS // len(arrays)
    made: list[ast.stmt] = []
    for each in arrays:
        fitting = ast.BinOp(ast.Constant(most), ast.FloorDiv(), _elements(each))
        end = ast.BinOp(_elements(each), ast.Mult(), name(_copies(each)))
        cleared = ast.Subscript(name(_local(each)), name("#cleared"), ast.Store())
        made += [
            assign(_copies(each), ast.Call(name("#min"), [name(LANES), fitting], [])),
            assign(_copy(each), ast.BinOp(name(LANE), ast.Mod(), name(_copies(each)))),
            assign(_local(each), ast.Call(name("#local"), [name(each), ast.Constant(most)], [])),
            range_loop("#cleared", name(LANE), end, name(LANES), [assign(cleared, ast.Constant(0))]),
        ]
    return made


def in_copies(body: list[ast.stmt], arrays: list[str]) -> list[ast.stmt]:
    """A copy of the loop's statements that adds to the copies."""
    return _AddsToCopies(arrays).in_place_of(body)


def end(arrays: list[str], counter: str) -> list[ast.stmt]:
    """The statements after a barrier by which sub-groups add the sums of copies to the arrays.

    Args:
        arrays: the arrays.
        counter: the counter of the parallel loop.
    """
    made: list[ast.stmt] = []
    for each in arrays:
        total, element = f"#sum {each}", f"#summed {each}"
        first = ast.BinOp(name(element), ast.Mult(), name(_copies(each)))
        copy = ast.Subscript(name(_local(each)), ast.BinOp(first, ast.Add(), name("#other")), ast.Load())
        add = ast.AugAssign(ast.Name(total, ast.Store()), ast.Add(), copy)
        index = ast.Tuple([name(counter), name(element)], ast.Load())
        store = ast.AugAssign(ast.Subscript(name(each), index, ast.Store()), ast.Add(), name(total))
        zero = ast.Subscript(name(_local(each)), ast.Constant(0), ast.Load())  # for its type
        is_first = ast.Compare(name(SUB_GROUP_LANE), [ast.Eq()], [ast.Constant(0)])
        of_element = [
            assign(total, ast.Call(name("#identity_add"), [zero], [])),
            range_loop("#other", name(SUB_GROUP_LANE), name(_copies(each)), name(SUB_GROUP_LANES), [add]),
            assign(total, ast.Call(name("#sub_group_reduce_add"), [name(total)], [])),
            ast.If(is_first, [store], []),
        ]
        made.append(range_loop(element, name(SUB_GROUP), _elements(each), name(SUB_GROUPS), of_element))
    return made


class _AddsToCopies(Updates):
    """Adds to the work-item's copy of a row instead of the array."""

    def visit_AugAssign(self, node: ast.AugAssign):
        match node.target:
            case ast.Subscript(value=ast.Name(id=title), slice=ast.Tuple(elts=[_, index])) if title in self._arrays:
                at = f"#index {title}"
                is_negative = ast.Compare(name(at), [ast.Lt()], [ast.Constant(0)])
                wrapped = ast.IfExp(is_negative, ast.BinOp(name(at), ast.Add(), _elements(title)), name(at))
                flat = ast.BinOp(ast.BinOp(wrapped, ast.Mult(), name(_copies(title))), ast.Add(), name(_copy(title)))
                added = ast.AugAssign(ast.Subscript(name(_local(title)), flat, ast.Store()), node.op, node.value)
                added.shared = added.reordered = True  # type: ignore[attr-defined]
                return [locate(each, node) for each in (assign(at, integer(index)), added)]
        return node


def _elements(array: str) -> ast.expr:
    """The number of elements of a row."""
    return ast.Subscript(ast.Attribute(name(array), "shape", ast.Load()), ast.Constant(1), ast.Load())


def _local(array: str) -> str:
    return f"#local {array}"


def _copies(array: str) -> str:
    return f"#copies {array}"


def _copy(array: str) -> str:
    return f"#copy {array}"
