"""Settings: attributes that programs can set, initialised from environment variables NUMBA_DPEX_… at import.

Settings of the compiler, dpep, are in docs/environment.md: dumps, checks, debug information. Those that begin with
TESTING are for numba-dpex's tests of debuggers. Names of Numba's settings are looked up in `numba.core.config` if Numba
is loaded.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType


def _number(variable: str, default: int | None) -> int | None:
    text = os.environ.get(variable)
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{variable} must be an integer, not {text!r}") from None


#: The default of the decorators' option `debug`.
DEBUGINFO_DEFAULT: int | None = _number("NUMBA_DPEX_DEBUGINFO", 0)
#: The default of the decorators' option `inline_threshold`. Device functions are always inlined, so it has no effect.
INLINE_THRESHOLD: int | None = _number("NUMBA_DPEX_INLINE_THRESHOLD", None)

TESTING_SKIP_NO_DEBUGGING: int | None = _number("NUMBA_DPEX_TESTING_SKIP_NO_DEBUGGING", 1)
TESTING_LOG_DEBUGGING: int | None = _number("NUMBA_DPEX_TESTING_LOG_DEBUGGING", 0)


class _Settings(ModuleType):
    """The module, with settings that are environment variables of dpep, which it reads at each compilation."""

    @property
    def DUMP_KERNEL_LLVM(self) -> bool:
        """Whether compilations write LLVM IR and assembly. Setting it to True makes `DPEP_DUMP` the current folder."""
        return "DPEP_DUMP" in os.environ

    @DUMP_KERNEL_LLVM.setter
    def DUMP_KERNEL_LLVM(self, on) -> None:
        _set("DPEP_DUMP", os.getcwd() if on else None)

    SAVE_IR_FILES = DUMP_KERNEL_LLVM

    @property
    def ENABLE_CACHE(self) -> bool:
        """Whether compiled kernels are kept on disk. Setting it to False sets `DPEP_CACHE` to "off"."""
        return os.environ.get("DPEP_CACHE") not in ("off", "0")

    @ENABLE_CACHE.setter
    def ENABLE_CACHE(self, on) -> None:
        if bool(on) != self.ENABLE_CACHE:
            _set("DPEP_CACHE", None if on else "off")

    def __getattr__(self, name: str):
        numba = sys.modules.get("numba.core.config")
        if numba is None or name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no setting {name!r}")
        return getattr(numba, name)


def _set(variable: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = value


sys.modules[__name__].__class__ = _Settings
if _number("NUMBA_DPEX_DUMP_KERNEL_LLVM", 0) or _number("NUMBA_DPEX_SAVE_IR_FILES", 0):
    os.environ.setdefault("DPEP_DUMP", os.getcwd())
if not _number("NUMBA_DPEX_ENABLE_CACHE", 1):
    _set("DPEP_CACHE", "off")
