"""Loops for GPUs: several work-items execute one iteration of a parallel loop, or a loop that is not parallel.

All of them compute the variables. They share the iterations of inner loops that are independent of each other, and the
first of them alone executes other statements that store elements. Where an element may be read or stored by one
work-item after it was stored or read by another, they form a work-group and wait for each other at a barrier. This is
how OpenMP's `target teams distribute` with inner `parallel for` runs.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.independence import REDUCTIONS, Independence, independence_of, indexed
from numba_dpex.core.dpjit.liveness import assigned, kinds, names
from numba_dpex.core.dpjit.loops import LANE, LANES, ROW, ROWS, assign, bounds_of, clone, integer, is_short, name
from numba_dpex.core.dpjit.shared_statements import (
    SIZE_OF_ROW,
    Host,
    RefusedError,
    SharedStatements,
    is_named,
    stores_elements,
)
from numba_dpex.core.dpjit.wavefronts import Wavefront, wavefront_of

_SIMPLE = (ast.Assign, ast.AugAssign, ast.Pass, ast.Break, ast.Continue)
_LARGEST_STEP = 1 << 31
_LARGEST_BOUND = 1 << 61  # sums of bounds and of steps of all work-items have 64 bits


@dataclass
class SharedLoop:
    """The statements of each work-item, which has the number `LANE` of `LANES`.

    Attributes:
        body: the statements.
        needs_group: whether there are barriers in them.
        is_cheap_on_host: whether everything but the shared loops is cheap for Python: it could execute the loop, and
            launch a kernel for each shared loop in it.
        elements: the numbers of indices by which variables are indexed that must be arrays of as many dimensions; 0 for
            variables that must be numbers.
        stored: the arrays among them that are stored to; they must not overlap others.
        extents: arrays and axes whose lengths the numbers of shared iterations follow.
        reordered: arrays whose updates are made in another order, which changes results of floats.
        reduces: whether sums and other reductions of inner loops are shared.
        rows: the same as `extents` for the iterations of an outer loop, which rows of work-items share: the work-items
            of a row have the number `ROW` of `ROWS`. Empty if there is no such loop.
    """

    body: list[ast.stmt]
    needs_group: bool
    is_cheap_on_host: bool
    elements: dict[str, int]
    stored: list[str]
    extents: list[tuple[str, int]]
    reordered: list[str]
    reduces: bool
    rows: list[tuple[str, int]]


def shared_loop(body: list[ast.stmt], counters: frozenset[str], host: Host) -> SharedLoop | None:
    """The statements with their inner loops shared; None if none can be, or if other statements prevent it.

    Args:
        body: the body of a parallel loop, or a loop that is not parallel.
        counters: the counters of the parallel loop; empty for another loop.
        host: the function that contains the loop.
    """
    try:
        return _two_loops(body, counters, host) or _Sharing(body, counters, host).result()
    except RefusedError:
        return None


def changes_only_variables(loop: ast.stmt, host: Host) -> bool:
    """Whether a loop certainly stores to no array."""
    try:
        found = _Sharing([loop], frozenset(), host)
    except RefusedError:
        return False
    return not found.stored_arrays and not any(found.elements.values())


def contains_shared_loops(loop: ast.For | ast.While, host: Host) -> bool:
    """Whether Python had better execute a loop: there are loops in it that work-items share, and little else."""
    head = loop.iter if isinstance(loop, ast.For) else loop.test
    if loop.orelse or _mentions_elements([head]) or (isinstance(loop, ast.For) and not host.is_range(head)):
        return False
    found = False
    left = list(loop.body)
    while left:
        s = left.pop()
        if isinstance(s, ast.For | ast.While):
            found = found or shared_loop([s], frozenset(), host) is not None or contains_shared_loops(s, host)
        elif isinstance(s, ast.If) and not _mentions_elements([s.test]):
            left += [*s.body, *s.orelse]
        elif _mentions_elements([s]) or not isinstance(s, _SIMPLE):
            return False
    return found


def _two_loops(body: list[ast.stmt], counters: frozenset[str], host: Host) -> SharedLoop | None:
    """The form of an independent loop that is not parallel, with independent loops in it; None for others."""
    loop = body[0]
    if counters or not isinstance(loop, ast.For):
        return None
    outer = _Sharing(body, counters, host)
    found = outer.independent(loop)
    if found is None or found.reductions:
        return None
    inner = shared_loop(loop.body, names([loop.target], ast.Store), host)
    if inner is None or inner.needs_group:
        return None
    if indexed([loop.iter], ast.Load) & {*outer.stored_arrays}:
        return None
    made: list[ast.stmt] = []
    outer.assign_bounds(loop, ROW, made)
    outer.divide(loop, found, made, inner.body, (ROW, ROWS))
    if not outer.extents:
        return None
    reordered = sorted({*outer.reordered, *inner.reordered})
    return SharedLoop(
        made, False, False, outer.elements, outer.stored_arrays, inner.extents, reordered, False, outer.extents
    )


@dataclass(frozen=True)
class _Access:
    """An access to a stored array.

    Attributes:
        array: the array's name.
        by: which work-item makes it: "all", "first", or a description of how a loop's iterations are distributed.
            Equal descriptions mean that an element is accessed by one work-item only. None: any work-item.
        stores: whether it stores.
    """

    array: str
    by: str | None
    stores: bool

    def conflicts(self, other: _Access) -> bool:
        same_item = self.by == other.by and self.by not in ("all", None)
        return self.array == other.array and (self.stores or other.stores) and not same_item


_Accesses = frozenset[_Access]


class _Sharing(SharedStatements):
    def __init__(self, body: list[ast.stmt], counters: frozenset[str], host: Host) -> None:
        super().__init__(body, counters, host)
        self.extents: list[tuple[str, int]] = []
        self._seen: list[_Access] = []  # all accesses
        self._barriers = self._shared_loops = 0
        self._is_cheap = True
        self._reduces = False
        self.reordered: set[str] = set()

    def result(self) -> SharedLoop | None:
        made: list[ast.stmt] = []
        self._block(self._body, frozenset(), made)
        if not self._shared_loops:
            return None
        is_cheap = self._is_cheap and not self._counters and self.independent(self._body[0]) is None
        return SharedLoop(
            body=made,
            needs_group=self._barriers > 0,
            is_cheap_on_host=is_cheap,
            elements=self.elements,
            stored=self.stored_arrays,
            extents=self.extents,
            reordered=sorted(self.reordered),
            reduces=self._reduces,
            rows=[],
        )

    # -- The work-items' statements

    def _phase(self, accesses: _Accesses, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        """Add a barrier if accesses conflict with those since the last one. Returns the accesses since then."""
        self._seen.extend(accesses)
        if any(one.conflicts(other) for one in accesses for other in before):
            self._barriers += 1
            made.append(_barrier())
            return accesses
        return before | accesses

    def _block(self, statements: list[ast.stmt], before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        for s in statements:
            before = self._statement(s, before, made)
        return before

    def _statement(self, s: ast.stmt, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        match s:
            case ast.If(test=test, body=body, orelse=orelse):
                before = self._phase(self._reads([test], "all"), before, made)
                self._is_cheap &= not _mentions_elements([test])
                then: list[ast.stmt] = []
                other: list[ast.stmt] = []
                after = self._block(body, before, then) | self._block(orelse, before, other)
                made.append(ast.If(test, then, other))
                return after
            case ast.For() if (found := self.independent(s)) is not None:
                return self._shared(s, found, before, made)
            case ast.For() if (fronts := self._fronts(s)) is not None:
                return self._executed_by_fronts(fronts, before, made)
            case ast.For() | ast.While():
                return self._executed_by_all(s, before, made)
        self._is_cheap &= not _mentions_elements([s])
        if stores_elements(s):
            if names([s], ast.Store) & assigned([s]) and not isinstance(s, ast.AugAssign):
                raise RefusedError  # also assigns variables
            before = self._phase(self._reads([s], "first") | self._stores([s], "first"), before, made)
            made.append(ast.If(_is_first(), [s], []))
            return before
        before = self._phase(self._reads([s], "all"), before, made)
        made.append(s)
        return before

    def _executed_by_all(self, loop: ast.For | ast.While, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        """Add a loop whose iterations all work-items execute together."""
        if self._counters and not (isinstance(loop, ast.For) and is_short(loop)):
            raise RefusedError  # work-items that execute an iteration each share the work better
        head = loop.iter if isinstance(loop, ast.For) else loop.test
        of_head = self._reads([head], "all")
        self._is_cheap &= not _mentions_elements([head])
        before = self._phase(of_head, before, made)
        seen = len(self._seen)
        self._seen.extend(of_head if isinstance(loop, ast.While) else ())
        barriers, shared = self._barriers, self._shared_loops
        self._block(loop.body, frozenset(), [])  # to find the accesses of the other iterations
        self._barriers, self._shared_loops = barriers, shared
        of_loop = frozenset(self._seen[seen:])
        body: list[ast.stmt] = []
        at_end = self._block(loop.body, before | of_loop, body)
        self._is_cheap &= self._shared_loops > shared  # Python would execute each of its iterations
        if isinstance(loop, ast.While) and any(a.conflicts(b) for a in of_head for b in at_end | of_loop):
            if ast.Continue in kinds(loop):
                raise RefusedError
            self._barriers += 1
            body.append(_barrier())
        if isinstance(loop, ast.For):
            made.append(ast.For(loop.target, loop.iter, body, []))
        else:
            made.append(ast.While(loop.test, body, []))
        return before | of_loop

    def _fronts(self, loop: ast.For) -> Wavefront | None:
        found = wavefront_of(loop, self._stored, self._host.is_range, self._host.live_after)
        return found if found and self.independent(found.inner) is None else None

    def _executed_by_fronts(self, fronts: Wavefront, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        """Add two loops of which work-items share one front of iterations after the other."""
        accesses = self._reads([fronts.outer], None) | self._stores([fronts.outer], None)
        before = self._phase(accesses, before, made)
        self._is_cheap = False
        self._barriers += 1
        self._shared_loops += 1
        self.extents += [(array, row) for array, (row, _) in fronts.axes.items()]
        alone = ast.If(_is_first(), [fronts.outer], [])
        made += fronts.statements(self._shared_loops, _barrier, alone)
        return before

    def _reads(self, nodes: list, by: str | None) -> _Accesses:
        if by == "all" and self._counters:
            # The work-items of an iteration must read one value, also while other iterations store another one.
            for each in (part for node in nodes for part in nodes_of(node)):
                match each:
                    case ast.Subscript(value=ast.Name(id=title), slice=index) if title in self._stored:
                        if not names([index]) & self._counters:
                            raise RefusedError
        return frozenset(_Access(each, by, False) for each in indexed(nodes, ast.Load) if each in self._stored)

    def _stores(self, nodes: list, by: str | None) -> _Accesses:
        return frozenset(_Access(each, by, True) for each in indexed(nodes, ast.Store))

    # -- Independent loops

    def independent(self, loop: ast.stmt) -> Independence | None:
        return independence_of(loop, self._host.live_after, self._host.look_up)

    def _shared(self, loop: ast.For, found: Independence, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        """Add a loop whose iterations the work-items share."""
        assert isinstance(loop.iter, ast.Call)
        before = self._phase(self._reads([loop.iter], "all"), before, made)
        self._shared_loops += 1
        self.assign_bounds(loop, LANE, made)
        start, stop, step = bounds_of(loop.iter)
        # Where nothing that the distribution depends on changes, all loops of that distribution have the same one.
        fixed = not names([start, stop, step]) & (assigned(self._body) | self._stored_in_bounds(loop))
        bounds = " ".join(ast.dump(each) for each in (start, stop, step))
        accesses: set[_Access] = set()
        for array in indexed(loop.body, ast.Load) | indexed(loop.body, ast.Store):
            if array not in self._stored:
                continue
            key = found.keys.get(array)
            by = None
            if key and fixed and not self._changes(loop, array, key[0]):
                by = f"{key} {bounds} {found.spans} {found.apart}"  # and what must hold for it
            accesses.add(_Access(array, by, array in found.keys))
        before = self._phase(frozenset(accesses), before, made)
        for variable, operation in found.reductions:
            if operation not in ("min", "max"):  # else all can begin with the value before the loop
                identity = ast.Call(name(f"#identity_{REDUCTIONS[operation]}"), [name(variable)], [])
                made.append(ast.If(_is_not(LANE, 0), [assign(variable, identity)], []))
        self.divide(loop, found, made, loop.body, (LANE, LANES))
        for variable, operation in found.reductions:
            reduced = ast.Call(name(f"#reduce_{REDUCTIONS[operation]}"), [name(variable)], [])
            made.append(assign(variable, reduced))
            self._reduces, self._is_cheap = True, False
            self._barriers += 1
        return before

    def _bounds(self, item: str) -> tuple[str, str, str]:
        """The variables of a shared loop's start, stop and step."""
        number = f"{self._shared_loops} {item}"
        return f"#from {number}", f"#to {number}", f"#by {number}"

    def assign_bounds(self, loop: ast.For, item: str, made: list[ast.stmt]) -> None:
        """Add the assignments of the loop's bounds, as integers of Python."""
        assert isinstance(loop.iter, ast.Call)
        for title, bound in zip(self._bounds(item), bounds_of(loop.iter), strict=True):
            made.append(assign(title, integer(bound)))

    def divide(
        self,
        loop: ast.For,
        found: Independence,
        made: list[ast.stmt],
        body: list[ast.stmt],
        of: tuple[str, str],
    ) -> None:
        """Add the loop over a work-item's part of the iterations, behind the assignments of its bounds.

        Args:
            loop: the loop.
            found: why its iterations are independent.
            made: the statements before it.
            body: its body.
            of: the variables of the work-item's number and of the number of work-items.
        """
        assert isinstance(loop.iter, ast.Call)
        _, stop, step = bounds_of(loop.iter)
        item, items = map(name, of)
        first, last, by = self._bounds(of[0])
        length = ast.Call(name("#abs"), [ast.BinOp(name(last), ast.Sub(), name(first))], [])
        # Otherwise negative indices and others may refer to the same elements.
        within = [_is_between(each, _LARGEST_BOUND) for each in (first, last)]
        of_bounds = self.length_of(stop)
        of_arrays = [(each, SIZE_OF_ROW if self.elements[each] == 1 else axis) for each, axis in found.spans]
        self.extents += of_bounds or of_arrays
        for array, axis in found.spans:
            within.append(ast.Compare(length, [ast.LtE()], [_extent(array, axis)]))
        for array, axis, distance in found.apart:
            within.append(ast.Compare(_extent(array, axis), [ast.Gt()], [ast.Constant(distance)]))
        is_up = isinstance(step, ast.Constant) and 0 < step.value <= _LARGEST_STEP
        if not is_up:  # else products of it and a number of work-items are too large
            within.append(_is_between(by, _LARGEST_STEP))
        divide: list[ast.stmt] = [
            assign(first, ast.BinOp(name(first), ast.Add(), ast.BinOp(item, ast.Mult(), name(by)))),
            assign(by, ast.BinOp(name(by), ast.Mult(), items)),
        ]
        # Else the range of all work-items but one is empty. Its start is not negative if the whole range's is not.
        end = ast.Call(name("#max"), [name(first), name(last)], []) if is_up else name(last)
        alone = ast.If(_is_not(of[0], 0), [assign(first, end)], [])
        made.append(ast.If(ast.BoolOp(ast.And(), within), divide, [alone]))
        function = name("#range") if is_up else loop.iter.func  # which refuses steps of zero
        over = ast.Call(function, [name(first), name(last), name(by)], [])
        if found.reordered:
            self.reordered |= {*found.reordered}
            body = _with_atomic_updates(body, found.reordered)
        made.append(ast.For(loop.target, over, body, []))

    def _stored_in_bounds(self, loop: ast.For) -> frozenset[str]:
        return indexed([loop.iter], ast.Load) & self._stored

    def _changes(self, loop: ast.For, array: str, axis: int) -> bool:
        """Whether indices on an axis contain variables that are assigned, but for the loop's counter."""
        assert isinstance(loop.target, ast.Name)
        indices = [
            each.slice.elts[axis] if isinstance(each.slice, ast.Tuple) else each.slice
            for s in loop.body
            for each in nodes_of(s)
            if isinstance(each, ast.Subscript) and is_named(each.value, array)
        ]
        return bool((names(indices) & assigned(self._body)) - {loop.target.id})


