"""dpnp's functions that create, reshape, join and split arrays agree with NumPy's."""

from __future__ import annotations

import math
import warnings

import dpctl
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from reference import CODES, LAYOUTS, assert_same, laid_out, values

SAME_CALLS = [
    ("arange", (5,), {}), ("arange", (1, 2, 0.25), {}), ("arange", (5, 1, -2), {"dtype": "f4"}),
    ("linspace", (0, 1, 7), {}), ("linspace", (2, 10, 5), {"endpoint": False}), ("linspace", (0, 9, 4), {"dtype": int}),
    ("logspace", (0, 3, 4), {}), ("logspace", (0, 3, 4), {"base": 2.0}), ("geomspace", (1, 1000, 4), {}),
    ("geomspace", (-1, -1000, 4), {}), ("geomspace", (1000, 1, 4), {"endpoint": False}),
    ("eye", (3,), {}), ("eye", (3, 4, 1), {"dtype": "i4"}), ("identity", (3,), {}), ("tri", (3, 4, -1), {}),
    ("zeros", ((2, 3),), {"dtype": "c8"}), ("ones", (3,), {}), ("full", ((2, 2), 7), {}),
    ("full", ((2, 2), 1.5), {"dtype": "f4"}), ("indices", ((2, 3),), {}),
    ("fromstring", ("1 2 3",), {"dtype": int, "sep": " "}), ("frombuffer", (bytes(range(8)),), {"dtype": "u2"}),
]  # fmt: skip


@pytest.mark.parametrize("name, arguments, keywords", SAME_CALLS)
def test_creation_from_numbers(name, arguments, keywords):
    assert_same(getattr(dpnp, name)(*arguments, **keywords), getattr(np, name)(*arguments, **keywords), 16)


OF_ARRAY = [
    ("ravel", (), {}), ("ravel", (), {"order": "F"}), ("reshape", ((-1, 2),), {}), ("transpose", (), {}),
    ("moveaxis", (0, -1), {}), ("rollaxis", (1,), {}), ("swapaxes", (0, 1), {}), ("expand_dims", (0,), {}),
    ("flip", (), {}), ("flip", (0,), {}), ("fliplr", (), {}), ("flipud", (), {}), ("rot90", (), {}),
    ("rot90", (2,), {}), ("rot90", (3,), {}), ("roll", (2,), {}), ("roll", ((1, 2),), {"axis": (0, 1)}),
    ("tile", ((2, 3),), {}), ("repeat", (2,), {}), ("repeat", ([1, 2, 0, 3, 1, 1],), {"axis": 0}),
    ("resize", ((5, 9),), {}), ("tril", (), {}), ("triu", (1,), {}), ("diag", (), {}), ("diag", (2,), {}),
    ("diagonal", (-1,), {}), ("trace", (), {}), ("diagflat", (1,), {}), ("atleast_3d", (), {}),
    ("broadcast_to", ((2, 6, 6),), {}), ("copy", (), {}), ("ascontiguousarray", (), {}), ("asfortranarray", (), {}),
    ("zeros_like", (), {}), ("full_like", (3,), {"dtype": "f4"}), ("append", ([1, 2],), {}), ("round", (1,), {}),
    ("round", (-1,), {}), ("clip", (-1, 1), {}), ("nan_to_num", (), {}), ("real_if_close", (), {}),
    ("hsplit", (2,), {}), ("vsplit", ([1, 4],), {}), ("array_split", (4,), {"axis": 1}), ("unstack", (), {}),
]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name, arguments, keywords", OF_ARRAY)
def test_creation_from_an_array(name, arguments, keywords, layout):
    host, ours = laid_out("d", layout)
    if name in ("tril", "triu"):
        found, expected = getattr(dpnp, name)(dpnp.asarray(ours), k=1), getattr(np, name)(host, k=1)
    else:
        found = getattr(dpnp, name)(dpnp.asarray(ours), *arguments, **keywords)
        expected = getattr(np, name)(host, *arguments, **keywords)
    if not isinstance(expected, (list, tuple)):
        found, expected = [found], [expected]
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        assert type(a) is dpnp.ndarray
        assert_same(a, b)


