"""Lines of programs for NumPy and SciPy whose import was changed: values, dtypes, shapes and exceptions are theirs."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest

scipy = pytest.importorskip("scipy")

NUMPY = (np, scipy)
OURS = (dpnp, dpnp.scipy)

BOOLS = np.array([True, False, True, True])
INTS = np.array([3, -1, 4, 1, -5], dtype="i4")
SINGLES = np.array([0.5, -1.5, 2.0, 7.25], dtype="f4")
CUBE = np.arange(24.0).reshape(2, 3, 4)


def written(function, a, *arguments):
    """The array after a function wrote to it."""
    function(a, *arguments)
    return a


RESULTS = {
    "diff with a number before": (lambda xp, sc, a: xp.diff(a, prepend=0), INTS),
    "diff with a float before": (lambda xp, sc, a: xp.diff(a, prepend=0.5), SINGLES),
    "diff with numbers at both ends": (lambda xp, sc, a: xp.diff(a, axis=1, prepend=1, append=2.5), CUBE),
    "diff zero times": (lambda xp, sc, a: xp.diff(a, n=0, prepend=1.5), INTS),
    "linspace of bools": (lambda xp, sc, a: xp.linspace(a[:2], a[1:3], 4), BOOLS),
    "linspace of bools, with step": (lambda xp, sc, a: xp.linspace(a, ~a, 3, retstep=True)[1], BOOLS),
    "odd reflection of bools": (lambda xp, sc, a: xp.pad(a, 3, "reflect", reflect_type="odd"), BOOLS),
    "odd symmetric reflection of bools": (lambda xp, sc, a: xp.pad(a, 3, "symmetric", reflect_type="odd"), BOOLS),
    "poly of no roots": (lambda xp, sc, a: xp.poly(a[:0]), SINGLES),
    "putmask of bools": (lambda xp, sc, a: written(xp.putmask, a, ~a, 1), BOOLS),
    "putmask of integers with floats": (lambda xp, sc, a: written(xp.putmask, a, a > 0, 2.5), INTS),
    "putmask of integers with a list": (lambda xp, sc, a: written(xp.putmask, a, a > 0, [7.5, 9]), INTS),
    "putmask of uint8": (lambda xp, sc, a: written(xp.putmask, a.astype("u1"), a > 0, 200), INTS),
    "put a float into integers": (lambda xp, sc, a: written(xp.put, a, [0, 2], 2.5), INTS),
    "pinvh of an empty matrix": (lambda xp, sc, a: sc.linalg.pinvh(a), np.zeros((0, 0))),
    "rows of a CSC matrix": (lambda xp, sc, a: sc.sparse.csc_array(a).nonzero()[0], CUBE[0] % 3),
    "columns of a CSC matrix": (lambda xp, sc, a: sc.sparse.csc_array(a).nonzero()[1], CUBE[0] % 3),
    "bitwise_or of some bools": (lambda xp, sc, a: xp.bitwise_or.reduce(a, where=~a), BOOLS),
    "bitwise_xor of bools and a number": (lambda xp, sc, a: xp.bitwise_xor.reduce(a, initial=2), BOOLS),
    "fmax of some bools and a number": (lambda xp, sc, a: xp.fmax.reduce(a, where=~a, initial=2), BOOLS),
    "toeplitz of bools": (lambda xp, sc, a: sc.linalg.toeplitz(a), BOOLS),
    "binom of numbers": (lambda xp, sc: sc.special.binom(5, 2.5),),
    "comb of numbers": (lambda xp, sc: sc.special.comb(10, 3),),
    "comb of numbers, too many": (lambda xp, sc: sc.special.comb(3, 10),),
    "comb of numbers, with repetition": (lambda xp, sc: sc.special.comb(10, 3, repetition=True),),
    "perm of numbers": (lambda xp, sc: sc.special.perm(5, 2),),
    "factorial of a number": (lambda xp, sc: sc.special.factorial(5),),
    "gammasgn of a number": (lambda xp, sc: sc.special.gammasgn(-1.5),),
    "loggamma of a number": (lambda xp, sc: sc.special.loggamma(4.5),),
    "multigammaln of a number": (lambda xp, sc: sc.special.multigammaln(3.5, 2),),
    "rgamma of a number": (lambda xp, sc: sc.special.rgamma(2.5),),
    "softplus of a number": (lambda xp, sc: sc.special.softplus(0.5),),
    "poch of numbers": (lambda xp, sc: sc.special.poch(2.0, 3.0),),
    "polygamma of numbers": (lambda xp, sc: sc.special.polygamma(1, 2.5),),
}

RESULTS |= {
    "roll by a float": (lambda xp, sc, a: xp.roll(a, len(a) / 2), INTS),
    "roll by negative floats": (lambda xp, sc, a: xp.roll(a, (-1.5, 2.0), axis=(0, 2)), CUBE),
    "roll of all elements by floats": (lambda xp, sc, a: xp.roll(a, (-1.5, 4.0)), CUBE),
    "tri of a negative length": (lambda xp, sc: xp.tri(-1),),
    "tri of no columns": (lambda xp, sc: xp.tri(2, -3),),
}

# Elements of arrays as parameters: INTS has 3 as its first element, -1 as its second and 4 as its third one.
RESULTS |= {
    "arange of float32 ends": (lambda xp, sc, a: xp.arange(a[0], a[0] + 3), SINGLES / 3),
    "arange of a float32 and a float": (lambda xp, sc, a: xp.arange(a[1], 1.0, 0.3), SINGLES / 7),
    "arange of float16": (lambda xp, sc, a: xp.arange(0, 9, a[0]), (SINGLES / 5).astype("f2")),
    "arange downwards in float32": (lambda xp, sc, a: xp.arange(a[2], a[1], -a[0]), SINGLES / 3),
    "diag": (lambda xp, sc, a: xp.diag(a, a[1]), INTS),
    "diagflat": (lambda xp, sc, a: xp.diagflat(a, a[0]), INTS),
    "diagonal": (lambda xp, sc, a, i: xp.diagonal(a, i[1]), CUBE, INTS),
    "detrend": (lambda xp, sc, a: sc.signal.detrend(a, bp=[a[0]]), INTS),
    "diag_indices": (lambda xp, sc, a: xp.diag_indices(a[0])[1], INTS),
    "fftfreq": (lambda xp, sc, a, d: xp.fft.fftfreq(a[0], d[0]), INTS, SINGLES),
    "gaussian_filter": (lambda xp, sc, a, d: sc.ndimage.gaussian_filter(a[0], (d[0], d[2])), CUBE, SINGLES),
    "hilbert": (lambda xp, sc, a: sc.linalg.hilbert(a[0]), INTS),
    "insert": (lambda xp, sc, a: xp.insert(a, [a[0], 1], 7), INTS),
    "medfilt": (lambda xp, sc, a, i: sc.signal.medfilt(a, i[0]), SINGLES, INTS),
    "nan_to_num": (lambda xp, sc, a: xp.nan_to_num(a, nan=a[0]), np.array([1.5, np.nan])),
    "norm": (lambda xp, sc, a, i: xp.linalg.norm(a, i[0]), SINGLES.astype("f8"), INTS),
    "pad": (lambda xp, sc, a: xp.pad(a, (a[0], a[2])), INTS),
    "pad with values": (lambda xp, sc, a: xp.pad(a, 2, constant_values=(a[0], a[1])), INTS),
    "partition": (lambda xp, sc, a: xp.partition(a, [a[0], 1])[1], INTS),
    "quantile": (lambda xp, sc, a, d: xp.quantile(a, [d[0], 0.75]), CUBE, SINGLES),
    "resize": (lambda xp, sc, a: xp.resize(a, (a[0], 2)), INTS),
    "rfftfreq": (lambda xp, sc, a, d: xp.fft.rfftfreq(a[2], 1 / d[0]), INTS, SINGLES.astype("f8")),
    "savgol_filter": (lambda xp, sc, a, i: sc.signal.savgol_filter(a, i[0], i[3]), CUBE, INTS),
    "shift": (lambda xp, sc, a, d: sc.ndimage.shift(a[0], (d[0], 1)), CUBE, SINGLES),
    "sliding windows": (lambda xp, sc, a: xp.lib.stride_tricks.sliding_window_view(a, a[0]), INTS),
    "split at indices": (lambda xp, sc, a: xp.split(a, [a[0], 4])[1], INTS),
    "std": (lambda xp, sc, a, i: xp.std(a, axis=0, ddof=-i[1]), CUBE, INTS),
    "uniform_filter": (lambda xp, sc, a, i: sc.ndimage.uniform_filter(a[0], (i[0], i[2])), CUBE, INTS),
    "tri": (lambda xp, sc, a: xp.tri(a[0], a[2]), INTS),
    "vander": (lambda xp, sc, a: xp.vander(a, a[0]), INTS),
}

REFUSED = {
    "get_window of no elements": (lambda xp, sc: sc.signal.get_window("hann", 0),),
    "norm along a list": (lambda xp, sc, a: xp.linalg.norm(a, axis=[2]), CUBE),
    "norm along a list of two": (lambda xp, sc, a: xp.linalg.norm(a, axis=[0, 1]), CUBE),
    "place beyond the range": (lambda xp, sc, a: xp.place(a.astype("u1"), a > 0, 300), INTS),
    "put beyond the range": (lambda xp, sc, a: xp.put(a.astype("u1"), [0], -1), INTS),
    "putmask beyond the range": (lambda xp, sc, a: xp.putmask(a.astype("u1"), a > 0, 300), INTS),
    "place NaN in integers": (lambda xp, sc, a: xp.place(a, a > 0, np.nan), INTS),
    "size along no axis": (lambda xp, sc, a: xp.size(a, 3), CUBE),
    "size along a float": (lambda xp, sc, a: xp.size(a, 1.5), CUBE),
    "einsum without operands": (lambda xp, sc: xp.einsum("ij"),),
    "einsum without subscripts": (lambda xp, sc, a: xp.einsum(a), CUBE),
    "round to a float": (lambda xp, sc, a: xp.round(a, 1.5), CUBE),
    "roll by text": (lambda xp, sc, a: xp.roll(a, "a"), INTS),
    "choice of rows": (lambda xp, sc, a: xp.random.choice(a, 2), CUBE[0]),
    "choice of lists": (lambda xp, sc: xp.random.choice([[1, 2], [3, 4]], 2),),
    "put NaN in integers": (lambda xp, sc, a: xp.put(a, [0], np.nan), INTS),
}


def called(packages, row, convert):
    function, *arrays = row
    return function(*packages, *(convert(a) for a in arrays))


@pytest.mark.filterwarnings("ignore:.*deprecated in SciPy:DeprecationWarning")  # of the reference
@pytest.mark.parametrize("name", RESULTS)
def test_results(name):
    with np.errstate(all="ignore"):
        expected = np.asarray(called(NUMPY, RESULTS[name], np.copy))
    found = dpnp.asnumpy(called(OURS, RESULTS[name], dpnp.array))
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=64 * np.finfo("f8").eps, atol=1e-13)


def test_random_permutation_below_an_element():
    assert sorted(dpnp.random.permutation(dpnp.array(INTS)[0]).tolist()) == [0, 1, 2]


@pytest.mark.parametrize("name", REFUSED)
def test_exceptions(name):
    with pytest.raises(Exception) as caught:
        called(NUMPY, REFUSED[name], np.copy)
    with pytest.raises(caught.type):
        called(OURS, REFUSED[name], dpnp.array)
