"""Random numbers on devices: functions that use a common generator, and RandomState for separate generators.

The generator is Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011), which computes the
n-th numbers of a sequence from n. Each work-item computes its own numbers, so that results depend on the seed only, not
on the device or its number of threads. They differ from NumPy's results for the same seed. As other operations on
large arrays, random numbers are computed when they are needed, in one pass with the operations on them.

>>> import dpnp
>>> dpnp.random.seed(7)
>>> x = dpnp.random.uniform(2, 3, size=(2, 1000))
>>> x.shape, bool((x >= 2).all() and (x < 3).all())
((2, 1000), True)
"""

from __future__ import annotations

import operator
import os

import dpctl
from dpep._array import RandomGenerator, dpnp_ndarray

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
        self._device, self._sycl_queue = device, sycl_queue
        self._generator = RandomGenerator(0)
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
        self._generator.seed(key)

    def _placement(self, device, usm_type, sycl_queue):
        if device is sycl_queue is None:
            device, sycl_queue = self._device, self._sycl_queue
        return device, usm_type, sycl_queue

    def _uniform(self, function: str, size, low, high, *place) -> dpnp_ndarray:
        return self._generator.uniform(function, size, low, high, *self._placement(*place))

    def _normal(self, function: str, size, loc, scale, *place) -> dpnp_ndarray:
        return self._generator.normal(function, size, loc, scale, *self._placement(*place))

    def random_sample(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1), in an array of shape `size`."""
        return self._uniform("random_sample", size, 0.0, 1.0, device, usm_type, sycl_queue)

    def rand(self, *lengths: int, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1), in an array of shape `lengths`."""
        return self._uniform("rand", lengths, 0.0, 1.0, device, usm_type, sycl_queue)

    def uniform(self, low=0.0, high=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [low, high), in an array of shape `size`."""
        return self._uniform("uniform", size, low, high, device, usm_type, sycl_queue)

    def standard_normal(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean 0 and standard deviation 1, in an array of shape `size`."""
        return self._normal("standard_normal", size, 0.0, 1.0, device, usm_type, sycl_queue)

    def randn(self, *lengths: int, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean 0 and standard deviation 1, in an array of shape `lengths`."""
        return self._normal("randn", lengths, 0.0, 1.0, device, usm_type, sycl_queue)

    def normal(self, loc=0.0, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean `loc` and standard deviation `scale`, of shape `size`."""
        return self._normal("normal", size, loc, scale, device, usm_type, sycl_queue)

    def randint(
        self, low: int, high: int | None = None, size=None, dtype=int, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return uniformly distributed integers in [low, high), or in [0, low) when `high` is None."""
        least, end = (0, operator.index(low)) if high is None else (operator.index(low), operator.index(high))
        if end <= least:
            raise ValueError(f"randint: high must be greater than low, got the empty range [{least}, {end})")
        if end - least > 1 << 53:
            raise ValueError(f"randint: the range must have at most 2**53 integers, got {end - least}")
        place = self._placement(device, usm_type, sycl_queue)
        return self._generator.integers(size, least, end - least, int if dtype is None else dtype, *place)


_common = RandomState()
seed = _common.seed
random_sample = random = ranf = sample = _common.random_sample
rand = _common.rand
uniform = _common.uniform
standard_normal = _common.standard_normal
randn = _common.randn
normal = _common.normal
randint = _common.randint
