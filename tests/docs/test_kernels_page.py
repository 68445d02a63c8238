"""docs/kernels.md and the docstrings of numba_dpex: their examples give the shown results."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pathlib
import pkgutil

import numba_dpex
import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "kernels.md"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = ["numba_dpex", *(m.name for m in pkgutil.walk_packages(numba_dpex.__path__, "numba_dpex."))]


def test_page():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=FLAGS)
    assert tried > 50 and failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0


def test_public_names_have_docstrings():
    for name in numba_dpex.__all__:
        value = getattr(numba_dpex, name)
        if callable(value) and not isinstance(value, numba_dpex.types.scalars.Type):
            assert inspect.getdoc(value), name
