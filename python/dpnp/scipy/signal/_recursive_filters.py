"""Recursive filters: lfilter, sosfilt, filtfilt and their initial conditions.

A filter of order p has a state of p numbers, and each element depends on the one before it. Signals are cut into blocks
of a few dozen elements: the results of a block are a product of a matrix with its elements, plus one with the state
before the block. The states before all blocks are a recurrence of the same kind, with a block in place of an element,
and are computed in the same way until few blocks are left. So a signal of n elements takes log(n) products of matrices.
"""

from __future__ import annotations

import functools
import math

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, checked_array

import dpnp
from dpnp._support import host_array
from dpnp.scipy.ndimage._arguments import axis_of
from dpnp.scipy.signal._convolutions import convolve

__all__ = [
    "deconvolve", "filtfilt", "lfilter", "lfilter_zi", "lfiltic", "sosfilt", "sosfilt_zi", "sosfiltfilt",
]  # fmt: skip

# Elements of a block: more take more multiplications for each element, fewer have more states.
_BLOCK = 32


def _coefficients(name: str, b: object, a: object) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The coefficients on the host, divided by the first of the denominator."""
    b, a = (numpy.atleast_1d(host_array(x)) for x in (b, a))
    for what, x in (("b", b), ("a", a)):
        if x.ndim != 1 or x.size == 0:
            raise ValueError(f"{name}: {what} must be coefficients along one axis, got shape {x.shape}")
    if a[0] == 0:
        raise ValueError(f"{name}: the first coefficient of a must not be 0")
    dtype = numpy.result_type(b.dtype, a.dtype)
    if dtype.kind not in "fc" or dtype == numpy.float16:
        dtype = numpy.result_type(dtype, numpy.float64 if dtype.kind not in "fc" else numpy.float32)
    return (b / a[0]).astype(dtype), (a / a[0]).astype(dtype)


@functools.lru_cache(maxsize=64)
def _transition(b: tuple, a: tuple) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The matrices A and B of the state z after an element x: A z + B x. The result is z[0] + b[0] x."""
    p = max(len(a), len(b)) - 1
    b, a = (numpy.array(x + (0,) * (p + 1 - len(x))) for x in (b, a))
    step = numpy.eye(p, k=1, dtype=a.dtype)
    step[:, 0] -= a[1:]
    return step, b[1:] - a[1:] * b[0]


def _poles(a: numpy.ndarray) -> numpy.ndarray:
    """The poles of 1 / a, by Aberth's iteration in long double from the eigenvalues of the companion matrix."""
    poles = numpy.roots(a).astype(numpy.clongdouble)
    slope = numpy.polyder(a.astype(numpy.clongdouble))
    for _ in range(6):
        newton = numpy.polyval(a.astype(numpy.clongdouble), poles)
        with numpy.errstate(all="ignore"):
            newton /= numpy.polyval(slope, poles)
            between = 1 / (poles[:, None] - poles + numpy.diag(numpy.full(poles.size, numpy.inf)))
            change = newton / (1 - newton * between.sum(axis=1))
        poles = numpy.where(numpy.isfinite(change), poles - change, poles)
    return poles


@functools.lru_cache(maxsize=64)
def _realisation(a: tuple) -> tuple[numpy.ndarray, ...]:
    """The filter 1 / a as filters of first and second order, one after the other: the matrices A and B of the state
    w A + x B after an element x, and C of the result w C + x.

    Powers of the matrix of the usual state, `_transition`, lose all digits where poles are close to each other.
    """
    whole = numpy.trim_zeros(numpy.array(a), "b")
    sections = []
    for start, pole in zip(numpy.roots(whole), _poles(whole), strict=True):
        if numpy.iscomplexobj(whole):
            sections.append([-pole])
        elif start.imag == 0:
            sections.append([-pole.real])
        elif start.imag > 0:
            sections.append([-2 * pole.real, pole.real**2 + pole.imag**2])
    step, inward, outward = numpy.zeros((0, 0)), numpy.zeros(0), numpy.zeros(0)
    for section in sections:
        own = -numpy.array(section).astype(whole.dtype)
        of_own = numpy.eye(own.size, k=-1, dtype=own.dtype)
        of_own[0] += own
        step = numpy.block([[step, outward[:, None] * own], [numpy.zeros((own.size, step.shape[0])), of_own]])
        inward, outward = numpy.concatenate([inward, own]), numpy.concatenate([outward, numpy.eye(own.size)[0]])
    return step, inward, outward