def _barrier() -> ast.stmt:
    return ast.Expr(ast.Call(name("#barrier"), [], []))


def _is_between(title: str, most: int) -> ast.expr:
    return ast.Compare(ast.Constant(-most), [ast.LtE(), ast.LtE()], [name(title), ast.Constant(most)])


def _is_not(title: str, value: int) -> ast.expr:
    return ast.Compare(name(title), [ast.NotEq()], [ast.Constant(value)])


def _with_atomic_updates(body: list[ast.stmt], arrays: list[str]) -> list[ast.stmt]:
    """A copy of statements whose updates of elements of these arrays are atomic."""
    made = clone(body)
    for each in (part for s in made for part in nodes_of(s)):
        match each:
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=title))) if title in arrays:
                each.shared = each.reordered = True  # type: ignore[attr-defined]
    return made


def _is_first() -> ast.expr:
    return ast.Compare(name(LANE), [ast.Eq()], [ast.Constant(0)])


def _extent(array: str, axis: int) -> ast.expr:
    return ast.Subscript(ast.Attribute(name(array), "shape", ast.Load()), ast.Constant(axis), ast.Load())


def _mentions_elements(nodes: list) -> bool:
    """Whether there are subscripts other than of shapes."""
    return any(
        isinstance(each, ast.Subscript) and not isinstance(each.value, ast.Attribute)
        for node in nodes
        for each in nodes_of(node)
    )
