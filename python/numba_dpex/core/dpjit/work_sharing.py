"""Loops for GPUs: several work-items execute one iteration of a parallel loop, or a loop that is not parallel.

All of them compute the variables. They share the iterations of inner loops that are independent of each other, and the
first of them alone executes other statements that store elements. Where an element may be read or stored by one
work-item after it was stored or read by another, they form a work-group and wait for each other at a barrier. This is
how OpenMP's `target teams distribute` with inner `parallel for` runs.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import ClassVar

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit import row_sums
from numba_dpex.core.dpjit.independence import REDUCTIONS, Independence, independence_of, indexed
from numba_dpex.core.dpjit.liveness import assigned, kinds, names
from numba_dpex.core.dpjit.loops import (
    GROUP_LANE,
    GROUP_LANES,
    LANE,
    LANES,
    ROW,
    ROWS,
    SUB_GROUP,
    SUB_GROUP_LANE,
    SUB_GROUP_LANES,
    SUB_GROUPS,
    assign,
    bounds_of,
    clone,
    integer,
    is_short,
    name,
)
from numba_dpex.core.dpjit.prange import is_prange
from numba_dpex.core.dpjit.shared_statements import (
    SIZE_OF_ROW,
    Host,
    RefusedError,
    SharedStatements,
    is_named,
    stores_elements,
)
from numba_dpex.core.dpjit.single_iterations import single_iterations
from numba_dpex.core.dpjit.strips import MOST_ELEMENTS
from numba_dpex.core.dpjit.tested_barriers import TestedArrays, barrier
from numba_dpex.core.dpjit.wavefronts import Wavefront, wavefront_of
from numba_dpex.core.dpjit.windows import windows_of

_SIMPLE = (ast.Assign, ast.AugAssign, ast.Pass, ast.Break, ast.Continue)
_LARGEST_STEP = 1 << 31
_LEAST_SHARED_BY_SUB_GROUPS = 16  # with shorter inner loops, work-items execute an iteration each
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
        for_launch: whether several work-groups may execute the statements together, with barriers of the launch.
        has_sub_groups: whether sub-groups execute iterations of some loops.
        summed_rows: arrays to whose rows copies in local memory are added.
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
    for_launch: bool = False
    has_sub_groups: bool = False
    summed_rows: frozenset[str] = frozenset()


def shared_loop(
    body: list[ast.stmt], counters: frozenset[str], host: Host, sums_rows: bool = False
) -> SharedLoop | None:
    """The statements with their inner loops shared; None if none can be, or if other statements prevent it.

    Args:
        body: the body of a parallel loop, or a loop that is not parallel.
        counters: the counters of the parallel loop; empty for another loop.
        host: the function that contains the loop.
        sums_rows: whether loops that add to rows of arrays add to copies in local memory.
    """
    try:
        return _two_loops(body, counters, host) or _Sharing(body, counters, host, sums_rows).result()
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
        constant: the constant that all stores to the array store, if it is one whose dependences are tested.
    """

    array: str
    by: str | None
    stores: bool
    constant: str | None = None

    def conflicts(self, other: _Access) -> bool:
        if self.array != other.array or not (self.stores or other.stores):
            return False
        if self.stores and other.stores and self.constant:
            return False  # in either order
        return self.by != other.by or self.by in ("all", None)


_Accesses = frozenset[_Access]


