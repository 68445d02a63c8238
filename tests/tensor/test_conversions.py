"""asarray, copy, astype, and conversion to and from NumPy."""

import array
import ctypes
import itertools
import warnings

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest

DTYPES = "?bBhHiIlLefdFD"


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_round_trip(code, usm_type):
    a = (np.arange(24).reshape(2, 3, 4) % 5).astype(code)
    for view in (a, a.T, a[::-1, ::2], a[0, 0, 0], a[:0], np.asfortranarray(a), a.transpose(1, 0, 2)):
        x = dpt.asarray(view, usm_type=usm_type)
        assert (x.dtype, x.shape, x.usm_type) == (view.dtype, view.shape, usm_type)
        back = dpt.asnumpy(x)
        assert np.array_equal(back, view)
        back[...] = 0
        assert np.array_equal(dpt.asnumpy(x), view)


@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
def test_order_k_keeps_the_memory_order(axes):
    a = np.ones((2, 3, 4)).transpose(axes)
    x = dpt.asarray(a)
    assert x.strides == tuple(s // 8 for s in a.strides)
    assert dpt.copy(x).strides == x.strides
    assert dpt.copy(x, order="C").flags.c_contiguous
    assert dpt.copy(x, order="F").flags.f_contiguous
    assert dpt.asnumpy(x).strides == a.strides


@pytest.mark.parametrize(
    "values",
    [
        5,
        True,
        1.5,
        2j,
        [],
        [[], []],
        [1, 2.5],
        (True, 2),
        range(3),
        [range(2), (1, 2)],
        [[1, 2], np.array([3.5, 4])],
        array.array("h", [1, 2]),
        bytearray(b"ab"),
        memoryview(np.arange(4).reshape(2, 2)),
        ctypes.c_int(8),
        (ctypes.c_double * 3)(1, 2, 3),
        np.float32(2.5),
    ],
    ids=lambda value: type(value).__name__,  # the repr of a memoryview contains its address
)
def test_host_objects(values):
    expected = np.asarray(values)
    x = dpt.asarray(values)
    assert x.dtype == expected.dtype
    assert np.array_equal(dpt.asnumpy(x), expected)
    with pytest.raises(ValueError):
        dpt.asarray(values, copy=False)


@pytest.mark.parametrize(
    "values", [[1.5, -2.5, 0.0], [1, -2, 3], [1, 2.5], [1, True], [2**62, 2**63], [0.5, 1]], ids=repr
)
@pytest.mark.parametrize("dtype", [None, "i2", "i8", "f4", "f8", "c8"])
def test_flat_lists(values, dtype):
    try:
        expected = np.asarray(values, dtype=dtype)
    except OverflowError:
        with pytest.raises(OverflowError):
            dpt.asarray(values, dtype=dtype)
        return
    x = dpt.asarray(values, dtype=dtype)
    assert x.dtype == expected.dtype
    assert np.array_equal(dpt.asnumpy(x), expected)


def test_large_integers():
    assert int(dpt.asarray(2**64 - 1, dtype="u8")) == 2**64 - 1
    assert dpt.asarray(2**63).dtype == np.uint64
    with pytest.raises(OverflowError):
        dpt.asarray(-(2**63) - 1)
    with pytest.raises(OverflowError):
        dpt.asarray(300, dtype="u1")


@pytest.mark.parametrize(
    "values",
    ["ab", b"ab", None, object(), {1: 2}, np.array([None]), np.array(["a"]), ["a"], [object()], 1.5 + np.longdouble(1)],
)
def test_other_objects_are_refused(values):
    with pytest.raises((TypeError, ValueError)):
        dpt.asarray(values)


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (TypeError, {"copy": 1}),
        (TypeError, {"copy": "no"}),
        (TypeError, {"order": 1}),
        (ValueError, {"order": "Z"}),
        (ValueError, {"order": ""}),
        (TypeError, {"dtype": "no"}),
        (TypeError, {"usm_type": 1}),
        (ValueError, {"usm_type": "no"}),
        (TypeError, {"sycl_queue": 1}),
        (TypeError, {"device": 1}),
    ],
)
def test_wrong_arguments_are_refused(error, arguments):
    with pytest.raises(error):
        dpt.asarray([1], **arguments)


