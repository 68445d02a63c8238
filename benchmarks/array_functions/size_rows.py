"""Rows of linear algebra, Fourier transforms and random numbers by size, batch and data type."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
from rows import Row

PAUSE = 0.15  # the threads of OpenBLAS wait busily for about 120 ms after a product
SINGLE = ("f4", "c8")


class SizeData:
    """Arrays by names such as `normal_f8_100_4_4`: a kind, a data type and a shape. Each is made when first used.

    The kinds are `normal`, `regular` (well-conditioned matrices), `definite` (symmetric positive definite ones) and
    `count`, an array of as many numbers as a row of random numbers makes.
    """

    def __init__(self, n: int) -> None:
        self.n = n

    def __getattr__(self, name: str) -> np.ndarray:
        kind, *details = name.split("_")
        if kind == "count":
            made = np.empty(self.n // int(details[0]))
        elif kind in ("normal", "regular", "definite"):
            made = self._numbers(kind, details[0], tuple(map(int, details[1:])))
        else:
            raise AttributeError(name)
        self.__dict__[name] = made
        return made

    def _numbers(self, kind: str, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
        random = np.random.default_rng(1)
        x = random.standard_normal(shape)
        if dtype[0] == "c":
            x = x + 1j * random.standard_normal(shape)
        order = shape[-1]
        if kind == "regular":
            x = x + 3 * order**0.5 * np.eye(order)
        elif kind == "definite":
            x = x @ x.mT.conj() / order + np.eye(order)
        return x.astype(dtype)


def _tolerance(operands: str) -> float:
    return 2e-3 if any(dtype in operands for dtype in SINGLE) else 1e-9


def _title(function: str, operand: str) -> str:
    _, dtype, *shape = operand.split("_")
    *batch, rows, columns = ["1", *shape] if len(shape) == 1 else shape
    return f"{function} {f'{batch[0]} of ' if batch else ''}{rows} x {columns}{'' if dtype == 'f8' else f', {dtype}'}"


def _linear(function: str, operands: str, calls: int = 1, code: Callable | None = None, **keywords) -> Row:
    code = code or (lambda xp, *x: getattr(xp.linalg, function)(*x))
    made = {"tolerance": _tolerance(operands), "pause": PAUSE, "calls": calls} | keywords
    return Row(_title(function, operands.split()[0]), operands, code, **made)


def _product(operand: str, calls: int = 1) -> Row:
    return _linear("matmul", f"{operand} {operand}", calls, lambda xp, x, y: x @ y)


def _solve(order: str, columns: int, calls: int = 1) -> Row:
    dtype, *shape = order.split("_")
    right = "_".join(["normal", dtype, *shape[:-1], str(columns)])
    return _linear("solve", f"regular_{order} {right}", calls)


def _factors(function: str, operand: str, calls: int = 1) -> Row:
    """A factorisation, of which the product of the factors is compared."""

    def compared(results: list[np.ndarray], operands: list[np.ndarray]) -> list[np.ndarray]:
        if function == "qr":
            return [results[0] @ results[1]]
        if function == "eigh":
            return [results[0], (results[1] * results[0][..., None, :]) @ results[1].conj().mT]
        return [results[1], (results[0] * results[1][..., None, :]) @ results[2]]

    keywords = {"full_matrices": False} if function == "svd" else {}
    code = lambda xp, x: tuple(getattr(xp.linalg, function)(x, **keywords))  # noqa: E731
    return _linear(function, operand, calls, code, comparable=compared)


def linear_size_rows() -> list[Row]:
    return [
        _product("normal_f8_8_8", 200),
        _product("normal_f8_64_64", 50),
        _product("normal_c16_512_512"),
        _product("normal_f8_2048_2048"),
        _product("normal_f4_4096_4096"),
        _product("normal_f4_100000_4_4"),
        _product("normal_f8_1000_32_32"),
        _solve("f8_8_8", 1, 200),
        _solve("f8_64_64", 1, 50),
        _solve("c16_256_256", 16),
        _solve("f4_1024_1024", 1),
        _solve("f8_2048_2048", 1),
        _solve("f8_10000_8_8", 1),
        _linear("inv", "regular_f8_64_64", 50),
        _linear("inv", "regular_f8_1024_1024"),
        _linear("inv", "regular_f8_1000_32_32"),
        _linear("det", "definite_f8_256_256", 5),
        _linear("det", "definite_f4_10000_8_8"),
        _linear("cholesky", "definite_f8_64_64", 50),
        _linear("cholesky", "definite_f8_2048_2048"),
        _linear("cholesky", "definite_f8_10000_8_8"),
        _factors("qr", "normal_f8_64_64", 20),
        _factors("qr", "normal_f8_512_512"),
        _factors("qr", "normal_f8_4096_64"),
        _factors("svd", "normal_f8_64_64", 5),
        _factors("svd", "normal_f8_512_512"),
        _factors("svd", "normal_f8_4096_32"),
        _linear("svdvals", "normal_f8_1000_8_8"),
        _factors("eigh", "definite_f8_64_64", 5),
        _factors("eigh", "definite_f8_512_512"),
        _factors("eigh", "definite_f8_1000_16_16"),
        _linear("eigvalsh", "definite_f4_1024_1024"),
        _linear("pinv", "normal_f8_256_256"),
        _linear("matrix_power", "definite_f8_256_256", 2, lambda xp, x: xp.linalg.matrix_power(x, 8)),
    ]


def _fourier(function: str, operand: str, calls: int = 1, **keywords) -> Row:
    _, dtype, *shape = operand.split("_")
    lines = f"{shape[0]} of {shape[1]}" if len(shape) == 2 and function[-1] != "n" else " x ".join(shape)
    where = "".join(f", {name} {value}" for name, value in keywords.items())
    return Row(
        f"{function} {lines}, {dtype}{where}", operand,
        lambda xp, x: getattr(xp.fft, function)(x, **keywords), tolerance=_tolerance(operand), calls=calls,
    )  # fmt: skip


def fourier_size_rows() -> list[Row]:
    return [
        _fourier("fft", "normal_c16_8", 200),
        _fourier("fft", "normal_c16_64", 200),
        _fourier("fft", "normal_c16_512", 100),
        _fourier("fft", "normal_c16_4096", 20),
        _fourier("fft", "normal_c8_4096", 20),
        _fourier("fft", "normal_c16_1009", 50),
        _fourier("fft", "normal_c16_2187", 50),
        _fourier("rfft", "normal_f8_4096", 20),
        _fourier("irfft", "normal_c16_2049", 20),
        _fourier("fft", "normal_c16_100000_8"),
        _fourier("fft", "normal_c8_10000_64"),
        _fourier("fft", "normal_c16_1000_512"),
        _fourier("fft", "normal_c8_1000_4096"),
        _fourier("fft", "normal_c16_1000_4096"),
        _fourier("ifft", "normal_c16_1000_1000"),
        _fourier("fft", "normal_c16_1000_241"),
        _fourier("fft", "normal_c16_1000_1009"),
        _fourier("fft", "normal_c16_1000_1155"),
        _fourier("rfft", "normal_f4_1000_4096"),
        _fourier("rfft", "normal_f8_10000_100"),
        _fourier("irfft", "normal_c16_1000_2049"),
        _fourier("fft", "normal_c16_4096_256", axis=0),
        _fourier("rfft", "normal_f8_1024_1000", axis=0),
        _fourier("fftn", "normal_c16_64_64", 50),
        _fourier("fftn", "normal_c16_500_500"),
        _fourier("fftn", "normal_c8_2048_2048"),
        _fourier("fftn", "normal_c16_2048_2048"),
        _fourier("rfftn", "normal_f8_1024_1024"),
        _fourier("rfftn", "normal_f4_1000_1000"),
        _fourier("fftn", "normal_c16_64_64_64"),
        _fourier("fftn", "normal_c8_128_128_128"),
        _fourier("rfftn", "normal_f8_100_100_100"),
    ]


def _generator(xp: object) -> object:
    """Return a generator of a module: on Philox if it has it."""
    made = _generator.of.get(id(xp))
    if made is None:
        random = xp.random
        made = random.Generator(random.Philox(1)) if hasattr(random, "Philox") else random.default_rng(1)
        _generator.of[id(xp)] = made
    return made


_generator.of = {}


def _quantiles(results: list[np.ndarray], operands: list[np.ndarray]) -> list[np.ndarray]:
    """Some quantiles, which are equal for the same distribution but for the noise of the sample."""
    sample = results[0].ravel()[:1_000_000].astype("f8")
    return [np.quantile(sample, [0.12, 0.27, 0.47, 0.73, 0.9])]


def _random(title: str, code: Callable, torch: Callable | None = None, divisor: int = 1, calls: int = 1) -> Row:
    """Return a row of a distribution: of `code` with a generator and a size, and torch's spelling with the size."""
    return Row(
        title, f"count_{divisor}", lambda xp, like: code(_generator(xp), len(like)),
        spelled={"torch": torch and (lambda xp, like: torch(xp, len(like))), "jax": None},
        ours="dpnp", comparable=_quantiles, tolerance=0.03 if calls == 1 else 0.5, calls=calls,
    )  # fmt: skip


