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