def test_contradicting_placements_are_refused():
    with pytest.raises(TypeError):
        dpt.asarray([1], sycl_queue=dpctl.SyclQueue(), device=dpctl.SyclQueue())


def test_ragged_sequences_are_refused():
    for values in ([[1], 2], [[1, 2], [3]], [dpt.asarray([1, 2]), [3]], [dpt.asarray(1), [1]]):
        with pytest.raises(ValueError):
            dpt.asarray(values)


def test_sequences_with_arrays():
    x, y = dpt.asarray([[1, 2], [3, 4]], usm_type="shared"), dpt.asarray([0.5, 1.5], usm_type="host")
    together = dpt.asarray([x, [y, [7, 8]], np.ones((2, 2))])
    assert together.usm_type == "shared"
    assert together.sycl_queue == x.sycl_queue
    assert dpt.asnumpy(together).tolist() == [[[1, 2], [3, 4]], [[0.5, 1.5], [7, 8]], [[1, 1], [1, 1]]]


def test_sequences_of_arrays_on_several_queues_need_a_queue():
    queues = [dpctl.SyclQueue() for _ in range(3)]
    x, y = (dpt.asarray([k, k], sycl_queue=queues[k]) for k in range(2))
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        dpt.asarray([x, y])
    together = dpt.asarray([x, y], sycl_queue=queues[2])
    assert together.sycl_queue == queues[2]
    assert dpt.asnumpy(together).tolist() == [[0, 0], [1, 1]]


def test_copies_are_made_only_when_needed():
    x = dpt.asarray(np.arange(6).reshape(2, 3))
    for order in "KCA":
        assert dpt.asarray(x, order=order) is x
        assert dpt.asarray(x, order=order, copy=True) is not x
    changes = ({"order": "F"}, {"dtype": "f4"}, {"usm_type": "host"}, {"sycl_queue": dpctl.SyclQueue()})
    for change in changes:
        with pytest.raises(ValueError):
            dpt.asarray(x, copy=False, **change)
        y = dpt.asarray(x, **change)
        assert np.array_equal(dpt.asnumpy(y), dpt.asnumpy(x))
        assert y._pointer != x._pointer
    assert dpt.asarray(x, order="F").flags.f_contiguous


@pytest.mark.parametrize(("source", "target"), [(s, t) for s in "?bHiLefdF" for t in DTYPES])
def test_casts_agree_with_numpy(source, target):
    a = np.array([0, 1, 2, 100]).astype(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings of lost imaginary parts and of overflow
        expected = a.astype(target)
        found = dpt.astype(dpt.asarray(a), target)
    assert np.array_equal(dpt.asnumpy(found), expected)


def test_casting_rules():
    x = dpt.asarray([1.5, 2.5])
    assert dpt.astype(x, "f8", copy=False) is x
    assert dpt.astype(x, None).dtype == np.float64
    with pytest.raises(TypeError):
        dpt.astype(x, "i4", casting="safe")
    with pytest.raises(ValueError):
        dpt.astype(x, "i4", casting="perhaps")
    with pytest.raises(ValueError):
        dpt.astype(x, "i4", order="Z")
    with pytest.raises(TypeError):
        dpt.astype([1], "i4")


def test_implicit_conversion_to_numpy_is_refused():
    x = dpt.asarray([1, 2])
    for function in (np.asarray, np.array, np.sum):
        with pytest.raises(TypeError):
            function(x)
    with pytest.raises(TypeError):
        dpt.asnumpy([1, 2])


def test_from_numpy_with_any_memory_layout():
    a = np.arange(10, dtype="i4")[::-2]
    assert dpt.asnumpy(dpt.from_numpy(a)).tolist() == a.tolist()


@pytest.mark.parametrize("code", "bHil")
@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan, 1e300])
def test_floats_beyond_the_integer_dtype_are_refused(code, number):
    with pytest.raises((OverflowError, ValueError)):
        dpt.asarray([1.0, number], dtype=code)
    assert dpt.asnumpy(dpt.asarray([1.5, -0.5], dtype="i4")).tolist() == [1, 0]
