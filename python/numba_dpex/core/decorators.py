"""The decorators kernel and device_func."""

from __future__ import annotations

import inspect
from warnings import warn

from numba_dpex.core import config
from numba_dpex.core.kernel_dispatcher import DeviceFunction, KernelDispatcher
from numba_dpex.core.types.base import is_signature, is_type

# Options of Numba's decorators that are accepted and ignored: dpep always does so, or they apply to Numba's compiler.
_IGNORED_OPTIONS = frozenset(["release_gil", "no_compile", "no_cpython_wrapper", "no_cfunc_wrapper", "nopython"])


def kernel(function_or_signature=None, **options):
    """Make a kernel from a function; `call_kernel` runs it.

    Args:
        function_or_signature: the function; or a signature or list of signatures, for which it is compiled immediately,
            and for no other types later. A signature is a tuple of types, or `void(…)` of them.
        debug: True compiles for debuggers on the CPU: not optimised, with debug information of lines, variables and
            device functions. Default: `config.DEBUGINFO_DEFAULT`. `DPEP_GDB=1` in the environment does so for all
            kernels.
        fastmath: True, or a set of LLVM's flags (`{"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}`), as
            in Numba: assumptions on floats in this function, which allow the compiler to reorder sums, or to compute
            reciprocal square roots from the processor's estimate. Functions that it calls have their own flags.
        inline_threshold: a nonnegative int, accepted for compatibility. Device functions are always inlined, so it has
            no effect.

    Returns:
        A KernelDispatcher; with signatures or only options, a decorator that returns one.

    Raises:
        ValueError: the first argument is neither a function nor signatures.
        NotImplementedError: a signature is a string.
        TypeError: an option is unknown, or `fastmath` is neither a bool nor a set.
        InvalidKernelSpecializationError, KernelHasReturnValueError: a signature is not valid for a kernel.

    The function's first parameter is the work-item, an Item or NdItem; the others are arrays, scalars and local
    accessors. It must return nothing.

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
    """Make a function that kernels and other device functions can call; it may return a value.

    Arguments and exceptions are those of `kernel`. A device function with signatures converts its arguments to the
    types of the signature that matches exactly, else of the first. On the host it runs as a Python function.

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
    if threshold is None and config.INLINE_THRESHOLD is not None and config.INLINE_THRESHOLD < 0:
        warn(f"{decorator}: config.INLINE_THRESHOLD is negative, and is taken as 0", UserWarning, stacklevel=3)
    if threshold is not None and (not isinstance(threshold, int) or threshold < 0):
        raise ValueError(f"{decorator}: inline_threshold must be a nonnegative int, not {threshold!r}")
    unknown = options.keys() - _IGNORED_OPTIONS - {"_compilation_mode", "debug", "inline_threshold", "fastmath"}
    if unknown:
        raise TypeError(
            f"{decorator}: unknown options {', '.join(sorted(unknown))}; known are debug, fastmath and inline_threshold"
        )
    fastmath = fast_math_flags(decorator, options.get("fastmath", False))
    if inspect.isfunction(what):
        return make(what, debug=debug, fastmath=fastmath)
    signatures = [] if what is None else what if isinstance(what, list) else [what]
    for signature in signatures:
        if isinstance(signature, str):
            raise NotImplementedError(f"{decorator}: a signature must be a tuple of types, not a string")
        if not is_signature(signature):
            one = "; a signature of one argument is void(type)" if is_type(signature) else ""
            raise ValueError(
                f"{decorator}: the argument must be a function, a signature or a list of signatures, not "
                f"{type(signature).__name__}{one}"
            )

    def decorate(function):
        if not inspect.isfunction(function):
            raise ValueError(f"{decorator}: the decorated object must be a function, not {type(function).__name__}")
        return make(function, signatures, debug, fastmath)

    return decorate


def fast_math_flags(decorator: str, option) -> tuple[str, ...]:
    """Return the flags of a decorator's option `fastmath`."""
    if isinstance(option, bool):
        return ("fast",) if option else ()
    if isinstance(option, (set, frozenset, list, tuple)):
        return tuple(option)
    raise TypeError(f"{decorator}: fastmath must be True, False or a set of flags, not {type(option).__name__}")
