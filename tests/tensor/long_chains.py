"""Long chains of array operations whose results are used several times, in many graph shapes. Run by
test_long_chains.py, and by hand on a GPU (`python tests/tensor/long_chains.py 10000 cuda:gpu`). Prints for each shape
the time of the longest step, the total time, and the growth of the process's memory."""

from __future__ import annotations

import resource
import sys
import time

import dpctl
import dpctl.tensor as dpt
import numpy as np

ROWS, COLUMNS = 100, 100  # enough that operations are deferred


class Chain:
    """The queue and the initial arrays of a chain, whose steps yield a number of operations and a result."""

    def __init__(self, queue: dpctl.SyclQueue) -> None:
        self.queue = queue
        numbers = np.random.default_rng(0)
        self.numbers = numbers
        self.x, self.y, self.z = (self.array(numbers.random((ROWS, COLUMNS)) + 0.5) for _ in range(3))

    def array(self, values) -> dpt.usm_ndarray:
        return dpt.asarray(values, sycl_queue=self.queue)


def mandelbrot(c: Chain):
    zr, zi, k = c.x * 0, c.x * 0, dpt.zeros(c.x.shape, dtype="i4", sycl_queue=c.queue)
    while True:
        zr2, zi2 = zr * zr, zi * zi
        inside = zr2 + zi2 <= 4.0
        zi = dpt.where(inside, 2 * zr * zi + c.y, zi)
        zr = dpt.where(inside, zr2 - zi2 + c.x, zr)
        k = k + inside
        yield 12, k


def fibonacci(c: Chain):
    x, y = c.x, c.y
    while True:
        x, y = y, x + y
        yield 1, y


def doubling(c: Chain):
    x = c.x
    while True:
        x = x + x
        yield 1, x


def diamonds(c: Chain):
    x = c.x
    while True:
        x = dpt.sin(x) + dpt.cos(x)
        yield 3, x


def float_diamonds(c: Chain):
    x = dpt.astype(c.x, "f4")
    while True:
        x = dpt.exp(-x) * dpt.log(x + 1)
        yield 5, x


def several_alive(c: Chain):
    alive = [c.x, c.y, c.z]
    while True:
        alive.append(alive[-1] * alive[-2] - alive[-3])
        del alive[:-40]
        yield 2, alive[-1]


def reductions_between(c: Chain):
    x = c.x
    while True:
        x = x - dpt.mean(x)
        x = x * x + x
        yield 5, x


def rows_normalised(c: Chain):
    x = c.x
    while True:
        e = dpt.exp(x - dpt.max(x, axis=1, keepdims=True))
        x = e / dpt.sum(e, axis=1, keepdims=True)
        yield 5, x


def rows_and_columns(c: Chain):
    x = c.x
    while True:
        x = x * 0.25 + dpt.sum(x, axis=0) * 0.001 - dpt.sum(x, axis=1)[:, None] * 0.001
        yield 7, x


def casts(c: Chain):
    x = c.x
    while True:
        single = dpt.astype(x, "f4")
        whole = dpt.astype(single, "i4")
        x = dpt.astype(single * 0.5, "f8") + dpt.astype(whole & 3, "f8") * x
        yield 8, x


def reversed_views(c: Chain):
    x = c.x
    while True:
        x = (x[::-1, :] + x) * 0.5
        yield 3, x


def transposes(c: Chain):
    x = c.x
    while True:
        x = (x.T + x) * 0.5
        yield 3, x


def shifted_views(c: Chain):
    x = c.x
    while True:
        inside = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * 0.25
        x = x * 1.0
        x[1:-1, 1:-1] = inside
        yield 10, x


def in_place(c: Chain):
    x, y = c.x * 1, c.y * 1
    while True:
        x += y * x
        y -= x * 0.5
        yield 4, x


def in_place_shifted(c: Chain):
    x = c.x * 1
    while True:
        x[1:] += x[:-1] * 0.1
        x[:, 1:] -= x[:, :-1] * 0.1
        yield 8, x


