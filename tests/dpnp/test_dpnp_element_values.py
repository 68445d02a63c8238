"""Elements of arrays that have no memory of their own until they need it: operations on them, compared with NumPy's."""

from __future__ import annotations

import copy
import operator
import pickle
import weakref

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES += ["float16", "float32", "float64", "complex64", "complex128"]
BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "and_", "or_", "xor", "lshift", "rshift", "pow"]
BINARY += ["lt", "le", "gt", "ge", "eq", "ne"]
NUMBERS = [0, 1, 2, -1, 3, 2.5, -0.5, 0.0, 0.1, 300, 2**40, True, 1.5j, float("inf"), float("nan"), 1e300]
NUMPY_ERRORS = (TypeError, ValueError, OverflowError, ZeroDivisionError)


def elements(dtype: str) -> numpy.ndarray:
    x = numpy.array([3, 1, 2, 0, 5, 4])
    if numpy.dtype(dtype).kind in "fc":
        x = x * 0.75 - 1
    return (x * (1 - 0.5j) if numpy.dtype(dtype).kind == "c" else x).astype(dtype)


def assert_same(call, ours: object, theirs: object, other: object, other_ours: object) -> None:
    """Call with an element of an array and a second operand: the result has NumPy's dtype and value, or both raise."""
    with numpy.errstate(all="ignore"):
        try:
            expected = numpy.asarray(call(theirs, other))
        except NUMPY_ERRORS:
            with pytest.raises(NUMPY_ERRORS):
                call(ours, other_ours)
            return
        found = dpnp.asnumpy(call(ours, other_ours))
    assert found.dtype == expected.dtype and found.shape == ()
    numpy.testing.assert_allclose(found, expected, rtol=1e-3 if expected.dtype == "float16" else 1e-6)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_on_two_elements(dtype: str, name: str) -> None:
    a, call = elements(dtype), getattr(operator, name)
    x = dpnp.asarray(a)
    for i, j in ((0, 1), (1, 0), (4, 2), (2, 2)):
        assert_same(call, x[i], a[i], a[j], x[j])


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", ["int8", "uint32", "int64", "float32", "float64", "complex128"])
def test_operators_on_an_element_and_a_number(dtype: str, name: str) -> None:
    """The array without axes that the same element is after it was given memory has the same results."""
    call = getattr(operator, name)
    x = dpnp.asarray(elements(dtype))
    for number in NUMBERS:
        for i in (0, 3):
            for swapped in (False, True):
                results = []
                for with_memory in (False, True):
                    e = x[i]
                    if with_memory:
                        assert e.shape == ()
                    try:
                        made = call(number, e) if swapped else call(e, number)
                        results.append((made.dtype, dpnp.asnumpy(made).tobytes()))
                    except NUMPY_ERRORS as error:
                        results.append((type(error), str(error)))
                assert results[0] == results[1], (number, swapped, results)


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_and_conversions(dtype: str) -> None:
    a = elements(dtype)
    x = dpnp.asarray(a)
    calls = (operator.neg, operator.pos, abs, operator.invert, operator.index, int, float, complex, bool, hash)
    for i in range(a.size):
        for call in calls:
            if call in (int, float) and a.dtype.kind == "c":
                with pytest.raises(TypeError):
                    call(x[i])
                continue
            try:
                with numpy.errstate(all="ignore"):
                    expected = call(a[i])
            except NUMPY_ERRORS:
                continue
            found = call(x[i])
            if isinstance(found, dpnp.ndarray):
                found = dpnp.asnumpy(found)
                assert found.dtype == numpy.asarray(expected).dtype
            else:
                assert type(found) is type(expected)
            numpy.testing.assert_allclose(found, expected, rtol=1e-6)
        assert x[i].item() == a[i].item() and type(x[i].item()) is type(a[i].item())
        assert x[i].dtype == a.dtype and x[i].shape == () and x[i].ndim == 0 and x[i].size == 1


