"""Statistics of a random genome in numbers 0 to 3: words of k letters, GC content, open reading frames, translation."""

import dpnp as np


def words(genome, k):
    """Return the number of each word of k letters, as digits in base 4, at each position."""
    windows = np.lib.stride_tricks.sliding_window_view(genome, k)
    return windows @ (4 ** np.arange(k)[::-1])


def longest_run(mask):
    """Return start and length of the longest run of true elements."""
    edges = np.diff(np.pad(mask.astype(np.int8), 1))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    k = np.argmax(ends - starts)
    return starts[k], (ends - starts)[k]


def main(length=1_000_000, k=6, window=1000, seed=22):
    rng = np.random.default_rng(seed)
    chance = 0.25 + 0.1 * np.sin(np.arange(length) / 50_000.0)
    draw = rng.random(length)
    genome = (draw > chance).astype(np.int64) + (draw > 2.0 * chance) + (draw > 0.7)
    code = words(genome, k)
    counts = np.bincount(code, minlength=4**k)
    values, repeats = np.unique(code[::k], return_counts=True)
    common = values[np.argsort(repeats, kind="stable")[::-1][:5]]
    gc = (genome == 1) | (genome == 2)
    cumulative = np.concatenate([np.zeros(1, dtype=int), np.cumsum(gc)])
    content = (cumulative[window:] - cumulative[:-window]) / window
    codons = genome[: length // 3 * 3].reshape(-1, 3) @ np.array([16, 4, 1])
    table = (np.arange(64) * 7 + 3) % 21
    protein = table[codons]
    stops = np.flatnonzero(protein == 20)
    frames = np.diff(stops)
    start, run = longest_run(protein != 20)
    mirrored = 3 - genome[::-1]
    palindromes = np.count_nonzero(words(mirrored, k)[::-1] == code)
    return {
        "counts": counts,
        "common": common,
        "content": content[::window],
        "frames": np.bincount(frames)[:50],
        "run": np.array([int(start), int(run)]),
        "palindromes": palindromes,
    }


SMALL = {"length": 3000, "k": 3, "window": 50}

if __name__ == "__main__":
    print("Most common words:", main()["common"])
