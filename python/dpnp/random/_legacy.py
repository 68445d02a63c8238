"""RandomState and the functions of a common one, with the names of NumPy's legacy interface."""

from __future__ import annotations

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.random._arguments import Limits
from dpnp.random._bit_generators import Philox, bit_generator_of, is_numpys, with_random_key
from dpnp.random._choices import Choices
from dpnp.random._generator import integers

__all__ = ["RandomState"]


def _dtype_of(function: str, dtype: object, allowed: tuple[str, ...]) -> numpy.dtype:
    wanted = numpy.dtype(numpy.float64 if dtype is None else dtype)
    if wanted.name not in allowed:
        raise TypeError(f"{function}: dtype must be one of {', '.join(allowed)}, got {wanted.name}")
    return wanted


class RandomState(Choices):
    """A random number generator with the methods of numpy.random.RandomState.

    Parameters
    ----------
    seed : int, sequence of int, SeedSequence or Philox, optional
        The seed. Default: a random one from the operating system.
    device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of new arrays; the default device when None. The numbers do not depend on it.
    sycl_queue : SyclQueue, optional
        Queue of new arrays, instead of `device`.

    Notes
    -----
    The generator is `Philox`, not NumPy's Mersenne Twister, so numbers differ from those of NumPy's RandomState. They
    are those of `Generator` with the same seed. New programs use `default_rng`.

    Examples
    --------
    >>> import dpnp
    >>> a, b = dpnp.random.RandomState(3), dpnp.random.RandomState(3)
    >>> bool((a.rand(10) == b.rand(10)).all())
    True
    """

    def __init__(self, seed: object = None, device: object = None, sycl_queue: object = None):
        if seed is None:
            made = with_random_key()
        elif isinstance(seed, Philox) or is_numpys(seed):
            made = bit_generator_of("RandomState", seed)
        else:
            made = Philox(seed)
        super().__init__(made, device, sycl_queue)

    def __repr__(self) -> str:
        return f"RandomState(Philox) at 0x{id(self):X}"

    def __reduce__(self) -> tuple:
        return RandomState, (self._bit_generator,)

    def seed(self, seed: object = None, device: object = None, sycl_queue: object = None) -> None:
        """Restart the generator with a seed. `device` and `sycl_queue` have no effect."""
        fresh = with_random_key() if seed is None else Philox(seed)
        self._bit_generator._seed_seq = fresh.seed_seq
        self._bit_generator.state = fresh.state

    def get_state(self, legacy: bool = False) -> dict:
        """Return the state, a dict as `Philox.state`. There is no tuple of a Mersenne Twister for it (`legacy`)."""
        return self._bit_generator.state

    def set_state(self, state: dict) -> None:
        """Set a state that get_state() has returned.

        Raises
        ------
        TypeError
            For objects that are not a dict, such as the state of a Mersenne Twister.
        """
        self._bit_generator.state = state

    def uniform(
        self, low=0.0, high=1.0, size=None, device=None, usm_type="device", sycl_queue=None, *, dtype=None
    ) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [low, high), as `Generator.uniform`.

        `dtype` is float64 (when None), float32, or int32, which rounds down. Intel's dpnp has it, too.

        Raises
        ------
        TypeError
            For another dtype.

        Examples
        --------
        >>> import dpnp
        >>> dpnp.random.RandomState(3).uniform(0, 10, 5, dtype="i4").dtype
        dtype('int32')
        """
        wanted = _dtype_of("uniform", dtype, ("float32", "float64", "int32"))
        made = super().uniform(low, high, size, device, usm_type, sycl_queue)
        return (dpnp.floor(made) if wanted == numpy.int32 else made).astype(wanted, copy=False)

    def normal(
        self, loc=0.0, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None, *, dtype=None
    ) -> dpnp_ndarray:
        """Return normally distributed numbers, as `Generator.normal`. `dtype`: float64 (when None) or float32."""
        wanted = _dtype_of("normal", dtype, ("float32", "float64"))
        return super().normal(loc, scale, size, device, usm_type, sycl_queue).astype(wanted, copy=False)

    def random_sample(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1), in an array of shape `size`."""
        return self._random("random_sample", size, numpy.float64, device, usm_type, sycl_queue)

    def random(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1), in an array of shape `size`."""
        return self._random("random", size, numpy.float64, device, usm_type, sycl_queue)

    def rand(self, *lengths: int, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1), in an array of shape `lengths`."""
        return self._random("rand", lengths, numpy.float64, device, usm_type, sycl_queue)

    def standard_normal(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean 0 and standard deviation 1, in an array of shape `size`."""
        return self._normal("standard_normal", size, device, usm_type, sycl_queue)

    def randn(self, *lengths: int, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean 0 and standard deviation 1, in an array of shape `lengths`."""
        return self._normal("randn", lengths, device, usm_type, sycl_queue)

    def standard_exponential(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the exponential distribution of mean 1, in an array of shape `size`."""
        return self._numbers("standard_exponential", size, (device, usm_type, sycl_queue)).exponential()

    def standard_gamma(self, shape, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the gamma distribution with a shape, which may be an array, and scale 1."""
        parameters = {"shape": (shape, Limits.NON_NEGATIVE)}
        n = self._numbers("standard_gamma", size, (device, usm_type, sycl_queue), parameters)
        return n.gamma(*n.parameters)

    def randint(
        self, low, high=None, size=None, dtype=int, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return uniformly distributed integers in [low, high), or in [0, low) when `high` is None.

        See `Generator.integers`.
        """
        dtype = int if dtype is None else dtype
        return integers(self, "randint", low, high, size, dtype, False, (device, usm_type, sycl_queue))

    def random_integers(
        self, low, high=None, size=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return uniformly distributed integers in [low, high], or in [1, low] when `high` is None.

        NumPy has deprecated it for `randint(low, high + 1)`, which returns the same numbers.

        Examples
        --------
        >>> import dpnp
        >>> x = dpnp.random.RandomState(3).random_integers(2, size=100)
        >>> int(x.min()), int(x.max())
        (1, 2)
        """
        if high is None:
            low, high = 1, low
        return integers(self, "random_integers", low, high, size, int, True, (device, usm_type, sycl_queue))

    def tomaxint(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed integers from 0 to 2**63 - 1, in an array of shape `size`."""
        return integers(self, "tomaxint", 0, 2**63, size, int, False, (device, usm_type, sycl_queue))

    def choice(
        self, a, size=None, replace=True, p=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return random elements of an array with one axis, or of the integers below `a`.

        See `Generator.choice`.
        """
        if (axes := numpy.ndim(a)) > 1:
            raise ValueError(f"choice: a must be an integer or have one axis, got {axes} axes")
        return self._choice(a, size, replace, p, 0, True, (device, usm_type, sycl_queue))

    def permutation(self, x, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return the elements of an array along its first axis, or the integers below `x`, in random order."""
        return self._permutation(x, 0, (device, usm_type, sycl_queue))

    def shuffle(self, x: dpnp_ndarray) -> None:
        """Put the parts of an array along its first axis into random order."""
        self._shuffle(x, 0)
