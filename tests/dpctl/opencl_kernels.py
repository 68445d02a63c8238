"""Kernels in OpenCL C of published kinds, their data, and the results that NumPy computes: cases for the tests."""

from __future__ import annotations

import ctypes
import dataclasses
import zlib
from collections.abc import Callable

import dpctl
import numpy as np


@dataclasses.dataclass
class Case:
    """One launch. Arrays among the arguments are copied to the device; `results` maps their positions to values."""

    source: str
    arguments: list[object]
    results: dict[int, np.ndarray]
    global_range: list[int]
    local_range: list[int] | None = None
    options: str = ""
    tolerance: float = 0.0


CASES: dict[str, Callable[[np.random.Generator], Case]] = {}


def case(make: Callable[[np.random.Generator], Case]) -> Callable[[np.random.Generator], Case]:
    CASES[make.__name__] = make
    return make


@case
def tiled_matrix_product(rng: np.random.Generator) -> Case:
    source = """
    #define TILE 16
    kernel void tiled_matrix_product(global const float *a, global const float *b, global float *c, int n) {
      local float x[TILE][TILE], y[TILE][TILE];
      const int column = get_local_id(0), row = get_local_id(1);
      const int i = get_group_id(1) * TILE + row, j = get_group_id(0) * TILE + column;
      float sum = 0;
      for (int t = 0; t < n; t += TILE) {
        x[row][column] = a[i * n + t + column];
        y[row][column] = b[(t + row) * n + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) sum += x[row][k] * y[k][column];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      c[i * n + j] = sum;
    }"""
    n = 96
    a, b = (rng.random((n, n), dtype=np.float32) for _ in range(2))
    c = np.zeros_like(a)
    return Case(source, [a, b, c, np.int32(n)], {2: a @ b}, [n, n], [16, 16], tolerance=1e-5)


@case
def histogram(rng: np.random.Generator) -> Case:
    source = """
    kernel void histogram(global const uchar *data, global uint *bins, uint n, local uint *own) {
      const size_t l = get_local_id(0), size = get_local_size(0);
      for (size_t i = l; i < 256; i += size) own[i] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&own[data[i]]);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t i = l; i < 256; i += size) if (own[i]) atomic_add(&bins[i], own[i]);
    }"""
    data = rng.integers(0, 256, 300_001, dtype=np.uint8)
    bins = np.zeros(256, np.uint32)
    expected = np.bincount(data, minlength=256).astype(np.uint32)
    arguments = [data, bins, ctypes.c_uint(data.size), dpctl.LocalAccessor("u4", (256,))]
    return Case(source, arguments, {1: expected}, [64 * 32], [64])


@case
def group_scan(rng: np.random.Generator) -> Case:
    source = """
    kernel void group_scan(global const int *x, global int *sums, local int *t) {
      const int l = get_local_id(0), n = get_local_size(0);
      const size_t g = get_global_id(0);
      t[l] = x[g];
      for (int distance = 1; distance < n; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = l >= distance ? t[l - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += other;
      }
      sums[g] = t[l];
    }"""
    x = rng.integers(-50, 50, 128 * 300, dtype=np.int32)
    expected = np.cumsum(x.reshape(-1, 128), axis=1, dtype=np.int32).ravel()
    arguments = [x, np.zeros_like(x), dpctl.WorkGroupMemory("i4", 128)]
    return Case(source, arguments, {1: expected}, [x.size], [128])


