"""Names that a dpjit function gives to functions, types and modules: `sqrt = math.sqrt`, imports, and inner functions.

Such a name is a constant of the function's loops if one statement outside of branches and loops assigns it, and nothing
else does. Python executes these statements as they are. A name for the dtype of an array, `t = x.dtype`, is replaced in
loops by this expression.

An inner function may read variables of the function around it. These become parameters, and its calls pass them:

    def add(v):                      def add(v, *, offset):
        return v + offset                return v + offset
    ... add(x[i]) ...                ... add(x[i], offset=offset) ...
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections import Counter
from collections.abc import Mapping
from types import CellType, CodeType, FunctionType, ModuleType

import numpy
from dpep import _kernel
from dpep._kernel import copy_of_tree as clone
from dpep._kernel import nodes_of, summary_of

from numba_dpex.core.dpjit.liveness import Liveness, Names

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
# What functions whose variables become parameters have none of.
_REFUSED = (*_SCOPES, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_MISSING = object()


class LocalConstants:
    """The constants that a function assigns. Its tree is changed where inner functions read its variables.

    Args:
        tree: the function's tree, in which `liveness` has cached nothing yet.
        function: the function.
        parameters: its parameters.
        options: the options of its loops.
        source: the file, the number of its first line, and the lines.
    """

    def __init__(
        self,
        tree: ast.FunctionDef,
        function: FunctionType,
        parameters: Names,
        options: dict,
        source: tuple[str, int, list[str]],
    ) -> None:
        self._tree, self._function, self._options, self._source = tree, function, options, source
        self._parameters = parameters
        self.values: dict[str, object] = {}
        if any(self._may_be_constant(s) for s in tree.body):
            self._stores = _stores(tree)
            for number, s in enumerate(tree.body):
                self._read(number, s)

    @property
    def scope(self) -> FunctionType:
        """A function in which global and captured names, and the constants, have their values."""
        return _with_closure(self._function, self.values) if self.values else self._function

    def look_up(self, node: ast.expr) -> object:
        """The object that an expression of constants, global and captured names refers to; `_MISSING` if none."""
        match node:
            case ast.Name(id=title):
                if title in self.values:
                    return self.values[title]
                if title in self._parameters or self._stores[title]:
                    return _MISSING
                return name_outside(self._function, title, _MISSING)
            case ast.Attribute(value=value, attr=title):
                owner = self.look_up(value)
                return _MISSING if owner is _MISSING else getattr(owner, title, _MISSING)
        return _MISSING

    def _may_be_constant(self, s: ast.stmt) -> bool:
        match s:
            case ast.FunctionDef() | ast.Import() | ast.ImportFrom():
                return True
            case ast.Assign(targets=[ast.Name()], value=value):
                while isinstance(value, ast.Attribute):
                    if value.attr == "dtype":
                        return True
                    value = value.value
                is_outside = isinstance(value, ast.Name) and value.id not in self._parameters
                return is_outside or isinstance(value, ast.Lambda)
        return False

    def _read(self, number: int, s: ast.stmt) -> None:
        """Add the constants that one statement of the function assigns."""
        match s:
            case ast.Import() | ast.ImportFrom():
                for each in s.names:
                    title = each.asname or each.name.split(".")[0]
                    self._add(title, self._imported(s, each))
            case ast.Assign(targets=[ast.Name(id=title)], value=ast.Attribute() as value) if self._is_dtype(value):
                if self._stores[title] == 1:
                    changed = _Replaced(title, value)
                    self._tree.body[number + 1 :] = [changed.visit(each) for each in self._tree.body[number + 1 :]]
            case ast.Assign(targets=[ast.Name(id=title)], value=ast.Name() | ast.Attribute() as value):
                self._add(title, self.look_up(value))
            case ast.Assign(targets=[ast.Name(id=title)], value=ast.Lambda() as value):
                body: list[ast.stmt] = [ast.copy_location(ast.Return(value.body), value.body)]
                self._add_function(title, number, value, body)
            case ast.FunctionDef(name=title) if all(map(self._is_dpjit, s.decorator_list)):
                self._add_function(title, number, s, s.body)

    def _is_dtype(self, value: ast.Attribute) -> bool:
        """Whether an expression is the dtype of a variable that is assigned once, or the type of its elements."""
        match value:
            case ast.Attribute(value=ast.Name(id=array), attr="dtype"):
                return self._stores[array] == 1
            case ast.Attribute(value=ast.Attribute() as dtype, attr="type"):
                return self._is_dtype(dtype)
        return False

    def _add(self, title: str, value: object) -> None:
        is_constant = callable(value) or isinstance(value, ModuleType | numpy.dtype | _kernel.Function)
        if is_constant and self._stores[title] == 1 and title not in self._parameters:
            self.values[title] = value

    def _imported(self, s: ast.Import | ast.ImportFrom, what: ast.alias) -> object:
        """What a statement imports; `_MISSING` if that fails, so that Python reports it."""
        outside = self._function.__globals__
        try:
            if isinstance(s, ast.ImportFrom):
                module = __import__(s.module or "", outside, None, [what.name], s.level)
                return getattr(module, what.name, _MISSING)
            module = __import__(what.name, outside)
            return sys.modules.get(what.name, _MISSING) if what.asname else module
        except Exception:
            return _MISSING

    def _is_dpjit(self, decorator: ast.expr) -> bool:
        """Whether a decorator without options makes a function that loops can call."""
        from numba_dpex.core.decorators import device_func
        from numba_dpex.core.dpjit.function import dpjit

        return self.look_up(decorator) in (dpjit, device_func)

    def _add_function(self, title: str, number: int, node: ast.FunctionDef | ast.Lambda, body: list[ast.stmt]) -> None:
        """Add an inner function, unless it has what kernels cannot have."""
        inside = [each for s in body for each in nodes_of(s)]
        if self._stores[title] != 1 or any(isinstance(each, _REFUSED) for each in inside):
            return
        defaults = [self._default(each) for each in node.args.defaults]
        by_name = [each and self._default(each) for each in node.args.kw_defaults]
        if any(each is _MISSING for each in [*defaults, *by_name]):
            return
        captured = self._captured(node, body)
        if captured and not self._pass_variables(title, number, node, captured):
            return
        by_name += [None] * len(captured)
        made = ast.FunctionDef(title, clone(node.args), clone(body), [], None)
        ast.copy_location(made, node)
        by_keyword = zip(made.args.kwonlyargs, made.args.kw_defaults, by_name, strict=True)
        keywords = {each.arg: value for each, default, value in by_keyword if default is not None}
        function = self._compiled(made, tuple(defaults), keywords)
        file, first, lines = self._source
        function.__dpep_tree__ = made, 0, file, first, lines  # type: ignore[attr-defined]
        self.values[title] = _kernel.Function(function, "device", options=self._options)
        if title in function.__code__.co_freevars:  # a function that calls itself, which the compiler reports
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
            cells[title].cell_contents = self.values[title]

    def _default(self, node: ast.expr) -> object:
        try:
            return ast.literal_eval(node)
        except (TypeError, ValueError):
            return self.look_up(node)

    def _captured(self, node: ast.FunctionDef | ast.Lambda, body: list[ast.stmt]) -> list[str]:
        """The variables of the function that an inner function reads."""
        found: set[str] = set()
        own = {each.arg for each in nodes_of(node.args) if isinstance(each, ast.arg)}
        for s in body:
            loads, _, assigned, _ = summary_of(s)
            found |= loads
            own |= assigned
        variables = self._parameters | {title for title, count in self._stores.items() if count}
        return sorted((found - own) & variables - self.values.keys() - {getattr(node, "name", "")})

    def _pass_variables(self, title: str, number: int, node: ast.FunctionDef | ast.Lambda, captured: list[str]) -> bool:
        """Make variables parameters of an inner function, and arguments of all its calls. Returns whether it can be."""
        body = self._tree.body
        rest = body[number + 1 :]
        functions = {each.name for each in nodes_of(self._tree) if isinstance(each, _FUNCTIONS)}
        functions |= {s.targets[0].id for s in rest if _is_lambda(s)}  # type: ignore[attr-defined]
        uses = [each for each in nodes_of(self._tree) if isinstance(each, ast.Name) and each.id == title]
        found = [each for each in nodes_of(self._tree) if isinstance(each, ast.Call) and _calls(each, title)]
        loads = [each for each in uses if isinstance(each.ctx, ast.Load)]
        if functions & set(captured) or len(loads) != len(found):
            return False
        if any(keyword.arg is None for each in found for keyword in each.keywords):
            return False
        # Where a function or comprehension that calls it has a variable of that name, this would be another one.
        for scope in (each for s in body for each in nodes_of(s) if isinstance(each, _SCOPES) and each is not node):
            inside = list(nodes_of(scope))
            if any(isinstance(each, ast.Call) and _calls(each, title) for each in inside):
                stores = _stores(scope)
                if any(stores[each] for each in captured):
                    return False
        first = next((k for k, s in enumerate(rest) if title in summary_of(s)[0]), len(rest))
        certain = Liveness().assign(clone(body[: number + 1 + first]), self._parameters)
        if not certain.issuperset(captured):
            return False
        node.args.kwonlyargs += [ast.copy_location(ast.arg(each), node) for each in captured]
        node.args.kw_defaults += [None] * len(captured)
        for call in found:
            for each in captured:
                value = ast.copy_location(ast.Name(each, ast.Load()), call)
                call.keywords.append(ast.copy_location(ast.keyword(each, value), call))
        return True

    def _compiled(self, tree: ast.FunctionDef, defaults: tuple, by_name: dict[str, object]) -> FunctionType:
        """The inner function as one of Python, with the constants in its closure."""
        plain = clone(tree)
        plain.args.defaults = [ast.Constant(None) for _ in plain.args.defaults]
        plain.args.kw_defaults = [each and ast.Constant(None) for each in plain.args.kw_defaults]
        made = _with_closure(self._function, self.values | {tree.name: None}, plain)
        made.__defaults__, made.__kwdefaults__ = defaults or None, by_name or None
        return made


class _Replaced(ast.NodeTransformer):
    """Replaces a variable by an expression, in loops."""

    def __init__(self, title: str, value: ast.expr) -> None:
        self._title, self._value = title, value
        self._depth = 0  # the number of loops around a node

    def visit_For(self, node: ast.For):
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node

    def visit_While(self, node: ast.While):
        return self.visit_For(node)  # type: ignore[arg-type]

    def visit_Name(self, node: ast.Name):
        if not self._depth or node.id != self._title or not isinstance(node.ctx, ast.Load):
            return node
        made = clone(self._value)
        for each in nodes_of(made):
            if isinstance(each, ast.expr):
                ast.copy_location(each, node)
        return made


def name_outside(function: FunctionType, title: str, missing: object) -> object:
    """The value of a captured, global or builtin name of a function."""
    free = function.__code__.co_freevars
    if title in free:
        try:
            return (function.__closure__ or ())[free.index(title)].cell_contents
        except ValueError:
            return missing
    outside = function.__globals__
    return outside[title] if title in outside else getattr(builtins, title, missing)


def _is_lambda(s: ast.stmt) -> bool:
    return isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and isinstance(s.value, ast.Lambda)


def _calls(call: ast.Call, title: str) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == title


def _stores(tree: ast.AST) -> Counter[str]:
    """How often the nodes in a tree give each name a value, in whatever scope."""
    found: Counter[str] = Counter()
    for each in nodes_of(tree):
        match each:
            case ast.Name(id=title, ctx=ast.Store() | ast.Del()):
                found[title] += 1
            case ast.FunctionDef(name=title) | ast.AsyncFunctionDef(name=title) | ast.ClassDef(name=title):
                found[title] += each is not tree
            case ast.alias():
                found[each.asname or each.name.split(".")[0]] += 1
            case ast.ExceptHandler(name=title) | ast.MatchAs(name=title) | ast.MatchStar(name=title) if title:
                found[title] += 1
            case ast.MatchMapping(rest=title) if title:
                found[title] += 1
            case ast.Global(names=titles) | ast.Nonlocal(names=titles):
                found.update(dict.fromkeys(titles, 2))
            case ast.arg(arg=title):
                found[title] += 1
    return found


def _with_closure(
    function: FunctionType, constants: Mapping[str, object], tree: ast.FunctionDef | None = None
) -> FunctionType:
    """A function with the globals and captured names of another one, and constants as captured names.

    Args:
        function: the other function.
        constants: the names and values of the constants.
        tree: its definition; None: it returns all these names.
    """
    code = function.__code__
    cells = {title: CellType(value) for title, value in constants.items()}
    cells |= dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    if tree is None:
        result = ast.Tuple([ast.Name(each, ast.Load()) for each in cells], ast.Load())
        nothing = ast.arguments([], [], None, [], [], None, [])
        tree = ast.FunctionDef(code.co_name, nothing, [ast.Return(result)], [], None)
    tree.decorator_list, tree.returns = [], None
    arguments = ast.arguments([], [ast.arg(each) for each in cells], None, [], [], None, [])
    outer = ast.FunctionDef("#outer", arguments, [tree], [], None)
    module = ast.fix_missing_locations(ast.Module([outer], []))
    compiled = compile(module, code.co_filename, "exec", dont_inherit=True)
    (of_outer,) = (each for each in compiled.co_consts if isinstance(each, CodeType))
    inner = next(each for each in of_outer.co_consts if isinstance(each, CodeType) and each.co_name == tree.name)
    closure = tuple(cells[each] for each in inner.co_freevars)
    return FunctionType(inner, function.__globals__, tree.name, None, closure)
