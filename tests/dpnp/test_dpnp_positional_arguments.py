"""Creation functions take NumPy's arguments by position, and random numbers have the requested placement."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from reference import assert_same

A = np.arange(6.0).reshape(2, 3)
CALLS = {
    "zeros": lambda xp: xp.zeros((2, 3), "f4", "F"),
    "ones": lambda xp: xp.ones(3, int),
    "full": lambda xp: xp.full((2, 2), 7, "i2", "C"),
    "empty": lambda xp: xp.empty((2, 0), "c8", "F"),
    "zeros_like": lambda xp: xp.zeros_like(xp.asarray(A), "i4", "F", False, (4,)),
    "ones_like": lambda xp: xp.ones_like(xp.asarray(A), "f4"),
    "full_like": lambda xp: xp.full_like(xp.asarray(A), 3, "i8", "C"),
    "arange": lambda xp: xp.arange(1, 7, 2, "f4"),
    "linspace": lambda xp: xp.linspace(0, 1, 5, False, False, "f4"),
    "linspace along": lambda xp: xp.linspace(xp.asarray(A[0]), 9, 3, True, False, None, 1),
    "logspace": lambda xp: xp.logspace(0, 2, 3, True, 2.0, "f8"),
    "geomspace": lambda xp: xp.geomspace(1, 8, 4, True, "f8"),
    "eye": lambda xp: xp.eye(3, 4, 1, "i4", "F"),
    "identity": lambda xp: xp.identity(3, "f4"),
    "tri": lambda xp: xp.tri(3, 4, 1, "i4"),
    "tril": lambda xp: xp.tril(xp.asarray(A), 1),
    "triu": lambda xp: xp.triu(xp.asarray(A), -1),
    "array": lambda xp: xp.array([1, 2], "f4"),
    "asarray": lambda xp: xp.asarray([[1, 2]], "f4", "F"),
    "indices": lambda xp: xp.indices((2, 3), "i4"),
    "clip": lambda xp: xp.clip(xp.asarray(A), 1, 3, xp.empty((2, 3))),
}


@pytest.mark.parametrize("name", CALLS)
def test_arguments_by_position(name):
    found, expected = CALLS[name](dpnp), CALLS[name](np)
    assert_same(found, expected, 8)
    if found.ndim == 2:
        assert found.flags.f_contiguous == expected.flags.f_contiguous


def test_dtypes_by_position_of_dpctl():
    x = dpt.asarray(A)
    for made, code in [
        (dpt.zeros(3, "i4"), "i4"), (dpt.ones((2, 2), dpt.float32), "f4"), (dpt.empty(0, "c8"), "c8"),
        (dpt.full(3, 2, "i2"), "i2"), (dpt.zeros_like(x, "i4"), "i4"), (dpt.ones_like(x, "f4"), "f4"),
        (dpt.empty_like(x, "?"), "?"), (dpt.full_like(x, 2, "u1"), "u1"), (dpt.arange(0, 4, 1, "f4"), "f4"),
        (dpt.eye(2, 3, 1, "i4"), "i4"), (dpt.asarray([1, 2], "f4"), "f4"),
    ]:  # fmt: skip
        assert made.dtype == code
    assert dpt.asnumpy(dpt.eye(2, 3, 1, "i4")).tolist() == [[0, 1, 0], [0, 0, 1]]
    with pytest.raises(TypeError):
        dpt.zeros(3, "i4", "C")  # as in dpctl, order is keyword-only


RANDOM = {
    "rand": (2, 3), "randn": (2, 3), "random": ((2, 3),), "random_sample": ((2, 3),), "ranf": ((2, 3),),
    "sample": ((2, 3),), "standard_normal": ((2, 3),), "normal": (1.0, 2.0, (2, 3)), "uniform": (1.0, 2.0, (2, 3)),
    "randint": (0, 9, (2, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", RANDOM)
def test_random_numbers_have_the_requested_placement(name):
    function, queue = getattr(dpnp.random, name), dpctl.SyclQueue()
    for place in (
        {"sycl_queue": queue}, {"sycl_queue": queue, "usm_type": "shared"}, {"device": queue, "usm_type": "host"},
        {"device": queue.sycl_device}, {"device": "cpu"} if queue.sycl_device.is_cpu else {}, {"usm_type": None},
    ):  # fmt: skip
        dpnp.random.seed(3)
        x = function(*RANDOM[name], **place)
        assert x.shape == (2, 3)
        assert x.usm_type == (place.get("usm_type") or "device")
        if place.get("sycl_queue") or place.get("device") is queue:
            assert x.sycl_queue == queue
        dpnp.random.seed(3, device=place.get("device"), sycl_queue=place.get("sycl_queue"))
        assert x.tolist() == function(*RANDOM[name]).tolist()  # the numbers do not depend on the device
    with pytest.raises(ValueError, match="usm_type"):
        function(*RANDOM[name], usm_type="any")
    with pytest.raises(TypeError):
        function(*RANDOM[name], sycl_queue="cpu")


def test_random_states_have_a_placement():
    queue = dpctl.SyclQueue()
    state = dpnp.random.RandomState(1, sycl_queue=queue)
    assert state.rand(3).sycl_queue == queue
    assert state.normal(size=3, usm_type="shared").usm_type == "shared"
    other = dpctl.SyclQueue()
    assert state.uniform(size=2, sycl_queue=other).sycl_queue == other


X, INDICES = np.array([3.5, -1.25, 2.0, 0.5, -4.0]), np.array([0, 2, 4, 1, 1])
SQUARE, ROWS = np.arange(25.0).reshape(5, 5) % 7, np.array([[0], [1], [2], [0], [1]])
# Functions of an array x, a matrix a and indices i of x or j of the rows of a, with NumPy's names of arguments.
KEYWORDS = {
    "take": lambda xp, x, a, i, j: xp.take(a=x, indices=i, axis=0, mode="clip"),
    "take_along_axis": lambda xp, x, a, i, j: xp.take_along_axis(arr=a, indices=j, axis=1),
    "identity": lambda xp, x, a, i, j: xp.identity(n=3),
    "tri": lambda xp, x, a, i, j: xp.tri(N=3, M=4, k=1),
    "tril": lambda xp, x, a, i, j: xp.tril(m=a, k=1),
    "triu": lambda xp, x, a, i, j: xp.triu(m=a),
    "vander": lambda xp, x, a, i, j: xp.vander(x=x, N=3),
    "diagflat": lambda xp, x, a, i, j: xp.diagflat(v=x),
    "squeeze": lambda xp, x, a, i, j: xp.squeeze(a=x[None], axis=0),
    "stack": lambda xp, x, a, i, j: xp.stack(arrays=[x, x], axis=1),
    "full_like": lambda xp, x, a, i, j: xp.full_like(a=x, fill_value=2),
    "zeros_like": lambda xp, x, a, i, j: xp.zeros_like(a=x),
    "ones_like": lambda xp, x, a, i, j: xp.ones_like(a=x, dtype=int),
    "broadcast_to": lambda xp, x, a, i, j: xp.broadcast_to(array=x, shape=(2, 5)),
    "rollaxis": lambda xp, x, a, i, j: xp.rollaxis(a=a, axis=1),
    "ptp": lambda xp, x, a, i, j: xp.ptp(a=a, axis=0),
    "round": lambda xp, x, a, i, j: xp.round(a=x, decimals=1),
    "around": lambda xp, x, a, i, j: xp.around(a=x, decimals=1),
    "angle": lambda xp, x, a, i, j: xp.angle(z=x, deg=True),
    "real": lambda xp, x, a, i, j: xp.real(val=x),
    "imag": lambda xp, x, a, i, j: xp.imag(val=x + 2j),
    "choose": lambda xp, x, a, i, j: xp.choose(a=i, choices=[x, -x, x, x, 2 * x]),
    "extract": lambda xp, x, a, i, j: xp.extract(condition=x > 0, arr=x),
    "x.take": lambda xp, x, a, i, j: x.take(indices=i),
    "put": lambda xp, x, a, i, j: xp.put(a=x, ind=i, v=1),
    "x.put": lambda xp, x, a, i, j: x.put(indices=i, values=1),
    "place": lambda xp, x, a, i, j: xp.place(arr=x, mask=x > 0, vals=xp.asarray([1.0])),
    "put_along_axis": lambda xp, x, a, i, j: xp.put_along_axis(arr=a, indices=j, values=1, axis=1),
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_arguments_by_numpys_names(name):
    given = [[xp.array(values) for values in (X, SQUARE, INDICES, ROWS)] for xp in (np, dpnp)]
    expected, found = (KEYWORDS[name](xp, *arrays) for xp, arrays in zip((np, dpnp), given, strict=True))
    if expected is not None:
        assert_same(found, expected, 8)
    for ours, theirs in zip(given[1], given[0], strict=True):  # what the function wrote to
        np.testing.assert_array_equal(dpnp.asnumpy(ours), theirs)


@pytest.mark.parametrize(
    ("function", "keywords", "expected"),
    [
        ("extract", {"condition": A > 2, "a": A}, np.extract(A > 2, A)),
        ("choose", {"x": A.astype("i8") % 2, "choices": [A, -A]}, np.choose(A.astype("i8") % 2, [A, -A])),
        ("take_along_axis", {"a": A, "indices": A.astype("i8") % 2, "axis": 1},
         np.take_along_axis(A, A.astype("i8") % 2, 1)),
        ("rollaxis", {"x": A, "axis": 1}, np.rollaxis(A, 1)),
        ("round", {"x": A / 3, "decimals": 1}, np.round(A / 3, 1)),
        ("around", {"x": A / 3, "decimals": 1}, np.around(A / 3, 1)),
    ],
)  # fmt: skip
def test_names_of_intels_dpnp(function, keywords, expected):
    """Arguments of which Intel's dpnp and NumPy have different names."""

    def on_device(value):
        if isinstance(value, list):
            return [on_device(each) for each in value]
        return dpnp.asarray(value) if isinstance(value, np.ndarray) else value

    found = getattr(dpnp, function)(**{name: on_device(value) for name, value in keywords.items()})
    assert_same(found, expected, 8)


def test_names_of_intels_dpnp_for_changed_arrays():
    x, y = dpnp.asarray(A), dpnp.asarray(A)
    dpnp.place(a=x, mask=x > 2, vals=dpnp.asarray([9.0]))
    dpnp.put_along_axis(a=y, ind=dpnp.asarray([[0], [1]]), values=7.0, axis=1)
    assert x.asnumpy().tolist() == [[0, 1, 2], [9, 9, 9]] and y.asnumpy().tolist() == [[7, 1, 2], [3, 7, 5]]
    with pytest.raises(TypeError):
        dpnp.take_along_axis(a=x, arr=x, indices=x.astype("i8"), axis=1)
    with pytest.raises(TypeError, match="unknown"):
        dpnp.rollaxis(x, unknown=1)
