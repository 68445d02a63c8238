"""The programs of programs.py as kernels of numba-cuda, with one thread for each item or element."""

import math

import numpy as np
from numba import cuda, float64, int64

THREADS = 256
kernel = cuda.jit(fastmath=True)


def over(count, threads=THREADS):
    """The launch shape of a one-dimensional kernel."""
    return (count + threads - 1) // threads, threads


def over_pixels(rows, columns):
    """The launch shape of a two-dimensional kernel; threads of a warp have neighbouring columns."""
    return ((columns + 31) // 32, (rows + 7) // 8), (32, 8)


@kernel
def pairwise_kernel(points, distances):
    j, i = cuda.grid(2)
    if i < points.shape[0] and j < points.shape[0]:
        d = 0.0
        for k in range(points.shape[1]):
            t = points[i, k] - points[j, k]
            d += t * t
        distances[i, j] = math.sqrt(d)


def pairwise_loops(points, distances):
    pairwise_kernel[over_pixels(points.shape[0], points.shape[0])](points, distances)


@kernel
def clear_kernel(sums, counts):
    i = cuda.grid(1)
    if i < counts.size:
        counts[i] = 0
        for k in range(sums.shape[1]):
            sums[i, k] = 0.0


@kernel
def assign_kernel(points, centres, labels, sums, counts):
    """Each block adds up in shared memory first: the sums, and behind them the counts."""
    shared = cuda.shared.array(0, float64)
    k, d = centres.shape
    for n in range(cuda.threadIdx.x, k * (d + 1), cuda.blockDim.x):
        shared[n] = 0.0
    cuda.syncthreads()
    for i in range(cuda.grid(1), points.shape[0], cuda.gridsize(1)):
        best = 0
        least = 1e300
        for c in range(k):
            s = 0.0
            for m in range(d):
                t = points[i, m] - centres[c, m]
                s += t * t
            if s < least:
                least = s
                best = c
        labels[i] = best
        for m in range(d):
            cuda.atomic.add(shared, best * d + m, points[i, m])
        cuda.atomic.add(shared, k * d + best, 1.0)
    cuda.syncthreads()
    for n in range(cuda.threadIdx.x, k * d, cuda.blockDim.x):
        cuda.atomic.add(sums, (n // d, n % d), shared[n])
    for n in range(cuda.threadIdx.x, k, cuda.blockDim.x):
        cuda.atomic.add(counts, n, int64(shared[k * d + n]))


@kernel
def centres_kernel(centres, sums, counts):
    c = cuda.grid(1)
    if c < centres.shape[0] and counts[c] > 0:
        for k in range(centres.shape[1]):
            centres[c, k] = sums[c, k] / counts[c]


def kmeans_step(points, centres, labels, sums, counts):
    k, d = centres.shape
    clear_kernel[over(k)](sums, counts)
    blocks = min(over(points.shape[0])[0], 1056)
    assign_kernel[blocks, THREADS, 0, 8 * k * (d + 1)](points, centres, labels, sums, counts)
    centres_kernel[over(k)](centres, sums, counts)


@kernel
def neighbours_kernel(train, labels, test, found):
    """A block of 64 threads for each point: each thread keeps five of its own, and the first merges them."""
    shared_distances = cuda.shared.array(320, float64)
    shared_votes = cuda.shared.array(320, int64)
    i = cuda.blockIdx.x
    me = cuda.threadIdx.x
    distances = cuda.local.array(5, float64)
    votes = cuda.local.array(5, int64)
    for n in range(5):
        distances[n] = 1e300
        votes[n] = -1
    for j in range(me, train.shape[0], 64):
        d = 0.0
        for m in range(train.shape[1]):
            t = test[i, m] - train[j, m]
            d += t * t
        if d < distances[4]:
            n = 4
            while n > 0 and distances[n - 1] > d:
                distances[n] = distances[n - 1]
                votes[n] = votes[n - 1]
                n -= 1
            distances[n] = d
            votes[n] = labels[j]
    for n in range(5):
        shared_distances[5 * me + n] = distances[n]
        shared_votes[5 * me + n] = votes[n]
    cuda.syncthreads()
    if me == 0:
        for s in range(5, 320):
            d = shared_distances[s]
            if d < distances[4]:
                n = 4
                while n > 0 and distances[n - 1] > d:
                    distances[n] = distances[n - 1]
                    votes[n] = votes[n - 1]
                    n -= 1
                distances[n] = d
                votes[n] = shared_votes[s]
        ones = 0
        for n in range(5):
            ones += votes[n]
        found[i] = 1 if 2 * ones > 5 else 0


def nearest_neighbours(train, labels, test, found):
    neighbours_kernel[test.shape[0], 64](train, labels, test, found)


@kernel
def black_scholes_kernel(price, strike, years, rate, volatility, call, put):
    i = cuda.grid(1)
    if i < price.size:
        root = volatility * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / root
        d2 = d1 - root
        n1 = 0.5 + 0.5 * math.erf(d1 / math.sqrt(2.0))
        n2 = 0.5 + 0.5 * math.erf(d2 / math.sqrt(2.0))
        discounted = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * n1 - discounted * n2
        put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1)


def black_scholes(price, *others):
    black_scholes_kernel[over(price.size)](price, *others)


@kernel
def circle_kernel(seeds, rounds, total):
    shared = cuda.shared.array(1, int64)
    if cuda.threadIdx.x == 0:
        shared[0] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < seeds.size:
        inside = 0
        state = seeds[i]
        for _ in range(rounds):
            state = (state * 1103515245 + 12345) & 2147483647
            x = state / 2147483648.0
            state = (state * 1103515245 + 12345) & 2147483647
            y = state / 2147483648.0
            if x * x + y * y < 1.0:
                inside += 1
        cuda.atomic.add(shared, 0, inside)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, shared[0])


def count_in_circle(seeds, rounds):
    total = cuda.to_device(np.zeros(1, "i8"))
    circle_kernel[over(seeds.size)](seeds, rounds, total)
    return 4.0 * total.copy_to_host()[0] / (rounds * seeds.shape[0])


@kernel
def norms_kernel(a, result):
    """32 threads for each row."""
    shared = cuda.shared.array((8, 32), float64)
    lane, row = cuda.threadIdx.x, cuda.threadIdx.y
    i = cuda.blockIdx.x * 8 + row
    s = 0.0
    if i < a.shape[0]:
        for j in range(lane, a.shape[1], 32):
            s += a[i, j] * a[i, j]
    shared[row, lane] = s
    step = 16
    while step > 0:
        cuda.syncthreads()
        if lane < step:
            shared[row, lane] += shared[row, lane + step]
        step //= 2
    if lane == 0 and i < a.shape[0]:
        result[i] = math.sqrt(shared[row, 0])


def norm_of_rows(a, result):
    norms_kernel[(a.shape[0] + 7) // 8, (32, 8)](a, result)


@kernel
def rambo_kernel(uniform, momenta):
    n = cuda.grid(1)
    i, j = n // uniform.shape[1], n % uniform.shape[1]
    if i < uniform.shape[0]:
        cosine = 2.0 * uniform[i, j, 0] - 1.0
        sine = math.sqrt(1.0 - cosine * cosine)
        phi = 2.0 * math.pi * uniform[i, j, 1]
        energy = -math.log(uniform[i, j, 2] * uniform[i, j, 3])
        momenta[i, j, 0] = energy
        momenta[i, j, 1] = energy * sine * math.sin(phi)
        momenta[i, j, 2] = energy * sine * math.cos(phi)
        momenta[i, j, 3] = energy * cosine


def rambo(uniform, momenta):
    rambo_kernel[over(uniform.shape[0] * uniform.shape[1])](uniform, momenta)


@kernel
def counts_kernel(points, limit, counts):
    i = cuda.grid(1)
    if i < points.shape[0]:
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        n = 0
        for j in range(points.shape[0]):
            dx = x - points[j, 0]
            dy = y - points[j, 1]
            dz = z - points[j, 2]
            if dx * dx + dy * dy + dz * dz <= limit:
                n += 1
        counts[i] = n


def neighbour_counts(points, radius, counts):
    counts_kernel[over(points.shape[0], 128)](points, radius * radius, counts)


@kernel
def pairs_kernel(x, y, z, weights, bins, histogram):
    """Ten bins for each thread in shared memory."""
    shared = cuda.shared.array((10, 64), float64)
    me = cuda.threadIdx.x
    i = cuda.grid(1)
    for b in range(10):
        shared[b, me] = 0.0
    if i < x.shape[0]:
        for j in range(x.shape[0]):
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            dz = z[i] - z[j]
            d = dx * dx + dy * dy + dz * dz
            b = 10
            while b >= 0 and d < bins[b]:
                b -= 1
            if 0 <= b < 10:
                shared[b, me] += weights[i] * weights[j]
        for b in range(10):
            histogram[i, b] = shared[b, me]


def weighted_pairs(x, y, z, weights, bins, histogram):
    pairs_kernel[over(x.shape[0], 64)](x, y, z, weights, bins, histogram)


@kernel
def heat_kernel(u, new):
    j, i = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        new[i, j] = u[i, j] + 0.1 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])


