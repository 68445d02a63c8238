"""The decorators: kernel, device_func, and those that come later."""

from __future__ import annotations

import inspect
from typing import NoReturn
from warnings import warn

from numba_dpex.core import config
from numba_dpex.core.kernel_dispatcher import DeviceFunction, KernelDispatcher
from numba_dpex.core.types.base import is_signature, is_type

# Options of Numba's decorators that ask for what dpep does anyway, or that mean something for Numba's compiler alone.
_OF_NUMBA = frozenset(["release_gil", "no_compile", "no_cpython_wrapper", "no_cfunc_wrapper", "nopython"])


def kernel(function_or_signature=None, **options):
    """Make a kernel of a function written with `kernel_api`; `call_kernel` runs it.

    Args:
        function_or_signature: the function; or a signature, or a list of signatures, for which it is compiled at once,
            and for no other types later. A signature is a tuple of types, or `void(…)` of them.
        debug: True compiles for debuggers on the CPU: as written, not optimised, with lines, variables and the
            functions that the kernel calls. Not given: `config.DEBUGINFO_DEFAULT`. `DPEP_GDB=1` in the environment does
            it for all kernels.
        fastmath: True, or a set of LLVM's flags (`{"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}`), as
            Numba has it: what the compiler may assume of floats in this function, so that it may compute sums in
            another order, or a root's reciprocal from the processor's estimate. Functions that it calls have their own.
        inline_threshold: an int that is not negative, for programs of the published package. Functions that kernels
            call are always part of them, so there is nothing that it would change.

    Returns:
        A KernelDispatcher; a decorator that makes one if signatures or only options are given.

    Raises:
        ValueError: the first argument is neither a function nor signatures.
        NotImplementedError: a signature is a string.
        TypeError: an option is unknown, or `fastmath` neither a truth nor a set.
        InvalidKernelSpecializationError, KernelHasReturnValueError: a signature cannot be a kernel's.

    The function's first parameter is the work-item, an Item or NdItem; the others are arrays, scalars and local
    accessors. It returns nothing.

    >>> import dpnp
    >>> import numba_dpex as ndx
    >>> from numba_dpex import kernel_api as kapi
    >>> @ndx.kernel
    ... def add(item: kapi.Item, a, b, c):
    ...     i = item.get_id(0)
    ...     c[i] = a[i] + b[i]
    >>> a, b, c = dpnp.arange(3), dpnp.ones(3, dtype="i8"), dpnp.empty(3, dtype="i8")
    >>> ndx.call_kernel(add, ndx.Range(3), a, b, c)
    >>> c
    array([1, 2, 3])
    """
    return _decorate("kernel", KernelDispatcher, function_or_signature, options)


def device_func(function_or_signature=None, **options):
    """Make a function that kernels and other device functions call; it may return a value.

    Arguments and exceptions are those of `kernel`. A device function with signatures converts its arguments to the
    types of the one that fits best. Called on the host it runs as the Python function that it is.

    >>> import numba_dpex as ndx
    >>> @ndx.device_func
    ... def twice(x):
    ...     return 2 * x
    >>> twice(21)
    42
    """
    return _decorate("device_func", DeviceFunction, function_or_signature, options)


def _decorate(decorator: str, make: type, what, options: dict):
    if "_compilation_mode" in options:
        warn(f"{decorator}: the option _compilation_mode is internal and ignored", UserWarning, stacklevel=3)
    debug = options.get("debug")
    if debug is None:
        debug = bool(config.DEBUGINFO_DEFAULT)
    if not isinstance(debug, bool):
        raise TypeError(f"{decorator}: debug must be a bool, not {type(debug).__name__}")
    threshold = options.get("inline_threshold")
    if threshold is not None and (not isinstance(threshold, int) or threshold < 0):
        raise ValueError(f"{decorator}: inline_threshold must be an int that is not negative, not {threshold!r}")
    unknown = options.keys() - _OF_NUMBA - {"_compilation_mode", "debug", "inline_threshold", "fastmath"}
    if unknown:
        raise TypeError(f"{decorator}: unknown options {', '.join(sorted(unknown))}")
    fastmath = fast_math_flags(decorator, options.get("fastmath", False))
    if inspect.isfunction(what):
        return make(what, debug=debug, fastmath=fastmath)
    signatures = [] if what is None else what if isinstance(what, list) else [what]
    for signature in signatures:
        if isinstance(signature, str):
            raise NotImplementedError(f"{decorator}: signatures are tuples of types; strings are not understood")
        if not is_signature(signature):
            one = ", and a signature of one argument void(type)" if is_type(signature) else ""
            raise ValueError(
                f"{decorator}: the argument must be a function, a signature or a list of signatures, not "
                f"{type(signature).__name__}{one}"
            )

    def decorate(function):
        if not inspect.isfunction(function):
            raise ValueError(f"{decorator}: what is decorated must be a function, not {type(function).__name__}")
        return make(function, signatures, debug, fastmath)

    return decorate


def fast_math_flags(decorator: str, option) -> tuple[str, ...]:
    """The flags of a decorator's option `fastmath`."""
    if isinstance(option, bool):
        return ("fast",) if option else ()
    if isinstance(option, (set, frozenset, list, tuple)):
        return tuple(option)
    raise TypeError(f"{decorator}: fastmath must be True, False or a set of flags, not {type(option).__name__}")


def _not_yet(name: str, instead: str) -> NoReturn:
    raise NotImplementedError(f"numba_dpex.{name} is not there yet: {instead}")


def dpjit(*arguments, **options) -> NoReturn:
    """Compile a function as a whole. Not there yet: raises NotImplementedError."""
    _not_yet("dpjit", "write the loop as a numba_dpex.kernel, or the expression with dpnp")


def prange(*arguments) -> NoReturn:
    """Say that a loop's rounds may run at once, in `dpjit` functions. Not there yet: raises NotImplementedError."""
    _not_yet("prange", "write the loop as a numba_dpex.kernel")
