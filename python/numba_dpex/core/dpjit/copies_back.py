"""Steps that compute new elements of arrays and copy them back: `new[i, j] = f(old, i, j)`, `old[i, j] = new[i, j]`.

Where the arrays are large, they change their roles after each step instead of the copies, and the results are copied
once, behind the last step. Elements that the steps do not compute, such as borders, must be the same in both arrays. If
all elements are copied, they are after the first copy. If only computed ones are, a copy of `old` takes turns with it.

    #exchange = begin(locals())             # None if the arrays overlap, are small, or differ in shape
    if #exchange is not None:
        #old, #new = #exchange.arrays
        for …:
            the step, with #old and #new
            #old, #new = #exchange.turn()
        #exchange.finish()
    else:
        the loop, as it was
"""

from __future__ import annotations

import ast
import copy
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from dpep._kernel import forget_summaries, nodes_of

from numba_dpex.core.dpjit import loops
from numba_dpex.core.dpjit.exchanged_arrays import CALLABLES, ExchangeFacts, Exchanges
from numba_dpex.core.dpjit.liveness import assigned, names

_ARRAY_FACTS = frozenset(["shape", "size", "ndim", "dtype", "itemsize"])
# Statements and expressions by which a loop may be left, or its variables reach others.
REFUSED = (
    ast.Return,
    ast.Raise,
    ast.Assert,
    ast.Try,
    ast.With,
    ast.NamedExpr,
    ast.Lambda,
    ast.FunctionDef,
    ast.Delete,
)
_NO_INDICES = (ast.Slice, ast.Starred, ast.Tuple, ast.List, ast.Compare)
# Packages whose functions keep no arrays, and do not change those that they are given by a loop.
_PACKAGES = ("math", "cmath", "numpy", "dpnp", "builtins", "time", "operator")


class Host(Protocol):
    """The function that contains the loops."""

    def look_up(self, node: ast.expr) -> object: ...

    def is_parallel(self, node: ast.AST) -> bool: ...

    def is_range(self, node: ast.expr) -> bool: ...

    def helper(self, kind: str, value: object) -> ast.Name: ...


class _Unsuitable(Exception):
    """The statements are not such steps."""


@dataclass
class _Nest:
    """Loops without statements between them, of which the first one is parallel."""

    counters: list[str]
    region: ast.expr
    body: list[ast.stmt]

    def is_element(self, node: ast.AST, array: str) -> bool:
        """Whether a node is the element of an array at the counters."""
        match node:
            case ast.Subscript(value=ast.Name(id=title), slice=index):
                axes = index.elts if isinstance(index, ast.Tuple) else [index]
                return title == array and [isinstance(each, ast.Name) and each.id for each in axes] == self.counters
        return False


@dataclass
class _Copies:
    """A statement of a step that copies elements back.

    Attributes:
        pairs: the arrays, each with the one whose elements are copied.
        region: an expression of the elements' indices.
        rest: the statement without the copies; None if nothing is left.
        nest: the loops, if it is one.
    """

    pairs: list[tuple[str, str]]
    region: ast.expr
    rest: ast.stmt | None
    nest: _Nest | None


def exchange_copied_arrays(tree: ast.FunctionDef, host: Host) -> bool:
    """Replace loops of a function whose steps copy elements back, each by a test and two versions of the loop.

    Returns whether there are such loops.
    """
    if os.environ.get("DPEP_CHECK", "0") not in ("", "0"):
        return False  # errors name the program's arrays
    replacer = _Loops(host)
    replacer.generic_visit(tree)
    if replacer.has_replaced:
        forget_summaries(tree)
    return replacer.has_replaced


