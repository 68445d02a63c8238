"""dpnp.ndarray: constructor, attributes, methods and operators."""

from __future__ import annotations

import copy
import doctest
import operator
import pickle

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from reference import assert_same, values


def test_constructor():
    x = dpnp.ndarray((2, 3), dtype="i4", order="F", usm_type="shared")
    assert (x.shape, x.dtype, x.usm_type, x.flags.f_contiguous) == ((2, 3), np.int32, "shared", True)
    base = dpnp.arange(6)
    view = dpnp.ndarray((3,), buffer=base, strides=(2,), offset=1)
    assert_same(view, np.array([1, 3, 5]))
    view[0] = 9
    assert int(base[1]) == 9


def test_attributes():
    host = np.arange(24, dtype="f4").reshape(2, 3, 4)
    x = dpnp.array(host)
    assert (x.ndim, x.size, x.itemsize, x.nbytes) == (host.ndim, host.size, host.itemsize, host.nbytes)
    assert_same(x.T, host.T)
    assert_same(x.mT, host.mT)


def test_real_and_imag_can_be_assigned():
    host = np.array([1 + 2j, 3 - 1j])
    x = dpnp.array(host)
    host.real, x.real = 5, 5
    host.imag, x.imag = [7, 8], dpnp.array([7, 8])
    assert_same(x, host)
    y = dpnp.ones(2)
    y.real = 3
    assert_same(y, np.array([3.0, 3.0]))
    with pytest.raises(TypeError):
        y.imag = 1
    with pytest.raises(ValueError, match="read-only"):
        y.imag[0] = 1


METHODS = [
    ("astype", ("i4",)), ("reshape", (3, -1)), ("reshape", ((6, 2),)), ("transpose", ()), ("transpose", (1, 0)),
    ("transpose", ((1, 0),)), ("ravel", ()), ("flatten", ("F",)), ("squeeze", ()), ("swapaxes", (0, 1)),
    ("repeat", (2, 0)), ("clip", (-1, 1)), ("round", (1,)), ("conj", ()), ("conjugate", ()), ("copy", ("F",)),
    ("diagonal", ()), ("trace", ()), ("tolist", ()), ("item", (5,)), ("item", (2, 1)),
]  # fmt: skip


@pytest.mark.parametrize("name, arguments", METHODS)
def test_methods(name, arguments):
    host = values("d", (4, 3))
    found, expected = getattr(dpnp.array(host), name)(*arguments), getattr(host, name)(*arguments)
    if name in ("tolist", "item"):
        assert found == expected
    else:
        assert_same(found, expected)


def test_fill():
    x = dpnp.empty((2, 3), dtype="i4")
    x.fill(7)
    assert_same(x, np.full((2, 3), 7, "i4"))
    for wrong, error in (("7", TypeError), (dpnp.ones(2), ValueError)):
        with pytest.raises(error):
            x.fill(wrong)


def test_flat():
    host = values("i", (3, 4))
    x = dpnp.array(host)
    assert [int(i) for i in x.flat] == list(host.flat)
    assert int(x.flat[-2]) == host.flat[-2]
    x.flat[5] = 77
    assert int(x[1, 1]) == 77
    for wrong, error in (("1", TypeError), (99, IndexError)):
        with pytest.raises(error):
            x.flat[wrong]


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "eq"])
def test_operators(name):
    f = getattr(operator, name)
    a, b = values("d", (3, 4), 1, 1, 3), values("d", (4,), 2, 1, 3)
    assert_same(f(dpnp.array(a), dpnp.array(b)), f(a, b))
    assert_same(f(dpnp.array(a), 2), f(a, 2))
    assert_same(f(2, dpnp.array(a)), f(2, a))


def test_operations_with_dpctl_arrays_return_dpnp_arrays():
    mixed = dpnp.ones(2) + dpt.ones(2), dpt.ones(2) + dpnp.ones(2)
    assert all(type(x) is dpnp.ndarray for x in mixed)


def test_derived_classes():
    class Loud(dpnp.ndarray):
        def sum(self):
            return f"loud {super().sum()}"

        def ravel(self):
            return ("loud", super().ravel())

    x = Loud((2, 3))
    x.note = "kept"
    x[...] = 1
    assert type(x) is Loud and x.note == "kept"
    assert x.sum() == "loud 6.0"
    assert x.ravel()[1].shape == (6,)
    assert type(x + 1) is dpnp.ndarray
    with pytest.raises(AttributeError):
        dpnp.ndarray((2, 3)).note = 1


