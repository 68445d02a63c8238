"""Operations on slices of few elements, which are computed at the call: values, dtypes and memory order are NumPy's."""

import random

import dpctl.tensor as dpt
import numpy as np
import pytest

FUNCTIONS = ("add", "multiply", "greater", "equal")


def random_slices(choose: random.Random, shape: list[int], steps: list[int]) -> tuple[slice, ...]:
    slices = []
    for length in shape:
        step = choose.choice(steps)
        if step > 0:
            first = choose.randint(0, 2)
            slices.append(slice(first, first + step * length, step))
        else:
            first = choose.randint(length, 2 * length + 2)
            slices.append(slice(first, first - length, -1))
    return tuple(slices)


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "c16", "i4", "i1", "u8", "?"])
@pytest.mark.parametrize("steps", [[1], [1, 2], [1, 2, -1]], ids=str)
def test_results_are_numpys(dtype, steps):
    choose, numbers = random.Random(dtype), np.random.default_rng(0)
    for _ in range(25):
        axes = list(range(choose.randint(1, 4)))
        shape = [choose.randint(1, 7) for _ in axes]
        whole = (numbers.standard_normal([2 * s + 3 for s in shape]) * 9).astype(dtype)
        ours = dpt.asarray(whole)
        parts = [random_slices(choose, shape, steps) for _ in range(2)]
        if choose.random() < 0.3:
            choose.shuffle(axes)
        x, y = (whole[s].transpose(axes) for s in parts)
        dx, dy = (dpt.permute_dims(ours[s], axes) for s in parts)
        for name in FUNCTIONS:
            with np.errstate(all="ignore"):
                expected = getattr(np, name)(x, y)
            got = getattr(dpt, name)(dx, dy)
            assert got.dtype == expected.dtype
            np.testing.assert_array_equal(dpt.asnumpy(got), expected, f"{name} {parts} {axes}")
            if -1 not in steps:  # NumPy's results of reversed operands are not reversed
                strides = [
                    s // expected.itemsize for s, n in zip(expected.strides, expected.shape, strict=True) if n > 1
                ]
                assert [s for s, n in zip(got.strides, got.shape, strict=True) if n > 1] == strides


def test_slices_may_overlap_the_output():
    x = np.arange(30.0).reshape(5, 6)
    ours = dpt.asarray(x)
    out = ours[1:3]
    dpt.add(ours[0:2, 0:6], ours[2:4], out=out)
    dpt.multiply(ours[:, 1:3], 2, out=ours[:, 0:2])
    expected = x.copy()
    expected[1:3] = x[0:2] + x[2:4]
    expected[:, 0:2] = expected[:, 1:3] * 2
    np.testing.assert_array_equal(dpt.asnumpy(ours), expected)
