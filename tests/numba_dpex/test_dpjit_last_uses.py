"""Values of variables that an assignment to a slice reads last are released before the assignment."""

from __future__ import annotations

import weakref

import dpnp
import numpy as np
from numba_dpex import dpjit
from numba_dpex.core.dpjit.rewrite import HostFunction

OPTIONS = {"debug": False, "fastmath": ()}


def dead(function) -> list[list[str]]:
    """The variables that each assignment to a slice of a function reads last."""
    found = []

    class Recorded(HostFunction):
        def dead_at(self, node):
            names = super().dead_at(node)
            if hasattr(node.targets[0], "slice"):
                found.append(names)
            return names

    host = Recorded(function, OPTIONS)
    for loop in host._called:
        host._continuation(loop, frozenset())
    return found


def distances(points, result):
    squares = dpnp.sum(points * points, axis=1)
    gram = dpnp.dot(points, points.T)
    gram *= -2
    gram += squares.reshape(-1, 1)
    gram += squares.reshape(1, -1)
    result[:, :] = dpnp.sqrt(dpnp.maximum(gram, 0.0))


def test_results():
    points = np.random.default_rng(1).random((150, 3))
    result = dpnp.zeros((150, 150))
    compiled = dpjit(distances)
    for _ in range(3):
        compiled(dpnp.asarray(points), result)
        expected = np.sqrt(((points[:, None] - points) ** 2).sum(2))
        np.testing.assert_allclose(dpnp.asnumpy(result), expected, atol=1e-7)
    assert dead(distances) == [["gram"]]


def test_variables_that_are_read_later_are_kept():
    def later(x, y):
        a = x + 1
        b = x + 2
        y[:] = a * b
        y[1:] = a[1:] * 2
        return b

    def in_a_loop(x, y):
        a = x + 1
        for k in range(3):
            b = a + k
            y[:] = a * b
        return y

    def parameters_and_targets(x, y):
        a = y + x
        a[1:] = a[:-1] + x[1:]
        return a

    assert dead(later) == [[], ["a"]]
    assert dead(in_a_loop) == [["b"]]
    assert dead(parameters_and_targets) == [[]]
    for function in (later, in_a_loop, parameters_and_targets):
        x, y = np.arange(20_000.0), np.zeros(20_000)
        ours = dpnp.asarray(x), dpnp.asarray(y)
        returned = dpjit(function)(*ours)
        np.testing.assert_array_equal(dpnp.asnumpy(returned), function(x, y))
        np.testing.assert_array_equal(dpnp.asnumpy(ours[1]), y)


def test_variables_that_other_functions_read_are_kept():
    def in_a_function(x, y):
        a = x + 1
        read = lambda: a + 1  # noqa: E731
        y[:] = a * 2
        return read()

    def by_name(x, y):
        a = x + 1
        y[:] = a * 2
        return locals()["a"]

    def in_try(x, y):
        a = x + 1
        try:
            y[:3] = a * 2
        except ValueError:
            return a
        return y

    assert dead(in_a_function) == dead(by_name) == dead(in_try) == [[]]
    for function in (in_a_function, by_name, in_try):
        x, y = np.arange(5.0), np.zeros(5)
        ours = dpnp.asarray(x), dpnp.asarray(y)
        wanted = function(x, y) if function is not in_try else x + 1
        np.testing.assert_array_equal(dpnp.asnumpy(dpjit(function)(*ours)), wanted)


def test_loops_see_that_a_variable_is_unset():
    @dpjit
    def unset(x, y, which):
        if which:
            a = x + 1
        else:
            b = x + 2
        y[:] = (a if which else b) * 2
        total = 0.0
        for i in range(x.size):
            total += y[i]
        return total

    x = dpnp.arange(4.0)
    assert unset(x, dpnp.zeros(4), True) == 20
    assert unset(x, dpnp.zeros(4), False) == 28


def test_the_value_is_released_before_the_assignment():
    class Target:
        def __setitem__(self, index, value):
            self.alive = kept() is not None

    class Value:
        def __add__(self, other):
            return other

    def assign(make, target):
        value = make()
        target[:] = value + 1

    def make():
        nonlocal kept
        made = Value()
        kept = weakref.ref(made)
        return made

    kept = lambda: None  # noqa: E731
    target = Target()
    HostFunction(assign, OPTIONS).run(make, target)
    assert not target.alive
