"""String representations of arrays agree with NumPy's."""

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest


@pytest.fixture(autouse=True)
def options_are_restored():
    with dpt.print_options():
        yield


@pytest.mark.parametrize(
    "values",
    [
        1,
        -2.5,
        3j,
        True,
        [],
        [1, 20],
        [[0.5, np.nan], [np.inf, 1e10]],
        np.arange(2000),
        np.arange(8000).reshape(20, 20, 20),
    ],
    ids=str,
)
def test_elements(values):
    a = np.asarray(values)
    assert str(dpt.asarray(a)) == np.array2string(a)


@pytest.mark.parametrize("dtype", ["i8", "f8", "?", "D", "f4", "u1"])
def test_representations(dtype):
    a = np.arange(12).reshape(3, 4).astype(dtype)
    expected = repr(a).replace("array(", "usm_ndarray(").replace("\n" + " " * 6, "\n" + " " * 12)
    assert repr(dpt.asarray(a)) == expected


@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "i8", "f2", "f4", "f8", "F", "D"])
@pytest.mark.parametrize("shape", [(0, 3), (1, 2), (5,), (12,), (3, 4), (2, 3, 1)], ids=str)
def test_dtypes_begin_a_new_line_where_numpy_begins_one(dtype, shape):
    a = np.linspace(-40, 90, np.prod(shape)).reshape(shape).astype(dtype)
    x = dpnp.asarray(a)
    for width in range(20, 100):
        assert dpnp.array_repr(x, width) == np.array_repr(a, width)
    with np.printoptions(threshold=4), dpt.print_options(threshold=4):
        assert repr(x) == repr(a)


FORMATTERS = {
    "floats": ({"float": "{:+.1f}".format}, [0.25, -1.5]),
    "integers": ({"int": hex}, [[1, 20], [300, 4]]),
    "other elements": ({"bool": int}, [0.25, -1.5]),
    "bools": ({"bool": lambda value: "ft"[int(value)]}, [True, False]),
    "complex numbers": ({"complexfloat": "<{:.2f}>".format}, [1 + 2j, -3]),
    "all": ({"all": lambda value: type(value).__name__}, [0.25, -1.5]),
    "no function": ({"float": None}, [0.25]),
}


@pytest.mark.parametrize(("formatter", "values"), FORMATTERS.values(), ids=FORMATTERS)
def test_formatters(formatter, values):
    a = np.asarray(values)
    x = dpt.asarray(a)
    assert dpt.usm_ndarray_str(x, formatter=formatter) == np.array2string(a, formatter=formatter)
    with dpt.print_options(formatter=formatter):
        assert dpt.get_print_options()["formatter"] is formatter
        assert str(x) == np.array2string(a, formatter=formatter)
        dpt.set_print_options(precision=8)  # replaces the formatter, as in NumPy
        assert str(x) == str(a)
    assert str(x) == str(a)


def test_empty_and_abbreviated_arrays_show_their_shape():
    assert repr(dpt.zeros((0, 3))) == "usm_ndarray([], shape=(0, 3), dtype=float64)"
    assert repr(dpt.zeros(0)) == "usm_ndarray([], dtype=float64)"
    assert repr(dpt.asarray(np.arange(1001))) == "usm_ndarray([   0,    1,    2, ...,  998,  999, 1000], shape=(1001,))"


def test_only_the_shown_elements_are_copied(monkeypatch):
    from dpctl.tensor import _print

    copied = []
    monkeypatch.setattr(_print, "asnumpy", lambda x: copied.append(x.size) or dpt.asnumpy(x))
    assert str(dpt.asarray(np.arange(10**6).reshape(1000, 1000))) == str(np.arange(10**6).reshape(1000, 1000))
    assert sum(copied) == 6 * 6


@pytest.mark.parametrize("edge_items", [0, 1, 4])
def test_edge_items(edge_items):
    a = np.arange(90).reshape(9, 10)
    with np.printoptions(threshold=5, edgeitems=edge_items):
        expected = str(a)
    assert dpt.usm_ndarray_str(dpt.asarray(a), threshold=5, edge_items=edge_items) == expected


@pytest.mark.parametrize(
    ("error", "option"),
    [
        (TypeError, {"linewidth": "a"}),
        (TypeError, {"precision": 1.5}),
        (TypeError, {"nanstr": 1}),
        (TypeError, {"formatter": "{:.2f}"}),
        (TypeError, {"formatter": {"float": "{:.2f}"}}),
        (ValueError, {"sign": "x"}),
        (ValueError, {"floatmode": "x"}),
    ],
)
def test_wrong_options_are_refused(error, option):
    before = dpt.get_print_options()
    with pytest.raises(error):
        dpt.set_print_options(**option)
    assert dpt.get_print_options() == before


def test_options():
    x = dpt.asarray([1 / 3, 2.0])
    dpt.set_print_options(precision=2, sign="+")
    assert str(x) == "[+0.33 +2.  ]"
    with dpt.print_options(precision=4) as options:
        assert options["precision"] == 4
        assert str(x) == "[+0.3333 +2.    ]"
    assert str(x) == "[+0.33 +2.  ]"
    dpt.set_print_options(numpy=True)
    assert str(x) == str(dpt.asnumpy(x))
