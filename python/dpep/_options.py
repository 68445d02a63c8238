"""Options of the program."""

from __future__ import annotations

from typing import Literal, Self

from dpep import _array


class options:
    """Set options of the program, or, as a context manager, of a ``with`` block.

    The options are set at once. At the end of a ``with`` block the former ones are restored. They hold for all threads.

    Parameters
    ----------
    host_access : {"explicit", "implicit"}
        Whether ``numpy.asarray(x)``, and thus libraries that call it, may have an array's elements. With "explicit",
        the default, that is a TypeError. With "implicit", it is a view of the same memory, without a copy, on devices
        whose memory the host reads: on CPUs, and for host and shared memory. The environment variable
        ``DPEP_HOST_ACCESS=implicit`` sets it from the start.

    Raises
    ------
    ValueError
        For another value.

    Examples
    --------
    >>> import dpep, dpctl.tensor as dpt, numpy as np
    >>> x = dpt.asarray([1.0, 2.0], usm_type="shared")
    >>> with dpep.options(host_access="implicit"):
    ...     np.asarray(x)
    array([1., 2.])
    """

    def __init__(self, *, host_access: Literal["explicit", "implicit"]) -> None:
        if host_access not in ("explicit", "implicit"):
            raise ValueError(f"options: host_access must be 'explicit' or 'implicit', got {host_access!r}")
        self._former = _array.set_implicit_host_access(host_access == "implicit")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        _array.set_implicit_host_access(self._former)