@pytest.mark.parametrize("name", ["concatenate", "stack", "hstack", "vstack", "dstack", "column_stack"])
def test_joining(name):
    hosts = [values("i", (2, 3), 1), values("f", (2, 3), 2)]
    assert_same(getattr(dpnp, name)([dpnp.array(h) for h in hosts]), getattr(np, name)(hosts))


def test_joining_into_out():
    out = dpnp.empty(4, dtype="f4")
    assert dpnp.concatenate([dpnp.ones(2), dpnp.zeros(2)], out=out) is out
    assert_same(out, np.array([1, 1, 0, 0], "f4"))
    with pytest.raises(TypeError):
        dpnp.concatenate([dpnp.ones(2)], out=dpnp.empty(2, dtype="i4"))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("sparse", [False, True])
def test_grids(indexing, sparse):
    axes = [np.arange(3), np.linspace(0, 1, 4), np.arange(2.0)]
    found = dpnp.meshgrid(*map(dpnp.array, axes), indexing=indexing, sparse=sparse)
    for a, b in zip(found, np.meshgrid(*axes, indexing=indexing, sparse=sparse)):
        assert_same(a, b)


def test_grids_of_slices():
    assert_same(dpnp.mgrid[0:3, 0:1:4j], np.mgrid[0:3, 0:1:4j])
    assert_same(dpnp.mgrid[-1:2], np.mgrid[-1:2])
    for a, b in zip(dpnp.ogrid[0:3, 0:1:4j], np.ogrid[0:3, 0:1:4j]):
        assert_same(a, b)


class TestDiagonal:
    def test_is_a_view(self):
        x = dpnp.zeros((3, 3))
        diagonal = dpnp.diagonal(x)
        x[1, 1] = 5
        assert_same(diagonal, np.array([0.0, 5, 0]))

    def test_of_arrays_with_more_axes(self):
        host = np.arange(60).reshape(3, 4, 5)
        for offset, first, second in ((0, 0, 1), (1, 2, 0), (-2, 1, 2), (9, 0, 1)):
            expected = np.diagonal(host, offset, first, second)
            assert_same(dpnp.array(host).diagonal(offset, first, second), expected)

    @pytest.mark.parametrize("shape", [(3, 3), (7, 3), (3, 5), (3, 3, 3)])
    @pytest.mark.parametrize("wrap", [False, True])
    def test_filling(self, shape, wrap):
        host = np.zeros(shape)
        ours = dpnp.array(host)
        np.fill_diagonal(host, 4, wrap)
        dpnp.fill_diagonal(ours, 4, wrap)
        assert_same(ours, host)


class TestAsarray:
    @pytest.mark.parametrize("code", CODES)
    def test_from_numpy_arrays(self, code):
        host = values(code, (2, 3))
        assert_same(dpnp.asarray(host), host)

    def test_returns_arrays_unchanged(self):
        x = dpnp.ones(3)
        assert dpnp.asarray(x) is x
        assert dpnp.asarray(x, dtype="f8", order="C") is x
        assert dpnp.array(x) is not x

    def test_shares_memory_with_dpctl(self):
        x = dpt.zeros(3)
        y = dpnp.asarray(x)
        y[0] = 5
        assert_same(x, np.array([5.0, 0, 0]))
        assert type(y.get_array()) is dpt.usm_ndarray

    def test_placement(self):
        q = dpctl.SyclQueue()
        x = dpnp.array([1, 2], usm_type="shared", sycl_queue=q)
        assert (x.usm_type, x.sycl_queue) == ("shared", q)
        assert dpnp.zeros_like(x).usm_type == "shared"
        assert (x + x).sycl_queue == q
        with pytest.raises(ValueError):
            dpnp.ones(2, usm_type="nowhere")

    def test_unsupported_keywords_are_refused(self):
        for keyword in ({"subok": True}, {"like": dpnp.ones(1)}):
            with pytest.raises(NotImplementedError):
                dpnp.array([1], **keyword)


