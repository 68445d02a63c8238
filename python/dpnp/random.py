"""Random numbers on devices: functions that use a common generator, and RandomState for separate generators.

The generator is Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011), which computes the
n-th numbers of a sequence from n. Each work-item computes its own numbers, so that results depend on the seed only, not
on the device or its number of threads. They differ from NumPy's results for the same seed.

>>> import dpnp
>>> dpnp.random.seed(7)
>>> x = dpnp.random.uniform(2, 3, size=(2, 1000))
>>> x.shape, bool((x >= 2).all() and (x < 3).all())
((2, 1000), True)
"""

from __future__ import annotations

import math
import operator
import os
import threading

import dpctl
import numba_dpex as ndx
import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp

__all__ = [
    "RandomState",
    "normal",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "ranf",
    "sample",
    "seed",
    "standard_normal",
    "uniform",
]

_LOW = numpy.uint64(0xFFFFFFFF)
_HALF = numpy.uint64(32)
_FACTORS = (numpy.uint64(0xD2511F53), numpy.uint64(0xCD9E8D57))
_STEPS = (numpy.uint64(0x9E3779B9), numpy.uint64(0xBB67AE85))
_UNIT = 2.0**-53


@ndx.device_func
def _philox(counter, key):
    """Four 32-bit numbers, from a 64-bit counter and a 64-bit key."""
    a, b, c, d = counter & _LOW, counter >> _HALF, numpy.uint64(0), numpy.uint64(0)
    first, second = key & _LOW, key >> _HALF
    for _ in range(10):
        x, y = _FACTORS[0] * a, _FACTORS[1] * c
        a, b, c, d = (y >> _HALF) ^ b ^ first, y & _LOW, (x >> _HALF) ^ d ^ second, x & _LOW
        first, second = (first + _STEPS[0]) & _LOW, (second + _STEPS[1]) & _LOW
    return a, b, c, d


@ndx.device_func
def _pair(counter, key):
    """Two numbers in [0, 1), with 53 random bits each."""
    a, b, c, d = _philox(counter, key)
    x = float((a >> numpy.uint64(5)) * numpy.uint64(1 << 26) + (b >> numpy.uint64(6))) * _UNIT
    y = float((c >> numpy.uint64(5)) * numpy.uint64(1 << 26) + (d >> numpy.uint64(6))) * _UNIT
    return x, y


@ndx.kernel
def _uniform(item, out, first, key):
    i = item.get_id(0)
    x, y = _pair(first + numpy.uint64(i), key)
    out[2 * i] = x
    out[2 * i + 1] = y


@ndx.kernel
def _normal(item, out, first, key):
    # Box-Muller transform: a radius and an angle
    i = item.get_id(0)
    x, y = _pair(first + numpy.uint64(i), key)
    radius = math.sqrt(-2.0 * math.log(1.0 - x))
    out[2 * i] = radius * math.cos(2 * math.pi * y)
    out[2 * i + 1] = radius * math.sin(2 * math.pi * y)


def _shape(function: str, size) -> tuple[int, ...]:
    if size is None:
        return ()
    try:
        shape = tuple(map(operator.index, size)) if hasattr(size, "__iter__") else (operator.index(size),)
    except TypeError:
        raise TypeError(f"{function}: size must be an int or a tuple of ints, got {size!r:.60}") from None
    if any(length < 0 for length in shape):
        raise ValueError(f"{function}: size must not be negative, got {size}")
    return shape


def _number(function: str, name: str, value) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{function}: {name} must be a number, got {type(value).__name__}") from None