@case
def tree_reduction(rng: np.random.Generator) -> Case:
    source = """
    kernel void tree_reduction(global const double *x, global double *sums, ulong n, local double *t) {
      const size_t l = get_local_id(0);
      double sum = 0;
      for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i];
      t[l] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (l < half_size) t[l] += t[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0) sums[get_group_id(0)] = t[0];
    }"""
    groups, size = 16, 64
    x = rng.random(300_000)
    items = np.zeros(-(-x.size // (groups * size)) * groups * size)
    items[: x.size] = x
    expected = items.reshape(-1, groups, size).sum(axis=(0, 2))
    arguments = [x, np.zeros(groups), ctypes.c_ulonglong(x.size), dpctl.LocalAccessor("f8", [size])]
    return Case(source, arguments, {1: expected}, [groups * size], [size], tolerance=1e-12)


@case
def stencil_of_vectors(rng: np.random.Generator) -> Case:
    source = """
    kernel void stencil_of_vectors(global const float *in, global float *out, int width) {
      const size_t x = 4 * get_global_id(0), y = get_global_id(1);
      const global float *row = in + (y + 1) * width + x;
      const float4 sum = vload4(0, row) + vload4(0, row + 2) + vload4(0, row + 1 - width) + vload4(0, row + 1 + width);
      vstore4(0.25f * sum, 0, out + (y + 1) * width + x + 1);
    }"""
    height, width = 66, 130
    a = rng.random((height, width), dtype=np.float32)
    expected = np.zeros_like(a)
    expected[1:-1, 1:-1] = (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1]) / 4
    arguments = [a, np.zeros_like(a), np.int32(width)]
    return Case(source, arguments, {1: expected}, [height - 2, (width - 2) // 4], tolerance=1e-6)


@case
def bodies(rng: np.random.Generator) -> Case:
    source = """
    kernel void bodies(global const float4 *at, global float4 *force, int n, float softening, local float4 *tile) {
      const int l = get_local_id(0), size = get_local_size(0);
      const float4 me = at[get_global_id(0)];
      float3 sum = (float3)(0);
      for (int start = 0; start < n; start += size) {
        tile[l] = at[start + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < size; ++k) {
          const float3 d = tile[k].xyz - me.xyz;
          const float r = rsqrt(dot(d, d) + softening);
          sum += tile[k].w * r * r * r * d;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      force[get_global_id(0)] = (float4)(sum, 0);
    }"""
    n = 512
    at = rng.random((n, 4), dtype=np.float32)
    d = (at[None, :, :3] - at[:, None, :3]).astype(np.float64)
    r = 1 / np.sqrt((d * d).sum(axis=2) + 0.01)
    expected = np.zeros((n, 4))
    expected[:, :3] = ((at[None, :, 3] * r**3)[:, :, None] * d).sum(axis=1)
    arguments = [at, np.zeros_like(at), np.int32(n), ctypes.c_float(0.01), dpctl.LocalAccessor("f4", (64, 4))]
    return Case(source, arguments, {1: expected}, [n], [64], tolerance=2e-3)


@case
def breadth_first_step(rng: np.random.Generator) -> Case:
    source = """
    typedef struct { int first, count; } node;
    kernel void breadth_first_step(global const node *nodes, global const int *edges, global int *cost, int level,
                                   global int *changed, int n) {
      const int i = get_global_id(0);
      if (i >= n || cost[i] != level) return;
      for (int e = nodes[i].first; e < nodes[i].first + nodes[i].count; ++e)
        if (cost[edges[e]] < 0) {
          cost[edges[e]] = level + 1;
          *changed = 1;
        }
    }"""
    n = 5_000
    counts = rng.integers(0, 6, n).astype(np.int32)
    nodes = np.stack([np.concatenate([[0], np.cumsum(counts)[:-1]]), counts], axis=1).astype(np.int32)
    edges = rng.integers(0, n, counts.sum()).astype(np.int32)
    cost = np.where(rng.random(n) < 0.1, 3, -1).astype(np.int32)
    expected = cost.copy()
    for i in np.flatnonzero(cost == 3):
        neighbours = edges[nodes[i, 0] : nodes[i, 0] + nodes[i, 1]]
        expected[neighbours[expected[neighbours] < 0]] = 4
    arguments = [nodes, edges, cost, np.int32(3), np.zeros(1, np.int32), np.int32(n)]
    return Case(source, arguments, {2: expected, 4: np.ones(1, np.int32)}, [5_120], [256])


@case
def pathfinder(rng: np.random.Generator) -> Case:
    source = """
    #define SIZE 64
    #define STEPS 6
    kernel void pathfinder(global const int *wall, global const int *start, global int *result, int columns) {
      local int now[SIZE], next[SIZE];
      const int l = get_local_id(0), first = (int)get_group_id(0) * (SIZE - 2 * STEPS) - STEPS, x = first + l;
      const int inside = clamp(x, 0, columns - 1);
      now[l] = start[inside];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int step = 0; step < STEPS; ++step) {
        const int left = x > 0 && l > 0 ? now[l - 1] : now[l];
        const int right = x < columns - 1 && l < SIZE - 1 ? now[l + 1] : now[l];
        next[l] = min(min(left, now[l]), right) + wall[step * columns + inside];
        barrier(CLK_LOCAL_MEM_FENCE);
        now[l] = next[l];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l >= STEPS && l < SIZE - STEPS && x < columns) result[x] = now[l];
    }"""
    columns, steps, useful = 1_000, 6, 52
    wall = rng.integers(0, 10, (steps, columns), dtype=np.int32)
    start = rng.integers(0, 10, columns, dtype=np.int32)
    best = start.copy()
    for row in wall:
        wide = np.pad(best, 1, mode="edge")
        best = np.minimum(np.minimum(wide[:-2], wide[1:-1]), wide[2:]) + row
    groups = -(-columns // useful)
    arguments = [wall, start, np.zeros(columns, np.int32), np.int32(columns)]
    return Case(source, arguments, {2: best}, [groups * 64], [64])


@case
def alignment_tile(rng: np.random.Generator) -> Case:
    source = """
    #define SIZE 32
    kernel void alignment_tile(global const int *reference, global int *score, int penalty) {
      local int t[SIZE + 1][SIZE + 1];
      const int l = get_local_id(0);
      const global int *mine = reference + get_group_id(0) * SIZE * SIZE;
      t[0][l + 1] = -(l + 1) * penalty;
      t[l + 1][0] = -(l + 1) * penalty;
      if (l == 0) t[0][0] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int diagonal = 0; diagonal < 2 * SIZE - 1; ++diagonal) {
        const int row = l, column = diagonal - l;
        if (column >= 0 && column < SIZE)
          t[row + 1][column + 1] = max(max(t[row][column + 1], t[row + 1][column]) - penalty,
                                       t[row][column] + mine[row * SIZE + column]);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      for (int row = 0; row < SIZE; ++row) score[get_group_id(0) * SIZE * SIZE + row * SIZE + l] = t[row + 1][l + 1];
    }"""
    size, groups, penalty = 32, 20, 3
    reference = rng.integers(-4, 6, (groups, size, size), dtype=np.int32)
    t = np.zeros((groups, size + 1, size + 1), np.int32)
    t[:, 0, :] = t[:, :, 0] = -penalty * np.arange(size + 1)
    for i in range(size):
        for j in range(size):
            gap = np.maximum(t[:, i, j + 1], t[:, i + 1, j]) - penalty
            t[:, i + 1, j + 1] = np.maximum(gap, t[:, i, j] + reference[:, i, j])
    arguments = [reference, np.zeros_like(reference), np.int32(penalty)]
    return Case(source, arguments, {1: t[:, 1:, 1:]}, [groups * size], [size])


@case
def butterflies(rng: np.random.Generator) -> Case:
    source = """
    #define N 256
    float2 product(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
    uint reversed(uint i) {
      uint r = 0;
      for (int bit = 0; bit < 8; ++bit) r |= ((i >> bit) & 1) << (7 - bit);
      return r;
    }
    kernel void butterflies(global const float2 *in, global float2 *out) {
      local float2 t[N];
      const uint l = get_local_id(0);
      const size_t base = get_group_id(0) * N;
      t[l] = in[base + reversed(l)];
      t[l + N / 2] = in[base + reversed(l + N / 2)];
      for (uint span = 1; span < N; span *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint k = l & (span - 1), i = 2 * (l - k) + k;
        float cosine, sine = sincos(-M_PI_F * k / span, &cosine);
        const float2 a = t[i], b = product(t[i + span], (float2)(cosine, sine));
        t[i] = a + b;
        t[i + span] = a - b;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      out[base + l] = t[l];
      out[base + l + N / 2] = t[l + N / 2];
    }"""
    x = (rng.random((40, 256)) + 1j * rng.random((40, 256))).astype(np.complex64)
    return Case(source, [x, np.zeros_like(x)], {1: np.fft.fft(x)}, [40 * 128], [128], tolerance=1e-4)


SHA_CONSTANTS = [
    int(abs(p ** (1 / 3)) % 1 * 2**32) for p in
    [n for n in range(2, 312) if all(n % d for d in range(2, int(n**0.5) + 1))]
]  # fmt: skip


@case
def sha256_block(rng: np.random.Generator) -> Case:
    import hashlib

    constants = ", ".join(f"0x{c:08x}u" for c in SHA_CONSTANTS)
    source = """
    constant uint K[64] = {CONSTANTS};
    uint turned(uint x, uint by) { return rotate(x, 32 - by); }
    kernel void sha256_block(global const uint *messages, global uint *digests) {
      const size_t i = get_global_id(0);
      uint h[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                   0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
      uint w[64], s[8];
      for (int t = 0; t < 8; ++t) s[t] = h[t];
      for (int t = 0; t < 64; ++t) {
        if (t < 16) w[t] = messages[16 * i + t];
        else {
          const uint a = w[t - 15], b = w[t - 2];
          w[t] = w[t - 16] + (turned(a, 7) ^ turned(a, 18) ^ (a >> 3)) + w[t - 7]
               + (turned(b, 17) ^ turned(b, 19) ^ (b >> 10));
        }
        const uint one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25))
                       + bitselect(s[6], s[5], s[4]) + K[t] + w[t];
        const uint two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + bitselect(s[0], s[1], s[2] ^ s[0]);
        for (int k = 7; k > 0; --k) s[k] = s[k - 1];
        s[4] += one;
        s[0] = one + two;
      }
      for (int t = 0; t < 8; ++t) digests[8 * i + t] = h[t] + s[t];
    }""".replace("CONSTANTS", constants)
    texts = [bytes(rng.integers(0, 256, 40, dtype=np.uint8)) for _ in range(300)]
    blocks = b"".join(t + b"\x80" + bytes(15) + (8 * len(t)).to_bytes(8, "big") for t in texts)
    messages = np.frombuffer(blocks, ">u4").astype(np.uint32)
    expected = np.frombuffer(b"".join(hashlib.sha256(t).digest() for t in texts), ">u4").astype(np.uint32)
    return Case(source, [messages, np.zeros_like(expected)], {1: expected}, [len(texts)])


@case
def xorshift(rng: np.random.Generator) -> Case:
    source = """
    kernel void xorshift(global ulong *state, global float *numbers, int rounds) {
      const size_t i = get_global_id(0);
      ulong x = state[i];
      for (int r = 0; r < rounds; ++r) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
      }
      state[i] = x;
      numbers[i] = (float)(x >> 40) * 0x1p-24f;
    }"""
    state = rng.integers(1, 2**63, 10_000, dtype=np.uint64)
    x = state.copy()
    for _ in range(20):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
    numbers = (x >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)
    arguments = [state, np.zeros(state.size, np.float32), ctypes.c_int(20)]
    return Case(source, arguments, {0: x, 1: numbers}, [state.size])


@case
def bit_operations(rng: np.random.Generator) -> Case:
    source = """
    kernel void bit_operations(global const uint4 *x, global uint4 *ones, global uint4 *zeros, global uint4 *swapped) {
      const size_t i = get_global_id(0);
      ones[i] = popcount(x[i]);
      zeros[i] = clz(x[i]);
      const uchar16 bytes = as_uchar16(x[i]);
      swapped[i] = as_uint4(bytes.s32107654ba98fedc);
    }"""
    x = (rng.integers(0, 2**32, 4_000, dtype=np.uint64) >> rng.integers(0, 32, 4_000, dtype=np.uint64)).astype(
        np.uint32
    )
    ones = np.bitwise_count(x).astype(np.uint32)
    zeros = np.array([32 - int(v).bit_length() for v in x], np.uint32)
    arguments = [x, *(np.zeros_like(x) for _ in range(3))]
    return Case(source, arguments, {1: ones, 2: zeros, 3: x.byteswap()}, [x.size // 4])


class Step(ctypes.Structure):
    """An argument by value: with padding, a vector's worth of floats, and a nested array."""

    _fields_ = (
        ("flag", ctypes.c_char),
        ("scale", ctypes.c_double),
        ("shift", ctypes.c_float * 3),
        ("weights", ctypes.c_short * 5),
    )


@case
def structures(rng: np.random.Generator) -> Case:
    source = """
    typedef struct { float at[3]; int kind; } particle;
    typedef struct { char flag; double scale; float shift[3]; short weights[5]; } step;
    kernel void structures(global particle *all, const step s, char sign) {
      particle p = all[get_global_id(0)];
      for (int d = 0; d < 3; ++d) p.at[d] = sign * (p.at[d] * (float)s.scale + s.shift[d]);
      p.kind = s.flag == 'y' ? s.weights[p.kind] : -1;
      all[get_global_id(0)] = p;
    }"""
    particles = np.zeros(3_000, np.dtype([("at", np.float32, 3), ("kind", np.int32)]))
    particles["at"] = rng.random((particles.size, 3))
    particles["kind"] = rng.integers(0, 5, particles.size)
    step = Step(b"y", 0.5, (1.0, 2.0, 3.0), (10, -20, 30, -40, 50))
    at = -(particles["at"] * np.float32(0.5) + np.array([1, 2, 3], np.float32))
    kind = np.array([10, -20, 30, -40, 50], np.int32)[particles["kind"]]
    expected = particles.copy()
    expected["at"], expected["kind"] = at, kind
    words = particles.view(np.int32).copy()
    arguments = [words, dpctl.RawKernelArg(bytearray(step)), ctypes.c_char(-1 & 0xFF)]
    return Case(source, arguments, {0: expected.view(np.int32)}, [particles.size])


@case
def checksum_table(rng: np.random.Generator) -> Case:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
        table.append(value)
    source = f"""
    __constant uint TABLE[256] = {{{", ".join(f"{v}u" for v in table)}}};
    kernel void checksum_table(global const uchar *rows, constant uint *start, global uint *sums, uint length) {{
      const size_t i = get_global_id(0);
      uint sum = start[0];
      for (uint k = 0; k < length; ++k) sum = TABLE[(sum ^ rows[i * length + k]) & 255] ^ (sum >> 8);
      sums[i] = ~sum;
    }}"""
    rows = rng.integers(0, 256, (700, 61), dtype=np.uint8)
    expected = np.array([zlib.crc32(row.tobytes()) for row in rows], np.uint32)
    arguments = [rows, np.array([0xFFFFFFFF], np.uint32), np.zeros(700, np.uint32), ctypes.c_uint(61)]
    return Case(source, arguments, {2: expected}, [700])


@case
def black_scholes(rng: np.random.Generator) -> Case:
    source = """
    double2 below(double2 x) { return 0.5 * erfc(-x * M_SQRT1_2); }
    kernel void black_scholes(global const double2 *price, global const double2 *strike, global double2 *call,
                              double rate, double volatility, double years) {
      const size_t i = get_global_id(0);
      const double root = volatility * sqrt(years);
      const double2 up = (log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years) / root;
      call[i] = price[i] * below(up) - strike[i] * exp(-rate * years) * below(up - root);
    }"""
    from math import erf

    price, strike = rng.random(2_000) * 100 + 10, rng.random(2_000) * 100 + 10
    up = (np.log(price / strike) + (0.03 + 0.5 * 0.04) * 2) / (0.2 * 2**0.5)
    below = np.vectorize(lambda v: (1 + erf(v / 2**0.5)) / 2)
    expected = price * below(up) - strike * np.exp(-0.06) * below(up - 0.2 * 2**0.5)
    arguments = [price, strike, np.zeros_like(price), np.float64(0.03), np.float64(0.2), np.float64(2.0)]
    return Case(source, arguments, {2: expected}, [1_000], tolerance=1e-9)


@case
def transposed_tiles(rng: np.random.Generator) -> Case:
    source = """
    kernel __attribute__((reqd_work_group_size(16, 16, 1)))
    void transposed_tiles(global const short *in, global short *out) {
      local short t[16][17];
      const size_t width = get_global_size(0), height = get_global_size(1);
      t[get_local_id(1)][get_local_id(0)] = in[get_global_id(1) * width + get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      const size_t x = get_group_id(1) * 16 + get_local_id(0), y = get_group_id(0) * 16 + get_local_id(1);
      out[y * height + x] = t[get_local_id(0)][get_local_id(1)];
    }"""
    a = rng.integers(-30_000, 30_000, (80, 144), dtype=np.int16)
    return Case(source, [a, np.zeros((144, 80), np.int16)], {1: a.T}, [80, 144])


@case
def sparse_rows(rng: np.random.Generator) -> Case:
    source = """
    kernel void sparse_rows(global const int *starts, global const int *columns, global const float *values,
                            global const float *x, global float *y) {
      const int row = get_global_id(0);
      float sum = 0;
      for (int k = starts[row]; k < starts[row + 1]; ++k) sum = mad(values[k], x[columns[k]], sum);
      y[row] = sum;
    }"""
    rows = 2_000
    counts = rng.integers(0, 30, rows)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    columns = rng.integers(0, rows, starts[-1]).astype(np.int32)
    values, x = rng.random(starts[-1], dtype=np.float32), rng.random(rows, dtype=np.float32)
    products = np.concatenate([[0.0], np.cumsum(values.astype(np.float64) * x[columns])])
    expected = products[starts[1:]] - products[starts[:-1]]
    return Case(source, [starts, columns, values, x, np.zeros_like(x)], {4: expected}, [rows], tolerance=1e-4)


@case
def nearest_centres(rng: np.random.Generator) -> Case:
    source = """
    kernel void nearest_centres(global const float *points, constant float *centres, global int *nearest, int n) {
      const int i = get_global_id(0);
      float least = MAXFLOAT;
      int best = 0;
      for (int c = 0; c < 7; ++c) {
        float sum = 0;
        for (int d = 0; d < 5; ++d) sum += pown(points[d * n + i] - centres[c * 5 + d], 2);
        best = sum < least ? c : best;
        least = fmin(least, sum);
      }
      nearest[i] = best;
    }"""
    points, centres = rng.random((5, 3_000), dtype=np.float32), rng.random((7, 5), dtype=np.float32)
    distances = ((points.T[:, None, :] - centres) ** 2).sum(axis=2)
    arguments = [points, centres, np.zeros(3_000, np.int32), np.int32(3_000)]
    return Case(source, arguments, {2: distances.argmin(axis=1).astype(np.int32)}, [3_000])


@case
def radix_counts(rng: np.random.Generator) -> Case:
    source = """
    kernel void radix_counts(global const uint *keys, global uint *places, uint shift) {
      local uint counts[16], firsts[16];
      const uint l = get_local_id(0);
      const uint digit = (keys[get_global_id(0)] >> shift) & 15;
      if (l < 16) counts[l] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      uint before = 0;
      for (uint turn = 0; turn < get_local_size(0); ++turn) {  /* stable: work-items take turns */
        if (turn == l) before = atomic_add(&counts[digit], 1u);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0) {
        uint sum = 0;
        for (int d = 0; d < 16; ++d) { firsts[d] = sum; sum += counts[d]; }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      places[get_global_id(0)] = firsts[digit] + before;
    }"""
    keys = rng.integers(0, 2**32, 64 * 30, dtype=np.uint64).astype(np.uint32)
    digits = (keys >> 8 & 15).reshape(-1, 64)
    expected = np.argsort(np.argsort(digits, axis=1, kind="stable"), axis=1).astype(np.uint32)
    arguments = [keys, np.zeros_like(keys), ctypes.c_uint(8)]
    return Case(source, arguments, {1: expected.ravel()}, [keys.size], [64])


@case
def decomposed_tiles(rng: np.random.Generator) -> Case:
    source = """
    #define N 16
    kernel void decomposed_tiles(global float *tiles) {
      local float t[N][N];
      const int l = get_local_id(0);
      global float *mine = tiles + get_group_id(0) * N * N;
      for (int row = 0; row < N; ++row) t[row][l] = mine[row * N + l];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < N - 1; ++k) {
        if (l > k) t[l][k] /= t[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > k) for (int j = k + 1; j < N; ++j) t[l][j] -= t[l][k] * t[k][j];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      for (int row = 0; row < N; ++row) mine[row * N + l] = t[row][l];
    }"""
    tiles = (rng.random((25, 16, 16)) + 16 * np.eye(16)).astype(np.float32)
    t = tiles.astype(np.float64)
    for k in range(15):
        t[:, k + 1 :, k] /= t[:, k, None, k]
        t[:, k + 1 :, k + 1 :] -= t[:, k + 1 :, k, None] * t[:, k, None, k + 1 :]
    return Case(source, [tiles], {0: t}, [25 * 16], [16], tolerance=1e-4)


@case
def escape_times(rng: np.random.Generator) -> Case:
    source = """
    kernel void escape_times(global uchar *times, float x0, float y0, float step) {
      const float cx = x0 + step * get_global_id(0), cy = y0 + step * get_global_id(1);
      float x = 0, y = 0;
      uchar n = 0;
      while (n < 100 && x * x + y * y < 4) {
        const float next = fma(x, x, -y * y) + cx;
        y = 2 * x * y + cy;
        x = next;
        ++n;
      }
      times[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n < 100;
    }"""
    height, width = 48, 64
    c = -2.0 + 0.04 * np.arange(width) + 1j * (-1.0 + 0.04 * np.arange(height)[:, None])
    z, escaped = np.zeros_like(c), np.zeros(c.shape, np.uint8)
    for _ in range(100):
        z = np.where(escaped, z, z * z + c)
        escaped |= abs(z) >= 2
    # Points beside the border may take other times in single precision: only clear ones count.
    expected = escaped
    arguments = [np.zeros((height, width), np.uint8), *(ctypes.c_float(v) for v in (-2.0, -1.0, 0.04))]
    return Case(source, arguments, {0: expected}, [height, width], tolerance=0.02)


@case
def copied_by_groups(rng: np.random.Generator) -> Case:
    source = """
    kernel void copied_by_groups(global const float4 *in, global float4 *out, local float4 *a, local float4 *b) {
      const size_t n = get_local_size(0), first = get_group_id(0) * n;
      event_t done = async_work_group_copy(a, in + first, n, 0);
      done = async_work_group_strided_copy(b, in, n, 2, done);
      wait_group_events(1, &done);
      a[get_local_id(0)] += b[get_local_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      done = async_work_group_copy(out + first, a, n, 0);
      wait_group_events(1, &done);
    }"""
    x = rng.random((64 * 12, 4), dtype=np.float32)
    expected = (x.reshape(12, 64, 4) + x[:128:2]).reshape(x.shape)
    memory = [dpctl.LocalAccessor("f4", (64, 4)) for _ in range(2)]
    return Case(source, [x, np.zeros_like(x), *memory], {1: expected}, [x.shape[0]], [64])


@case
def generic_atomics(rng: np.random.Generator) -> Case:
    source = """
    void count(atomic_uint *where) { atomic_fetch_add_explicit(where, 2u, memory_order_relaxed, memory_scope_device); }
    kernel void generic_atomics(global const int *x, volatile global atomic_uint *counts, global atomic_int *largest,
                                global atomic_int *bits) {
      local atomic_uint own;
      if (get_local_id(0) == 0) atomic_init(&own, 0);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      const int value = x[get_global_id(0)];
      if (value & 1) count(&own);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0) atomic_fetch_add(&counts[0], atomic_load(&own));
      atomic_fetch_max_explicit(largest, value, memory_order_acq_rel, memory_scope_device);
      int expected = 0;
      while (!atomic_compare_exchange_weak(bits, &expected, expected | value)) {}
    }"""
    x = rng.integers(0, 1 << 20, 5_120, dtype=np.int32)
    results = [np.array([2 * (x & 1).sum()], np.uint32), x.max(keepdims=True), np.bitwise_or.reduce(x)[None]]
    arguments = [x, np.zeros(1, np.uint32), np.zeros(1, np.int32), np.zeros(1, np.int32)]
    return Case(source, arguments, dict(enumerate(results, 1)), [x.size], [64], options="-cl-std=CL3.0")


@case
def group_functions(rng: np.random.Generator) -> Case:
    source = """
    kernel void group_functions(global const int *x, global int *sums, global int *scans, global float *largest,
                                global int *first) {
      const size_t i = get_global_id(0);
      sums[i] = work_group_reduce_add(x[i]);
      scans[i] = work_group_scan_exclusive_add(x[i]);
      largest[i] = work_group_reduce_max((float)x[i]);
      first[i] = work_group_broadcast(x[i], 3);
    }"""
    x = rng.integers(-1_000, 1_000, (50, 64), dtype=np.int32)
    sums = np.cumsum(x, axis=1, dtype=np.int32)
    results = [
        np.broadcast_to(sums[:, -1:], x.shape),
        sums - x,
        np.broadcast_to(x.max(axis=1, keepdims=True), x.shape).astype(np.float32),
        np.broadcast_to(x[:, 3:4], x.shape),
    ]
    arguments = [x, *(np.zeros_like(r) for r in results)]
    return Case(source, arguments, dict(enumerate(results, 1)), [x.size], [64], options="-cl-std=CL3.0")


@case
def grid_of_three_dimensions(rng: np.random.Generator) -> Case:
    source = """
    kernel void grid_of_three_dimensions(global const float *in, global float *out, global int *dimensions) {
      const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
      const size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;
      out[i] = in[i] + 100 * z + 10 * y + x + (i == get_global_linear_id() ? 0 : 1000);
      if (i == 0) *dimensions = get_work_dim();
    }"""
    a = rng.random((6, 10, 36), dtype=np.float32)
    z, y, x = np.indices(a.shape)
    expected = a + (100 * z + 10 * y + x).astype(np.float32)
    arguments = [a, np.zeros_like(a), np.zeros(1, np.int32)]
    results = {1: expected, 2: np.array([3], np.int32)}
    return Case(source, arguments, results, list(a.shape), [2, 5, 4], options="-cl-std=CL3.0", tolerance=1e-6)


@case
def half_precision(rng: np.random.Generator) -> Case:
    source = """
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void half_precision(global const half *in, global half *out, global float *sums, half scale) {
      const size_t i = get_global_id(0);
      const half4 x = vload4(i, in);
      vstore4(x * scale, i, out);
      const float4 wide = vload_half4(i, in);
      sums[i] = wide.x + wide.y + wide.z + wide.w;
      vstore_half_rtz(wide.x * 0.1f, 4 * i, out);
    }"""
    x = rng.random(4_000).astype(np.float16)
    out = x * np.float16(3)
    product = x[::4].astype(np.float32) * np.float32(0.1)
    nearest = product.astype(np.float16)
    out[::4] = np.where(nearest.astype(np.float32) > product, np.nextafter(nearest, np.float16(0)), nearest)
    sums = x.astype(np.float32).reshape(-1, 4)
    expected = {1: out, 2: sums[:, 0] + sums[:, 1] + sums[:, 2] + sums[:, 3]}
    arguments = [x, np.zeros_like(x), np.zeros(1_000, np.float32), np.float16(3)]
    return Case(source, arguments, expected, [1_000])
