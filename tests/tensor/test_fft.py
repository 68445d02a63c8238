"""dpctl.tensor.fft against NumPy: lengths, dtypes, axes, memory layouts, padding, precision, and errors.

The reference of precise results is NumPy's transform in long double.
"""

from __future__ import annotations

import doctest
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import INTEGERS, values

fft = dpt.fft
COMPLEX_INPUT = ["fft", "ifft", "irfft", "hfft"]
REAL_INPUT = ["rfft", "ihfft"]
SEVERAL_AXES = ["fftn", "ifftn", "rfftn", "irfftn"]
NORMS = ["backward", "ortho", "forward"]
LONG = [2**k for k in range(8, 17)] + [3**7, 5**5, 7**4, 11**3, 13**3, 2**5 * 3**3 * 5, 61**2, 67 * 8, 251, 509, 10007]
HUGE = [2**17, 2**20, 10**6, 3**11, 2**16 * 3, 2**19 * 3 + 2, 2**4 * 10007, 999983]


def long(a: np.ndarray) -> np.ndarray:
    return a.astype(np.clongdouble if a.dtype.kind == "c" else np.longdouble)


def signal(code: str, shape: tuple[int, ...] | int, seed: object = 0) -> np.ndarray:
    return values(code, (shape,) if isinstance(shape, int) else shape, seed)


def close(found: dpt.usm_ndarray, wanted: np.ndarray, dtype: object, length: int, ulps: float = 1.0) -> None:
    """The error's norm is at most `ulps` times the precision and the root of the number of passes."""
    got = dpt.asnumpy(found)
    assert got.shape == wanted.shape
    assert got.dtype == dtype
    norm = float(np.linalg.norm(long(wanted).ravel()))
    error = float(np.linalg.norm((long(got) - wanted).ravel()))
    if found.sycl_device.is_gpu:  # cuFFT's error for 118 elements is 1.07 times the bound for CPUs
        ulps *= 2
    assert error <= ulps * np.finfo(dtype).eps * math.sqrt(max(math.log2(length), 1)) * norm


def run(name: str, code: str, length: int, ulps: float = 1.0, **keywords: object) -> None:
    a = signal(code, length)
    wanted = getattr(np.fft, name)(long(a), **keywords)
    real = np.dtype(code).type().real.dtype
    dtype = real if wanted.dtype.kind == "f" else np.result_type(real, np.complex64)
    close(getattr(fft, name)(dpt.asarray(a), **keywords), wanted, dtype, length, ulps)


def largest_prime(n: int) -> int:
    found, factor = 1, 2
    while n > 1:
        if n % factor == 0:
            found, n = factor, n // factor
        else:
            factor = factor + 1 if factor * factor <= n else n
    return found


def bound(length: int) -> float:
    """Large primes are computed as convolutions, or by sums of as many products."""
    return 4.0 if largest_prime(length) > 13 else 1.0