def test_get_array_returns_the_same_object_each_time():
    x = dpnp.arange(6)
    plain = x.get_array()
    assert type(plain) is dpt.usm_ndarray
    assert x.get_array() is plain is x.__usm_ndarray__
    plain += 1
    x *= 2
    plain[0] = -1
    assert_same(x, np.array([-1, 4, 6, 8, 10, 12]))
    assert_same(plain, dpnp.asnumpy(x))
    x.shape = (2, 3)
    assert plain.shape == (2, 3)
    made = dpt.zeros(3)
    assert dpnp.asarray(made).get_array() is made
    assert dpnp.ndarray._create_from_usm_ndarray(made).get_array() is made
    keeper = x.get_array()
    del x, plain
    assert dpt.asnumpy(keeper)[1, 2] == 12


@pytest.mark.parametrize(
    "function",
    [
        lambda out: dpnp.add(dpnp.ones(3), 1, out=out),
        lambda out: dpnp.cumsum(dpnp.ones(3), out=out),
        lambda out: dpnp.max(dpnp.ones((2, 3)), axis=0, out=out),
        lambda out: dpnp.nansum(dpnp.ones((2, 3)), axis=0, out=out),
        lambda out: dpnp.round(dpnp.ones(3), out=out),
        lambda out: dpnp.sinc(dpnp.ones(3), out=out),
    ],
)
def test_results_in_out_arrays_of_dpctl(function):
    out = dpt.zeros(3)
    result = function(out)
    assert type(result) is dpnp.ndarray
    assert result.get_array() is out
    assert_same(result, dpt.asnumpy(out))


@pytest.mark.parametrize("other", [np.ones(3), [1, 2, 3], "text", dpnp])
@pytest.mark.parametrize("name", ["add", "mul", "lt", "eq", "iadd"])
def test_operators_refuse_other_objects(name, other):
    x = dpnp.ones(3)
    for f in (lambda: getattr(operator, name)(x, other), lambda: getattr(operator, name)(other, x)):
        if name == "iadd" and isinstance(other, list):
            continue  # the list would iterate over x
        if name == "eq" and isinstance(other, str):
            continue  # no element equals it
        with pytest.raises((TypeError, ValueError)):
            f()
    assert_same(x, np.ones(3))


def test_in_place_operators():
    x = dpnp.ones(3)
    same = x
    x += 2
    x *= dpnp.arange(3.0)
    assert x is same
    assert_same(x, np.array([0.0, 3, 6]))


def test_numpy_does_not_convert_operands():
    with pytest.raises(TypeError):
        np.asarray(dpnp.ones(2))
    with pytest.raises(TypeError, match=r"numpy\.isnat: dpnp has no such function"):
        np.isnat(dpnp.ones(2))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_and_pickles(duplicate):
    x = dpnp.arange(3)
    y = duplicate(x)
    y[0] = 5
    assert type(y) is dpnp.ndarray
    assert_same(x, np.arange(3))


def test_string_representations():
    assert repr(dpnp.arange(3)) == "array([0, 1, 2])"
    assert str(dpnp.arange(3)) == "[0 1 2]"
    assert repr(dpnp.ones((1, 2), dtype="f4")) == "array([[1., 1.]], dtype=float32)"


def test_namespace():
    assert dpnp.ones(1).__array_namespace__() is dpnp
    assert dpnp.__version__ == "0.18.1"
    assert all(hasattr(dpnp, name) for name in dpnp.__all__)


@pytest.mark.parametrize("name", [n for n in dpnp.__all__ if ">>>" in (getattr(dpnp, n).__doc__ or "")])
def test_examples_of_docstrings(name):
    thing = getattr(dpnp, name)
    if isinstance(thing, (type, int, float)) or getattr(thing, "__module__", "").startswith("numpy"):
        pytest.skip("a type of NumPy, or ours, whose methods are tested above")
    example = doctest.DocTestParser().get_doctest(thing.__doc__, {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
    assert runner.run(example).failed == 0
