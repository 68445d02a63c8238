"""Random kernels whose work-items exchange values through local memory, and their results in CPython.

The same text serves as both: in a kernel `BARRIER` is a barrier; in a generator it is a `yield`, up to which `lockstep`
runs all work-items of a group before any continues. Between two barriers no work-item writes an element that another
one reads. Numbers stay small, so that nothing overflows.
"""

from __future__ import annotations

import random

import numpy as np

SIZES = [4, 8, 16, 33, 64, 100, 128]
GROUPS = 3


class RandomGroupKernel:
    """A kernel of groups of `size`, with local arrays `arrays` of one element for each work-item."""

    def __init__(self, number: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = number
        self.size = self.random.choice(SIZES)
        self.arrays = ["keys", "more"] if self._chance(0.2) else ["keys"]
        self.lines: list[str] = []
        self._line(1, "value = values[i]")
        self._line(1, "price = 3 * value % 997")
        self._rounds()
        self._line(1, "k = 3")
        if self._chance(0.7):
            self._ending()
        self._line(1, "out[n + i] = value")
        self._line(1, "out[2 * n + i] = price")

    def text(self) -> str:
        """Return the decorated kernel, for a module that imports numba_dpex as ndx and its kernel_api as kapi."""
        parameters = ", ".join(["values", "out", "sums", "n", *self.arrays])
        head = (
            f"@ndx.kernel\ndef kernel_{self.number}(item: kapi.NdItem, {parameters}):\n"
            "    group = item.get_group()\n"
            "    me, i, g = item.get_local_id(0), item.get_global_id(0), group.get_group_id(0)\n"
        )
        return head + "\n".join(self.lines).replace("BARRIER", "kapi.group_barrier(group)") + "\n"

    def lockstep(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the final contents of `out` and `sums`."""
        head = f"def work_item(me, i, g, values, out, sums, n, {', '.join(self.arrays)}):\n"
        names: dict = {}
        exec(head + "\n".join(self.lines).replace("BARRIER", "yield") + "\n    yield\n", names)
        n = len(values)
        out, sums = np.zeros(3 * n, np.int64), np.zeros(GROUPS, np.int64)
        for g in range(GROUPS):
            local = [np.zeros(self.size, np.int64) for _ in self.arrays]
            items = [
                names["work_item"](me, g * self.size + me, g, values, out, sums, n, *local) for me in range(self.size)
            ]
            while items:
                items = [item for item in items if next(item, "done") != "done"]
        return out, sums

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _rounds(self) -> None:
        count = self.random.randint(1, 9)
        header = self.random.choice(
            [f"for k in range({count}, 0, -1):", f"for k in range({count}):", "while k < SIZE:"]
        )
        self._line(1, "k = 1")
        self._line(1, header.replace("SIZE", str(self.size)))
        self._show(2)
        self._line(2, "BARRIER")
        for _ in range(self.random.choice([1, 1, 1, 2])):
            self._update(2)
        self._line(2, "BARRIER")
        if self._chance(0.2):
            self._section(2, self._condition())
        if header.startswith("while"):
            self._line(2, "k *= 2")

    def _ending(self) -> None:
        """The last statements: by all work-items, by the leader, or in sections for single work-items."""
        how = self.random.randrange(3)
        self._line(1, "BARRIER")
        self._show(1)
        self._line(1, "BARRIER")
        if how == 0:
            return self._update(1)
        if how == 1:
            self._line(1, "if me < 1:")
            self._line(2, f"keys[me] = (keys[me] + keys[{self.size - 1}]) % 1009")
            self._line(1, "if me == 0:")
            self._line(2, "sums[g] = keys[0]")
        else:
            one = self.random.choice([0, 0, self.size - 1, self.random.randrange(self.size)])
            for _ in range(self.random.randint(2, 3)):
                last = self.size - 1
                alike = [f"me == {one}"] + ["me < 1"] * (one == 0) + [f"me > {last - 1}"] * (one == last)
                others = ["me < 2", f"me == {self.random.randrange(self.size)}"]
                self._line(1, f"if {self.random.choice(alike * 3 + others)}:")
                self._line(2, self.random.choice(["keys[me] = 2 * keys[me] % 1009", "out[i] = keys[me] + 1"]))
        self._line(1, "BARRIER")
        self._line(1, "value = (value + keys[me]) % 1009")

    def _show(self, depth: int) -> None:
        for array in self.arrays:
            self._line(depth, f"{array}[me] = {'value' if array == 'keys' else self.random.choice(['value', 'price'])}")

    def _index(self) -> str:
        size = self.size
        indices = [
            f"(me + 1) % {size}", f"(me + {size - 1}) % {size}", f"{size - 1} - me", "me", f"min(me + 1, {size - 1})",
            "max(me - k, 0)", f"(me + k) % {size}", "0",
        ]  # fmt: skip
        if size & (size - 1) == 0:
            indices += [f"me ^ (k % {size})", f"me ^ {size // 2}"] * 2
        return self.random.choice(indices)

    def _condition(self) -> str:
        half, last = self.size // 2, self.size - 1
        return self.random.choice([
            "me < k", "me >= k", "me % 2 == 0", f"me < {half}", f"me < {last}", "value % 2 == 0", "me != k", "me < 1",
            f"me == {half}", "k % 2 == 0",
        ])  # fmt: skip

    def _update(self, depth: int) -> None:
        theirs = f"{self.random.choice(self.arrays)}[{self._index()}]"
        how = self.random.randrange(4)
        if how == 0:
            self._line(depth, f"value = (3 * value + {theirs}) % 1009")
        elif how == 1:
            self._line(depth, f"value = max(value, {theirs}) if {self._condition()} else min(value, {theirs})")
        elif how == 2:
            self._line(depth, f"if {self._condition()}:")
            self._line(depth + 1, f"value = (value + 2 * {theirs}) % 1009")
            self._line(depth + 1, "price = (5 * price + value) % 997")
        else:
            self._line(depth, f"other = {theirs}")
            self._section(depth, self._condition())
            self._line(depth, "value = (value + other) % 1009")

    def _section(self, depth: int, condition: str) -> None:
        self._line(depth, f"if {condition}:")
        changes = ["price = (price + value) % 997", "value = (value + 7) % 1009", "out[i] = value + price"]
        self._line(depth + 1, self.random.choice(changes))