class TestLengths:
    @pytest.mark.parametrize("code", ["f", "d", "F", "D"])
    @pytest.mark.parametrize("name", COMPLEX_INPUT)
    def test_short_lines(self, name, code):
        for length in range(2 if "fft" in name and name in ("irfft", "hfft") else 1, 201):
            run(name, code, length, bound(length if name in ("fft", "ifft") else max(2 * length - 2, 1)))

    @pytest.mark.parametrize("code", ["f", "d"])
    @pytest.mark.parametrize("name", REAL_INPUT)
    def test_short_real_lines(self, name, code):
        for length in range(1, 201):
            run(name, code, length, bound(length))

    @pytest.mark.parametrize("code", ["F", "D"])
    @pytest.mark.parametrize("length", LONG + HUGE)
    @pytest.mark.parametrize("name", ["fft", "ifft"])
    def test_long_lines(self, name, length, code):
        run(name, code, length, bound(length))

    @pytest.mark.parametrize("code", ["f", "d"])
    @pytest.mark.parametrize("length", LONG + HUGE)
    def test_long_real_lines(self, length, code):
        run("rfft", code, length, bound(length))

    @pytest.mark.parametrize("code", ["f", "d", "?", "i4"])
    @pytest.mark.parametrize("length", [10_000, 10_001, 2**15, 3**9])
    @pytest.mark.parametrize("name", ["fft", "ifft"])
    def test_complex_transforms_of_real_lines(self, name, length, code):
        a = signal(code, length)
        dtype = "F" if code == "f" else "D"
        close(getattr(fft, name)(dpt.asarray(a)), getattr(np.fft, name)(a.astype(np.longdouble)), dtype, length)

    @pytest.mark.parametrize("n", [1, 2, 3, 4, 150, 301, 302, 500])
    @pytest.mark.parametrize("axis", [0, 1])
    @pytest.mark.parametrize("norm", NORMS)
    def test_complex_transforms_of_many_real_lines(self, n, axis, norm):
        a = signal("d", (301, 302))
        x = dpt.asarray(a)
        for name in ("fft", "ifft"):
            wanted = getattr(np.fft, name)(long(a), n=n, axis=axis, norm=norm)
            close(getattr(fft, name)(x, n=n, axis=axis, norm=norm), wanted, "D", n, bound(n))
        close(fft.fftn(x, norm=norm), np.fft.fftn(long(a), norm=norm), "D", 301 * 302, 4.0)

    @pytest.mark.parametrize("code", ["F", "D"])
    @pytest.mark.parametrize("length", LONG + HUGE)
    @pytest.mark.parametrize("odd", [0, 1])
    def test_long_real_results(self, length, code, odd):
        run("irfft", code, length // 2 + 1, 4.0, n=length // 2 * 2 + odd)

    def test_exact_results(self):
        impulse = np.zeros(64)
        impulse[0] = 3
        assert (dpt.asnumpy(fft.fft(dpt.asarray(impulse))) == 3).all()
        wave = np.tile([1.0, 0.0, -1.0, 0.0], 16)
        expected = np.zeros(64)
        expected[[16, 48]] = 32
        assert (dpt.asnumpy(fft.fft(dpt.asarray(wave))) == expected).all()


class TestArguments:
    @pytest.mark.parametrize("norm", [None, *NORMS])
    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    def test_norms(self, name, norm):
        run(name, "d" if name in REAL_INPUT else "D", 24, norm=norm)

    @pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 15, 16, 17, 40, 64, 131])
    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    def test_cut_and_padded(self, name, n):
        run(name, "d" if name in REAL_INPUT else "D", 16, 4.0, n=n)

    @pytest.mark.parametrize("given,n", [(100_000, 2**17), (2**17, 100_000), (70_001, 2**17), (5, 2**17)])
    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    def test_long_lines_cut_and_padded(self, name, given, n):
        run(name, "d" if name in REAL_INPUT else "D", given, n=n)

    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    @pytest.mark.parametrize("code", ["?", *INTEGERS, "e"])
    def test_other_dtypes(self, name, code):
        a = signal(code, 12)
        found, wanted = getattr(fft, name)(dpt.asarray(a)), getattr(np.fft, name)(a)
        assert found.dtype == wanted.dtype
        # NumPy divides by a length that it has rounded to float16
        precision = np.finfo("e" if code == "e" else wanted.dtype).eps
        np.testing.assert_allclose(dpt.asnumpy(found), wanted, atol=100 * float(precision))

    @pytest.mark.parametrize("shape", [(5, 6, 7), (3, 40, 2), (9, 1, 4), (2, 3, 33)])
    @pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    def test_axes(self, name, shape, axis):
        a = signal("d" if name in REAL_INPUT else "D", shape)
        if name in ("irfft", "hfft") and shape[axis] == 1:
            pytest.skip("no length")
        wanted = getattr(np.fft, name)(long(a), axis=axis)
        found = getattr(fft, name)(dpt.asarray(a), axis=axis)
        close(found, wanted, "f8" if wanted.dtype.kind == "f" else "c16", 40, 4.0)

    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    @pytest.mark.parametrize(
        "view",
        [
            lambda a: a[::2],
            lambda a: a[:, ::-1],
            lambda a: a[::-1, 1::3],
            lambda a: a.T,
            lambda a: a.T[::-2, 3:],
            lambda a: a[5],
            lambda a: a[:, 5],
        ],
    )
    def test_memory_layouts(self, name, view):
        a = signal("d" if name in REAL_INPUT else "D", (34, 60))
        wanted = getattr(np.fft, name)(long(view(a)))
        close(getattr(fft, name)(view(dpt.asarray(a))), wanted, "f8" if wanted.dtype.kind == "f" else "c16", 60, 4.0)

    @pytest.mark.parametrize("name", ["fft", "rfft", "irfft"])
    @pytest.mark.parametrize("axis", [0, 1])
    def test_long_lines_along_an_axis(self, name, axis):
        a = signal("d" if name == "rfft" else "D", (2**17, 2) if axis == 0 else (2, 2**17))
        wanted = getattr(np.fft, name)(long(a), axis=axis)
        close(getattr(fft, name)(dpt.asarray(a), axis=axis), wanted, "f8" if name == "irfft" else "c16", 2**17)

    def test_broadcast_operands(self):
        a = np.broadcast_to(signal("D", 20), (7, 20))
        x = dpt.broadcast_to(dpt.asarray(a[0]), (7, 20))
        close(fft.fft(x), np.fft.fft(long(a)), "c16", 20)
        close(fft.fft(x, axis=0), np.fft.fft(long(a), axis=0), "c16", 20)

    def test_values_that_are_not_computed_yet(self):
        a = signal("d", 100_000)
        x = dpt.asarray(a)
        y = fft.rfft(dpt.sin(x) * 2)
        x[...] = 0
        close(y, np.fft.rfft(long(np.sin(a) * 2)), "c16", 100_000, 4.0)

    def test_the_operand_keeps_its_values(self):
        a = signal("D", (50, 64))
        x = dpt.asarray(a)
        for name in ("fft", "ifft", "irfft", "fftn", "irfftn"):
            getattr(fft, name)(x)
        assert (dpt.asnumpy(x) == a).all()

    @pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
    def test_placement(self, usm_type):
        queue = dpctl.SyclQueue()
        x = dpt.ones(8, usm_type=usm_type, sycl_queue=queue)
        for name in COMPLEX_INPUT + REAL_INPUT + SEVERAL_AXES:
            y = getattr(fft, name)(x)
            assert y.usm_type == usm_type
            assert y.sycl_queue == queue


