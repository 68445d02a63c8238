"""Poisson's equation on a square by conjugate gradients, without a matrix, and by a sine transform as a check."""

import dpnp as np


def laplacian(u):
    """Return the five-point Laplacian with zeros outside."""
    result = 4.0 * u
    result[1:, :] -= u[:-1, :]
    result[:-1, :] -= u[1:, :]
    result[:, 1:] -= u[:, :-1]
    result[:, :-1] -= u[:, 1:]
    return result


def conjugate_gradient(b, tolerance, limit):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rr = np.vdot(r, r)
    goal = tolerance * float(rr) ** 0.5
    iterations = 0
    for _ in range(limit):
        iterations += 1
        ap = laplacian(p)
        alpha = rr / np.vdot(p, ap)
        x += alpha * p
        r -= alpha * ap
        new = np.vdot(r, r)
        if float(new) ** 0.5 < goal:
            break
        p = r + (new / rr) * p
        rr = new
    return x, iterations


def by_sines(b):
    """Solve in the basis of eigenvectors, by products of matrices."""
    n = b.shape[0]
    k = np.arange(1, n + 1)
    basis = np.sqrt(2.0 / (n + 1)) * np.sin(np.pi * np.outer(k, k) / (n + 1))
    eigenvalue = 2.0 - 2.0 * np.cos(np.pi * k / (n + 1))
    return basis @ ((basis @ b @ basis) / (eigenvalue[:, None] + eigenvalue)) @ basis


def main(size=300, limit=400):
    b = np.zeros((size, size))
    b[size // 3, size // 3] = 1.0
    b[2 * size // 3, size // 2] = -0.5
    x, iterations = conjugate_gradient(b, 1e-8, limit)
    return {"x": x, "iterations": iterations, "difference": np.abs(x - by_sines(b)).max() < 1e-5}


SMALL = {"size": 20}
TOLERANCE = 1e-6

if __name__ == "__main__":
    print("Iterations:", main()["iterations"])
