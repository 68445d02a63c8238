"""Dask arrays whose chunks are dpnp's arrays agree with those of NumPy's, and stay on the device.

Skipped where Dask is not installed: the package does not need it.
"""

from __future__ import annotations

import dpnp
import numpy as np
import pytest

dask = pytest.importorskip("dask", reason="Dask is not installed")
da = pytest.importorskip("dask.array", reason="dask.array is not installed")

RANDOM = np.random.default_rng(7)
HOSTS = {
    "a": (RANDOM.random((60, 40)), (20, 10)),
    "b": (RANDOM.random((40, 30)), (10, 30)),
    "v": (RANDOM.random(60), 20),
    "tall": (RANDOM.random((60, 40)), (15, 40)),
    "i": (RANDOM.integers(0, 9, (60, 40)), (20, 10)),
    "large": (RANDOM.random((3000, 100)), (1000, 100)),
}


def double(block):
    return 2 * block


def total(block, axis, keepdims):
    return block.sum(axis=axis, keepdims=keepdims)


CASES = {
    "arithmetic": lambda x: 2 * x.a + x.a**2 - x.a[0],
    "functions": lambda x: np.exp(x.a) + da.sqrt(x.a),
    "comparison": lambda x: (x.a > 0.5) & (x.a < 0.7),
    "sum": lambda x: x.a.sum(),
    "sum of columns": lambda x: x.large.sum(axis=0),
    "prod": lambda x: x.a.prod(axis=1),
    "mean": lambda x: x.large.mean(axis=0),
    "var": lambda x: x.large.var(axis=1),
    "std": lambda x: x.a.std(ddof=1),
    "max": lambda x: x.a.max(axis=0),
    "argmax": lambda x: x.a.argmax(axis=0),
    "argmin": lambda x: x.a.argmin(),
    "any": lambda x: (x.a > 0.99).any(axis=0),
    "cumsum": lambda x: x.a.cumsum(axis=0),
    "nanmean": lambda x: da.nanmean(x.a, axis=0),
    "standardised": lambda x: (x.large - x.large.mean(axis=0)) / x.large.std(axis=0),
    "matmul": lambda x: x.a @ x.b,
    "gram": lambda x: x.large.T @ x.large,
    "dot": lambda x: da.dot(x.a, x.b),
    "tensordot": lambda x: da.tensordot(x.a, x.a, axes=((0, 1), (0, 1))),
    "tensordot of one axis": lambda x: da.tensordot(x.a, x.b, axes=1),
    "einsum": lambda x: da.einsum("ij,jk->ik", x.a, x.b),
    "vdot": lambda x: da.vdot(x.v, x.v),
    "outer": lambda x: da.outer(x.v, x.v),
    "cov": lambda x: da.cov(x.a),
    "corrcoef": lambda x: da.corrcoef(x.a),
    "svd": lambda x: da.linalg.svd(x.tall)[1],
    "product of svd": lambda x: (lambda u, s, v: (u * s) @ v)(*da.linalg.svd(x.tall)),
    "product of qr": lambda x: (lambda q, r: q @ r)(*da.linalg.qr(x.tall)),
    "norm": lambda x: da.linalg.norm(x.a),
    "map_blocks": lambda x: x.a.map_blocks(double),
    "map_blocks with sorts": lambda x: x.v.map_blocks(np.sort),
    "map_overlap": lambda x: x.a.map_overlap(double, depth=1, boundary="reflect"),
    "reduction": lambda x: da.reduction(x.a, total, total, dtype="f8"),
    "transposed": lambda x: x.a.T,
    "reshape": lambda x: x.a.reshape(2400),
    "rechunk": lambda x: x.a.rechunk((7, 40)),
    "concatenate": lambda x: da.concatenate([x.a, x.a], axis=1),
    "stack": lambda x: da.stack([x.a, x.a]),
    "slices": lambda x: x.a[5:50:3, ::-1],
    "indices": lambda x: x.a[[3, 50, 7]],
    "mask": lambda x: x.v[x.v > 0.5],
    "where": lambda x: da.where(x.a > 0.5, x.a, 0),
    "clip": lambda x: x.a.clip(0.2, 0.5),
    "roll": lambda x: da.roll(x.a, 3, 0),
    "pad": lambda x: da.pad(x.a, 1, mode="constant"),
    "diff": lambda x: da.diff(x.a, axis=0),
    "topk": lambda x: da.topk(x.v, 5),
    "unique": lambda x: da.unique(x.i),
    "histogram": lambda x: da.histogram(x.v, bins=5, range=(0, 1))[0],
    "isin": lambda x: da.isin(x.i, [1, 2]),
    "median": lambda x: da.median(x.a, axis=0),
    "quantile": lambda x: da.quantile(x.a, 0.3, axis=0),
    "fft": lambda x: da.fft.fft(x.tall),
    "coarsen": lambda x: da.coarsen(np.sum, x.a, {0: 2, 1: 2}),
    "astype": lambda x: x.a.astype("f4"),
}


