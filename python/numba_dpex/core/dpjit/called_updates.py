"""Updates of array elements in functions that parallel loops call, as updates by the loop."""

from __future__ import annotations

import ast
import builtins
from types import FunctionType

from dpep import _kernel
from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import assigned
from numba_dpex.core.dpjit.loops import clone, name

VARIES = "#varies"  # stands for values that differ between iterations
_MOST_DEPTH = 16
_WITHOUT_EFFECTS = ("builtins", "math", "cmath", "numpy", "dpnp")  # the modules of such functions
_NUMBERS = ("builtins", "math", "cmath")  # the modules of functions that return numbers


def updates_of_call(call: ast.Call, callee: object) -> list[ast.Subscript] | None:
    """The elements and rows that a call updates, in the names of the caller.

    Args:
        call: the call.
        callee: the object that is called.

    Returns:
        The subscripts of the caller's arrays; None if they are not known. Names of the function's own values are
        replaced by `VARIES`. An array that is passed and updated as a whole is a subscript by `:`.
    """
    try:
        return _updates(call, callee, 0)
    except _UnknownError:
        return None


def stores_nothing(call: ast.Call, callee: _kernel.Function) -> bool:
    """Whether a function and those that it calls are known to change no elements of arrays."""
    return updates_of_call(call, callee) == [] and _has_no_stores(callee, 0)


def _has_no_stores(function: _kernel.Function, depth: int) -> bool:
    try:
        tree = _kernel._source.function_tree(function.py_func)[0]
    except (OSError, SyntaxError):
        return False
    scope = _Substitution(function.py_func, {}, tree.body)
    for each in nodes_of(tree):
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store):
            return False
        match each:
            case ast.AugAssign(target=ast.Name(id=title)) if not _is_a_number(title, tree, scope):
                return False
        if isinstance(each, ast.Call):
            callee = scope.look_up(each.func)
            if isinstance(callee, _kernel.Function):
                if depth >= _MOST_DEPTH or not _has_no_stores(callee, depth + 1):
                    return False
            elif (getattr(callee, "__module__", None) or "").split(".")[0] not in _WITHOUT_EFFECTS:
                return False
    return True


