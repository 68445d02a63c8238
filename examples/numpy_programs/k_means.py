"""Lloyd's k-means: assignment by distances, centres by sums over clusters, until the labels stay."""

import dpnp as np


def assign(points, centres):
    """Return the label of each point and its squared distance from its centre."""
    distance2 = (points**2).sum(1)[:, None] - 2.0 * points @ centres.T + (centres**2).sum(1)
    label = distance2.argmin(axis=1)
    return label, np.take_along_axis(distance2, label[:, None], axis=1)[:, 0]


def main(count=100_000, clusters=8, dimensions=4, rounds=20, seed=6):
    rng = np.random.default_rng(seed)
    true_centres = rng.integers(-8, 9, (clusters, dimensions)) * 1.0
    truth = rng.integers(0, clusters, count)
    points = true_centres[truth] + rng.random((count, dimensions)) + rng.random((count, dimensions))
    centres = points[rng.permutation(count)[:clusters]]
    label = np.full(count, -1)
    for _ in range(rounds):
        new_label, distance2 = assign(points, centres)
        changed = int(np.sum(new_label != label))
        label = new_label
        if changed == 0:
            break
        size = np.bincount(label, minlength=clusters)
        for k in range(dimensions):
            total = np.bincount(label, weights=points[:, k], minlength=clusters)
            centres[:, k] = total / np.maximum(size, 1)
    order = np.lexsort(centres.T)
    return {"centres": centres[order], "size": size[order], "inertia": distance2.sum()}


SMALL = {"count": 200, "clusters": 3}

if __name__ == "__main__":
    print("Sizes of the clusters:", main()["size"])
