"""Waves on a membrane with a damped rim and two slits: the leapfrog method, and the intensity behind the slits."""

import dpnp as np


def main(size=500, steps=300, courant=0.5):
    before = np.zeros((size, size))
    now = np.zeros((size, size))
    after = np.zeros((size, size))
    rows = np.arange(size)
    wall = np.ones(size, dtype=bool)
    gap = max(size // 50, 2)
    for centre in (2 * size // 5, 3 * size // 5):
        wall[np.abs(rows - centre) < gap] = False
    rim = np.minimum(rows, rows[::-1]) / (0.1 * size)
    damping = np.where(rim < 1.0, 0.9 + 0.1 * rim, 1.0)
    damping = np.minimum(damping[:, None], damping[None, :])
    intensity = np.zeros(size)
    for step in range(steps):
        inner = now[1:-1, 1:-1]
        spread = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4.0 * inner
        after[1:-1, 1:-1] = 2.0 * inner - before[1:-1, 1:-1] + courant**2 * spread
        after *= damping
        after[:, size // 8] = np.sin(0.3 * step)
        after[wall, size // 3] = 0.0
        before, now, after = now, after, before
        intensity += now[:, -size // 5] ** 2
    return {"field": now, "intensity": intensity / steps, "brightest": np.argmax(intensity)}


SMALL = {"size": 50, "steps": 30}

if __name__ == "__main__":
    print("The brightest row:", main()["brightest"])
