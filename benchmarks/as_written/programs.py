"""Array programs as people write them: intermediates have names, and loops carry arrays from step to step.

Each program is text, so that the benchmark runs it at module level, where every name keeps its array until the next
assignment, and as the body of a function. `xp` is the array module. `inputs` makes NumPy arrays from a generator and
the number of elements; `results` are the names whose values are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Program:
    name: str
    inputs: Callable[[np.random.Generator, int], dict[str, np.ndarray]]
    code: str
    results: tuple[str, ...]


PROGRAMS: list[Program] = []


def program(name: str, inputs: Callable, code: str, *results: str) -> None:
    lines = code.strip("\n").split("\n")
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    PROGRAMS.append(Program(name, inputs, "\n".join(line[indent:] for line in lines), results))


def normal(*names: str) -> Callable:
    return lambda r, n: {name: r.standard_normal(n) for name in names}


def uniform(*names: str) -> Callable:
    return lambda r, n: {name: r.random(n) for name in names}


def square(name: str) -> Callable:
    return lambda r, n: {name: r.standard_normal((math.isqrt(n), math.isqrt(n)))}


def rows(name: str, columns: int) -> Callable:
    return lambda r, n: {name: r.standard_normal((max(n // columns, 1), columns))}


def columns(name: str, length: int) -> Callable:
    return lambda r, n: {name: r.standard_normal((length, max(n // length, 1)))}