class Arrays:
    """Dask arrays by name, with chunks of one kind."""

    def __init__(self, convert):
        for name, (host, chunks) in HOSTS.items():
            setattr(self, name, da.from_array(convert(host), chunks=chunks, asarray=False))


@pytest.mark.parametrize("name", CASES)
def test_chunks_on_devices(name):
    with dask.config.set(scheduler="synchronous"):
        found = CASES[name](Arrays(dpnp.asarray)).compute()
        expected = np.asarray(CASES[name](Arrays(np.asarray)).compute())
    assert type(found) is dpnp.ndarray
    assert found.dtype == expected.dtype and found.shape == expected.shape
    np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=1e-10, atol=1e-10)


def test_chunks_are_computed_by_threads():
    x = Arrays(dpnp.asarray)
    with dask.config.set(scheduler="threads", num_workers=4):
        for _ in range(10):
            found = (x.large.T @ x.large).sum(axis=0).compute()
            host = HOSTS["large"][0]
            np.testing.assert_allclose(dpnp.asnumpy(found), (host.T @ host).sum(axis=0), rtol=1e-10)


DISTRIBUTIONS = {
    "random": (), "standard_normal": (), "normal": (1.0, 2.0), "integers": (0, 10), "uniform": (1, 3),
    "exponential": (2.0,), "gamma": (2.0, 1.0), "poisson": (3.0,), "binomial": (10, 0.3), "beta": (1.0, 2.0),
}  # fmt: skip


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_random_chunks(name):
    """Each chunk has a generator of its own, which is spawned from ours: other numbers, and the same at each time."""
    generator = da.random.Generator(dpnp.random.Philox(5))
    x = getattr(generator, name)(*DISTRIBUTIONS[name], size=40_000, chunks=10_000)
    with dask.config.set(scheduler="threads"):
        first, second = x.compute(), x.compute()
    assert type(x._meta) is type(first) is dpnp.ndarray
    host = dpnp.asnumpy(first)
    np.testing.assert_array_equal(host, dpnp.asnumpy(second))
    chunks = host.reshape(4, -1)
    assert all((chunks[i] != chunks[j]).any() for i in range(4) for j in range(i))
    reference = getattr(np.random.default_rng(1), name)(*DISTRIBUTIONS[name], size=40_000)
    assert abs(host.mean() - reference.mean()) < 6 * reference.std() / np.sqrt(20_000)
    assert host.dtype == reference.dtype


def test_singular_values_of_random_chunks():
    x = da.random.Generator(dpnp.random.Philox(5)).standard_normal((2000, 50), chunks=(500, 50))
    u, s, v = da.linalg.svd(x)
    host = dpnp.asnumpy(x.compute())
    np.testing.assert_allclose(dpnp.asnumpy(s.compute()), np.linalg.svd(host, compute_uv=False), rtol=1e-10)
    np.testing.assert_allclose(dpnp.asnumpy(((u * s) @ v).compute()), host, atol=1e-10)


def test_legacy_generators():
    x = da.random.RandomState(3, RandomState=dpnp.random.RandomState).normal(size=1000, chunks=100)
    assert type(x.compute()) is dpnp.ndarray


def test_what_dask_computes_by_scipy_is_refused():
    a = da.from_array(dpnp.eye(20), chunks=10, asarray=False)
    with pytest.raises(TypeError, match="copies from the device"):
        da.linalg.inv(a).compute(scheduler="synchronous")
