"""NumPy's functions called with dpnp's arrays dispatch to dpnp (NEP 13 and NEP 18), or are refused by name."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from reference import assert_same

A = np.arange(12.0).reshape(3, 4) / 4 - 1
FUNCTIONS = {
    "sum": lambda x: np.sum(x, axis=0, keepdims=True),
    "mean": lambda x: np.mean(x),
    "var": lambda x: np.var(x, axis=1, ddof=1),
    "amax": lambda x: np.max(x, 1),
    "argmin": lambda x: np.argmin(x, axis=0),
    "cumsum": lambda x: np.cumsum(x, axis=1),
    "nansum": lambda x: np.nansum(x),
    "concatenate": lambda x: np.concatenate([x, x], axis=1),
    "stack": lambda x: np.stack((x, x)),
    "vstack": lambda x: np.vstack([x, x]),
    "where": lambda x: np.where(x > 0, x, -x),
    "clip": lambda x: np.clip(x, -0.5, 0.5),
    "transpose": lambda x: np.transpose(x),
    "moveaxis": lambda x: np.moveaxis(x, 0, 1),
    "reshape": lambda x: np.reshape(x, (4, 3)),
    "ravel": lambda x: np.ravel(x),
    "broadcast_to": lambda x: np.broadcast_to(x, (2, 3, 4)),
    "expand_dims": lambda x: np.expand_dims(x, 1),
    "repeat": lambda x: np.repeat(x, 2, axis=0),
    "tile": lambda x: np.tile(x, 2),
    "roll": lambda x: np.roll(x, 1, axis=0),
    "flip": lambda x: np.flip(x, 0),
    "pad": lambda x: np.pad(x, 1, mode="constant"),
    "diff": lambda x: np.diff(x),
    "zeros_like": lambda x: np.zeros_like(x),
    "full_like": lambda x: np.full_like(x, 3.0),
    "diag": lambda x: np.diag(x),
    "outer": lambda x: np.outer(x[0], x[1]),
    "round": lambda x: np.round(x, 1),
    "ptp": lambda x: np.ptp(x, axis=0),
    "average": lambda x: np.average(x, axis=0),
    "linalg.norm": lambda x: np.linalg.norm(x, axis=1),
    "linalg.trace": lambda x: np.linalg.trace(x, offset=1),
    "fft.rfft": lambda x: np.fft.rfft(x, axis=0),
    "fft.fftshift": lambda x: np.fft.fftshift(x),
    "isclose": lambda x: np.isclose(x, x),
    "real": lambda x: np.real(x),
    "nan_to_num": lambda x: np.nan_to_num(x),
    "sinc": lambda x: np.sinc(x),
    "copy": lambda x: np.copy(x),
    "trapezoid": lambda x: np.trapezoid(x),
}
UFUNCS = {
    "add": lambda x: np.add(x, x),
    "add of a number": lambda x: np.add(1.5, x),
    "add of a scalar": lambda x: np.float32(2) + x,
    "scalar on the right": lambda x: x * np.float64(3),
    "exp": lambda x: np.exp(x),
    "absolute": lambda x: np.absolute(x),
    "arctan2": lambda x: np.arctan2(x, 2.0),
    "isnan": lambda x: np.isnan(x),
    "less": lambda x: np.less(x, 0),
    "invert": lambda x: np.invert(x > 0),
    "power": lambda x: np.power(x, 2),
    "floor_divide": lambda x: np.floor_divide(x, 2),
    "heaviside": lambda x: np.heaviside(x, 0.5),
    "conjugate": lambda x: np.conjugate(x),
    "with a dtype": lambda x: np.add(x, x, dtype="f4"),
    "outer": lambda x: np.add.outer(x, x[0]),
    "reduce": lambda x: np.add.reduce(x),
    "reduce along an axis": lambda x: np.multiply.reduce(x, axis=1, keepdims=True),
    "reduce all": lambda x: np.maximum.reduce(x, axis=None),
    "logical_and.reduce": lambda x: np.logical_and.reduce(x > -2, 1),
    "accumulate": lambda x: np.add.accumulate(x, axis=1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    found = FUNCTIONS[name](dpnp.asarray(A))
    assert type(found) is dpnp.ndarray
    assert_same(found, FUNCTIONS[name](A), 8)


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs(name):
    found = UFUNCS[name](dpnp.asarray(A))
    assert type(found) is dpnp.ndarray
    assert_same(found, UFUNCS[name](A), 8)


def test_results_that_are_not_arrays():
    x = dpnp.asarray(A)
    assert np.shape(x) == (3, 4)
    assert np.ndim(x) == 2
    assert np.size(x) == 12
    assert np.allclose(x, x)
    assert np.array_equal(x, x)
    assert np.result_type(x, np.float32) == np.float64


def test_results_are_written_to_out():
    x, out = dpnp.asarray(A), dpnp.empty((3, 4))
    assert np.add(x, 1, out=out) is out
    assert_same(out, A + 1)
    assert np.sum(x, axis=0, out=out[0]) is not None
    assert_same(out[0], A.sum(axis=0))


def test_like_gives_the_placement():
    queue = dpctl.SyclQueue()
    like = dpnp.ones(1, usm_type="shared", sycl_queue=queue)
    made = {
        "asarray": np.asarray([1, 2], like=like),
        "array": np.array(3.5, like=like),
        "zeros": np.zeros((2, 2), like=like),
        "ones": np.ones(3, dtype="f4", like=like),
        "full": np.full(2, 7, like=like),
        "arange": np.arange(4, like=like),
        "eye": np.eye(2, like=like),
    }
    for name, x in made.items():
        assert type(x) is dpnp.ndarray, name
        assert x.sycl_queue == queue
        assert x.usm_type == "shared"
    assert_same(made["full"], np.full(2, 7))
    assert_same(made["asarray"], np.array([1, 2]))


REFUSED = {
    "a function that dpnp lacks": (lambda x: np.datetime_as_string(x), "numpy.datetime_as_string: dpnp has no such"),
    "a ufunc": (lambda x: np.isnat(x), "numpy.isnat: dpnp has no such function"),
    "an array of NumPy": (lambda x: np.add(x, A), "numpy.add: An array must be any of supported type.*dpnp.asarray"),
    "one on the left": (lambda x: A + x, "numpy.add: An array must be any of supported type"),
    "one in a list": (lambda x: np.concatenate([x, A]), "numpy.concatenate: An array must be any of supported type"),
    "one to write to": (lambda x: np.add(x, x, out=A.copy()), "operand 'dpnp_array' does not support ufuncs"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_name_the_function(case):
    call, message = REFUSED[case]
    with pytest.raises(TypeError, match=message):
        call(dpnp.asarray(A))


def test_keywords_and_methods_of_ufuncs():
    x, out = dpnp.asarray(A), dpnp.zeros(A.shape)
    np.add(x, x, out=out, where=x > 0)
    np.testing.assert_array_equal(dpnp.asnumpy(out), np.add(A, A, out=np.zeros(A.shape), where=A > 0))
    for initial in (1, 2.5):
        np.testing.assert_allclose(dpnp.asnumpy(np.add.reduce(x, initial=initial)), np.add.reduce(A, initial=initial))
    with pytest.raises(NotImplementedError, match="signature"):
        np.add(x, x, signature="dd->d")


def test_calls_are_passed_on_to_other_types():
    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
            return "theirs"

        def __array_function__(self, function, types, arguments, keywords):
            return "theirs"

    assert np.add(dpnp.asarray(A), Other()) == "theirs"
    assert np.concatenate([dpnp.asarray(A), Other()]) == "theirs"


def test_dpctl_arrays_do_not_dispatch():
    """They follow the array standard and do not support NumPy's functions."""
    x = dpt.asarray(A)
    with pytest.raises(TypeError):
        np.add(x, x)
    assert type(A + x) is dpt.usm_ndarray


def test_dask():
    """Blocks of Dask arrays are computed by dpnp. Skipped where Dask is not installed."""
    da = pytest.importorskip("dask.array")
    x = da.from_array(dpnp.asarray(A), chunks=(2, 2))
    cases = {
        "add": lambda x: x + 1, "product": lambda x: x * x, "sum": lambda x: x.sum(axis=0), "std": lambda x: x.std(),
        "mean": lambda x: x.mean(axis=1), "var": lambda x: x.var(axis=0), "max": lambda x: x.max(), "T": lambda x: x.T,
        "slice": lambda x: x[1:, ::2], "sin": lambda x: np.sin(x), "any": lambda x: (x > 1).any(),
        "ravel": lambda x: x.ravel(), "cumsum": lambda x: x.cumsum(axis=0), "astype": lambda x: x.astype("f4"),
        "clip": lambda x: x.clip(-0.5, 0.5), "broadcast": lambda x: x - x[0],
    }  # fmt: skip
    for name, function in cases.items():
        found = function(x).compute(scheduler="synchronous")
        assert type(found) is dpnp.ndarray, name
        assert_same(found, function(A), 16, near_zero=True)
