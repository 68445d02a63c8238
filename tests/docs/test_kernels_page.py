"""docs/kernels.md, docs/dpjit.md and the docstrings of numba_dpex: their examples give the shown results."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pathlib
import pkgutil

import numba_dpex
import pytest

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = ["numba_dpex", *(m.name for m in pkgutil.walk_packages(numba_dpex.__path__, "numba_dpex."))]


@pytest.mark.parametrize(("page", "examples"), [("kernels.md", 50), ("dpjit.md", 15)])
def test_page(page, examples):
    failed, tried = doctest.testfile(str(PAGES / page), module_relative=False, optionflags=FLAGS)
    assert tried > examples and failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0


def test_public_names_have_docstrings():
    for name in numba_dpex.__all__:
        value = getattr(numba_dpex, name)
        if callable(value) and not isinstance(value, numba_dpex.types.scalars.Type):
            assert inspect.getdoc(value), name