class _Loops(ast.NodeTransformer):
    """Replaces outermost loops."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.has_replaced = False

    def visit_FunctionDef(self, node: ast.FunctionDef):
        return node

    def visit_For(self, node: ast.For):
        return self._loop(node)

    def visit_While(self, node: ast.While):
        return self._loop(node)

    def _loop(self, loop: ast.For | ast.While):
        if self._host.is_parallel(loop):
            return loop
        try:
            made = _Steps(loop, self._host).replacement()
        except _Unsuitable:
            return loop  # the loops in it stay as they are, so that it can be compiled as a whole
        self.has_replaced = True
        return made


class _Steps:
    """A loop over steps."""

    def __init__(self, loop: ast.For | ast.While, host: Host) -> None:
        self._loop, self._host = loop, host
        if not any(map(self._is_for_prange, loop.body)) or loop.orelse:
            raise _Unsuitable
        nodes = list(nodes_of(loop))
        if any(isinstance(each, REFUSED) for each in nodes):
            raise _Unsuitable
        self._assigned = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        self._copies = {k: found for k, each in enumerate(loop.body) if (found := self._copies_of(each))}
        if not self._copies:
            raise _Unsuitable
        self._olds = [old for each in self._copies.values() for old, _ in each.pairs]
        self._news = [new for each in self._copies.values() for _, new in each.pairs]
        arrays = {*self._olds, *self._news}
        if len(arrays) < 2 * len(self._olds) or arrays & self._assigned:
            raise _Unsuitable
        self._regions: list[tuple[int, bool, ast.expr]] = []  # the number of a pair, whether it is copied, the elements
        self._indices: list[tuple[str, int]] = []  # the numbers of indices with which an array is used
        self._check_order()
        self._check_calls(nodes)

    def replacement(self) -> list[ast.stmt]:
        """The statements in place of the loop."""
        loop, host = self._loop, self._host
        arrays = [*self._olds, *self._news]
        read = {each.id for each in nodes_of(loop) if isinstance(each, ast.Name)} - {*arrays} - self._assigned
        facts = ExchangeFacts(
            self._olds, self._news, sorted(read), self._regions, self._indices, self._number_of_steps()
        )
        begin = Exchanges(facts, host.look_up)
        exchange = f"#exchange {loop.lineno} {loop.col_offset}"
        state = loops.name(exchange)
        titles = {title: f"#{k} of {exchange}" for k, title in enumerate(arrays)}
        turned = ast.Tuple([ast.Name(titles[each], ast.Store()) for each in arrays], ast.Store())
        body: list[ast.stmt] = []
        last = max(self._copies)
        for k, each in enumerate(loop.body):
            copies = self._copies.get(k)
            kept = copies.rest if copies else each
            if kept:
                body.append(loops.clone(kept, titles))
            if k == last:
                body.append(loops.locate(loops.assign(loops.clone(turned), _method(state, "turn")), loop))
        steps = copy.copy(loop)
        steps.body = body
        if isinstance(steps, ast.While):
            steps.test = loops.clone(loop.test, titles)
        else:
            steps.iter = loops.clone(loop.iter, titles)
        made = [
            loops.assign(turned, ast.Attribute(state, "arrays", ast.Load())),
            steps,
            ast.Expr(_method(state, "finish")),
            *loops.assign_none([exchange, *titles.values()]),
        ]
        variables = ast.Call(host.helper("locals", locals), [], [])
        start = loops.assign(exchange, ast.Call(host.helper("begin", begin), [variables], []))
        test = ast.Compare(state, [ast.IsNot()], [ast.Constant(None)])
        return [loops.locate(each, loop) for each in (start, ast.If(test, made, [loop]))]

    def _is_for_prange(self, statement: ast.stmt) -> bool:
        return self._host.is_parallel(statement)

    def _number_of_steps(self) -> ast.expr | None:
        match self._loop:
            case ast.For(iter=ast.Call(args=args, keywords=[]) as call) if args and self._host.is_range(call):
                return call
        return None

    def _nest_of(self, statement: ast.stmt) -> _Nest | None:
        """The loops of a statement, if their bounds stay the same in all steps."""
        counters: list[str] = []
        ranges: list[ast.expr] = []
        body = [statement]
        while len(body) == 1 and isinstance(body[0], ast.For):
            each = body[0]
            is_loop = self._host.is_range(each.iter) if counters else self._host.is_parallel(each)
            if (
                not is_loop
                or each.orelse
                or not isinstance(each.target, ast.Name)
                or not isinstance(each.iter, ast.Call)
            ):
                break
            if each.iter.keywords or not 1 <= len(each.iter.args) <= 3:
                break
            start, stop, step = loops.bounds_of(each.iter)
            if not loops.is_constant(step, 1) or not self._stays_the_same(start, stop):
                break
            counters.append(each.target.id)
            ranges.append(ast.Tuple([start, stop], ast.Load()))
            body = each.body
        if not counters or {*counters} & assigned(body):
            return None
        return _Nest(counters, ast.Tuple(ranges, ast.Load()), body)

    def _stays_the_same(self, *parts: ast.expr | None) -> bool:
        nodes = [each for part in parts if part for each in nodes_of(part)]
        if any(isinstance(each, ast.Call) for each in nodes):
            return False
        return not self._assigned & {each.id for each in nodes if isinstance(each, ast.Name)}

    def _copies_of(self, statement: ast.stmt) -> _Copies | None:
        if isinstance(statement, ast.For):
            return self._copies_in_nest(statement)
        match statement:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=old), slice=to)],
                value=ast.Subscript(value=ast.Name(id=new), slice=index),
            ) if ast.dump(to) == ast.dump(index):
                pass
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=old), slice=to)], value=ast.Name(id=new)):
                if not _is_whole(to):
                    return None
            case _:
                return None
        if _is_whole(to):
            return _Copies([(old, new)], ast.Constant(None), None, None)
        axes = to.elts if isinstance(to, ast.Tuple) else [to]
        region: list[ast.expr] = []
        for each in axes:
            if not isinstance(each, ast.Slice) or each.step or not self._stays_the_same(each.lower, each.upper):
                return None
            parts = [part or ast.Constant(None) for part in (each.lower, each.upper)]
            region.append(ast.Call(loops.name("slice"), parts, []))
        return _Copies([(old, new)], ast.Tuple(region, ast.Load()), None, None)

    def _copies_in_nest(self, statement: ast.For) -> _Copies | None:
        nest = self._nest_of(statement)
        if nest is None:
            return None
        rest, pairs = list(nest.body), []
        while rest and (pair := _copied_element(nest, rest[-1])):
            pairs.append(pair)
            rest.pop()
        if not pairs:
            return None
        return _Copies(
            pairs[::-1], nest.region, _with_body(statement, len(nest.counters), rest) if rest else None, nest
        )

    def _check_order(self) -> None:
        """Raise an exception unless each step computes the new elements, and then copies them."""
        copied: set[str] = set()
        computed: set[str] = set()
        first, last = min(self._copies), max(self._copies)
        for k, statement in enumerate(self._loop.body):
            copies = self._copies.get(k)
            if k <= last and _leaves(statement):
                raise _Unsuitable
            if copies:
                self._note_regions(copies, computed)
                if copies.rest:
                    assert copies.nest
                    rest = copies.nest.body[: -len(copies.pairs)]
                    if copied & names(rest):
                        raise _Unsuitable  # it reads the new elements, which an earlier statement has copied
                    self._check_reads(rest, copies.nest, computed)
                copied |= {old for old, _ in copies.pairs}
                continue
            if first < k < last:
                raise _Unsuitable  # the arrays change their roles behind the last copy
            nest = self._nest_of(statement)
            if nest is None:
                self._check_facts([statement])
                continue
            stored = [new for new in self._news if new not in computed and self._stores(nest, new)]
            if stored and k > last:
                raise _Unsuitable
            computed |= {*stored}
            self._check_reads(nest.body, nest, computed if k < last else set())
            self._regions += [(self._news.index(new), False, nest.region) for new in stored]
        head = self._loop.test if isinstance(self._loop, ast.While) else self._loop.iter
        self._check_facts([ast.Expr(head)])

    def _note_regions(self, copies: _Copies, computed: set[str]) -> None:
        for _, new in copies.pairs:
            if new not in computed:
                raise _Unsuitable
            self._regions.append((self._news.index(new), True, copies.region))

    def _stores(self, nest: _Nest, new: str) -> bool:
        """Whether a nest computes an element of `new` in each iteration, before it uses it."""
        uses = [each for s in nest.body for each in nodes_of(s) if isinstance(each, ast.Name) and each.id == new]
        return bool(uses) and _Stores(nest, new).block(nest.body, False)

    def _check_reads(self, body: list[ast.stmt], nest: _Nest, computed: set[str]) -> None:
        """Raise an exception unless statements only read elements of the arrays, and of new ones only computed ones."""
        bases: set[int] = set()
        used: set[str] = set()
        for each in (part for s in body for part in nodes_of(s)):
            match each:
                case ast.Subscript(value=ast.Name(id=title) as base, ctx=context, slice=index):
                    axes = index.elts if isinstance(index, ast.Tuple) else [index]
                    if title in self._olds:
                        if not isinstance(context, ast.Load) or any(isinstance(axis, _NO_INDICES) for axis in axes):
                            raise _Unsuitable
                        self._indices.append((title, len(axes)))
                    elif title in self._news:
                        if title not in computed or not nest.is_element(each, title):
                            raise _Unsuitable
                        used.add(title)
                    bases.add(id(base))
                case ast.Attribute(value=ast.Name() as base, attr=attribute) if attribute in _ARRAY_FACTS:
                    bases.add(id(base))
        self._check_facts(body, bases)
        self._regions += [(self._news.index(each), False, nest.region) for each in sorted(used)]

    def _check_facts(self, body: list[ast.stmt], bases: set[int] | None = None) -> None:
        """Raise an exception if statements use the arrays in other ways than these places, and attributes."""
        allowed = bases if bases is not None else set()
        for each in (part for s in body for part in nodes_of(s)):
            if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.attr in _ARRAY_FACTS:
                allowed.add(id(each.value))
        for each in (part for s in body for part in nodes_of(s)):
            if isinstance(each, ast.Name) and each.id in {*self._olds, *self._news} and id(each) not in allowed:
                raise _Unsuitable

    def _check_calls(self, nodes: list[ast.AST]) -> None:
        """Raise an exception if a function that is called may use the arrays."""
        for each in nodes:
            if isinstance(each, ast.Call) and not self._host.is_range(each):
                callee = self._host.look_up(each.func)
                of_module = getattr(callee, "__module__", "") or ""
                is_known = of_module.split(".")[0] in _PACKAGES
                if not is_known and not isinstance(callee, CALLABLES):
                    raise _Unsuitable


class _Stores:
    """Follows whether an element of an array has been stored."""

    def __init__(self, nest: _Nest, array: str) -> None:
        self._nest, self._array = nest, array

    def block(self, statements: list[ast.stmt], is_stored: bool) -> bool:
        """Whether the element is stored after the statements. Uses before that raise an exception."""
        for s in statements:
            is_stored = self._after(s, is_stored)
        return is_stored

    def _after(self, s: ast.stmt, is_stored: bool) -> bool:
        match s:
            case ast.Assign(targets=[target], value=value) if self._nest.is_element(target, self._array):
                self._check([value], is_stored)
                return True
            case ast.If(test=test, body=body, orelse=orelse):
                self._check([test], is_stored)
                ends = [self.block(each, is_stored) for each in (body, orelse)]
                return all(ends)
            case ast.For(iter=over, body=body, orelse=[]):
                self._check([over], is_stored)
                self._check_loop(body, is_stored)
                return is_stored
            case ast.While(test=test, body=body, orelse=[]):
                self._check([test], is_stored)
                self._check_loop(body, is_stored)
                return is_stored
            case ast.Continue():
                self._require(is_stored)
                return is_stored
        self._check([s], is_stored)
        return is_stored

    def _check_loop(self, body: list[ast.stmt], is_stored: bool) -> None:
        """Check the statements of an inner loop, whose `continue` and `break` stay in the iteration."""
        if not is_stored:
            self._check(body, False)

    def _check(self, nodes: list, is_stored: bool) -> None:
        uses = (isinstance(each, ast.Name) and each.id == self._array for node in nodes for each in nodes_of(node))
        self._require(is_stored or not any(uses))

    @staticmethod
    def _require(condition: bool) -> None:
        if not condition:
            raise _Unsuitable


def _method(state: ast.expr, title: str) -> ast.Call:
    return ast.Call(ast.Attribute(state, title, ast.Load()), [], [])


def _copied_element(nest: _Nest, statement: ast.stmt) -> tuple[str, str] | None:
    """The arrays of `old[i, j] = new[i, j]`."""
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=old)) as to], value=ast.Subscript(value=ast.Name(id=new)) as value
        ) if nest.is_element(to, old) and nest.is_element(value, new):
            return old, new
    return None


def _with_body(statement: ast.For, depth: int, body: list[ast.stmt]) -> ast.For:
    """Nested loops with another body of the innermost one."""
    made = loops.clone(statement)
    inner = made
    for _ in range(depth - 1):
        inner = inner.body[0]
    inner.body = body
    return made


def _is_whole(index: ast.expr) -> bool:
    """Whether an index takes all elements: `[:]`, `[...]`, `[:, :]`."""
    axes = index.elts if isinstance(index, ast.Tuple) else [index]
    return all(
        (isinstance(each, ast.Slice) and not (each.lower or each.upper or each.step))
        or (isinstance(each, ast.Constant) and each.value is ...)
        for each in axes
    )  # fmt: skip


def _leaves(statement: ast.stmt) -> bool:
    """Whether a statement may leave the step early."""
    return any(isinstance(each, ast.Break | ast.Continue) for each in _of_step(statement))


def _of_step(statement: ast.stmt) -> Iterator[ast.AST]:
    """The statements in a statement, without those of inner loops."""
    yield statement
    if not isinstance(statement, ast.For | ast.While):
        for each in ast.iter_child_nodes(statement):
            if isinstance(each, ast.stmt):
                yield from _of_step(each)
