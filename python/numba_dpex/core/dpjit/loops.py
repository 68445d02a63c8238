"""Loops of a function as kernels: the syntax trees that the kernel compiler gets.

Names that begin with '#' cannot be the program's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dpep._kernel import copy_of_tree as clone
from dpep._kernel import nodes_of
from dpep._kernel import with_positions as locate

from numba_dpex.core.dpjit.liveness import NONE, Liveness, Names, assigned, kinds, names

RETURNED, RESULT = "#returned", "#result value"
WITH_VALUE, WITHOUT_VALUE = 1, 2  # values of RETURNED, which is 0 where the loop does not return from the function
LANE, LANES = "#lane", "#lanes"  # the number of a work-item among those that share a loop, and how many they are
ROW, ROWS = "#row", "#rows"  # the number of its row of work-items, and how many rows share an outer loop
# The same of the work-group, whose work-items share a reduction, and of the sub-group, which is a row of work-items.
GROUP_LANE, GROUP_LANES = "#lane of group", "#lanes of group"
SUB_GROUP_LANE, SUB_GROUP_LANES = "#lane of sub-group", "#lanes of sub-group"
SUB_GROUP, SUB_GROUPS = "#sub-group", "#sub-groups"
GROUP, GROUPS = "#number of group", "#number of groups"  # the number of the work-group, and how many share a loop
COUNTER = "#counter"  # an array of one element, for barriers of the launch


@dataclass
class Nest:
    """A parallel loop, or a nest of up to three without statements between them."""

    targets: list[ast.expr]
    ranges: list[tuple[ast.expr, ast.expr, ast.expr]]  # start, stop, step
    body: list[ast.stmt]
    _read_first: dict[bool, Names] = field(default_factory=dict, init=False, repr=False, compare=False)

    def read_first(self, *, iterates: bool = False) -> Names:
        """The variables assigned by the iterations that an iteration may read before it assigns them.

        Args:
            iterates: whether the loops in it are taken to have at least one iteration.
        """
        if iterates not in self._read_first:
            at_start = Liveness(iterates=iterates, notes=False).live(self.body, NONE, NONE, NONE)
            self._read_first[iterates] = (at_start & assigned(self.body)) - names(self.targets, ast.Store)
        return self._read_first[iterates]


def name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def assign(target: str | ast.expr, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(target, ast.Store()) if isinstance(target, str) else target], value)


def assign_none(variables: Iterable[str]) -> list[ast.stmt]:
    """A statement that assigns None to the variables; an empty list if there are none."""
    targets: list[ast.expr] = [ast.Name(each, ast.Store()) for each in variables]
    return [ast.Assign(targets, ast.Constant(None))] if targets else []


def range_loop(counter: str, start: ast.expr, stop: ast.expr, step: ast.expr, body: list[ast.stmt]) -> ast.For:
    """A loop over a range whose step is positive."""
    return ast.For(ast.Name(counter, ast.Store()), ast.Call(name("#range"), [start, stop, step], []), body, [])


def truth(condition: ast.expr) -> ast.expr:
    """A condition as a bool."""
    return ast.IfExp(condition, ast.Constant(True), ast.Constant(False))


def integer(bound: ast.expr) -> ast.expr:
    """A bound of a range as an integer of Python, which has 64 bits in kernels whatever the bound's type."""
    return bound if isinstance(bound, ast.Constant) else ast.Call(name("#integer"), [bound], [])


def bounds_of(call: ast.Call) -> tuple[ast.expr, ast.expr, ast.expr]:
    """Start, stop and step of a call of range or prange."""
    given = call.args
    zero, one = ast.Constant(0), ast.Constant(1)
    if len(given) == 1:
        return zero, given[0], one
    return given[0], given[1], given[2] if len(given) == 3 else one


