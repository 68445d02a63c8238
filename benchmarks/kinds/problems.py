"""The data of the kernels: inputs, sizes for C++, launches for Python, and references in NumPy."""

from __future__ import annotations

import base64
import dataclasses
import string
from collections.abc import Callable

import kernels
import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi

random = np.random.default_rng(7)


@dataclasses.dataclass(frozen=True)
class Problem:
    """A kernel with its data.

    `reference` computes the results by NumPy. Without it, the results of g++ are those that the others must have.
    """

    name: str
    inputs: list[np.ndarray]
    outputs: list[np.ndarray]  # initial contents
    sizes: tuple[int, ...]  # of the function in C++
    space: ndx.Range | ndx.NdRange
    local: tuple = ()  # local memory, after the arrays
    calls: tuple[tuple, ...] = ((),)  # a launch each: the numbers after the arrays
    reference: Callable[..., list[np.ndarray]] | None = None  # of the inputs
    tolerance: float = 1e-4


def zeros(shape, dtype: str = "f4") -> np.ndarray:
    return np.zeros(shape, dtype)


def floats(*shape: int) -> np.ndarray:
    return random.random(shape, dtype="f4")


def integers(low: int, high: int, shape, dtype: str = "i4") -> np.ndarray:
    return random.integers(low, high, shape).astype(dtype)


# --- lists, trees, tables


def lists(count: int) -> list[np.ndarray]:
    """Lists of 1 to 31 nodes that are spread over memory."""
    lengths = random.integers(1, 32, count)
    nodes = random.permutation(int(lengths.sum())).astype("i4")
    ends = np.cumsum(lengths)
    following = np.empty(nodes.size, "i4")
    following[nodes[:-1]] = nodes[1:]
    following[nodes[ends - 1]] = -1
    return [nodes[ends - lengths], following, floats(nodes.size)]


def search_tree(count: int) -> list[np.ndarray]:
    """A tree into which keys were inserted in random order: keys, left and right children."""
    keys = random.permutation(2 * count)[:count].astype("i4")
    left, right = np.full(count, -1, "i4"), np.full(count, -1, "i4")
    for new in range(1, count):
        node = 0
        while True:
            side = left if keys[new] < keys[node] else right
            if side[node] < 0:
                side[node] = new
                break
            node = side[node]
    return [keys, left, right]


def hash_table(count: int, slots: int) -> list[np.ndarray]:
    """A table of keys, with 0 in empty slots, and their values."""
    table, values = np.zeros(slots, "u4"), np.zeros(slots, "u4")
    for key in random.permutation(4 * count)[:count] + 1:
        slot = (int(key) * 2654435761 % 2**32) & (slots - 1)
        while table[slot]:
            slot = (slot + 1) & (slots - 1)
        table[slot], values[slot] = key, 3 * key
    return [table, values]


def base64_text(groups: int) -> list[np.ndarray]:
    """Random letters of base64, and the table of their values."""
    letters = np.frombuffer(base64.b64encode(random.bytes(3 * groups)), "u1").copy()
    table = np.zeros(256, "u1")
    table[np.frombuffer(string.ascii_uppercase.encode() + string.ascii_lowercase.encode() + b"0123456789+/", "u1")] = (
        np.arange(64)
    )
    return [letters, table]


def varints(numbers: np.ndarray) -> list[np.ndarray]:
    """Rows of numbers as bytes of seven bits, and the first byte of each row."""
    shifts = np.arange(0, 35, 7)
    parts = (numbers[..., None] >> shifts) & 127
    last = np.maximum(1, 5 - (parts[..., ::-1] != 0).argmax(-1))
    last[numbers == 0] = 1
    used = np.arange(5) < last[..., None]
    parts += 128 * (np.arange(5) < last[..., None] - 1)
    starts = np.cumsum(np.r_[0, used.sum((1, 2))[:-1]])
    return [parts[used].astype("u1"), starts.astype("i4")]


def sparse(rows: int, longest: int) -> list[np.ndarray]:
    """The values, columns and row starts of a square matrix, and a vector."""
    starts = np.cumsum(np.r_[0, random.integers(0, longest, rows)]).astype("i4")
    return [floats(int(starts[-1])), integers(0, rows, int(starts[-1])), starts, floats(rows)]


def sparse_product(values, columns, starts, x) -> list[np.ndarray]:
    sums = np.cumsum(np.r_[0, values.astype("f8") * x[columns]])
    return [sums[starts[1:]] - sums[starts[:-1]]]


