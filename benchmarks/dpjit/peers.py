"""dpjit and its peers on a CPU: how each compiles a program, gets its arguments, is called, and returns its results."""

from __future__ import annotations

import importlib
import types

import numpy as np
import programs


def with_globals(function: types.FunctionType, **changed) -> types.FunctionType:
    """The function with other globals."""
    made = types.FunctionType(function.__code__, {**function.__globals__, **changed}, function.__name__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


class Peer:
    """A program as NumPy executes it; the other classes differ from it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.function = self.compile(programs.PROGRAMS[name][0])

    def compile(self, function):
        return importlib.import_module("numpy_programs").PROGRAMS[self.name]

    def prepare(self, given) -> list:
        """New arguments; this is not timed."""
        return [each.copy() if isinstance(each, np.ndarray) else each for each in given]

    def call(self, arguments):
        """The call that is timed: the results are complete when it returns."""
        return self.function(*arguments)

    def results(self, arguments, returned) -> list:
        return [self.to_numpy(each) for each in programs.results_of(self.name, arguments, returned)]

    @staticmethod
    def to_numpy(value):
        return np.asarray(value)


def numba_pairwise_arrays(points, distances):
    """Without `gram += squares.reshape(...)`, of which Numba 0.68 with parallel=True computes wrong results."""
    squares = np.sum(points * points, axis=1)
    gram = squares.reshape(-1, 1) + squares.reshape(1, -1) - 2 * np.dot(points, points.T)
    distances[:, :] = np.sqrt(np.maximum(gram, 0.0))


class Numba(Peer):
    def compile(self, function):
        numba = importlib.import_module("numba")
        function = {"pairwise distance, arrays": numba_pairwise_arrays}.get(self.name, function)
        return numba.njit(parallel=True, fastmath=True)(with_globals(function, prange=numba.prange))


class Dpjit(Peer):
    def compile(self, function):
        self.dpnp = importlib.import_module("dpnp")
        numba_dpex = importlib.import_module("numba_dpex")
        changed = with_globals(function, np=self.dpnp, prange=numba_dpex.prange)
        return numba_dpex.dpjit(fastmath=True)(changed)

    def prepare(self, given):
        return [self.dpnp.asarray(each) if isinstance(each, np.ndarray) else each for each in given]

    def call(self, arguments):
        returned = self.function(*arguments)
        self.dpnp.synchronize_array_data(next(each for each in arguments if isinstance(each, self.dpnp.ndarray)))
        return returned

    def to_numpy(self, value):
        return self.dpnp.asnumpy(value) if isinstance(value, self.dpnp.ndarray) else np.asarray(value)


class Jax(Peer):
    def compile(self, function):
        self.jax = importlib.import_module("jax")
        self.programs = importlib.import_module("jax_programs")
        return self.programs.compiled(self.name)

    def prepare(self, given):
        return self.programs.arguments(self.name, given)

    def call(self, arguments):
        return self.jax.block_until_ready(self.function(*arguments))

    def results(self, arguments, returned):
        return [np.asarray(each) for each in (returned if isinstance(returned, (tuple, list)) else (returned,))]


PEERS = {"numba": Numba, "jax": Jax, "numpy": Peer}


def installed(names: list[str]) -> list[str]:
    """The packages that can be imported; names the others."""
    found = []
    for name in names:
        try:
            importlib.import_module(name)
            found.append(name)
        except ImportError as error:
            print(f"{name} is left out: {error}")
    return found