def is_constant(node: ast.expr, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value and not isinstance(node.value, bool)


def may_return(loop: ast.stmt) -> bool:
    """Whether a loop may return from the function."""
    return ast.Return in kinds(loop)


def returns_value(node: ast.AST) -> bool:
    """Whether a node is a return of something else than None."""
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    return not (isinstance(node.value, ast.Constant) and node.value.value is None)


# The trees below share nodes with the function's tree, which is never changed.


def sequential(loop: ast.stmt) -> list[ast.stmt]:
    """The body of the kernel that executes a loop once."""
    if not may_return(loop):
        return [loop]
    return [assign(RETURNED, ast.Constant(0)), _Returns().visit(clone(loop))]


def by_items(nest: Nest) -> list[ast.stmt]:
    """The body of the kernel in which each work-item executes one iteration."""
    body = [_counter(nest, d, item_of("get_id", ast.Constant(d))) for d in range(len(nest.targets))]
    return body + _iteration(nest.body)


def by_grid(
    nest: Nest | None, shared: list[ast.stmt], has_rows: bool = False, is_single: bool = False
) -> list[ast.stmt]:
    """The body of the kernel in which a row of work-items executes one iteration, or the whole loop.

    Args:
        nest: a parallel loop, or None.
        shared: the statements of the work-items, from `shared_loop`.
        has_rows: whether several rows of work-items share a loop that is not parallel.
        is_single: whether the statements have no branches on the work-item's number.
    """
    axis = ast.Constant(1 if nest or has_rows else 0)
    lane = [assign(LANE, item_of("get_id", axis)), assign(LANES, item_of("get_range", axis))]
    if has_rows:
        zero = ast.Constant(0)
        lane += [assign(ROW, item_of("get_id", zero)), assign(ROWS, item_of("get_range", zero))]
    counter = [_counter(nest, 0, item_of("get_id", ast.Constant(0)))] if nest else []
    if is_single and (condition := _condition_of_rows(nest, shared)):
        return [*lane, *counter, assume(condition), *_iteration(shared)]
    return [*lane, *counter, *_within_bounds(nest, _iteration(shared))]


def by_groups(nest: Nest | None, shared: list[ast.stmt]) -> list[ast.stmt]:
    """The body of the kernel in which a work-group executes one iteration, or the whole loop; as `by_grid`."""
    zero = ast.Constant(0)
    group = ast.Call(ast.Attribute(name("#item"), "get_group", ast.Load()), [], [])
    number = ast.Call(ast.Attribute(group, "get_group_id", ast.Load()), [zero], [])
    ids = [item_of("get_local_id", zero), item_of("get_local_range", zero)]
    counter = [_counter(nest, 0, number)] if nest else []
    alone: list[ast.expr] = [zero, ast.Constant(1)]
    return [*_numbers(shared, ids, ids, alone), *counter, *_within_bounds(nest, _iteration(shared))]


def by_launch(shared: list[ast.stmt]) -> list[ast.stmt]:
    """The body of the kernel in which all work-groups execute a loop that is not parallel, given as `by_groups`."""
    zero = ast.Constant(0)
    ids = [item_of("get_global_id", zero), item_of("get_global_range", zero)]
    of_group = [item_of("get_local_id", zero), item_of("get_local_range", zero)]
    group = ast.Call(ast.Attribute(name("#item"), "get_group", ast.Load()), [], [])
    methods = "get_group_id", "get_group_range"
    groups: list[ast.expr] = [ast.Call(ast.Attribute(group, each, ast.Load()), [zero], []) for each in methods]
    body = [_Barriers().visit(clone(each)) for each in shared]
    return [*_numbers(shared, ids, of_group, groups), *body]


def _numbers(
    shared: list[ast.stmt], ids: list[ast.expr], of_group: list[ast.expr], groups: list[ast.expr]
) -> list[ast.stmt]:
    """The assignments of the numbers of a work-item that statements use, and of all work-items.

    Args:
        shared: the statements.
        ids: the number among those that share loops, and how many they are.
        of_group: the same in the work-group.
        groups: the number of the work-group, and how many share loops.
    """
    made = [assign(LANE, ids[0]), assign(LANES, ids[1])]
    used = names(shared)
    if used & {GROUP_LANE, GROUP_LANES}:
        made += [assign(GROUP_LANE, of_group[0]), assign(GROUP_LANES, of_group[1])]
    if used & {GROUP, GROUPS}:
        made += [assign(GROUP, groups[0]), assign(GROUPS, groups[1])]
    if used & {SUB_GROUP_LANE, SUB_GROUP_LANES}:
        sub_group = ast.Call(ast.Attribute(name("#item"), "get_sub_group", ast.Load()), [], [])
        methods = (SUB_GROUP_LANE, "get_local_id"), (SUB_GROUP_LANES, "get_local_range")
        made += [assign(to, ast.Call(ast.Attribute(sub_group, each, ast.Load()), [], [])) for to, each in methods]
        lanes = name(SUB_GROUP_LANES)
        made.append(assign(SUB_GROUP, ast.BinOp(name(LANE), ast.FloorDiv(), lanes)))
        made.append(assign(SUB_GROUPS, ast.BinOp(name(LANES), ast.FloorDiv(), lanes)))
    return made


def counter_of(nest: Nest, d: int, index: ast.expr) -> ast.expr:
    """The value of a parallel loop's counter, given the number of the iteration."""
    start, _, step = nest.ranges[d]
    if not is_constant(step, 1):
        index = ast.BinOp(index, ast.Mult(), name(f"#step {d}"))
    if not is_constant(start, 0):
        # LLVM derives from a constant that indices such as i - 1 are not negative.
        index = ast.BinOp(start if isinstance(start, ast.Constant) else name(f"#start {d}"), ast.Add(), index)
    return index


def _counter(nest: Nest, d: int, index: ast.expr) -> ast.stmt:
    return assign(nest.targets[d], counter_of(nest, d, index))


def _within_bounds(nest: Nest | None, body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements under a condition that always holds, from which LLVM learns that the counter is below a size.

    Then `(i + 1) % n` needs no division.
    """
    condition = _condition_of_rows(nest, body)
    return [ast.If(condition, body, [])] if condition else body


def _condition_of_rows(nest: Nest | None, body: list[ast.stmt]) -> ast.expr | None:
    """A condition that always holds: that the counter of a parallel loop is below its size, if that is useful."""
    if nest is None or not any(isinstance(each, ast.Mod) for s in body for each in nodes_of(s)):
        return None
    start, stop, step = nest.ranges[0]
    is_plain = is_constant(start, 0) and is_constant(step, 1) and isinstance(nest.targets[0], ast.Name)
    if not is_plain or not isinstance(stop, ast.Name) or stop.id not in names(body) - assigned(body):
        return None
    return ast.Compare(name(nest.targets[0].id), [ast.Lt()], [name(stop.id)])


def assume(condition: ast.expr) -> ast.stmt:
    """A statement by which LLVM knows that a condition holds."""
    return ast.Expr(ast.Call(name("#assume"), [condition], []))


def _iteration(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of one iteration, as those of a function."""
    return [_Continues().visit(clone(each)) if _continues(each) else each for each in body]


def by_chunks(nest: Nest, reduces: bool) -> list[ast.stmt]:
    """The body of the kernel in which each work-item executes consecutive iterations.

    Args:
        nest: a parallel loop.
        reduces: whether iterations change variables of the work-item.
    """
    # LLVM learns that the counter is not negative.
    first = ast.Call(
        name("#max"), [ast.BinOp(item_of("get_id", ast.Constant(0)), ast.Mult(), name("#chunk")), ast.Constant(0)], []
    )
    end = ast.BinOp(name("#first"), ast.Add(), name("#chunk"))
    last = ast.IfExp(ast.Compare(end, [ast.Lt()], [name("#count")]), end, name("#count"))
    loop = _loop(nest, [name("#first"), name("#last")])
    if not reduces and isinstance(loop.target, ast.Name):
        counter = ast.Expr(ast.Call(name("#independent"), [name(loop.target.id)], []))
        loop = ast.For(loop.target, loop.iter, [counter, *loop.body], [])
    return [assign("#first", first), assign("#last", last), loop]


def by_strides(nest: Nest) -> list[ast.stmt]:
    """The body of the kernel in which each of n work-items executes every n-th iteration."""
    first, items = item_of("get_global_id", ast.Constant(0)), item_of("get_global_range", ast.Constant(0))
    # LLVM unrolls loops whose steps are known to be positive, so that several loads wait for memory at once.
    distance = ast.Call(name("#max"), [items, ast.Constant(1)], [])
    return [_loop(nest, [first, name("#count"), distance])]


def _loop(nest: Nest, over: list[ast.expr]) -> ast.For:
    ((start, _, step),) = nest.ranges
    body, target = nest.body, nest.targets[0]
    if is_constant(start, 0) and is_constant(step, 1):
        return ast.For(target, ast.Call(name("#range"), over, []), body, [])
    index = counter_of(nest, 0, name("#number"))
    number = ast.Name("#number", ast.Store())
    return ast.For(number, ast.Call(name("#range"), over, []), [assign(target, index), *body], [])


def item_of(method: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(name("#item"), method, ast.Load()), [argument], [])


def parameters_of(form: str, nest: Nest | None) -> list[str]:
    """The parameters that a kernel has before the loop's variables."""
    if nest is None:
        of_loops = {"grid": [], "groups": [], "sums": [LANES], "concurrent": [COUNTER]}
        return ["#item", *of_loops[form]] if form in of_loops else []
    bounds = [f"#{what} {d}" for d in range(len(nest.ranges)) for what in ("start", "step")]
    of_sums = ["#count", *(f"#size {d}" for d in range(1, len(nest.ranges))), LANES]
    others = {"chunks": ["#count", "#chunk"], "strides": ["#count"], "batches": ["#count"], "sums": of_sums}
    return ["#item", *bounds, *others.get(form, [])]


def kernel(title: str, parameters: Sequence[str], body: list[ast.stmt], loop: ast.stmt) -> ast.FunctionDef:
    """A function definition with the loop's position in the source."""
    arguments = ast.arguments([], [ast.arg(each) for each in parameters], None, [], [], None, [])
    function = ast.FunctionDef(title, arguments, body or [ast.Pass()], [], None)
    return locate(function, loop)


def runs_along_rows(nest: Nest, is_range, reorders: bool) -> bool:
    """Whether the innermost loops of the body can be vectorised, and read along last axes more often than the nest.

    Args:
        nest: a parallel loop.
        is_range: whether an expression is a call of range.
        reorders: whether sums of floats may be reordered.
    """
    inner = outer = 0
    target = names([nest.targets[0]], ast.Store)

    def visit(node: ast.AST, counter: frozenset[str], in_loop: bool) -> None:
        nonlocal inner, outer
        if isinstance(node, ast.For | ast.While):
            simple = isinstance(node, ast.For) and is_range(node.iter) and _can_be_vectorised(node, reorders)
            counter = names([node.target], ast.Store) if simple else frozenset()
            in_loop = True
        if isinstance(node, ast.Subscript) and in_loop:
            last = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
            used = names([last])
            inner += bool(used & counter)
            outer += bool(used & target)
        for each in ast.iter_child_nodes(node):
            visit(each, counter, in_loop)

    for each in nest.body:
        visit(each, frozenset(), False)
    return inner > outer


def _can_be_vectorised(loop: ast.For, reorders: bool) -> bool:
    """Whether LLVM may vectorise a loop: an innermost one that is not left early, and has no sum in a fixed order."""
    started: set[str] = set()  # variables that the iteration assigns before it adds to them
    for s in loop.body:
        for each in nodes_of(s):
            if isinstance(each, ast.While | ast.Break | ast.Return):
                return False
            if isinstance(each, ast.For) and not is_short(each):
                return False
            if reorders or not isinstance(each, ast.AugAssign) or not isinstance(each.target, ast.Name):
                continue
            if each.target.id not in started:
                return False
        if isinstance(s, ast.Assign):
            started |= names(s.targets, ast.Store)
    return True


def is_short(loop: ast.For) -> bool:
    """Whether a loop has constant bounds, so that it is unrolled."""
    if not isinstance(loop.iter, ast.Call):
        return False
    bounds = [each.operand if isinstance(each, ast.UnaryOp) else each for each in loop.iter.args]
    return all(isinstance(each, ast.Constant) for each in bounds)


def _continues(statement: ast.stmt) -> bool:
    return ast.Continue in kinds(statement)


class _Returns(ast.NodeTransformer):
    """Replaces `return x` by assignments to the loop's outputs."""

    found = False

    def visit_Return(self, node: ast.Return):
        self.found = True
        statements: list[ast.stmt] = [assign(RETURNED, ast.Constant(WITHOUT_VALUE)), ast.Return(None)]
        if returns_value(node):
            statements[:1] = [assign(RESULT, node.value), assign(RETURNED, ast.Constant(WITH_VALUE))]
        return [locate(each, node) for each in statements]


class _Barriers(ast.NodeTransformer):
    """Replaces barriers of the work-group by barriers of the launch."""

    def visit_Call(self, node: ast.Call):
        match node.func:
            case ast.Name(id="#barrier"):
                return ast.Call(name("#barrier_of_launch"), [name(COUNTER)], [])
        return self.generic_visit(node)


class _Continues(ast.NodeTransformer):
    """Replaces `continue` of the parallel loop by a return, which ends the work-item."""

    def visit_Continue(self, node: ast.Continue):
        return ast.copy_location(ast.Return(None), node)

    def visit_For(self, node: ast.For):
        return node

    def visit_While(self, node: ast.While):
        return node
