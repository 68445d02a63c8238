"""Window functions: weights of samples that decrease towards both ends."""

from __future__ import annotations

import math

import dpctl
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def _places(name: str, M: object, place: dict[str, object]) -> dpnp_ndarray:
    """`M` evenly spaced numbers from -1 to 1."""
    try:
        count = int(M)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: M must be an int, got {type(M).__name__}") from None
    place["usm_type"] = place["usm_type"] or "device"
    if count < 1:
        return as_dpnp(dpt.empty(0, **place))
    if count == 1:
        return as_dpnp(dpt.zeros(1, **place))
    return as_dpnp(dpt.arange(1 - count, count, 2, dtype=dpt.ones(0, **place).dtype, **place)) / (count - 1)


def bartlett(
    M: int, device: object = None, usm_type: str | None = None, sycl_queue: dpctl.SyclQueue | None = None
) -> dpnp_ndarray:
    """Return the Bartlett window: a triangle, 0 at the ends.

    `M` is the number of weights; the other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return 1 - bound.abs(_places("bartlett", M, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}))


def hanning(
    M: int, device: object = None, usm_type: str | None = None, sycl_queue: dpctl.SyclQueue | None = None
) -> dpnp_ndarray:
    """Return the Hann window: a raised cosine, 0 at the ends.

    `M` is the number of weights; the other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.hanning(3)
    array([0., 1., 0.])
    """
    x = _places("hanning", M, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue})
    return 0.5 + 0.5 * bound.cos(math.pi * x)


def hamming(
    M: int, device: object = None, usm_type: str | None = None, sycl_queue: dpctl.SyclQueue | None = None
) -> dpnp_ndarray:
    """Return the Hamming window: a raised cosine, 0.08 at the ends.

    `M` is the number of weights; the other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.hamming(3)
    array([0.08, 1.  , 0.08])
    """
    x = _places("hamming", M, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue})
    return 0.54 + 0.46 * bound.cos(math.pi * x)


def blackman(
    M: int, device: object = None, usm_type: str | None = None, sycl_queue: dpctl.SyclQueue | None = None
) -> dpnp_ndarray:
    """Return the Blackman window: a sum of two cosines, 0 at the ends.

    `M` is the number of weights; the other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.blackman(3).round(6)
    array([-0.,  1., -0.])
    """
    x = _places("blackman", M, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue})
    return 0.42 + 0.5 * bound.cos(math.pi * x) + 0.08 * bound.cos(2 * math.pi * x)


def kaiser(
    M: int,
    beta: float,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: dpctl.SyclQueue | None = None,
) -> dpnp_ndarray:
    """Return the Kaiser window, by Bessel functions: the larger `beta`, the narrower the window.

    `M` is the number of weights; the other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.kaiser(3, 14).round(6)
    array([8.e-06, 1.e+00, 8.e-06])
    """
    x = _places("kaiser", M, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue})
    return bound.i0(float(beta) * bound.sqrt(1 - bound.square(x))) / bound.i0(dpt.full_like(x, float(beta)))
