"""Bootstrap intervals of a mean, a median, a correlation and a slope, by resampled rows."""

import dpnp as np


def main(count=200, resamples=10_000, seed=17):
    rng = np.random.default_rng(seed)
    x = rng.random(count)
    y = 2.0 * x + rng.random(count) ** 2
    rows = rng.integers(0, count, (resamples, count))
    xs, ys = x[rows], y[rows]
    mean = ys.mean(axis=1)
    median = np.median(ys, axis=1)
    dx = xs - xs.mean(axis=1, keepdims=True)
    dy = ys - mean[:, None]
    sxy, sxx, syy = (dx * dy).sum(axis=1), (dx**2).sum(axis=1), (dy**2).sum(axis=1)
    slope = sxy / sxx
    correlation = sxy / np.sqrt(sxx * syy)
    table = np.stack([mean, median, slope, correlation])
    interval = np.percentile(table, [2.5, 97.5], axis=1).T
    bias = table.mean(axis=1) - np.array(
        [float(y.mean()), float(np.median(y)), *map(float, np.polyfit(x, y, 1)[:1]), 0]
    )
    return {"interval": interval, "bias": bias, "deviation": table.std(axis=1, ddof=1)}


SMALL = {"count": 20, "resamples": 100}

if __name__ == "__main__":
    print("Intervals of mean, median, slope and correlation:", main()["interval"], sep="\n")