class _Sharing(SharedStatements):
    def __init__(self, body: list[ast.stmt], counters: frozenset[str], host: Host, sums_rows: bool = False) -> None:
        super().__init__(body, counters, host)
        self._sums_rows = sums_rows and len(counters) == 1
        self._summed_rows: set[str] = set()
        self.extents: list[tuple[str, int]] = []
        self._seen: list[_Access] = []  # all accesses
        self._barriers = self._shared_loops = 0
        self._local_elements = MOST_ELEMENTS  # of the group's local memory that are left
        self._is_cheap = True
        self._reduces = False
        self._has_sub_groups = False
        self._for_launch = not counters
        self._needs_work_group = False  # and not a sub-group
        self._loops_of_rows = 0  # the number of the last shared loop in them
        self._bounds_of_shared: list[tuple[ast.expr, ast.expr, ast.expr]] = []
        self.reordered: set[str] = set()
        self._tested = TestedArrays([] if counters else body, self._stored, self.independent)

    def result(self) -> SharedLoop | None:
        made: list[ast.stmt] = []
        self._block(self._body, frozenset(), made)
        if not self._shared_loops:
            return None
        made[:0] = self._tested.begin()
        is_cheap = self._is_cheap and not self._counters and self.independent(self._body[0]) is None
        return SharedLoop(
            body=made,
            needs_group=self._barriers > 0,
            is_cheap_on_host=is_cheap,
            elements=self.elements,
            stored=self.stored_arrays,
            extents=self.extents,
            reordered=sorted(self.reordered),
            reduces=self._reduces or bool(self._summed_rows),
            rows=[],
            for_launch=self._for_launch,
            has_sub_groups=self._has_sub_groups,
            summed_rows=frozenset(self._summed_rows),
        )

    # -- The work-items' statements

    def _phase(
        self,
        accesses: _Accesses,
        before: _Accesses,
        made: list[ast.stmt],
        tests: tuple[list[ast.expr], list[ast.stmt]] = ((), ()),  # type: ignore[assignment]
    ) -> _Accesses:
        """Add a barrier if accesses conflict with those since the last one. Returns the accesses since then.

        Args:
            accesses: the accesses.
            before: those since the last barrier.
            made: the statements to which it is added.
            tests: the conditions under which tested arrays need a barrier, and what records these accesses.
        """
        self._seen.extend(accesses)
        conflicts = [one for one in accesses for other in before if one.conflicts(other)]
        conditions, records = tests
        if conflicts:
            self._barriers += 1
            waiting = self._tested.barrier()
            is_tested = bool(conditions) and all(each.constant for each in conflicts)
            made += [ast.If(ast.BoolOp(ast.Or(), conditions), waiting, [])] if is_tested else waiting
            before = before if is_tested else frozenset()
        made += records
        return before | accesses

    def _block(self, statements: list[ast.stmt], before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        for s in statements:
            before = self._statement(s, before, made)
        return before

    def _statement(self, s: ast.stmt, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        match s:
            case ast.If(test=test, body=body, orelse=orelse):
                before = self._phase(self._reads([test], "all"), before, made, self._tested.read([test]))
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
        before = self._phase(self._reads([s], "all"), before, made, self._tested.read([s]))
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
        barriers, shared, elements = self._barriers, self._shared_loops, self._local_elements
        self._block(loop.body, frozenset(), [])  # to find the accesses of the other iterations
        self._barriers, self._shared_loops, self._local_elements = barriers, shared, elements
        of_loop = frozenset(self._seen[seen:])
        body: list[ast.stmt] = []
        at_end = self._block(loop.body, before | of_loop, body)
        self._is_cheap &= self._shared_loops > shared  # Python would execute each of its iterations
        if isinstance(loop, ast.While) and any(a.conflicts(b) for a in of_head for b in at_end | of_loop):
            if ast.Continue in kinds(loop):
                raise RefusedError
            self._barriers += 1
            body.append(barrier())
        if windows := windows_of(loop, self._tested):
            # The last statement advances the counter of a loop over `while`, which the windows do.
            made += windows.statements(body if isinstance(loop, ast.For) else body[:-1])
        elif isinstance(loop, ast.For):
            made.append(ast.For(loop.target, loop.iter, body, []))
        else:
            made.append(ast.While(loop.test, body, []))
        return before | of_loop

    def _fronts(self, loop: ast.For) -> Wavefront | None:
        found = wavefront_of(loop, self._stored, self._host.is_range, self._host.live_after, self._local_elements)
        return found if found and self.independent(found.inner) is None else None

    def _executed_by_fronts(self, fronts: Wavefront, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        """Add two loops of which work-items share one front of iterations after the other."""
        accesses = self._reads([fronts.outer], None) | self._stores([fronts.outer], None)
        before = self._phase(accesses, before, made)
        self._is_cheap = self._for_launch = False
        self._needs_work_group = True
        self._barriers += 1
        self._shared_loops += 1
        self._local_elements -= fronts.strips.local_elements if fronts.strips else 0
        self.extents += [(array, row) for array, (row, _) in fronts.axes.items()]
        alone = ast.If(_is_first(), [fronts.outer], [])
        made += fronts.statements(self._shared_loops, barrier, alone)
        return before

    def _reads(self, nodes: list, by: str | None) -> _Accesses:
        if by == "all" and self._counters:
            # The work-items of an iteration must read one value, also while other iterations store another one.
            for each in (part for node in nodes for part in nodes_of(node)):
                match each:
                    case ast.Subscript(value=ast.Name(id=title), slice=index) if title in self._stored:
                        if not names([index]) & self._counters:
                            raise RefusedError
        arrays = indexed(nodes, ast.Load) & self._stored
        return frozenset(_Access(each, by, False, self._tested.constants.get(each)) for each in arrays)

    def _stores(self, nodes: list, by: str | None) -> _Accesses:
        return frozenset(_Access(each, by, True) for each in indexed(nodes, ast.Store))

    # -- Independent loops

    def independent(self, loop: ast.stmt) -> Independence | None:
        is_promised = not self._counters and isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call)
        is_promised = is_promised and is_prange(self._host.look_up(loop.iter.func))  # type: ignore[union-attr]
        return independence_of(loop, self._host.live_after, self._host.look_up, is_promised)

    def _shared(self, loop: ast.For, found: Independence, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        """Add a loop whose iterations the work-items share."""
        assert isinstance(loop.iter, ast.Call)
        before = self._phase(self._reads([loop.iter], "all"), before, made)
        self._shared_loops += 1
        self.assign_bounds(loop, LANE, made)
        by_sub_groups = self._shared_by_sub_groups(loop, found)
        start, stop, step = bounds_of(loop.iter)
        self._bounds_of_shared.append((start, stop, step))
        # Where nothing that the distribution depends on changes, all loops of that distribution have the same one.
        fixed = not names([start, stop, step]) & (assigned(self._body) | self._stored_in_bounds(loop))
        bounds = " ".join(ast.dump(each) for each in (start, stop, step))
        accesses: set[_Access] = set()
        for array in indexed(loop.body, ast.Load) | indexed(loop.body, ast.Store):
            if array not in self._stored:
                continue
            key = found.keys.get(array)
            by = None
            if key and fixed and not by_sub_groups and not self._changes(loop, array, key[0]):
                by = f"{key} {bounds} {found.spans} {found.apart} {found.beyond}"  # and what must hold for it
            accesses.add(_Access(array, by, array in found.keys, self._tested.constants.get(array)))
        first, _, by_step = self._bounds(LANE)
        before = self._phase(frozenset(accesses), before, made, self._tested.store(loop, first, by_step))
        if found.reductions:
            return self._reduced(loop, found, before, made)
        by_items: list[ast.stmt] = []
        self.divide(loop, found, by_items, loop.body, (LANE, LANES))
        if arrays := row_sums.rows_of(loop, found, self._counters) if self._sums_rows else []:
            made.append(ast.If(*self._with_row_sums(loop, found, arrays), by_items))
        elif by_sub_groups is None:
            made += by_items
        else:
            self._has_sub_groups = True
            conditions, statements = by_sub_groups
            made.append(ast.If(ast.BoolOp(ast.And(), conditions), statements, by_items))
            self._shared_loops = self._loops_of_rows
        return before

    def _with_row_sums(self, loop: ast.For, found: Independence, arrays: list[str]) -> tuple[ast.expr, list[ast.stmt]]:
        """A condition, and the statements of a loop that adds to copies of rows in local memory."""
        assert isinstance(loop.iter, ast.Call)
        (counter,) = self._counters
        start, stop, _ = bounds_of(loop.iter)
        condition = row_sums.are_short(arrays, _distance(integer(start), integer(stop)))
        made = [*row_sums.begin(arrays), barrier()]
        others = [each for each in found.reordered if each not in arrays]
        body = row_sums.in_copies(loop.body, arrays)
        self.divide(loop, replace(found, reordered=others), made, body, (LANE, LANES))
        self._barriers += 1
        self._summed_rows |= {*arrays}
        return condition, [*made, barrier(), *row_sums.end(arrays, counter)]

    def _reduced(self, loop: ast.For, found: Independence, before: _Accesses, made: list[ast.stmt]) -> _Accesses:
        """Add a loop with reductions, whose iterations the work-items of each group share."""
        if indexed(loop.body, ast.Store):
            self._for_launch = False  # each group would execute all iterations
        for variable, operation in found.reductions:
            if operation not in ("min", "max"):  # else all can begin with the value before the loop
                identity = ast.Call(name(f"#identity_{REDUCTIONS[operation]}"), [name(variable)], [])
                made.append(ast.If(_is_not(GROUP_LANE, 0), [assign(variable, identity)], []))
        for title, bound in zip(self._bounds(GROUP_LANE), self._bounds(LANE), strict=True):
            made.append(assign(title, name(bound)))
        self.divide(loop, found, made, loop.body, (GROUP_LANE, GROUP_LANES))
        for variable, operation in found.reductions:
            reduced = ast.Call(name(f"#reduce_{REDUCTIONS[operation]}"), [name(variable)], [])
            made.append(assign(variable, reduced))
            self._reduces, self._is_cheap = True, False
            self._barriers += 1
        return before

    def _shared_by_sub_groups(self, loop: ast.For, found: Independence) -> tuple[list[ast.expr], list[ast.stmt]] | None:
        """How sub-groups execute iterations of a loop, and share the loops in them.

        Returns:
            Conditions, and the statements if they hold; None if sub-groups cannot, or if work-items that execute an
            iteration each access elements that are as close to each other.
        """
        if self._counters or found.reductions or found.reordered or not _runs_along_rows(loop):
            return None
        counter = names([loop.target], ast.Store)
        try:
            inner = _Sharing(loop.body, counter, self._host)
            inner._shared_loops = self._shared_loops
            shared = inner.result()
        except RefusedError:
            return None
        if shared is None or shared.reordered or inner._needs_work_group:
            return None
        bounds = [part for each in inner._bounds_of_shared for part in each]
        if names(bounds) & (assigned(loop.body) | counter) or _mentions_elements(bounds):
            return None
        for title, dimensions in shared.elements.items():
            self._require(title, dimensions)
        lengths = [_distance(integer(start), integer(stop)) for start, stop, _ in inner._bounds_of_shared]
        is_long: list[ast.expr] = [
            ast.Compare(each, [ast.GtE()], [ast.Constant(_LEAST_SHARED_BY_SUB_GROUPS)]) for each in lengths
        ]
        first, last, by = map(name, self._bounds(LANE))
        start = ast.BinOp(first, ast.Add(), ast.BinOp(name(SUB_GROUP), ast.Mult(), by))
        over = ast.Call(name("#range"), [start, last, ast.BinOp(by, ast.Mult(), name(SUB_GROUPS))], [])
        body = [_ForSubGroups().visit(clone(s)) for s in shared.body]
        conditions = [*self._within(loop, found, LANE), ast.BoolOp(ast.Or(), [*is_long, ast.Constant(False)])]
        self._loops_of_rows = inner._shared_loops
        return conditions, [ast.For(loop.target, over, body, [])]

    def _bounds(self, item: str) -> tuple[str, str, str]:
        """The variables of a shared loop's start, stop and step."""
        number = f"{self._shared_loops} {item}"
        return f"#from {number}", f"#to {number}", f"#by {number}"

    def assign_bounds(self, loop: ast.For, item: str, made: list[ast.stmt]) -> None:
        """Add the assignments of the loop's bounds, as integers of Python."""
        assert isinstance(loop.iter, ast.Call)
        start, stop, step = map(integer, bounds_of(loop.iter))
        if not _is_up(loop.iter):
            step = ast.Call(name("#step"), [step], [])
        for title, bound in zip(self._bounds(item), (start, stop, step), strict=True):
            made.append(assign(title, bound))

    def _within(self, loop: ast.For, found: Independence, item: str) -> list[ast.expr]:
        """The conditions under which different iterations refer to different elements, and no number overflows."""
        assert isinstance(loop.iter, ast.Call)
        first, last, by = self._bounds(item)
        # Otherwise negative indices and others may refer to the same elements.
        within = [_is_between(each, _LARGEST_BOUND) for each in (first, last)]
        for array, axis in found.spans:
            within.append(ast.Compare(_distance(name(first), name(last)), [ast.LtE()], [_extent(array, axis)]))
        for array, axis, distance in found.apart:
            within.append(ast.Compare(_extent(array, axis), [ast.Gt()], [ast.Constant(distance)]))
        for array, axis, distance in found.beyond:
            reached = ast.BinOp(_distance(name(first), name(last)), ast.Add(), ast.Constant(distance))
            within.append(ast.Compare(reached, [ast.LtE()], [_extent(array, axis)]))
        if not _is_up(loop.iter):  # else products of it and a number of work-items are too large
            within.append(_is_between(by, _LARGEST_STEP))
        return within

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
        item, items = map(name, of)
        first, last, by = self._bounds(of[0])
        of_bounds = self.length_of(bounds_of(loop.iter)[1])
        of_arrays = [(each, SIZE_OF_ROW if self.elements[each] == 1 else axis) for each, axis in found.spans]
        self.extents += of_bounds or of_arrays
        divide: list[ast.stmt] = [
            assign(first, ast.BinOp(name(first), ast.Add(), ast.BinOp(item, ast.Mult(), name(by)))),
            assign(by, ast.BinOp(name(by), ast.Mult(), items)),
        ]
        # Else the range of all work-items but one is empty. Its start is not negative if the whole range's is not.
        is_up = _is_up(loop.iter)
        end = ast.Call(name("#max"), [name(first), name(last)], []) if is_up else name(last)
        alone = ast.If(_is_not(of[0], 0), [assign(first, end)], [])
        made.append(ast.If(ast.BoolOp(ast.And(), self._within(loop, found, of[0])), divide, [alone]))
        over = ast.Call(name("#range"), [name(first), name(last), name(by)], [])
        if found.reordered:
            self.reordered |= {*found.reordered}
            body = _with_atomic_updates(body, found.reordered)
        shared = ast.For(loop.target, over, body, [])
        variables = first, last, of[0]
        shared.single = single_iterations(loop, found, variables, body, self.length_of)  # type: ignore[attr-defined]
        made.append(shared)

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


def _is_up(call: ast.Call) -> bool:
    """Whether a range has a step that is a positive constant, and not too large."""
    step = bounds_of(call)[2]
    return isinstance(step, ast.Constant) and 0 < step.value <= _LARGEST_STEP


def _distance(one: ast.expr, other: ast.expr) -> ast.expr:
    return ast.Call(name("#abs"), [ast.BinOp(other, ast.Sub(), one)], [])


def _runs_along_rows(loop: ast.For) -> bool:
    """Whether the loops in a loop access elements along last axes more often than the loop itself."""
    outer = names([loop.target], ast.Store)
    nodes = [part for s in loop.body for part in nodes_of(s)]
    inner = names([each.target for each in nodes if isinstance(each, ast.For)], ast.Store)
    along = across = 0
    for each in nodes:
        if isinstance(each, ast.Subscript):
            last = each.slice.elts[-1] if isinstance(each.slice, ast.Tuple) and each.slice.elts else each.slice
            used = names([last])
            along += bool(used & inner)
            across += bool(used & outer)
    return along > across


class _ForSubGroups(ast.NodeTransformer):
    """Replaces the work-group by the sub-group in statements of work-items."""

    _NAMES: ClassVar = {
        LANE: SUB_GROUP_LANE,
        LANES: SUB_GROUP_LANES,
        GROUP_LANE: SUB_GROUP_LANE,
        GROUP_LANES: SUB_GROUP_LANES,
    }

    def visit_Name(self, node: ast.Name):
        return ast.Name(self._NAMES[node.id], node.ctx) if node.id in self._NAMES else node

    def visit_Call(self, node: ast.Call):
        self.generic_visit(node)
        match node.func:
            case ast.Name(id=title) if title == "#barrier" or title.startswith("#reduce_"):
                return ast.Call(name(f"#sub_group_{title[1:]}"), node.args, [])
        return node


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
