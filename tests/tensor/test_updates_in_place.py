"""Updates of whole arrays in place, which are computed later: values are NumPy's, whatever reads or writes them."""

from __future__ import annotations

import dpctl.tensor as dpt
import numpy as np
import pytest

ELEMENTS = 20_000
NAMES = "abcd"


def assign(where, values):
    where[...] = values


# Each takes the array module, a mapping of names to arrays, two names and a list of other arrays.
STEPS = {
    "scale": lambda xp, v, a, b, t: xp.multiply(v[a], 0.5, out=v[a]),
    "add": lambda xp, v, a, b, t: xp.add(v[a], v[b], out=v[a]),
    "add to the second": lambda xp, v, a, b, t: xp.add(v[a], v[b], out=v[b]),
    "subtract the mean": lambda xp, v, a, b, t: xp.subtract(v[a], xp.mean(v[a]), out=v[a]),
    "divide by the largest": lambda xp, v, a, b, t: xp.divide(v[a], 1 + xp.max(xp.abs(v[a])), out=v[a]),
    "tanh": lambda xp, v, a, b, t: xp.tanh(v[a], out=v[a]),
    "new array": lambda xp, v, a, b, t: v.update({a: xp.sin(v[a]) + v[b]}),
    "second name": lambda xp, v, a, b, t: v.update({a: v[b]}),
    "assign": lambda xp, v, a, b, t: assign(v[a], v[b]),
    "select": lambda xp, v, a, b, t: assign(v[a], xp.where(v[b] > 0, v[a], v[b])),
    "select reversed": lambda xp, v, a, b, t: assign(v[a], xp.where(v[a] > 0, v[a][::-1], v[b])),
    "add reversed": lambda xp, v, a, b, t: xp.add(v[a], v[a][::-1], out=v[a]),
    "assign a part": lambda xp, v, a, b, t: assign(v[a][2:], v[b][:-2] * 2),
    "assign by a mask": lambda xp, v, a, b, t: v[a].__setitem__(v[a] > 0.5, 0.25),
    "assign an element": lambda xp, v, a, b, t: v[a].__setitem__(7, 3),
    "view": lambda xp, v, a, b, t: t.append(v[a][1:]),
    "reversed view": lambda xp, v, a, b, t: t.append(v[a][::-1]),
    "update the last": lambda xp, v, a, b, t: t and assign(t[-1], t[-1] * 0.25 + 1),
    "derived": lambda xp, v, a, b, t: t.append(v[b] * 3 + v[a]),
    "differences": lambda xp, v, a, b, t: t.append(v[a][1:] - v[a][:-1]),
    "moved": lambda xp, v, a, b, t: t.append(xp.roll(v[a], 3) + v[b]),
    "stacked": lambda xp, v, a, b, t: t.append(xp.stack([v[a], v[b]])),
    "sum": lambda xp, v, a, b, t: t.append(xp.sum(v[a], keepdims=True) * 1e-3),
}


def run(xp, arrays, steps):
    values, others = dict(zip(NAMES, arrays, strict=True)), []
    for step, a, b in steps:
        STEPS[step](xp, values, a, b, others)
    return others, [values[name] for name in NAMES]


def check(arrays, steps, random):
    theirs = run(np, [x.copy() for x in arrays], steps)
    ours = run(dpt, [dpt.asarray(x) for x in arrays], steps)
    pairs = [(x, y) for xs, ys in zip(theirs, ours, strict=True) for x, y in zip(xs, ys, strict=True)]
    for k in random.permutation(len(pairs)):  # what is read first decides what is computed first
        x, y = pairs[k]
        np.testing.assert_allclose(dpt.asnumpy(y), x, rtol=1e-9, atol=1e-9, err_msg=str(steps))


@pytest.mark.parametrize("seed", range(60))
def test_random_updates(seed):
    random = np.random.default_rng(seed)
    for _ in range(5):
        arrays = [random.standard_normal(ELEMENTS) for _ in NAMES]
        steps = [(random.choice(list(STEPS)), *random.choice(list(NAMES), 2)) for _ in range(random.integers(3, 20))]
        check(arrays, steps, random)


@pytest.mark.parametrize(
    "steps",
    [
        [("add", "b", "d"), ("select", "a", "b"), ("add reversed", "a", "a")],
        [("add", "a", "a"), ("divide by the largest", "a", "a"), ("differences", "a", "a")],
        [("add to the second", "c", "d"), ("assign", "c", "d")],
        [("scale", "a", "a"), ("view", "a", "a"), ("scale", "a", "a"), ("update the last", "a", "a")],
        [("derived", "a", "b"), ("scale", "a", "a"), ("add", "b", "a"), ("add", "a", "b")],
    ],
)
def test_updates_that_read_each_other(steps):
    random = np.random.default_rng(1)
    for _ in range(4):
        check([random.standard_normal(ELEMENTS) for _ in NAMES], steps, random)


def test_memory_that_others_refer_to_is_updated_at_once():
    x = dpt.asarray(np.arange(float(ELEMENTS)))
    pointer = x.usm_data
    x *= 2
    x += 1
    assert x.usm_data._pointer == pointer._pointer
    assert dpt.asnumpy(dpt.usm_ndarray(x.shape, dtype=x.dtype, buffer=pointer))[5] == 11
