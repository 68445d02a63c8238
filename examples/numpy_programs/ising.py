"""The Ising model by Metropolis sweeps over the two colours of a checkerboard, at several temperatures."""

import dpnp as np


def sweep(spins, beta, colour, rng):
    """Flip spins of one colour, each with its Metropolis probability."""
    around = np.roll(spins, 1, 0) + np.roll(spins, -1, 0) + np.roll(spins, 1, 1) + np.roll(spins, -1, 1)
    cost = 2 * spins * around
    accepted = (rng.random(spins.shape) < np.exp(-beta * cost)) & colour
    spins[accepted] *= -1


def main(size=400, sweeps=40, temperatures=(1.5, 2.27, 4.0), seed=3):
    rng = np.random.default_rng(seed)
    rows, columns = np.indices((size, size))
    white = (rows + columns) % 2 == 0
    magnetisation, energies = [], []
    for temperature in temperatures:
        spins = np.ones((size, size), dtype=np.int64)
        for _ in range(sweeps):
            for colour in (white, ~white):
                sweep(spins, 1.0 / temperature, colour, rng)
        magnetisation.append(abs(float(spins.mean())))
        bonds = spins * (np.roll(spins, 1, 0) + np.roll(spins, 1, 1))
        energies.append(-float(bonds.mean()))
    return {"magnetisation": np.array(magnetisation), "energy": np.array(energies), "spins": spins}


SMALL = {"size": 20, "sweeps": 4}

if __name__ == "__main__":
    print("Magnetisation:", main()["magnetisation"])
