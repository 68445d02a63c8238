"""Imports test modules of the installed NumPy with dpnp's functions in place of NumPy's.

A test module is executed with an import function of its own: `numpy` and its submodules are facades, whose attributes
are dpnp's objects of the same public names. Types of numbers, exceptions and constants are NumPy's. A name that dpnp
does not have is a placeholder, and a test that calls it is skipped.

NumPy's tests pass lists, numbers and NumPy arrays, which dpnp's functions refuse. The facade's functions repeat a
refused call with arrays instead, and so do operators between an array and a list. Results are arrays, which the
functions of dpnp.testing copy to the host.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable

import dpnp
import dpnp.testing
import numpy
import pytest
from dpep._array import array_base

# Public namespaces of NumPy whose functions dpnp may have.
_NAMESPACES = ("", "linalg", "fft", "random", "lib.stride_tricks", "lib.array_utils", "emath", "exceptions")

# dpnp's messages for operands that are not arrays.
_REFUSED = re.compile(
    r"any of supported type|operands must be arrays or numbers|expected at least one array|must be a usm_ndarray"
    r"|expected an array"
)

# Devices compute the numbers of one of NumPy's bit generators only.
_GENERATORS = dict.fromkeys(["random.MT19937", "random.PCG64", "random.PCG64DXSM", "random.SFC64"], "random.Philox")

# Functions of a sequence of arrays, and the positions of such arguments: their elements are converted.
_OF_SEQUENCES = {
    **dict.fromkeys(
        ["block", "column_stack", "concat", "concatenate", "dstack", "histogramdd", "hstack", "lexsort",
         "linalg.multi_dot", "row_stack", "stack", "vstack"], (0,)
    ),
    "choose": (1,), "select": (0, 1),
}  # fmt: skip


def path_in(root: object, path: str) -> object:
    """The object of a dotted path, or None."""
    for part in path.split(".") if path else []:
        root = getattr(root, part, None)
    return root


@functools.cache
def _public_names() -> dict[int, str]:
    """The public name of each of NumPy's functions and types, by identity."""
    found: dict[int, str] = {}
    for namespace in _NAMESPACES:
        module = path_in(numpy, namespace)
        for name in dir(module):
            if name.startswith("_"):
                continue
            value = getattr(module, name)
            if callable(value) or not isinstance(
                value, (types.ModuleType, str, float, bool, int, list, dict, type(None))
            ):
                found.setdefault(id(value), f"{namespace}.{name}".lstrip("."))
    return found


class Missing:
    """A name that dpnp does not have."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Missing:
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}")

    def __call__(self, *_: object, **__: object) -> Missing:
        if Function.loading:
            return self
        pytest.skip(f"missing: {self.__name__}")

    __getitem__ = __call__

    def __repr__(self) -> str:
        return self.__name__


def _as_array(x: object) -> object:
    if isinstance(x, (list, tuple, range, numpy.ndarray, numpy.generic, bool, int, float, complex)):
        return dpnp.asarray(x)
    return x


def _elements_as_arrays(x: object) -> object:
    return [_as_array(y) for y in x] if isinstance(x, (list, tuple, numpy.ndarray)) else x


def _call_with_arrays(function: Callable[..., object], name: str, args: tuple, kwargs: dict) -> object:
    """Call a function; while it refuses an operand, convert one more argument to an array and repeat the call."""
    args, kwargs = list(args), dict(kwargs)
    for x in (*args, *kwargs.values()):
        if isinstance(x, Missing):
            return x()
    args = [dpnp.asarray(x) if isinstance(x, numpy.ndarray) else x for x in args]
    pending: list[object] = [*range(len(args)), *kwargs]
    while True:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError) as e:
            if not _REFUSED.search(str(e)):
                raise
            changed = False
            while pending and not changed:
                key = pending.pop(0)
                where = args if isinstance(key, int) else kwargs
                convert = _elements_as_arrays if key in _OF_SEQUENCES.get(name, ()) else _as_array
                converted = convert(where[key])
                changed = converted is not where[key]
                where[key] = converted
            if not changed:
                raise


class Function:
    """A function of dpnp that also takes lists, numbers and NumPy arrays, as NumPy's do."""

    def __init__(self, function: Callable[..., object], name: str) -> None:
        self.__dict__.update(function=function, name=name)
        self.__name__ = name.rpartition(".")[2]
        self.__doc__ = getattr(function, "__doc__", None)

    loading = False

    def __call__(self, *args: object, **kwargs: object) -> object:
        try:
            result = _call_with_arrays(self.function, self.name, args, kwargs)
            return Function(result, self.name) if isinstance(result, dpnp.vectorize) else result
        except (TypeError, ValueError, OverflowError) as e:
            if Function.loading:
                return Missing(f"{self.name}: {e}")  # a parameter of tests
            raise

    def __getattr__(self, name: str) -> object:
        value = getattr(self.function, name)
        if isinstance(value, Missing):
            return value
        return Function(value, f"{self.name}.{name}") if callable(value) and not name.startswith("_") else value

    def __getitem__(self, key: object) -> object:
        return self.function[key]

    def __repr__(self) -> str:
        return self.name


