"""The programs of programs.py in NumPy, by operations on whole arrays: the same arguments and the same results."""

import math

import numpy as np
import programs

ROWS = 32  # programs of all pairs go over blocks of rows, whose temporary arrays stay in the cache


def squared_distances(points, others):
    """The squared distances of all pairs, added up by coordinates: no array of three dimensions."""
    total = np.zeros((points.shape[0], others.shape[0]))
    for k in range(points.shape[1]):
        difference = points[:, k, None] - others[:, k]
        difference *= difference
        total += difference
    return total


def pairwise_loops(points, distances):
    np.sqrt(squared_distances(points, points), out=distances)


def kmeans_step(points, centres, labels, sums, counts):
    labels[:] = np.argmin(squared_distances(points, centres), axis=1)
    counts[:] = np.bincount(labels, minlength=centres.shape[0])
    for k in range(points.shape[1]):
        sums[:, k] = np.bincount(labels, weights=points[:, k], minlength=centres.shape[0])
    filled = counts > 0
    centres[filled] = sums[filled] / counts[filled, None]


def nearest_neighbours(train, labels, test, found):
    distances = np.sum(train * train, axis=1) - 2.0 * (test @ train.T)
    nearest = np.argpartition(distances, 4, axis=1)[:, :5]
    found[:] = 2 * np.sum(labels[nearest], axis=1) > 5


def black_scholes(price, strike, years, rate, volatility, call, put):
    root = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root
    d2 = d1 - root
    n1 = 0.5 + 0.5 * erf(d1 / math.sqrt(2.0))
    n2 = 0.5 + 0.5 * erf(d2 / math.sqrt(2.0))
    discounted = strike * np.exp(-rate * years)
    call[:] = price * n1 - discounted * n2
    put[:] = discounted * (1.0 - n2) - price * (1.0 - n1)


try:
    from scipy.special import erf  # NumPy has no error function
except ImportError:
    erf = np.vectorize(math.erf, otypes=["f8"])


def count_in_circle(seeds, rounds):
    inside = 0
    state = seeds.copy()
    for _ in range(rounds):
        state = (state * 1103515245 + 12345) & 2147483647
        x = state / 2147483648.0
        state = (state * 1103515245 + 12345) & 2147483647
        y = state / 2147483648.0
        inside += np.count_nonzero(x * x + y * y < 1.0)
    return 4.0 * inside / (rounds * seeds.shape[0])


def norm_of_rows(a, result):
    np.sqrt(np.einsum("ij,ij->i", a, a), out=result)


def rambo(uniform, momenta):
    cosine = 2.0 * uniform[:, :, 0] - 1.0
    sine = np.sqrt(1.0 - cosine * cosine)
    phi = 2.0 * math.pi * uniform[:, :, 1]
    energy = -np.log(uniform[:, :, 2] * uniform[:, :, 3])
    momenta[:, :, 0] = energy
    momenta[:, :, 1] = energy * sine * np.sin(phi)
    momenta[:, :, 2] = energy * sine * np.cos(phi)
    momenta[:, :, 3] = energy * cosine


def neighbour_counts(points, radius, counts):
    for begin in range(0, points.shape[0], ROWS):
        distances = squared_distances(points[begin : begin + ROWS], points)
        counts[begin : begin + ROWS] = np.count_nonzero(distances <= radius * radius, axis=1)


def weighted_pairs(x, y, z, weights, bins, histogram):
    points = np.stack([x, y, z], axis=1)
    for begin in range(0, x.shape[0], ROWS):
        distances = squared_distances(points[begin : begin + ROWS], points)
        above = np.stack([(distances >= edge).astype(np.float64) @ weights for edge in bins], axis=1)
        histogram[begin : begin + ROWS] = (above[:, :-1] - above[:, 1:]) * weights[begin : begin + ROWS, None]


def heat(u, new, steps):
    for _ in range(steps):
        inner = new[1:-1, 1:-1]
        np.add(u[:-2, 1:-1], u[2:, 1:-1], out=inner)
        inner += u[1:-1, :-2]
        inner += u[1:-1, 2:]
        inner -= 4.0 * u[1:-1, 1:-1]
        inner *= 0.1
        inner += u[1:-1, 1:-1]
        u, new = new, u


