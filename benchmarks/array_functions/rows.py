"""What a row of the table is, and the arrays that the rows use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np


@dataclass
class Row:
    """One computation, written once for the libraries that spell it alike.

    Args:
        title: Name in the table.
        operands: Names of arrays of `Data`, separated by spaces.
        code: The computation: a function of a module with the names of the Array API and of the operands.
        spelled: Other spellings by library (`numpy`, `torch`, `jax`, `cupy`); None leaves the library out.
        numexpr: The expression for numexpr, whose variables are the operands.
        ours: The package that has the function: `dpctl.tensor` or `dpnp`.
        jit: Whether `jax.jit` takes the computation, which it does not if the result's shape depends on values.
        comparable: Turns results and operands, as NumPy arrays, into arrays that do not depend on the algorithm.
        tolerance: Largest error relative to the reference's elements and their largest magnitude.
        calls: Calls in a run, whose time is divided by their number: of computations on few elements.
        pause: Seconds before each run, in which threads that wait busily for more work of another library fall asleep.
    """

    title: str
    operands: str
    code: Callable
    spelled: dict[str, Callable | None] = field(default_factory=dict)
    numexpr: str | None = None
    ours: str = "dpctl.tensor"
    jit: bool = True
    comparable: Callable[[list[np.ndarray], list[np.ndarray]], list[np.ndarray]] = lambda results, operands: results
    tolerance: float = 0
    pause: float = 0.01
    calls: int = 1

    @property
    def label(self) -> str:
        return self.title if self.ours == "dpctl.tensor" else f"{self.title} ({self.ours})"

    @property
    def names(self) -> list[str]:
        return self.operands.split()


def ordered(results: list[np.ndarray], operands: list[np.ndarray]) -> list[np.ndarray]:
    """The elements that positions select: of equal elements, positions may differ between algorithms."""
    x, positions = operands[0], results[0]
    return [np.take_along_axis(x, positions, -1)]


class Data:
    """Arrays by name, of `n` elements unless their comments say something else. Each is made when first used."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.length = max(n // 1000, 10)  # of matrices with 1000 columns
        self.side = int(n**0.5)  # of square matrices
        self.edge = round(n ** (1 / 3))  # of cubes
        self.order = 1000 if n >= 1_000_000 else 100  # of matrices in linear algebra

    def _random(self, seed: int) -> np.random.Generator:
        return np.random.default_rng(seed)

    def _positive(self, seed: int) -> np.ndarray:
        return self._random(seed).random(self.n) + 0.5

    def _normal(self, shape: int | tuple[int, ...], seed: int, dtype: str = "f8") -> np.ndarray:
        return self._random(seed).standard_normal(shape, dtype=dtype)

    # One-dimensional: a, b, c are between 0.5 and 1.5, x is normal.
    a = cached_property(lambda self: self._positive(1))
    b = cached_property(lambda self: self._positive(2))
    c = cached_property(lambda self: self._positive(3))
    x = cached_property(lambda self: self._normal(self.n, 4))
    near_one = cached_property(lambda self: 1 + self.x * 1e-4)
    a32 = cached_property(lambda self: self.a.astype("f4"))
    b32 = cached_property(lambda self: self.b.astype("f4"))
    x32 = cached_property(lambda self: self.x.astype("f4"))
    i32 = cached_property(lambda self: self._random(5).integers(-1000, 1000, self.n, "i4"))
    j32 = cached_property(lambda self: self._random(6).integers(1, 1000, self.n, "i4"))
    i64 = cached_property(lambda self: self._random(7).integers(-1000, 1000, self.n))
    z = cached_property(lambda self: self.a + 1j * self.b)
    w = cached_property(lambda self: self.b - 1j * self.c)
    none = cached_property(lambda self: np.zeros(self.n, bool))
    every = cached_property(lambda self: np.ones(self.n, bool))

    # Two-dimensional, with 1000 columns, and what they are broadcast with; s and t are square.
    m = cached_property(lambda self: self._random(8).random((self.length, 1000)) + 0.5)
    mx = cached_property(lambda self: self._normal((self.length, 1000), 9))
    m1 = cached_property(lambda self: 1 + 1e-3 * self.mx)
    m32 = cached_property(lambda self: self.m.astype("f4"))
    none2 = cached_property(lambda self: np.zeros((self.length, 1000), bool))
    every2 = cached_property(lambda self: np.ones((self.length, 1000), bool))
    row = cached_property(lambda self: self._random(10).random(1000) + 0.5)
    column = cached_property(lambda self: self._random(11).random((self.length, 1)) + 0.5)
    s = cached_property(lambda self: self._random(12).random((self.side, self.side)))
    cube = cached_property(lambda self: self._random(13).random((self.edge, self.edge, self.edge)))

    # Keys of sorts and sets; the names end in their data types. few has 1000 different values.
    f64 = cached_property(lambda self: self._normal(self.n, 14))
    f32 = cached_property(lambda self: self._normal(self.n, 15, "f4"))
    k32 = cached_property(lambda self: self._random(16).integers(-(2**31), 2**31 - 1, self.n, "i4"))
    k64 = cached_property(lambda self: self._random(17).integers(-(2**63), 2**63 - 1, self.n))
    tenth_f64 = cached_property(lambda self: self.f64[: self.n // 10].copy())
    tenth_f32 = cached_property(lambda self: self.f32[: self.n // 10].copy())
    tenth_k32 = cached_property(lambda self: self.k32[: self.n // 10].copy())
    tenth_k64 = cached_property(lambda self: self.k64[: self.n // 10].copy())
    few = cached_property(lambda self: self._random(18).integers(0, 1000, self.n, "i4"))
    sorted_tenth = cached_property(lambda self: np.sort(self.tenth_f64))
    sorted_f64 = cached_property(lambda self: np.sort(self.f64))
    tests = cached_property(lambda self: self._random(19).integers(0, 2000, 100, "i4"))
    many_tests = cached_property(lambda self: self._random(20).integers(-(2**31), 2**31 - 1, self.n // 10, "i4"))

    # Indices and masks. target and target16 are written to by rows that store elements.
    target = cached_property(lambda self: np.ones(self.n))
    target16 = cached_property(lambda self: np.zeros((self.n // 16, 16)))
    half = cached_property(lambda self: self._random(21).random(self.n) < 0.5)
    rare = cached_property(lambda self: self._random(22).random(self.n) < 0.01)
    values = cached_property(lambda self: self.a[: np.count_nonzero(self.half)].copy())
    random_i = cached_property(lambda self: self._random(23).integers(0, self.n, self.n))
    sorted_i = cached_property(lambda self: np.sort(self.random_i))
    permutation = cached_property(lambda self: self._random(24).permutation(self.n))
    tenth_i = cached_property(lambda self: np.sort(self.permutation[: self.n // 10]))
    tenth_values = cached_property(lambda self: self.a[: self.n // 10].copy())
    rows16 = cached_property(lambda self: self._random(25).random((self.n // 16, 16)))
    row_i = cached_property(lambda self: self._random(26).permutation(self.n // 16))
    columns_i = cached_property(lambda self: self._random(27).permutation(1000))
    along_i = cached_property(lambda self: self._random(28).integers(0, 1000, (self.length, 1000)))

    # Linear algebra: matrices of order 1000, batches of small ones.
    p = cached_property(lambda self: self._normal((self.order, self.order), 29))
    q = cached_property(lambda self: self._normal((self.order, self.order), 30))
    p32 = cached_property(lambda self: self.p.astype("f4"))
    q32 = cached_property(lambda self: self.q.astype("f4"))
    regular = cached_property(lambda self: self.p + self.order**0.5 * 3 * np.eye(self.order))
    definite = cached_property(lambda self: self.p @ self.p.T / self.order + np.eye(self.order))
    vector = cached_property(lambda self: self._normal(self.order, 31))
    right = cached_property(lambda self: self._normal((self.order, self.order // 10), 32))
    half_order = cached_property(lambda self: self._normal((self.order // 2, self.order // 2), 33))
    column_vector = cached_property(lambda self: self._normal(self.length, 34))
    b4 = cached_property(lambda self: self._normal((self.n // 100, 4, 4), 35))
    d4 = cached_property(lambda self: self._normal((self.n // 100, 4, 4), 36))
    b50 = cached_property(lambda self: self._normal((self.n // 10_000, 50, 50), 37))
    d50 = cached_property(lambda self: self._normal((self.n // 10_000, 50, 50), 38))
    regular16 = cached_property(lambda self: self._normal((self.n // 1000, 16, 16), 39) + 12 * np.eye(16))
    definite16 = cached_property(lambda self: self.regular16 @ self.regular16.mT / 16)
    right16 = cached_property(lambda self: self._normal((self.n // 1000, 16, 1), 40))
    cube1 = cached_property(lambda self: self._normal((self.edge // 2,) * 3, 41))
    cube2 = cached_property(lambda self: self._normal((self.edge // 2,) * 3, 42))
    long_vector = cached_property(lambda self: self._normal(3 * self.order, 43))

    # Fourier transforms. The names are those of the lengths: power is 2 ** 20, decimal 10 ** 6, for n of 10 ** 7.
    power = cached_property(lambda self: self._complex(1 << (self.n // 10).bit_length()))
    decimal = cached_property(lambda self: self._complex(self.n // 10))
    whole = cached_property(lambda self: self._complex(self.n))
    power64 = cached_property(lambda self: self.power.astype("c8"))
    real_power = cached_property(lambda self: self.power.real.copy())
    half_power = cached_property(lambda self: np.fft.rfft(self.real_power))
    lines = cached_property(lambda self: self._complex((self.length, 1024)))
    real_lines = cached_property(lambda self: self.lines.real.copy())
    short_lines = cached_property(lambda self: self._complex((self.n // 100, 16)))
    plane = cached_property(lambda self: self._complex((self.order, self.order)))
    real_plane = cached_property(lambda self: self.square_plane.real.copy())
    square_plane = cached_property(lambda self: self._complex((1 << (self.side // 2).bit_length(),) * 2))
    box = cached_property(lambda self: self._complex((self.edge // 2,) * 3))

    def _complex(self, shape: int | tuple[int, ...]) -> np.ndarray:
        return self._normal(shape, 44) + 1j * self._normal(shape, 45)
