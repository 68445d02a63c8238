"""Edges of an image: Gaussian blur, Sobel gradients, maxima along the gradient, and two thresholds, as Canny did."""

import dpnp as np


def blur(image, sigma):
    radius = int(3 * sigma)
    x = np.arange(-radius, radius + 1)
    kernel = np.exp(-(x**2) / (2.0 * sigma**2))
    kernel /= kernel.sum()
    padded = np.pad(image, radius, mode="reflect")
    height, width = image.shape
    rows = sum(kernel[k] * padded[k : k + height, :] for k in range(kernel.size))
    return sum(kernel[k] * rows[:, k : k + width] for k in range(kernel.size))


def sobel(image):
    p = np.pad(image, 1, mode="edge")
    right = p[:-2, 2:] + 2.0 * p[1:-1, 2:] + p[2:, 2:]
    left = p[:-2, :-2] + 2.0 * p[1:-1, :-2] + p[2:, :-2]
    below = p[2:, :-2] + 2.0 * p[2:, 1:-1] + p[2:, 2:]
    above = p[:-2, :-2] + 2.0 * p[:-2, 1:-1] + p[:-2, 2:]
    return right - left, below - above


def thin(strength, direction):
    """Keep the strengths that are largest along the direction of the gradient."""
    p = np.pad(strength, 1)
    sector = np.round(direction / (np.pi / 4.0)).astype(int) % 4
    pairs = [
        np.maximum(p[1:-1, 2:], p[1:-1, :-2]),
        np.maximum(p[2:, 2:], p[:-2, :-2]),
        np.maximum(p[2:, 1:-1], p[:-2, 1:-1]),
        np.maximum(p[2:, :-2], p[:-2, 2:]),
    ]
    neighbour = np.select([sector == k for k in range(4)], pairs)
    return np.where(strength >= neighbour, strength, 0.0)


def main(height=600, width=800, sigma=1.5, rounds=8, seed=13):
    rng = np.random.default_rng(seed)
    y, x = np.ogrid[:height, :width]
    image = 0.1 * rng.random((height, width))
    image[(y - height / 2) ** 2 + (x - width / 3) ** 2 < (height / 4) ** 2] += 0.8
    image[height // 5 : height // 2, width // 2 : 3 * width // 4] += 0.5
    gx, gy = sobel(blur(image, sigma))
    strength = thin(np.hypot(gx, gy), np.arctan2(gy, gx))
    high = 0.3 * strength.max()
    edges = strength > high
    candidates = strength > 0.4 * high
    for _ in range(rounds):
        grown = np.zeros_like(edges)
        p = np.pad(edges, 1)
        for down in range(3):
            for right in range(3):
                grown |= p[down : down + height, right : right + width]
        edges = grown & candidates
    rows, columns = np.nonzero(edges)
    box = np.array([int(rows.min()), int(rows.max()), int(columns.min()), int(columns.max())])
    return {"edges": edges, "count": edges.sum(), "box": box}


SMALL = {"height": 60, "width": 80}

if __name__ == "__main__":
    print("Pixels of edges:", main()["count"])
