"""Messages of dpctl's C interface about calls that failed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["syclinterface_diagnostics"]


@contextmanager
def syclinterface_diagnostics(verbosity: str = "warning", log_dir: str | None = None) -> Iterator[None]:
    """Let `libDPCTLSyclInterface` print why its functions fail, within a `with` block.

    It sets the environment variable ``DPCTL_VERBOSITY``, which the library reads at each failure.

    Parameters
    ----------
    verbosity : {'error', 'warning', 'none'}, optional
        Messages of errors and warnings are printed on standard error; 'none' prints nothing.
    log_dir : str, optional
        An existing folder. No files are written to it, since there is no log.

    Raises
    ------
    ValueError
        When `verbosity` is none of these, or `log_dir` is no folder.

    Examples
    --------
    >>> import dpctl
    >>> from dpctl._diagnostics import syclinterface_diagnostics
    >>> with syclinterface_diagnostics(verbosity="error"):
    ...     _ = dpctl.SyclDevice().parent_device
    """
    if verbosity not in ("error", "warning", "none"):
        raise ValueError(f"verbosity must be 'error', 'warning' or 'none', got {verbosity!r}")
    if log_dir is not None and not os.path.isdir(log_dir):
        raise ValueError(f"log_dir must be an existing folder, got {log_dir!r}")
    saved = os.environ.get("DPCTL_VERBOSITY")
    os.environ["DPCTL_VERBOSITY"] = verbosity
    try:
        yield
    finally:
        if saved is None:
            os.environ.pop("DPCTL_VERBOSITY", None)
        else:
            os.environ["DPCTL_VERBOSITY"] = saved