def prefix_coded(blocks: int, count: int) -> list[np.ndarray]:
    """Blocks of `count` symbols in codes of 1 to 8 bits: the bytes, the first bit of each block, two tables."""
    code_lengths = [1, 2, 3, 4, 5, 6, 7, 8, 8]
    codes, code = [], 0
    for length, following in zip(code_lengths, [*code_lengths[1:], 8], strict=True):
        codes.append(f"{code:0{length}b}")
        code = (code + 1) << (following - length)
    lengths, symbols = np.zeros(256, "u1"), np.zeros(256, "u1")
    for symbol, text in enumerate(codes):
        first = int(text.ljust(8, "0"), 2)
        lengths[first : first + (256 >> len(text))] = len(text)
        symbols[first : first + (256 >> len(text))] = 65 + symbol
    drawn = random.choice(9, (blocks, count), p=[0.5 ** min(k + 1, 8) for k in range(9)])
    texts = ["".join(codes[symbol] for symbol in block) for block in drawn]
    starts = np.cumsum([0, *map(len, texts)])[:-1].astype("i4")
    bits = np.array(list("".join(texts)), "u1")
    return [np.concatenate([np.packbits(bits), zeros(2, "u1")]), starts, lengths, symbols]


# --- references


def normalised(x):
    mean = x.mean(1, keepdims=True)
    return [(x - mean) / (x.var(1, keepdims=True) + 1e-5)]


def operated(codes, x, y):
    return [np.choose(codes, [x + y, x - y, x * y, x / y, np.minimum(x, y), np.maximum(x, y), x * x, -x])]


def blend(above, below):
    opacity = above[:, 3:].astype("i4")
    colours = (above[:, :3] * opacity + below[:, :3] * (255 - opacity) + 127) // 255
    return [np.hstack([colours, np.full_like(opacity, 255)]).astype("u1")]


def polynomial(z, coefficients):
    return [np.polyval(coefficients[::-1].astype("c16"), z).astype("c8")]


def squared_gradient(a):
    c, result = slice(1, -1), np.zeros_like(a)
    result[c, c, c] = (
        (a[c, c, 2:] - a[c, c, :-2]) ** 2 + (a[c, 2:, c] - a[c, :-2, c]) ** 2 + (a[2:, c, c] - a[:-2, c, c]) ** 2
    )
    return [result]


def matches(text, pattern):
    windows = np.lib.stride_tricks.sliding_window_view(text, pattern.size)
    return [(windows == pattern).all(1).astype("u1")]


def solved(matrices, sides):
    return [np.linalg.solve(matrices, sides[..., None])[..., 0]]


def nearest(queries, points):
    distances = ((queries[:, None].astype("f8") - points) ** 2).sum(2)
    return [np.argsort(distances, 1, kind="stable")[:, :4].astype("i4")]


def softmax(x):
    powers = np.exp(x.astype("f8") - x.max(1, keepdims=True))
    return [powers / powers.sum(1, keepdims=True)]


