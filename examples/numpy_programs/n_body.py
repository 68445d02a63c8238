"""Gravity between bodies by the leapfrog method, with the energy at the start and at the end."""

import dpnp as np


def accelerations(position, mass, softening):
    """Return the accelerations, of shape (bodies, 3)."""
    offset = position[np.newaxis, :, :] - position[:, np.newaxis, :]
    distance2 = np.sum(offset**2, axis=-1) + softening**2
    inverse_cube = distance2**-1.5
    return np.sum(offset * (mass * inverse_cube)[:, :, np.newaxis], axis=1)


def energy(position, velocity, mass, softening):
    """Return the kinetic and the potential energy."""
    kinetic = 0.5 * np.sum(mass * np.sum(velocity**2, axis=1))
    offset = position[np.newaxis, :, :] - position[:, np.newaxis, :]
    distance = np.sqrt(np.sum(offset**2, axis=-1) + softening**2)
    pairs = np.triu(mass * mass[:, np.newaxis] / distance, k=1)
    return kinetic, -pairs.sum()


def main(bodies=600, steps=40, dt=0.005, softening=0.05, seed=2):
    rng = np.random.default_rng(seed)
    position = rng.random((bodies, 3)) * 2.0 - 1.0
    velocity = rng.random((bodies, 3)) - 0.5
    mass = np.full(bodies, 1.0 / bodies)
    velocity -= np.average(velocity, axis=0, weights=mass)
    before = sum(energy(position, velocity, mass, softening))
    acceleration = accelerations(position, mass, softening)
    for _ in range(steps):
        velocity += 0.5 * dt * acceleration
        position += dt * velocity
        acceleration = accelerations(position, mass, softening)
        velocity += 0.5 * dt * acceleration
    after = sum(energy(position, velocity, mass, softening))
    return {"position": position, "velocity": velocity, "before": before, "after": after}


SMALL = {"bodies": 20, "steps": 5}

if __name__ == "__main__":
    results = main()
    print(f"Energy: {float(results['before']):.6f} before, {float(results['after']):.6f} after")
