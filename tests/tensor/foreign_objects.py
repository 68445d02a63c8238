"""A program that converts random malformed objects to arrays: `foreign_objects.py SEED COUNT`.

The objects are nested sequences that contain themselves or change during the conversion, buffers of all kinds,
dictionaries of `__array_interface__` and `__sycl_usm_array_interface__` with wrong entries, and DLPack capsules with
wrong fields. Each object must become an array, whose elements are read, or be refused with an exception. The process
must not crash.
"""

from __future__ import annotations

import array
import ctypes
import random
import sys
import warnings

import dpctl.memory
import dpctl.tensor as dpt
import dpnp
import numpy as np

REFUSALS = (TypeError, ValueError, BufferError, OverflowError, IndexError, KeyError, AttributeError, RuntimeError)
USM = dpctl.memory.MemoryUSMShared(4096)
HOST = np.zeros(512)


class Plain:
    """An object with given attributes."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


# --- sequences ---


class Shrinking:
    """An object whose attribute `__usm_ndarray__`, when read, empties the list that contains the object."""

    def __init__(self, home):
        self.home = home

    @property
    def __usm_ndarray__(self):
        self.home.clear()
        raise AttributeError("no array")


def number(r):
    return r.choice([0, 1, -1, 2**70, 1.5, float("nan"), 1j, True, np.float32(2), np.int8(3), None, "text", b"b"])


def leaf(r):
    kinds = [
        number(r),
        dpt.ones(r.choice([(), 1, 2, (2, 2)])),
        dpnp.ones(2),
        np.ones(2),
        range(2),
        bytearray(2),
        Plain(),
    ]
    return r.choice(kinds)


def sequence(r, depth=0):
    items = [leaf(r) if r.random() < 0.7 or depth > 5 else sequence(r, depth + 1) for _ in range(r.randrange(4))]
    what = r.randrange(12)
    if what == 0:
        items.append(items)
    elif what == 1:
        inner = [items]
        items.insert(0, inner)
    elif what == 2:
        items.append(Shrinking(items))
        items.append(1)
    elif what == 3:
        for _ in range(r.choice([3, 63, 64, 65, 300])):
            items = [items]
    elif what == 4:
        items = [leaf(r)] * r.randrange(4)
    return tuple(items) if r.random() < 0.2 else items


# --- buffers ---


def buffer(r):
    fields = [("x", ctypes.c_int), ("y", ctypes.c_double)]
    structure = type("structure", (ctypes.Structure,), {"_fields_": fields})
    made = [
        lambda: memoryview(bytearray(r.randrange(9))),
        lambda: memoryview(bytearray(24)).cast(r.choice("bBhHiIlLqQfd?cn")),
        lambda: memoryview(bytearray(24)).cast("B", (2, 3, 4))[
            r.choice([slice(None, None, -1), slice(1, 1), slice(2)])
        ],
        lambda: array.array(r.choice("bBuhHiIlLqQfd"), b"\0" * 16 if r.random() < 0.5 else []),
        lambda: (structure * 3)(),
        lambda: (ctypes.c_void_p * 2)(),
        lambda: np.zeros(
            r.randrange(3), dtype=r.choice([">f8", ">i2", "S3", "U2", "M8[s]", "O", "V5", "f4,i4", "g", "G"])
        ),
        lambda: np.zeros((1,) * r.choice([0, 1, 32, 64])),
        lambda: np.broadcast_to(np.float64(1), (2, 3)),
        lambda: np.ndarray((3,), "f8", bytearray(40), 1, (9,)),
        lambda: np.ma.masked_array([1.0, 2.0], [True, False]),
        lambda: np.recarray(2, [("a", "i4")]),
    ]
    return r.choice(made)()


# --- dictionaries ---

NUMBERS = [0, 1, -1, 3, 8, 1 << 31, 1 << 62, (1 << 63) - 1, -(1 << 63), 1 << 64, 2.5, None, "1", [], True]


def lengths(r):
    return r.choice([tuple, list])(r.choice(NUMBERS) for _ in range(r.choice([0, 1, 1, 2, 3, 70])))


def interface(r, address, queue=None):
    """An interface dictionary, of whose correct entries some are replaced or removed."""
    entries = {"data": (address, False), "shape": (4,), "strides": None, "typestr": "<f8", "version": 1 if queue else 3}
    if queue is not None:
        entries |= {"syclobj": queue, "offset": 0}
    # NumPy would read any address, so that wrong addresses are used only in __sycl_usm_array_interface__.
    datas = [[address, False], (address,), (address, False, 1), None, "0", (str(address), False), (None, False)]
    if queue is not None:
        datas += [(0, False), (address + r.randrange(-5000, 5000), True), (-address, False), (1 << 64, True)]
    wrong = {
        "data": lambda: r.choice(datas),
        "shape": lambda: r.choice([lengths(r), None, 4, "44", (3,)]) if queue is not None else (r.choice([-1, 0, 2]),),
        "strides": lambda: (
            r.choice([lengths(r), 8, "8", (1,), (-1,)]) if queue is not None else r.choice([8, "8", None])
        ),
        "typestr": lambda: r.choice(
            ["", "<", "|b1", ">f8", "<f16", "<c16", "<c", "O", "<V8", "<i3", "x" * 99, None, 8, "é"]
        ),
        "version": lambda: r.choice([0, 2, "1", None, 1 << 70]),
        "syclobj": lambda: r.choice([None, "cpu", "no such device", dpctl.SyclContext(), 3, Plain(_get_capsule=Plain)]),
        "offset": lambda: r.choice(NUMBERS),
    }
    for key in r.sample(sorted(entries), r.choice([0, 1, 1, 2, 3])):
        if r.random() < 0.15:
            del entries[key]
        else:
            entries[key] = wrong[key]()
    return r.choice([entries, entries, entries, entries, list(entries.items()), None, "dict"])


class Changing:
    """An object whose interface is different at each access."""

    def __init__(self, r):
        self.r = r

    @property
    def __sycl_usm_array_interface__(self):
        return interface(self.r, USM._pointer, USM.sycl_queue)


def described(r):
    kind = r.randrange(3)
    if kind == 0:
        return Plain(__array_interface__=interface(r, HOST.ctypes.data))
    if kind == 1:
        return Plain(__sycl_usm_array_interface__=interface(r, USM._pointer, USM.sycl_queue))
    return Changing(r)


# --- capsules: https://dmlc.github.io/dlpack/latest/c_api.html ---


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor),
    ]  # fmt: skip


NAMES = [b"dltensor", b"dltensor_versioned", b"used_dltensor", b"used_dltensor_versioned", b"other"]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
KEPT = []  # keeps the structures alive, which the capsules do not own


def capsule(r):
    on_host = r.random() < 0.5
    address = HOST.ctypes.data if on_host else USM._pointer
    shape, strides = (ctypes.c_int64 * 66)(4, *[1] * 65), (ctypes.c_int64 * 66)(*[1] * 66)
    tensor = Tensor(
        address, 1 if on_host else 14, 0, 1, 2, 64, 1, ctypes.addressof(shape), ctypes.addressof(strides), 0
    )
    if not on_host:  # the device id of the memory
        tensor.device_id = dpt.empty(1, sycl_queue=USM.sycl_queue).__dlpack_device__()[1]
    for _ in range(r.choice([0, 1, 1, 2, 3])):
        match r.randrange(9):
            case 0:
                tensor.ndim = r.choice([-1, -(1 << 31), 0, 2, 65, 66, (1 << 31) - 1])
            case 1:
                shape[0] = r.choice([-1, 0, 1, -(1 << 63)] + ([] if on_host else [1 << 20, (1 << 63) - 1]))
                shape[1] = r.choice([0, 1, -5] + ([] if on_host else [1 << 62]))
            case 2:
                strides[0] = r.choice([0, 1] if on_host else [0, 2, -1, 1 << 40, (1 << 63) - 1, -(1 << 63)])
            case 3:
                tensor.strides = None
            case 4:
                tensor.shape = None
                tensor.ndim = r.choice([0, 1, 3])
            case 5:
                tensor.data = None
            case 6:
                tensor.byte_offset = r.choice([0, 8] if on_host else [1, 4, 8, 5000, (1 << 64) - 8, 1 << 63])
            case 7:
                tensor.code, tensor.bits = r.randrange(256), r.choice([0, 1, 8, 16, 24, 64, 128, 255])
                tensor.lanes = r.choice([0, 1, 2, 65535])
            case 8:
                tensor.device_type = r.choice([-1, 0, 2, 3, 7, 10, 13, 99, 1 << 30] + ([] if on_host else [14]))
                tensor.device_id = r.choice([0, -1, 99, 1 << 30])
    name = r.choice(NAMES[:2]) if r.random() < 0.9 else r.choice(NAMES)
    if b"versioned" in name:
        managed = Versioned(r.choice([0, 1, 1, 1, 2, 99]), r.randrange(9), None, None, r.randrange(8), tensor)
    else:
        managed = Managed(tensor, None, None)
    KEPT.append((managed, shape, strides, name))
    return new_capsule(ctypes.addressof(managed), name, None)


def read(x):
    """Read all elements."""
    if isinstance(x, np.ndarray) and not x.flags.owndata and x.size:
        return x.sum() if x.dtype.kind in "biufc" else None
    return dpt.asnumpy(x) if isinstance(x, dpt.usm_ndarray) else x


def exchange(r):
    """Import an object with DLPack's methods that return wrong results."""
    made = capsule(r) if r.random() < 0.8 else r.choice([None, 1, "capsule", HOST.__dlpack__()])
    device = r.choice([(1, 0), (14, 0), (14, 99), (2, 0), (99, 0), (1,), None, "cpu", (1, 0, 0), ("a", "b")])
    x = type("Exporter", (), {"__dlpack__": lambda self, **_: made, "__dlpack_device__": lambda self: device})()
    wanted = r.choice([{}, {}, {"device": "cpu"}, {"device": (1, 0)}, {"device": (99, 0)}, {"dl_device": ("x", 0)}])
    return read(dpt.from_dlpack(x, **wanted))


def convert_one(r):
    match r.randrange(6):
        case 0:
            return read(dpt.asarray(sequence(r)))
        case 1:
            return read(dpt.asarray(buffer(r)))
        case 2:
            return read(dpt.asarray(described(r)))
        case 3:
            return read(dpt.from_dlpack_capsule(capsule(r)))
        case 4:
            return exchange(r)
        case _:
            x = dpt.zeros(4)
            x[...] = r.choice([sequence, buffer, described])(r)
            return read(x)


def main(seed, count):
    warnings.simplefilter("ignore")  # NumPy's warnings of overflows and casts
    made = refused = 0
    for i in range(count):
        print(f"\r{seed + i}", end="", file=sys.stderr)  # names the seed in case of a crash
        try:
            convert_one(random.Random(seed + i))
            made += 1
        except REFUSALS:
            refused += 1
    print(f"{made} arrays, {refused} refusals")


if __name__ == "__main__":
    from dpctl.tensor._dlpack import from_dlpack_capsule

    dpt.from_dlpack_capsule = from_dlpack_capsule
    main(int(sys.argv[1]), int(sys.argv[2]))