def conditions(c: Chain):
    x = c.x
    while True:
        small, large = x < 0.25, x > 0.75
        x = dpt.where(small | large, dpt.where(small, x * 3, 1 - x), x * x)
        yield 8, x


def pyramid(c: Chain):
    level = [c.x, c.y, c.z, c.x + c.y, c.y + c.z, c.z + c.x, c.x - c.y, c.y - c.z]
    while True:
        level = [a * 0.5 + b * 0.5 for a, b in zip(level, level[1:] + level[:1])]
        yield 24, level[0]


def products_of_others(c: Chain):
    x, y, z = c.x, c.y, c.z
    while True:
        x, y, z = y * z, z * x, x * y
        yield 3, z


def hashes(c: Chain):
    x = dpt.astype(c.x * 1e9, "u8")
    while True:
        x = x ^ (x << 13)
        x = x ^ (x >> 7)
        x = x ^ (x << 17)
        yield 6, x


def complex_squares(c: Chain):
    z = c.x + 1j * c.y
    start = z
    while True:
        z = z * z + start * dpt.conj(z)
        yield 4, z


def newton(c: Chain):
    x = c.x
    while True:
        square = x * x
        x = x - (square * x - c.y) / (3 * square + 1)
        yield 7, x


def reshaped(c: Chain):
    x = c.x
    while True:
        line = dpt.reshape(x, (ROWS * COLUMNS,))
        x = dpt.reshape(line * line - line, (ROWS, COLUMNS)) + x
        yield 5, x


def any_of_the_last(c: Chain):
    alive = [c.x, c.y, c.z]
    while True:
        a, b = c.numbers.integers(0, len(alive), 2)
        alive.append(alive[a] * 0.5 + alive[b])
        del alive[:-30]
        yield 2, alive[-1]


def small_operations(c: Chain):
    x, shorts = c.x, dpt.astype(c.x * 10, "i1")
    while True:
        shorts = shorts * shorts - shorts
        x = x * 0.5 + shorts
        yield 4, x


SHAPES = [
    mandelbrot, fibonacci, doubling, diamonds, float_diamonds, several_alive, reductions_between, rows_normalised,
    rows_and_columns, casts, reversed_views, transposes, shifted_views, in_place, in_place_shifted, conditions, pyramid,
    products_of_others, hashes, complex_squares, newton, reshaped, any_of_the_last, small_operations,
]  # fmt: skip


def kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def slowness() -> float:
    """How much slower this processor is now than the one that the limits were chosen on, at least 1: by a loop that
    took 60 ms there. A processor core that runs two threads at once is up to two times slower."""
    start, total = time.thread_time(), 0
    for n in range(2_000_000):
        total += n & 7
    return max(1.0, (time.thread_time() - start) / 0.06)


def run(shape, nodes: int, queue: dpctl.SyclQueue) -> tuple[float, float, int]:
    """The longest CPU time of this thread in one step, by the processor's slowness, the total wall time, both in
    seconds, and the growth of the process's memory in kilobytes. CPU time excludes waits for the device or for a
    processor."""
    slow = slowness()
    chain = Chain(queue)
    queue.wait()
    before = kilobytes()
    longest, start = 0.0, time.perf_counter()
    steps = shape(chain)
    last = time.thread_time()

    def measure():
        nonlocal longest, last
        now = time.thread_time()
        longest = max(longest, now - last)
        last = now

    while nodes > 0:
        count, result = next(steps)
        nodes -= count
        measure()
    result.usm_data  # computes it  # noqa: B018
    measure()
    queue.wait()
    whole = time.perf_counter() - start
    return longest / max(slow, slowness()), whole, kilobytes() - before


def main() -> int:
    nodes = int(sys.argv[1])
    queue = dpctl.SyclQueue(sys.argv[2])
    wanted = sys.argv[3:]
    run(SHAPES[0], 10, queue)  # one-time costs: loading of libraries, start of the compiler
    for shape in SHAPES:
        if wanted and shape.__name__ not in wanted:
            continue
        longest, whole, grown = run(shape, nodes, queue)
        print(f"{shape.__name__} {longest:.3f} {whole:.3f} {grown}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
