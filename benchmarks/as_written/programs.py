"""Array programs as people write them: intermediates have names, and loops carry arrays from step to step.

Each program is text, so that the benchmark runs it at module level, where every name keeps its array until the next
assignment, and as the body of a function. `xp` is the array module. `inputs` makes NumPy arrays from a generator and
the number of elements; `results` are the names whose values are compared. `sizes` are the numbers of elements that the
benchmark takes if none are given.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Program:
    name: str
    inputs: Callable[[np.random.Generator, int], dict[str, np.ndarray]]
    code: str
    results: tuple[str, ...]
    sizes: tuple[int, ...]
    jax: str | None = None  # the text for JAX, where jax.jit cannot trace `code`
    shapes_depend_on_values: bool = False  # jax.jit cannot trace it at all


PROGRAMS: list[Program] = []


def program(
    name: str, inputs: Callable, code: str, *results: str, sizes: tuple[int, ...] = (100_000, 4_000_000), **facts
) -> None:
    if "jax" in facts:
        facts["jax"] = textwrap.dedent(facts["jax"].strip("\n"))
    PROGRAMS.append(Program(name, inputs, textwrap.dedent(code.strip("\n")).rstrip(), results, sizes, **facts))


def function_of(p: Program, xp, names: list[str], code: str | None = None) -> Callable[..., tuple]:
    """The program, or another text of it, as a function that takes the inputs and returns the results."""
    body = textwrap.indent(code or p.code, "    ")
    defined = {"xp": xp}
    text = f"def run({', '.join(names)}):\n{body}\n    return ({', '.join(p.results)},)\n"
    exec(compile(text, p.name, "exec"), defined)
    return defined["run"]


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
