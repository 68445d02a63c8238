"""Operators of arrays agree with NumPy's."""

import operator

import dpctl
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow]
BITS = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]
IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod]


def same(x, reference):
    """Whether dtype and values agree; powers may be rounded differently."""
    if reference.dtype.kind != "f":
        return x.dtype == reference.dtype and np.array_equal(dpt.asnumpy(x), reference)
    return x.dtype == reference.dtype and np.allclose(
        dpt.asnumpy(x), reference, rtol=2 * np.finfo(reference.dtype).eps, atol=0, equal_nan=True
    )


@pytest.mark.parametrize("function", ARITHMETIC + COMPARISONS)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_floats(function, dtype):
    a, b = np.array([1, 2, 3.5, -4], dtype), np.array([2, 2, -1, 3], dtype)
    x, y = dpt.asarray(a), dpt.asarray(b)
    assert same(function(x, y), function(a, b))
    assert same(function(x, 2), function(a, 2))
    assert same(function(2.0, x), function(2.0, a))


@pytest.mark.parametrize("function", BITS + COMPARISONS)
@pytest.mark.parametrize("dtype", ["i1", "u4", "i8"])
def test_integers(function, dtype):
    a, b = np.array([1, 2, 3, 100], dtype), np.array([2, 1, 0, 3], dtype)
    x, y = dpt.asarray(a), dpt.asarray(b)
    assert same(function(x, y), function(a, b))
    assert same(function(x, 2), function(a, 2))
    assert same(function(2, y), function(2, b))


@pytest.mark.parametrize("function", [operator.neg, operator.pos, abs])
def test_unary(function):
    a = np.array([1.5, -2, 0])
    assert same(function(dpt.asarray(a)), function(a))
    integers = np.array([1, -2, 0])
    assert same(~dpt.asarray(integers), ~integers)


@pytest.mark.parametrize("function", IN_PLACE)
def test_in_place(function):
    a, b = np.array([1.5, -2, 7]), np.array([2.0, 3, -4])
    x, alias = dpt.asarray(a), None
    alias = x
    view = x[1:]
    x = function(x, dpt.asarray(b))
    assert x is alias
    expected = function(a, b)
    assert same(x, expected)
    assert same(view, expected[1:])


def test_in_place_keeps_the_dtype():
    x = dpt.asarray([1, 2, 3], dtype="f4")
    x += np.float64(0.5)
    x += dpt.asarray([1.0, 1, 1], dtype="f8")
    assert same(x, np.array([2.5, 3.5, 4.5], "f4"))
    i = dpt.asarray([1, 2, 3])
    for refused in (0.5, dpt.asarray([0.5, 0.5, 0.5]), 1j):
        with pytest.raises(ValueError):
            i += refused
    with pytest.raises(ValueError):
        i /= 2
    assert dpt.asnumpy(i).tolist() == [1, 2, 3]


def test_python_numbers_adopt_the_dtype_and_numpy_scalars_do_not():
    x = dpt.asarray([1, 2], dtype="i1")
    assert (x + 1).dtype == np.int8
    assert (x + 1.5).dtype == np.float64
    assert (x + np.int64(1)).dtype == np.int64
    assert (np.float32(1) + x).dtype == np.float32
    assert (dpt.asarray([1.0], dtype="f4") + np.float32(1)).dtype == np.float32
    assert (dpt.asarray([1.0], dtype="f4") * np.float64(1)).dtype == np.float64


def test_numpy_arrays_become_operands():
    a = np.arange(3.0)
    x = dpt.asarray(a)
    for result in (x + a, a + x, np.float64(0) + x + a):
        assert isinstance(result, dpt.usm_ndarray)
        assert same(result, a + a)
    with pytest.raises(TypeError):
        np.add(a, x)


@pytest.mark.parametrize("other", [None, "text", [1, 2], {}, object()])
def test_other_objects_are_refused(other):
    x = dpt.asarray([1, 2])
    for function in (operator.add, operator.mul, operator.iadd):
        with pytest.raises(TypeError):
            function(x, other)
    if other is not None:
        with pytest.raises(ValueError):
            x == other  # noqa: B015


@pytest.mark.parametrize("xp", [dpt, dpnp])
def test_no_element_equals_none(xp):
    for a in (np.array(1.5), np.arange(3), np.zeros((2, 0))):
        x = xp.asarray(a)
        for found, expected in [(x == None, a == None), (x != None, a != None)]:  # noqa: E711
            assert type(found) is type(x)
            assert same(found, expected)
    with pytest.raises(TypeError if xp is dpnp else ValueError):
        x < None  # noqa: B015


@pytest.mark.parametrize("xp", [dpt, dpnp])
@pytest.mark.parametrize("number", [3, -2, True, 2.5, -0.125, 1e300, 1 + 2j])
def test_0d_arrays_as_numbers(xp, number):
    z = xp.asarray(number)
    assert complex(z) == number
    for text in ("", ".3f", "10.2e", ">12"):
        assert format(z, text) == (str(z) if text == "" else format(number, text))
    if isinstance(number, complex):
        with pytest.raises(TypeError):
            round(z)
        return
    for digits in (None, 0, 1, -1):
        rounded = round(z, digits)
        assert type(rounded) is type(round(number, digits))
        assert rounded == round(number, digits)
    with pytest.raises(TypeError, match=r"format: '\.3f' is for numbers and 0-d arrays"):
        format(xp.asarray([1.0, 2.0]), ".3f")
    error = TypeError if xp is dpnp else ValueError
    with pytest.raises(error, match=r"round: only (arrays with one element|length-1 arrays)"):
        round(xp.asarray([1.0, 2.0]))
    assert f"{xp.asarray([1, 2])}" == str(xp.asarray([1, 2]))