def _full(torch: SimpleNamespace, n: int, value: float) -> object:
    return torch.full((n,), value, dtype=torch.float64)


def random_size_rows(n: int) -> list[Row]:
    probabilities = [0.1, 0.2, 0.3, 0.4]
    few = n // 1000
    return [
        _random("random", lambda r, n: r.random(n), lambda t, n: t.rand(n, dtype=t.float64)),
        _random("random, float32", lambda r, n: r.random(n, dtype="f4"), lambda t, n: t.rand(n)),
        _random(f"random, {1000} numbers", lambda r, n: r.random(n), lambda t, n: t.rand(n, dtype=t.float64), few, 50),
        _random("uniform(2, 3)", lambda r, n: r.uniform(2, 3, n), lambda t, n: t.rand(n, dtype=t.float64) + 2),
        _random("integers(0, 1000)", lambda r, n: r.integers(0, 1000, n), lambda t, n: t.randint(0, 1000, (n,))),
        _random("integers, uint32", lambda r, n: r.integers(0, 2**32, n, dtype="u4")),
        _random("standard_normal", lambda r, n: r.standard_normal(n), lambda t, n: t.randn(n, dtype=t.float64)),
        _random("standard_normal, float32", lambda r, n: r.standard_normal(n, dtype="f4"), lambda t, n: t.randn(n)),
        _random(
            f"standard_normal, {1000} numbers", lambda r, n: r.standard_normal(n),
            lambda t, n: t.randn(n, dtype=t.float64), few, 50,
        ),
        _random("normal(2, 3)", lambda r, n: r.normal(2, 3, n), lambda t, n: t.randn(n, dtype=t.float64) * 3 + 2),
        _random(
            "mean of squares of normals", lambda r, n: (r.standard_normal(n) ** 2).mean()[None] * 100,
            lambda t, n: (t.randn(n, dtype=t.float64) ** 2).mean()[None] * 100,
        ),
        _random("exponential", lambda r, n: r.exponential(2, n), lambda t, n: _full(t, n, 0).exponential_(0.5)),
        _random("lognormal", lambda r, n: r.lognormal(0, 1, n), lambda t, n: _full(t, n, 0).log_normal_(0, 1)),
        _random("laplace", lambda r, n: r.laplace(0, 1, n)),
        _random("gumbel", lambda r, n: r.gumbel(0, 1, n)),
        _random("weibull(2)", lambda r, n: r.weibull(2, n)),
        _random("gamma(2.5)", lambda r, n: r.gamma(2.5, size=n), lambda t, n: t._standard_gamma(_full(t, n, 2.5))),
        _random("gamma(0.5)", lambda r, n: r.gamma(0.5, size=n), lambda t, n: t._standard_gamma(_full(t, n, 0.5))),
        _random("beta(2, 3)", lambda r, n: r.beta(2, 3, n)),
        _random("chisquare(3)", lambda r, n: r.chisquare(3, n)),
        _random("standard_t(3)", lambda r, n: r.standard_t(3, n)),
        _random("poisson(3)", lambda r, n: r.poisson(3, n), lambda t, n: t.poisson(_full(t, n, 3))),
        _random("poisson(30)", lambda r, n: r.poisson(30, n), lambda t, n: t.poisson(_full(t, n, 30))),
        _random(
            "binomial(10, 0.3)", lambda r, n: r.binomial(10, 0.3, n),
            lambda t, n: t.binomial(_full(t, n, 10), _full(t, n, 0.3)),
        ),
        _random(
            "binomial(1000, 0.3)", lambda r, n: r.binomial(1000, 0.3, n),
            lambda t, n: t.binomial(_full(t, n, 1000), _full(t, n, 0.3)),
        ),
        _random("geometric(0.3)", lambda r, n: r.geometric(0.3, n), lambda t, n: _full(t, n, 0).geometric_(0.3)),
        _random("permutation", lambda r, n: r.permutation(n), lambda t, n: t.randperm(n)),
        _random("choice(1000)", lambda r, n: r.choice(1000, n), lambda t, n: t.randint(0, 1000, (n,))),
        _random(
            "choice(4, p)", lambda r, n: r.choice(4, n, p=probabilities),
            lambda t, n: t.multinomial(t.tensor(probabilities), n, replacement=True), 10,
        ),
        _random("bytes", lambda r, n: np.frombuffer(r.bytes(n), "u1")),
    ]  # fmt: skip
