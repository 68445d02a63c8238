"""Executes the statements that work-items get for a shared loop in Python, in random order between barriers.

CPUs execute the work-items of a kernel in an order in which many races stay hidden.
"""

from __future__ import annotations

import ast
import operator
import random
from functools import reduce
from types import SimpleNamespace

from numba_dpex.core.dpjit.rewrite import HostFunction
from shared_loops import form_of

# The operations of reductions, and their identities.
_OPERATIONS = {
    "add": (operator.add, 0),
    "mul": (operator.mul, 1),
    "and": (operator.and_, -1),
    "or": (operator.or_, 0),
    "xor": (operator.xor, 0),
    "min": (min, None),
    "max": (max, None),
}


def simulate(function, variables: dict, seed: int, lanes: int) -> int:
    """Execute a function whose body is loops, on the variables.

    Args:
        function: the function.
        variables: its arguments, by their names.
        seed: selects the order of work-items.
        lanes: the number of work-items that share a loop.

    Returns:
        The number of loops that were shared.
    """
    host = HostFunction(function, {"debug": False, "fastmath": frozenset()})
    shared = 0
    for loop in host._tree.body:
        nest = host._nest_of(loop) if host.is_parallel(loop) else None
        made = form_of(host, loop, nest, sorted(variables))
        if made is None:
            module = ast.Module([loop], [])
            exec(compile(module, "loop", "exec"), {**function.__globals__, **variables})
            continue
        shared += 1
        rows = 1
        bounds = (0, 1)
        if nest:
            start, stop, step = (_evaluate(part, variables) for part in nest.ranges[0])
            rows, bounds = len(range(start, stop, step)), (start, step)
        elif made["rows"]:
            rows = lanes
        _run(made, function, variables, bounds if nest else (), rows, lanes, random.Random(seed))
    return shared


def _evaluate(expression: ast.expr, variables: dict) -> int:
    return eval(compile(ast.fix_missing_locations(ast.Expression(expression)), "bound", "eval"), dict(variables))


def _run(made: dict, function, variables: dict, bounds: tuple, rows: int, lanes: int, order: random.Random) -> None:
    body = _runnable(made["tree"][0])
    names = {"own_range": range, "own_max": max, "own_min": min, "own_abs": abs, "own_integer": operator.index}
    scope = {**function.__globals__, **names}
    exec(compile(ast.fix_missing_locations(ast.Module([body], [])), "kernel", "exec"), scope)
    kernel = scope[body.name]
    inputs = [variables[each] for each in sorted(variables)]
    has_rows = bool(bounds) or bool(made["rows"])
    items = [(row, lane) for row in range(rows) for lane in range(lanes)]
    order.shuffle(items)
    running = {at: kernel(_item(*at, rows, lanes, has_rows), *bounds, *inputs) for at in items}
    for group in [items] if made["form"] == "grid" else [[at for at in items if at[0] == row] for row in range(rows)]:
        given = None
        while group:  # until the next barrier or reduction
            order.shuffle(group)
            waiting = {}
            for at in group:
                try:
                    waiting[at] = running[at].send(given)
                except StopIteration:
                    continue
            if waiting and len(waiting) < len(group):
                raise AssertionError("some work-items of a group do not reach a barrier")
            reduced = [each for each in waiting.values() if each]
            given = reduce(_OPERATIONS[reduced[0][0]][0], (value for _, value in reduced)) if reduced else None
            group = list(waiting)


def _item(row: int, lane: int, rows: int, lanes: int, has_rows: bool) -> SimpleNamespace:
    ids, ranges = ((row, lane), (rows, lanes)) if has_rows else ((lane,), (lanes,))
    return SimpleNamespace(
        get_id=ids.__getitem__,
        get_range=ranges.__getitem__,
        get_local_id=lambda _: lane,
        get_local_range=lambda _: lanes,
        get_group=lambda: SimpleNamespace(get_group_id=lambda _: row),
    )


class _Names(ast.NodeTransformer):
    """Makes identifiers of the compiler's own names, and `yield` of barriers."""

    def visit_Name(self, node: ast.Name):
        return ast.Name(_identifier(node.id), node.ctx)

    def visit_arg(self, node: ast.arg):
        return ast.arg(_identifier(node.arg))

    def visit_Call(self, node: ast.Call):
        match node:
            case ast.Call(func=ast.Name(id="#barrier")):
                return ast.Yield(None)
            case ast.Call(func=ast.Name(id=title), args=[value]) if title.startswith("#reduce_"):
                return ast.Yield(ast.Tuple([ast.Constant(title[8:]), self.visit(value)], ast.Load()))
            case ast.Call(func=ast.Name(id=title)) if title.startswith("#identity_"):
                return ast.Constant(_OPERATIONS[title[10:]][1])
        return self.generic_visit(node)


def _identifier(title: str) -> str:
    return title.replace("#", "own_").replace(" ", "_")


def _runnable(tree: ast.FunctionDef) -> ast.FunctionDef:
    text = ast.unparse(ast.fix_missing_locations(_Names().visit(_copy(tree))))
    made = ast.parse(text).body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body.append(ast.If(ast.Constant(False), [ast.Expr(ast.Yield(None))], []))  # always a generator
    return made


def _copy(node):
    if isinstance(node, list):
        return [_copy(each) for each in node]
    if not isinstance(node, ast.AST):
        return node
    return type(node)(**{title: _copy(value) for title, value in ast.iter_fields(node)})
