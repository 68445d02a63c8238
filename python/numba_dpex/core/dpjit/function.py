"""The decorator dpjit."""

from __future__ import annotations

import gc
import inspect
from functools import update_wrapper
from types import MethodType
from typing import TYPE_CHECKING

from dpep import _kernel

from numba_dpex.core import config
from numba_dpex.core.decorators import fast_math_flags
from numba_dpex.core.dpjit.signatures import DeclaredSignature, read_signatures, select
from numba_dpex.core.exceptions import TypingError, with_numba_base

if TYPE_CHECKING:
    from numba_dpex.core.dpjit.rewrite import HostFunction

# Options of Numba's `jit` that are accepted and have no effect: dpep always does what they ask for, or they apply to
# Numba's compiler only.
_ACCEPTED = frozenset(
    [
        "nopython",
        "nogil",
        "parallel",
        "cache",
        "inline",
        "error_model",
        "forceinline",
        "release_gil",
        "no_compile",
        "no_rewrites",
        "no_cpython_wrapper",
        "no_cfunc_wrapper",
    ]
)
_REFUSED = {
    "forceobj": "operations on arrays and loops are always compiled where they can be",
    "looplift": "loops are always compiled where they can be",
    "locals": "types are inferred; convert values, as in numpy.float32(x)",
    "boundscheck": "set DPEP_CHECK=1 in the environment",
    "pipeline_class": "it belongs to Numba's compiler",
}


class DpjitFunction(_kernel.Function):
    """A function of array expressions and loops. Its loops are compiled for the types of their variables."""

    __name__: str

    def __init__(self, function, declared: list[DeclaredSignature], debug: bool, fastmath: tuple[str, ...]) -> None:
        super().__init__(function, "device", options={"debug": debug, "fastmath": fastmath})
        update_wrapper(self, function)
        self._declared = declared
        if declared:
            self._parameters = inspect.signature(function)
            for each in declared:
                if len(each.arguments) != len(self._parameters.parameters):
                    raise with_numba_base(TypingError)(
                        f"dpjit: the signature {each} has {len(each.arguments)} arguments, and "
                        f"{function.__name__}() has {len(self._parameters.parameters)} parameters"
                    )
        self._debug, self._fastmath = debug, fastmath
        self._host: HostFunction | None = None
        self._run = None

    def __call__(self, *arguments, **keywords):
        try:
            result = (self._run or self._prepare())(*arguments, **keywords)
            return result if result is None else _kernel.as_result(result)
        except TypeError as error:
            if type(error) is not TypeError:
                raise
            # With the traceback of the error, so that it ends at the line of the function.
            raise with_numba_base(TypingError)(str(error)).with_traceback(error.__traceback__) from None

    def __get__(self, instance, owner=None):
        return self if instance is None else MethodType(self, instance)

    def _prepare(self):
        from numba_dpex.core.dpjit.rewrite import HostFunction

        # Syntax trees have no cycles, and collections would walk all objects of the program.
        collects = gc.isenabled()
        gc.disable()
        try:
            self._host = HostFunction(self.py_func, {"debug": self._debug, "fastmath": self._fastmath})
        finally:
            if collects:
                gc.enable()
        self._run = self._run_declared if self._declared else self._host.run
        return self._run

    def _run_declared(self, *arguments, **keywords):
        """Run the function for arguments of the types of one of its signatures."""
        given = self._parameters.bind(*arguments, **keywords)
        given.apply_defaults()
        signature = select(self.__name__, self._declared, given.args)
        values = [kind.convert(each) for kind, each in zip(signature.arguments, given.args, strict=True)]
        return signature.convert_result(self.__name__, self._host.run(*values))  # type: ignore[union-attr]

    @property
    def signatures(self) -> list[str]:
        """The signatures that the decorator got, in their textual form."""
        return list(map(str, self._declared))

    @property
    def _loops(self) -> list[_kernel.Loop]:
        return self._host.loops if self._host else []

    def inspect_llvm(self) -> list[str]:
        """The LLVM IR of the compiled loops, for all types that they were compiled for so far."""
        return [text for each in self._loops for text in each.inspect_ir()]

    def inspect_asm(self) -> list[str]:
        """The assembly of the compiled loops, for all types that they were compiled for so far."""
        return [text for each in self._loops for text in each.inspect_asm()]

    def inspect_types(self, file=None) -> None:
        """Write the types of the variables of the compiled loops, for all calls so far.

        Args:
            file: an object with `write`; by default standard output.
        """
        for each in self._loops:
            for variables in each.inspect_types():
                text = ", ".join(f"{name}: {kind}" for name, kind in variables if not name.startswith("#"))
                print(f"{self.__name__}, line {each.line}: {text}", file=file)


