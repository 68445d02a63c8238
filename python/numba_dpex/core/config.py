"""Settings, as attributes that programs set, and as environment variables NUMBA_DPEX_… that are read at import.

Kernels are compiled by dpep, whose own settings (docs/environment.md) say what is dumped, checked and shown to
debuggers. What begins with TESTING is read by the published package's tests of debuggers.
"""

from __future__ import annotations

import os


def _number(variable: str, default: int) -> int:
    text = os.environ.get(variable)
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{variable} must be an integer, not {text!r}") from None


#: Kernels whose decorators do not say `debug` are compiled for debuggers.
DEBUGINFO_DEFAULT: int = _number("NUMBA_DPEX_DEBUGINFO", 0)

TESTING_SKIP_NO_DEBUGGING: int = _number("NUMBA_DPEX_TESTING_SKIP_NO_DEBUGGING", 1)
TESTING_LOG_DEBUGGING: int = _number("NUMBA_DPEX_TESTING_LOG_DEBUGGING", 0)