def heat(u, new, steps):
    for _ in range(steps):
        heat_kernel[over_pixels(*u.shape)](u, new)
        u, new = new, u


@kernel
def mandelbrot_kernel(width, height, limit, counts):
    column, row = cuda.grid(2)
    if row < height and column < width:
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


def mandelbrot(width, height, limit, counts):
    mandelbrot_kernel[over_pixels(height, width)](width, height, limit, counts)


@kernel
def accelerations_kernel(positions, masses, result):
    """The block's threads load 128 bodies at a time into shared memory."""
    tile = cuda.shared.array((4, 128), float64)
    me = cuda.threadIdx.x
    i = cuda.grid(1)
    mine = min(i, positions.shape[0] - 1)
    x, y, z = positions[mine, 0], positions[mine, 1], positions[mine, 2]
    ax = ay = az = 0.0
    for begin in range(0, positions.shape[0], 128):
        j = begin + me
        if j < positions.shape[0]:
            for k in range(3):
                tile[k, me] = positions[j, k]
            tile[3, me] = masses[j]
        cuda.syncthreads()
        for n in range(min(128, positions.shape[0] - begin)):
            dx = tile[0, n] - x
            dy = tile[1, n] - y
            dz = tile[2, n] - z
            r2 = dx * dx + dy * dy + dz * dz + 0.01
            f = tile[3, n] / (r2 * math.sqrt(r2))
            ax += f * dx
            ay += f * dy
            az += f * dz
        cuda.syncthreads()
    if i < positions.shape[0]:
        result[i, 0] = ax
        result[i, 1] = ay
        result[i, 2] = az


