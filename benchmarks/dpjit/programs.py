"""Programs of loops and array expressions, written for Numba's njit and dpjit alike.

`np` is NumPy for Numba and dpnp for dpjit, and `prange` that of the package; run.py sets them.
"""

import math

import numpy as np

prange = range


def pairwise_loops(points, distances):
    for i in prange(points.shape[0]):
        for j in range(points.shape[0]):
            d = 0.0
            for k in range(points.shape[1]):
                t = points[i, k] - points[j, k]
                d += t * t
            distances[i, j] = math.sqrt(d)


def pairwise_arrays(points, distances):
    squares = np.sum(points * points, axis=1)
    gram = np.dot(points, points.T)
    gram *= -2
    gram += squares.reshape(-1, 1)
    gram += squares.reshape(1, -1)
    distances[:, :] = np.sqrt(np.maximum(gram, 0.0))


def kmeans_step(points, centres, labels, sums, counts):
    for i in prange(points.shape[0]):
        best = -1
        least = 1e300
        for c in range(centres.shape[0]):
            d = 0.0
            for k in range(points.shape[1]):
                t = points[i, k] - centres[c, k]
                d += t * t
            if d < least:
                least = d
                best = c
        labels[i] = best
    for c in range(centres.shape[0]):
        counts[c] = 0
        for k in range(points.shape[1]):
            sums[c, k] = 0.0
    for i in range(points.shape[0]):
        c = labels[i]
        counts[c] += 1
        for k in range(points.shape[1]):
            sums[c, k] += points[i, k]
    for c in range(centres.shape[0]):
        if counts[c] > 0:
            for k in range(points.shape[1]):
                centres[c, k] = sums[c, k] / counts[c]


def nearest_neighbours(train, labels, test, found):
    k = 5
    for i in prange(test.shape[0]):
        distances = np.empty(5)
        votes = np.empty(5, dtype=np.int64)
        for n in range(k):
            distances[n] = 1e300
            votes[n] = -1
        for j in range(train.shape[0]):
            d = 0.0
            for m in range(train.shape[1]):
                t = test[i, m] - train[j, m]
                d += t * t
            if d < distances[k - 1]:
                n = k - 1
                while n > 0 and distances[n - 1] > d:
                    distances[n] = distances[n - 1]
                    votes[n] = votes[n - 1]
                    n -= 1
                distances[n] = d
                votes[n] = labels[j]
        ones = 0
        for n in range(k):
            ones += votes[n]
        found[i] = 1 if 2 * ones > k else 0


def black_scholes(price, strike, years, rate, volatility, call, put):
    for i in prange(price.shape[0]):
        root = volatility * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / root
        d2 = d1 - root
        n1 = 0.5 + 0.5 * math.erf(d1 / math.sqrt(2.0))
        n2 = 0.5 + 0.5 * math.erf(d2 / math.sqrt(2.0))
        discounted = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * n1 - discounted * n2
        put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1)


def count_in_circle(seeds, rounds):
    inside = 0
    for i in prange(seeds.shape[0]):
        state = seeds[i]
        for _ in range(rounds):
            state = (state * 1103515245 + 12345) % 2147483648
            x = state / 2147483648.0
            state = (state * 1103515245 + 12345) % 2147483648
            y = state / 2147483648.0
            if x * x + y * y < 1.0:
                inside += 1
    return 4.0 * inside / (rounds * seeds.shape[0])


