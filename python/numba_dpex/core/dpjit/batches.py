"""Loops whose iterations depend on each other by a condition that seldom holds, as GPUs execute them.

The search for a minimum, or for the nearest of many points, computes something in each iteration and compares it with
what was found before. The work-items of a group compute the iterations of a batch at once, and compare with what was
found before the batch. If the condition holds for one of them, all of them execute the rest of the batch's iterations
in order, with the values that each work-item computed; else nothing changes. The group is a sub-group for each
iteration of a parallel loop, and one work-group for a loop that is not parallel.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.independence import indexed
from numba_dpex.core.dpjit.liveness import Liveness, assigned, kinds, names
from numba_dpex.core.dpjit.loops import (
    LANE,
    LANES,
    ROW,
    ROWS,
    Nest,
    assign,
    bounds_of,
    by_groups,
    counter_of,
    integer,
    item_of,
    name,
    truth,
)
from numba_dpex.core.dpjit.scratch import created_array
from numba_dpex.core.dpjit.shared_statements import Host, RefusedError, SharedStatements, stores_elements
from numba_dpex.core.dpjit.work_sharing import SharedLoop

_NONE: frozenset[str] = frozenset()
_GROUP = "#group"
_MOST_LANES = 1024


def batches_of_sub_groups(nest: Nest, host: Host) -> SharedLoop | None:
    """The statements of the work-items of a sub-group that executes an iteration of a parallel loop in batches.

    Returns:
        The statements; None if there is no inner loop for them, or if other statements prevent it.
    """
    return _batches(nest, nest.body, host, _through_sub_group)


def batches_of_groups(nest: Nest | None, body: list[ast.stmt], host: Host) -> SharedLoop | None:
    """The same for the work-items of a work-group, which may also execute a loop that is not parallel."""
    return _batches(nest, body, host, _through_local_memory)


def _batches(nest: Nest | None, body: list[ast.stmt], host: Host, exchange) -> SharedLoop | None:
    if nest and len(nest.targets) != 1:
        return None
    try:
        return _Batches(body, names(nest.targets, ast.Store) if nest else _NONE, host, exchange).result()
    except RefusedError:
        return None


def by_sub_groups(nest: Nest, body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of the kernel whose sub-groups execute iterations of a parallel loop, given their statements."""
    zero = ast.Constant(0)
    lanes = name(LANES)
    rows = [ast.BinOp(item_of(method, zero), ast.FloorDiv(), lanes) for method in ("get_global_id", "get_global_range")]
    over = ast.Call(name("#range"), [name(ROW), name("#count"), name(ROWS)], [])
    counter = assign(nest.targets[0], counter_of(nest, 0, name("#number")))
    return [
        assign(_GROUP, _call_of("#item", "get_sub_group")),
        assign(LANE, _call_of(_GROUP, "get_local_id")),
        assign(LANES, _call_of(_GROUP, "get_local_range")),
        assign(ROW, rows[0]),
        assign(ROWS, rows[1]),
        ast.For(ast.Name("#number", ast.Store()), over, [counter, *body], []),
    ]