def dpjit(function_or_signatures=None, **options):
    """Compile a function of array expressions and loops.

    Args:
        function_or_signatures: the function; or a signature or list of signatures: text such as
            "float64(float64[:], int64)", the same of types, or a tuple of the arguments' types.
        debug: True compiles its loops for debuggers on the CPU, as `kernel` does.
        fastmath: True, or a set of LLVM's flags, for the floats of its loops; as in `kernel`.
        parallel, nopython, nogil, cache, inline: accepted for compatibility.

    Returns:
        A callable with the function's parameters; with signatures or only options, a decorator that returns one.

    Raises:
        TypeError: the argument is neither a function nor signatures, or an option is unknown.
        NotImplementedError: an option of Numba's that dpep does not have.
        TypingError: a signature has another number of arguments than the function; when called: no signature matches
            the arguments, or the result is not of the declared type.
        UnsupportedError: at the first call, for a construct that dpjit functions do not support.

    Operations on arrays are those of `dpnp` and `dpctl.tensor`, and fuse as they do elsewhere. A loop is compiled for
    the types of the variables that it uses, and runs on the queue of its arrays; the iterations of one over `prange`
    run in parallel. In such a loop a variable may be reduced, by `+ - * / min max & | ^ and or`. Python executes a loop
    with operations on whole arrays that cannot be compiled. Elements are NumPy's numbers; numbers that the function
    returns are Python's.

    A function with signatures accepts no other types. Numbers are converted to those of the first signature that
    matches: exactly, without loss, or within their kind. The result is converted to the declared type. Loops are
    compiled at the first call.

    >>> import dpnp
    >>> import numba_dpex as ndx
    >>> @ndx.dpjit
    ... def mean_distance(x, y):
    ...     total = 0.0
    ...     for i in ndx.prange(x.size):
    ...         total += abs(x[i] - y[i])
    ...     return total / x.size
    >>> mean_distance(dpnp.arange(4.0), dpnp.ones(4))
    1.0
    """
    for option in options.keys() & _REFUSED.keys():
        if options[option]:
            raise NotImplementedError(f"dpjit: the option {option} is not supported: {_REFUSED[option]}")
    if options.get("error_model", "numpy") != "numpy":
        raise NotImplementedError("dpjit: the option error_model is not supported: division follows NumPy's rules")
    unknown = options.keys() - _ACCEPTED - _REFUSED.keys() - {"debug", "fastmath"}
    if unknown:
        raise TypeError(f"dpjit: unknown options {', '.join(sorted(unknown))}; known are debug and fastmath")
    debug = options.get("debug")
    if debug is None:
        debug = bool(config.DEBUGINFO_DEFAULT)
    if not isinstance(debug, bool):
        raise TypeError(f"dpjit: debug must be a bool, not {type(debug).__name__}")
    fastmath = fast_math_flags("dpjit", options.get("fastmath", False))

    given = function_or_signatures
    is_function = inspect.isfunction(given)
    declared = [] if is_function or given is None else read_signatures("dpjit", given)

    def decorate(f):
        if not inspect.isfunction(f):
            raise TypeError(f"dpjit: expected a function, got {type(f).__name__}")
        return DpjitFunction(f, declared, debug, fastmath)

    return decorate(given) if is_function else decorate