def mandelbrot(width, height, limit, counts):
    c = (-2.0 + 3.0 * np.arange(width) / width) + 1j * (-1.5 + 3.0 * np.arange(height) / height)[:, None]
    counts[:] = 0
    flat, c = counts.reshape(-1), c.reshape(-1)
    z = np.zeros_like(c)
    inside = np.arange(c.size)
    for _ in range(limit):
        kept = z.real * z.real + z.imag * z.imag < 4.0
        if not kept.all():
            inside, z, c = inside[kept], z[kept], c[kept]
        flat[inside] += 1
        z *= z
        z += c


def accelerations(positions, masses, result):
    for begin in range(0, positions.shape[0], ROWS):
        rows = positions[begin : begin + ROWS]
        dx, dy, dz = (positions[:, k] - rows[:, k, None] for k in range(3))
        r2 = dx * dx + dy * dy + dz * dz + 0.01
        f = masses / (r2 * np.sqrt(r2))
        for k, difference in enumerate((dx, dy, dz)):
            result[begin : begin + ROWS, k] = np.einsum("ij,ij->i", f, difference)


def moving_average(x, width, result):
    total = np.cumsum(x)
    total[width:] -= total[:-width].copy()
    np.divide(total[width - 1 :], width, out=result[: x.shape[0] - width + 1])


def sobel(image, result):
    smooth = image[:-2] + 2.0 * image[1:-1] + image[2:]
    gx = smooth[:, 2:] - smooth[:, :-2]
    smooth = image[:, :-2] + 2.0 * image[:, 1:-1] + image[:, 2:]
    gy = smooth[2:] - smooth[:-2]
    np.sqrt(gx * gx + gy * gy, out=result[1:-1, 1:-1])


def life(cells, new, steps):
    for _ in range(steps):
        rows = np.roll(cells, 1, 0) + cells + np.roll(cells, -1, 0)
        around = np.roll(rows, 1, 1) + rows + np.roll(rows, -1, 1) - cells
        new[:] = (around == 3) | ((cells == 1) & (around == 2))
        cells[:] = new


def shortest_paths(d):
    for k in range(d.shape[0]):
        np.minimum(d, d[:, k, None] + d[k], out=d)


def lu(a):
    for k in range(a.shape[0] - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, None] * a[k, k + 1 :]


def edit_distance(a, b, table):
    """Each row is a minimum of shifted elements, and of a running minimum of those on its left."""
    columns = np.arange(b.size + 1)
    table[0] = columns
    for i in range(1, a.size + 1):
        row = np.minimum(table[i - 1, 1:] + 1, table[i - 1, :-1] + (b != a[i - 1]))
        table[i, 0] = i
        table[i, 1:] = row - columns[1:]
        np.minimum.accumulate(table[i], out=table[i])
        table[i] += columns
    return table[a.size, b.size]


def cholesky(a):
    for j in range(a.shape[0]):
        column = a[j:, j] - a[j:, :j] @ a[j, :j]
        a[j:, j] = column / math.sqrt(column[0])


def sieve(is_prime):
    n = is_prime.size
    is_prime[:2] = False
    is_prime[2:] = True
    for i in range(2, math.isqrt(n - 1) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = False
    return np.count_nonzero(is_prime)


def ray_march(image):
    height, width = image.shape
    x = np.broadcast_to((np.arange(width) - 0.5 * width) / width, image.shape).reshape(-1)
    y = np.broadcast_to(((np.arange(height) - 0.5 * height) / height)[:, None], image.shape).reshape(-1)
    length = np.sqrt(x * x + y * y + 1.0)
    dx, dy, dz = x / length, y / length, 1.0 / length
    image[:] = 0.0
    flat = image.reshape(-1)
    rays = np.arange(flat.size)
    t = np.zeros(flat.size)
    for _ in range(64):
        px, py, pz = t * dx, t * dy, t * dz - 3.0
        d = np.minimum(np.sqrt(px * px + py * py + pz * pz) - 1.0, py + 1.5)
        hit = d < 0.001
        flat[rays[hit]] = 1.0 / (1.0 + t[hit])
        t = t + d
        kept = ~hit & (t <= 20.0)
        rays, t, dx, dy, dz = rays[kept], t[kept], dx[kept], dy[kept], dz[kept]


def statistics(x):
    return x.mean(), x.std(), x.min(), x.max()


# name -> function; programs of arrays are NumPy's already
PROGRAMS = {
    name: globals().get(function.__name__, function) for name, (function, _make, _sizes) in programs.PROGRAMS.items()
}
