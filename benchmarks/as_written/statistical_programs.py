"""Programs of statistics, learning and linear algebra."""

from __future__ import annotations

import math

from programs import normal, program, rows, square

program(
    "density estimate",
    lambda r, n: {"points": r.standard_normal(16), "data": r.standard_normal(n // 16 + 1)},
    """
    h = 0.2
    distance = (points[:, None] - data[None, :]) / h
    kernel = xp.exp(-0.5 * distance * distance)
    density = xp.sum(kernel, axis=1) / (data.shape[0] * h * 2.5066282746310002)
    """,
    "density",
)
program(
    "softmax of rows",
    rows("x", 100),
    """
    largest = xp.max(x, axis=1, keepdims=True)
    shifted = x - largest
    e = xp.exp(shifted)
    total = xp.sum(e, axis=1, keepdims=True)
    y = e / total
    """,
    "y",
)
program(
    "softmax of long rows",
    rows("x", 5000),
    """
    largest = xp.max(x, axis=1, keepdims=True)
    e = xp.exp(x - largest)
    y = e / xp.sum(e, axis=1, keepdims=True)
    """,
    "y",
)
program(
    "layer norm",
    rows("x", 128),
    """
    mean = xp.mean(x, axis=1, keepdims=True)
    centred = x - mean
    variance = xp.mean(centred * centred, axis=1, keepdims=True)
    deviation = xp.sqrt(variance + 1e-5)
    y = centred / deviation * 1.5 + 0.25
    """,
    "y",
)
program(
    "standardise columns",
    rows("x", 10),
    """
    mean = xp.mean(x, axis=0)
    centred = x - mean
    deviation = xp.sqrt(xp.mean(centred ** 2, axis=0))
    z = centred / deviation
    """,
    "z",
)
program(
    "z-scores of a vector",
    normal("x"),
    """
    mean = xp.mean(x)
    deviation = xp.std(x)
    z = (x - mean) / deviation
    outliers = xp.sum(xp.astype(xp.abs(z) > 3, xp.int64))
    """,
    "z",
    "outliers",
)
program(
    "pairwise distances",
    lambda r, n: {"x": r.random((math.isqrt(n), 3)), "y": r.random((math.isqrt(n), 3))},
    """
    difference = x[:, None, :] - y[None, :, :]
    squared = difference ** 2
    d2 = xp.sum(squared, axis=-1)
    d = xp.sqrt(d2)
    """,
    "d",
)
program(
    "Gram matrix of Gaussians",
    lambda r, n: {"x": r.random((math.isqrt(n), 5))},
    """
    difference = x[:, None, :] - x[None, :, :]
    d2 = xp.sum(difference * difference, axis=2)
    gram = xp.exp(-d2 / 0.5)
    row_sums = xp.sum(gram, axis=1)
    """,
    "gram",
    "row_sums",
)
program(
    "Black-Scholes",
    lambda r, n: {"price": r.uniform(50, 150, n), "strike": r.uniform(50, 150, n), "time": r.uniform(0.1, 2, n)},
    """
    rate, volatility = 0.02, 0.3
    deviation = volatility * xp.sqrt(time)
    d1 = (xp.log(price / strike) + (rate + 0.5 * volatility ** 2) * time) / deviation
    d2 = d1 - deviation
    n1 = 0.5 + 0.5 * xp.tanh(0.7978845608 * d1 * (1 + 0.044715 * d1 * d1))
    n2 = 0.5 + 0.5 * xp.tanh(0.7978845608 * d2 * (1 + 0.044715 * d2 * d2))
    discount = xp.exp(-rate * time)
    call = price * n1 - strike * discount * n2
    put = call - price + strike * discount
    """,
    "call",
    "put",
)
program(
    "k-means step",
    lambda r, n: {"x": r.standard_normal((n // 16 + 1, 4)), "centres": r.standard_normal((8, 4))},
    """
    difference = x[:, None, :] - centres[None, :, :]
    d2 = xp.sum(difference ** 2, axis=2)
    nearest = xp.argmin(d2, axis=1)
    member = xp.astype(nearest[:, None] == xp.arange(8)[None, :], xp.float64)
    counts = xp.sum(member, axis=0)
    sums = xp.sum(member[:, :, None] * x[:, None, :], axis=0)
    moved = sums / xp.maximum(counts, xp.ones_like(counts))[:, None]
    """,
    "moved",
    "nearest",
)
program(
    "logistic regression, gradient",
    lambda r, n: {
        "x": r.standard_normal((n // 20 + 1, 20)),
        "labels": (r.random(n // 20 + 1) < 0.5).astype(float),
        "w": r.standard_normal(20),
    },
    """
    for _ in range(5):
        scores = xp.sum(x * w, axis=1)
        p = 1 / (1 + xp.exp(-scores))
        error = p - labels
        gradient = xp.sum(x * error[:, None], axis=0) / x.shape[0]
        w = w - 0.1 * gradient
    """,
    "w",
)
program(
    "sums of transposed products",
    lambda r, n: {"A": r.random((math.isqrt(n), math.isqrt(n))) + 0.1, "w": r.random(math.isqrt(n))},
    """
    B = ((A.T * w).T + A) / xp.max(A) - A.T
    total = xp.sum(B, axis=1)
    """,
    "B",
    "total",
    sizes=(700 * 700,),
)
program(
    "symmetric part and its norm",
    square("A"),
    """
    S = (A + A.T) / 2
    K = (A - A.T) / 2
    norms = xp.sqrt(xp.sum(S * S)), xp.sqrt(xp.sum(K * K))
    s, k = norms
    """,
    "s",
    "k",
    "S",
)
program(
    "sums over axes, used again",
    lambda r, n: {"J": r.random((4, max(n // 1600, 1), 400))},
    """
    squares = xp.sum(J * J, axis=0)
    sums = xp.sum(J, axis=1)
    y = J * squares[None] - sums[:, None, :]
    """,
    "y",
    sizes=(4 * 300 * 400,),
)
program(
    "cross entropy",
    lambda r, n: {"x": r.standard_normal((n // 10 + 1, 10)), "labels": r.integers(0, 10, n // 10 + 1)},
    """
    shifted = x - xp.max(x, axis=1, keepdims=True)
    log_sum = xp.log(xp.sum(xp.exp(shifted), axis=1))
    chosen = xp.astype(labels[:, None] == xp.arange(10)[None, :], xp.float64)
    picked = xp.sum(shifted * chosen, axis=1)
    loss = xp.mean(log_sum - picked)
    p = xp.exp(shifted - log_sum[:, None])
    gradient = (p - chosen) / x.shape[0]
    """,
    "loss",
    "gradient",
)
program(
    "cosine similarities",
    lambda r, n: {"x": r.standard_normal((n // 64 + 1, 64)), "q": r.standard_normal(64)},
    """
    lengths = xp.sqrt(xp.sum(x * x, axis=1))
    q_length = xp.sqrt(xp.sum(q * q))
    products = xp.sum(x * q, axis=1)
    similarity = products / (lengths * q_length)
    best = xp.argmax(similarity)
    """,
    "similarity",
    "best",
)
program(
    "covariance of columns",
    rows("x", 6),
    """
    centred = x - xp.mean(x, axis=0)
    products = centred[:, :, None] * centred[:, None, :]
    covariance = xp.sum(products, axis=0) / (x.shape[0] - 1)
    deviation = xp.sqrt(xp.sum(centred ** 2, axis=0) / (x.shape[0] - 1))
    correlation = covariance / (deviation[:, None] * deviation[None, :])
    """,
    "correlation",
)
program(
    "linear fit",
    normal("x", "noise"),
    """
    y = 2 * x + 1 + 0.1 * noise
    mx, my = xp.mean(x), xp.mean(y)
    dx, dy = x - mx, y - my
    slope = xp.sum(dx * dy) / xp.sum(dx * dx)
    offset = my - slope * mx
    residual = y - (slope * x + offset)
    r2 = 1 - xp.sum(residual ** 2) / xp.sum(dy ** 2)
    """,
    "slope",
    "offset",
    "r2",
)
program(
    "polynomial in a loop",
    normal("x"),
    """
    p = xp.full_like(x, 0.1)
    for c in (0.3, -0.4, 0.5, -0.6, 0.7, -0.8, 0.9, -1.0):
        p = p * x + c
    """,
    "p",
)
program(
    "in-place updates",
    normal("x"),
    """
    y = xp.asarray(x, copy=True)
    y *= 2
    y += 1
    y **= 2
    y -= xp.mean(y)
    y /= xp.max(xp.abs(y))
    """,
    "y",
)
program(
    "Adam step",
    normal("w", "g"),
    """
    m, v = xp.zeros_like(w), xp.zeros_like(w)
    for t in range(1, 4):
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        m_hat = m / (1 - 0.9 ** t)
        v_hat = v / (1 - 0.999 ** t)
        w = w - 0.01 * m_hat / (xp.sqrt(v_hat) + 1e-8)
    """,
    "w",
)
program(
    "clip and rescale",
    normal("x"),
    """
    low, high = xp.min(x) / 2, xp.max(x) / 2
    clipped = xp.minimum(xp.maximum(x, low), high)
    scaled = (clipped - low) / (high - low)
    """,
    "scaled",
)
program(
    "masked mean",
    normal("x"),
    """
    mask = x > 0
    kept = xp.where(mask, x, xp.zeros_like(x))
    count = xp.sum(xp.astype(mask, xp.int64))
    mean = xp.sum(kept) / count
    spread = xp.sqrt(xp.sum(xp.where(mask, (x - mean) ** 2, 0.0)) / count)
    """,
    "mean",
    "spread",
)
program(
    "selection by a mask",
    normal("x", "y"),
    """
    inside = x * x + y * y < 1
    chosen = x[inside]
    doubled = chosen * 2 + 1
    mean = xp.mean(doubled)
    """,
    "doubled",
    "mean",
    shapes_depend_on_values=True,
)
program(
    "look-up by indices",
    lambda r, n: {"table": r.random(1000), "index": r.integers(0, 1000, n)},
    """
    values = table[index]
    scaled = values * 2 - 1
    total = xp.sum(scaled)
    """,
    "scaled",
    "total",
)
program(
    "concatenated features",
    lambda r, n: {"x": r.standard_normal((n // 8 + 1, 4))},
    """
    squares = x * x
    features = xp.concat([x, squares], axis=1)
    scale = xp.max(xp.abs(features), axis=0)
    y = features / scale
    """,
    "y",
)
program(
    "attention weights",
    lambda r, n: {"q": r.standard_normal((math.isqrt(n), 8)), "k": r.standard_normal((math.isqrt(n), 8))},
    """
    scores = xp.sum(q[:, None, :] * k[None, :, :], axis=2) / 2.8284271247461903
    e = xp.exp(scores - xp.max(scores, axis=1, keepdims=True))
    weights = e / xp.sum(e, axis=1, keepdims=True)
    entropy = -xp.sum(weights * xp.log(weights), axis=1)
    """,
    "weights",
    "entropy",
)
