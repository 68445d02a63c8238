"""Lines of programs for NumPy and SciPy whose import was changed: values, dtypes, shapes and exceptions are theirs."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest

scipy_linalg = pytest.importorskip("scipy.linalg")
scipy_special = pytest.importorskip("scipy.special")

NUMPY = (np, scipy_linalg, scipy_special)
OURS = (dpnp, dpnp.scipy.linalg, dpnp.scipy.special)

BOOLS = np.array([True, False, True, True])
INTS = np.array([3, -1, 4, 1, -5], dtype="i4")
SINGLES = np.array([0.5, -1.5, 2.0, 7.25], dtype="f4")
CUBE = np.arange(24.0).reshape(2, 3, 4)


def written(function, a, *arguments):
    """The array after a function wrote to it."""
    function(a, *arguments)
    return a


RESULTS = {
    "diff with a number before": (lambda xp, la, sp, a: xp.diff(a, prepend=0), INTS),
    "diff with a float before": (lambda xp, la, sp, a: xp.diff(a, prepend=0.5), SINGLES),
    "diff with numbers at both ends": (lambda xp, la, sp, a: xp.diff(a, axis=1, prepend=1, append=2.5), CUBE),
    "diff zero times": (lambda xp, la, sp, a: xp.diff(a, n=0, prepend=1.5), INTS),
    "linspace of bools": (lambda xp, la, sp, a: xp.linspace(a[:2], a[1:3], 4), BOOLS),
    "linspace of bools, with step": (lambda xp, la, sp, a: xp.linspace(a, ~a, 3, retstep=True)[1], BOOLS),
    "odd reflection of bools": (lambda xp, la, sp, a: xp.pad(a, 3, "reflect", reflect_type="odd"), BOOLS),
    "odd symmetric reflection of bools": (lambda xp, la, sp, a: xp.pad(a, 3, "symmetric", reflect_type="odd"), BOOLS),
    "poly of no roots": (lambda xp, la, sp, a: xp.poly(a[:0]), SINGLES),
    "putmask of bools": (lambda xp, la, sp, a: written(xp.putmask, a, ~a, 1), BOOLS),
    "putmask of integers with floats": (lambda xp, la, sp, a: written(xp.putmask, a, a > 0, 2.5), INTS),
    "putmask of integers with a list": (lambda xp, la, sp, a: written(xp.putmask, a, a > 0, [7.5, 9]), INTS),
    "putmask of uint8": (lambda xp, la, sp, a: written(xp.putmask, a.astype("u1"), a > 0, 200), INTS),
    "put a float into integers": (lambda xp, la, sp, a: written(xp.put, a, [0, 2], 2.5), INTS),
    "toeplitz of bools": (lambda xp, la, sp, a: la.toeplitz(a), BOOLS),
    "binom of numbers": (lambda xp, la, sp: sp.binom(5, 2.5),),
    "comb of numbers": (lambda xp, la, sp: sp.comb(10, 3),),
    "comb of numbers, too many": (lambda xp, la, sp: sp.comb(3, 10),),
    "comb of numbers, with repetition": (lambda xp, la, sp: sp.comb(10, 3, repetition=True),),
    "perm of numbers": (lambda xp, la, sp: sp.perm(5, 2),),
    "factorial of a number": (lambda xp, la, sp: sp.factorial(5),),
    "gammasgn of a number": (lambda xp, la, sp: sp.gammasgn(-1.5),),
    "loggamma of a number": (lambda xp, la, sp: sp.loggamma(4.5),),
    "multigammaln of a number": (lambda xp, la, sp: sp.multigammaln(3.5, 2),),
    "rgamma of a number": (lambda xp, la, sp: sp.rgamma(2.5),),
    "softplus of a number": (lambda xp, la, sp: sp.softplus(0.5),),
    "poch of numbers": (lambda xp, la, sp: sp.poch(2.0, 3.0),),
    "polygamma of numbers": (lambda xp, la, sp: sp.polygamma(1, 2.5),),
}

REFUSED = {
    "norm along a list": (lambda xp, la, sp, a: xp.linalg.norm(a, axis=[2]), CUBE),
    "norm along a list of two": (lambda xp, la, sp, a: xp.linalg.norm(a, axis=[0, 1]), CUBE),
    "place beyond the range": (lambda xp, la, sp, a: xp.place(a.astype("u1"), a > 0, 300), INTS),
    "put beyond the range": (lambda xp, la, sp, a: xp.put(a.astype("u1"), [0], -1), INTS),
    "putmask beyond the range": (lambda xp, la, sp, a: xp.putmask(a.astype("u1"), a > 0, 300), INTS),
    "place NaN in integers": (lambda xp, la, sp, a: xp.place(a, a > 0, np.nan), INTS),
    "put NaN in integers": (lambda xp, la, sp, a: xp.put(a, [0], np.nan), INTS),
}


def called(packages, row, convert):
    function, *arrays = row
    return function(*packages, *(convert(a) for a in arrays))


@pytest.mark.parametrize("name", RESULTS)
def test_results(name):
    with np.errstate(all="ignore"):
        expected = np.asarray(called(NUMPY, RESULTS[name], np.copy))
    found = dpnp.asnumpy(called(OURS, RESULTS[name], dpnp.array))
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=64 * np.finfo("f8").eps)


@pytest.mark.parametrize("name", REFUSED)
def test_exceptions(name):
    with pytest.raises(Exception) as caught:
        called(NUMPY, REFUSED[name], np.copy)
    with pytest.raises(caught.type):
        called(OURS, REFUSED[name], dpnp.array)
