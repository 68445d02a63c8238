"""Exceptions of numba_dpex, under the names of numba-dpex."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable


class NumbaDpexError(Exception):
    """Base of the errors that numba-dpex defines."""

    message: str

    @classmethod
    def from_message(cls, message: str) -> NumbaDpexError:
        """Return an instance with a message of the compiler."""
        error = cls.__new__(cls)
        error.message = message
        Exception.__init__(error, message)
        return error


class TypingError(TypeError):
    """Types in a kernel are incompatible: the message shows file, line, source and the inferred types.

    If Numba is loaded, the exception is also an instance of Numba's `TypingError`, which programs for numba-dpex, an
    extension of Numba, catch.
    """

    def __init__(self, message: str) -> None:
        self.msg = self.message = message
        super().__init__(message)


class UnsupportedError(TypingError, NotImplementedError):
    """A kernel uses a construct that kernels do not support; the message suggests an alternative."""


class UndefinedNameError(TypingError, NameError):
    """A kernel uses a name that is not defined."""


class NumbaDpexPerformanceWarning(UserWarning):
    """A loop of a dpjit function is executed by Python instead of being compiled; the message gives the reason."""


_with_numba: dict[type, type] = {}


def with_numba_base(ours: type[TypingError]) -> Callable[[str], TypingError]:
    """Return a factory of instances of `ours` that also derive from Numba's `TypingError`, if Numba is loaded."""

    def make(message: str) -> TypingError:
        theirs = getattr(sys.modules.get("numba.core.errors"), "TypingError", None)
        if theirs is None:
            return ours(message)
        if ours not in _with_numba:
            members = {"__module__": ours.__module__, "__doc__": ours.__doc__, "__init__": ours.__init__}
            _with_numba[ours] = type(ours.__name__, (ours, theirs), members)
        return _with_numba[ours](message)

    return make


class KernelHasReturnValueError(NumbaDpexError):
    """A kernel returns a value. Kernels store their results in arrays."""

    def __init__(self, kernel_name: str | None, return_type: object, sig: object = None) -> None:
        what = f'the signature "{sig}"' if sig else f'kernel "{kernel_name}"'
        self.return_type = return_type
        self.message = (
            f"{what} returns a value of type {return_type}; a kernel must return nothing and store its results in "
            "arrays"
        )
        super().__init__(self.message)


class InvalidKernelLaunchArgsError(NumbaDpexError):
    """A kernel is launched with invalid global and local ranges."""

    def __init__(self, kernel_name: str) -> None:
        self.message = (
            f'kernel "{kernel_name}": the global and local ranges are invalid; write '
            "kernel[Range(n)], kernel[NdRange((n,), (m,))], kernel[n] or kernel[(n,), (m,)]"
        )
        super().__init__(self.message)


class UnknownGlobalRangeError(NumbaDpexError):
    """A kernel is called without a range, instead of as `kernel[range](…)`."""

    def __init__(self, kernel_name: str) -> None:
        self.message = (
            f'kernel "{kernel_name}" is called without a range; write kernel[range](…) or call_kernel(kernel, range, …)'
        )
        super().__init__(self.message)


class IllegalRangeValueError(NumbaDpexError):
    """A range has no extents, or extents that are not ints."""

    def __init__(self, kernel_name: str) -> None:
        self.message = (
            f'kernel "{kernel_name}": a range must be a Range, an int, or a tuple or list of one to three ints'
        )
        super().__init__(self.message)


class UnsupportedNumberOfRangeDimsError(NumbaDpexError):
    """A range has more dimensions than the device allows."""

    def __init__(self, kernel_name: str, ndims: int, max_work_item_dims: int) -> None:
        self.message = (
            f'kernel "{kernel_name}": the range has {ndims} dimensions, and the device supports {max_work_item_dims}'
        )
        super().__init__(self.message)


class UnmatchedNumberOfRangeDimsError(NumbaDpexError):
    """The global and local ranges have different numbers of dimensions."""

    def __init__(self, kernel_name: str, global_ndims: int, local_ndims: int) -> None:
        kernel = f'kernel "{kernel_name}": ' if kernel_name else "NdRange: "
        self.message = (
            f"{kernel}the global range has {global_ndims} dimensions, the local range {local_ndims}; they must be equal"
        )
        super().__init__(self.message)