class TestComparison:
    def test_close(self):
        a = np.array([1, 1 + 1e-9, 2, np.inf, -np.inf, np.nan])
        b = np.array([1, 1, 2.1, np.inf, np.inf, np.nan])
        for equal_nan in (False, True):
            found = dpnp.isclose(dpnp.array(a), dpnp.array(b), equal_nan=equal_nan)
            assert_same(found, np.isclose(a, b, equal_nan=equal_nan))
        assert bool(dpnp.allclose(dpnp.array([1.0, 1.0]), 1 + 1e-12))

    def test_equal(self):
        x = dpnp.array([1, np.nan])
        assert not dpnp.array_equal(x, x)
        assert dpnp.array_equal(x, x, equal_nan=True)
        assert not dpnp.array_equal(x, dpnp.ones(3))
        assert dpnp.array_equiv(dpnp.ones((2, 3)), dpnp.ones(3))
        assert not dpnp.array_equiv(dpnp.ones(2), dpnp.ones(3))


class TestProducts:
    @pytest.mark.parametrize("lengths", [(3, 3), (2, 3), (3, 2), (2, 2)])
    @pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
    def test_cross(self, lengths):
        if 2 in lengths and np.lib.NumpyVersion(np.__version__) >= "2.5.0":
            pytest.skip("this NumPy has no cross products of two dimensions any more")
        a, b = (values("d", (4, n), n) for n in lengths)
        assert_same(dpnp.cross(dpnp.array(a), dpnp.array(b)), np.cross(a, b), 64)

    def test_outer_and_kron(self):
        a, b = values("d", (2, 3), 1), values("d", (4,), 2)
        assert_same(dpnp.outer(dpnp.array(a), dpnp.array(b)), np.outer(a, b))
        assert_same(dpnp.kron(dpnp.array(a), dpnp.array(b)), np.kron(a, b))


class TestApplyFunctions:
    def test_along_an_axis(self):
        host = values("d", (2, 3, 4))
        for axis in (0, 1, -1):
            for name in ("sum", "cumsum"):
                found = dpnp.apply_along_axis(getattr(dpnp, name), axis, dpnp.array(host))
                assert_same(found, np.apply_along_axis(getattr(np, name), axis, host), 16)

    def test_over_axes(self):
        host = values("d", (2, 3, 4))
        assert_same(
            dpnp.apply_over_axes(dpnp.sum, dpnp.array(host), (0, 2)), np.apply_over_axes(np.sum, host, (0, 2)), 16
        )


