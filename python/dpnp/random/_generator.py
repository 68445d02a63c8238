"""Generator, with NumPy's methods, and default_rng."""

from __future__ import annotations

import functools
import math
import operator

import numpy
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, checked_array

import dpnp
from dpnp.random._arguments import Limits, any_true, shape_of
from dpnp.random._bit_generators import Philox, bit_generator_of, is_numpys
from dpnp.random._choices import Choices

__all__ = ["Generator", "default_rng"]


class Generator(Choices):
    """A generator of random numbers with NumPy's methods.

    Parameters
    ----------
    bit_generator : Philox
        The generator of random words. One of numpy.random.Philox is copied.
    device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of new arrays; the default device when None. The numbers do not depend on it.
    sycl_queue : SyclQueue, optional
        Queue of new arrays, instead of `device`.

    Raises
    ------
    NotImplementedError
        For other bit generators of NumPy, whose numbers depend on all before them.
    TypeError
        For other objects.

    Notes
    -----
    Numbers depend on the state of the bit generator only, not on the device or its number of threads. The following
    methods return the very numbers of numpy.random.Generator(numpy.random.Philox(seed)), and leave its state behind:
    `random`, `uniform`, `integers` with limits that are numbers, `bytes`, `permutation`, `permuted`, `shuffle`,
    `choice` without `p`. `gumbel`, `laplace`, `logistic`, `triangular` and `standard_exponential` with method 'inv'
    return them up to rounding. The other methods return other numbers of the same distributions. Of these, most take
    a block of four words for each element, so that an array of 10 numbers and one of 20 have the numbers of one array
    of 30.

    Examples
    --------
    >>> import dpnp
    >>> rng = dpnp.random.Generator(dpnp.random.Philox(1))
    >>> rng.integers(10, size=5)
    array([4, 0, 1, 0, 0])
    """

    def __init__(self, bit_generator: object, device: object = None, sycl_queue: object = None):
        super().__init__(bit_generator_of("Generator", bit_generator), device, sycl_queue)

    def __repr__(self) -> str:
        return f"Generator(Philox) at 0x{id(self):X}"

    def __reduce__(self) -> tuple:
        return Generator, (self._bit_generator,)

    @property
    def bit_generator(self) -> Philox:
        """The bit generator."""
        return self._bit_generator

    def spawn(self, n_children: int) -> list[Generator]:
        """Return new generators with seeds that are derived from that of this one."""
        return [Generator(child, *self._place) for child in self._bit_generator.spawn(n_children)]

    def _into(self, function: str, out: object, size: object, dtype: object, make) -> dpnp_ndarray:
        """Return the numbers in `out`, if it is given, else in a new array."""
        wanted = numpy.dtype(dtype)
        if wanted not in (numpy.float32, numpy.float64):
            raise TypeError(f"{function}: Unsupported dtype {wanted!r} for {function}")
        if out is None:
            return make(size).astype(wanted, copy=False)
        out = checked_array(function, out)
        if out.dtype != wanted:
            raise TypeError(f"{function}: Supplied output array has the wrong type. Expected {wanted}, got {out.dtype}")
        if size is not None and shape_of(function, size) != out.shape:
            raise ValueError(f"{function}: size must match out.shape when used together, got {size} and {out.shape}")
        out[...] = make(out.shape)
        return out

    def _place_with(self, out: object, place: tuple) -> tuple:
        return place if out is None else (None, "device", out.sycl_queue)

    def random(
        self, size=None, dtype=numpy.float64, out=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1).

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; default: that of `out`, or ().
        dtype : {float32, float64}, optional
            The dtype.
        out : ndarray, optional
            The array for the numbers, of this dtype.
        device, usm_type, sycl_queue : optional
            See `Distributions`.

        Raises
        ------
        TypeError
            For other dtypes, and when that of `out` differs.
        ValueError
            When the shapes of `size` and `out` differ.

        Examples
        --------
        >>> import dpnp
        >>> dpnp.random.default_rng(7).random((2, 3), dtype="f4").shape
        (2, 3)
        """

        def make(shape: object) -> dpnp_ndarray:
            return self._random("random", shape, dtype, *self._place_with(out, (device, usm_type, sycl_queue)))

        if out is None and dtype is numpy.float64:
            return make(size)
        return self._into("random", out, size, dtype, make)

    def standard_normal(
        self, size=None, dtype=numpy.float64, out=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return normally distributed numbers of mean 0 and standard deviation 1.

        The arguments are those of `random`. Numbers of float32 are others than those of float64.

        >>> import dpnp
        >>> dpnp.random.default_rng(7).standard_normal(100).shape
        (100,)
        """

        def make(shape: object) -> dpnp_ndarray:
            place = self._place_with(out, (device, usm_type, sycl_queue))
            return self._normal("standard_normal", shape, *place, is_float32=numpy.dtype(dtype) == numpy.float32)

        if out is None and dtype is numpy.float64:
            return make(size)
        return self._into("standard_normal", out, size, dtype, make)

    def standard_exponential(
        self, size=None, dtype=numpy.float64, method="zig", out=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return numbers of the exponential distribution of mean 1.

        The arguments are those of `random`. Both methods of NumPy, 'zig' and 'inv', are inversion.

        >>> import dpnp
        >>> dpnp.random.default_rng(7).standard_exponential(100).shape
        (100,)
        """
        if method not in ("zig", "inv"):
            raise ValueError(f"standard_exponential: method must be 'zig' or 'inv', got {method!r}")

        def make(shape: object) -> dpnp_ndarray:
            place = self._place_with(out, (device, usm_type, sycl_queue))
            n = self._numbers("standard_exponential", shape, place)
            return -dpnp.log1p(-n.random(dtype))

        return self._into("standard_exponential", out, size, dtype, make)

    def standard_gamma(
        self, shape, size=None, dtype=numpy.float64, out=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return numbers of the gamma distribution with a shape, which may be an array, and scale 1.

        The other arguments are those of `random`.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).standard_gamma(2, 100) > 0).all())
        True
        """

        def make(count: object) -> dpnp_ndarray:
            place = self._place_with(out, (device, usm_type, sycl_queue))
            n = self._numbers("standard_gamma", count, place, {"shape": (shape, Limits.NON_NEGATIVE)})
            return n.gamma(*n.parameters)

        return self._into("standard_gamma", out, size, dtype, make)

    def integers(
        self,
        low,
        high=None,
        size=None,
        dtype=numpy.int64,
        endpoint=False,
        device=None,
        usm_type="device",
        sycl_queue=None,
    ) -> dpnp_ndarray:
        """Return uniformly distributed integers in [low, high), with `endpoint` in [low, high].

        With limits that are numbers, they are those of NumPy's Generator with the same state.

        Parameters
        ----------
        low, high : int or array of int
            The limits, numbers without their fractions. Without `high`, they are 0 and `low`.
        size : int or tuple of int, optional
            The shape; default: that of the limits.
        dtype : optional
            The dtype: bool or an integer type.
        endpoint : bool, optional
            Whether `high` is a possible number.
        device, usm_type, sycl_queue : optional
            See `Distributions`.

        Returns
        -------
        ndarray
            The integers.

        Raises
        ------
        ValueError
            For an empty range, and limits out of the dtype's range.
        TypeError
            For other dtypes, and limits that are not integers.

        Notes
        -----
        Where the number of integers is not a power of two, a few random words are rejected. The call waits for their
        count.

        Examples
        --------
        >>> import dpnp
        >>> sorted(set(dpnp.random.default_rng(7).integers(3, size=100).tolist()))
        [0, 1, 2]
        """
        return self._integers("integers", low, high, size, dtype, endpoint, (device, usm_type, sycl_queue))

    def _integers(self, name: str, low, high, size, dtype, endpoint: bool, place: tuple) -> dpnp_ndarray:
        return integers(self, name, low, high, size, dtype, endpoint, place)

    def choice(
        self, a, size=None, replace=True, p=None, axis=0, shuffle=True, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return random elements of an array, or of the integers below `a`.

        Parameters
        ----------
        a : int or array
            The elements.
        size : int or tuple of int, optional
            The shape of the choice.
        replace : bool, optional
            Whether an element may be chosen several times.
        p : array, optional
            The probabilities of the elements; default: equal ones.
        axis : int, optional
            The axis of the array along which its parts are the elements.
        shuffle : bool, optional
            Without replacement and `p`: whether the order is random, too.
        device, usm_type, sycl_queue : optional
            See `Distributions`.

        Returns
        -------
        ndarray
            The elements; without `p`, those of NumPy's Generator with the same state.

        Raises
        ------
        ValueError
            For too few elements, and probabilities that do not fit them.

        Examples
        --------
        >>> import dpnp
        >>> sorted(dpnp.random.default_rng(7).choice(3, 3, replace=False).tolist())
        [0, 1, 2]
        """
        return self._choice(a, size, replace, p, axis, shuffle, (device, usm_type, sycl_queue))

    def permutation(self, x, axis=0, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return the elements of an array along an axis, or the integers below `x`, in random order.

        The order is that of NumPy's Generator with the same state. The host computes it.

        >>> import dpnp
        >>> sorted(dpnp.random.default_rng(7).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        return self._permutation(x, axis, (device, usm_type, sycl_queue))

    def shuffle(self, x: dpnp_ndarray, axis: int = 0) -> None:
        """Put the parts of an array along an axis into random order, that of NumPy's Generator with the same state.

        >>> import dpnp
        >>> x = dpnp.arange(4)
        >>> dpnp.random.default_rng(7).shuffle(x)
        >>> sorted(x.tolist())
        [0, 1, 2, 3]
        """
        self._shuffle(x, axis)

    def permuted(self, x, axis=None, out=None) -> dpnp_ndarray:
        """Return an array whose elements along an axis are in a random order of their own for each index of the others.

        Parameters
        ----------
        x : array
            The elements.
        axis : int, optional
            The axis; default: all elements are reordered.
        out : ndarray, optional
            The array for the result; may be `x`.

        Returns
        -------
        ndarray
            The elements in the order of NumPy's Generator with the same state.

        Examples
        --------
        >>> import dpnp
        >>> dpnp.random.default_rng(7).permuted(dpnp.ones((2, 3)), axis=1).shape
        (2, 3)
        """
        x = as_dpnp(x) if isinstance(x, array_base) else dpnp.asarray(numpy.asarray(x))
        place = self._place_of(x, (None, x.usm_type, None))
        if axis is None:
            order = self._generator.permutation(x.size, None, *place)
            made = dpnp.take(x.reshape(-1), order).reshape(x.shape)
        else:
            axis = numpy.lib.array_utils.normalize_axis_index(axis, x.ndim)
            last = dpnp.moveaxis(x, axis, -1)
            rows = math.prod(last.shape[:-1])
            order = self._generator.permutation(last.shape[-1], rows, *place).reshape(last.shape)
            made = dpnp.moveaxis(dpnp.take_along_axis(last, order, axis=-1), -1, axis)
        if out is None:
            return made
        out = checked_array("permuted", out)
        if out.shape != x.shape:
            raise ValueError(f"permuted: out must have the same shape as x, got {out.shape} and {x.shape}")
        out[...] = made
        return out

    def multivariate_hypergeometric(
        self, colors, nsample, size=None, method="marginals", device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return numbers of items of each color in a sample without replacement, int64.

        Parameters
        ----------
        colors : sequence of int
            The number of items of each color.
        nsample : int
            The number of items in the sample.
        size : int or tuple of int, optional
            The shape without the last axis.
        method : {'marginals', 'count'}, optional
            NumPy's methods; both are computed color by color.
        device, usm_type, sycl_queue : optional
            See `Distributions`.

        Returns
        -------
        ndarray
            The numbers, an array of shape `size` + (len(colors),).

        Examples
        --------
        >>> import dpnp
        >>> dpnp.random.default_rng(7).multivariate_hypergeometric([16, 8, 4], 6, size=3).sum(axis=-1)
        array([6, 6, 6])
        """
        name = "multivariate_hypergeometric"
        if method not in ("marginals", "count"):
            raise ValueError(f"{name}: method must be 'count' or 'marginals', got {method!r}")
        try:
            nsample = operator.index(nsample)
        except TypeError:
            raise ValueError(f"{name}: nsample must be an integer, got {nsample!r}") from None
        items = dpnp.asnumpy(colors) if isinstance(colors, array_base) else numpy.asarray(colors)
        if items.ndim != 1 or items.dtype.kind not in "iu" or (items < 0).any():
            raise ValueError(f"{name}: colors must be a one-dimensional sequence of nonnegative integers")
        left = [int(count) for count in items]
        if sum(left) >= 10**9:
            raise ValueError(f"{name}: sum(colors) must be less than 1000000000, got {sum(left)}")
        if nsample < 0:
            raise ValueError(f"{name}: nsample must be nonnegative, got {nsample}")
        if nsample > sum(left):
            raise ValueError(f"{name}: nsample > sum(colors)")
        n = self._numbers(name, () if size is None else size, (device, usm_type, sycl_queue))
        sample, counts = nsample, []
        for color, good in enumerate(left[:-1]):
            counts.append(n.draw("hypergeometric", good, sum(left[color + 1 :]), sample, tag=color))
            sample = sample - counts[-1]
        device, usm_type, queue = n.place
        place = {"device": device, "usm_type": usm_type, "sycl_queue": queue}
        if not left:
            return dpnp.empty((*n.shape, 0), dtype=numpy.int64, **place)
        counts.append(sample if counts else dpnp.full(n.shape, sample, dtype=numpy.int64, **place))
        return dpnp.stack(counts, axis=-1)


@functools.cache
def _limits_of(name: str, dtype: object) -> tuple[numpy.dtype, int, int]:
    """Return a dtype of integers with its lowest and highest number."""
    wanted = numpy.dtype(dtype)
    if wanted.kind not in "biu":
        raise TypeError(f"{name}: Unsupported dtype {wanted!r} for integers")
    return (
        (wanted, 0, 1)
        if wanted.kind == "b"
        else (wanted, *map(int, (numpy.iinfo(wanted).min, numpy.iinfo(wanted).max)))
    )


_HALF = 2**63


def _less_half(function: str, name: str, x: object) -> object:
    """Bounds of uint64 less 2**63, which are numbers of int64 in the same order."""
    if isinstance(x, list | tuple):
        x = numpy.asarray(x)
    if not isinstance(x, array_base | numpy.ndarray) or x.ndim == 0:
        return _integer(function, name, x) - _HALF
    if x.dtype == numpy.uint64:
        return (x ^ numpy.uint64(_HALF)).view(numpy.int64)
    if any_true((x < 0).any()):
        raise ValueError(f"{function}: {name} is out of bounds for uint64")
    return x.astype(numpy.int64) + numpy.int64(-_HALF) if x.dtype.kind in "biu" else x


def integers(generator: Choices, name: str, low, high, size, dtype, endpoint: bool, place: tuple) -> dpnp_ndarray:
    """Return uniformly distributed integers."""
    wanted, least, most = _limits_of(name, dtype)
    if high is None:
        low, high = 0, low
    are_numbers = type(low) is type(high) is int or all(
        not isinstance(x, array_base | list | tuple) and numpy.ndim(x) == 0 for x in (low, high)
    )
    if are_numbers:
        first, last = _integer(name, "low", low), _integer(name, "high", high) - (0 if endpoint else 1)
        if first < least:
            raise ValueError(f"{name}: low is out of bounds for {wanted}")
        if last > most:
            raise ValueError(f"{name}: high is out of bounds for {wanted}")
        if first > last:
            raise ValueError(f"{name}: " + ("low > high" if endpoint else "low >= high"))
        n = generator._numbers(name, size, place)
        return n.generator.integers(name, n.shape, first, last - first, wanted, *n.place)
    is_shifted = wanted == numpy.uint64
    if is_shifted:
        low, high = _less_half(name, "low", low), _less_half(name, "high", high)
        least, most = least - _HALF, most - _HALF
    parameters = {"low": (low, Limits.NONE), "high": (high, Limits.NONE)}
    n = generator._numbers(name, size, place, parameters, integers=("low", "high"))
    low, high = n.parameters
    if not endpoint:
        if is_shifted and any_true(low >= high):  # high - 1 may wrap
            raise ValueError(f"{name}: low >= high")
        high = high - 1
    if any_true(low < least):
        raise ValueError(f"{name}: low is out of bounds for {wanted}")
    if any_true(high > most):
        raise ValueError(f"{name}: high is out of bounds for {wanted}")
    if any_true(low > high):
        raise ValueError(f"{name}: " + ("low > high" if endpoint else "low >= high"))
    count = (high - low + 1).astype(numpy.uint64)
    made = n.draw("bounded", count).astype(numpy.int64) + low
    return dpnp.bitwise_xor(made.astype(wanted), numpy.uint64(_HALF)) if is_shifted else made.astype(wanted)


def _integer(function: str, name: str, value: object) -> int:
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, float):  # as in NumPy, without its fraction; ValueError for NaN
            return int(value)
        raise TypeError(f"{function}: {name} must be an int or an array of ints, got {type(value).__name__}") from None


def default_rng(seed: object = None, device: object = None, sycl_queue: object = None) -> Generator:
    """Return a generator with Philox as its bit generator.

    Parameters
    ----------
    seed : int, sequence of int, SeedSequence, Philox or Generator, optional
        The seed; default: a random one from the operating system. A Generator is returned as it is.
    device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of new arrays; the default device when None.
    sycl_queue : SyclQueue, optional
        Queue of new arrays, instead of `device`.

    Returns
    -------
    Generator
        The generator.

    Examples
    --------
    >>> import dpnp
    >>> a, b = dpnp.random.default_rng(3), dpnp.random.default_rng(3)
    >>> bool((a.random(10) == b.random(10)).all())
    True
    """
    if isinstance(seed, Generator):
        return seed
    bit_generator = seed if isinstance(seed, Philox) or is_numpys(seed) else Philox(seed)
    return Generator(bit_generator, device, sycl_queue)