@functools.lru_cache(maxsize=64)
def _block(a: tuple, length: int) -> tuple[numpy.ndarray, ...]:
    """The matrices of a block: its results and the state after it, of its elements and of the state before it."""
    step, inward, outward = _realisation(a)
    of_state, of_element = [outward], [inward]
    for _ in range(length - 1):
        of_state.append(step @ of_state[-1])
        of_element.append(of_element[-1] @ step)
    response = numpy.array([1, *(inward @ column for column in of_state[:-1])])
    positions = numpy.arange(length)
    distance = positions - positions[:, None]
    results = numpy.where(distance >= 0, response[distance], 0)
    return (
        results,
        numpy.stack(of_state, axis=1),
        numpy.stack(of_element[::-1]),
        numpy.linalg.matrix_power(step, length),
    )


def _placed(x: numpy.ndarray, like: dpnp_ndarray) -> dpnp_ndarray:
    return as_dpnp(dpt.asarray(x.astype(like.dtype), usm_type=like.usm_type, sycl_queue=like.sycl_queue))


@functools.lru_cache(maxsize=64)
def _group(dtype: str, power: bytes, size: int) -> tuple[numpy.ndarray, ...]:
    """The matrices of a group of states: its states, of the state before it and of what is added to its members; the
    state after it, of what is added, and of the state before it. `power` has the elements of a square matrix.
    """
    step = numpy.frombuffer(power, dtype)
    step = step.reshape(math.isqrt(step.size), -1)
    powers = [numpy.eye(len(step), dtype=dtype)]
    for _ in range(size):
        powers.append(powers[-1] @ step)
    positions = numpy.arange(size)
    distance = positions - positions[:, None]  # of a later member from an earlier one
    stacked = numpy.stack(powers)
    within = numpy.where((distance > 0)[..., None, None], stacked[numpy.maximum(distance - 1, 0)], 0)
    within = within.transpose(0, 2, 1, 3).reshape(size * len(step), -1)
    return numpy.concatenate(powers[:size], axis=1), within, numpy.concatenate(powers[size - 1 :: -1]), powers[size]