def norm_of_rows(a, result):
    for i in prange(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * a[i, j]
        result[i] = math.sqrt(s)


def rambo(uniform, momenta):
    for i in prange(uniform.shape[0]):
        for j in range(uniform.shape[1]):
            cosine = 2.0 * uniform[i, j, 0] - 1.0
            sine = math.sqrt(1.0 - cosine * cosine)
            phi = 2.0 * math.pi * uniform[i, j, 1]
            energy = -math.log(uniform[i, j, 2] * uniform[i, j, 3])
            momenta[i, j, 0] = energy
            momenta[i, j, 1] = energy * sine * math.sin(phi)
            momenta[i, j, 2] = energy * sine * math.cos(phi)
            momenta[i, j, 3] = energy * cosine


def neighbour_counts(points, radius, counts):
    limit = radius * radius
    for i in prange(points.shape[0]):
        n = 0
        for j in range(points.shape[0]):
            d = 0.0
            for k in range(points.shape[1]):
                t = points[i, k] - points[j, k]
                d += t * t
            if d <= limit:
                n += 1
        counts[i] = n


def principal_axes(data):
    centred = data - np.sum(data, axis=0) / data.shape[0]
    covariance = np.dot(centred.T, centred) / (data.shape[0] - 1)
    vectors = np.linalg.eigh(covariance)[1]
    return np.abs(np.dot(centred, vectors[:, -2:]))


def weighted_pairs(x, y, z, weights, bins, histogram):
    for i in prange(x.shape[0]):
        for b in range(bins.shape[0] - 1):
            histogram[i, b] = 0.0
        for j in range(x.shape[0]):
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            dz = z[i] - z[j]
            d = dx * dx + dy * dy + dz * dz
            b = bins.shape[0] - 1
            while b >= 0 and d < bins[b]:
                b -= 1
            if 0 <= b < bins.shape[0] - 1:
                histogram[i, b] += weights[i] * weights[j]


def heat(u, new, steps):
    for _ in range(steps):
        for i in prange(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                new[i, j] = u[i, j] + 0.1 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
        u, new = new, u


def mandelbrot(width, height, limit, counts):
    for row in prange(height):
        for column in range(width):
            cr = -2.0 + 3.0 * column / width
            ci = -1.5 + 3.0 * row / height
            zr = 0.0
            zi = 0.0
            n = 0
            while n < limit and zr * zr + zi * zi < 4.0:
                t = zr * zr - zi * zi + cr
                zi = 2.0 * zr * zi + ci
                zr = t
                n += 1
            counts[row, column] = n


def accelerations(positions, masses, result):
    for i in prange(positions.shape[0]):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(positions.shape[0]):
            dx = positions[j, 0] - positions[i, 0]
            dy = positions[j, 1] - positions[i, 1]
            dz = positions[j, 2] - positions[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + 0.01
            f = masses[j] / (r2 * math.sqrt(r2))
            ax += f * dx
            ay += f * dy
            az += f * dz
        result[i, 0] = ax
        result[i, 1] = ay
        result[i, 2] = az


def logistic_regression(x, y, w, steps):
    for _ in range(steps):
        w = w - 0.1 * np.dot(x.T, 1.0 / (1.0 + np.exp(-np.dot(x, w))) - y) / x.shape[0]
    return w


def moving_average(x, width, result):
    for i in prange(x.shape[0] - width + 1):
        s = 0.0
        for j in range(width):
            s += x[i + j]
        result[i] = s / width


def sobel(image, result):
    for i in prange(1, image.shape[0] - 1):
        for j in range(1, image.shape[1] - 1):
            gx = (
                image[i - 1, j + 1] + 2.0 * image[i, j + 1] + image[i + 1, j + 1]
                - image[i - 1, j - 1] - 2.0 * image[i, j - 1] - image[i + 1, j - 1]
            )  # fmt: skip
            gy = (
                image[i + 1, j - 1] + 2.0 * image[i + 1, j] + image[i + 1, j + 1]
                - image[i - 1, j - 1] - 2.0 * image[i - 1, j] - image[i - 1, j + 1]
            )  # fmt: skip
            result[i, j] = math.sqrt(gx * gx + gy * gy)


def life(cells, new, steps):
    n, m = cells.shape
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                around = 0
                for a in range(-1, 2):
                    for b in range(-1, 2):
                        if a != 0 or b != 0:
                            around += cells[(i + a) % n, (j + b) % m]
                if cells[i, j] == 1:
                    new[i, j] = 1 if around == 2 or around == 3 else 0
                else:
                    new[i, j] = 1 if around == 3 else 0
        for i in prange(n):
            for j in range(m):
                cells[i, j] = new[i, j]


def shortest_paths(d):
    n = d.shape[0]
    for k in range(n):
        for i in prange(n):
            through = d[i, k]
            for j in range(n):
                if through + d[k, j] < d[i, j]:
                    d[i, j] = through + d[k, j]


def lu(a):
    n = a.shape[0]
    for k in range(n - 1):
        for i in prange(k + 1, n):
            a[i, k] /= a[k, k]
            factor = a[i, k]
            for j in range(k + 1, n):
                a[i, j] -= factor * a[k, j]


def edit_distance(a, b, table):
    for i in range(a.size + 1):
        table[i, 0] = i
    for j in range(b.size + 1):
        table[0, j] = j
    for i in range(1, a.size + 1):
        for j in range(1, b.size + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + cost)
    return table[a.size, b.size]


def cholesky(a):
    n = a.shape[0]
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s -= a[j, k] * a[j, k]
        root = math.sqrt(s)
        a[j, j] = root
        for i in prange(j + 1, n):
            t = a[i, j]
            for k in range(j):
                t -= a[i, k] * a[j, k]
            a[i, j] = t / root


def sieve(is_prime):
    n = is_prime.size
    for i in range(n):
        is_prime[i] = i > 1
    i = 2
    while i * i < n:
        if is_prime[i]:
            for j in range(i * i, n, i):
                is_prime[j] = False
        i += 1
    count = 0
    for i in prange(n):
        count += is_prime[i]
    return count


def ray_march(image):
    height, width = image.shape
    for row in prange(height):
        for column in range(width):
            x = (column - 0.5 * width) / width
            y = (row - 0.5 * height) / height
            length = math.sqrt(x * x + y * y + 1.0)
            dx = x / length
            dy = y / length
            dz = 1.0 / length
            t = 0.0
            hit = 0.0
            for _ in range(64):
                px = t * dx
                py = t * dy
                pz = t * dz - 3.0
                d = min(math.sqrt(px * px + py * py + pz * pz) - 1.0, py + 1.5)
                if d < 0.001:
                    hit = 1.0 / (1.0 + t)
                    break
                t += d
                if t > 20.0:
                    break
            image[row, column] = hit


def statistics(x):
    total = 0.0
    least = x[0]
    most = x[0]
    for i in prange(x.size):
        total += x[i]
        least = min(least, x[i])
        most = max(most, x[i])
    mean = total / x.size
    spread = 0.0
    for i in prange(x.size):
        spread += (x[i] - mean) ** 2
    return mean, math.sqrt(spread / x.size), least, most


def gaussian_process_step(x, y, x_new):
    k = np.exp(-0.5 * (x.reshape(-1, 1) - x.reshape(1, -1)) ** 2) + 0.01 * np.eye(x.shape[0])
    k_new = np.exp(-0.5 * (x_new.reshape(-1, 1) - x.reshape(1, -1)) ** 2)
    return np.dot(k_new, np.linalg.solve(k, y))


def _random(*shape):
    return np.random.default_rng(sum(shape)).random(shape)


def _symmetric(n):
    a = _random(n, n)
    return a @ a.T + n * np.eye(n)


def _distances(n):
    d = _random(n, n) * 100
    np.fill_diagonal(d, 0)
    return d


def _integers(n, most):
    return np.random.default_rng(n).integers(0, most, n)


# name -> (function, arguments by size; "small" and "large")
PROGRAMS = {
    "pairwise distance, loops": (pairwise_loops, lambda n: (_random(n, 3), np.zeros((n, n))), (60, 1500)),
    "pairwise distance, arrays": (pairwise_arrays, lambda n: (_random(n, 3), np.zeros((n, n))), (60, 1500)),
    "k-means step": (
        kmeans_step,
        lambda n: (_random(n, 4), _random(8, 4), np.zeros(n, "i8"), np.zeros((8, 4)), np.zeros(8, "i8")),
        (300, 100_000),
    ),
    "k nearest neighbours": (
        nearest_neighbours,
        lambda n: (_random(n, 8), _integers(n, 2), _random(n // 4, 8), np.zeros(n // 4, "i8")),
        (200, 4000),
    ),
    "Black-Scholes": (
        black_scholes,
        lambda n: (_random(n) + 10, _random(n) + 10, _random(n) + 1, 0.1, 0.2, np.zeros(n), np.zeros(n)),
        (100, 1_000_000),
    ),
    "Monte Carlo": (count_in_circle, lambda n: (_integers(n, 1 << 31), 100), (50, 50_000)),
    "norms of rows": (norm_of_rows, lambda n: (_random(n, 100), np.zeros(n)), (30, 40_000)),
    "Rambo": (rambo, lambda n: (_random(n, 4, 4), np.zeros((n, 4, 4))), (30, 100_000)),
    "DBSCAN counts": (neighbour_counts, lambda n: (_random(n, 3), 0.2, np.zeros(n, "i8")), (100, 4000)),
    "principal axes": (principal_axes, lambda n: (_random(n, 6),), (100, 200_000)),
    "weighted pairs": (
        weighted_pairs,
        lambda n: (*_random(4, n), np.linspace(0.01, 1, 11), np.zeros((n, 10))),
        (100, 2500),
    ),
    "heat": (heat, lambda n: (_random(n, n), np.zeros((n, n)), 10), (30, 1000)),
    "Mandelbrot": (mandelbrot, lambda n: (n, n, 100, np.zeros((n, n), "i4")), (30, 500)),
    "N-body": (accelerations, lambda n: (_random(n, 3), _random(n), np.zeros((n, 3))), (50, 3000)),
    "logistic regression": (
        logistic_regression,
        lambda n: (_random(n, 10), _integers(n, 2).astype("f8"), np.zeros(10), 10),
        (50, 50_000),
    ),
    "moving average": (moving_average, lambda n: (_random(n), 25, np.zeros(n)), (200, 1_000_000)),
    "Sobel": (sobel, lambda n: (_random(n, n), np.zeros((n, n))), (30, 1500)),
    "game of life": (
        life,
        lambda n: (_integers(n * n, 2).reshape(n, n), np.zeros((n, n), "i8"), 3),
        (20, 500),
    ),
    "shortest paths": (shortest_paths, lambda n: (_distances(n),), (30, 400)),
    "LU": (lu, lambda n: (_symmetric(n),), (20, 500)),
    "edit distance": (
        edit_distance,
        lambda n: (_integers(n, 4), _integers(n + 5, 4), np.zeros((n + 1, n + 6), "i8")),
        (20, 2000),
    ),
    "Cholesky": (cholesky, lambda n: (_symmetric(n),), (20, 500)),
    "prime sieve": (sieve, lambda n: (np.zeros(n, bool),), (200, 2_000_000)),
    "ray marching": (ray_march, lambda n: (np.zeros((n, n)),), (20, 500)),
    "statistics": (statistics, lambda n: (_random(n),), (50, 4_000_000)),
    "Gaussian process": (
        gaussian_process_step,
        lambda n: (_random(n) * 10, _random(n), _random(n // 2) * 10),
        (30, 600),
    ),
}


# The arguments that hold a program's results, where it does not return them all.
RESULTS = {
    "pairwise distance, loops": (1,),
    "pairwise distance, arrays": (1,),
    "k-means step": (1, 2, 4),
    "k nearest neighbours": (3,),
    "Black-Scholes": (5, 6),
    "norms of rows": (1,),
    "Rambo": (1,),
    "DBSCAN counts": (2,),
    "weighted pairs": (5,),
    "heat": (0,),
    "Mandelbrot": (3,),
    "N-body": (2,),
    "moving average": (2,),
    "Sobel": (1,),
    "game of life": (0,),
    "shortest paths": (0,),
    "LU": (0,),
    "Cholesky": (0,),
    "prime sieve": (0,),
    "ray marching": (0,),
}

# Programs with comparisons of rounded numbers: this part of the elements may differ.
ROUNDED_COMPARISONS = {
    "k nearest neighbours": 0.002,
    "DBSCAN counts": 0.002,
    "weighted pairs": 0.002,
    "Mandelbrot": 0.005,
    "ray marching": 0.002,
}


def results_of(name: str, arguments, returned) -> list:
    """The results of a call: the changed arguments and what the function returned."""
    found = [arguments[each] for each in RESULTS.get(name, ())]
    if returned is not None:
        found += returned if isinstance(returned, (tuple, list)) else (returned,)
    return found


def check_results(name: str, expected: list, found: list, who: str) -> None:
    """Raise an error if the results differ by more than the rounding of sums in another order explains."""
    if len(expected) != len(found):
        raise RuntimeError(f"{name}: {who} has {len(found)} results, not {len(expected)}")
    for x, y in zip(map(np.asarray, expected), map(np.asarray, found), strict=True):
        if name == "Cholesky":
            x, y = np.tril(x), np.tril(y)
        if x.shape != y.shape:
            raise RuntimeError(f"{name}: {who} has a result of shape {y.shape}, not {x.shape}")
        x, y = x.astype("f8"), y.astype("f8")
        scale = np.abs(x).max(initial=1e-300)
        different = np.mean(~(np.abs(x - y) <= 1e-6 * np.abs(x) + 1e-7 * scale)) if x.size else 0.0
        if different > ROUNDED_COMPARISONS.get(name, 0.0):
            raise RuntimeError(f"{name}: {100 * different:.3g} % of the elements of {who} differ")