class TestOutput:
    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT + SEVERAL_AXES)
    def test_out(self, name):
        a = signal("d" if name.startswith("r") or name == "ihfft" else "D", (6, 10))
        wanted = getattr(fft, name)(dpt.asarray(a))
        for out in (dpt.empty_like(wanted), dpt.empty_like(wanted.T, order="C").T):
            assert getattr(fft, name)(dpt.asarray(a), out=out) is out
            assert (dpt.asnumpy(out) == dpt.asnumpy(wanted)).all()

    @pytest.mark.parametrize("shape", [(6, 10), (2, 2**16), (1, 10007)])
    @pytest.mark.parametrize("axis", [0, 1])
    def test_out_may_be_the_operand(self, shape, axis):
        a = signal("D", shape)
        x = dpt.asarray(a)
        y = x + 1  # computed before x is overwritten
        fft.fft(x, axis=axis, out=x)
        close(x, np.fft.fft(long(a), axis=axis), "c16", 10007, 4.0)
        assert (dpt.asnumpy(y) == a + 1).all()

    def test_out_may_overlap_the_operand(self):
        a = signal("D", 60)
        x = dpt.asarray(a)
        fft.fft(x[:40], out=x[20:])
        close(x[20:], np.fft.fft(long(a[:40])), "c16", 40)

    def test_out_of_a_smaller_dtype(self):
        a = signal("D", 16)
        out = dpt.empty(16, dtype="c8")
        fft.fft(dpt.asarray(a), out=out)
        np.testing.assert_allclose(dpt.asnumpy(out), np.fft.fft(a), rtol=1e-5)

    def test_refused(self):
        x = dpt.ones(8, dtype="c16")
        with pytest.raises(ValueError, match=r"fft has a result of shape \(8,\)"):
            fft.fft(x, out=dpt.empty(7, dtype="c16"))
        with pytest.raises(TypeError, match="cannot cast the result from complex128"):
            fft.fft(x, out=dpt.empty(8))
        with pytest.raises(TypeError, match="out must be a usm_ndarray"):
            fft.fft(x, out=np.empty(8, dtype="c16"))
        other = dpctl.SyclQueue(property="enable_profiling")
        with pytest.raises(dpctl.utils.ExecutionPlacementError):
            fft.fft(x, out=dpt.empty(8, dtype="c16", sycl_queue=other))
        fixed = dpt.empty(8, dtype="c16")
        fixed.flags["W"] = False
        with pytest.raises(ValueError, match="read-only"):
            fft.fft(x, out=fixed)


