"""Settings: attributes that programs can set, initialised from environment variables NUMBA_DPEX_… at import.

Settings of the compiler, dpep, are in docs/environment.md: dumps, checks, debug information. Those that begin with
TESTING are for numba-dpex's tests of debuggers.
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


#: The default of the decorators' option `debug`.
DEBUGINFO_DEFAULT: int = _number("NUMBA_DPEX_DEBUGINFO", 0)

TESTING_SKIP_NO_DEBUGGING: int = _number("NUMBA_DPEX_TESTING_SKIP_NO_DEBUGGING", 1)
TESTING_LOG_DEBUGGING: int = _number("NUMBA_DPEX_TESTING_LOG_DEBUGGING", 0)
