"""Windows of iterations whose order does not matter: a sieve's, between two barriers.

In `for i in range(…): if x[i]: for j in range(…): x[j] = constant`, the work-items of a group compute the indices of
many iterations at once: those that they read, and the least that they store. The first iterations, up to the one that
reads at or above that, do not depend on each other, and each work-group executes some of them. All groups share an
iteration that depends on itself, or whose loop is so long that one group would take too much time.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.independence import indexed
from numba_dpex.core.dpjit.liveness import assigned, names
from numba_dpex.core.dpjit.loops import (
    GROUP,
    GROUP_LANE,
    GROUP_LANES,
    GROUPS,
    assign,
    bounds_of,
    integer,
    name,
    truth,
)
from numba_dpex.core.dpjit.tested_barriers import LARGEST, PARTS_OF_INDICES, TestedArrays, least_offset, loads

_MOST_ITERATIONS_OF_GROUP = 1 << 16
_LARGEST_STEP = 1 << 31
_PARTS_OF_CONDITIONS = (*PARTS_OF_INDICES, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop)
_FIRST, _MORE, _WINDOW = "#first of window", "#more iterations", "#iterations of window"
_SINGLE = "#another single iteration"
_READ, _STORED, _OTHER = "#most read", "#least stored", "#iteration of window"


@dataclass
class Windows:
    """A loop that is executed in windows of iterations.

    Attributes:
        counter: its counter.
        step: what is added to it.
        start: its first value.
        holds: the condition for another iteration.
        statement: the statement of each iteration.
        loops: the loops in it.
        tested: the arrays that it reads and stores to.
    """

    counter: str
    step: int
    start: ast.expr
    holds: ast.expr
    statement: ast.If
    loops: list[ast.For]
    tested: TestedArrays

    def statements(self, one: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of each work-item, given those by which all share one iteration."""
        zero, step = ast.Constant(0), ast.Constant(self.step)
        ahead = ast.BinOp(name(GROUP_LANE), ast.Mult(), step)
        bounds, conditions, stored = self._bounds()
        reads = [integer(each.slice) for each in loads([self.statement.test], self.tested.constants)]
        conditions += [ast.Compare(zero, [ast.LtE()], [each]) for each in reads]
        in_window = ast.Compare(name(GROUP_LANE), [ast.Lt()], [name(_WINDOW)])
        below = [ast.Compare(each, [ast.Lt()], [name(_STORED)]) for each in reads]
        advance = [ast.AugAssign(ast.Name(_FIRST, ast.Store()), ast.Add(), by) for by in (step, self._length())]
        next_one = [
            assign(self.counter, name(_FIRST)),
            assign(_MORE, truth(self.holds)),
        ]
        others_left = ast.Compare(name(_OTHER), [ast.Gt()], [zero])
        single: list[ast.stmt] = [
            assign(self.counter, name(_FIRST)),
            *one,
            advance[0],
            ast.AugAssign(ast.Name(_OTHER, ast.Store()), ast.Sub(), ast.Constant(1)),
            assign(self.counter, name(_FIRST)),
            assign(_SINGLE, truth(ast.BoolOp(ast.And(), [others_left, self.holds]))),
        ]
        windows: list[ast.stmt] = [
            assign(self.counter, ast.BinOp(name(_FIRST), ast.Add(), ahead)),
            *bounds,
            # The first iterations for which the conditions hold, and of these the ones that read below all stores.
            *_first_iterations([self.holds, *conditions], GROUP_LANES),
            assign(_STORED, ast.IfExp(in_window, _extreme("#min", stored), ast.Constant(LARGEST))),
            assign(_STORED, _reduced("min", _STORED)),
            *_first_iterations([in_window, *below], _WINDOW),
            ast.If(
                ast.Compare(name(_WINDOW), [ast.Gt()], [zero]),
                [
                    assign(_READ, ast.IfExp(in_window, _extreme("#max", reads), ast.Constant(-1))),
                    assign(_READ, _reduced("max", _READ)),
                    *self._window(),
                    advance[1],
                ],
                [*_iterations_without(conditions), ast.While(name(_SINGLE), single, [])],
            ),
            *next_one,
        ]
        return [assign(_FIRST, integer(self.start)), *next_one, ast.While(name(_MORE), windows, [])]

    def _bounds(self) -> tuple[list[ast.stmt], list[ast.expr], list[ast.expr]]:
        """Assignments of the loops' bounds, the conditions for a window, and the least indices that are stored."""
        zero = ast.Constant(0)
        made: list[ast.stmt] = []
        conditions: list[ast.expr] = []
        stored: list[ast.expr] = []
        for k, loop in enumerate(self.loops):
            first, last, by = self._names(k)
            made += self._assigned_bounds(k)
            conditions.append(ast.Compare(zero, [ast.Lt(), ast.LtE()], [name(by), ast.Constant(_LARGEST_STEP)]))
            for bound in (first, last):
                conditions.append(ast.Compare(zero, [ast.LtE(), ast.Lt()], [name(bound), ast.Constant(LARGEST >> 1)]))
            most = ast.BinOp(name(by), ast.Mult(), ast.Constant(_MOST_ITERATIONS_OF_GROUP))
            conditions.append(ast.Compare(ast.BinOp(name(last), ast.Sub(), name(first)), [ast.LtE()], [most]))
            least = min(least_offset(loop, each) for each in indexed([loop], ast.Store))
            stored.append(ast.BinOp(name(first), ast.Add(), ast.Constant(least)))
        return made, conditions, stored

    def _window(self) -> list[ast.stmt]:
        """The statements by which work-groups execute the iterations of a window."""
        zero, one = ast.Constant(0), ast.Constant(1)
        body: list[ast.stmt] = []
        for k, loop in enumerate(self.loops):
            first, last, by = self._names(k)
            # The conditions say that these are the same. From the maxima the compiler knows that.
            start, step = (ast.Call(name("#max"), [name(x), y], []) for x, y in ((first, zero), (by, one)))
            start = ast.BinOp(start, ast.Add(), ast.BinOp(name(GROUP_LANE), ast.Mult(), step))
            over = ast.Call(name("#range"), [start, name(last), ast.BinOp(step, ast.Mult(), name(GROUP_LANES))], [])
            body += [*self._assigned_bounds(k), ast.For(loop.target, over, loop.body, [])]
        ahead = ast.BinOp(name(_OTHER), ast.Mult(), ast.Constant(self.step))
        counter = assign(self.counter, ast.BinOp(name(_FIRST), ast.Add(), ahead))
        over = ast.Call(name("#range"), [name(GROUP), name(_WINDOW), name(GROUPS)], [])
        execute: list[ast.stmt] = [counter, ast.If(self.statement.test, body, [])]
        arrays = indexed([self.statement], ast.Load) | indexed([self.statement], ast.Store)
        return [
            *self.tested.wait(name(_READ), name(_STORED), arrays),
            ast.For(ast.Name(_OTHER, ast.Store()), over, execute, []),
        ]

    def _assigned_bounds(self, k: int) -> list[ast.stmt]:
        bounds = bounds_of(self.loops[k].iter)  # type: ignore[arg-type]
        return [assign(title, integer(bound)) for title, bound in zip(self._names(k), bounds, strict=True)]

    @staticmethod
    def _names(k: int) -> tuple[str, str, str]:
        return f"#from {k} of window", f"#to {k} of window", f"#by {k} of window"

    def _length(self) -> ast.expr:
        return ast.BinOp(name(_WINDOW), ast.Mult(), ast.Constant(self.step))


