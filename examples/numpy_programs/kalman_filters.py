"""Kalman filters of many tracked objects at once: batches of small matrices and of measurements, some missing."""

import dpnp as np


def main(objects=5000, steps=60, dt=0.1, seed=10):
    rng = np.random.default_rng(seed)
    motion = np.eye(4)
    motion[0, 2] = motion[1, 3] = dt
    process = 0.01 * np.diag([dt**2, dt**2, 1.0, 1.0])
    observed = np.zeros((2, 4))
    observed[0, 0] = observed[1, 1] = 1.0
    noise = 0.25 * np.eye(2)

    truth = np.concatenate([10.0 * rng.random((objects, 2)), rng.random((objects, 2)) - 0.5], axis=1)
    state = np.zeros((objects, 4))
    covariance = np.broadcast_to(10.0 * np.eye(4), (objects, 4, 4)).copy()
    error = np.empty(steps)
    for step in range(steps):
        truth = truth @ motion.T
        jitter = rng.random((objects, 2, 3)).sum(axis=2) - 1.5
        measured = truth[:, :2] + jitter
        seen = rng.random(objects) < 0.8

        state = state @ motion.T
        covariance = motion @ covariance @ motion.T + process
        residual = measured - state @ observed.T
        innovation = observed @ covariance @ observed.T + noise
        gain = covariance @ observed.T @ np.linalg.inv(innovation)
        gain[~seen] = 0.0
        state = state + np.einsum("nij,nj->ni", gain, residual)
        covariance = (np.eye(4) - gain @ observed) @ covariance
        covariance = 0.5 * (covariance + np.swapaxes(covariance, 1, 2))
        error[step] = np.sqrt(np.mean(np.sum((state[:, :2] - truth[:, :2]) ** 2, axis=1)))
    trace = np.trace(covariance, axis1=1, axis2=2)
    return {"error": error, "state": state, "uncertainty": np.percentile(trace, [5, 50, 95])}


SMALL = {"objects": 7, "steps": 5}

if __name__ == "__main__":
    print("Errors of positions:", main()["error"][::10])
