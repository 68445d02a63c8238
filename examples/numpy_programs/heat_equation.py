"""The heat equation on a plate with hot and cold edges: explicit steps until the temperatures are nearly steady."""

import dpnp as np


def main(size=600, steps=400, alpha=0.2):
    plate = np.zeros((size, size))
    plate[0, :] = 100.0
    plate[:, -1] = np.linspace(100.0, 0.0, size)
    plate[size // 3 : size // 2, size // 4 : size // 3] = 50.0
    changes = []
    for step in range(steps):
        centre = plate[1:-1, 1:-1]
        laplacian = plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2] - 4.0 * centre
        plate[1:-1, 1:-1] = centre + alpha * laplacian
        if step % 100 == 99:
            changes.append(float(np.abs(laplacian).max()))
    flux_y, flux_x = np.gradient(plate)
    flux = np.sqrt(flux_x**2 + flux_y**2)
    return {"plate": plate, "changes": np.array(changes), "mean": plate.mean(), "flux": flux.sum(axis=0)}


SMALL = {"size": 30, "steps": 100}

if __name__ == "__main__":
    print("Largest change at every hundredth step:", main()["changes"])