def accelerations(positions, masses, result):
    accelerations_kernel[over(positions.shape[0], 128)](positions, masses, result)


@kernel
def gradient_kernel(x, y, w, gradient):
    """For ten columns: each thread adds up in registers, then each block in shared memory."""
    shared = cuda.shared.array(10, float64)
    mine = cuda.local.array(10, float64)
    for k in range(10):
        mine[k] = 0.0
    if cuda.threadIdx.x < 10:
        shared[cuda.threadIdx.x] = 0.0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        t = 0.0
        for k in range(10):
            t += x[i, k] * w[k]
        error = 1.0 / (1.0 + math.exp(-t)) - y[i]
        for k in range(10):
            mine[k] += x[i, k] * error
    for k in range(10):
        cuda.atomic.add(shared, k, mine[k])
    cuda.syncthreads()
    if cuda.threadIdx.x < 10:
        cuda.atomic.add(gradient, cuda.threadIdx.x, shared[cuda.threadIdx.x])


@kernel
def descend_kernel(w, gradient, factor):
    k = cuda.threadIdx.x
    w[k] -= factor * gradient[k]
    gradient[k] = 0.0


def logistic_regression(x, y, w, steps):
    gradient = cuda.to_device(np.zeros(10))
    result = cuda.device_array_like(w)
    result.copy_to_device(w)
    for _ in range(steps):
        gradient_kernel[min(over(x.shape[0])[0], 528), THREADS](x, y, result, gradient)
        descend_kernel[1, 10](result, gradient, 0.1 / x.shape[0])
    return result


