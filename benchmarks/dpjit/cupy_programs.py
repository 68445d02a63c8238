"""The programs of programs.py in CuPy: operations on arrays, elementwise kernels, and kernels in CUDA C++."""

import math

import cupy as cp
import numpy as np
import numpy_programs

THREADS = 256
OPTIONS = ("--use_fast_math", "-std=c++14")

distance_kernel = cp.ElementwiseKernel(
    "raw float64 points, int64 n, int64 d",
    "float64 distance",
    """
    const long long row = i / n, column = i % n;
    double s = 0;
    for (int k = 0; k < d; ++k) {
      const double t = points[row * d + k] - points[column * d + k];
      s += t * t;
    }
    distance = sqrt(s);
    """,
    "pairwise_distance",
)


def pairwise_loops(points, distances):
    distance_kernel(points, points.shape[0], points.shape[1], distances)


finish_distance = cp.ElementwiseKernel(
    "float64 row, float64 column", "float64 gram", "gram = sqrt(max(row + column - 2 * gram, 0.0))", "finish_distance"
)


def pairwise_arrays(points, distances):
    squares = cp.sum(points * points, axis=1)
    cp.dot(points, points.T, out=distances)
    finish_distance(squares[:, None], squares[None, :], distances)


label_kernel = cp.ElementwiseKernel(
    "raw float64 points, raw float64 centres, int64 k, int64 d",
    "int64 label",
    """
    double least = 1e300;
    for (int c = 0; c < k; ++c) {
      double s = 0;
      for (int m = 0; m < d; ++m) {
        const double t = points[i * d + m] - centres[c * d + m];
        s += t * t;
      }
      if (s < least) { least = s; label = c; }
    }
    """,
    "kmeans_label",
)


def kmeans_step(points, centres, labels, sums, counts):
    label_kernel(points, centres, centres.shape[0], centres.shape[1], labels)
    chosen = (labels[:, None] == cp.arange(centres.shape[0])).astype(cp.float64)
    cp.dot(chosen.T, points, out=sums)
    counts[:] = chosen.sum(axis=0)
    centres[:] = cp.where(counts[:, None] > 0, sums / counts[:, None], centres)


neighbours_kernel = cp.RawKernel(
    r"""
extern "C" __global__ void neighbours(const double* train, const long long* labels, const double* test,
                                      long long* found, int n, int d) {
  __shared__ double all_distances[320];
  __shared__ long long all_votes[320];
  const int i = blockIdx.x, me = threadIdx.x;
  double distances[5];
  long long votes[5];
  for (int k = 0; k < 5; ++k) { distances[k] = 1e300; votes[k] = 0; }
  for (int j = me; j < n; j += 64) {
    double s = 0;
    for (int m = 0; m < d; ++m) {
      const double t = test[i * d + m] - train[j * d + m];
      s += t * t;
    }
    if (s < distances[4]) {
      distances[4] = s;
      votes[4] = labels[j];
#pragma unroll
      for (int k = 4; k > 0; --k)
        if (distances[k] < distances[k - 1]) {
          const double x = distances[k]; distances[k] = distances[k - 1]; distances[k - 1] = x;
          const long long v = votes[k]; votes[k] = votes[k - 1]; votes[k - 1] = v;
        }
    }
  }
  for (int k = 0; k < 5; ++k) { all_distances[5 * me + k] = distances[k]; all_votes[5 * me + k] = votes[k]; }
  __syncthreads();
  if (me == 0) {
    for (int s = 5; s < 320; ++s)
      if (all_distances[s] < distances[4]) {
        distances[4] = all_distances[s];
        votes[4] = all_votes[s];
#pragma unroll
        for (int k = 4; k > 0; --k)
          if (distances[k] < distances[k - 1]) {
            const double x = distances[k]; distances[k] = distances[k - 1]; distances[k - 1] = x;
            const long long v = votes[k]; votes[k] = votes[k - 1]; votes[k - 1] = v;
          }
      }
    long long ones = 0;
    for (int k = 0; k < 5; ++k) ones += votes[k];
    found[i] = 2 * ones > 5;
  }
}""",
    "neighbours",
    options=OPTIONS,
)


def nearest_neighbours(train, labels, test, found):
    sizes = np.int32(train.shape[0]), np.int32(train.shape[1])
    neighbours_kernel((test.shape[0],), (64,), (train, labels, test, found, *sizes))