class TestPad:
    @pytest.mark.parametrize("width", [0, 2, (1, 3), ((0, 1), (2, 0))])
    @pytest.mark.parametrize(
        "mode, keywords",
        [("constant", {}), ("constant", {"constant_values": (4, 6)}),
         ("constant", {"constant_values": ((1.7, -2), (3, 4))}), ("edge", {}), ("linear_ramp", {"end_values": 5}),
         ("maximum", {}), ("mean", {"stat_length": 2}), ("minimum", {"stat_length": (1, 3)}), ("reflect", {}),
         ("reflect", {"reflect_type": "odd"}), ("symmetric", {}), ("wrap", {}), ("median", {}),
         ("median", {"stat_length": 2})],
    )  # fmt: skip
    def test_modes(self, mode, keywords, width):
        for code in "dl":
            host = values(code, (4, 3), mode)
            assert_same(
                dpnp.pad(dpnp.array(host), width, mode, **keywords),
                np.pad(host, width, mode, **keywords),
                16,
                near_zero=True,
            )

    @pytest.mark.parametrize("mode", ["constant", "edge", "empty", "reflect"])
    @pytest.mark.parametrize("shape", [(), (0, 3), (5,), (2, 3, 4), (300, 400)])
    def test_shapes_and_orders(self, mode, shape):
        for host in (np.arange(math.prod(shape)).reshape(shape), np.arange(math.prod(shape)).reshape(shape, order="F")):
            for part in (host, host[..., ::-1] if shape else host):
                if 0 in shape and mode in ("edge", "reflect"):
                    with pytest.raises(ValueError, match="can't extend empty axis 0"):
                        dpnp.pad(dpnp.array(part), 1, mode)
                    continue
                ours, theirs = dpnp.pad(dpnp.array(part) + 0, 1, mode), np.pad(part + 0, 1, mode)
                assert (ours.shape, ours.flags.fnc) == (theirs.shape, theirs.flags.fnc)
                if mode != "empty":
                    assert_same(ours, theirs)

    @pytest.mark.parametrize("width", [(10, 0), (0, 10), (7, 3), (3, 11), (20, 45)])
    @pytest.mark.parametrize("mode", ["reflect", "symmetric", "wrap"])
    def test_widths_beyond_the_length_of_the_array(self, mode, width):
        for n in (1, 2, 3, 4):
            host = np.arange(n) ** 2
            assert_same(dpnp.pad(dpnp.array(host), width, mode), np.pad(host, width, mode))

    @pytest.mark.parametrize(
        "width, keywords, error",
        [(-1, {}, ValueError), (1.5, {}, TypeError), (1, {"mode": "nearest"}, ValueError),
         (1, {"mode": "edge", "constant_values": 1}, ValueError), (((1, 2),) * 3, {}, ValueError)],
    )  # fmt: skip
    def test_errors(self, width, keywords, error):
        with pytest.raises(error):
            dpnp.pad(dpnp.ones((2, 2)), width, **keywords)


class TestDeleteAndInsert:
    @pytest.mark.parametrize("trim", ["fb", "f", "b"])
    def test_trim_zeros(self, trim):
        for host in ([0, 0, 1, 0, 2, 0], [0, 0], [3], [1, 0]):
            assert_same(dpnp.trim_zeros(dpnp.array(host), trim), np.trim_zeros(np.array(host), trim))

    @pytest.mark.parametrize(
        "places", [1, -1, slice(1, 4, 2), slice(None, None, -2), [0, 2], [-1, 1, 1], np.array([True, False] * 3), []]
    )
    @pytest.mark.parametrize("axis", [0, -1])
    def test_delete(self, places, axis):
        host = values("i", (6, 6))
        assert_same(dpnp.delete(dpnp.array(host), places, axis), np.delete(host, places, axis))

    @pytest.mark.parametrize(
        "places, new",
        [(1, 7), (-1, [1, 2, 3, 4, 5, 6]), ([2], [[1, 2, 3, 4, 5, 6]]), ([0, 6, 2, 2], 9), (slice(0, 4, 2), [[8.7]]),
         (np.array([True, False] * 3), 0), ([], 1)],
    )  # fmt: skip
    @pytest.mark.parametrize("axis", [0, -1])
    def test_insert(self, places, new, axis):
        host = values("i", (6, 6))
        assert_same(dpnp.insert(dpnp.array(host), places, new, axis), np.insert(host, places, new, axis))
        flat = dpnp.insert(dpnp.array(host), [3, 1], [5, 6])
        assert_same(flat, np.insert(host, [3, 1], [5, 6]))

    @pytest.mark.parametrize("order", ["C", "F"])
    @pytest.mark.parametrize(
        "shape, axis", [((10,), 0), ((300_000,), 0), ((300, 4), 0), ((4, 300, 2), 1), ((3, 900), -1)]
    )
    def test_many_indices(self, shape, axis, order):
        host = np.asarray(values("i", shape), order=order)
        given = dpnp.asarray(host, order=order)
        length = shape[axis]
        random = np.random.default_rng(length)
        some = random.integers(-length, length, length // 2 + 1)
        for places in (slice(None, None, 2), slice(length, None, -3), some, random.random(length) < 0.5, [1] * 40):
            got = dpnp.delete(given, places, axis), dpnp.insert(given, places, 9, axis)
            expected = np.delete(host, places, axis), np.insert(host, places, 9, axis)
            assert_same(got[0], expected[0])
            assert_same(got[1], expected[1])
            assert [each.flags.fnc for each in got] == [given.flags.fnc] * 2
        new = np.arange(some.size).reshape([-1 if i == axis % len(shape) else 1 for i in range(len(shape))])
        assert_same(dpnp.insert(given, some, dpnp.asarray(new), axis), np.insert(host, some, new, axis))

    @pytest.mark.parametrize("places, error", [(9, IndexError), ([0.5], IndexError), ([True], ValueError)])
    def test_invalid_indices_are_refused(self, places, error):
        with pytest.raises(error):
            dpnp.delete(dpnp.arange(4), places)


def test_select():
    x = np.arange(8)
    ours = dpnp.array(x)
    found = dpnp.select([ours < 2, ours > 5], [ours, ours * 2.5], -1)
    assert_same(found, np.select([x < 2, x > 5], [x, x * 2.5], -1))


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
@pytest.mark.parametrize("count", [0, 1, 2, 12])
def test_windows(name, count):
    found, expected = getattr(dpnp, name)(count).asnumpy(), getattr(np, name)(count)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=1e-15)


