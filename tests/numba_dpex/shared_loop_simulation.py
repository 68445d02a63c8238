"""Executes the statements that work-items get for a shared loop in Python, in random order between barriers.

CPUs execute the work-items of a kernel in an order in which many races stay hidden.
"""

from __future__ import annotations

import ast
import operator
import random
from functools import reduce
from types import SimpleNamespace

import numpy as np
from numba_dpex.core.dpjit.loops import name
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


_BARRIERS = {"#barrier": "group", "#sub_group_barrier": "sub_group", "#barrier_of_launch": "launch"}
_GROUPS_OF_LAUNCH = 3


def simulate(function, variables: dict, seed: int, lanes: int) -> int:
    """Execute a function on the variables. Work-items execute its loops.

    Args:
        function: the function.
        variables: its arguments, by their names.
        seed: selects the order of work-items.
        lanes: the number of work-items that share a loop, or of those of a group in loops that groups share.

    Returns:
        The number of loops that were shared.
    """
    host = HostFunction(function, {"debug": False, "fastmath": frozenset()})
    shared = 0
    for loop in host._tree.body:
        if not isinstance(loop, ast.For | ast.While):
            exec(compile(ast.Module([loop], []), "statement", "exec"), function.__globals__, variables)
            continue
        nest = host._nest_of(loop) if host.is_parallel(loop) else None
        of_loop = host, loop, nest, sorted(variables), "groups" if seed % 2 else "concurrent"
        made = form_of(*of_loop, is_single=seed % 2 == 0)
        lanes_of_loop = lanes
        if made and made["single"]:
            lanes_of_loop = _single_iterations(made["single"], variables)
            if not lanes_of_loop:
                lanes_of_loop, made = lanes, form_of(*of_loop)
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
        _run(made, function, variables, bounds if nest else (), rows, lanes_of_loop, random.Random(seed))
    return shared


def _single_iterations(loops: list[tuple], variables: dict) -> int:
    """The work-items that execute one iteration of each loop, as the launch counts them; 0 if they cannot."""

    def length(title: str, axis: int) -> int:
        x = variables[title]
        return x if axis == -2 else x.size if axis == -1 else x.shape[axis]

    most = 0
    for title, axis, add, longer, apart in loops:
        count = length(title, axis) + add
        if any(length(array, on) < count + by for array, on, by in longer):
            return 0
        if any(length(array, on) <= distance for array, on, distance in apart):
            return 0
        most = max(most, count)
    return most


def _assume(condition) -> None:
    assert condition


def _evaluate(expression: ast.expr, variables: dict) -> int:
    return eval(compile(ast.fix_missing_locations(ast.Expression(expression)), "bound", "eval"), dict(variables))


