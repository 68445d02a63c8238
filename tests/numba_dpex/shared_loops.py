"""Helpers of the tests of loops that work-items share."""

from __future__ import annotations

import ast

import numpy as np
from dpep import _kernel
from numba_dpex.core.dpjit.rewrite import HostFunction

M = 70


def matrix(m=M, n=M, dtype="f8"):
    return np.random.default_rng(m + n).integers(1, 90, (m, n)).astype(dtype)


def forms_of(function):
    """For each loop of a function that has no parallel loops in it, the form in which work-items share it, or None."""
    host = HostFunction(function, {"debug": False, "fastmath": frozenset()})
    found = []
    for loop in (each for each in ast.walk(host._tree) if isinstance(each, ast.For | ast.While)):
        nest = host._nest_of(loop) if host.is_parallel(loop) else None
        made = host._shared_tree(loop, nest, [])
        found.append(made and (made["form"] or "Python"))
    return found


def as_on_gpus(function, *arguments):
    """Call a function while CPUs execute loops in the forms for GPUs."""
    before = _kernel.set_loops_as_on_gpus(True)
    try:
        return function(*arguments)
    finally:
        _kernel.set_loops_as_on_gpus(before)
