"""Contrast of 8-bit images: equalised histograms, also by tile, gamma correction, and a median of differences."""

import dpnp as np


def equalise(image):
    histogram = np.bincount(image.ravel(), minlength=256)
    cumulative = histogram.cumsum()
    lowest = cumulative[cumulative > 0][0]
    scale = 255.0 / (image.size - lowest)
    table = np.clip(np.round((cumulative - lowest) * scale), 0, 255).astype(np.uint8)
    return table[image]


def main(size=1024, tiles=4, seed=14):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:size, :size]
    shade = 80.0 + 40.0 * np.sin(6.0 * x / size) * np.cos(9.0 * y / size) + 20.0 * rng.random((size, size))
    image = shade.astype(np.uint8)
    whole = equalise(image)
    tiled = np.empty_like(image)
    edge = size // tiles
    for i in range(tiles):
        for j in range(tiles):
            part = (slice(i * edge, (i + 1) * edge), slice(j * edge, (j + 1) * edge))
            tiled[part] = equalise(image[part])
    gamma = (255.0 * (np.arange(256) / 255.0) ** 0.6).astype(np.uint8)
    corrected = gamma[whole]
    counts, _ = np.histogram(corrected, bins=32, range=(0, 256))
    p = counts / counts.sum()
    entropy = -np.sum(p[p > 0] * np.log2(p[p > 0]))
    difference = np.abs(whole.astype(np.int16) - tiled)
    return {"whole": whole, "tiled": tiled, "entropy": entropy, "median": np.median(difference)}


SMALL = {"size": 32, "tiles": 2}

if __name__ == "__main__":
    print(f"Entropy: {float(main()['entropy']):.3f} bits")
