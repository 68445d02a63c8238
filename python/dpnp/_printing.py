"""String representations of arrays and integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._print import (
    get_print_options,
    print_options,
    representation,
    set_print_options,
    usm_ndarray_str,
)
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import check_default, checked_array
from numpy import base_repr, format_float_positional, format_float_scientific

__all__ = [
    "array2string", "array_repr", "array_str", "base_repr", "binary_repr", "format_float_positional",
    "format_float_scientific", "get_printoptions", "printoptions", "set_printoptions",
]  # fmt: skip


def _check_unsupported(function: str, legacy: object, override_repr: object = None) -> None:
    check_default(function, "legacy", legacy, None)
    check_default(function, "override_repr", override_repr, None)


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    suppress: bool | None = None,
    nanstr: str | None = None,
    infstr: str | None = None,
    formatter: Mapping[str, Callable[[object], str]] | None = None,
    sign: str | None = None,
    floatmode: str | None = None,
    *,
    legacy: None = None,
    override_repr: None = None,
) -> None:
    """Set how arrays of dpnp and dpctl.tensor are shown. NumPy's options, which are independent, stay as they are.

    Parameters
    ----------
    precision, threshold, edgeitems, linewidth, suppress, nanstr, infstr, sign, floatmode
        As in `numpy.set_printoptions`; None leaves an option as it is.
    formatter : dict of functions, optional
        As in `numpy.set_printoptions`; every call replaces it. The functions get NumPy's scalars.
    legacy, override_repr : None, optional
        Not supported.

    Raises
    ------
    NotImplementedError
        For `legacy` and `override_repr`.
    ValueError, TypeError
        For unknown values.

    Examples
    --------
    >>> import dpnp as np
    >>> with np.printoptions():
    ...     np.set_printoptions(precision=3)
    ...     print(np.array([1 / 3]))
    [0.333]
    """
    _check_unsupported("set_printoptions", legacy, override_repr)
    set_print_options(
        linewidth, edgeitems, threshold, precision, floatmode, suppress, nanstr, infstr, sign, formatter=formatter
    )


def get_printoptions() -> dict[str, object]:
    """Return the options of `set_printoptions`.

    >>> import dpnp as np
    >>> np.get_printoptions()["precision"]
    8
    """
    return get_print_options()


def printoptions(**options: object) -> object:
    """Set options of `set_printoptions` for a `with` block.

    >>> import dpnp as np
    >>> with np.printoptions(precision=2):
    ...     print(np.array([1 / 3]))
    [0.33]
    """
    unsupported = [options.pop(name, None) for name in ("legacy", "override_repr")]
    _check_unsupported("printoptions", *unsupported)
    return print_options(**options)


def array2string(
    a: object,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    *,
    formatter: Mapping[str, Callable[[object], str]] | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sign: str | None = None,
    floatmode: str | None = None,
    suffix: str = "",
    legacy: None = None,
) -> str:
    """Return the elements of an array as text. The arguments are those of `numpy.array2string`.

    Raises NotImplementedError for `legacy`.

    >>> import dpnp as np
    >>> np.array2string(np.array([1.5, 2]), separator=", ")
    '[1.5, 2. ]'
    """
    a = checked_array("array2string", a)
    _check_unsupported("array2string", legacy)
    return usm_ndarray_str(
        a,
        line_width=max_line_width,
        edge_items=edgeitems,
        threshold=threshold,
        precision=precision,
        floatmode=floatmode,
        suppress=suppress_small,
        sign=sign,
        separator=separator,
        prefix=prefix,
        suffix=suffix,
        formatter=formatter,
    )


def array_repr(
    arr: dpnp_ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the representation of an array, as `repr`. The arguments are those of `numpy.array_repr`.

    >>> import dpnp as np
    >>> np.array_repr(np.arange(2))
    'array([0, 1])'
    """
    return representation(arr, max_line_width, precision, suppress_small, "array", True)


def array_str(
    a: dpnp_ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the elements of an array as text, as `str`. The arguments are those of `numpy.array_str`.

    >>> import dpnp as np
    >>> np.array_str(np.arange(2))
    '[0 1]'
    """
    if a.ndim == 0 and precision is None and suppress_small is None:
        return str(dpt.asnumpy(a)[()])  # as in NumPy, with all digits of the number
    return usm_ndarray_str(a, line_width=max_line_width, precision=precision, suppress=suppress_small)


def binary_repr(num: int, width: int | None = None) -> str:
    """Return the binary representation of an int, as `numpy.binary_repr`; of negative ones in two's complement.

    >>> import dpnp as np
    >>> np.binary_repr(-3, 4)
    '1101'
    """
    return numpy.binary_repr(num, width)
