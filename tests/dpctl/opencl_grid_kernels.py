"""More kernels in OpenCL C: grids, images, ciphers and solvers. Importing the module adds them to the cases."""

from __future__ import annotations

import dpctl
import numpy as np
from opencl_kernels import Case, case


def shifted(a: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """The array whose element (i, j) is a[i + rows, j + columns], with indices clamped to the border."""
    i = np.clip(np.arange(a.shape[0]) + rows, 0, a.shape[0] - 1)
    j = np.clip(np.arange(a.shape[1]) + columns, 0, a.shape[1] - 1)
    return a[np.ix_(i, j)]


@case
def temperatures_of_a_chip(rng: np.random.Generator) -> Case:
    """Two steps of heat conduction in one launch: a tile loads a halo of two cells, and loses one in each step."""
    source = """
    #define TILE 16
    #define STEPS 2
    #define INNER (TILE - 2 * STEPS)
    kernel void temperatures_of_a_chip(global const float *power, global const float *before, global float *after,
                                       int rows, int columns, float capacity, float rx, float ry, float rz,
                                       float ambient) {
      local float now[TILE][TILE], next[TILE][TILE];
      const int tx = get_local_id(0), ty = get_local_id(1);
      const int x = (int)get_group_id(0) * INNER + tx - STEPS, y = (int)get_group_id(1) * INNER + ty - STEPS;
      const int cx = clamp(x, 0, columns - 1), cy = clamp(y, 0, rows - 1);
      const bool inside = x >= 0 && x < columns && y >= 0 && y < rows;
      now[ty][tx] = before[cy * columns + cx];
      const float heat = power[cy * columns + cx];
      barrier(CLK_LOCAL_MEM_FENCE);
      bool computed = false;
      for (int step = 1; step <= STEPS; ++step) {
        computed = inside && tx >= step && tx < TILE - step && ty >= step && ty < TILE - step;
        if (computed) {
          const int north = y == 0 ? ty : ty - 1, south = y == rows - 1 ? ty : ty + 1;
          const int west = x == 0 ? tx : tx - 1, east = x == columns - 1 ? tx : tx + 1;
          const float t = now[ty][tx];
          next[ty][tx] = t + capacity * (heat + (now[south][tx] + now[north][tx] - 2 * t) * ry +
                                         (now[ty][east] + now[ty][west] - 2 * t) * rx + (ambient - t) * rz);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (computed) now[ty][tx] = next[ty][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (computed) after[y * columns + x] = now[ty][tx];
    }"""
    rows, columns, inner = 61, 90, 12
    power = rng.random((rows, columns), dtype=np.float32)
    before = (60 + 20 * rng.random((rows, columns))).astype(np.float32)
    capacity, rx, ry, rz, ambient = (np.float32(v) for v in (0.05, 1.5, 2.5, 0.25, 40))
    t = before.astype(np.float64)
    for _ in range(2):
        t = t + capacity * (
            power
            + (shifted(t, 1, 0) + shifted(t, -1, 0) - 2 * t) * ry
            + (shifted(t, 0, 1) + shifted(t, 0, -1) - 2 * t) * rx
            + (ambient - t) * rz
        )
    groups = [-(-columns // inner), -(-rows // inner)]
    arguments = [power, before, np.zeros_like(before), np.int32(rows), np.int32(columns)]
    return Case(
        source,
        [*arguments, capacity, rx, ry, rz, ambient],
        {2: t.astype(np.float32)},
        [groups[1] * 16, groups[0] * 16],
        [16, 16],
        tolerance=1e-5,
    )


@case
def speckle_reduction(rng: np.random.Generator) -> Case:
    """The diffusion coefficients of an image with speckle, from its gradient and its Laplacian."""
    source = """
    kernel void speckle_reduction(global const float *image, global float *coefficients, int rows, int columns,
                                  float q0) {
      const int j = get_global_id(0), i = get_global_id(1);
      if (i >= rows || j >= columns) return;
      const float v = image[i * columns + j];
      const float n = image[max(i - 1, 0) * columns + j] - v, s = image[min(i + 1, rows - 1) * columns + j] - v;
      const float w = image[i * columns + max(j - 1, 0)] - v, e = image[i * columns + min(j + 1, columns - 1)] - v;
      const float4 d = (float4)(n, s, w, e);
      const float g = dot(d, d) / (v * v), l = (n + s + w + e) / v;
      const float numerator = 0.5f * g - 0.0625f * l * l, root = mad(0.25f, l, 1.0f);
      const float q = numerator / (root * root);
      coefficients[i * columns + j] = clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0f, 1.0f);
    }"""
    rows, columns = 77, 101
    image = (0.5 + rng.random((rows, columns))).astype(np.float32)
    q0 = np.float32(0.05)
    v = image.astype(np.float64)
    differences = [shifted(v, *by) - v for by in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    g, laplacian = sum(d * d for d in differences) / (v * v), sum(differences) / v
    q = (0.5 * g - 0.0625 * laplacian**2) / (1 + 0.25 * laplacian) ** 2
    expected = np.clip(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0, 1).astype(np.float32)
    arguments = [image, np.zeros_like(image), np.int32(rows), np.int32(columns), q0]
    return Case(source, arguments, {1: expected}, [80, 112], [8, 16], tolerance=2e-4)


def sbox() -> np.ndarray:
    """The substitution table of AES: the inverse in GF(256), transformed (FIPS 197, section 5.1.1)."""
    powers, logarithms = np.zeros(255, np.int64), np.zeros(256, np.int64)
    value = 1
    for exponent in range(255):
        powers[exponent], logarithms[value] = value, exponent
        doubled = value << 1
        value ^= (doubled ^ 0x11B) if doubled & 0x100 else doubled
    table = np.zeros(256, np.uint8)
    for byte in range(256):
        inverse = 0 if byte == 0 else int(powers[(255 - logarithms[byte]) % 255])
        bits = inverse
        for turn in range(1, 5):
            bits ^= ((inverse << turn) | (inverse >> (8 - turn))) & 0xFF
        table[byte] = bits ^ 0x63
    return table


def doubled(bytes_: np.ndarray) -> np.ndarray:
    return ((bytes_.astype(np.int32) << 1) ^ np.where(bytes_ & 0x80, 0x11B, 0)).astype(np.uint8)


@case
def cipher_rounds(rng: np.random.Generator) -> Case:
    """Nine rounds of AES, one block a work-item, with the state in private memory and the table in local memory."""
    source = """
    uchar doubled(uchar b) { return (uchar)((b << 1) ^ ((b & 0x80) ? 0x1b : 0)); }

    kernel void cipher_rounds(global const uchar16 *blocks, constant uchar16 *keys, constant uchar *table,
                              global uchar16 *out, local uchar *box, int rounds, uint count) {
      for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) box[i] = table[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint block = get_global_id(0);
      if (block >= count) return;
      uchar state[16], moved[16];
      vstore16(blocks[block] ^ keys[0], 0, state);
      for (int round = 1; round <= rounds; ++round) {
        for (int c = 0; c < 4; ++c)
          for (int r = 0; r < 4; ++r) moved[4 * c + r] = box[state[4 * ((c + r) & 3) + r]];
        for (int c = 0; c < 4; ++c) {
          const uchar4 x = vload4(c, moved);
          const uchar4 y = x.yzwx, z = x.zwxy, u = x.wxyz;
          const uchar4 two = (uchar4)(doubled(x.x), doubled(x.y), doubled(x.z), doubled(x.w));
          vstore4(two ^ two.yzwx ^ y ^ z ^ u, c, state);
        }
        vstore16(vload16(0, state) ^ keys[round], 0, state);
      }
      out[block] = vload16(0, state);
    }"""
    count, rounds = 1000, 9
    blocks = rng.integers(0, 256, (count, 16), dtype=np.uint8)
    keys = rng.integers(0, 256, (rounds + 1, 16), dtype=np.uint8)
    table = sbox()
    state = (blocks ^ keys[0]).reshape(count, 4, 4)  # block, column, row
    for r in range(1, rounds + 1):
        state = table[state]
        state = np.stack([np.roll(state[:, :, row], -row, axis=1) for row in range(4)], axis=2)
        two = doubled(state)
        turned = [np.roll(state, -by, axis=2) for by in (1, 2, 3)]
        state = two ^ np.roll(two, -1, axis=2) ^ turned[0] ^ turned[1] ^ turned[2]
        state = state ^ keys[r].reshape(4, 4)
    arguments = [blocks, keys, table, np.zeros_like(blocks), dpctl.LocalAccessor("u1", (256,))]
    expected = {3: state.reshape(count, 16)}
    return Case(source, [*arguments, np.int32(rounds), np.uint32(count)], expected, [1024], [128])


@case
def bitonic_tiles(rng: np.random.Generator) -> Case:
    """Every work-group sorts its tile of keys with their positions by a bitonic network in local memory."""
    source = """
    #define SIZE 512
    kernel void bitonic_tiles(global int *keys, global int *positions) {
      local int key[SIZE], position[SIZE];
      const int l = get_local_id(0), base = get_group_id(0) * SIZE;
      for (int i = l; i < SIZE; i += SIZE / 2) key[i] = keys[base + i], position[i] = i;
      for (int size = 2; size <= SIZE; size <<= 1)
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
          barrier(CLK_LOCAL_MEM_FENCE);
          const int i = 2 * l - (l & (stride - 1)), j = i + stride;
          const bool ascending = (i & size) == 0;
          const bool greater = key[i] > key[j] || (key[i] == key[j] && position[i] > position[j]);
          if (greater == ascending) {
            const int k = key[i], p = position[i];
            key[i] = key[j], position[i] = position[j];
            key[j] = k, position[j] = p;
          }
        }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = l; i < SIZE; i += SIZE / 2) keys[base + i] = key[i], positions[base + i] = position[i];
    }"""
    keys = rng.integers(-99, 99, (9, 512), dtype=np.int32)
    order = np.argsort(keys, axis=1, kind="stable").astype(np.int32)
    expected = {0: np.take_along_axis(keys, order, 1), 1: order}
    return Case(source, [keys, np.zeros_like(keys)], expected, [9 * 256], [256])


@case
def separable_convolution(rng: np.random.Generator) -> Case:
    """Rows of an image with 17 weights; a tile loads the pixels beside it, zeros outside of the image."""
    source = """
    #define RADIUS 8
    #define WIDTH 64
    kernel void separable_convolution(global const float *image, constant float *weights, global float *out,
                                      int columns) {
      local float tile[4][WIDTH + 2 * RADIUS];
      const int l = get_local_id(0), ty = get_local_id(1), row = get_global_id(1);
      const int first = (int)get_group_id(0) * WIDTH - RADIUS;
      for (int i = l; i < WIDTH + 2 * RADIUS; i += WIDTH) {
        const int x = first + i;
        tile[ty][i] = x >= 0 && x < columns ? image[row * columns + x] : 0.0f;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const int x = get_global_id(0);
      if (x >= columns) return;
      float sum = 0;
      #pragma unroll
      for (int k = -RADIUS; k <= RADIUS; ++k) sum = fma(weights[RADIUS - k], tile[ty][l + RADIUS + k], sum);
      out[row * columns + x] = sum;
    }"""
    rows, columns = 44, 203
    image, weights = rng.random((rows, columns), dtype=np.float32), rng.random(17, dtype=np.float32)
    expected = np.stack([np.convolve(row, weights, mode="same") for row in image.astype(np.float64)])
    arguments = [image, weights, np.zeros_like(image), np.int32(columns)]
    return Case(source, arguments, {2: expected.astype(np.float32)}, [rows, 256], [4, 64], tolerance=1e-5)


@case
def edges_of_colours(rng: np.random.Generator) -> Case:
    """Sobel's operator on pixels of four bytes: conversions with saturation, and `hypot` of vectors."""
    source = """
    float4 pixel(global const uchar4 *image, int i, int j, int rows, int columns) {
      return convert_float4(image[clamp(i, 0, rows - 1) * columns + clamp(j, 0, columns - 1)]);
    }
    #define P(di, dj) pixel(image, i + (di), j + (dj), rows, columns)
    kernel void edges_of_colours(global const uchar4 *image, global uchar4 *out, int rows, int columns) {
      const int i = get_global_id(1), j = get_global_id(0);
      const float4 x = P(-1, 1) - P(-1, -1) + 2 * (P(0, 1) - P(0, -1)) + P(1, 1) - P(1, -1);
      const float4 y = P(1, -1) - P(-1, -1) + 2 * (P(1, 0) - P(-1, 0)) + P(1, 1) - P(-1, 1);
      out[i * columns + j] = convert_uchar4_sat_rtz(0.5f * hypot(x, y));
    }"""
    rows, columns = 51, 67
    image = rng.integers(0, 256, (rows, columns, 4), dtype=np.uint8)
    p = image.astype(np.float64)
    at = {(i, j): shifted(p, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
    x = at[-1, 1] - at[-1, -1] + 2 * (at[0, 1] - at[0, -1]) + at[1, 1] - at[1, -1]
    y = at[1, -1] - at[-1, -1] + 2 * (at[1, 0] - at[-1, 0]) + at[1, 1] - at[-1, 1]
    expected = np.minimum(0.5 * np.hypot(x, y) + 1e-9, 255).astype(np.uint8)
    return Case(
        source, [image, np.zeros_like(image), np.int32(rows), np.int32(columns)], {1: expected}, [rows, columns]
    )


@case
def shortest_paths(rng: np.random.Generator) -> Case:
    """Floyd's and Warshall's algorithm on a tile of 32 x 32 vertices: one barrier a vertex, four cells a work-item."""
    source = """
    #define N 32
    kernel void shortest_paths(global int *distances) {
      local int d[N * N];
      global int *graph = distances + get_group_id(0) * N * N;
      const int l = get_local_id(0);
      event_t copied = async_work_group_copy(d, (global const int *)graph, N * N, 0);
      wait_group_events(1, &copied);
      for (int k = 0; k < N; ++k) {
        for (int i = l; i < N * N; i += get_local_size(0)) {
          const int through = d[i / N * N + k] + d[k * N + i % N];
          if (through < d[i]) d[i] = through;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      copied = async_work_group_copy(graph, (local const int *)d, N * N, 0);
      wait_group_events(1, &copied);
    }"""
    graphs, n = 5, 32
    d = rng.integers(1, 100, (graphs, n, n), dtype=np.int32)
    d[rng.random(d.shape) < 0.7] = 10**6
    d[:, np.arange(n), np.arange(n)] = 0
    expected = d.copy()
    for k in range(n):
        expected = np.minimum(expected, expected[:, :, k : k + 1] + expected[:, k : k + 1, :])
    return Case(source, [d], {0: expected}, [graphs * 256], [256])


@case
def layer_of_neurons(rng: np.random.Generator) -> Case:
    """Products of 16 inputs with the weights of 16 neurons, summed by halving in local memory, then a sigmoid."""
    source = """
    #define N 16
    kernel void layer_of_neurons(global const float *inputs, global const float *weights, global float *sums,
                                 int neurons) {
      local float x[N], products[N][N];
      const int tx = get_local_id(0), ty = get_local_id(1), group = get_group_id(1);
      const int input = group * N + ty;
      if (tx == 0) x[ty] = inputs[input];
      barrier(CLK_LOCAL_MEM_FENCE);
      products[ty][tx] = weights[input * neurons + tx] * x[ty];
      for (int power = 2; power <= N; power *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ty % power == 0) products[ty][tx] += products[ty + power / 2][tx];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (ty == 0) sums[group * neurons + tx] = 1 / (1 + native_exp(-products[0][tx]));
    }"""
    groups, n = 40, 16
    x, w = rng.random(groups * n, dtype=np.float32), rng.standard_normal((groups * n, n), dtype=np.float32)
    totals = (w.astype(np.float64) * x[:, None]).reshape(groups, n, n).sum(axis=1)
    expected = (1 / (1 + np.exp(-totals))).astype(np.float32)
    arguments = [x, w, np.zeros((groups, n), np.float32), np.int32(n)]
    return Case(source, arguments, {2: expected}, [groups * n, n], [n, n], tolerance=1e-5)


@case
def elimination_step(rng: np.random.Generator) -> Case:
    """One column of Gaussian elimination; the offset of the column is added to the ids by the kernel."""
    source = """
    kernel void elimination_step(global double *a, global double *b, int n, int column) {
      const int i = get_global_id(1) + column + 1, j = get_global_id(0) + column;
      if (i >= n || j >= n) return;
      const double factor = a[i * n + column] / a[column * n + column];
      if (j == column) { b[i] -= factor * b[column]; return; }
      a[i * n + j] = fma(-factor, a[column * n + j], a[i * n + j]);
    }"""
    n, column = 83, 4
    a, b = rng.random((n, n)) + 4 * np.eye(n), rng.random(n)
    factors = a[column + 1 :, column] / a[column, column]
    reduced, right = a.copy(), b.copy()
    reduced[column + 1 :, column + 1 :] -= np.outer(factors, a[column, column + 1 :])
    right[column + 1 :] -= factors * b[column]
    return Case(
        source, [a, b, np.int32(n), np.int32(column)], {0: reduced, 1: right}, [96, 96], [8, 32], tolerance=1e-13
    )


@case
def phases_of_voxels(rng: np.random.Generator) -> Case:
    """The sums of magnetic resonance: a structure a sample in constant memory, `sincos` in the loop."""
    source = """
    typedef struct { float x, y, z, magnitude; } sample;
    kernel void phases_of_voxels(constant sample *samples, int count, global const float *x, global const float *y,
                                 global const float *z, global float2 *sums) {
      const size_t i = get_global_id(0);
      float2 sum = 0;
      for (int k = 0; k < count; ++k) {
        float c;
        const float s = sincos(2 * M_PI_F * (samples[k].x * x[i] + samples[k].y * y[i] + samples[k].z * z[i]), &c);
        sum += samples[k].magnitude * (float2)(c, s);
      }
      sums[i] = sum;
    }"""
    voxels, count = 1500, 60
    samples = rng.random((count, 4), dtype=np.float32)
    x, y, z = (rng.random(voxels, dtype=np.float32) for _ in range(3))
    wide = samples.astype(np.float64)
    phase = 2 * np.pi * (wide[:, :1] * x + wide[:, 1:2] * y + wide[:, 2:3] * z)
    sums = (wide[:, 3:] * np.exp(1j * phase)).sum(axis=0)
    expected = np.stack([sums.real, sums.imag], axis=1).astype(np.float32)
    arguments = [samples, np.int32(count), x, y, z, np.zeros((voxels, 2), np.float32)]
    return Case(source, arguments, {5: expected}, [voxels], tolerance=1e-5)


@case
def lattice_of_flows(rng: np.random.Generator) -> Case:
    """A step of the lattice Boltzmann method with nine directions: tables in constant memory, a periodic grid."""
    source = """
    constant int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    constant int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    constant float share[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                               1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
    kernel void lattice_of_flows(global const float *before, global float *after, int rows, int columns, float omega) {
      const int x = get_global_id(0), y = get_global_id(1), cells = rows * columns;
      float f[9], density = 0, ux = 0, uy = 0;
      for (int d = 0; d < 9; ++d) {
        const int from = (y - ey[d] + rows) % rows * columns + (x - ex[d] + columns) % columns;
        f[d] = before[d * cells + from];
        density += f[d];
        ux += ex[d] * f[d];
        uy += ey[d] * f[d];
      }
      ux /= density;
      uy /= density;
      const float squares = 1.5f * (ux * ux + uy * uy);
      for (int d = 0; d < 9; ++d) {
        const float along = 3 * (ex[d] * ux + ey[d] * uy);
        const float balance = share[d] * density * (1 + along + 0.5f * along * along - squares);
        after[d * cells + y * columns + x] = mix(f[d], balance, omega);
      }
    }"""
    rows, columns, omega = 37, 50, np.float32(0.8)
    ex, ey = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    share = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    before = (share[:, None, None] * (1 + 0.1 * rng.random((9, rows, columns)))).astype(np.float32)
    f = np.stack([np.roll(before[d].astype(np.float64), (ey[d], ex[d]), (0, 1)) for d in range(9)])
    density = f.sum(axis=0)
    ux, uy = np.tensordot(ex, f, 1) / density, np.tensordot(ey, f, 1) / density
    along = 3 * (ex[:, None, None] * ux + ey[:, None, None] * uy)
    balance = share[:, None, None] * density * (1 + along + 0.5 * along**2 - 1.5 * (ux**2 + uy**2))
    expected = (f + (balance - f) * omega).astype(np.float32)
    arguments = [before, np.zeros_like(before), np.int32(rows), np.int32(columns), omega]
    return Case(source, arguments, {1: expected}, [rows, columns], tolerance=1e-5)


@case
def forces_between_cells(rng: np.random.Generator) -> Case:
    """Particles in cells of 32: a work-group copies the particles of each neighbouring cell to local memory."""
    source = """
    #define CELL 32
    kernel void forces_between_cells(global const float4 *particles, global const int *neighbours, int count,
                                     global float4 *forces, float alpha) {
      local float4 other[CELL];
      const int l = get_local_id(0), cell = get_group_id(0), i = cell * CELL + l;
      const float4 mine = particles[i];
      float4 force = 0;
      for (int n = 0; n < count; ++n) {
        const int from = neighbours[cell * count + n];
        if (from < 0) continue;
        other[l] = particles[from * CELL + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < CELL; ++k) {
          const float3 d = mine.xyz - other[k].xyz;
          const float weight = other[k].w * exp(-alpha * dot(d, d));
          force.xyz += 2 * weight * d;
          force.w += weight;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      forces[i] = force;
    }"""
    cells, count, size = 24, 5, 32
    particles = rng.random((cells * size, 4), dtype=np.float32)
    neighbours = np.stack([rng.permutation(cells)[:count] for _ in range(cells)]).astype(np.int32)
    neighbours[rng.random(neighbours.shape) < 0.2] = -1
    expected = np.zeros((cells * size, 4))
    wide = particles.astype(np.float64)
    for cell in range(cells):
        mine = wide[cell * size : (cell + 1) * size]
        for other in neighbours[cell][neighbours[cell] >= 0]:
            theirs = wide[other * size : (other + 1) * size]
            d = mine[:, None, :3] - theirs[None, :, :3]
            weight = theirs[:, 3] * np.exp(-0.5 * (d * d).sum(axis=2))
            rows = slice(cell * size, (cell + 1) * size)
            expected[rows, :3] += 2 * (weight[..., None] * d).sum(axis=1)
            expected[rows, 3] += weight.sum(axis=1)
    arguments = [particles, neighbours, np.int32(count), np.zeros_like(particles), np.float32(0.5)]
    return Case(source, arguments, {3: expected.astype(np.float32)}, [cells * size], [size], tolerance=1e-5)


@case
def motion_of_blocks(rng: np.random.Generator) -> Case:
    """The displacement of each block of 8 x 8 bytes: sums of absolute differences, the least found by an atomic."""
    source = """
    kernel void motion_of_blocks(global const uchar *now, global const uchar *before, global uint *best, int columns,
                                 int radius) {
      local uint least;
      const int l = get_local_id(0), block_x = get_group_id(0), block_y = get_group_id(1), side = 2 * radius + 1;
      if (l == 0) least = UINT_MAX;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int candidate = l; candidate < side * side; candidate += get_local_size(0)) {
        const int dx = candidate % side, dy = candidate / side;
        uint sum = 0;
        for (int y = 0; y < 8; ++y) {
          const uchar8 a = vload8(0, now + (block_y * 8 + y + radius) * columns + block_x * 8 + radius);
          const uchar8 b = vload8(0, before + (block_y * 8 + y + dy) * columns + block_x * 8 + dx);
          const ushort8 difference = convert_ushort8(abs_diff(a, b));
          const ushort4 half_sum = difference.lo + difference.hi;
          sum += (uint)half_sum.x + half_sum.y + half_sum.z + half_sum.w;
        }
        atomic_min(&least, sum << 8 | (uint)candidate);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l == 0) best[block_y * get_num_groups(0) + block_x] = least;
    }"""
    radius, blocks_y, blocks_x = 3, 5, 9
    shape = (blocks_y * 8 + 2 * radius, blocks_x * 8 + 2 * radius)
    before = rng.integers(0, 256, shape, dtype=np.uint8)
    now = (np.roll(before, (2, -1), (0, 1)) ^ rng.integers(0, 4, shape, dtype=np.uint8)).astype(np.uint8)
    side = 2 * radius + 1
    expected = np.zeros((blocks_y, blocks_x), np.uint32)
    for by in range(blocks_y):
        for bx in range(blocks_x):
            y, x = by * 8, bx * 8
            block = now[y + radius : y + radius + 8, x + radius : x + radius + 8].astype(np.int64)
            sums = [
                int(np.abs(block - before[y + dy : y + dy + 8, x + dx : x + dx + 8]).sum()) << 8 | (dy * side + dx)
                for dy in range(side)
                for dx in range(side)
            ]
            expected[by, bx] = min(sums)
    arguments = [now, before, np.zeros_like(expected), np.int32(shape[1]), np.int32(radius)]
    return Case(source, arguments, {2: expected}, [blocks_y, blocks_x * 32], [1, 32])


@case
def cosine_transforms(rng: np.random.Generator) -> Case:
    """The discrete cosine transform of blocks of 8 x 8, rows and then columns, through local memory."""
    source = """
    kernel void cosine_transforms(global const float *image, constant float *basis, global float *out, int columns) {
      local float block[8][8], rows[8][8];
      const int x = get_local_id(0), y = get_local_id(1);
      const int at = (int)get_global_id(1) * columns + (int)get_global_id(0);
      block[y][x] = image[at];
      barrier(CLK_LOCAL_MEM_FENCE);
      float8 weights = vload8(x, basis), values = vload8(0, block[y]);
      rows[y][x] = dot(weights.lo, values.lo) + dot(weights.hi, values.hi);
      barrier(CLK_LOCAL_MEM_FENCE);
      float sum = 0;
      for (int k = 0; k < 8; ++k) sum += basis[y * 8 + k] * rows[k][x];
      out[at] = sum;
    }"""
    rows, columns = 40, 72
    image = rng.random((rows, columns), dtype=np.float32)
    k, n = np.arange(8)[:, None], np.arange(8)
    basis = np.where(k == 0, np.sqrt(1 / 8), 0.5) * np.cos(np.pi * (2 * n + 1) * k / 16)
    blocks = image.astype(np.float64).reshape(rows // 8, 8, columns // 8, 8)
    expected = np.einsum("kn,anbm,lm->akbl", basis, blocks, basis).reshape(rows, columns).astype(np.float32)
    arguments = [image, basis.astype(np.float32), np.zeros_like(image), np.int32(columns)]
    return Case(source, arguments, {2: expected}, [rows, columns], [8, 8], tolerance=1e-5)