@pytest.mark.parametrize("xp", [dpt, dpnp])
def test_divmod(xp):
    a, b = np.array([7, -7, 0, 100]), np.array([4, 4, 3, -7])
    x, y = xp.asarray(a), xp.asarray(b)
    for found, expected in [
        (divmod(x, y), divmod(a, b)), (divmod(x, 4), divmod(a, 4)), (divmod(50, y), divmod(50, b)),
        (divmod(xp.asarray(7.5), 2), divmod(np.array(7.5), 2)),
    ]:  # fmt: skip
        assert [same(f, np.asarray(e)) for f, e in zip(found, expected, strict=True)] == [True, True]
    with pytest.raises(TypeError):
        divmod(x, "text")


WIDER = [("e", "f"), ("e", "d"), ("f", "d"), ("e", "i"), ("e", "l"), ("f", "l"), ("b", "h"), ("i", "l"), ("F", "D")]


@pytest.mark.parametrize("xp", [dpt, dpnp])
@pytest.mark.parametrize("function", [*IN_PLACE, operator.ipow])
@pytest.mark.parametrize(("narrow", "wide"), WIDER)
@pytest.mark.parametrize("size", [6, 30000])
def test_in_place_with_a_wider_dtype_computes_in_the_common_one(xp, function, narrow, wide, size):
    random = np.random.default_rng(5)
    a, b = random.uniform(1, 9, size).astype(narrow), random.uniform(1, 9, size).astype(wide)
    if narrow == "e" and wide != "i":
        a[:3], b[:3] = 0, 6e4 * 8  # beyond the range of float16
    x = xp.asarray(a)
    alias = x
    with np.errstate(all="ignore"):
        try:
            a = function(a, b)
        except TypeError:  # NumPy raises it for casts to another kind
            with pytest.raises((TypeError, ValueError)):
                function(x, xp.asarray(b))
            return
    x = function(x, xp.asarray(b))
    assert x is alias
    found = dpt.asnumpy(x)
    assert found.dtype == a.dtype
    np.testing.assert_allclose(found, a, rtol=2 * np.finfo(a.dtype).eps if a.dtype.kind in "fc" else 0)
    view = x[::2]
    view *= xp.asarray(b[::2])
    with np.errstate(all="ignore"):
        a[::2] *= b[::2]
    np.testing.assert_allclose(dpt.asnumpy(x), a, rtol=3 * np.finfo(a.dtype).eps if a.dtype.kind in "fc" else 0)


def test_other_types_may_define_reflected_operators():
    class Other:
        def __radd__(self, x):
            return "reflected"

    assert dpt.asarray([1]) + Other() == "reflected"


def test_operands_on_different_queues_are_refused():
    x, y = (dpt.asarray([1, 2], sycl_queue=dpctl.SyclQueue()) for _ in range(2))
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        x + y
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        x += y


def test_shapes_that_cannot_be_broadcast_are_refused():
    x = dpt.asarray([1, 2, 3])
    with pytest.raises(ValueError):
        x + dpt.asarray([1, 2])
    with pytest.raises(ValueError):
        x += dpt.asarray([[1, 2, 3], [1, 2, 3]])
    assert same(x + dpt.asarray([[1], [2]]), np.array([1, 2, 3]) + np.array([[1], [2]]))


@pytest.mark.parametrize("number", [True, 3, -2, 2.5, 1 + 2j, 2**63])
def test_arrays_of_one_element_convert_to_numbers(number):
    x = dpt.asarray([[number]])
    assert complex(x) == number
    assert bool(x)
    if isinstance(number, complex):
        with pytest.raises(TypeError):
            float(x)
    else:
        assert float(x) == float(number)
        assert int(x) == int(number)
    if isinstance(number, int) and not isinstance(number, bool):
        assert operator.index(x) == number
    else:
        with pytest.raises(IndexError):
            operator.index(x)


@pytest.mark.parametrize("function", [bool, int, float, complex])
@pytest.mark.parametrize("shape", [(0,), (2,), (1, 2)])
def test_other_arrays_do_not_convert_to_numbers(function, shape):
    with pytest.raises(ValueError):
        function(dpt.zeros(shape))


def test_membership_and_iteration():
    x = dpt.asarray([[1, 2], [3, 4]])
    assert 3 in x
    assert 5 not in x
    assert [dpt.asnumpy(row).tolist() for row in x] == [[1, 2], [3, 4]]
    assert len(x) == 2
    zero_dimensional = dpt.asarray(1)
    for function in (len, iter):
        with pytest.raises(TypeError):
            function(zero_dimensional)


class Container:
    """An object with comparisons of its own, such as a sparse matrix."""

    def __eq__(self, other: object) -> object:
        return "equal"

    def __gt__(self, other: object) -> object:
        return "greater"

    __hash__ = None


def test_comparisons_leave_objects_of_other_classes_to_their_own_methods():
    x = dpt.ones(3)
    assert (x == Container()) == "equal"
    assert (x < Container()) == "greater"
    for other in ("text", [1, 2, 3], object()):
        with pytest.raises(ValueError, match="equal: expected an array or a number"):
            x == other  # noqa: B015
