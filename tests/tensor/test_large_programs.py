"""Typical array programs agree with NumPy at sizes that use tiles, compiled passes and several threads.

The random programs have two axes of 64 to 500 elements and one of 1 to 8. Their intermediate results are used several
times, and are reduced along an axis and broadcast along it again. Each program runs three times, because passes are
compiled after their second occurrence. `DPEP_LARGE_PROGRAMS` sets the number of programs, `DPEP_RANDOM_SEED` selects
others.

`python tests/tensor/test_large_programs.py` runs them on the default device.
"""

from __future__ import annotations

import os
import random

import dpctl.tensor as dpt
import numpy as np
import pytest

PROGRAMS = int(os.environ.get("DPEP_LARGE_PROGRAMS", "100"))
FIRST_SEED = int(os.environ.get("DPEP_RANDOM_SEED", "0")) << 40
PART = 25


class Large:
    """A program for both NumPy and dpctl.tensor. `run` returns the results for the functions of a module."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        numbers = np.random.default_rng(seed)
        choose = random.Random(seed)
        sizes = [choose.randint(64, 500), choose.randint(64, 500)]
        if choose.random() < 0.3:
            sizes[1] = sizes[0]  # the axes can index pairs of the same points
        sizes.insert(choose.randrange(3), choose.randint(1, 8))
        self.short = min(range(3), key=lambda axis: sizes[axis])
        self.dtype = choose.choice(["f8", "f8", "f8", "f4"])
        self.inputs = []
        for _ in range(choose.randint(1, 4)):
            axes = [axis for axis in range(3) if choose.random() < 0.65] or [choose.randrange(3)]
            shape = [sizes[axis] if axis in axes else 1 for axis in range(3)]
            self.inputs.append((numbers.uniform(-1, 1, shape).astype(self.dtype), choose.random() < 0.2))

    def run(self, m, arrays):
        choose = random.Random(self.seed + 1)
        pool = [x[:, ::-1] if backwards else x for x, backwards in arrays]
        kept = []

        def pick():
            return pool[-1] if choose.random() < 0.4 else choose.choice(pool)

        def distance():
            d = pick() - pick()
            size = choose.choice([lambda: d * d, lambda: m.square(d), lambda: m.abs(d)])()
            axis = self.short if choose.random() < 0.8 else choose.randrange(3)
            r = choose.choice([m.sum, m.mean, m.max])(size, axis=axis, keepdims=True)
            pool.extend([d, m.exp(-r) if choose.random() < 0.5 else r / 8])
            pool.append(d * pool[-1])

        def binary():
            a, b = pick(), pick()
            pool.append(choose.choice([m.add, m.subtract, m.multiply, m.maximum, m.minimum])(a, b))

        def unary():
            a = pick()
            pool.append(choose.choice([lambda: m.tanh(a), lambda: m.sqrt(m.abs(a) + 1), lambda: a / 2, lambda: -a])())

        def where():
            a, b = pick(), pick()
            pool.append(m.where(m.abs(a) <= 2, a, b))

        def reduce():
            a = pick()
            axis = self.short if choose.random() < 0.5 else choose.randrange(3)
            pool.append(choose.choice([m.mean, m.max, m.min, m.std])(a, axis=axis, keepdims=True))

        def update():
            a = pick() + 0.0
            a *= 0.5
            pool.append(a)

        def roll():
            a = pick()
            shifts = tuple(choose.choice([-70, -1, 0, 1, 2, 63]) for _ in range(3))
            moved = [m.roll(a, shifts[axis], axis=axis) for axis in range(3) if choose.random() < 0.5]
            pool.append(sum(moved, m.roll(a, shifts, axis=(0, 1, 2))) / 4)

        def gather():
            a = pick()
            axis = choose.randrange(3)
            n = a.shape[axis]
            order = np.random.default_rng(choose.randrange(1 << 30)).integers(-n, n, n)
            pool.append(m.take(a, m.asarray(order), axis=axis, mode="wrap") if m is dpt else a.take(order, axis))

        def keep():
            kept.append(pick())

        for _ in range(choose.randint(4, 14)):
            steps = [distance, binary, unary, where, reduce, update, roll, gather, keep]
            choose.choices(steps, [4, 5, 3, 1, 3, 1, 2, 1, 1])[0]()
            a = pool[-1]
            pool[-1] = m.minimum(m.maximum(a, -50), 50)
        return [*kept, pool[-1], choose.choice(pool)]


def wanted_and_got(seed: int, rounds: int):
    program = Large(seed)
    wanted = program.run(np, program.inputs)
    got = []
    for _ in range(rounds):
        # each round copies the inputs to new memory
        arrays = [(dpt.asarray(x), backwards) for x, backwards in program.inputs]
        got.append([dpt.asnumpy(x) for x in program.run(dpt, arrays)])
    return program, wanted, got


def check(seed: int, rounds: int = 1) -> None:
    program, wanted, got = wanted_and_got(seed, rounds)
    tolerance = 1e-3 if program.dtype == "f4" else 1e-11
    for number, results in enumerate(got):
        for k, (a, b) in enumerate(zip(wanted, results, strict=True)):
            message = f"seed {seed}, round {number}, result {k}"
            assert a.shape == b.shape and a.dtype == b.dtype, message
            assert np.all(np.abs(a - b) <= tolerance * max(1.0, float(np.max(np.abs(a))))), message


@pytest.mark.parametrize("part", range((PROGRAMS + PART - 1) // PART))
def test_random_large_programs(part: int) -> None:
    seeds = range(FIRST_SEED + part * PART, FIRST_SEED + min((part + 1) * PART, PROGRAMS))
    for seed in seeds:
        check(seed, rounds=2)
    for seed in seeds:  # by now, the compilations started in the second round are complete
        check(seed)


def bodies_step(m, p, n):
    d = p[:, None, :] - p[:, :, None]
    r2 = m.sum(d * d, axis=0) + 0.01
    return m.sum(d * (r2**-1.5)[None], axis=2), d * m.sum(d * d, axis=0)[None]


def clusters(m, p, n):
    c = p[:, : n // 8]
    d2 = m.sum((p[:, :, None] - c[:, None, :]) ** 2, axis=0)
    nearest = m.min(d2, axis=1)
    return m.argmin(d2, axis=1), nearest, m.sum(m.where(d2 <= nearest[:, None], d2, 0 * d2), axis=0)


def unit_vectors(m, p, n):
    d = p[:, None, :] - p[:, :, None]
    length = m.sqrt(m.sum(d * d, axis=0) + 1e-3)
    return d / length, length, m.max(d / length[None], axis=(1, 2))


def lennard_jones(m, p, n):
    d = p[:, :, None] - p[:, None, :]
    r2 = m.sum(m.square(d), axis=0) + 0.5
    s6 = 1 / (r2 * r2 * r2)
    energy = m.sum(4 * (s6 * s6 - s6))
    force = m.sum(((48 * s6 * s6 - 24 * s6) / r2)[None] * d, axis=2)
    return energy, force


def standardised(m, p, n):
    mean = m.mean(p, axis=0)
    z = (p - mean) / (m.std(p, axis=0) + 0.125)
    total = m.sum(z * z, axis=0)
    return z, total, z / (1 + total)


def kernel_matrix(m, p, n):
    q = m.sum(p * p, axis=0)
    d2 = q[:, None] + q[None, :] - 2 * m.sum(p[:, :, None] * p[:, None, :], axis=0)
    k = m.exp(-m.maximum(d2, 0 * d2))
    k = k / m.sum(k, axis=1, keepdims=True)
    return k, m.sum(k[None] * p[:, None, :], axis=2)


STEPS = [bodies_step, clusters, unit_vectors, lennard_jones, standardised, kernel_matrix]


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_simulation_steps_agree_on_every_call(step, dtype) -> None:
    for k, n in [(3, 300), (3, 400), (2, 257), (7, 130)]:
        # multiples of 1/64, whose differences and squares are exact in any order of operations
        p = (np.random.default_rng(n).integers(-64, 64, (k, n)) / 64 + np.arange(k)[:, None] / 8).astype(dtype)
        wanted = step(np, p, n)
        for round_ in range(4):
            got = [dpt.asnumpy(x) for x in step(dpt, dpt.asarray(p), n)]
            for a, b in zip(wanted, got, strict=True):
                error = np.max(np.abs(np.asarray(a, dtype="f8") - b))
                tolerance = (1e-4 if dtype == "f4" else 1e-11) * max(1.0, float(np.max(np.abs(a))))
                assert error <= tolerance, (k, n, round_)


if __name__ == "__main__":
    for one in range(FIRST_SEED, FIRST_SEED + PROGRAMS):
        check(one, rounds=3)
    print("done")
