"""dpnp's reductions and accumulations agree with NumPy's: axes, dtypes, out=, NaN, methods, errors."""

from __future__ import annotations

import dpctl
import dpnp
import numpy as np
import pytest
from dpctl.utils import ExecutionPlacementError
from reference import LAYOUTS, assert_same, laid_out, values

AXES = [None, 0, -1, (0, 2), ()]
PLAIN = ["sum", "prod", "max", "min", "any", "all", "mean", "std", "var", "ptp", "count_nonzero"]
NAN = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"]


def both(code: str, shape: tuple[int, ...] = (3, 4, 5)) -> tuple[np.ndarray, dpnp.ndarray]:
    host = values(code, shape, low=-2, high=2)
    return host, dpnp.array(host)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", PLAIN)
def test_axes(name, axis, keepdims):
    host, ours = both("d")
    assert_same(getattr(dpnp, name)(ours, axis=axis, keepdims=keepdims),
                getattr(np, name)(host, axis=axis, keepdims=keepdims), 64)  # fmt: skip


@pytest.mark.parametrize("code", "?bHiLfdFD")
@pytest.mark.parametrize("name", [n for n in PLAIN if n != "ptp"])
def test_dtypes(name, code):
    host, ours = both(code)
    if name in ("max", "min") and code in "FD":
        pytest.skip("the order of complex numbers is tested elsewhere")
    assert_same(getattr(dpnp, name)(ours, axis=1), getattr(np, name)(host, axis=1), 64)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["sum", "max", "argmax", "cumsum", "var", "mean"])
def test_layouts(name, layout):
    host, ours = laid_out("d", layout)
    for axis in (0, 1):
        assert_same(getattr(dpnp.asarray(ours), name)(axis=axis), getattr(host, name)(axis=axis), 16)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "any", "all", "mean", "std", "var", "cumsum", "cumprod",
                                  "argmax", "argmin"])  # fmt: skip
def test_methods(name):
    host, ours = both("f", (4, 5))
    for axis in (None, 0, 1):
        assert_same(getattr(ours, name)(axis), getattr(host, name)(axis), 16, near_zero=True)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_indices(name):
    host, ours = both("i")
    for axis, keepdims in ((None, False), (1, True), (-1, False)):
        expected = getattr(np, name)(host, axis=axis, keepdims=keepdims)
        assert_same(getattr(dpnp, name)(ours, axis=axis, keepdims=keepdims), expected)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_accumulations(name, axis):
    host, ours = both("d")
    host[0, 0] = 1
    ours = dpnp.array(host)
    assert_same(getattr(dpnp, name)(ours, axis=axis), getattr(np, name)(host, axis=axis), 64)
    assert getattr(dpnp, name)(ours, axis=axis, dtype="f4").dtype == np.float32


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2)])
@pytest.mark.parametrize("name", NAN)
def test_nan_is_ignored(name, axis, code):
    if name in ("nanmax", "nanmin") and code in "FD":
        pytest.skip("NumPy orders complex numbers with NaN in a way of its own")
    host, _ = both(code)
    host[0, 1] = np.nan
    host[2, 1, 3] = np.nan
    assert_same(getattr(dpnp, name)(dpnp.array(host), axis=axis), getattr(np, name)(host, axis=axis), 64)


def test_slices_with_only_nan():
    nothing = dpnp.full(3, np.nan)
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        assert np.isnan(float(dpnp.nanmax(nothing)))
    with pytest.raises(ValueError, match="All-NaN"):
        dpnp.nanargmax(nothing)


@pytest.mark.parametrize("name, dtype", [("sum", "f4"), ("sum", "i4"), ("mean", "f4"), ("max", "f4"), ("var", "f4")])
def test_out_of_another_dtype(name, dtype):
    host, ours = both("d", (4, 5))
    out = dpnp.empty(5, dtype=dtype)
    if name == "var":
        assert dpnp.var(ours, axis=0, out=out) is out
        assert_same(out, np.var(host, axis=0).astype(dtype))
        return
    assert getattr(ours, name)(axis=0, out=out) is out
    assert_same(out, getattr(host, name)(axis=0).astype(dtype))


def test_out_of_another_shape():
    with pytest.raises(ValueError, match="shape"):
        dpnp.sum(dpnp.ones((2, 3)), axis=0, out=dpnp.empty(2))


INITIAL = ["sum", "prod", "max", "min", "nansum", "nanprod", "nanmax", "nanmin"]
SELECTED = ["sum", "prod", "any", "all", "mean", "std", "var", "nansum", "nanprod", "nanmean", "nanvar", "nanstd"]


