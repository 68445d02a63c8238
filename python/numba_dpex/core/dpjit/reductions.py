"""Reductions of parallel loops: variables that all iterations change by one operation, in any order."""

from __future__ import annotations

import ast
from collections.abc import Callable

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import NONE, Liveness, assigned, kinds, names
from numba_dpex.core.dpjit.loops import bounds_of, is_short

# The operation that combines the work-items' results: for `s -= x` they are added, for `s /= x` multiplied.
_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "+",
    ast.Mult: "*",
    ast.Div: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_MOST_UNROLLED = 32  # rounds of a loop that LLVM unrolls
_COMMUTES = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_EXTREMA = {"min": "min", "max": "max", "minimum": "min", "maximum": "max", "fmin": "min", "fmax": "max"}


def reduction_of(variable: str, body: list[ast.stmt], look_up: Callable[[ast.expr], object]) -> str | None:
    """The operation by which all statements of a loop's body that mention a variable change it.

    Args:
        variable: the variable's name.
        body: the statements.
        look_up: returns the object that an expression of global or captured names refers to.

    Returns:
        "+", "*", "&", "|", "^", "min", "max", "and" or "or"; None if there are several, or the variable is used
        otherwise.
    """
    found: set[str | None] = set()

    def visit(statements: list[ast.stmt]) -> None:
        for s in statements:
            operation = _operation(variable, s, look_up)
            if operation:
                found.add(operation)
                continue
            blocks = [block for name in ("body", "orelse") if (block := getattr(s, name, None))]
            inside = {id(each) for block in blocks for each in block}
            others = [each for each in ast.iter_child_nodes(s) if id(each) not in inside]
            if variable in names(others) | names(others, ast.Store) or (not blocks and _mentions(variable, s)):
                found.add(None)
            for block in blocks:
                visit(block)

    visit(body)
    return found.pop() if len(found) == 1 else None


def changes_in_place(variable: str, body: list[ast.stmt]) -> bool | None:
    """Whether the statements that change a reduction are `x += …`; None if some are and some are not."""
    found = {
        isinstance(each, ast.AugAssign)
        for s in body
        for each in nodes_of(s)
        if isinstance(each, ast.AugAssign | ast.Assign) and variable in names([each], ast.Store)
    }
    return found.pop() if len(found) == 1 else None


def has_chains(body: list[ast.stmt], reorders: bool, look_up: Callable[[ast.expr], object]) -> bool:
    """Whether iterations contain loops that only compute, and that LLVM's vectoriser leaves as they are.

    Each of their rounds depends on the one before, as of random numbers, or their number does. Vectors of work-items
    execute them faster, if they access no elements of arrays.

    Args:
        body: the statements of an iteration.
        reorders: whether sums of floats may be reordered.
        look_up: as in `reduction_of`.
    """
    inner = [each for s in body for each in nodes_of(s) if isinstance(each, ast.For | ast.While)]
    if not inner or any(ast.Subscript in kinds(each) for each in inner):
        return False
    return not reorders or any(_is_chain(each, look_up) for each in inner)


def _is_chain(loop: ast.For | ast.While, look_up: Callable[[ast.expr], object]) -> bool:
    if isinstance(loop, ast.While) or {ast.Break, ast.Continue} & kinds(loop):
        return True
    if is_short(loop):
        try:
            start, stop, step = (ast.literal_eval(each) for each in bounds_of(loop.iter))  # type: ignore[arg-type]
            if len(range(start, stop, step)) <= _MOST_UNROLLED:
                return False
        except (TypeError, ValueError):
            return False
    carried = Liveness().live(loop.body, NONE, NONE, NONE) & assigned(loop.body)
    return any(reduction_of(each, loop.body, look_up) is None for each in carried - names([loop.target], ast.Store))


def _mentions(variable: str, node: ast.AST) -> bool:
    return any(isinstance(each, ast.Name) and each.id == variable for each in nodes_of(node))


