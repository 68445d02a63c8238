"""Arrays from objects of other libraries: invalid objects are refused by an exception, and do not end the process."""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
import sys

import dpctl.memory
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest

PROGRAM = pathlib.Path(__file__).parent / "foreign_objects.py"


@pytest.mark.parametrize("seed", range(0, 8000, 2000))
def test_random_objects_do_not_end_the_process(seed):
    """For other seeds, run `foreign_objects.py SEED COUNT`; the last seed that it prints is the one that failed."""
    run = subprocess.run([sys.executable, PROGRAM, str(seed), "2000"], capture_output=True, text=True)
    last = run.stderr.split("\r")[-1][-2000:]
    assert run.returncode == 0, f"ended by {run.returncode} at {last}"
    made, refused = (int(word) for word in run.stdout.split() if word.isdigit())
    assert min(made, refused) > 200


def containing_itself():
    items = []
    items.append(items)
    return items


def containing_each_other():
    items = [[], (1,)]
    items[0].append(items)
    return items


def with_an_array_deep_inside():
    items = dpt.ones(2)
    for _ in range(70):
        items = [items]
    return items


@pytest.mark.parametrize("make", [containing_itself, containing_each_other, with_an_array_deep_inside])
@pytest.mark.parametrize("function", [dpt.asarray, dpnp.asarray, dpnp.array])
def test_sequences_without_end(make, function):
    with pytest.raises(ValueError, match=r"nested more than 64 levels deep|maximum number of dimension"):
        function(make())
    with pytest.raises(ValueError):
        dpt.zeros(3)[...] = make()


def test_sequences_that_change_while_they_are_read():
    class Emptying:
        def __init__(self, home):
            self.home = home

        @property
        def __usm_ndarray__(self):
            self.home.clear()
            return dpt.ones(())

    for before in range(3):
        items = [1.0] * before
        items += [Emptying(items), 2.0, dpt.ones(())]
        with contextlib.suppress(TypeError, ValueError):
            assert dpt.asarray([items, items]).shape == (2, 0)  # as they are after the change


class Described:
    def __init__(self, **changes):
        self.memory = dpctl.memory.MemoryUSMShared(64)
        data = (self.memory._pointer, False)
        self.__sycl_usm_array_interface__ = {
            "data": data, "shape": (4,), "strides": None, "typestr": "<f8", "version": 1, "offset": 0,
            "syclobj": self.memory.sycl_queue,
        } | {key: change(data) if callable(change) else change for key, change in changes.items()}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": list}, "'data' must be a tuple of an address and a bool"),
        ({"data": lambda data: data[:1]}, "'data' must be a tuple"),
        ({"data": lambda data: (None, False)}, "'data' must be a tuple"),
        ({"data": lambda data: (0, False)}, "is not USM memory"),
        ({"shape": (9,)}, "reach outside the allocation"),
        ({"shape": (-1,)}, "negative"),
        ({"shape": (1 << 62, 4)}, "exceed the address space|too large"),
        ({"strides": (1, 1)}, "as long as 'shape'"),
        ({"strides": (1 << 62,)}, "exceed the address space"),
        ({"offset": 5}, "reach outside the allocation"),
        ({"offset": 1 << 62}, "exceeds the address space"),
        ({"typestr": "<f99"}, "must be a numeric type|reach outside"),
        ({"version": 2}, "'version' must be 1"),
        ({"syclobj": None}, "'syclobj'"),
    ],
)
def test_interfaces_of_usm_memory_say_what_is_wrong(changes, message):
    assert dpt.asarray(Described()).shape == (4,)
    with pytest.raises(ValueError, match=message):
        dpt.asarray(Described(**changes))


def test_capsules_say_what_is_wrong():
    """Fields as they are in memory: data, device, dimensions, type, shape, strides, offset."""
    sys.path.insert(0, str(PROGRAM.parent))
    import ctypes

    import foreign_objects as foreign
    from dpctl.tensor._dlpack import from_dlpack_capsule

    memory = np.zeros(4)
    shape = (ctypes.c_int64 * 2)(4, 1)

    def of(**changes):
        tensor = foreign.Tensor(memory.ctypes.data, 1, 0, 1, 2, 64, 1, ctypes.addressof(shape), None, 0)
        for name, value in changes.items():
            setattr(tensor, name, value)
        foreign.KEPT.append(managed := foreign.Managed(tensor, None, None))
        return foreign.new_capsule(ctypes.addressof(managed), b"dltensor", None)

    assert from_dlpack_capsule(of()).shape == (4,)
    negative, long, far = (ctypes.c_int64 * 1)(-1), (ctypes.c_int64 * 2)(1 << 62, 4), (ctypes.c_int64 * 1)(1 << 60)
    for changes, message in [
        ({"ndim": -1}, "-1 dimensions"),
        ({"ndim": 65}, "65 dimensions"),
        ({"shape": None}, "no shape"),
        ({"shape": ctypes.addressof(negative)}, "negative length"),
        ({"shape": ctypes.addressof(long), "ndim": 2}, "too large|beyond the address space"),
        ({"strides": ctypes.addressof(far)}, "beyond the address space"),
        ({"byte_offset": (1 << 64) - 8}, "beyond the address space"),
        ({"data": None}, "no data"),
        ({"lanes": 2}, "2 lanes"),
        ({"device_type": 99}, "device of type 99"),
        ({"device_type": 14}, "not USM memory"),
    ]:
        with pytest.raises(BufferError, match=message):
            from_dlpack_capsule(of(**changes))


def test_capsules_beyond_their_allocation_are_refused():
    sys.path.insert(0, str(PROGRAM.parent))
    import ctypes

    import foreign_objects as foreign
    from dpctl.tensor._dlpack import from_dlpack_capsule

    x = dpt.zeros(8, device="cpu")
    kind, number = x.__dlpack_device__()
    shape = (ctypes.c_int64 * 1)(1 << 20)
    tensor = foreign.Tensor(x._pointer, kind, number, 1, 2, 64, 1, ctypes.addressof(shape), None, 0)
    managed = foreign.Managed(tensor, None, None)
    with pytest.raises(BufferError, match="reach outside the allocation"):
        from_dlpack_capsule(foreign.new_capsule(ctypes.addressof(managed), b"dltensor", None))
