"""Eigenvalues by QR iteration with shifts and deflation, by power iteration, and by `eigvalsh`."""

import dpnp as np


def qr_iteration(matrix, limit=2000, tolerance=1e-12):
    """Return the eigenvalues of a symmetric matrix in ascending order."""
    a = matrix.copy()
    found = []
    for _ in range(limit):
        n = a.shape[0]
        if n == 1:
            found.append(float(a[0, 0]))
            break
        shift = a[-1, -1]
        q, r = np.linalg.qr(a - shift * np.eye(n))
        a = r @ q + shift * np.eye(n)
        if float(np.abs(a[-1, :-1]).max()) < tolerance:
            found.append(float(a[-1, -1]))
            a = a[:-1, :-1]
    return np.sort(np.array(found))


def power_iteration(matrix, rounds=300):
    v = np.ones(matrix.shape[0])
    for _ in range(rounds):
        v = matrix @ v
        v /= np.linalg.norm(v)
    return v @ matrix @ v


def main(size=80, seed=16):
    rng = np.random.default_rng(seed)
    a = rng.random((size, size))
    symmetric = a + a.T
    ours = qr_iteration(symmetric)
    return {
        "values": ours,
        "largest": power_iteration(symmetric),
        "library": np.linalg.eigvalsh(symmetric),
        "same": np.allclose(ours, np.linalg.eigvalsh(symmetric)),
    }


SMALL = {"size": 6}

if __name__ == "__main__":
    print("Largest eigenvalues:", main()["values"][-3:])