class UnsupportedWorkItemSizeError(NumbaDpexError):
    """A work-group has more work-items in a dimension than the device allows."""

    def __init__(self, kernel_name: str, dim: int, requested_work_items: int, supported_work_items: int) -> None:
        self.message = (
            f'kernel "{kernel_name}": {requested_work_items} work-items in dimension {dim} of a work-group; '
            f"the device supports {supported_work_items}"
        )
        super().__init__(self.message)


class UnsupportedGroupWorkItemSizeError(NumbaDpexError):
    """An extent of the local range does not divide that of the global range."""

    def __init__(self, kernel_name: str, dim: int, work_groups: int, work_items: int) -> None:
        kernel = f'kernel "{kernel_name}": ' if kernel_name else "NdRange: "
        self.message = (
            f"{kernel}the global extent {work_groups} of dimension {dim} is not a multiple of the local extent "
            f"{work_items}"
        )
        super().__init__(self.message)


class ExecutionQueueInferenceError(NumbaDpexError, ValueError):
    """The queue cannot be determined: no argument is a device array, or they are on different queues."""

    def __init__(self, kernel_name: str | None = None, *, usmarray_argnum_list: Iterable[int] | None = None) -> None:
        if usmarray_argnum_list is None:
            why = (
                "no argument is a dpnp or dpctl.tensor array, so there is no queue to run on; pass such arrays, or "
                "launch kernel[range](…) with NumPy arrays inside `with dpctl.device_context(…)`"
            )
        else:
            numbers = ", ".join(map(str, usmarray_argnum_list))
            why = f"the arrays {numbers} among the arguments are not all on one queue; copy them with to_device"
        self.message = f'kernel "{kernel_name}": {why}'
        super().__init__(self.message)


IndeterminateExecutionQueueError = ExecutionQueueInferenceError  # its name before version 0.21


class UnsupportedBackendError(NumbaDpexError):
    """Kernels cannot be compiled for the queue's back end."""

    def __init__(self, kernel_name: str, backend: str, supported_backends: Iterable[str]) -> None:
        self.message = (
            f'kernel "{kernel_name}" cannot be compiled for {backend}, only for {", ".join(supported_backends)}'
        )
        super().__init__(self.message)


class UncompiledKernelError(NumbaDpexError):
    """An operation needs a compiled kernel, and the kernel has not been compiled yet."""

    def __init__(self, kernel_name: str) -> None:
        self.message = f'kernel "{kernel_name}" has not been compiled yet: launch it, or declare signatures'
        super().__init__(self.message)


class UnsupportedKernelArgumentError(NumbaDpexError, TypeError):
    """An argument of a launch has a type that kernels do not support."""

    def __init__(self, type: object, value: object, kernel_name: str = "") -> None:
        kernel = f'kernel "{kernel_name}": ' if kernel_name else ""
        self.message = (
            f"{kernel}the argument {value!r:.60} is of type {type}, which kernels do not support; pass arrays, numbers "
            "or tuples"
        )
        super().__init__(self.message)


class SUAIProtocolError(NumbaDpexError):
    """An argument looks like an array, but is neither NumPy's nor has `__sycl_usm_array_interface__`."""

    def __init__(self, kernel_name: str, arg: object) -> None:
        self.message = (
            f'kernel "{kernel_name}": the argument {arg!r:.60} is neither a NumPy array '
            "nor does it have __sycl_usm_array_interface__"
        )
        super().__init__(self.message)


class InvalidKernelSpecializationError(NumbaDpexError):
    """A signature contains types that kernels do not support as arguments, such as NumPy arrays."""

    def __init__(self, kernel_name: str, invalid_sig: object, unsupported_argnum_list: Iterable[int]) -> None:
        numbers = ", ".join(map(str, unsupported_argnum_list))
        self.message = (
            f'kernel "{kernel_name}" cannot have the signature {invalid_sig}: kernels do not support the types of '
            f"arguments {numbers}; write DpnpNdArray or usm_ndarray for arrays"
        )
        super().__init__(self.message)


class MissingSpecializationError(NumbaDpexError):
    """A kernel with signatures is launched with arguments that match none of them."""

    def __init__(self, kernel_name: str, argtypes: object) -> None:
        self.message = f'kernel "{kernel_name}" has no signature for arguments of types {argtypes}'
        super().__init__(self.message)
