"""Fourier transforms on a GPU against numpy.fft: by cuFFT where it is installed, and by dpep's own kernels."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import dpctl.tensor as dpt
import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve()
COMPLEX = ["c8", "c16"]
EXACT = {"c8": "f4", "c16": "f8"}
# one kernel, several passes, prime factors up to 13, other ones, and primes of both sizes
LENGTHS = [1, 2, 7, 16, 17, 100, 360, 509, 1000, 1009, 1024, 2048, 4096, 5005, 4099, 10_007, 65_536, 100_003, 1_000_000]


def random_numbers(shape, code: str) -> np.ndarray:
    rng = np.random.default_rng(sum(shape) if isinstance(shape, tuple) else shape)
    x = rng.standard_normal(shape)
    if np.dtype(code).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(code)


def assert_near(got: dpt.usm_ndarray, expected: np.ndarray, length: int) -> None:
    """The error is at most some units in the last place of the largest elements, as for any fast transform."""
    got = dpt.asnumpy(got)
    assert got.shape == expected.shape
    unit = np.finfo(got.dtype).eps
    size = np.sqrt(np.mean(np.abs(expected) ** 2)) + np.finfo(got.dtype).tiny
    assert np.max(np.abs(got - expected)) <= 8 * (2 + np.log2(length)) * unit * size


@pytest.mark.parametrize("code", COMPLEX)
@pytest.mark.parametrize("length", LENGTHS)
def test_complex_transforms_of_every_kind_of_length(real_gpu, put, code, length):
    x = random_numbers((3, length), code)
    wide = x.astype("c16")
    assert_near(dpt.fft.fft(put(x)), np.fft.fft(wide), length)
    assert_near(dpt.fft.ifft(put(x)), np.fft.ifft(wide), length)


@pytest.mark.parametrize("code", COMPLEX)
@pytest.mark.parametrize("length", LENGTHS)
def test_real_transforms_of_every_kind_of_length(real_gpu, put, code, length):
    x = random_numbers((3, length), EXACT[code])
    assert_near(dpt.fft.rfft(put(x)), np.fft.rfft(x.astype("f8")), length)
    spectrum = random_numbers((3, length // 2 + 1), code)
    expected = np.fft.irfft(spectrum.astype("c16"), n=length)
    assert_near(dpt.fft.irfft(put(spectrum), n=length), expected, length)


@pytest.mark.parametrize("code", COMPLEX)
def test_sixteen_million_points(real_gpu, put, code):
    length = 2**24
    x = random_numbers(length, code)
    there = put(x)
    assert_near(dpt.fft.fft(there), np.fft.fft(x.astype("c16")), length)
    assert_near(dpt.fft.ifft(dpt.fft.fft(there)), x.astype("c16"), length)
    real = random_numbers(length, EXACT[code])
    assert_near(dpt.fft.rfft(put(real)), np.fft.rfft(real.astype("f8")), length)


def test_an_array_that_kernels_transform_in_parts(real_gpu, put):
    length = 2**20
    x = random_numbers((40, length), "c8")
    got = dpt.fft.fft(put(x))
    for line in (0, 13, 31, 32, 39):
        assert_near(got[line, :], np.fft.fft(x[line].astype("c16")), length)


@pytest.mark.parametrize("length", [8, 60, 256, 1000])
def test_many_lines(real_gpu, put, length):
    x = random_numbers((20_000, length), "c8")
    assert_near(dpt.fft.fft(put(x)), np.fft.fft(x.astype("c16")), length)


@pytest.mark.parametrize("code", COMPLEX)
@pytest.mark.parametrize("shape", [(64, 30, 50), (5, 4096, 3), (2, 3001, 40), (200, 8, 200)])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_any_axis(real_gpu, put, code, shape, axis):
    x = random_numbers(shape, code)
    assert_near(dpt.fft.fft(put(x), axis=axis), np.fft.fft(x.astype("c16"), axis=axis), shape[axis])
    real = random_numbers(shape, EXACT[code])
    assert_near(dpt.fft.rfft(put(real), axis=axis), np.fft.rfft(real.astype("f8"), axis=axis), shape[axis])
    n = 2 * shape[axis] - 2
    expected = np.fft.irfft(x.astype("c16"), axis=axis)
    assert_near(dpt.fft.irfft(put(x), axis=axis), expected, n)


@pytest.mark.parametrize("length", [100, 1021, 6000])
def test_lines_that_are_cut_or_extended(real_gpu, put, length):
    x = random_numbers((10, length), "c16")
    for n in (1, length // 2, length - 1, length + 1, 2 * length, 3 * length + 1):
        assert_near(dpt.fft.fft(put(x), n=n), np.fft.fft(x, n=n), n)
        assert_near(dpt.fft.rfft(put(x.real.copy()), n=n), np.fft.rfft(x.real, n=n), n)
        assert_near(dpt.fft.irfft(put(x), n=n), np.fft.irfft(x, n=n), n)


def test_views(real_gpu, put):
    x = random_numbers((40, 60, 80), "c8")
    there = put(x)
    for get in (
        lambda a: a[:, :, ::2],
        lambda a: a[::-1, 3:, ::-1],
        lambda a: a.mT,
        lambda a: a[:, 5, :],
        lambda a: a[1::3, ::7, 10:30],
    ):
        expected = get(x).astype("c16")
        for axis in range(expected.ndim):
            assert_near(dpt.fft.fft(get(there), axis=axis), np.fft.fft(expected, axis=axis), expected.shape[axis])


def test_several_axes(real_gpu, put):
    x = random_numbers((48, 33, 100), "c16")
    assert_near(dpt.fft.fftn(put(x)), np.fft.fftn(x), x.size)
    assert_near(dpt.fft.ifftn(put(x), axes=(0, 2)), np.fft.ifftn(x, axes=(0, 2)), x.size)
    assert_near(dpt.fft.rfftn(put(x.real.copy())), np.fft.rfftn(x.real), x.size)
    assert_near(dpt.fft.irfftn(put(x)), np.fft.irfftn(x), x.size)


def test_a_filter_as_programs_have_it(real_gpu, put):
    """Array operations before, between and after transforms, many times, without waiting."""
    x = random_numbers((64, 3000), "f4")
    frequencies = np.fft.rfftfreq(3000)
    window = np.exp(-((20 * frequencies) ** 2)).astype("f4")
    there, expected = put(x), x.astype("f8")
    factors = put(window)
    for _ in range(20):
        there = dpt.fft.irfft(dpt.fft.rfft(there * 1.5) * factors, n=3000)
        expected = np.fft.irfft(np.fft.rfft(expected * 1.5) * window, n=3000)
    np.testing.assert_allclose(dpt.asnumpy(there), expected, atol=1e-4 * np.max(np.abs(expected)))


def test_the_operand_is_not_changed(real_gpu, put):
    x = random_numbers((5, 513), "c16")
    there = put(x)
    dpt.fft.irfft(there)
    dpt.fft.fft(there)
    np.testing.assert_array_equal(dpt.asnumpy(there), x)


@pytest.mark.skipif("DPEP_CUDA_LIBRARIES" in os.environ, reason="the folders of libraries are set")
def test_all_of_this_file_without_libraries(real_gpu, tmp_path):
    """In a process of its own, because libraries are searched for once."""
    environment = dict(os.environ, DPEP_CUDA_LIBRARIES=str(tmp_path))
    without = [word for plugin in ("cacheprovider", "xdist", "benchmark") for word in ("-p", f"no:{plugin}")]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *without, str(HERE)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout
