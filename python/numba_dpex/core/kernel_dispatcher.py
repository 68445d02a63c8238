"""Kernels and device functions, which the decorators return."""

from __future__ import annotations

from collections.abc import Iterable
from functools import update_wrapper
from typing import NoReturn

from dpep import _kernel

from numba_dpex.core.exceptions import (
    InvalidKernelSpecializationError,
    KernelHasReturnValueError,
    UnknownGlobalRangeError,
)
from numba_dpex.core.launch_by_index import ConfiguredKernel
from numba_dpex.core.types.base import HostArrayType, Type, type_name
from numba_dpex.core.types.scalars import void


class KernelDispatcher(_kernel.Function):
    """A kernel: `call_kernel` compiles it for the types of its arguments, and runs it for each work-item."""

    __name__: str

    def __init__(self, function, signatures: Iterable = (), debug: bool = False, fastmath: Iterable[str] = ()) -> None:
        for signature in signatures:
            _check(function.__name__, signature)
        super().__init__(function, "kernel", options=_options(signatures, debug, fastmath))
        update_wrapper(self, function)
        for signature in signatures:
            self.compile(_names_of(signature))

    @property
    def overloads(self) -> dict[tuple[str, ...], None]:
        """The argument types that the kernel has been compiled for."""
        return dict.fromkeys(self.specialisations)

    def inspect_llvm(self, signature=None):
        """`inspect_ir` under its name in Numba."""
        return self.inspect_ir(signature)

    def __getitem__(self, ranges) -> ConfiguredKernel:
        """`kernel[Range(n)](…)`, `kernel[NdRange(…)](…)` or `kernel[global, local](…)`: a launch by the older API."""
        return ConfiguredKernel(self, ranges)

    def __call__(self, *arguments) -> NoReturn:
        raise UnknownGlobalRangeError(self.__name__)


class DeviceFunction(_kernel.Function):
    """A function that kernels call. On the host it runs as a Python function."""

    __name__: str

    def __init__(self, function, signatures: Iterable = (), debug: bool = False, fastmath: Iterable[str] = ()) -> None:
        super().__init__(function, "device", options=_options(signatures, debug, fastmath))
        update_wrapper(self, function)

    def __call__(self, *arguments, **keywords):
        return self.py_func(*arguments, **keywords)


def _arguments_of(signature) -> tuple[Type, ...]:
    return tuple(signature) if isinstance(signature, tuple) else tuple(signature.args)


def _names_of(signature) -> tuple[str, ...]:
    return tuple(map(type_name, _arguments_of(signature)))


def _options(signatures: Iterable, debug: bool, fastmath: Iterable[str]) -> dict:
    return {"signatures": list(map(_names_of, signatures)), "debug": debug, "fastmath": fastmath}


def _check(kernel: str, signature) -> None:
    """Raise the documented error if a signature is not valid for a kernel."""
    returns = signature.return_type if not isinstance(signature, tuple) else None
    if returns is not None and returns != void and str(returns) != "none":
        raise KernelHasReturnValueError(kernel, returns, signature)
    types = _arguments_of(signature)
    wrong = [number for number, each in enumerate(types) if not type_name(each) or isinstance(each, HostArrayType)]
    if wrong:
        raise InvalidKernelSpecializationError(kernel, signature, wrong)
