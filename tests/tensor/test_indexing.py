"""Indexing and assignment agree with NumPy."""

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest

REFERENCE = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
KEYS = [
    (),
    0,
    -1,
    ...,
    None,
    slice(None, None, -1),
    (1, 2),
    (..., 2),
    (None, ..., None),
    (1, 2, None, 3, 4),
    (slice(1, None), ..., slice(None, None, 2)),
    (None, slice(0, None, 2), ..., slice(3, 0, -2)),
    (slice(5, 2), 0),
    (slice(None), slice(-2, None), 1, ..., -5),
    (np.int64(1), np.array(2)),
]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_parts_are_views(key):
    a = REFERENCE.copy()
    x = dpt.asarray(a)
    part, expected = x[key], a[key]
    assert part.shape == expected.shape
    assert np.array_equal(dpt.asnumpy(part), expected)
    part[...] = -1
    a[key] = -1
    assert np.array_equal(dpt.asnumpy(x), a)


@pytest.mark.parametrize("key", [(0,) * 5, (..., ...), 2, -3, (0, 3), 0.5, "a", (1, 0.0), {1}, Exception()], ids=repr)
def test_wrong_indices_are_refused(key):
    x = dpt.asarray(REFERENCE)
    with pytest.raises(IndexError):
        x[key]
    with pytest.raises(IndexError):
        x[key] = 1


def test_0d_integer_arrays_are_indices():
    x = dpt.asarray(np.arange(10) * 10)
    two, five = dpt.asarray(2), dpt.asarray([5])[0]
    assert int(x[two]) == 20
    assert dpt.asnumpy(x[two:five]).tolist() == [20, 30, 40]


@pytest.mark.parametrize(
    "value",
    [
        3,
        2.75,
        True,
        np.float32(1.5),
        np.arange(4),
        np.arange(12.0).reshape(3, 4)[::-1],
        np.arange(12, dtype="i2").reshape(4, 3).T,
        np.ones((1, 3, 1), "?"),
        [1, 2, 3, 4],
        [[1], [2], [3]],
    ],
    ids=repr,
)
@pytest.mark.parametrize("dtype", ["i4", "f8", "c8"])
def test_assignment_casts_and_broadcasts(value, dtype):
    a = np.zeros((3, 4), dtype)
    x = dpt.asarray(a)
    a[:, ::-1] = value
    x[:, ::-1] = value
    assert np.array_equal(dpt.asnumpy(x), a)
    if not isinstance(value, (int, float, np.generic)):
        x[...] = 0
        x[:, ::-1] = dpt.asarray(value)
        assert np.array_equal(dpt.asnumpy(x), a)


def test_overlapping_assignment_reads_before_it_writes():
    a = np.arange(10)
    x = dpt.asarray(a)
    x[3:] = x[:-3]
    assert dpt.asnumpy(x).tolist() == [0, 1, 2, 0, 1, 2, 3, 4, 5, 6]
    x[...] = x[::-1]
    assert dpt.asnumpy(x).tolist() == [6, 5, 4, 3, 2, 1, 0, 2, 1, 0]


def test_values_of_wrong_shapes_are_refused():
    x = dpt.zeros((2, 3))
    for value in (np.zeros(2), dpt.zeros((3, 3)), [1, 2], np.zeros((2, 2, 3))):
        with pytest.raises(ValueError):
            x[...] = value
    for value in ("text", object(), np.array(["a"])):
        with pytest.raises((TypeError, ValueError)):
            x[...] = value
    with pytest.raises(TypeError):
        del x[0]


def test_assignment_from_another_queue():
    x = dpt.zeros(3)
    x[...] = dpt.asarray([1.0, 2, 3], sycl_queue=dpctl.SyclQueue())
    assert dpt.asnumpy(x).tolist() == [1, 2, 3]


def test_large_host_arrays():
    a = np.arange(300_000.0).reshape(300, 1000)
    x = dpt.zeros((300, 1000), dtype="f4")
    x[...] = a
    assert np.array_equal(dpt.asnumpy(x), a)
    assert np.array_equal(dpt.asnumpy(x.T), a.T)


@pytest.mark.parametrize("code", "?bLefdFD")
@pytest.mark.parametrize("shape", [(), (7,), (3, 4), (0, 2), (200, 300)])
def test_numbers_are_assigned_where_a_mask_is_true(code, shape):
    a = np.arange(np.prod(shape)).reshape(shape).astype(code)
    mask = np.asarray((np.arange(np.prod(shape)) % 3 == 1).reshape(shape))
    x = dpt.asarray(a)
    for number in (0, 1, True, np.int8(1)) + ((2.5,) if code in "efdFD" else ()):
        a[mask], x[dpt.asarray(mask)] = number, number
        assert np.array_equal(dpt.asnumpy(x), a)
    if shape == (3, 4):
        a[::-1].T[mask.T], x[::-1].mT[dpt.asarray(mask.T)] = 1, 1
        assert np.array_equal(dpt.asnumpy(x), a)


def test_wrong_assignments_by_masks_are_refused():
    x = dpt.ones((2, 3))
    with pytest.raises(IndexError, match="mask of shape"):
        x[dpt.ones((2, 2), dtype=bool)] = 1
    with pytest.raises(TypeError, match="imaginary"):
        x[x == 1] = 1j
    x.flags.writable = False
    with pytest.raises(ValueError, match="read-only"):
        x[x == 1] = 2
