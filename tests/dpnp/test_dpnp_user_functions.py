"""vectorize and frompyfunc, compared with NumPy's of the same functions."""

from __future__ import annotations

import math

import dpnp
import numpy as np
import pytest
from dpep._kernel import _source


def larger(x, y):
    return x if x > y else y


def polynomial(x):
    return 3 * x * x - 2 * x + 1


def power_sum(x, y=2, z=1):
    return x**2 + y * z


def wave(x):
    return math.sin(x) / (1 + x * x)


def quotient(x, y):
    if y > 0:
        return x // y, x % y
    return 0, x


def close(ours: object, expected: object, dtype: object = None) -> None:
    assert isinstance(ours, dpnp.ndarray)
    found, expected = dpnp.asnumpy(ours), np.asarray(expected)
    assert found.shape == expected.shape
    assert found.dtype == (dtype or expected.dtype)
    np.testing.assert_allclose(found, expected.astype(found.dtype), rtol=1e-6 if found.dtype.char == "f" else 1e-12)


A, B = np.arange(6.0).reshape(2, 3), np.array([4.0, 0.0, 2.5])


# lambdas on one line, over several lines, nested, with defaults and without use of their argument
twice, thrice = lambda x: 2 * x, lambda x: 3 * x
LAMBDAS = {
    "first": twice, "second": thrice, "one": lambda x: x + 1, "constant": lambda x: 7, "choice": lambda x: (
        x * 2
        if x > 1
        else -x
    ), "default": lambda x, y=3: x * y, "made by another": (lambda n: lambda x: x * n)(4),
    "function": lambda x: math.exp(-x),
}  # fmt: skip


@pytest.mark.parametrize("name", LAMBDAS)
def test_lambdas(name):
    f = LAMBDAS[name]
    close(dpnp.vectorize(f)(dpnp.asarray(A)), np.vectorize(f)(A), np.int64 if name == "constant" else None)
    if name != "default":
        close(
            dpnp.frompyfunc(f, 1, 1)(dpnp.asarray(B)),
            np.vectorize(f, otypes=[float])(B) if name != "constant" else [7] * 3,
        )


@pytest.mark.parametrize(
    "f", [math.sqrt, math.sin, math.floor, abs, float, int, np.cos, round, bool], ids=lambda f: f.__name__
)
def test_functions_of_other_kinds(f):
    close(dpnp.vectorize(f)(dpnp.asarray(A)), np.vectorize(f)(A))


@pytest.mark.parametrize("f", [math.hypot, math.atan2, max, np.maximum, np.arctan2], ids=lambda f: f.__name__)
def test_functions_of_other_kinds_with_two_operands(f):
    close(dpnp.vectorize(f)(dpnp.asarray(A), 2.0), np.vectorize(f)(A, 2.0))


def test_several_results():
    x = dpnp.asarray(A)
    for ours, theirs in (
        (dpnp.vectorize(quotient), np.vectorize(quotient)),
        (dpnp.frompyfunc(quotient, 2, 2), np.vectorize(quotient)),
    ):
        found = ours(x, 2)
        assert isinstance(found, tuple)
        for a, b in zip(found, theirs(A, 2), strict=True):
            close(a, b)
    halves = dpnp.vectorize(lambda x: (x, x / 2), otypes="id")(x)
    assert [a.dtype.char for a in halves] == ["i", "d"]
    out = dpnp.zeros((2, 3)), dpnp.zeros((2, 3))
    assert dpnp.frompyfunc(quotient, 2, 2)(x, 2, out=out)[1] is out[1]
    close(out[1], A % 2)


