"""Compute follows data: the arguments determine the queue of a function and the kind of memory of its result."""

from collections.abc import Sequence

from dpep._core import SyclQueue

# In the order of precedence for results.
_USM_TYPES = ("device", "shared", "host")


class ExecutionPlacementError(ValueError):
    """Raised when the arguments do not determine one queue. A ValueError, because programs with dpnp catch that."""

    def __init__(self, *args: object) -> None:  # gives inspect.signature a signature
        super().__init__(*args)


def _check_sequence(function: str, x: object) -> None:
    if not isinstance(x, (list, tuple)):
        raise TypeError(f"{function}: expected a list or tuple, got {type(x).__name__}")


def get_execution_queue(qs: Sequence[SyclQueue], /) -> SyclQueue | None:
    """Return the queue if all queues of a sequence are the same, else None; None also for an empty sequence.

    Parameters
    ----------
    qs : list or tuple of SyclQueue
        The queues of the arguments of a function.

    Raises
    ------
    TypeError
        When the argument is not a list or tuple.

    Examples
    --------
    >>> import dpctl
    >>> q = dpctl.SyclQueue()
    >>> dpctl.utils.get_execution_queue([q, q]) is q
    True
    >>> dpctl.utils.get_execution_queue([q, dpctl.SyclQueue()]) is None
    True
    """
    _check_sequence("get_execution_queue", qs)
    if not qs or not isinstance(qs[0], SyclQueue):
        return None
    first = qs[0]
    for q in qs:
        if q is not first and q != first:
            return None
    return first


def get_coerced_usm_type(usm_types: Sequence[str], /) -> str | None:
    """Return the kind of memory of a result for those of the arguments: device before shared before host.

    Parameters
    ----------
    usm_types : list or tuple of str
        Items 'device', 'shared' or 'host'.

    Returns
    -------
    str or None
        None when the sequence is empty or has other items.

    Raises
    ------
    TypeError
        When the argument is not a list or tuple.

    Examples
    --------
    >>> import dpctl
    >>> dpctl.utils.get_coerced_usm_type(["host", "shared"])
    'shared'
    """
    _check_sequence("get_coerced_usm_type", usm_types)
    if not usm_types or not all(isinstance(t, str) and t in _USM_TYPES for t in usm_types):
        return None
    return min(usm_types, key=_USM_TYPES.index)


def validate_usm_type(usm_type: str | None, /, *, allow_none: bool = True) -> None:
    """Raise an exception unless the argument is the name of a kind of USM memory.

    Parameters
    ----------
    usm_type : str or None
        The argument.
    allow_none : bool, optional
        Whether None is also allowed.

    Raises
    ------
    TypeError
        For an argument of another type.
    ValueError
        For another str.

    Examples
    --------
    >>> import dpctl
    >>> dpctl.utils.validate_usm_type("device")
    """
    if usm_type is None and allow_none:
        return
    if not isinstance(usm_type, str):
        raise TypeError(f"usm_type must be a str{' or None' if allow_none else ''}, got {type(usm_type).__name__}")
    if usm_type not in _USM_TYPES:
        raise ValueError(f"usm_type {usm_type!r} is not one of {', '.join(_USM_TYPES)}")