@pytest.mark.parametrize("name", ["sqrt", "square", "exp", "maximum", "add", "equal", "power", "hypot"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_element_functions(dtype: str, name: str) -> None:
    if name == "power" and dtype == "bool":
        return  # int8, as NumPy's; a case of test_dpnp_like_numpy
    a = elements(dtype)
    x = dpnp.asarray(a)
    for i in range(a.size):
        inputs = (a[i],) if getattr(numpy, name).nin == 1 else (a[i], a[1])
        ours = (x[i],) if len(inputs) == 1 else (x[i], x[1])
        with numpy.errstate(all="ignore"):
            try:
                expected = numpy.asarray(getattr(numpy, name)(*inputs))
            except NUMPY_ERRORS:
                with pytest.raises(NUMPY_ERRORS):
                    getattr(dpnp, name)(*ours)
                continue
        found = dpnp.asnumpy(getattr(dpnp, name)(*ours))
        assert found.dtype == expected.dtype and found.shape == ()
        numpy.testing.assert_allclose(found, expected, rtol=1e-2 if expected.dtype == "float16" else 1e-6)


def test_an_element_is_independent_of_its_array() -> None:
    x = dpnp.asarray([1.0, 2.0, 3.0])
    e = x[1]
    x[1] = 7
    assert float(e) == 2 and float(x[1]) == 7
    e[...] = 9
    assert float(e) == 9 and float(x[1]) == 7
    kept = x[0]
    del x
    assert float(kept + 1) == 2
    x = dpnp.asarray([1, 2])
    x[0], x[1] = x[1], x[0]
    assert dpnp.asnumpy(x).tolist() == [2, 1]


def test_operators_in_place() -> None:
    x = dpnp.asarray([1.0, 2.0])
    e = same = x[0]
    e += 1  # a new object, as of NumPy's scalars
    assert float(e) == 2 and float(same) == 1
    total = alias = x[0] + x[1]
    total += x[1]  # an array without axes changes in place
    total *= 2
    assert total is alias and float(alias) == 10
    total -= dpnp.asarray(4.0)
    assert total is alias and float(alias) == 6
    i = dpnp.asarray([1, 2])
    count = i[0] * 1
    with pytest.raises(TypeError):
        count += 0.5
    count += True
    assert int(count) == 2
    i[0] += 1.7
    assert int(i[0]) == 2
    matrix = dpnp.zeros((2, 3), dtype="i4")
    for _ in range(3):
        matrix[1, -1] += 2
    assert int(matrix[1, 2]) == 6


def test_uses_as_arrays() -> None:
    x = dpnp.asarray([1.5, -2.0])
    assert dpnp.asnumpy(x[0] + x).tolist() == [3.0, -0.5]
    assert dpnp.asnumpy(dpnp.stack([x[0], x[1]])).tolist() == [1.5, -2.0]
    assert float(numpy.asarray(dpnp.asnumpy(x[1]))) == -2
    assert isinstance(x[0].get_array(), dpt.usm_ndarray) and float(dpt.sqrt(x[0].get_array() * 6)) == 3
    assert repr(x[0]) == "array(1.5)" and str(x[1]) == "-2.0" and f"{x[0]:.2f}" == "1.50"
    assert x[0].reshape(1, 1).shape == (1, 1) and x[0].sycl_queue == x.sycl_queue and x[0].usm_type == x.usm_type
    assert pickle.loads(pickle.dumps(x[0])) == 1.5 and copy.copy(x[0]) == 1.5 and copy.deepcopy(x[1]) == -2
    e = x[0]
    reference = weakref.ref(e)
    assert reference() is e
    del e
    assert reference() is None
    e = x[0] * 2
    e.shape = (1,)
    assert e.shape == (1,) and dpnp.asnumpy(e).tolist() == [3.0]
    assert {x[0]: "a"}[x[0]] == "a" and x[0] in [1.5] and x[1] in x
    assert max(x[0], x[1]) == 1.5 and sorted([x[0], x[1]])[0] == -2 and sum([x[0], x[1]]) == -0.5
    assert (x[0] == None) is not True and x[0] != "text"  # noqa: E711
    with pytest.raises(TypeError):
        operator.lt(x[0], "text")
    with pytest.raises(TypeError):
        iter(x[0])
    with pytest.raises(TypeError):
        len(x[0])


def test_indices() -> None:
    a = numpy.arange(24.0).reshape(2, 3, 4)
    x = dpnp.asarray(a)[::-1, :, ::2]
    a = a[::-1, :, ::2]
    i = dpnp.asarray([1, -1, 2])
    for index in ((0, 1, 1), (-1, -3, -2), (numpy.int8(1), numpy.uint16(2), numpy.int64(-1)), (1, 0, True)):
        assert numpy.array_equal(dpnp.asnumpy(x[index]), a[index])
    assert float(x[i[0], i[2], i[1]]) == a[1, 2, -1]
    x[i[0], 0, 0] = -5
    assert float(x[1, 0, 0]) == -5
    line = dpnp.arange(5)
    assert int(line[line[3]]) == 3 and line[numpy.uint64(4)] == 4 and line[True].shape == (1, 5)
    for wrong in (5, -6, 2**70, numpy.int64(9)):
        with pytest.raises(IndexError):
            line[wrong]
        with pytest.raises(IndexError):
            line[wrong] = 1
    with pytest.raises(IndexError):
        line[0, 0]
    with pytest.raises(IndexError):
        line[1.0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_assignments(dtype: str) -> None:
    a = elements(dtype)
    for value in (1, 0, 2.0, True, -1, 300, 2**63, 1.5, numpy.float32(2), numpy.int8(3), 1j, None):
        theirs, ours = a.copy(), dpnp.asarray(a)
        with numpy.errstate(all="ignore"):
            try:
                theirs[2] = value
            except (*NUMPY_ERRORS, RuntimeWarning):
                with pytest.raises((*NUMPY_ERRORS, IndexError)):
                    ours[2] = value
                continue
        if isinstance(value, complex) or (value is None and theirs.dtype.kind not in "fc"):
            continue
        ours[2] = value
        numpy.testing.assert_array_equal(dpnp.asnumpy(ours), theirs)
    x, y = dpnp.asarray(a), dpnp.asarray(a)
    for i in range(a.size):
        x[i] = y[-1 - i]
    numpy.testing.assert_array_equal(dpnp.asnumpy(x), a[::-1])


def test_assignments_that_are_refused() -> None:
    x = dpnp.zeros(3)
    x.flags.writable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        x[0] = dpnp.ones(1)[0]


@pytest.mark.parametrize("size", [10, 300_000])
def test_pending_work(size: int) -> None:
    """Elements are those at the time of the call, and earlier operations read the former elements."""
    a = numpy.arange(size) * 0.5
    x = dpnp.asarray(a)
    doubled = x * 2
    x[0] = 100.0
    tripled = x * 3
    x[-1] += 1
    assert float(doubled[0]) == 0 and float(tripled[0]) == 300
    assert float(x[-1]) == a[-1] + 1 and float(tripled[-1]) == 3 * a[-1]
    x += 1
    assert float(x[0]) == 101 and float((x + x)[1]) == 3
    part = x[2:5]
    part[0] = -1
    assert float(x[2]) == -1


def test_loops() -> None:
    random = numpy.random.default_rng(1)
    a, b = random.random(200), random.random(200)
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    for array, other in ((a, b), (x, y)):
        for i in range(1, 200):
            array[i] = array[i - 1] * 0.5 + other[i]
            if array[i] > other[i - 1]:
                array[i] -= other[i - 1] / 3
    numpy.testing.assert_array_equal(dpnp.asnumpy(x), a)
    total, expected = 0.0, 0.0
    for v, w in zip(x, a, strict=True):
        total += v
        expected += w
    assert float(total) == expected
