"""Collection by Intel's tracing tools within a block."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_VARIABLE = "PTI_ENABLE_COLLECTION"


@contextmanager
def onetrace_enabled() -> Iterator[None]:
    """Enable the collection of ``onetrace`` and ``unitrace`` within a `with` block.

    The tools, which start the interpreter with ``--conditional-collection``, read the environment variable
    ``PTI_ENABLE_COLLECTION``. Devices that they do not know are not collected; `dpep` has its own trace.

    Examples
    --------
    >>> import os
    >>> from dpctl.utils import onetrace_enabled
    >>> with onetrace_enabled():
    ...     os.environ["PTI_ENABLE_COLLECTION"]
    '1'
    """
    saved = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "1"
    try:
        yield
    finally:
        if saved is None:
            os.environ.pop(_VARIABLE, None)
        else:
            os.environ[_VARIABLE] = saved
