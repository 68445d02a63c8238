"""Principal components by a singular value decomposition, and images rebuilt from a few of them."""

import dpnp as np


def main(count=2000, side=16, kept=12, seed=7):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:side, 0:side] / side
    frequency = rng.integers(1, 4, (count, 2))
    phase = 2.0 * np.pi * rng.random(count)
    wave = 2.0 * np.pi * (frequency[:, 0, None, None] * x + frequency[:, 1, None, None] * y)
    images = np.sin(wave + phase[:, None, None]) + 0.2 * rng.random((count, side, side))
    data = images.reshape(count, -1)
    mean = data.mean(axis=0)
    centred = data - mean
    u, s, vt = np.linalg.svd(centred, full_matrices=False)
    explained = s**2 / np.sum(s**2)
    scores = u[:, :kept] * s[:kept]
    rebuilt = scores @ vt[:kept] + mean
    error = np.sqrt(np.mean((rebuilt - data) ** 2, axis=1))
    correlation = np.corrcoef(scores, rowvar=False)
    return {"explained": explained, "error": error, "correlation": np.abs(correlation), "mean": mean}


SMALL = {"count": 60, "side": 8, "kept": 4}

if __name__ == "__main__":
    print("Explained variance:", main()["explained"][:12])