def flat_problems() -> list[Problem]:
    """Kernels over ranges."""
    n = 1 << 18
    text = integers(97, 99, n + 15, "u1")
    tree = search_tree(4096)
    hashed = hash_table(1 << 15, 1 << 16)
    coded = prefix_coded(4096, 64)
    numbers = integers(0, 1 << 28, (4001, 33), "i8") >> random.integers(0, 28, (4001, 33))
    bits, known = integers(0, 1 << 63, (16384, 4), "u8"), integers(0, 1 << 63, (64, 4), "u8")
    band, matrices = random.random((9, 300001)), random.random((20011, 5, 5)) + 5 * np.eye(5)
    z, coefficients = ((floats(k) + 1j * floats(k)).astype("c8") for k in (300007, 9))
    volume, planes, relaxed = floats(91, 93, 97), floats(3, 769, 1023), random.random((769, 1023))
    colours = [integers(0, 256, (500009, 4), "u1") for _ in range(2)]
    sounds = [integers(-32768, 32768, 2000003, "i2") for _ in range(2)]
    rows = np.repeat(integers(0, 256, (4096, 64), "u1"), 4, axis=1)
    matrix, vector = integers(-128, 128, (4096, 512), "i1"), integers(-128, 128, 512, "i1")
    weights, signal = random.random(31), floats(200033)
    P, R = Problem, ndx.Range
    return [
        P("normalised_row", [x := floats(20011, 37)], [zeros(x.shape)], x.shape, R(len(x)), reference=normalised),
        P("list_sum", lists(30011), [zeros(30011)], (30011,), R(30011)),
        P("tree_depth", [*tree, integers(0, 8192, 60013)], [zeros(60013, "i4")], (60013,), R(60013)),
        P("hash_value", [*hashed, integers(1, 1 << 17, 300007, "u4")], [zeros(300007, "u4")], (300007, 1 << 16),
          R(300007)),
        P("operation", [integers(0, 8, 500009, "u1"), floats(500009), floats(500009) + 1], [zeros(500009)], (500009,),
          R(500009), reference=operated),
        P("blended", colours, [zeros(colours[0].shape, "u1")], (len(colours[0]),), R(len(colours[0])), reference=blend),
        P("quantised_row", [matrix, vector], [zeros(4096, "i4")], matrix.shape, R(4096),
          reference=lambda m, x: [m.astype("i4") @ x.astype("i4")]),
        P("mixed_sample", sounds, [zeros(2000003, "i2")], (2000003,), R(2000003),
          reference=lambda a, b: [np.clip(a.astype("i4") + b, -32768, 32767)]),
        P("complex_polynomial", [z, coefficients], [zeros(z.size, "c8")], (z.size, 9), R(z.size), reference=polynomial),
        P("filtered", [signal, weights], [zeros(200003)], (200003, 31), R(200003),
          reference=lambda x, w: [np.convolve(x.astype("f8"), w[::-1], "valid")]),
        P("gradient", [volume], [zeros(volume.shape)], (97, 93, 91), R(95, 91, 89), reference=squared_gradient),
        P("grey", [planes], [zeros((769, 1023))], (1023, 769), R(1023, 769),
          reference=lambda p: [0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]]),
        P("nearest_bits", [bits, known], [zeros(16384, "i4")], (16384, 64), R(16384),
          reference=lambda q, k: [np.bitwise_count(q[:, None] ^ k).sum(2).argmin(1)]),
        P("morton", [floats(500009, 3)], [zeros(500009, "u4")], (500009,), R(500009)),
        P("points_in_circle", [integers(1, 1 << 32, 20011, "u4")], [zeros(20011, "i4")], (20011, 200), R(20011),
          calls=((200,),)),
        P("is_match", [text, text[77:93].copy()], [zeros(n, "u1")], (n, 16), R(n), reference=matches),
        P("collatz", [], [zeros(100003, "i4")], (100003,), R(100003)),
        P("decoded_block", coded, [zeros((4096, 64), "u1")], (4096, 64), R(4096)),
        P("base64_group", base64_text(200003), [zeros(600009, "u1")], (200003,), R(200003),
          reference=lambda text, _: [np.frombuffer(base64.b64decode(text.tobytes()), "u1")]),
        P("varint_block", varints(numbers), [zeros(numbers.shape, "u4")], numbers.shape, R(len(numbers)),
          reference=lambda *_: [numbers]),
        P("sparse_row", sparse(20001, 40), [zeros(20001)], (20001,), R(20001), reference=sparse_product),
        P("runs", [rows], [zeros(rows.shape, "u1"), zeros(rows.shape, "u1"), zeros(4096, "i4")], rows.shape, R(4096)),
        P("banded_row", [band, random.random(300001)], [zeros(300001, "f8")], (300001, 4), R(300001)),
        P("sorted_eight", [floats(100003, 8)], [zeros((100003, 8))], (100003,), R(100003),
          reference=lambda x: [np.sort(x, 1)]),
        P("solved_five", [matrices, random.random((20011, 5))], [zeros((20011, 5), "f8")], (20011,), R(20011),
          reference=solved),
        P("nearest_four", [floats(10007, 2), floats(128, 2)], [zeros((10007, 4), "i4")], (10007, 128), R(10007),
          reference=nearest),
        P("interpolated", [floats(1000003), floats(1024)], [zeros(1000003)], (1000003, 1024), R(1000003),
          reference=lambda x, t: [np.interp(x * np.float32(1023), np.arange(1024), t)]),
        P("rule_110", [integers(0, 1 << 32, 1000003, "u4")], [zeros(1000003, "u4")], (1000003,), R(1000003)),
        P("relaxed", [0.1 * random.random((769, 1023))], [relaxed], (769, 1023), R(767, 1023), calls=((0,), (1,))),
    ]  # fmt: skip


def group_problems() -> list[Problem]:
    """Kernels with work-groups."""
    many, long_rows, image = floats(1 << 20), floats(1024, 1001), floats(509, 763)
    size, kept, bins = kernels.GROUP_OF_BINS, kernels.TILE - 2 * kernels.STEPS, kernels.BINS
    tiles = tuple(-(-length // kept) * kernels.TILE for length in image.shape)
    groups = ndx.NdRange((many.size,), (256,))
    large = ndx.NdRange((many.size,), (size,))

    def local(shape, dtype=np.float32):
        return kapi.LocalAccessor(shape, dtype)

    tile = (kernels.TILE, kernels.TILE)
    return [
        Problem("heat_steps", [image], [zeros(image.shape)], image.shape, ndx.NdRange(tiles, tile),
                (local(tile), local(tile))),
        Problem("warp_sums", [many], [zeros(many.size // 256)], (many.size, 256), groups, (local(256), local(8)),
                reference=lambda x: [x.reshape(-1, 256).sum(1)]),
        Problem("sub_group_shares", [many], [zeros(many.size)], (many.size,), groups),
        Problem("local_bins", [many], [zeros((many.size // size, bins), "i4") for _ in range(2)], (many.size,), large,
                (local(bins, np.int32), local(bins, np.int32))),
        Problem("compacted", [many], [zeros(many.size), zeros(many.size // size, "i4")], (many.size,), large,
                (local(size, np.int32),)),
        Problem("softmax_row", [long_rows], [zeros(long_rows.shape)], long_rows.shape,
                ndx.NdRange((1024 * kernels.ROW_GROUP,), (kernels.ROW_GROUP,)), (local(kernels.ROW_GROUP),),
                reference=softmax),
        Problem("trapezoids", [], [zeros(1, "f8")], (1 << 19,), ndx.NdRange((1 << 19,), (256,)),
                reference=lambda: [np.array([np.pi])]),
    ]  # fmt: skip


def problems() -> list[Problem]:
    return flat_problems() + group_problems()
