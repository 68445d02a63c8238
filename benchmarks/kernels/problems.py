"""The 15 problems: their data, sizes, launches and plain NumPy references, for kernels in any language.

A problem's buffers are arrays in the order of the kernel's parameters, inputs first; its sizes follow them. Sizes and
constants that are fixed at compile time are in shapes.h.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
import zlib
from collections.abc import Callable

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SHAPES = {
    name: float(value.rstrip("f")) if value.endswith("f") else int(value)
    for name, value in re.findall(r"^#define (\w+) (-?[\d.e+-]+f?)", (HERE / "shapes.h").read_text(), re.MULTILINE)
}


@dataclasses.dataclass(frozen=True)
class Launch:
    """Numbers of work-items, the fastest-varying dimension first; `local` is zero without work-groups."""

    items: tuple[int, int]
    local: tuple[int, int] = (0, 0)


@dataclasses.dataclass(frozen=True)
class Problem:
    name: str
    sizes: tuple[int, ...]  # the hand-written code takes 10 to 100 ms on two cores
    small: tuple[int, ...]  # feasible for the reference
    inputs: Callable[..., list[np.ndarray]]  # (random, *sizes)
    outputs: Callable[..., list[np.ndarray]]  # (*sizes): arrays of the results' shapes and types
    reference: Callable[..., list[np.ndarray]]  # (inputs, *sizes): results in double precision
    launch: Callable[..., Launch]  # (*sizes)
    tolerance: float = 0.0  # largest error, relative to a result's size and to the average result
    mismatches: float = 0.0  # fraction of results that may differ because rounding decides a comparison

    def errors(self, results: list[np.ndarray], wanted: list[np.ndarray]) -> str | None:
        """A message about wrong results, or None."""
        for number, (result, expected) in enumerate(zip(results, wanted, strict=True)):
            expected = expected.reshape(result.shape).astype(np.float64)
            error = np.abs(result.astype(np.float64) - expected)
            allowed = self.tolerance * (np.abs(expected) + np.mean(np.abs(expected)))
            wrong = ~(error <= allowed)
            if np.mean(wrong) > self.mismatches:
                where = np.unravel_index(np.argmax(np.where(wrong, error, 0)), result.shape)
                return (
                    f"result {number}: {np.mean(wrong):.2%} differ, at {tuple(map(int, where))} "
                    f"{result[where]} instead of {expected[where]}"
                )
        return None


def uniform(random, low: float, high: float, shape) -> np.ndarray:
    return random.uniform(low, high, shape).astype(np.float32)


def items(count: int, local: int = 0) -> Launch:
    return Launch((count, 1), (local, 1) if local else (0, 0))


# Kernel density: a sum for each block of samples and each point.

KDE_BLOCK = SHAPES["KDE_GROUP"] * SHAPES["KDE_SAMPLES_PER_ITEM"]


def kde_reference(inputs, n):
    x, y = (a.astype(np.float64) for a in inputs)
    blocks = x.reshape(n // KDE_BLOCK, KDE_BLOCK, 1, -1)
    return [np.exp(SHAPES["KDE_EXPONENT"] * ((blocks - y) ** 2).sum(-1)).sum(1)]


def nbody_reference(inputs, n):
    bodies = inputs[0].astype(np.float64)
    distance = bodies[None, :, :3] - bodies[:, None, :3]
    strength = bodies[:, 3] / ((distance**2).sum(-1) + SHAPES["NBODY_SOFTENING"]) ** 1.5
    return [np.pad((strength[:, :, None] * distance).sum(1), ((0, 0), (0, 1)))]


def options(random, n):
    return [uniform(random, 5, 30, n), uniform(random, 10, 25, n), uniform(random, 0.25, 5, n)]


def black_scholes_reference(inputs, n):
    from math import erf

    spot, strike, years = (a.astype(np.float64) for a in inputs)
    rate, volatility = SHAPES["OPTION_RATE"], SHAPES["OPTION_VOLATILITY"]
    normal = np.vectorize(lambda d: 0.5 * (1 + erf(d / np.sqrt(2))))
    deviation = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    discounted = strike * np.exp(-rate * years)
    call = spot * normal(d1) - discounted * normal(d1 - deviation)
    return [call, call - spot + discounted]  # put-call parity


def mandelbrot_reference(inputs, width, height):
    c = 3 * np.arange(width) / width - 2.25 + 1j * (2.5 * np.arange(height)[:, None] / height - 1.25)
    z, counts = np.zeros_like(c), np.zeros(c.shape, np.int32)
    for _ in range(SHAPES["MANDELBROT_LIMIT"]):
        inside = z.real**2 + z.imag**2 <= 4
        counts += inside
        z = np.where(inside, z * z + c, z)
    return [counts]


def padded_image(random, width, height):
    border = 2 * SHAPES["STENCIL_RADIUS"]
    return [uniform(random, -1, 1, (height + border, width + border)), uniform(random, -1, 1, (border + 1, border + 1))]


def stencil_reference(inputs, width, height):
    image, weights = (a.astype(np.float64) for a in inputs)
    windows = np.lib.stride_tricks.sliding_window_view(image, weights.shape)
    return [np.einsum("yxij,ij->yx", windows, weights)]


def histogram_reference(inputs, n):
    blocks = inputs[0].reshape(-1, SHAPES["HISTOGRAM_BINS"] * SHAPES["HISTOGRAM_PER_ITEM"])
    return [np.array([np.bincount(block, minlength=SHAPES["HISTOGRAM_BINS"]) for block in blocks])]


def binomial_reference(inputs, n):
    spot, strike, years = (a.astype(np.float64)[:, None] for a in inputs)
    steps = SHAPES["BINOMIAL_STEPS"]
    time = years / steps
    up = np.exp(SHAPES["OPTION_VOLATILITY"] * np.sqrt(time))
    growth = np.exp(SHAPES["OPTION_RATE"] * time)
    probability = (growth - 1 / up) / (up - 1 / up)
    value = np.maximum(strike - spot * up ** (2 * np.arange(steps + 1) - steps), 0)
    for level in range(steps - 1, -1, -1):
        kept = (probability * value[:, 1:] + (1 - probability) * value[:, :-1]) / growth
        value = np.maximum(kept, strike - spot * up ** (2 * np.arange(level + 1) - level))
    return [value[:, 0]]


def spheres(random, width, height, count):
    centres = uniform(random, -1, 1, (count, 3)) * np.float32([4, 4, 1]) + np.float32([0, 0, 5])
    return [np.column_stack((centres, uniform(random, 0.1, 0.4, count)))]


def ray_sphere_reference(inputs, width, height, count):
    x = (2 * np.arange(width) + 1) / width - 1
    y = (2 * np.arange(height)[:, None] + 1) / height - 1
    found = np.full((height, width), -1)
    for number, (cx, cy, cz, radius) in enumerate(inputs[0].astype(np.float64)):
        along = (x * cx + y * cy + cz) / np.sqrt(x * x + y * y + 1)
        hit = (along > 0) & (cx**2 + cy**2 + cz**2 - along**2 <= radius**2)
        found[(found < 0) & hit] = number
    return [found]


def sparse_matrix(random, rows, average):
    lengths = np.minimum(random.exponential(1, rows) ** 2 * average / 2, 40 * average).astype(np.int32)
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    columns = random.integers(0, rows, starts[-1]).astype(np.int32)
    return [starts, columns, uniform(random, -1, 1, starts[-1]), uniform(random, -1, 1, rows)]


def spmv_reference(inputs, rows, average):
    starts, columns, values, x = inputs
    products = np.concatenate(([0], np.cumsum(values.astype(np.float64) * x[columns])))
    return [products[starts[1:]] - products[starts[:-1]]]


def philox_reference(inputs, n, key0, key1):
    words = [np.arange(n, dtype=np.uint64)] + [np.zeros(n, np.uint64) for _ in range(3)]
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    for turn in range(10):
        first, second = np.uint64(0xD2511F53) * words[0], np.uint64(0xCD9E8D57) * words[2]
        keys = [np.uint64((key + turn * weyl) & 0xFFFFFFFF) for key, weyl in ((key0, 0x9E3779B9), (key1, 0xBB67AE85))]
        words = [second >> shift ^ words[1] ^ keys[0], second & low, first >> shift ^ words[3] ^ keys[1], first & low]
    return [np.column_stack(words)]


def crc_table() -> np.ndarray:
    """Eight concatenated tables of 256 words: table k advances a CRC by a byte and k zero bytes."""
    table = np.zeros((8, 256), np.uint32)
    table[0] = np.arange(256)
    for _ in range(8):
        table[0] = np.where(table[0] & 1, table[0] >> 1 ^ 0xEDB88320, table[0] >> 1)
    for k in range(1, 8):
        table[k] = table[k - 1] >> 8 ^ table[0][table[k - 1] & 255]
    return table.ravel()


def crc_reference(inputs, n):
    return [np.array([zlib.crc32(message.tobytes()) for message in inputs[0].reshape(n, -1)])]


def blocks(count: int) -> Callable[[int], list[np.ndarray]]:
    """Outputs with a float for each block of `count` elements."""
    return lambda n: [np.empty(n // count, np.float32)]


REDUCE_BLOCK = SHAPES["REDUCE_GROUP"] * SHAPES["REDUCE_PER_ITEM"]
TILE, ROWS = SHAPES["MATMUL_TILE"], SHAPES["MATMUL_ROWS_PER_ITEM"]
BITONIC = SHAPES["BITONIC_SEGMENT"]
STENCIL = (SHAPES["STENCIL_WIDTH"], SHAPES["STENCIL_HEIGHT"])
LEAVES = SHAPES["BINOMIAL_STEPS"] + 1
BINS, PER_ITEM = SHAPES["HISTOGRAM_BINS"], SHAPES["HISTOGRAM_PER_ITEM"]

PROBLEMS = [
    Problem(
        "kde", (1 << 20,), (1 << 13,),
        lambda r, n: [uniform(r, 0, 1, (n, SHAPES["KDE_DIMENSIONS"])),
                      uniform(r, 0, 1, (SHAPES["KDE_POINTS"], SHAPES["KDE_DIMENSIONS"]))],
        lambda n: [np.empty((n // KDE_BLOCK, SHAPES["KDE_POINTS"]), np.float32)],
        kde_reference, lambda n: items(n // SHAPES["KDE_SAMPLES_PER_ITEM"], SHAPES["KDE_GROUP"]), 1e-4,
    ),
    Problem(
        "nbody", (16384,), (512,),
        lambda r, n: [uniform(r, 0.1, 1, (n, 4))], lambda n: [np.empty((n, 4), np.float32)],
        nbody_reference, items, 1e-3,
    ),
    Problem(
        "black_scholes", (1 << 22,), (1 << 12,), options, lambda n: [np.empty(n, np.float32)] * 2,
        black_scholes_reference, items, 1e-4,
    ),
    Problem(
        "mandelbrot", (1536, 1024), (192, 128), lambda r, w, h: [], lambda w, h: [np.empty((h, w), np.int32)],
        mandelbrot_reference, lambda w, h: Launch((w, h)), 0, 0.02,
    ),
    Problem(
        "matmul", (1024,), (256,), lambda r, n: [uniform(r, -1, 1, (n, n)) for _ in range(2)],
        lambda n: [np.empty((n, n), np.float32)], lambda inputs, n: [inputs[0].astype(np.float64) @ inputs[1]],
        lambda n: Launch((n, n // ROWS), (TILE, TILE)), 1e-4,
    ),
    Problem(
        "reduction", (1 << 25,), (1 << 14,), lambda r, n: [uniform(r, 0, 1, n)], blocks(REDUCE_BLOCK),
        lambda inputs, n: [inputs[0].astype(np.float64).reshape(-1, REDUCE_BLOCK).sum(1)],
        lambda n: items(n // SHAPES["REDUCE_PER_ITEM"], SHAPES["REDUCE_GROUP"]), 1e-5,
    ),
    Problem(
        "scan", (1 << 24,), (1 << 13,), lambda r, n: [r.integers(-1000, 1000, n).astype(np.int32)],
        lambda n: [np.empty(n, np.int32)],
        lambda inputs, n: [np.cumsum(inputs[0].reshape(-1, SHAPES["SCAN_GROUP"]), 1)],
        lambda n: items(n, SHAPES["SCAN_GROUP"]),
    ),
    Problem(
        "histogram", (1 << 25,), (1 << 16,), lambda r, n: [(r.normal(128, 30, n) % 256).astype(np.uint8)],
        lambda n: [np.empty((n // (BINS * PER_ITEM), BINS), np.uint32)],
        histogram_reference, lambda n: items(n // PER_ITEM, BINS),
    ),
    Problem(
        "stencil", (4096, 4096), (64, 32), padded_image, lambda w, h: [np.empty((h, w), np.float32)],
        stencil_reference, lambda w, h: Launch((w, h), STENCIL), 1e-5,
    ),
    Problem(
        "binomial", (8192,), (64,), options, lambda n: [np.empty(n, np.float32)],
        binomial_reference, lambda n: items(n * LEAVES, LEAVES), 1e-3,
    ),
    Problem(
        "bitonic", (1 << 22,), (16 * BITONIC,), lambda r, n: [r.integers(-(2**31), 2**31, n).astype(np.int32)],
        lambda n: [np.empty(n, np.int32)], lambda inputs, n: [np.sort(inputs[0].reshape(-1, BITONIC), 1)],
        lambda n: items(n, BITONIC),
    ),
    Problem(
        "ray_sphere", (1024, 1024, 256), (128, 64, 64), spheres, lambda w, h, n: [np.empty((h, w), np.int32)],
        ray_sphere_reference, lambda w, h, n: Launch((w, h)), 0, 0.01,
    ),
    Problem(
        "spmv", (1 << 18, 32), (1 << 10, 32), sparse_matrix, lambda n, average: [np.empty(n, np.float32)],
        spmv_reference, lambda n, average: items(n), 1e-4,
    ),
    Problem(
        "philox", (1 << 22, 0xCAFE, 0xBEEF), (1 << 10, 0xCAFE, 0xBEEF), lambda r, n, *keys: [],
        lambda n, *keys: [np.empty((n, 4), np.uint32)], philox_reference, lambda n, *keys: items(n),
    ),
    Problem(
        "crc", (1 << 17,), (1 << 8,),
        lambda r, n: [r.integers(0, 2**32, n * SHAPES["CRC_MESSAGE_BYTES"] // 4).astype(np.uint32), crc_table()],
        lambda n: [np.empty(n, np.uint32)], crc_reference, items,
    ),
]  # fmt: skip


# For compilation times: an almost empty kernel, and one of 2,000 instructions. Their results are not checked.
COMPILE_ONLY = [
    Problem(
        name, (1 << 10,), (1 << 10,), lambda r, n: [uniform(r, 0, 1, n)], lambda n: [np.empty(n, np.float32)],
        lambda inputs, n: [], items,
    )
    for name in ("copy", "two_thousand")
]  # fmt: skip
