"""The methods, attributes and keywords of dpnp's ufuncs, compared with NumPy's."""

from __future__ import annotations

import functools
import math

import dpctl
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from dpctl.utils import ExecutionPlacementError
from reference import LAYOUTS, laid_out, values

NAMES = sorted(
    name
    for name in np.__all__
    if isinstance(getattr(np, name), np.ufunc) and isinstance(getattr(dpnp, name, 0), dpnp.ufunc)
)
BINARY = [name for name in NAMES if getattr(np, name).nin == 2 and getattr(np, name).nout == 1]
# Operations on numbers that NumPy applies to its own results.
REAL = ["add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "logaddexp", "hypot", "divide", "arctan2"]
WHOLE = ["add", "subtract", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm"]
LOGICAL = ["logical_and", "logical_or", "logical_xor"]
CASES = [(name, code) for name in REAL for code in "fd"]
CASES += [(name, code) for name in WHOLE for code in "bBhiqQ"]
CASES += [(name, code) for name in LOGICAL for code in "?id"]
CASES += [(name, code) for name in ("add", "multiply") for code in "?FD"]


def close(ours: object, expected: object) -> None:
    expected = np.asarray(expected)
    assert isinstance(ours, dpnp.ndarray)
    found = dpnp.asnumpy(ours)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(found, expected)
    else:
        near = 1e-4 if expected.dtype.char in "fF" else 1e-12
        np.testing.assert_allclose(found, expected, rtol=near, atol=near)


class _Arctan2:
    """arctan2 of a correct reduction: NumPy 2.4 uses vectors of AVX-512 for it, whose results overwrite operands."""

    @staticmethod
    def _reference(method: str, a: np.ndarray, *arguments: object, **keywords: object) -> np.ndarray:
        reduce = getattr(np.frompyfunc(math.atan2, 2, 1), method)
        return reduce(a.astype(object), *arguments, **keywords).astype(a.dtype)

    reduce = staticmethod(functools.partial(_reference, "reduce"))
    reduceat = staticmethod(functools.partial(_reference, "reduceat"))


def reducing(name: str) -> object:
    """NumPy's function, to be reduced."""
    return _Arctan2 if name == "arctan2" else getattr(np, name)


class TestAttributes:
    @pytest.mark.parametrize("name", NAMES)
    def test_they_are_numpys(self, name):
        ours, theirs = getattr(dpnp, name), getattr(np, name)
        assert (ours.nin, ours.nout, ours.nargs) == (theirs.nin, theirs.nout, theirs.nargs)
        assert ours.signature is None
        assert ours.ntypes == len(ours.types) > 0
        assert getattr(dpnp, ours.__name__) is ours
        assert ours.identity == theirs.identity

    def test_instances(self):
        assert isinstance(dpnp.add, dpnp.ufunc)
        assert isinstance(dpnp.sqrt, dpnp.ufunc)
        assert not isinstance(dpnp.sum, dpnp.ufunc)
        assert not isinstance(dpt.add, dpnp.ufunc)

    def test_names_are_numpys(self):
        for name in dir(np):
            theirs, ours = getattr(np, name), getattr(dpnp, name, None)
            if isinstance(theirs, np.ufunc) and ours is not None and name not in ("deg2rad", "rad2deg"):
                assert ours.__name__ == theirs.__name__, name
                if isinstance(ours, dpnp.ufunc):
                    assert repr(ours) == repr(theirs), name

    @pytest.mark.parametrize("name", ["matmul", "matvec", "vecdot", "vecmat"])
    def test_products_have_signatures(self, name):
        ours, theirs = getattr(dpnp, name), getattr(np, name)
        for attribute in ("nin", "nout", "nargs", "identity", "signature"):
            assert getattr(ours, attribute) == getattr(theirs, attribute), attribute


class TestWhere:
    @pytest.mark.parametrize("layout", LAYOUTS)
    @pytest.mark.parametrize("name", ["add", "sqrt", "maximum"])
    def test_elements_elsewhere_keep_their_value(self, name, layout):
        a, x = laid_out("d", layout, low=0)
        mask, kept = a > 1, np.full(a.shape, -7.0)
        out = dpnp.full(a.shape, -7.0)
        operands = getattr(np, name).nin
        expected = getattr(np, name)(*[a] * operands, out=kept, where=mask)
        assert getattr(dpnp, name)(*[dpnp.asarray(x)] * operands, out=out, where=dpnp.asarray(mask)) is out
        close(out, expected)

    @pytest.mark.parametrize("where", [True, False])
    def test_a_bool_is_for_all_elements(self, where):
        out = dpnp.zeros(3)
        dpnp.add(dpnp.ones(3), 1, out=out, where=where)
        close(out, np.add(np.ones(3), 1, out=np.zeros(3), where=where))

    def test_conditions_are_broadcast(self):
        a, mask = values("d", (3, 4)), np.array([[True], [False], [True]])
        out = dpnp.zeros((3, 4))
        dpnp.negative(dpnp.asarray(a), out=out, where=dpnp.asarray(mask))
        close(out, np.negative(a, out=np.zeros((3, 4)), where=mask))

    def test_functions_with_two_results(self):
        a, mask = np.array([7.0, 8.0, 9.0]), np.array([True, False, True])
        ours, theirs = (dpnp.zeros(3), dpnp.zeros(3)), (np.zeros(3), np.zeros(3))
        dpnp.divmod(dpnp.asarray(a), 2, out=ours, where=dpnp.asarray(mask))
        np.divmod(a, 2, out=theirs, where=mask)
        for found, expected in zip(ours, theirs, strict=True):
            close(found, expected)

    def test_the_output_may_be_an_operand(self):
        a, mask = np.arange(5.0), np.arange(5) % 2 == 0
        x = dpnp.asarray(a)
        dpnp.multiply(x, 10, out=x, where=dpnp.asarray(mask))
        close(x, np.multiply(a, 10, out=a, where=mask))

    def test_other_conditions_are_refused(self):
        x = dpnp.ones(3)
        with pytest.raises(TypeError, match="where must be a bool or an array of bools"):
            dpnp.add(x, x, where=dpnp.ones(3))
        with pytest.raises(TypeError, match="where"):
            dpnp.add(x, x, where=np.ones(3, bool))
        with pytest.raises(ExecutionPlacementError):
            dpnp.add(x, x, where=dpnp.ones(3, dtype=bool, sycl_queue=dpctl.SyclQueue()), out=dpnp.ones(3))


class TestCasting:
    @pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
    @pytest.mark.parametrize("codes", ["dd", "df", "di", "fd", "iq", "qi", "bB"])
    def test_the_rule_decides_as_in_numpy(self, casting, codes):
        a, out = np.ones(3, codes[0]), np.zeros(3, codes[1])
        ours = dpnp.zeros(3, dtype=codes[1])
        try:
            np.add(a, a, out=out, casting=casting)
        except TypeError:
            with pytest.raises(TypeError):
                dpnp.add(dpnp.asarray(a), dpnp.asarray(a), out=ours, casting=casting)
        else:
            assert dpnp.add(dpnp.asarray(a), dpnp.asarray(a), out=ours, casting=casting) is ours
            close(ours, out)

    def test_operands_are_checked(self):
        x, y = dpnp.ones(2, dtype="i4"), dpnp.ones(2)
        with pytest.raises(TypeError, match="operand 0 cannot be cast from int32 to float64 by the rule 'equiv'"):
            dpnp.add(x, y, casting="equiv")
        close(dpnp.add(y, 1.5, dtype="i4", casting="unsafe"), np.add(np.ones(2), 1.5, dtype="i4", casting="unsafe"))
        with pytest.raises(ValueError, match="casting"):
            dpnp.add(x, y, casting="bold")

    def test_output_arrays_of_other_dtypes_need_a_rule(self):
        with pytest.raises(ValueError):
            dpnp.sqrt(dpnp.ones(2), out=dpnp.ones(2, dtype="f4"))

    def test_dtype_and_output_array(self):
        out = dpnp.zeros(2, dtype="f4")
        assert dpnp.add(dpnp.ones(2), 1, out=out, dtype="f8") is out
        close(out, np.full(2, 2, "f4"))
        with pytest.raises(TypeError):
            dpnp.abs(dpnp.array([1]), out=dpnp.array([1]), dtype="f4")

    def test_tuples_of_output_arrays(self):
        out, two = dpnp.zeros(2), (dpnp.zeros(2), dpnp.zeros(2))
        assert dpnp.add(dpnp.ones(2), 1, out=(out,)) is out
        assert dpnp.add(dpnp.ones(2), 1, out=(None,)).shape == (2,)
        dpnp.divmod(dpnp.full(2, 7.0), 2, *two)
        close(two[0], np.full(2, 3.0))
        close(two[1], np.full(2, 1.0))


class TestReduce:
    @pytest.mark.parametrize("name, code", CASES)
    def test_results_and_dtypes(self, name, code):
        for layout in LAYOUTS:
            a, x = laid_out(code, layout, low=1)
            for axis in (0, 1, -1):
                close(getattr(dpnp, name).reduce(dpnp.asarray(x), axis=axis), reducing(name).reduce(a, axis=axis))

    @pytest.mark.parametrize("name", [*WHOLE, *LOGICAL])
    @pytest.mark.parametrize("axis", [None, (0, 2), (1,), ()])
    @pytest.mark.parametrize("keepdims", [False, True])
    def test_axes(self, name, axis, keepdims):
        a = values("i", (3, 4, 5), low=1)
        theirs = getattr(np, name)
        if name in ("subtract", "lcm") and (axis is None or len(axis) > 1):
            with pytest.raises(ValueError, match="one axis"):
                getattr(dpnp, name).reduce(dpnp.asarray(a), axis=axis)
            return
        expected = theirs.reduce(a, axis=axis, keepdims=keepdims)
        close(getattr(dpnp, name).reduce(dpnp.asarray(a), axis=axis, keepdims=keepdims), expected)

    @pytest.mark.parametrize("name", [*REAL, "bitwise_or", "gcd", "logical_xor"])
    def test_no_elements(self, name):
        a = np.empty((0, 3), "i4" if name in ("bitwise_or", "gcd") else "f8")
        try:
            expected = getattr(np, name).reduce(a)
        except ValueError:
            with pytest.raises(ValueError):
                getattr(dpnp, name).reduce(dpnp.asarray(a))
        else:
            close(getattr(dpnp, name).reduce(dpnp.asarray(a)), expected)

    @pytest.mark.parametrize("name", [*REAL, "logical_and"])
    def test_initial_and_where(self, name):
        a, ours, theirs = values("d", (4, 5), low=1), getattr(dpnp, name), getattr(np, name)
        x, mask = dpnp.asarray(a), a > 2
        close(ours.reduce(x, initial=2.0), theirs.reduce(a, initial=2.0))
        close(ours.reduce(x, where=dpnp.asarray(mask), initial=1.5), theirs.reduce(a, where=mask, initial=1.5))
        if theirs.identity is None:
            with pytest.raises(ValueError, match="identity"):
                ours.reduce(x, where=dpnp.asarray(mask))
        else:
            close(ours.reduce(x, where=dpnp.asarray(mask)), theirs.reduce(a, where=mask))

    def test_dtype_and_out(self):
        a, out = values("i", (4, 5), low=1), dpnp.zeros(5, dtype="f4")
        close(dpnp.add.reduce(dpnp.asarray(a), dtype="f4"), np.add.reduce(a, dtype="f4"))
        assert dpnp.multiply.reduce(dpnp.asarray(a), 0, "f4", out) is out
        close(out, np.multiply.reduce(a, dtype="f4"))
        assert dpnp.maximum.reduce(dpnp.asarray(a), out=(out,)) is out
        with pytest.raises(TypeError):
            dpnp.add.reduce(dpnp.ones(3), out=dpnp.zeros((), dtype="i4"))

    def test_arrays_without_axes(self):
        close(dpnp.add.reduce(dpnp.array(5)), np.add.reduce(np.array(5)))
        close(dpnp.maximum.reduce(dpnp.array(5), axis=-1), np.maximum.reduce(np.array(5), axis=-1))

    def test_many_elements(self):
        a = np.random.default_rng(3).integers(0, 2**30, 100_003)
        for name in ("bitwise_and", "bitwise_xor", "gcd", "fmax"):
            close(getattr(dpnp, name).reduce(dpnp.asarray(a)), getattr(np, name).reduce(a))

    def test_functions_that_cannot_be_reduced(self):
        with pytest.raises(ValueError, match="two operands"):
            dpnp.sqrt.reduce(dpnp.ones(2))
        with pytest.raises(TypeError, match=r"less\.reduce: the function's result for float64 is bool"):
            dpnp.less.reduce(dpnp.ones(2))
        with pytest.raises(TypeError, match=r"add\.reduce"):
            dpnp.add.reduce([1, 2])
        with pytest.raises(np.exceptions.AxisError):
            dpnp.add.reduce(dpnp.ones(2), axis=1)


class TestAccumulate:
    @pytest.mark.parametrize("name, code", CASES)
    def test_results_and_dtypes(self, name, code):
        for layout in LAYOUTS:
            a, x = laid_out(code, layout, low=1)
            for axis in (0, -1):
                ours = getattr(dpnp, name).accumulate(dpnp.asarray(x), axis=axis)
                close(ours, getattr(np, name).accumulate(a, axis=axis))

    @pytest.mark.parametrize("length", [0, 1, 2, 3, 17, 1000])
    def test_lengths(self, length):
        a = values("d", (length,), low=1)
        for name in ("maximum", "add", "divide"):
            close(getattr(dpnp, name).accumulate(dpnp.asarray(a)), getattr(np, name).accumulate(a))

    @pytest.mark.parametrize("name", ["maximum", "minimum", "logical_and", "logical_or", "add", "multiply"])
    @pytest.mark.parametrize("shape", [(100_003,), (3, 30_001), (30_001, 3), (5, 400, 40)])
    @pytest.mark.parametrize("code", "?bHqefdF")
    def test_many_elements(self, name, shape, code):
        a = values(code, shape, low=-3, high=4) if code not in "?H" else values(code, shape)
        if name in ("add", "multiply"):
            a = a > 0  # in bool, the sum of 1 and 1 is 1
        keywords = {"dtype": bool} if name in ("add", "multiply") else {}
        if code in "efdF" and a.dtype.kind in "fc":
            a[..., shape[-1] // 2] = np.nan
        for axis in range(a.ndim):
            ours = getattr(dpnp, name).accumulate(dpnp.asarray(a), axis=axis, **keywords)
            close(ours, getattr(np, name).accumulate(a, axis=axis, **keywords))
            ours = getattr(dpnp, name).accumulate(dpnp.asarray(a)[::-1], axis=axis, **keywords)
            close(ours, getattr(np, name).accumulate(a[::-1], axis=axis, **keywords))

    def test_out_dtype_and_errors(self):
        out = dpnp.zeros(3, dtype="f4")
        assert dpnp.add.accumulate(dpnp.arange(3), dtype="f4", out=out) is out
        close(out, np.add.accumulate(np.arange(3), dtype="f4"))
        x = dpnp.ones(1)
        dpnp.maximum.accumulate(x)[0] = 5
        close(x, np.ones(1))  # the result is a copy
        with pytest.raises(TypeError, match="without axes"):
            dpnp.add.accumulate(dpnp.array(1))


class TestReduceat:
    INDICES = ([0, 4, 1, 5, 2, 6, 3, 7], [0], [7, 0, 0, 3], [2, 5], [])

    @pytest.mark.parametrize("name, code", CASES)
    def test_results_and_dtypes(self, name, code):
        a = values(code, (8, 3), low=1)
        for indices in self.INDICES[:-1]:
            ours = getattr(dpnp, name).reduceat(dpnp.asarray(a), dpnp.array(indices))
            close(ours, reducing(name).reduceat(a, indices))

    def test_axes_and_other_indices(self):
        a = values("d", (3, 8), low=1)
        for indices in (*self.INDICES[:-1], np.array([1, 3])):
            close(dpnp.add.reduceat(dpnp.asarray(a), indices, axis=1), np.add.reduceat(a, indices, axis=1))

    def test_long_segments(self):
        a = np.random.default_rng(1).integers(0, 100, 10_000)
        indices = np.array([0, 1, 5000, 17, 9000, 3])
        for name in ("add", "maximum", "bitwise_xor"):
            close(
                getattr(dpnp, name).reduceat(dpnp.asarray(a), dpnp.asarray(indices)),
                getattr(np, name).reduceat(a, indices),
            )

    def test_refused_indices(self):
        for wrong in ([0, 8], [-1]):
            with pytest.raises(IndexError, match="out of bounds"):
                dpnp.add.reduceat(dpnp.ones(8), wrong)
        with pytest.raises(TypeError):
            dpnp.add.reduceat(dpnp.ones(8), dpnp.ones(2))


# Indices of an array of shape (4, 3).
INDICES = {
    "int": 1,
    "negative": np.array([-1, 0, -1]),
    "slice": slice(1, None, 2),
    "mask": np.arange(12).reshape(4, 3) % 5 == 0,
    "rows": np.array([0, 2, 0, 3]),
    "pairs": (np.array([0, 2, 0]), np.array([1, 1, 1])),
    "mixed": (slice(None), np.array([0, 0, 2])),
    "list": [1, 1],
    "ellipsis": (Ellipsis, 1),
}


class TestAt:
    @pytest.mark.parametrize("name, code", [case for case in CASES if case[0] != "lcm" and case[1] != "?"])
    @pytest.mark.parametrize("repeats", [1, 4, 40])
    def test_repeated_indices_accumulate(self, name, code, repeats):
        random = np.random.default_rng(5)
        a = values(code, (30,), low=1)
        indices = np.repeat(random.permutation(30)[:11], repeats)
        random.shuffle(indices)
        b = values(code, indices.shape, 1, low=1, high=2)
        x = dpnp.asarray(a)
        assert getattr(dpnp, name).at(x, dpnp.asarray(indices), dpnp.asarray(b)) is None
        getattr(np, name).at(a, indices, b)
        close(x, a)

    @pytest.mark.parametrize("name", ["negative", "sqrt", "square", "logical_not"])
    def test_functions_of_one_operand(self, name):
        a = values("d", (9,), low=1)
        x, indices = dpnp.asarray(a), np.array([0, 3, 3, 8, 3])
        getattr(dpnp, name).at(x, dpnp.asarray(indices))
        getattr(np, name).at(a, indices)
        close(x, a)

    @pytest.mark.parametrize("code", "efdiIqQ")
    def test_histograms(self, code):
        indices = np.random.default_rng(2).integers(0, 50, 20_000)
        b = values(code, indices.shape)
        a, x = np.zeros(50, code), dpnp.zeros(50, dtype=code)
        np.add.at(a, indices, b)
        dpnp.add.at(x, dpnp.asarray(indices), dpnp.asarray(b))
        if code in "ef" and x.sycl_device.is_gpu:  # whose sums are not those of the array's own precision
            tolerance = 1e-1 if code == "e" else 1e-4
            np.testing.assert_allclose(dpnp.asnumpy(x), a, rtol=tolerance, atol=tolerance)
        else:
            close(x, a)

    def test_casts_to_integers_follow_each_step(self):
        for name in ("add", "divide"):
            a, indices = np.full(3, 100), np.array([0, 1, 1] * 20)
            x = dpnp.asarray(a)
            getattr(dpnp, name).at(x, dpnp.asarray(indices), 1.5)
            getattr(np, name).at(a, indices, 1.5)
            close(x, a)

    def test_large_integers_wrap(self):
        a, indices = np.zeros(3, "q"), np.array([0, 1, 1] * 100)
        b = np.full(300, 2**62 + 1)
        x = dpnp.asarray(a)
        dpnp.add.at(x, dpnp.asarray(indices), dpnp.asarray(b))
        np.add.at(a, indices, b)
        close(x, a)

    @pytest.mark.parametrize("kind", INDICES)
    @pytest.mark.parametrize("layout", ["C", "F", "strided"])
    def test_forms_of_indices(self, kind, layout):
        index = INDICES[kind]
        base = values("d", (8, 3))
        a = base[::2] if layout == "strided" else np.array(base[::2], order=layout)
        x = dpnp.asarray(base)[::2] if layout == "strided" else dpnp.array(a, order=layout)
        ours = index
        if isinstance(index, tuple):
            ours = tuple(dpnp.asarray(i) if isinstance(i, np.ndarray) else i for i in index)
        elif isinstance(index, np.ndarray):
            ours = dpnp.asarray(index)
        a = a.copy(order="K")
        dpnp.add.at(x, ours, 2.5)
        np.add.at(a, index, 2.5)
        close(x, a)

    def test_second_operands_are_broadcast(self):
        a, index, b = values("d", (4, 3)), np.array([0, 2, 0]), np.arange(3.0)
        x = dpnp.asarray(a)
        dpnp.multiply.at(x, dpnp.asarray(index), dpnp.asarray(b))
        np.multiply.at(a, index, b)
        close(x, a)

    def test_refusals(self):
        x, i = dpnp.ones(3), dpnp.array([0])
        for wrong in (3, -4):
            with pytest.raises(IndexError, match="out of bounds"):
                dpnp.add.at(x, dpnp.array([0, wrong]), 1)
        with pytest.raises(ValueError, match="takes 1 besides"):
            dpnp.add.at(x, i)
        with pytest.raises(ValueError, match="takes 0 besides"):
            dpnp.negative.at(x, i, 1)
        with pytest.raises(TypeError, match="cannot be cast to float64"):
            dpnp.add.at(x, i, 1.5j)
        with pytest.raises(TypeError):
            dpnp.add.at(np.ones(3), i, 1)
        close(x, np.ones(3))


class TestOuter:
    @pytest.mark.parametrize("name", ["add", "subtract", "less", "arctan2"])
    def test_shapes(self, name):
        a, b = values("d", (2, 3)), values("d", (4,), 1)
        ours, theirs = getattr(dpnp, name), getattr(np, name)
        close(ours.outer(dpnp.asarray(a), dpnp.asarray(b)), theirs.outer(a, b))
        close(ours.outer(dpnp.asarray(a), 2.0), theirs.outer(a, 2.0))
        close(ours.outer(2.0, dpnp.asarray(b)), theirs.outer(2.0, b))
        with pytest.raises(ValueError):
            dpnp.sqrt.outer(dpnp.asarray(a), dpnp.asarray(b))


def test_numpys_methods_dispatch():
    a = values("i", (5,), low=1)
    x = dpnp.asarray(a)
    close(np.bitwise_or.reduce(x), np.bitwise_or.reduce(a))
    close(np.maximum.accumulate(x), np.maximum.accumulate(a))
    close(np.add.reduceat(x, [0, 2]), np.add.reduceat(a, [0, 2]))
    np.add.at(x, dpnp.array([0, 0]), 1)
    np.add.at(a, np.array([0, 0]), 1)
    close(x, a)


@pytest.mark.parametrize("code", "?bilfdFD")
@pytest.mark.parametrize("length", [1, 10, 300_000])
@pytest.mark.parametrize("step", [1, -1, 2])
def test_sums_of_segments(code, length, step):
    """Segments in order are sums of a sparse matrix's rows, others are composed."""
    random = np.random.default_rng(length)
    host = (random.random(length) * 100).astype(code)[::step]
    places = [
        [0], [len(host) - 1], np.unique(random.integers(0, len(host), 50)), random.integers(0, len(host), 9),
        np.arange(0, len(host), max(1, len(host) // 1000)),
    ]  # fmt: skip
    for starts in places:
        got = dpnp.asnumpy(dpnp.add.reduceat(dpnp.asarray(host), dpnp.asarray(starts)))
        expected = np.add.reduceat(host, starts)
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-3 if code in "fF" else 1e-12)


DTYPE_ARGUMENTS = {
    "floats as integers": lambda np, x: np.add(x, x, dtype="i4"),
    "a float as integer": lambda np, x: np.add(np.arange(3), 1.5, dtype="i4"),
    "complex numbers as floats": lambda np, x: np.multiply(x, 1j, dtype="f8"),
    "integers as narrower ones": lambda np, x: np.add(np.arange(3), 2, dtype="i2"),
    "an integer as unsigned": lambda np, x: np.add(np.arange(3, dtype="u1"), 2, dtype="u2"),
    "floats as narrower ones": lambda np, x: np.multiply(x, 2, dtype="f4"),
    "integers as floats": lambda np, x: np.sqrt(np.arange(3), dtype="f4"),
    "a truth value as float": lambda np, x: np.add(True, x, dtype="f8"),
    "a comparison": lambda np, x: np.equal(x, x, dtype="?"),
    "a test": lambda np, x: np.isnan(x, dtype="?"),
    "floats as truth values": lambda np, x: np.add(x, x, dtype="?"),
    "by a rule": lambda np, x: np.add(x, x, dtype="i4", casting="unsafe"),
    "too many outputs": lambda np, x: np.sqrt(x, out=(x, x)),
    "too few outputs": lambda np, x: np.divmod(x, x, out=(x,)),
    "outputs without arrays": lambda np, x: np.divmod(x, 2.0, out=(None, None)),
}


@pytest.mark.parametrize("case", DTYPE_ARGUMENTS)
def test_dtype_and_out_are_tested_as_numpys(case):
    call = DTYPE_ARGUMENTS[case]

    def outcome(module):
        try:
            return call(module, module.ones(3))
        except Exception as error:
            return TypeError if isinstance(error, TypeError) else type(error)

    expected, found = outcome(np), outcome(dpnp)
    if isinstance(expected, type):
        assert found is expected
    else:
        for one, other in zip(
            np.atleast_2d(expected),
            np.atleast_2d(dpnp.asnumpy(dpnp.stack(found) if isinstance(found, tuple) else found)),
            strict=True,
        ):
            np.testing.assert_allclose(other, one, rtol=1e-6)
            assert other.dtype == one.dtype
