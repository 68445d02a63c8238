"""examples/kernels: each program agrees with NumPy, compiled and in simulation, and runs from the command line."""

from __future__ import annotations

import importlib
import math
import pathlib
import subprocess
import sys

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "kernels"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
RANDOM = np.random.default_rng(5)


@pytest.fixture(scope="module", autouse=True)
def examples_on_path():
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


@pytest.fixture(params=["compiled", "simulated"])
def size(request, monkeypatch):
    """A function that selects a size for compiled kernels, or one for simulation, which the fixture enables."""
    if request.param == "simulated":
        monkeypatch.setattr(ndx, "call_kernel", kapi.call_kernel)
    return lambda compiled, simulated: compiled if request.param == "compiled" else simulated


def function(name: str):
    return getattr(importlib.import_module(name), name)


def same(got, expected, tolerance=1e-12):
    np.testing.assert_allclose(dpnp.asnumpy(got), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["i4", "f4", "c16"])
def test_vector_add(size, dtype):
    n = size(10_001, 11)
    a, b = RANDOM.integers(0, 99, n).astype(dtype), RANDOM.integers(0, 99, n).astype(dtype)
    same(function("vector_add")(dpnp.asarray(a), dpnp.asarray(b)), a + b)


@pytest.mark.parametrize("dtype, tolerance", [("f4", 1e-5), ("f8", 1e-13)])
def test_matrix_multiply(size, dtype, tolerance):
    n, m, p = size((130, 67, 40), (17, 5, 3))
    a, b = RANDOM.random((n, m)).astype(dtype), RANDOM.random((m, p)).astype(dtype)
    same(function("matrix_multiply")(dpnp.asarray(a), dpnp.asarray(b)), a @ b, tolerance)
    with pytest.raises(ValueError, match="do not match"):
        function("matrix_multiply")(dpnp.asarray(a), dpnp.asarray(a))


def test_reduction(size):
    values = RANDOM.integers(-1000, 1000, size(100_003, 300))
    same(function("reduction")(dpnp.asarray(values)), [values.sum()])


def test_scan(size):
    values = RANDOM.integers(-1000, 1000, size(70_000, 300))
    same(function("scan")(dpnp.asarray(values)), np.cumsum(values))


def test_histogram(size):
    values = RANDOM.normal(size=size(100_000, 500))
    got = function("histogram")(dpnp.asarray(values), 20, -2.0, 2.0)
    same(got, np.histogram(values, 20, (-2, 2))[0])


def test_stencil(size):
    heat = RANDOM.random(size((40, 60), (6, 7)))
    expected = heat.copy()
    steps = size(50, 3)
    for _ in range(steps):
        inner = expected[1:-1, 1:-1]
        around = expected[:-2, 1:-1] + expected[2:, 1:-1] + expected[1:-1, :-2] + expected[1:-1, 2:]
        expected[1:-1, 1:-1] = inner + 0.2 * (around - 4 * inner)
    same(function("stencil")(dpnp.asarray(heat), steps), expected)


def test_n_body(size):
    n, steps, dt = size((150, 5, 0.01), (66, 1, 0.01))
    position, velocity, mass = RANDOM.random((n, 3)), RANDOM.random((n, 3)), RANDOM.random(n)
    on_device = [dpnp.asarray(each) for each in (position, velocity, mass)]
    function("n_body")(*on_device, dt, steps)
    for _ in range(steps):
        offset = position[None] - position[:, None]
        distance2 = (offset**2).sum(-1) + 1e-3
        velocity += dt * (offset * (mass / distance2**1.5)[..., None]).sum(1)
        position += dt * velocity
    same(on_device[0], position, 1e-10)
    same(on_device[1], velocity, 1e-10)


def test_black_scholes(size):
    n = size(5000, 20)
    spot, strike, years = RANDOM.uniform(10, 50, n), RANDOM.uniform(10, 50, n), RANDOM.uniform(1, 2, n)
    cdf = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))
    d1 = (np.log(spot / strike) + (0.1 + 0.02) * years) / (0.2 * np.sqrt(years))
    discounted = strike * np.exp(-0.1 * years)
    expected = spot * cdf(d1) - discounted * cdf(d1 - 0.2 * np.sqrt(years))
    call, put = function("black_scholes")(*map(dpnp.asarray, (spot, strike, years)), 0.1, 0.2)
    same(call, expected, 1e-10)
    same(put, expected - spot + discounted, 1e-10)


def test_mandelbrot(size):
    rows, columns = size((60, 80), (6, 8))
    step = 3.2 / columns
    c = (-2.2 + step * np.arange(columns)) + 1j * (1.2 - step * np.arange(rows))[:, None]
    z, expected = np.zeros_like(c), np.zeros(c.shape, int)
    for _ in range(50):
        inside = z.real * z.real + z.imag * z.imag <= 4
        expected += inside
        z = np.where(inside, z * z + c, z)
    got = dpnp.asnumpy(function("mandelbrot")(-2.2, 1.2, step, (rows, columns), 50))
    assert np.mean(got != expected) < 0.002  # points at the edge of the set depend on rounding


def test_mandelbrot_writes_a_picture(tmp_path):
    from PIL import Image

    module = importlib.import_module("mandelbrot")
    grey = RANDOM.integers(0, 255, (5, 9), dtype="u1")
    module.write_png(str(tmp_path / "picture.png"), grey)
    np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "picture.png")), grey)


def test_k_means(size):
    n = size(3000, 30)
    points = np.concatenate([RANDOM.normal(at, 0.1, (n // 3, 2)) for at in ([0, 0], [3, 1], [1, 4])])
    centres, label = function("k_means")(dpnp.asarray(points), dpnp.asarray(points[:: n // 3]))
    distance = ((points[:, None] - dpnp.asnumpy(centres)) ** 2).sum(-1)
    same(label, distance.argmin(1))
    same(centres, [points[distance.argmin(1) == c].mean(0) for c in range(3)], 1e-9)


def test_nearest_neighbours(size):
    n, m, k = size((500, 70, 5), (20, 3, 4))
    data, queries = RANDOM.random((n, 3)), RANDOM.random((m, 3))
    distance = ((data - queries[:, None]) ** 2).sum(-1)
    indices, distances = function("nearest_neighbours")(dpnp.asarray(data), dpnp.asarray(queries), k)
    same(indices, distance.argsort(1)[:, :k])
    same(distances, np.sort(distance, 1)[:, :k])


def test_pairwise_distance(size):
    points = RANDOM.random((size(100, 5), 3))
    same(function("pairwise_distance")(dpnp.asarray(points)), np.sqrt(((points - points[:, None]) ** 2).sum(-1)))


def test_programs_run(tmp_path):
    processes = [
        subprocess.Popen([sys.executable, FOLDER / f"{name}.py"], cwd=tmp_path, stdout=subprocess.PIPE)
        for name in NAMES
    ]
    for name, process in zip(NAMES, processes):
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0, name
        assert output or name == "mandelbrot", name
    assert (tmp_path / "mandelbrot.png").stat().st_size > 10_000
    assert len(NAMES) == 12
