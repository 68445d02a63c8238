"""The bit generator: NumPy's Philox, whose n-th numbers devices compute from n, in parallel."""

from __future__ import annotations

import operator
import os

import numpy
from dpctl import tensor as dpt
from dpep._array import RandomGenerator, array_base, dpnp_ndarray

__all__ = ["MT19937", "PCG64", "PCG64DXSM", "SFC64", "BitGenerator", "Philox"]

_WORD = (1 << 64) - 1


def _words(function: str, name: str, value: object, count: int) -> list[int]:
    """Return an integer of `count` words of 64 bits, or an array of words, as a list with the lowest word first."""
    if isinstance(value, numpy.ndarray | list | tuple) and numpy.ndim(value) == 1:
        words = [operator.index(word) for word in value]
        if len(words) != count or not all(0 <= word <= _WORD for word in words):
            raise ValueError(f"{function}: {name} must have {count} integers of 64 bits, got {value!r}")
        return words
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{function}: {name} must be an int or an array, got {type(value).__name__}") from None
    if not 0 <= number < 1 << 64 * count:
        raise ValueError(f"{function}: {name} must be from 0 to 2**{64 * count} - 1, got {number}")
    return [number >> 64 * k & _WORD for k in range(count)]


def _seed_sequence(seed: object) -> object:
    from numpy.random import bit_generator  # imported here, since it takes longer than dpnp.random

    if isinstance(seed, array_base):
        seed = dpt.asnumpy(seed) if seed.ndim else operator.index(seed)
    return seed if isinstance(seed, bit_generator.ISeedSequence) else bit_generator.SeedSequence(seed)


def with_random_key() -> Philox:
    """Return a generator with a key of the operating system's, which cannot spawn others."""
    return Philox(key=int.from_bytes(os.urandom(16), "little"))


class BitGenerator:
    """The base class of bit generators. It cannot be constructed: use `Philox`."""

    def __init__(self, seed: object = None):
        raise NotImplementedError("BitGenerator is a base class; use Philox")


class Philox(BitGenerator):
    """The generator Philox4x64-10, with NumPy's seeds, keys, counters and numbers.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed, from which numpy.random.SeedSequence derives the key; default: a random one from the operating system.
    counter : int or array of four uint64, optional
        The initial counter, a number of 256 bits.
    key : int or array of two uint64, optional
        The key, a number of 128 bits, instead of a seed.

    Raises
    ------
    ValueError
        When both `seed` and `key` are given, and for numbers out of range.

    Notes
    -----
    J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).

    Examples
    --------
    >>> import dpnp
    >>> dpnp.random.Philox(1).random_raw(2)
    array([1232279569898196538, 1457532264001425278], dtype=uint64)
    """

    def __init__(self, seed: object = None, counter: object = None, key: object = None):
        if seed is not None and key is not None:
            raise ValueError("Philox: seed and key cannot be both used")
        self._seed_seq = None
        if key is None:
            self._seed_seq = _seed_sequence(seed)
            keys = [int(word) for word in self._seed_seq.generate_state(2, numpy.uint64)]
        else:
            keys = _words("Philox", "key", key, 2)
        self._generator = RandomGenerator(keys, _words("Philox", "counter", 0 if counter is None else counter, 4))

    @property
    def seed_seq(self) -> object:
        """The seed sequence of the generator; None for one with a key."""
        return self._seed_seq

    @property
    def state(self) -> dict:
        """The state, a dict with NumPy's keys."""
        key, counter, buffer, position, has_half, half = self._generator.get_state()
        words = [numpy.array(list_, dtype=numpy.uint64) for list_ in (counter, key, buffer)]
        return {
            "bit_generator": "Philox",
            "state": {"counter": words[0], "key": words[1]},
            "buffer": words[2],
            "buffer_pos": position,
            "has_uint32": int(has_half),
            "uinteger": half,
        }

    @state.setter
    def state(self, value: dict) -> None:
        if not isinstance(value, dict):
            raise TypeError(f"Philox: state must be a dict, got {type(value).__name__}")
        if value.get("bit_generator", "") != "Philox":
            raise ValueError(f"Philox: state must be for a Philox generator, got {value.get('bit_generator')!r}")
        lists = [value["state"]["key"], value["state"]["counter"], value["buffer"]]
        words = [[int(word) for word in list_] for list_ in lists]
        numbers = (int(value["buffer_pos"]), bool(value["has_uint32"]), int(value["uinteger"]))
        self._generator.set_state((*words, *numbers))

    def advance(self, delta: int) -> Philox:
        """Add a number to the counter: skip as many blocks of four words. Return the generator."""
        self._generator.advance(_words("advance", "delta", operator.index(delta) % (1 << 256), 4))
        return self

    def jumped(self, jumps: int = 1) -> Philox:
        """Return a new generator whose counter is larger by `jumps` * 2**128."""
        made = Philox(key=0)
        made.state = self.state
        made._seed_seq = self._seed_seq
        return made.advance(operator.index(jumps) << 128)

    def spawn(self, n_children: int) -> list[Philox]:
        """Return new generators with seeds that are derived from that of this one.

        Raises
        ------
        TypeError
            When the generator was made with a key.
        """
        if self._seed_seq is None:
            raise TypeError("spawn: the generator was made with a key, not with a seed")
        return [Philox(seed) for seed in self._seed_seq.spawn(n_children)]

    def random_raw(
        self, size=None, output: bool = True, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray | None:
        """Return random words of 64 bits in an array of shape `size`; without `output`, only skip them."""
        words = self._generator.words(size, numpy.uint64, device, usm_type, sycl_queue)
        return words if output else None

    def __reduce__(self) -> tuple:
        return _restored, (self.state, self._seed_seq)


def _restored(state: dict, seed_seq: object) -> Philox:
    made = Philox(key=0)
    made.state = state
    made._seed_seq = seed_seq
    return made


def is_numpys(value: object) -> bool:
    """Return whether an object is a bit generator of NumPy's."""
    return any(base.__name__ == "BitGenerator" and base.__module__.startswith("numpy.") for base in type(value).__mro__)


def bit_generator_of(function: str, value: object) -> Philox:
    """Return the generator; for one of NumPy's Philox generators, a copy."""
    if isinstance(value, Philox):
        return value
    if is_numpys(value) and type(value).__name__ == "Philox":
        return _restored(value.state, value.seed_seq)
    if is_numpys(value):
        raise NotImplementedError(f"{function}: devices compute the numbers of Philox only, got {type(value).__name__}")
    raise TypeError(f"{function}: expected a bit generator, got {type(value).__name__}")


def _refused(name: str) -> type:
    def __init__(self, seed: object = None):
        raise NotImplementedError(f"{name}: devices compute the numbers of Philox only; use dpnp.random.Philox")

    text = f"NumPy's {name}, which devices cannot compute in parallel: raises NotImplementedError; use `Philox`."
    return type(name, (BitGenerator,), {"__doc__": text, "__init__": __init__, "__module__": "dpnp.random"})


MT19937, PCG64, PCG64DXSM, SFC64 = map(_refused, ("MT19937", "PCG64", "PCG64DXSM", "SFC64"))
