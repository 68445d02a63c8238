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
        made = host._forms_for_gpus(loop, nest, [])
        forms = [each["form"] for each in made["forms"] if each["form"] not in ("sums", "concurrent")]
        found.append(forms[0] if forms else "Python" if made["by_python"] else None)
    return found


def form_of(host, loop, nest, inputs=(), preferred="groups", is_single=False):
    """What the form is made of in which work-items share a loop; None if they do not.

    Args:
        host, loop, nest, inputs: arguments of HostFunction.
        preferred: the form that is returned if the loop has several.
        is_single: whether the form may be one whose work-items execute one iteration each.
    """
    forms = [each for each in host._forms_for_gpus(loop, nest, list(inputs))["forms"] if each["form"] != "sums"]
    forms = [each for each in forms if is_single or not each["single"]]
    return next((each for each in forms if each["form"] == preferred), forms[0] if forms else None)


def as_on_gpus(function, *arguments):
    """Call a function while CPUs execute loops in the forms for GPUs."""
    before = _kernel.set_loops_as_on_gpus(True)
    try:
        return function(*arguments)
    finally:
        _kernel.set_loops_as_on_gpus(before)
