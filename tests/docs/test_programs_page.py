"""docs/programs.md and the docstrings of dpctl.program: their examples give the shown results."""

from __future__ import annotations

import doctest
import pathlib

import dpctl.program

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "programs.md"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def test_page():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=FLAGS)
    assert tried > 15 and failed == 0


def test_docstrings():
    names = {name: getattr(dpctl.program, name) for name in dpctl.program.__all__}
    names |= {name: getattr(dpctl, name) for name in ("LocalAccessor", "RawKernelArg", "WorkGroupMemory")}
    runner, tried = doctest.DocTestRunner(optionflags=FLAGS), 0
    for name, value in (names | {"module": dpctl.program}).items():
        test = doctest.DocTestParser().get_doctest(value.__doc__, {}, name, None, 0)
        tried += len(test.examples)
        assert runner.run(test).failed == 0, name
    assert tried > 10