def _is(node: ast.AST, variable: str) -> bool:
    return isinstance(node, ast.Name) and node.id == variable


def _operation(variable: str, s: ast.stmt, look_up: Callable[[ast.expr], object]) -> str | None:
    match s:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if name == variable:
            return None if _mentions(variable, value) else _OPERATORS.get(type(op))
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == variable:
            return _of_value(variable, value, look_up)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            return _of_tuple(variable, targets, values, look_up)
        case ast.If(test=ast.Compare(left=left, ops=[op], comparators=[right]), body=[only], orelse=[]):
            return _of_comparison(variable, left, op, right, only)
    return None


def _of_tuple(
    variable: str, targets: list[ast.expr], values: list[ast.expr], look_up: Callable[[ast.expr], object]
) -> str | None:
    """`least, most = min(least, x), max(most, x)`."""
    places = [k for k, target in enumerate(targets) if _is(target, variable)]
    if len(targets) != len(values) or len(places) != 1 or any(isinstance(each, ast.Starred) for each in values):
        return None
    others = [*targets[: places[0]], *targets[places[0] + 1 :], *values[: places[0]], *values[places[0] + 1 :]]
    return (
        None if any(_mentions(variable, each) for each in others) else _of_value(variable, values[places[0]], look_up)
    )


def _of_value(variable: str, value: ast.expr, look_up: Callable[[ast.expr], object]) -> str | None:
    match value:
        case ast.BinOp(left=left, op=op, right=right):
            operation = _OPERATORS.get(type(op))
            if isinstance(op, _COMMUTES) and _is(right, variable) and not _mentions(variable, left):
                return operation
            if _mentions(variable, right):
                return None
            # `s = s + a + b` is (s + a) + b
            if _is(left, variable) or (isinstance(left, ast.BinOp) and _of_value(variable, left, look_up) == operation):
                return operation
        case ast.BoolOp(op=op, values=[first, *rest]) if _is(first, variable):
            if not any(_mentions(variable, each) for each in rest):
                return "and" if isinstance(op, ast.And) else "or"
        case ast.IfExp(test=ast.Compare(left=left, ops=[op], comparators=[right]), body=body, orelse=orelse):
            return _of_choice(variable, left, op, right, body, orelse)
        case ast.Call(func=function, args=[_, _, *_] as arguments, keywords=[]):
            others = [each for each in arguments if not _is(each, variable)]
            if len(others) != len(arguments) - 1 or any(_mentions(variable, each) for each in others):
                return None
            return _EXTREMA.get(getattr(look_up(function), "__name__", ""))
    return None


def _of_choice(
    variable: str, left: ast.expr, op: ast.cmpop, right: ast.expr, body: ast.expr, orelse: ast.expr
) -> str | None:
    """`x if x < least else least`, and `least if least < x else x`."""
    if not isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return None
    compared, other = (left, right) if _is(right, variable) else (right, left)
    if not _is(other, variable) or _mentions(variable, compared):
        return None
    takes_left = ast.dump(body) == ast.dump(left) and ast.dump(orelse) == ast.dump(right)
    takes_right = ast.dump(body) == ast.dump(right) and ast.dump(orelse) == ast.dump(left)
    if takes_left == takes_right:
        return None
    return "min" if isinstance(op, ast.Lt | ast.LtE) == takes_left else "max"


def _of_comparison(variable: str, left: ast.expr, op: ast.cmpop, right: ast.expr, only: ast.stmt) -> str | None:
    """`if x < least: least = x`."""
    if not isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) or not isinstance(only, ast.Assign):
        return None
    if len(only.targets) != 1 or not _is(only.targets[0], variable):
        return None
    new_first = _is(right, variable)
    compared = left if new_first else right
    if not (new_first or _is(left, variable)) or _mentions(variable, compared):
        return None
    if ast.dump(only.value) != ast.dump(compared):
        return None
    return "min" if isinstance(op, ast.Lt | ast.LtE) == new_first else "max"