def windows_of(loop: ast.For | ast.While, tested: TestedArrays) -> Windows | None:
    """The windows of a loop; None if it cannot be executed in windows."""
    match loop:
        case ast.For(target=ast.Name(id=counter), iter=ast.Call() as head, body=[ast.If() as statement]):
            start, stop, step = bounds_of(head)
            holds: ast.expr = ast.Compare(name(counter), [ast.Lt()], [stop])
        case ast.While(
            test=holds,
            body=[
                ast.If() as statement,
                ast.AugAssign(target=ast.Name(id=counter), op=ast.Add(), value=ast.Constant() as step),
            ],
        ):
            start = name(counter)
        case _:
            return None
    loops = [each for each in statement.body if isinstance(each, ast.For)]
    arrays = indexed([statement], ast.Load) | indexed([statement], ast.Store)
    if loop.orelse or statement.orelse or len(loops) < len(statement.body) or not arrays <= tested.constants.keys():
        return None
    if not isinstance(step, ast.Constant) or type(step.value) is not int or not 0 < step.value <= 1 << 16:
        return None
    if not loads([statement.test], tested.constants) or not all(map(_stores_only, loops)):
        return None
    bounds = [part for each in loops for part in bounds_of(each.iter)]  # type: ignore[arg-type]
    fixed = assigned(statement.body) | (assigned([statement]) & {counter})
    if names([*bounds, holds, statement.test]) & fixed:
        return None
    if not _has_parts(bounds, PARTS_OF_INDICES) or not _has_parts([holds], _PARTS_OF_CONDITIONS):
        return None
    return Windows(counter, step.value, start, holds, statement, loops, tested)


def _first_iterations(conditions: list[ast.expr], most: str) -> list[ast.stmt]:
    """The assignments of the number of iterations before the first one for which a condition does not hold."""
    number = ast.IfExp(ast.BoolOp(ast.And(), conditions), name(most), name(GROUP_LANE))
    return [assign(_WINDOW, number), assign(_WINDOW, _reduced("min", _WINDOW))]


def _iterations_without(conditions: list[ast.expr]) -> list[ast.stmt]:
    """The assignments of the number of iterations before the first one for which conditions hold, at least 1."""
    number = ast.IfExp(ast.BoolOp(ast.And(), conditions), name(GROUP_LANE), name(GROUP_LANES))
    least = ast.Call(name("#max"), [_reduced("min", _OTHER), ast.Constant(1)], [])
    return [assign(_OTHER, number), assign(_OTHER, least), assign(_SINGLE, ast.Constant(True))]


def _stores_only(loop: ast.For) -> bool:
    return all(isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript) for each in loop.body)


def _has_parts(nodes: list[ast.expr], parts: tuple) -> bool:
    return all(isinstance(part, parts) for each in nodes for part in nodes_of(each))


def _reduced(operation: str, title: str) -> ast.expr:
    return ast.Call(name(f"#reduce_{operation}"), [name(title)], [])


def _extreme(function: str, of: list[ast.expr]) -> ast.expr:
    return of[0] if len(of) == 1 else ast.Call(name(function), of, [])
