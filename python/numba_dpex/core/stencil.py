"""`stencil`: functions of an element's neighbours, applied to all elements of arrays."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from functools import update_wrapper

import numpy
from dpep import _kernel

from numba_dpex.core.decorators import fast_math_flags
from numba_dpex.core.dpjit import loops
from numba_dpex.core.dpjit.liveness import names
from numba_dpex.core.exceptions import UnsupportedError, with_numba_base


class Stencil:
    """A function that is applied to each element of an array and its neighbours."""

    __name__: str

    def __init__(self, function: Callable, options: dict) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._cval = options.get("cval", 0)
        self._neighbourhood = options.get("neighborhood")
        self._standard = frozenset(options.get("standard_indexing", ()))
        self._options = {"debug": False, "fastmath": fast_math_flags("stencil", options.get("fastmath", False))}
        self._parameters = list(inspect.signature(function).parameters)
        unknown = self._standard - set(self._parameters)
        if unknown:
            raise ValueError(f"stencil: standard_indexing names {', '.join(sorted(unknown))}, which are not parameters")
        self._made: dict[tuple, tuple] = {}

    def __call__(self, *arguments, out=None):
        """Apply the function. `out`: an array of the shape of the first argument, which is returned."""
        if len(arguments) != len(self._parameters):
            raise TypeError(f"{self.__name__}() takes {len(self._parameters)} arguments, got {len(arguments)}")
        relative = [
            title for title, each in zip(self._parameters, arguments, strict=True)
            if _is_array(each) and title not in self._standard
        ]  # fmt: skip
        if not relative:
            raise TypeError(f"stencil '{self.__name__}': no argument is an array with relative indices")
        array = arguments[self._parameters.index(relative[0])]
        for title, each in zip(self._parameters, arguments, strict=True):
            if title in relative and each.shape != array.shape:
                raise ValueError(
                    f"stencil '{self.__name__}': the arrays have the shapes {array.shape} and {each.shape}; they must "
                    "be equal"
                )
        run, extents = self._loop(tuple(relative), array.ndim)
        if out is None:
            out = self._new(array, arguments, relative)
        elif not _is_array(out) or out.shape != array.shape:
            raise ValueError(f"stencil '{self.__name__}': out must be an array of shape {array.shape}")
        bounds = []
        for (least, most), length in zip(extents, array.shape, strict=True):
            first = max(0, -least)
            bounds += [first, max(first, length - max(0, most)), 1]
        run(*bounds, out, *arguments)
        return out

    def _new(self, array, arguments: Sequence, relative: list[str]):
        """An array for the results, filled with `cval`. Its dtype is that of the function's value for ones."""
        ones = [
            _Ones(each.dtype) if title in relative else each
            for title, each in zip(self._parameters, arguments, strict=True)
        ]
        with numpy.errstate(all="ignore"):
            dtype = numpy.asarray(self.py_func(*ones)).dtype
        if not numpy.can_cast(numpy.min_scalar_type(self._cval), dtype, "same_kind"):
            raise ValueError(f"stencil '{self.__name__}': cval {self._cval!r} cannot be cast to {dtype}")
        import dpctl.tensor
        import dpnp

        package = dpnp if isinstance(array, dpnp.ndarray) else dpctl.tensor
        return package.full(array.shape, self._cval, dtype=dtype, sycl_queue=array.sycl_queue, usm_type=array.usm_type)

    def _loop(self, relative: tuple[str, ...], dimensions: int) -> tuple:
        key = (relative, dimensions)
        if key not in self._made:
            self._made[key] = self._make(relative, dimensions)
        return self._made[key]

    def _make(self, relative: tuple[str, ...], dimensions: int) -> tuple:
        tree, offset, file, first, lines = _kernel._source.function_tree(self.py_func)
        tree = ast.increment_lineno(tree, offset)
        change = _Relative(self.__name__, relative, dimensions, self._neighbourhood is not None)
        body = [each for statement in tree.body for each in _listed(change.visit(statement))]
        if not change.returns:
            raise with_numba_base(UnsupportedError)(f"stencil '{self.__name__}' must return a number")
        extents = [tuple(each) for each in self._neighbourhood or change.extents]
        if len(extents) != dimensions:
            raise ValueError(
                f"stencil '{self.__name__}': neighborhood must have a pair for each of {dimensions} dimensions"
            )
        targets: list[ast.expr] = [ast.Name(f"#i{d}", ast.Store()) for d in range(dimensions)]
        bounds = [(loops.name("#"), loops.name("#"), ast.Constant(1))] * dimensions
        nest = loops.Nest(targets, bounds, body)
        parameters = [*loops.parameters_of("items", nest), "#out", *self._parameters]
        statements = loops.by_items(nest)
        kernel = loops.kernel(self.__name__, parameters, statements, tree)
        trees = {"items": (kernel, 0, file, first, lines)}
        made = _kernel.Loop(self.py_func, lambda: trees, dimensions, False, [], [], self._options)
        return made.run, extents


