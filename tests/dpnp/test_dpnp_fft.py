"""dpnp.fft against numpy.fft: results, arguments by position and name, output arrays, dispatch and errors."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from reference import values

fft = dpnp.fft
ONE_AXIS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL_AXES = ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"]
TAKES_REALS = {"rfft", "ihfft", "rfftn", "rfft2"}


def operand(name: str, shape: tuple[int, ...] = (4, 6, 10), code: str = "d") -> np.ndarray:
    return values(code if name in TAKES_REALS else code.upper(), shape)


def close(found: dpnp.ndarray, wanted: np.ndarray, precision: object = None) -> None:
    assert type(found) is dpnp.ndarray
    got = found.asnumpy()
    assert got.shape == wanted.shape
    assert got.dtype == wanted.dtype
    scale = float(np.abs(wanted).max(initial=1))
    np.testing.assert_allclose(got, wanted, rtol=0, atol=20 * scale * float(np.finfo(precision or got.dtype).eps))


def test_all_functions_of_numpy_exist():
    assert set(fft.__all__) == set(np.fft.__all__) - {"test"}


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("name", ONE_AXIS)
@pytest.mark.parametrize("arguments", [(), (7,), (None, 0), (12, 1, "ortho"), (None, -2, "forward"), (3, 2, None)])
def test_one_axis(name, arguments, code):
    a = operand(name, code=code)
    close(getattr(fft, name)(dpnp.asarray(a), *arguments), getattr(np.fft, name)(a, *arguments))


@pytest.mark.parametrize("name", SEVERAL_AXES)
@pytest.mark.parametrize(
    "arguments", [(), (None, (0, 2)), ((5, 7), (-1, 0)), ((3, 8), (0, 1), "ortho"), (None, (2, 1), "forward")]
)
def test_several_axes(name, arguments):
    a = operand(name)
    close(getattr(fft, name)(dpnp.asarray(a), *arguments), getattr(np.fft, name)(a, *arguments))


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
def test_an_axis_named_twice(name):
    a = operand(name)
    close(getattr(fft, name)(dpnp.asarray(a), axes=(1, 1)), getattr(np.fft, name)(a, axes=(1, 1)))


@pytest.mark.parametrize("name", ONE_AXIS + SEVERAL_AXES)
@pytest.mark.parametrize("code", "?bBhHiIlLe")
def test_dtypes(name, code):
    a = values(code, (4, 6))
    # NumPy divides by a length that it has rounded to float16
    precision = "e" if code == "e" else None
    close(getattr(fft, name)(dpnp.asarray(a)), getattr(np.fft, name)(a), precision)


@pytest.mark.parametrize("name", ONE_AXIS + SEVERAL_AXES)
def test_out(name):
    a = operand(name)
    wanted = getattr(np.fft, name)(a)
    out = dpnp.empty(wanted.shape, dtype=wanted.dtype)
    assert getattr(fft, name)(dpnp.asarray(a), out=out) is out
    close(out, wanted)
    with pytest.raises(ValueError):
        getattr(fft, name)(dpnp.asarray(a), out=dpnp.empty(3, dtype=wanted.dtype))
    with pytest.raises(TypeError):
        getattr(fft, name)(dpnp.asarray(a), out=wanted)


def test_out_in_place():
    a = operand("fft")
    x = dpnp.asarray(a)
    fft.fft2(x, out=x)
    close(x, np.fft.fft2(a))


def test_arrays_of_dpctl():
    a = operand("fft")
    close(fft.fft(dpt.asarray(a)), np.fft.fft(a))


def test_a_filter():
    rate = 1000.0
    t = np.arange(4000) / rate
    wave = np.sin(2 * np.pi * 50 * t) + 0.5 * np.sin(2 * np.pi * 120 * t) + values("d", (4000,)) * 0.1

    def filtered(package, samples):
        spectrum = package.fft.rfft(samples)
        frequencies = package.fft.rfftfreq(samples.size, 1 / rate)
        return package.fft.irfft(package.where(frequencies < 80, spectrum, 0 * spectrum), n=samples.size)

    np.testing.assert_allclose(filtered(dpnp, dpnp.asarray(wave)).asnumpy(), filtered(np, wave), atol=1e-12)


def test_a_convolution_of_images():
    image, kernel = values("d", (60, 80)), values("d", (7, 5))

    def convolved(package, a, b):
        shape = (a.shape[0] + b.shape[0] - 1, a.shape[1] + b.shape[1] - 1)
        product = package.fft.rfft2(a, s=shape) * package.fft.rfft2(b, s=shape)
        return package.fft.irfft2(product, s=shape)

    found = convolved(dpnp, dpnp.asarray(image), dpnp.asarray(kernel)).asnumpy()
    np.testing.assert_allclose(found, convolved(np, image, kernel), atol=1e-11)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies(name):
    queue = dpctl.SyclQueue()
    for arguments in ((8,), (9, 0.25), (np.int64(5), np.float64(2))):
        found = getattr(fft, name)(*arguments, usm_type="shared", sycl_queue=queue)
        close(found, getattr(np.fft, name)(*arguments))
        assert found.usm_type == "shared"
        assert found.sycl_queue == queue
    with pytest.raises(ValueError, match="n must be an integer"):
        getattr(fft, name)(2.5)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@pytest.mark.parametrize("axes", [None, 1, (0, -1)])
def test_shifts(name, axes):
    a = np.arange(105.0).reshape(3, 5, 7)
    found = getattr(fft, name)(dpnp.asarray(a), axes)
    assert (found.asnumpy() == getattr(np.fft, name)(a, axes)).all()


@pytest.mark.parametrize("name", ONE_AXIS + SEVERAL_AXES + ["fftshift", "ifftshift"])
def test_functions_of_numpy_dispatch(name):
    a = operand(name)
    close(getattr(np.fft, name)(dpnp.asarray(a)), getattr(np.fft, name)(a))


@pytest.mark.parametrize("name", ONE_AXIS + SEVERAL_AXES)
def test_errors_are_those_of_numpy(name):
    a = operand(name)
    one = name in ONE_AXIS
    wrong = [
        {"norm": "both"},
        {"n": 0} if one else {"s": (0, 4), "axes": (0, 1)},
        {"axis": 3} if one else {"axes": (0, 3)},
        {"n": 2.5} if one else {"s": (4,), "axes": (0, 1)},
    ]
    for keywords in wrong:
        with pytest.raises((TypeError, ValueError, IndexError)) as theirs:
            getattr(np.fft, name)(a, **keywords)
        kinds = tuple(kind for kind in (TypeError, ValueError, IndexError) if isinstance(theirs.value, kind))
        with pytest.raises(kinds):
            getattr(fft, name)(dpnp.asarray(a), **keywords)
    with pytest.raises(TypeError):
        getattr(fft, name)(a)


@pytest.mark.parametrize("name", sorted(TAKES_REALS))
def test_complex_numbers_are_refused_where_numpy_does(name):
    with pytest.raises(TypeError):
        getattr(np.fft, name)(np.ones((4, 4), "D"))
    with pytest.raises(TypeError, match="expected an array of real numbers"):
        getattr(fft, name)(dpnp.ones((4, 4), dtype="D"))


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
class TestFrequencies:
    @pytest.mark.parametrize("dtype", ["f4", "f8", "f2"])
    def test_dtype(self, name, dtype):
        found = getattr(dpnp.fft, name)(15, 0.5, dtype=dtype)
        assert found.dtype == dtype
        assert (dpnp.asnumpy(found) == getattr(np.fft, name)(15, 0.5).astype(dtype)).all()

    @pytest.mark.parametrize("arguments", [{"n": 10.0}, {"n": 10, "d": (2,)}, {"n": 10, "dtype": "i8"}])
    def test_wrong_arguments(self, name, arguments):
        with pytest.raises(ValueError, match=f"{name}: (n|d|dtype) must be"):
            getattr(dpnp.fft, name)(**arguments)

    def test_the_placement_has_keywords(self, name):
        with pytest.raises(TypeError):
            getattr(dpnp.fft, name)(10, 2, None)
