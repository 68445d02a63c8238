# ruff: noqa: B007
"""The same results by kernels that are written in different ways: which are fast, and which are not.

    DPEP_NUM_THREADS=1 python benchmarks/python_kernels/ways.py [--only NAME…] [--turns N] [--markdown]

Each result is compared with NumPy's. Times are minima of the turns, in milliseconds, and their ratios to the fastest
way. docs/kernels.md has the table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

import dpnp
import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi


class Way(NamedTuple):
    """A kernel, its index space and the local memory that follows its arguments."""

    title: str
    kernel: Callable
    space: ndx.Range | ndx.NdRange
    local: tuple = ()


class Problem(NamedTuple):
    """Inputs, the result of NumPy, and the ways to compute it. Kernels take the inputs, then the result."""

    name: str
    inputs: list
    wanted: np.ndarray
    ways: list[Way]


HEIGHT = WIDTH = 1024
TILE = 16
GROUP = 256
ROWS, COLUMNS = 4096, 512
random = np.random.default_rng(1)

# --- a blur of 3 x 3


@ndx.kernel
def blur_direct(item: kapi.Item, x, y):
    i, j = item.get_id(0), item.get_id(1)
    if 0 < i < x.shape[0] - 1 and 0 < j < x.shape[1] - 1:
        total = np.float32(0)
        for a in range(3):
            for b in range(3):
                total += x[i + a - 1, j + b - 1]
        y[i, j] = total / np.float32(9)


@ndx.kernel
def blur_tile_by_edges(item: kapi.NdItem, x, y, tile):
    i, j = item.get_global_id(0), item.get_global_id(1)
    li, lj = item.get_local_id(0) + 1, item.get_local_id(1) + 1
    tile[li, lj] = x[i, j]
    if li == 1 and i > 0:
        tile[0, lj] = x[i - 1, j]
        if lj == 1 and j > 0:
            tile[0, 0] = x[i - 1, j - 1]
        if lj == TILE and j < x.shape[1] - 1:
            tile[0, TILE + 1] = x[i - 1, j + 1]
    if li == TILE and i < x.shape[0] - 1:
        tile[TILE + 1, lj] = x[i + 1, j]
        if lj == 1 and j > 0:
            tile[TILE + 1, 0] = x[i + 1, j - 1]
        if lj == TILE and j < x.shape[1] - 1:
            tile[TILE + 1, TILE + 1] = x[i + 1, j + 1]
    if lj == 1 and j > 0:
        tile[li, 0] = x[i, j - 1]
    if lj == TILE and j < x.shape[1] - 1:
        tile[li, TILE + 1] = x[i, j + 1]
    kapi.group_barrier(item.get_group())
    if 0 < i < x.shape[0] - 1 and 0 < j < x.shape[1] - 1:
        total = np.float32(0)
        for a in range(3):
            for b in range(3):
                total += tile[li + a - 1, lj + b - 1]
        y[i, j] = total / np.float32(9)


@ndx.kernel
def blur_tile_by_a_loop(item: kapi.NdItem, x, y, tile):
    i, j = item.get_global_id(0), item.get_global_id(1)
    li, lj = item.get_local_id(0), item.get_local_id(1)
    first_i, first_j = i - li - 1, j - lj - 1
    for k in range(li * TILE + lj, (TILE + 2) * (TILE + 2), TILE * TILE):
        a, b = k // (TILE + 2), k % (TILE + 2)
        si = min(max(first_i + a, 0), x.shape[0] - 1)
        sj = min(max(first_j + b, 0), x.shape[1] - 1)
        tile[a, b] = x[si, sj]
    kapi.group_barrier(item.get_group())
    if 0 < i < x.shape[0] - 1 and 0 < j < x.shape[1] - 1:
        total = np.float32(0)
        for a in range(3):
            for b in range(3):
                total += tile[li + a, lj + b]
        y[i, j] = total / np.float32(9)


def blurred(x):
    y = np.zeros_like(x)
    y[1:-1, 1:-1] = sum(x[a : a + HEIGHT - 2, b : b + WIDTH - 2] for a in range(3) for b in range(3)) / np.float32(9)
    return y


# --- sums of rows


@ndx.kernel
def row_by_item(item: kapi.Item, x, y):
    i = item.get_id(0)
    total = np.float32(0)
    for j in range(x.shape[1]):
        total += x[i, j]
    y[i] = total


@ndx.kernel(fastmath={"reassoc"})
def row_by_item_reordered(item: kapi.Item, x, y):
    i = item.get_id(0)
    total = np.float32(0)
    for j in range(x.shape[1]):
        total += x[i, j]
    y[i] = total


@ndx.kernel
def row_by_group(item: kapi.NdItem, x, y):
    group = item.get_group()
    total = kapi.joint_reduce(group, x[group.get_group_id(0)], kapi.plus)
    if group.leader:
        y[group.get_group_id(0)] = total


@ndx.kernel
def row_by_atomics(item: kapi.Item, x, y):
    kapi.AtomicRef(y, item.get_id(0)).fetch_add(x[item.get_id(0), item.get_id(1)])


# --- sums of columns


@ndx.kernel
def column_by_item(item: kapi.Item, x, y):
    j = item.get_id(0)
    total = np.float32(0)
    for i in range(x.shape[0]):
        total += x[i, j]
    y[j] = total


@ndx.kernel
def column_by_atomics(item: kapi.Item, x, y):
    kapi.AtomicRef(y, item.get_id(1)).fetch_add(x[item.get_id(0), item.get_id(1)])


# --- a sum of all elements


@ndx.kernel
def sum_by_reduction(item: kapi.NdItem, x, y):
    total = kapi.reduce_over_group(item.get_group(), x[item.get_global_id(0)], kapi.plus)
    if item.get_group().leader:
        kapi.AtomicRef(y, 0).fetch_add(total)


@ndx.kernel
def sum_by_tree(item: kapi.NdItem, x, y, tile):
    i = item.get_local_id(0)
    tile[i] = x[item.get_global_id(0)]
    step = GROUP // 2
    while step > 0:
        kapi.group_barrier(item.get_group())
        if i < step:
            tile[i] += tile[i + step]
        step //= 2
    if i == 0:
        kapi.AtomicRef(y, 0).fetch_add(tile[0])


@ndx.kernel
def sum_by_constant_shuffles(item: kapi.NdItem, x, y, tile):
    group = item.get_sub_group()
    total = x[item.get_global_id(0)]
    for step in (16, 8, 4, 2, 1):
        if step < group.get_local_linear_range():
            total += kapi.shift_group_left(group, total, step)
    if group.get_local_linear_id() == 0:
        tile[group.get_group_linear_id()] = total
    kapi.group_barrier(item.get_group())
    if item.get_local_id(0) == 0:
        whole = np.float64(0)
        for k in range(group.get_group_linear_range()):
            whole += tile[k]
        kapi.AtomicRef(y, 0).fetch_add(whole)


@ndx.kernel
def sum_by_shuffles(item: kapi.NdItem, x, y, tile):
    group = item.get_sub_group()
    size, lane = group.get_local_linear_range(), group.get_local_linear_id()
    total = x[item.get_global_id(0)]
    step = size // 2
    while step > 0:
        total += kapi.shift_group_left(group, total, step)
        step //= 2
    if lane == 0:
        tile[group.get_group_linear_id()] = total
    kapi.group_barrier(item.get_group())
    if item.get_local_id(0) == 0:
        whole = np.float64(0)
        for k in range(group.get_group_linear_range()):
            whole += tile[k]
        kapi.AtomicRef(y, 0).fetch_add(whole)


@ndx.kernel
def sum_by_atomics(item: kapi.Item, x, y):
    kapi.AtomicRef(y, 0).fetch_add(x[item.get_id(0)])


# --- a histogram of bytes


@ndx.kernel
def histogram_global(item: kapi.Item, x, y):
    kapi.AtomicRef(y, x[item.get_id(0)]).fetch_add(1)


@ndx.kernel
def histogram_local(item: kapi.NdItem, x, y, counts):
    i = item.get_local_id(0)
    counts[i] = 0
    kapi.group_barrier(item.get_group())
    for k in range(16):
        kapi.AtomicRef(counts, x[item.get_group().get_group_id(0) * GROUP * 16 + k * GROUP + i]).fetch_add(1)
    kapi.group_barrier(item.get_group())
    kapi.AtomicRef(y, i).fetch_add(counts[i])


# --- a prefix sum of each group


@ndx.kernel
def scan_by_algorithm(item: kapi.NdItem, x, y):
    i = item.get_global_id(0)
    y[i] = kapi.inclusive_scan_over_group(item.get_group(), x[i], kapi.plus)


@ndx.kernel
def scan_by_barriers(item: kapi.NdItem, x, y, tile):
    i = item.get_local_id(0)
    tile[i] = x[item.get_global_id(0)]
    step = 1
    while step < GROUP:
        kapi.group_barrier(item.get_group())
        before = tile[i - step] if i >= step else np.float64(0)
        kapi.group_barrier(item.get_group())
        tile[i] += before
        step *= 2
    y[item.get_global_id(0)] = tile[i]


# --- lengths of vectors of seven numbers


@ndx.kernel
def lengths_of_rows(item: kapi.Item, x, y):
    i = item.get_id(0)
    total = np.float32(0)
    for k in range(7):
        total += x[i, k] * x[i, k]
    y[i] = total


@ndx.kernel
def lengths_of_flat_rows(item: kapi.Item, x, y):
    i = item.get_id(0)
    flat = x.size // y.size
    total = np.float32(0)
    for k in range(flat):
        total += x[i, k] * x[i, k]
    y[i] = total


@ndx.kernel
def lengths_of_copies(item: kapi.Item, x, y):
    i = item.get_id(0)
    own = kapi.PrivateArray(7, np.float32)
    for k in range(7):
        own[k] = x[i, k]
    total = np.float32(0)
    for k in range(7):
        total += own[k] * own[k]
    y[i] = total


# --- early exits


@ndx.kernel
def escape_by_break(item: kapi.Item, x, y):
    i = item.get_id(0)
    z, count = np.float32(0), 0
    for k in range(200):
        z = z * z + x[i]
        if z > np.float32(4):
            break
        count += 1
    y[i] = count


@ndx.kernel
def escape_by_while(item: kapi.Item, x, y):
    i = item.get_id(0)
    z, count = np.float32(0), 0
    while count < 200:
        z = z * z + x[i]
        if z > np.float32(4):
            break
        count += 1
    y[i] = count


@ndx.kernel
def escape_without_exit(item: kapi.Item, x, y):
    i = item.get_id(0)
    z, count, inside = np.float32(0), 0, 1
    for k in range(200):
        z = min(z * z + x[i], np.float32(1e9))
        inside = inside if z <= np.float32(4) else 0
        count += inside
    y[i] = count


def escapes(x):
    z, count, inside = np.zeros_like(x), np.zeros(x.size, "i4"), np.ones(x.size, "?")
    for _ in range(200):
        z = np.minimum(z * z + x, np.float32(1e9))
        inside &= z <= 4
        count += inside
    return count


# --- bytes with saturation


@ndx.kernel
def saturated_in_int64(item: kapi.Item, x, y):
    i = item.get_id(0)
    y[i] = min(int(x[i]) * 3, 255)


@ndx.kernel
def saturated_in_16_bits(item: kapi.Item, x, y):
    i = item.get_id(0)
    y[i] = min(np.uint16(x[i]) * np.uint16(3), np.uint16(255))


@ndx.kernel
def saturated_in_floats(item: kapi.Item, x, y):
    i = item.get_id(0)
    y[i] = np.uint8(min(np.float32(x[i]) * np.float32(3), np.float32(255)))


# --- a stencil in three dimensions


@ndx.kernel
def volume_3d(item: kapi.Item, x, y):
    i, j, k = item.get_id(0) + 1, item.get_id(1) + 1, item.get_id(2) + 1
    y[i, j, k] = (
        x[i - 1, j, k] + x[i + 1, j, k] + x[i, j - 1, k] + x[i, j + 1, k] + x[i, j, k - 1] + x[i, j, k + 1]
    ) - np.float32(6) * x[i, j, k]


@ndx.kernel
def volume_flat(item: kapi.Item, x, y):
    n = item.get_id(0)
    inner = x.shape[2] - 2
    i, rest = n // (inner * inner), n % (inner * inner)
    j, k = rest // inner, rest % inner
    i, j, k = i + 1, j + 1, k + 1
    y[i, j, k] = (
        x[i - 1, j, k] + x[i + 1, j, k] + x[i, j - 1, k] + x[i, j + 1, k] + x[i, j, k - 1] + x[i, j, k + 1]
    ) - np.float32(6) * x[i, j, k]


@ndx.kernel
def volume_first_axis_last(item: kapi.Item, x, y):
    k, j, i = item.get_id(0) + 1, item.get_id(1) + 1, item.get_id(2) + 1
    y[i, j, k] = (
        x[i - 1, j, k] + x[i + 1, j, k] + x[i, j - 1, k] + x[i, j + 1, k] + x[i, j, k - 1] + x[i, j, k + 1]
    ) - np.float32(6) * x[i, j, k]


def volume(x):
    y, c = np.zeros_like(x), slice(1, -1)
    y[c, c, c] = x[:-2, c, c] + x[2:, c, c] + x[c, :-2, c] + x[c, 2:, c] + x[c, c, :-2] + x[c, c, 2:] - 6 * x[c, c, c]
    return y


# --- constants, powers, gathers


@ndx.kernel
def polynomial_weak(item: kapi.Item, x, y):
    i = item.get_id(0)
    y[i] = ((0.5 * x[i] + 1.5) * x[i] - 2.5) * x[i] + 0.25


@ndx.kernel
def polynomial_double(item: kapi.Item, x, y):
    i = item.get_id(0)
    v = np.float64(x[i])
    y[i] = ((0.5 * v + 1.5) * v - 2.5) * v + 0.25


@ndx.kernel
def polynomial_powers(item: kapi.Item, x, y):
    i = item.get_id(0)
    y[i] = 0.5 * x[i] ** 3 + 1.5 * x[i] ** 2 - 2.5 * x[i] + 0.25


@ndx.kernel
def polynomial_float_powers(item: kapi.Item, x, y):
    i = item.get_id(0)
    y[i] = 0.5 * x[i] ** 3.0 + 1.5 * x[i] ** 2.0 - 2.5 * x[i] + 0.25


@ndx.kernel
def gathers(item: kapi.Item, x, index, y):
    i = item.get_id(0)
    y[i] = x[index[i]]


def floats(*shape):
    return random.random(shape, dtype="f4")


def problems() -> list[Problem]:
    """All problems. The groups of a few rows are those that the table compares."""
    image, rows, many = floats(HEIGHT, WIDTH), floats(ROWS, COLUMNS), random.random(1 << 20)
    pixels, sevens = random.integers(0, 256, 1 << 20).astype("u1"), floats(1 << 18, 7)
    escape, block = floats(1 << 16) * np.float32(0.3) + np.float32(0.2), floats(98, 98, 98)
    xs, where = floats(1 << 20) + np.float32(1), random.integers(0, 1 << 16, 1 << 20)
    tiles = ndx.NdRange((HEIGHT, WIDTH), (TILE, TILE))
    tile = (kapi.LocalAccessor((TILE + 2, TILE + 2), np.float32),)
    everything, in_groups = ndx.Range(1 << 20), ndx.NdRange((1 << 20,), (GROUP,))
    doubles = (kapi.LocalAccessor(GROUP, np.float64),)
    row_groups = ndx.NdRange((ROWS * 64,), (64,))
    gathered = xs[: 1 << 16][where]
    return [
        Problem("blur 3 x 3, 1024 x 1024 float32", [image], blurred(image), [
            Way("reads the image", blur_direct, ndx.Range(HEIGHT, WIDTH)),
            Way("tile in local memory, halo by conditions", blur_tile_by_edges, tiles, tile),
            Way("tile in local memory, loaded by a loop", blur_tile_by_a_loop, tiles, tile),
        ]),
        Problem("sums of 4096 rows of 512 float32", [rows], rows.sum(1), [
            Way("a work-item for each row", row_by_item, ndx.Range(ROWS)),
            Way("the same with fastmath={'reassoc'}", row_by_item_reordered, ndx.Range(ROWS)),
            Way("joint_reduce by a work-group for each row", row_by_group, row_groups),
            Way("an atomic update for each element", row_by_atomics, ndx.Range(ROWS, COLUMNS)),
        ]),
        Problem("sums of 512 columns of 4096 float32", [rows], rows.sum(0), [
            Way("a work-item for each column", column_by_item, ndx.Range(COLUMNS)),
            Way("an atomic update for each element", column_by_atomics, ndx.Range(ROWS, COLUMNS)),
        ]),
        Problem("sum of 1,048,576 float64", [many], np.array([many.sum()]), [
            Way("reduce_over_group", sum_by_reduction, in_groups),
            Way("a tree in local memory, a barrier a step", sum_by_tree, in_groups, doubles),
            Way("shuffles of sub-groups by constant distances", sum_by_constant_shuffles, in_groups, doubles),
            Way("shuffles by a variable that is halved", sum_by_shuffles, in_groups, doubles),
            Way("an atomic update for each element", sum_by_atomics, everything),
        ]),
        Problem("histogram of 1,048,576 bytes", [pixels], np.bincount(pixels, minlength=256).astype("i4"), [
            Way("atomic updates in global memory", histogram_global, everything),
            Way("counters in local memory, 16 bytes a work-item", histogram_local,
                ndx.NdRange(((1 << 20) // 16,), (GROUP,)), (kapi.LocalAccessor(GROUP, np.int32),)),
        ]),
        Problem("prefix sums of groups of 256 float64", [many], many.reshape(-1, GROUP).cumsum(1).ravel(), [
            Way("inclusive_scan_over_group", scan_by_algorithm, in_groups),
            Way("two barriers a step in local memory", scan_by_barriers, in_groups, doubles),
        ]),
        Problem("squares of 262,144 rows of 7 float32", [sevens], (sevens**2).sum(1), [
            Way("constant loop over the row", lengths_of_rows, ndx.Range(1 << 18)),
            Way("copied to a PrivateArray first", lengths_of_copies, ndx.Range(1 << 18)),
            Way("loop of a length that is not constant", lengths_of_flat_rows, ndx.Range(1 << 18)),
        ]),
        Problem("at most 200 rounds, 65,536 float32", [escape], escapes(escape), [
            Way("for and break", escape_by_break, ndx.Range(1 << 16)),
            Way("while and break", escape_by_while, ndx.Range(1 << 16)),
            Way("all rounds, without an exit", escape_without_exit, ndx.Range(1 << 16)),
        ]),
        Problem("three times a byte, saturated", [pixels], np.minimum(pixels.astype("i4") * 3, 255).astype("u1"), [
            Way("in Python's integers, of 64 bits", saturated_in_int64, everything),
            Way("in uint16", saturated_in_16_bits, everything),
            Way("in float32", saturated_in_floats, everything),
        ]),
        Problem("7-point stencil of 96 x 96 x 96 float32", [block], volume(block), [
            Way("Range(96, 96, 96), last axis last", volume_3d, ndx.Range(96, 96, 96)),
            Way("flat range, ids by // and %", volume_flat, ndx.Range(96**3)),
            Way("last axis first", volume_first_axis_last, ndx.Range(96, 96, 96)),
        ]),
        Problem("polynomial of 1,048,576 float32", [xs], ((0.5 * xs + 1.5) * xs - 2.5) * xs + np.float32(0.25), [
            Way("Horner, Python's constants", polynomial_weak, everything),
            Way("in float64", polynomial_double, everything),
            Way("x ** 3, an integer power", polynomial_powers, everything),
            Way("x ** 3.0", polynomial_float_powers, everything),
        ]),
        *(
            Problem("gather of 1,048,576 float32", [xs[: 1 << 16], where.astype(t)], gathered, [
                Way(f"index of {np.dtype(t).name}", gathers, everything)])
            for t in ("i4", "u4", "i8", "u8")
        ),
    ]  # fmt: skip


def time_of(problem: Problem, way: Way, turns: int) -> float:
    """The least time in milliseconds. Raises AssertionError if the result differs from NumPy's."""
    inputs = [dpnp.asarray(each) for each in problem.inputs]
    least = float("inf")
    for turn in range(turns + 1):
        result = dpnp.zeros(problem.wanted.shape, dtype=problem.wanted.dtype)
        result.sycl_queue.wait()
        start = time.perf_counter()
        ndx.call_kernel(way.kernel, way.space, *inputs, result, *way.local)
        if turn:
            least = min(least, time.perf_counter() - start)
    np.testing.assert_allclose(dpnp.asnumpy(result), problem.wanted, rtol=1e-4, atol=1e-4)
    return 1e3 * least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[""], metavar="NAME", help="problems whose names contain these")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--markdown", action="store_true", help="print a table for docs/kernels.md")
    options = parser.parse_args()
    by_name: dict[str, list[tuple[str, float]]] = {}
    for problem in problems():
        if any(each in problem.name for each in options.only):
            times = by_name.setdefault(problem.name, [])
            times += [(way.title, time_of(problem, way, options.turns)) for way in problem.ways]
    for name, times in by_name.items():
        fastest = min(each for _, each in times)
        for title, each in times:
            if options.markdown:
                print(f"| {name} | {title} | {each:.2f} | {each / fastest:.1f} |")
            else:
                print(f"{name:42}{title:48}{each:9.3f} ms{each / fastest:7.1f}")
            name = ""


if __name__ == "__main__":
    main()
