"""Short tours through cities by simulated annealing, of many independent tours at once: segments are reversed."""

import dpnp as np


def lengths(tours, distance):
    return distance[tours, np.roll(tours, -1, axis=1)].sum(axis=1)


def main(cities=40, tours=500, steps=400, seed=20):
    rng = np.random.default_rng(seed)
    where = rng.random((cities, 2))
    distance = np.linalg.norm(where[:, None, :] - where[None, :, :], axis=-1)
    tour = np.argsort(rng.random((tours, cities)), axis=1)
    length = lengths(tour, distance)
    start = length.copy()
    columns = np.arange(cities)
    best = np.empty(steps)
    for step in range(steps):
        temperature = 0.5 * 0.985**step
        ends = np.sort(rng.integers(0, cities, (tours, 2)), axis=1)
        first, last = ends[:, :1], ends[:, 1:]
        between = (columns >= first) & (columns <= last)
        source = np.where(between, first + last - columns, columns)
        proposal = np.take_along_axis(tour, source, axis=1)
        new_length = lengths(proposal, distance)
        chance = np.exp(np.minimum((length - new_length) / temperature, 0.0))
        accepted = rng.random(tours) < chance
        tour[accepted] = proposal[accepted]
        length = np.where(accepted, new_length, length)
        best[step] = length.min()
    return {"start": start.mean(), "best": best, "tour": tour[length.argmin()]}


SMALL = {"cities": 8, "tours": 10, "steps": 20}

if __name__ == "__main__":
    print(f"Shortest tour: {float(main()['best'][-1]):.3f}")