class TestSeveralAxes:
    @pytest.mark.parametrize("norm", [None, *NORMS])
    @pytest.mark.parametrize("axes", [None, (0,), (1, 2), (2, 0), (0, 1, 2), (-1, -3), (0, 0), (1, 2, 1)])
    @pytest.mark.parametrize("name", SEVERAL_AXES)
    def test_axes(self, name, axes, norm):
        a = signal("d" if name == "rfftn" else "D", (5, 6, 8))
        wanted = getattr(np.fft, name)(long(a), axes=axes, norm=norm)
        found = getattr(fft, name)(dpt.asarray(a), axes=axes, norm=norm)
        close(found, wanted, "f8" if name == "irfftn" else "c16", 240)

    @pytest.mark.parametrize("s", [(4, 4), (9, 3), (7, -1), (-1, 12), (1, 1)])
    @pytest.mark.parametrize("name", SEVERAL_AXES)
    def test_lengths(self, name, s):
        a = signal("d" if name == "rfftn" else "D", (5, 6, 8))
        wanted = getattr(np.fft, name)(long(a), s=s, axes=(2, 1))
        found = getattr(fft, name)(dpt.asarray(a), s=s, axes=(2, 1))
        close(found, wanted, "f8" if name == "irfftn" else "c16", 240)

    @pytest.mark.parametrize("shape", [(300, 500), (64, 2**11), (3, 4, 5, 6, 7)])
    @pytest.mark.parametrize("name", SEVERAL_AXES)
    def test_sizes(self, name, shape):
        a = signal("f" if name == "rfftn" else "F", shape)
        wanted = getattr(np.fft, name)(long(a))
        close(getattr(fft, name)(dpt.asarray(a)), wanted, "f4" if name == "irfftn" else "c8", math.prod(shape))

    def test_there_and_back(self):
        a = signal("d", (31, 20, 11))
        x = dpt.asarray(a)
        np.testing.assert_allclose(dpt.asnumpy(fft.irfftn(fft.rfftn(x), s=a.shape, axes=(0, 1, 2))), a, atol=1e-13)
        np.testing.assert_allclose(dpt.asnumpy(fft.ifftn(fft.fftn(x))), a, atol=1e-13)

    def test_no_axes(self):
        a = signal("d", (3, 4))
        assert (dpt.asnumpy(fft.fftn(dpt.asarray(a), axes=())) == a).all()
        assert fft.fftn(dpt.asarray(2.0)).dtype == dpt.complex128
        for name in ("rfftn", "irfftn"):
            with pytest.raises(IndexError):
                getattr(fft, name)(dpt.asarray(a), axes=())