@pytest.mark.parametrize("code", "?hLefdF")
@pytest.mark.parametrize("axis", [None, 1, (0, 2)])
@pytest.mark.parametrize("name", INITIAL)
def test_initial(name, axis, code):
    if name.endswith(("max", "min")) and code == "F":
        pytest.skip("the order of complex numbers is tested elsewhere")
    host, ours = both(code)
    kept = {"axis": axis, "keepdims": True}
    assert_same(getattr(dpnp, name)(ours, initial=1, **kept), getattr(np, name)(host, initial=1, **kept), 64)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
def test_initial_of_nothing(name):
    ours, host = dpnp.ones((0, 3)), np.ones((0, 3))
    assert_same(getattr(ours, name)(axis=0, initial=2), getattr(host, name)(axis=0, initial=2))


@pytest.mark.parametrize("code", "?hLfdF")
@pytest.mark.parametrize("axis", [None, 1, (0, 2)])
@pytest.mark.parametrize("name", SELECTED)
def test_where(name, axis, code):
    host, ours = both(code)
    mask = np.arange(20).reshape(4, 5) % 3 > 0
    expected = getattr(np, name)(host, axis=axis, where=mask)
    assert_same(getattr(dpnp, name)(ours, axis=axis, where=dpnp.asarray(mask)), expected, 64)


@pytest.mark.parametrize("size", [10, 300_000])
def test_where_of_many_elements(size):
    host = values("d", (size,), low=0, high=2)
    ours, mask = dpnp.asarray(host), host > 1
    for name in ("sum", "max", "mean", "std"):
        more = {"initial": 0.5} if name == "max" else {}
        found = getattr(ours, name)(where=ours > 1, **more)
        np.testing.assert_allclose(dpnp.asnumpy(found), getattr(host, name)(where=mask, **more), rtol=1e-12)


@pytest.mark.parametrize("name", ["max", "min", "nanmax", "nanmin"])
def test_extremes_with_where_need_an_initial_value(name):
    host, ours = both("d")
    mask = host[0] > 0
    assert_same(getattr(dpnp, name)(ours, axis=0, where=dpnp.asarray(mask), initial=0.25),
                getattr(np, name)(host, axis=0, where=mask, initial=0.25))  # fmt: skip
    with pytest.raises(ValueError, match="where needs an initial value"):
        getattr(dpnp, name)(ours, where=dpnp.asarray(mask))


def test_wrong_selections():
    x = dpnp.ones((2, 3))
    with pytest.raises(TypeError, match="where must be a bool or an array of bools"):
        x.sum(where=x)
    with pytest.raises(ValueError, match=r"where of shape \(4, 2, 3\) cannot be broadcast"):
        x.sum(where=dpnp.ones((4, 2, 3), dtype=bool))
    with pytest.raises(TypeError, match="sum: initial must be a number, got str"):
        x.sum(initial="1")
    assert dpnp.sum(x, where=False) == 0


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("name", ["sum", "max", "prod", "any", "argmax"])
def test_numbers_have_one_axis(name, axis):
    assert_same(getattr(dpnp.array(1.5), name)(axis=axis), np.asarray(getattr(np.array(1.5), name)(axis=axis)))
    with pytest.raises(np.exceptions.AxisError):
        getattr(dpnp.array(1.5), name)(axis=1)


def test_other_objects_are_refused():
    for name in [*PLAIN, "argmax", "cumsum", "nansum", "average", "logsumexp"]:
        with pytest.raises(TypeError):
            getattr(dpnp, name)([1, 2, 3])


@pytest.mark.parametrize("ddof", [0, 1, 0.5])
def test_degrees_of_freedom(ddof):
    host, ours = both("D", (6,))
    assert_same(dpnp.var(ours, ddof=ddof), np.var(host, ddof=ddof), 16)
    assert_same(dpnp.std(ours.real, correction=ddof), np.std(host.real, ddof=ddof), 16)
    mean = ours.real.mean(keepdims=True)
    assert_same(dpnp.var(ours.real, mean=mean, ddof=ddof), np.var(host.real, ddof=ddof), 16)


@pytest.mark.parametrize("code", "?bBhi")
def test_average_of_small_integers_does_not_wrap(code):
    host = np.arange(1, 101).astype(code)
    ours = dpnp.asarray(host)
    assert_same(dpnp.average(ours, weights=ours), np.average(host, weights=host), 16)