def test_geometric_ranges_between_arrays():
    start, stop = np.array([1.0, 2.0, -1.0]), np.array([8.0, 16.0, -27.0])
    for axis in (0, -1):
        assert_same(dpnp.geomspace(start, stop, 4, axis=axis), np.geomspace(start, stop, 4, axis=axis), 16)
    assert_same(dpnp.geomspace(1, 1j, 3), np.geomspace(1, 1j, 3), 16)


def test_copyto():
    host, ours = np.zeros((2, 3)), dpnp.zeros((2, 3))
    for source, where in ((1, True), ([2, 3, 4], True), (5.5, False)):
        np.copyto(host, source, where=where)
        dpnp.copyto(ours, source, where=where)
    mask = np.array([True, False, True])
    np.copyto(host, 9, where=mask)
    dpnp.copyto(ours, 9, where=dpnp.array(mask))
    assert_same(ours, host)
    with pytest.raises(TypeError):
        dpnp.copyto(dpnp.zeros(2, dtype="i4"), dpnp.ones(2))


def test_functions_not_yet_available():
    """There is no fallback to NumPy: unsupported functions are missing."""
    for name in ("busday_count", "datetime64"):
        assert not hasattr(dpnp, name)


@pytest.mark.parametrize("axis", [0, 1, None])
def test_gradients_are_row_major(axis):
    a = np.arange(12.0).reshape(3, 4) ** 2
    expected = np.gradient(a, axis=axis)
    found = dpnp.gradient(dpnp.array(a), axis=axis)
    for ours, reference in zip(*((x,) if axis is not None else x for x in (found, expected)), strict=True):
        assert_same(ours, reference)
        assert ours.flags.c_contiguous
    with pytest.raises(TypeError, match="bools"):
        dpnp.gradient(dpnp.ones(5, dtype=bool))


@pytest.mark.parametrize("increasing", [False, True])
def test_vandermonde_matrices_are_row_major(increasing):
    a = np.array([1.0, 2, 3])
    ours = dpnp.vander(dpnp.array(a), 4, increasing)
    assert_same(ours, np.vander(a, 4, increasing))
    assert ours.flags.c_contiguous


@pytest.mark.parametrize("order", "CFAK")
@pytest.mark.parametrize("shape", [24, (4, 6), (6, 2, 2)])
def test_memory_order_of_another_shape(shape, order):
    a = np.asfortranarray(np.ones((2, 3, 4)))
    ours, reference = (
        f.empty_like(x, order=order, shape=shape) for f, x in ((dpnp, dpnp.array(a, order="F")), (np, a))
    )
    assert ours.flags.c_contiguous == reference.flags.c_contiguous
    assert ours.flags.f_contiguous == reference.flags.f_contiguous