class Facade(types.ModuleType):
    """A module of NumPy with dpnp's objects."""

    def __init__(self, real: types.ModuleType) -> None:
        super().__init__(real.__name__)
        self.__dict__["_real"] = real

    def __getattr__(self, name: str) -> object:
        value = getattr(self._real, name)
        if not name.startswith("__"):
            value = _replaced(value, self._real.__name__, name)
            self.__dict__[name] = value
        return value


@functools.cache
def facade(name: str) -> types.ModuleType:
    return Facade(importlib.import_module(name))


def _replaced(value: object, module: str, name: str) -> object:
    """What stands for an object of NumPy in its tests."""
    if isinstance(value, types.ModuleType):
        return facade(value.__name__) if value.__name__.split(".")[0] == "numpy" else value
    if module == "numpy":
        path = name if module == "numpy" else f"{module}.{name}".removeprefix("numpy.")
    else:
        path = _public_names().get(id(value), f"{module}.{name}".removeprefix("numpy."))
    if name == "assert_raises_regex":
        return _raises_with_any_message
    if module.startswith("numpy.testing"):
        return getattr(dpnp.testing, name, value)
    if isinstance(value, type) and issubclass(value, (BaseException, numpy.generic, numpy.dtype)):
        return value
    ours = path_in(dpnp, _GENERATORS.get(path, path))
    if ours is None and not callable(value):
        return value
    if ours is None:
        return Missing(path)
    if isinstance(ours, type) or not callable(ours) or value is ours:
        return ours
    return Function(ours, path)


class _Marks:
    """pytest.mark, whose parametrize takes the parameters that a generator yields until dpnp refuses one."""

    def __getattr__(self, name: str) -> object:
        return getattr(pytest.mark, name)

    @staticmethod
    def parametrize(names: object, values: Iterable[object], *args: object, **kwargs: object) -> object:
        taken = []
        try:
            for value in values:
                taken.append(value)
        except Exception:
            taken.append(pytest.param(*([Missing("parameter")] * len(_names(names)))))
            kwargs.pop("ids", None)
        return pytest.mark.parametrize(names, taken, *args, **kwargs)


def _names(names: object) -> list[str]:
    return [x for x in names.replace(" ", "").split(",") if x] if isinstance(names, str) else list(names)


class _Pytest(types.ModuleType):
    """pytest, but an expected error may have any message: dpnp's messages are its own."""

    mark = _Marks()

    def __getattr__(self, name: str) -> object:
        return getattr(pytest, name)

    @staticmethod
    def raises(kind: type, *args: object, match: object = None, **kwargs: object) -> object:
        return pytest.raises(kind, *args, **kwargs)


_PYTEST = _Pytest("pytest")


def _raises_with_any_message(kind: type, _: str, *args: object, **kwargs: object) -> object:
    """assert_raises_regex of numpy.testing without the comparison of messages."""
    return dpnp.testing.assert_raises(kind, *args, **kwargs)


