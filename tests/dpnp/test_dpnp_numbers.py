"""Arrays without axes where Python and NumPy take numbers: conversions, formats, indices and arguments."""

from __future__ import annotations

import math
import operator

import dpnp
import numpy as np
import pytest

X, K = [0.5, 1.75, 2.5, 3.25, -4.5], [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "expression",
    [
        lambda xp, x, k: np.float64(x[0]),
        lambda xp, x, k: np.float32(x.max()),
        lambda xp, x, k: np.float16(x[1]),
        lambda xp, x, k: np.int64(k[1]),
        lambda xp, x, k: np.int8(x[4]),
        lambda xp, x, k: np.bool_(k[0]),
        lambda xp, x, k: np.complex64(x[2]),
        lambda xp, x, k: xp.float32(x[2]),
        lambda xp, x, k: x.dtype.type(k[1]),
        lambda xp, x, k: np.asarray(x[0]).item(),
        lambda xp, x, k: np.array(x.sum(), dtype="f4").item(),
        lambda xp, x, k: np.array([x[0], x[1]]).tolist(),
        lambda xp, x, k: [f(v) for f in (math.trunc, math.floor, math.ceil, round) for v in x],
        lambda xp, x, k: [type(f(x[1])) for f in (math.trunc, math.floor, math.ceil, round)],
        lambda xp, x, k: math.floor(k[0]),
        lambda xp, x, k: [v.is_integer() for v in x],
        lambda xp, x, k: [v.as_integer_ratio() for v in x],
        lambda xp, x, k: [v.bit_count() for v in k],
        lambda xp, x, k: f"{x[0]:.3f} {k[1]:5d} {k[1]:x} {x[4]:>8} {x[2]}",
        lambda xp, x, k: "%d %5.2f %s" % (k[1], x[1], x[2]),  # noqa: UP031
        lambda xp, x, k: [10, 20, 30, 40][k[1]],
        lambda xp, x, k: list(range(k[2])) + list(range(k[1], k[3])),
        lambda xp, x, k: "abc"[k[0] : k[2]] * int(k[1]),
        lambda xp, x, k: (x[0] in (1, 0.5), x[0] in (1, 2), k[0] in {1, 2}, 7 in k),
        lambda xp, x, k: bytes(k),
        lambda xp, x, k: bytes(k[2]),
        lambda xp, x, k: operator.index(k[3]),
        lambda xp, x, k: x[0].flat[0].item(),
        lambda xp, x, k: x[range(3)].tolist(),
        lambda xp, x, k: x[range(0)].tolist(),
        lambda xp, x, k: x[range(4, 0, -2)].tolist(),
        lambda xp, x, k: xp.stack([x, x])[:, range(2)].tolist(),
        lambda xp, x, k: float(x.sum(initial=x[0])),
        lambda xp, x, k: float(xp.prod(x, initial=k[2])),
        lambda xp, x, k: float(xp.max(x, initial=k[4])),
        lambda xp, x, k: float(xp.min(x, where=x > 1, initial=x[3])),
        lambda xp, x, k: float(xp.add.reduce(x, initial=x[0])),
        lambda xp, x, k: int(k.sum(initial=k[3])),
        lambda xp, x, k: float(xp.sum(x, where=[True, False, True, True, False])),
        lambda xp, x, k: float(xp.mean(x, where=(True, False, True, True, False))),
        lambda xp, x, k: float(xp.std(x, where=[True, False, True, True, False])),
        lambda xp, x, k: float(x.var(where=np.array([True, False, True, True, False]))),
        lambda xp, x, k: bool(xp.any(x > 3, where=[True, False, True, False, True])),
        lambda xp, x, k: float(xp.max(x, where=np.array([True, False, True, True, False]), initial=-9)),
    ],
)
def test_numbers_of_arrays_are_used_as_numpys(expression):
    ours, theirs = (expression(xp, xp.array(X), xp.array(K)) for xp in (dpnp, np))
    assert ours == theirs
    assert type(ours) is type(theirs)


@pytest.mark.parametrize("dtype", ["?", "i1", "u4", "u8", "f4", "c8"])
def test_scalar_types_convert_elements_of_every_dtype(dtype):
    x = dpnp.array([0, 1, 3]).astype(dtype)
    for type_ in (np.bool_, np.int16, np.uint64, np.float32, np.complex128):
        if dtype == "c8" and type_ is not np.complex128:
            continue
        made = type_(x[2])
        assert made == type_(dpnp.asnumpy(x)[2]) and type(made) is type_


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: np.asarray(x), TypeError),
        (lambda x: np.float32(x), TypeError),
        (lambda x: np.float32(x[:1]), TypeError),
        (lambda x: np.asarray(x[0], copy=False), ValueError),
        (lambda x: math.trunc(x), (TypeError, ValueError)),
        (lambda x: math.floor(x[0] + 1j), TypeError),
        (lambda x: (x[0] + 1j).is_integer(), TypeError),
        (lambda x: x[0].bit_count(), TypeError),
        (lambda x: x[range(9)], IndexError),
        (lambda x: x.sum(initial=x[:2]), TypeError),
        (lambda x: x.sum(initial="a"), TypeError),
        (lambda x: x.sum(where=[True, False]), ValueError),
        (lambda x: [1, 2][x[0]], TypeError),
    ],
)
def test_other_arrays_are_refused(call, error):
    with pytest.raises(error):
        call(dpnp.array(X))
