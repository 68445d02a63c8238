"""Random programs that store constants in an array and read it: sieves and the like, as text."""

from __future__ import annotations

import random

_INDICES = ["p", "p - 1", "p + 1", "2 * p", "p * p", "-p", "p // 2", "0", "m.size - p"]
_STARTS = ["p * p", "2 * p", "p", "p + 1", "p + 3", "3", "m.size - p", "1"]
_STEPS = ["p", "1", "2", "p + 1", "2 * p"]


def program(seed: int) -> str:
    """The source of a function f(m, o), which may raise an IndexError."""
    r = random.Random(seed)
    constants = r.choice([[1], [1], [1], [1, 2]])
    lines = ["def f(m, o):"]
    last = []
    if r.random() < 0.5:
        end = r.choice(["m.size // 2", "m.size - 2", "12"])
        lines.append(f"    for p in range({r.choice([1, 2, 3])}, {end}, {r.choice([1, 1, 2])}):")
    else:
        lines.append(f"    p = {r.choice([1, 2])}")
        condition = r.choice(["p * p < m.size", "2 * p < m.size", "p + 1 < m.size and p < 40"])
        lines.append(f"    while {condition}:")
        last = [f"        p += {r.choice([1, 1, 2])}"]
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        kind = r.random()
        if kind < 0.7:
            lines += _condition(r, constants)
        elif kind < 0.85:
            lines += _loop(r, constants, 8)
        else:
            index = r.choice(_INDICES)
            lines += r.choice(
                [
                    [f"        o[0] += m[{index}]"],
                    [f"        t = m[{index}]", "        o[p % 7] = t"],
                    ["        for q in range(7):", "            o[q] += p"],
                ]
            )
    return "\n".join([*lines, *last]) + "\n"


def _condition(r: random.Random, constants: list[int]) -> list[str]:
    test = f"m[{r.choice(_INDICES)}] == {r.choice([0, 1])}"
    if r.random() < 0.3:
        test += f" {r.choice(['and', 'or'])} m[{r.choice(_INDICES)}] != {r.choice([0, 1])}"
    lines = [f"        if {test}:"]
    for _ in range(r.choice([1, 1, 2])):
        lines += _loop(r, constants, 12)
    if r.random() < 0.3:
        lines += ["        else:", *_loop(r, constants, 12)]
    return lines


def _loop(r: random.Random, constants: list[int], indent: int) -> list[str]:
    offset = r.choice(["", "", "", " - 1", " + 1"])
    end = "m.size - 1" if offset == " + 1" else "m.size"
    lines = [f"for q in range({r.choice(_STARTS)}, {end}, {r.choice(_STEPS)}):"]
    lines.append(f"    m[q{offset}] = {r.choice(constants)}")
    if r.random() < 0.15:
        lines.append("    o[q % 7] += 1")
    return [" " * indent + each for each in lines]
