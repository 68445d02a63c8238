"""The examples in the docstrings of dpctl.tensor give the shown results."""

from __future__ import annotations

import doctest

import dpctl.tensor as dpt
import pytest

PUBLIC = {
    name: value for name in dpt.__all__ if callable(value := getattr(dpt, name)) and ">>> " in (value.__doc__ or "")
}


def test_functions_have_examples():
    without = {name for name in dpt.__all__ if callable(getattr(dpt, name)) and name not in PUBLIC}
    assert without <= {
        "__array_namespace_info__",
        "BinaryElementwiseFunc",  # whose objects have examples
        "Device",
        "DLDeviceType",
        "UnaryElementwiseFunc",
        "dtype",
    }  # NumPy's; others have examples in methods


@pytest.mark.parametrize("name", PUBLIC)
def test_examples(name):
    test = doctest.DocTestParser().get_doctest(PUBLIC[name].__doc__, {}, name, None, None)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not said, "".join(said)
