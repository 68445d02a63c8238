"""String representations of arrays. NumPy formats the elements; only the shown ones are copied to the host."""

import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product

import numpy
from dpep._array import array_base, asnumpy, usm_ndarray

_options: dict[str, object] = {
    "linewidth": 75,
    "edgeitems": 3,
    "threshold": 1000,
    "precision": 8,
    "floatmode": "maxprec",
    "suppress": False,
    "nanstr": "nan",
    "infstr": "inf",
    "sign": "-",
    "formatter": None,
}
_CHOICES = {"sign": ("-", "+", " "), "floatmode": ("fixed", "unique", "maxprec", "maxprec_equal")}
_PLAIN = {numpy.dtype(t) for t in ("bool", "int64", "float64", "complex128")}  # not shown in a repr


def _checked(numpy_options: bool, **given: object) -> dict[str, object]:
    """Return the given options, checked, in addition to NumPy's when `numpy_options` is true."""
    checked = {k: v for k, v in numpy.get_printoptions().items() if k in _options} if numpy_options else {}
    for name, value in given.items():
        if value is None:
            continue
        if name in ("linewidth", "edgeitems", "threshold", "precision"):
            value = operator.index(value)
        elif name in ("nanstr", "infstr"):
            if not isinstance(value, str):
                raise TypeError(f"{name} must be a str, got {type(value).__name__}")
        elif name == "suppress":
            value = bool(value)
        elif name == "formatter":
            if not isinstance(value, Mapping) or not all(f is None or callable(f) for f in value.values()):
                raise TypeError(f"formatter must be a dict of functions, got {value!r}")
        elif value not in _CHOICES[name]:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, _CHOICES[name]))}, got {value!r}")
        checked[name] = value
    return checked


def set_print_options(
    linewidth: int | None = None,
    edgeitems: int | None = None,
    threshold: int | None = None,
    precision: int | None = None,
    floatmode: str | None = None,
    suppress: bool | None = None,
    nanstr: str | None = None,
    infstr: str | None = None,
    sign: str | None = None,
    numpy: bool = False,
    *,
    formatter: Mapping[str, Callable[[object], str]] | None = None,
) -> None:
    """Set the options for string representations of arrays. None leaves an option unchanged, except `formatter`.

    Parameters
    ----------
    linewidth : int
        Characters in a line.
    edgeitems : int
        Elements at each end of an axis when the array is abbreviated.
    threshold : int
        Arrays with more elements are abbreviated.
    precision : int
        Digits after the point.
    floatmode : {'fixed', 'unique', 'maxprec', 'maxprec_equal'}
        How many digits are shown; as in `numpy.set_printoptions`.
    suppress : bool
        Whether to show small numbers as 0 rather than with an exponent.
    nanstr, infstr : str
        Texts for not-a-number and infinity.
    sign : {'-', '+', ' '}
        Sign of positive numbers.
    numpy : bool
        Whether to use NumPy's current values of all other options.
    formatter : dict of functions
        Functions that format elements, which are NumPy's scalars, by names of kinds of elements; as in
        `numpy.set_printoptions`, also that every call replaces it.

    Raises
    ------
    TypeError, ValueError
        For a value of another type, or one that is not among the choices.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> with dpt.print_options():  # restores the options at the end
    ...     dpt.set_print_options(precision=3)
    ...     print(dpt.asarray(1 / 3))
    0.333
    """
    checked = _checked(
        numpy,
        linewidth=linewidth,
        edgeitems=edgeitems,
        threshold=threshold,
        precision=precision,
        floatmode=floatmode,
        suppress=suppress,
        nanstr=nanstr,
        infstr=infstr,
        sign=sign,
        formatter=formatter,
    )
    _options.update({"formatter": None} | checked)


def get_print_options() -> dict[str, object]:
    """Return a copy of the print options, by the names of `set_print_options`' parameters.

    >>> import dpctl.tensor as dpt
    >>> dpt.get_print_options()["threshold"]
    1000
    """
    return dict(_options)


@contextmanager
def print_options(*args: object, **kwargs: object) -> Iterator[dict[str, object]]:
    """Set print options for a `with` block, as `set_print_options`. The block's target is a dict of all options.

    >>> import dpctl.tensor as dpt
    >>> with dpt.print_options(precision=2):
    ...     print(dpt.asarray(1 / 3))
    0.33
    """
    before = get_print_options()
    try:
        set_print_options(*args, **kwargs)
        yield get_print_options()
    finally:
        _options.update(before)


