"""Programs of simulations, images and signals."""

# ruff: noqa: E501
from __future__ import annotations

import math

import numpy as np
from programs import normal, program, square, uniform

program(
    "N-body step",
    lambda r, n: {"p": r.random((3, math.isqrt(n) // 2 + 2)), "v": np.zeros((3, math.isqrt(n) // 2 + 2))},
    """
    for _ in range(3):
        d = p[:, None, :] - p[:, :, None]
        r2 = xp.sum(d * d, axis=0) + 0.01
        inverse = r2 ** -1.5
        a = xp.sum(d * inverse[None], axis=2)
        v = v + 0.001 * a
        p = p + 0.001 * v
    """,
    "p",
)
program(
    "heat equation by slices",
    square("u"),
    """
    u = xp.asarray(u, copy=True)
    for _ in range(20):
        middle = u[1:-1, 1:-1]
        laplacian = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * middle
        u[1:-1, 1:-1] = middle + 0.1 * laplacian
    """,
    "u",
    sizes=(64 * 64, 512 * 512),
)
program(
    "wave equation by slices",
    square("u"),
    """
    u = xp.asarray(u, copy=True)
    before = xp.asarray(u, copy=True)
    for _ in range(20):
        laplacian = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
        after = xp.zeros_like(u)
        after[1:-1, 1:-1] = 2 * u[1:-1, 1:-1] - before[1:-1, 1:-1] + 0.1 * laplacian
        before, u = u, after
    """,
    "u",
    sizes=(64 * 64, 512 * 512),
)
program(
    "game of life by roll",
    lambda r, n: {"alive": (r.random((math.isqrt(n), math.isqrt(n))) < 0.3).astype(np.int32)},
    """
    for _ in range(10):
        neighbours = xp.zeros_like(alive)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if dy or dx:
                    neighbours = neighbours + xp.roll(alive, (dy, dx), axis=(0, 1))
        born = (neighbours == 3) & (alive == 0)
        survives = ((neighbours == 2) | (neighbours == 3)) & (alive == 1)
        alive = xp.astype(born | survives, xp.int32)
    """,
    "alive",
    sizes=(500 * 500,),
)
program(
    "Ising energy by roll",
    lambda r, n: {"spins": r.choice([-1.0, 1.0], (math.isqrt(n), math.isqrt(n)))},
    """
    for _ in range(10):
        field = xp.roll(spins, 1, axis=0) + xp.roll(spins, -1, axis=0) + xp.roll(spins, 1, axis=1) + xp.roll(spins, -1, axis=1)
        change = 2 * spins * field
        flip = change < 0
        spins = xp.where(flip, -spins, spins)
        energy = -0.5 * xp.sum(spins * field)
    """,
    "spins",
    "energy",
    sizes=(500 * 500,),
)
program(
    "Newton's iteration until converged",
    uniform("a"),
    """
    x = a + 1
    for _ in range(50):
        step = (x * x * x - a) / (3 * x * x)
        x = x - step
        if float(xp.max(xp.abs(step))) < 1e-12:
            break
    """,
    "x",
    sizes=(100_000,),
    jax="""
    from jax.lax import while_loop

    def more(state):
        return (state[2] < 50) & (state[1] >= 1e-12)

    def following(state):
        x = state[0]
        step = (x * x * x - a) / (3 * x * x)
        return x - step, xp.max(xp.abs(step)), state[2] + 1

    x = while_loop(more, following, (a + 1, xp.inf, 0))[0]
    """,
)
program(
    "Lorenz system, Runge-Kutta",
    lambda r, n: {"x": r.random(n), "y": r.random(n), "z": r.random(n)},
    """
    s, b, p, h = 10.0, 8.0 / 3.0, 28.0, 0.005
    kx1, ky1, kz1 = s * (y - x), x * (p - z) - y, x * y - b * z
    x2, y2, z2 = x + h / 2 * kx1, y + h / 2 * ky1, z + h / 2 * kz1
    kx2, ky2, kz2 = s * (y2 - x2), x2 * (p - z2) - y2, x2 * y2 - b * z2
    x3, y3, z3 = x + h / 2 * kx2, y + h / 2 * ky2, z + h / 2 * kz2
    kx3, ky3, kz3 = s * (y3 - x3), x3 * (p - z3) - y3, x3 * y3 - b * z3
    x4, y4, z4 = x + h * kx3, y + h * ky3, z + h * kz3
    kx4, ky4, kz4 = s * (y4 - x4), x4 * (p - z4) - y4, x4 * y4 - b * z4
    x = x + h / 6 * (kx1 + 2 * kx2 + 2 * kx3 + kx4)
    y = y + h / 6 * (ky1 + 2 * ky2 + 2 * ky3 + ky4)
    z = z + h / 6 * (kz1 + 2 * kz2 + 2 * kz3 + kz4)
    """,
    "x",
    "y",
    "z",
    sizes=(100_000,),
)
program(
    "normalised cross products by stack",
    lambda r, n: {"a": r.standard_normal((3, n // 3 + 1)), "b": r.standard_normal((3, n // 3 + 1))},
    """
    cx = a[1] * b[2] - a[2] * b[1]
    cy = a[2] * b[0] - a[0] * b[2]
    cz = a[0] * b[1] - a[1] * b[0]
    c = xp.stack([cx, cy, cz])
    length = xp.sqrt(xp.sum(c * c, axis=0))
    unit = c / length
    """,
    "unit",
    sizes=(3 * 200_000 - 1,),
)
program(
    "Mandelbrot set by where",
    lambda r, n: {
        "cr": np.linspace(-2, 1, math.isqrt(n))[None, :] + np.zeros((math.isqrt(n), 1)),
        "ci": np.linspace(-1.5, 1.5, math.isqrt(n))[:, None] + np.zeros((1, math.isqrt(n))),
    },
    """
    zr, zi = xp.zeros_like(cr), xp.zeros_like(ci)
    k = xp.zeros(cr.shape, dtype=xp.int64)
    for _ in range(20):
        zr2, zi2 = zr * zr, zi * zi
        inside = zr2 + zi2 <= 4.0
        zi = xp.where(inside, 2 * zr * zi + ci, zi)
        zr = xp.where(inside, zr2 - zi2 + cr, zr)
        k = k + inside
    """,
    "k",
    sizes=(500 * 500,),
)
program(
    "great-circle distances",
    lambda r, n: {k: r.uniform(-1.5, 1.5, n) for k in ("lat1", "lon1", "lat2", "lon2")},
    """
    dlat, dlon = lat2 - lat1, lon2 - lon1
    s1, s2 = xp.sin(dlat / 2), xp.sin(dlon / 2)
    h = s1 * s1 + xp.cos(lat1) * xp.cos(lat2) * s2 * s2
    d = 2 * 6371 * xp.asin(xp.sqrt(h))
    farthest = xp.max(d)
    """,
    "d",
    "farthest",
)
program(
    "blur by nine slices",
    square("image"),
    """
    total = xp.zeros_like(image[1:-1, 1:-1])
    for i in range(3):
        for j in range(3):
            total = total + image[i:image.shape[0] - 2 + i, j:image.shape[1] - 2 + j]
    blurred = total / 9
    """,
    "blurred",
)
program(
    "edges of an image",
    square("image"),
    """
    gx = image[1:-1, 2:] - image[1:-1, :-2]
    gy = image[2:, 1:-1] - image[:-2, 1:-1]
    strength = xp.sqrt(gx * gx + gy * gy)
    threshold = xp.mean(strength) + xp.std(strength)
    edge = strength > threshold
    """,
    "edge",
    "strength",
)
program(
    "grey values of pixels",
    lambda r, n: {"rgb": r.random((max(n // 3000, 1), 1000, 3)).astype(np.float32)},
    """
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    grey = 0.299 * red + 0.587 * green + 0.114 * blue
    contrast = (grey - xp.min(grey)) / (xp.max(grey) - xp.min(grey))
    """,
    "contrast",
)
program(
    "normalise pixels of channels",
    lambda r, n: {"rgb": r.integers(0, 256, (max(n // 3000, 1), 1000, 3)).astype(np.uint8)},
    """
    scaled = xp.astype(rgb, xp.float32) / 255
    mean = xp.mean(scaled, axis=(0, 1))
    centred = scaled - mean
    deviation = xp.sqrt(xp.mean(centred * centred, axis=(0, 1)))
    y = centred / deviation
    """,
    "y",
)
program(
    "moving average by cumulative sum",
    normal("x"),
    """
    total = xp.cumulative_sum(x)
    window = total[32:] - total[:-32]
    average = window / 32
    deviation = x[32:] - average
    """,
    "deviation",
)
program(
    "differences and trapezoids",
    normal("y"),
    """
    t = xp.linspace(0, 1, y.shape[0])
    dt = t[1:] - t[:-1]
    dy = y[1:] - y[:-1]
    slope = dy / dt
    area = xp.sum((y[1:] + y[:-1]) * dt) / 2
    """,
    "slope",
    "area",
)
program(
    "complex rotation",
    lambda r, n: {"z": r.standard_normal(n) + 1j * r.standard_normal(n), "t": r.random(n)},
    """
    turn = xp.exp(1j * t)
    turned = z * turn
    power = xp.real(turned) ** 2 + xp.imag(turned) ** 2
    mean = xp.mean(power)
    """,
    "turned",
    "mean",
)
program(
    "Verlet steps of pendulums",
    uniform("angle", "speed"),
    """
    for _ in range(10):
        force = -9.81 * xp.sin(angle)
        half = speed + 0.005 * force
        angle = angle + 0.01 * half
        speed = half + 0.005 * (-9.81 * xp.sin(angle))
    energy = 0.5 * speed ** 2 + 9.81 * (1 - xp.cos(angle))
    """,
    "angle",
    "energy",
)
program(
    "epidemic model",
    uniform("s", "i"),
    """
    r = 1 - s - i
    for _ in range(10):
        infected = 0.3 * s * i
        recovered = 0.1 * i
        s = s - infected
        i = i + infected - recovered
        r = r + recovered
    peak = xp.max(i)
    """,
    "s",
    "i",
    "r",
    "peak",
)
program(
    "relaxation of every second point",
    lambda r, n: {"u": r.random((math.isqrt(n) // 2 * 2,) * 2)},
    """
    u = xp.asarray(u, copy=True)
    for _ in range(5):
        u[1:-1:2, 1:-1:2] = 0.25 * (u[:-2:2, 1:-1:2] + u[2::2, 1:-1:2] + u[1:-1:2, :-2:2] + u[1:-1:2, 2::2])
    """,
    "u",
)
program(
    "signal with a window",
    normal("x"),
    """
    n = x.shape[0]
    t = xp.arange(n, dtype=xp.float64) / n
    window = 0.5 - 0.5 * xp.cos(6.283185307179586 * t)
    windowed = x * window
    energy = xp.sum(windowed * windowed) / xp.sum(window * window)
    """,
    "windowed",
    "energy",
)
program(
    "batch norm of images",
    lambda r, n: {"x": r.standard_normal((max(n // (16 * 28 * 28), 1), 16, 28, 28)).astype(np.float32)},
    """
    mean = xp.mean(x, axis=(0, 2, 3), keepdims=True)
    centred = x - mean
    variance = xp.mean(centred * centred, axis=(0, 2, 3), keepdims=True)
    y = centred / xp.sqrt(variance + 1e-5)
    relu = xp.where(y > 0, y, xp.zeros_like(y))
    """,
    "relu",
)