@kernel
def moving_average_kernel(x, width, result):
    i = cuda.grid(1)
    if i < x.shape[0] - width + 1:
        s = 0.0
        for j in range(width):
            s += x[i + j]
        result[i] = s / width


def moving_average(x, width, result):
    moving_average_kernel[over(x.size)](x, width, result)


@kernel
def sobel_kernel(image, result):
    j, i = cuda.grid(2)
    if 0 < i < image.shape[0] - 1 and 0 < j < image.shape[1] - 1:
        gx = (
            image[i - 1, j + 1] + 2.0 * image[i, j + 1] + image[i + 1, j + 1]
            - image[i - 1, j - 1] - 2.0 * image[i, j - 1] - image[i + 1, j - 1]
        )  # fmt: skip
        gy = (
            image[i + 1, j - 1] + 2.0 * image[i + 1, j] + image[i + 1, j + 1]
            - image[i - 1, j - 1] - 2.0 * image[i - 1, j] - image[i - 1, j + 1]
        )  # fmt: skip
        result[i, j] = math.sqrt(gx * gx + gy * gy)


def sobel(image, result):
    sobel_kernel[over_pixels(*image.shape)](image, result)


@kernel
def life_kernel(cells, new):
    j, i = cuda.grid(2)
    n, m = cells.shape
    if i < n and j < m:
        up = i - 1 if i > 0 else n - 1
        down = i + 1 if i < n - 1 else 0
        left = j - 1 if j > 0 else m - 1
        right = j + 1 if j < m - 1 else 0
        around = (
            cells[up, left] + cells[up, j] + cells[up, right] + cells[i, left] + cells[i, right]
            + cells[down, left] + cells[down, j] + cells[down, right]
        )  # fmt: skip
        new[i, j] = 1 if around == 3 or (around == 2 and cells[i, j] == 1) else 0


def life(cells, new, steps):
    last = cells
    for _ in range(steps):
        life_kernel[over_pixels(*cells.shape)](last, new)
        last, new = new, last
    if steps % 2:
        cells.copy_to_device(last)


@kernel
def paths_kernel(d, k):
    j, i = cuda.grid(2)
    if i < d.shape[0] and j < d.shape[0]:
        through = d[i, k] + d[k, j]
        if through < d[i, j]:
            d[i, j] = through


def shortest_paths(d):
    for k in range(d.shape[0]):
        paths_kernel[over_pixels(*d.shape)](d, k)


@kernel
def lu_column_kernel(a, k):
    i = k + 1 + cuda.grid(1)
    if i < a.shape[0]:
        a[i, k] /= a[k, k]


@kernel
def lu_update_kernel(a, k):
    j, i = cuda.grid(2)
    i += k + 1
    j += k + 1
    if i < a.shape[0] and j < a.shape[0]:
        a[i, j] -= a[i, k] * a[k, j]


def lu(a):
    for k in range(a.shape[0] - 1):
        left = a.shape[0] - k - 1
        lu_column_kernel[over(left)](a, k)
        lu_update_kernel[over_pixels(left, left)](a, k)


@kernel
def edit_distance_kernel(a, b, table):
    """One block goes over the anti-diagonals."""
    for i in range(cuda.threadIdx.x, a.size + 1, cuda.blockDim.x):
        table[i, 0] = i
    for j in range(cuda.threadIdx.x, b.size + 1, cuda.blockDim.x):
        table[0, j] = j
    cuda.syncthreads()
    for s in range(2, a.size + b.size + 1):
        for i in range(max(1, s - b.size) + cuda.threadIdx.x, min(a.size, s - 1) + 1, cuda.blockDim.x):
            j = s - i
            cost = 0 if a[i - 1] == b[j - 1] else 1
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + cost)
        cuda.syncthreads()