class TestEmpty:
    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    def test_empty_batch(self, name):
        wanted = getattr(np.fft, name)(np.empty((0, 4)))
        found = getattr(fft, name)(dpt.empty((0, 4)))
        assert found.shape == wanted.shape
        assert found.dtype == wanted.dtype

    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    def test_no_elements_padded(self, name):
        found = dpt.asnumpy(getattr(fft, name)(dpt.empty((2, 0)), n=5))
        wanted = getattr(np.fft, name)(np.empty((2, 0)), n=5)  # NumPy's values are those of uninitialized memory
        assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
        assert (found == 0).all()


@st.composite
def transforms(draw):
    shape = draw(st.lists(st.integers(1, 40), min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    n = draw(st.none() | st.integers(1, 90))
    steps = [slice(None, None, draw(st.sampled_from([1, 1, 2, -1, -3]))) for _ in shape]
    return shape, axis, n, tuple(steps), draw(st.permutations(range(len(shape)))), draw(st.sampled_from(NORMS))


@settings(deadline=None, max_examples=300)
@given(transforms(), st.sampled_from(COMPLEX_INPUT + REAL_INPUT), st.sampled_from("fd"))
def test_random_transforms(transform, name, code):
    shape, axis, n, steps, order, norm = transform
    a = signal(code if name in REAL_INPUT else code.upper(), tuple(shape))
    b, x = np.transpose(a[steps], order), dpt.permute_dims(dpt.asarray(a)[steps], order)
    if n is None and name in ("irfft", "hfft") and b.shape[axis] == 1:
        n = 2
    wanted = getattr(np.fft, name)(long(b), n=n, axis=axis, norm=norm)
    dtype = code if wanted.dtype.kind == "f" else code.upper()
    close(getattr(fft, name)(x, n=n, axis=axis, norm=norm), wanted, dtype, 180, 4.0)


class TestErrors:
    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    def test_arguments(self, name):
        f, x = getattr(fft, name), dpt.ones((3, 4))
        for n in (0, -1):
            with pytest.raises(ValueError, match=rf"{name}: invalid number of data points \({n}\)"):
                f(x, n=n)
        for axis in (2, -3):
            with pytest.raises(np.exceptions.AxisError):
                f(x, axis=axis)
        with pytest.raises(np.exceptions.AxisError):
            f(dpt.asarray(1.0))
        with pytest.raises(ValueError, match="norm must be 'backward', 'ortho' or 'forward', got 'both'"):
            f(x, norm="both")
        with pytest.raises(TypeError, match=f"{name}: x must be a usm_ndarray, got list"):
            f([1.0])
        with pytest.raises(TypeError):
            f(x, n=2.5)
        with pytest.raises(TypeError):
            f(x, axis=1.5)

    @pytest.mark.parametrize("name", [*REAL_INPUT, "rfftn"])
    def test_complex_where_real_is_wanted(self, name):
        with pytest.raises(TypeError, match=f"{name}: expected an array of real numbers, got dtype complex128"):
            getattr(fft, name)(dpt.ones(4, dtype="c16"))

    @pytest.mark.parametrize("name", COMPLEX_INPUT + REAL_INPUT)
    def test_empty_lines(self, name):
        with pytest.raises(ValueError):
            getattr(fft, name)(dpt.empty((3, 0)))

    def test_default_length_of_one_element(self):
        with pytest.raises(ValueError, match=r"irfft: invalid number of data points \(0\)"):
            fft.irfft(dpt.ones(1))

    @pytest.mark.parametrize("name", SEVERAL_AXES)
    def test_several_axes(self, name):
        f, x = getattr(fft, name), dpt.ones((3, 4))
        with pytest.raises(ValueError, match="different lengths: 1 and 2"):
            f(x, s=(3,), axes=(0, 1))
        with pytest.raises(np.exceptions.AxisError):
            f(x, axes=(0, 2))
        with pytest.raises(ValueError):
            f(x, s=(3, 0), axes=(0, 1))
        with pytest.raises(TypeError):
            f(x, s=(3, 2.5), axes=(0, 1))


class TestFrequencies:
    @pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
    @pytest.mark.parametrize("n", [1, 2, 5, 8, 101])
    @pytest.mark.parametrize("d", [1.0, 0.1, 3, -2.5])
    def test_values(self, name, n, d):
        found = dpt.asnumpy(getattr(fft, name)(n, d=d))
        assert found.dtype == np.float64
        assert (found == getattr(np.fft, name)(n, d)).all()

    @pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
    def test_dtype_and_placement(self, name):
        queue = dpctl.SyclQueue()
        x = getattr(fft, name)(9, dtype=dpt.float32, usm_type="host", sycl_queue=queue)
        assert (x.dtype, x.usm_type) == (dpt.float32, "host")
        assert x.sycl_queue == queue
        np.testing.assert_allclose(dpt.asnumpy(x), getattr(np.fft, name)(9), rtol=1e-6)

    @pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
    def test_errors(self, name):
        f = getattr(fft, name)
        for n in (0, -2, 2.5):
            with pytest.raises(ValueError, match=f"{name}: n must be"):
                f(n)
        with pytest.raises(ZeroDivisionError):
            f(4, d=0)
        with pytest.raises(TypeError):
            f(4, dtype="c8")
        with pytest.raises(TypeError):
            f(4, d="1")

    @pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
    @pytest.mark.parametrize("axes", [None, 0, -1, (0, 1), (1, 1), ()])
    def test_shifts(self, name, axes):
        a = np.arange(35).reshape(5, 7)
        found = dpt.asnumpy(getattr(fft, name)(dpt.asarray(a), axes=axes))
        assert (found == getattr(np.fft, name)(a, axes=axes)).all()

    def test_shift_errors(self):
        with pytest.raises(np.exceptions.AxisError):
            fft.fftshift(dpt.ones(4), axes=1)
        with pytest.raises(TypeError):
            fft.ifftshift([1.0])


PROGRAM = """
import hashlib, dpctl.tensor as dpt, numpy as np
a = np.random.default_rng(1).standard_normal(2**18) + 1j
digest = hashlib.sha256()
for n, shape in ((2**18, (-1,)), (2**9, (-1, 2**9)), (2**9, (2**9, -1)), (10007, (-1,)), (2**17, (2, -1))):
    x = dpt.asarray(a.reshape(shape))
    for made in (dpt.fft.fft(x, n=n), dpt.fft.rfft(dpt.real(x), n=n), dpt.fft.irfft(x, n=n), dpt.fft.fft(x, axis=0)):
        digest.update(dpt.asnumpy(made).tobytes())
print(digest.hexdigest())
"""


def test_concurrent_transforms():
    lines = {n: signal("D", n) for n in [*range(2, 120), 509, 2**16, 10007, 70_000]}
    wanted = {n: np.fft.fft(a) for n, a in lines.items()}

    def work(seed):
        for n in np.random.default_rng(seed).permutation(list(lines)):
            found = dpt.asnumpy(fft.fft(dpt.asarray(lines[n])))
            np.testing.assert_allclose(found, wanted[n], atol=1e-9)
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def test_results_do_not_depend_on_the_number_of_threads():
    def printed(threads):
        environment = os.environ | {"DPEP_NUM_THREADS": str(threads)}
        return subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert printed(1) == printed(2)


@pytest.mark.parametrize("name", fft.__all__)
def test_examples(name):
    documentation = getattr(fft, name).__doc__
    assert ">>> " in documentation
    test = doctest.DocTestParser().get_doctest(documentation, {}, name, None, None)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not said, "".join(said)
