"""Random functions for dpjit: array expressions, loops, parallel loops and reductions, mixed.

Values stay bounded, indices valid, and iterations of parallel loops independent, so that Python on NumPy's arrays gives
the result that every correct implementation must give, up to the rounding of sums.
"""

from __future__ import annotations

import random

import numpy as np

LENGTHS = [1, 3, 17, 400]
VECTORS = ("a", "b", "d")
NUMBERS = ("s", "t")
INTEGERS = ("m", "n")


class RandomFunction:
    """One function, `text`, of the vectors a, b, d (float64), k (int64), the matrix c, and the numbers s and m."""

    def __init__(self, number: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = number
        self.lines: list[str] = []
        self.counters: list[str] = []
        self.made = 0
        self._line(0, f"def function_{number}(a, b, d, k, c, s, m):")
        self._line(1, "t = 0.25")
        self._line(1, "n = 3")
        for _ in range(self.random.randint(3, 7)):
            self._host_statement(1, 0)
        self._line(1, "return s, t, m, n, a, b")
        self.text = "\n".join(self.lines) + "\n\n\n"

    def arguments(self) -> list:
        size = self.random.choice(LENGTHS)
        values = np.random.default_rng(self.number)
        vectors = [values.uniform(-1, 1, size) for _ in VECTORS]
        integers = values.integers(0, 50, size)
        matrix = values.uniform(-1, 1, (self.random.choice([1, 4]), size))
        return [*vectors, integers, matrix, 0.5, 7]

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _pick(self, *choices):
        return self.random.choice(choices)

    def _counter(self) -> str:
        self.made += 1
        return f"i{self.made}"

    # --- expressions

    def _index(self, counters: list[str]) -> str:
        """An index of the vectors."""
        if counters and self.random.random() < 0.8:
            i = self.random.choice(counters)
            return self._pick(
                i, i, f"({i} + 1) % a.size", f"({i} * 7) % a.size", f"-1 - {i} % a.size", f"k[{i}] % a.size"
            )
        return self._pick("0", "-1", "m % a.size")

    def _number(self, depth: int, counters: list[str], without: tuple[str, ...] = ()) -> str:
        """A float between about -9 and 9. `without`: variables and arrays that it does not read."""
        if depth == 0:
            choices = [x for x in NUMBERS if x not in without] + ["0.75", "-0.5"]
            if counters:
                arrays = [x for x in VECTORS if x not in without]
                choices += [f"{x}[{self._index(counters)}]" for x in arrays]
                if "c" not in without:
                    choices += [f"c[0, {self._index(counters)}]", f"dpnp.sum(c[:, {self._index(counters)}]) / 4"]
                choices.append(f"({self.random.choice(counters)} % 5) * 0.3")
            return self.random.choice(choices)
        x, y = self._number(depth - 1, counters, without), self._number(depth - 1, counters, without)
        return self._pick(
            f"({x} + {y})", f"({x} - {y})", f"math.sin({x} - {y})", f"math.tanh({x})", f"min({x}, {y})",
            f"abs({x})", f"math.sqrt(abs({x}) + 0.5)", f"({x} if {y} > 0.1 else {y})",
            f"math.cos({x}) / (2 + math.sin({y}))",
        )  # fmt: skip

    def _bounded(self, counters: list[str], without: tuple[str, ...] = ()) -> str:
        # Differences in rounding must not grow from iteration to iteration.
        return f"0.2 * math.sin({self._number(2, counters, without)})"

    def _condition(self, counters: list[str], without: tuple[str, ...] = ()) -> str:
        x = self._number(1, counters, without)
        y = self._pick("0.1", "-0.2", self._number(0, counters, without))
        test = f"{x} {self._pick('<', '>')} {y}"
        if counters and self.random.random() < 0.4:
            test += f" {self._pick('and', 'or')} {self.random.choice(counters)} % 3 != 1"
        return test

    def _array(self) -> str:
        x, y = self._pick(*VECTORS), self._pick(*VECTORS)
        return self._pick(
            f"dpnp.sin({x} + {y} * s)",
            f"dpnp.where({x} > {y}, {x}, t)",
            f"dpnp.sqrt(dpnp.abs({x} - t) + 1)",
            f"dpnp.cumsum({x}) / {x}.size",
            f"dpnp.tanh({x}[::-1] - {y})",
            "dpnp.sum(c, axis=0) / 4",
            f"({x} + {y}) / 2",
            f"dpnp.minimum({x}, c[-1])",
            f"dpnp.roll({x}, 2)",
            f"dpnp.sort({x})",
        )

    # --- statements of the function itself

    def _host_statement(self, depth: int, nesting: int) -> None:
        choices = [self._sequential] * 3 + [self._parallel] * 4 + [self._array_statement] * 3 + [self._plain] * 2
        if nesting == 0:
            choices += [self._repeat, self._if]
        self.random.choice(choices)(depth, nesting)

    def _plain(self, depth: int, nesting: int) -> None:
        self._line(depth, self._pick(
            f"{self._pick(*NUMBERS)} = {self._bounded([])}", "m = (m * 3 + n) % 41", "n += 1",
            "s = math.sin(a[0] + s)", "t = math.tanh(float(dpnp.sum(b)) / b.size)", "t += b[-1] / 4",
        ))  # fmt: skip

    def _array_statement(self, depth: int, nesting: int) -> None:
        x = self._pick(*VECTORS)
        self._line(depth, self._pick(
            f"{x} = {self._array()}", f"{x}[:] = {self._array()}", f"c[0] = {self._array()}",
            f"{x}[1:3] = {self._bounded([])}", f"{x} *= 0.5", f"c[:, 0] = {self._bounded([])}",
        ))  # fmt: skip

    def _repeat(self, depth: int, nesting: int) -> None:
        self._line(depth, f"for {self._counter()} in range({self.random.randint(0, 3)}):")
        for _ in range(self.random.randint(1, 3)):
            self._host_statement(depth + 1, 1)

    def _if(self, depth: int, nesting: int) -> None:
        self._line(depth, f"if {self._condition([])}:")
        self._host_statement(depth + 1, 1)
        self._line(depth, "else:")
        self._host_statement(depth + 1, 1)

    # --- loops

    def _sequential(self, depth: int, nesting: int) -> None:
        i = self._counter()
        over = self._pick("range(a.size)", "range(a.size - 1, -1, -1)", "range(1, a.size, 2)", "range(min(a.size, 5))")
        self._line(depth, f"for {i} in {over}:")
        self._loop_body(depth + 1, [i], self.random.randint(1, 4), 0)
        if self.random.random() < 0.15:
            self._line(depth, "else:")
            self._line(depth + 1, "n += 2")

    def _loop_body(self, depth: int, counters: list[str], count: int, nesting: int) -> None:
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.25:
                self._line(depth, f"{self._pick(*NUMBERS)} = {self._bounded(counters)}")
            elif kind < 0.5:
                self._line(depth, f"{self._pick(*VECTORS)}[{self._index(counters)}] = {self._bounded(counters)}")
            elif kind < 0.6:
                self._line(depth, f"{self._pick('m', 'n')} = (m + n * 2 + {self._pick(*counters)}) % 101")
            elif kind < 0.7:
                self._line(depth, f"k[{self._index(counters)}] += n % 7")
                self._line(depth, f"k[{self._index(counters)}] %= 50")
            elif kind < 0.78:
                self._line(depth, self._whole_arrays())
            elif kind < 0.88:
                self._line(depth, f"if {self._condition(counters)}:")
                self._loop_body(depth + 1, counters, 1, nesting)
                if self.random.random() < 0.4:
                    self._line(depth + 1, self._pick("break", "continue", "return s, t, m, n, b, a"))
            elif nesting < 1:
                j = self._counter()
                self._line(
                    depth, f"for {j} in range({self._pick('min(a.size, 3)', 'min(a.size, 4)', 'min(a.size, n % 5)')}):"
                )
                self._loop_body(depth + 1, [*counters, j], 2, nesting + 1)
            else:
                self._line(depth, f"s -= {self._number(1, counters)} / 8")

    def _whole_arrays(self) -> str:
        x, y, z = (self._pick(*VECTORS) for _ in range(3))
        return self._pick(
            f"{x}[:] = 0.3 * {y} + 0.2 * dpnp.sin({z})",
            f"{x}[1:] = 0.5 * {y}[1:] - 0.2 * {z}[:-1]",
            f"t = 0.2 * math.sin(dpnp.sum({x} * {y}) / a.size)",
            f"c[-1] = dpnp.where({x} > {y}, 0.5 * {x}, c[0])",
            f"s = 0.2 * float(dpnp.max({x} - {y}))",
            f"{x} *= 0.5",
        )

    def _parallel(self, depth: int, nesting: int) -> None:
        """A loop over prange. It writes to one vector, at its counter, and does not read that vector elsewhere."""
        i = self._counter()
        written = self._pick(*VECTORS)
        sums = [x for x in (*NUMBERS, "m") if self.random.random() < 0.4]
        without = (written, *[x for x in sums if x != "m"])
        bounds = self._pick("a.size", "1, a.size", "a.size - 1, -1, -1", "0, a.size, 3")
        self._line(depth, f"for {i} in prange({bounds}):")
        counters = [i]
        local = f"u{self.made}"
        self._line(depth + 1, f"{local} = {self._bounded(counters, without).replace('m %', '5 %')}")
        if self.random.random() < 0.4:
            j = self._counter()
            self._line(depth + 1, f"for {j} in range({self._pick('min(a.size, 3)', 'min(a.size, 20)')}):")
            self._line(depth + 2, f"{local} += {self._number(1, [i, j], without).replace('m %', '5 %')} / 9")
        if self.random.random() < 0.3:
            self._line(depth + 1, f"if {self._condition(counters, without).replace('m %', '5 %')}:")
            self._line(depth + 2, "continue")
        self._line(depth + 1, f"{written}[{i}] = math.sin({local})")
        for x in sums:
            self._line(
                depth + 1,
                {
                    "s": f"s += {local} / a.size",
                    "t": f"t = {self._pick('min', 'max')}(t, {local})",
                    "m": f"m += k[{i}]",
                }[x],
            )
        if "m" in sums:
            self._line(depth, "m %= 211")
        if "s" in sums:
            self._line(depth, "s = math.sin(s)")