black_scholes_kernel = cp.ElementwiseKernel(
    "float64 price, float64 strike, float64 years, float64 rate, float64 volatility",
    "float64 call, float64 put",
    """
    const double root = volatility * sqrt(years);
    const double d1 = (log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root;
    const double d2 = d1 - root;
    const double n1 = 0.5 + 0.5 * erf(d1 / sqrt(2.0));
    const double n2 = 0.5 + 0.5 * erf(d2 / sqrt(2.0));
    const double discounted = strike * exp(-rate * years);
    call = price * n1 - discounted * n2;
    put = discounted * (1.0 - n2) - price * (1.0 - n1);
    """,
    "black_scholes",
)


def black_scholes(price, strike, years, rate, volatility, call, put):
    black_scholes_kernel(price, strike, years, rate, volatility, call, put)


circle_kernel = cp.ReductionKernel(
    "int64 seed, int64 rounds",
    "int64 total",
    "inside_of(seed, rounds)",
    "a + b",
    "total = a",
    "0",
    "circle",
    preamble="""
    __device__ long long inside_of(long long state, long long rounds) {
      long long inside = 0;
      for (int n = 0; n < rounds; ++n) {
        state = (state * 1103515245 + 12345) & 2147483647;
        const double x = state / 2147483648.0;
        state = (state * 1103515245 + 12345) & 2147483647;
        const double y = state / 2147483648.0;
        inside += x * x + y * y < 1.0;
      }
      return inside;
    }""",
)


def count_in_circle(seeds, rounds):
    return 4.0 * int(circle_kernel(seeds, rounds)) / (rounds * seeds.shape[0])


norms_kernel = cp.ReductionKernel("float64 x", "float64 y", "x * x", "a + b", "y = sqrt(a)", "0", "norms")


def norm_of_rows(a, result):
    norms_kernel(a, result, axis=1)


rambo_kernel = cp.ElementwiseKernel(
    "float64 u0, float64 u1, float64 u2, float64 u3",
    "float64 p0, float64 p1, float64 p2, float64 p3",
    """
    const double cosine = 2.0 * u0 - 1.0, sine = sqrt(1.0 - cosine * cosine), energy = -log(u2 * u3);
    double s, c;
    sincospi(2.0 * u1, &s, &c);
    p0 = energy;
    p1 = energy * sine * s;
    p2 = energy * sine * c;
    p3 = energy * cosine;
    """,
    "rambo",
)


def rambo(uniform, momenta):
    rambo_kernel(*(uniform[:, :, k] for k in range(4)), *(momenta[:, :, k] for k in range(4)))


counts_kernel = cp.ElementwiseKernel(
    "raw float64 points, int64 n, float64 limit",
    "int64 count",
    """
    const double x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
    int found = 0;
    for (int j = 0; j < n; ++j) {
      const double dx = x - points[3 * j], dy = y - points[3 * j + 1], dz = z - points[3 * j + 2];
      found += dx * dx + dy * dy + dz * dz <= limit;
    }
    count = found;
    """,
    "neighbour_counts",
)


def neighbour_counts(points, radius, counts):
    counts_kernel(points, points.shape[0], radius * radius, counts)


def principal_axes(data):
    centred = data - cp.mean(data, axis=0)
    covariance = cp.dot(centred.T, centred) / (data.shape[0] - 1)
    return cp.abs(cp.dot(centred, cp.linalg.eigh(covariance)[1][:, -2:]))


pairs_kernel = cp.RawKernel(
    r"""
extern "C" __global__ void pairs(const double* x, const double* y, const double* z, const double* weights,
                                 const double* bins, double* histogram, int n) {
  __shared__ double sums[10][64];
  const int me = threadIdx.x, i = blockIdx.x * 64 + me;
  double edges[11];
  for (int b = 0; b < 11; ++b) edges[b] = bins[b];
  for (int b = 0; b < 10; ++b) sums[b][me] = 0;
  if (i >= n) return;
  const double xi = x[i], yi = y[i], zi = z[i], w = weights[i];
  for (int j = 0; j < n; ++j) {
    const double dx = xi - x[j], dy = yi - y[j], dz = zi - z[j], d = dx * dx + dy * dy + dz * dz;
    int b = -1;
#pragma unroll
    for (int k = 0; k < 11; ++k) b += d >= edges[k];
    if (b >= 0 && b < 10) sums[b][me] += w * weights[j];
  }
  for (int b = 0; b < 10; ++b) histogram[i * 10 + b] = sums[b][me];
}""",
    "pairs",
    options=OPTIONS,
)


