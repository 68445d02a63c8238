"""Complex numbers are never cast to real ones silently: TypeError where NumPy raises it, else NumPy's warning."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from numpy.exceptions import ComplexWarning

PACKAGES = pytest.mark.parametrize("xp", [dpt, dpnp], ids=["dpctl.tensor", "dpnp"])
NUMBERS = {
    "number": lambda xp: 1j,
    "number without imaginary part": lambda xp: 1 + 0j,
    "scalar of NumPy": lambda xp: np.complex64(1j),
    "list": lambda xp: [1j, 2, 3],
    "array of NumPy": lambda xp: np.array([1j, 2, 3]),
    "array": lambda xp: xp.asarray([1j, 2, 3]),
    "list with an array": lambda xp: [xp.asarray(1j), 2, 3],
}


@PACKAGES
@pytest.mark.parametrize("code", "bBhHiIlLefd")
@pytest.mark.parametrize("value", NUMBERS)
def test_assignment_is_refused_and_changes_nothing(xp, code, value):
    x = xp.ones((2, 3), dtype=code)
    warns = xp is dpt and isinstance(NUMBERS[value](xp), complex)  # slices: see below
    for key in [] if warns else (..., (slice(None), slice(None)), (0, slice(None, None, -1)), slice(1, 2)):
        with pytest.raises(TypeError, match="imaginary part"):
            x[key] = NUMBERS[value](xp)
    if "array" not in value and "list" not in value:
        with pytest.raises(TypeError, match="imaginary part"):
            x[1, 2] = NUMBERS[value](xp)
    assert (dpt.asnumpy(x) == 1).all()


@pytest.mark.parametrize("code", "bBhHiIlLefd")
def test_slices_of_dpctl_arrays_take_the_real_part_of_a_number_with_a_warning(code):
    """Published programs that use dpctl rely on this."""
    x = dpt.ones((2, 3), dtype=code)
    with pytest.warns(ComplexWarning, match="assignment"):
        x[:, 1:] = 3 + 1j
    assert dpt.asnumpy(x).tolist() == [[1, 3, 3]] * 2


@PACKAGES
def test_bool_and_complex_arrays_accept_complex_numbers(xp):
    x, z = xp.zeros(3, dtype=bool), xp.zeros(3, dtype="c8")
    x[1], z[1] = 1j, 1j
    assert dpt.asnumpy(x).tolist() == [False, True, False]
    assert dpt.asnumpy(z).tolist() == [0, 1j, 0]


@PACKAGES
@pytest.mark.parametrize("code", ["i4", "f4", "f8"])
def test_arrays_of_objects(xp, code):
    z = xp.asarray([1j])
    for refused in (1j, [1j], [[1, 2j]], [z[0], 1.0]):
        with pytest.raises(TypeError):
            xp.asarray(refused, dtype=code)
    for warned in (z, np.array([1j]), np.complex64(1j)):
        with pytest.warns(ComplexWarning, match=f"asarray.*{np.dtype(code).name}"):
            assert xp.asarray(warned, dtype=code).dtype == code
    with pytest.warns(ComplexWarning, match="astype"):
        assert dpt.asnumpy(xp.astype(z, code)).tolist() == [0]


@PACKAGES
@pytest.mark.parametrize("code", ["i4", "f4", "f8"])
def test_filling_warns(xp, code):
    with pytest.warns(ComplexWarning, match="full"):
        assert dpt.asnumpy(xp.full(2, 3 + 1j, dtype=code)).tolist() == [3, 3]
    with pytest.warns(ComplexWarning, match="full_like"):
        assert dpt.asnumpy(xp.full_like(xp.ones(2, dtype=code), 3 + 1j)).tolist() == [3, 3]


@pytest.mark.parametrize("code", ["i4", "f4", "f8"])
def test_method_fill(code):
    x = dpnp.ones(3, dtype=code)
    for refused in (1j, np.complex64(1j), dpnp.asarray(1j)):
        with pytest.raises(TypeError, match="imaginary part"):
            x.fill(refused)
    assert (x.asnumpy() == 1).all()
    x.fill(2 + 0j)  # no imaginary part is lost
    assert (x.asnumpy() == 2).all()


@PACKAGES
def test_operators_and_out(xp):
    x, z = xp.ones(3), xp.asarray([1j, 2, 3])
    for refused in (1j, z):
        with pytest.raises((TypeError, ValueError)):
            x += refused
        with pytest.raises((TypeError, ValueError)):
            xp.multiply(x, refused, out=x)
        with pytest.raises((TypeError, ValueError)):
            xp.where(x == 1, refused, x, out=x)
    with pytest.raises(ComplexWarning if xp is dpnp else (TypeError, ValueError)):  # warnings are errors in tests
        xp.sum(z, out=x[0])
    assert (dpt.asnumpy(x) == 1).all()


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "max", "min", "cumsum", "cumprod", "ptp"])
def test_reductions_with_a_real_out_warn(name):
    a = np.array([1j, 2, 3])
    shape = a.shape if name.startswith("cum") else ()
    out = dpnp.zeros(shape)
    with pytest.warns(ComplexWarning, match=f"{name}: casting complex128 to float64 discards the imaginary parts"):
        assert getattr(dpnp, name)(dpnp.asarray(a), out=out) is out
    np.testing.assert_allclose(dpnp.asnumpy(out), getattr(np, name)(a).real)


@PACKAGES
def test_ranges(xp):
    with pytest.raises(TypeError, match="arange"):
        xp.arange(0, 3j, 1, dtype="f8")
    with pytest.raises(TypeError, match="arange"):
        xp.arange(0j, 3, 1, dtype="i8")


@PACKAGES
def test_reductions_with_a_real_dtype_warn(xp):
    z = xp.asarray([1j, 2, 3])
    functions = [xp.sum, xp.prod, xp.cumulative_sum] + ([dpnp.mean, dpnp.cumsum] if xp is dpnp else [])
    for function in functions:
        with pytest.warns(ComplexWarning, match="discards the imaginary parts"):
            function(z, dtype="f8")


def test_dtype_of_element_functions():
    z = dpnp.asarray([1j, 2, 3])
    with pytest.raises(TypeError, match="add: operand 0 cannot be cast from complex128 to float64"):
        dpnp.add(z, z, dtype="f8")
    assert dpnp.add(z, z, dtype="c8").dtype == "c8"
