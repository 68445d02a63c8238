"""Random functions of nested loops that read and store elements of two matrices and two vectors."""

from __future__ import annotations

import random

MATRICES, VECTORS = ("a", "b"), ("u", "v")


def random_program(seed: int) -> str:
    """The source of a module with `program(a, b, u, v, m, p, q)`, for integer arrays of m rows and columns.

    Args:
        seed: the same seed makes the same program. Some have a loop over prange, each of whose iterations stores to its
            own row of `a`.
    """
    return _Program(random.Random(seed)).text()


class _Program:
    def __init__(self, choices: random.Random) -> None:
        self._random, self._lines, self._names = choices, ["def program(a, b, u, v, m, p, q):"], 0
        self._rows = choices.random() < 0.35

    def text(self) -> str:
        if self._rows:
            self._add(1, "for row in prange(1, m - 2):")
            self._block(2, 3, ["row"], [], ["a"])
        else:
            for _ in range(self._random.randint(1, 2)):
                counter = self._name("k")
                first, margin = self._random.choice("12p"), self._random.choice("23")
                self._add(1, f"for {counter} in range({first}, m - {margin}):")
                stored = self._random.sample([*MATRICES, *VECTORS], self._random.randint(1, 3))
                self._block(2, 2, [counter], [], stored)
        return "\n".join(["from numba_dpex import prange", "", "", *self._lines, ""])

    def _add(self, depth: int, line: str) -> None:
        self._lines.append("    " * depth + line)

    def _name(self, letter: str) -> str:
        self._names += 1
        return f"{letter}{self._names}"

    def _index(self, counters: list[str]) -> str:
        return (self._random.choice(counters) if counters else "p") + self._random.choice(
            ["", "", "", " + 1", " - 1", " + p", " + 2"]
        )

    def _element(self, array: str, counters: list[str]) -> str:
        if self._rows and array == "a":
            return f"a[row, {self._index([each for each in counters if each != 'row'])}]"
        if array in VECTORS:
            return f"{array}[{self._index(counters)}]"
        return f"{array}[{self._index(counters)}, {self._index(counters)}]"

    def _expression(self, counters: list[str], scalars: list[str]) -> str:
        choose = self._random
        parts = []
        for _ in range(choose.randint(1, 3)):
            kind = choose.random()
            if kind < 0.5:
                parts.append(self._element(choose.choice([*MATRICES, *VECTORS]), counters))
            elif kind < 0.7 and scalars:
                parts.append(choose.choice(scalars))
            elif kind < 0.8:
                parts.append(choose.choice(counters))
            else:
                parts.append(str(choose.randint(1, 5)))
        text = parts[0]
        for each in parts[1:]:
            text += f" {choose.choice('+-*+')} {each}"
        return f"({text}) % 97"

    def _block(self, depth: int, loops: int, counters: list[str], scalars: list[str], stored: list[str]) -> None:
        choose, scalars = self._random, list(scalars)
        for _ in range(choose.randint(1, 3)):
            kind = choose.random()
            if kind < 0.3 and loops:
                counter = self._name("k")
                first = choose.choice(["1", "1", "2", "p", "p + 1", f"{counters[-1]} + 1"])
                last = choose.choice(["m - 2", "m - 2", "m - 3", "m // 2"])
                step = choose.choice(["", "", "", ", 2", ", q"])
                self._add(depth, f"for {counter} in range({first}, {last}{step}):")
                self._block(depth + 1, loops - 1, [*counters, counter], scalars, stored)
            elif kind < 0.45 and loops:
                self._add(depth, f"if {self._expression(counters, scalars)} > {choose.randint(10, 60)}:")
                self._block(depth + 1, loops - 1, counters, scalars, stored)
            elif kind < 0.6:
                name = self._name("s")
                self._add(depth, f"{name} = {self._expression(counters, scalars)}")
                scalars.append(name)
            elif kind < 0.68 and scalars:
                operator = choose.choice(["+=", "-="])
                self._add(depth, f"{choose.choice(scalars)} {operator} {self._expression(counters, scalars)}")
            else:
                target = self._element(choose.choice(stored), counters)
                operator = choose.choice(["=", "=", "+="])
                self._add(depth, f"{target} {operator} {self._expression(counters, scalars)}")