def test_average():
    host, ours = both("d", (3, 4))
    weights = values("d", (4,), "weights", 1, 2)
    assert_same(dpnp.average(ours), np.average(host), 16)
    assert_same(dpnp.average(ours, axis=1, weights=dpnp.array(weights)), np.average(host, axis=1, weights=weights), 16)
    _, total = dpnp.average(ours, axis=1, weights=dpnp.array(weights), returned=True)
    assert_same(total, np.average(host, axis=1, weights=weights, returned=True)[1], 16)
    with pytest.raises(ZeroDivisionError):
        dpnp.average(ours, weights=dpnp.zeros((3, 4)))
    elsewhere = dpnp.ones((3, 4), sycl_queue=dpctl.SyclQueue())
    for error in (ExecutionPlacementError, ValueError):
        with pytest.raises(error, match="queues"):
            dpnp.average(ours, weights=elsewhere)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_differences(n):
    host, ours = both("d", (4, 5))
    assert_same(dpnp.diff(ours, n, axis=0), np.diff(host, n, axis=0), 16)
    assert_same(dpnp.diff(ours, prepend=0), np.diff(host, prepend=0), 16)


@pytest.mark.parametrize("edge_order", [1, 2])
def test_gradient(edge_order):
    host, ours = both("d", (5, 6))
    places = np.array([0, 1, 3, 3.5, 7, 8.0])
    assert_same(dpnp.gradient(ours, 2.0, axis=0, edge_order=edge_order),
                np.gradient(host, 2.0, axis=0, edge_order=edge_order), 64)  # fmt: skip
    found = dpnp.gradient(ours, dpnp.array(places), axis=1, edge_order=edge_order)
    expected = np.gradient(host, places, axis=1, edge_order=edge_order)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-12, atol=1e-12)


def test_integral():
    host, ours = both("d", (4, 5))
    x = np.array([0, 1, 3, 4, 8.0])
    assert_same(dpnp.trapezoid(ours, dpnp.array(x)), np.trapezoid(host, x), 16)
    assert_same(dpnp.trapezoid(ours, dx=2, axis=0), np.trapezoid(host, dx=2, axis=0), 16)
    assert_same(dpnp.ediff1d(ours, to_end=[1.0, 2.0]), np.ediff1d(host, to_end=[1.0, 2.0]))


@pytest.mark.parametrize("include_initial", [False, True])
def test_logarithms_of_sums(include_initial):
    host, ours = both("d")
    flat = np.logaddexp.accumulate(host.ravel())
    expected = np.concatenate([[-np.inf], flat]) if include_initial else flat
    assert_same(dpnp.cumlogsumexp(ours, include_initial=include_initial), expected, 64)
    assert_same(dpnp.logsumexp(ours, axis=1), np.logaddexp.reduce(host, axis=1), 64)


@pytest.mark.parametrize("name", ["argmax", "nanargmin"])
def test_out_of_index_functions_needs_a_suitable_dtype(name):
    out = dpnp.empty(3, dtype="i4")
    assert getattr(dpnp, name)(dpnp.ones((2, 3)), axis=0, out=out) is out
    for code in ("u8", "f8"):
        with pytest.raises(TypeError):
            getattr(dpnp, name)(dpnp.ones((2, 3)), axis=0, out=dpnp.empty(3, dtype=code))


def test_variance_of_real_numbers_as_complex():
    host, ours = both("d", (7,))
    assert_same(dpnp.var(ours, dtype="D"), np.var(host).astype("D"), 16)


@pytest.mark.parametrize("keywords", [{}, {"period": 5.0}, {"discont": 4.0}])
def test_unwrap(keywords):
    host = values("d", (3, 20), low=-9, high=9)
    assert_same(dpnp.unwrap(dpnp.array(host), **keywords), np.unwrap(host, **keywords), 64, near_zero=True)
    whole = values("l", (30,), low=-9, high=9)
    for period in (4, 7):
        assert_same(dpnp.unwrap(dpnp.array(whole), period=period), np.unwrap(whole, period=period))


@pytest.mark.parametrize("name", ["nanmean", "nanvar", "nanmax", "nancumsum", "gradient", "unwrap", "average", "sinc"])
def test_large_deferred_arrays(name):
    host = values("d", (300, 700), name)
    if name.startswith("nan"):
        host[::7, ::5] = np.nan
    ours = dpnp.array(host)
    keywords = {} if name == "sinc" else {"axis": 1}
    expected = getattr(np, name)(host + 1, **keywords)
    np.testing.assert_allclose(dpnp.asnumpy(getattr(dpnp, name)(ours + 1, **keywords)), expected, 1e-12, 1e-12)
