"""The programs of programs.py in JAX, for CPUs and GPUs: functions of the inputs that return the results."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)


def over_rows(function, *rows):
    """The function of each row: on a CPU one after the other, whose temporary arrays stay in the cache."""
    if jax.default_backend() == "cpu":
        return lax.map(lambda row: function(*row), rows)
    return jax.vmap(function)(*rows)


def squared_distances(points, others):
    return sum((points[:, k, None] - others[None, :, k]) ** 2 for k in range(points.shape[1]))


def pairwise_loops(points):
    return jnp.sqrt(squared_distances(points, points))


def pairwise_arrays(points):
    squares = jnp.sum(points * points, axis=1)
    gram = squares[:, None] + squares[None, :] - 2 * points @ points.T
    return jnp.sqrt(jnp.maximum(gram, 0.0))


def kmeans_step(points, centres):
    labels = jnp.argmin(squared_distances(points, centres), axis=1)
    chosen = jax.nn.one_hot(labels, centres.shape[0], dtype=points.dtype)
    counts = jnp.sum(chosen, axis=0)
    sums = chosen.T @ points
    return jnp.where(counts[:, None] > 0, sums / counts[:, None], centres), labels, counts.astype("i8")


def nearest_neighbours(train, labels, test):
    """Five passes for the least element: top_k of numbers of 64 bits takes 18 times as long on a CPU."""
    distances = jnp.sum(train * train, axis=1) - 2.0 * (test @ train.T)
    ones, last = 0, jnp.full((test.shape[0], 1), -jnp.inf)
    for _ in range(5):
        nearest = jnp.argmin(jnp.where(distances > last, distances, jnp.inf), axis=1)
        ones += labels[nearest]
        last = jnp.take_along_axis(distances, nearest[:, None], 1)
    return (2 * ones > 5).astype("i8")


def black_scholes(price, strike, years, rate, volatility):
    root = volatility * jnp.sqrt(years)
    d1 = (jnp.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root
    d2 = d1 - root
    n1 = 0.5 + 0.5 * lax.erf(d1 / math.sqrt(2.0))
    n2 = 0.5 + 0.5 * lax.erf(d2 / math.sqrt(2.0))
    discounted = strike * jnp.exp(-rate * years)
    return price * n1 - discounted * n2, discounted * (1.0 - n2) - price * (1.0 - n1)


def count_in_circle(seeds, rounds):
    def one_round(_, carried):
        state, inside = carried
        state = (state * 1103515245 + 12345) & 2147483647
        x = state / 2147483648.0
        state = (state * 1103515245 + 12345) & 2147483647
        y = state / 2147483648.0
        return state, inside + (x * x + y * y < 1.0)

    inside = lax.fori_loop(0, rounds, one_round, (seeds, jnp.zeros(seeds.shape, "i8")))[1]
    return 4.0 * jnp.sum(inside) / (rounds * seeds.shape[0])


def norm_of_rows(a):
    return jnp.sqrt(jnp.sum(a * a, axis=1))


def rambo(uniform):
    cosine = 2.0 * uniform[:, :, 0] - 1.0
    sine = jnp.sqrt(1.0 - cosine * cosine)
    phi = 2.0 * math.pi * uniform[:, :, 1]
    energy = -jnp.log(uniform[:, :, 2] * uniform[:, :, 3])
    return jnp.stack([energy, energy * sine * jnp.sin(phi), energy * sine * jnp.cos(phi), energy * cosine], axis=-1)


def neighbour_counts(points, radius):
    return jnp.sum(squared_distances(points, points) <= radius * radius, axis=1)


def principal_axes(data):
    centred = data - jnp.mean(data, axis=0)
    covariance = centred.T @ centred / (data.shape[0] - 1)
    return jnp.abs(centred @ jnp.linalg.eigh(covariance)[1][:, -2:])


def weighted_pairs(x, y, z, weights, bins):
    def row(xi, yi, zi):
        d = (xi - x) ** 2 + (yi - y) ** 2 + (zi - z) ** 2
        return (d >= bins[:, None]).astype(weights.dtype) @ weights

    above = over_rows(row, x, y, z)
    return (above[:, :-1] - above[:, 1:]) * weights[:, None]


def heat(u, new, steps):
    def step(_, buffers):
        u, new = buffers
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        return new.at[1:-1, 1:-1].set(u[1:-1, 1:-1] + 0.1 * (around - 4.0 * u[1:-1, 1:-1])), u

    return lax.fori_loop(0, steps, step, (u, new))[0]


def mandelbrot(width, height, limit):
    cr = -2.0 + 3.0 * jnp.arange(width) / width

    def row(ci):
        def unfinished(state):
            step, zr, zi, _ = state
            return (step < limit) & jnp.any(zr * zr + zi * zi < 4.0)

        def iterate(state):
            step, zr, zi, n = state
            inside = zr * zr + zi * zi < 4.0
            zr, zi = jnp.where(inside, zr * zr - zi * zi + cr, zr), jnp.where(inside, 2.0 * zr * zi + ci, zi)
            return step + 1, zr, zi, n + inside

        zero = jnp.zeros(width)
        return lax.while_loop(unfinished, iterate, (0, zero, zero, jnp.zeros(width, "i4")))[3]

    return over_rows(row, -1.5 + 3.0 * jnp.arange(height) / height)


def accelerations(positions, masses):
    dx, dy, dz = (positions[None, :, k] - positions[:, None, k] for k in range(3))
    r2 = dx * dx + dy * dy + dz * dz + 0.01
    f = masses / (r2 * jnp.sqrt(r2))
    return jnp.stack([jnp.sum(f * each, axis=1) for each in (dx, dy, dz)], axis=1)


def logistic_regression(x, y, w, steps):
    def step(_, w):
        return w - 0.1 * (x.T @ (jax.nn.sigmoid(x @ w) - y)) / x.shape[0]

    return lax.fori_loop(0, steps, step, w)


def moving_average(x, width):
    """The sum of shifted arrays is one loop; jnp.cumsum and jnp.convolve take longer."""
    count = x.shape[0] - width + 1
    return jnp.pad(sum(x[k : k + count] for k in range(width)) / width, (0, width - 1))


def sobel(image):
    smooth = image[:-2] + 2.0 * image[1:-1] + image[2:]
    gx = smooth[:, 2:] - smooth[:, :-2]
    smooth = image[:, :-2] + 2.0 * image[:, 1:-1] + image[:, 2:]
    gy = smooth[2:] - smooth[:-2]
    return jnp.pad(jnp.sqrt(gx * gx + gy * gy), 1)


def life(cells, steps):
    def step(_, cells):
        rows = jnp.roll(cells, 1, 0) + cells + jnp.roll(cells, -1, 0)
        around = jnp.roll(rows, 1, 1) + rows + jnp.roll(rows, -1, 1) - cells
        return ((around == 3) | ((cells == 1) & (around == 2))).astype(cells.dtype)

    return lax.fori_loop(0, steps, step, cells)


def shortest_paths(d):
    return lax.fori_loop(0, d.shape[0], lambda k, d: jnp.minimum(d, d[:, k, None] + d[k]), d)


def lu(a):
    """Updates the whole matrix: the shapes in a loop are constant."""
    index = jnp.arange(a.shape[0])

    def eliminate(k, a):
        below = index > k
        factors = jnp.where(below, a[:, k] / a[k, k], 0.0)
        a = a - factors[:, None] * jnp.where(below, a[k], 0.0)
        return a.at[:, k].set(jnp.where(below, factors, a[:, k]))

    return lax.fori_loop(0, a.shape[0] - 1, eliminate, a)


def edit_distance(a, b):
    """Goes over the anti-diagonals, whose elements are independent; element i is row i of the table."""
    rows = jnp.arange(a.size + 1)
    padded_a = jnp.pad(a, (1, 0))
    # b backwards between paddings, so that the letters of a diagonal are one slice
    padded_b = jnp.pad(b[::-1], (a.size + 1, a.size + 1))

    def diagonal(s, state):
        before, last = state
        letters = lax.dynamic_slice(padded_b, (a.size + 1 + b.size - s,), (a.size + 1,))
        above = jnp.roll(last, 1) + 1
        cross = jnp.roll(before, 1) + (padded_a != letters)
        new = jnp.minimum(jnp.minimum(above, last + 1), cross)
        return last, jnp.where((rows == 0) | (rows == s), s, new)

    start = jnp.full(a.size + 1, a.size + b.size)
    first, second = start.at[0].set(0), start.at[:2].set(1)
    return lax.fori_loop(2, a.size + b.size + 1, diagonal, (first, second))[1][a.size]


def cholesky(a):
    index = jnp.arange(a.shape[0])

    def column(j, a):
        before = jnp.where(index < j, a[j], 0.0)
        new = a[:, j] - a @ before
        new = jnp.where(index >= j, new / jnp.sqrt(new[j]), a[:, j])
        return a.at[:, j].set(new)

    return lax.fori_loop(0, a.shape[0], column, a)


def sieve(n):
    """Strikes the multiples of each prime out in chunks: the shapes in a loop are constant."""
    chunk = jnp.arange(max(64, math.isqrt(n) * 2))

    def strike(i, is_prime):
        def multiples(state):
            start, is_prime = state
            return start + i * chunk.size, is_prime.at[start + i * chunk].set(False, mode="drop")

        end = jnp.where(is_prime[i], n, 0)
        return lax.while_loop(lambda state: state[0] < end, multiples, (i * i, is_prime))[1]

    is_prime = lax.fori_loop(2, math.isqrt(n - 1) + 1, strike, jnp.arange(n) > 1)
    return is_prime, jnp.sum(is_prime)


def ray_march(height, width):
    x = (jnp.arange(width) - 0.5 * width) / width

    def row(y):
        length = jnp.sqrt(x * x + y * y + 1.0)
        dx, dy, dz = x / length, y / length, 1.0 / length

        def march(state):
            step, t, hit = state
            px, py, pz = t * dx, t * dy, t * dz - 3.0
            d = jnp.minimum(jnp.sqrt(px * px + py * py + pz * pz) - 1.0, py + 1.5)
            flies = (t <= 20.0) & (hit == 0.0)
            hit = jnp.where(flies & (d < 0.001), 1.0 / (1.0 + t), hit)
            return step + 1, jnp.where(flies, t + d, t), hit

        def flying(state):
            return (state[0] < 64) & jnp.any((state[1] <= 20.0) & (state[2] == 0.0))

        zero = jnp.zeros(width)
        return lax.while_loop(flying, march, (0, zero, zero))[2]

    return over_rows(row, (jnp.arange(height) - 0.5 * height) / height)


def statistics(x):
    mean = jnp.mean(x)
    return mean, jnp.sqrt(jnp.mean((x - mean) ** 2)), jnp.min(x), jnp.max(x)


def gaussian_process_step(x, y, x_new):
    k = jnp.exp(-0.5 * (x[:, None] - x[None, :]) ** 2) + 0.01 * jnp.eye(x.shape[0])
    k_new = jnp.exp(-0.5 * (x_new[:, None] - x[None, :]) ** 2)
    return k_new @ jnp.linalg.solve(k, y)


# name -> (function, its arguments among the program's, static ones, donated ones)
PROGRAMS = {
    "pairwise distance, loops": (pairwise_loops, (0,), (), ()),
    "pairwise distance, arrays": (pairwise_arrays, (0,), (), ()),
    "k-means step": (kmeans_step, (0, 1), (), (1,)),
    "k nearest neighbours": (nearest_neighbours, (0, 1, 2), (), ()),
    "Black-Scholes": (black_scholes, (0, 1, 2, 3, 4), (), ()),
    "Monte Carlo": (count_in_circle, (0, 1), (1,), ()),
    "norms of rows": (norm_of_rows, (0,), (), ()),
    "Rambo": (rambo, (0,), (), ()),
    "DBSCAN counts": (neighbour_counts, (0, 1), (), ()),
    "principal axes": (principal_axes, (0,), (), ()),
    "weighted pairs": (weighted_pairs, (0, 1, 2, 3, 4), (), ()),
    "heat": (heat, (0, 1, 2), (2,), (0, 1)),
    "Mandelbrot": (mandelbrot, (0, 1, 2), (0, 1, 2), ()),
    "N-body": (accelerations, (0, 1), (), ()),
    "logistic regression": (logistic_regression, (0, 1, 2, 3), (3,), ()),
    "moving average": (moving_average, (0, 1), (1,), ()),
    "Sobel": (sobel, (0,), (), ()),
    "game of life": (life, (0, 2), (1,), (0,)),
    "shortest paths": (shortest_paths, (0,), (), (0,)),
    "LU": (lu, (0,), (), (0,)),
    "edit distance": (edit_distance, (0, 1), (), ()),
    "Cholesky": (cholesky, (0,), (), (0,)),
    "prime sieve": (lambda is_prime: sieve(is_prime.size), (0,), (), (0,)),
    "ray marching": (lambda image: ray_march(*image.shape), (0,), (), (0,)),
    "statistics": (statistics, (0,), (), ()),
    "Gaussian process": (gaussian_process_step, (0, 1, 2), (), ()),
}


@functools.cache
def compiled(name):
    """The jitted function of a program."""
    function, _chosen, static, donated = PROGRAMS[name]
    return jax.jit(function, static_argnums=static, donate_argnums=donated)


def arguments(name, given):
    """The function's arguments, from those of the program: new arrays on the default device."""
    chosen = [given[each] for each in PROGRAMS[name][1]]
    return jax.block_until_ready([jnp.array(each) if isinstance(each, np.ndarray) else each for each in chosen])