def weighted_pairs(x, y, z, weights, bins, histogram):
    n = x.shape[0]
    pairs_kernel(((n + 63) // 64,), (64,), (x, y, z, weights, bins, histogram, np.int32(n)))


heat_kernel = cp.ElementwiseKernel(
    "float64 u, float64 north, float64 south, float64 west, float64 east",
    "float64 result",
    "result = u + 0.1 * (north + south + west + east - 4.0 * u)",
    "heat",
)


def heat(u, new, steps):
    for _ in range(steps):
        heat_kernel(u[1:-1, 1:-1], u[:-2, 1:-1], u[2:, 1:-1], u[1:-1, :-2], u[1:-1, 2:], new[1:-1, 1:-1])
        u, new = new, u


mandelbrot_kernel = cp.ElementwiseKernel(
    "int64 width, int64 height, int64 limit",
    "int32 count",
    """
    const int row = i / width, column = i % width;
    const double cr = -2.0 + 3.0 * column / width, ci = -1.5 + 3.0 * row / height;
    double zr = 0, zi = 0;
    int n = 0;
    while (n < limit && zr * zr + zi * zi < 4.0) {
      const double t = zr * zr - zi * zi + cr;
      zi = 2.0 * zr * zi + ci;
      zr = t;
      ++n;
    }
    count = n;
    """,
    "mandelbrot",
)


def mandelbrot(width, height, limit, counts):
    mandelbrot_kernel(width, height, limit, counts)


accelerations_kernel = cp.RawKernel(
    r"""
extern "C" __global__ void accelerations(const double* positions, const double* masses, double* result, int n) {
  __shared__ double tx[128], ty[128], tz[128], tm[128];
  const int me = threadIdx.x, i = blockIdx.x * 128 + me, mine = min(i, n - 1);
  const double x = positions[3 * mine], y = positions[3 * mine + 1], z = positions[3 * mine + 2];
  double ax = 0, ay = 0, az = 0;
  for (int begin = 0; begin < n; begin += 128) {
    const int j = begin + me;
    if (j < n) {
      tx[me] = positions[3 * j];
      ty[me] = positions[3 * j + 1];
      tz[me] = positions[3 * j + 2];
      tm[me] = masses[j];
    }
    __syncthreads();
    const int count = min(128, n - begin);
#pragma unroll 4
    for (int k = 0; k < count; ++k) {
      const double dx = tx[k] - x, dy = ty[k] - y, dz = tz[k] - z;
      const double r2 = dx * dx + dy * dy + dz * dz + 0.01, r = rsqrt(r2), f = tm[k] * r * r * r;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }
  if (i < n) {
    result[3 * i] = ax;
    result[3 * i + 1] = ay;
    result[3 * i + 2] = az;
  }
}""",
    "accelerations",
    options=OPTIONS,
)


def accelerations(positions, masses, result):
    n = positions.shape[0]
    accelerations_kernel(((n + 127) // 128,), (128,), (positions, masses, result, np.int32(n)))


error_kernel = cp.ElementwiseKernel("float64 t, float64 y", "float64 e", "e = 1.0 / (1.0 + exp(-t)) - y", "error")


def logistic_regression(x, y, w, steps):
    for _ in range(steps):
        w = w - (0.1 / x.shape[0]) * cp.dot(x.T, error_kernel(cp.dot(x, w), y))
    return w


moving_average_kernel = cp.ElementwiseKernel(
    "raw float64 x, int64 width",
    "float64 result",
    """
    double s = 0;
    for (int j = 0; j < width; ++j) s += x[i + j];
    result = s / width;
    """,
    "moving_average",
)


def moving_average(x, width, result):
    moving_average_kernel(x, width, result[: x.size - width + 1])


sobel_kernel = cp.ElementwiseKernel(
    "float64 nw, float64 n, float64 ne, float64 w, float64 e, float64 sw, float64 s, float64 se",
    "float64 result",
    """
    const double gx = ne + 2.0 * e + se - nw - 2.0 * w - sw, gy = sw + 2.0 * s + se - nw - 2.0 * n - ne;
    result = sqrt(gx * gx + gy * gy);
    """,
    "sobel",
)


def sobel(image, result):
    height, width = image.shape
    around = [image[a : height - 2 + a, b : width - 2 + b] for a in range(3) for b in range(3) if (a, b) != (1, 1)]
    sobel_kernel(*around, result[1:-1, 1:-1])


life_kernel = cp.RawKernel(
    r"""
extern "C" __global__ void life(const long long* cells, long long* result, int n, int m) {
  const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  if (i >= n || j >= m) return;
  const int left = j ? j - 1 : m - 1, right = j < m - 1 ? j + 1 : 0;
  const long long *up = cells + (i ? i - 1 : n - 1) * m, *row = cells + i * m;
  const long long *down = cells + (i < n - 1 ? i + 1 : 0) * m;
  const int around = up[left] + up[j] + up[right] + row[left] + row[right] + down[left] + down[j] + down[right];
  result[i * m + j] = around == 3 || (around == 2 && row[j] == 1);
}""",
    "life",
    options=OPTIONS,
)


def life(cells, new, steps):
    n, m = cells.shape
    last = cells
    for _ in range(steps):
        life_kernel(((m + 31) // 32, (n + 7) // 8), (32, 8), (last, new, np.int32(n), np.int32(m)))
        last, new = new, last
    if steps % 2:
        cells[:] = last


paths_kernel = cp.ElementwiseKernel(
    "float64 column, float64 row", "float64 d", "d = min(d, column + row)", "shortest_paths"
)


def shortest_paths(d):
    for k in range(d.shape[0]):
        paths_kernel(d[:, k, None], d[k], d)


update_kernel = cp.ElementwiseKernel("float64 column, float64 row", "float64 a", "a -= column * row", "outer_update")


def lu(a):
    for k in range(a.shape[0] - 1):
        a[k + 1 :, k] /= a[k, k]
        update_kernel(a[k + 1 :, k, None], a[k, k + 1 :], a[k + 1 :, k + 1 :])


edit_distance_kernel = cp.RawKernel(
    r"""
extern "C" __global__ void edit_distance(const long long* a, const long long* b, long long* table, int n, int m) {
  for (int i = threadIdx.x; i <= n; i += blockDim.x) table[(long long)i * (m + 1)] = i;
  for (int j = threadIdx.x; j <= m; j += blockDim.x) table[j] = j;
  __syncthreads();
  for (int s = 2; s <= n + m; ++s) {
    for (int i = max(1, s - m) + threadIdx.x; i <= min(n, s - 1); i += blockDim.x) {
      const int j = s - i;
      const long long *above = table + (long long)(i - 1) * (m + 1), *row = above + m + 1;
      const long long best = min(min(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      table[(long long)i * (m + 1) + j] = best;
    }
    __syncthreads();
  }
}""",
    "edit_distance",
    options=OPTIONS,
)


def edit_distance(a, b, table):
    threads = min(1024, (a.size + 31) // 32 * 32)
    edit_distance_kernel((1,), (threads,), (a, b, table, np.int32(a.size), np.int32(b.size)))
    return int(table[a.size, b.size])


def cholesky(a):
    for j in range(a.shape[0]):
        column = a[j:, j] - a[j:, :j] @ a[j, :j] if j else a[:, 0].copy()
        cp.divide(column, cp.sqrt(column[0]), out=a[j:, j])


strike_kernel = cp.RawKernel(
    r"""
extern "C" __global__ void strike(bool* is_prime, const long long* primes, long long n) {
  const long long p = primes[blockIdx.y], me = blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = p * (p + me); i < n; i += p * gridDim.x * blockDim.x) is_prime[i] = false;
}""",
    "strike",
    options=OPTIONS,
)


def sieve(is_prime):
    """The host knows the primes up to the square root."""
    small = np.empty(math.isqrt(is_prime.size - 1) + 1, bool)
    numpy_programs.sieve(small)
    primes = cp.asarray(np.flatnonzero(small))
    is_prime[:2] = False
    is_prime[2:] = True
    strike_kernel((64, primes.size), (THREADS,), (is_prime, primes, np.int64(is_prime.size)))
    return int(cp.count_nonzero(is_prime))


ray_march_kernel = cp.ElementwiseKernel(
    "int64 width, int64 height",
    "float64 hit",
    """
    const int row = i / width, column = i % width;
    const double x = (column - 0.5 * width) / width, y = (row - 0.5 * height) / height;
    const double length = sqrt(x * x + y * y + 1.0), dx = x / length, dy = y / length, dz = 1.0 / length;
    double t = 0;
    hit = 0;
    for (int step = 0; step < 64; ++step) {
      const double px = t * dx, py = t * dy, pz = t * dz - 3.0;
      const double d = min(sqrt(px * px + py * py + pz * pz) - 1.0, py + 1.5);
      if (d < 0.001) { hit = 1.0 / (1.0 + t); break; }
      t += d;
      if (t > 20.0) break;
    }
    """,
    "ray_march",
)


def ray_march(image):
    ray_march_kernel(image.shape[1], image.shape[0], image)


def statistics(x):
    results = cp.stack([x.mean(), x.std(), x.min(), x.max()])
    return tuple(results.get().tolist())


def gaussian_process_step(x, y, x_new):
    k = cp.exp(-0.5 * (x[:, None] - x[None, :]) ** 2) + 0.01 * cp.eye(x.shape[0])
    k_new = cp.exp(-0.5 * (x_new[:, None] - x[None, :]) ** 2)
    return cp.dot(k_new, cp.linalg.solve(k, y))
