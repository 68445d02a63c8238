"""`guvectorize`: functions of vectors or matrices that are applied along all other axes of arrays."""

from __future__ import annotations

import inspect
import linecache
import math
import re
from collections.abc import Callable, Iterable
from functools import update_wrapper

import numpy
from dpep import _kernel

from numba_dpex.core.decorators import fast_math_flags
from numba_dpex.core.kernel_dispatcher import DeviceFunction, KernelDispatcher
from numba_dpex.kernel_api.ranges import Range

_AXES = re.compile(r"\(([^()]*)\)")
_AXIS_LIST = r"\((?:\w+(?:,\w+)*)?\)"
_LAYOUT = re.compile(rf"(?:{_AXIS_LIST}(?:,{_AXIS_LIST})*)?->{_AXIS_LIST}(?:,{_AXIS_LIST})*")
_TYPE = re.compile(r"^(\w+?)((?:\[.*\])?)$")
_IGNORED_OPTIONS = frozenset(["target", "identity", "nopython", "cache", "inline", "debug"])


class GeneralisedFunction:
    """A function of arrays with fixed numbers of dimensions, applied along all other axes."""

    __name__: str

    def __init__(self, function: Callable, signatures: list[list[numpy.dtype]], layout: str, fastmath) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.signature = layout
        compact = layout.replace(" ", "")
        inputs, _, outputs = compact.partition("->")
        self._core = [[each for each in axes.split(",") if each] for axes in _AXES.findall(inputs)]
        self.nin = len(self._core)
        self._core += [[each for each in axes.split(",") if each] for axes in _AXES.findall(outputs)]
        self.nout = len(self._core) - self.nin
        parameters = list(inspect.signature(function).parameters)
        if not _LAYOUT.fullmatch(compact) or len(parameters) != len(self._core):
            raise ValueError(
                f"guvectorize: the layout {layout!r} must be of the form '(n),(n)->()' and describe the "
                f"{len(parameters)} parameters of '{function.__name__}'"
            )
        known = {axis for axes in self._core[: self.nin] for axis in axes}
        for axes in self._core[self.nin :]:
            for axis in axes:
                if axis not in known:
                    raise ValueError(f"guvectorize: the output's axis {axis!r} is not an axis of an input")
        for each in signatures:
            if len(each) != len(self._core):
                raise ValueError(f"guvectorize: a signature has {len(each)} types for {len(self._core)} parameters")
        self._signatures = signatures
        self._kernel = _kernel_of(function, self._core, self.nin, fastmath)

    def __call__(self, *arguments, out=None):
        """Apply the function. Outputs are returned, or passed as further arguments or as `out`."""
        import dpctl.tensor
        import dpnp

        if len(arguments) not in (self.nin, self.nin + self.nout):
            raise TypeError(f"{self.__name__}() takes {self.nin} inputs and {self.nout} outputs, got {len(arguments)}")
        arrays = [each for each in arguments if hasattr(each, "__sycl_usm_array_interface__")]
        if not arrays:
            raise TypeError(f"{self.__name__}(): no argument is a dpnp or dpctl.tensor array")
        package = dpnp if any(isinstance(each, dpnp.ndarray) for each in arrays) else dpctl.tensor
        place = {"sycl_queue": arrays[0].sycl_queue, "usm_type": arrays[0].usm_type}
        inputs = [self._input(each, number, package, place) for number, each in enumerate(arguments[: self.nin])]
        types = self._types([each.dtype for each in inputs])
        inputs = [each.astype(t) if package is dpnp else dpctl.tensor.astype(each, t, copy=False)
                  for each, t in zip(inputs, types, strict=False)]  # fmt: skip
        lengths, around = self._lengths(inputs)
        given = list(arguments[self.nin :]) or ([] if out is None else [out] if self.nout == 1 else list(out))
        shapes = [around + tuple(lengths[axis] for axis in axes) for axes in self._core[self.nin :]]
        if not given:
            given = [package.empty(shape, dtype=t, **place) for shape, t in zip(shapes, types[self.nin :], strict=True)]
        for each, shape in zip(given, shapes, strict=True):
            if getattr(each, "shape", None) != shape:
                raise ValueError(f"{self.__name__}(): an output must have the shape {shape}")
        count = math.prod(around)
        flat = [self._flat(each, around, axes, package) for each, axes in zip(inputs, self._core, strict=False)]
        results = []
        for each, axes in zip(given, self._core[self.nin :], strict=True):
            shape = (count, *(lengths[axis] for axis in axes))
            results.append(package.reshape(each, shape if axes else (count, 1)))  # a copy, if not contiguous
        if count:
            _kernel.call_kernel(self._kernel, Range(count), *flat, *results)
        for each, result, shape in zip(given, results, shapes, strict=True):
            if not each.flags.c_contiguous:
                each[...] = package.reshape(result, shape)
        return given[0] if self.nout == 1 else tuple(given)

    def _input(self, value, number: int, package, place: dict):
        if isinstance(value, numpy.ndarray):
            raise TypeError(f"{self.__name__}(): argument {number + 1} is a NumPy array; copy it with dpnp.asarray")
        array = package.asarray(value, **place) if not hasattr(value, "__sycl_usm_array_interface__") else value
        if array.ndim < len(self._core[number]):
            raise ValueError(
                f"{self.__name__}(): argument {number + 1} has {array.ndim} dimensions, and the layout "
                f"{self.signature} needs {len(self._core[number])}"
            )
        return array

    def _types(self, given: list[numpy.dtype]) -> list[numpy.dtype]:
        """The dtypes of all parameters: those of the first signature that the inputs can be cast to."""
        for casting in ("no", "safe", "same_kind"):
            for each in self._signatures:
                if all(numpy.can_cast(x, y, casting) for x, y in zip(given, each, strict=False)):
                    return each
        if self._signatures:
            raise TypeError(f"{self.__name__}(): no signature matches inputs of {', '.join(map(str, given))}")
        return [*given, *[numpy.result_type(*given)] * self.nout]

    def _lengths(self, inputs: list) -> tuple[dict[str, int], tuple[int, ...]]:
        """The lengths of the layout's axes, and the shape of the other axes."""
        lengths: dict[str, int] = {}
        around: list[tuple[int, ...]] = []
        for array, axes in zip(inputs, self._core, strict=False):
            cut = array.ndim - len(axes)
            around.append(array.shape[:cut])
            for axis, length in zip(axes, array.shape[cut:], strict=True):
                if lengths.setdefault(axis, length) != length:
                    raise ValueError(f"{self.__name__}(): axis {axis} has the lengths {lengths[axis]} and {length}")
        return lengths, numpy.broadcast_shapes(*around)

    def _flat(self, array, around: tuple[int, ...], axes: list[str], package):
        core = array.shape[array.ndim - len(axes) :]
        return package.reshape(package.broadcast_to(array, around + core), (math.prod(around), *core))

    def __repr__(self) -> str:
        return f"<generalised function '{self.__name__}', {self.signature}>"