@pytest.mark.parametrize("axes", [(0, 2, 1), (1, 0, 2), (2, 0, 1)])
def test_memory_order_for_the_same_number_of_axes(axes):
    a = np.ones((2, 3, 4)).transpose(axes)
    reference = np.empty_like(a, shape=(5, 6, 7))
    ours = dpnp.zeros_like(dpnp.ones((2, 3, 4)).transpose(axes), shape=(5, 6, 7))
    assert ours.strides == tuple(s // 8 for s in reference.strides)
    assert_same(ours, np.zeros((5, 6, 7)))


@pytest.mark.parametrize("dtype", ["i4", "f4", "c8"])
def test_kron_with_numbers(dtype):
    a = np.arange(3).astype(dtype)
    assert_same(dpnp.kron(dpnp.array(a), 2), np.kron(a, 2))
    assert_same(dpnp.kron(2, dpnp.array(a)), np.kron(2, a))
    assert_same(dpnp.kron(dpnp.array(a), dpnp.array(a[2])), np.kron(a, a[2]))


def test_padding_by_a_function():
    def fill(line, widths, axis, options):
        line[: widths[0]] = 10 * axis + options["more"]
        line[line.shape[0] - widths[1] :] = -1

    a = np.arange(6).reshape(2, 3)
    assert_same(dpnp.pad(dpnp.array(a), (2, 1), fill, more=3), np.pad(a, (2, 1), fill, more=3))
    for widths in ([], 1.5, [(1.0, 2.0)]):
        with pytest.raises(TypeError, match="integral"):
            dpnp.pad(dpnp.array(a), widths)


def test_iscomplexobj_of_any_object():
    for x in ([1, 2], [1, 2j], 1j, 2, np.ones(2), np.ones(2, dtype="c8")):
        assert dpnp.iscomplexobj(x) == np.iscomplexobj(x)
        assert dpnp.isrealobj(x) == np.isrealobj(x)


@pytest.mark.parametrize("value", [4294967295.0, 3.4028237e38, -1.0, 1e10, 2.7, float("inf"), np.float32(3e9)])
@pytest.mark.parametrize("dtype", ["i4", "i8", "u1", "u4"])
def test_floats_are_filled_in_as_in_numpy(value, dtype):
    """Also those that the integers do not have: with NumPy's warning, if it gives one."""
    with warnings.catch_warnings(record=True) as theirs:
        warnings.simplefilter("always")
        wanted = np.full(3, value, dtype=dtype)
    with warnings.catch_warnings(record=True) as ours:
        warnings.simplefilter("always")
        made = dpnp.full(3, value, dtype=dtype)
        like = dpnp.full_like(dpnp.zeros(3, dtype=dtype), value)
    assert (made.asnumpy() == wanted).all() and (like.asnumpy() == wanted).all()
    assert made.dtype == like.dtype == wanted.dtype
    assert {str(each.message) for each in ours} == {str(each.message) for each in theirs}


def test_the_keyword_prototype_of_empty_like() -> None:
    made = dpnp.empty_like(prototype=dpnp.ones((2, 3), dtype="i4"), order="F")
    assert (made.shape, made.dtype, made.flags.f_contiguous) == ((2, 3), np.int32, True)
    assert dpnp.empty_like(a=dpnp.ones(2)).shape == (2,)
    with pytest.raises(TypeError, match=r"multiple values|unexpected"):
        dpnp.empty_like(dpnp.ones(2), prototype=dpnp.ones(3))
    for name in ("zeros_like", "ones_like"):  # NumPy names their parameter `a`
        with pytest.raises(TypeError, match="prototype"):
            getattr(dpnp, name)(prototype=dpnp.ones(3))
