"""Barriers that work-items wait at only if they have to: for arrays that tell at run time what was stored.

The sieve of Eratosthenes reads `is_prime[i]`, and its inner loop stores False in elements from `i * i` on. Between two
barriers, the work-items know the least index that they have stored, and the largest that they have read. They have to
wait for each other only before they read an element at or above the former, or store one at or below the latter.

Between two barriers, iterations may be executed in any order. So work-groups take turns to execute such statements, but
for the longest loops, which all groups share.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.independence import Independence, indexed
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
)

_LARGEST = 1 << 62  # larger than all indices
_MOST_ITERATIONS_OF_GROUP = 1 << 16
_LARGEST_STEP = 1 << 31
_TURN = "#turn"  # the number of the work-group that executes the next statement
_PARTS_OF_INDICES = (ast.Name, ast.Constant, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.expr_context)


@dataclass
class TestedArrays:
    """The arrays in a loop whose dependences work-items test.

    They have one dimension. All stores are in loops that work-items share, at the loop's counter or a constant from it,
    and of one constant, so that their order does not matter. All loads are in statements that all work-items execute.

    Args:
        body: the statements of the loop.
        stored: the arrays that are stored to.
        independent: returns why the iterations of a loop are independent.

    Attributes:
        constants: for each of the arrays, the constant that is stored.
    """

    body: list[ast.stmt]
    stored: set[str]
    independent: Callable[[ast.stmt], Independence | None]
    constants: dict[str, str] = field(default_factory=dict)
    _others: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._visit(self.body)
        for each in self._others:
            self.constants.pop(each, None)

    def _visit(self, statements: list[ast.stmt]) -> None:
        for s in statements:
            match s:
                case ast.If(test=test, body=body, orelse=orelse):
                    self._visit_loads([test])
                    self._visit(body)
                    self._visit(orelse)
                case ast.For() if (found := self.independent(s)) is not None:
                    self._visit_shared(s, found)
                case ast.For(iter=head, body=body) | ast.While(test=head, body=body):
                    self._others |= indexed([head], ast.Load)
                    self._visit(body)
                case _:
                    self._others |= indexed([s], ast.Store)
                    self._visit_loads([s])

    def _visit_loads(self, nodes: list) -> None:
        for each in loads(nodes, self.stored):
            if not all(isinstance(part, _PARTS_OF_INDICES) for part in nodes_of(each.slice)):
                self._others.add(each.value.id)  # type: ignore[attr-defined]

    def _visit_shared(self, loop: ast.For, found: Independence) -> None:
        self._others |= indexed([loop], ast.Load)
        if found.reductions:
            self._others |= indexed([loop], ast.Store)
        for s in (part for part in nodes_of(loop) if isinstance(part, ast.stmt) and part is not loop):
            match s:
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=array)) as target], value=ast.Constant() as x):
                    constant = ast.dump(x)
                    if offset_of(target, loop) is None or self.constants.setdefault(array, constant) != constant:
                        self._others.add(array)
                case ast.Assign() | ast.AugAssign():
                    self._others |= indexed([s], ast.Store)

    def begin(self) -> list[ast.stmt]:
        """The statements before the loop, and after each barrier."""
        made: list[ast.stmt] = []
        for each in sorted(self.constants):
            made += [assign(_least(each), ast.Constant(_LARGEST)), assign(_most(each), ast.Constant(-1))]
        return made

    def read(self, nodes: list) -> tuple[list[ast.expr], list[ast.stmt]]:
        """Conditions of which one holds if work-items must wait before all of them read, and statements after that."""
        conditions: list[ast.expr] = []
        made: list[ast.stmt] = []
        for each in loads(nodes, self.constants):
            array = each.value.id  # type: ignore[attr-defined]
            index = integer(each.slice)
            below = ast.Compare(ast.Constant(0), [ast.LtE(), ast.Lt()], [index, name(_least(array))])
            conditions.append(ast.UnaryOp(ast.Not(), below))
            is_negative = ast.Compare(index, [ast.Lt()], [ast.Constant(0)])
            reached = ast.IfExp(is_negative, ast.Constant(_LARGEST), index)
            made.append(assign(_most(array), ast.Call(name("#max"), [name(_most(array)), reached], [])))
        return conditions, made

    def store(self, loop: ast.For, first: str, step: str) -> tuple[list[ast.expr], list[ast.stmt]]:
        """The same for a shared loop that stores, given the variables of its first counter and of its step."""
        conditions: list[ast.expr] = []
        made: list[ast.stmt] = []
        for array in sorted(indexed([loop], ast.Store) & self.constants.keys()):
            offsets = [offset_of(each, loop) for each in _stores(loop, array)]
            least = min(each for each in offsets if each is not None)
            is_up = ast.Compare(name(step), [ast.Gt()], [ast.Constant(0)])
            index = ast.IfExp(is_up, ast.BinOp(name(first), ast.Add(), ast.Constant(least)), ast.Constant(-1))
            conditions.append(ast.Compare(name(_most(array)), [ast.GtE()], [index]))
            made.append(assign(_least(array), ast.Call(name("#min"), [name(_least(array)), index], [])))
        return conditions, made

    def turn(self, s: ast.If) -> tuple[list[ast.stmt], list[ast.expr], list[ast.stmt]] | None:
        """How work-groups take turns to execute a statement: `if x[i]: for j in range(…): x[j] = constant`.

        Returns:
            Statements, conditions, and the statements if they hold; None for other statements.
        """
        loops = [each for each in s.body if isinstance(each, ast.For)]
        stored = indexed(s.body, ast.Store)
        if s.orelse or len(loops) < len(s.body) or not stored <= self.constants.keys():
            return None
        bounds = [part for each in loops for part in bounds_of(each.iter)]  # type: ignore[arg-type]
        if not all(isinstance(part, _PARTS_OF_INDICES) for each in bounds for part in nodes_of(each)):
            return None
        if names(bounds) & assigned(s.body) or not all(_stores_only(each) for each in loops):
            return None
        barrier_if, records = self.read([s.test])
        reads = [integer(each.slice) for each in loads([s.test], self.constants)]
        zero, one = ast.Constant(0), ast.Constant(1)
        before: list[ast.stmt] = []
        conditions: list[ast.expr] = [ast.Compare(zero, [ast.LtE()], [each]) for each in reads]
        body: list[ast.stmt] = []
        for k, loop in enumerate(loops):
            first, last, by = (f"#{what} {k} of turn" for what in ("from", "to", "by"))
            for title, bound in zip((first, last, by), bounds_of(loop.iter), strict=True):  # type: ignore[arg-type]
                before.append(assign(title, integer(bound)))
            least = ast.BinOp(name(first), ast.Add(), ast.Constant(min(_offsets(loop))))
            conditions.append(ast.Compare(zero, [ast.Lt(), ast.LtE()], [name(by), ast.Constant(_LARGEST_STEP)]))
            for bound in (first, last):
                conditions.append(ast.Compare(zero, [ast.LtE(), ast.Lt()], [name(bound), ast.Constant(_LARGEST >> 1)]))
            conditions += [ast.Compare(each, [ast.Lt()], [least]) for each in reads]
            most = ast.BinOp(name(by), ast.Mult(), ast.Constant(_MOST_ITERATIONS_OF_GROUP))
            conditions.append(ast.Compare(ast.BinOp(name(last), ast.Sub(), name(first)), [ast.LtE()], [most]))
            stores = self.store(loop, first, by)
            barrier_if += stores[0]
            records += stores[1]
            # The conditions say that these are the same. From the maxima the compiler knows that.
            start, step = (ast.Call(name("#max"), [name(x), y], []) for x, y in ((first, zero), (by, one)))
            start = ast.BinOp(start, ast.Add(), ast.BinOp(name(GROUP_LANE), ast.Mult(), step))
            over = ast.Call(name("#range"), [start, name(last), ast.BinOp(step, ast.Mult(), name(GROUP_LANES))], [])
            body.append(ast.For(loop.target, over, loop.body, []))
        next_turn = ast.BinOp(name(_TURN), ast.Add(), one)
        has_next = ast.Compare(next_turn, [ast.Lt()], [name(GROUPS)])
        return (
            before,
            conditions,
            [
                ast.If(ast.BoolOp(ast.Or(), barrier_if), [barrier(), *self.begin()], []),
                *records,
                ast.If(ast.Compare(name(_TURN), [ast.Eq()], [name(GROUP)]), [ast.If(s.test, body, [])], []),
                assign(_TURN, ast.IfExp(has_next, next_turn, zero)),
            ],
        )


def first_turn() -> ast.stmt:
    """The statement before all others if work-groups take turns."""
    return assign(_TURN, ast.Constant(0))


def barrier() -> ast.stmt:
    return ast.Expr(ast.Call(name("#barrier"), [], []))


def _stores_only(loop: ast.For) -> bool:
    return all(isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript) for each in loop.body)


def _offsets(loop: ast.For) -> list[int]:
    """What the indices of stores add to the loop's counter."""
    found = [part for part in nodes_of(loop) if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)]
    return [offset for each in found if (offset := offset_of(each, loop)) is not None]


def _least(array: str) -> str:
    return f"#least {array}"


def _most(array: str) -> str:
    return f"#most {array}"


def loads(nodes: list, arrays) -> list[ast.Subscript]:
    """The subscripts by which nodes read elements of these arrays."""
    return [
        part
        for node in nodes
        for part in nodes_of(node)
        if isinstance(part, ast.Subscript)
        and isinstance(part.ctx, ast.Load)
        and isinstance(part.value, ast.Name)
        and part.value.id in arrays
    ]


def _stores(loop: ast.For, array: str) -> list[ast.Subscript]:
    return [
        part
        for part in nodes_of(loop)
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and names([part.value]) == {array}
    ]


def offset_of(target: ast.Subscript, loop: ast.For) -> int | None:
    """The constant that an index adds to the loop's counter; None for other indices."""
    counters = names([loop.target], ast.Store)
    match target.slice:
        case ast.Name(id=title) if title in counters:
            return 0
        case ast.BinOp(left=ast.Name(id=title), op=ast.Add(), right=ast.Constant(value=int(value))):
            return value if title in counters else None
        case ast.BinOp(left=ast.Name(id=title), op=ast.Sub(), right=ast.Constant(value=int(value))):
            return -value if title in counters else None
    return None