class TestVectorize:
    @pytest.mark.parametrize("code", "ifd")
    def test_functions_of_numbers(self, code):
        a, b = A.astype(code), B.astype(code)
        close(dpnp.vectorize(larger)(dpnp.asarray(a), dpnp.asarray(b)), np.vectorize(larger, otypes=[code])(a, b))
        close(dpnp.vectorize(polynomial)(dpnp.asarray(a)), np.vectorize(polynomial, otypes=[code])(a))

    def test_output_types(self):
        for otypes in ("f", [np.int32], [complex]):
            close(dpnp.vectorize(larger, otypes)(dpnp.asarray(A), 2), np.vectorize(larger, otypes)(A, 2))

    def test_keywords_and_defaults(self):
        f, g = dpnp.vectorize(power_sum), np.vectorize(power_sum)
        x = dpnp.asarray(A)
        close(f(x), g(A))
        close(f(x, z=3.0), g(A, z=3.0))
        close(f(y=dpnp.asarray(B), x=x), g(y=B, x=A))
        close(dpnp.vectorize(power_sum, excluded={"y"})(x, y=3), np.vectorize(power_sum, excluded={"y"})(A, y=3))

    def test_decorators(self):
        @dpnp.vectorize
        def twice(x):
            """Return twice a number."""
            return 2 * x

        @dpnp.vectorize(otypes=["f4"], doc="Half.")
        def half(x):
            return x / 2

        close(twice(dpnp.asarray(A)), 2 * A)
        close(half(dpnp.asarray(A)), A / 2, "f4")
        assert (twice.__doc__, half.__doc__, twice.__name__) == ("Return twice a number.", "Half.", "twice")

    def test_results_are_part_of_expressions(self):
        a = np.linspace(0, 5, 100_000)
        x = dpnp.asarray(a)
        expected = (np.sin(a) / (1 + a * a)).sum()
        assert float((dpnp.vectorize(wave)(x) * 1).sum()) == pytest.approx(expected)

    @pytest.mark.parametrize(
        "signature, function, arguments",
        [
            ("(n)->()", lambda x: x.max() - x.min(), (A,)),
            ("(n)->(m)", lambda x: x[1:] * 2, (A,)),
            ("(m,n),(n)->(m)", lambda m, v: (m * v).sum(axis=-1), (np.arange(24.0).reshape(2, 4, 3), B)),
            ("(),()->()", lambda x, y: x + y, (A, B)),
            ("(n),(n)->(),(n)", lambda x, y: ((x * y).sum(), x - y), (A, B)),
        ],
    )
    def test_functions_of_arrays(self, signature, function, arguments):
        ours = dpnp.vectorize(function, signature=signature)(*map(dpnp.asarray, arguments))
        theirs = np.vectorize(function, signature=signature)(*arguments)
        if not isinstance(theirs, tuple):
            ours, theirs = (ours,), (theirs,)
        for found, expected in zip(ours, theirs, strict=True):
            close(found, expected)

    def test_refusals(self):
        with pytest.raises(TypeError, match="defined in Python"):
            dpnp.vectorize("sqrt")
        with pytest.raises(TypeError, match="list"):
            dpnp.vectorize(larger)([1, 2], 3)
        with pytest.raises(ValueError, match="2 results"):
            dpnp.vectorize(larger, otypes="dd")
        with pytest.raises(ValueError, match="signature"):
            dpnp.vectorize(larger, signature="(n)")
        with pytest.raises(ValueError, match="lengths 3 and 2"):
            dpnp.vectorize(larger, signature="(n),(n)->()")(dpnp.ones(3), dpnp.ones(2))
        with pytest.raises(NotImplementedError, match="excluded argument y"):
            dpnp.vectorize(larger, excluded={1})(dpnp.ones(3), dpnp.ones(3))


class TestFrompyfunc:
    def test_calls(self):
        f, g = dpnp.frompyfunc(larger, 2, 1), np.frompyfunc(larger, 2, 1)
        x, y = dpnp.asarray(A), dpnp.asarray(B)
        close(f(x, y), g(A, B).astype("d"))
        out = dpnp.zeros((2, 3))
        assert f(x, y, out=out, where=dpnp.asarray(A > 1)) is out
        close(out, np.where(A > 1, np.maximum(A, B), 0))
        close(f(x, 2, dtype="f4"), np.maximum(A, 2), "f4")

    def test_methods_and_attributes(self):
        f = dpnp.frompyfunc(larger, 2, 1, identity=0)
        x = dpnp.asarray(A)
        close(f.reduce(x, axis=1), A.max(axis=1))
        close(f.accumulate(x), np.maximum.accumulate(A))
        close(f.outer(dpnp.asarray(B), dpnp.asarray(B)), np.maximum.outer(B, B))
        f.at(x, (0, dpnp.array([1, 1])), 9.0)
        assert float(x[0, 1]) == 9
        assert isinstance(f, dpnp.ufunc)
        assert (f.nin, f.nout, f.nargs, f.identity) == (2, 1, 3, 0)
        assert f.__name__ == np.frompyfunc(larger, 2, 1).__name__

    def test_refusals(self):
        with pytest.raises(ValueError, match="2 results"):
            dpnp.frompyfunc(larger, 2, 2)
        with pytest.raises(ValueError, match="tuple of 2"):
            dpnp.frompyfunc(quotient, 2, 1)
        with pytest.raises(ValueError, match="takes 2 arguments, not 1"):
            dpnp.frompyfunc(larger, 1, 1)
        with pytest.raises(TypeError, match="defined in Python"):
            dpnp.frompyfunc("max", 2, 1)
        with pytest.raises(TypeError):
            dpnp.frompyfunc(larger, 2, 1)(1, 2)


def test_the_source_of_lambda_expressions_is_parsed_once():
    x = dpnp.arange(3.0)
    made, parsed = [], []
    for _ in range(3):
        made.append(dpnp.vectorize(lambda value: (value + 1, value - 1)))
        parsed.append(_source._lambdas.cache_info().misses)
    assert parsed == parsed[:1] * 3
    for function in made:
        for found, expected in zip(function(x), (x + 1, x - 1), strict=True):
            close(found, dpnp.asnumpy(expected))
