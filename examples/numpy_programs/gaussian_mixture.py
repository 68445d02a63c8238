"""A mixture of Gaussians with full covariances, fitted by expectation and maximisation."""

import dpnp as np


def log_density(points, means, covariances):
    """Return the logarithms of the densities, of shape (points, components)."""
    inverse = np.linalg.inv(covariances)
    _, log_determinant = np.linalg.slogdet(covariances)
    offset = points[:, None, :] - means
    distance2 = np.einsum("nki,kij,nkj->nk", offset, inverse, offset)
    return -0.5 * (distance2 + log_determinant + points.shape[1] * np.log(2.0 * np.pi))


def main(count=50_000, rounds=15, seed=8):
    rng = np.random.default_rng(seed)
    true_means = np.array([[0.0, 0.0], [4.0, 1.0], [-1.0, 5.0]])
    shapes = np.array([[[1.0, 0.4], [0.0, 0.8]], [[0.6, -0.3], [0.0, 1.2]], [[1.5, 0.0], [0.7, 0.5]]])
    truth = rng.integers(0, 3, count)
    noise = rng.random((count, 6, 2)).sum(axis=1) - 3.0
    points = true_means[truth] + np.einsum("nj,nji->ni", noise, shapes[truth])

    means = points[:3] + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    covariances = np.tile(np.eye(2), (3, 1, 1))
    weights = np.full(3, 1.0 / 3.0)
    likelihood = []
    for _ in range(rounds):
        joint = log_density(points, means, covariances) + np.log(weights)
        top = joint.max(axis=1, keepdims=True)
        total = top + np.log(np.exp(joint - top).sum(axis=1, keepdims=True))
        share = np.exp(joint - total)
        likelihood.append(float(total.mean()))
        size = share.sum(axis=0)
        weights = size / count
        means = share.T @ points / size[:, None]
        offset = points[:, None, :] - means
        covariances = np.einsum("nk,nki,nkj->kij", share, offset, offset) / size[:, None, None]
    return {"means": means, "weights": weights, "covariances": covariances, "likelihood": np.array(likelihood)}


SMALL = {"count": 300, "rounds": 4}

if __name__ == "__main__":
    print("Mean log likelihood by round:", main()["likelihood"])