def edit_distance(a, b, table):
    edit_distance_kernel[1, min(1024, (a.size + 31) // 32 * 32)](a, b, table)
    return table[a.size, b.size]


@kernel
def cholesky_column_kernel(a, k):
    i = k + 1 + cuda.grid(1)
    if i < a.shape[0]:
        a[i, k] /= math.sqrt(a[k, k])


@kernel
def cholesky_update_kernel(a, k):
    j, i = cuda.grid(2)
    if i == 0 and j == 0:
        a[k, k] = math.sqrt(a[k, k])
    i += k + 1
    j += k + 1
    if i < a.shape[0] and j <= i:
        a[i, j] -= a[i, k] * a[j, k]


def cholesky(a):
    for k in range(a.shape[0]):
        left = max(1, a.shape[0] - k - 1)
        cholesky_column_kernel[over(left)](a, k)
        cholesky_update_kernel[over_pixels(left, left)](a, k)


@kernel
def sieve_start_kernel(is_prime):
    i = cuda.grid(1)
    if i < is_prime.size:
        is_prime[i] = i > 1


@kernel
def sieve_strike_kernel(is_prime, primes):
    p = primes[cuda.blockIdx.y]
    for n in range(p * (p + cuda.grid(1)), is_prime.size, p * cuda.gridsize(1)):
        is_prime[n] = False


@kernel
def sieve_count_kernel(is_prime, total):
    shared = cuda.shared.array(1, int64)
    if cuda.threadIdx.x == 0:
        shared[0] = 0
    cuda.syncthreads()
    count = 0
    for i in range(cuda.grid(1), is_prime.size, cuda.gridsize(1)):
        if is_prime[i]:
            count += 1
    cuda.atomic.add(shared, 0, count)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, shared[0])


def sieve(is_prime):
    """The host knows the primes up to the square root."""
    small = np.ones(math.isqrt(is_prime.size - 1) + 1, bool)
    small[:2] = False
    for i in range(2, math.isqrt(small.size) + 1):
        small[i * i :: i] = False
    primes = cuda.to_device(np.flatnonzero(small))
    total = cuda.to_device(np.zeros(1, "i8"))
    sieve_start_kernel[over(is_prime.size)](is_prime)
    sieve_strike_kernel[(64, primes.size), THREADS](is_prime, primes)
    sieve_count_kernel[min(over(is_prime.size)[0], 1056), THREADS](is_prime, total)
    return int(total.copy_to_host()[0])


@kernel
def ray_march_kernel(image):
    column, row = cuda.grid(2)
    height, width = image.shape
    if row < height and column < width:
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


def ray_march(image):
    ray_march_kernel[over_pixels(*image.shape)](image)


@kernel
def moments_kernel(x, mean, result):
    """The sum of squared differences from the mean, the sum, the least and the greatest element."""
    shared = cuda.shared.array((4, 256), float64)
    me = cuda.threadIdx.x
    squares = 0.0
    total = 0.0
    least = x[0]
    most = x[0]
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        squares += (x[i] - mean) * (x[i] - mean)
        total += x[i]
        least = min(least, x[i])
        most = max(most, x[i])
    shared[0, me] = squares
    shared[1, me] = total
    shared[2, me] = least
    shared[3, me] = most
    step = 128
    while step > 0:
        cuda.syncthreads()
        if me < step:
            shared[0, me] += shared[0, me + step]
            shared[1, me] += shared[1, me + step]
            shared[2, me] = min(shared[2, me], shared[2, me + step])
            shared[3, me] = max(shared[3, me], shared[3, me + step])
        step //= 2
    if me == 0:
        cuda.atomic.add(result, 0, shared[0, 0])
        cuda.atomic.add(result, 1, shared[1, 0])
        cuda.atomic.min(result, 2, shared[2, 0])
        cuda.atomic.max(result, 3, shared[3, 0])


def statistics(x):
    blocks = min(over(x.size)[0], 1056)
    result = cuda.to_device(np.array([0.0, 0.0, math.inf, -math.inf]))
    moments_kernel[blocks, THREADS](x, 0.0, result)
    _, total, least, most = result.copy_to_host()
    result = cuda.to_device(np.array([0.0, 0.0, math.inf, -math.inf]))
    moments_kernel[blocks, THREADS](x, total / x.size, result)
    return total / x.size, math.sqrt(result.copy_to_host()[0] / x.size), least, most


pairwise_arrays = pairwise_loops  # three coordinates: a product of matrices would not be faster

MISSING = ("principal axes", "Gaussian process")  # numba-cuda has no eigenvectors and no solution of equations