def _states(power: numpy.ndarray, added: dpnp_ndarray, first: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The states w[k + 1] = w[k] power + added[:, k] for k from 0, and the last one, of each row."""
    rows, count, p = added.shape
    size = min(count, max(2, 64 // p))
    before, within, whole, all_steps = _group(power.dtype.str, power.tobytes(), size)
    groups, rest = divmod(count, size)
    grouped = dpnp.reshape(added[:, : groups * size], (rows, groups, size * p))
    if groups == 1:
        starts, last = first[:, None, :], first @ _placed(all_steps, added) + grouped[:, 0] @ _placed(whole, added)
    else:
        starts, last = _states(all_steps, grouped @ _placed(whole, added), first)
    found = grouped @ _placed(within, added) + starts @ _placed(before, added)
    found = dpnp.reshape(found, (rows, groups * size, p))
    if rest:
        more, last = _states(power, added[:, groups * size :], last)
        found = dpnp.concatenate([found, more], axis=1)
    return found, last


def _divided(a: tuple, x: dpnp_ndarray) -> dpnp_ndarray:
    """Rows of elements, filtered by 1 / a."""
    rows, n = x.shape
    made = []
    states = _realisation(a)[1].size
    state = dpnp.zeros((rows, states), dtype=x.dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue)
    for start, length in ((0, _BLOCK), (n - n % _BLOCK, n % _BLOCK)):
        count = (n - start) // length if length else 0
        if count == 0:
            continue
        results, of_state, of_elements, power = _block(a, length)
        blocks = dpnp.reshape(x[:, start : start + count * length], (rows, count, length))
        before, state = _states(power, blocks @ _placed(of_elements, x), state)
        found = blocks @ _placed(results, x) + before @ _placed(of_state, x)
        made.append(dpnp.reshape(found, (rows, count * length)))
    return made[0] if len(made) == 1 else dpnp.concatenate(made, axis=1)


def _state_after(
    b: numpy.ndarray, a: numpy.ndarray, x: dpnp_ndarray, y: dpnp_ndarray, first: dpnp_ndarray
) -> dpnp_ndarray:
    """The state after the elements of rows, of the last elements and results."""
    p, n = first.shape[1], x.shape[1]
    few = min(p, n)
    weights = numpy.zeros((2, few, p), dtype=a.dtype)
    for i in range(p):
        for j in range(i + 1, min(p, i + few) + 1):
            position = few - (j - i)
            weights[0, position, i] = b[j] if j < b.size else 0
            weights[1, position, i] = -a[j] if j < a.size else 0
    last = x[:, n - few :] @ _placed(weights[0], x) + y[:, n - few :] @ _placed(weights[1], x)
    if n < p:
        last[:, : p - n] += first[:, n:]
    return last


def _recursive(
    b: numpy.ndarray, a: numpy.ndarray, x: dpnp_ndarray, axis: int, state: dpnp_ndarray | None
) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Filter along an axis. Returns the results, and with a state the one after them, whose axis has length p."""
    p = max(a.size, b.size) - 1
    moved = dpnp.moveaxis(x, axis, -1)
    shape = moved.shape
    rows = dpnp.reshape(moved, (-1, shape[-1]))
    unknown = None
    if not bool(bound.isfinite(rows).all()):  # products of matrices would spread them over their blocks
        unknown = bound.logical_or.accumulate(bound.logical_not(bound.isfinite(rows)), axis=1)
        rows = dpnp.where(bound.isfinite(rows), rows, 0)
    if state is None:
        first = dpnp.zeros((rows.shape[0], p), dtype=x.dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue)
    else:
        first = dpnp.reshape(dpnp.moveaxis(state, axis, -1), (-1, p))
    found = _divided(tuple(a.tolist()), _weighted(b, rows, 1, None if state is None else first, p)[0])
    if unknown is not None:
        found = dpnp.where(unknown, numpy.nan, found)
    last = first if state is None else _state_after(b, a, rows, found, first)
    found = dpnp.moveaxis(dpnp.reshape(found, shape), -1, axis)
    return found, dpnp.moveaxis(dpnp.reshape(last, (*shape[:-1], p)), -1, axis)


def _signal(name: str, x: object, *others: numpy.ndarray | dpnp_ndarray) -> dpnp_ndarray:
    """The signal, of the dtype that it is filtered in."""
    x = as_dpnp(checked_array(name, x))
    dtype = numpy.result_type(x.dtype, *(other.dtype for other in others))
    if x.ndim == 0:
        raise ValueError(f"{name}: x must have at least one axis, got a 0-d array")
    return dpnp.astype(x, dtype, copy=False)


def lfilter(
    b: object, a: object, x: object, axis: int = -1, zi: object = None
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Filter a signal along an axis: a[0] y[n] = b[0] x[n] + b[1] x[n - 1] + … - a[1] y[n - 1] - …

    Elements from one that is not finite on are NaN if the filter is recursive.

    Parameters
    ----------
    b, a : array_like
        The coefficients of the numerator and the denominator, parameters on the host.
    x : ndarray
        The signal.
    axis : int, optional
        The axis.
    zi : ndarray, optional
        The state before the first element, as `lfilter_zi` and `lfiltic` return it: the shape of x, with length
        max(len(a), len(b)) - 1 along the axis.

    Returns
    -------
    y : ndarray
        The filtered signal, of the shape of x.
    zf : ndarray
        The state after the last element; only with `zi`.

    Raises
    ------
    ValueError
        For coefficients of another number of axes than one, a[0] of 0, and a state of another shape.
    TypeError
        When `x` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.lfilter([1.0], [1.0, -0.5], np.array([1.0, 0.0, 0.0, 1.0]))
    array([1.   , 0.5  , 0.25 , 1.125])
    """
    name = "lfilter"
    b, a = _coefficients(name, b, a)
    state = None if zi is None else as_dpnp(checked_array(name, zi))
    x = _signal(name, x, b, a, *(() if state is None else (state,)))
    axis = axis_of(name, axis, x.ndim)
    p = max(a.size, b.size) - 1
    if state is not None:
        expected = (*x.shape[:axis], p, *x.shape[axis + 1 :])
        if (state.ndim == 1 and x.ndim > 1) or state.ndim != x.ndim:
            raise ValueError(f"{name}: zi must have {x.ndim} axes, as x, got shape {state.shape}")
        if any(m not in (1, n) for m, n in zip(state.shape, expected, strict=True)) or state.shape[axis] != p:
            raise ValueError(f"{name}: zi must have shape {expected}, got {state.shape}")
        state = dpnp.broadcast_to(dpnp.astype(state, x.dtype, copy=False), expected)
    if p == 0 or x.size == 0:
        y, last = x * b[0].item(), dpnp.zeros_like(x[:0]) if state is None else state
    elif not a[1:].any():
        y, last = _weighted(b[: p + 1], x, axis, state, p)
    else:
        y, last = _recursive(b, a, x, axis, state)
    return y if state is None else (y, last)


def _weighted(
    b: numpy.ndarray, x: dpnp_ndarray, axis: int, state: dpnp_ndarray | None, p: int
) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """A filter without recursion, and the state after it, whose axis has length p."""
    weights = numpy.zeros(p + 1, dtype=b.dtype)
    weights[: b.size] = b
    weights = _placed(weights.reshape([-1 if i == axis else 1 for i in range(x.ndim)]), x)
    whole = dpnp.moveaxis(convolve(x, weights), axis, 0)
    if state is not None:
        whole[:p] += dpnp.moveaxis(state, axis, 0)
    n = x.shape[axis]
    return dpnp.moveaxis(whole[:n], 0, axis), dpnp.moveaxis(whole[n:], 0, axis)


def _steady_state(b: numpy.ndarray, a: numpy.ndarray) -> numpy.ndarray:
    """The state of a filter that ones have been given to for a long time."""
    step, inward = _transition(tuple(b.tolist()), tuple(a.tolist()))
    return numpy.linalg.solve(numpy.eye(len(step)) - step, inward)


def lfilter_zi(b: object, a: object) -> dpnp_ndarray:
    """Return the state of `lfilter` for a signal that has been 1 for a long time.

    Parameters
    ----------
    b, a : array_like
        The coefficients.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.lfilter_zi([0.5], [1.0, -0.5])
    array([0.5])
    """
    b, a = _coefficients("lfilter_zi", b, a)
    return as_dpnp(dpt.asarray(_steady_state(b, a)))


def lfiltic(b: object, a: object, y: object, x: object = None) -> dpnp_ndarray:
    """Return the state of `lfilter` after given results and elements.

    Parameters
    ----------
    b, a : array_like
        The coefficients.
    y, x : array_like
        The last results and the last elements, the newest first; 0 where there are fewer than the coefficients need.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.lfiltic([1.0], [1.0, -0.5], [2.0])
    array([1.])
    """
    b, a = _coefficients("lfiltic", b, a)
    past = [numpy.atleast_1d(host_array([0.0] if z is None else z)) for z in (y, x)]
    p = max(a.size, b.size) - 1
    state = numpy.zeros(p, dtype=numpy.result_type(b.dtype, *(z.dtype for z in past)))
    for weights, values in ((-a, past[0]), (b, past[1])):
        for i in range(p):
            part = weights[i + 1 :][: values.size]
            state[i] += part @ values[: part.size]
    return as_dpnp(dpt.asarray(state))


def _sections(name: str, sos: object) -> numpy.ndarray:
    sos = host_array(sos)
    if sos.ndim != 2 or sos.shape[1] != 6 or not (sos[:, 3] == 1).all():
        raise ValueError(f"{name}: sos must be rows of 6 numbers, of which the fourth is 1, got shape {sos.shape}")
    return sos if sos.dtype.kind in "fc" else sos.astype(numpy.float64)


def sosfilt(
    sos: object, x: object, axis: int = -1, zi: object = None
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Filter a signal along an axis by filters of second order, one after the other.

    Parameters
    ----------
    sos : array_like
        The coefficients, a row of 6 for each filter: those of `b`, and those of `a`, of which the first is 1.
    x : ndarray
        The signal.
    axis : int, optional
        The axis.
    zi : ndarray, optional
        The states before the first element: the shape of x, with length 2 along the axis, behind an axis for the
        filters.

    Returns
    -------
    y : ndarray
        The filtered signal.
    zf : ndarray
        The states after the last element; only with `zi`.

    Raises
    ------
    ValueError
        For coefficients or states of another shape.
    TypeError
        When `x` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.sosfilt([[1.0, 0.0, 0.0, 1.0, -0.5, 0.0]], np.array([1.0, 0.0, 0.0]))
    array([1.  , 0.5 , 0.25])
    """
    name = "sosfilt"
    sos = _sections(name, sos)
    state = None if zi is None else as_dpnp(checked_array(name, zi))
    y = _signal(name, x, sos, *(() if state is None else (state,)))
    axis = axis_of(name, axis, y.ndim)
    if state is None:
        for row in sos:
            y = lfilter(row[:3], row[3:], y, axis)
        return y
    expected = (len(sos), *y.shape[:axis], 2, *y.shape[axis + 1 :])
    if state.shape != expected:
        raise ValueError(f"{name}: zi must have shape {expected}, got {state.shape}")
    after = []
    for row, before in zip(sos, state, strict=True):
        y, last = lfilter(row[:3], row[3:], y, axis, before)
        after.append(last)
    return y, dpnp.stack(after)


def _steady_states(sos: numpy.ndarray) -> numpy.ndarray:
    """The states of the filters that ones have been given to for a long time."""
    scale, states = 1.0, []
    for row in sos:
        states.append(scale * _steady_state(row[:3], row[3:]))
        scale *= row[:3].sum() / row[3:].sum()
    return numpy.array(states)


def sosfilt_zi(sos: object) -> dpnp_ndarray:
    """Return the states of `sosfilt` for a signal that has been 1 for a long time, of shape (filters, 2).

    >>> import dpnp as np
    >>> np.scipy.signal.sosfilt_zi([[0.5, 0.0, 0.0, 1.0, -0.5, 0.0]])
    array([[0.5, 0. ]])
    """
    return as_dpnp(dpt.asarray(_steady_states(_sections("sosfilt_zi", sos))))


def _extended(
    name: str, x: dpnp_ndarray, axis: int, padtype: str | None, padlen: int | None, default: int
) -> tuple[dpnp_ndarray, int]:
    """The signal, extended at both ends, and by how many elements."""
    if padtype not in ("odd", "even", "constant", None):
        raise ValueError(f"{name}: padtype must be 'odd', 'even', 'constant' or None, got {padtype!r}")
    edge = 0 if padtype is None else default if padlen is None else padlen
    if x.shape[axis] <= edge:
        raise ValueError(f"{name}: the axis must be longer than padlen, {edge}, got length {x.shape[axis]}")
    if edge == 0:
        return x, 0
    width = [(edge, edge) if i == axis else (0, 0) for i in range(x.ndim)]
    if padtype == "constant":
        return dpnp.pad(x, width, mode="edge"), edge
    return dpnp.pad(x, width, mode="reflect", reflect_type=padtype), edge


def _forth_and_back(pass_once: object, x: dpnp_ndarray, axis: int, edge: int) -> dpnp_ndarray:
    """Filter forwards and backwards, and cut the extension off. `pass_once` takes a signal and its first element."""
    for _ in range(2):
        first = dpnp.moveaxis(dpnp.moveaxis(x, axis, 0)[:1], 0, axis)
        x = dpnp.flip(pass_once(x, first), axis)
    moved = dpnp.moveaxis(x, axis, 0)
    return dpnp.moveaxis(moved[edge : moved.shape[0] - edge], 0, axis)


def filtfilt(
    b: object,
    a: object,
    x: object,
    axis: int = -1,
    padtype: str | None = "odd",
    padlen: int | None = None,
    method: str = "pad",
    irlen: None = None,
) -> dpnp_ndarray:
    """Filter a signal forwards and backwards, so that its phase is unchanged.

    Parameters
    ----------
    b, a : array_like
        The coefficients.
    x : ndarray
        The signal.
    axis : int, optional
        The axis.
    padtype : {'odd', 'even', 'constant', None}, optional
        How the signal is extended at both ends.
    padlen : int, optional
        The number of elements of an extension, by default three times that of the coefficients.
    method : {'pad'}, optional
        Only this method.

    Raises
    ------
    ValueError
        For an axis that is not longer than the extension, and other values of `padtype`.
    NotImplementedError
        For other values of `method`.
    TypeError
        When `x` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.filtfilt([0.5, 0.5], [1.0], np.arange(8.0))
    array([0., 1., 2., 3., 4., 5., 6., 7.])
    """
    name = "filtfilt"
    if method != "pad":
        raise NotImplementedError(f"{name}: method must be 'pad', got {method!r}")
    b, a = _coefficients(name, b, a)
    x = _signal(name, x, b, a)
    axis = axis_of(name, axis, x.ndim)
    extended, edge = _extended(name, x, axis, padtype, padlen, 3 * max(a.size, b.size))
    shape = [-1 if i == axis else 1 for i in range(x.ndim)]
    state = _placed(_steady_state(b, a).reshape(shape), extended)
    return _forth_and_back(lambda y, first: lfilter(b, a, y, axis, state * first)[0], extended, axis, edge)


def sosfiltfilt(
    sos: object, x: object, axis: int = -1, padtype: str | None = "odd", padlen: int | None = None
) -> dpnp_ndarray:
    """Filter a signal forwards and backwards by filters of second order. The arguments are those of `filtfilt`.

    >>> import dpnp as np
    >>> np.scipy.signal.sosfiltfilt([[0.5, 0.5, 0.0, 1.0, 0.0, 0.0]], np.arange(8.0))
    array([0., 1., 2., 3., 4., 5., 6., 7.])
    """
    name = "sosfiltfilt"
    sos = _sections(name, sos)
    x = _signal(name, x, sos)
    axis = axis_of(name, axis, x.ndim)
    taps = 2 * len(sos) + 1 - min((sos[:, 2] == 0).sum(), (sos[:, 5] == 0).sum())
    extended, edge = _extended(name, x, axis, padtype, padlen, int(3 * taps))
    shape = [len(sos), *(2 if i == axis else 1 for i in range(x.ndim))]
    state = _placed(_steady_states(sos).reshape(shape), extended)
    return _forth_and_back(lambda y, first: sosfilt(sos, y, axis, state * first)[0], extended, axis, edge)


def deconvolve(signal: object, divisor: object) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the quotient and the remainder of a signal that was convolved with the divisor.

    Parameters
    ----------
    signal : ndarray
        The signal, with one axis.
    divisor : array_like
        The divisor, parameters on the host.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.deconvolve(np.array([1.0, 3.0, 3.0, 1.0]), [1.0, 1.0])
    (array([1., 2., 1.]), array([0., 0., 0., 0.]))
    """
    name = "deconvolve"
    _, weights = _coefficients(name, [1.0], divisor)
    whole = numpy.atleast_1d(host_array(divisor))
    signal = _signal(name, signal, weights)
    if signal.ndim != 1:
        raise ValueError(f"{name}: the signal must have one axis, got {signal.ndim}")
    if whole.size > signal.size:
        return signal[:0], signal
    quotient = lfilter([1.0], whole, signal)[: signal.size - whole.size + 1]
    return quotient, signal - convolve(quotient, _placed(whole, signal))
