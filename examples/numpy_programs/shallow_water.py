"""The shallow water equations on a periodic square, by the Lax-Friedrichs method: a drop spreads."""

import dpnp as np

GRAVITY = 9.81


def fluxes(h, hu, hv):
    u, v = hu / h, hv / h
    pressure = 0.5 * GRAVITY * h**2
    along_x = np.stack([hu, hu * u + pressure, hu * v])
    along_y = np.stack([hv, hv * u, hv * v + pressure])
    return along_x, along_y


def advance(q, dt, dx):
    fx, fy = fluxes(*q)
    mean = 0.25 * (np.roll(q, 1, 1) + np.roll(q, -1, 1) + np.roll(q, 1, 2) + np.roll(q, -1, 2))
    dfx = np.roll(fx, -1, 2) - np.roll(fx, 1, 2)
    dfy = np.roll(fy, -1, 1) - np.roll(fy, 1, 1)
    return mean - dt / (2.0 * dx) * (dfx + dfy)


def main(size=256, steps=100):
    x = (np.arange(size) + 0.5) / size
    gx, gy = np.meshgrid(x, x)
    h = 1.0 + 0.5 * np.exp(-80.0 * ((gx - 0.5) ** 2 + (gy - 0.4) ** 2))
    q = np.array([h, np.zeros_like(h), np.zeros_like(h)])
    dx, time = 1.0 / size, 0.0
    for _ in range(steps):
        speed = np.sqrt(GRAVITY * q[0]) + np.abs(q[1:] / q[0]).max(axis=0)
        dt = 0.4 * dx / float(speed.max())
        q = advance(q, dt, dx)
        time += dt
    return {"height": q[0], "momentum": q[1:], "volume": q[0].sum() * dx**2, "time": time}


SMALL = {"size": 20, "steps": 10}

if __name__ == "__main__":
    results = main()
    print(f"Volume after {results['time']:.3f} s: {float(results['volume']):.6f}")