def in_groups(nest: Nest | None, body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of the kernel whose work-groups execute a loop, or an iteration of one, given their statements."""
    return [assign(_GROUP, _call_of("#item", "get_group")), *by_groups(nest, body)]


@dataclass
class _Exchange:
    """How all work-items get a value that another one has computed: statements before and after, and the value."""

    before: list[ast.stmt]
    value: ast.expr
    after: list[ast.stmt]


def _through_sub_group(value: str, index: str) -> _Exchange:
    return _Exchange([], ast.Call(name("#group_broadcast"), [name(_GROUP), name(value), name(index)], []), [])


def _through_local_memory(value: str, index: str) -> _Exchange:
    sent = f"#sent {value}"
    barrier = ast.Expr(ast.Call(name("#barrier"), [], []))
    make = assign(sent, ast.Call(name("#local"), [name(value), ast.Constant(_MOST_LANES)], []))
    send = assign(ast.Subscript(name(sent), name(LANE), ast.Store()), name(value))
    return _Exchange([make, send, barrier], ast.Subscript(name(sent), name(index), ast.Load()), [barrier])


class _Batches:
    def __init__(
        self,
        body: list[ast.stmt],
        counters: frozenset[str],
        host: Host,
        exchange: Callable[[str, str], _Exchange],
    ) -> None:
        self._body, self._host, self._exchange = body, host, exchange
        self._private = _private_arrays(body, host)
        self._known = SharedStatements(body, counters, host, self._private)
        self._extents: list[tuple[str, int]] = []
        self._loops = 0
        read = {
            each.value.id
            for s in body
            for each in nodes_of(s)
            if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) and isinstance(each.ctx, ast.Load)
        }
        if read & {*self._known.stored_arrays}:
            raise RefusedError  # the first work-item stores, and others would read

    def result(self) -> SharedLoop | None:
        body = self._block(self._body)
        if not self._loops:
            return None
        known = self._known
        return SharedLoop(
            body, False, False, known.elements, known.stored_arrays, self._extents, [], reduces=True, rows=[]
        )

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The statements as all work-items execute them. The first of them alone stores elements of shared arrays."""
        made: list[ast.stmt] = []
        for s in statements:
            match s:
                case ast.For() if found := self._batched(s):
                    made += found
                case ast.If(test=test, body=body, orelse=orelse):
                    made.append(ast.If(test, self._block(body), self._block(orelse)))
                case ast.For(target=target, iter=iterable, body=body):
                    made.append(ast.For(target, iterable, self._block(body), []))
                case ast.While(test=test, body=body):
                    made.append(ast.While(test, self._block(body), []))
                case _ if stores_elements(s) and not _stored(s) <= self._private.keys():
                    if _stored(s) & self._private.keys() or (assigned([s]) and not isinstance(s, ast.AugAssign)):
                        raise RefusedError
                    made.append(ast.If(ast.Compare(name(LANE), [ast.Eq()], [ast.Constant(0)]), [s], []))
                case _:
                    made.append(s)
        return made

    def _batched(self, loop: ast.For) -> list[ast.stmt] | None:
        """The statements of an inner loop in batches; None if it is not such a loop."""
        if not isinstance(loop.iter, ast.Call) or loop.iter.keywords or not 1 <= len(loop.iter.args) <= 3:
            return None
        start, stop, step = bounds_of(loop.iter)
        is_up = isinstance(step, ast.Constant) and type(step.value) is int and 0 < step.value < 1 << 16
        split = _split(loop.body)
        if not is_up or split is None or not isinstance(loop.target, ast.Name) or _leaves(loop.body):
            return None
        before, test, rest = split
        counter = loop.target.id
        own = assigned(before) | {counter}
        carried = Liveness().live(loop.body, _NONE, _NONE, _NONE)
        changed = assigned(rest) | frozenset().union(*map(_stored, rest))
        if own & (carried - {counter} | changed | self._host.live_after(loop)) or changed & names(before):
            return None
        if not changed & names([test]):
            return None  # the condition may hold often
        if any(map(stores_elements, before)) or not indexed([*before, test], ast.Load) - self._private.keys():
            return None  # there is nothing to compute at once
        self._loops += 1
        self._extents += self._known.length_of(stop)
        first, last, index = f"#first {self._loops}", f"#last {self._loops}", f"#other {self._loops}"
        holds, count = f"#holds {self._loops}", f"#count {self._loops}"
        sent = sorted(own - {counter} & names([test, *rest]))
        position = ast.BinOp(name(LANE), ast.Mult(), step)
        in_range = [*before, assign(holds, truth(test)), *(assign(f"#own {each}", name(each)) for each in sent)]
        others: list[ast.stmt] = [
            assign(counter, ast.BinOp(name(first), ast.Add(), ast.BinOp(name(index), ast.Mult(), step)))
        ]
        exchanges = [self._exchange(f"#own {each}", index) for each in sent]
        others += [assign(each, exchange.value) for each, exchange in zip(sent, exchanges, strict=True)]
        others.append(ast.If(test, self._block(rest), []))
        # the number of the batch's iterations: ceil((last - first) / step), at most one for each work-item
        left = ast.BinOp(ast.BinOp(name(last), ast.Sub(), name(first)), ast.Add(), ast.Constant(step.value - 1))  # type: ignore[attr-defined, operator]
        most = ast.Call(name("#min"), [name(LANES), ast.BinOp(left, ast.FloorDiv(), step)], [])
        batch: list[ast.stmt] = [
            assign(counter, ast.BinOp(name(first), ast.Add(), position)),
            assign(holds, ast.Constant(False)),
            # The sum of the first index and the position may not have 64 bits, unlike the difference.
            ast.If(ast.Compare(position, [ast.Lt()], [ast.BinOp(name(last), ast.Sub(), name(first))]), in_range, []),
            ast.If(
                ast.Call(name("#any_of_group"), [name(_GROUP), name(holds)], []),
                [
                    assign(count, most),
                    *(s for each in exchanges for s in each.before),
                    ast.For(ast.Name(index, ast.Store()), ast.Call(name("#range"), [name(count)], []), others, []),
                    *(s for each in exchanges for s in each.after),
                ],
                [],
            ),
        ]
        steps = [name(f"{first} of loop"), name(last), ast.BinOp(name(LANES), ast.Mult(), step)]
        over = ast.Call(name("#range"), steps, [])
        return [
            assign(f"{first} of loop", integer(start)),
            assign(last, integer(stop)),
            ast.For(ast.Name(first, ast.Store()), over, batch, []),
        ]


def _split(body: list[ast.stmt]) -> tuple[list[ast.stmt], ast.expr, list[ast.stmt]] | None:
    """Statements, a condition, and the statements that follow if it holds: a loop's body, if that is so."""
    if not body or not isinstance(body[-1], ast.If) or body[-1].orelse:
        return None
    return body[:-1], body[-1].test, body[-1].body


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether statements of a loop's body end an iteration or the loop."""

    def leaves(s: ast.stmt) -> bool:
        if isinstance(s, ast.If):
            return any(leaves(each) for each in [*s.body, *s.orelse])
        return isinstance(s, ast.Break | ast.Continue)

    return any(leaves(s) for s in body) or any(ast.Return in kinds(s) for s in body)


def _stored(s: ast.stmt) -> frozenset[str]:
    """The arrays whose elements a statement stores."""
    return indexed([s], ast.Store)


def _private_arrays(body: list[ast.stmt], host: Host) -> dict[str, int]:
    """The arrays of constant size that the statements create, with the numbers of their dimensions."""
    found: dict[str, int] = {}
    for each in (part for s in body for part in nodes_of(s)):
        match each:
            case ast.Assign(targets=[ast.Name(id=title)], value=ast.Call() as call):
                if not created_array(call, host.look_up):
                    continue
                shape = next((k.value for k in call.keywords if k.arg == "shape"), call.args[0] if call.args else None)
                axes = shape.elts if isinstance(shape, ast.Tuple) else [shape]
                if title in found or not all(isinstance(a, ast.Constant) for a in axes):
                    raise RefusedError
                found[title] = len(axes)
    nodes = (each for s in body for each in nodes_of(s))
    stores = [each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    if any(stores.count(title) != 1 for title in found):
        raise RefusedError
    return found


def _call_of(owner: str, method: str) -> ast.expr:
    return ast.Call(ast.Attribute(name(owner), method, ast.Load()), [], [])