def _run(made: dict, function, variables: dict, bounds: tuple, rows: int, lanes: int, order: random.Random) -> None:
    body = _runnable(made["tree"][0])
    names = {
        "own_range": range,
        "own_max": max,
        "own_min": min,
        "own_abs": abs,
        "own_integer": operator.index,
        "own_step": operator.index,
        "own_assume": _assume,
    }
    scope = {**function.__globals__, **names}
    exec(compile(ast.fix_missing_locations(ast.Module([body], [])), "kernel", "exec"), scope)
    kernel = scope[body.name]
    inputs = [variables[each] for each in sorted(variables)]
    if made["form"] == "concurrent":
        rows = _GROUPS_OF_LAUNCH
        inputs.insert(0, None)  # the counter of barriers
    has_rows = bool(bounds) or bool(made["rows"])
    sub_group = 2 if lanes % 2 == 0 else lanes
    items = [(row, lane) for row in range(rows) for lane in range(lanes)]
    local = [_LocalMemory() for _ in range(rows)]
    running = {at: kernel(_item(*at, rows, lanes, has_rows, sub_group, local[at[0]]), *bounds, *inputs) for at in items}
    keys = {"launch": lambda at: None, "group": lambda at: at[0], "sub_group": lambda at: (at[0], at[1] // sub_group)}
    given: dict[tuple[int, int], object] = {}
    waiting: dict[tuple[int, int], tuple] = {}  # each has a scope, an operation, and a value
    while running:
        ready = [at for at in running if at not in waiting]
        order.shuffle(ready)
        for at in ready:
            try:
                waiting[at] = running[at].send(given.pop(at, None))
            except StopIteration:
                del running[at]
        complete = []
        for scope, key in keys.items():
            for group in {key(at) for at in items}:
                members = [at for at in items if key(at) == group]
                if all(at in waiting and waiting[at][0] == scope for at in members):
                    complete.append(members)
        if waiting and not complete:
            raise AssertionError("some work-items do not reach a barrier")
        for members in complete:
            if complete.index(members) and order.random() < 0.5:
                continue  # later
            requests = [waiting.pop(at) for at in members]
            if operation := requests[0][1]:
                given.update(dict.fromkeys(members, reduce(_OPERATIONS[operation][0], (each[2] for each in requests))))


class _LocalMemory:
    """The arrays in local memory of a work-group, one for each call in the program."""

    def __init__(self) -> None:
        self._arrays: dict[int, np.ndarray] = {}

    def array(self, call: int, like: np.ndarray, shape) -> np.ndarray:
        if call not in self._arrays:
            of_any_bits = np.random.default_rng(call).integers(0, 256, int(np.prod(shape)) * like.itemsize, "u1")
            self._arrays[call] = of_any_bits.view(like.dtype).reshape(shape)
        return self._arrays[call]


def _item(
    row: int, lane: int, rows: int, lanes: int, has_rows: bool, sub_group: int, local: _LocalMemory
) -> SimpleNamespace:
    ids, ranges = ((row, lane), (rows, lanes)) if has_rows else ((lane,), (lanes,))
    return SimpleNamespace(
        get_id=ids.__getitem__,
        get_range=ranges.__getitem__,
        get_global_id=lambda _: row * lanes + lane,
        get_global_range=lambda _: rows * lanes,
        get_local_id=lambda _: lane,
        get_local_range=lambda _: lanes,
        get_group=lambda: SimpleNamespace(get_group_id=lambda _: row, get_group_range=lambda _: rows),
        get_sub_group=lambda: SimpleNamespace(get_local_id=lambda: lane % sub_group, get_local_range=lambda: sub_group),
        local=local.array,
    )


class _Names(ast.NodeTransformer):
    """Makes identifiers of the compiler's own names, and `yield` of barriers."""

    _local_arrays = 0

    def visit_Name(self, node: ast.Name):
        return ast.Name(_identifier(node.id), node.ctx)

    def visit_arg(self, node: ast.arg):
        return ast.arg(_identifier(node.arg))

    def visit_Call(self, node: ast.Call):
        match node:
            case ast.Call(func=ast.Name(id=title)) if title in _BARRIERS:
                return _waits_for(_BARRIERS[title], ast.Constant(None), ast.Constant(None))
            case ast.Call(func=ast.Name(id=title), args=[value]) if "#reduce_" in title or "group_reduce_" in title:
                scope = "sub_group" if "group" in title else "group"
                return _waits_for(scope, ast.Constant(title[title.rindex("_") + 1 :]), self.visit(value))
            case ast.Call(func=ast.Name(id="#local"), args=[array, shape]):
                self._local_arrays += 1
                local = ast.Attribute(name("#item"), "local", ast.Load())
                return self.generic_visit(ast.Call(local, [ast.Constant(self._local_arrays), array, shape], []))
            case ast.Call(func=ast.Name(id=title)) if title.startswith("#identity_"):
                return ast.Constant(_OPERATIONS[title[10:]][1])
        return self.generic_visit(node)


def _waits_for(scope: str, operation: ast.expr, value: ast.expr) -> ast.expr:
    return ast.Yield(ast.Tuple([ast.Constant(scope), operation, value], ast.Load()))


def _identifier(title: str) -> str:
    return title.replace("#", "own_").replace(" ", "_").replace("-", "_")


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