def _is_a_number(title: str, tree: ast.FunctionDef, scope: _Substitution) -> bool:
    """Whether a variable of a function is certainly a number, and not an array, which `x += y` would change."""
    values: list[ast.expr] = []
    others = 0  # uses as a target that leave a number a number
    for each in nodes_of(tree):
        match each:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == title:
                values.append(value)
            case ast.AnnAssign(target=ast.Name(id=target), value=value) if target == title and value:
                values.append(value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=assigned_values)):
                pairs = zip(targets, assigned_values, strict=False)
                values += [value for part, value in pairs if isinstance(part, ast.Name) and part.id == title]
            case ast.AugAssign(target=ast.Name(id=target)) if target == title:
                others += 1
            case ast.For(target=ast.Name(id=target), iter=ast.Call(func=function)) if target == title:
                others += scope.look_up(function) is range
            case ast.arg(arg=parameter) if parameter == title:
                return False
    stores = [each for each in nodes_of(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    is_known = sum(each.id == title for each in stores) == len(values) + others
    return is_known and all(_computes_a_number(each, scope) for each in values)


def _computes_a_number(value: ast.expr, scope: _Substitution) -> bool:
    if isinstance(value, ast.Call):
        return getattr(scope.look_up(value.func), "__module__", "") in _NUMBERS
    return isinstance(value, ast.Constant | ast.BinOp | ast.UnaryOp | ast.Compare)


class _UnknownError(Exception):
    """A function updates arrays that cannot be named in its caller."""


def _updates(call: ast.Call, callee: object, depth: int) -> list[ast.Subscript]:
    if not isinstance(callee, _kernel.Function):
        return []  # builtin functions update arrays by atomic operations only
    if depth > _MOST_DEPTH:
        raise _UnknownError
    given = _bound_arguments(call, callee.py_func)
    try:
        tree = _kernel._source.function_tree(callee.py_func)[0]
    except (OSError, SyntaxError) as error:
        raise _UnknownError from error
    views = _views(tree.body)
    inside = _Substitution(callee.py_func, given, tree.body)
    found: list[ast.Subscript] = []
    for each in nodes_of(tree):
        if isinstance(each, ast.Call):
            positional = [inside.of(a) for a in each.args]
            keywords = [ast.keyword(k.arg, inside.of(k.value)) for k in each.keywords]
            found += _updates(ast.Call(each.func, positional, keywords), inside.look_up(each.func), depth + 1)
        elif isinstance(each, ast.AugAssign):
            title = each.target.id if isinstance(each.target, ast.Name) else ""
            if title and title not in views and title not in given and not _is_a_number(title, tree, inside):
                raise _UnknownError  # it may be a row of an array
            owner = each.target.value if isinstance(each.target, ast.Subscript) else each.target
            # A parameter that is assigned another array may be either of them.
            is_parameter = isinstance(owner, ast.Name) and owner.id in given
            for target in [each.target] if is_parameter else _targets(each.target, views):
                made = _in_caller(target, inside)
                if made is not None:
                    found.append(made)
    return found


def _targets(target: ast.expr, views: dict[str, list[ast.expr]]) -> list[ast.expr]:
    """What an update of `target` changes; of a view, the expressions that it was made by."""
    owner = target.value if isinstance(target, ast.Subscript) else target
    return views.get(owner.id, [target]) if isinstance(owner, ast.Name) else [target]


def _in_caller(target: ast.expr, inside: _Substitution) -> ast.Subscript | None:
    """The caller's subscript for an array or a subscript in the function; None for values of the function's own."""
    if isinstance(target, ast.Subscript):
        owner = inside.of_owner(target.value)
        # An element of a row of the caller's: the row identifies what is updated.
        made = owner if isinstance(owner, ast.Subscript) else ast.Subscript(owner, inside.of(target.slice), ast.Load())
    else:
        made = inside.of_owner(target)
    if isinstance(made, ast.Name):
        made = ast.Subscript(made, ast.Slice(None, None, None), ast.Load())
    if not isinstance(made, ast.Subscript) or (isinstance(made.value, ast.Name) and made.value.id == VARIES):
        return None
    return made


def _bound_arguments(call: ast.Call, function: FunctionType) -> dict[str, ast.expr]:
    """The arguments by the names of the parameters."""
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if any(isinstance(each, ast.Starred) for each in call.args):
        raise _UnknownError
    given = dict(zip(parameters, call.args, strict=False))
    for each in call.keywords:
        if each.arg is None:
            raise _UnknownError
        given[each.arg] = each.value
    return given


def _views(body: list[ast.stmt]) -> dict[str, list[ast.expr]]:
    """The variables of a function that may be arrays of its caller, and the expressions that they are assigned."""
    views: dict[str, list[ast.expr]] = {}
    for each in (part for s in body for part in nodes_of(s)):
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Subscript | ast.Name):
            for target in each.targets:
                if isinstance(target, ast.Name):
                    views.setdefault(target.id, []).append(each.value)
    return views


class _Substitution(ast.NodeTransformer):
    """Replaces the names of a function by the caller's expressions."""

    def __init__(self, function: FunctionType, given: dict[str, ast.expr], body: list[ast.stmt]) -> None:
        self._function, self._given, self._changed = function, given, assigned(body)
        self._rebound = {
            part.id
            for s in body
            for each in nodes_of(s)
            if not isinstance(each, ast.AugAssign)
            for part in ast.iter_child_nodes(each)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }

    def of(self, node: ast.expr) -> ast.expr:
        """The expression in the names of the caller."""
        return self.visit(clone(node))

    def of_owner(self, node: ast.expr) -> ast.expr:
        """The array in the names of the caller. `row += x` changes an array, and not which array the name refers to."""
        if isinstance(node, ast.Name) and node.id in self._given:
            if node.id in self._rebound:
                raise _UnknownError
            return clone(self._given[node.id])
        return self.of(node)

    def visit_Name(self, node: ast.Name):
        if node.id in self._given and node.id not in self._changed:
            return clone(self._given[node.id])
        value = None if node.id in self._changed else self._outside(node.id)
        return ast.Constant(value) if isinstance(value, int) else name(VARIES)

    def look_up(self, node: ast.expr) -> object:
        """The object that an expression of global or captured names refers to; None if there is none."""
        match node:
            case ast.Name(id=title) if title not in self._changed and title not in self._given:
                return self._outside(title)
            case ast.Attribute(value=value, attr=title):
                return getattr(self.look_up(value), title, None)
        return None

    def _outside(self, title: str) -> object:
        free = self._function.__code__.co_freevars
        if title in free:
            try:
                return (self._function.__closure__ or ())[free.index(title)].cell_contents
            except ValueError:
                return None
        return self._function.__globals__.get(title, getattr(builtins, title, None))