def import_replaced(
    name: str, globals_: dict | None = None, locals_: dict | None = None, fromlist: tuple = (), level: int = 0
) -> object:
    """`__import__` for test modules."""
    if name == "pytest":
        return _PYTEST
    found = builtins.__import__(name, globals_, locals_, fromlist, level)
    if level or name.split(".")[0] != "numpy" or ".tests." in name or name.endswith(".tests"):
        return found
    return facade(name if fromlist else "numpy")


def operate(function: Callable[[object, object], object], x: object, y: object) -> object:
    """An operator on two operands; a list, tuple or NumPy array beside an array is converted."""
    for z in (x, y):
        if isinstance(z, Missing):
            return z()
    host = (list, tuple, numpy.ndarray)
    if isinstance(x, array_base) and isinstance(y, host):
        y = dpnp.asarray(y)
    elif isinstance(y, array_base) and isinstance(x, host):
        x = dpnp.asarray(x)
    return function(x, y)


class _Transformer(ast.NodeTransformer):
    """Replaces binary operators and comparisons by calls of `operate`, and guards assignments outside functions."""

    def _guarded(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of a module or class; an assignment of what dpnp refuses makes its names placeholders."""
        result: list[ast.stmt] = []
        for statement in body:
            guarded = statement
            decorated = isinstance(statement, ast.FunctionDef) and statement.decorator_list
            if decorated or (
                isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.With))
                and any(isinstance(x, ast.Call) for x in ast.walk(statement))
            ):
                target = statement.targets[0] if isinstance(statement, ast.Assign) else None
                names = [x.id for x in ast.walk(target) if isinstance(x, ast.Name)] if target else []
                value = "; ".join(f"{name} = __missing__({name!r})" for name in names) or "pass"
                guarded = ast.parse(f"try: pass\nexcept Exception: {value}").body[0]
                guarded.body = [statement]
                guarded = ast.fix_missing_locations(ast.copy_location(guarded, statement))
            result.append(guarded)
        return result

    def visit_Module(self, node: ast.Module) -> ast.Module:
        self.generic_visit(node)
        node.body = self._guarded(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.body = self._guarded(node.body)
        return node

    def _call(self, node: ast.expr, symbol: ast.AST, x: ast.expr, y: ast.expr, make: Callable) -> ast.expr:
        arguments = ast.arguments([], [ast.arg("x"), ast.arg("y")], None, [], [], None, [])
        body = make(ast.Name("x", ast.Load()), symbol, ast.Name("y", ast.Load()))
        call = ast.Call(ast.Name("__operate__", ast.Load()), [ast.Lambda(arguments, body), x, y], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Mod) and isinstance(node.left, (ast.Constant, ast.JoinedStr)):
            return node  # formats a string
        return self._call(node, node.op, node.left, node.right, ast.BinOp)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) != 1 or isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
            return node
        return self._call(node, node.ops[0], node.left, node.comparators[0], lambda x, op, y: ast.Compare(x, [op], [y]))


def load(name: str, path: str) -> types.ModuleType:
    """The test module of a file, with dpnp in place of NumPy."""
    with open(path, encoding="utf-8") as file:
        tree = _Transformer().visit(ast.parse(file.read(), path))
    module = types.ModuleType(name)
    module.__file__ = path
    module.__package__ = name.rpartition(".")[0]
    module.__builtins__ = {**vars(builtins), "__import__": import_replaced}
    module.__operate__ = operate
    module.__missing__ = Missing
    sys.modules[name] = module  # dataclasses look their module up
    Function.loading = True
    try:
        exec(compile(tree, path, "exec"), module.__dict__)
    finally:
        Function.loading = False
    return module


def source_tree(function: object) -> ast.AST | None:
    """The syntax tree of a test function."""
    try:
        return ast.parse(inspect.cleandoc("\n" + inspect.getsource(inspect.unwrap(function))))
    except (OSError, TypeError, SyntaxError):
        return None
