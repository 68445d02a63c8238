"""Random kernels that divide, shift and mask their ids in several steps, compared with NumPy."""

from __future__ import annotations

import linecache
import os

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest

KERNELS = int(os.environ.get("DPEP_TEST_DIVISIONS", "40"))


def expression(random: np.random.Generator, names: list[str], depth: int) -> str:
    """An expression of integers."""
    if depth == 0 or random.random() < 0.15:
        return names[random.integers(len(names))]
    operand = expression(random, names, depth - 1)
    constant = int(random.choice([1, 2, 3, 5, 7, 15, 16, 17, 30, 64, 100, 128, 1000]))
    match random.integers(9):
        case 0 | 1:
            return f"({operand} // {random.choice(['p', 'q', str(constant), '(p * q)', f'-{constant}'])})"
        case 2 | 3:
            return f"({operand} % {random.choice(['p', 'q', str(constant), '(q - 1)', f'-{constant}'])})"
        case 4:
            return f"({operand} >> {constant % 11})"
        case 5:
            return f"({operand} & {constant - 1})"
        case 6:
            return f"({operand} {random.choice(['+', '-'])} {constant})"
        case 7:
            return f"({operand} {random.choice(['+', '-'])} {expression(random, names, depth - 1)})"
    return f"({operand} * {random.choice(['p', str(constant)])})"


def source_of(random: np.random.Generator, dimensions: int) -> str:
    lines = ["def kernel(item, p, q, y):"]
    names = ["i", "j"][:dimensions]
    lines += [f"    {name} = item.get_id({d})" for d, name in enumerate(names)]
    index = ", ".join(names)
    for k in range(random.integers(1, 4)):
        lines.append(f"    v{k} = {expression(random, names, 3)}")
        names.append(f"v{k}")
    if random.random() < 0.4:
        lines.append(f"    if {expression(random, names, 2)} > 20:")
        lines.append(f"        v0 = {expression(random, names, 3)}")
    lines.append(f"    y[{index}] = {' + '.join(names)}")
    return "\n".join(lines) + "\n"


def in_numpy(source: str, shape: tuple[int, ...], p: int, q: int) -> np.ndarray:
    """The result of the statements for all ids."""
    variables: dict = dict(zip("ij", np.indices(shape), strict=False)) | {"p": np.int64(p), "q": np.int64(q)}
    lines = [line.strip() for line in source.splitlines()[1:] if "get_id" not in line]
    with np.errstate(all="ignore"):
        while lines:
            line = lines.pop(0)
            if line.startswith("if "):
                condition = eval(line[3:-1], variables)
                value = eval(lines.pop(0).split(" = ", 1)[1], variables)
                variables["v0"] = np.where(condition, value, variables["v0"])
            elif line.startswith("y["):
                return np.broadcast_to(eval(line.split(" = ", 1)[1], variables), shape)
            else:
                name, text = line.split(" = ", 1)
                variables[name] = eval(text, variables)
    raise AssertionError(source)


@pytest.mark.parametrize("seed", range(KERNELS))
def test_random_divisions(seed):
    random = np.random.default_rng(seed)
    dimensions = int(random.integers(1, 3))
    source = source_of(random, dimensions)
    name = f"<divisions {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names: dict = {}
    exec(compile(source, name, "exec"), names)
    kernel = ndx.kernel(names["kernel"])
    for p, q in [(100, 37), (16, 1000), (3, 20), (-18, 50), (0, 64), (999, 2)]:
        shape = (5000,) if dimensions == 1 else (7, 700)
        y = dpnp.zeros(shape, dtype="i8")
        ndx.call_kernel(kernel, ndx.Range(*shape), p, q, y)
        np.testing.assert_array_equal(dpnp.asnumpy(y), in_numpy(source, shape, p, q), err_msg=f"{p} {q}\n{source}")