def _kernel_of(function: Callable, core: list[list[str]], inputs: int, fastmath) -> KernelDispatcher:
    """The kernel that calls the function for one index of the loops. Outputs without axes are arrays of one number."""
    parameters = [f"x{number}" for number in range(len(core))]
    text = f"def {function.__name__}(item, {', '.join(parameters)}):\n"
    text += "    i = item.get_id(0)\n"
    text += f"    function({', '.join(f'{each}[i]' for each in parameters)})\n"
    file = f"<guvectorize {function.__module__}.{function.__qualname__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = {"function": DeviceFunction(function, fastmath=fastmath)}
    exec(compile(text, file, "exec"), names)
    return KernelDispatcher(names[function.__name__], fastmath=fastmath)


def guvectorize(*arguments, **options):
    """Make a function of arrays that is applied along all axes that its layout does not name.

    Args:
        arguments: signatures, a list of strings such as "void(float64[:], float64, float64[:])", and the layout, such
            as "(n),()->(n)"; or the layout only: outputs then have the inputs' common dtype.
        fastmath: assumptions on floats, as in `kernel`.
        target, identity, nopython, cache, inline, debug: accepted for compatibility and ignored.

    Returns:
        A decorator.

    Raises:
        TypeError: an option is unknown; when called: no signature matches.
        ValueError: the layout does not describe the function's parameters; when called: axes have different lengths.

    The function gets an array for each parameter with axes, a number for each input without, and writes its results to
    the last parameters; an output without axes is an array of one element.

    >>> import dpnp
    >>> import numba_dpex as ndx
    >>> @ndx.guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->(n)")
    ... def shifted(x, y, result):
    ...     for i in range(x.size):
    ...         result[i] = x[i] + y
    >>> shifted(dpnp.ones((2, 3)), dpnp.asarray([1.0, 2.0]))
    array([[2., 2., 2.],
           [3., 3., 3.]])
    """
    fastmath = fast_math_flags("guvectorize", options.pop("fastmath", False))
    unknown = options.keys() - _IGNORED_OPTIONS
    if unknown:
        raise TypeError(f"guvectorize: unknown options {', '.join(sorted(unknown))}")
    if not 1 <= len(arguments) <= 2 or not isinstance(arguments[-1], str):
        raise TypeError("guvectorize takes signatures and a layout such as '(n),()->(n)', or the layout only")
    signatures = [] if len(arguments) == 1 else arguments[0]
    if isinstance(signatures, str) or not isinstance(signatures, Iterable):
        signatures = [signatures]
    read = [_dtypes_of(each) for each in signatures]

    def decorate(function):
        if not inspect.isfunction(function):
            raise TypeError(f"guvectorize: expected a function, got {type(function).__name__}")
        if function.__name__ == "<lambda>":
            raise TypeError("guvectorize: expected a function that stores its results, got a lambda expression")
        return GeneralisedFunction(function, read, arguments[-1], fastmath)

    return decorate


def _dtypes_of(signature) -> list[numpy.dtype]:
    """The dtypes of a signature's parameters."""
    if not isinstance(signature, str):
        raise TypeError(f"guvectorize: a signature must be a string, got {type(signature).__name__}")
    inside = signature.strip()
    if "(" in inside:
        inside = inside[inside.index("(") + 1 : inside.rindex(")")]
    found = []
    for each in re.findall(r"\w+(?:\[[^\]]*\])?", inside):
        match = _TYPE.match(each)
        try:
            found.append(numpy.dtype(match[1]))  # type: ignore[index]
        except TypeError:
            raise TypeError(f"guvectorize: {each!r} is not a type: write 'float64[:]' or 'int32'") from None
    return found