class _Relative(ast.NodeTransformer):
    """Makes relative indices absolute, and stores the returned value."""

    def __init__(self, title: str, relative: tuple[str, ...], dimensions: int, any_index: bool) -> None:
        self._title, self._relative, self._dimensions, self._any_index = title, relative, dimensions, any_index
        self.extents = [[0, 0] for _ in range(dimensions)]
        self.returns = False

    def visit_Return(self, node: ast.Return):
        self.returns = True
        if node.value is None:
            raise with_numba_base(UnsupportedError)(f"stencil '{self._title}' must return a number")
        indices: list[ast.expr] = [loops.name(f"#i{d}") for d in range(self._dimensions)]
        target = ast.Subscript(loops.name("#out"), ast.Tuple(indices, ast.Load()), ast.Store())
        statements = [ast.Assign([target], self.visit(node.value)), ast.Return(None)]
        return [ast.fix_missing_locations(ast.copy_location(each, node)) for each in statements]

    def visit_Subscript(self, node: ast.Subscript):
        self.generic_visit(node)
        if not isinstance(node.value, ast.Name) or node.value.id not in self._relative:
            return node
        if not isinstance(node.ctx, ast.Load):
            raise with_numba_base(UnsupportedError)(f"stencil '{self._title}' must not assign to '{node.value.id}'")
        offsets = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(offsets) != self._dimensions:
            raise IndexError(
                f"stencil '{self._title}': {len(offsets)} indices for an array of {self._dimensions} dimensions"
            )
        absolute: list[ast.expr] = []
        for d, each in enumerate(offsets):
            value = _constant(each)
            if value is None and not self._any_index:
                raise ValueError(
                    f"stencil '{self._title}': index {ast.unparse(each)} is not a constant; give the neighborhood"
                )
            if value is not None:
                low, high = self.extents[d]
                self.extents[d] = [min(low, value), max(high, value)]
            absolute.append(ast.BinOp(loops.name(f"#i{d}"), ast.Add(), each))
        node.slice = absolute[0] if self._dimensions == 1 else ast.Tuple(absolute, ast.Load())
        return ast.fix_missing_locations(node)


class _Ones:
    """Stands for an array of ones of any shape."""

    def __init__(self, dtype) -> None:
        self.dtype = numpy.dtype(dtype)

    def __getitem__(self, index):
        return self.dtype.type(1)


def _constant(node: ast.expr) -> int | None:
    """The value of an index that is a constant integer."""
    if names([node]):
        return None
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _listed(node) -> list:
    return node if isinstance(node, list) else [node]


def _is_array(value: object) -> bool:
    return hasattr(value, "__sycl_usm_array_interface__")


def stencil(function_or_mode=None, **options):
    """Make a function of an element and its neighbours, and apply it to all elements of an array.

    Args:
        function_or_mode: the function; or "constant", the only mode.
        cval: the result's value where the neighbourhood is not within the array. Default: 0.
        neighborhood: pairs of the least and the greatest relative index of each dimension. Default: those of the
            function's indices, which must be constants.
        standard_indexing: names of array parameters whose indices are not relative.
        fastmath: assumptions on floats, as in `kernel`.

    Returns:
        A callable with the function's parameters and `out`. With options, a decorator.

    Raises:
        TypeError: an option is unknown; when called: no argument is an array.
        NotImplementedError: the mode is not "constant".
        ValueError: arrays have different shapes; an index is not constant and no neighborhood is given.

    Indices of arrays are relative to the element: `a[0, 1]` is its neighbour in the next column. The function returns
    the element's value. The result has the dtype of the function's value where all elements are 1.

    >>> import dpnp
    >>> import numba_dpex as ndx
    >>> @ndx.stencil
    ... def mean(a):
    ...     return (a[-1] + a[0] + a[1]) / 3
    >>> mean(dpnp.asarray([0, 3, 6, 0, 3]))
    array([0., 3., 3., 3., 0.])
    """
    unknown = options.keys() - {"cval", "neighborhood", "standard_indexing", "fastmath", "func_or_mode"}
    if unknown:
        raise TypeError(f"stencil: unknown options {', '.join(sorted(unknown))}")
    given = options.pop("func_or_mode", function_or_mode)
    mode = given if isinstance(given, str) else "constant"
    if mode != "constant":
        raise NotImplementedError(f"stencil: mode {mode!r} is not supported: only 'constant' is, as in Numba")

    def decorate(function):
        if not inspect.isfunction(function):
            raise TypeError(f"stencil: expected a function, got {type(function).__name__}")
        return Stencil(function, options)

    return decorate if given is None or isinstance(given, str) else decorate(given)