def _edges(x: usm_ndarray, edge_items: int) -> numpy.ndarray:
    """Return the elements that an abbreviated text shows, with one more between the edges of abbreviated axes."""
    kept = 2 * edge_items + 1
    if max(x.shape) <= kept:
        return asnumpy(x)
    shown = numpy.empty([min(n, kept) for n in x.shape], dtype=x.dtype)
    everything = (slice(None),)
    ends = (slice(edge_items), slice(-edge_items, None)) if edge_items else (slice(-1, None),)
    for corner in product(*(ends if n > kept else everything for n in x.shape)):
        shown[corner] = asnumpy(x[corner])
    return shown


def _checked_array(x: object) -> usm_ndarray:
    if not isinstance(x, array_base):
        raise TypeError(f"x must be a usm_ndarray, got {type(x).__name__}")
    return x


def usm_ndarray_str(
    x: usm_ndarray,
    line_width: int | None = None,
    edge_items: int | None = None,
    threshold: int | None = None,
    precision: int | None = None,
    floatmode: str | None = None,
    suppress: bool | None = None,
    sign: str | None = None,
    numpy: bool = False,
    separator: str = " ",
    prefix: str = "",
    suffix: str = "",
    *,
    formatter: Mapping[str, Callable[[object], str]] | None = None,
) -> str:
    """Return the elements of an array as text.

    Parameters
    ----------
    x : usm_ndarray
        The array.
    line_width, edge_items, threshold, precision, floatmode, suppress, sign, numpy, formatter
        As `set_print_options`' linewidth, edgeitems and so on, for this call.
    separator : str
        Separator of elements.
    prefix, suffix : str
        Texts that the caller adds before and after; the line width includes them.

    Raises
    ------
    TypeError, ValueError
        When `x` is not an array, and as in `set_print_options`.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.usm_ndarray_str(dpt.arange(3), separator=", ")
    '[0, 1, 2]'
    """
    return _text(
        _checked_array(x),
        _checked(
            numpy,
            linewidth=line_width,
            edgeitems=edge_items,
            threshold=threshold,
            precision=precision,
            floatmode=floatmode,
            suppress=suppress,
            sign=sign,
            formatter=formatter,
        ),
        separator,
        prefix,
        suffix,
    )


def _text(x: usm_ndarray, given: dict[str, object], separator: str, prefix: str, suffix: str) -> str:
    options = _options | given
    if x.size > options["threshold"]:
        elements = _edges(x, options["edgeitems"])
        options["threshold"] = 0  # abbreviates the small array, too
    else:
        elements = asnumpy(x)
    with numpy.printoptions(**options):
        return numpy.array2string(elements, separator=separator, prefix=prefix, suffix=suffix)


def usm_ndarray_repr(
    x: usm_ndarray,
    line_width: int | None = None,
    precision: int | None = None,
    suppress: bool | None = None,
    prefix: str = "usm_ndarray",
) -> str:
    """Return the representation of an array, as `repr`.

    Parameters
    ----------
    x : usm_ndarray
        The array.
    line_width, precision, suppress
        As `set_print_options`' linewidth and so on, for this call.
    prefix : str
        The name before the parenthesis.

    Raises
    ------
    TypeError, ValueError
        When `x` is not an array, and as in `set_print_options`.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.usm_ndarray_repr(dpt.arange(3, dtype="i2"), prefix="x")
    'x([0, 1, 2], dtype=int16)'
    """
    return representation(x, line_width, precision, suppress, prefix, False)


def representation(
    x: usm_ndarray,
    line_width: int | None,
    precision: int | None,
    suppress: bool | None,
    prefix: str,
    joined: bool,
) -> str:
    """Return the representation of an array. `joined`: shape and dtype are in one line, as NumPy's."""
    _checked_array(x)
    if not isinstance(prefix, str):
        raise TypeError(f"prefix must be a str, got {type(prefix).__name__}")
    given = _checked(False, linewidth=line_width, precision=precision, suppress=suppress)
    width = given.get("linewidth", _options["linewidth"])
    start = prefix + "("
    text = _text(x, given, ", ", start, ")")
    details = []
    if (x.size == 0 and x.shape != (0,)) or x.size > _options["threshold"]:
        details.append(f"shape={x.shape}")
    if x.dtype not in _PLAIN or x.size == 0:
        details.append(f"dtype={x.dtype.name}")
    if not details:
        return start + text + ")"
    text = start + text + ","
    last_line = len(text) - (text.rfind("\n") + 1)
    parts = [", ".join(details)] if joined else details
    endings = [each + "," for each in parts[:-1]] + [parts[-1] + ")"]
    for each in endings:
        text += ("\n" + " " * len(start) if last_line + len(each) + 1 > width else " ") + each
    return text
