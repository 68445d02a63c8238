"""An ensemble of Lorenz systems by the Runge-Kutta method: how fast neighbouring trajectories part."""

import dpnp as np


def derivative(state, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    x, y, z = state
    return np.stack([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def step(state, dt):
    k1 = derivative(state)
    k2 = derivative(state + 0.5 * dt * k1)
    k3 = derivative(state + 0.5 * dt * k2)
    k4 = derivative(state + dt * k3)
    return state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def main(members=50_000, steps=300, dt=0.01, seed=4):
    rng = np.random.default_rng(seed)
    state = np.array([[1.0], [1.0], [20.0]]) + 1e-3 * rng.random((3, members))
    spread = np.zeros((steps, 3))
    for i in range(steps):
        state = step(state, dt)
        spread[i] = state.std(axis=1)
    growth = np.polyfit(dt * np.arange(steps), np.log(spread[:, 0]), 1)[0]
    return {"state": state, "spread": spread, "growth": growth}


SMALL = {"members": 20, "steps": 30}

if __name__ == "__main__":
    print(f"The spread grows by a factor of e in {1 / float(main()['growth']):.2f} units of time")
