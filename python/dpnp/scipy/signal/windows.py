"""Window functions: weights of samples that decrease towards both ends, with the functions of scipy.signal.windows.

Windows are symmetric, or, with `sym=False`, periodic: the first M elements of the symmetric window with M + 1. The
keywords `device`, `usm_type` and `sycl_queue` are those of `dpnp.zeros`.

>>> from dpnp.scipy.signal import windows
>>> windows.hann(5)
array([0. , 0.5, 1. , 0.5, 0. ])
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp

import dpnp
from dpnp._support import named

__all__ = [
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "chebwin", "cosine", "exponential",
    "flattop", "gaussian", "general_cosine", "general_gaussian", "general_hamming", "get_window", "hamming", "hann",
    "kaiser", "kaiser_bessel_derived", "lanczos", "nuttall", "parzen", "taylor", "triang", "tukey",
]  # fmt: skip

# Names of scipy.signal.windows that there are none of.
_UNAVAILABLE = ("dpss",)


def __getattr__(name: str) -> object:
    reason = ": it is not on devices yet; use SciPy and dpnp.asarray" if name in _UNAVAILABLE else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{reason}")


_Formula = Callable[[dpnp_ndarray, int], dpnp_ndarray]


def _window(name: str, M: object, sym: bool, place: dict[str, object], formula: _Formula) -> dpnp_ndarray:
    """`formula(i, n)` of the positions i of a symmetric window with n elements."""
    try:
        count = operator.index(M)
    except TypeError:
        raise TypeError(f"{name}: M must be an int, got {type(M).__name__}") from None
    if count < 0:
        raise ValueError(f"{name}: M must not be negative, got {count}")
    place = {k: v for k, v in place.items() if v is not None}
    if count < 2:
        return as_dpnp(dpt.ones(count, **place))
    n = count if sym else count + 1
    i = as_dpnp(dpt.arange(n, dtype=dpt.ones(0, **place).dtype, **place))
    made = as_dpnp(formula(i, n))
    return made if sym else made[:count]


_TEXT = """Return {text}.

    Parameters
    ----------
    M : int
        The number of elements.
    sym : bool, optional
        Whether the window is symmetric; else it is periodic.
    device, usm_type, sycl_queue : optional
        As of `dpnp.zeros`.

    Raises
    ------
    TypeError
        For an M that is no integer.
    ValueError
        For a negative M.

    Examples
    --------
    >>> from dpnp.scipy.signal import windows
    >>> windows.{name}(5).round(3)
    {result}
    """


def _make(name: str, text: str, result: str, formula: _Formula) -> Callable[..., dpnp_ndarray]:
    def function(
        M: int, sym: bool = True, *, device: object = None, usm_type: str | None = None, sycl_queue: object = None
    ) -> dpnp_ndarray:
        place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
        return _window(name, M, sym, place, formula)

    return named(function, name, _TEXT.format(name=name, text=text, result=result))


def _cosines(a: Sequence[float]) -> _Formula:
    """The sum of a[k] cos(k x) for x from -pi to pi."""

    def formula(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
        x = i * (2 * math.pi / (n - 1)) - math.pi
        total = a[0] * dpnp.ones_like(x)
        for k in range(1, len(a)):
            total = total + a[k] * bound.cos(k * x)
        return total

    return formula


def _distance(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
    """The distance from the middle, 1 at the ends."""
    return bound.abs(2 * i - (n - 1)) / (n - 1)


def _parzen(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
    offset = bound.abs(i - (n - 1) / 2)
    x = offset / (n / 2)
    return dpnp.where(offset <= (n - 1) / 4, 1 - 6 * x**2 + 6 * x**3, 2 * (1 - x) ** 3)


def _bohman(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
    x = _distance(i, n)
    inside = (1 - x) * bound.cos(math.pi * x) + bound.sin(math.pi * x) / math.pi
    return dpnp.where((i == 0) | (i == n - 1), 0.0, inside)


def _barthann(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
    x = _distance(i, n) / 2
    return 0.62 - 0.48 * x + 0.38 * bound.cos(2 * math.pi * x)


boxcar = _make("boxcar", "the rectangular window, of ones", "array([1., 1., 1., 1., 1.])",
               lambda i, n: dpnp.ones_like(i))  # fmt: skip
triang = _make("triang", "the triangular window, which does not begin with zero",
               "array([0.333, 0.667, 1.   , 0.667, 0.333])",
               lambda i, n: 1 - bound.abs(2 * i - (n - 1)) / (n + n % 2))  # fmt: skip
parzen = _make("parzen", "the Parzen window", "array([0.016, 0.424, 1.   , 0.424, 0.016])", _parzen)
bohman = _make("bohman", "the Bohman window", "array([0.   , 0.318, 1.   , 0.318, 0.   ])", _bohman)
blackman = _make("blackman", "the Blackman window", "array([-0.  ,  0.34,  1.  ,  0.34, -0.  ])",
                 _cosines([0.42, 0.50, 0.08]))  # fmt: skip
nuttall = _make("nuttall", "the Blackman-Harris window of Nuttall", "array([0.   , 0.227, 1.   , 0.227, 0.   ])",
                _cosines([0.3635819, 0.4891775, 0.1365995, 0.0106411]))  # fmt: skip
blackmanharris = _make("blackmanharris", "the Blackman-Harris window",
                       "array([0.   , 0.217, 1.   , 0.217, 0.   ])",
                       _cosines([0.35875, 0.48829, 0.14128, 0.01168]))  # fmt: skip
flattop = _make("flattop", "the window with a flat top", "array([-0.   , -0.055,  1.   , -0.055, -0.   ])",
                _cosines([0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368]))  # fmt: skip
bartlett = _make("bartlett", "the Bartlett window, a triangle from zero", "array([0. , 0.5, 1. , 0.5, 0. ])",
                 lambda i, n: 1 - _distance(i, n))  # fmt: skip
barthann = _make("barthann", "the window between Bartlett's and Hann's", "array([0. , 0.5, 1. , 0.5, 0. ])", _barthann)
hann = _make("hann", "the Hann window, a raised cosine from zero", "array([0. , 0.5, 1. , 0.5, 0. ])",
             _cosines([0.5, 0.5]))  # fmt: skip
hamming = _make("hamming", "the Hamming window, a raised cosine from 0.08", "array([0.08, 0.54, 1.  , 0.54, 0.08])",
                _cosines([0.54, 0.46]))  # fmt: skip
cosine = _make("cosine", "half a period of a sine", "array([0.309, 0.809, 1.   , 0.809, 0.309])",
               lambda i, n: bound.sin(math.pi / n * (i + 0.5)))  # fmt: skip
lanczos = _make("lanczos", "the Lanczos window, the middle of sinc", "array([0.   , 0.637, 1.   , 0.637, 0.   ])",
                lambda i, n: dpnp.sinc(2 * i / (n - 1) - 1))  # fmt: skip


def general_cosine(
    M: int,
    a: Sequence[float],
    sym: bool = True,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return the sum of the terms (-1)**k a[k] cos(2 pi k i / (M - 1)). The other arguments are those of `hann`.

    >>> from dpnp.scipy.signal import windows
    >>> windows.general_cosine(5, [0.5, 0.5])
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    weights = dpt.asnumpy(a) if isinstance(a, array_base) else numpy.asarray(a, "f8")
    return _window("general_cosine", M, sym, place, _cosines(weights.tolist()))


def general_hamming(
    M: int, alpha: float, sym: bool = True, *, device: object = None, usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return a raised cosine from 2 alpha - 1. The other arguments are those of `hann`.

    >>> from dpnp.scipy.signal import windows
    >>> windows.general_hamming(5, 0.6).round(4)
    array([0.2, 0.6, 1. , 0.6, 0.2])
    """
    return general_cosine(M, [alpha, 1.0 - alpha], sym, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def kaiser(
    M: int, beta: float, sym: bool = True, *, device: object = None, usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return the Kaiser window: the larger `beta`, the narrower it is. The other arguments are those of `hann`.

    >>> from dpnp.scipy.signal import windows
    >>> windows.kaiser(5, 8.6).round(4)
    array([0.0013, 0.3404, 1.    , 0.3404, 0.0013])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}

    def formula(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
        x = (2 * i - (n - 1)) / (n - 1)
        return bound.i0(float(beta) * bound.sqrt(1 - x * x)) / bound.i0(dpnp.full_like(i, float(beta)))

    return _window("kaiser", M, sym, place, formula)


def kaiser_bessel_derived(
    M: int, beta: float, *, sym: bool = True, device: object = None, usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return roots of accumulated elements of the Kaiser window, for transforms of overlapping blocks.

    M must be even and `sym` true, otherwise ValueError is raised. The other arguments are those of `kaiser`.

    >>> from dpnp.scipy.signal import windows
    >>> windows.kaiser_bessel_derived(4, 4).round(4)
    array([0.2742, 0.9617, 0.9617, 0.2742])
    """
    if not sym or M < 1 or M % 2:
        raise ValueError(f"kaiser_bessel_derived: the window is symmetric with an even number of elements, got {M}")
    half = kaiser(M // 2 + 1, beta, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    sums = bound.cumsum(half)
    rising = bound.sqrt(sums[:-1] / sums[-1])
    return dpnp.concatenate((rising, rising[::-1]))


def gaussian(
    M: int, std: float, sym: bool = True, *, device: object = None, usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return a Gaussian with the standard deviation `std`. The other arguments are those of `hann`.

    >>> from dpnp.scipy.signal import windows
    >>> windows.gaussian(5, 1).round(4)
    array([0.1353, 0.6065, 1.    , 0.6065, 0.1353])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    return _window("gaussian", M, sym, place,
                   lambda i, n: bound.exp(bound.square(i - (n - 1) / 2) * (-1 / (2 * std * std))))  # fmt: skip


def general_gaussian(
    M: int, p: float, sig: float, sym: bool = True, *, device: object = None, usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return exp(-|x / sig|**(2 p) / 2) for distances x from the middle. The other arguments are those of `hann`.

    >>> from dpnp.scipy.signal import windows
    >>> windows.general_gaussian(5, 1.5, 2).round(4)
    array([0.6065, 0.9394, 1.    , 0.9394, 0.6065])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    return _window("general_gaussian", M, sym, place,
                   lambda i, n: bound.exp(-0.5 * bound.abs((i - (n - 1) / 2) / sig) ** (2 * p)))  # fmt: skip


def exponential(
    M: int, center: float | None = None, tau: float = 1.0, sym: bool = True, *, device: object = None,
    usm_type: str | None = None, sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return exp(-|i - center| / tau). The other arguments are those of `hann`.

    Raises ValueError for a symmetric window with a `center`.

    >>> from dpnp.scipy.signal import windows
    >>> windows.exponential(5, tau=2.0).round(4)
    array([0.3679, 0.6065, 1.    , 0.6065, 0.3679])
    """
    if sym and center is not None:
        raise ValueError("exponential: a symmetric window has no center argument")
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    return _window("exponential", M, sym, place, lambda i, n: bound.exp(
        bound.abs(i - ((n - 1) / 2 if center is None else center)) * (-1 / tau)))  # fmt: skip


def tukey(
    M: int, alpha: float = 0.5, sym: bool = True, *, device: object = None, usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return the Tukey window: ones with halves of a raised cosine, of the part `alpha`, at the ends.

    The other arguments are those of `hann`.

    >>> from dpnp.scipy.signal import windows
    >>> windows.tukey(5, 0.5)
    array([0., 1., 1., 1., 0.])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    if alpha <= 0:
        return boxcar(M, sym, **place)
    if alpha >= 1:
        return hann(M, sym, **place)

    def formula(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
        width = math.floor(alpha * (n - 1) / 2.0)
        near = bound.minimum(i, n - 1 - i)
        return dpnp.where(near <= width, 0.5 * (1 + bound.cos(math.pi * (2.0 * near / alpha / (n - 1) - 1))), 1.0)

    return _window("tukey", M, sym, place, formula)


def taylor(
    M: int, nbar: int = 4, sll: float = 30, norm: bool = True, sym: bool = True, *, device: object = None,
    usm_type: str | None = None, sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return the Taylor window, with `nbar` side lobes of nearly the same level, `sll` dB below the main one.

    With `norm`, the element in the middle is 1. The other arguments are those of `hann`. T. T. Taylor, Design of
    Line-Source Antennas for Narrow Beamwidth and Low Side Lobes (1955).

    >>> from dpnp.scipy.signal import windows
    >>> windows.taylor(5).round(4)
    array([0.3325, 0.772 , 1.    , 0.772 , 0.3325])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    a = math.acosh(10 ** (sll / 20)) / math.pi
    scale = nbar**2 / (a**2 + (nbar - 0.5) ** 2)
    orders = range(1, nbar)
    coefficients = []
    for m in orders:
        above = math.prod(1 - m**2 / scale / (a**2 + (k - 0.5) ** 2) for k in orders)
        below = 2 * math.prod(1 - m**2 / k**2 for k in orders if k != m)
        coefficients.append((1 if m % 2 else -1) * above / below)

    def formula(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
        def value(x: object, cos: Callable[[object], object]) -> object:
            total = 1.0
            for m, f in zip(orders, coefficients, strict=True):
                total = total + 2 * f * cos(2 * math.pi * m * x)
            return total

        made = value((i - n / 2 + 0.5) / n, bound.cos)
        middle = value(((n - 1) / 2 - n / 2 + 0.5) / n, math.cos)
        return (made / middle if norm else made) + 0 * i

    return _window("taylor", M, sym, place, formula)


def chebwin(
    M: int, at: float, sym: bool = True, *, device: object = None, usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:  # fmt: skip
    """Return the Dolph-Chebyshev window, whose side lobes are all `at` dB below the main one.

    The other arguments are those of `hann`. C. L. Dolph, A Current Distribution for Broadside Arrays Which Optimizes
    the Relationship between Beam Width and Side-Lobe Level (1946).

    >>> from dpnp.scipy.signal import windows
    >>> windows.chebwin(5, at=50).round(4)
    array([0.2055, 0.701 , 1.    , 0.701 , 0.2055])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}

    def formula(i: dpnp_ndarray, n: int) -> dpnp_ndarray:
        order = n - 1
        x = math.cosh(math.acosh(10 ** (abs(at) / 20)) / order) * bound.cos(math.pi / n * i)
        inside = bound.cos(order * bound.acos(bound.maximum(bound.minimum(x, 1.0), -1.0)))
        outside = bound.cosh(order * bound.acosh(bound.maximum(bound.abs(x), 1.0)))
        outside = dpnp.where(x < 0, (2 * (n % 2) - 1) * outside, outside)
        polynomial = dpnp.where(bound.abs(x) > 1, outside, inside)
        half = (n + 1) // 2
        if n % 2:
            right = dpnp.fft.fft(polynomial).real[:half]
            made = dpnp.concatenate([dpnp.flip(right[1:]), right])
        else:
            right = dpnp.fft.fft(polynomial * bound.exp(1j * math.pi / n * i)).real[1 : half + 1]
            made = dpnp.concatenate([dpnp.flip(right), right])
        return made / bound.max(made)

    return _window("chebwin", M, sym, place, formula)


_NAMES = {
    "barthan": "barthann", "brthan": "barthann", "bth": "barthann", "bart": "bartlett", "brt": "bartlett",
    "black": "blackman", "blk": "blackman", "blackharr": "blackmanharris", "bkh": "blackmanharris", "bman": "bohman",
    "bmn": "bohman", "box": "boxcar", "ones": "boxcar", "rect": "boxcar", "rectangular": "boxcar",
    "cheb": "chebwin",
    "halfcosine": "cosine", "poisson": "exponential", "flat": "flattop", "flt": "flattop", "gauss": "gaussian",
    "gss": "gaussian", "general cosine": "general_cosine", "general gaussian": "general_gaussian",
    "general gauss": "general_gaussian", "general_gauss": "general_gaussian", "ggs": "general_gaussian",
    "general hamming": "general_hamming", "hamm": "hamming", "ham": "hamming", "han": "hann", "ksr": "kaiser",
    "kaiser bessel derived": "kaiser_bessel_derived", "kbd": "kaiser_bessel_derived", "sinc": "lanczos",
    "nutl": "nuttall", "nut": "nuttall", "parz": "parzen", "par": "parzen", "taylorwin": "taylor", "triangle": "triang",
    "tri": "triang", "tuk": "tukey",
}  # fmt: skip


def get_window(
    window: object,
    Nx: int,
    fftbins: bool = True,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a window by its name.

    Parameters
    ----------
    window : str, tuple or float
        The name of a function of `dpnp.scipy.signal.windows`, a tuple of it and of its arguments behind M, or the
        `beta` of a Kaiser window. A name that ends with '_periodic' or '_symmetric' overrides `fftbins`.
    Nx : int
        The number of elements.
    fftbins : bool, optional
        Whether the window is periodic; else it is symmetric.
    device, usm_type, sycl_queue : optional
        As of `dpnp.zeros`.

    Raises
    ------
    ValueError
        For an unknown name, and for a number of elements that is not positive.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.get_window("hann", 4)
    array([0. , 0.5, 1. , 0.5])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    sym = not fftbins
    if Nx <= 0:
        raise ValueError(f"get_window: Nx must be positive, got {Nx}")
    if isinstance(window, (int, float)) and not isinstance(window, bool):
        return kaiser(Nx, float(window), sym, **place)
    name, *arguments = window if isinstance(window, tuple) else (window,)
    if not isinstance(name, str):
        raise ValueError(f"get_window: expected a str, a tuple or a number, got {type(window).__name__}")
    for ending, value in (("_periodic", False), ("_symmetric", True)):
        if name.endswith(ending):
            name, sym = name.removesuffix(ending), value
    name = _NAMES.get(name, name)
    if name not in __all__ or name == "get_window":
        raise ValueError(f"get_window: unknown window {name!r}; the windows are "
                         f"{', '.join(n for n in __all__ if n != 'get_window')}")  # fmt: skip
    function = globals()[name]
    signature = inspect.signature(function)
    keywords = {"sym": sym} if "sym" in signature.parameters else {}
    try:
        signature.bind(Nx, *arguments, **keywords)
    except TypeError as error:
        raise ValueError(f"get_window: parameters of the window {name!r}: {error}") from None
    return function(Nx, *arguments, **keywords, **place)
