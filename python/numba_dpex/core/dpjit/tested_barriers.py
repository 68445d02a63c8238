"""Barriers that work-items wait at only if they have to: for arrays that tell at run time what was stored.

The sieve of Eratosthenes reads `is_prime[i]`, and its inner loop stores False in elements from `i * i` on. Between two
barriers, the work-items know the least index that they have stored, and the largest that they have read. They have to
wait for each other only before they read an element at or above the former, or store one at or below the latter.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.independence import Independence, indexed
from numba_dpex.core.dpjit.liveness import names
from numba_dpex.core.dpjit.loops import assign, integer, name

LARGEST = 1 << 62  # larger than all indices
PARTS_OF_INDICES = (ast.Name, ast.Constant, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.expr_context)


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
                case _ if stored := indexed([s], ast.Store):
                    self._others |= stored | indexed([s], ast.Load)  # by the first work-item alone
                case _:
                    self._visit_loads([s])

    def _visit_loads(self, nodes: list) -> None:
        for each in loads(nodes, self.stored):
            if not all(isinstance(part, PARTS_OF_INDICES) for part in nodes_of(each.slice)):
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
            made += [assign(_least(each), ast.Constant(LARGEST)), assign(_most(each), ast.Constant(-1))]
        return made

    def barrier(self) -> list[ast.stmt]:
        """A barrier, after which nothing has been stored or read."""
        return [barrier(), *self.begin()]

    def wait(self, most_read: ast.expr, least_stored: ast.expr, arrays: frozenset[str]) -> list[ast.stmt]:
        """The statements before reads and stores of these arrays up to an index, and from an index on."""
        conditions: list[ast.expr] = []
        records: list[ast.stmt] = []
        for each in sorted(arrays):
            least, most = name(_least(each)), name(_most(each))
            conditions.append(ast.Compare(least, [ast.LtE()], [most_read]))
            conditions.append(ast.Compare(most, [ast.GtE()], [least_stored]))
            records.append(assign(_most(each), ast.Call(name("#max"), [most, most_read], [])))
            records.append(assign(_least(each), ast.Call(name("#min"), [least, least_stored], [])))
        return [ast.If(ast.BoolOp(ast.Or(), conditions), self.barrier(), []), *records]

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
            reached = ast.IfExp(is_negative, ast.Constant(LARGEST), index)
            made.append(assign(_most(array), ast.Call(name("#max"), [name(_most(array)), reached], [])))
        return conditions, made

    def store(self, loop: ast.For, first: str, step: str) -> tuple[list[ast.expr], list[ast.stmt]]:
        """The same for a shared loop that stores, given the variables of its first counter and of its step."""
        conditions: list[ast.expr] = []
        made: list[ast.stmt] = []
        for array in sorted(indexed([loop], ast.Store) & self.constants.keys()):
            least = least_offset(loop, array)
            is_up = ast.Compare(name(step), [ast.Gt()], [ast.Constant(0)])
            index = ast.IfExp(is_up, ast.BinOp(name(first), ast.Add(), ast.Constant(least)), ast.Constant(-1))
            conditions.append(ast.Compare(name(_most(array)), [ast.GtE()], [index]))
            made.append(assign(_least(array), ast.Call(name("#min"), [name(_least(array)), index], [])))
        return conditions, made


def barrier() -> ast.stmt:
    return ast.Expr(ast.Call(name("#barrier"), [], []))


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


def least_offset(loop: ast.For, array: str) -> int:
    """The least constant that indices of stores to an array add to a loop's counter."""
    stores = [
        part
        for part in nodes_of(loop)
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and names([part.value]) == {array}
    ]
    return min(offset for each in stores if (offset := offset_of(each, loop)) is not None)


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