class RandomState:
    """A random number generator.

    Parameters
    ----------
    seed : int, optional
        The seed, from 0 to 2**64 - 1. Default: a random one from the operating system.
    device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of new arrays; the default device when None. The numbers do not depend on it.
    sycl_queue : SyclQueue, optional
        Queue of new arrays, instead of `device`.

    All methods take `device` and `sycl_queue`, too, and `usm_type`, the kind of memory: 'device', 'shared' or 'host'.

    Examples
    --------

    >>> import dpnp
    >>> a, b = dpnp.random.RandomState(3), dpnp.random.RandomState(3)
    >>> bool((a.rand(10) == b.rand(10)).all())
    True
    """

    def __init__(self, seed: int | None = None, device: object = None, sycl_queue: dpctl.SyclQueue | None = None):
        self._place = {"device": device, "sycl_queue": sycl_queue}
        self._lock = threading.Lock()
        self.seed(seed)

    def seed(self, seed: int | None = None, device: object = None, sycl_queue: dpctl.SyclQueue | None = None) -> None:
        """Restart the generator with a seed. `device` and `sycl_queue` have no effect."""
        if seed is None:
            seed = int.from_bytes(os.urandom(8), "little")
        try:
            key = operator.index(seed)
        except TypeError:
            raise TypeError(f"seed: seed must be an int, got {type(seed).__name__}") from None
        if not 0 <= key < 1 << 64:
            raise ValueError(f"seed: seed must be from 0 to 2**64 - 1, got {key}")
        with self._lock:
            self._key, self._next = numpy.uint64(key), 0

    def _make(self, function: str, kernel, size, device, usm_type, sycl_queue) -> dpnp_ndarray:
        shape = _shape(function, size)
        blocks = (math.prod(shape) + 1) // 2
        place = self._place if device is sycl_queue is None else {"device": device, "sycl_queue": sycl_queue}
        out = dpt.empty(2 * blocks, dtype="f8", usm_type=usm_type or "device", **place)
        with self._lock:
            key, first, self._next = self._key, self._next, self._next + blocks
        if blocks:
            ndx.call_kernel(kernel, ndx.Range(blocks), out, numpy.uint64(first), key)
        return as_dpnp(dpt.reshape(out[: math.prod(shape)], shape))

    def random_sample(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1), in an array of shape `size`."""
        return self._make("random_sample", _uniform, size, device, usm_type, sycl_queue)

    def rand(self, *lengths: int, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1), in an array of shape `lengths`."""
        return self._make("rand", _uniform, lengths, device, usm_type, sycl_queue)

    def uniform(self, low=0.0, high=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [low, high), in an array of shape `size`."""
        low, high = _number("uniform", "low", low), _number("uniform", "high", high)
        return self._make("uniform", _uniform, size, device, usm_type, sycl_queue) * (high - low) + low

    def standard_normal(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean 0 and standard deviation 1, in an array of shape `size`."""
        return self._make("standard_normal", _normal, size, device, usm_type, sycl_queue)

    def randn(self, *lengths: int, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean 0 and standard deviation 1, in an array of shape `lengths`."""
        return self._make("randn", _normal, lengths, device, usm_type, sycl_queue)

    def normal(self, loc=0.0, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean `loc` and standard deviation `scale`, of shape `size`."""
        loc, scale = _number("normal", "loc", loc), _number("normal", "scale", scale)
        if scale < 0:
            raise ValueError(f"normal: scale must not be negative, got {scale}")
        return self._make("normal", _normal, size, device, usm_type, sycl_queue) * scale + loc

    def randint(
        self, low: int, high: int | None = None, size=None, dtype=int, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return uniformly distributed integers in [low, high), or in [0, low) when `high` is None."""
        least, end = (0, operator.index(low)) if high is None else (operator.index(low), operator.index(high))
        if end <= least:
            raise ValueError(f"randint: high must be greater than low, got the empty range [{least}, {end})")
        if end - least > 1 << 53:
            raise ValueError(f"randint: the range must have at most 2**53 integers, got {end - least}")
        from dpnp import astype, floor

        numbers = floor(self._make("randint", _uniform, size, device, usm_type, sycl_queue) * float(end - least))
        return astype(astype(numbers, "i8") + least, dtype)


_common = RandomState()
seed = _common.seed
random_sample = random = ranf = sample = _common.random_sample
rand = _common.rand
uniform = _common.uniform
standard_normal = _common.standard_normal
randn = _common.randn
normal = _common.normal
randint = _common.randint
